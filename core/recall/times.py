"""Vague times in a person's words, read as soft windows (design/recall.md 3).

A window never filters: it says where to look first and how fast the interest falls off. Days are civil days of the
person's time zone, for people say the local day. Phrases that name a span that recurs ("in March", "on Sunday") yield a
window for each of its last occurrences, newest first. Dates in ISO form are read in any language.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from core.patterns import Pattern
from core.ports import TimeWindow

DAY = 86400.0

_MONTHS = {
    name.lower(): number
    for table in (calendar.month_name, calendar.month_abbr)
    for number, name in enumerate(table)
    if number
} | {"sept": 9}
_WEEKDAYS = {name.lower(): number for number, name in enumerate(calendar.day_name)}
_NUMBERS = {
    "a": 1,
    "an": 1,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "couple": 2,
    "few": 3,
    "several": 4,
}
_UNIT_DAYS = {"hour": 1 / 24, "day": 1, "week": 7, "month": 30.4, "year": 365.25}
_SEASONS = {"spring": (3, 5), "summer": (6, 8), "autumn": (9, 11), "winter": (12, 2)}
_HOLIDAYS = {
    r"valentine'?s?(?: day)?": (2, 14),
    r"christmas(?: eve| day)?|xmas": (12, 25),
    r"new year'?s?(?: eve| day)?": (1, 1),
    r"halloween": (10, 31),
    r"st\.? patrick'?s(?: day)?": (3, 17),
    r"april fools?'?(?: day)?": (4, 1),
    r"labou?r day": (5, 1),
}

_MONTH = r"(?P<month>" + "|".join(sorted((m for m in _MONTHS if len(m) > 2), key=len, reverse=True)) + r")"
_WEEKDAY = r"(?P<weekday>" + "|".join(_WEEKDAYS) + r")s?"
_YEAR = r"(?:,?\s+(?:of\s+)?(?P<year>(?:19|20)\d\d))?"
_PART = r"(?P<part>early|mid(?:dle of)?|late|beginning of|end of|start of)"

_ISO = Pattern(r"(?<![\d-])(?P<y>(?:19|20)\d\d)-(?P<m>\d\d)(?:-(?P<d>\d\d))?(?![\d-])")
_SLASH = Pattern(r"(?<![\d/])(?P<y>(?:19|20)\d\d)[/年](?P<m>\d{1,2})(?:[/月](?P<d>\d{1,2})日?)?(?![\d/])")
_AGO = Pattern(
    r"\b(?P<n>\d{1,3}|a|an|one|two|three|four|five|six|seven|eight|nine|ten|(?:a\s+)?(?:couple|few)(?:\s+of)?|several)"
    r"\s+(?P<unit>hour|day|week|month|year)s?\s+(?:ago|back|earlier)\b"
)
_LAST = Pattern(r"\b(?P<which>last|this|past|previous)\s+(?P<unit>week|weekend|month|year|night|evening|morning)\b")
_LAST_DAY = Pattern(r"\b(?:last|this|on|past)\s+" + _WEEKDAY + r"\b")
_DAYS = Pattern(
    r"\b(?P<word>today|yesterday|the day before yesterday|the other day|recently|lately|a while ago|ages ago|tonight)"
    r"(?:\s+(?P<time>morning|afternoon|evening|night))?\b"
)
_WEEKDAY_IN = Pattern(r"\b" + _WEEKDAY + r"\s+(?:in|of)\s+(?:" + _PART + r"\s+)?" + _MONTH + _YEAR + r"\b")
_MONTH_DAY = Pattern(r"\b" + _MONTH + r"\s+(?P<day>\d{1,2})(?:st|nd|rd|th)?" + _YEAR + r"\b")
_DAY_MONTH = Pattern(r"\b(?P<day>\d{1,2})(?:st|nd|rd|th|\.)?\s+(?:of\s+)?" + _MONTH + _YEAR + r"\b")
_IN_MONTH = Pattern(
    r"\b(?:(?:in|during|since|around|back in|from|last|this)\s+(?:"
    + _PART
    + r"[\s-]+)?|"
    + _PART.replace("part", "alone")
    + r"[\s-]+)"
    + _MONTH
    + _YEAR
    + r"\b"
)
_MONTH_YEAR = Pattern(r"\b" + _MONTH + r",?\s+(?P<year>(?:19|20)\d\d)\b")
_SEASON = Pattern(
    r"\b(?:in|during|since|around|back in|last|this|over)\s+(?:the\s+)?(?P<season>spring|summer|autumn|fall|winter)"
    + _YEAR
    + r"\b"
)
_IN_YEAR = Pattern(r"\b(?:in|during|back in)\s+(?P<year>(?:19|20)\d\d)\b")


@dataclass(frozen=True, slots=True)
class TimePhrase:
    """A time that a person named, and the windows it may mean, likeliest first."""

    words: str
    start: int
    """Character offset of the words in the text that was read."""
    end: int
    windows: tuple[TimeWindow, ...]


def read_times(text: str, now: datetime) -> tuple[TimePhrase, ...]:
    """Find the times named in `text`. `now` must carry the person's time zone. Phrases do not overlap."""
    low = text.lower().replace("’", "'")
    found: list[TimePhrase] = []
    taken: list[tuple[int, int]] = []
    if len(low) != len(text):
        low = "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
    for phrase in _phrases(low, now):
        if phrase.windows and not any(a < phrase.end and phrase.start < b for a, b in taken):
            taken.append((phrase.start, phrase.end))
            found.append(phrase)
    return tuple(sorted(found, key=lambda p: p.start))


