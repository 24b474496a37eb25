"""A listing's records, kept beside its look (`core.records.looks`): where the look still holds, nothing is listed again.

Sizes and times of files are those of the look, which is asked after each time; what else is kept here changes only with a
listing, that of records which are a part of a file too: where such a file changed, everything is listed.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice

from core.records.model import Role, Source

_MAGIC = "recollect-listing-1"
_ROLES = {role.value: role for role in Role}


class NoListing(ValueError):
    """The kept bytes are no listing, or one that does not go with the look."""


Place = tuple[str, str]
"""Runtime and path of a root."""


def packed(sources: Sequence[Source], roots: Collection[Place]) -> bytes:
    """The records of these roots as bytes, with the order of all roots; `b""` where a name is none that a file system
    takes."""
    places = {(s.runtime, s.root): str(n) for n, s in enumerate(sources)}
    kept = [s for s in sources if (s.runtime, s.root) in roots]
    words = [_MAGIC, str(len(places)), *(word for place, n in places.items() for word in (*place, n)), str(len(kept))]
    for s in kept:
        place, archived = places[s.runtime, s.root], "a" if s.archived else ""
        outputs = (str(len(s.outputs)), *s.outputs)
        stamp = (str(s.size), str(s.mtime_ns))
        words += (place, s.path, s.session_id, *stamp, s.role.value, s.parent_id, archived, s.meta, *outputs)
    try:
        return b"\0".join(map(os.fsencode, words))
    except UnicodeEncodeError:
        return b""


def unpacked(data: bytes, stamps: Mapping[str, tuple[int, int]]) -> tuple[list[Place], list[Source]]:
    """The roots in their order, and the records, with sizes and times from `stamps` where they are files. Raises
    `NoListing`."""
    words = iter(os.fsdecode(data).split("\0"))
    try:
        if next(words) != _MAGIC:
            raise NoListing
        places = {}
        for _ in range(int(next(words))):
            runtime, root, number = next(words), next(words), next(words)
            places[number] = runtime, root
        return list(places.values()), [_source(words, places, stamps) for _ in range(int(next(words)))]
    except (StopIteration, ValueError, KeyError) as error:
        raise NoListing from error


def _source(words: Iterator[str], places: Mapping[str, Place], stamps: Mapping[str, tuple[int, int]]) -> Source:
    runtime, root = places[next(words)]
    path, session_id, size, written, role, parent, archived, meta, outputs = islice(words, 9)
    beside = tuple(next(words) for _ in range(int(outputs))) if outputs != "0" else ()
    stamp = stamps.get(path) or (int(size), int(written))
    return Source(runtime, root, path, session_id, *stamp, _ROLES[role], parent, bool(archived), beside, meta)
