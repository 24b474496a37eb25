"""Several threads and processes at one index, and helper processes of a build."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest

from core.ports import IndexCondition
from indexes import builds, crew, readers
from indexes.builds import build
from indexes.capture import Job
from indexes.home import IndexHome
from indexes.piles import Batch
from indexes.readers import parts_of
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
def eager_helper(monkeypatch: pytest.MonkeyPatch) -> None:
    """A helper for any amount of work, in parts of a few records, as an interpreter of its own: the tests have threads."""
    monkeypatch.setattr(builds, "WORTH_A_HELPER", 1)
    monkeypatch.setattr(readers, "FIRST_BATCH", 200)
    monkeypatch.setattr(readers, "PART", 300)
    monkeypatch.setattr(readers, "BATCH", 600)
    monkeypatch.setattr(readers, "HANDED_CHARS", 200)
    monkeypatch.setattr(readers, "LAST_HANDED_CHARS", 100)
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    monkeypatch.setattr(crew, "may_fork", lambda: False)


ROOT = Path(__file__).parents[2]


def many(records: Records) -> None:
    for number in range(40):
        records.write(f"r{number}", f"zebra word{number} crossing", f"second{number % 7} turn")


def alone(path: Path, archive: FakeArchive) -> WhooshIndex:
    """An index that was built without a helper."""
    held = WhooshIndex(path, archive)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(builds, "WORTH_A_HELPER", 10**12)
        held.refresh()
    return held


AT_ONCE = 10**9
"""More than the tests' records have: a build of one batch, whose rest is read while a segment is made of all before."""


@pytest.mark.usefixtures("eager_helper")
@pytest.mark.parametrize("batch", [600, AT_ONCE])
def test_a_helper_builds_the_same_index(
    tmp_path: Path, archive: FakeArchive, records: Records, monkeypatch: pytest.MonkeyPatch, batch: int
) -> None:
    many(records)
    monkeypatch.setattr(readers, "BATCH", batch)
    helped = WhooshIndex(tmp_path / "helped", archive)
    steps: list[int] = []
    done = helped.refresh(progress=lambda p: steps.append(p.records) or True)
    assert (done.added, done.pending, max(steps)) == (40, 0, 40)
    for text in ("zebra", "word7", "second3 crossing"):
        assert exactly(helped, text) == exactly(alone(tmp_path / "alone", archive), text)


FORKED = """
import json, os, select, sys
from pathlib import Path
from indexes import builds, crew, readers
from indexes.whoosh_index import WhooshIndex
from tests.indexes.fake_archive import FakeArchive

builds.WORTH_A_HELPER, readers.FIRST_BATCH, readers.PART, readers.BATCH = 1, 200, 300, int(sys.argv[4])
readers.HANDED_CHARS, readers.LAST_HANDED_CHARS = 200, 100
os.cpu_count = lambda: 2
assert crew.may_fork() == (sys.platform == "linux")
crew.may_fork = lambda: True
answered, forked = [], crew.forked

def once(queue, work):
    def helped(queue, told, sink):
        if sys.argv[3] == "killed":
            os._exit(1)
        if sys.argv[3] == "stopped":
            select.select([told], [], [])  # the first process says to stop before it begins
        work(queue, told, sink)
    helper = forked(queue, helped)
    answered.append(helper.pid)
    return helper

crew.forked = once
archive = FakeArchive(Path(sys.argv[1]))
archive.hook = lambda: None  # nothing is sent to a fork, so that nothing need be fit for it
held = WhooshIndex(Path(sys.argv[2]), archive)
steps = []
done = held.refresh(progress=lambda p: steps.append(p.records) or (sys.argv[3] != "stopped" or p.records < 5))
print(json.dumps([done.added, done.pending, max(steps), len(answered)]))
try:
    os.waitpid(-1, os.WNOHANG)
except ChildProcessError:
    print("no child is left")
"""


def in_own_process(records: Records, home: Path, how: str, batch: int = 600) -> tuple[list[int], str]:
    """Build with a fork, which a process without threads does; what it did, and its last line."""
    command = [sys.executable, "-c", FORKED, str(records.root), str(home), how, str(batch)]
    told = subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT)
    lines = told.stdout.splitlines()
    return json.loads(lines[0]), lines[-1]


@pytest.mark.parametrize("how", ["helped", "killed"])
@pytest.mark.parametrize("batch", [600, AT_ONCE])
def test_a_fork_builds_the_same_index(
    tmp_path: Path, archive: FakeArchive, records: Records, how: str, batch: int
) -> None:
    many(records)
    assert in_own_process(records, tmp_path / "forked", how, batch) == ([40, 0, 40, 1], "no child is left")
    helped = WhooshIndex(tmp_path / "forked", archive)
    for text in ("zebra", "word7", "second3 crossing"):
        assert exactly(helped, text) == exactly(alone(tmp_path / "alone", archive), text)


