"""What the place Memory asks, and the values it is answered with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from core.frozen import dataclass

if TYPE_CHECKING:  # the corner of every place needs the mark alone
    from core.memory.drain import Drained
    from core.memory.sink import Status, Written
    from core.memory.view import View
    from core.recall.model import RecalledContext


@dataclass(frozen=True, slots=True)
class MemoryLook:
    """A memory at one moment. Its texts are foreign: they are made printable where they are shown."""

    status: Status
    view: View
    away: str
    """Why only what was known here is shown; `""` where the owner answered."""


@dataclass(frozen=True, slots=True)
class MemoryMark:
    """How memory stands, for the corner of every place."""

    waiting: int
    """Deltas in the spool."""
    rejected: int = 0
    """Deltas that were set aside."""
    trouble: str = ""
    """Why it is not known."""


class MemoryPort(Protocol):
    """Answers on a worker's thread. Raises `RecollectError`."""

    def look(self) -> MemoryLook:
        """Everything the memory holds, and how it stands."""
        ...

    def mark(self) -> MemoryMark:
        """How it stands, told by its spool alone."""
        ...

    def add(self, fields: Mapping[str, Any]) -> Written:
        """Keep a claim with these fields of `new_claim`."""
        ...

    def change(self, identity: str, fields: Mapping[str, Any]) -> Written:
        """Keep a claim that supersedes another one."""
        ...

    def forget(self, identities: Sequence[str], why: str, by: str) -> Written:
        """Put tombstones on claims; what the last one answered."""
        ...

    def restore(self, identity: str, why: str, by: str) -> Written:
        """Show a claim again."""
        ...

    def drain(self) -> Drained:
        """Take what waits to the owner."""
        ...

    def keep_recall(self, recalled: RecalledContext) -> Written:
        """Keep an identified recall with the story's cites as evidence."""
        ...
