"""The adapters for Cline, Roo Code and Kilo Code: tasks in the storage of an editor (formats.md 1c).

A task's record is `ui_messages.json`, which tells what a person typed from what the extension put around it, and when;
where it is missing, `api_conversation_history.json`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from typing import Any

from core.frozen import dataclass
from core.records.blocks import TurnMaker, leaves, uid_of
from core.records.document_reading import Document, DocumentAdapter, MessageDocument
from core.records.homes import EXTENSIONS, roots_of
from core.records.lines import NotDecodable, decode, seconds
from core.records.model import Channel, Origin, ReadProblem, Root, Source, Turn
from core.records.recordfile import at_once
from core.records.sidecars import first_of, sidecar
from core.records.talk import message_turns, spoken
from core.records.walk import Found, Walk

MAX_INDEX = 32 * 1024 * 1024
_UI, _API = "ui_messages.json", "api_conversation_history.json"
_TASK = re.compile(r"<(task|feedback|user_message|answer)>\s*(.*?)\s*</\1>", re.S)
_PERSON = frozenset({"task", "user_feedback", "user_feedback_diff"})
_ASSISTANT = frozenset({"text", "completion_result", "plan_mode_respond", "followup", "plan_mode_response"})
_CALLS = frozenset(
    {"tool", "command", "use_mcp_server", "browser_action", "browser_action_launch", "mcp_server_request_started"}
)
_RESULTS = frozenset({"command_output", "mcp_server_response", "browser_action_result"})
_QUIET = frozenset({"api_req_started", "api_req_finished", "checkpoint_created", "checkpoint_saved", "api_req_retried"})


@dataclass(frozen=True, slots=True)
class _Extension:
    """An extension's names."""

    runtime: str
    label: str
    folders: tuple[str, ...]
    """Its folders in an editor's storage, the newest first."""


CLINE = _Extension("cline", "Cline", EXTENSIONS["cline"])
ROO = _Extension("roo", "Roo Code", EXTENSIONS["roo"])
KILO = _Extension("kilo", "Kilo Code", EXTENSIONS["kilo"])


class ClineAdapter(DocumentAdapter):
    """Reads `tasks/<id>/` of one extension in every editor's storage. See `Adapter`."""

    def __init__(self, extension: _Extension = CLINE, **more: int) -> None:
        super().__init__(**more)
        self._extension = extension
        self.runtime, self.label = extension.runtime, extension.label

    def roots(self, env: Mapping[str, str], home: str) -> tuple[Root, ...]:
        """See `core.records.homes`."""
        return roots_of(self.runtime, env, home)

    def discover(self, root: Root) -> Iterator[Source | ReadProblem]:
        """Every task below a root; a root may be an editor's storage that holds the extension's folder."""
        tops = [root.path, *(os.path.join(root.path, folder) for folder in self._extension.folders)]
        for top in tops:
            tasks: dict[str, Found] = {}
            for found in Walk(os.path.join(top, "tasks"), _wanted, _enter):
                if isinstance(found, ReadProblem):
                    yield found
                elif len(found.parts) == 1 and (found.parts[0] not in tasks or found.name == _UI):
                    tasks[found.parts[0]] = found
            for task, found in tasks.items():
                yield Source(self.runtime, root.path, found.path, task, found.size, found.mtime_ns)

    def document(self, source: Source, raw: bytes) -> Document:
        """A task from its bytes."""
        return _Ui(source, raw) if os.path.basename(source.path) == _UI else _Api(source, raw)


def roo() -> ClineAdapter:
    """The adapter for Roo Code."""
    return ClineAdapter(ROO)


def kilo() -> ClineAdapter:
    """The adapter for Kilo Code."""
    return ClineAdapter(KILO)


class _Task(MessageDocument):
    """What both forms of a task share: a list of messages, and the index of tasks that describes it."""

    def messages(self, value: Any) -> Any:
        """The document itself."""
        return value

    def header(self, value: Any) -> None:
        """What the index of tasks says, before the document is looked at."""
        if value is not None:
            return
        about = _about(self.source)
        self.draft.see_cwd(first_of(about, "cwdOnTaskInitialization", "workspace", "cwd"))
        self.draft.once("model", first_of(about, "modelId", "apiConfigName"))
        self.draft.see_time(seconds(about.get("ts")))
        if self.source.session_id.isdecimal():
            self.draft.see_time(seconds(int(self.source.session_id[:16])))


