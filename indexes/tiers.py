"""When segments are merged: a policy over their sizes, apart from how it is done."""

from __future__ import annotations

import math
from collections.abc import Sequence

FULL_CLASS = 6
"""Segments of one size class that are merged into one."""
_BASE = 4.0
_SMALLEST = 64
LARGEST = 24_000
"""Documents from which a segment is not merged any more. Six that are just below a fourth of it make 36,000: below 65,536, so
that document numbers take two bytes, and few enough that a merge takes no more memory than a build (six of 13,000 took
900 MB)."""


def to_merge(segments: Sequence[tuple[int, int]]) -> list[int]:
    """Places of the segments to merge next, each given as (documents, of these deleted); empty: none.

    Classes are powers of four in live documents, so that a document is copied a logarithmic number of times. A segment
    of which more than a third is deleted is rewritten by itself.
    """
    classes: dict[int, list[int]] = {}
    for place, (documents, deleted) in enumerate(segments):
        live = documents - deleted
        if deleted * 3 > documents and live:
            return [place]
        if live < LARGEST / _BASE:
            level = max(0, math.ceil(math.log(max(live, 1) / _SMALLEST, _BASE)))
            classes.setdefault(level, []).append(place)
    for level in sorted(classes):
        if len(classes[level]) >= FULL_CLASS:
            return classes[level]
    return []
