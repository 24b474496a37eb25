"""Spans of civil days that a person may mean, whatever the language they say it in.

A span is `(first day, day after the last, slack in days)`. Where a phrase recurs ("in March"), its last three occurrences
are given, newest first.
"""

from __future__ import annotations

import calendar
from datetime import date, timedelta

Span = tuple[date, date, float]

_UNIT_DAYS = {"hour": 1 / 24, "day": 1.0, "week": 7.0, "month": 30.4, "year": 365.25}
SEASONS = {"spring": (3, 5), "summer": (6, 8), "autumn": (9, 11), "winter": (12, 2)}
"""First and last month, as in the northern half of the world."""
ONE = timedelta(1)


def month_span(year: int, month: int, part: str = "") -> Span:
    """A month, or its `early`, `mid` or `late` part. Raises `ValueError` for a month that is none."""
    days = calendar.monthrange(year, month)[1]
    first, last = date(year, month, 1), date(year, month, days) + ONE
    if part == "early":
        return first, first + timedelta(10), 4.0
    if part == "mid":
        return first + timedelta(9), first + timedelta(20), 4.0
    if part == "late":
        return last - timedelta(11), last, 4.0
    return first, last, 7.0


def recent_years(month: int, day: int, year: int | None, today: date) -> list[int]:
    """The years a date without a year may mean: the last three in which it lay before `today`."""
    if year is not None:
        return [year]
    newest = today.year if (month, day) <= (today.month, today.day) else today.year - 1
    return [newest, newest - 1, newest - 2]


def months(month: int, part: str, year: int | None, today: date) -> tuple[Span, ...]:
    """A named month, or a part of it."""
    return tuple(month_span(y, month, part) for y in recent_years(month, 1, year, today))


def days(month: int, day: int, year: int | None, today: date, slack: float = 2.0) -> tuple[Span, ...]:
    """A day of the year."""
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return ()
    years = recent_years(month, day, year, today)
    found = [date(y, month, day) for y in years if y >= 1 and day <= calendar.monthrange(y, month)[1]]
    return tuple((d, d + ONE, slack) for d in found)


def weekdays_in(weekday: int, month: int, part: str, year: int | None, today: date) -> tuple[Span, ...]:
    """Every such weekday (Monday is 0) of a month or a part of it."""
    spans: list[Span] = []
    for y in recent_years(month, 1, year, today):
        day, last, _ = month_span(y, month, part)
        while day < last:
            if day.weekday() == weekday:
                spans.append((day, day + ONE, 1.0))
            day += ONE
    return tuple(spans)


def last_weekday(weekday: int, today: date) -> tuple[Span, ...]:
    """The last such weekday before today, and the one before it."""
    newest = today - timedelta((today.weekday() - weekday) % 7 or 7)
    return tuple((d, d + ONE, 1.0) for d in (newest, newest - timedelta(7)))


def ago(count: int, unit: str, today: date, *, vague: bool = False) -> tuple[Span, ...]:
    """`count` hours, days, weeks, months or years ago; wider the longer ago, and wider still for "a few"."""
    back = count * _UNIT_DAYS[unit]
    spread = max(0.5, back * (0.5 if vague else 0.25))
    try:
        middle = today - timedelta(back)
        first, last = middle - timedelta(round(spread)), middle + timedelta(round(spread) + 1)
        return ((first, min(last, today + ONE), max(1.0, back * 0.3)),)
    except OverflowError:
        return ()


def past(count: int, unit: str, today: date) -> tuple[Span, ...]:
    """The last `count` hours, days, weeks, months or years, today included."""
    back = count * _UNIT_DAYS[unit]
    try:
        return ((today - timedelta(round(back)), today + ONE, max(1.0, back * 0.3)),)
    except OverflowError:
        return ()


def last_unit(unit: str, today: date, *, current: bool = False) -> tuple[Span, ...]:
    """The last (or this) night, week, weekend, month or year."""
    if unit == "night":
        first = today if current else today - ONE
        return ((first, first + ONE, 1.0),)
    if unit == "year":
        year = today.year if current else today.year - 1
        return ((date(year, 1, 1), date(year + 1, 1, 1), 30.0),)
    if unit == "month":
        first = today.replace(day=1)
        if not current:
            first = (first - ONE).replace(day=1)
        return (month_span(first.year, first.month),)
    monday = today - timedelta(today.weekday())
    if unit == "weekend":
        saturday = monday + timedelta(5) if current else monday - timedelta(2)
        return ((saturday, saturday + timedelta(2), 2.0),)
    first = monday if current else monday - timedelta(7)
    return ((first, first + timedelta(7), 3.0),)


def season(name: str, year: int | None, today: date) -> tuple[Span, ...]:
    """A season, three months."""
    first_month, last_month = SEASONS[name]
    spans = []
    for y in recent_years(first_month, 1, year, today):
        end_year = y + 1 if last_month < first_month else y
        spans.append((date(y, first_month, 1), month_span(end_year, last_month)[1], 20.0))
    return tuple(spans)


def whole_year(year: int) -> tuple[Span, ...]:
    """A calendar year."""
    return ((date(year, 1, 1), date(year + 1, 1, 1), 30.0),)


def named(word: str, today: date) -> tuple[Span, ...]:
    """A span with a name of its own: `today`, `yesterday`, `before_yesterday`, `other_day`, `recently`, `while_ago`,
    `ages_ago`."""
    return {
        "today": ((today, today + ONE, 0.5),),
        "yesterday": ((today - ONE, today, 1.0),),
        "before_yesterday": ((today - 2 * ONE, today - ONE, 1.0),),
        "other_day": ((today - 10 * ONE, today, 7.0),),
        "recently": ((today - 21 * ONE, today + ONE, 21.0),),
        "while_ago": ((today - 150 * ONE, today - 14 * ONE, 60.0),),
        "ages_ago": ((today - 1500 * ONE, today - 120 * ONE, 120.0),),
    }[word]
