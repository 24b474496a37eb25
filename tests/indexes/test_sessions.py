"""The columns that are kept in a file are those that the catalog's rows give, and only for that catalog."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.ports import Filters
from core.records.model import Role
from indexes import sessions as columns
from indexes.catalog import Catalog
from indexes.home import SESSIONS, IndexHome
from indexes.sessions import Sessions, sessions_of
from indexes.whoosh_index import WhooshIndex
from tests.indexes.asking import exactly, ids
from tests.indexes.fake_archive import FakeArchive, Records


def _values(one: Sessions) -> list[Any]:
    numbers = [getattr(one, name) for name in columns._NUMBERS]
    arrays: list[list[float]] = [np.nan_to_num(array.astype(np.float64), nan=-1.0).tolist() for array in numbers]
    return [list(one.paths), list(one.ids), one.titles.data, one.places.data, one.titles.ends.tolist(), arrays]


def _filled(index: WhooshIndex, records: Records) -> None:
    records.write("a", "the payment gateway", title="Größe 検索 \ud800")
    records.write("b", {"t": "the payment gateway", "uid": "u1"}, fork="a")
    records.write("c", {"t": "the payment gateway", "uid": "u1"}, role="review")
    index.refresh()


def test_the_file_gives_what_the_rows_give(tmp_path: Path, index: WhooshIndex, records: Records) -> None:
    _filled(index, records)
    with Catalog(tmp_path / "index") as catalog:
        version = catalog.meta()["version"]
        from_rows = sessions_of(catalog, IndexHome(tmp_path / "nowhere"), version)
        first = sessions_of(catalog, IndexHome(tmp_path / "index"), version)
    assert (tmp_path / "index" / SESSIONS).exists()

    class NoRows(Catalog):
        def __init__(self) -> None: ...

        def short_rows(self) -> list[tuple[Any, ...]]:
            raise AssertionError("the rows were read")

    kept = sessions_of(NoRows(), IndexHome(tmp_path / "index"), version)
    assert _values(kept) == _values(first) == _values(from_rows)
    assert kept.of_role(Role.REVIEW).sum() == 1
    assert (kept.forked.sum(), kept.original_known.sum(), kept.shared.sum()) == (1, 1, 2)


def test_a_search_after_a_change_reads_anew(
    tmp_path: Path, index: WhooshIndex, archive: FakeArchive, records: Records
) -> None:
    _filled(index, records)
    assert set(ids(index, "gateway")) <= {"a", "b", "c"}
    before = (tmp_path / "index" / SESSIONS).read_bytes()
    records.write("d", "another gateway")
    index.refresh()
    (tmp_path / "index" / SESSIONS).write_bytes(before)  # as if its writer had been overtaken
    assert "d" in ids(WhooshIndex(tmp_path / "index", archive), "gateway")


@pytest.mark.parametrize("harm", [b"", b"nothing of the kind", None])
def test_a_damaged_file_changes_no_answer(
    tmp_path: Path, index: WhooshIndex, archive: FakeArchive, records: Records, harm: bytes | None
) -> None:
    _filled(index, records)
    expected = exactly(index, "gateway", filters=Filters(kinds=("-review",)))
    path = tmp_path / "index" / SESSIONS
    whole = path.read_bytes()
    for cut in (30, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:cut] + b"\xff" + whole[cut + 1 :] if harm is None else harm)
        other = WhooshIndex(tmp_path / "index", archive)
        assert exactly(other, "gateway", filters=Filters(kinds=("-review",))) == expected
        assert path.read_bytes() == whole
