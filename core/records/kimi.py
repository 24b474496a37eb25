"""The adapter for Kimi Code's sessions (formats.md 1c): the events of an agent as lines, and a state beside them.

The older Kimi CLI kept the messages themselves, `sessions/<folder>/<id>/context.jsonl`; these are read too.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from core.records.blocks import TurnMaker, leaves, results, uid_of
from core.records.draft import SpineDraft
from core.records.homes import roots_of
from core.records.lined import DescribedParser, LinedAdapter
from core.records.lines import seconds
from core.records.model import Channel, Origin, ReadProblem, Role, Root, Source, Turn
from core.records.passes import LineParser
from core.records.sidecars import first_of, rows_of, sidecar
from core.records.talk import message_turns, speaker_of
from core.records.walk import Found, Walk

RUNTIME = "kimi"
_MAIN = "main"
_PERSON_KINDS = frozenset({"", "user", "human", "person", "prompt"})


class KimiAdapter(LinedAdapter):
    """Reads `sessions/<folder>/<session>/agents/<agent>/wire.jsonl`. See `Adapter`."""

    runtime = RUNTIME
    label = "Kimi Code"

    def roots(self, env: Mapping[str, str], home: str) -> tuple[Root, ...]:
        """See `core.records.homes`."""
        return roots_of(RUNTIME, env, home)

    def discover(self, root: Root) -> Iterator[Source | ReadProblem]:
        """Every session below a root but those that the index says were deleted."""
        deleted = _deleted(root.path)
        for found in Walk(os.path.join(root.path, "sessions"), _wanted):
            if isinstance(found, ReadProblem):
                yield found
            elif len(found.parts) >= 2 and found.parts[1] not in deleted and _is_record(found):
                yield _source(root, found)

    def parser(self, source: Source) -> LineParser:
        """A parser for one pass."""
        return KimiParser(source)


class KimiParser(DescribedParser):
    """Reads the events of one agent. `turn.prompt` repeats the user's message and is not told."""

    def turns(self, record: dict[str, Any], line: int, start: int, end: int) -> Sequence[Turn]:
        """The turns of one event."""
        kind, role = record.get("type"), record.get("role")
        at = self.draft.see_stamp(first_of(record, "time", "timestamp", "ts"))
        make = TurnMaker(at, line, start, end, uid_of(first_of(record, "uuid", "id")))
        if kind == "context.append_message":
            message = record.get("message")
            found = list(self._message(message, make)) if isinstance(message, dict) else []
        elif kind == "context.append_loop_event":
            event = record.get("event")
            found = list(_event(event, make)) if isinstance(event, dict) else []
        elif kind is None and isinstance(role, str) and not role.startswith("_"):
            found = list(message_turns(record, make, speaker_of(self.draft.role)))
        else:
            self._note(kind, record)
            return ()
        self.draft.see_turns(found)
        return found

    def _message(self, message: dict[str, Any], make: TurnMaker) -> Iterator[Turn]:
        origin = message.get("origin")
        kind = origin.get("kind") if isinstance(origin, dict) else origin
        speaker = speaker_of(self.draft.role)
        if isinstance(kind, str) and kind not in _PERSON_KINDS:
            speaker = Origin.INJECTED
        for turn in message_turns(message, make, speaker):
            if turn.origin is Origin.INJECTED and turn.channel is Channel.TALK:
                yield make(turn.origin, Channel.NOTICE, turn.text)
            else:
                yield turn

    def _note(self, kind: object, record: dict[str, Any]) -> None:
        if kind == "metadata":
            self.draft.once("version", first_of(record, "app_version", "appVersion"))
            self.draft.see_stamp(first_of(record, "created_at", "createdAt"))
        elif kind == "config.update":
            self.draft.once("model", first_of(record, "modelAlias", "model"))
            self.draft.see_cwd(record.get("cwd"))

    def describe(self, draft: SpineDraft) -> None:
        """Add what `state.json` says of the session."""
        draft.once("session_id", self.source.session_id)
        state = sidecar(self.source.meta)
        if self.source.role is Role.MAIN:
            custom = state.get("isCustomTitle") is True or "custom_title" in state
            draft.offer_title(first_of(state, "custom_title", "title", "name"), "custom" if custom else "runtime")
        for key in ("createdAt", "created_at", "updatedAt", "updated_at"):
            draft.see_time(seconds(state.get(key)))
        draft.see_cwd(first_of(state, "workDir", "work_dir", "cwd", "workspace"))
        if state.get("yolo") is True or state.get("permissionMode") == "yolo":
            draft.permission = "bypass"
        draft.see_cwd(_known_folder(self.source))


def _event(event: dict[str, Any], make: TurnMaker) -> Iterator[Turn]:
    kind, name = event.get("type"), uid_of(event.get("name"))
    if kind == "content.part":
        part = event.get("part")
        if isinstance(part, dict):
            yield from message_turns({"role": "assistant", "content": [part]}, make)
    elif kind == "tool.call":
        yield from leaves(event.get("args"), Channel.CALL, Origin.ASSISTANT, name, make)
    elif kind == "tool.result":
        body = event.get("result")
        yield from results(body.get("output") if isinstance(body, dict) else body, make, name)


def _source(root: Root, found: Found) -> Source:
    session = found.parts[1]
    folder = os.path.dirname(found.path)
    role, parent, own = Role.MAIN, "", session
    if len(found.parts) >= 4:
        folder = os.path.dirname(os.path.dirname(folder))
        if found.parts[3] != _MAIN:
            role, parent, own = Role.SUBAGENT, session, f"{session}/{found.parts[3]}"
    meta = os.path.join(folder, "state.json")
    return Source(RUNTIME, root.path, found.path, own, found.size, found.mtime_ns, role, parent, meta=meta)


def _is_record(found: Found) -> bool:
    """The events of an agent, or the messages of the older CLI, beside which its own `wire.jsonl` is a repetition."""
    if found.name == "wire.jsonl":
        return len(found.parts) == 4 and found.parts[2] == "agents"
    return len(found.parts) == 2


def _deleted(root: str) -> frozenset[str]:
    """The sessions that the index marks as deleted; the last line of a session counts."""
    state: dict[str, bool] = {}
    for row in rows_of(os.path.join(root, "session_index.jsonl")):
        key = first_of(row, "sessionId", "session_id", "id")
        if isinstance(key, str):
            state[key] = row.get("deleted") is True
    return frozenset(key for key, gone in state.items() if gone)


def _known_folder(source: Source) -> str:
    """The working directory of an older session: its folder is the MD5 of one that `kimi.json` lists."""
    if not source.path.endswith("context.jsonl"):
        return ""
    import hashlib

    wanted = os.path.basename(os.path.dirname(os.path.dirname(source.path)))
    known = sidecar(os.path.join(source.root, "kimi.json")).get("work_dirs")
    for row in known if isinstance(known, list) else ():
        path = row.get("path") if isinstance(row, dict) else None
        if isinstance(path, str):
            mark = hashlib.md5(path.encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()
            if wanted in (mark, f"local_{mark}"):
                return path
    return ""


def _wanted(name: str) -> bool:
    return name in ("wire.jsonl", "context.jsonl")
