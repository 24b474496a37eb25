"""The rows that a search or a list shows, apart from the library that finds them: what draws them loads nothing that searches."""

from __future__ import annotations

from core.frozen import dataclass
from core.ports import IndexCondition, Passage
from core.recall.model import Cue, Searched
from core.records.model import Locator, ReadProblem


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
    written: float | None = None
    """When its file was last written."""

    @property
    def date(self) -> float | None:
        """The one date that it is listed and ordered by: of its last word, else of its first, else of its file."""
        return next((at for at in (self.ended, self.started, self.written) if at is not None), None)

    @property
    def dated_by_file(self) -> bool:
        """True where it holds no time itself: its date is its file's, and is shown as such."""
        return self.ended is None and self.started is None and self.written is not None


@dataclass(frozen=True, slots=True)
class Candidates:
    """The answer to a search."""

    rows: tuple[Candidate, ...]
    condition: IndexCondition
    hints: tuple[str, ...] = ()
    searched: tuple[Searched, ...] = ()
    pending: int = 0
    cue: Cue | None = None
    problems: tuple[ReadProblem, ...] = ()
    folded: int = 0
    """Sessions of programs that a list by date leaves out."""
