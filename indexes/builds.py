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
from dataclasses import field
from itertools import chain
from pathlib import Path
from typing import cast

from core.frozen import dataclass
from indexes import crew
from indexes.analyzer import Analyzer
from indexes.archive_port import Archive
from indexes.capture import Job, capture
from indexes.crew import Helper, Queue
from indexes.drafts import Draft, Drafted
from indexes.rows import Stored
from indexes.segments import Segment, write_segment
from indexes.stored import stored

SEGMENT_CHARS = 16_000_000
"""A segment is closed when its turns reach this size, which bounds the memory of a build."""
FIRST_BATCH = 8_000_000
BATCH = 256_000_000
"""Bytes of records per batch; the first one is small so that the newest sessions can soon be found. Each batch is a segment
of its own, in which every word is sorted in anew: few large ones cost less than many."""
HANDED_CHARS = 1_000_000
"""Characters of talk that a helper hands over at a time: so few that the last ones are soon learnt."""
PART = 2_000_000
"""Bytes of records that a process takes at a time: so small that both are done at the same time."""
REST, MOST_REST = 8, 24_000_000
"""The part of the work, and its bytes at most, that the helper reads on its own at the end, while a segment is made here of
all before: made after the last record, a quarter of a second passes in which the helper has nothing to do."""
WORTH_A_HELPER = 48_000_000
"""Bytes of records from which a helper is worth it: it learns the words anew that both meet."""
Step = Callable[[Job], bool]
"""Called after each record; returns False to stop."""


@dataclass(frozen=True, slots=True)
class Batch:
    """A part of the work that is done."""

    records: tuple[Stored, ...]
    segments: tuple[Segment, ...]
    """Written to the staging folder; none if no record had a turn."""


@dataclass(frozen=True, slots=True)
class Handed:
    """What a helper has read since it last handed something over."""

    records: tuple[Stored, ...]
    turns: Drafted
    bytes: int
    closing: bool
    """True where it hands over nothing more until its end."""


@dataclass(slots=True)
class _Reader:
    """What a process has read and not handed on yet."""

    archive: Archive
    analyzer: Analyzer = field(default_factory=Analyzer)
    records: list[Stored] = field(default_factory=list)
    draft: Draft = field(default_factory=Draft)
    bytes: int = 0

    def take(self, job: Job) -> None:
        """Read one record."""
        self.records.append(stored(capture(self.archive, job, self.draft), self.analyzer))
        self.bytes += job.cost

    def hand_over(self, *, closing: bool = False) -> Handed:
        """Give away what was read."""
        handed = Handed(tuple(self.records), self.draft.drafted(), self.bytes, closing)
        self.records, self.draft, self.bytes = [], Draft(), 0
        return handed


@dataclass(slots=True)
class _Pile(_Reader):
    """The first process's own, in which what helpers read comes together: the words that all of them met are learnt
    once, and one segment is made of it."""

    staging: Path = field(kw_only=True)
    segments: list[Segment] = field(default_factory=list)

    def take(self, job: Job) -> None:
        """Read one record."""
        _Reader.take(self, job)
        self._close_full_segment()

    def absorb(self, handed: Handed) -> None:
        """Take what a helper has read, and learn its words while the helper reads on."""
        self.records += handed.records
        self.bytes += handed.bytes
        self.draft.absorb(handed.turns)
        self.draft.learn(self.analyzer)
        self._close_full_segment()

    def batch(self) -> Batch:
        """Hand on what was read."""
        if len(self.draft):
            self._close_segment()
        done = Batch(tuple(self.records), tuple(self.segments))
        self.records, self.segments, self.bytes = [], [], 0
        return done

    def _close_full_segment(self) -> None:
        if self.draft.chars >= SEGMENT_CHARS:
            self._close_segment()

    def _close_segment(self) -> None:
        self.segments.append(write_segment(self.staging, self.draft.build(self.analyzer)))
        self.draft = Draft()


