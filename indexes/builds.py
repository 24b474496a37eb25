"""Works off the records to be read: here, or in helper processes when there is enough to do.

Either way the outcome is a stream of batches, each one segment and the rows of the records in it. A helper is this
module run in an own interpreter with the caller's import path and a pipe in and out: no fork of a threaded program, no
import of its `__main__`. If a helper dies, its records are read here.
"""

from __future__ import annotations

import gc
import json
import os
import pickle
import select
import struct
import subprocess
import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import field
from pathlib import Path
from typing import cast

from core.frozen import dataclass
from indexes.analyzer import Analyzer
from indexes.archive_port import Archive
from indexes.capture import Job, capture
from indexes.drafts import Draft
from indexes.rows import Stored
from indexes.segments import Segment, write_segment
from indexes.stored import stored

SEGMENT_CHARS = 16_000_000
"""A segment is closed when its turns reach this size, which bounds the memory of a build."""
FIRST_BATCH = 8_000_000
BATCH = 192_000_000
"""Bytes of records per batch; the first one is small so that the newest sessions can soon be found. Each batch is a segment
of its own, in which every word is sorted in anew: few large ones cost less than many."""
WORTH_HELPERS = 256_000_000
"""Bytes of records from which helpers are worth it: each costs 0.3 s of CPU to start and learns its words anew, and
two threads of one core are hardly faster than one (measured: 200 MB took 4.8 s with two helpers and 5.2 s without,
for 7.9 s and 5.2 s of CPU)."""
_BOOT = (
    "import sys, json; sys.path[:] = json.loads(sys.argv[1]); from indexes.arrays import load_numpy; load_numpy();"
    " from indexes.builds import serve; serve()"
)
_LENGTH = struct.Struct("<Q")
Step = Callable[[Job], bool]
"""Called after each record; returns False to stop."""


@dataclass(frozen=True, slots=True)
class Batch:
    """A part of the work that is done."""

    records: tuple[Stored, ...]
    segments: tuple[Segment, ...]
    """Written to the staging folder; none if no record had a turn."""


@dataclass(slots=True)
class _Helper:
    process: subprocess.Popen[bytes]
    left: list[Job] = field(default_factory=list)

    def send(self, message: object) -> None:
        if self.process.stdin is not None:
            send(self.process.stdin.fileno(), message)


def send(descriptor: int, message: object) -> None:
    """Write a message to a pipe: its length in 8 bytes, then its pickle."""
    data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
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


def batches(jobs: Sequence[Job]) -> list[list[Job]]:
    """Cut the work, in its order, into batches by the bytes to read."""
    out: list[list[Job]] = []
    room = 0
    for job in jobs:
        if room <= 0:
            out.append([])
            room = FIRST_BATCH if len(out) == 1 else BATCH
        out[-1].append(job)
        room -= job.cost
    return out


def build_here(archive: Archive, jobs: Sequence[Job], staging: Path, step: Step, analyzer: Analyzer) -> Batch:
    """Read the records of one batch in this process, until `step` says to stop."""
    records: list[Stored] = []
    segments: list[Segment] = []
    draft = Draft()
    for job in jobs:
        records.append(stored(capture(archive, job, draft), analyzer))
        if draft.chars >= SEGMENT_CHARS:
            segments.append(write_segment(staging, draft.build(analyzer)))
            draft = Draft()
        if not step(job):
            break
    if len(draft):
        segments.append(write_segment(staging, draft.build(analyzer)))
    return Batch(tuple(records), tuple(segments))


def build(archive: Archive, jobs: Sequence[Job], staging: Path, step: Step) -> Iterator[Batch]:
    """Read every record, the first ones first, and yield what is done. Stops early when `step` says so."""
    going = True

    def watched(job: Job) -> bool:
        nonlocal going
        going = step(job) and going
        return going

    work = batches(jobs)
    if sum(job.cost for job in jobs) >= WORTH_HELPERS and len(work) > 1 and (os.cpu_count() or 1) > 1:
        crew = _crew(archive, staging, min(2, os.cpu_count() or 1))
        if crew:
            left = yield from _with_helpers(crew, work, watched)
            work = [left] if left else []
    analyzer = Analyzer()
    for part in work:
        if not going:
            return
        with _collecting_nothing():
            batch = build_here(archive, part, staging, watched, analyzer)
        yield batch


