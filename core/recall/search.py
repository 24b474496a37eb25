"""What the dialogue asks of the archive: find, open, scan, and say what was captured.

`Searcher` is the port the loop is written against; `core.recall.archive_search` answers it from real records, the tests
from made-up ones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING, Protocol

from core.frozen import dataclass
from core.ports import Entry, Hit, ProgressCall, Query, Receipt
from core.recall.model import Expansion, Handle, Searched
from core.records.model import Locator, ReadProblem, Turn

if TYPE_CHECKING:  # a search needs none of them, and they take 0.02 s to load
    from core.recall.artifacts import Artifact
    from core.recall.traits import Traits
    from core.records.outcomes import CaptureOutcome
    from core.records.sieve import Foreseen


@dataclass(frozen=True, slots=True)
class Placed:
    """A turn and the file it stands in."""

    turn: Turn
    path: str
    number: int = -1
    """Its place among the record's turns, from 0; -1 where only the turn itself was read."""
    asked: int = -1
    """The place of the person's turn before it, -1 if there is none or it is not known."""


@dataclass(frozen=True, slots=True)
class Lead:
    """A record that a search reached. A cue: nothing is told from it before it is opened."""

    hit: Hit
    matched_by: tuple[str, ...]
    """`index`, `head`, `scan`."""
    reached: tuple[Placed, ...] = ()
    """Turns that a scan verified, tool output included."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a search brought."""

    leads: tuple[Lead, ...] = ()
    searched: tuple[Searched, ...] = ()
    problems: tuple[ReadProblem, ...] = ()
    """Records that could not be read on the way."""
    remarks: tuple[str, ...] = ()


def joined(narrow: tuple[Searched, ...], wide: tuple[Searched, ...]) -> tuple[Searched, ...]:
    """Per root: what the index did and what the scan did."""
    by_root = {(s.runtime, s.root): s for s in narrow}
    for s in wide:
        known = by_root.get((s.runtime, s.root))
        by_root[s.runtime, s.root] = (
            s
            if known is None
            else replace(
                known,
                records=max(known.records, s.records),
                by_scan=s.by_scan,
                bytes_scanned=s.bytes_scanned,
                unreadable=max(known.unreadable, s.unreadable),
            )
        )
    return tuple(by_root.values())


@dataclass(frozen=True, slots=True)
class Opened:
    """What a read of one record returned: the turns a story may be told from, each in file order."""

    origin: tuple[Placed, ...] = ()
    """The first things that were asked."""
    reached: tuple[Placed, ...] = ()
    """The turns that the cue reaches, and the ones they answer or are answered by."""
    turning: tuple[Placed, ...] = ()
    """Turns of the person that changed the direction."""
    outcome: tuple[Placed, ...] = ()
    """The last things that were said."""
    turns: int = 0
    """Conversation turns in the record."""
    problems: tuple[ReadProblem, ...] = field(default_factory=tuple)


@dataclass(frozen=True, slots=True)
class Changes:
    """Every change of a file, or of some of its lines, that git knows."""

    leads: tuple[Lead, ...]
    """The commits among them that are records, oldest first."""
    total: int
    """All changes."""
    whole: bool
    """True if no change lies beyond those that were read, and each is a record."""


class Searcher(Protocol):
    """The archive, as the dialogue sees it."""

    def find(self, query: Query) -> Found:
        """Search inside the boundary: the index, and the heads of records it does not hold yet."""
        ...

    def named(self, locator: Locator, query: Query) -> Lead | None:
        """The record a person pointed at, with the passages that the query reaches in it."""
        ...

    def open(self, lead: Lead, query: Query) -> Opened | ReadProblem:
        """Read the record at the spans that the query reaches."""
        ...

    def traits(self, lead: Lead) -> Traits | None:
        """What the record offers to be tied to others by; `None` where it does not open."""
        ...

    def changes(self, artifact: Artifact, leads: Sequence[Lead]) -> Changes | ReadProblem | None:
        """Every change of a file in the first project of these candidates that holds it; `None` where none does."""
        ...

    def receipts(self, paths: Sequence[str]) -> Mapping[str, Receipt]:
        """The capture receipts of the records at these paths."""
        ...

    def outcome(self, entry: Entry) -> CaptureOutcome | None:
        """What another indexer says about how it captured the record; `None` is unknown."""
        ...

    def unwritten(self, entry: Entry) -> tuple[str, ...]:
        """Sessions that the record says it goes on with, and of which there is no record."""
        ...

    def handle(self, entry: Entry) -> Handle:
        """How to go on with the record's session."""
        ...

    def expansion(self, query: Query) -> Expansion | None:
        """A wider search that is worth offering for this query, and its cost."""
        ...

    def foresee(self, query: Query, foreseen: Foreseen | None = None) -> None:
        """Begin what can be done beside a search for the wider search of this query, which comes next. `foreseen` was begun
        before."""
        ...

    def held_already(self, query: Query) -> int:
        """How many files hold what the wider search of this query looks for, as far as what was begun for it has come; 0 where
        that is not known yet."""
        ...

    def unasked(self, query: Query) -> Found | None:
        """What `find` says besides its leads; `None` where it must be asked for that."""
        ...

    def scan(self, query: Query, progress: ProgressCall | None, cancelled: Callable[[], bool]) -> Found:
        """Run the wider search: whole record bodies, tool output included. Only on the person's word."""
        ...
