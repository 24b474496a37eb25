"""Gathers what was read, here and by a helper, and writes it as segments."""

from __future__ import annotations

from dataclasses import field
from pathlib import Path

from core.frozen import dataclass
from indexes.capture import Job
from indexes.gathered import Gathered
from indexes.readers import Handed, Reader
from indexes.rows import Stored
from indexes.segments import Segment, write_segment

SEGMENT_CHARS = 16_000_000
"""A segment is closed when its turns reach this size, which bounds the memory of a build."""


@dataclass(frozen=True, slots=True)
class Batch:
    """A part of the work that is done."""

    records: tuple[Stored, ...]
    segments: tuple[Segment, ...]
    """Written to the staging folder; none if no record had a turn."""


@dataclass(slots=True)
class Pile(Reader):
    """The first process's own, in which what helpers read comes together: the words that all of them met are learnt
    once, and one segment is made of it."""

    draft: Gathered = field(default_factory=Gathered)
    staging: Path = field(kw_only=True)
    segments: list[Segment] = field(default_factory=list)

    def take(self, job: Job) -> None:
        """Read one record."""
        Reader.take(self, job)
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
        self.draft = Gathered()
