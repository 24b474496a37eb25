"""The adapter for Pi's sessions (formats.md 1c, D): JSON Lines, a tree of entries in file order."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from core.records.blocks import TurnMaker, leaves, results, texts, uid_of
from core.records.glance import glance
from core.records.homes import roots_of
from core.records.lines import MAX_LINE
from core.records.model import Channel, Mark, Origin, Reading, ReadProblem, Root, Source, Spine, Turn
from core.records.passes import LineParser, LineReading, turns_at
from core.records.walk import Found, Walk
from core.records.wrappers import pieces

RUNTIME = "pi"
MAX_SETTINGS = 1 << 20
_ID = re.compile(r"([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?:\.jsonl)?\Z", re.I)
_SESSIONS_ONLY = frozenset({"PI_CODING_AGENT_SESSION_DIR", "settings"})
_SUMMARIES = {"compactionSummary": "compaction", "branchSummary": "branch_summary"}


class PiAdapter:
    """Reads `<root>/sessions/<folder>/<time>_<id>.jsonl`. See `Adapter`."""

    runtime = RUNTIME
    label = "Pi"

    def __init__(self, *, max_line: int = MAX_LINE) -> None:
        self._max_line = max_line

    def roots(self, env: Mapping[str, str], home: str) -> tuple[Root, ...]:
        """See `core.records.homes`."""
        return roots_of(RUNTIME, env, home)

    def discover(self, root: Root) -> Iterator[Source | ReadProblem]:
        """Every session below a root; a root from a session folder's setting holds them directly."""
        top = root.path if root.configured in _SESSIONS_ONLY else os.path.join(root.path, "sessions")
        for found in Walk(top, _wanted):
            yield found if isinstance(found, ReadProblem) else _source(root, found)

    def spine(self, source: Source) -> Spine | ReadProblem:
        """What the record says of itself, from its head and tail."""
        parser = PiParser(source)
        problem = glance(source, parser, self._max_line)
        return problem if problem is not None else parser.spine()

    def read(self, source: Source, mark: Mark | None = None, *, talk_only: bool = False) -> Reading:
        """Start a pass; see `Adapter.read`."""
        return LineReading(source, PiParser(source), mark, talk_only=talk_only, max_line=self._max_line)

    def at(self, source: Source, line: int, start: int) -> tuple[Turn, ...]:
        """Every turn of the physical line that begins at byte `start`."""
        return turns_at(source, PiParser(source), line, start, self._max_line)


class PiParser(LineParser):
    """Reads the entries of one session. Abandoned branches of the tree are read like the others."""

    def spine(self) -> Spine:
        """The spine, with the id of the header, else that of the file's name."""
        self.draft.once("session_id", self.source.session_id)
        return self.draft.freeze()

    def turns(self, record: dict[str, Any], line: int, start: int, end: int) -> Sequence[Turn]:
        """The turns of one entry."""
        at = self.draft.see_stamp(record.get("timestamp"))
        make = TurnMaker(at, line, start, end, uid_of(record.get("id")))
        found = list(self._entry(record, make))
        self.draft.see_turns(found)
        return found

    def _entry(self, record: dict[str, Any], make: TurnMaker) -> Iterator[Turn]:
        kind = record.get("type")
        if kind == "message":
            message = record.get("message")
            if isinstance(message, dict):
                yield from self._message(message, make)
        elif kind == "session":
            self._header(record)
        elif kind in ("compaction", "branch_summary"):
            for text in texts(record.get("summary")):
                if text.strip():
                    yield make(Origin.INJECTED, Channel.SUMMARY, text)
        elif kind == "session_info":
            self.draft.offer_title(record.get("name"), "custom")
        elif kind == "model_change":
            self.draft.once("model", record.get("modelId"))
        elif kind == "custom_message":
            yield from _notices(record.get("content"), make)

    def _header(self, record: dict[str, Any]) -> None:
        draft = self.draft
        draft.once("session_id", record.get("id"))
        draft.see_cwd(record.get("cwd"))
        draft.once("model", record.get("modelId"))
        version = record.get("version")
        if version is not None:
            draft.once("version", str(version))
        before = record.get("parentSession") or record.get("branchedFrom")
        if isinstance(before, str):
            draft.once("forked_from", session_id(os.path.basename(before)))

    def _message(self, message: dict[str, Any], make: TurnMaker) -> Iterator[Turn]:
        role, content = uid_of(message.get("role")), message.get("content")
        if role == "user":
            for text in texts(content):
                for piece in pieces(text):
                    yield make(piece.origin, piece.channel, text[piece.start : piece.end], piece.name)
        elif role == "assistant":
            self.draft.once("model", message.get("model"))
            yield from self._answer(content, make)
        elif role == "toolResult":
            yield from results(content, make, uid_of(message.get("toolName")))
        elif role == "bashExecution":
            yield from leaves(message.get("command"), Channel.CALL, Origin.PERSON, "shell", make)
            yield from results(message.get("output"), make, "shell")
        elif role in _SUMMARIES:
            for text in texts(message.get("summary")):
                yield make(Origin.INJECTED, Channel.SUMMARY, text)
        else:
            yield from _notices(content, make)

    def _answer(self, content: object, make: TurnMaker) -> Iterator[Turn]:
        for block in content if isinstance(content, list) else [content]:
            text = block if isinstance(block, str) else None
            kind = block.get("type") if isinstance(block, dict) else None
            if isinstance(block, dict) and kind == "text":
                text = block.get("text")
            if isinstance(text, str):
                if text.strip():
                    yield make(Origin.ASSISTANT, Channel.TALK, text)
            elif isinstance(block, dict) and kind == "thinking":
                thought = block.get("thinking")
                if isinstance(thought, str) and thought.strip():
                    yield make(Origin.ASSISTANT, Channel.THINKING, thought)
            elif isinstance(block, dict) and kind == "toolCall":
                yield from leaves(
                    block.get("arguments"), Channel.CALL, Origin.ASSISTANT, uid_of(block.get("name")), make
                )


def session_id(name: str) -> str:
    """The id at the end of a session's file name, else the name without its extension."""
    match = _ID.search(name)
    return match.group(1) if match else name.removesuffix(".jsonl")


def _notices(content: object, make: TurnMaker) -> Iterator[Turn]:
    for text in texts(content):
        if text.strip():
            yield make(Origin.INJECTED, Channel.NOTICE, text)


def _wanted(name: str) -> bool:
    return name.endswith(".jsonl")


def _source(root: Root, found: Found) -> Source:
    return Source(RUNTIME, root.path, found.path, session_id(found.name), found.size, found.mtime_ns)
