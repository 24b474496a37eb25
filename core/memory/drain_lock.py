"""One drain at a time: a lock file that names its holder by process and boot.

The kernel gives the lock (flock) back when its holder dies, however it dies, so a dead holder is taken over without a
guess; the file's words say who holds it, for people. It stays when the lock is given back: removing it would let two
processes hold two files of one name.
"""

from __future__ import annotations

import fcntl
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core.memory.processes import this_boot

WAIT_SECONDS = 5.0
"""How long another process's drain is waited for."""
_LOOK_SECONDS = 0.01


@contextmanager
def drain_lock(file: Path, seconds: float = WAIT_SECONDS) -> Iterator[bool]:
    """Hold the lock, waiting for it up to `seconds`; yields False where another process kept it. Raises `OSError`."""
    handle = os.open(file, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        if not _taken(handle, seconds):
            yield False
            return
        os.ftruncate(handle, 0)
        os.pwrite(handle, f"{os.getpid()} {this_boot()}\n".encode(), 0)
        yield True
    finally:
        os.close(handle)


def holder(file: Path) -> str:
    """Who took the lock last, as `pid boot`; `""` where nobody did. Says nothing of whether it is held still."""
    try:
        return file.read_text(encoding="ascii", errors="replace").strip()
    except OSError:
        return ""


def _taken(handle: int, seconds: float) -> bool:
    until = time.monotonic() + seconds
    pause = threading.Event()
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= until:
                return False
            pause.wait(_LOOK_SECONDS)
        else:
            return True
