"""A session of a store that holds many, as its listing finds it."""

from __future__ import annotations

from core.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Listed:
    """A session as a listing of its store finds it."""

    session_id: str
    parent_id: str
    size: int
    """Bytes of its messages and their parts."""
    updated_ms: int
    archived: bool
