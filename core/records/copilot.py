"""The adapter for Copilot CLI's sessions (formats.md 1c, D): JSON Lines of events."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from core.records.blocks import TurnMaker, leaves, results, uid_of
from core.records.glance import glance
from core.records.homes import roots_of
from core.records.lines import MAX_LINE, seconds
from core.records.model import Channel, Mark, Origin, Reading, ReadProblem, Role, Root, Source, Spine, Turn
from core.records.passes import LineParser, LineReading, turns_at
from core.records.recordfile import at_once
from core.records.walk import Found, Walk
from core.records.wrappers import pieces

RUNTIME = "copilot"
MAX_YAML = 64 * 1024
_NO_TALK = re.compile(
    rb'\{"type":"(?:hook\.|tool\.|system\.message|system\.notification|assistant\.turn_|permission\.requested)'
)
_NAME = re.compile(r"^(name|summary):[ \t]*(.+?)[ \t]*$", re.M)
_NOTES = ("message", "content", "summaryContent")


class CopilotAdapter:
    """Reads `session-state/<id>/events.jsonl`, and `session-state/<id>.jsonl` of before 1.0. See `Adapter`."""

    runtime = RUNTIME
    label = "Copilot CLI"

    def __init__(self, *, max_line: int = MAX_LINE) -> None:
        self._max_line = max_line

    def roots(self, env: Mapping[str, str], home: str) -> tuple[Root, ...]:
        """See `core.records.homes`."""
        return roots_of(RUNTIME, env, home)

    def discover(self, root: Root) -> Iterator[Source | ReadProblem]:
        """Every session below a root."""
        names: dict[str, str] = {}
        events: list[Found] = []
        for found in Walk(os.path.join(root.path, "session-state"), _wanted, _enter):
            if isinstance(found, ReadProblem):
                yield found
            elif found.name == "workspace.yaml":
                names[os.path.dirname(found.path)] = found.path
            else:
                events.append(found)
        for found in events:
            name = found.parts[0] if found.parts else found.name.removesuffix(".jsonl")
            meta = names.get(os.path.dirname(found.path), "") if found.parts else ""
            yield Source(RUNTIME, root.path, found.path, name, found.size, found.mtime_ns, meta=meta)

    def spine(self, source: Source) -> Spine | ReadProblem:
        """What the record says of itself, from its head and tail."""
        parser = CopilotParser(source)
        problem = glance(source, parser, self._max_line)
        return problem if problem is not None else parser.spine()

    def read(self, source: Source, mark: Mark | None = None, *, talk_only: bool = False) -> Reading:
        """Start a pass; see `Adapter.read`."""
        return LineReading(source, CopilotParser(source), mark, talk_only=talk_only, max_line=self._max_line)

    def at(self, source: Source, line: int, start: int) -> tuple[Turn, ...]:
        """Every turn of the physical line that begins at byte `start`."""
        return turns_at(source, CopilotParser(source), line, start, self._max_line)


def skippable(raw: bytes) -> bool:
    """True for a line that certainly holds no conversation: its kind is its first value."""
    return _NO_TALK.match(raw) is not None


class CopilotParser(LineParser):
    """Reads the events of one session."""

    skippable = staticmethod(skippable)

    def spine(self) -> Spine:
        """The spine, with the name that the file beside the events gives the session."""
        self.draft.once("session_id", self.source.session_id)
        for source, title in _names(self.source.meta):
            self.draft.offer_title(title, source)
        return self.draft.freeze()

    def turns(self, record: dict[str, Any], line: int, start: int, end: int) -> Sequence[Turn]:
        """The turns of one event."""
        at = self.draft.see_stamp(record.get("timestamp"))
        data, kind = record.get("data"), record.get("type")
        if not isinstance(data, dict) or not isinstance(kind, str):
            return ()
        make = TurnMaker(at, line, start, end, uid_of(record.get("id")))
        found = list(self._event(kind, data, make))
        self.draft.see_turns(found)
        return found

    def _event(self, kind: str, data: dict[str, Any], make: TurnMaker) -> Iterator[Turn]:
        if kind == "user.message":
            yield from self._prompt(data, make)
        elif kind == "assistant.message":
            yield from self._answer(data, make)
        elif kind == "tool.execution_start":
            yield from leaves(data.get("arguments"), Channel.CALL, Origin.ASSISTANT, uid_of(data.get("toolName")), make)
        elif kind == "tool.execution_complete":
            yield from _result(data, make)
        elif kind.startswith("session."):
            yield from self._session(kind, data, make)
        elif kind in ("system.message", "system.notification"):
            yield from _notes(data, make, kind)

    def _prompt(self, data: dict[str, Any], make: TurnMaker) -> Iterator[Turn]:
        """A prompt. The copy that the runtime sent, with a date and reminders around it, is not told again."""
        text = data.get("content")
        if not isinstance(text, str):
            return
        speaker = Origin.PEER if self._aside(data) else Origin.PERSON
        for piece in pieces(text):
            origin = speaker if piece.origin is Origin.PERSON else piece.origin
            yield make(origin, piece.channel, text[piece.start : piece.end], piece.name)
        sent = data.get("transformedContent")
        if isinstance(sent, str) and sent.strip() != text.strip():
            yield make(Origin.INJECTED, Channel.NOTICE, sent, "transformedContent")

    def _answer(self, data: dict[str, Any], make: TurnMaker) -> Iterator[Turn]:
        self.draft.once("model", data.get("model"))
        speaker = Origin.PEER if self._aside(data) else Origin.ASSISTANT
        thought, text = data.get("reasoningText"), data.get("content")
        if isinstance(thought, str) and thought.strip():
            yield make(speaker, Channel.THINKING, thought)
        if isinstance(text, str) and text.strip():
            yield make(speaker, Channel.TALK, text)

    def _aside(self, data: dict[str, Any]) -> bool:
        """True for an event of an agent that a tool call of this session started."""
        return isinstance(data.get("parentToolCallId"), str) and self.source.role is Role.MAIN

    def _session(self, kind: str, data: dict[str, Any], make: TurnMaker) -> Iterator[Turn]:
        draft = self.draft
        if kind in ("session.start", "session.resume"):
            draft.once("session_id", data.get("sessionId"))
            draft.once("version", data.get("copilotVersion"))
            draft.once("entrypoint", data.get("producer"))
            draft.once("model", data.get("selectedModel"))
            draft.see_time(seconds(data.get("startTime")))
            place = data.get("context")
            if isinstance(place, dict):
                draft.see_cwd(place.get("cwd"))
                draft.once("branch", place.get("branch"))
        elif kind == "session.permissions_changed":
            draft.permission = "bypass" if data.get("allowAllPermissions") is True else ""
        elif kind == "session.compaction_complete":
            text = data.get("summaryContent")
            if isinstance(text, str) and text.strip():
                yield make(Origin.INJECTED, Channel.SUMMARY, text)
        else:
            yield from _notes(data, make, kind)


def _notes(data: dict[str, Any], make: TurnMaker, name: str) -> Iterator[Turn]:
    for key in _NOTES:
        text = data.get(key)
        if isinstance(text, str) and text.strip():
            yield make(Origin.INJECTED, Channel.NOTICE, text, name)


def _result(data: dict[str, Any], make: TurnMaker) -> Iterator[Turn]:
    """A tool's output; the detailed copy is told only where it says more."""
    body = data.get("result")
    if isinstance(body, dict):
        text, detail = body.get("content"), body.get("detailedContent")
        yield from results(text, make)
        if isinstance(detail, str) and not (isinstance(text, str) and detail.strip() in text):
            yield from results(detail, make)
    else:
        yield from results(body, make)
    yield from leaves(data.get("error"), Channel.RESULT, Origin.EXTERNAL, "error", make)


def _names(path: str) -> list[tuple[str, str]]:
    """The session's name and summary from `workspace.yaml`: two plain lines of it, so no YAML parser is needed."""
    if not path:
        return []
    try:
        with open(path, encoding="utf-8", errors="replace", opener=at_once) as file:
            text = file.read(MAX_YAML)
    except OSError:
        return []  # gone since it was listed
    found: list[tuple[str, str]] = []
    for key, value in _NAME.findall(text):
        clean = value.strip("'\"").strip()
        if clean and clean not in ("|", ">", "|-", ">-", "null", "~"):
            found.append(("runtime" if key == "name" else "summary", clean))
    return found


def _wanted(name: str) -> bool:
    return name.endswith(".jsonl") or name == "workspace.yaml"


def _enter(parts: tuple[str, ...]) -> bool:
    return len(parts) == 1
