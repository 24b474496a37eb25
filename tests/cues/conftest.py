"""One made-up archive and one index with meanings for the whole run: built once, shared by the workers of xdist."""

from __future__ import annotations

import fcntl
from pathlib import Path

import pytest

from core.library import Library
from core.records.archive import Archive
from indexes.whoosh_index import WhooshIndex
from tests.cues.asked import Noon
from tests.cues.talk import talks
from tests.cues.writers import write_home


def open_library(place: Path) -> Library:
    """The library over a built place."""
    home = place / "home"
    archive = Archive.from_environment({}, str(home), [str(home / "code")])
    return Library(archive, WhooshIndex(place / "index", archive), str(home), Noon())


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Path:
    """The folder of the archive and its index; the first worker builds, the others wait for it."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if hasattr(request.config, "workerinput") else base
    place = shared / "cues"
    with (shared / "cues.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (place / "done").exists():
            write_home(place / "home", talks())
            library = open_library(place)
            done = library.refresh()
            assert (done.pending, done.unreadable) == (0, 0)
            assert library.deepen().pending == 0
            library.index.close()
            (place / "done").touch()
    return place


@pytest.fixture(scope="session")
def library(built: Path) -> Library:
    """The library that every cue is asked of."""
    return open_library(built)
