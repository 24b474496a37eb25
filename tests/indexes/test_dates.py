"""The dates of sessions, told for all at once, are those that the calendar of the place gives for each."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from indexes.dates import date_scores

PLACES = ("UTC0", "CET-1CEST,M3.5.0,M10.5.0/3", "EST5EDT,M3.2.0,M11.1.0", "IST-5:30", "XST-13")
"""Rules of time zones, which need no table of the system's."""
CLOCKS_GO_ON = datetime(2024, 3, 31, tzinfo=UTC).timestamp()
TIMES = st.one_of(
    st.floats(1.3e9, 1.9e9),
    st.floats(CLOCKS_GO_ON - 90_000, CLOCKS_GO_ON + 180_000),
    st.sampled_from([math.nan, math.inf, -math.inf, 0.0, 1e18, -1e18, 3e11]),
)
KEYS = st.sampled_from(
    [("year", 2024), ("month", 3), ("month", 4), ("weekday", 6), ("weekday", 0), ("day", 31), ("day", 1)]
)


@dataclass
class Spans:
    """What `date_scores` asks of the sessions."""

    started: np.ndarray
    ended: np.ndarray

    def __len__(self) -> int:
        return len(self.started)


@pytest.fixture(params=PLACES)
def _place(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with monkeypatch.context() as patch:
        patch.setenv("TZ", request.param)
        time.tzset()
        yield
    time.tzset()


def fulfils(key: tuple[str, int], moment: float) -> bool:
    try:
        day = datetime.fromtimestamp(moment)  # noqa: DTZ006  # the place's own day
    except (OverflowError, OSError, ValueError):
        return False
    return key in {("year", day.year), ("month", day.month), ("weekday", day.weekday()), ("day", day.day)}


@pytest.mark.usefixtures("_place")
def test_the_dates_are_those_of_the_calendar_there() -> None:
    @given(st.lists(st.tuples(TIMES, TIMES), max_size=12), KEYS)
    @example([(CLOCKS_GO_ON + 3_599.0, CLOCKS_GO_ON + 3_600.0), (CLOCKS_GO_ON + 86_399.0, math.nan)], ("day", 1))
    def check(spans: list[tuple[float, float]], key: tuple[str, int]) -> None:
        want = [any(fulfils(key, moment) for moment in span) for span in spans]
        sessions = Spans(np.array([a for a, _ in spans]), np.array([b for _, b in spans]))
        found = date_scores([key], sessions)  # type: ignore[arg-type]
        assert [bool(score) for score in found] == want
        weight = math.log(1 + len(spans) / (1 + sum(want)))
        assert all(math.isclose(score, weight) for score in found if score)

    check()
