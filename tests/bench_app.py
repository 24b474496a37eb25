"""What `make bench` asks of a running program: keys, the app's first frame, and a record of more than a gigabyte.

Run as a module it answers one question (`keys`, `big PATH`) as JSON on stdout, in a process of its own.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import pty
import resource
import select
import signal
import struct
import sys
import termios
import time
from pathlib import Path

CUES = ("tander qualling needle11", "why did the remarked liver fail", "stover lindo last june", "needle1999 reference")
PROMPT = b"remember"
"""A word of the first frame."""
ROW = b"project-"
"""What stands in each row of the list of sessions, and nowhere before there is one. A word of the records themselves is cut off a
row, and waits for the viewer beside."""
PATIENCE = 20.0


def first_frames(argv: list[str], env: dict[str, str]) -> tuple[float, float, float]:
    """Seconds from the start of the app on a terminal: wall to its first frame and to the first sessions in it, and the
    CPU that its process had taken by the first frame (0 where the system does not say)."""
    began = time.perf_counter()
    child, terminal = pty.fork()
    if child == 0:
        os.execve(argv[0], argv, env)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 140, 0, 0))
    try:
        frame, seen = _until(terminal, PROMPT, began, b"")
        spent = _cpu_of(child)
        return frame, _until(terminal, ROW, began, seen)[0], spent
    finally:
        os.kill(child, signal.SIGTERM)
        with contextlib.suppress(OSError):  # the terminal is gone with the app
            while os.read(terminal, 65_536):
                pass
        os.waitpid(child, 0)
        os.close(terminal)


def _cpu_of(child: int) -> float:
    try:
        fields = Path(f"/proc/{child}/stat").read_text("ascii").rsplit(")", 1)[1].split()
    except OSError:
        return 0.0  # no /proc here
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _until(terminal: int, word: bytes, began: float, seen: bytes) -> tuple[float, bytes]:
    """Seconds since `began` when a word has come, and what was read by then: the next word may stand in it already."""
    while word not in seen:
        ready, _, _ = select.select([terminal], [], [], PATIENCE)
        if not ready or time.perf_counter() - began > PATIENCE:
            raise TimeoutError(f"the app showed no {word!r}")
        seen = seen[-131_072:] + os.read(terminal, 65_536)
    return time.perf_counter() - began, seen


def keys() -> list[float]:
    """CPU milliseconds of each key of a few cues, typed into the list of a library that has answered once."""
    from core.recall.model import Scope
    from tui.compose import Options, open_library

    library = open_library(Options())
    library.candidates("tander", Scope())
    spent = []
    for cue in CUES:
        for end in range(1, len(cue) + 1):
            began = time.process_time()
            library.candidates(cue[:end], Scope())
            spent.append((time.process_time() - began) * 1000)
    return spent


def big(path: str) -> dict[str, float]:
    """Wall seconds to open a record at its beginning, in its middle and at its end, and the peak memory in MB."""
    from core.records.model import Locator
    from core.records.window import END
    from tui.compose import Options, open_library

    library = open_library(Options())
    entry = library.entry(Locator("", "", "", os.path.realpath(path)))
    assert entry is not None
    size = entry.source.size
    with open(path, "rb") as file:
        file.seek(size // 2)
        file.readline()
        middle = file.tell()
    found = {}
    for name, line, start in (("beginning", 1, 0), ("middle", size // 8_000, middle), ("end", END, 0)):
        began = time.perf_counter()
        turns = library.window(entry.locator(), line, start, 40, 40)
        found[name] = time.perf_counter() - began
        assert turns
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {**found, "peak_mb": peak / (1e6 if sys.platform == "darwin" else 1e3)}


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent.parent))
    sys.stdout.write(json.dumps(big(sys.argv[2]) if sys.argv[1] == "big" else keys()))
