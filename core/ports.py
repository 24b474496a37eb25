"""What the core asks of the outside: an index to search, a clock to read.

`indexes` implements `Index`; the tests implement fakes. All values are frozen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol

from core.frozen import dataclass
from core.records.model import Locator, Origin, ReadProblem, Role, Source, Spine, Tally

if TYPE_CHECKING:
    from core.records.robots import Begun


class Clock(Protocol):
    """Tells the time; a port, so that no test depends on it."""

    def now(self) -> datetime:
        """The current time, with the person's local time zone."""
        ...


class TermKind(StrEnum):
    """How a term of a query is matched."""

    WORD = "word"
    """A word of the person's: stemmed."""
    IDENTIFIER = "identifier"
    """A name, path, number or id: matched as written (case folded), and by its parts at a lower weight."""
    PREFIX = "prefix"
    """The beginning of a word that is still being typed."""


@dataclass(frozen=True, slots=True)
class Term:
    """One weighted term of a query."""

    text: str
    weight: float = 1.0
    kind: TermKind = TermKind.WORD


@dataclass(frozen=True, slots=True)
class TimeWindow:
    """A soft window: full weight between `start` and `end`, falling to none over `slack` seconds outside."""

    start: float
    end: float
    slack: float
    hard: bool = False
    """True for a `date:` filter: nothing outside is a candidate. Several windows are alternatives."""


@dataclass(frozen=True, slots=True)
class Filters:
    """What a candidate must fulfil; empty means anything. Each tuple holds alternatives, `-` in front negates.

    Strings are compared case-folded: `runtimes` whole, the others as a part of the record's value.
    """

    runtimes: tuple[str, ...] = ()
    projects: tuple[str, ...] = ()
    """Part of any of the record's working directories, or with a slash at the end a folder that holds one."""
    branches: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    """Who said the matching text: `person`, `assistant`."""
    kinds: tuple[str, ...] = ()
    """`main`, `subagent`, `fork`, `archived`, `gone`, `robot`, `commit`, `tag`, `note`."""
    sessions: tuple[str, ...] = ()
    """Session ids, whole or the beginning."""


@dataclass(frozen=True, slots=True)
class Query:
    """What to look for. An empty query lists every record, newest first."""

    terms: tuple[Term, ...] = ()
    phrases: tuple[str, ...] = ()
    """Exact wordings that a record must hold (case folded, white space folded)."""
    without: tuple[str, ...] = ()
    """Words that no candidate may hold."""
    any_of: tuple[tuple[str, ...], ...] = ()
    """Groups of words joined by OR: at least one of each group must occur."""
    windows: tuple[TimeWindow, ...] = ()
    filters: Filters = field(default_factory=Filters)
    speaker: Origin | None = None
    """Whose words weigh more: `I said` is the person's, `you suggested` the assistant's."""
    excluded: frozenset[str] = frozenset()
    """Paths of records not to be offered again."""
    sentence: str = ""
    """The person's words as they said them, for what depends on their order and meaning."""
    deep: bool = False
    """True if meanings may be asked too, where words fit poorly. Costs a second the first time; never while typing."""
    limit: int = 10
    written: bool | None = None
    """True: only records written beside the sessions (commits, tags, notes); False: only sessions; `None`: both."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A turn of a record that a query reached. A cue, never evidence: the text is read from the record."""

    line: int
    start: int
    end: int
    origin: Origin
    at: float | None
    score: float
    terms: tuple[str, ...]
    """The query's terms found there."""


class Standing(StrEnum):
    """Whether a record's file is still there."""

    PRESENT = "present"
    GONE = "gone"
    """Indexed once; a complete scan did not find the file any more."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A record as the index knows it."""

    source: Source
    spine: Spine
    standing: Standing = Standing.PRESENT
    tally: Tally = field(default_factory=Tally)

    def locator(self) -> Locator:
        """Where the record stands."""
        s = self.source
        return Locator(s.runtime, s.root, self.spine.session_id or s.session_id, s.path)


class Glimpse(Protocol):
    """A record of a list, of which no more is read than is asked for."""

    @property
    def begun(self) -> Begun:
        """What it is, and how it began."""
        ...

    def entry(self) -> Entry:
        """All that is known of it."""
        ...


@dataclass(frozen=True, slots=True)
class Hit:
    """A candidate: a record and the passages that a query reached in it, best first."""

    entry: Entry
    score: float
    fit: float
    """How much of the cue's weight the best passage and the record carry, 0 to 1; low means that nothing fits well."""
    passages: tuple[Passage, ...]
    terms: tuple[str, ...]
    """The query's terms found anywhere in the record."""
    likeness: float | None = None
    """How near the record's meaning comes to the cue's (cosine of its nearest turn), `None` where it was not asked."""
    held: float = 0.0
    """How rare the cue's words are that its best passage holds, counted in words that stand in no other turn."""
    read_as: tuple[tuple[str, str], ...] = ()
    """Words of the query that no record holds, and the words of this one they were read as."""


class Extractor(StrEnum):
    """The steps that capture a record."""

    HEAD = "head"
    TALK = "talk"
    TOOLS = "tools"


class Reach(StrEnum):
    """How far an extractor came with one record (design/recall.md 8)."""

    SUCCEEDED = "succeeded"
    EMPTY = "empty"
    INVOCATION_FAILED = "invocation_failed"
    VALIDATION_FAILED = "validation_failed"
    INPUT_FAILED = "input_failed"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Receipt:
    """What the index did with one record. An extractor that is missing from `reach` is unknown, never zero."""

    size: int
    mtime_ns: int
    reach: Mapping[Extractor, Reach]
    tally: Tally
    finding: str = ""
    """In words, where something went wrong."""


