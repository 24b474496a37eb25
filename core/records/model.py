"""The terms of a record: who said what, where it stands, and what a pass over a file found.

Everything here is a frozen value that may cross a thread or a process. Times are seconds since the epoch, UTC
(`float`), or `None` where the record does not say. Lines are physical lines from 1, byte offsets count from the start
of the (decompressed) file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from enum import StrEnum
from typing import Protocol

from core.frozen import dataclass


class Origin(StrEnum):
    """Who sent a turn (design/recall.md 1)."""

    PERSON = "person"
    ASSISTANT = "assistant"
    EXTERNAL = "external"
    PEER = "peer"
    INJECTED = "injected"
    UNKNOWN = "unknown"


class Channel(StrEnum):
    """Which part of a record a turn was written to."""

    TALK = "talk"
    """A prompt or an answer, as the two sides exchanged it."""
    SUMMARY = "summary"
    """A compaction summary, a recap: prose about the talk that neither side said as a turn."""
    THINKING = "thinking"
    """Reasoning the runtime stored."""
    CALL = "call"
    """A tool call with its input."""
    RESULT = "result"
    """What a tool returned."""
    NOTICE = "notice"
    """Text the runtime or a hook put there: reminders, command output, errors of the service."""


CONVERSATION = frozenset({Channel.TALK, Channel.SUMMARY})
"""The channels the index holds; the rest is reached by a scan of the bodies."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of a record.

    `text` is a contiguous part of one decoded string of its line, character for character, so that a quote taken from
    it can be checked against the file.
    """

    origin: Origin
    channel: Channel
    text: str
    at: float | None
    line: int
    start: int
    """Byte offset of the first byte of the line."""
    end: int
    """Byte offset after the last byte of the line, its newline not counted."""
    name: str = ""
    """The tool's or the speaker's name, as the record gives it."""
    uid: str = ""
    """The record's own id of this turn, `""` where it has none."""
    copied: bool = False
    """True where the line says it was copied from another record (a fork), which holds the original."""
    begun: bool = False
    """True where its sentence began in the line before: prose that was broken because the line was full."""
    goes_on: bool = False
    """True where its sentence goes on in the next line."""


class Role(StrEnum):
    """What kind of session a record is."""

    MAIN = "main"
    SUBAGENT = "subagent"
    COPY = "copy"
    """A subagent file that repeats its parent's records (compaction and side-question agents)."""
    REVIEW = "review"
    """A reviewer's or guardian's session over another session."""
    GHOST = "ghost"
    """A session whose record is gone: only the prompts remain, in the runtime's history (core/records/ghosts.py)."""
    COMMIT = "commit"
    """A commit of a project's git history: no session (core/records/history.py)."""
    TAG = "tag"
    """A tag of a project's git history: no session."""
    NOTE = "note"
    """A decision note, a memory or a handoff document of a project: no session (core/records/notes.py)."""
    MEMORY = "memory"
    """A claim that a person kept: no session (core/records/memory.py)."""


WRITTEN = frozenset({Role.COMMIT, Role.TAG, Role.NOTE, Role.MEMORY})
"""Records that were written beside the sessions: lists show them only when asked, and searches beside the sessions."""


@dataclass(frozen=True, slots=True)
class Root:
    """A place where one runtime keeps its sessions."""

    runtime: str
    path: str
    """Absolute path, not resolved: what the person configured, e.g. `~/.claude` expanded."""
    configured: str = "default"
    """Where the root came from: `default`, the name of a variable, `settings`, or `option`."""


@dataclass(frozen=True, slots=True)
class Source:
    """One file that holds a session, as discovery found it. `(runtime, root, path)` names it."""

    runtime: str
    root: str
    path: str
    """Absolute, symbolic links resolved, so that the same file reached twice is one source."""
    session_id: str
    """The id the file's name gives, `""` if the name gives none; `Spine.session_id` is the final word."""
    size: int
    mtime_ns: int
    role: Role = Role.MAIN
    parent_id: str = ""
    archived: bool = False
    outputs: tuple[str, ...] = ()
    """Files beside the record that hold tool outputs it refers to (absolute paths)."""
    meta: str = ""
    """A file beside the record that describes it (absolute path), `""` if none."""

    def written(self) -> float | None:
        """When the file was last written, seconds since the epoch; `None` if that is not known."""
        return self.mtime_ns / 1e9 if self.mtime_ns else None


@dataclass(frozen=True, slots=True)
class Locator:
    """Where a record stands: enough to open it and to name it to a person. The root is part of it."""

    runtime: str
    root: str
    session_id: str
    path: str


