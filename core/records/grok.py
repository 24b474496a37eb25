"""The adapter for Grok Build's sessions (formats.md 1c): a stream of protocol updates, or the history of messages."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import unquote

from core.records.blocks import TurnMaker, leaves, results, uid_of
from core.records.draft import SpineDraft
from core.records.grok_chunks import update_of
from core.records.homes import roots_of
from core.records.lined import DescribedParser, LinedAdapter
from core.records.lines import seconds
from core.records.model import Channel, Origin, ReadProblem, Role, Root, Source, Turn
from core.records.passes import LineParser
from core.records.recordfile import named, record_file
from core.records.sidecars import first_of, sidecar
from core.records.talk import message_turns, speaker_of, spoken
from core.records.walk import Found, Walk

RUNTIME = "grok"
PART = "messages"
"""The part of an updates file that stands for its messages, put together from chunks."""
_UPDATES, _HISTORY = "updates.jsonl", "chat_history.jsonl"


class GrokAdapter(LinedAdapter):
    """Reads `sessions/<folder>/<id>/updates.jsonl`, else `chat_history.jsonl` there. See `Adapter`."""

    runtime = RUNTIME
    label = "Grok Build"

    def roots(self, env: Mapping[str, str], home: str) -> tuple[Root, ...]:
        """See `core.records.homes`."""
        return roots_of(RUNTIME, env, home)

    def discover(self, root: Root) -> Iterator[Source | ReadProblem]:
        """Every session below a root, and the subagents below it."""
        best: dict[str, Found] = {}
        for found in Walk(os.path.join(root.path, "sessions"), _wanted):
            if isinstance(found, ReadProblem):
                yield found
            elif len(found.parts) >= 2:
                folder = os.path.dirname(found.path)
                if folder not in best or found.name == _UPDATES:
                    best[folder] = found
        for found in best.values():
            yield _source(root, found)

    def parser(self, source: Source) -> LineParser:
        """A parser for one pass."""
        return GrokParser(source)


class GrokParser(DescribedParser):
    """Reads the messages of one session. A message grows while its chunks come, so a pass always begins anew."""

    @property
    def restart(self) -> bool:
        """Always: the last message may have grown."""
        return True

    def turns(self, record: dict[str, Any], line: int, start: int, end: int) -> Sequence[Turn]:
        """The turns of one line: a message, or an update that is none."""
        at = self.draft.see_stamp(first_of(record, "at", "timestamp", "time", "ts", "created_at"))
        make = TurnMaker(at, line, start, end, uid_of(record.get("id")))
        speaker = speaker_of(self.source.role)
        if "speaker" in record:
            found = list(_message(record.get("speaker"), record.get("text"), speaker, make))
        elif isinstance(record.get("role"), str):
            found = list(message_turns(record, make, speaker))
        elif isinstance(record.get("type"), str) and "content" in record:
            found = list(message_turns({**record, "role": record["type"]}, make, speaker))
        else:
            found = list(_update(update_of(record), make))
        self.draft.see_turns(found)
        return found

    def describe(self, draft: SpineDraft) -> None:
        """Add what `summary.json` and the folder's name say."""
        summary = sidecar(self.source.meta)
        info = summary.get("info")
        body = {**summary, **info} if isinstance(info, dict) else summary
        draft.once("session_id", self.source.session_id)
        draft.offer_title(first_of(body, "title", "session_summary", "summary", "name"), "runtime")
        draft.once("model", first_of(body, "current_model_id", "model", "model_id"))
        draft.see_cwd(first_of(body, "cwd", "working_directory", "workspace"))
        draft.see_cwd(_folder(self.source))
        for key in ("created_at", "createdAt", "updated_at", "updatedAt"):
            draft.see_time(seconds(body.get(key)))


def _message(speaker: object, text: object, person: Origin, make: TurnMaker) -> Iterator[Turn]:
    if not isinstance(text, str) or not text.strip():
        return
    if speaker == "user":
        yield from spoken(text, person, make)
    elif speaker == "thought":
        yield make(Origin.ASSISTANT, Channel.THINKING, text)
    else:
        yield make(Origin.ASSISTANT, Channel.TALK, text)


def _update(update: dict[str, Any], make: TurnMaker) -> Iterator[Turn]:
    """A tool's call with its input, or what it returned."""
    kind, name = update.get("sessionUpdate"), uid_of(update.get("title"))
    if kind == "tool_call":
        yield from leaves(update.get("rawInput"), Channel.CALL, Origin.ASSISTANT, name, make)
    if kind in ("tool_call", "tool_call_update"):
        content = update.get("content")
        inner = (
            [b.get("content", b) if isinstance(b, dict) else b for b in content] if isinstance(content, list) else None
        )
        yield from results(inner, make, name)
        if not inner:
            yield from leaves(update.get("rawOutput"), Channel.RESULT, Origin.EXTERNAL, name, make)
    elif kind == "plan":
        yield from leaves(update.get("entries"), Channel.NOTICE, Origin.INJECTED, "plan", make)


def _source(root: Root, found: Found) -> Source:
    role, parent = Role.MAIN, ""
    if "subagents" in found.parts:
        role, parent = Role.SUBAGENT, found.parts[found.parts.index("subagents") - 1]
    path = named(found.path, PART) if found.name == _UPDATES else found.path
    meta = os.path.join(os.path.dirname(found.path), "summary.json")
    return Source(RUNTIME, root.path, path, found.parts[-1], found.size, found.mtime_ns, role, parent, meta=meta)


def _folder(source: Source) -> str:
    """The working directory in the name of the folder that a session lies in, written as in an address."""
    top = os.path.join(os.path.realpath(source.root), "sessions")
    name = os.path.relpath(record_file(source.path), top).split(os.sep)[0]
    folder = unquote(name)
    return folder if os.path.isabs(folder) else ""


def _wanted(name: str) -> bool:
    return name in (_UPDATES, _HISTORY)
