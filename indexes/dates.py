"""The dates of sessions: words that name a date, and soft windows of time."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from datetime import datetime

import numpy as np

from core.ports import TimeWindow
from indexes.postings import Floats
from indexes.sessions import Sessions

_MONTHS = "january february march april may june july august september october november december".split()  # noqa: SIM905
_DAYS = "monday tuesday wednesday thursday friday saturday sunday".split()  # noqa: SIM905
_NUMBER = re.compile(r"([0-9]{1,4})(?:st|nd|rd|th)?")
_YEARS = range(1990, 2100)


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
    facts = [_facts(a) | _facts(b) for a, b in zip(sessions.started.tolist(), sessions.ended.tolist(), strict=True)]
    for key in keys:
        fulfils = np.array([key in f for f in facts], np.float64)
        out += fulfils * math.log(1 + len(facts) / (1 + fulfils.sum()))
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


def _facts(seconds: float) -> frozenset[tuple[str, int]]:
    if math.isnan(seconds):
        return frozenset()
    try:
        day = datetime.fromtimestamp(seconds).astimezone()
    except (OverflowError, OSError, ValueError):
        return frozenset()
    return frozenset((("year", day.year), ("month", day.month), ("weekday", day.weekday()), ("day", day.day)))


def _name(word: str, names: Sequence[str]) -> int:
    """The place from 1 of a full name or its first three letters, 0 if it is none."""
    for place, name in enumerate(names, 1):
        if word in (name, name[:3], name + "s"):
            return place
    return 0
