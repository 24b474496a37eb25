"""What passes between the processes of a build (indexes/crew.py)."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from indexes import crew

LARGE = "words " * 200_000
"""More than a pipe holds."""


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    ends = os.pipe()
    yield ends
    for end in ends:
        try:
            os.close(end)
        except OSError:
            continue  # closed by the test


def test_what_is_sent_waits_for_no_reader(pipe: tuple[int, int]) -> None:
    """A helper reads on while the first process writes a segment and hears nothing."""
    source, sink = pipe
    with crew.Sender(sink) as answers:
        for number in range(3):
            answers.send((number, LARGE))
        heard = [crew.receive(source) for _ in range(3)]
    assert heard == [(0, LARGE), (1, LARGE), (2, LARGE)]


def test_what_was_sent_is_written_before_the_sender_ends(pipe: tuple[int, int]) -> None:
    source, sink = pipe
    with crew.Sender(sink) as answers:
        answers.send(("small", 1))
    os.close(sink)
    assert crew.receive(source) == ("small", 1)
    with pytest.raises(EOFError):
        crew.receive(source)


def test_a_sender_whose_reader_is_gone_ends(pipe: tuple[int, int]) -> None:
    source, sink = pipe
    answers = crew.Sender(sink)
    os.close(source)
    answers.send(LARGE)
    with answers:
        pass  # waits for what is written: nobody takes it
    with pytest.raises(BrokenPipeError):
        answers.send("more")
