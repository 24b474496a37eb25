"""A pass over a record of JSON Lines: one line in memory at a time, resumable, errors as values.

What a line means is the business of a `LineParser`; this module counts lines and bytes and keeps the pass restartable.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import IO, Any

from core.frozen import dataclass
from core.records.draft import SpineDraft
from core.records.lines import (
    MAX_LINE,
    ONE_LINE,
    NotDecodable,
    content_end,
    decode,
    is_blank,
    open_record,
    read_errors_of,
)
from core.records.model import CONVERSATION, Channel, Mark, Origin, ReadProblem, Source, Spine, Tally, Turn
from core.records.oddities import ODD, odd_value

MAX_PROBLEMS = 20
MAX_TORN = 65_536
"""Characters of a line that does not parse which a full pass still shows."""


@dataclass(slots=True)
class Counts:
    """Where a pass stands and what it counted, up to the line before the present one."""

    offset: int = 0
    lines: int = 0
    skipped: int = 0
    unverified: int = 0
    omitted: int = 0
    turns: int = 0

    def copy(self) -> Counts:
        """The counts as they are now."""
        return Counts(self.offset, self.lines, self.skipped, self.unverified, self.omitted, self.turns)

    def tally(self) -> Tally:
        """The counts in the form that leaves this module."""
        return Tally(self.lines, self.skipped, self.unverified, self.omitted, self.turns)


@dataclass(frozen=True, slots=True)
class Hold:
    """A point that a mark must not pass: lines from here on are undecided until the record goes on."""

    counts: Counts
    state: Mapping[str, Any]


class LineParser(ABC):
    """What the lines of one runtime's records mean. One object per pass; subclasses fill in the methods."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.draft = SpineDraft(role=source.role, parent_id=source.parent_id)
        self.counts = Counts()
        self.hold: Hold | None = None

    @staticmethod
    def skippable(raw: bytes) -> bool:
        """True only where the line certainly holds nothing of the conversation; asked in a `talk_only` pass."""
        return not raw

    @abstractmethod
    def turns(self, record: dict[str, Any], line: int, start: int, end: int) -> Sequence[Turn]:
        """The turns of one decoded line, and whatever it says of the spine."""

    @property
    def restart(self) -> bool:
        """True while what follows could change the meaning of what was read: a mark then says to begin anew."""
        return False

    def deferred(self, turn: Turn) -> Sequence[Turn]:
        """A turn of a line that is not JSON: told now, or held back with the lines that are undecided."""
        return (turn,)

    def drained(self) -> Sequence[Turn]:
        """Turns that were held back and are decided now that the pass has reached the end."""
        return ()

    def finish(self, end: int) -> None:  # noqa: B027 - most runtimes have nothing to decide there
        """The pass reached byte `end`, which is the end of what may be read."""

    def spine(self) -> Spine:
        """The spine as far as it was read."""
        return self.draft.freeze()

    def spine_of(self, state: Mapping[str, Any]) -> Spine:
        """The spine as it was at the point that `dump` kept."""
        draft = SpineDraft()
        draft.load(state["spine"])
        return draft.freeze()

    def dump(self) -> dict[str, object]:
        """The parser's memory as JSON values."""
        return {"spine": self.draft.dump()}

    def load(self, state: Mapping[str, Any]) -> None:
        """Restore what `dump` gave."""
        self.draft.load(state["spine"])


