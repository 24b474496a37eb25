"""Writes Whoosh's list of segments (its TOC), which makes a refresh's work current. With `whoosh_codec` and `whoosh_parts`
the private Whoosh adapter."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from indexes.damage import DAMAGE
from indexes.segments import TEXT_FIELD, Segment
from indexes.toc import INDEX_NAME
from indexes.whoosh_codec import ArrayCodec, ArraySegment, turn_schema
from indexes.whoosh_parts import ERRORS, FileStorage, Toc

WHOOSH_DAMAGE: tuple[type[Exception], ...] = (*DAMAGE, *ERRORS)
"""What a refresh of a damaged index can raise, Whoosh's own errors included."""


def write_list(folder: Path, segments: Sequence[Segment], generation: int) -> None:
    """Write the list under a temporary name and rename it."""
    toc = Toc(turn_schema(), [described(one) for one in segments], generation)
    toc.write(FileStorage(str(folder)), INDEX_NAME)


def described(segment: Segment) -> ArraySegment:
    """Whoosh's description of a segment."""
    made = ArraySegment(ArrayCodec(), INDEX_NAME, segment.documents, segment.segid, set(segment.deleted) or None)
    made._fieldlengths = {TEXT_FIELD: segment.terms}
    made.compound = True
    made.checksum, made.size = segment.checksum, segment.size
    return made
