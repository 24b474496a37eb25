"""JSON that leaves: the value is kept, and no character of it steers a terminal."""

from __future__ import annotations

import json
import math
import sys
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.json_text import iso_time, json_text, time_text
from core.text import is_printable


@given(
    st.dictionaries(
        st.text(max_size=5), st.one_of(st.text(), st.integers(), st.none(), st.lists(st.text(), max_size=3))
    )
)
def test_the_value_is_kept_and_steers_nothing(document: dict[str, object]) -> None:
    line = json_text(document)
    assert json.loads(line) == document
    assert is_printable(line)
    assert "\n" not in line


@pytest.mark.parametrize("value", ["\ud800", "a\u202eb", "\x9b31m", "\U000e0041", "\x7f", 1 << 70])
def test_what_the_fast_writer_refuses_or_passes_is_escaped(value: object) -> None:
    line = json_text({"x": value})
    assert line.isascii()
    assert json.loads(line)["x"] == value


def test_a_time_is_told_in_utc() -> None:
    there = timezone(timedelta(hours=2))
    assert time_text(datetime(2026, 3, 4, 5, 6, 7, tzinfo=there)) == "2026-03-04T03:06:07Z"
    assert time_text(datetime(2026, 3, 4, tzinfo=UTC)) == "2026-03-04T00:00:00Z"


def test_the_same_line_with_and_without_the_faster_library(monkeypatch: pytest.MonkeyPatch) -> None:
    documents: list[object] = [
        {"a": [1, 2.5, None, True], "é": "\x1b[31m\u2028\x7f", "n": 10**18, "t": (1, "x"), "d": {}},
        {"lone": "\ud800", "wide": "\U000f0000", "big": 10**30},
        {"not a number": math.nan},
    ]
    fast = [json_text(document) for document in documents]
    monkeypatch.delitem(sys.modules, "orjson")
    assert [json_text(document) for document in documents] == fast


@given(st.floats(allow_nan=True, allow_infinity=True) | st.floats(-1e11, 3e11) | st.integers(-(1 << 40), 1 << 70))
def test_a_time_in_seconds_is_told_as_the_library_formats_it(at: float) -> None:
    try:
        expected: str | None = datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (OverflowError, OSError, ValueError):
        expected = None
    assert iso_time(at) == expected
    assert iso_time(None) is None
