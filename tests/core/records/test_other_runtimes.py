"""Quirks of Pi, Copilot CLI and Gemini CLI (formats.md 1c, D)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from core.records.copilot import CopilotAdapter
from core.records.gemini import GeminiAdapter
from core.records.model import Adapter, Channel, Origin, ReadProblem, Role, Source, Turn
from core.records.pi import PiAdapter
from tests.core.records.builders import OTHER, SID, assert_quotable, assert_talk_only, lines, persons, said, source

PI, COPILOT, GEMINI = PiAdapter(), CopilotAdapter(), GeminiAdapter()


def check(adapter: Adapter, record: Source) -> list[Turn]:
    turns = list(adapter.read(record))
    assert_quotable(record, turns, Path(record.path).read_bytes())
    assert_talk_only(adapter, record)
    for turn in turns:
        assert turn in adapter.at(record, turn.line, turn.start)
    return turns


def spine_of(adapter: Adapter, record: Source) -> Any:
    reading = adapter.read(record, talk_only=True)
    list(reading)
    assert adapter.spine(record) == reading.spine
    return reading.spine


# --- Pi


def test_pi_tells_messages_shell_lines_and_compactions(tmp_path: Path) -> None:
    at = "2026-03-01T10:00:00.000Z"
    record = source(
        tmp_path / f"2026_{SID}.jsonl",
        "pi",
        lines(
            {"type": "session", "version": 3, "id": SID, "timestamp": at, "cwd": "/home/dev/shop", "modelId": "m",
             "branchedFrom": f"/x/2026-01-01T00-00-00_{OTHER}.jsonl"},
            {"type": "message", "id": "e1", "timestamp": at, "message": {"role": "user", "content": [{"type": "text", "text": "go"}]}},
            {"type": "message", "timestamp": at, "message": {"role": "assistant", "content": [
                {"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "ok"},
                {"type": "toolCall", "name": "read", "arguments": {"path": "a.py"}, "partialJson": "{"}]}},
            {"type": "message", "timestamp": at, "message": {"role": "toolResult", "toolName": "read", "content": [
                {"type": "text", "text": "import os"}]}},
            {"type": "message", "timestamp": at, "message": {"role": "bashExecution", "command": "ls", "output": "a.py"}},
            {"type": "message", "timestamp": at, "message": {"role": "custom", "content": "from an extension"}},
            {"type": "compaction", "timestamp": at, "summary": "so far"},
            {"type": "branch_summary", "timestamp": at, "summary": "the other branch"},
            {"type": "session_info", "name": "My session"},
        ),
        session_id=SID,
    )  # fmt: skip
    turns = check(PI, record)
    assert [(t.origin.value, t.channel.value, t.text) for t in turns] == [
        ("person", "talk", "go"),
        ("assistant", "thinking", "hm"),
        ("assistant", "talk", "ok"),
        ("assistant", "call", "a.py"),
        ("external", "result", "import os"),
        ("person", "call", "ls"),
        ("external", "result", "a.py"),
        ("injected", "notice", "from an extension"),
        ("injected", "summary", "so far"),
        ("injected", "summary", "the other branch"),
    ]
    spine = spine_of(PI, record)
    assert (spine.session_id, spine.project, spine.title, spine.title_from) == (
        SID,
        "/home/dev/shop",
        "My session",
        "custom",
    )
    assert (spine.forked_from, spine.model, spine.first_uid, spine.prompts) == (OTHER, "m", "e1", 1)


# --- Copilot CLI


def copilot(tmp_path: Path, *events: tuple[str, dict[str, Any]], **more: Any) -> Source:
    rows = [
        {"type": kind, "data": data, "id": f"e{n}", "timestamp": "2026-03-01T10:00:00Z"}
        for n, (kind, data) in enumerate(events)
    ]
    return source(tmp_path / SID / "events.jsonl", "copilot", lines(*rows), session_id=SID, **more)


def test_copilot_tells_what_was_typed_not_what_was_sent(tmp_path: Path) -> None:
    record = copilot(
        tmp_path,
        ("session.start", {"sessionId": SID, "copilotVersion": "1.0", "producer": "copilot-agent", "selectedModel": "m",
                           "context": {"cwd": "/home/dev/shop", "branch": "main"}}),
        ("hook.start", {"input": {"prompt": "why?"}}),
        ("user.message", {"content": "why?", "transformedContent": "<current_datetime>x</current_datetime>\n\nwhy?"}),
        ("assistant.message", {"content": "", "reasoningText": "hm", "toolRequests": [{"name": "bash"}]}),
        ("tool.execution_start", {"toolName": "bash", "arguments": {"command": "ls"}}),
        ("tool.execution_complete", {"success": True, "result": {"content": "a.py", "detailedContent": "a.py"}}),
        ("tool.execution_complete", {"success": False, "error": {"message": "no such file"}}),
        ("assistant.message", {"content": "because"}),
        ("assistant.message", {"content": "from a helper", "parentToolCallId": "t1"}),
        ("system.notification", {"content": "<system_notification>done</system_notification>"}),
        ("session.permissions_changed", {"allowAllPermissions": True}),
        ("session.compaction_complete", {"summaryContent": "so far"}),
    )  # fmt: skip
    turns = check(COPILOT, record)
    assert said(turns) == [("person", "why?"), ("assistant", "because"), ("peer", "from a helper")]
    assert [t.text for t in turns if t.channel is Channel.RESULT] == ["a.py", "no such file"]
    assert [t.text for t in turns if t.channel is Channel.CALL] == ["ls"]
    assert [t.text for t in turns if t.channel is Channel.SUMMARY] == ["so far"]
    spine = spine_of(COPILOT, record)
    assert (spine.permission, spine.entrypoint, spine.project, spine.branch) == (
        "bypass",
        "copilot-agent",
        "/home/dev/shop",
        "main",
    )


def test_copilots_harness_prompt_is_unwrapped(tmp_path: Path) -> None:
    record = copilot(tmp_path, ("user.message", {"content": "[[ ## user_query ## ]]\n\nWrite FizzBuzz"}))
    assert persons(check(COPILOT, record)) == ["Write FizzBuzz"]


def test_copilots_session_is_named_by_the_file_beside_it(tmp_path: Path) -> None:
    yaml = tmp_path / "workspace.yaml"
    yaml.write_text("id: x\nname: 'Fix the login'\nsummary: about login\n")
    record = copilot(tmp_path, ("user.message", {"content": "go"}), meta=str(yaml))
    spine = spine_of(COPILOT, record)
    assert (spine.title, spine.title_from, spine.session_id) == ("Fix the login", "runtime", SID)
    yaml.write_text("summary: |\n")
    assert spine_of(COPILOT, record).title == ""


# --- Gemini CLI


def document(tmp_path: Path, *messages: dict[str, Any], indent: int | None = 2, **more: Any) -> Source:
    value = {"sessionId": SID, "projectHash": "x", "startTime": "2026-03-01T10:00:00Z", "lastUpdated": "2026-03-01T11:00:00Z",
             "messages": list(messages), **more}  # fmt: skip
    return source(
        tmp_path / "tmp/shop/chats/session-2026-a.json",
        "gemini",
        json.dumps(value, indent=indent).encode(),
        root=str(tmp_path),
    )


def message(kind: str, content: object, **more: Any) -> dict[str, Any]:
    return {"id": f"m-{kind}", "timestamp": "2026-03-01T10:30:00Z", "type": kind, "content": content, **more}


CALL = {"name": "read_file", "args": {"path": 'a "b".py'}, "result": [
    {"functionResponse": {"id": "1", "name": "read_file", "response": {"output": "import os\nline two"}}}], "status": "success"}  # fmt: skip


def test_geminis_document_gives_each_text_the_line_it_stands_on(tmp_path: Path) -> None:
    for indent in (2, None):
        record = document(
            tmp_path,
            message("user", [{"text": "caf\u00e9?"}, {"inlineData": {"data": "x"}}, "more"]),
            message("gemini", "yes", thoughts=[{"subject": "S", "description": "D"}], toolCalls=[CALL], model="g"),
            message("info", "note"),
            indent=indent,
            summary="About coffee",
        )
        turns = check(GEMINI, record)
        assert [(t.origin.value, t.channel.value, t.text) for t in turns] == [
            ("person", "talk", "caf\u00e9?"),
            ("person", "talk", "more"),
            ("assistant", "thinking", "S"),
            ("assistant", "thinking", "D"),
            ("assistant", "talk", "yes"),
            ("assistant", "call", 'a "b".py'),
            ("external", "result", "import os\nline two"),
            ("injected", "notice", "note"),
        ]
        assert len({t.line for t in turns}) == (8 if indent else 1)
        reading = GEMINI.read(record)
        list(reading)
        assert reading.mark.offset == 0
        spine = reading.spine
        assert (spine.session_id, spine.title, spine.prompts, spine.model) == (SID, "About coffee", 2, "g")
        assert (spine.started, spine.ended) == (1772359200.0, 1772362800.0)


def test_geminis_project_comes_from_the_maps_beside(tmp_path: Path) -> None:
    record = document(tmp_path, message("user", "go"))
    assert spine_of(GEMINI, record).project == ""
    (tmp_path / "tmp/shop/.project_root").write_text("/home/dev/shop\n")
    assert spine_of(GEMINI, record).project == "/home/dev/shop"
    (tmp_path / "projects.json").write_text(json.dumps({"projects": {"/home/dev/other": "shop"}}))
    assert spine_of(GEMINI, record).project == "/home/dev/other"


def test_geminis_lines_replace_a_message_that_comes_again(tmp_path: Path) -> None:
    record = source(
        tmp_path / "tmp/shop/chats/session-2026-a.jsonl",
        "gemini",
        lines(
            {"sessionId": SID, "kind": "main", "startTime": "2026-03-01T10:00:00Z"},
            message("user", "go"),
            message("gemini", "part"),
            {"$set": {"lastUpdated": "2026-03-01T11:00:00Z", "summary": "S"}},
            message("gemini", "part and whole"),
            b"torn\n",
        ),
        root=str(tmp_path),
    )
    reading = GEMINI.read(record)
    turns = list(reading)
    assert said(turns) == [("person", "go"), ("assistant", "part and whole")]
    assert [turn.line for turn in turns] == [2, 5, 6]
    assert (reading.tally.lines, reading.tally.skipped_lines, reading.spine.title) == (6, 1, "S")
    check(GEMINI, record)


def test_geminis_messages_inside_a_patch_or_the_header_are_told_once(tmp_path: Path) -> None:
    """A resumed session, or one whose context was compressed, holds messages in `$set` alone (gemini-cli 0.61)."""
    held = {"id": "m1", "type": "user", "content": [{"text": "mend the till"}], "timestamp": "2026-03-01T10:00:00Z"}
    answer = {"id": "m2", "type": "gemini", "content": "it is mended"}
    kept = {"id": "m3", "type": "user", "content": "<state_snapshot>\nthe till\n</state_snapshot>"}
    record = source(
        tmp_path / "tmp/shop/chats/session-2026-a.jsonl",
        "gemini",
        lines(
            {"sessionId": SID, "kind": "main", "messages": [{"id": "m0", "type": "user", "content": "hello"}, 7]},
            {"$set": {"messages": [held, answer, None, {"type": "user", "content": "no id"}], "summary": "S"}},
            {"id": "m4", "type": "user", "content": "go on"},
            {"$set": {"messages": [kept, {**answer, "content": "cut"}]}},
            {"$set": {"messages": 5}},
            {"$rewindTo": "m4"},
        ),
        root=str(tmp_path),
    )
    turns = list(GEMINI.read(record))
    assert [(turn.line, turn.origin.value, turn.text.split("\n")[0]) for turn in turns] == [
        (1, "person", "hello"), (2, "person", "mend the till"), (2, "assistant", "it is mended"), (2, "person", "no id"),
        (3, "person", "go on"), (4, "injected", "<state_snapshot>"),
    ]  # fmt: skip
    assert turns[-1].channel is Channel.SUMMARY
    check(GEMINI, record)


def test_geminis_subagent_is_prompted_by_its_parent(tmp_path: Path) -> None:
    record = document(tmp_path, message("user", "look"), kind="subagent")
    assert check(GEMINI, record)[0].origin is Origin.PEER
    assert spine_of(GEMINI, record).role is Role.SUBAGENT


def test_geminis_damaged_documents_are_values(tmp_path: Path) -> None:
    record = document(tmp_path, message("user", "go"))
    whole = Path(record.path).read_bytes()
    for body in (
        b"",
        whole[:-9],
        b"[]",
        b'{"messages": [1, null, {"type": "user"}]}',
        b'{"a": 1, "a": "b", "messages": []}',
    ):
        Path(record.path).write_bytes(body)
        reading = GEMINI.read(record)
        assert list(reading) == []
    Path(record.path).unlink()
    assert isinstance(GEMINI.spine(record), ReadProblem)
    assert GEMINI.at(record, 1, 0) == ()
    Path(record.path).write_bytes(whole)
    small = GeminiAdapter(max_line=10)
    reading = small.read(record)
    assert list(reading) == []
    assert reading.tally.omitted_chars == len(whole)
