"""The one object every face talks to: the archive, the index and the dialogue behind them.

A face builds a `Library` at its composition root and hands it to screens. Nothing here prints or draws.
"""

from __future__ import annotations

from dataclasses import dataclass

from core.ports import IndexCondition, Passage
from core.recall.model import Searched
from core.records.model import Locator


@dataclass(frozen=True, slots=True)
class Candidate:
    """One row of a list of records: a cue for the eye, never evidence. Its strings are shown() already."""

    locator: Locator
    phrase: str
    """The title, else the first words a person typed, on one line."""
    project: str
    """The last part of the working directory."""
    branch: str
    started: float | None
    ended: float | None
    kind: str = "main"
    """`main`, `subagent`, `fork`, `review`, `copy`."""
    archived: bool = False
    gone: bool = False
    score: float = 0.0
    fit: float = 0.0
    passages: tuple[Passage, ...] = ()
    terms: tuple[str, ...] = ()
    matched_by: tuple[str, ...] = ()
    gist: str = ""
    """The best passage's text around the match, on one line (up to 300 characters); `""` while typing."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """The answer to a search."""

    rows: tuple[Candidate, ...]
    condition: IndexCondition
    hints: tuple[str, ...] = ()
    searched: tuple[Searched, ...] = ()
    pending: int = 0
