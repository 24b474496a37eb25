"""Sessions of which only the prompts are left (formats.md 1a, A8)."""

from __future__ import annotations

import json
import os
from pathlib import Path

from core.records.archive import Archive
from core.records.model import Role, Source
from core.records.rawline import raw_line
from tests.core.records.builders import OTHER, SID, lines, meta, user
from tests.core.records.stores import checked, told

T0 = 1_772_359_200
GHOST = "77777777-2222-4333-8444-555555555555"


def put(path: Path, *records: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(lines(*records))
    return path


def row(
    words: str, session: str | None = None, after: int = 0, project: str = "/home/dev/shop", **more: object
) -> object:
    body: dict[str, object] = {
        "display": words,
        "pastedContents": {},
        "timestamp": (T0 + after) * 1000,
        "project": project,
    }
    return {**body, **({"sessionId": session} if session else {}), **more}


def ghosts(home: Path) -> tuple[Archive, dict[str, Source]]:
    archive = Archive.from_environment({}, str(home))
    found = archive.discover()
    assert found.problems == ()
    return archive, {one.session_id: one for one in found.sources if one.role is Role.GHOST}


def test_prompts_without_a_record_are_a_record_of_their_own(tmp_path: Path) -> None:
    root = tmp_path / ".claude"
    put(root / f"projects/-home-dev-shop/{SID}.jsonl", user("here"))
    history = put(
        root / "history.jsonl",
        row("here", SID),
        row("Why slow?", GHOST, 1, pastedContents={"1": {"id": 1, "type": "text", "content": "a long log"}}),
        b"{half\n",
        row("/model", GHOST, 2),
        row("/review the cache", GHOST, 3),
        row("/exit", OTHER, 4),
        row("Go on.", GHOST, 5),
    )
    archive, found = ghosts(tmp_path)
    assert set(found) == {GHOST}
    ghost = found[GHOST]
    assert ghost.path == f"{history}#{GHOST}"
    turns = checked(archive.adapter("claude"), ghost)
    assert told(turns) == [
        ("person", "talk", "Why slow?"),
        ("external", "result", "a long log"),
        ("injected", "notice", "/model"),
        ("injected", "notice", "/review"),
        ("person", "talk", "the cache"),
        ("person", "talk", "Go on."),
    ]
    assert [turn.line for turn in turns] == [2, 2, 4, 5, 5, 7]
    assert json.loads(raw_line(ghost.path, turns[-1].start))["display"] == "Go on."
    spine = archive.spine(ghost)
    assert (spine.session_id, spine.role, spine.project, spine.prompts) == (GHOST, Role.GHOST, "/home/dev/shop", 3)  # type: ignore[union-attr]
    assert (spine.started, spine.ended, spine.named()) == (T0 + 1, T0 + 5, "Why slow?")  # type: ignore[union-attr]
    assert [turn.text for turn in archive.window(ghost, 5, turns[4].start, 1, 1)] == [
        "/model",
        "/review",
        "the cache",
        "Go on.",
    ]


def test_codex_leaves_ghosts_too(tmp_path: Path) -> None:
    root = tmp_path / ".codex"
    put(root / f"sessions/2026/03/01/rollout-2026-03-01T10-00-00-{SID}.jsonl", meta())
    put(
        root / "history.jsonl",
        {"session_id": SID, "ts": T0, "text": "here"},
        {"session_id": GHOST, "ts": T0 + 1, "text": "Why slow?"},
    )
    archive, found = ghosts(tmp_path)
    assert set(found) == {GHOST}
    assert told(checked(archive.adapter("codex"), found[GHOST])) == [("person", "talk", "Why slow?")]


def test_rows_without_a_session_are_gathered_by_project_and_day(tmp_path: Path) -> None:
    root = tmp_path / ".claude"
    record = put(root / f"projects/-home-dev-shop/{SID}.jsonl", user("here", timestamp="2026-03-01T10:00:00Z"))
    os.utime(record, (T0 + 100, T0 + 100))
    put(
        root / "history.jsonl",
        row("in the record", after=50),
        row("long before", after=-86400),
        row("the same day", after=-86000),
        row("elsewhere", project="/home/dev/other"),
        {"display": "nowhere", "timestamp": T0 * 1000},
    )
    archive, found = ghosts(tmp_path)
    assert set(found) == {"-home-dev-shop@2026-02-28", "-home-dev-other@2026-03-01"}
    told_ = told(checked(archive.adapter("claude"), found["-home-dev-shop@2026-02-28"]))
    assert [words for _, _, words in told_] == ["long before", "the same day"]


def test_a_new_prompt_changes_its_own_session_alone(tmp_path: Path) -> None:
    history = tmp_path / ".claude/history.jsonl"
    put(history, row("one", SID), row("two", GHOST))
    _, before = ghosts(tmp_path)
    put(history, row("one", SID), row("two", GHOST), row("three", GHOST, 9))
    archive, after = ghosts(tmp_path)
    assert before[SID] == after[SID]
    assert before[GHOST] != after[GHOST]
    os.remove(history)
    assert list(archive.read(after[GHOST])) == []
    assert archive.at(after[GHOST], 1, 0) == ()
