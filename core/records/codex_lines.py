"""What the lines of a Codex rollout mean (formats.md 1b, C)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

from core.records.blocks import TurnMaker, leaves, results, texts, uid_of
from core.records.codex_meta import CodexMeta
from core.records.digests import digest
from core.records.lines import seconds
from core.records.model import Channel, Origin, Role, Source, Spine, Turn
from core.records.passes import Hold, LineParser
from core.records.wrappers import is_injected, pieces

RECENT = 32
"""How many prompts told by events are remembered, to know the response item that repeats one of them."""

_NO_TALK = re.compile(
    rb'\{(?:"timestamp":"[^"\\]{0,48}",)?(?:"ordinal":\d+,)?'
    rb'(?:"type":"event_msg",(?:"ordinal":\d+,)?"payload":\{"type":"(?:agent_message|agent_reasoning|token_count|exec_command_\w+'
    rb'|patch_apply_end|mcp_tool_call_\w+|web_search_end)"'
    rb'|(?:"type":"response_item",(?:"ordinal":\d+,)?"payload":\{)?"type":"(?:(?:function_call|function_call_output|reasoning'
    rb'|custom_tool_call|custom_tool_call_output|local_shell_call|ghost_snapshot|tool_search_output)"'
    rb'|message",(?:"id":(?:null|"[^"\\]{0,64}"),)?"role":"(?:developer|system)")'
    rb'|"type":"world_state")'
)
"""The beginning of lines that hold no conversation, in the order of keys that Codex writes."""
_QUIET = frozenset({"turn_context", "session_meta", "task_started", "token_count", "thread_name_updated"})
"""Kinds of lines that may stand between a prompt's response item and the event that repeats it."""


def skippable(raw: bytes) -> bool:
    """True for a line that certainly holds no conversation and nothing of the spine: its kind stands at its beginning,
    before anything nested."""
    return _NO_TALK.match(raw) is not None


class Form(Enum):
    """Where a rollout tells the person's prompts."""

    EVENTS = "events"
    """In `event_msg/user_message`, as soon as the file has one."""
    ITEMS = "items"
    """In the response items: the file has no such event, or none yet."""
    BARE = "bare"
    """In the response items, for good: lines without an envelope, of before August 2025."""


@dataclass(slots=True)
class _Held:
    """A user message no event has repeated yet, and the turns that follow it meanwhile."""

    mark: str
    unknown: list[Turn]


