"""An archive and an index in a temporary folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from indexes.whoosh_index import WhooshIndex
from tests.indexes.fake_archive import FakeArchive, Records


@pytest.fixture
def records(tmp_path: Path) -> Records:
    return Records(tmp_path / "archive")


@pytest.fixture
def archive(records: Records) -> FakeArchive:
    return FakeArchive(records.root)


@pytest.fixture
def index(tmp_path: Path, archive: FakeArchive) -> WhooshIndex:
    return WhooshIndex(tmp_path / "index", archive)
