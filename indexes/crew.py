"""A helper process that reads records beside this one: how it is started, what is said to it, and what it answers.

Where it can be, a helper is a fork of this process (Linux, and no other thread at work): it knows everything already.
Elsewhere it is `serve` run in an own interpreter, which takes 0.2 s to know as much. Either way it takes the next part of
the work from the same queue as this process, a pipe of numbers, until none is left; what it finished it sends. When it
is told to stop, or when this process is gone, it finishes the record under way.
"""

from __future__ import annotations

import gc
import json
import os
import pickle
import select
import signal
import struct
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import pairwise
from queue import SimpleQueue
from typing import TYPE_CHECKING

from core.frozen import dataclass

if TYPE_CHECKING:
    import subprocess

_BOOT = (
    "import sys, json; sys.path[:] = json.loads(sys.argv[1]);"
    " from indexes.readers import serve; serve(int(sys.argv[2]))"
)
_LENGTH = struct.Struct("<Q")
_NUMBER = struct.Struct("<I")
MOST_PARTS = 8_000
"""Parts of a queue: their numbers fit into a pipe that nobody reads yet."""
Work = Callable[[int, int, int], None]
"""What a fork does: it is given the queue, where it is told to stop, and where it answers."""


class Queue:
    """The numbers of the parts of the work, each of which goes to the one process that takes it."""

    def __init__(self, parts: int) -> None:
        self.descriptor, entry = os.pipe()
        os.write(entry, b"".join(map(_NUMBER.pack, range(min(parts, MOST_PARTS)))))
        os.close(entry)

    def close(self) -> None:
        """Take what is left, so that nobody else gets it, and close."""
        while os.read(self.descriptor, 1 << 16):
            pass
        os.close(self.descriptor)


def taken(queue: int) -> Iterator[int]:
    """The parts that this process gets, until none is left."""
    while number := os.read(queue, _NUMBER.size):
        yield _NUMBER.unpack(number)[0]


@dataclass(frozen=True, slots=True)
class Helper:
    """A process that works on the queue."""

    source: int
    """Descriptor of its answers."""
    control: int
    """Closing it tells the helper to stop."""
    pid: int
    process: subprocess.Popen[bytes] | None
    """`None` for a fork."""

    def stop(self) -> None:
        """Tell it to finish the record under way and to send what it has."""
        with suppress(OSError):
            os.write(self.control, b"s")

    def answers(self, *, wait: bool) -> Iterator[object]:
        """What it has sent; with `wait` until it is done or dead, else what is there now."""
        while wait or select.select([self.source], [], [], 0)[0]:
            try:
                yield receive(self.source)
            except (EOFError, OSError, pickle.UnpicklingError):
                return

    def dismiss(self) -> None:
        """End it, if it has not ended, and close what led to it."""
        os.close(self.control)
        os.close(self.source)
        with suppress(OSError):
            os.kill(self.pid, signal.SIGKILL)
        if self.process is not None:
            self.process.wait()
        else:
            with suppress(OSError):
                os.waitpid(self.pid, 0)


def may_fork() -> bool:
    """Whether a fork is safe: no thread can hold a lock that the copy would wait for. Not so on macOS, whose own libraries
    have threads."""
    return sys.platform == "linux" and threading.active_count() == 1


def forked(queue: Queue, work: Work) -> Helper | None:
    """A copy of this process that does `work` and ends; `None` if the system gives no process."""
    told, control = os.pipe()
    source, sink = os.pipe()
    try:
        pid = os.fork()
    except OSError:
        for descriptor in (told, control, source, sink):
            os.close(descriptor)
        return None
    if pid:
        os.close(told)
        os.close(sink)
        return Helper(source, control, pid, None)
    code = 1
    try:
        signal.signal(
            signal.SIGINT, signal.SIG_IGN
        )  # the person's ctrl+c goes to the first process, which tells this one
        _keep_only({queue.descriptor, told, sink})
        gc.disable()
        with suppress(EOFError, BrokenPipeError):  # the first process is gone
            work(queue.descriptor, told, sink)
        code = 0
    finally:
        os._exit(code)  # nothing of the first process is ended here: no buffer written twice, no lock given back


