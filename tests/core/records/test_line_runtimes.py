"""Cursor CLI, Kimi Code, Vibe, Grok Build, Antigravity: lines of messages and events (formats.md 1c, D)."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from pathlib import Path

from core.records.antigravity import AntigravityAdapter
from core.records.cursor import CursorAdapter
from core.records.grok import GrokAdapter
from core.records.kimi import KimiAdapter
from core.records.model import Adapter, ReadProblem, Role, Root, Source, Spine
from core.records.vibe import VibeAdapter
from tests.core.records.builders import OTHER, SID, assert_resumes, lines
from tests.core.records.stores import checked, listed, told

CURSOR, KIMI, VIBE, GROK, ANTIGRAVITY = (
    CursorAdapter(),
    KimiAdapter(),
    VibeAdapter(),
    GrokAdapter(),
    AntigravityAdapter(),
)
AT = "2026-03-01T10:00:00Z"


def put(path: Path, *records: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(lines(*records))
    return path


def about(adapter: Adapter, source: Source) -> Spine:
    spine = adapter.spine(source)
    assert isinstance(spine, Spine)
    return spine


def resumes(adapter: Adapter, source: Source) -> None:
    body = Path(source.path).read_bytes()
    for cut in range(0, len(body) + 1, max(1, len(body) // 9)):
        for talk_only in (False, True):
            assert_resumes(adapter, source, body, cut, talk_only=talk_only)


# --- Cursor CLI


def cursor(home: Path, folder: str, name: str = "Slow shop") -> None:
    place = home / f"projects/{folder.strip('/').replace('/', '-').replace('.', '-')}/agent-transcripts/{SID}"
    put(
        place / f"{SID}.jsonl",
        {"role": "user", "message": {"content": [{"type": "text", "text": "<user_query>\nWhy slow?\n</user_query>"}]}},
        {"role": "assistant", "message": {"content": [
            {"type": "text", "text": "[REDACTED]"}, {"type": "thinking", "thinking": "hm"},
            {"type": "text", "text": "The cache."}, {"type": "tool_use", "name": "Read", "input": {"path": "a.py"}}]}},
        {"role": "user", "message": {"content": [{"type": "tool_result", "content": "import os"}]}},
    )  # fmt: skip
    put(place / f"subagents/{OTHER}.jsonl", {"role": "user", "message": {"content": "Look around."}})
    mark = hashlib.md5(folder.encode(), usedforsecurity=False).hexdigest()
    store = home / f"chats/{mark}/{SID}/store.db"
    store.parent.mkdir(parents=True)
    with sqlite3.connect(store) as db:
        chat = {"name": name, "createdAt": 1_772_359_200_000, "lastUsedModel": "m-1"}
        db.execute("create table meta (key text, value text)")
        db.execute("insert into meta values ('0', ?)", (json.dumps(chat).encode().hex(),))
    db.close()


def test_cursor_tells_transcripts_and_names_them_by_their_chat(tmp_path: Path) -> None:
    cursor(tmp_path, "/home/dev/shop")
    main, child = listed(CURSOR, tmp_path)
    assert told(checked(CURSOR, main)) == [
        ("person", "talk", "Why slow?"),
        ("assistant", "thinking", "hm"),
        ("assistant", "talk", "The cache."),
        ("assistant", "call", "a.py"),
        ("external", "result", "import os"),
    ]
    spine = about(CURSOR, main)
    assert (spine.session_id, spine.title, spine.model, spine.started) == (SID, "Slow shop", "m-1", 1_772_359_200.0)
    assert spine.project == "/home/dev/shop"
    assert told(checked(CURSOR, child)) == [("peer", "talk", "Look around.")]
    assert (child.role, child.parent_id) == (Role.SUBAGENT, SID)
    resumes(CURSOR, main)


def test_cursors_folder_is_proved_or_not_told(tmp_path: Path) -> None:
    real = tmp_path / "my-shop.v2"
    real.mkdir()
    cursor(tmp_path / "a", str(real))
    assert about(CURSOR, listed(CURSOR, tmp_path / "a")[0]).project == str(real)
    cursor(tmp_path / "b", "/gone-away/my-shop", "New Agent")
    lost = about(CURSOR, listed(CURSOR, tmp_path / "b")[0])
    assert (lost.project, lost.title) == ("", "")
    (next((tmp_path / "b/chats").rglob("store.db"))).write_bytes(b"no database")
    assert about(CURSOR, listed(CURSOR, tmp_path / "b")[0]).started is None


# --- Kimi Code


def test_kimi_tells_loop_events_and_leaves_out_deleted_sessions(tmp_path: Path) -> None:
    place = tmp_path / "sessions/wd_shop_0123456789ab"
    own = f"session_{SID}"
    put(
        place / own / "agents/main/wire.jsonl",
        {"type": "metadata", "protocol_version": "1.4", "created_at": 1_772_359_200_000},
        {"type": "turn.prompt", "input": [{"type": "text", "text": "Why slow?"}]},
        {"type": "context.append_message", "message": {"role": "user", "content": [{"type": "text", "text": "Why slow?"}]}},
        {"type": "context.append_message", "message": {
            "role": "user", "content": "Mind the plan.", "origin": {"kind": "injection"}}},
        {"type": "context.append_loop_event", "event": {"type": "content.part", "part": {"type": "think", "think": "hm"}}},
        {"type": "context.append_loop_event", "event": {"type": "content.part", "part": {"type": "text", "text": "The cache."}}},
        {"type": "context.append_loop_event", "event": {"type": "tool.call", "name": "Bash", "args": {"command": "ls"}}},
        {"type": "context.append_loop_event", "event": {"type": "tool.result", "result": {"output": "a.py", "isError": False}}},
        {"type": "context.append_loop_event", "event": 7}, {"type": "context.append_message"},
    )  # fmt: skip
    put(place / own / "state.json", {"title": "Slow shop", "workDir": "/home/dev/shop", "createdAt": AT})
    put(
        place / own / "agents/agent-1/wire.jsonl",
        {"type": "context.append_message", "message": {"role": "user", "content": "Look."}},
    )
    put(place / "session_gone/agents/main/wire.jsonl", {"type": "metadata"})
    put(
        tmp_path / "session_index.jsonl",
        {"sessionId": "session_gone", "deleted": False},
        {"sessionId": "session_gone", "deleted": True},
        b"{half\n",
    )
    child, main = listed(KIMI, tmp_path)
    assert told(checked(KIMI, main)) == [
        ("person", "talk", "Why slow?"),
        ("injected", "notice", "Mind the plan."),
        ("assistant", "thinking", "hm"),
        ("assistant", "talk", "The cache."),
        ("assistant", "call", "ls"),
        ("external", "result", "a.py"),
    ]
    spine = about(KIMI, main)
    assert (spine.session_id, spine.title, spine.project, spine.started) == (
        own,
        "Slow shop",
        "/home/dev/shop",
        1_772_359_200.0,
    )
    assert told(checked(KIMI, child)) == [("peer", "talk", "Look.")]
    assert (child.role, child.parent_id) == (Role.SUBAGENT, own)
    resumes(KIMI, main)


def test_the_older_kimi_keeps_messages(tmp_path: Path) -> None:
    mark = hashlib.md5(b"/home/dev/shop", usedforsecurity=False).hexdigest()
    put(
        tmp_path / f"sessions/{mark}/{SID}/context.jsonl",
        {"role": "_checkpoint", "id": 0},
        {"role": "user", "content": "Why slow?"},
        {"role": "assistant", "content": [{"type": "text", "text": "The cache."}],
         "tool_calls": [{"function": {"name": "Shell", "arguments": "{\"command\": \"ls\"}"}}]},
    )  # fmt: skip
    put(tmp_path / f"sessions/{mark}/{SID}/wire.jsonl", {"message": {"type": "TurnBegin"}})
    put(tmp_path / "kimi.json", {"work_dirs": [{"path": "/home/dev/shop"}, 7]})
    (main,) = listed(KIMI, tmp_path)
    assert told(checked(KIMI, main)) == [
        ("person", "talk", "Why slow?"), ("assistant", "talk", "The cache."), ("assistant", "call", "ls"),
    ]  # fmt: skip
    assert (about(KIMI, main).project, main.session_id) == ("/home/dev/shop", SID)


# --- Vibe


def test_vibe_tells_messages_and_its_description(tmp_path: Path) -> None:
    place = tmp_path / "logs/session/session_20260301_100000_11111111"
    put(
        place / "messages.jsonl",
        {"role": "system", "content": "You are Vibe."},
        {"role": "user", "content": "Why slow?", "message_id": "m1"},
        {"role": "assistant", "content": "The cache.", "reasoning_content": "hm",
         "tool_calls": [{"id": "c", "function": {"name": "bash", "arguments": "{\"command\":\"ls\"}"}}]},
        {"role": "tool", "content": "a.py", "name": "bash"},
    )  # fmt: skip
    put(place / "meta.json", {
        "session_id": SID, "title": "Slow shop", "start_time": AT, "git_branch": "main",
        "environment": {"working_directory": "/home/dev/shop"}, "config": {"auto_approve": True, "active_model": "m-1"}})  # fmt: skip
    (main,) = listed(VIBE, tmp_path)
    assert told(checked(VIBE, main)) == [
        ("injected", "notice", "You are Vibe."),
        ("person", "talk", "Why slow?"),
        ("assistant", "thinking", "hm"),
        ("assistant", "talk", "The cache."),
        ("assistant", "call", "ls"),
        ("external", "result", "a.py"),
    ]
    spine = about(VIBE, main)
    assert (spine.session_id, spine.title, spine.project, spine.permission) == (
        SID,
        "Slow shop",
        "/home/dev/shop",
        "bypass",
    )
    assert (spine.model, spine.branch, spine.first_uid) == ("m-1", "main", "m1")
    resumes(VIBE, main)


# --- Grok Build


def chunk(kind: str, words: str, **more: object) -> dict[str, object]:
    update = {"sessionUpdate": kind, "content": {"type": "text", "text": words}, **more}
    return {"timestamp": AT, "method": "session/update", "params": {"sessionId": SID, "update": update}}


def test_groks_chunks_are_put_together_where_they_begin(tmp_path: Path) -> None:
    place = tmp_path / f"sessions/%2Fhome%2Fdev%2Fshop/{SID}"
    put(
        place / "updates.jsonl",
        chunk("user_message_chunk", "Why "), chunk("user_message_chunk", "slow?"),
        chunk("agent_thought_chunk", "hm"),
        chunk("agent_message_chunk", "The "), chunk("usage_update", ""), chunk("agent_message_chunk", "cache."),
        {"sessionUpdate": "tool_call", "title": "ls", "rawInput": {"command": "ls"}},
        {"sessionUpdate": "tool_call_update", "content": [{"type": "content", "content": {"type": "text", "text": "a.py"}}]},
        {"type": "rewind", "to": 1}, b"{half\n",
        chunk("agent_message_chunk", "Again."),
    )  # fmt: skip
    put(place / "chat_history.jsonl", {"role": "user", "content": "Why slow?"})
    put(place / "summary.json", {"info": {"id": SID, "cwd": "/home/dev/shop"}, "session_summary": "Slow shop"})
    put(place / f"subagents/{OTHER}/chat_history.jsonl", {"role": "user", "content": "Look."})
    main, child = sorted(listed(GROK, tmp_path), key=lambda one: one.role.value)
    turns = checked(GROK, main)
    assert told(turns) == [
        ("person", "talk", "Why slow?"),
        ("assistant", "thinking", "hm"),
        ("assistant", "talk", "The cache."),
        ("assistant", "call", "ls"),
        ("external", "result", "a.py"),
        ("unknown", "notice", "{half"),
        ("assistant", "talk", "Again."),
    ]
    assert [turn.line for turn in turns] == [1, 3, 4, 7, 8, 10, 11]
    spine = about(GROK, main)
    assert (spine.session_id, spine.title, spine.project) == (SID, "Slow shop", "/home/dev/shop")
    assert told(checked(GROK, child)) == [("peer", "talk", "Look.")]
    assert (child.role, child.parent_id) == (Role.SUBAGENT, SID)


# --- Antigravity


def test_antigravity_tells_transcripts_and_says_what_it_cannot_read(tmp_path: Path) -> None:
    body = put(
        tmp_path / f"brain/{SID}/.system_generated/logs/transcript.jsonl",
        {"step_index": 0, "source": "USER_EXPLICIT", "type": "USER_INPUT", "status": "DONE", "created_at": AT,
         "content": "<USER_REQUEST>\nWhy slow?\n</USER_REQUEST>\n<ADDITIONAL_METADATA>noon</ADDITIONAL_METADATA>"},
        {"step_index": 1, "source": "MODEL", "type": "PLANNER_RESPONSE", "status": "DONE", "content": "The cache.",
         "tool_calls": [{"name": "run", "args": {"command": "ls"}}]},
        {"step_index": 1, "source": "MODEL", "type": "PLANNER_RESPONSE", "status": "DONE", "content": "The cache.",
         "tool_calls": [{"name": "run", "args": {"command": "ls"}}]},
        {"step_index": 2, "source": "MODEL", "type": "RUN_COMMAND", "content": "a.py"},
        {"step_index": 3, "source": "SYSTEM", "content": "Checkpoint"},
    )  # fmt: skip
    for own in (SID, OTHER):
        put(tmp_path / f"conversations/{own}.db")
    found = list(ANTIGRAVITY.discover(Root("antigravity", str(tmp_path))))
    (main,) = (one for one in found if isinstance(one, Source))
    (problem,) = (one for one in found if isinstance(one, ReadProblem))
    assert problem.what.startswith("1 conversation of Antigravity cannot be read")
    assert main.path == str(body)
    assert told(checked(ANTIGRAVITY, main)) == [
        ("person", "talk", "Why slow?"),
        ("injected", "notice", "<ADDITIONAL_METADATA>noon</ADDITIONAL_METADATA>"),
        ("assistant", "talk", "The cache."),
        ("assistant", "call", "ls"),
        ("external", "result", "a.py"),
        ("injected", "notice", "Checkpoint"),
    ]
    assert about(ANTIGRAVITY, main).session_id == SID
    resumes(ANTIGRAVITY, main)
