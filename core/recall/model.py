"""The terms of the dialogue (design/recall.md 1), as frozen values.

The context, an append-only tuple of turns, is the only state: what was presented, rejected or offered is read back from
the rounds that its responses carry.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from enum import StrEnum
from typing import TypeAlias

from core.frozen import dataclass
from core.ports import Filters, Query, Receipt, TimeWindow
from core.records.model import Locator, Origin, ReadProblem


class Ungrounded(ValueError):
    """A cite was built on a turn that grounds nothing. A defect of the program, never of the data."""


@dataclass(frozen=True, slots=True)
class Utterance:
    """A person's turn."""

    text: str
    points_at: Locator | None = None
    """The record the person pointed at in the list of candidates, where the turn is such an act."""

    @property
    def origin(self) -> Origin:
        """Always the person."""
        return Origin.PERSON


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a read of a record returned: one turn of it, at its place."""

    text: str
    locator: Locator
    line: int
    start: int
    at: float | None
    speaker: Origin
    """Who said it in the record."""
    name: str = ""
    path: str = ""
    """The file it stands in, where that is not the record itself (a stored tool output)."""
    origin: Origin = Origin.EXTERNAL
    """`external`; `peer` for a record another agent handed over."""

    def file(self) -> str:
        """The file that holds the text at `line`."""
        return self.path or self.locator.path


class WholeKind(StrEnum):
    """What the person is after (design/recall.md 3)."""

    SESSION = "session"
    LINE = "line"
    TOPIC = "topic"
    CONCEPT = "concept"


class AxisKind(StrEnum):
    """One way the past can be reached. The set is open: readers of JSON must expect others."""

    TIME = "time"
    EVENT = "event"
    """A time told by something that happened: before, after or around it."""
    PATH = "path"
    SYMBOL = "symbol"
    URL = "url"
    ISSUE = "issue"
    PULL_REQUEST = "pull_request"
    COMMIT = "commit"
    SESSION = "session"
    ERROR = "error"
    VERSION = "version"
    TERM = "term"
    PHRASE = "phrase"
    PROJECT = "project"
    RUNTIME = "runtime"
    BRANCH = "branch"
    SPEAKER = "speaker"
    KIND = "kind"
    WITHOUT = "without"


@dataclass(frozen=True, slots=True)
class Axis:
    """One way the past can be reached, and the words it was read from."""

    kind: AxisKind
    value: str
    words: str = ""
    """The person's words it was read from."""
    window: TimeWindow | None = None


@dataclass(frozen=True, slots=True)
class Cue:
    """What the whole context says the person means."""

    meant: str
    """In the person's words: everything they said that is more cue, newest last."""
    whole: WholeKind
    axes: tuple[Axis, ...]
    query: Query
    hints: tuple[str, ...] = ()
    """What was not understood in the cue, and what to write instead (an unknown filter word …); which event was taken for
    a time."""
    beside: frozenset[str] = frozenset()
    """Paths of records that are events the sought past lies before or after: not that past themselves."""
    dated: bool = False
    """True if what was said last is only a time ("last week"): what is of it comes before anything else."""


@dataclass(frozen=True, slots=True)
class Cite:
    """An index into the context and the origin it grounds on."""

    turn: int
    origin: Origin

    def __post_init__(self) -> None:
        if self.origin in (Origin.ASSISTANT, Origin.INJECTED, Origin.UNKNOWN):
            raise Ungrounded(f"turn {self.turn} was sent by {self.origin}: it grounds nothing")


@dataclass(frozen=True, slots=True)
class Claim:
    """One sentence of a story, with the evidence that carries it."""

    text: str
    speaker: Origin
    """Who said the quoted words in the record."""
    cite: Cite
    path: str
    line: int
    quote: str
    """The record's own words, character for character in the decoded text of `path`:`line`."""
    name: str = ""

    def __post_init__(self) -> None:
        if self.cite.origin not in (Origin.EXTERNAL, Origin.PEER):
            raise Ungrounded("a claim rests on evidence, never on the person's own turn")
        if not self.quote:
            raise Ungrounded("a claim without a quote rests on nothing")


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A part of a record beside a claim's marker."""

    speaker: Origin
    name: str
    at: float | None
    text: str
    """Byte-for-byte in the record at its place."""
    path: str
    line: int
    start: int
    matched: tuple[tuple[int, int], ...] = ()
    """Character spans of `text` that the cue's words matched."""


@dataclass(frozen=True, slots=True)
class Handle:
    """How to go on with a session in its own runtime (design/recall.md 7)."""

    command: str = ""
    """A line for a POSIX shell; `""` if there is none."""
    argv: tuple[str, ...] = ()
    cwd: str = ""
    env: tuple[tuple[str, str], ...] = ()
    note: str = ""
    """Why there is no command, or what is different about it."""


