"""Vague times in a person's words, read as soft windows (design/recall.md 3).

A window never filters: it says where to look first and how fast the interest falls off. Days are civil days of the
person's time zone, for people say the local day. Phrases that name a span that recurs ("in March", "on Sunday") yield a
window for each of its last occurrences, newest first. Dates in ISO form are read in any language.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator
from datetime import date, datetime, timedelta

from core.frozen import dataclass
from core.patterns import Pattern
from core.ports import TimeWindow
from core.recall import spans
from core.recall.spans import Span
from core.recall.tongues import TIME_WORDS, rules_of_other_tongues, words_of

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
_NAMES = {
    "today": "today",
    "tonight": "today",
    "yesterday": "yesterday",
    "the day before yesterday": "before_yesterday",
    "the other day": "other_day",
    "recently": "recently",
    "lately": "recently",
    "a while ago": "while_ago",
    "ages ago": "ages_ago",
}
_AFTER = r"(?=\W|$)"
_HOLIDAYS = (
    (Pattern(rf"\bvalentine'?s?(?: day)?{_AFTER}", words=("valentine", "valentines")), 2, 14),
    (Pattern(rf"\b(?:christmas(?: eve| day)?|xmas){_AFTER}", words=("christmas", "xmas")), 12, 25),
    (Pattern(rf"\bnew year'?s?(?: eve| day)?{_AFTER}", several=True), 1, 1),
    (Pattern(rf"\bhalloween{_AFTER}", words=("halloween",)), 10, 31),
    (Pattern(rf"\bst\.? patrick'?s(?: day)?{_AFTER}", several=True), 3, 17),
    (Pattern(rf"\bapril fools?'?(?: day)?{_AFTER}", several=True), 4, 1),
    (Pattern(rf"\blabou?r day{_AFTER}", several=True), 5, 1),
)
"""What days are called, with the month and the day."""

_MONTH = r"(?P<month>" + "|".join(sorted((m for m in _MONTHS if len(m) > 2), key=len, reverse=True)) + r")"
_WEEKDAY = r"(?P<weekday>" + "|".join(_WEEKDAYS) + r")s?"
_YEAR = r"(?:,?\s+(?:of\s+)?(?P<year>(?:19|20)\d\d))?"
_PART = r"(?P<part>early|mid(?:dle of)?|late|beginning of|end of|start of)"

_ISO = Pattern(r"(?<![\d-])(?P<y>(?:19|20)\d\d)-(?P<m>\d\d)(?:-(?P<d>\d\d))?(?![\d-])", several=True)
_SLASH = Pattern(r"(?<![\d/])(?P<y>(?:19|20)\d\d)[/年](?P<m>\d{1,2})(?:[/月](?P<d>\d{1,2})日?)?(?![\d/])", several=True)
_AGO = Pattern(
    r"\b(?P<n>\d{1,3}|a|an|one|two|three|four|five|six|seven|eight|nine|ten|(?:a\s+)?(?:couple|few)(?:\s+of)?|several)"
    r"\s+(?P<unit>hour|day|week|month|year)s?\s+(?:ago|back|earlier)\b",
    several=True,
)
_LAST = Pattern(
    r"\b(?P<which>last|this|past|previous)\s+(?P<unit>week|weekend|month|year|night|evening|morning)\b", several=True
)
_PAST = Pattern(
    r"\b(?:the\s+|these\s+)?(?:last|past|previous)\s+(?P<n>\d{1,3}|two|three|four|five|six|seven|eight|nine|ten|couple(?:\s+of)?|few|"
    r"several)\s+(?P<unit>hour|day|week|month|year)s\b",
    several=True,
)
_ALONE = Pattern(
    r"^\W*(?:(?P<month>" + "|".join(sorted(_MONTHS, key=len, reverse=True)) + r")|" + _WEEKDAY + r")"
    r"(?:\s+(?:morning|afternoon|evening|night))?\W*$",
    words=frozenset((*_MONTHS, *_WEEKDAYS, *(f"{day}s" for day in _WEEKDAYS))),
)
"""A whole cue that is a name of a month or a day; inside a sentence such a name may be anything."""
_LAST_DAY = Pattern(r"\b(?:last|this|on|past)\s+" + _WEEKDAY + r"\b", several=True)
_DAYS = Pattern(
    r"\b(?P<word>today|yesterday|the day before yesterday|the other day|recently|lately|a while ago|ages ago|tonight)"
    r"(?:\s+(?P<time>morning|afternoon|evening|night))?\b",
    words=("today", "yesterday", "recently", "lately", "tonight"),
)
_WEEKDAY_IN = Pattern(
    r"\b" + _WEEKDAY + r"\s+(?:in|of)\s+(?:" + _PART + r"\s+)?" + _MONTH + _YEAR + r"\b", several=True
)
_MONTH_DAY = Pattern(r"\b" + _MONTH + r"\s+(?P<day>\d{1,2})(?:st|nd|rd|th)?" + _YEAR + r"\b", several=True)
_DAY_MONTH = Pattern(r"\b(?P<day>\d{1,2})(?:st|nd|rd|th|\.)?\s+(?:of\s+)?" + _MONTH + _YEAR + r"\b", several=True)
_IN_MONTH = Pattern(
    r"\b(?:(?:in|during|since|around|back in|from|last|this)\s+(?:"
    + _PART
    + r"[\s-]+)?|"
    + _PART.replace("part", "alone")
    + r"[\s-]+)"
    + _MONTH
    + _YEAR
    + r"\b",
    several=True,
)
_MONTH_YEAR = Pattern(r"\b" + _MONTH + r",?\s+(?P<year>(?:19|20)\d\d)\b", several=True)
_SEASON = Pattern(
    r"\b(?:in|during|since|around|back in|last|this|over)\s+(?:the\s+)?(?P<season>spring|summer|autumn|fall|winter)"
    + _YEAR
    + r"\b",
    several=True,
)
_IN_YEAR = Pattern(r"\b(?:in|during|back in)\s+(?P<year>(?:19|20)\d\d)\b", several=True)


@dataclass(frozen=True, slots=True)
class TimePhrase:
    """A time that a person named, and the windows it may mean, likeliest first."""

    words: str
    start: int
    """Character offset of the words in the text that was read."""
    end: int
    windows: tuple[TimeWindow, ...]


_ENGLISH = frozenset(
    [*_MONTHS, *_WEEKDAYS, *(f"{d}s" for d in _WEEKDAYS), "ago", "back", "earlier", "last", "this", "past", "previous",
     "today", "yesterday", "tonight", "other", "recently", "lately", "while", "spring", "summer", "autumn", "fall",
     "winter", "during", "valentine", "valentines", "valentine's", "christmas", "xmas", "new", "halloween", "patrick",
     "patrick's", "patricks", "april", "labor", "labour", "before"]
)  # fmt: skip
"""Words without one of which no English rule matches; numbers and other scripts are looked at besides."""


def may_name_a_time(text: str) -> bool:
    """False for a text that certainly names no time: the rules and their many expressions are not even compiled."""
    if any(c.isdigit() or c >= "\u3040" for c in text):
        return True
    words = words_of(text)
    return not words.isdisjoint(_ENGLISH) or not words.isdisjoint(TIME_WORDS)


def read_times(text: str, now: datetime) -> tuple[TimePhrase, ...]:
    """Find the times named in `text`. `now` must carry the person's time zone. Phrases do not overlap."""
    if not may_name_a_time(text):
        return ()
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
        (_PAST, _past),
        (_LAST, _last),
        (_LAST_DAY, _last_day),
        (_SEASON, _season),
        (_IN_YEAR, _in_year),
        (_DAYS, _days),
        (_ALONE, _alone),
    )
    for pattern, rule in rules:
        for match in pattern.finditer(low):
            meant = tuple(s for s in rule(match, today) if s[0] <= today + timedelta(1))
            yield _phrase(match, meant, now)
    for pattern, month, day in _HOLIDAYS:
        for match in pattern.finditer(low):
            yield _phrase(match, spans.days(month, day, None, today), now)
    for other, meaning in rules_of_other_tongues(low):
        for match in other.finditer(low):
            yield _phrase(match, tuple(s for s in meaning(match, today) if s[0] <= today + timedelta(1)), now)


