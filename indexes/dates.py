"""The dates of sessions: words that name a date, and soft windows of time."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Iterable, Sequence
from datetime import date

import numpy as np

from core.ports import TimeWindow
from indexes.arrays import NDArray
from indexes.postings import Floats
from indexes.sessions import Sessions

_MONTHS = "january february march april may june july august september october november december".split()  # noqa: SIM905
_DAYS = "monday tuesday wednesday thursday friday saturday sunday".split()  # noqa: SIM905
_NUMBER = re.compile(r"([0-9]{1,4})(?:st|nd|rd|th)?")
_YEARS = range(1990, 2100)
_DAY = 86_400.0
_EPOCH = date(1970, 1, 1).toordinal()
_LAST = date.max.toordinal()
Days = NDArray[np.int64]
Flags = NDArray[np.bool_]


def date_keys(words: Iterable[str]) -> list[tuple[str, int]]:
    """What the words of a query say of a date: ("year", 2023), ("month", 2), ("weekday", 6), ("day", 7). A number is a
    day only beside a month, and "may" is a month only beside a number."""
    folded = [w.casefold().strip(".,") for w in words]
    numbers = [int(m[1]) for w in folded if (m := _NUMBER.fullmatch(w))]
    months = [n for w in folded if (n := _name(w, _MONTHS)) and (w != "may" or numbers)]
    keys = [("month", m) for m in months]
    keys += [("weekday", d - 1) for w in folded if (d := _name(w, _DAYS))]
    keys += [("year", n) for n in numbers if n in _YEARS]
    keys += [("day", n) for n in numbers if months and 1 <= n <= 31]
    return list(dict.fromkeys(keys))


def date_scores(keys: Sequence[tuple[str, int]], sessions: Sessions) -> Floats:
    """For each session how much of the date words its start and its end fulfil, weighed by how few sessions do."""
    out = np.zeros(len(sessions))
    if not keys:
        return out
    spans = [_local_days(sessions.started), _local_days(sessions.ended)]
    for key in keys:
        fulfils = np.zeros(len(sessions), np.bool_)
        for days in spans:
            fulfils |= _fulfilling(key, days)
        out += fulfils * math.log(1 + len(sessions) / (1 + float(fulfils.sum())))
    return out


def window_scores(windows: Sequence[TimeWindow], sessions: Sessions) -> Floats:
    """For each session 1 inside the best soft window, falling to 0 over its slack; 0 where no time is known."""
    out = np.zeros(len(sessions))
    for window in windows:
        distance = _distance(window, sessions)
        slack = max(window.slack, 1.0)
        out = np.maximum(out, np.nan_to_num(np.clip(1 - distance / slack, 0, 1), nan=0.0))
    return out


def outside(windows: Sequence[TimeWindow], sessions: Sessions) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Sessions that lie outside every hard window, or whose time is not known."""
    hard = [w for w in windows if w.hard]
    if not hard:
        return np.zeros(len(sessions), np.bool_)
    inside = np.zeros(len(sessions), np.bool_)
    for window in hard:
        inside |= _distance(window, sessions) <= 0
    return ~inside


def _distance(window: TimeWindow, sessions: Sessions) -> Floats:
    """Seconds between a session's span and the window, 0 where they overlap, NaN where unknown."""
    first = np.where(np.isnan(sessions.started), sessions.ended, sessions.started)
    last = np.where(np.isnan(sessions.ended), sessions.started, sessions.ended)
    distance: Floats = np.maximum(np.maximum(first - window.end, window.start - last), 0.0)
    return distance


def _local_days(times: Floats) -> Days:
    """The local day of each moment, counted from 1 January of the year 1; 0 where none is known.

    How far local time is from UTC is asked once for each day, not for each moment: 40,000 take a fifth of a second. Only on the
    days on which clocks are changed is it asked of each.
    """
    out = np.zeros(len(times), np.int64)
    known = np.flatnonzero(~np.isnan(times))
    if not len(known):
        return out
    utc = np.floor(times[known] / _DAY)
    by_day: dict[float, float] = {}
    for day in set(utc.tolist()):
        first, last = (_local_day(day * _DAY + second, day) for second in (0.0, _DAY - 1))
        by_day[day] = first[1] if first[1] == last[1] else math.nan
    ahead = np.array([by_day[day] for day in utc.tolist()])
    local = np.floor((times[known] + ahead) / _DAY)
    for place in np.flatnonzero(np.isnan(ahead)).tolist():
        local[place] = _local_day(float(times[known[place]]), 0.0)[0]
    fits = (local > -_EPOCH) & (local <= _LAST - _EPOCH)
    out[known[fits]] = local[fits].astype(np.int64) + _EPOCH
    return out


def _local_day(seconds: float, otherwise: float) -> tuple[float, float]:
    """The local day of a moment, counted from 1970, and the seconds that local time is ahead of UTC then. A moment that no
    calendar has is on the day `otherwise`."""
    try:
        there = time.localtime(seconds)
    except (OverflowError, OSError, ValueError):
        return otherwise, 0.0
    return (seconds + there.tm_gmtoff) // _DAY, float(there.tm_gmtoff)


def _fulfilling(key: tuple[str, int], days: Days) -> Flags:
    """Which of these days are in a year or a month, on a day of the week, or of the month."""
    what, number = key
    if what == "weekday":
        fits: Flags = (days > 0) & ((days + 6) % 7 == number)
        return fits
    every = days.tolist()
    fit = {day for day in set(every) if day and getattr(date.fromordinal(day), what) == number}
    return np.fromiter(map(fit.__contains__, every), np.bool_, len(every))


def _name(word: str, names: Sequence[str]) -> int:
    """The place from 1 of a full name or its first three letters, 0 if it is none."""
    for place, name in enumerate(names, 1):
        if word in (name, name[:3], name + "s"):
            return place
    return 0