@dataclass(frozen=True, slots=True)
class Member:
    """One record of a recognizable."""

    locator: Locator
    gist: str
    """A phrase for ordering and for the eye; never evidence."""
    handle: Handle
    title: str = ""
    project: str = ""
    branch: str = ""
    started: float | None = None
    ended: float | None = None
    gone: bool = False
    """The record's file is no longer there."""
    score: float = 0.0
    fit: float = 0.0
    written: float | None = None
    """When its file was last written, for a record that holds no time itself."""


_WRITTEN = ("git", "notes", "memory")
"""Runtimes of records that are no sessions: nothing goes on with them."""


def going_on(members: Sequence[Member]) -> Member:
    """The member that a person goes on with: the newest session, else the newest record. There is at least one."""
    return next((m for m in reversed(members) if m.locator.runtime not in _WRITTEN), members[-1])


@dataclass(frozen=True, slots=True)
class Recognizable:
    """A whole that a person may recognize, and what ties its members."""

    whole: WholeKind
    members: tuple[Member, ...]
    joins: str = ""


@dataclass(frozen=True, slots=True)
class Adjacent:
    """Another candidate, in a phrase."""

    locator: Locator
    phrase: str
    project: str = ""
    at: float | None = None


@dataclass(frozen=True, slots=True)
class Qualification:
    """What the capture evidence says about one record."""

    path: str
    finding: str
    receipt: Receipt | None = None
    """`None` is unknown, never zero."""


@dataclass(frozen=True, slots=True)
class Searched:
    """Where a pass looked, per root."""

    runtime: str
    root: str
    records: int = 0
    by_index: int = 0
    by_head: int = 0
    by_scan: int = 0
    unreadable: int = 0
    bytes_scanned: int = 0


@dataclass(frozen=True, slots=True)
class Expansion:
    """A wider search worth offering, and its cost."""

    reach: str
    """What it would read, in words."""
    records: int
    bytes: int
    seconds: float
    roots: tuple[str, ...] = ()


class RoundKind(StrEnum):
    """The three ways to respond (design/recall.md 2)."""

    PRESENT = "present"
    ASK = "ask"
    OFFER = "offer"


@dataclass(frozen=True, slots=True)
class Round:
    """One response: a story, a question, or a wider search offered."""

    kind: RoundKind
    cue: Cue
    recognizable: Recognizable | None = None
    story: tuple[Claim, ...] = ()
    excerpts: tuple[Excerpt, ...] = ()
    """Claim `n` of the story is told from excerpt `n`."""
    adjacent: tuple[Adjacent, ...] = ()
    qualifications: tuple[Qualification, ...] = ()
    question: str = ""
    expansion: Expansion | None = None
    searched: tuple[Searched, ...] = ()
    not_opened: tuple[ReadProblem, ...] = ()
    remarks: tuple[str, ...] = ()
    """What a person should know besides: nothing fits well, an identifier matched in another sense, a hint."""
    scanned: bool = False
    """True if the wider search was run for this round."""


@dataclass(frozen=True, slots=True)
class Response:
    """Our own turn: the record of one pass."""

    text: str
    round: Round

    @property
    def origin(self) -> Origin:
        """Always ours: it grounds nothing."""
        return Origin.ASSISTANT


ContextTurn: TypeAlias = Utterance | Response | Evidence
Context: TypeAlias = tuple[ContextTurn, ...]


@dataclass(frozen=True, slots=True)
class NotActivated:
    """Nothing was asked."""

    why: str


@dataclass(frozen=True, slots=True)
class RecalledContext:
    """The past a person identified."""

    recognizable: Recognizable
    story: tuple[Claim, ...]
    excerpts: tuple[Excerpt, ...]
    qualifications: tuple[Qualification, ...]
    searched: tuple[Searched, ...]
    identified_by: int
    """Index in the context of the person's turn that identified it."""


@dataclass(frozen=True, slots=True)
class Identified:
    """The person recognized what was presented."""

    recalled: RecalledContext


@dataclass(frozen=True, slots=True)
class Stopped:
    """The person stopped."""

    by: int
    """Index in the context of the person's turn that stopped it."""


@dataclass(frozen=True, slots=True)
class Unresolved:
    """Nothing to present, nothing wider to offer. Never a claim of absence."""

    finding: str
    searched: tuple[Searched, ...]
    not_opened: tuple[ReadProblem, ...] = ()


@dataclass(frozen=True, slots=True)
class Holding:
    """The person has the next word."""


Outcome: TypeAlias = NotActivated | Identified | Stopped | Unresolved | Holding


@dataclass(frozen=True, slots=True)
class Advance:
    """What one step of the dialogue yields: the longer context, what to show, and how it stands."""

    context: Context
    round: Round | None
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Scope:
    """The boundary a person chose for the whole dialogue."""

    filters: Filters = field(default_factory=Filters)
    label: str = "all projects"
