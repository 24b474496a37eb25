"""Every kind of damage: a search does not crash, the state says it, and a refresh builds the index anew."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from core.ports import IndexCondition
from indexes.catalog import FILE_NAME
from indexes.home import ForeignIndex
from indexes.whoosh_index import WhooshIndex
from tests.indexes.asking import ids
from tests.indexes.fake_archive import FakeArchive, Records


def segment(home: Path) -> Path:
    return max((home / "whoosh").glob("*.seg"), key=lambda p: p.stat().st_size)


def toc(home: Path) -> Path:
    return next((home / "whoosh").glob("*.toc"))


def cut(path: Path, size: int | None = None) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2 if size is None else size])


def zero(path: Path, page: int = 512) -> None:
    data = bytearray(path.read_bytes())
    middle = len(data) // 2
    data[middle : middle + page] = bytes(len(data[middle : middle + page]))
    path.write_bytes(bytes(data))


def flip(path: Path, seed: int) -> None:
    data, rnd = bytearray(path.read_bytes()), random.Random(seed)
    for _ in range(8):
        data[rnd.randrange(len(data))] ^= 1 << rnd.randrange(8)
    path.write_bytes(bytes(data))


def catalog(home: Path) -> Path:
    """The catalog with its log written back, so that damage to the file is damage to what is read."""
    with sqlite3.connect(home / FILE_NAME) as db:
        db.execute("pragma wal_checkpoint(truncate)")
    db.close()
    return home / FILE_NAME


def row_to_nonsense(home: Path) -> None:
    with sqlite3.connect(home / FILE_NAME) as db:
        db.execute("update details set spine = x'00ff', source = x'7b7d'")
    db.close()


KINDS: dict[str, Callable[[Path], None]] = {
    "segment cut": lambda h: cut(segment(h)),
    "segment empty": lambda h: cut(segment(h), 0),
    "segment zeroed": lambda h: zero(segment(h)),
    "segment flipped": lambda h: flip(segment(h), 1),
    "segment missing": lambda h: segment(h).unlink(),
    "list cut": lambda h: cut(toc(h)),
    "list empty": lambda h: cut(toc(h), 0),
    "list zeroed": lambda h: zero(toc(h), 64),
    "list flipped": lambda h: flip(toc(h), 2),
    "list missing": lambda h: toc(h).unlink(),
    "catalog cut": lambda h: cut(catalog(h)),
    "catalog empty": lambda h: cut(catalog(h), 0),
    "catalog no database": lambda h: catalog(h).write_bytes(b"nothing of the kind" * 500),
    "catalog zeroed": lambda h: zero(catalog(h), 16_384),
    "catalog missing": lambda h: catalog(h).unlink(),
    "catalog nonsense": row_to_nonsense,
    "folder missing": lambda h: [p.unlink() for p in (h / "whoosh").iterdir()] and None,
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("open_before", [False, True])
def test_damage(tmp_path: Path, archive: FakeArchive, records: Records, kind: str, open_before: bool) -> None:
    home = tmp_path / "index"
    index = WhooshIndex(home, archive)
    for number in range(12):
        records.write(f"r{number}", *(f"zebra word{number} turn{n}" for n in range(20)))
    index.refresh()
    if open_before:
        assert len(ids(index, "zebra")) == 10
    KINDS[kind](home)
    other = index if open_before else WhooshIndex(home, archive)
    answered = ids(other, "zebra")
    state = other.state()
    assert len(answered) in (0, 10)
    if not answered:
        assert state.condition in (IndexCondition.DAMAGED, IndexCondition.STALE)
        assert state.condition is not IndexCondition.DAMAGED or "next refresh builds it anew" in state.message
    list(other.entries())
    other.receipts([str(records.root / "r1.jsonl")])
    records.grow("r1", "a giraffe")
    done = other.refresh()
    assert done.pending == 0
    assert done.added == 12 or answered
    assert len(ids(other, "zebra", limit=50)) == 12
    assert ids(other, "giraffe") == ["r1"]
    assert other.state().condition is IndexCondition.CURRENT
    if done.added == 12:
        assert "built anew" in done.message


@pytest.mark.parametrize("kind", ["segment cut", "segment empty", "segment missing"])
def test_a_segment_that_is_not_as_long_as_it_was_is_seen_without_a_search(
    tmp_path: Path, archive: FakeArchive, records: Records, kind: str
) -> None:
    home = tmp_path / "index"
    records.write("a", "zebra")
    for _ in range(2):
        WhooshIndex(home, archive).refresh()
    KINDS[kind](home)
    assert "built anew" in WhooshIndex(home, archive).refresh().message
    assert ids(WhooshIndex(home, archive), "zebra") == ["a"]


@pytest.mark.parametrize("name", ["schema_version", "catalog.sqlite", "look", "sessions", "present"])
def test_a_folder_in_the_place_of_a_file_is_cleared_away(
    tmp_path: Path, archive: FakeArchive, records: Records, name: str
) -> None:
    home = tmp_path / "index"
    records.write("a", "zebra")
    WhooshIndex(home, archive).refresh()
    catalog(home)
    (home / name).unlink(missing_ok=True)
    (home / name).mkdir()
    (home / name / "x").write_text("y")
    index = WhooshIndex(home, archive)
    index.state()
    ids(index, "zebra")
    index.refresh()
    assert ids(WhooshIndex(home, archive), "zebra") == ["a"]


@pytest.mark.parametrize("name", ["whoosh", "staging"])
@pytest.mark.parametrize("kind", ["file", "pipe", "link to nothing"])
def test_a_file_in_the_place_of_a_folder_is_cleared_away(
    tmp_path: Path, archive: FakeArchive, records: Records, name: str, kind: str
) -> None:
    home = tmp_path / "index"
    records.write("a", "zebra")
    WhooshIndex(home, archive).refresh()
    shutil.rmtree(home / name)
    if kind == "file":
        (home / name).write_text("x")
    elif kind == "pipe":
        os.mkfifo(home / name)
    else:
        (home / name).symlink_to(tmp_path / "nowhere")
    index = WhooshIndex(home, archive)
    index.state()
    ids(index, "zebra")
    records.write("b", "zebra")
    index.refresh()
    assert sorted(ids(WhooshIndex(home, archive), "zebra")) == ["a", "b"]


def test_a_folder_that_a_build_left_in_staging_is_in_nobody_s_way(
    tmp_path: Path, archive: FakeArchive, records: Records
) -> None:
    home = tmp_path / "index"
    records.write("a", "zebra")
    WhooshIndex(home, archive).refresh()
    (home / "staging" / "x" / "y").mkdir(parents=True)
    records.write("b", "zebra")
    assert WhooshIndex(home, archive).refresh().added == 1
    assert not list((home / "staging").iterdir())


def test_a_lock_that_cannot_be_held_leaves_the_index_as_it_is(
    tmp_path: Path, archive: FakeArchive, records: Records
) -> None:
    home = tmp_path / "index"
    records.write("a", "zebra")
    WhooshIndex(home, archive).refresh()
    (home / "writer.lock").unlink()
    (home / "writer.lock").mkdir()
    records.write("b", "zebra")
    done = WhooshIndex(home, archive).refresh()
    assert done.stopped
    assert "cannot be written" in done.message
    assert ids(WhooshIndex(home, archive), "zebra") == ["a"]


def test_what_one_process_meets_another_mends(tmp_path: Path, archive: FakeArchive, records: Records) -> None:
    """The app searches; the process beside it, and the commands of a person, bring the index up to date."""
    home = tmp_path / "index"
    records.write("a", "zebra crossing")
    searching = WhooshIndex(home, archive)
    searching.refresh()
    flip(segment(home), 1)
    assert ids(searching, "zebra") == []
    assert searching.state().condition is IndexCondition.DAMAGED
    beside = WhooshIndex(home, archive)
    assert beside.state().condition is IndexCondition.DAMAGED
    assert "built anew" in beside.refresh().message
    assert beside.state().condition is IndexCondition.CURRENT
    assert (searching.damage(), searching.state().condition) == ("", IndexCondition.CURRENT)
    assert ids(searching, "zebra") == ["a"]
    assert beside.refresh().message == ""


@pytest.mark.parametrize("seed", range(25))
def test_random_garbling_of_any_file_never_raises(
    tmp_path: Path, archive: FakeArchive, records: Records, seed: int
) -> None:
    home = tmp_path / "index"
    index = WhooshIndex(home, archive)
    for number in range(3):
        records.write(f"r{number}", f"zebra word{number}")
    index.refresh()
    catalog(home)
    rnd = random.Random(seed)
    files = sorted(p for p in home.rglob("*") if p.is_file() and p.stat().st_size)
    flip(rnd.choice(files), seed)
    fresh = WhooshIndex(home, archive)
    fresh.state()
    ids(fresh, "zebra")
    list(fresh.entries())
    fresh.refresh()
    if len(ids(fresh, "zebra")) != 3:  # a garbled letter in a catalog text is not seen; a rebuild heals it
        fresh.refresh(rebuild=True)
    assert len(ids(fresh, "zebra")) == 3


def test_an_index_of_another_version_is_built_anew(tmp_path: Path, archive: FakeArchive, records: Records) -> None:
    home = tmp_path / "index"
    records.write("a", "zebra")
    WhooshIndex(home, archive).refresh()
    (home / "schema_version").write_text("0")
    index = WhooshIndex(home, archive)
    assert (index.state().condition, ids(index, "zebra")) == (IndexCondition.STALE, [])
    done = index.refresh()
    assert (done.added, "version 0" in done.message) == (1, True)
    assert ids(index, "zebra") == ["a"]


def test_the_folder_is_its_owner_s_only(tmp_path: Path, archive: FakeArchive) -> None:
    home = tmp_path / "index"
    home.mkdir(mode=0o755)
    (home / "whoosh").mkdir(mode=0o777)
    WhooshIndex(home, archive).refresh()
    assert {oct(p.stat().st_mode & 0o077) for p in (home, home / "whoosh", home / "staging")} == {"0o0"}


def test_a_foreign_folder_is_refused(tmp_path: Path, archive: FakeArchive, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "index"
    home.mkdir()
    monkeypatch.setattr(os, "getuid", lambda: 12345)
    with pytest.raises(ForeignIndex):
        WhooshIndex(home, archive)
