"""A cue that is only a time: the sessions of that time, newest first; its words are not searched."""

from __future__ import annotations

import pytest

from core.ports import Query
from core.recall.cue import read_cue
from core.recall.dialogue import Ports, begin, say
from core.recall.model import Advance, AxisKind, RoundKind, Scope, Utterance, WholeKind
from core.recall.thread import Thread
from core.records.model import Origin
from tests.core.recall.fakes import DAY, NOON, FakeRecord, FakeSearcher, FixedClock, talk

T = NOON.timestamp()  # Mon 1 June 2026: last week is 25 to 31 May
LAST_WORD = talk("word", "what was the last interaction time of the week", "five", started=T - 60 * DAY)
MONDAY = talk("monday", "raise the ceiling of the dome", "raised", "and paint it", "painted", started=T - 6 * DAY)
FRIDAY = talk("friday", "carve the doors of oak", "carved", "oil them too", "oiled", started=T - 3 * DAY)
BEGUN = talk("begun", "hello", started=T - 2 * DAY)
ROBOT = FakeRecord("robot", ((Origin.PERSON, "please write a 5-10 word title for it"),), started=T - 1.5 * DAY)
ARCHIVE = (LAST_WORD, MONDAY, FRIDAY, BEGUN, ROBOT)


def converse(cue: str, *said: str, records: tuple[FakeRecord, ...] = ARCHIVE) -> Advance:
    ports = Ports(FakeSearcher(records), FixedClock())
    advance = begin(cue, ports)
    for words in said:
        advance = say(advance.context, Utterance(words), ports)
    return advance


def order(advance: Advance) -> list[str]:
    round_ = advance.round
    assert round_ is not None
    assert round_.recognizable is not None, round_
    return [
        *(m.locator.session_id for m in round_.recognizable.members),
        *(a.locator.session_id for a in round_.adjacent),
    ]


def query_of(*texts: str) -> Query:
    return read_cue(Thread(cue_texts=texts), NOON, Scope()).query


ONLY_TIMES = [
    "last week", "what did we do last week?", "yesterday", "in May", "May", "friday", "the sessions of last month",
    "something from two weeks ago", "the last three days", "letzte Woche", "was haben wir gestern gemacht", "im März",
    "la semaine dernière", "qu'est-ce qu'on a fait hier soir", "la semana pasada", "qué hicimos ayer", "na semana passada",
    "o que fizemos ontem", "先週", "先週やったこと", "昨日のセッション", "지난주", "지난주에 한 일", "上周", "上周我们做了什么",
]  # fmt: skip


@pytest.mark.parametrize("cue", ONLY_TIMES)
def test_a_time_alone_is_a_window_and_no_word(cue: str) -> None:
    query = query_of(cue)
    assert query.windows
    assert query.terms == ()


@pytest.mark.parametrize(
    ("cue", "words"),
    [("the ui last week", {"ui"}), ("spring config in May", {"spring", "config"}), ("next week's plan", {"plan"})],
)
def test_a_time_beside_other_words_hardly_weighs(cue: str, words: set[str]) -> None:
    weights = {t.text: t.weight for t in query_of(cue).terms}
    assert words <= weights.keys()
    assert all(weights.get(w, 0.0) < 0.5 for w in ("last", "week", "May"))


def test_a_time_in_signs_is_read_apart_from_the_words_beside_it() -> None:
    assert [t.text for t in query_of("先週の再試行").terms] == ["の再試行"]


def test_the_sessions_of_a_time_come_newest_first_and_one_that_was_held_is_told() -> None:
    assert order(converse("last week")) == ["friday", "monday", "begun", "robot"]
    assert order(converse("先週")) == ["friday", "monday", "begun", "robot"]


def test_a_time_after_a_cue_moves_the_search_to_that_time() -> None:
    told = converse("the last interaction of the dome or the doors", "last week")
    assert order(told)[0] in ("monday", "friday")
    assert "word" not in order(told)
    both = converse("dome in March", "no, last week")
    assert both.round is not None
    assert [a.words for a in both.round.cue.axes if a.kind is AxisKind.TIME] == ["last week"]


def test_a_time_that_holds_nothing_says_so_and_tells_what_lies_nearest() -> None:
    told = converse("yesterday", records=(LAST_WORD, MONDAY))
    assert order(told) == ["monday"]
    assert told.round is not None
    assert any(
        "is of that time: “yesterday” (2026-05-31). What is told is what lies nearest" in r for r in told.round.remarks
    )


def test_earlier_stays_inside_the_time_while_it_can() -> None:
    assert order(converse("last week", "earlier"))[0] == "monday"


def test_everything_of_a_time_is_a_line_of_what_was_held_then() -> None:
    told = converse("everything we did last week")
    assert told.round is not None
    assert told.round.kind is RoundKind.PRESENT
    assert told.round.recognizable is not None
    assert told.round.recognizable.whole is WholeKind.LINE
    assert [m.locator.session_id for m in told.round.recognizable.members] == ["monday", "friday"]
    assert told.round.recognizable.joins == "they are of that time"