class LineReading:
    """A `Reading` over JSON Lines.

    A last line without a newline is read if it is a whole JSON object. Otherwise it is left for a later pass: the
    `mark` stands before it, while `tally` and `problems` of this pass count it as a line that did not parse.
    `mark` is valid once the iteration has ended.
    """

    def __init__(
        self, source: Source, parser: LineParser, mark: Mark | None, *, talk_only: bool, max_line: int = MAX_LINE
    ) -> None:
        self._source = source
        self._parser = parser
        self._talk_only = talk_only
        self._max_line = max_line
        self._problems: list[ReadProblem] = []
        self._counts = parser.counts
        self._open_ended = False
        self._torn = False
        self._spine: Spine | None = None
        if mark is not None and mark.offset:
            self._resume(mark)

    def _resume(self, mark: Mark) -> None:
        counts, tally = self._counts, mark.tally
        counts.offset, counts.lines, counts.skipped = mark.offset, tally.lines, tally.skipped_lines
        counts.unverified, counts.omitted = tally.unverified_person_turns, tally.omitted_chars
        counts.turns = tally.turns
        self._open_ended = bool(mark.state.get("open_ended"))
        self._parser.load(mark.state)

    def __iter__(self) -> Iterator[Turn]:
        """Yield the turns in file order; see `Reading`."""
        path, self._spine = self._source.path, None
        try:
            with open_record(path) as file:
                if self._counts.offset:
                    file.seek(self._counts.offset)
                    if self._open_ended:
                        self._take_newline(file)
                yield from self._lines(file)
        except read_errors_of(path) as error:
            self._report(None, f"The record could not be read to its end: {_words(error)}.",
                         "Check that the file is there and that you may read it.")  # fmt: skip
        self._parser.finish(self._counts.offset)
        self._spine = self._parser.spine()

    def _take_newline(self, file: IO[bytes]) -> None:
        """The line before the mark had no newline then; if it has one now, the line is complete, not a new one."""
        here = self._counts.offset
        head = file.read(2)
        step = 2 if head == b"\r\n" else 1 if head[:1] == b"\n" or head == b"\r" else 0
        if step and head != b"\r":
            self._open_ended = False
        self._counts.offset = here + step
        file.seek(here + step)

    def _lines(self, file: IO[bytes]) -> Iterator[Turn]:
        counts, parser = self._counts, self._parser
        talk_only, skippable = self._talk_only, parser.skippable
        limit = self._max_line + 1
        readline = file.readline
        while raw := readline(limit):
            if raw[-1] != 10:
                if len(raw) >= limit:
                    if not self._drop(file, len(raw)):
                        return
                    continue
                if not self._is_whole(raw):
                    return
                self._open_ended = True
            if not (talk_only and parser.hold is None and skippable(raw)):
                found = self._turns(raw)
                for turn in found:
                    if not talk_only or turn.channel in CONVERSATION:
                        counts.turns += 1
                        yield turn
            counts.lines += 1
            counts.offset += len(raw)
        for turn in parser.drained():
            if not talk_only or turn.channel in CONVERSATION:
                counts.turns += 1
                yield turn

    def _turns(self, raw: bytes) -> Sequence[Turn]:
        counts = self._counts
        line, start = counts.lines + 1, counts.offset
        try:
            record = decode(raw)
        except NotDecodable:
            return self._broken(raw, line, start)
        if not isinstance(record, dict):
            return ()
        try:
            return self._parser.turns(record, line, start, content_end(raw, start))
        except ODD as error:
            counts.skipped += 1
            self._tell(odd_value(self._source.path, line, error))
            return self._parser.deferred(broken_turn(raw, line, start))

    def _broken(self, raw: bytes, line: int, start: int) -> Sequence[Turn]:
        if is_blank(raw):
            return ()
        self._counts.skipped += 1
        self._report(line, "The line is not JSON.", "It is left out; the lines around it are read.")
        return self._parser.deferred(broken_turn(raw, line, start))

    def _is_whole(self, raw: bytes) -> bool:
        """True if the unterminated last line is a record already; otherwise note it and leave it for later."""
        try:
            whole = isinstance(decode(raw), dict)
        except NotDecodable:
            whole = False
        if not whole and not is_blank(raw):
            self._torn = True
            self._report(self._counts.lines + 1, "The last line is not complete.",
                         "It is read once the program that writes it has finished it.")  # fmt: skip
        return whole

    def _drop(self, file: IO[bytes], size: int) -> bool:
        """Pass over a line above the bound without holding it; False if its end is not written yet."""
        chunk = b""
        while chunk[-1:] != b"\n" and (chunk := file.readline(1 << 20)):
            size += len(chunk)
        counts = self._counts
        whole = chunk[-1:] == b"\n"
        self._report(
            counts.lines + 1,
            f"The line has {size} bytes, more than {self._max_line}.",
            "It is left out of search and stories.",
        )
        if not whole:
            self._torn = True
            return False
        counts.lines += 1
        counts.omitted += size
        counts.offset += size
        return True

    def _report(self, line: int | None, what: str, hint: str) -> None:
        self._tell(ReadProblem(self._source.path, line, what, hint))

    def _tell(self, problem: ReadProblem) -> None:
        if len(self._problems) < MAX_PROBLEMS:
            self._problems.append(problem)

    @property
    def spine(self) -> Spine:
        """What the record says of itself, as far as it was read."""
        return self._spine or self._parser.spine()

    @property
    def tally(self) -> Tally:
        """What was counted so far, an incomplete last line included."""
        tally = self._counts.tally()
        if self._torn:
            return replace(tally, lines=tally.lines + 1, skipped_lines=tally.skipped_lines + 1)
        return tally

    @property
    def mark(self) -> Mark:
        """Where a later pass may go on: before anything undecided, else after the last whole line."""
        if self._parser.restart:
            return Mark()
        hold = self._parser.hold
        if hold is not None:
            counts, state = hold.counts, dict(hold.state)
            spine = self._parser.spine_of(state)
        else:
            counts, state, spine = self._counts, self._parser.dump(), self.spine
            state["open_ended"] = self._open_ended
        return Mark(counts.offset, counts.lines, spine, counts.tally(), state)

    @property
    def problems(self) -> tuple[ReadProblem, ...]:
        """What could not be read (the first 20, in file order)."""
        return tuple(self._problems)


