"""When nothing fits well, and when something does."""

from __future__ import annotations

import pytest

from core.ports import Hit, Query, Term, TermKind
from core.recall.fitting import fits_poorly
from core.recall.needles import carried
from core.recall.search import Lead
from tests.core.recall.fakes import talk

ENTRY = talk("r", "x").entry()


def lead(
    fit: float, likeness: float | None = None, way: str = "index", *, words: bool = True, held: float = 1.0
) -> Lead:
    return Lead(Hit(ENTRY, 1.0, fit, (), ("x",) if words else (), likeness, held), (way,))


def query(words: int) -> Query:
    return Query(terms=tuple(Term(f"w{n}") for n in range(words)))


@pytest.mark.parametrize(
    ("words", "fit", "likeness", "poor"),
    [
        (1, 1.0, None, False),  # an identifier that stands there
        (2, 0.85, 0.1, False),
        (7, 0.2, None, True),
        (7, 0.2, 0.3, True),  # another subject altogether
        (14, 0.4, None, False),  # a long memory of which much is carried
        (14, 0.35, 0.4, False),
        (8, 0.3, 0.55, False),  # other words, the same meaning
        (5, 0.0, 0.3, True),
    ],
)
def test_carried_words_and_likeness_speak_together(words: int, fit: float, likeness: float | None, poor: bool) -> None:
    assert fits_poorly(query(words), [lead(fit, likeness)]) is poor


def test_what_a_scan_found_fits_as_far_as_its_turn_carries_the_cue() -> None:
    cue = Query(terms=tuple(Term(w) for w in ("tidal", "siren", "calibration", "of", "the", "harbour")))
    assert carried("calibrating the tidal siren of the harbour", cue) == 1.0
    assert carried("the calibration of the scales", cue) == 0.25
    named = Query(terms=(Term("quexo-4471", 2.0, TermKind.IDENTIFIER), Term("siren")))
    assert carried("stored Quexo-4471", named) == 1.0
    assert not fits_poorly(cue, [lead(1.0, way="scan")])
    assert fits_poorly(cue, [lead(0.25, way="scan", held=0.0)])


def test_a_cue_without_words_cannot_fit_poorly() -> None:
    assert not fits_poorly(query(0), [lead(0.0)])
    assert not fits_poorly(query(3), [])


def test_rare_words_carry_a_cue_that_words_alone_answer() -> None:
    assert fits_poorly(query(9), [lead(0.4, held=0.8)])
    assert not fits_poorly(query(9), [lead(0.4, held=1.4)])


def test_words_and_meaning_that_agree_count_more() -> None:
    first, second = lead(0.35, 0.40), lead(0.35, 0.41)
    assert fits_poorly(query(9), [lead(0.28, 0.39), second])
    assert not fits_poorly(query(9), [first])


def test_a_long_record_further_down_does_not_carry_the_first() -> None:
    assert fits_poorly(query(4), [lead(0.1), lead(0.75)])
    assert not fits_poorly(query(4), [lead(0.75), lead(0.1)])


def test_a_record_that_no_word_reached_carries_no_words() -> None:
    assert fits_poorly(query(6), [lead(0.9, 0.2, words=False)])
