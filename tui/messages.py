"""What workers report to the screen. Each carries a frozen value; newer reports replace older ones that still wait."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.message import Message

from core.frozen import dataclass
from core.ports import IndexState, Progress
from core.recall.model import Advance, Handle, Scope, Searched
from core.records.model import Locator, ReadProblem, Turn

if TYPE_CHECKING:
    from core.candidates import Candidates
    from core.settings import Standing


@dataclass(frozen=True, slots=True)
class IndexReport:
    """One report of the background refresh."""

    progress: Progress
    message: str = ""
    """What happened, where something did."""
    failed: bool = False
    """The refresh ended without finishing."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What is there to search."""

    state: IndexState
    roots: tuple[Searched, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """A line of a record to show, and what to mark there."""

    locator: Locator
    line: int = 1
    start: int = 0
    terms: tuple[str, ...] = ()
    """Words to mark in every turn."""
    quote: str = ""
    """Text to mark in the turn at `line`."""
    spans: tuple[tuple[int, int], ...] = ()
    """Parts of `quote` that the cue matched."""
    others: tuple[tuple[int, int], ...] = ()
    """Further places `(line, start)` in the record that the cue reached."""
    title: str = ""


class CandidatesFound(Message):
    """Rows for what was typed."""

    def __init__(self, text: str, scope: Scope, candidates: Candidates) -> None:
        super().__init__()
        self.asked = (text, scope)
        """The words and the scope the rows answer."""
        self.candidates = candidates


class IndexBroken(Message):
    """A search met an index that is damaged; the process beside the app can build it anew."""


class Advanced(Message):
    """A step of the dialogue ended."""

    def __init__(self, number: int, advance: Advance) -> None:
        super().__init__()
        self.number = number
        self.advance = advance


class PassProgress(Message):
    """How far a running pass is."""

    def __init__(self, number: int, progress: Progress) -> None:
        super().__init__()
        self.number = number
        self.progress = progress

    def can_replace(self, message: Message) -> bool:
        """Only the newest matters."""
        return isinstance(message, PassProgress)


class TurnsRead(Message):
    """Turns of a record for the viewer."""

    def __init__(self, place: Place, turns: tuple[Turn, ...] | ReadProblem, whence: int) -> None:
        super().__init__()
        self.place = place
        self.turns = turns
        self.whence = whence
        """0 replaces what is shown, -1 goes before it, 1 after it."""


class RecordFound(Message):
    """The record that a cited line is of; `None` where none is read there."""

    def __init__(self, path: str, place: Place | None) -> None:
        super().__init__()
        self.path = path
        self.place = place


class HandleRead(Message):
    """How the chosen record is resumed."""

    def __init__(self, locator: Locator, handle: Handle) -> None:
        super().__init__()
        self.locator = locator
        self.handle = handle


class SurroundingsRead(Message):
    """The state of the index and the places searched; `anew` where nothing known before went into it."""

    def __init__(self, surroundings: Surroundings, anew: bool) -> None:
        super().__init__()
        self.surroundings = surroundings
        self.anew = anew


class IndexProgressed(Message):
    """The background refresh reports."""

    def __init__(self, report: IndexReport) -> None:
        super().__init__()
        self.report = report

    def can_replace(self, message: Message) -> bool:
        """Only the newest matters; the last one says that it is done."""
        return isinstance(message, IndexProgressed)


class TextReady(Message):
    """A text that was asked for: raw JSON to show, or an export to write."""

    def __init__(self, purpose: str, text: str, locator: Locator | None = None) -> None:
        super().__init__()
        self.purpose = purpose
        """`raw`, `md` or `json`."""
        self.text = text
        self.locator = locator


class ShowSettings(Message):
    """The person wants to see the settings."""


class SettingWritten(Message):
    """A setting was changed in the app; these are in force now."""

    def __init__(self, standings: Sequence[Standing]) -> None:
        super().__init__()
        self.standings = tuple(standings)