@dataclass(frozen=True, slots=True)
class Spine:
    """What a record says of itself."""

    session_id: str = ""
    title: str = ""
    """A custom title, else the runtime's own, else a summary of it; `""` if the record has none."""
    title_from: str = ""
    """`custom`, `runtime`, `summary`, or `""`."""
    first_prompt: str = ""
    """The first text a person typed (up to 400 characters)."""
    project: str = ""
    """The first working directory the record names."""
    cwds: tuple[str, ...] = ()
    """Every working directory the record names, in order of appearance."""
    branch: str = ""
    started: float | None = None
    ended: float | None = None
    role: Role = Role.MAIN
    parent_id: str = ""
    forked_from: str = ""
    agent: str = ""
    """A subagent's type or nickname."""
    version: str = ""
    """The runtime's version that wrote the record first."""
    model: str = ""
    entrypoint: str = ""
    """How the session was started (`cli`, `sdk-cli`, `codex_exec` …), as the record says."""
    permission: str = ""
    """`bypass` where the record says that every action was allowed without asking, else `""`."""
    prompts: int = 0
    """Turns of the person."""
    first_uid: str = ""
    """The id of the first conversation turn that has one: two records with the same one share a past."""

    slug: str = ""
    """The runtime's own three-word name of the session, by which its files are called; searchable."""

    def named(self) -> str:
        """The title, else the first prompt, else `""`."""
        return self.title or self.first_prompt


@dataclass(frozen=True, slots=True)
class ReadProblem:
    """Why a record, or a part of it, could not be read. An error as a value."""

    path: str
    line: int | None
    what: str
    """What happened, in words for a person."""
    hint: str = ""
    """What to do next."""


@dataclass(frozen=True, slots=True)
class Tally:
    """What one pass over a record counted; the material of a capture receipt (design/recall.md 8)."""

    lines: int = 0
    skipped_lines: int = 0
    """Lines that did not parse."""
    unverified_person_turns: int = 0
    """Turns that stand as a user's in the record and whose speaker could not be verified."""
    omitted_chars: int = 0
    """Characters of conversation left out because one line or turn exceeded the bounds."""
    turns: int = 0


@dataclass(frozen=True, slots=True)
class Mark:
    """Where a pass ended, so that a file that only grew is read from there.

    Reading from a mark and reading the whole file yield the same turns, spine and tally.
    """

    offset: int = 0
    """0: nothing can be kept; the next pass reads the record again whole and replaces what the last one yielded."""
    line: int = 0
    """Physical lines that lie wholly before `offset`."""
    spine: Spine = field(default_factory=Spine)
    tally: Tally = field(default_factory=Tally)
    state: Mapping[str, object] = field(default_factory=dict)
    """The adapter's own memory: JSON values only."""


class Reading(Protocol):
    """One pass over one record. Iterate it; then `spine`, `tally`, `mark` and `problems` say what was found.

    Memory is bounded by a line, not by the file.
    """

    def __iter__(self) -> Iterator[Turn]:
        """Yield the turns in file order."""
        ...

    @property
    def spine(self) -> Spine:
        """What the record says of itself, as far as it was read."""
        ...

    @property
    def tally(self) -> Tally:
        """What was counted so far."""
        ...

    @property
    def mark(self) -> Mark:
        """Where a later pass may go on."""
        ...

    @property
    def problems(self) -> tuple[ReadProblem, ...]:
        """What could not be read (the first 20, in file order)."""
        ...


class Listed(Protocol):
    """What a listing of every root found."""

    @property
    def sources(self) -> Sequence[Source]:
        """The records' files."""
        ...

    @property
    def problems(self) -> Sequence[ReadProblem]:
        """What could not be listed."""
        ...

    @property
    def complete_roots(self) -> frozenset[str]:
        """Paths of the roots whose listing is complete; only there a missing file is gone."""
        ...

    @property
    def look(self) -> bytes:
        """What was looked at, for `Archive.rest`; `b""` if that cannot be told."""
        ...


class Adapter(Protocol):
    """Reads one runtime's records. Its methods never raise for what a file holds: errors are values."""

    runtime: str
    """The short name used in filters and JSON: `claude`, `codex`, …"""
    label: str
    """The name people know: `Claude Code`, `Codex`, …"""

    def roots(self, env: Mapping[str, str], home: str) -> tuple[Root, ...]:
        """The configured or default places of this runtime, existing or not."""
        ...

    def discover(self, root: Root) -> Iterator[Source | ReadProblem]:
        """Every session file under a root. A `ReadProblem` means that the listing is incomplete."""
        ...

    def spine(self, source: Source) -> Spine | ReadProblem:
        """What the record says of itself, from a bounded number of bytes of its head and tail."""
        ...

    def read(self, source: Source, mark: Mark | None = None, *, talk_only: bool = False) -> Reading:
        """Start a pass, from a mark if given. `talk_only` yields the `CONVERSATION` channels and may skip the
        lines that hold nothing else without decoding them."""
        ...

    def at(self, source: Source, line: int, start: int) -> tuple[Turn, ...]:
        """Every turn of the physical line `line`, which begins at byte `start`."""
        ...
