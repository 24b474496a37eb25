"""OpenCode and Crush: databases that are read without touching them (formats.md 1c, D)."""

from __future__ import annotations

import errno
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from core.records.archive import Archive
from core.records.crush import CrushAdapter
from core.records.model import ReadProblem, Role, Root, Spine
from core.records.opencode import OpenCodeAdapter
from core.records.window import window
from tests.core.records.builders import OTHER, SID
from tests.core.records.stores import (
    T0,
    checked,
    crush,
    files_of,
    listed,
    message,
    opencode,
    said_by,
    session,
    text,
    told,
)

OPENCODE, CRUSH = OpenCodeAdapter(), CrushAdapter()


def put(path: Path, value: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    return path


def full(folder: Path, mode: str = "wal") -> sqlite3.Connection:
    """A session with every kind of part, and a child of it."""
    db = opencode(folder, mode)
    session(db, "ses_aaaaaaaa")
    session(db, "ses_bbbbbbbb", "ses_aaaaaaaa", "Look around (@general subagent)")
    message(
        db, "msg_1", "ses_aaaaaaaa", said_by("user"), text("Why is it slow?"), text("Called the tool", synthetic=True)
    )
    message(
        db, "msg_2", "ses_aaaaaaaa", said_by("assistant", modelID="m-1", path={"cwd": "/home/dev/shop/api"}),
        {"type": "step-start"}, {"type": "reasoning", "text": "hm"},
        {"type": "tool", "tool": "bash", "state": {"status": "completed", "input": {"command": "ls"}, "output": "a.py"}},
        text("The cache is cold."),
    )  # fmt: skip
    message(db, "msg_3", "ses_aaaaaaaa", said_by("assistant", summary=True), text("So far: the cache."))
    message(db, "msg_4", "ses_aaaaaaaa", said_by("assistant", error={"name": "E", "data": {"message": "Overloaded"}}))
    message(db, "msg_5", "ses_bbbbbbbb", said_by("user"), text("Find the cache."))
    return db


def test_sessions_are_told_from_the_database_and_its_log(tmp_path: Path) -> None:
    db = full(tmp_path)
    before = files_of(tmp_path)
    main, child = listed(OPENCODE, tmp_path)
    assert told(checked(OPENCODE, main)) == [
        ("person", "talk", "Why is it slow?"),
        ("injected", "notice", "Called the tool"),
        ("assistant", "thinking", "hm"),
        ("assistant", "call", "ls"),
        ("external", "result", "a.py"),
        ("assistant", "talk", "The cache is cold."),
        ("injected", "summary", "So far: the cache."),
        ("injected", "notice", "Overloaded"),
    ]
    assert [turn.line for turn in OPENCODE.read(main)] == [1, 1, 2, 2, 2, 2, 3, 4]
    spine = OPENCODE.spine(main)
    assert isinstance(spine, Spine)
    assert (spine.session_id, spine.title, spine.project, spine.model, spine.version) == (
        "ses_aaaaaaaa", "A title", "/home/dev/shop", "m-1", "1.2.0",
    )  # fmt: skip
    assert (spine.cwds[1], spine.started, spine.prompts, spine.first_uid) == (
        "/home/dev/shop/api",
        T0 / 1000,
        1,
        "msg_1",
    )
    assert told(checked(OPENCODE, child)) == [("peer", "talk", "Find the cache.")]
    assert (child.role, child.parent_id) == (Role.SUBAGENT, "ses_aaaaaaaa")
    under = OPENCODE.spine(child)
    assert isinstance(under, Spine)
    assert (under.role, under.parent_id, under.agent) == (Role.SUBAGENT, "ses_aaaaaaaa", "general")
    after = files_of(tmp_path)
    index = str(tmp_path / "opencode.db-shm")  # shared with the writer of this very process
    assert {path: body for path, body in after.items() if path != index} == {
        path: body for path, body in before.items() if path != index
    }
    db.close()


_WRITER = """
import sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("insert into session (id, title) values ('ses_eeeeeeee', 'Newest')")
print("ready", flush=True)
sys.stdin.read()
"""


def test_nothing_is_written_beside_the_database_of_a_living_program(tmp_path: Path) -> None:
    full(tmp_path).close()
    argv = [sys.executable, "-c", _WRITER, str(tmp_path / "opencode.db")]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == b"ready\n"
        before = files_of(tmp_path)
        assert len(before) == 3
        found = listed(OPENCODE, tmp_path)
        assert [one.session_id for one in found] == ["ses_aaaaaaaa", "ses_bbbbbbbb", "ses_eeeeeeee"]
        assert len(checked(OPENCODE, found[0])) == 8
        assert files_of(tmp_path) == before
        writer.communicate()


@pytest.mark.parametrize("mode", ["wal", "delete"])
def test_a_database_that_is_being_written_is_listed_at_once(tmp_path: Path, mode: str) -> None:
    db = full(tmp_path, mode)
    db.execute("begin exclusive")
    db.execute("delete from session")
    assert [source.session_id for source in listed(OPENCODE, tmp_path)] == ["ses_aaaaaaaa", "ses_bbbbbbbb"]
    assert OPENCODE.read(listed(OPENCODE, tmp_path)[0]).problems == ()
    db.execute("rollback")
    db.close()


def test_a_log_without_its_index_is_read_and_nothing_is_left_behind(tmp_path: Path) -> None:
    db = full(tmp_path / "live")
    here = tmp_path / "kept"
    here.mkdir()
    for ending in ("", "-wal"):
        shutil.copy(tmp_path / "live" / f"opencode.db{ending}", here)
    db.close()
    before = files_of(here)
    main, _ = listed(OPENCODE, here)
    assert len(checked(OPENCODE, main)) == 8
    assert files_of(here) == before


def test_a_closed_database_is_read_without_making_a_log(tmp_path: Path) -> None:
    full(tmp_path).close()
    before = files_of(tmp_path)
    assert [Path(path).name for path in before] == ["opencode.db"]
    assert len(listed(OPENCODE, tmp_path)) == 2
    assert files_of(tmp_path) == before


def test_what_is_no_database_is_a_problem_and_hides_nothing_else(tmp_path: Path) -> None:
    put(tmp_path / "data/opencode.db", "SQLite format 3\0 and nothing more")
    put(tmp_path / "data/opencode-dev.db", "")
    put(tmp_path / "data/storage/session/p/ses_cccccccc.json", {"id": "ses_cccccccc", "title": "Old"})
    found = list(OPENCODE.discover(Root("opencode", str(tmp_path / "data"))))
    problems = [one for one in found if isinstance(one, ReadProblem)]
    assert len(problems) == 2
    assert all("could not be listed" in one.what and one.hint for one in problems)
    assert [one.session_id for one in found if not isinstance(one, ReadProblem)] == ["ses_cccccccc"]


def test_a_session_that_left_the_database_is_a_problem_of_its_own(tmp_path: Path) -> None:
    db = full(tmp_path)
    main, _ = listed(OPENCODE, tmp_path)
    db.execute("delete from session")
    db.execute("delete from message")
    assert list(OPENCODE.read(main)) == []
    db.close()
    os.remove(tmp_path / "opencode.db")
    reading = OPENCODE.read(main)
    assert list(reading) == []
    assert "could not be read" in reading.problems[0].what
    assert isinstance(OPENCODE.spine(main), ReadProblem)
    assert OPENCODE.at(main, 1, 0) == ()


def test_a_changed_part_changes_the_signature_of_its_session_alone(tmp_path: Path) -> None:
    db = full(tmp_path)
    before = {one.session_id: (one.size, one.mtime_ns) for one in listed(OPENCODE, tmp_path)}
    db.execute("update part set data = ?, time_updated = ? where id = 'prt_5_0'", (json.dumps(text("Else")), T0 + 99))
    after = {one.session_id: (one.size, one.mtime_ns) for one in listed(OPENCODE, tmp_path)}
    assert before["ses_aaaaaaaa"] == after["ses_aaaaaaaa"]
    assert before["ses_bbbbbbbb"] != after["ses_bbbbbbbb"]
    child = listed(OPENCODE, tmp_path)[1]
    assert told(list(OPENCODE.read(child))) == [("peer", "talk", "Else")]
    db.close()


def test_odd_rows_hide_no_other(tmp_path: Path) -> None:
    db = opencode(tmp_path)
    session(db, "ses_odd/../#1")
    message(db, "msg_1", "ses_odd/../#1", "{broken", text("kept"))
    message(db, "msg_2", "ses_odd/../#1", said_by("user"), "nonsense", text("also kept"), "[1]", "null")
    message(db, "msg_3", "ses_odd/../#1", "7", text("lost its message"))
    db.execute("insert into message values ('msg_4', 'ses_odd/../#1', null, null, null)")
    (source,) = listed(OPENCODE, tmp_path)
    assert source.session_id == "ses_odd/../#1"
    assert os.path.dirname(source.path) == str(tmp_path)
    assert ("person", "talk", "also kept") in told(checked(OPENCODE, source))
    db.close()


def test_a_database_of_another_shape_has_no_sessions(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "opencode.db") as db:
        db.execute("create table session (id text)")
        db.execute("insert into session values ('ses_1'), (null)")
    assert {one.session_id for one in listed(OPENCODE, tmp_path)} == {"ses_1", "None"}
    for one in listed(OPENCODE, tmp_path):
        assert list(OPENCODE.read(one)) == []


def test_the_older_files_are_told_like_rows(tmp_path: Path) -> None:
    own = "ses_dddddddd"
    store = tmp_path / "storage"
    about = {
        "id": own,
        "directory": "/home/dev/shop",
        "title": "Old one",
        "slug": "calm-fox",
        "time": {"created": T0, "updated": T0},
    }
    put(store / f"session/proj/{own}.json", about)
    put(store / f"message/{own}/msg_b.json", said_by("assistant", time={"created": T0 + 5}))
    put(store / f"message/{own}/msg_a.json", said_by("user"))
    put(store / f"message/{own}/msg_c.json", "{half")
    put(store / "part/msg_a/prt_1.json", text("Old question"))
    put(store / "part/msg_b/prt_1.json", text("Old answer"))
    (source,) = listed(OPENCODE, tmp_path)
    assert told(checked(OPENCODE, source)) == [("person", "talk", "Old question"), ("assistant", "talk", "Old answer")]
    put(store / "part/msg_b/prt_1.json", text("Another answer"))
    assert told(checked(OPENCODE, source))[1] == ("assistant", "talk", "Another answer")
    assert OPENCODE.spine(source).slug == "calm-fox"  # type: ignore[union-attr]
    assert OPENCODE.spine(source).title == "Old one"  # type: ignore[union-attr]
    db = opencode(tmp_path)
    session(db, own)
    assert [one.path.endswith(f"opencode.db#{own}") for one in listed(OPENCODE, tmp_path)] == [True]
    db.close()


def test_a_viewer_sees_the_messages_around_a_row(tmp_path: Path) -> None:
    db = full(tmp_path)
    main, _ = listed(OPENCODE, tmp_path)
    turns = list(OPENCODE.read(main))
    around = window(OPENCODE, main, 2, turns[2].start, 1, 1)
    assert {turn.line for turn in around} == {1, 2, 3}
    db.close()


def test_roots_of_the_databases(tmp_path: Path) -> None:
    home = str(tmp_path)
    assert OPENCODE.roots({}, home) == (Root("opencode", f"{home}/.local/share/opencode"),)
    assert OPENCODE.roots({"XDG_DATA_HOME": "/x"}, home)[0].path == "/x/opencode"
    assert OPENCODE.roots({"OPENCODE_DATA_DIR": "/d"}, home) == (Root("opencode", "/d", "OPENCODE_DATA_DIR"),)
    assert CRUSH.roots({"CRUSH_GLOBAL_DATA": "/d"}, home) == (Root("crush", "/d", "CRUSH_GLOBAL_DATA"),)
    full(tmp_path / ".local/share/opencode").close()
    archive = Archive.from_environment({}, home)
    assert [one.runtime for one in archive.discover().sources] == ["opencode", "opencode"]
    named = Archive.from_environment({}, home, [str(tmp_path / ".local/share/opencode")], only_extra=True)
    assert [root.runtime for root in named.roots] == ["opencode"]


# --- Crush


def rows(folder: Path) -> sqlite3.Connection:
    db = crush(folder)
    db.execute("insert into sessions values (?, null, 'Slow shop', 3, ?, ?)", (SID, T0 // 1000, T0 // 1000))
    db.execute("insert into sessions values (?, ?, 'agent', 1, ?, ?)", (OTHER, SID, T0 // 1000, T0 // 1000))
    parts = [
        ("m1", SID, "user", [{"type": "text", "data": {"text": "Why is it slow?"}}]),
        ("m2", SID, "assistant", [
            {"type": "reasoning", "data": {"thinking": "hm"}}, {"type": "text", "data": {"text": "Let me look."}},
            {"type": "tool_call", "data": {"id": "c", "name": "bash", "input": "{\"command\":\"ls -l\"}"}},
            {"type": "finish", "data": {"reason": "tool_use"}}]),
        ("m3", SID, "tool", [{"type": "tool_result", "data": {"tool_call_id": "c", "name": "bash", "content": "a.py"}}]),
        ("m4", OTHER, "user", [{"type": "text", "data": {"text": "Look."}}]),
    ]  # fmt: skip
    for number, (own, session_id, role, body) in enumerate(parts):
        values = (own, session_id, role, json.dumps(body), "m-1", T0 // 1000 + number, T0 // 1000 + number)
        db.execute("insert into messages values (?, ?, ?, ?, ?, ?, ?, null)", values)
    return db


def test_crush_is_found_through_its_projects(tmp_path: Path) -> None:
    db = rows(tmp_path / "shop/.crush")
    put(tmp_path / "data/projects.json", {"projects": [
        {"path": str(tmp_path / "shop"), "data_dir": ".crush"}, {"path": "/gone", "data_dir": "/gone/.crush"}, 7,
        {"path": 3}]})  # fmt: skip
    main, child = sorted(listed(CRUSH, tmp_path / "data"), key=lambda one: one.session_id)
    assert told(checked(CRUSH, main)) == [
        ("person", "talk", "Why is it slow?"),
        ("assistant", "thinking", "hm"),
        ("assistant", "talk", "Let me look."),
        ("assistant", "call", "ls -l"),
        ("external", "result", "a.py"),
    ]
    spine = CRUSH.spine(main)
    assert isinstance(spine, Spine)
    assert (spine.title, spine.project, spine.model) == ("Slow shop", str(tmp_path / "shop"), "m-1")
    assert (child.role, child.parent_id) == (Role.SUBAGENT, SID)
    assert told(checked(CRUSH, child)) == [("peer", "talk", "Look.")]
    db.close()


def test_an_edit_in_the_same_second_is_seen(tmp_path: Path) -> None:
    db = rows(tmp_path)
    before = {one.session_id: one for one in listed(CRUSH, tmp_path)}
    db.execute("update messages set parts = replace(parts, 'Look.', 'Stop.') where id = 'm4'")
    after = {one.session_id: one for one in listed(CRUSH, tmp_path)}
    assert before[SID] == after[SID]
    assert before[OTHER] != after[OTHER]
    assert replace(before[OTHER], mtime_ns=0) == replace(after[OTHER], mtime_ns=0)
    db.close()


def test_broken_parts_of_crush_are_shown_as_they_are(tmp_path: Path) -> None:
    db = rows(tmp_path)
    db.execute("update messages set parts = '[{half' where id = 'm1'")
    db.execute("update messages set parts = null where id = 'm3'")
    main = next(one for one in listed(CRUSH, tmp_path) if one.session_id == SID)
    assert told(checked(CRUSH, main))[0] == ("unknown", "notice", "[{half")
    db.close()


def test_a_database_that_may_not_be_read_is_a_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Refused as the system refuses it, so that the test holds for root too, who may read everything."""
    full(tmp_path).close()

    def refused(path: object, *_: object, **__: object) -> object:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))

    def unopened(*_: object, **__: object) -> object:
        raise sqlite3.OperationalError("unable to open database file")

    monkeypatch.setattr("core.records.databases.open", refused, raising=False)
    monkeypatch.setattr("core.records.databases.sqlite3.connect", unopened)
    monkeypatch.setattr("core.records.databases.shutil.copyfile", refused, raising=False)
    (problem,) = OPENCODE.discover(Root("opencode", str(tmp_path)))
    assert isinstance(problem, ReadProblem)
    assert "permission denied" in problem.what.lower()
