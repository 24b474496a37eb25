"""Several threads and processes at one index, and helper processes of a build."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from core.ports import IndexCondition
from indexes import builds
from indexes.builds import Batch, batches, build
from indexes.capture import Job
from indexes.home import IndexHome
from indexes.whoosh_index import WhooshIndex
from tests.indexes.asking import exactly, ids
from tests.indexes.fake_archive import FakeArchive, Records


def test_a_refresh_beside_another_says_so(index: WhooshIndex, records: Records, tmp_path: Path) -> None:
    records.write("a", "zebra")
    index.refresh()
    records.grow("a", "giraffe")
    with IndexHome(tmp_path / "index").locked(0) as mine:
        assert mine
        done = index.refresh(seconds=0.05)
        assert (done.stopped, done.pending, "another process" in done.message) == (True, 1, True)
        assert index.state().condition is IndexCondition.BUILDING
        assert ids(index, "zebra") == ["a"]
    assert index.refresh().grown == 1
    assert ids(index, "giraffe") == ["a"]
    with IndexHome(tmp_path / "index").locked(0):
        assert index.state().condition is IndexCondition.CURRENT, (
            "who only looks whether anything changed makes nothing"
        )


def test_a_reader_sees_what_another_index_object_committed(
    tmp_path: Path, archive: FakeArchive, records: Records
) -> None:
    reader, writer = (WhooshIndex(tmp_path / "index", archive) for _ in range(2))
    records.write("a", "zebra")
    writer.refresh()
    assert ids(reader, "zebra") == ["a"]
    records.write("b", "zebra")
    writer.refresh()
    assert sorted(ids(reader, "zebra")) == ["a", "b"]
    writer.refresh(rebuild=True)
    assert sorted(ids(reader, "zebra")) == ["a", "b"]
    reader.close()
    assert sorted(ids(reader, "zebra")) == ["a", "b"]


def test_searches_during_refreshes_always_see_a_whole_state(
    tmp_path: Path, archive: FakeArchive, records: Records
) -> None:
    home = tmp_path / "index"
    for number in range(5):
        records.write(f"r{number}", "zebra", "crossing")
    WhooshIndex(home, archive).refresh()
    stop, wrong = threading.Event(), []

    def search() -> None:
        while not stop.is_set():
            found = ids(WhooshIndex(home, archive), "zebra")
            if len(found) != 5:
                wrong.append(found)

    threads = [threading.Thread(target=search) for _ in range(2)]
    for thread in threads:
        thread.start()
    writer = WhooshIndex(home, archive)
    for number in range(12):
        records.grow(f"r{number % 5}", f"more words {number}")
        records.write(f"r{(number + 1) % 5}", f"zebra again {number}", "crossing")
        writer.refresh()
    stop.set()
    for thread in threads:
        thread.join()
    assert wrong == []


@pytest.fixture
def eager_helpers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Helpers for any amount of work, in batches of a few records."""
    monkeypatch.setattr(builds, "WORTH_HELPERS", 1)
    monkeypatch.setattr(builds, "FIRST_BATCH", 200)
    monkeypatch.setattr(builds, "BATCH", 600)
    monkeypatch.setattr(os, "cpu_count", lambda: 2)


def many(records: Records) -> None:
    for number in range(40):
        records.write(f"r{number}", f"zebra word{number} crossing", f"second{number % 7} turn")


@pytest.mark.usefixtures("eager_helpers")
def test_helpers_build_the_same_index(tmp_path: Path, archive: FakeArchive, records: Records) -> None:
    many(records)
    helped = WhooshIndex(tmp_path / "helped", archive)
    steps: list[int] = []
    done = helped.refresh(progress=lambda p: steps.append(p.records) or True)
    assert (done.added, done.pending, max(steps)) == (40, 0, 40)
    alone = WhooshIndex(tmp_path / "alone", archive)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(builds, "WORTH_HELPERS", 10**12)
        alone.refresh()
    for text in ("zebra", "word7", "second3 crossing"):
        assert exactly(helped, text) == exactly(alone, text)


@pytest.mark.usefixtures("eager_helpers")
def test_helpers_stop_when_asked_and_keep_what_is_done(index: WhooshIndex, records: Records) -> None:
    many(records)
    done = index.refresh(progress=lambda p: p.records < 5)
    assert done.stopped
    assert 0 < done.added < 40
    assert done.added + done.pending == 40
    assert len(ids(index, "zebra", limit=99)) == done.added
    assert index.refresh().pending == 0
    assert len(ids(index, "zebra", limit=99)) == 40


@pytest.mark.usefixtures("eager_helpers")
@pytest.mark.parametrize("boot", ["import sys; sys.exit(3)", "import os; os.read(0, 9); os._exit(1)"])
def test_the_records_of_a_dead_helper_are_read_here(
    index: WhooshIndex, records: Records, monkeypatch: pytest.MonkeyPatch, boot: str
) -> None:
    monkeypatch.setattr(builds, "_BOOT", boot)
    many(records)
    done = index.refresh()
    assert (done.added, done.pending) == (40, 0)
    assert len(ids(index, "zebra", limit=99)) == 40


def test_an_archive_that_cannot_be_sent_is_read_here(tmp_path: Path, records: Records) -> None:
    many(records)
    archive = FakeArchive(records.root)
    archive.hook = lambda: None  # type: ignore[attr-defined]  # a function in the way of pickling
    jobs = [Job(source, number + 1) for number, source in enumerate(archive.discover().sources)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(builds, "WORTH_HELPERS", 1)
        patch.setattr(builds, "BATCH", 500)
        out = list(build(archive, jobs, tmp_path, lambda job: True))
    assert sum(len(batch.records) for batch in out) == 40
    assert all(isinstance(batch, Batch) for batch in out)


def test_batches_keep_the_order_and_lose_nothing(archive: FakeArchive, records: Records) -> None:
    many(records)
    jobs = [Job(source, number) for number, source in enumerate(archive.discover().sources)]
    assert [job for part in batches(jobs) for job in part] == jobs
