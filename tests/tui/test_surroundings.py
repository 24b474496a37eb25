"""Commands in broken surroundings: closed or full streams, bytes that are no text, a lost folder, an odd clock zone."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.few import write_few

FULL = Path("/dev/full")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with the made-up archive in it."""
    write_few(tmp_path / "home")
    return tmp_path / "home"


def recollect(
    home: Path, words: str, *, env: dict[str, str] | None = None, stdin: bytes = b"", cwd: Path | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Run a command line through the shell, `R` standing for the program."""
    root = Path(__file__).resolve().parents[2]
    surroundings = os.environ | {
        "HOME": str(home),
        "RECOLLECT_HOME": str(home.parent / "own"),
        "PYTHONPATH": str(root),
    }
    return subprocess.run(
        ["/bin/sh", "-c", words.replace("R ", f"{sys.executable} -m tui.cli ", 1)],
        env=surroundings | (env or {}),
        input=stdin,
        capture_output=True,
        check=False,
        timeout=120,
        cwd=cwd or home,
    )


@pytest.mark.parametrize("words", ["R list >&-", "R --plain retries <&- >&-", "R search - <&-", "R list 2>&-"])
def test_closed_streams_break_nothing(home: Path, words: str) -> None:
    done = recollect(home, words)
    assert done.returncode == 0, done.stderr


def test_a_full_disk_is_said_and_not_a_crash(home: Path) -> None:
    full = FULL if FULL.exists() else Path("/dev/stdin")  # macOS has no /dev/full; stdin takes no writing either
    done = recollect(home, f"R list >{full}")
    assert done.returncode == 3
    assert b"could not be written" in done.stderr
    assert b"hint:" in done.stderr
    assert b"Exception ignored" not in done.stderr


def test_queries_that_are_no_text_are_answered(home: Path) -> None:
    done = recollect(
        home, "R search --json -", env={"PYTHONIOENCODING": "ascii"}, stdin=b"\xff\xfe retries\n\x80\x00\n"
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count(b"\n") == 2


def test_an_index_that_may_not_be_written_is_said_and_is_no_success(home: Path) -> None:
    """A bound on the size of files stands for a full disk, which root may fill but not write beyond."""
    done = recollect(home, "ulimit -f 1; R index --json")
    assert done.returncode == 3, done.stderr
    assert json.loads(done.stdout)["stopped"] is True
    done = recollect(home, "ulimit -f 1; R index")
    assert (done.returncode, b"recollect: the program broke" in done.stderr) == (3, False)
    assert done.stderr.strip()


def test_an_export_is_written_in_an_encoding_that_lacks_its_letters(home: Path) -> None:
    listed = recollect(home, "R list --json")
    assert listed.returncode == 0
    done = recollect(home, "R export 8de89f75", env={"PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0, done.stderr
    assert done.stdout.isascii()


def test_a_folder_that_was_deleted_meanwhile_is_said(home: Path, tmp_path: Path) -> None:
    lost = tmp_path / "lost"
    lost.mkdir()
    done = recollect(home, f"rmdir {lost}; R search --project . retries", cwd=lost)
    assert done.returncode == 2
    assert b"was deleted" in done.stderr
    lost.mkdir()
    assert recollect(home, f"rmdir {lost}; R search retries", cwd=lost).returncode == 0


def test_a_time_zone_that_does_not_exist_stops_no_command(home: Path) -> None:
    assert recollect(home, "R search retries yesterday", env={"TZ": "<+99>-99"}).returncode == 0


def test_an_index_that_broke_is_built_anew_and_the_question_answered(home: Path) -> None:
    assert recollect(home, "R index").returncode == 0
    own = home.parent / "own" / "index" / "whoosh"
    for segment in own.glob("*.seg"):
        segment.write_bytes(b"broken")
    done = recollect(home, "R search retry budget")
    assert done.returncode == 0, done.stderr
    assert b"Retry budget for the payment client" in done.stdout
    shutil.rmtree(own)
    assert recollect(home, "R recall retry budget").returncode == 0


def test_a_token_that_the_person_says_is_masked_where_it_is_repeated(home: Path) -> None:
    token = "ghp_" + "A1b2C3d4" * 5
    done = recollect(home, f"R recall retries --say {token} --say stop --say {token} 2>&1")
    assert b"[masked: GitHub token]" in done.stdout
    assert token.encode() not in done.stdout


@pytest.mark.parametrize(
    "words", ["show TOKEN", "search agent:TOKEN --json", "search agent:TOKEN", "schema TOKEN", "list --TOKEN"]
)
def test_no_message_repeats_a_token(home: Path, words: str) -> None:
    token = "ghp_" + "A1b2C3d4" * 5
    done = recollect(home, f"R {words.replace('TOKEN', token)} 2>&1")
    assert b"masked: GitHub token" in done.stdout
    assert token.encode() not in done.stdout


LOADING = """
import os, signal
from tui import cli
def loading(_):
    try:
        {event}
    except KeyboardInterrupt:
        pass
    raise {error}
cli._dispatch = loading
cli.run()
"""


INTERRUPT = "os.kill(os.getpid(), signal.SIGINT)"


@pytest.mark.parametrize(
    ("event", "error", "ignored", "code"),
    [
        (INTERRUPT, "ImportError('multiarray failed to import')", False, 130),
        (INTERRUPT, "RuntimeError('empty docstring')", False, 130),
        (INTERRUPT, "ImportError('multiarray failed to import')", True, 70),
        ("pass", "ImportError('multiarray failed to import')", False, 70),
        ("cli._interrupts.append(float('-inf'))", "RuntimeError('later')", False, 70),
    ],
    ids=["not loaded", "broken by it", "interrupts are ignored", "a library is missing", "interrupted long before"],
)
def test_ctrl_c_while_a_library_is_loaded_is_no_crash(
    tmp_path: Path, event: str, error: str, ignored: bool, code: int
) -> None:
    """A library in C that is interrupted while it is loaded reports that it cannot be loaded."""
    script = tmp_path / "loading.py"
    script.write_text(LOADING.format(event=event, error=error), "utf-8")
    trap = "trap '' INT; " if ignored else ""
    done = recollect(tmp_path, f"{trap}{sys.executable} {script}")
    assert done.returncode == code
    assert (b"the program broke" in done.stderr) == (code == 70)
