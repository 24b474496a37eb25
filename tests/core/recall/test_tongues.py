"""Times in seven more languages: the same spans, whatever the words."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from core.recall.times import read_times

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)  # a Monday


def first(text: str) -> list[tuple[str, str]]:
    return [
        (
            datetime.fromtimestamp(p.windows[0].start, UTC).date().isoformat(),
            datetime.fromtimestamp(p.windows[0].end - 1, UTC).date().isoformat(),
        )
        for p in read_times(text, NOW)
    ]


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("das Gespräch von gestern", "2026-11-29", "2026-11-29"),
        ("vorgestern mit dem Parser", "2026-11-28", "2026-11-28"),
        ("letzte Woche", "2026-11-23", "2026-11-29"),
        ("letzten Monat", "2026-10-01", "2026-10-31"),
        ("im März über Wiederholungen", "2026-03-01", "2026-03-31"),
        ("Anfang Februar", "2026-02-01", "2026-02-10"),
        ("am 3. März 2025", "2025-03-03", "2025-03-03"),
        ("letzten Dienstag", "2026-11-24", "2026-11-24"),
        ("im Frühling", "2026-03-01", "2026-05-31"),
        ("hier soir on a parlé", "2026-11-29", "2026-11-29"),
        ("la semaine dernière", "2026-11-23", "2026-11-29"),
        ("le mois dernier", "2026-10-01", "2026-10-31"),
        ("en mars", "2026-03-01", "2026-03-31"),
        ("début février", "2026-02-01", "2026-02-10"),
        ("le 3 mars 2025", "2025-03-03", "2025-03-03"),
        ("mardi dernier", "2026-11-24", "2026-11-24"),
        ("ayer hablamos", "2026-11-29", "2026-11-29"),
        ("la semana pasada", "2026-11-23", "2026-11-29"),
        ("el mes pasado", "2026-10-01", "2026-10-31"),
        ("en marzo", "2026-03-01", "2026-03-31"),
        ("a principios de febrero", "2026-02-01", "2026-02-10"),
        ("el 3 de marzo de 2025", "2025-03-03", "2025-03-03"),
        ("el martes pasado", "2026-11-24", "2026-11-24"),
        ("ontem à noite", "2026-11-29", "2026-11-29"),
        ("a semana passada", "2026-11-23", "2026-11-29"),
        ("em março", "2026-03-01", "2026-03-31"),
        ("no início de fevereiro", "2026-02-01", "2026-02-10"),
        ("昨日の会話", "2026-11-29", "2026-11-29"),
        ("先週の件", "2026-11-23", "2026-11-29"),
        ("先月", "2026-10-01", "2026-10-31"),
        ("3月の再試行の話", "2026-03-01", "2026-03-31"),
        ("2月上旬", "2026-02-01", "2026-02-10"),
        ("2025年3月3日", "2025-03-03", "2025-03-03"),
        ("火曜日", "2026-11-24", "2026-11-24"),
        ("春に決めた", "2026-03-01", "2026-05-31"),
        ("어제 이야기", "2026-11-29", "2026-11-29"),
        ("지난주", "2026-11-23", "2026-11-29"),
        ("3월에", "2026-03-01", "2026-03-31"),
        ("2월 초", "2026-02-01", "2026-02-10"),
        ("화요일", "2026-11-24", "2026-11-24"),
        ("昨天说的", "2026-11-29", "2026-11-29"),
        ("上个月", "2026-10-01", "2026-10-31"),
        ("上星期", "2026-11-23", "2026-11-29"),
        ("三月", "2026-03-01", "2026-03-31"),
        ("2月底", "2026-02-18", "2026-02-28"),
        ("周二", "2026-11-24", "2026-11-24"),
    ],
)
def test_named_times(text: str, start: str, end: str) -> None:
    assert (start, end) in first(text)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("vor drei Wochen", "2026-11-09"),
        ("vor ein paar Wochen", "2026-11-09"),
        ("il y a trois semaines", "2026-11-09"),
        ("il y a quelques semaines", "2026-11-09"),
        ("hace tres semanas", "2026-11-09"),
        ("hace unas semanas", "2026-11-09"),
        ("há três semanas", "2026-11-09"),
        ("três semanas atrás", "2026-11-09"),
        ("3週間前", "2026-11-09"),
        ("数週間前", "2026-11-09"),
        ("3주 전", "2026-11-09"),
        ("몇 주 전", "2026-11-09"),
        ("三周前", "2026-11-09"),
        ("几周前", "2026-11-09"),
        ("2か月前", "2026-09-30"),
        ("两个月前", "2026-09-30"),
        ("2개월 전", "2026-09-30"),
        ("vor zwei Monaten", "2026-09-30"),
    ],
)
def test_so_long_ago(text: str, day: str) -> None:
    at = datetime.fromisoformat(day).replace(tzinfo=UTC).timestamp()
    (phrase,) = read_times(text, NOW)
    assert any(w.start <= at < w.end for w in phrase.windows)


@pytest.mark.parametrize(
    "text",
    [
        "hier ist der Fehler",
        "der Mai-Commit",
        "marzipan",
        "la mise en marche",
        "o fim da função",
        "日本語の読み",
        "月に一度",
        "이일을 하다",
        "一日中",
        "Herbstlaub",
    ],
)
def test_words_that_only_look_like_times(text: str) -> None:
    assert read_times(text, NOW) == ()
