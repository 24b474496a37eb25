"""A look that was kept vouches for nothing that changed (core/records/looks.py)."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.records import looks
from core.records.archive import Archive

OLD = 1_700_000_000


@pytest.fixture(autouse=True)
def no_folder_is_young(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looks, "YOUNG_NS", 0)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Two runtimes, a folder that is a link, a link that leads nowhere, and an empty folder; all of it long ago."""
    home = tmp_path / "home"
    for name in ("work/a", "work/b", "other/c", "work/a/subagents/agent-1"):
        _write(home / ".claude/projects" / f"{name}.jsonl", "{}\n")
    (home / ".claude/projects/empty").mkdir()
    _write(home / ".claude/history.jsonl", '{"display": "hello", "sessionId": "lost", "timestamp": 1700000000000}\n')
    _write(home / ".codex/sessions/2025/01/02/rollout-2025-01-02T00-00-00-x.jsonl", "{}\n")
    _write(tmp_path / "far/d.jsonl", "{}\n")
    (home / ".claude/projects/linked").symlink_to(tmp_path / "far")
    (home / ".claude/projects/nowhere").symlink_to(tmp_path / "later")
    for folder, _, _ in os.walk(tmp_path):
        os.utime(folder, (OLD, OLD))
    return home


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    os.utime(path, (OLD, OLD))