def _keep_only(descriptors: set[int]) -> None:
    """Close every other file: the index's lock must not outlive the process that took it."""
    ends = [2, *sorted(descriptors), os.sysconf("SC_OPEN_MAX")]
    for before, after in pairwise(ends):
        os.closerange(before + 1, after)


def spawned(queue: Queue, opening: Sequence[object]) -> Helper | None:
    """An interpreter of its own that is sent `opening`; `None` if it cannot be sent, or none can be started."""
    import subprocess  # 2 ms that a fork does without

    try:
        message = pickle.dumps(opening, pickle.HIGHEST_PROTOCOL)
    except (pickle.PicklingError, TypeError, AttributeError):
        return None  # an archive that cannot be sent (a test's fake)
    if not sys.executable:
        return None
    arguments = [sys.executable, "-P", "-c", _BOOT, json.dumps(sys.path), str(queue.descriptor)]
    pipe, null = subprocess.PIPE, subprocess.DEVNULL
    try:
        process = subprocess.Popen(
            arguments, stdin=pipe, stdout=pipe, stderr=null, bufsize=0, pass_fds=(queue.descriptor,), process_group=0
        )
    except OSError:
        return None
    if process.stdin is None or process.stdout is None:
        return None
    control, source = os.dup(process.stdin.fileno()), os.dup(process.stdout.fileno())
    process.stdin.close()
    process.stdout.close()
    with suppress(OSError):  # one that died is noticed when it is read
        _write(control, message)
    return Helper(source, control, process.pid, process)


def opened() -> tuple[object, int, int]:
    """The side of a helper with an own interpreter: what it was sent, where it is told to stop, where it answers."""
    gc.disable()
    told, sink = os.dup(0), os.dup(1)
    os.dup2(2, 1)
    return receive(told), told, sink


def is_told(told: int) -> bool:
    """Whether the first process said to stop, or is gone."""
    return bool(select.select([told], [], [], 0)[0])


class Sender:
    """Writes messages to a pipe while its process goes on with its work: the other side reads when it has the time, and a
    pipe holds 64 KB."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._waiting: SimpleQueue[bytes | None] = SimpleQueue()
        self._gone = False
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._thread.start()

    def send(self, message: object) -> None:
        """Take a message. Raises `BrokenPipeError` once nobody reads any more."""
        if self._gone:
            raise BrokenPipeError
        self._waiting.put(pickle.dumps(message, pickle.HIGHEST_PROTOCOL))

    def __enter__(self) -> Sender:
        return self

    def __exit__(self, *_: object) -> None:
        """Wait until everything is written, or nobody reads."""
        self._waiting.put(None)
        self._thread.join()

    def _work(self) -> None:
        while (data := self._waiting.get()) is not None:
            try:
                _write(self._descriptor, data)
            except OSError:
                self._gone = True
                return


def _write(descriptor: int, data: bytes) -> None:
    """Write a message: its length in 8 bytes, then its pickle."""
    view = memoryview(_LENGTH.pack(len(data)) + data)
    while view:
        view = view[os.write(descriptor, view) :]


def receive(descriptor: int) -> object:
    """Read a message from a pipe; raises `EOFError` when the other side is gone."""
    return pickle.loads(_exactly(descriptor, _LENGTH.unpack(_exactly(descriptor, _LENGTH.size))[0]))  # noqa: S301


def _exactly(descriptor: int, size: int) -> bytes:
    out = bytearray()
    while len(out) < size:
        data = os.read(descriptor, min(size - len(out), 1 << 20))
        if not data:
            raise EOFError
        out += data
    return bytes(out)
