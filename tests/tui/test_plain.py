"""The dialogue as plain lines, in a process of its own: pipes, dumb terminals, no terminal at all."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.few import write_few

COMMAND = str(Path(sys.executable).with_name("recollect"))


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    write_few(tmp_path / "home")
    return {**os.environ, "HOME": str(tmp_path / "home"), "RECOLLECT_HOME": str(tmp_path / "own"), "TZ": "UTC"}


def test_a_piped_dialogue_runs_to_its_identification(env: dict[str, str]) -> None:
    said = "retry budget\nnot that one\nback to the first\nthat's it\n"
    done = subprocess.run([COMMAND, "--plain"], input=said, capture_output=True, text=True, env=env, check=True)
    assert done.stdout.count("You set out with") == 3
    assert "Identified: Retry budget for the payment client" in done.stdout
    assert "\x1b" not in done.stdout + done.stderr


def test_empty_lines_before_the_cue_end_nothing(env: dict[str, str]) -> None:
    said = "\n  \r\nretry budget\n\nthat's it\n"
    done = subprocess.run([COMMAND, "--plain"], input=said, capture_output=True, text=True, env=env, check=True)
    assert "Identified: Retry budget for the payment client" in done.stdout


def test_a_cue_on_the_command_line_answers_and_ends(env: dict[str, str]) -> None:
    done = subprocess.run(
        [COMMAND, "tide", "table", "aloud"], stdin=subprocess.DEVNULL, capture_output=True, text=True, env=env
    )
    assert done.returncode == 0, done.stderr
    assert "Read the tide table aloud" in done.stdout.replace("\n  ", " ")
    assert "\x1b" not in done.stdout + done.stderr


def test_without_terminal_and_words_it_says_what_it_does_and_ends(env: dict[str, str]) -> None:
    done = subprocess.run([COMMAND], stdin=subprocess.DEVNULL, capture_output=True, text=True, env=env)
    assert done.returncode == 1
    assert "Reading Claude Code" in done.stdout
    assert "hint:" in done.stdout


def test_a_pipe_that_stays_silent_does_not_hold_it(env: dict[str, str]) -> None:
    """`make run` without a terminal never hangs: the write end stays open and nothing comes."""
    with subprocess.Popen(
        [COMMAND, "frost dates"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env
    ) as child:
        assert child.stdout is not None
        out = child.stdout.read()
        assert child.wait(60) == 0
    assert b"last frost" in out.replace(b"\n  ", b" ")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_a_narrow_encoding_loses_letters_not_the_program(env: dict[str, str], encoding: str) -> None:
    done = subprocess.run(
        [COMMAND, "港の読み仮名"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env={**env, "PYTHONIOENCODING": encoding},
    )
    assert done.returncode == 0, done.stderr
    assert b"One conversation" in done.stdout