@pytest.fixture(params=["by short names", "by whole paths", "where the folder may not be opened"])
def asked(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The ways in which a look asks after files."""
    if request.param == "by whole paths":
        monkeypatch.setattr(os, "supports_dir_fd", set())
    elif request.param == "where the folder may not be opened":
        monkeypatch.setattr(looks, "_OPEN", os.O_RDONLY | os.O_CREAT | os.O_EXCL)


def _archive(home: Path) -> Archive:
    return Archive.from_environment({}, str(home))


@pytest.mark.usefixtures("asked")
def test_nothing_changed(home: Path) -> None:
    found = _archive(home).discover(looking=True)
    assert len(found.sources) == 7
    rest = _archive(home).rest((), found.look)
    assert rest is not None
    assert rest.sources == ()
    assert {(runtime, Path(path).name) for runtime, path in rest.same_roots} == {
        ("claude", ".claude"),
        ("codex", ".codex"),
    }


def test_what_the_look_does_not_cover_is_listed(home: Path) -> None:
    found = _archive(home).discover(looking=True)
    _write(home / ".pi/agent/sessions/--work--/2025-01-01_s.jsonl", "{}\n")
    rest = _archive(home).rest((), found.look)
    assert rest is not None
    assert [source.runtime for source in rest.sources] == ["pi"]


def _grown(home: Path) -> None:
    path = home / ".claude/projects/work/a.jsonl"
    path.write_text("{}\n{}\n", "utf-8")
    os.utime(path, (OLD, OLD))


def _same_size(home: Path) -> None:
    (home / ".claude/projects/work/a.jsonl").write_text("[]\n", "utf-8")


def _retargeted(home: Path) -> None:
    _write(home.parent / "elsewhere/e.jsonl", "{}\n")
    (home / ".claude/projects/linked").unlink()
    (home / ".claude/projects/linked").symlink_to(home.parent / "elsewhere")
    os.utime(home / ".claude/projects", (OLD, OLD))


def _replaced(home: Path) -> None:
    """Another folder with the same names and times in the place of one."""
    folder = home / ".claude/projects/other"
    shutil.copytree(folder, home.parent / "copy")
    shutil.rmtree(folder)
    (home.parent / "copy").rename(folder)
    for place in (folder, folder.parent):
        os.utime(place, (OLD, OLD))


CHANGES: dict[str, Callable[[Path], object]] = {
    "a new record": lambda home: (home / ".claude/projects/work/new.jsonl").write_text("{}\n"),
    "a new record in an empty folder": lambda home: (home / ".claude/projects/empty/new.jsonl").write_text("{}\n"),
    "a new folder": lambda home: (home / ".claude/projects/fresh").mkdir(),
    "a record gone": lambda home: (home / ".claude/projects/work/b.jsonl").unlink(),
    "a folder gone": lambda home: shutil.rmtree(home / ".codex/sessions/2025"),
    "a root gone": lambda home: shutil.rmtree(home / ".codex"),
    "a folder that was not there": lambda home: (home / ".codex/archived_sessions").mkdir(),
    "a history that was not there": lambda home: (home / ".codex/history.jsonl").write_text("{}\n"),
    "a root that was not there": lambda home: _write(home / ".config/claude/projects/p/s.jsonl", "{}\n"),
    "a new record behind a link": lambda home: (home.parent / "far/new.jsonl").write_text("{}\n"),
    "a link that leads somewhere now": lambda home: (home.parent / "later").mkdir(),
    "a link that leads elsewhere": _retargeted,
    "a folder replaced by its like": _replaced,
    "a folder in the place of a record": lambda home: (
        (home / ".claude/projects/work/a.jsonl").unlink() or (home / ".claude/projects/work/a.jsonl").mkdir()
    ),
    "a record that cannot be asked for": lambda home: (home / ".claude/projects/work").rename(home / "away"),
}


WRITTEN: dict[str, tuple[Callable[[Path], object], str]] = {
    "a record grew": (_grown, ".claude/projects/work/a.jsonl"),
    "a record of the same size": (_same_size, ".claude/projects/work/a.jsonl"),
    "a history written": (lambda home: (home / ".claude/history.jsonl").write_text("{}\n"), ".claude/history.jsonl"),
    "a record behind a link": (lambda home: (home.parent / "far/d.jsonl").write_text("{}{}\n"), "../far/d.jsonl"),
}


@pytest.mark.usefixtures("asked")
@pytest.mark.parametrize(("change", "path"), WRITTEN.values(), ids=WRITTEN.keys())
def test_files_that_were_written_to_are_named(home: Path, change: Callable[[Path], object], path: str) -> None:
    found = _archive(home).discover(looking=True)
    change(home)
    rest = _archive(home).rest((), found.look)
    assert rest is not None
    file = (home / path).resolve()
    assert rest.changed == {str(file): (file.stat().st_size, file.stat().st_mtime_ns)}
    again = _archive(home).rest((), rest.look)
    assert again is not None
    assert again.changed == {}
    assert (again.records, again.look) == (7, rest.look)


@pytest.mark.usefixtures("asked")
@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_every_change_is_seen(home: Path, change: Callable[[Path], object]) -> None:
    found = _archive(home).discover(looking=True)
    change(home)
    assert _archive(home).rest((), found.look) is None


def test_a_change_while_it_is_looked_at_is_seen_the_next_time(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything is noted before it is listed: what comes in between is not lost."""
    real, late = os.scandir, home / ".claude/projects/work/late.jsonl"

    def listing(path: str) -> Iterator[os.DirEntry[str]]:
        if path.endswith("/work") and not late.exists():
            late.write_text("{}\n", "utf-8")
        return real(path)

    monkeypatch.setattr("core.records.walk.os.scandir", listing)
    found = _archive(home).discover(looking=True)
    monkeypatch.undo()
    monkeypatch.setattr(looks, "YOUNG_NS", 0)
    assert any(source.path == str(late) for source in found.sources)
    assert _archive(home).rest((), found.look) is None


def test_a_folder_that_changed_just_now_is_not_vouched_for(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looks, "YOUNG_NS", 60_000_000_000)
    assert _archive(home).discover(looking=True).look == b""


def test_other_rules_of_what_a_record_is_make_a_look_void(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = _archive(home).discover(looking=True)
    monkeypatch.setattr(looks, "_HERE", str(home))
    assert _archive(home).rest((), found.look) is None


def test_damaged_bytes_are_no_look(home: Path) -> None:
    look = _archive(home).discover(looking=True).look
    for cut in (0, 1, 20, 40, len(look) // 2, len(look) - 1):
        assert _archive(home).rest((), look[:cut]) is None
        assert _archive(home).rest((), look[:cut] + b"\xff" + look[cut + 1 :]) is None


@pytest.mark.parametrize(
    ("paths", "base"),
    [
        ((), ""),
        (("/a/b", "/a/b/c.jsonl"), "/a/"),
        (("/a/b/c", "/a/b/d"), "/a/b/"),
        (("/a/b", "/ab"), "/"),
        (("/", "/a"), ""),
        (("/a//b", "/a/c"), ""),
        (("/a/./b", "/a/c"), "/a/"),
        (("a", "/a"), ""),
        (("a/b", "a/c"), "a/"),
    ],
)
def test_the_folder_that_all_lies_below(paths: tuple[str, ...], base: str) -> None:
    assert looks._base(paths) == base
