"""The segments of the turn index: written, opened, merged and listed, without loading Whoosh.

A segment is one compound file in Whoosh's form (`indexes.postings` says how its terms and postings lie in it). It is
written and fsynced before a new list (Whoosh's TOC) names it, and the list is written under a temporary name and
renamed, so that a process killed anywhere leaves the last committed list intact. Only the writing of a list needs
Whoosh itself (`indexes.whoosh_toc`); a search reads what is there without it, which saves 40 ms of every command.
"""

from __future__ import annotations

import os
import pickle
import struct
import zlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from core.frozen import dataclass
from indexes import toc
from indexes.arrays import NDArray
from indexes.damage import IndexDamaged
from indexes.drafts import COLUMNS
from indexes.gathered import Built
from indexes.postings import Floats, Ints, Postings, encode, merge
from indexes.toc import INDEX_NAME

TEXT_FIELD = "text"
TERMS_EXT = ".trm"
POSTS_EXT = ".pst"
_COLUMN_EXT = ".col"
_LENGTHS = f"_{TEXT_FIELD}_len"
"""Whoosh's name of the column of length bytes."""
_HEAD = struct.Struct("!qi")

LENGTH_OF_BYTE: Floats = np.round((1.033 ** np.arange(256.0) - 1) * 27)
"""Whoosh's quantised field length for each length byte (a test holds the two to each other)."""
LENGTH_OF_BYTE.setflags(write=False)


@dataclass(frozen=True, slots=True)
class Segment:
    """What the list of segments says of one."""

    segid: str
    documents: int
    """How many documents it holds, deleted ones included."""
    size: int
    """Bytes of its file."""
    checksum: int
    """CRC-32 of its file, so that damage is seen when it is opened."""
    terms: int
    """Terms of all its documents together, as Whoosh counts the length of a field."""
    deleted: frozenset[int] = frozenset()
    """The numbers of its deleted documents."""

    @property
    def file_name(self) -> str:
        """The name of its one file."""
        return toc.segment_file(self.segid)

    def part(self, ending: str) -> str:
        """The name of a file inside of it."""
        return f"{INDEX_NAME}_{self.segid}{ending}"

    def column(self, name: str) -> str:
        """The name of the file of a column inside of it."""
        return self.part(f".{name}{_COLUMN_EXT}")


@dataclass(frozen=True, slots=True)
class SegmentView:
    """An opened segment: its postings and per-document arrays, read in place."""

    segment: Segment
    postings: Postings
    lengths: NDArray[np.uint8]
    """Whoosh's length byte of each document."""
    columns: Mapping[str, NDArray[Any]]


class SegmentFolder:
    """The Whoosh directory."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def generation(self) -> int:
        """The number of the newest committed list, -1 if there is none."""
        return toc.newest(self.path, INDEX_NAME)

    def read(self) -> tuple[int, list[Segment]]:
        """The newest committed list with its number; an empty list numbered -1 if there is none."""
        generation = self.generation()
        if generation < 0:
            return -1, []
        return generation, [_described(one) for one in toc.read(self._list(generation))]

    def checksum(self, generation: int) -> int:
        """CRC-32 of a committed list."""
        return zlib.crc32(self._list(generation).read_bytes())

    def commit(self, segments: Sequence[Segment], generation: int) -> None:
        """Make a list of segments current under a number above the last. Their files must be there."""
        from indexes.whoosh_toc import write_list

        _fsync_folder(self.path)
        write_list(self.path, segments, generation)
        with self._list(generation).open("rb") as file:
            os.fsync(file.fileno())
        _fsync_folder(self.path)

    def clean(self, segments: Sequence[Segment], generation: int) -> None:
        """Delete what neither the list nor a build in progress needs: old lists, orphaned segments, leftovers."""
        keep = {s.file_name for s in segments} | {self._list(generation).name}
        for path in self.path.iterdir():
            if path.name not in keep and path.is_file():
                with suppress(OSError):  # another process may hold it open on Windows; the next commit tries again
                    path.unlink()

    def open(self, segment: Segment) -> SegmentView:
        """Read a segment and check it against its checksum. Its bytes are read, not mapped: a mapped file that is cut
        short would kill the process that reads it."""
        data = (self.path / segment.file_name).read_bytes()
        if len(data) != segment.size or zlib.crc32(data) != segment.checksum:
            raise IndexDamaged(f"{segment.file_name} does not match its checksum")
        view = memoryview(data)
        place, _ = _HEAD.unpack_from(view)
        directory = pickle.loads(view[place:])  # noqa: S301  # our own 0700 folder, checked above

        def part(name: str) -> memoryview:
            entry = directory[name]
            return view[entry["offset"] : entry["offset"] + entry["length"]]

        postings = Postings(part(segment.part(TERMS_EXT)), part(segment.part(POSTS_EXT)))
        columns = {
            name: np.frombuffer(part(segment.column(name)), np.dtype(code).newbyteorder(">"))
            for name, code in COLUMNS.items()
        }
        return SegmentView(segment, postings, np.frombuffer(part(segment.column(_LENGTHS)), np.uint8), columns)

    def _list(self, generation: int) -> Path:
        return self.path / toc.file_name(INDEX_NAME, generation)


def _described(state: Mapping[str, Any]) -> Segment:
    """A segment from what Whoosh's list keeps of it."""
    return Segment(
        state["segid"], state["_doccount"], state["size"], state["checksum"], state["_fieldlengths"][TEXT_FIELD],
        frozenset(state["_deleted"] or ()),
    )  # fmt: skip