def parts_of(jobs: Sequence[Job]) -> list[list[Job]]:
    """Cut the work, in its order, by the bytes to read: the first part is what is to be found first."""
    size = max(PART, sum(job.cost for job in jobs) // (crew.MOST_PARTS // 2))
    out: list[list[Job]] = []
    room = 0
    for job in jobs:
        if room <= 0:
            out.append([])
            room = FIRST_BATCH if len(out) == 1 else size
        out[-1].append(job)
        room -= job.cost
    return out


def build(archive: Archive, jobs: Sequence[Job], staging: Path, step: Step) -> Iterator[Batch]:
    """Read every record, the first ones first, and yield what is done. Stops early when `step` says so."""
    work = parts_of(jobs)
    first, rest = work[:1], work[1:]
    enough = sum(job.cost for job in jobs) >= WORTH_A_HELPER and len(rest) > 1 and (os.cpu_count() or 1) > 1
    with _collecting_nothing():
        here = _Here(_Pile(archive, staging=staging), jobs, step)
        if enough:
            here.call_helper(rest)
        try:
            yield from here.read(first)
            yield from here.ready()
            yield from here.read(here.shares(rest))
            if here.closing:
                yield from here.ready()
            here.wait_for_helper()
            yield from here.ready()
        finally:
            here.dismiss()
        yield from here.read([here.lost()])
        yield from here.ready()
        del here  # what was learnt is let go of before anybody looks through it for cycles


class _Here:
    """The first process's side of a build: what is asked after each record, and what the helper sends."""

    def __init__(self, pile: _Pile, jobs: Sequence[Job], step: Step) -> None:
        self._pile, self._jobs, self._step = pile, jobs, step
        self._queue: Queue | None = None
        self._helper: Helper | None = None
        self._done: set[int] = set()
        self._going = True
        self.closing = False
        """True once the helper reads the rest."""

    def call_helper(self, parts: Sequence[Sequence[Job]]) -> None:
        """Start a helper, if there can be one. The parts are those after the first."""
        archive = self._pile.archive
        self._queue = queue = Queue(len(parts))
        place = len(self._jobs) - sum(map(len, parts))
        if crew.may_fork():
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
            if pile.bytes >= BATCH:
                yield pile.batch()

    def ready(self) -> Iterator[Batch]:
        """Yield what is done and was not yielded, if there is anything."""
        if self._pile.records:
            yield self._pile.batch()

    def shares(self, parts: Sequence[Sequence[Job]]) -> Iterator[Sequence[Job]]:
        """The parts that this process gets: all of them without a helper, else those until the helper reads the rest."""
        if self._queue is None:
            yield from parts
            return
        for number in crew.taken(self._queue.descriptor):
            yield parts[number]
            if self.closing:
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
            if isinstance(message, int):
                self._tell(self._jobs[message])
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


def serve(queue: int) -> None:
    """The side of a helper with an own interpreter."""
    opening, told, sink = crew.opened()
    archive, parts, place = cast("tuple[Archive, Sequence[Sequence[Job]], int]", opening)
    help_out(archive, parts, place, queue, told, sink)


def help_out(archive: Archive, parts: Sequence[Sequence[Job]], place: int, queue: int, told: int, sink: int) -> None:
    """Work on the queue: answer the place of each record that was read, and what was read. The first job of the first
    part stands at `place`."""
    places = {job.ordinal: place + n for n, job in enumerate(chain.from_iterable(parts))}
    reader, rest, closing = _Reader(archive), _rest_of(parts), False
    for number in crew.taken(queue):
        if number >= rest and not closing:
            closing = True
            crew.send(sink, reader.hand_over(closing=True))
        for job in parts[number]:
            reader.take(job)
            crew.send(sink, places[job.ordinal])
            stop = crew.is_told(told)
            if stop or (reader.draft.chars >= HANDED_CHARS and not closing):
                crew.send(sink, reader.hand_over())
            if stop:
                return
    crew.send(sink, reader.hand_over())


def _rest_of(parts: Sequence[Sequence[Job]]) -> int:
    """The number of the first part that a helper reads on its own."""
    costs = [sum(job.cost for job in part) for part in parts]
    room = min(MOST_REST, sum(costs) // REST)
    number = len(costs)
    while number and room >= costs[number - 1]:
        number -= 1
        room -= costs[number]
    return number
