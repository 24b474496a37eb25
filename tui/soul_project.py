"""The soul of the project in a folder, for the place Soul: one desk, one check at a time."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from core.errors import SurroundingsError
from core.paths import own_places
from core.soul.receipt_history import PastReceipt
from core.text import shown_lines
from tui.screens.soul_port import Look

if TYPE_CHECKING:
    from core.ports import Clock
    from core.soul.desk import SoulDesk

READS = 3
"""How often a document is read anew that is written to while it is checked."""


class ProjectSoul:
    """See `SoulPort`. The first call opens what a check needs, on its worker's thread."""

    def __init__(self, folder: str, clock: Clock | None = None) -> None:
        self._folder = folder
        self._clock = clock
        self._desk_kept: SoulDesk | None = None
        self._lock = threading.Lock()

    def _desk(self) -> SoulDesk:
        from core.soul.desk import SoulDesk, UtcClock

        if self._desk_kept is None:
            places = own_places(os.environ)
            self._desk_kept = SoulDesk(
                self._folder, places.state, places.index.parent / "cache", self._clock or UtcClock()
            )
        return self._desk_kept

    def look(self, document: str) -> Look:
        """See `SoulPort`."""
        import hashlib

        from core.soul.locating import read_soul

        with self._lock:
            for _ in range(READS):
                report = self._desk().report(document).document
                text, data, _ = read_soul(str(report["root"]), str(report["soul_path"]))
                if hashlib.sha256(data).hexdigest() == report["doc_sha256"]:
                    break
        return Look(report, shown_lines(text))

    def past(self, look: Look) -> tuple[PastReceipt, ...]:
        """See `SoulPort`."""
        from core.repository import RepositoryProblem
        from core.soul.receipt_history import past_receipts

        found = past_receipts(look.root, look.path)
        if isinstance(found, RepositoryProblem):
            raise SurroundingsError(found.what, found.hint)
        return found

    def documents(self) -> tuple[str, tuple[str, ...]]:
        """See `SoulPort`."""
        from core.soul.candidates import documents

        with self._lock:
            evidence = self._desk().open()
            try:
                return evidence.root, documents((*(evidence.tracked or ()), *evidence.untracked))
            finally:
                evidence.close()

    def watch(self, root: str, stop: threading.Event, changed: Callable[[], None]) -> None:
        """See `SoulPort`."""
        from core.soul.watching import changes

        for burst in changes(root, stop):
            if burst:
                changed()
