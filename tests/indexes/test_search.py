"""What a search finds, in which order, and what it says about it."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.ports import Filters, Query, Term, TermKind, TimeWindow
from core.records.model import Origin
from indexes.whoosh_index import WhooshIndex
from tests.indexes.asking import ids, query
from tests.indexes.fake_archive import FakeArchive, Records

DAY = 86_400.0
NOON = 1_700_000_000.0  # 14 November 2023, a Tuesday


@pytest.fixture
def filled(index: WhooshIndex, records: Records) -> WhooshIndex:
    records.write(
        "pay", {"t": "the payment gateway broke in src/pay/gate.py", "at": NOON},
        {"t": "we fixed the deadlock in PaymentGate", "o": "assistant", "at": NOON + 60},
        title="Broken checkout", cwd="/home/dev/shop", branch="fix-1",
    )  # fmt: skip
    records.write(
        "codex-colour", {"t": "colours of the parser", "at": NOON + 30 * DAY},
        {"t": "the red Parser of issue #950", "o": "assistant", "at": NOON + 30 * DAY},
        cwd="/home/dev/paint", branch="main",
    )  # fmt: skip
    records.write("robot", {"t": "payment probe", "at": NOON + DAY}, entry="sdk-cli", cwd="/home/dev/shop")
    index.refresh()
    return index


def test_an_empty_query_lists_every_record_newest_first(filled: WhooshIndex) -> None:
    assert ids(filled) == ["codex-colour", "robot", "pay"]
    assert ids(filled, limit=1) == ["codex-colour"]
    assert [e.spine.session_id for e in filled.entries()] == ["codex-colour", "robot", "pay"]


def test_filters_alone_list_what_fulfils_them_newest_first(filled: WhooshIndex) -> None:
    assert ids(filled, filters=Filters(projects=("SHOP",))) == ["robot", "pay"]


def test_a_hit_names_its_passages_and_words(filled: WhooshIndex) -> None:
    (hit,) = filled.search(query("deadlock unicorn"))
    assert hit.terms == ("deadlock",)
    (passage,) = hit.passages
    assert (passage.line, passage.origin, passage.at, passage.terms) == (
        3, Origin.ASSISTANT, NOON + 60, ("deadlock",),
    )  # fmt: skip
    assert 0 < hit.fit < 1
    (whole,) = filled.search(query("fixed deadlock"))
    assert whole.fit == pytest.approx(1.0)


def test_a_title_is_searched(filled: WhooshIndex) -> None:
    assert ids(filled, "checkout") == ["pay"]


def test_a_whole_identifier_beats_its_parts(index: WhooshIndex, records: Records) -> None:
    records.write("parts", "check and notify, check and notify: skips the hidden command, check notify skips")
    records.write("whole", "see TestCheckAndNotify_SkipsHiddenCommand among many other words of this long turn")
    index.refresh()
    assert ids(index, "TestCheckAndNotify_SkipsHiddenCommand")[0] == "whole"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("#950", ["codex-colour"]),
        ("gate.py", ["pay"]),
        ("src/pay/gate.py", ["pay"]),
        ("colour", ["codex-colour"]),
        ("what did we fix", ["pay"]),
        ("the we that", ["pay", "codex-colour"]),
        ("unicorn", []),
        ("😀", []),
        ("", ["codex-colour", "robot", "pay"]),
    ],
)
def test_words(filled: WhooshIndex, text: str, found: list[str]) -> None:
    assert sorted(ids(filled, text)) == sorted(found)


def test_a_word_still_being_typed(filled: WhooshIndex) -> None:
    assert ids(filled, "dead", kind=TermKind.PREFIX) == ["pay"]
    assert ids(filled, "dead") == []


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        (Filters(runtimes=("codex",)), ["codex-colour"]),
        (Filters(runtimes=("-codex",)), ["pay", "robot"]),
        (Filters(branches=("FIX",)), ["pay"]),
        (Filters(projects=("shop", "paint")), ["codex-colour", "pay", "robot"]),
        (Filters(projects=("-shop",)), ["codex-colour"]),
        (Filters(kinds=("robot",)), ["robot"]),
        (Filters(kinds=("-robot",)), ["codex-colour", "pay"]),
        (Filters(kinds=("main", "-robot")), ["codex-colour", "pay"]),
        (Filters(kinds=("archived",)), []),
        (Filters(kinds=("unheard-of",)), []),
        (Filters(sessions=("pa",)), ["pay"]),
        (Filters(sessions=("-pa",)), ["codex-colour", "robot"]),
        (Filters(runtimes=("claude",), projects=("paint",)), []),
    ],
)
def test_filters(filled: WhooshIndex, filters: Filters, found: list[str]) -> None:
    assert sorted(ids(filled, "payment parser", filters=filters)) == found


def test_who_said_it(filled: WhooshIndex) -> None:
    assert ids(filled, "deadlock", filters=Filters(roles=("assistant",))) == ["pay"]
    assert ids(filled, "deadlock", filters=Filters(roles=("person",))) == []
    assert ids(filled, "deadlock", filters=Filters(roles=("-assistant",))) == []


def test_the_speaker_named_weighs_more(index: WhooshIndex, records: Records) -> None:
    records.write("mine", {"t": "a zebra", "o": "person"}, "filler one", "filler two")
    records.write("yours", {"t": "a zebra", "o": "assistant"}, "filler one", "filler two")
    index.refresh()
    assert ids(index, "zebra", speaker=Origin.PERSON)[0] == "mine"
    assert ids(index, "zebra", speaker=Origin.ASSISTANT)[0] == "yours"


def test_words_that_must_and_must_not_occur(filled: WhooshIndex) -> None:
    assert ids(filled, "payment parser", without=("deadlock", "red")) == ["robot"]
    assert ids(filled, "payment parser", any_of=(("deadlock", "unicorn"),)) == ["pay"]
    assert ids(filled, "payment", any_of=(("unicorn",),)) == []


def test_an_exact_phrase_is_verified_in_the_record(filled: WhooshIndex, archive: FakeArchive) -> None:
    assert ids(filled, phrases=("Payment   gateway broke",)) == ["pay"]
    assert ids(filled, phrases=("gateway payment broke",)) == []
    assert archive.opened > 0
    assert ids(filled, phrases=("unicorns never",)) == []


def test_excluded_paths_are_not_offered(filled: WhooshIndex, records: Records) -> None:
    assert ids(filled, "payment", excluded=frozenset({str(records.root / "pay.jsonl")})) == ["robot"]


def test_soft_and_hard_windows(filled: WhooshIndex) -> None:
    soft = TimeWindow(NOON + 29 * DAY, NOON + 31 * DAY, DAY)
    assert ids(filled, "payment parser", windows=(soft,))[0] == "codex-colour"
    assert "pay" in ids(filled, "payment parser", windows=(soft,))
    assert ids(filled, "payment parser", windows=(TimeWindow(NOON - DAY, NOON + DAY / 2, DAY, hard=True),)) == ["pay"]
    assert ids(filled, windows=(soft,)) == ["codex-colour"]


@pytest.mark.parametrize("text", ["november", "tuesday", "november 14", "14th november 2023"])
def test_words_of_a_date_find_a_session(filled: WhooshIndex, text: str) -> None:
    assert ids(filled, text)[0] == "pay"


def test_a_subagent_stands_behind_its_main_record(index: WhooshIndex, records: Records) -> None:
    records.write("sub", "the zebra crossing", role="subagent")
    records.write("main", "the zebra crossing")
    index.refresh()
    assert ids(index, "zebra") == ["main", "sub"]


def test_a_session_of_many_other_words_does_not_win(index: WhooshIndex, records: Records) -> None:
    records.write("marathon", *[f"filler number{n} zebra talk about crossing words" for n in range(200)])
    records.write("short", "the zebra crossing was painted")
    index.refresh()
    assert ids(index, "zebra crossing painted")[0] == "short"


@pytest.mark.parametrize("text", ["检索", "索", "方"])
def test_words_without_spaces(index: WhooshIndex, records: Records, text: str) -> None:
    records.write("zh", "我们讨论了检索方法")
    records.write("other", "完全不同的话题")
    index.refresh()
    assert ids(index, text) == ["zh"]


def test_paths_and_texts_that_are_not_unicode(index: WhooshIndex, records: Records) -> None:
    import json
    import os

    name = os.fsdecode(b"od\xff")
    path = records.root / f"{name}.jsonl"
    path.write_text(json.dumps({"id": "odd"}) + "\n" + json.dumps({"t": "lone \udc80 zebra"}) + "\n")
    index.refresh()
    (hit,) = index.search(query("zebra"))
    assert hit.entry.source.path == str(path)
    assert Path(hit.entry.source.path).exists()
    assert str(path) in index.receipts([str(path)])


def test_a_query_with_a_lone_surrogate(filled: WhooshIndex) -> None:
    assert filled.search(Query((Term("\udc80"), Term("deadlock"))))[0].entry.spine.session_id == "pay"
