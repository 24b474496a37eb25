"""Writing to the terminal and to pipes: data on stdout, everything else on stderr, no control byte on either."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any, TextIO

from core.errors import SurroundingsError
from core.text import is_printable, printable

if TYPE_CHECKING:
    from core.ports import Progress


def print_json(document: dict[str, Any]) -> None:
    """Write one object to stdout."""
    from core.json_text import json_text  # orjson, which `--version` does without

    write_out(json_text(document))


def write_out(text: str) -> None:
    """Write a line to stdout."""
    _write(sys.stdout, text + "\n")


def write_text(text: str) -> None:
    """Write a whole document to stdout, as it is apart from what the stream cannot hold or must not see."""
    _write(sys.stdout, text)


def write_err(text: str) -> None:
    """Write a line to stderr, which belongs to people."""
    _write(sys.stderr, text + "\n")


def _write(stream: TextIO | None, text: str) -> None:
    """Write to a stream; one that was closed before the program started takes nothing.

    Raises `BrokenPipeError` where the reader went away, and `SurroundingsError` where stdout takes no more (a full disk).
    """
    if stream is None:
        return
    clean = text if is_printable(text) else printable(text)
    try:
        try:
            stream.write(clean)
        except UnicodeEncodeError:
            encoding = stream.encoding or "ascii"
            stream.write(clean.encode(encoding, "replace").decode(encoding))
        stream.flush()
    except BrokenPipeError:
        raise
    except OSError as problem:
        if stream is not sys.stdout:
            return  # nobody hears that stderr is full
        silence_stdout()
        raise SurroundingsError(
            f"The output could not be written: {problem.strerror or problem}.", "Write it to another place."
        ) from problem


def silence_stdout() -> None:
    """Point stdout to nowhere, so that Python does not complain again about a broken one while it shuts down."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class ProgressLine:
    """A progress bar on stderr, shown once the work has taken a second, on a terminal only.

    Counts, megabytes and the estimated time left; one line that overwrites itself with a carriage return.
    """

    def __init__(self, what: str, unit: str = "MB") -> None:
        self._what = what
        self._unit = unit
        self._shown = False
        self._last = 0.0
        self._live = sys.stderr is not None and sys.stderr.isatty()

    def __call__(self, progress: Progress) -> bool:
        """Show how far it is; never asks to stop."""
        if self._live and progress.seconds >= 1.0 and (progress.seconds - self._last >= 0.1 or progress.done):
            self._last = progress.seconds
            self._shown = True
            sys.stderr.write("\r" + self._line(progress).ljust(78)[:78])
            sys.stderr.flush()
        return True

    def close(self) -> None:
        """Remove the line."""
        if self._shown:
            sys.stderr.write("\r" + " " * 78 + "\r")
            sys.stderr.flush()

    def _line(self, p: Progress) -> str:
        share = p.bytes / p.bytes_total if p.bytes_total else 1.0
        bar = "#" * round(20 * share)
        left = p.remaining()
        eta = f" · {left:,.0f} s left" if left is not None and not p.done else ""
        read = f" · {p.bytes / 1e6:,.0f} of {p.bytes_total / 1e6:,.0f} MB" if self._unit == "MB" else ""
        return f"{self._what} [{bar:<20}] {p.records:,}/{p.records_total:,}{read}{eta}"
