"""Bringing the index up to date beside the app, in a process of its own, so that no key waits for it."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from core.ports import Progress
from core.text import one_line
from tui.messages import IndexReport

Report = Callable[[IndexReport], None]
"""Receives reports, on a thread of the background's own."""


_HOME = str(Path(__file__).resolve().parent.parent)
_START = f"import sys; sys.path.insert(0, {_HOME!r}); from tui.cli import run; run()"


def own_command(*words: str) -> tuple[str, ...]:
    """A command of this program in a child process.

    Neither the working directory nor PYTHONPATH decides which `tui` runs: the folder of this very file does, for the
    program works inside other people's projects.
    """
    return (sys.executable, "-P", "-c", _START, *words)


class Background(Protocol):
    """Work that runs beside the app."""

    def start(self, report: Report) -> None:
        """Begin, and report until done."""
        ...

    def again(self, report: Report) -> None:
        """Bring the index up to date once more, beside what runs."""
        ...

    def stop(self) -> None:
        """End it; what was done is kept."""
        ...


class NoBackground:
    """Nothing runs beside the app (`--no-index`, tests)."""

    def start(self, report: Report) -> None:
        """Do nothing."""

    again = start

    def stop(self) -> None:
        """Do nothing."""


class IndexProcess:
    """Runs `recollect index --progress-json` and reads one JSON object per line from it."""

    def __init__(self, options: Sequence[str] = (), *, argv: Sequence[str] | None = None) -> None:
        """`options` go to the command (roots and the like); `argv` replaces the whole command."""
        default = own_command("index", "--progress-json", *options)
        self._argv = tuple(default if argv is None else argv)
        self._children: list[subprocess.Popen[bytes]] = []
        self._stopped = threading.Event()

    def start(self, report: Report) -> None:
        """Start the process and a thread that reads from it."""
        threading.Thread(target=self._run, args=(report,), name="index", daemon=True).start()

    again = start

    def stop(self) -> None:
        """Terminate the process, by its own id, and one that was started again."""
        self._stopped.set()
        for child in tuple(self._children):
            if child.poll() is None:
                child.terminate()

    def _run(self, report: Report) -> None:
        nothing = Progress(0, 0, 0, 0, 0.0)
        try:
            child = subprocess.Popen(
                self._argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
            )
        except OSError as error:
            report(IndexReport(nothing, f"{self._argv[0]} did not start: {error.strerror}", failed=True))
            return
        self._children.append(child)
        if self._stopped.is_set():
            child.terminate()
        with child:
            latest = self._follow(child, report)
            said = child.stderr.read(20_000) if child.stderr else b""
        if self._stopped.is_set():
            return
        if latest.progress.done:
            report(latest)
            return
        reason = one_line(said.decode("utf-8", "replace"), 200) or _ending(child.returncode)
        report(IndexReport(latest.progress, latest.message or reason, failed=True))

    def _follow(self, child: subprocess.Popen[bytes], report: Report) -> IndexReport:
        latest = IndexReport(Progress(0, 0, 0, 0, 0.0))
        for line in child.stdout or ():
            found = parse_report(line)
            if found is not None and not self._stopped.is_set():
                latest = found
                if not found.progress.done:  # said once the process has ended: until then it holds the index
                    report(found)
        return latest


def _ending(code: int) -> str:
    """How a process ended that gave no reason."""
    return f"it was ended from outside (signal {-code})" if code < 0 else f"it ended with code {code}"


def parse_report(line: bytes) -> IndexReport | None:
    """One line of the process as a report; `None` for anything else."""
    import json  # 2 ms, on the thread that waits for the process

    try:
        found = json.loads(line)
    except ValueError:
        return None
    if not isinstance(found, dict):
        return None

    def number(name: str) -> float:
        value = found.get(name)
        return value if isinstance(value, int | float) and not isinstance(value, bool) else 0

    progress = Progress(
        int(number("records")),
        int(number("records_total")),
        int(number("bytes")),
        int(number("bytes_total")),
        float(number("seconds")),
        found.get("done") is True,
    )
    message = found.get("message")
    return IndexReport(progress, one_line(message, 400) if isinstance(message, str) else "")


class IdleProcess:
    """Reads meanings in a child of low priority, some time after the app began; ends with the app.

    Nothing is shown of it: what it read is there at the next recall, what it did not is read another time.
    """

    def __init__(self, options: Sequence[str] = (), *, after: float = 20.0, argv: Sequence[str] | None = None) -> None:
        self._argv = list(argv) if argv else list(own_command("index", "--json", "--meanings", *options))
        self._timer = threading.Timer(after, self._begin)
        self._timer.daemon = True
        self._lock = threading.Lock()
        self._child: subprocess.Popen[bytes] | None = None
        self._stopped = False

    def start(self) -> None:
        """Wait a little, then begin."""
        self._timer.start()

    def _begin(self) -> None:
        with self._lock:
            if self._stopped:
                return
            quiet = subprocess.DEVNULL
            self._child = subprocess.Popen(self._argv, stdin=quiet, stdout=quiet, stderr=quiet)

    def stop(self) -> None:
        """End it; what it had read is kept."""
        self._timer.cancel()
        with self._lock:
            self._stopped = True
            child = self._child
        if child is not None and child.poll() is None:
            child.terminate()
            child.wait()


class Beside:
    """The index at once, the meanings when it is quiet: both end with the app."""

    def __init__(self, index: Background, idle: IdleProcess) -> None:
        self._index = index
        self._idle = idle

    def start(self, report: Report) -> None:
        """Start both."""
        self._index.start(report)
        self._idle.start()

    def again(self, report: Report) -> None:
        """The index alone: meanings wait for what it does."""
        self._index.again(report)

    def stop(self) -> None:
        """End both."""
        self._idle.stop()
        self._index.stop()
