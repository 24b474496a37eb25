"""What the place Soul asks, and the values it is answered with."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from core.frozen import dataclass
from core.soul.receipt_history import PastReceipt


@dataclass(frozen=True, slots=True)
class Look:
    """One check of a document, and the document as it was checked."""

    report: Mapping[str, Any]
    """`recollect-soul-check-v1`: every string in it may be shown."""
    lines: tuple[str, ...]
    """The document's lines, printable and masked; the first one is line 1."""

    @property
    def root(self) -> str:
        """The project's folder."""
        return str(self.report["root"])

    @property
    def path(self) -> str:
        """The document, from the root."""
        return str(self.report["soul_path"])


class SoulPort(Protocol):
    """Answers on a worker's thread. Raises `RecollectError` where there is nothing to answer with."""

    def look(self, document: str) -> Look:
        """Check a document, `""` for the one by custom."""
        ...

    def past(self, look: Look) -> tuple[PastReceipt, ...]:
        """The commits that touched the document, newest first."""
        ...

    def documents(self) -> tuple[str, tuple[str, ...]]:
        """The project's folder, and the documents in it that may be checked."""
        ...

    def watch(self, root: str, stop: threading.Event, changed: Callable[[], None]) -> None:
        """Call `changed` after every burst of changes in the project, until `stop` is set. Raises OSError."""
        ...