def _phrases(low: str, now: datetime) -> Iterator[TimePhrase]:
    today = now.date()
    rules = (
        (_ISO, _iso),
        (_SLASH, _iso),
        (_WEEKDAY_IN, _weekday_in),
        (_MONTH_DAY, _month_day),
        (_DAY_MONTH, _month_day),
        (_IN_MONTH, _in_month),
        (_MONTH_YEAR, _in_month),
        (_AGO, _ago),
        (_LAST, _last),
        (_LAST_DAY, _last_day),
        (_SEASON, _season),
        (_IN_YEAR, _in_year),
        (_DAYS, _days),
    )
    for pattern, rule in rules:
        for match in pattern.finditer(low):
            spans = tuple(s for s in rule(match, today) if s[0] <= today + timedelta(1))
            yield _phrase(match, spans, now)
    for pattern_text, (month, day) in _HOLIDAYS.items():
        for match in re.finditer(rf"\b(?:{pattern_text})(?=\W|$)", low):
            yield _phrase(match, tuple((d, d + timedelta(1), 2.0) for d in _occurrences(month, day, None, today)), now)


def _phrase(match: re.Match[str], spans: tuple[tuple[date, date, float], ...], now: datetime) -> TimePhrase:
    windows = tuple(
        TimeWindow(_stamp(first, now), _stamp(last, now), slack * DAY) for first, last, slack in spans if last > first
    )
    return TimePhrase(match.group(), match.start(), match.end(), windows)


def _stamp(day: date, now: datetime) -> float:
    return datetime(day.year, day.month, day.day, tzinfo=now.tzinfo).timestamp()


_Span = tuple[date, date, float]


def _iso(match: re.Match[str], _today: date) -> tuple[_Span, ...]:
    try:
        if match["d"]:
            day = date(int(match["y"]), int(match["m"]), int(match["d"]))
            return ((day, day + timedelta(1), 1.0),)
        return (_month_span(int(match["y"]), int(match["m"]), ""),)
    except ValueError:
        return ()


def _month_span(year: int, month: int, part: str) -> _Span:
    days = calendar.monthrange(year, month)[1]
    first, last = date(year, month, 1), date(year, month, days) + timedelta(1)
    if part.startswith(("early", "beginning", "start")):
        return first, first + timedelta(10), 4.0
    if part.startswith("mid"):
        return first + timedelta(9), first + timedelta(20), 4.0
    if part.startswith(("late", "end")):
        return last - timedelta(11), last, 4.0
    return first, last, 7.0


def _years(month: int, day: int, year: str | None, today: date) -> list[int]:
    if year:
        return [int(year)]
    newest = today.year if (month, day) <= (today.month, today.day) else today.year - 1
    return [newest, newest - 1, newest - 2]


def _occurrences(month: int, day: int, year: str | None, today: date) -> list[date]:
    years = _years(month, day, year, today)
    return [date(y, month, day) for y in years if day <= calendar.monthrange(y, month)[1]]


