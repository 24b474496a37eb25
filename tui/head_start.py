"""Reads the newest sessions in a copy of this process while the process itself loads Textual, so that the app's first
frame shows them. Where no copy can be made, they are read as they always were: after that frame."""

from __future__ import annotations

import gc
import marshal
import os
import select
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import fields

from core.candidates import Candidate
from core.records.model import Locator

Rows = tuple[Candidate, ...]
PATIENCE = 0.25
"""Seconds that a thread of the app waits for the copy once the frame is drawn; then the sessions are read without it."""


class HeadStart:
    """What a copy of this process reads: one answer. Without a copy, none."""

    def __init__(self, source: int | None, pid: int = 0) -> None:
        """`source` is the descriptor that the copy's answer comes from, `None` where there is no copy."""
        self._source = source
        self._pid = pid
        self._lock = threading.Lock()
        self._rows: Rows | None = None

    def rows(self, seconds: float = 0.0) -> Rows | None:
        """The rows, waiting for them up to `seconds`; `None` where they did not come by then or could not be read."""
        with self._lock:
            if self._source is not None and select.select([self._source], [], [], seconds)[0]:
                self._rows = _received(self._source)
                self._end(self._source)
            return self._rows

    def close(self) -> None:
        """End the copy, if it is still there."""
        with self._lock:
            if self._source is not None:
                with suppress(OSError):
                    os.kill(self._pid, signal.SIGKILL)
                self._end(self._source)

    def _end(self, source: int) -> None:
        os.close(source)
        self._source = None
        with suppress(OSError):
            os.waitpid(self._pid, 0)


@contextmanager
def head_start(read: Callable[[], Rows]) -> Iterator[HeadStart]:
    """Have a copy of this process read, and end it at last."""
    begun = _begin(read)
    try:
        yield begun
    finally:
        begun.close()


def _begin(read: Callable[[], Rows]) -> HeadStart:
    """No copy is made where there is no second processor for it, where it is not safe (other threads, or macOS, whose own
    libraries have some), or where the system gives none."""
    if sys.platform != "linux" or threading.active_count() != 1 or len(os.sched_getaffinity(0)) < 2:
        return HeadStart(None)
    source, sink = os.pipe()
    try:
        pid = os.fork()
    except OSError:
        os.close(source)
        os.close(sink)
        return HeadStart(None)
    if pid:
        os.close(sink)
        return HeadStart(source, pid)
    try:
        _answer(read, sink)
    finally:
        os._exit(0)  # nothing of the first process is ended here: no buffer written twice, no terminal touched


def _answer(read: Callable[[], Rows], sink: int) -> None:
    """What the copy does. An error is not told: the app meets it too, and tells it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the person's ctrl+c is for the first process
    gc.disable()
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)
    answer = memoryview(packed(read()))
    while answer:
        answer = answer[os.write(sink, answer) :]


def _received(source: int) -> Rows | None:
    """The answer as it comes; `None` where the copy failed or was ended: whoever reads the sessions now says why."""
    parts = []
    while part := os.read(source, 1 << 16):
        parts.append(part)
    try:
        return unpacked(b"".join(parts))
    except (EOFError, ValueError, TypeError):
        return None


def packed(rows: Rows) -> bytes:
    """Rows as bytes for a process of the same program: `pickle` would cost 2 ms to load. Raises `ValueError` for rows that
    were found by words, whose passages are not packed."""
    if any(row.passages for row in rows):
        raise ValueError("a row that was found by words")
    return marshal.dumps([(_values(row.locator), _values(row)[1:]) for row in rows])


def unpacked(given: bytes) -> Rows:
    """The rows again. Raises `EOFError`, `ValueError` or `TypeError` where they did not come whole."""
    return tuple(Candidate(Locator(*where), *rest) for where, rest in marshal.loads(given))  # noqa: S302 - from this very program


def _values(one: Candidate | Locator) -> tuple[object, ...]:
    return tuple(getattr(one, field.name) for field in fields(one))
