"""Writes and opens segments of the turn index, and commits their list. The other half of the private Whoosh adapter.

A segment is one compound file. It is written and fsynced before a new TOC names it, and the TOC is written under a
temporary name and renamed, so that a process killed anywhere leaves the last committed list intact.
"""

from __future__ import annotations

import os
import pickle
import struct
import zlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.frozen import dataclass
from indexes.damage import DAMAGE, IndexDamaged
from indexes.drafts import COLUMNS, Built
from indexes.postings import Ints, Postings, encode, merge
from indexes.whoosh_codec import (
    LENGTH_OF_BYTE,
    POSTS_EXT,
    TERMS_EXT,
    TEXT_FIELD,
    ArrayCodec,
    ArraySegment,
    bytes_for_lengths,
    column_name,
    length_column,
    turn_schema,
)
from indexes.whoosh_parts import ERRORS, FileStorage, Toc

INDEX_NAME = "turns"
WHOOSH_DAMAGE: tuple[type[Exception], ...] = (*DAMAGE, *ERRORS)
"""What reading a damaged index can raise, Whoosh's own errors included."""
_HEAD = struct.Struct("!qi")


@dataclass(frozen=True, slots=True)
class SegmentView:
    """An opened segment: its postings and per-document arrays, read in place."""

    segment: ArraySegment
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
        return int(Toc._latest_generation(self._storage(), INDEX_NAME)) if self.path.is_dir() else -1

    def read(self) -> tuple[int, list[ArraySegment]]:
        """The newest committed list with its number; an empty list numbered -1 if there is none."""
        generation = self.generation()
        if generation < 0:
            return -1, []
        toc = Toc.read(self._storage(), INDEX_NAME, generation)
        if not all(isinstance(s, ArraySegment) for s in toc.segments):
            raise IndexDamaged("the index lists segments of another kind")
        return generation, list(toc.segments)

    def checksum(self, generation: int) -> int:
        """CRC-32 of a committed list."""
        return zlib.crc32((self.path / str(Toc._filename(INDEX_NAME, generation))).read_bytes())

    def commit(self, segments: Sequence[ArraySegment], generation: int) -> None:
        """Make a list of segments current under a number above the last. Their files must be there."""
        _fsync_folder(self.path)
        toc = Toc(turn_schema(), list(segments), generation)
        toc.write(self._storage(), INDEX_NAME)
        name = str(Toc._filename(INDEX_NAME, generation))
        with (self.path / name).open("rb") as file:
            os.fsync(file.fileno())
        _fsync_folder(self.path)

    def clean(self, segments: Sequence[ArraySegment], generation: int) -> None:
        """Delete what neither the list nor a build in progress needs: old lists, orphaned segments, leftovers."""
        keep = {s.file_name for s in segments} | {str(Toc._filename(INDEX_NAME, generation))}
        for path in self.path.iterdir():
            if path.name not in keep and path.is_file():
                with suppress(OSError):  # another process may hold it open on Windows; the next commit tries again
                    path.unlink()

    def open(self, segment: ArraySegment) -> SegmentView:
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

        postings = Postings(part(segment.make_filename(TERMS_EXT)), part(segment.make_filename(POSTS_EXT)))
        columns = {
            name: np.frombuffer(part(column_name(segment, name)), np.dtype(code).newbyteorder(">"))
            for name, code in COLUMNS.items()
        }
        return SegmentView(segment, postings, np.frombuffer(part(length_column(segment)), np.uint8), columns)

    def _storage(self) -> Any:
        return FileStorage(str(self.path))


def write_segment(folder: Path, built: Built) -> ArraySegment:
    """Write the arrays as one compound file, fsynced, and return the description that a TOC holds."""
    segment = ArraySegment(ArrayCodec(), INDEX_NAME)
    segment.set_doc_count(built.documents)
    segment._fieldlengths = {TEXT_FIELD: int(built.lengths.sum())}
    segment.compound = True
    terms, posts = encode(built.rows, built.documents)
    parts = {segment.make_filename(TERMS_EXT): terms, segment.make_filename(POSTS_EXT): posts}
    parts[length_column(segment)] = bytes_for_lengths(built.lengths).tobytes()
    for name, code in COLUMNS.items():
        parts[column_name(segment, name)] = built.columns[name].astype(np.dtype(code).newbyteorder(">")).tobytes()
    data = _compound(parts)
    segment.checksum, segment.size = zlib.crc32(data), len(data)
    descriptor = os.open(folder / segment.file_name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    return segment


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


def with_deleted(segment: ArraySegment, dead: NDArray[np.bool_]) -> ArraySegment:
    """The same segment with other deletions."""
    copy = ArraySegment(segment.codec(), INDEX_NAME, segment.documents, segment.segid)
    copy.__dict__.update({k: v for k, v in vars(segment).items() if k != "_deleted"})
    copy._deleted = set(np.flatnonzero(dead).tolist()) or None
    return copy


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
