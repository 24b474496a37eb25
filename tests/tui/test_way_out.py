"""The end of a command: at once where nothing is left to do, in the interpreter's way where something is."""

from __future__ import annotations

import atexit
import io
import os
import sys
import threading

import pytest

from tui import cli


@pytest.fixture(autouse=True)
def _ends(monkeypatch: pytest.MonkeyPatch) -> None:
    def at_once(code: int) -> None:
        raise InterruptedError(code)

    monkeypatch.setattr(cli, "main", lambda: 3)
    monkeypatch.setattr(cli.gc, "freeze", lambda: None)
    monkeypatch.setattr(os, "_exit", at_once)
    monkeypatch.setattr(atexit, "_ncallbacks", lambda: 0, raising=False)
    monkeypatch.setattr(threading, "active_count", lambda: 1)


def test_a_command_with_nothing_left_to_do_ends_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    below = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(below, "utf-8", write_through=False))
    sys.stdout.write("told")
    with pytest.raises(InterruptedError, match="3"):
        cli.run()
    assert below.getvalue() == b"told"


def test_threads_and_what_was_asked_for_at_the_end_are_not_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threading, "active_count", lambda: 2)
    with pytest.raises(SystemExit, match="3"):
        cli.run()
    monkeypatch.setattr(threading, "active_count", lambda: 1)
    monkeypatch.setattr(atexit, "_ncallbacks", lambda: 1)
    with pytest.raises(SystemExit, match="3"):
        cli.run()


def test_an_output_that_cannot_be_written_is_left_to_the_interpreter(monkeypatch: pytest.MonkeyPatch) -> None:
    class Full(io.StringIO):
        def flush(self) -> None:
            raise OSError

    monkeypatch.setattr(sys, "stdout", Full())
    with pytest.raises(SystemExit, match="3"):
        cli.run()
    monkeypatch.setattr(sys, "stdout", None)
    with pytest.raises(InterruptedError, match="3"):
        cli.run()
