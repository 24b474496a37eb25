"""The segments of an index as they are, and how what was read joins them: Whoosh's list first, then the catalog."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

import numpy as np

from indexes.catalog import Catalog
from indexes.damage import IndexDamaged
from indexes.home import IndexHome
from indexes.piles import Batch
from indexes.segments import (
    Segment,
    SegmentFolder,
    SegmentView,
    merged,
    with_deleted,
    write_segment,
)
from indexes.tiers import to_merge


class Store:
    """The segments as they are now, and how a batch joins them."""

    def __init__(self, home: IndexHome, catalog: Catalog) -> None:
        self._home, self._catalog = home, catalog
        self._folder = SegmentFolder(home.segments)
        self._generation, self._segments = self._folder.read()
        if self._generation < catalog.meta().get("generation", -1):
            raise IndexDamaged("the catalog is newer than the segments")
        self._views: dict[str, SegmentView] = {}

    def commit(self, batch: Batch) -> None:
        """Make a batch searchable: its segments, without what nobody can see any more, then its rows."""
        for segment in batch.segments:
            name = segment.file_name
            os.replace(self._home.staging / name, self._home.segments / name)
        kept = self._without_dead(self._catalog.visible())
        listed = self._merge([*kept, *batch.segments])
        if listed != self._segments or batch.segments or _deletions(listed) != _deletions(self._segments):
            self._generation = max(self._generation, 0) + 1
            self._folder.commit(listed, self._generation)
            self._segments = listed
        with self._catalog.writing():
            self._catalog.put(batch.records)
            checksum = self._folder.checksum(self._generation) if self._generation > 0 else 0
            self._catalog.set_meta(generation=self._generation, checksum=checksum)
        self._folder.clean(self._segments, self._generation)

    def _without_dead(self, visible: Mapping[int, int]) -> list[Segment]:
        """The segments with every turn deleted that the catalog does not show; segments without live turns drop out."""
        if not self._segments:
            return []
        numbers = np.fromiter(visible.keys(), np.int64, len(visible))
        ends = np.fromiter(visible.values(), np.int64, len(visible))
        upto = np.zeros(int(numbers.max(initial=0)) + 2, np.int64)
        upto[numbers] = ends
        kept: list[Segment] = []
        for segment in self._segments:
            columns = self._view(segment).columns
            ordinal = np.minimum(columns["ordinal"].astype(np.int64), len(upto) - 1)
            dead = columns["start"].astype(np.int64) >= upto[ordinal]
            if int(dead.sum()) == len(segment.deleted):
                kept.append(segment)
            elif not dead.all():
                kept.append(with_deleted(segment, dead))
                self._views.pop(str(segment.segid), None)
        return kept

    def _merge(self, segments: list[Segment]) -> list[Segment]:
        """Merge segments of the same size class, smallest first, until none is full."""
        while group := to_merge([(s.documents, len(s.deleted)) for s in segments]):
            views = [self._view(segments[i]) for i in group]
            one = write_segment(self._home.segments, merged(views))
            segments = [s for i, s in enumerate(segments) if i not in group] + [one]
        return segments

    def _view(self, segment: Segment) -> SegmentView:
        key = str(segment.segid)
        if key not in self._views:
            self._views[key] = self._folder.open(segment)
        return self._views[key]


def _deletions(segments: Sequence[Segment]) -> list[int]:
    return [len(s.deleted) for s in segments]
