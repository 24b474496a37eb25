"""An idle refresh asks after what it looked at the last time, and lists nothing; any change makes it list."""

from __future__ import annotations

import errno
import json
import os
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from core.ports import IndexCondition
from core.records import looks
from core.records.archive import Archive
from core.records.history_files import HistoryFiles
from core.records.model import ReadProblem, Source
from indexes.home import LISTING, LOOK, PRESENT, IndexHome
from indexes.whoosh_index import WhooshIndex
from tests.indexes.asking import exactly

OLD = 1_700_000_000


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(looks, "YOUNG_NS", 0)
    for name in ("a", "b"):
        _record(tmp_path / "home", name, f"the word of {name}")
    _old(tmp_path / "home")
    return tmp_path / "home"


LISTED = os.scandir


def _record(home: Path, name: str, text: str, folder: str = ".claude/projects/work") -> Path:
    path = home / folder / f"{name}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    row = {
        "type": "user", "uuid": name, "sessionId": name, "timestamp": "2026-01-02T03:04:05Z", "cwd": "/nowhere",
        "message": {"role": "user", "content": text},
    }  # fmt: skip
    path.write_text(json.dumps(row) + "\n", "utf-8")
    return path


def _old(home: Path) -> None:
    """All folders as of long ago, so that a change shows on the coarsest clock."""
    for folder, _, _ in os.walk(home):
        os.utime(folder, (OLD, OLD))


def _index(home: Path) -> WhooshIndex:
    return WhooshIndex(home.parent / "index", Archive.from_environment({}, str(home)))


def _refuse(folder: Any = ".") -> Any:
    """`os.scandir` for everything but the index's own folder, which newer versions of `pathlib` list with it."""
    assert "index" in Path(os.fspath(folder)).parts, "a folder was listed"
    return LISTED(folder)


