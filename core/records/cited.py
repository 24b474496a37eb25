"""Which record a cited line belongs to, where many records are lines of one file: commits of a history, claims of a memory."""

from __future__ import annotations

from core.paths import COPY
from core.records.history_lines import SUFFIX
from core.records.history_lines import places as commits
from core.records.memory import places as claims
from core.records.recordfile import named


def record_at(file: str, line: int) -> str:
    """The path of the record whose line this is; `""` where the file is none of these, or the line is no record's."""
    if file.endswith(SUFFIX):
        return next((named(file, part) for part, place in commits(file).items() if place.line == line), "")
    if file.endswith(f"/{COPY}"):
        return next((named(file, identity) for identity, place in claims(file).items() if place.line == line), "")
    return ""
