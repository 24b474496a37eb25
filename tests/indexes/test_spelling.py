"""Words with a slip of the finger find what was meant, and the person is told."""

from __future__ import annotations

import pytest

from core.ports import TermKind
from core.recall.search import Lead
from core.recall.wording import misread_words
from indexes.whoosh_index import WhooshIndex
from tests.indexes.asking import ids, query
from tests.indexes.fake_archive import Records


@pytest.fixture
def spelt(index: WhooshIndex, records: Records) -> WhooshIndex:
    records.write("queue", "the retry of the migration queue, Kowalski asked for it", "authentication of workers")
    records.write("paint", "colours of the parser and its warnings")
    index.refresh()
    return index


@pytest.mark.parametrize(
    "typed",
    [
        "retyr",
        "rertry",
        "rety",
        "migratoin",
        "migratino",
        "migrattion",
        "Kowalsbi",
        "Kowalskj",
        "Kowaslki",
        "authentcation",
    ],
)
def test_a_misspelt_word_finds_what_was_meant(spelt: WhooshIndex, typed: str) -> None:
    if len(typed) < 5:
        assert ids(spelt, typed) == []  # too short: it has too many neighbours
        return
    (hit,) = spelt.search(query(typed))
    assert hit.entry.spine.session_id == "queue"
    assert [pair[0] for pair in hit.read_as] == [typed]


def test_the_person_is_told(spelt: WhooshIndex) -> None:
    leads = [Lead(hit, ("index",)) for hit in spelt.search(query("retyr colours"))]
    assert misread_words(leads) == ("No record holds “retyr”; it was read as “retry”.",)
    assert misread_words([Lead(hit, ("index",)) for hit in spelt.search(query("retry"))]) == ()


@pytest.mark.parametrize("typed", ["zqxwv", "EN-260", "a1b2c3d", "retry_queue", "xetry", "die", "parsnips"])
def test_what_is_no_slip_is_left_alone(spelt: WhooshIndex, typed: str) -> None:
    assert all(not hit.read_as for hit in spelt.search(query(typed)))


def test_words_of_another_language_are_not_misspelt(spelt: WhooshIndex) -> None:
    assert all(not hit.read_as for hit in spelt.search(query("wo haben wir die migratior gelöst")))


def test_a_prefix_and_a_name_stand_for_themselves(spelt: WhooshIndex) -> None:
    for kind in (TermKind.PREFIX, TermKind.IDENTIFIER):
        assert spelt.search(query("retyr", kind=kind)) == ()


def test_a_word_that_stands_somewhere_is_never_read_as_another(index: WhooshIndex, records: Records) -> None:
    records.write("trail", "the trail of the audit")
    records.write("trial", "a trial of the audit, trial after trial")
    index.refresh()
    assert ids(index, "trail")[0] == "trail"
    assert all(not hit.read_as for hit in index.search(query("trail")))


def test_a_word_that_is_right_carries_more_than_one_that_was_read_for_another(spelt: WhooshIndex) -> None:
    right, read = spelt.search(query("migration colours")), spelt.search(query("migratoin colours"))
    weight = {h.entry.spine.session_id: h.score for h in read}
    assert right[0].score >= weight["queue"]
    assert weight["paint"] >= weight["queue"]
