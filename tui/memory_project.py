"""The person's memory, for the place Memory and the corner of every place: the same sink as `recollect memory`."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from core.errors import RecollectError
from core.paths import own_places
from core.settings import load_settings
from tui.screens.memory_port import MemoryLook, MemoryMark

if TYPE_CHECKING:
    from core.memory.drain import Drained
    from core.memory.sink import Memory, Written
    from core.recall.model import RecalledContext


class OwnMemory:
    """See `MemoryPort`. Holds no open file; the first call reads settings, on its worker's thread."""

    def __init__(self) -> None:
        self._kept: Memory | None = None

    def _memory(self) -> Memory:
        from core.memory.sink import Memory

        if self._kept is None:
            places = own_places(os.environ)
            self._kept = Memory.open(places, load_settings(places.settings), os.environ)
        return self._kept

    def look(self) -> MemoryLook:
        """See `MemoryPort`."""
        memory = self._memory()
        view, away = memory.seen()
        return MemoryLook(memory.status(), view, away.what if away else "")

    def mark(self) -> MemoryMark:
        """See `MemoryPort`."""
        try:
            spool = self._memory().spool
            return MemoryMark(len(spool.names()), len(spool.rejected()))
        except RecollectError as problem:
            return MemoryMark(0, trouble=problem.what)

    def add(self, fields: Mapping[str, Any]) -> Written:
        """See `MemoryPort`."""
        from core.memory.claim import new_claim

        return self._memory().keep([new_claim(**{"created_at": time.time(), **fields})])

    def change(self, identity: str, fields: Mapping[str, Any]) -> Written:
        """See `MemoryPort`."""
        return self._memory().change(identity, **fields)

    def forget(self, identities: Sequence[str], why: str, by: str) -> Written:
        """See `MemoryPort`. Ends at the first that is not persisted: the rest would wait too, and is told by it."""
        memory = self._memory()
        done = [memory.forget(identity, why, by) for identity in identities]
        return next((one for one in done if not one.persisted), done[-1])

    def restore(self, identity: str, why: str, by: str) -> Written:
        """See `MemoryPort`."""
        return self._memory().restore(identity, why, by)

    def drain(self) -> Drained:
        """See `MemoryPort`."""
        return self._memory().drain()

    def keep_recall(self, recalled: RecalledContext) -> Written:
        """See `MemoryPort`."""
        from core.memory.recalled import claim_of_recall, told_of

        return self._memory().keep([claim_of_recall(told_of(recalled), created_at=time.time())])
