"""Reads records into drafts: in the first process, and in a helper beside it. Loads no numpy: a helper does without it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import field
from itertools import chain
from typing import cast

from core.frozen import dataclass
from indexes import crew
from indexes.analyzer import Analyzer
from indexes.archive_port import Archive
from indexes.capture import Job, capture
from indexes.drafts import Draft, Drafted
from indexes.rows import Stored
from indexes.stored import stored

FIRST_BATCH = 8_000_000
"""Bytes of the first part where there is more than one batch to do, small so that the newest sessions can soon be found."""
BATCH = 256_000_000
"""Bytes of records per batch. Each batch is a segment of its own, in which every word is sorted in anew: few large ones cost
less than many."""
HANDED_CHARS, LAST_HANDED_CHARS = 1_000_000, 250_000
"""Characters of talk that a helper hands over at a time, and at the end, where nothing else is left to do: so few that the
last ones are soon learnt."""
ANSWERS = 0.02
"""Seconds from which on a helper says again what it has read."""
PART = 2_000_000
"""Bytes of records that a process takes at a time: so small that both are done at the same time."""
REST, MOST_REST = 5, 40_000_000
"""The part of the work, and its bytes at most, that is left when a segment is made of all before: made after the last
record, a quarter of a second would pass in which the helper had nothing to do."""


@dataclass(frozen=True, slots=True)
class Handed:
    """What a helper has read since it last handed something over."""

    records: tuple[Stored, ...]
    turns: Drafted
    bytes: int
    closing: bool
    """True where only the rest is left."""


@dataclass(slots=True)
class Reader:
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


def parts_of(jobs: Sequence[Job]) -> list[list[Job]]:
    """Cut the work, in its order, by the bytes to read: where it takes a while, the first part is what is to be found first."""
    whole = sum(job.cost for job in jobs)
    size = max(PART, whole // (crew.MOST_PARTS // 2))
    out: list[list[Job]] = []
    room = 0
    for job in jobs:
        if room <= 0:
            out.append([])
            room = FIRST_BATCH if len(out) == 1 and whole > BATCH else size
        out[-1].append(job)
        room -= job.cost
    return out


def serve(queue: int) -> None:
    """The side of a helper with an own interpreter."""
    opening, told, sink = crew.opened()
    archive, parts, place = cast("tuple[Archive, Sequence[Sequence[Job]], int]", opening)
    help_out(archive, parts, place, queue, told, sink)


def help_out(archive: Archive, parts: Sequence[Sequence[Job]], place: int, queue: int, told: int, sink: int) -> None:
    """Work on the queue: answer the places of the records that were read, now and then, and what was read. The first job of
    the first part stands at `place`."""
    places = {job.ordinal: place + n for n, job in enumerate(chain.from_iterable(parts))}
    reader, rest, closing = Reader(archive), rest_of(parts), False
    done: list[int] = []
    answered = time.monotonic()
    with crew.Sender(sink) as answers:

        def hand_over() -> None:
            answers.send(tuple(done))
            done.clear()
            answers.send(reader.hand_over(closing=closing))

        for number in crew.taken(queue):
            if number >= rest and not closing:
                closing = True
                hand_over()
            for job in parts[number]:
                reader.take(job)
                done.append(places[job.ordinal])
                stop = crew.is_told(told)
                if stop or reader.draft.chars >= (LAST_HANDED_CHARS if closing else HANDED_CHARS):
                    hand_over()
                if stop:
                    return
                if (now := time.monotonic()) - answered > ANSWERS:
                    answered = now
                    answers.send(tuple(done))
                    done.clear()
        hand_over()


def rest_of(parts: Sequence[Sequence[Job]]) -> int:
    """The number of the first part that is left when a segment is made of all before."""
    costs = [sum(job.cost for job in part) for part in parts]
    room = min(MOST_REST, sum(costs) // REST)
    number = len(costs)
    while number and room >= costs[number - 1]:
        number -= 1
        room -= costs[number]
    return number