def _weekday_in(match: re.Match[str], today: date) -> tuple[_Span, ...]:
    month, weekday = _MONTHS[match["month"]], _WEEKDAYS[match["weekday"]]
    spans: list[_Span] = []
    for year in _years(month, 1, match["year"], today):
        day, last, _ = _month_span(year, month, match["part"] or "")
        while day < last:
            if day.weekday() == weekday:
                spans.append((day, day + timedelta(1), 1.0))
            day += timedelta(1)
    return tuple(spans)


def _month_day(match: re.Match[str], today: date) -> tuple[_Span, ...]:
    day = int(match["day"])
    if not 1 <= day <= 31:
        return ()
    days = _occurrences(_MONTHS[match["month"]], day, match["year"], today)
    return tuple((d, d + timedelta(1), 2.0) for d in days)


def _in_month(match: re.Match[str], today: date) -> tuple[_Span, ...]:
    groups = match.groupdict()
    part = groups.get("part") or groups.get("alone") or ""
    month = _MONTHS[match["month"]]
    return tuple(_month_span(y, month, part) for y in _years(month, 1, match["year"], today))


def _ago(match: re.Match[str], today: date) -> tuple[_Span, ...]:
    words = match["n"].split()
    count = int(words[0]) if words[0].isdigit() else max(_NUMBERS.get(w, 1) for w in words)
    days = count * _UNIT_DAYS[match["unit"]]
    vague = not words[0].isdigit() and any(w in ("couple", "few", "several") for w in words)
    spread = max(0.5, days * (0.5 if vague else 0.25))
    try:
        middle = today - timedelta(days)
        first, last = middle - timedelta(round(spread)), middle + timedelta(round(spread) + 1)
        return ((first, min(last, today + timedelta(1)), max(1.0, days * 0.3)),)
    except OverflowError:
        return ()


def _last(match: re.Match[str], today: date) -> tuple[_Span, ...]:
    unit, current = match["unit"], match["which"] == "this"
    if unit in ("night", "evening", "morning"):
        first = today if current else today - timedelta(1)
        return ((first, first + timedelta(1), 1.0),)
    if unit == "year":
        year = today.year if current else today.year - 1
        return ((date(year, 1, 1), date(year + 1, 1, 1), 30.0),)
    if unit == "month":
        first = today.replace(day=1)
        if not current:
            first = (first - timedelta(1)).replace(day=1)
        return (_month_span(first.year, first.month, ""),)
    monday = today - timedelta(today.weekday())
    if unit == "weekend":
        saturday = monday + timedelta(5) if current else monday - timedelta(2)
        return ((saturday, saturday + timedelta(2), 2.0),)
    first = monday if current else monday - timedelta(7)
    return ((first, first + timedelta(7), 3.0),)


def _last_day(match: re.Match[str], today: date) -> tuple[_Span, ...]:
    back = (today.weekday() - _WEEKDAYS[match["weekday"]]) % 7
    newest = today - timedelta(back or 7)
    return tuple((d, d + timedelta(1), 1.0) for d in (newest, newest - timedelta(7)))


def _season(match: re.Match[str], today: date) -> tuple[_Span, ...]:
    first_month, last_month = _SEASONS[{"fall": "autumn"}.get(match["season"], match["season"])]
    spans = []
    for year in _years(first_month, 1, match["year"], today):
        end_year = year + 1 if last_month < first_month else year
        first, last = date(year, first_month, 1), _month_span(end_year, last_month, "")[1]
        spans.append((first, last, 20.0))
    return tuple(spans)


def _in_year(match: re.Match[str], _today: date) -> tuple[_Span, ...]:
    year = int(match["year"])
    return ((date(year, 1, 1), date(year + 1, 1, 1), 30.0),)


def _days(match: re.Match[str], today: date) -> tuple[_Span, ...]:
    word = match["word"]
    one = timedelta(1)
    return {
        "today": ((today, today + one, 0.5),),
        "tonight": ((today, today + one, 0.5),),
        "yesterday": ((today - one, today, 1.0),),
        "the day before yesterday": ((today - 2 * one, today - one, 1.0),),
        "the other day": ((today - 10 * one, today, 7.0),),
        "recently": ((today - 21 * one, today + one, 21.0),),
        "lately": ((today - 21 * one, today + one, 21.0),),
        "a while ago": ((today - 150 * one, today - 14 * one, 60.0),),
        "ages ago": ((today - 1500 * one, today - 120 * one, 120.0),),
    }[word]