class _Ui(_Task):
    """A task as the extension shows it."""

    def message(self, body: dict[str, Any], make: TurnMaker) -> Iterator[Turn]:
        """The turns of one message. The first text is the task; one that still arrives is told once it is complete."""
        make.at = self.draft.see_stamp(body.get("ts"))
        stamp, text = body.get("ts"), body.get("text")
        make.uid = str(stamp) if isinstance(stamp, int) else ""
        for thought in (body.get("reasoning"),):
            if isinstance(thought, str) and thought.strip():
                yield make(Origin.ASSISTANT, Channel.THINKING, thought)
        if not isinstance(text, str) or not text.strip() or body.get("partial") is True:
            return
        kind = uid_of(body.get("say")) or uid_of(body.get("ask"))
        if kind in _PERSON or (kind == "text" and not self._begun):
            self._begun = True
            yield from spoken(text, Origin.PERSON, make)
        elif kind == "reasoning":
            yield make(Origin.ASSISTANT, Channel.THINKING, text)
        elif kind in _ASSISTANT:
            yield from _said(text, make)
        elif kind in _CALLS:
            yield from leaves(text, Channel.CALL, Origin.ASSISTANT, str(kind), make)
        elif kind in _RESULTS:
            yield from leaves(text, Channel.RESULT, Origin.EXTERNAL, str(kind), make)
        elif kind == "condense_context" or kind == "summarize_task":
            yield make(Origin.INJECTED, Channel.SUMMARY, text)
        elif kind not in _QUIET:
            yield make(Origin.INJECTED, Channel.NOTICE, text, str(kind or ""))

    _begun = False


class _Api(_Task):
    """A task as it was sent to the model: a person's words stand in tags."""

    def message(self, body: dict[str, Any], make: TurnMaker) -> Iterator[Turn]:
        """The turns of one message."""
        make.at = self.draft.see_stamp(body.get("ts"))
        if body.get("role") != "user":
            yield from message_turns(body, make)
            return
        content = body.get("content")
        for block in content if isinstance(content, list) else [content]:
            text = block.get("text") if isinstance(block, dict) else block
            if isinstance(text, str):
                yield from _tagged(text, make)
            else:
                yield from message_turns({"role": "user", "content": [block]}, make)


def _tagged(text: str, make: TurnMaker) -> Iterator[Turn]:
    """The words in tags are the person's; without tags nobody can tell a tool's output from a person's words."""
    match = None
    for match in _TASK.finditer(text):
        yield from spoken(match.group(2), Origin.PERSON, make)
    if match is None and text.strip():
        if text.lstrip().startswith("<environment_details>") or text.lstrip().startswith("["):
            yield make(Origin.INJECTED, Channel.NOTICE, text)
        else:
            yield make(Origin.UNKNOWN, Channel.TALK, text)


def _said(text: str, make: TurnMaker) -> Iterator[Turn]:
    """An answer or a question; a question is JSON in a string."""
    if text.lstrip().startswith("{"):
        told = [*leaves(text, Channel.TALK, Origin.ASSISTANT, "", make)]
        if told:
            yield from told
            return
    yield make(Origin.ASSISTANT, Channel.TALK, text)


def _about(source: Source) -> dict[str, Any]:
    """What an index says of a task: Roo's file beside the task or index of tasks, Cline's history of tasks."""
    folder = os.path.dirname(source.path)
    own = sidecar(os.path.join(folder, "history_item.json"))
    if own:
        return own
    tasks = os.path.dirname(folder)
    for path in (os.path.join(tasks, "_index.json"), os.path.join(os.path.dirname(tasks), "state", "taskHistory.json")):
        for row in _index(path):
            if row.get("id") == source.session_id:
                return row
    storage, extension = os.path.split(os.path.dirname(tasks))
    state = os.path.join(storage, "state.vscdb")
    if os.path.exists(state):
        return next((row for row in _editor_rows(state, extension) if row.get("id") == source.session_id), {})
    return {}


def _editor_rows(path: str, extension: str) -> list[dict[str, Any]]:
    """The history of tasks that an extension keeps in the editor's own database, as Kilo Code does (formats.md 1c)."""
    from core.records.databases import database

    try:
        with database(path) as connection:
            row = connection.execute("select value from ItemTable where key = ?", (extension,)).fetchone()
    except OSError:
        return []  # it adds to the task, no more
    raw = row[0] if row else b""
    try:
        value = decode(raw if isinstance(raw, bytes) else str(raw).encode("utf-8", "replace"))
    except NotDecodable:
        return []
    found = value.get("taskHistory") if isinstance(value, dict) else None
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def _index(path: str) -> list[dict[str, Any]]:
    try:
        with open(path, "rb", opener=at_once) as file:
            value = decode(file.read(MAX_INDEX))
    except (OSError, NotDecodable):
        return []  # this extension has no such index, or is writing it
    if isinstance(value, dict):
        value = first_of(value, "entries", "tasks", "items")
    return [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []


def _wanted(name: str) -> bool:
    return name in (_UI, _API)


def _enter(parts: tuple[str, ...]) -> bool:
    return len(parts) == 1
