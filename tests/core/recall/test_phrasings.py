"""How cues name what they are about, and how they only say that there was talk."""

from __future__ import annotations

import pytest

from core.recall.cue import TALK_WORD_WEIGHT, read_cue
from core.recall.model import Scope
from core.recall.phrasings import talk_words
from core.recall.thread import Thread
from tests.core.recall.fakes import NOON


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("that thing about retries we argued over in spring", "argued"),
        ("the cache we were talking about", "talking"),
        ("what we had all discussed on the pool", "discussed"),
        ("the retries we went back and forth on", "went back and forth"),
        ("die Wiederholungen, über die wir gestritten haben", "gestritten"),
        ("wir sprachen über den Pool", "sprachen"),
        ("le budget dont on a discuté", "discuté"),
        ("el caché del que hablamos", "hablamos"),
        ("o cache de que falamos", "falamos"),
        ("the retry discussions", "discussions"),
        ("unsere Gespräche über den Pool", "Gespräche"),
        ("关于缓存的讨论", "讨论"),
    ],
)
def test_words_that_say_there_was_talk(sentence: str, words: str) -> None:
    assert [sentence[a:b] for a, b in talk_words(sentence)] == [words]


@pytest.mark.parametrize(
    "sentence",
    [
        "the argued position",
        "a talk on caches",
        "arguments of the parser",
        "I want to argue",
        "store conversations by day",
    ],
)
def test_words_that_are_the_matter_itself(sentence: str) -> None:
    assert talk_words(sentence) == ()


def test_they_weigh_little_beside_what_the_talk_was_about() -> None:
    cue = read_cue(Thread(cue_texts=("that thing about retries we argued over",)), NOON, Scope())
    weights = {t.text: t.weight for t in cue.query.terms}
    assert weights["argued"] == pytest.approx(TALK_WORD_WEIGHT)
    assert weights["retries"] == pytest.approx(1.0)