def broken_turn(raw: bytes, line: int, start: int) -> Turn:
    """A line that is not JSON as a turn of its own, so that a viewer and a scan still show what stands there."""
    text = raw.decode("utf-8", "replace").rstrip("\r\n")[:MAX_TORN]
    return Turn(Origin.UNKNOWN, Channel.NOTICE, text, None, line, start, content_end(raw, start))


def _words(error: BaseException) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror.lower()
    return str(error).lower() or type(error).__name__


def line_at(source: Source, start: int, max_line: int = MAX_LINE, head: bytes = b"") -> bytes | None:
    """The line that begins at byte `start`, or `None` where none begins there, it is too long, or the file is gone. A line
    that lies in `head`, the first bytes of the record, is not read again."""
    end = head.find(b"\n", start) + 1
    if 0 < end <= start + max_line and (not start or head[start - 1] == 10):
        return head[start:end]
    try:
        with open_record(source.path, ONE_LINE) as file:
            if start:
                file.seek(start - 1)
                if file.read(1) != b"\n":
                    return None
            raw = file.readline(max_line + 1)
    except read_errors_of(source.path):
        return None
    return raw if raw and len(raw) <= max_line else None


def turns_at(
    source: Source, parser: LineParser, line: int, start: int, max_line: int = MAX_LINE, head: bytes = b""
) -> tuple[Turn, ...]:
    """The turns of one physical line, read alone; `head` as in `line_at`."""
    raw = line_at(source, start, max_line, head)
    if raw is None or is_blank(raw):
        return ()
    try:
        record = decode(raw)
    except NotDecodable:
        return (broken_turn(raw, line, start),)
    if not isinstance(record, dict):
        return ()
    found = parser.turns(record, line, start, content_end(raw, start))
    return (*found, *parser.drained())


def feed(parser: LineParser, raw: bytes, line: int, start: int) -> Sequence[Turn]:
    """Give a parser one line outside of a pass; a line that is not a JSON object gives nothing."""
    try:
        record = decode(raw)
    except NotDecodable:
        return ()
    return parser.turns(record, line, start, content_end(raw, start)) if isinstance(record, dict) else ()


def lines_from(
    path: str, start: int, count: int, max_bytes: int, head: bytes = b""
) -> Iterator[tuple[int, int, bytes]]:
    """Up to `count` lines from byte `start` on, numbered from 1 there, with their first byte; ends after `max_bytes`
    or where the file cannot be read. Lines that lie in `head`, the first bytes of the record, are not read again."""
    here, first = start, 1
    while first <= count and (end := head.find(b"\n", here) + 1):
        yield first, here, head[here:end]
        here, first = end, first + 1
    try:
        with open_record(path, ONE_LINE) as file:
            file.seek(here)
            for number in range(first, count + 1):
                raw = file.readline(max_bytes)
                if not raw or here - start > max_bytes:
                    return
                yield number, here, raw
                here += len(raw)
    except read_errors_of(path):
        return  # what was read before the error stands
