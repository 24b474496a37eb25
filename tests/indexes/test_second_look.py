"""The optional second look at the best candidates: when it is asked, what it moves, what it keeps. A made-up encoder stands in
for the real one, which is tried too where the extra is installed."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.ports import Entry, Hit, Passage, Query
from core.records.archive import Archive
from core.records.model import Origin, Source, Spine
from indexes import weights
from indexes.bi_encoder import WIDTH, BiEncoder
from indexes.deep import Deep
from indexes.home import IndexHome
from indexes.second_look import SecondLook, around, reads, reordered
from indexes.whoosh_index import WhooshIndex
from tests.indexes.asking import query
from tests.indexes.test_meanings import FakeEncoder, session


class Reader:
    """An encoder to which everything about dogs is one thing, and everything else another."""

    def __init__(self, name: str = "reader/1") -> None:
        self._called = name
        self.read: list[str] = []

    def name(self) -> str:
        return self._called

    def encode(self, texts: Sequence[str]) -> Any:
        self.read += texts
        dogs = [any(word in text.casefold() for word in ("hound", "dog", "barks")) for text in texts]
        return np.array([[1.0, 0.0] if dog else [0.0, 1.0] for dog in dogs], np.float32)


CUE = "the dog whose noise kept all the neighbours awake"


@pytest.fixture
def index(tmp_path: Path) -> WhooshIndex:
    session(tmp_path, "a", "the pump made a noise all night", "and more noise of the pump for hours")
    session(tmp_path, "b", "our hound made a noise again", "then a walk")
    session(tmp_path, "c", "a loaf that rises twice")
    index = WhooshIndex(tmp_path / "index", Archive.from_environment({}, str(tmp_path)))
    index.refresh()
    index._meanings = Deep(index._home, FakeEncoder(""))
    return index


def order(index: WhooshIndex, reader: Reader, cue: str = CUE, **parts: Any) -> list[str]:
    index._looks = SecondLook(index._home, reader)
    asked = query(cue, **{"sentence": cue, "deep": True, **parts})
    return [hit.entry.spine.session_id[:1] for hit in index.search(asked)]


def test_a_better_reading_of_the_best_passages_moves_the_right_one_up(index: WhooshIndex) -> None:
    assert order(index, Reader("")) == ["a", "b"]
    assert order(index, Reader()) == ["b", "a"]


def test_it_is_asked_only_for_a_whole_cue_whose_words_fit_badly(index: WhooshIndex) -> None:
    for cue, parts in (
        (CUE, {"deep": False}),
        ("noise of the pump all night", {}),
        ("noise", {}),
        ("der Hund, der nachts so viel noise gemacht hat", {}),
        ("夜中 noise 犬", {}),
    ):
        reader = Reader()
        order(index, reader, cue, **parts)
        assert reader.read == [], cue


def test_what_was_read_is_kept_and_answers_the_same(index: WhooshIndex, tmp_path: Path) -> None:
    first = Reader()
    once = order(index, first)
    again = Reader()
    assert order(index, again) == once
    assert first.read
    assert again.read == []
    assert (tmp_path / "index" / "second-look.sqlite").stat().st_mode & 0o077 == 0
    other = Reader("reader/2")
    order(index, other)
    assert other.read, "vectors of another encoder never mix"


def test_a_store_that_is_broken_costs_only_its_content(index: WhooshIndex, tmp_path: Path) -> None:
    store = tmp_path / "index" / "second-look.sqlite"
    store.write_bytes(b"no database at all" * 200)
    assert order(index, Reader()) == ["b", "a"]
    assert order(index, Reader()) == ["b", "a"]
    again = Reader()
    order(index, again)
    assert again.read == [], "the broken file made room"


def test_the_store_does_not_grow_without_end(
    index: WhooshIndex, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("indexes.second_look.KEPT", 3)
    order(index, Reader())
    order(index, Reader(), "the dog that would not stop, what noise")
    with sqlite3.connect(tmp_path / "index" / "second-look.sqlite") as db:
        assert db.execute("select count(*) from vectors").fetchone() == (3,)
    db.close()


def test_a_limit_does_not_change_who_is_first(index: WhooshIndex) -> None:
    assert order(index, Reader(), limit=1) == ["b"]


def hit(path: str, score: float, *passages: Passage) -> Hit:
    return Hit(Entry(Source("claude", "/r", path, path, 1, 1), Spine()), score, 0.3, passages, ())


def test_only_the_best_few_are_read(tmp_path: Path) -> None:
    """The bound is a count, so that the same cue has the same answer on a slow machine."""
    place = Passage(1, 0, 9, Origin.PERSON, None, 1.0, ("noise",))
    hits = tuple(hit(f"{n:02}", 100.0 - n, place, place, place) for n in range(30))
    opened: list[str] = []

    def opens(found: Hit, _: Passage) -> Sequence[Any]:
        opened.append(found.entry.source.path)
        return ()

    look = SecondLook(IndexHome(tmp_path / "none"), Reader())
    assert look.looked(Query(sentence=CUE), hits, 0.2, opens) == hits, "nothing opened: the order stays"
    assert sorted(set(opened)) == [f"{n:02}" for n in range(weights.SECOND_AMONG)]
    assert len(opened) == 2 * weights.SECOND_AMONG
    assert not (tmp_path / "none").exists()


def test_the_worse_words_fit_the_more_it_weighs() -> None:
    hits = [hit("a", 1.0), hit("b", 0.9)]
    for fit, first in ((0.1, "b"), (0.79, "a")):
        assert reordered(hits, [0.2, 0.6], fit)[0].entry.source.path == first


def test_one_that_was_given_its_place_does_not_fall_for_its_score() -> None:
    """Third by meaning with a low score of its own: the second look weighs it by its place."""
    hits = [hit("a", 1.0), hit("b", 0.9), hit("meant", 0.1), hit("c", 0.89)]
    assert next(h.entry.source.path for h in reordered(hits, [0.2, 0.2, 0.9, None], 0.3)) == "meant"


def test_the_part_of_a_long_turn_that_holds_the_words_is_read() -> None:
    text = f"{'padding of many words ' * 40}the hound barks at the pump, {'more padding here ' * 40}"
    found = around(text, ("hound", "pumps"))
    assert "hound barks at the pump" in found
    assert len(found) <= 360
    assert around("short and whole", ("whole",)) == "short and whole"
    assert around(text, ()) == " ".join(text.split())[:360]


@pytest.mark.parametrize(
    ("sentence", "readable"),
    [(CUE, True), ("retry", False), ("wo haben wir die Pumpe gehört", False), ("ポンプ の 音", False), ("", False)],
)
def test_what_an_english_encoder_reads(sentence: str, readable: bool) -> None:
    assert reads(sentence) is readable


def test_without_the_extra_there_is_no_encoder_and_with_it_one_that_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    encoder = BiEncoder()
    if encoder.name():
        one, other, third = encoder.encode(["the dog barks", "a hound that howls", "quarterly tax return"])
        assert one.shape == (WIDTH,)
        assert float(one @ other) > float(one @ third) + 0.2
        assert (encoder.encode(["x", "the dog barks"])[1] == one).all(), "a text's neighbours do not change its vector"
    monkeypatch.setattr("indexes.bi_encoder.util.find_spec", lambda name: None)
    assert BiEncoder.name() == ""
