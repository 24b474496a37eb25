"""Reading the cue: times, identifiers, filters, speakers, and how they weigh."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.ports import TermKind
from core.recall.cue import IDENTIFIER_WEIGHT, LATEST_WEIGHT, TIME_WORD_WEIGHT, read_cue
from core.recall.filters import FILTER_WORDS, date_window, parse_filters
from core.recall.identifiers import fits_kind, read_identifiers
from core.recall.model import AxisKind, Cue, Scope, WholeKind
from core.recall.thread import Thread
from core.recall.times import read_times
from core.records.model import Origin

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


def cue(*texts: str) -> Cue:
    return read_cue(Thread(cue_texts=texts), NOW, Scope())


def days(text: str, now: datetime = NOW) -> list[tuple[str, str]]:
    """The first window of each time in `text`, as first and last civil day."""
    return [
        (
            datetime.fromtimestamp(p.windows[0].start, now.tzinfo).date().isoformat(),
            datetime.fromtimestamp(p.windows[0].end - 1, now.tzinfo).date().isoformat(),
        )
        for p in read_times(text, now)
    ]


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("yesterday evening", "2026-11-29", "2026-11-29"),
        ("last week", "2026-11-23", "2026-11-29"),
        ("last month we fixed it", "2026-10-01", "2026-10-31"),
        ("in March", "2026-03-01", "2026-03-31"),
        ("in december", "2025-12-01", "2025-12-31"),
        ("march 3rd", "2026-03-03", "2026-03-03"),
        ("on 14 February 2025", "2025-02-14", "2025-02-14"),
        ("early february", "2026-02-01", "2026-02-10"),
        ("late May 2024", "2024-05-21", "2024-05-31"),
        ("the sunday in early february", "2026-02-01", "2026-02-01"),
        ("last tuesday", "2026-11-24", "2026-11-24"),
        ("valentine's day", "2026-02-14", "2026-02-14"),
        ("in spring", "2026-03-01", "2026-05-31"),
        ("last winter", "2025-12-01", "2026-02-28"),
        ("2026-02-03", "2026-02-03", "2026-02-03"),
        ("2026年2月3日の件", "2026-02-03", "2026-02-03"),
        ("in 2024", "2024-01-01", "2024-12-31"),
        ("the day before yesterday", "2026-11-28", "2026-11-28"),
    ],
)
def test_times_are_civil_days(text: str, first: str, last: str) -> None:
    assert (first, last) in days(text)


@pytest.mark.parametrize("text", ["a few weeks ago", "two months back", "3 days ago", "the other day", "a while ago"])
def test_vague_times_are_wide_and_past(text: str) -> None:
    (phrase,) = read_times(text, NOW)
    window = phrase.windows[0]
    assert window.slack > 0
    assert window.start < NOW.timestamp()


@pytest.mark.parametrize(
    "text", ["I may march on", "the second retry", "a mark in the margin", "version 2026-99", "sunny", "5 of 12"]
)
def test_words_that_only_look_like_times_are_words(text: str) -> None:
    assert read_times(text, NOW) == ()


def test_days_are_those_of_the_persons_zone() -> None:
    tokyo = timezone(timedelta(hours=9))
    now = datetime(2026, 3, 1, 1, tzinfo=tokyo)  # still February 28 in UTC
    (window,) = [p.windows[0] for p in read_times("yesterday", now)]
    assert datetime.fromtimestamp(window.start, tokyo).date() == date(2026, 2, 28)


@given(st.text(), st.integers(631152000, 3786912000).map(lambda s: datetime.fromtimestamp(s, UTC)))
def test_any_text_yields_windows_that_hold_together(text: str, now: datetime) -> None:
    for phrase in read_times(text, now):
        assert 0 <= phrase.start < phrase.end <= len(text)
        assert all(w.start < w.end and w.slack >= 0 for w in phrase.windows)


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("what did we say about PR 227", AxisKind.PULL_REQUEST, "227"),
        ("issue 950, the one", AxisKind.ISSUE, "950"),
        ("see #12 please", AxisKind.ISSUE, "12"),
        ("ENT-260", AxisKind.SYMBOL, "ENT-260"),
        ("bead bd-q3fy vanished", AxisKind.SYMBOL, "bd-q3fy"),
        ("wingman.log says", AxisKind.PATH, "wingman.log"),
        ("core/text.py", AxisKind.PATH, "core/text.py"),
        ("GetByAgentType mutex", AxisKind.SYMBOL, "GetByAgentType"),
        ("call foo_bar() again", AxisKind.SYMBOL, "foo_bar"),
        ("at abc1234 it broke", AxisKind.COMMIT, "abc1234"),
        ("https://a.example/b", AxisKind.URL, "https://a.example/b"),
        ("v1.2.3 shipped", AxisKind.VERSION, "v1.2.3"),
        ("KeyError: 'ledger'", AxisKind.ERROR, "KeyError: 'ledger'"),
        ("de1e7e00-0000-4000-8000-000000000001", AxisKind.SESSION, "de1e7e00-0000-4000-8000-000000000001"),
    ],
)
def test_identifiers_carry_a_kind(text: str, kind: AxisKind, value: str) -> None:
    assert (kind, value) in [(i.kind, i.value) for i in read_identifiers(text)]


@pytest.mark.parametrize(
    "text", ["the well-known thing", "stripe's tool", "a decade ago", "facade", "in 2024", "e.g. this"]
)
def test_plain_words_are_no_identifiers(text: str) -> None:
    assert read_identifiers(text) == ()


def test_a_number_fits_only_in_the_sense_that_was_meant() -> None:
    assert fits_kind(AxisKind.PULL_REQUEST, "227", "merged #227 today") is True
    assert fits_kind(AxisKind.PULL_REQUEST, "227", "see https://h.example/o/r/pull/227") is True
    assert fits_kind(AxisKind.PULL_REQUEST, "227", "gh pr view 227") is True
    assert fits_kind(AxisKind.ISSUE, "227", "227 tests passed") is False
    assert fits_kind(AxisKind.ISSUE, "227", "nothing of the kind") is None
    assert fits_kind(AxisKind.ISSUE, "22", "issue 227") is None
    assert fits_kind(AxisKind.PATH, "a/b.py", "open a/b.py") is True


def test_identifiers_and_the_latest_words_weigh_more_and_times_less() -> None:
    found = cue("docker in spring", "TestRetryBudget failed")
    weights = {t.text: (t.weight, t.kind) for t in found.query.terms}
    assert weights["docker"] == (1.0, TermKind.WORD)
    assert weights["spring"] == (TIME_WORD_WEIGHT, TermKind.WORD)
    assert weights["TestRetryBudget"] == (LATEST_WEIGHT * IDENTIFIER_WEIGHT, TermKind.IDENTIFIER)
    assert weights["failed"] == (LATEST_WEIGHT, TermKind.WORD)
    assert found.meant == "docker in spring; TestRetryBudget failed"


@pytest.mark.parametrize(
    ("text", "speaker"),
    [
        ("I said to drop it", Origin.PERSON),
        ("you suggested a queue", Origin.ASSISTANT),
        ("docker", None),
        ("I asked and you said", None),
    ],
)
def test_speakers_weigh(text: str, speaker: Origin | None) -> None:
    assert cue(text).query.speaker is speaker


def test_the_newest_turn_that_names_a_whole_decides() -> None:
    assert cue("retries").whole is WholeKind.SESSION
    assert cue("everything we did on retries").whole is WholeKind.LINE
    assert cue("the rule we coined about retries").whole is WholeKind.CONCEPT
    assert cue("everything we did on retries", "that conversation with the budget").whole is WholeKind.SESSION


def test_filters_leave_the_sentence() -> None:
    found = cue('agent:codex retry -docker "exact words" dir:payments branch:main date:2026-03 this OR that')
    query = found.query
    assert query.filters.runtimes == ("codex",)
    assert query.filters.projects == ("payments",)
    assert query.filters.branches == ("main",)
    assert query.without == ("docker",)
    assert query.phrases == ("exact words",)
    assert query.any_of == (("this", "that"),)
    assert [w.hard for w in query.windows] == [True]
    assert {t.text for t in query.terms} == {"retry", "exact", "words", "this", "that"}
    assert found.hints == ()


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("prject:x", "did you mean “project:”"),
        ("is:foo", "is:foo"),
        ("date:soon", "date:soon"),
        ("agent:emacs", "agent:emacs"),
        ("role:queen", "role:queen"),
    ],
)
def test_a_filter_that_is_none_gives_a_hint(text: str, hint: str) -> None:
    assert any(hint in h for h in cue(text).hints)


@pytest.mark.parametrize(
    "text", ["http://localhost:8080/x", "localhost:8080", "note: this", "C:\\Users", "12:30", "foo::bar"]
)
def test_a_colon_is_often_only_a_colon(text: str) -> None:
    assert cue(text).hints == ()
    assert cue(text).query.terms


def test_dates_of_a_filter() -> None:
    for value in (
        "2026",
        "2026-03",
        "2026-03-01",
        "2026-03-01..2026-03-15",
        "..2026",
        "2026..",
        "<2w",
        ">3m",
        "today",
        "week",
        "<2026-03",
    ):
        window = date_window(value, NOW)
        assert window is not None, value
        assert window.hard
        assert window.start < window.end, value
    for value in ("", "..", "tomorrowish", "2026-13", "2026-02-30", "<x"):
        assert date_window(value, NOW) is None, value


@given(st.text())
def test_any_text_is_a_cue(text: str) -> None:
    found = parse_filters(text, NOW)
    assert all(isinstance(w, str) for w in found.without)
    assert all(not f.startswith("-") for f in FILTER_WORDS)
    cue(text)


@pytest.mark.parametrize(
    "text",
    [
        "a" * 100_000,
        "a." * 50_000,
        "a-" * 50_000,
        "secret" * 20_000,
        "_" * 100_000,
        '"' + " " * 100_000 + 'x"',
        "x " * 50_000,
    ],
    ids=["run", "dots", "dashes", "word", "underscores", "blanks", "words"],
)
def test_a_giant_cue_is_read_as_far_as_it_tells_and_says_so(text: str) -> None:
    """Each of these took minutes: the rules for names ran over runs that are none."""
    cue = read_cue(Thread(cue_texts=(text,)), datetime(2026, 3, 1, tzinfo=UTC), Scope())
    assert any("first 20,000 characters" in h for h in cue.hints)


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("alles, was wir am Cache gemacht haben", WholeKind.LINE),
        ("wie der Parser entstanden ist", WholeKind.LINE),
        ("tout ce qu'on a fait sur le cache", WholeKind.LINE),
        ("todo lo que hicimos con la caché", WholeKind.LINE),
        ("tudo o que fizemos no cache", WholeKind.LINE),
        ("キャッシュについてやったこと全部", WholeKind.LINE),
        ("우리가 한 모든 캐시 작업", WholeKind.LINE),
        ("我们做过的所有缓存工作", WholeKind.LINE),
        ("die Diskussionen über den Cache", WholeKind.TOPIC),
        ("les discussions sur le cache", WholeKind.TOPIC),
        ("las conversaciones sobre la caché", WholeKind.TOPIC),
        ("as discussões sobre o cache", WholeKind.TOPIC),
        ("キャッシュについての議論", WholeKind.TOPIC),
        ("캐시에 대한 논의", WholeKind.TOPIC),
        ("关于缓存的讨论", WholeKind.TOPIC),
        ("worauf wir uns beim Cache geeinigt haben, worauf wir uns geeinigt", WholeKind.CONCEPT),
        ("ce qu'on a décidé pour le cache", WholeKind.CONCEPT),
        ("lo que acordamos sobre la caché", WholeKind.CONCEPT),
        ("o que combinamos sobre o cache", WholeKind.CONCEPT),
        ("キャッシュについて決めたルール", WholeKind.CONCEPT),
        ("우리가 정한 캐시 규칙", WholeKind.CONCEPT),
        ("我们定下的缓存规则", WholeKind.CONCEPT),
        ("der Cache war kalt", WholeKind.SESSION),
        ("昨日のキャッシュの件", WholeKind.SESSION),
    ],
)
def test_wholes_are_asked_for_in_eight_languages(text: str, whole: WholeKind) -> None:
    assert cue(text).whole is whole


@pytest.mark.parametrize(
    ("text", "speaker"),
    [
        ("ich habe damals vorgeschlagen, den Cache zu leeren", Origin.PERSON),
        ("du hast einen kleineren Cache vorgeschlagen", Origin.ASSISTANT),
        ("j'ai dit de vider le cache", Origin.PERSON),
        ("tu as proposé de vider le cache", Origin.ASSISTANT),
        ("dije que no vaciaras la caché", Origin.PERSON),
        ("me sugeriste vaciar la caché", Origin.ASSISTANT),
        ("eu disse para limpar o cache", Origin.PERSON),
        ("você sugeriu limpar o cache", Origin.ASSISTANT),
        ("私が言ったキャッシュの話", Origin.PERSON),
        ("あなたが提案したキャッシュ", Origin.ASSISTANT),
        ("내가 부탁한 캐시 정리", Origin.PERSON),
        ("我要求清空缓存", Origin.PERSON),
        ("你建议清空缓存", Origin.ASSISTANT),
        ("wer hat den Cache geleert", None),
        ("sie hat den Fehler gefunden", None),
    ],
)
def test_speakers_are_named_in_eight_languages(text: str, speaker: Origin | None) -> None:
    assert cue(text).query.speaker is speaker


def test_words_that_ask_for_a_whole_hardly_weigh() -> None:
    for text, about in (
        ("everything we did on attribution accuracy", {"attribution", "accuracy"}),
        ("the rule we settled on for retry budgets", {"retry", "budgets"}),
        ("how the retry budget came about", {"retry", "budget"}),
        ("alles, was wir zum Deichtor gemacht haben", {"Deichtor"}),
    ):
        weights = {t.text: t.weight for t in cue(text).query.terms}
        assert {w for w, x in weights.items() if x >= 1 and len(w) > 3} - {"gemacht", "haben"} == about, text
