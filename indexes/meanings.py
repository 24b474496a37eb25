"""The vectors of what records mean: a flat file of rows, and a small catalog that says whose they are.

A row is a place in a record and its vector in eight-bit integers; a search reads all rows once and takes each record's
best. Rows are appended before the catalog names them, so a killed writer leaves rows that nobody counts. Everything can
be deleted and is made again; nothing of a record's text is stored.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from core.frozen import dataclass
from core.ports import Entry
from indexes.encoder import DIMENSIONS
from indexes.home import MEANINGS
from indexes.meaning_texts import MeaningText

ROW = np.dtype(
    [("line", "<u4"), ("start", "<u8"), ("digest", "<u8"), ("scale", "<f4"), ("vector", "i1", (DIMENSIONS,))]
)
CHUNK = 8192
"""Rows that are compared at a time, so that memory stays small."""


@dataclass(frozen=True, slots=True)
class Meant:
    """How near a record's meaning comes to a cue's, and at which turn."""

    likeness: float
    """Cosine of its nearest text, -1 to 1."""
    line: int
    start: int
    opening: float = 0.0
    """Cosine of the nearer of its first two texts: what it set out to do."""
    texts: int = 1
    """How many texts were compared: the nearest of many is nearer by chance."""


class Meanings:
    """The vectors below one folder, made by the encoder of one name."""

    def __init__(self, folder: Path, encoder: str) -> None:
        self._rows_file, self._catalog_file = (folder / name for name in MEANINGS)
        self._encoder = encoder

    def exists(self) -> bool:
        """Whether anything was read yet."""
        return self._catalog_file.exists() and self._rows_file.exists()

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(self._catalog_file, timeout=5, isolation_level=None)) as db:
            db.execute("pragma journal_mode=wal")
            db.execute("create table if not exists meta (key text primary key, value text)")
            db.execute(
                "create table if not exists records (path blob primary key, size integer, mtime_ns integer, spans blob)"
            )
            known = db.execute("select value from meta where key = 'encoder'").fetchone()
            if known is None or known[0] != self._encoder:
                db.execute("delete from records")
                db.execute("insert or replace into meta values ('encoder', ?)", (self._encoder,))
            yield db

    def known(self) -> dict[str, tuple[int, int]]:
        """Size and time of each record as it was when its vectors were made."""
        if not self._catalog_file.exists():
            return {}
        with self._open() as db:
            rows = db.execute("select path, size, mtime_ns from records").fetchall()
        return {os.fsdecode(path): (size, mtime) for path, size, mtime in rows}

    def kept(self, path: str) -> dict[tuple[int, int, int], Any]:
        """A record's rows by `(line, start, digest)`, to be taken over where the text is the same."""
        if not self._catalog_file.exists():
            return {}
        with self._open() as db:
            found = db.execute("select spans from records where path = ?", (os.fsencode(path),)).fetchone()
        if found is None:
            return {}
        rows = self._read(np.frombuffer(found[0], "<u4"))
        return {(int(r["line"]), int(r["start"]), int(r["digest"])): r for r in rows}

    def put(
        self,
        entry: Entry,
        texts: Sequence[MeaningText],
        vectors: Mapping[int, Any],
        kept: Mapping[tuple[int, int, int], Any],
    ) -> None:
        """Write a record's rows: `vectors[n]` for `texts[n]`, the others from `kept`."""
        rows = np.zeros(len(texts), ROW)
        for number, text in enumerate(texts):
            key = (text.line, text.start, text.digest)
            if number in vectors:
                rows[number] = _row(text, vectors[number])
            else:
                rows[number] = kept[key]
        first = self._append(rows)
        spans = np.array([first, len(rows)], "<u4").tobytes()
        source = entry.source
        with self._open() as db:
            db.execute(
                "insert or replace into records (path, size, mtime_ns, spans) values (?, ?, ?, ?)",
                (os.fsencode(source.path), source.size, source.mtime_ns, spans),
            )

    def _append(self, rows: Any) -> int:
        descriptor = os.open(self._rows_file, os.O_RDWR | os.O_CREAT, 0o600)
        with os.fdopen(descriptor, "r+b") as file:
            whole = os.fstat(descriptor).st_size // ROW.itemsize
            file.seek(whole * ROW.itemsize)
            file.write(rows.tobytes())
            file.flush()
            os.fsync(descriptor)
        return int(whole)

    def _read(self, spans: Any) -> Any:
        first, count = int(spans[0]), int(spans[1])
        with self._rows_file.open("rb") as file:
            file.seek(first * ROW.itemsize)
            return np.frombuffer(file.read(count * ROW.itemsize), ROW)

    def nearest(self, vector: Any) -> dict[str, Meant]:
        """The best row of every record. A catalog and rows that do not fit each other yield what does fit."""
        if not self.exists():
            return {}
        with self._open() as db:
            records = db.execute("select path, spans from records").fetchall()
        if not records:
            return {}
        rows = np.fromfile(self._rows_file, ROW)
        likeness = np.empty(len(rows), np.float32)
        for first in range(0, len(rows), CHUNK):
            part = rows[first : first + CHUNK]
            likeness[first : first + CHUNK] = (part["vector"].astype(np.float32) @ vector) * part["scale"]
        found: dict[str, Meant] = {}
        for path, spans in records:
            first, count = np.frombuffer(spans, "<u4").tolist()
            if count and first + count <= len(rows):
                own = likeness[first : first + count]
                row, best = rows[first + int(np.argmax(own))], float(own.max())
                found[os.fsdecode(path)] = Meant(
                    best, int(row["line"]), int(row["start"]), float(own[:2].max()), int(count)
                )
        return found

    def forget(self, paths: Sequence[str]) -> None:
        """Leave out records; their rows stay until the next tidying."""
        if not paths or not self._catalog_file.exists():
            return
        with self._open() as db:
            db.executemany("delete from records where path = ?", [(os.fsencode(p),) for p in paths])

    def tidy(self) -> None:
        """Write the rows anew without those that nobody counts, once they are the greater part."""
        if not self._rows_file.exists() or not self._catalog_file.exists():
            return
        with self._open() as db:
            records = db.execute("select path, spans from records").fetchall()
            spans = {path: np.frombuffer(s, "<u4").tolist() for path, s in records}
            total = self._rows_file.stat().st_size // ROW.itemsize
            counted = sum(count for _, count in spans.values())
            if total < 2 * counted + 1000:
                return
            rows = np.fromfile(self._rows_file, ROW)
            fresh = self._rows_file.with_suffix(".new")
            first = 0
            moved = []
            with fresh.open("wb") as file:
                for path, (old, count) in spans.items():
                    file.write(rows[old : old + count].tobytes())
                    moved.append((np.array([first, count], "<u4").tobytes(), path))
                    first += count
            db.execute("begin immediate")
            db.executemany("update records set spans = ? where path = ?", moved)
            fresh.replace(self._rows_file)
            db.execute("commit")


def _row(text: MeaningText, vector: Any) -> Any:
    """One row: the vector in eight bits with its scale."""
    scale = float(np.abs(vector).max()) / 127 or 1.0
    row = np.zeros((), ROW)
    row["line"], row["start"], row["digest"], row["scale"] = text.line, text.start, text.digest, scale
    row["vector"] = np.round(vector / scale).astype(np.int8)
    return row
