"""A name that stands nowhere is told without what ranks; the answer is the one that ranking gives, and damage is no answer."""

from __future__ import annotations

import random
import string
from collections.abc import Callable
from pathlib import Path

import pytest

from core.ports import Query, Term, TermKind, TimeWindow
from indexes import whoosh_index
from indexes.absent import is_absent
from indexes.analyzer import Analyzer, Share
from indexes.dates import date_keys
from indexes.home import IndexHome
from indexes.whoosh_index import WhooshIndex
from tests.indexes.asking import exactly, ids, query
from tests.indexes.fake_archive import FakeArchive, Records

HELD = ("zq8817x", "deadbeef99", "a1b2c3d4e5", "ledger7shard")
NAMES = (
    *HELD,
    "deadbee",
    "deadbeef",
    "deadbeef98",
    "zq8817y",
    "zq88170",
    "a1b2c3d",
    "nothing123",
    "2023rd",
    "ledger7",
    "plain",
    "",
)


@pytest.fixture
def filled(index: WhooshIndex, records: Records) -> WhooshIndex:
    for number, name in enumerate(HELD):
        records.write(f"s{number}", f"we spoke of {name} there", "and of the ledger")
    index.refresh()
    assert ids(index, "ledger")  # the first search keeps the columns
    return index


def _opened(path: Path, records: Records) -> WhooshIndex:
    return WhooshIndex(path, FakeArchive(records.root))


@pytest.mark.parametrize("other", ["", "zq9999q", "ledger"])
@pytest.mark.parametrize("name", NAMES)
def test_the_answer_is_that_of_ranking(
    filled: WhooshIndex, tmp_path: Path, records: Records, monkeypatch: pytest.MonkeyPatch, name: str, other: str
) -> None:
    quickly = exactly(_opened(tmp_path / "index", records), f"{name} {other}")
    monkeypatch.setattr(whoosh_index, "is_absent", lambda home, query: False)
    assert quickly == exactly(_opened(tmp_path / "index", records), f"{name} {other}")


def test_only_names_that_stand_nowhere_are_absent(filled: WhooshIndex, tmp_path: Path) -> None:
    home = IndexHome(tmp_path / "index")
    absent = [name for name in NAMES if is_absent(home, query(name))]
    assert absent == ["zq8817y", "zq88170", "nothing123"]
    assert is_absent(home, query("zq8817y nothing123"))
    assert not is_absent(home, query("zq8817y ledger"))
    assert not is_absent(home, query("zq8817y", kind=TermKind.PREFIX))
    assert not is_absent(home, Query((Term("zq8817y"),), windows=(TimeWindow(0.0, 9.0, 1.0),)))
    assert is_absent(home, query("zq8817y", deep=True))
    for meanings in ("meanings.rows", "meanings.sqlite"):
        (tmp_path / "index" / meanings).touch()
    assert not is_absent(home, query("zq8817y", deep=True))


def test_a_name_has_no_other_terms_than_are_looked_for() -> None:
    """Whatever the analyzer makes of such a name begins as it does, and is no part of it unless it is hexadecimal."""
    dice, analyzer = random.Random(3), Analyzer()
    for letters in (string.ascii_lowercase + string.digits, "0123456789abcdef"):
        for _ in range(2000):
            name = "".join(dice.choices(letters, k=dice.randint(7, 64)))
            if name.isalpha() or name.isdigit():
                continue
            whole, *parts = analyzer.pieces(name)
            assert (whole.term, whole.share) == (name, Share.WHOLE)
            assert [part.term for part in parts] in ([], [name[:7]])
            assert not parts or set(name) <= set("0123456789abcdef")
            assert date_keys([name]) == []


def _cut(home: Path) -> None:
    place = max((home / "whoosh").glob("*.seg"))
    place.write_bytes(place.read_bytes()[:-9])


def _turned(folder: str, pattern: str) -> Callable[[Path], None]:
    def turn(home: Path) -> None:
        place = max((home / folder).glob(pattern))
        data = bytearray(place.read_bytes())
        data[len(data) // 2] ^= 4
        place.write_bytes(bytes(data))

    return turn


@pytest.mark.parametrize(
    "harm",
    [
        _cut,
        _turned("whoosh", "*.seg"),
        _turned("whoosh", "*.toc"),
        _turned("", "sessions"),
        lambda home: (home / "sessions").unlink(),
        lambda home: max((home / "whoosh").glob("*.seg")).unlink(),
        lambda home: (home / "whoosh" / "_turns_99.toc").touch(),
        lambda home: (home / "catalog.sqlite").write_bytes(b"no catalog"),
    ],
)
def test_damage_is_left_to_a_search(filled: WhooshIndex, tmp_path: Path, harm: Callable[[Path], None]) -> None:
    home = IndexHome(tmp_path / "index")
    assert is_absent(home, query("zq8817y"))
    for beside in (tmp_path / "index").glob("catalog.sqlite-*"):
        beside.unlink()
    harm(tmp_path / "index")
    assert not is_absent(home, query("zq8817y"))
