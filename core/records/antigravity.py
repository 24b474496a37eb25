"""The adapter for Antigravity CLI's sessions, as far as they are text (formats.md 1c): the transcript log of a
conversation. The databases of conversations hold a protocol of Antigravity's own and are not read."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from core.records.blocks import TurnMaker, leaves, texts, uid_of
from core.records.digests import digest
from core.records.homes import roots_of
from core.records.lined import LinedAdapter
from core.records.model import Channel, Origin, ReadProblem, Root, Source, Spine, Turn
from core.records.passes import LineParser
from core.records.sidecars import first_of
from core.records.talk import spoken
from core.records.walk import Found, Walk

RUNTIME = "antigravity"
RECENT = 64
"""Steps that are remembered, to know one that is written again when its state changes."""
_REQUEST = re.compile(r"<USER_REQUEST>\s*(.*?)\s*</USER_REQUEST>", re.S)
_LOGS = (".system_generated", "logs")


class AntigravityAdapter(LinedAdapter):
    """Reads `brain/<id>/.system_generated/logs/transcript.jsonl`. See `Adapter`."""

    runtime = RUNTIME
    label = "Antigravity"

    def roots(self, env: Mapping[str, str], home: str) -> tuple[Root, ...]:
        """See `core.records.homes`."""
        return roots_of(RUNTIME, env, home)

    def discover(self, root: Root) -> Iterator[Source | ReadProblem]:
        """Every transcript below a root; conversations without one are told as one problem."""
        told: set[str] = set()
        for found in Walk(os.path.join(root.path, "brain"), _is_transcript, _enter):
            if isinstance(found, ReadProblem):
                yield found
            elif found.parts[1:] == _LOGS:
                told.add(found.parts[0])
                yield Source(RUNTIME, root.path, found.path, found.parts[0], found.size, found.mtime_ns)
        unread = 0
        folder = os.path.join(root.path, "conversations")
        for found in Walk(folder, _is_database):
            if isinstance(found, Found):
                unread += found.name.removesuffix(".db") not in told
            else:
                yield found
        if unread:
            yield ReadProblem(
                folder, None, f"{unread} conversation{'s' if unread > 1 else ''} of Antigravity cannot be read: "
                "they are stored in a form of its own and have no transcript.",
                "What is searched are the conversations with a transcript.",
            )  # fmt: skip

    def parser(self, source: Source) -> LineParser:
        """A parser for one pass."""
        return AntigravityParser(source)


class AntigravityParser(LineParser):
    """Reads the steps of one transcript. A step is written again as its state changes: the same words once."""

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self._recent: list[str] = []

    def dump(self) -> dict[str, object]:
        """The parser's memory as JSON values."""
        return {**super().dump(), "recent": list(self._recent)}

    def load(self, state: Mapping[str, Any]) -> None:
        """Restore what `dump` gave."""
        super().load(state)
        self._recent = [str(mark) for mark in state.get("recent", ())]

    def turns(self, record: dict[str, Any], line: int, start: int, end: int) -> Sequence[Turn]:
        """The turns of one step."""
        at = self.draft.see_stamp(first_of(record, "created_at", "timestamp", "time"))
        step = record.get("step_index")
        # steps are counted from 0 in every conversation: alone the number would make all of them one past
        make = TurnMaker(at, line, start, end, f"{self.source.session_id}/{step}" if isinstance(step, int) else "")
        found = list(self._step(record, make))
        if found and make.uid:
            mark = digest("\0".join((make.uid, *(turn.text for turn in found))))
            if mark in self._recent:
                return ()
            self._recent = [*self._recent, mark][-RECENT:]
        self.draft.see_turns(found)
        return found

    def _step(self, record: dict[str, Any], make: TurnMaker) -> Iterator[Turn]:
        source = str(record.get("source") or "").upper()
        kind = uid_of(record.get("type"))
        for text in texts(record.get("content")):
            if "USER" in source:
                yield from _prompt(text, make)
            elif "TOOL" in source or (kind and "MODEL" in source and not kind.endswith("RESPONSE")):
                yield make(Origin.EXTERNAL, Channel.RESULT, text, kind)
            elif any(word in source for word in ("MODEL", "AGENT", "ASSISTANT", "PLANNER")):
                yield make(Origin.ASSISTANT, Channel.TALK, text)
            else:
                yield make(Origin.INJECTED, Channel.NOTICE, text, kind)
        for text in texts(record.get("thinking")):
            yield make(Origin.ASSISTANT, Channel.THINKING, text)
        calls = record.get("tool_calls")
        for call in calls if isinstance(calls, list) else ():
            if isinstance(call, dict):
                yield from leaves(call.get("args"), Channel.CALL, Origin.ASSISTANT, uid_of(call.get("name")), make)

    def spine(self) -> Spine:
        """The spine; the id is that of the folder."""
        self.draft.once("session_id", self.source.session_id)
        return self.draft.freeze()


def _prompt(text: str, make: TurnMaker) -> Iterator[Turn]:
    """A prompt: where the request is marked, what stands around it is the runtime's."""
    match = _REQUEST.search(text)
    if match is None:
        yield from spoken(text, Origin.PERSON, make)
        return
    yield from spoken(match.group(1), Origin.PERSON, make)
    for part in (text[: match.start()], text[match.end() :]):
        if part.strip():
            yield make(Origin.INJECTED, Channel.NOTICE, part.strip())


def _is_transcript(name: str) -> bool:
    return name == "transcript.jsonl"


def _is_database(name: str) -> bool:
    return name.endswith(".db")


def _enter(parts: tuple[str, ...]) -> bool:
    return parts[1:] == _LOGS[: len(parts) - 1]
