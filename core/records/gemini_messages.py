"""What a Gemini CLI session says: a document with messages, or lines that patch each other (formats.md D)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from core.records.blocks import TurnMaker, readable, uid_of
from core.records.documents import LineTable, places
from core.records.draft import SpineDraft
from core.records.lines import NotDecodable, decode, is_blank, seconds
from core.records.model import Channel, Origin, ReadProblem, Role, Source, Spine, Turn
from core.records.passes import MAX_PROBLEMS, broken_turn
from core.records.wrappers import pieces

_NOTICES = frozenset({"info", "error", "warning"})


class GeminiDocument:
    """One session, read from all of its bytes."""

    def __init__(self, source: Source, raw: bytes, project: str) -> None:
        self._source = source
        self._table = LineTable(raw)
        self._draft = SpineDraft(role=source.role)
        self._draft.see_cwd(project)
        self._problems: list[ReadProblem] = []
        self.lines = self._table.count
        self.skipped = 0
        found = self._lines(raw) if source.path.endswith(".jsonl") else self._document(raw)
        self.turns: tuple[Turn, ...] = tuple(found)
        self._draft.see_turns(self.turns)

    @property
    def spine(self) -> Spine:
        """What the record says of itself."""
        self._draft.once("session_id", self._source.session_id)
        return self._draft.freeze()

    @property
    def problems(self) -> tuple[ReadProblem, ...]:
        """What could not be read."""
        return tuple(self._problems)

    def _document(self, raw: bytes) -> list[Turn]:
        if is_blank(raw):
            return []
        try:
            value = decode(raw)
        except NotDecodable:
            self.skipped = self.lines
            self._report(None, "The document is not complete JSON.")
            return []
        shape = places(raw, value)
        if not isinstance(value, dict) or shape is None:
            self._report(None, "The document has not the shape of a session.")
            return []
        self._header(value)
        return list(self._messages(value.get("messages"), shape.get("messages"), 0))

    def _lines(self, raw: bytes) -> list[Turn]:
        """Lines: a header, messages, and `$set` patches. A message that comes again replaces the one before. A patch may
        hold the messages that go on being sent, after a resumption or a compression: those that no line told are told;
        what it leaves out, and what a `$rewindTo` takes back, was said all the same."""
        found: dict[str, list[Turn]] = {}
        offset = 0
        for line, part in enumerate(raw.splitlines(keepends=True), 1):
            start, offset = offset, offset + len(part)
            if is_blank(part):
                continue
            try:
                value = decode(part)
            except NotDecodable:
                self.skipped += 1
                self._report(line, "The line is not JSON.")
                found[f"broken {line}"] = [broken_turn(part, line, start)]
                continue
            if not isinstance(value, dict):
                continue
            patch = value.get("$set")
            body = patch if isinstance(patch, dict) else value
            self._header(body)
            if "type" in value:
                key = uid_of(value.get("id")) or f"line {line}"
                found.pop(key, None)
                found[key] = list(self._message(value, places(part, value) or {}, start))
            elif isinstance(body.get("messages"), list):
                shape = places(part, value) or {}
                self._sent_again(body["messages"], (shape.get("$set") or shape).get("messages"), (line, start), found)
        return [turn for turns in found.values() for turn in turns]

    def _sent_again(self, messages: list[Any], shape: Any, at: tuple[int, int], found: dict[str, list[Turn]]) -> None:
        """Messages inside one line, given with its number and first byte: those that are not `found` yet are added."""
        line, start = at
        shapes = shape if isinstance(shape, list) else [{}] * len(messages)
        for number, (message, where) in enumerate(zip(messages, shapes, strict=True)):
            key = uid_of(message.get("id")) or f"line {line}, {number}" if isinstance(message, dict) else ""
            if key and key not in found:
                found[key] = list(self._message(message, where, start))

    def _header(self, value: dict[str, Any]) -> None:
        draft = self._draft
        draft.once("session_id", value.get("sessionId"))
        for key in ("startTime", "lastUpdated"):
            draft.see_time(seconds(value.get(key)))
        draft.offer_title(value.get("summary"), "summary")
        if value.get("kind") == "subagent":
            draft.role = Role.SUBAGENT

    def _messages(self, messages: object, shape: object, base: int) -> Iterator[Turn]:
        if isinstance(messages, list) and isinstance(shape, list):
            for message, where in zip(messages, shape, strict=True):
                if isinstance(message, dict):
                    yield from self._message(message, where, base)

    def _message(self, message: dict[str, Any], shape: Any, base: int) -> Iterator[Turn]:
        at = self._draft.see_stamp(message.get("timestamp"))
        where = _Where(self._table, base, at, uid_of(message.get("id")))
        kind = uid_of(message.get("type"))
        content = list(_texts(message.get("content"), shape.get("content")))
        if kind == "user":
            speaker = Origin.PERSON if self._draft.role is Role.MAIN else Origin.PEER
            for text, offset in content:
                for piece in pieces(text):
                    origin = speaker if piece.origin is Origin.PERSON else piece.origin
                    yield where.make(offset)(origin, piece.channel, text[piece.start : piece.end], piece.name)
        elif kind == "gemini":
            self._draft.once("model", message.get("model"))
            yield from _thoughts(message.get("thoughts"), shape.get("thoughts"), where)
            for text, offset in content:
                if text.strip():
                    yield where.make(offset)(Origin.ASSISTANT, Channel.TALK, text)
            yield from _calls(message.get("toolCalls"), shape.get("toolCalls"), where)
        elif kind in _NOTICES:
            for text, offset in content:
                if text.strip():
                    yield where.make(offset)(Origin.INJECTED, Channel.NOTICE, text, str(kind))

    def _report(self, line: int | None, what: str) -> None:
        if len(self._problems) < MAX_PROBLEMS:
            hint = "It is left out; what is around it is read."
            self._problems.append(ReadProblem(self._source.path, line, what, hint))


class _Where:
    """Makes turns of one message, each at the line its text stands on."""

    def __init__(self, table: LineTable, base: int, at: float | None, uid: str) -> None:
        self._table, self._base, self._at, self._uid = table, base, at, uid

    def make(self, offset: int) -> TurnMaker:
        """A maker for a text that stands at a byte offset."""
        return TurnMaker(self._at, *self._table.at(self._base + offset), self._uid)


def _texts(content: object, shape: Any) -> Iterator[tuple[str, int]]:
    """Texts and their offsets: the content is a string, or a list of strings and of parts with a `text`."""
    if isinstance(content, str):
        yield content, shape or 0
    elif isinstance(content, list):
        for part, where in zip(content, shape or [0] * len(content), strict=False):
            if isinstance(part, str):
                yield part, where or 0
            elif isinstance(part, dict) and isinstance(part.get("text"), str):
                yield part["text"], (where or {}).get("text", 0)


def _thoughts(thoughts: object, shape: Any, where: _Where) -> Iterator[Turn]:
    if isinstance(thoughts, list):
        for thought, offsets in zip(thoughts, shape or [], strict=False):
            for key in ("subject", "description"):
                text = thought.get(key) if isinstance(thought, dict) else None
                if isinstance(text, str) and text.strip():
                    yield where.make(offsets[key])(Origin.ASSISTANT, Channel.THINKING, text)


def _calls(calls: object, shape: Any, where: _Where) -> Iterator[Turn]:
    if not isinstance(calls, list):
        return
    for call, offsets in zip(calls, shape or [], strict=False):
        if isinstance(call, dict):
            name = uid_of(call.get("name"))
            for text, offset in _located(call.get("args"), offsets.get("args")):
                yield where.make(offset)(Origin.ASSISTANT, Channel.CALL, text, name)
            for text, offset in _located(_responses(call.get("result")), _responses(offsets.get("result"))):
                yield where.make(offset)(Origin.EXTERNAL, Channel.RESULT, text, name)


def _responses(result: object) -> object:
    """The part of a tool's result that is its output; the ids and names around it repeat the call."""
    if not isinstance(result, list):
        return result
    found: list[object] = []
    for part in result:
        body = part.get("functionResponse") if isinstance(part, dict) else None
        found.append(body.get("response") if isinstance(body, dict) else part)
    return found


def _located(value: object, shape: object) -> Iterator[tuple[str, int]]:
    """Readable strings of a value with their offsets."""
    if isinstance(value, str):
        if any(readable(value)):
            yield value, shape if isinstance(shape, int) else 0
    elif isinstance(value, dict) and isinstance(shape, dict):
        for key, item in value.items():
            yield from _located(item, shape.get(key))
    elif isinstance(value, list) and isinstance(shape, list):
        for item, where in zip(value, shape, strict=False):
            yield from _located(item, where)
