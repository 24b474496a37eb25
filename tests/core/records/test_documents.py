"""Amp, Cline, Roo Code, Kilo Code: one document per session; SpecStory: Markdown (formats.md 1c, D)."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

from core.records.amp import AmpAdapter
from core.records.archive import Archive
from core.records.cline import CLINE, KILO, ROO, ClineAdapter
from core.records.model import Adapter, ReadProblem, Root, Source, Spine
from core.records.specstory import SpecStoryAdapter
from core.records.window import window
from tests.core.records.builders import OTHER, SID
from tests.core.records.stores import checked, listed, told

AMP, SPECSTORY = AmpAdapter(), SpecStoryAdapter()
T0 = 1_772_359_200_000
THREAD = f"T-{SID}"


def put(path: Path, value: object, indent: int | None = 2) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value, indent=indent), encoding="utf-8")
    return path


def about(adapter: Adapter, source: Source) -> Spine:
    spine = adapter.spine(source)
    assert isinstance(spine, Spine)
    return spine


AMP_THREAD = {
    "v": 3, "id": THREAD, "created": T0, "title": "Slow shop",
    "env": {"initial": {"trees": [{"uri": "file:///home/dev/my%20shop", "repository": {"ref": "refs/heads/main"}}]}},
    "messages": [
        {"role": "user", "messageId": 0, "content": [{"type": "text", "text": "Why slow?"}], "meta": {"sentAt": T0 + 1000}},
        {"role": "assistant", "messageId": 1, "usage": {"model": "m-1"}, "content": [
            {"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "Say \"cache\"\nand go."},
            {"type": "tool_use", "name": "Bash", "input": {"cmd": "ls"}}]},
        {"role": "user", "messageId": 2, "content": [
            {"type": "tool_result", "toolUseID": "t", "run": {"status": "done", "result": {"output": "a.py", "exitCode": 0}}}]},
        "odd", None,
    ],
}  # fmt: skip


def test_amp_tells_a_thread_with_the_lines_of_its_texts(tmp_path: Path) -> None:
    put(tmp_path / f"threads/{THREAD}.json", AMP_THREAD)
    put(tmp_path / "threads/notes.json", {})
    (thread,) = listed(AMP, tmp_path)
    turns = checked(AMP, thread)
    assert told(turns) == [
        ("person", "talk", "Why slow?"),
        ("assistant", "thinking", "hm"),
        ("assistant", "talk", 'Say "cache"\nand go.'),
        ("assistant", "call", "ls"),
        ("external", "result", "a.py"),
    ]
    spine = about(AMP, thread)
    assert (spine.session_id, spine.title, spine.project, spine.branch) == (
        THREAD,
        "Slow shop",
        "/home/dev/my shop",
        "main",
    )
    assert (spine.model, spine.started, spine.ended) == ("m-1", T0 / 1000, T0 / 1000 + 1)
    lines = Path(thread.path).read_text().split("\n")
    assert "Why slow?" in lines[turns[0].line - 1]
    assert len(window(AMP, thread, turns[1].line, turns[1].start, 1, 1)) == 3
    assert AMP.read(thread).mark.offset == 0


def test_a_thread_on_one_line_and_a_broken_one(tmp_path: Path) -> None:
    put(tmp_path / f"threads/{THREAD}.json", AMP_THREAD, indent=None)
    put(tmp_path / f"threads/T-{OTHER}.json", '{"messages": [')
    whole, broken = listed(AMP, tmp_path)
    assert {turn.line for turn in checked(AMP, whole)} == {1}
    assert isinstance(AMP.spine(broken), ReadProblem)
    for odd in ("[]", "{}", '{"messages": 3}', "", '{"messages": [{"content": [7, null]}], "env": []}'):
        put(Path(broken.path), odd)
        assert list(AMP.read(broken)) == []


# --- Cline and its kin

UI = [
    {"ts": T0, "type": "say", "say": "task", "text": "Why slow?"},
    {"ts": T0 + 1, "type": "say", "say": "api_req_started", "text": "{\"request\":\"<task>Why slow?</task>\"}"},
    {"ts": T0 + 2, "type": "say", "say": "reasoning", "text": "hm"},
    {"ts": T0 + 3, "type": "say", "say": "text", "text": "The cach", "partial": True},
    {"ts": T0 + 3, "type": "say", "say": "text", "text": "The cache."},
    {"ts": T0 + 4, "type": "say", "say": "tool", "text": "{\"tool\":\"readFile\",\"path\":\"a.py\"}"},
    {"ts": T0 + 5, "type": "say", "say": "command_output", "text": "ok"},
    {"ts": T0 + 6, "type": "ask", "ask": "followup", "text": "{\"question\":\"Which cache?\",\"options\":[]}"},
    {"ts": T0 + 7, "type": "say", "say": "user_feedback", "text": "The first."},
    {"ts": T0 + 8, "type": "say", "say": "completion_result", "text": "Done."}, 7,
]  # fmt: skip
TOLD = [
    ("person", "talk", "Why slow?"), ("assistant", "thinking", "hm"), ("assistant", "talk", "The cache."),
    ("assistant", "call", "readFile"), ("assistant", "call", "a.py"), ("external", "result", "ok"),
    ("assistant", "talk", "Which cache?"), ("person", "talk", "The first."), ("assistant", "talk", "Done."),
]  # fmt: skip


def test_cline_tells_a_task_as_the_editor_shows_it(tmp_path: Path) -> None:
    storage = tmp_path / ".config/Code - Insiders/User/globalStorage/saoudrizwan.claude-dev"
    put(storage / f"tasks/{T0}/ui_messages.json", UI)
    put(storage / f"tasks/{T0}/api_conversation_history.json", [])
    put(
        storage / "state/taskHistory.json",
        [{"id": str(T0), "cwdOnTaskInitialization": "/home/dev/shop", "modelId": "m-1"}],
    )
    adapter = ClineAdapter(CLINE)
    roots = adapter.roots({}, str(tmp_path))
    assert [root.path for root in roots] == [str(tmp_path / ".cline/data"), str(storage)]
    (task,) = listed(adapter, storage)
    assert told(checked(adapter, task)) == TOLD
    spine = about(adapter, task)
    assert (spine.session_id, spine.project, spine.model, spine.started) == (
        str(T0),
        "/home/dev/shop",
        "m-1",
        T0 / 1000,
    )
    assert [one.path for one in Archive.from_environment({}, str(tmp_path)).discover().sources] == [task.path]


def test_roo_and_kilo_read_the_same_form_elsewhere(tmp_path: Path) -> None:
    mac = tmp_path / "Library/Application Support/Cursor/User/globalStorage"
    first = {**UI[0], "say": "text"}  # type: ignore[dict-item]
    put(mac / f"rooveterinaryinc.roo-cline/tasks/{SID}/ui_messages.json", [first, *UI[1:]])
    put(mac / f"rooveterinaryinc.roo-cline/tasks/{SID}/history_item.json", {"workspace": "/home/dev/shop"})
    put(mac / f"kilocode.kilo-code/tasks/{OTHER}/api_conversation_history.json", [
        {"role": "user", "content": [
            {"type": "text", "text": "<task>\nWhy slow?\n</task>"},
            {"type": "text", "text": "<environment_details>\nnoon\n</environment_details>"}], "ts": T0},
        {"role": "assistant", "content": [{"type": "text", "text": "The cache."}]},
        {"role": "user", "content": [{"type": "text", "text": "[read_file for 'a.py'] Result:\nimport os"}]},
        {"role": "user", "content": "who said this"}])  # fmt: skip
    with sqlite3.connect(mac / "state.vscdb") as db:
        db.execute("create table ItemTable (key text unique, value blob)")
        tasks = {"taskHistory": [{"id": OTHER, "workspace": "/home/dev/kiln"}, 7]}
        db.execute("insert into ItemTable values ('kilocode.kilo-code', ?)", (json.dumps(tasks),))
    db.close()
    found = Archive.from_environment({}, str(tmp_path)).discover()
    assert [(one.runtime, one.session_id) for one in found.sources] == [("roo", SID), ("kilo", OTHER)]
    roo, kilo = ClineAdapter(ROO), ClineAdapter(KILO)
    assert told(checked(roo, found.sources[0])) == TOLD
    assert about(roo, found.sources[0]).project == "/home/dev/shop"
    assert about(kilo, found.sources[1]).project == "/home/dev/kiln"
    assert told(checked(kilo, found.sources[1])) == [
        ("person", "talk", "Why slow?"),
        ("injected", "notice", "<environment_details>\nnoon\n</environment_details>"),
        ("assistant", "talk", "The cache."),
        ("injected", "notice", "[read_file for 'a.py'] Result:\nimport os"),
        ("unknown", "talk", "who said this"),
    ]


# --- SpecStory

EXPORT = f"""<!-- Generated by SpecStory, Markdown v2.1.0 -->
<!-- Claude Code Session {SID} (2026-03-01 10:00:00Z) -->