class CodexParser(LineParser):
    """Reads the lines of one rollout in order.

    `form` says where prompts stand (formats.md C2). It is called once, when the first response item of a user is met.
    """

    skippable = staticmethod(skippable)

    def __init__(self, source: Source, form: Callable[[], Form], thread_name: Callable[[str], str]) -> None:
        super().__init__(source)
        self._form_of = form
        self._form: Form | None = None
        self._thread_name = thread_name
        self._recent: list[str] = []
        self._held: list[_Held | Turn] = []
        self._cut_off = False
        self.alone = False
        """True while one line is read alone: what follows it is looked for by whoever reads it."""
        self.meta = CodexMeta(self.draft)

    def by_events(self) -> bool:
        """Whether the person's prompts are taken from events."""
        if self._form is None:
            self._form = self._form_of()
        return self._form is Form.EVENTS

    def dump(self) -> dict[str, object]:
        """The parser's memory as JSON values."""
        return {"spine": self.draft.dump(), "recent": list(self._recent), "meta": self.meta.dump()}

    def load(self, state: Mapping[str, Any]) -> None:
        """Restore what `dump` gave."""
        super().load(state)
        self._recent = [str(x) for x in state.get("recent", ())]
        self.meta.load(state.get("meta", {}))

    @property
    def restart(self) -> bool:
        """True while a first event would change where prompts are taken from, and where what was held was told at the
        record's end: nothing read so far can be kept."""
        return self._form is Form.ITEMS or self._cut_off

    def spine(self) -> Spine:
        """The spine: the id is that of the first header, else the file's; the name in the root's index wins."""
        return self._named(self.draft.freeze())

    def spine_of(self, state: Mapping[str, Any]) -> Spine:
        """The spine at a point that `dump` kept, under the same name."""
        return self._named(super().spine_of(state))

    def _named(self, spine: Spine) -> Spine:
        name = self._thread_name(spine.session_id or self.source.session_id)
        return replace(
            spine,
            session_id=spine.session_id or self.source.session_id,
            title=name or spine.title,
            title_from="custom" if name else spine.title_from,
        )

    def deferred(self, turn: Turn) -> Sequence[Turn]:
        """A broken line after a user message that is held: it is told after that message, in its order."""
        if not self._held:
            return (turn,)
        self._held.append(turn)
        return ()

    def drained(self) -> Sequence[Turn]:
        """What is still held where the record ends, if a person's prompt is among it, told by an event and answered by
        nobody. A user's message alone is left for the pass that sees what follows it."""
        if self.alone or not any(isinstance(one, Turn) and one.origin is Origin.PERSON for one in self._held):
            return ()
        self._cut_off = True
        return self._release()

    def turns(self, record: dict[str, Any], line: int, start: int, end: int) -> Sequence[Turn]:
        """The turns of one line. A user message that no event has repeated yet is held, with all that follows, until
        the event comes (it is dropped) or the assistant goes on (it is told with the origin `unknown`)."""
        kind, payload = _unwrap(record)
        stamp = record.get("timestamp")
        moment = seconds(stamp)
        copied = self.meta.is_replay(kind, payload, moment)
        at = None if copied else moment
        if kind == "response_item" and _is_user(payload) and self._unverified(payload, line, start, end, at, copied):
            return ()
        if not copied:
            self.draft.see_time(moment)
        make = TurnMaker(at, line, start, end, uid_of(payload.get("id")), copied)
        found = list(self._by_kind(kind, payload, make))
        if not self._held:
            self.draft.see_turns(found)
            return found
        return self._while_held(kind, payload, found)

    # --- what stands as a user's message

    def _unverified(
        self, payload: dict[str, Any], line: int, start: int, end: int, at: float | None, copied: bool
    ) -> bool:
        """Hold a response item of a user that could be a prompt told by an event. True if it is dealt with."""
        if not self.by_events():
            return False
        parts = texts(payload.get("content"))
        plain = [text for text in parts if not is_injected(text)]
        if not plain:
            return False
        marks = {digest(text) for text in plain}
        if len(plain) > 1:
            marks |= {digest("".join(plain)), digest("\n".join(plain))}
        known = next((mark for mark in marks if mark in self._recent), None)
        if known is not None:
            self._recent.remove(known)
            return True
        if not self._held:
            self.hold = Hold(self.counts.copy(), self.dump())
        if not copied:
            self.draft.see_time(at)
        make = TurnMaker(at, line, start, end, uid_of(payload.get("id")), copied)
        unknown = [make(Origin.UNKNOWN, Channel.TALK, text) for text in plain]
        self._held.append(_Held(" ".join(sorted(marks)), unknown))
        self._held.extend(make(Origin.INJECTED, Channel.NOTICE, text) for text in parts if text not in plain)
        return True

    def _while_held(self, kind: str, payload: dict[str, Any], found: list[Turn]) -> Sequence[Turn]:
        if kind == "event_msg" and payload.get("type") == "user_message":
            self._match(payload)
        self._held.extend(found)
        inner = uid_of(payload.get("type"))
        quiet = kind in _QUIET or inner in _QUIET or (kind == "response_item" and uid_of(payload.get("role")) in _ASIDE)
        if quiet or (any(isinstance(item, _Held) for item in self._held) and inner == "user_message"):
            return ()
        return self._release()

    def _match(self, payload: dict[str, Any]) -> None:
        message = payload.get("message")
        mark = digest(message) if isinstance(message, str) else ""
        for item in self._held:
            if isinstance(item, _Held) and mark in item.mark.split(" "):
                self._held.remove(item)
                if mark in self._recent:
                    self._recent.remove(mark)
                return

    def _release(self) -> Sequence[Turn]:
        found: list[Turn] = []
        for item in self._held:
            if isinstance(item, _Held):
                found.extend(item.unknown)
                self.counts.unverified += len(item.unknown)
            else:
                found.append(item)
        self._held.clear()
        self.hold = None
        self.draft.see_turns(found)
        return found

    # --- by kind

    def _by_kind(self, kind: str, payload: dict[str, Any], make: TurnMaker) -> Iterator[Turn]:
        if kind == "response_item":
            yield from self._item(payload, make)
        elif kind == "event_msg":
            yield from self._event(payload, make)
        elif kind == "compacted":
            text = payload.get("message")
            if isinstance(text, str) and text.strip():
                yield make(Origin.INJECTED, Channel.SUMMARY, text)
        elif kind == "session_meta":
            self.meta.header(payload)
            base = payload.get("base_instructions") or payload.get("instructions")
            for text in texts([base] if isinstance(base, dict) else base):
                yield make(Origin.INJECTED, Channel.NOTICE, text, "instructions")
        elif kind == "turn_context":
            self.meta.context(payload)

    def _item(self, payload: dict[str, Any], make: TurnMaker) -> Iterator[Turn]:
        kind = payload.get("type")
        name = uid_of(payload.get("name"))
        if kind == "message":
            yield from self._message(payload, make)
        elif kind == "reasoning":
            for text in (*texts(payload.get("summary")), *texts(payload.get("content"))):
                if text.strip():
                    yield make(Origin.ASSISTANT, Channel.THINKING, text)
        elif kind in ("function_call_output", "custom_tool_call_output", "tool_search_output"):
            yield from _output(payload.get("output", payload.get("tools")), make)
        elif kind == "agent_message":
            for text in texts(payload.get("content")):
                yield make(Origin.PEER, Channel.TALK, text, uid_of(payload.get("author")))
        elif isinstance(kind, str) and kind.endswith("_call"):
            for key in ("arguments", "input", "action"):
                yield from leaves(payload.get(key), Channel.CALL, Origin.ASSISTANT, name or kind, make)

    def _message(self, payload: dict[str, Any], make: TurnMaker) -> Iterator[Turn]:
        role = payload.get("role")
        for text in texts(payload.get("content")):
            if not text.strip():
                continue
            if role == "assistant":
                yield make(Origin.ASSISTANT, Channel.TALK, text)
            elif role != "user":
                yield make(Origin.INJECTED, Channel.NOTICE, text, str(role or ""))
            elif is_injected(text):
                self.meta.environment(text)
                yield make(Origin.INJECTED, Channel.NOTICE, text)
            elif not self.by_events():
                yield from self._prompt(text, make)

    def _event(self, payload: dict[str, Any], make: TurnMaker) -> Iterator[Turn]:
        kind = payload.get("type")
        if kind == "user_message":
            text = payload.get("message")
            if isinstance(text, str) and text.strip():
                self._recent.append(digest(text))
                del self._recent[:-RECENT]
                flagged = payload.get("kind") not in (None, "plain")
                if flagged:
                    yield make(Origin.INJECTED, Channel.NOTICE, text)
                else:
                    yield from self._prompt(text, make)
        elif kind == "thread_name_updated":
            self.draft.offer_title(payload.get("thread_name"), "custom")
        elif kind == "exited_review_mode":
            yield from leaves(payload.get("review_output"), Channel.TALK, Origin.PEER, "review", make)
        elif kind in ("error", "warning", "stream_error", "background_event"):
            for text in texts(payload.get("message")):
                if text.strip():
                    yield make(Origin.INJECTED, Channel.NOTICE, text, str(kind))

    def _prompt(self, text: str, make: TurnMaker) -> Iterator[Turn]:
        """A prompt: the person's, the parent agent's in a subagent, the runtime's in a reviewer."""
        speaker = Origin.PERSON
        if self.meta.role is not Role.MAIN:
            speaker = Origin.PEER if self.meta.role is Role.SUBAGENT else Origin.INJECTED
        for piece in pieces(text):
            origin = speaker if piece.origin is Origin.PERSON else piece.origin
            if origin is Origin.UNKNOWN:
                self.counts.unverified += 1
            yield make(origin, piece.channel, text[piece.start : piece.end], piece.name)


_ASIDE = frozenset({"user", "developer", "system"})


def _is_user(payload: dict[str, Any]) -> bool:
    return payload.get("type") == "message" and payload.get("role") == "user"


def _unwrap(record: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """A line's kind and payload; the bare lines of before August 2025 get the kind they would have today."""
    payload = record.get("payload")
    kind = record.get("type")
    if isinstance(payload, dict):
        return (kind if isinstance(kind, str) else ""), payload
    if isinstance(kind, str):
        return "response_item", record
    if "id" in record and "timestamp" in record:
        return "session_meta", record
    return "", record


def _output(output: object, make: TurnMaker) -> Iterator[Turn]:
    """A tool's output: plain text, JSON in a string `{output, metadata}`, or blocks (formats.md C10)."""
    if isinstance(output, str) and output[:1] not in ("{", "["):
        yield from results(output, make)
    else:
        yield from leaves(output, Channel.RESULT, Origin.EXTERNAL, "", make)