def _phrase(match: re.Match[str], meant: tuple[Span, ...], now: datetime) -> TimePhrase:
    windows = tuple(
        TimeWindow(_stamp(first, now), _stamp(last, now), slack * DAY) for first, last, slack in meant if last > first
    )
    return TimePhrase(match.group(), match.start(), match.end(), windows)


def _stamp(day: date, now: datetime) -> float:
    return datetime(day.year, day.month, day.day, tzinfo=now.tzinfo).timestamp()


def _iso(match: re.Match[str], _today: date) -> tuple[Span, ...]:
    try:
        if match["d"]:
            day = date(int(match["y"]), int(match["m"]), int(match["d"]))
            return ((day, day + timedelta(1), 1.0),)
        return (spans.month_span(int(match["y"]), int(match["m"])),)
    except ValueError:
        return ()


def _part_of(words: str) -> str:
    if words.startswith(("early", "beginning", "start")):
        return "early"
    if words.startswith("mid"):
        return "mid"
    return "late" if words.startswith(("late", "end")) else ""


def _year_of(match: re.Match[str]) -> int | None:
    return int(match["year"]) if match["year"] else None


def _weekday_in(match: re.Match[str], today: date) -> tuple[Span, ...]:
    part = _part_of(match["part"] or "")
    return spans.weekdays_in(_WEEKDAYS[match["weekday"]], _MONTHS[match["month"]], part, _year_of(match), today)


