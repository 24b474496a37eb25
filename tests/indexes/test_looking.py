"""An idle refresh asks after what it looked at the last time, and lists nothing; any change makes it list."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from core.records import looks
from core.records.archive import Archive
from indexes.home import LOOK, IndexHome
from indexes.whoosh_index import WhooshIndex

OLD = 1_700_000_000


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(looks, "YOUNG_NS", 0)
    for name in ("a", "b"):
        _record(tmp_path / "home", name, f"the word of {name}")
    _old(tmp_path / "home")
    return tmp_path / "home"


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


def _refuse(*_: Any) -> None:
    raise AssertionError("a folder was listed")


def test_an_idle_refresh_lists_nothing(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _index(home).refresh().added == 2
    monkeypatch.setattr("core.records.walk.os.scandir", _refuse)
    done = _index(home).refresh()
    assert (done.added, done.unchanged, done.pending) == (0, 2, 0)
    assert done.state == _index(home).state()


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