@contextmanager
def _collecting_nothing() -> Iterator[None]:
    """No cyclic garbage collection: a build keeps nearly all it makes until it is written, so that looking for garbage
    finds none and costs a tenth of the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _crew(archive: Archive, staging: Path, size: int) -> list[_Helper]:
    """Start helpers; none if they cannot be started."""
    opening = (archive, str(staging))
    try:
        pickle.dumps(opening)
    except (pickle.PicklingError, TypeError, AttributeError):
        return []  # an archive that cannot be sent (a test's fake) is read here
    helpers: list[_Helper] = []
    with suppress(OSError):  # no interpreter to start, no processes left: those that started do the work
        for _ in range(size if sys.executable else 0):
            arguments = [sys.executable, "-P", "-c", _BOOT, json.dumps(sys.path)]
            pipe, null = subprocess.PIPE, subprocess.DEVNULL
            helpers.append(_Helper(subprocess.Popen(arguments, stdin=pipe, stdout=pipe, stderr=null, bufsize=0)))
            helpers[-1].send(opening)
    return helpers


def _with_helpers(crew: list[_Helper], work: list[list[Job]], step: Step) -> Generator[Batch, None, list[Job]]:
    """Hand out batches; returns the jobs that no helper finished."""
    waiting = list(work)
    lost: list[Job] = []
    stopped = False
    try:
        for helper in crew:
            _hand_out(helper, waiting)
        while any(h.left for h in crew):
            for helper in _ready([h for h in crew if h.left]):
                message = _receive(helper)
                if message is None:  # it died
                    lost += helper.left
                    helper.left = []
                elif isinstance(message, Batch):
                    helper.left = []
                    yield message
                    if not stopped:
                        _hand_out(helper, waiting)
                elif not step(helper.left[message]) and not stopped:
                    stopped = True
                    for other in crew:
                        with suppress(OSError):  # one that died is noticed when it is read
                            other.send(None)
    finally:
        for helper in crew:
            _dismiss(helper)
    return [] if stopped else lost + [job for part in waiting for job in part]


def _hand_out(helper: _Helper, waiting: list[list[Job]]) -> None:
    if waiting:
        helper.left = waiting.pop(0)
        with suppress(OSError):  # one that died is noticed when it is read
            helper.send(helper.left)


def _ready(helpers: list[_Helper]) -> list[_Helper]:
    by_pipe = {h.process.stdout: h for h in helpers if h.process.stdout is not None}
    ready, _, _ = select.select(list(by_pipe), [], [])
    return [by_pipe[pipe] for pipe in ready]


def _receive(helper: _Helper) -> Batch | int | None:
    """A finished batch, the place of a finished record in the batch under way, or `None` from a dead helper."""
    if helper.process.stdout is None:
        return None
    try:
        message = receive(helper.process.stdout.fileno())
    except (EOFError, OSError, pickle.UnpicklingError):
        return None
    return message if isinstance(message, Batch | int) else None


def _dismiss(helper: _Helper) -> None:
    with suppress(OSError):
        if helper.process.stdin is not None:
            helper.process.stdin.close()
    if helper.left:
        helper.process.kill()
    helper.process.wait()
    if helper.process.stdout is not None:
        helper.process.stdout.close()


def serve() -> None:
    """The helper's side: read batches from standard input and answer on standard output until it is closed."""
    gc.disable()
    source, sink = os.dup(0), os.dup(1)
    os.dup2(2, 1)
    with suppress(EOFError, BrokenPipeError):  # the parent is done, or gone
        archive, staging = cast("tuple[Archive, str]", receive(source))
        analyzer = Analyzer()
        while (jobs := cast("list[Job] | None", receive(source))) is not None:
            _answer(archive, jobs, Path(staging), analyzer, source, sink)


def _answer(archive: Archive, jobs: list[Job], staging: Path, analyzer: Analyzer, source: int, sink: int) -> None:
    place = 0

    def step(_: Job) -> bool:
        nonlocal place
        send(sink, place)
        place += 1
        return not select.select([source], [], [], 0)[0]  # anything to read now means: stop

    send(sink, build_here(archive, jobs, staging, step, analyzer))
