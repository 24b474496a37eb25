"""What the place Curate asks, and the values it is answered with."""

from __future__ import annotations

from typing import Protocol

from core.frozen import dataclass
from core.soul.curation import Draft, Record
from core.soul.curator import Applied, Preview
from core.soul.prune import Prune


@dataclass(frozen=True, slots=True)
class WorkRow:
    """A claim of the document. Its texts may be shown as they are."""

    lines: tuple[int, int]
    state: str
    """The state's name as the check writes it: `evidence-stale`, `superseded` …"""
    reason: str
    text: str
    section: str
    declared: bool
    stale_as: str = ""
    """The words under which it stands among the stale ones of the report; `""` if it is not stale."""

    @property
    def line(self) -> int:
        """Its first line."""
        return self.lines[0]


@dataclass(frozen=True, slots=True)
class Work:
    """A document as it stands, and the decisions on it that are open."""

    root: str
    path: str
    receipt: str
    rows: tuple[WorkRow, ...]
    """Every claim, in the order of the document."""
    draft: Draft
    moved: bool
    """The document changed after the decisions were taken."""
    undoable: bool
    """A curation of this project is applied."""

    def decision(self, row: WorkRow) -> Prune | None:
        """The open decision on a claim."""
        return next((p for p in self.draft.prunes if p.lines == row.lines), None)

    def stays(self, row: WorkRow) -> str:
        """Why a claim stays as it is, where that was said; `""` else."""
        if row.stale_as:
            return self.draft.still_stale.get(row.stale_as, "")
        return next((why for claim, why in self.draft.declined if claim == row.text), "")

    @property
    def decisions(self) -> int:
        """Open decisions of every kind."""
        return len(self.draft.prunes) + len(self.draft.declined) + len(self.draft.still_stale)


@dataclass(frozen=True, slots=True)
class Typed:
    """What stands in the form and is not decided."""

    by: str = ""
    line: int = 0
    """The claim that would go; 0 for none."""
    why: str = ""
    where: str = ""
    claim: str = ""
    """The stale claim that would stay; `""` for none."""
    left: str = ""
    """The claim that is not stale and would be left as it is; `""` for none."""
    stays: str = ""


@dataclass(frozen=True, slots=True)
class Done:
    """What applying or undoing did."""

    applied: Applied
    word: str
    """`applied` or `undone`."""
    trouble: str = ""
    """Why the document was not committed although it was asked for."""
    hint: str = ""


class CuratePort(Protocol):
    """Answers on a worker's thread, one call at a time. `document` is `""` for the one by custom. Raises `RecollectError`."""

    def work(self, document: str) -> Work:
        """Check the document and read the decisions on it."""
        ...

    def preview(self, document: str, typed: Typed, grader: str) -> Preview:
        """What the open decisions and the ones being written would do. Writes nothing."""
        ...

    def decide(self, document: str, line: int, why: str, where: str, by: str) -> None:
        """Keep the decision that the claim at a line goes."""
        ...

    def leave(self, document: str, row: WorkRow, why: str, by: str) -> None:
        """Keep why a claim stays as it is, stale or not."""
        ...

    def unsay(self, document: str, row: WorkRow) -> None:
        """Take back why a claim stays."""
        ...

    def take_back(self, document: str, line: int) -> None:
        """Take the decision on the claim at a line back."""
        ...

    def drop(self, document: str) -> None:
        """Give every open decision up."""
        ...

    def sign(self, document: str, by: str, grader: str) -> Preview:
        """Keep who curates, and say what applying would do now."""
        ...

    def apply(self, document: str, grader: str, *, commit: bool) -> Done:
        """Apply the open decisions."""
        ...

    def undo(self, document: str, identity: str) -> Done:
        """Undo a curation; `""` is the newest that is applied."""
        ...

    def log(self, document: str) -> tuple[Record, ...]:
        """Every curation of the project, newest first."""
        ...
