"""Works off the records to be read: here, and in a helper beside where there is enough to do (`indexes.crew`).

Either way the outcome is a stream of batches, each one some segments and the rows of the records in them. A helper hands
over the turns that it read, cut into chunks; their words are learnt here, once for both. If it dies, what it had not sent
is read here.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from indexes import crew, readers
from indexes.archive_port import Archive
from indexes.arrays import load_numpy
from indexes.capture import Job
from indexes.crew import Helper, Queue
from indexes.readers import Handed, help_out, parts_of

if TYPE_CHECKING:
    from indexes.piles import Batch, Pile

WORTH_A_HELPER = 48_000_000
"""Bytes of records from which a helper is worth it: below, sending costs as much as it saves."""
Step = Callable[[Job], bool]
"""Called after each record; returns False to stop."""


def build(archive: Archive, jobs: Sequence[Job], staging: Path, step: Step) -> Iterator[Batch]:
    """Read every record, the first ones first, and yield what is done. Stops early when `step` says so."""
    work, whole = parts_of(jobs), sum(job.cost for job in jobs)
    first, rest = (work[:1], work[1:]) if whole > readers.BATCH else ([], work)
    with _collecting_nothing():
        here = _Here(jobs, step)
        if whole >= WORTH_A_HELPER and len(rest) > 1 and (os.cpu_count() or 1) > 1:
            here.call_helper(archive, rest)
        try:
            here.make_ready(archive, staging)
            yield from here.read(first)
            yield from here.ready()
            yield from here.read(here.shares(rest))
            if here.closing:
                yield from here.ready()
                yield from here.read(here.shares(rest))
            here.wait_for_helper()
            yield from here.ready()
        finally:
            here.dismiss()
        yield from here.read([here.lost()])
        yield from here.ready()
        del here  # what was learnt is let go of before anybody looks through it for cycles


class _Here:
    """The first process's side of a build: what is asked after each record, and what the helper sends."""

    _pile: Pile

    def __init__(self, jobs: Sequence[Job], step: Step) -> None:
        self._jobs, self._step = jobs, step
        self._queue: Queue | None = None
        self._helper: Helper | None = None
        self._done: set[int] = set()
        self._going = True
        self.closing = False
        """True once only the rest is left."""

    def make_ready(self, archive: Archive, staging: Path) -> None:
        """Load what gathers and writes; the helper, which does without, reads already."""
        load_numpy()
        from indexes.piles import Pile

        self._pile = Pile(archive, staging=staging)

    def call_helper(self, archive: Archive, parts: Sequence[Sequence[Job]]) -> None:
        """Start a helper, if there can be one. The parts are the last of the work."""
        self._queue = queue = Queue(len(parts))
        place = len(self._jobs) - sum(map(len, parts))
        if crew.may_fork():
            import orjson  # noqa: F401 - both need it, and it takes 6 ms to load

            self._helper = crew.forked(queue, lambda *pipes: help_out(archive, parts, place, *pipes))
        else:
            self._helper = crew.spawned(queue, (archive, parts, place))

    def read(self, parts: Iterable[Sequence[Job]]) -> Iterator[Batch]:
        """Read the records of these parts, until `step` says to stop, and yield each batch that is full. What the helper
        has handed over meanwhile is in it."""
        pile = self._pile
        for job in chain.from_iterable(parts):
            if not self._going:
                break
            pile.take(job)
            self._done.add(job.ordinal)
            self._hear(wait=False)
            self._tell(job)
            if pile.bytes >= readers.BATCH:
                yield pile.batch()

    def ready(self) -> Iterator[Batch]:
        """Yield what is done and was not yielded, if there is anything."""
        if self._pile.records:
            yield self._pile.batch()

    def shares(self, parts: Sequence[Sequence[Job]]) -> Iterator[Sequence[Job]]:
        """The parts that this process gets: all of them without a helper, else those until only the rest is left, and, asked
        again, those of the rest."""
        if self._queue is None:
            yield from parts
            return
        closing = self.closing
        for number in crew.taken(self._queue.descriptor):
            yield parts[number]
            if self.closing and not closing:
                return

    def wait_for_helper(self) -> None:
        """Wait for what the helper has under way, and learn meanwhile what was read here."""
        if not self._going:
            self._close_queue()
        if self._helper is not None:
            self._pile.draft.learn(self._pile.analyzer)
        self._hear(wait=True)

    def lost(self) -> list[Job]:
        """What nobody finished: the helper died. Nothing where the work was stopped."""
        return [job for job in self._jobs if job.ordinal not in self._done] if self._going else []

    def dismiss(self) -> None:
        """Let the helper go; one that is not done is ended."""
        self._close_queue()
        if self._helper is not None:
            self._helper.dismiss()
            self._helper = None

    def _close_queue(self) -> None:
        if self._queue is not None:
            self._queue.close()
            self._queue = None

    def _hear(self, *, wait: bool) -> None:
        for message in self._helper.answers(wait=wait) if self._helper is not None else ():
            if isinstance(message, tuple):
                for place in message:
                    self._tell(self._jobs[place])
            elif isinstance(message, Handed):
                self._pile.absorb(message)
                self.closing |= message.closing
                self._done.update(record.ordinal for record in message.records)

    def _tell(self, job: Job) -> None:
        if self._going and not self._step(job):
            self._going = False
            if self._helper is not None:
                self._helper.stop()


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
