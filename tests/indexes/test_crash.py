"""kill -9 anywhere in a refresh: what was committed is still found, and the next refresh completes the rest."""

from __future__ import annotations

import os
import shutil
import signal
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from indexes import catalog, segment_store, segments
from indexes.whoosh_index import WhooshIndex
from tests.indexes.asking import exactly, ids
from tests.indexes.fake_archive import FakeArchive, Records

STEPS: tuple[tuple[Any, str], ...] = (
    (os, "replace"), (os, "fsync"), (segments.SegmentFolder, "commit"), (segments.SegmentFolder, "clean"),
    (catalog.Catalog, "put"), (catalog.Catalog, "set_meta"), (catalog.Catalog, "set_standing"),
    (segment_store.Store, "commit"), (segment_store.Store, "_merge"), (segments, "_fsync_folder"),
)  # fmt: skip
"""Before and after each call of one of these lies a point at which the process may be killed."""


def killed_at(point: int, home: Path, archive: FakeArchive) -> bool:
    """Refresh in a process of its own that kills itself at the given point; False if it came to its end first."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # fork beside numpy's idle threads: they hold no lock here
        child = os.fork()
    if child == 0:
        try:
            refresh_and_die(point, home, archive)
            os._exit(0)
        finally:
            os._exit(1)
    status = os.waitpid(child, 0)[1]
    assert status in (0, signal.SIGKILL), "the refresh itself failed"
    return status != 0


def refresh_and_die(point: int, home: Path, archive: FakeArchive) -> None:
    calls = 0

    def passed() -> None:
        nonlocal calls
        calls += 1
        if calls == point:
            os.kill(os.getpid(), signal.SIGKILL)

    def deadly(real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            passed()
            out = real(*args, **kwargs)
            passed()
            return out

        return call

    for owner, name in STEPS:
        setattr(owner, name, deadly(getattr(owner, name)))
    WhooshIndex(home, archive).refresh()


def test_kill_anywhere(tmp_path: Path, records: Records, archive: FakeArchive) -> None:
    base = tmp_path / "base"
    for number in range(8):
        records.write(f"r{number}", f"zebra word{number}", "common")
        WhooshIndex(base, archive).refresh()  # several segments, so that the next commit merges
    for number in range(4):
        records.grow(f"r{number}", f"grown{number} zebra")
    records.write("r4", "another zebra beginning", "replaced4")
    records.write("new", "zebra brand")
    (records.root / "r7.jsonl").unlink()
    whole = tmp_path / "whole"
    shutil.copytree(base, whole)
    WhooshIndex(whole, archive).refresh()
    killed = 0
    point = 1
    while True:
        home = tmp_path / f"index{point}"
        shutil.copytree(base, home)
        if not killed_at(point, home, archive):
            break
        killed, point = killed + 1, point + 2
        index = WhooshIndex(home, archive)
        before = ids(index, "zebra", limit=50)
        assert {f"r{n}" for n in range(8)} <= set(before) <= {*(f"r{n}" for n in range(8)), "new"}
        done = index.refresh()
        assert (done.pending, "damaged" in done.message) == (0, False)
        for text in ("zebra", "grown1", "common", "replaced4 brand", "word4"):
            assert exactly(index, text, limit=50) == exactly(WhooshIndex(whole, archive), text, limit=50)
        assert not list((home / "staging").iterdir())
    assert killed >= 15


def test_kill_in_the_first_build(tmp_path: Path, records: Records, archive: FakeArchive) -> None:
    for number in range(3):
        records.write(f"r{number}", f"zebra word{number}")
    for point in range(1, 20, 3):
        home = tmp_path / f"index{point}"
        killed_at(point, home, archive)
        index = WhooshIndex(home, archive)
        index.state()
        ids(index, "zebra")
        index.refresh()
        assert len(ids(index, "zebra")) == 3
