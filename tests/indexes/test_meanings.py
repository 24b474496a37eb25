"""Meanings beside the words: reading, growing, stopping, blending. A made-up encoder stands in for the real one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.library import Library
from core.ports import Entry, Hit, Progress
from core.recall.model import Scope
from core.records.archive import Archive
from core.records.model import Role, Source, Spine
from indexes.blending import blend, speaks_up
from indexes.deep import Deep
from indexes.encoder import DIMENSIONS, Encoder
from indexes.meanings import Meanings, Meant
from indexes.whoosh_index import WhooshIndex
from tests.core.recall.fakes import FixedClock

SENSES = {"dog": 0, "hound": 0, "hund": 0, "犬": 0, "car": 1, "wagen": 1, "vehicle": 1, "bread": 2, "loaf": 2}


class FakeEncoder(Encoder):
    """Words of one sense have one vector."""

    def __init__(self, name: str = "fake/1") -> None:
        super().__init__()
        self._called = name
        self.encoded: list[str] = []

    def name(self) -> str:  # type: ignore[override]
        return self._called

    def encode(self, texts: Sequence[str]) -> Any:
        self.encoded += texts
        found = np.full((len(texts), DIMENSIONS), 1e-3, np.float32)
        for row, text in enumerate(texts):
            for word, sense in SENSES.items():
                found[row, sense] += text.lower().count(word)
        return found / np.linalg.norm(found, axis=1, keepdims=True)


def session(home: Path, name: str, *said: str, append: bool = False) -> Path:
    folder = home / ".claude" / "projects" / "-code-zoo"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name * 8}-0000-4000-8000-000000000000.jsonl"
    lines = [
        json.dumps({"type": "user", "uuid": f"{name}{n}{text[:3]}", "cwd": "/code/zoo", "sessionId": path.stem,
                    "timestamp": "2026-03-01T00:00:00Z", "message": {"role": "user", "content": text}})
        for n, text in enumerate(said)
    ]  # fmt: skip
    with path.open("a" if append else "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    return path


@pytest.fixture
def home(tmp_path: Path) -> Path:
    session(tmp_path, "a", "our hound will not bark at strangers")
    session(tmp_path, "b", "the vehicle makes a grinding noise")
    session(tmp_path, "c", "a loaf that rises twice")
    return tmp_path


@pytest.fixture
def index(home: Path) -> WhooshIndex:
    archive = Archive.from_environment({}, str(home))
    index = WhooshIndex(home / "index", archive)
    index.refresh()
    index._meanings = Deep(index._home, FakeEncoder())
    return index


def first(index: WhooshIndex, home: Path, cue: str) -> str:
    library = Library(Archive.from_environment({}, str(home)), index, str(home), FixedClock())
    rows = library.search(cue, Scope()).rows
    return rows[0].locator.session_id[:1] if rows else ""


def test_other_words_and_other_languages_reach_what_is_meant(index: WhooshIndex, home: Path) -> None:
    assert first(index, home, "der Hund") == ""
    done = index.deepen()
    assert (done.read, done.pending) == (3, 0)
    assert first(index, home, "der Hund") == "a"
    assert first(index, home, "犬") == "a"
    assert first(index, home, "Wagen kaputt") == "b"


def test_words_that_fit_are_not_asked_for_their_meaning(index: WhooshIndex, home: Path) -> None:
    index.deepen()
    encoder = FakeEncoder()
    index._meanings = Deep(index._home, encoder)
    assert first(index, home, "vehicle grinding noise") == "b"
    assert encoder.encoded == []


def test_the_turn_that_means_it_is_a_passage(index: WhooshIndex, home: Path) -> None:
    index.deepen()
    library = Library(Archive.from_environment({}, str(home)), index, str(home), FixedClock())
    (row, *_) = library.search("der Hund", Scope()).rows
    assert row.passages[0].line == 1
    assert "hound" in row.gist


def test_only_what_grew_is_read_again(index: WhooshIndex, home: Path) -> None:
    index.deepen()
    session(home, "a", "and now about the bread", append=True)
    index.refresh()
    encoder = FakeEncoder()
    index._meanings = Deep(index._home, encoder)
    assert index.deepen().read == 1
    assert encoder.encoded == ["and now about the bread"]
    assert index.deepen().read == 0


def test_a_stop_keeps_what_was_read(index: WhooshIndex) -> None:
    assert index.deepen(seconds=0).pending == 3
    assert index.deepen(progress=lambda _: False).pending == 3
    seen: list[Progress] = []
    assert index.deepen(progress=lambda p: not seen.append(p)).pending == 0
    assert seen


def test_another_encoder_starts_anew(index: WhooshIndex, home: Path) -> None:
    index.deepen()
    index._meanings = Deep(index._home, FakeEncoder("fake/2"))
    assert first(index, home, "der Hund") == "", "vectors of another encoder never mix"
    assert index.deepen().read == 3
    assert first(index, home, "der Hund") == "a"


def test_without_an_encoder_words_alone_rank(index: WhooshIndex, home: Path) -> None:
    index._meanings = Deep(index._home, FakeEncoder(""))
    assert index.deepen().available is False
    assert first(index, home, "hound strangers") == "a"


def test_a_record_that_is_gone_is_forgotten_only_by_the_index(index: WhooshIndex, home: Path) -> None:
    index.deepen()
    (home / ".claude" / "projects" / "-code-zoo" / "aaaaaaaa-0000-4000-8000-000000000000.jsonl").unlink()
    index.refresh()
    index.deepen()
    assert first(index, home, "der Hund") == "a", "a gone record stays findable"


def test_filters_hold_for_what_only_means_it(index: WhooshIndex, home: Path) -> None:
    index.deepen()
    assert first(index, home, "Hund project:elsewhere") == ""
    assert first(index, home, "Hund -bark") == ""


@pytest.mark.parametrize("damage", [b"", b"\x00" * 100])
def test_damaged_rows_cost_only_the_meanings(index: WhooshIndex, home: Path, damage: bytes) -> None:
    index.deepen()
    (home / "index" / "meanings.rows").write_bytes(damage)
    assert first(index, home, "hound strangers") == "a"
    (home / "index" / "meanings.sqlite").write_bytes(damage * 20 + b"x")
    assert first(index, home, "hound strangers") == "a"


def test_rows_nobody_counts_are_tidied_away(tmp_path: Path) -> None:
    store = Meanings(tmp_path, "fake/1")
    from indexes.meaning_texts import MeaningText

    entry = Entry(Source("claude", "/r", "/r/a.jsonl", "a", 1, 1), Spine())
    texts = [MeaningText(n, n, f"hound {n}") for n in range(400)]
    vectors = dict(enumerate(FakeEncoder().encode([t.text for t in texts])))
    for _ in range(6):
        store.put(entry, texts, vectors, {})
    before = (tmp_path / "meanings.rows").stat().st_size
    store.tidy()
    assert (tmp_path / "meanings.rows").stat().st_size == before / 6
    (found,) = store.nearest(FakeEncoder().encode(["hund"])[0]).values()
    assert found.likeness > 0.9


def hit(path: str, score: float, fit: float = 0.3) -> Hit:
    return Hit(Entry(Source("claude", "/r", path, path, 1, 1), Spine()), score, fit, (), ())


def test_the_best_by_meaning_has_the_third_place() -> None:
    hits = [hit(c, 10 - n, 0.55) for n, c in enumerate("abcdef")]
    meant = {c: Meant(0.9 if c == "f" else 0.3, 1, 0) for c in "abcdef"} | {"z": Meant(0.8, 1, 0)}
    order = [h.entry.source.path for h in blend(hits, {"z": hit("z", 0.0)}, meant, 10)]
    assert order.index("f") <= 2
    assert order.index("z") <= 5
    assert order[0] == "a"
    assert len(order) == 7


def test_the_nearest_of_many_texts_is_nearer_by_chance() -> None:
    """A marathon session whose nearest text is a little nearer does not pass a short one that is about nothing else."""
    meant = {"long": Meant(0.52, 1, 0, 0.1, 400), "short": Meant(0.5, 1, 0, 0.5, 6)}
    order = blend([hit("long", 1.0, 0.2), hit("short", 0.95, 0.2)], {}, meant, 10)
    assert [h.entry.source.path for h in order] == ["short", "long"]


def test_the_worse_words_fit_the_more_meanings_weigh() -> None:
    meant = {"a": Meant(0.3, 1, 0), "b": Meant(0.45, 1, 0)}
    for fit, first in ((0.1, "b"), (0.79, "a")):
        order = blend([hit("a", 1.0, fit), hit("b", 0.7, fit)], {}, meant, 10)
        assert order[0].entry.source.path == first


def test_a_subagent_stands_below_the_session_it_served_in_meaning_too() -> None:
    served = hit("main", 1.0, 0.2)
    helper = hit("helper", 1.0, 0.2)
    entry = replace(helper.entry, spine=replace(helper.entry.spine, role=Role.SUBAGENT))
    order = blend([replace(helper, entry=entry), served], {}, {p: Meant(0.5, 1, 0) for p in ("main", "helper")}, 10)
    assert [h.entry.source.path for h in order] == ["main", "helper"]


def test_meanings_speak_up_only_for_a_poor_fit() -> None:
    assert speaks_up([])
    assert speaks_up([hit("a", 1.0, 0.4)])
    assert not speaks_up([hit("a", 1.0, 0.9)])


def test_the_real_encoder_carries_its_weights() -> None:
    """No network is needed: the weights are in the package."""
    encoder = Encoder()
    assert encoder.name().startswith("use-multilingual-3/")
    one, other, third = encoder.encode(["the dog barks", "der Hund bellt", "quarterly tax return"])
    assert float(one @ other) > float(one @ third) + 0.2


def test_half_a_surrogate_pair_is_read_like_any_text() -> None:
    """An escape that was cut in half stands in real records (formats.md B17); a cue may hold bytes that are no UTF-8."""
    cut, whole, other = Encoder().encode(["the dog barks \ud83d", "the dog barks ?", "a tax return \udce9"])
    assert float(cut @ whole) > 0.99 > float(cut @ other)


def test_a_record_with_half_a_surrogate_pair_has_a_meaning(index: WhooshIndex, home: Path) -> None:
    session(home, "d", "the old wagen stalls \ud83d", "and stalls")
    index.refresh()
    index._meanings = Deep(index._home, Encoder())
    assert index.deepen().read == 4
    assert first(index, home, "a motor vehicle that stops at \udce9 crossing") in ("b", "d")


def test_what_is_meant_comes_up_as_others_are_rejected() -> None:
    """A person who says "not that one" reaches the third place in two turns, not never."""
    hits = [hit(c, 10 - n) for n, c in enumerate("cdef")]
    meant = {c: Meant(0.1, 1, 0) for c in "cdef"} | {"z": Meant(0.8, 1, 0)}
    for rejected, place in ((0, 2), (1, 1), (2, 0)):
        order = [h.entry.source.path for h in blend(hits, {"z": hit("z", 0.0)}, meant, 10, rejected=rejected)]
        assert order.index("z") <= place


@pytest.mark.parametrize("cue", ["quexo4471", "ENT-260", "zebra", "4be21d7", "a1"])
def test_a_lone_name_means_only_itself(index: WhooshIndex, home: Path, cue: str) -> None:
    """An exact search that finds nothing says so, instead of listing what the name reminds an encoder of."""
    index.deepen()
    encoder = FakeEncoder()
    index._meanings = Deep(index._home, encoder)
    assert first(index, home, cue) == ""
    assert encoder.encoded == []


def test_before_any_meaning_was_read_the_encoder_stays_unloaded(index: WhooshIndex, home: Path) -> None:
    encoder = FakeEncoder()
    index._meanings = Deep(index._home, encoder)
    assert first(index, home, "der Hund bellt") == ""
    assert encoder.encoded == []
