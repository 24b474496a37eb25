"""Records of a list, newest first, of which no more is read than is asked for."""

from __future__ import annotations

from typing import Any

from core.ports import Entry, Standing
from core.records.model import Role
from indexes.rows import from_json, source_from, spine_of, tally_of

_ROLES = {role.value: role for role in Role}


class Glimpse:
    """One record. Its parts are JSON until somebody asks."""

    __slots__ = ("_source", "_spine", "_standing", "_tally", "cwds", "entrypoint", "first_prompt", "prompts", "role")

    def __init__(self, source: bytes, spine: bytes, tally: bytes, standing: str) -> None:
        """Raises `ValueError` or `LookupError` for what was damaged."""
        told: dict[str, Any] = from_json(spine)
        self._source, self._spine, self._tally, self._standing = source, told, tally, standing
        self.cwds: list[str] = told["cwds"]
        self.entrypoint: str = told.get("entrypoint", "")
        self.first_prompt: str = told.get("first_prompt", "")
        self.prompts: int = told.get("prompts", 0)
        self.role = _ROLES[told["role"]]

    @property
    def begun(self) -> Glimpse:
        """What it is, and how it began."""
        return self

    def entry(self) -> Entry:
        """All that is known of it."""
        spine = spine_of(dict(self._spine))
        return Entry(source_from(self._source), spine, Standing(self._standing), tally_of(from_json(self._tally)))