def test_an_idle_refresh_lists_nothing(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _index(home).refresh().added == 2
    monkeypatch.setattr("core.records.walk.os.scandir", _refuse)
    done = _index(home).refresh()
    assert (done.added, done.unchanged, done.pending) == (0, 2, 0)
    assert done.state == _index(home).state()


def _grow(path: Path, text: str) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(path.read_text("utf-8").splitlines()[0].replace("the word of", text) + "\n")


def test_records_that_grew_are_read_on_and_nothing_is_listed(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    index, fresh = _index(home), WhooshIndex(home.parent / "fresh", Archive.from_environment({}, str(home)))
    index.refresh()
    for turn in range(3):
        _grow(home / ".claude/projects/work/a.jsonl", f"zebra number{turn} of")
        with monkeypatch.context() as patch:
            patch.setattr("core.records.walk.os.scandir", _refuse)
            done = _index(home).refresh()
        assert (done.grown, done.replaced, done.unchanged, done.pending) == (1, 0, 1, 0)
        assert done.state == _index(home).state()
        assert _index(home).refresh().grown == 0
    fresh.refresh(rebuild=True)
    for words in ("zebra", "word", "number2", "a"):
        assert exactly(_index(home), words) == exactly(fresh, words)


def test_a_record_that_was_written_anew_is_read_anew(home: Path) -> None:
    _index(home).refresh()
    path = _record(home, "a", "something else entirely")
    os.utime(path, (OLD, OLD))
    done = _index(home).refresh()
    assert (done.grown, done.replaced, done.unchanged) == (0, 1, 1)
    assert [len(exactly(_index(home), words)) for words in ("something", "word")] == [1, 1]


def test_a_history_of_prompts_that_was_written_to_makes_it_list(home: Path) -> None:
    history = home / ".claude/history.jsonl"
    history.write_text('{"display": "hello there", "sessionId": "a", "timestamp": 1700000000000}\n', "utf-8")
    _old(home)
    assert _index(home).refresh().added == 2
    with history.open("a", encoding="utf-8") as file:
        file.write('{"display": "a lost prompt", "sessionId": "lost", "timestamp": 1700000000000}\n')
    _grow(home / ".claude/projects/work/a.jsonl", "zebra of")
    done = _index(home).refresh()
    assert (done.added, done.grown) == (1, 1)


def test_a_disk_that_takes_the_index_and_no_more_leaves_it_whole(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What can be found out again is not kept, and everything is listed the next time."""

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(IndexHome, "keep", full)
        done = _index(home).refresh()
    assert (done.added, done.stopped, done.message) == (2, False, "")
    assert _index(home).state().condition is IndexCondition.CURRENT
    assert (_index(home).refresh().unchanged, _index(home).refresh().unchanged) == (2, 2)


def test_a_history_of_prompts_that_was_written_to_makes_the_index_stale(home: Path) -> None:
    """It names a session that has no record: nothing that is known has changed."""
    history = home / ".claude/history.jsonl"
    history.write_text('{"display": "hello there", "sessionId": "a", "timestamp": 1700000000000}\n', "utf-8")
    _old(home)
    _index(home).refresh()
    assert _index(home).state().condition is IndexCondition.CURRENT
    with history.open("a", encoding="utf-8") as file:
        file.write('{"display": "a kumquat", "sessionId": "gone", "timestamp": 1700000000000}\n')
    assert _index(home).state().condition is IndexCondition.STALE
    _index(home).refresh()
    assert _index(home).state().condition is IndexCondition.CURRENT


def test_growth_beside_prompts_that_name_no_session_makes_it_list(home: Path) -> None:
    """Such prompts belong to the session of their project and time, and growth changes the time."""
    path = _record(home, "w", "the word of that time", ".claude/projects/-work")
    os.utime(path, (1_767_323_200, 1_767_323_200))  # 2026-01-02, minutes after its first line
    prompt = {"display": "an old prompt", "project": "/work", "timestamp": 1_767_409_600_000}
    (home / ".claude/history.jsonl").write_text(json.dumps(prompt) + "\n", "utf-8")
    _old(home)
    assert _index(home).refresh().added == 4
    _grow(path, "zebra of")
    done = _index(home).refresh()
    assert (done.grown, done.gone) == (1, 1)


def test_a_project_that_growth_names_is_looked_at(home: Path, tmp_path: Path) -> None:
    def index() -> WhooshIndex:
        history = HistoryFiles(str(tmp_path / "history"), 10)
        return WhooshIndex(home.parent / "index", Archive.from_environment({}, str(home), history=history))

    index().refresh()
    note = tmp_path / "project/docs/adr/0001-rule.md"
    note.parent.mkdir(parents=True)
    note.write_text("# A rule\n\nThe giraffe rule.\n", "utf-8")
    path = home / ".claude/projects/work/a.jsonl"
    row = json.loads(path.read_text("utf-8")) | {"cwd": str(tmp_path / "project"), "uuid": "a2"}
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(row) + "\n")
    done = index().refresh()
    assert (done.grown, done.added) == (1, 1)
    assert len(exactly(index(), "giraffe")) == 1


def test_what_came_and_went_is_seen(home: Path) -> None:
    _index(home).refresh()
    third = _record(home, "c", "a third word")
    assert _index(home).refresh().added == 1
    third.unlink()
    assert _index(home).refresh().gone == 1
    assert _index(home).refresh().unchanged == 2
    other = _record(home, "p", "one of another runtime", ".pi/agent/sessions/--work--")
    assert _index(home).refresh().added == 1
    other.unlink()
    assert _index(home).refresh().gone == 1


def test_a_refresh_that_was_stopped_vouches_for_nothing(home: Path) -> None:
    _index(home).refresh()
    _record(home, "c", "a third word")
    stopped = _index(home).refresh(progress=lambda _: False)
    assert stopped.pending == 1
    assert _index(home).refresh().added == 1


def test_a_look_without_its_catalog_is_not_read(home: Path) -> None:
    """A refresh that was killed between the two files leaves a look that the catalog does not know."""
    _index(home).refresh()
    folder = IndexHome(home.parent / "index")
    kept = (folder.path / "look").read_bytes()
    folder.keep(LOOK, 1, kept[8:])
    _record(home, "c", "a third word")
    assert _index(home).refresh().added == 1
    assert folder.kept(LOOK, 0) == b""


def _kept(home: Path, seconds: float = 0.0) -> tuple[Source, ...] | None:
    found = _index(home).listed(seconds)
    return None if found is None else found.sources


def _prompted(home: Path, text: str) -> None:
    """A session that is known by its line in the history of prompts alone: a part of a file."""
    row = {"display": text, "timestamp": 1_760_000_000_000, "project": "/nowhere", "sessionId": "ghost-1"}
    with (home / ".claude/history.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps(row) + "\n")


def test_a_listing_is_kept_beside_its_look(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _record(home, "agent-x", "a part", ".claude/projects/work/a/subagents")
    output = home / ".claude/projects/work/a/tool-results/x.txt"
    output.parent.mkdir(parents=True)
    output.write_text("output", "utf-8")
    _record(home, "rollout-2026-01-02T03-04-05-c", "codex", ".codex/archived_sessions")
    _prompted(home, "a session without a record")
    _old(home)
    _index(home).refresh()
    expected = Archive.from_environment({}, str(home)).discover().sources
    assert any("#" in source.path for source in expected)
    assert any(source.outputs for source in expected)
    _grow(home / ".claude/projects/work/b.jsonl", "more of")
    grown = Archive.from_environment({}, str(home)).discover().sources
    assert grown != expected
    monkeypatch.setattr("core.records.walk.os.scandir", _refuse)
    assert _kept(home) == grown
    _index(home).refresh()
    assert _kept(home) == grown


def test_a_listing_that_does_not_go_with_what_is_there_is_none(home: Path) -> None:
    _prompted(home, "a session without a record")
    _old(home)
    _index(home).refresh()
    listing = home.parent / "index" / LISTING
    kept = listing.read_bytes()
    for cut in (b"", kept[:8], kept[:40], kept[:-60], kept[:8] + b"\xff" + kept[9:]):
        listing.write_bytes(cut)
        assert _kept(home) is None
    listing.write_bytes(kept)
    assert _kept(home) is not None
    _prompted(home, "one more")
    assert _kept(home) is None
    _index(home).refresh()
    assert _kept(home) == Archive.from_environment({}, str(home)).discover().sources
    _record(home, "new", "one more record")
    assert _kept(home) is None


def test_what_cannot_be_listed_beside_is_said_where_nothing_is_listed(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trouble = ReadProblem("/project", None, "Its history cannot be read.")
    monkeypatch.setattr(Archive, "_beside", lambda self, projects, seen: seen.problems.append(trouble))
    index = _index(home)
    index.refresh()
    index.refresh()
    monkeypatch.setattr("core.records.walk.os.scandir", _refuse)
    for seconds in (60.0, 0.0):
        found = index.listed(seconds)
        assert found is not None
        assert found.problems == (trouble,)


def test_what_was_looked_at_a_moment_ago_is_not_looked_at_again(home: Path) -> None:
    index = _index(home)
    index.refresh()
    index.refresh()
    found = index.listed(60.0)
    assert found is not None
    _record(home, "new", "one more record")
    assert index.listed(60.0) == found
    assert index.listed(0.0) is None


def _loses(home: Path, command: str) -> None:
    """Let the catalog lose a row without a word: what it says beside the row stays."""
    with sqlite3.connect(home.parent / "index/catalog.sqlite") as catalog:
        assert catalog.execute(command).rowcount == 1
    catalog.close()


@pytest.mark.parametrize("kept", [True, False])
def test_a_row_that_was_lost_is_missed(home: Path, kept: bool) -> None:
    """The numbers of records are kept, but the rows are counted where they stand."""
    _index(home).refresh()
    assert _index(home).refresh().unchanged == 2
    numbers = home.parent / "index" / PRESENT
    assert numbers.exists()
    if not kept:
        numbers.unlink()
    _loses(home, "delete from records where session_id = 'a'")
    assert _index(home).refresh().added >= 1
    assert [len(exactly(_index(home), words)) for words in ("word", "a")] == [2, 1]


def test_numbers_that_are_garbled_are_counted_anew(home: Path) -> None:
    _index(home).refresh()
    numbers = home.parent / "index" / PRESENT
    for step in range(4):
        assert _index(home).refresh().unchanged == 2
        whole = numbers.read_bytes()
        for harm in (b"", whole[:8], whole[:-1], whole[:8] + b"[1]", whole[:8] + b'[2, [["claude", 3]]]'):
            numbers.write_bytes(harm)
            assert _index(home).refresh().unchanged == 2
        numbers.write_bytes(whole[:8] + b'[5, [["claude", "/nowhere", 5]]]')  # told apart by the rows themselves
        assert _index(home).refresh().unchanged == 2
        assert _index(home).refresh().unchanged == 2
        assert numbers.read_bytes() == whole
        _grow(home / ".claude/projects/work/a.jsonl", f"number{step} of")
        assert _index(home).refresh().grown == 1