# Slow shop

_**User (2026-03-01 10:00:05Z)**_

Why is it slow?

```md
## User
```

---

_**Agent (2026-03-01 10:00:09Z) (claude-test)**_

The cache
is cold.

---

_**Assistant**_

Done.
"""


def test_an_export_is_told_with_the_lines_of_its_headings(tmp_path: Path) -> None:
    path = put(tmp_path / "shop/.specstory/history/2026-03-01_10-00-slow.md", EXPORT)
    put(tmp_path / "shop/notes.md", EXPORT)
    put(tmp_path / "shop/node_modules/x/.specstory/history/a.md", EXPORT)
    (export,) = listed(SPECSTORY, tmp_path)
    assert export.path == f"{path}#talk"
    turns = checked(SPECSTORY, export)
    assert told(turns) == [
        ("person", "talk", "Why is it slow?\n\n```md\n## User\n```"),
        ("assistant", "talk", "The cache\nis cold."),
        ("assistant", "talk", "Done."),
    ]
    assert [turn.line for turn in turns] == [6, 16, 23]
    spine = about(SPECSTORY, export)
    assert (spine.session_id, spine.title, spine.project) == (SID, "Slow shop", str(tmp_path / "shop"))
    assert (spine.started, spine.ended) == (T0 / 1000, T0 / 1000 + 9)


def test_exports_are_looked_for_only_where_a_person_says(tmp_path: Path) -> None:
    put(tmp_path / "shop/.specstory/history/a.md", EXPORT)
    assert Archive.from_environment({}, str(tmp_path)).discover().sources == ()
    for place in ("", "shop", "shop/.specstory/history"):
        archive = Archive.from_environment({}, str(tmp_path), [str(tmp_path / place)], only_extra=True)
        assert [root.runtime for root in archive.roots] == ["specstory"]
        assert len(archive.discover().sources) == 1


def test_another_exporters_headings(tmp_path: Path) -> None:
    put(
        tmp_path / ".specstory/history/b.md",
        "# Day\n\n## User (02:56 UTC)\n\nGo on.\r\n\n## Assistant\n\nYes.\n**User:**\n",
    )
    (export,) = listed(SPECSTORY, tmp_path)
    assert told(checked(SPECSTORY, export)) == [("person", "talk", "Go on."), ("assistant", "talk", "Yes.")]
    assert [turn.at for turn in SPECSTORY.read(export)] == [None, None]
    assert SPECSTORY.roots({}, str(tmp_path)) == ()
    assert list(SPECSTORY.discover(Root("specstory", "/nowhere"))) == []
