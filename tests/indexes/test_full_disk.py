"""A disk, or a system, that takes no more: the index stays as it was, is told apart from a damaged one, and is said so."""

from __future__ import annotations

import errno
import resource
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from indexes.catalog import FILE_NAME, Catalog
from indexes.damage import is_full
from indexes.whoosh_index import WhooshIndex
from tests.indexes.asking import ids
from tests.indexes.fake_archive import FakeArchive, Records


@pytest.mark.parametrize("refused", [errno.ENOSPC, errno.EFBIG, errno.EPERM, errno.EMFILE, errno.ESTALE])
def test_a_full_disk_leaves_the_index_as_it_was(
    index: WhooshIndex, records: Records, monkeypatch: pytest.MonkeyPatch, refused: int
) -> None:
    def full(*_: object) -> None:
        raise OSError(refused, "refused")

    records.write("a", "the kettle whistles")
    index.refresh()
    records.write("b", "the teapot is cold")
    with monkeypatch.context() as patched:
        patched.setattr(Catalog, "put", full)
        done = index.refresh()
    assert done.stopped
    assert "disk is full" in done.message
    assert (ids(index, "kettle"), ids(index, "teapot")) == (["a"], [])
    index.refresh()
    assert (ids(index, "kettle"), ids(index, "teapot")) == (["a"], ["b"])


def test_a_full_disk_is_told_from_damage() -> None:
    with closing(sqlite3.connect(":memory:")) as small:
        small.execute("pragma max_page_count = 2")
        small.execute("create table rows (text)")
        with pytest.raises(sqlite3.OperationalError) as refused:
            small.execute("insert into rows values (?)", ("x" * 100_000,))
    assert is_full(refused.value)
    assert is_full(OSError(errno.EDQUOT, "quota"))
    assert not is_full(sqlite3.DatabaseError("malformed"))
    assert not is_full(OSError(errno.ENOENT, "gone"))


def test_a_bound_on_files_leaves_the_index_as_it_was(tmp_path: Path, records: Records, archive: FakeArchive) -> None:
    """SQLite calls that an error of its own, and not a full disk."""
    index = WhooshIndex(tmp_path / "index", archive)
    records.write("a", "the kettle whistles")
    index.refresh()
    records.write("b", "the teapot is cold")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1024, hard))
    try:
        done = index.refresh()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert done.stopped
    assert "disk is full" in done.message
    assert ids(WhooshIndex(tmp_path / "index", archive), "kettle") == ["a"]
    assert index.refresh().added == 1


def test_a_catalog_that_another_program_holds_is_not_taken_for_a_damaged_one(
    index: WhooshIndex, records: Records, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    records.write("a", "the kettle whistles")
    index.refresh()
    records.write("b", "the teapot is cold")
    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *at, **how: connect(*at, **(how | {"timeout": 0})))
    with closing(connect(tmp_path / "index" / FILE_NAME, isolation_level=None)) as other:
        other.execute("begin exclusive")
        done = index.refresh()
        other.execute("rollback")
    assert done.stopped
    assert "another program holds" in done.message
    assert (done.added, index.refresh().added) == (0, 1)


def test_a_disk_that_fails_again_after_building_anew_is_told_of(
    index: WhooshIndex, records: Records, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: object) -> None:
        raise OSError(errno.EIO, "Input/output error")

    records.write("a", "the kettle whistles")
    with monkeypatch.context() as patched:
        patched.setattr(Catalog, "put", failing)
        done = index.refresh()
    assert done.stopped
    assert "Input/output error" in done.message
    assert index.refresh().added == 1


def test_a_folder_that_cannot_be_made_is_told_of(
    index: WhooshIndex, records: Records, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    records.write("a", "the kettle whistles")
    with monkeypatch.context() as patched:
        patched.setattr(Path, "mkdir", full)
        done = index.refresh()
    assert (done.stopped, "disk is full" in done.message) == (True, True)


def test_writes_that_sqlite_took_back_itself_do_not_cover_up_why(tmp_path: Path) -> None:
    """It does where the disk is full: taking them back again is an error of its own, which was taken for damage."""

    def refused(catalog: Catalog) -> None:
        with catalog.writing():
            catalog._db.execute("rollback")
            raise OSError(errno.ENOSPC, "No space left on device")

    with Catalog(tmp_path, write=True) as catalog:
        with pytest.raises(OSError, match="No space left"):
            refused(catalog)
        with catalog.writing():
            catalog.set_meta(looked=1)
        assert catalog.meta()["looked"] == 1