def _month_day(match: re.Match[str], today: date) -> tuple[Span, ...]:
    return spans.days(_MONTHS[match["month"]], int(match["day"]), _year_of(match), today)


def _in_month(match: re.Match[str], today: date) -> tuple[Span, ...]:
    groups = match.groupdict()
    part = _part_of(groups.get("part") or groups.get("alone") or "")
    return spans.months(_MONTHS[match["month"]], part, _year_of(match), today)


def _ago(match: re.Match[str], today: date) -> tuple[Span, ...]:
    words = match["n"].split()
    count = int(words[0]) if words[0].isdigit() else max(_NUMBERS.get(w, 1) for w in words)
    vague = any(w in ("couple", "few", "several") for w in words)
    return spans.ago(count, match["unit"], today, vague=vague)


def _past(match: re.Match[str], today: date) -> tuple[Span, ...]:
    word = match["n"].split()[0]
    count = int(word) if word.isdigit() else {"few": 4, "several": 7}.get(word, _NUMBERS[word])
    return spans.past(count, match["unit"], today)


def _alone(match: re.Match[str], today: date) -> tuple[Span, ...]:
    if match["month"]:
        return spans.months(_MONTHS[match["month"]], "", None, today)
    return spans.last_weekday(_WEEKDAYS[match["weekday"]], today)


def _last(match: re.Match[str], today: date) -> tuple[Span, ...]:
    unit = "night" if match["unit"] in ("night", "evening", "morning") else match["unit"]
    return spans.last_unit(unit, today, current=match["which"] == "this")


def _last_day(match: re.Match[str], today: date) -> tuple[Span, ...]:
    return spans.last_weekday(_WEEKDAYS[match["weekday"]], today)


def _season(match: re.Match[str], today: date) -> tuple[Span, ...]:
    return spans.season({"fall": "autumn"}.get(match["season"], match["season"]), _year_of(match), today)


def _in_year(match: re.Match[str], _today: date) -> tuple[Span, ...]:
    return spans.whole_year(int(match["year"]))


def _days(match: re.Match[str], today: date) -> tuple[Span, ...]:
    return spans.named(_NAMES[match["word"]], today)
