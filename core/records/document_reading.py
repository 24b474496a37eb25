"""Records that are one document: they are read whole, up to a bound, and a mark always says to read them again.

A document's messages stand where its text has them: each turn's line is the physical line of its text.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Any, Protocol

from core.records.blocks import TurnMaker
from core.records.documents import LineTable, places
from core.records.draft import SpineDraft
from core.records.held import HeldReading
from core.records.lines import MAX_DEPTH, MAX_LINE, NotDecodable, decode, is_blank, strings, unwrapped
from core.records.model import CONVERSATION, Mark, Reading, ReadProblem, Source, Spine, Tally, Turn
from core.records.recordfile import at_once


class Document(Protocol):
    """A session, read from all of its bytes."""

    lines: int
    skipped: int

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns in the order of the document."""
        ...

    @property
    def spine(self) -> Spine:
        """What the record says of itself."""
        ...

    @property
    def problems(self) -> tuple[ReadProblem, ...]:
        """What could not be read."""
        ...


class DocumentAdapter(ABC):
    """The reading half of an `Adapter` whose records are documents."""

    def __init__(self, *, max_line: int = MAX_LINE) -> None:
        self._max_bytes = max_line

    @abstractmethod
    def document(self, source: Source, raw: bytes) -> Document:
        """A session from its bytes."""

    def spine(self, source: Source) -> Spine | ReadProblem:
        """What the record says of itself. A document is read whole, up to the bound of a line."""
        reading = self._reading(source, talk_only=True)
        reading.load()
        return reading.problems[0] if reading.problems and not reading.tally.turns else reading.spine

    def read(self, source: Source, mark: Mark | None = None, *, talk_only: bool = False) -> Reading:  # noqa: ARG002
        """Start a pass; it always reads the whole record."""
        return self._reading(source, talk_only=talk_only)

    def at(self, source: Source, line: int, start: int) -> tuple[Turn, ...]:
        """Every turn of a physical line: the document is read, since a line of it alone means nothing."""
        found = self._reading(source, talk_only=False)
        return tuple(turn for turn in found if turn.line == line and turn.start == start)

    def _reading(self, source: Source, *, talk_only: bool) -> DocumentReading:
        return DocumentReading(source, self.document, talk_only, self._max_bytes)


class DocumentReading(HeldReading):
    """A `Reading` of a record that is held whole, up to a bound."""

    def __init__(
        self, source: Source, parse: Callable[[Source, bytes], Document], talk_only: bool, max_bytes: int
    ) -> None:
        super().__init__(source)
        self._parse = parse
        self._talk_only = talk_only
        self._max_bytes = max_bytes

    def _load(self) -> tuple[Turn, ...]:
        path = self._source.path
        try:
            with open(path, "rb", opener=at_once) as file:
                raw = file.read(self._max_bytes + 1)
        except OSError as error:
            self._fail(f"The record could not be opened: {(error.strerror or str(error)).lower()}.",
                       "Check that the file is there and that you may read it.")  # fmt: skip
            return ()
        if len(raw) > self._max_bytes:
            self._fail(f"The record has more than {self._max_bytes} bytes in one document.",
                       "It is left out of search and stories.")  # fmt: skip
            self.tally = Tally(omitted_chars=max(self._source.size, len(raw)))
            return ()
        document = self._parse(self._source, raw)
        turns = tuple(t for t in document.turns if not self._talk_only or t.channel in CONVERSATION)
        self.spine = document.spine
        self.tally = Tally(document.lines, document.skipped, 0, 0, len(turns))
        self.problems = document.problems
        return turns

    def _fail(self, what: str, hint: str) -> None:
        self.problems = (ReadProblem(self._source.path, None, what, hint),)


class MessageDocument(ABC):
    """A document of JSON that holds a list of messages. Subclasses say where they are and what one means."""

    def __init__(self, source: Source, raw: bytes) -> None:
        self.source = source
        self.draft = SpineDraft(role=source.role, parent_id=source.parent_id)
        self._table = LineTable(raw)
        self.lines, self.skipped = self._table.count, 0
        self.problems: tuple[ReadProblem, ...] = ()
        self.turns: tuple[Turn, ...] = tuple(self._read(raw))
        self.draft.see_turns(self.turns)

    @abstractmethod
    def messages(self, value: Any) -> Any:
        """The list of messages in a decoded document, or in the document of places that has its shape."""

    @abstractmethod
    def message(self, body: dict[str, Any], make: TurnMaker) -> Iterator[Turn]:
        """The turns of one message; where its texts stand is found afterwards."""

    @abstractmethod
    def header(self, value: Any) -> None:
        """What the document says of the session."""

    @property
    def spine(self) -> Spine:
        """What the record says of itself."""
        self.draft.once("session_id", self.source.session_id)
        return self.draft.freeze()

    def _read(self, raw: bytes) -> Iterator[Turn]:
        self.header(None)
        if is_blank(raw):
            return
        try:
            value = decode(raw)
        except NotDecodable:
            self.skipped = self.lines
            self._fail("The document is not complete JSON.")
            return
        self.header(value)
        shape = places(raw, value)
        bodies, offsets = self.messages(value), self.messages(shape)
        if not isinstance(bodies, list) or not isinstance(offsets, list):
            self._fail("The document has not the shape of a session.")
            return
        for body, where in zip(bodies, offsets, strict=True):
            if isinstance(body, dict):
                yield from self._placed(body, where)

    def _placed(self, body: dict[str, Any], where: Any) -> Iterator[Turn]:
        """The turns of a message, each with the line of the string that holds its text."""
        known = list(zip(strings(body), _offsets(where), strict=False))
        for turn in self.message(body, TurnMaker(None, 0, 0, 0)):
            offset = next((at for text, at in known if turn.text in text), None)
            if offset is None:  # the text of a string that is JSON itself
                inner = ((at, unwrapped(text)) for text, at in known)
                offset = next((at for at, value in inner if any(turn.text in one for one in strings(value))), 0)
            line, start, end = self._table.at(offset)
            yield Turn(turn.origin, turn.channel, turn.text, turn.at, line, start, end, turn.name, turn.uid)

    def _fail(self, what: str) -> None:
        hint = "It is left out of search and stories."
        self.problems = (ReadProblem(self.source.path, None, what, hint),)


def _offsets(shape: Any, depth: int = 0) -> Iterator[int]:
    """The places of a message's strings, in the order of the strings and as deep as `strings` reads them."""
    if isinstance(shape, int):
        yield shape
    elif depth < MAX_DEPTH:
        for item in shape.values() if isinstance(shape, dict) else shape if isinstance(shape, list) else ():
            yield from _offsets(item, depth + 1)