def test_a_fork_stops_when_asked_and_what_it_did_is_kept(
    tmp_path: Path, archive: FakeArchive, records: Records
) -> None:
    many(records)
    (added, pending, _, _), last = in_own_process(records, tmp_path / "forked", "stopped")
    assert (0 < added < 40, added + pending, last) == (True, 40, "no child is left")
    held = WhooshIndex(tmp_path / "forked", archive)
    assert len(ids(held, "zebra", limit=99)) == added
    assert held.refresh().pending == 0
    assert len(ids(held, "zebra", limit=99)) == 40


BEGINS_WHEN_TOLD = crew._BOOT.replace(
    "serve(int",
    "import select, indexes.crew as c; t = c.taken; c.taken = lambda q: (select.select([0], [], []), t(q))[1]; serve(int",
)


@pytest.mark.usefixtures("eager_helper")
def test_a_helper_stops_when_asked_and_what_is_done_is_kept(
    index: WhooshIndex, records: Records, monkeypatch: pytest.MonkeyPatch
) -> None:
    many(records)
    with monkeypatch.context() as first:
        first.setattr(crew, "_BOOT", BEGINS_WHEN_TOLD)
        done = index.refresh(progress=lambda p: p.records < 5)
    assert done.stopped
    assert 0 < done.added < 40
    assert done.added + done.pending == 40
    assert len(ids(index, "zebra", limit=99)) == done.added
    assert index.refresh().pending == 0
    assert len(ids(index, "zebra", limit=99)) == 40


@pytest.mark.usefixtures("eager_helper")
@pytest.mark.parametrize("boot", ["import sys; sys.exit(3)", "import os; os.read(0, 9); os._exit(1)"])
def test_the_records_of_a_dead_helper_are_read_here(
    index: WhooshIndex, records: Records, monkeypatch: pytest.MonkeyPatch, boot: str
) -> None:
    monkeypatch.setattr(crew, "_BOOT", boot)
    many(records)
    done = index.refresh()
    assert (done.added, done.pending) == (40, 0)
    assert len(ids(index, "zebra", limit=99)) == 40


TAKES_AND_DIES = """
import os, sys
os.read(int(sys.argv[2]), 8)
os._exit(1)
"""


@pytest.mark.usefixtures("eager_helper")
def test_what_a_dead_helper_had_taken_is_read_here(
    index: WhooshIndex, records: Records, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The helper dies with two parts in its hands; this process begins only when it has."""
    many(records)
    monkeypatch.setattr(crew, "_BOOT", TAKES_AND_DIES)
    spawned = crew.spawned

    def dead(queue: crew.Queue, opening: Sequence[object]) -> crew.Helper | None:
        helper = spawned(queue, opening)
        assert helper is not None
        assert helper.process is not None
        helper.process.wait()
        return helper

    monkeypatch.setattr(crew, "spawned", dead)
    assert (index.refresh().added, len(ids(index, "zebra", limit=99))) == (40, 40)


@pytest.mark.usefixtures("eager_helper")
def test_an_archive_that_cannot_be_sent_is_read_here(tmp_path: Path, records: Records) -> None:
    many(records)
    archive = FakeArchive(records.root)
    archive.hook = lambda: None  # type: ignore[attr-defined]  # a function in the way of pickling
    jobs = [Job(source, number + 1) for number, source in enumerate(archive.discover().sources)]
    out = list(build(archive, jobs, tmp_path, lambda job: True))
    assert sum(len(batch.records) for batch in out) == 40
    assert all(isinstance(batch, Batch) for batch in out)


@pytest.mark.usefixtures("eager_helper")
def test_a_build_that_is_given_up_leaves_no_helper(
    tmp_path: Path, archive: FakeArchive, records: Records, monkeypatch: pytest.MonkeyPatch
) -> None:
    many(records)
    started: list[crew.Helper] = []
    spawned = crew.spawned

    def noted(queue: crew.Queue, opening: Sequence[object]) -> crew.Helper | None:
        helper = spawned(queue, opening)
        assert helper is not None
        started.append(helper)
        return helper

    monkeypatch.setattr(crew, "spawned", noted)
    jobs = [Job(source, number + 1) for number, source in enumerate(archive.discover().sources)]
    going = build(archive, jobs, tmp_path, lambda job: True)
    next(going)
    going.close()  # type: ignore[attr-defined]  # a generator
    assert [helper.process is not None and helper.process.returncode is not None for helper in started] == [True]


def test_parts_keep_the_order_and_lose_nothing(
    archive: FakeArchive, records: Records, monkeypatch: pytest.MonkeyPatch
) -> None:
    many(records)
    jobs = [Job(source, number) for number, source in enumerate(archive.discover().sources)]
    assert [job for part in parts_of(jobs) for job in part] == jobs
    monkeypatch.setattr(readers, "FIRST_BATCH", 1)
    monkeypatch.setattr(readers, "BATCH", 1)
    monkeypatch.setattr(readers, "PART", 1)
    assert len(parts_of(jobs)) == 40
    monkeypatch.setattr(crew, "MOST_PARTS", 8)
    assert len(parts_of(jobs)) <= 8