def write_segment(folder: Path, built: Built) -> Segment:
    """Write the arrays as one compound file, fsynced, and return its description."""
    blank = Segment(os.urandom(8).hex(), built.documents, 0, 0, int(built.lengths.sum()))
    terms, posts = encode(built.rows, built.documents)
    parts = {blank.part(TERMS_EXT): terms, blank.part(POSTS_EXT): posts}
    parts[blank.column(_LENGTHS)] = bytes_for_lengths(built.lengths).tobytes()
    for name, code in COLUMNS.items():
        parts[blank.column(name)] = built.columns[name].astype(np.dtype(code).newbyteorder(">")).tobytes()
    data = _compound(parts)
    descriptor = os.open(folder / blank.file_name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    return replace(blank, size=len(data), checksum=zlib.crc32(data))


def merged(views: Sequence[SegmentView]) -> Built:
    """The live documents of several segments as one, in the same order."""
    parts: list[tuple[Postings, Ints]] = []
    live_of: list[NDArray[np.bool_]] = []
    base = 0
    for view in views:
        live = live_documents(view)
        parts.append((view.postings, np.where(live, base + np.cumsum(live) - 1, -1)))
        live_of.append(live)
        base += int(live.sum())
    columns = {
        name: np.concatenate([v.columns[name][live] for v, live in zip(views, live_of, strict=True)])
        for name in COLUMNS
    }
    lengths = np.concatenate([LENGTH_OF_BYTE[v.lengths[live]] for v, live in zip(views, live_of, strict=True)])
    return Built(merge(parts), lengths.astype(np.int64), columns)


def live_documents(view: SegmentView) -> NDArray[np.bool_]:
    """Which documents of a segment are not deleted."""
    live = np.ones(view.segment.documents, np.bool_)
    live[list(view.segment.deleted)] = False
    return live


def with_deleted(segment: Segment, dead: NDArray[np.bool_]) -> Segment:
    """The same segment with other deletions."""
    return replace(segment, deleted=frozenset(np.flatnonzero(dead).tolist()))


def bytes_for_lengths(lengths: NDArray[Any]) -> NDArray[np.uint8]:
    """Whoosh's length byte for each field length: the place of the first table value that is not less."""
    return np.minimum(np.searchsorted(LENGTH_OF_BYTE, lengths, "left"), 255).astype(np.uint8)


def _compound(parts: Mapping[str, bytes]) -> bytes:
    """Whoosh's compound file: position and length of the directory, the files, the pickled directory and options."""
    directory: dict[str, dict[str, int]] = {}
    place = _HEAD.size
    for name, data in parts.items():
        directory[name] = {"offset": place, "length": len(data), "modified": 0}
        place += len(data)
    tail = pickle.dumps(directory, 2) + pickle.dumps({}, 2)
    return b"".join((_HEAD.pack(place, len(tail)), *parts.values(), tail))


def _fsync_folder(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