@dataclass(frozen=True, slots=True)
class Reached:
    """A receipt in short."""

    searchable: bool
    """True if any of its extractors succeeded."""
    finding: str
    """As the receipt's."""


@dataclass(frozen=True, slots=True)
class AsListed:
    """The records that a listing found, or would find."""

    sources: tuple[Source, ...]
    problems: tuple[ReadProblem, ...] = ()
    """What could not be listed."""


class IndexCondition(StrEnum):
    """How the index stands to the archive."""

    CURRENT = "current"
    STALE = "stale"
    BUILDING = "building"
    ABSENT = "absent"
    DAMAGED = "damaged"


@dataclass(frozen=True, slots=True)
class IndexState:
    """What the index holds."""

    condition: IndexCondition
    records: int = 0
    pending: int = 0
    """Records known and not yet searchable."""
    bytes: int = 0
    built_at: float | None = None
    engine: str = ""
    version: str = ""
    message: str = ""
    """What happened, where something did (damaged and rebuilt, an older version replaced)."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a long piece of work is."""

    records: int
    records_total: int
    bytes: int
    bytes_total: int
    seconds: float
    done: bool = False

    def remaining(self) -> float | None:
        """Estimated seconds left, `None` before there is a basis."""
        if self.bytes <= 0 or self.seconds <= 0:
            return None
        return max(0.0, (self.bytes_total - self.bytes) * self.seconds / self.bytes)


ProgressCall = Callable[[Progress], bool]
"""Receives progress; returns False to stop, keeping what was done."""


@dataclass(frozen=True, slots=True)
class Refreshed:
    """What one refresh did."""

    added: int = 0
    grown: int = 0
    replaced: int = 0
    gone: int = 0
    unchanged: int = 0
    unreadable: int = 0
    pending: int = 0
    bytes_read: int = 0
    seconds: float = 0.0
    stopped: bool = False
    message: str = ""
    refused: bool = False
    """True where the system lets nothing be written, so that nothing was done."""
    state: IndexState | None = None
    """How the index stands now, where everything was read: what another look at every file would say."""


@dataclass(frozen=True, slots=True)
class Deepened:
    """What reading meanings did."""

    read: int = 0
    """Records whose meanings were read."""
    pending: int = 0
    """Records left."""
    seconds: float = 0.0
    available: bool = True
    """False where no encoder is installed: words alone rank then."""
    busy: bool = False
    """True if another process is reading them."""


class Embedder(Protocol):
    """Turns texts into vectors whose nearness is nearness in meaning; no network, weights in a package."""

    def name(self) -> str:
        """What the vectors are made with; `""` if it cannot be used."""
        ...

    def encode(self, texts: Sequence[str]) -> Any:
        """A float32 array, a row of length one per text."""
        ...


class Index(Protocol):
    """A local search index over records. Several processes may hold one; a reader never waits for a writer."""

    def state(self) -> IndexState:
        """What the index holds, without opening more than it must. Never raises for a damaged index."""
        ...

    def refresh(
        self, *, progress: ProgressCall | None = None, seconds: float | None = None, rebuild: bool = False
    ) -> Refreshed:
        """Bring the index up to date with the archive. `seconds` bounds the work; what is left is `pending`."""
        ...

    def deepen(self, *, progress: ProgressCall | None = None, seconds: float | None = None) -> Deepened:
        """Read the meanings of records that have none yet, newest first. Slow (10 to 25 ms of CPU a turn), so it is done
        when idle; what it did is kept when it is stopped."""
        ...

    def search(self, query: Query) -> tuple[Hit, ...]:
        """The candidates, best first. With an empty query: every record, newest first, up to the limit."""
        ...

    def damage(self) -> str:
        """What a search met that is wrong with the index, here or in another process, `""` if nothing, or no more."""
        ...

    def entries(self) -> Iterable[Entry]:
        """Every record the index knows, newest first."""
        ...

    def glimpses(self) -> Sequence[Glimpse] | None:
        """Every session that is no copy, newest first, as `search` lists them for an empty query; `None` where the catalog
        cannot be read. Much cheaper than that where few are looked at."""
        ...

    def places(self) -> Mapping[str, tuple[str, str]]:
        """The path of every record the index knows, with its runtime and root. Much cheaper than `entries`."""
        ...

    def entries_at(self, paths: Sequence[str]) -> Mapping[str, Entry]:
        """The records at these paths, those that the index knows. Much cheaper than `entries` for a few."""
        ...

    def ages_at(self, paths: Sequence[str]) -> Mapping[str, tuple[Role, float | None]]:
        """The role and the time of the last word (seconds) of the records at these paths, those that the index knows. Much
        cheaper than `entries_at`."""
        ...

    def projects(self) -> tuple[str, ...]:
        """Every working folder that a session names, by path."""
        ...

    def counts(self) -> Mapping[tuple[str, str], tuple[int, int]]:
        """Per runtime and root: the records it holds, and how many of them could not be read. Much cheaper than
        `entries`."""
        ...

    def present(self) -> Mapping[tuple[str, str], int]:
        """Per runtime and root: the records it holds whose files are there."""
        ...

    def receipts(self, paths: Sequence[str]) -> Mapping[str, Receipt]:
        """The receipts of the records at these paths; a path without one is missing from the answer."""
        ...

    def reached(self) -> Mapping[str, Reached]:
        """How far each record that the index knows was captured, by its path. Much cheaper than `receipts` of all."""
        ...

    def listed(self, seconds: float) -> AsListed | None:
        """Every record there is, as the archive would list it; `None` where that must be listed. What was looked at less than
        `seconds` ago is not looked at again."""
        ...

    def close(self) -> None:
        """Give back files and memory."""
        ...
