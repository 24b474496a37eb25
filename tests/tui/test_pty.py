"""The app on a real terminal: what reaches the wire, how it ends, how it comes back."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path

import pyte
import pytest

from tests.tui.souls import payments

ROOT = Path(__file__).resolve().parents[2]
DEADLINE = 40.0
"""Seconds to wait for output on a loaded machine; nothing waits this long when it works."""


class Terminal:
    """A child on a pty, its raw output and the screen it draws."""

    def __init__(self, mode: str, env: dict[str, str], size: tuple[int, int] = (80, 24)) -> None:
        self.raw = b""
        self._screen = pyte.Screen(*size)
        self._stream = pyte.ByteStream(self._screen)
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.execve(sys.executable, [sys.executable, "-m", "tests.tui.pty_app", mode], env)
        self.resize(*size)

    def resize(self, columns: int, lines: int) -> None:
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        self._screen.resize(lines, columns)

    def send(self, keys: str) -> None:
        os.write(self.fd, keys.encode())

    def _read(self, seconds: float) -> bool:
        """Read what is there; False at the end."""
        ready, _, _ = select.select([self.fd], [], [], seconds)
        if not ready:
            return True
        try:
            data = os.read(self.fd, 65536)
        except OSError:
            return False
        self.raw += data
        # pyte knows no private-marker sequences with a sub-parameter; they draw nothing.
        self._stream.feed(re.sub(rb"\x1b\[[<>=?][\d;]*[a-zA-Z$][a-z]?|\x1b\[\d+ q", b"", data))
        return bool(data)

    def wait_for(self, words: str) -> None:
        """Read until the screen shows the words."""
        end = time.monotonic() + DEADLINE
        while time.monotonic() < end:
            if words in self.text():
                return
            if not self._read(0.2):
                break
        pytest.fail(f"{words!r} was not shown; the screen is:\n{self.text()}")

    def wait_raw(self, part: bytes, since: int = 0) -> None:
        """Read until the raw output holds the bytes after `since`."""
        end = time.monotonic() + DEADLINE
        while time.monotonic() < end:
            if part in self.raw[since:]:
                return
            if not self._read(0.2):
                break
        assert part in self.raw[since:], f"{part!r} was not written"

    def end(self) -> int:
        """Read to the end and return the exit code, or minus the signal."""
        end = time.monotonic() + DEADLINE
        while time.monotonic() < end and self._read(0.2):
            pass
        _, status = os.waitpid(self.pid, 0)
        self.pid = 0
        return os.waitstatus_to_exitcode(status)

    def text(self) -> str:
        """The screen as it is now. pyte's own `display` breaks where a frame that is half written has overwritten the first
        half of a wide character."""
        rows, columns = range(self._screen.lines), range(self._screen.columns)
        return "\n".join("".join(self._screen.buffer[y][x].data for x in columns) for y in rows)

    def close(self) -> None:
        if self.pid:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self.fd)


@pytest.fixture
def surroundings(tmp_path: Path) -> dict[str, str]:
    """The environment of a child: no colour from outside, a home and a PATH of its own."""
    bins = tmp_path / "bin"
    bins.mkdir()
    runtime = bins / "fake-runtime"
    runtime.write_text(
        '#!/bin/sh\n[ -t 0 ] && [ -t 1 ] && echo "RUNTIME HAS A TERMINAL"\nread line\necho "GOT $line"\n'
    )
    runtime.chmod(0o755)
    return {
        "HOME": str(tmp_path / "home"),
        "PATH": f"{bins}:/usr/bin:/bin",
        "TERM": "xterm-256color",
        "COLORTERM": "truecolor",
        "TZ": "UTC",
        "LANG": "C.UTF-8",
        "PYTHONPATH": str(ROOT),
    }


@pytest.fixture
def terminal(surroundings: dict[str, str]) -> Iterator[list[Terminal]]:
    """Holds the terminals of a test and closes them."""
    opened: list[Terminal] = []
    yield opened
    for each in opened:
        each.close()


def start(opened: list[Terminal], mode: str, env: dict[str, str]) -> Terminal:
    run = Terminal(mode, env)
    opened.append(run)
    run.wait_for("Recollect")
    return run


def restored(raw: bytes) -> bool:
    """True if the alternate screen, mouse, paste and keyboard modes were given back."""
    return all(raw.rfind(off) > raw.rfind(on) for on, off in (
        (b"\x1b[?1049h", b"\x1b[?1049l"), (b"\x1b[?1003h", b"\x1b[?1003l"), (b"\x1b[?2004h", b"\x1b[?2004l"),
        (b"\x1b[?25l", b"\x1b[?25h"),
    ))  # fmt: skip


def test_start_and_quit_restore_the_terminal(terminal: list[Terminal], surroundings: dict[str, str]) -> None:
    run = start(terminal, "plain", surroundings)
    run.wait_for("retry budget")
    run.send("\x11")
    assert run.end() == 0
    assert restored(run.raw)


def test_u13_resume_hands_over_a_clean_terminal_and_comes_back(
    terminal: list[Terminal], surroundings: dict[str, str]
) -> None:
    run = start(terminal, "runtime", surroundings)
    run.wait_for("F2 resume")
    run.send("\x1bOQ")
    run.wait_for("This runs in your terminal")
    run.send("\r")
    run.wait_raw(b"RUNTIME HAS A TERMINAL")
    assert restored(run.raw), "the runtime finds no mode of ours"
    at = len(run.raw)
    run.send("hello\n")
    run.wait_raw(b"GOT hello", at)
    run.wait_raw(b"\x1b[?1049h", at)
    run.wait_raw(b"remember", at)  # drawn anew: until the terminal is ours again, ctrl+q is a sign of its flow control
    run.send("\x11")
    assert run.end() == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT])
def test_a_signal_restores_the_terminal(
    terminal: list[Terminal], surroundings: dict[str, str], number: signal.Signals
) -> None:
    run = start(terminal, "plain", surroundings)
    run.wait_for("retry budget")
    os.kill(run.pid, number)
    assert run.end() == 128 + number
    assert restored(run.raw)


def test_u25_a_crash_shows_no_session_text(terminal: list[Terminal], surroundings: dict[str, str]) -> None:
    run = start(terminal, "crash", surroundings)
    run.wait_for("retry budget")
    run.send("\x1b[15~")
    assert run.end() == 70
    assert restored(run.raw)
    assert b"stopped after an error of its own (ValueError)" in run.raw
    assert b"SECRET" not in run.raw
    note = Path(surroundings["HOME"]) / "crash.txt"
    assert "SECRET" not in note.read_text()
    assert "pty_app.py" in note.read_text()


def test_hostile_text_does_not_reach_the_wire(terminal: list[Terminal], surroundings: dict[str, str]) -> None:
    run = start(terminal, "hostile", surroundings)
    run.wait_for("candidates (3)")
    run.send("x\r")
    run.wait_for("One conversation")
    run.send("\x1b1")
    run.wait_for("record")
    run.send("\x11")
    run.end()
    assert b"\x1b]52" not in run.raw
    raw = re.sub(rb"\x1b\]22;[^\x07\x1b]*(?:\x07|\x1b\\)", b"", run.raw)  # Textual's own: the mouse pointer
    for payload in ("\u202e", "\u2066", "\u200b", "\u2028", "\x9b31m", "\x07", "\x0e", "\U000e0041", "\ue000"):
        assert payload.encode() not in raw, payload.encode()


def test_u15_a_terminal_of_one_cell_is_survived(terminal: list[Terminal], surroundings: dict[str, str]) -> None:
    run = start(terminal, "plain", surroundings)
    run.wait_for("retry budget")
    run.resize(1, 1)
    run.send("a")
    run.resize(80, 24)
    run.wait_for("> a")
    run.send("\x11")
    assert run.end() == 0


def test_the_soul_is_edited_at_the_line_and_checked_again_after_every_save(
    terminal: list[Terminal], surroundings: dict[str, str], tmp_path: Path
) -> None:
    root = tmp_path / "payments"
    payments(root)
    editor = tmp_path / "bin" / "vi"
    editor.write_text(
        '#!/bin/sh\n[ -t 0 ] && [ -t 1 ] && echo "EDITOR HAS A TERMINAL"\necho "$@" > "$MADE/../edited"\n'
        'printf "\\n## Extra\\n\\n- \\140pay/none.py\\140 came by hand\\n" >> "$2"\n'
    )
    editor.chmod(0o755)
    run = start(
        terminal, "soul", {**surroundings, "MADE": str(root), "EDITOR": "vi", "RECOLLECT_HOME": str(tmp_path / "o")}
    )
    run.wait_for("4 stale")
    run.send("xe")
    run.wait_raw(b"EDITOR HAS A TERMINAL")
    run.wait_for("5 stale")
    assert (tmp_path / "edited").read_text() == f"+13 {root}/docs/PATHOS.md\n"
    run.wait_for("watching")
    (root / "pay" / "none.py").write_text("")
    run.wait_for("dirty - 5 fresh · 4")  # nobody pressed a key: the file was seen
    run.send("\x11")
    assert run.end() == 0
    assert restored(run.raw)
