"""The turns around a line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.records.archive import Archive
from core.records.model import Source
from core.records.window import END
from tests.core.records.builders import lines, source, user


def archive(tmp_path: Path) -> Archive:
    return Archive.from_environment({}, str(tmp_path))


def record(tmp_path: Path, sizes: list[int], newline: bool = True) -> tuple[Source, list[int]]:
    rows = [lines(user(f"{n} " + "x" * size)) for n, size in enumerate(sizes, 1)]
    starts = [sum(map(len, rows[:n])) for n in range(len(rows))]
    body = b"".join(rows)
    return source(tmp_path / "a.jsonl", "claude", body if newline else body[:-1]), starts


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    sizes=st.lists(st.sampled_from([1, 50, 70_000, 200_000]), min_size=1, max_size=7),
    pick=st.integers(0, 6),
    before=st.integers(0, 4),
    after=st.integers(0, 4),
    newline=st.booleans(),
)
def test_a_window_holds_the_lines_around(
    tmp_path: Path, sizes: list[int], pick: int, before: int, after: int, newline: bool
) -> None:
    here = pick % len(sizes)
    where, starts = record(tmp_path, sizes, newline)
    turns = archive(tmp_path).window(where, here + 1, starts[here], before, after)
    wanted = range(max(0, here - before), min(len(sizes), here + after + 1))
    assert [(turn.line, turn.start) for turn in turns] == [(n + 1, starts[n]) for n in wanted]
    assert [turn.text.split(" ")[0] for turn in turns] == [str(n + 1) for n in wanted]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    sizes=st.lists(st.sampled_from([1, 50, 9_000]), min_size=1, max_size=7),
    before=st.integers(0, 4),
    newline=st.booleans(),
    step=st.sampled_from([1, 7, 300, 1 << 22]),
)
def test_the_end_of_a_record_is_its_last_lines_with_their_numbers(
    tmp_path: Path, sizes: list[int], before: int, newline: bool, step: int
) -> None:
    """Whatever the file is read in: the lines are those of the window around the last one."""
    where, starts = record(tmp_path, sizes, newline)
    last = len(sizes) - 1
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("core.records.window._PIECE", step)
        turns = archive(tmp_path).window(where, END, 0, before, 0)
    assert turns == archive(tmp_path).window(where, last + 1, starts[last], before, 0)
    assert turns[-1].line == len(sizes)


def test_the_end_of_an_empty_record_is_empty(tmp_path: Path) -> None:
    assert archive(tmp_path).window(source(tmp_path / "a.jsonl", "claude", b""), END, 0, 3, 0) == ()


def test_a_window_of_a_vanished_record_is_empty(tmp_path: Path) -> None:
    where, starts = record(tmp_path, [1, 1])
    Path(where.path).unlink()
    assert archive(tmp_path).window(where, 2, starts[1], 1, 1) == ()


def test_blank_and_broken_lines_keep_their_place(tmp_path: Path) -> None:
    body = lines(user("a")) + b"\n" + b"broken\n" + lines(user("b"))
    where = source(tmp_path / "a.jsonl", "claude", body)
    start = body.index(lines(user("b")))
    turns = archive(tmp_path).window(where, 4, start, 3, 0)
    assert [(turn.line, turn.text) for turn in turns] == [(1, "a"), (3, "broken"), (4, "b")]


def test_in_a_document_the_lines_that_hold_turns_are_counted(tmp_path: Path) -> None:
    messages = [{"id": str(n), "type": "user", "content": f"prompt {n}"} for n in range(5)]
    body = json.dumps({"sessionId": "s", "messages": messages}, indent=2).encode()
    where = source(tmp_path / "session-1.json", "gemini", body, root=str(tmp_path))
    middle = list(archive(tmp_path).read(where))[2]
    turns = archive(tmp_path).window(where, middle.line, middle.start, 1, 1)
    assert [turn.text for turn in turns] == ["prompt 1", "prompt 2", "prompt 3"]
