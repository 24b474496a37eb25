"""A copy of the program reads the newest sessions while the program loads; run apart, for a test's process has threads."""

from __future__ import annotations

import subprocess
import sys
import threading

import pytest

from core.candidates import Candidate
from tests.tui.fake import candidate
from tui.head_start import head_start

TWO = "import os; os.sched_getaffinity = lambda process: {0, 1}\n"
"""A machine with two processors, whatever this one has."""
ROW = """
from dataclasses import replace
from tests.tui.fake import candidate
row = replace(candidate(0), passages=())
"""
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="a copy is made on Linux alone")


def ran(code: str) -> subprocess.CompletedProcess[str]:
    """What a program says that begins with a head start."""
    opening = f"{TWO}{ROW}from tui.head_start import head_start\n"
    return subprocess.run(
        [sys.executable, "-c", opening + code], capture_output=True, text=True, timeout=60, check=True
    )


@LINUX
def test_the_rows_come_from_a_copy_and_the_copy_is_gone() -> None:
    done = ran(
        "with head_start(lambda: (row, replace(row, started=None), row)) as begun:\n"
        "    rows = begun.rows(30)\n"
        "    print(rows == (row, replace(row, started=None), row), begun.rows() == rows)\n"
        "try:\n"
        "    os.waitpid(-1, 0)\n"
        "except ChildProcessError:\n"
        "    print('nobody left')\n"
    )
    assert done.stdout == "True True\nnobody left\n"
    assert done.stderr == ""


@LINUX
def test_the_copy_is_another_process_that_writes_nothing_on_the_terminal() -> None:
    """What it prints goes nowhere, and what waited in this process's buffer is written once."""
    done = ran(
        "import sys\n"
        "print('once')\n"
        "def read():\n"
        "    print('never', flush=True); sys.stderr.write('never')\n"
        "    return (replace(row, phrase=str(os.getpid())),)\n"
        "with head_start(read) as begun:\n"
        "    print(begun.rows(30)[0].phrase not in ('', str(os.getpid())))\n"
    )
    assert (done.stdout, done.stderr) == ("once\nTrue\n", "")


@LINUX
def test_more_than_a_pipe_holds_comes_whole() -> None:
    done = ran(
        "with head_start(lambda: (replace(row, phrase='x' * 1_000_000), row)) as begun:\n"
        "    rows = begun.rows(30)\n"
        "    print(len(rows[0].phrase), rows[1] == row)\n"
    )
    assert done.stdout == "1000000 True\n"


@LINUX
def test_rows_that_were_found_by_words_are_not_passed_on() -> None:
    """Their passages would be lost; such rows are read where they are asked for."""
    assert ran("with head_start(lambda: (candidate(0),)) as begun:\n    print(begun.rows(30))\n").stdout == "None\n"


@LINUX
def test_a_copy_that_fails_says_nothing_and_gives_no_rows() -> None:
    done = ran("with head_start(lambda: 1 // 0) as begun:\n    print(begun.rows(30), begun.rows())\n")
    assert (done.stdout, done.stderr) == ("None None\n", "")


@LINUX
def test_a_copy_that_does_not_answer_holds_nobody_up_and_is_ended() -> None:
    done = ran(
        "import signal\n"
        "with head_start(signal.pause) as begun:\n"
        "    print(begun.rows())\n"
        "print(begun.rows())\n"
        "try:\n"
        "    os.waitpid(-1, 0)\n"
        "except ChildProcessError:\n"
        "    print('nobody left')\n"
    )
    assert done.stdout == "None\nNone\nnobody left\n"


def test_no_copy_is_made_beside_another_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    def fork() -> int:
        raise AssertionError("a copy was made")

    def read() -> tuple[Candidate, ...]:
        return (candidate(0),)

    monkeypatch.setattr("os.fork", fork)
    ended = threading.Event()
    beside = threading.Thread(target=ended.wait)
    beside.start()
    with head_start(read) as begun:
        assert begun.rows(0.0) is None
    ended.set()
    beside.join()
