"""When the archive holds nothing of what is remembered, the person is told so; when it does, they are not put off."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.library import Library
from core.recall.model import RoundKind
from tests.cues.asked import EVERYTHING, asked

NONE = (Path(__file__).parent / "none.txt").read_text(encoding="utf-8").splitlines()
TOLD = 36
"""Of forty cues without an answer (design/recall.md 3)."""
PUT_OFF = 0.08
"""Of the cues with an answer, at most two in twenty-five."""


def told_so(library: Library, cue: str) -> bool:
    """Whether the first round says that nothing fits well, or asks for more."""
    round_ = library.start(cue, EVERYTHING).round
    assert round_ is not None
    return round_.kind is not RoundKind.PRESENT or any("Nothing fits well" in remark for remark in round_.remarks)


def test_a_cue_without_an_answer_is_told_so(library: Library) -> None:
    assert len(set(NONE)) == 40
    taken = [cue for cue in NONE if not told_so(library, cue)]
    assert len(taken) <= len(NONE) - TOLD, taken


def test_a_cue_with_an_answer_is_not_put_off(library: Library) -> None:
    cues = [ask.cue for ask in asked()]
    put_off = [cue for cue in cues if told_so(library, cue)]
    assert len(put_off) <= PUT_OFF * len(cues), put_off


@pytest.mark.parametrize("cue", ["double charge of a customer", "PaymentClient.charge"])
def test_what_stands_there_word_for_word_fits(library: Library, cue: str) -> None:
    assert not told_so(library, cue)
