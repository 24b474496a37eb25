"""The catalog: one SQLite row per record, beside the Whoosh folder. It says which turns of the index are to be seen.

Whoosh commits first and the catalog second, so the index may hold turns that the catalog does not know of (a killed
refresh). A turn is seen only if its record's number is in the catalog and its line begins before the row's `upto`;
everything else is waste that the next refresh removes.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from core.ports import Reach, Reached, Standing
from core.records.model import WRITTEN, Role, Source
from indexes.damage import IndexDamaged
from indexes.glimpses import Glimpse
from indexes.rows import (
    Resume,
    Row,
    Signature,
    Stored,
    from_json,
    key_of,
    reach_from,
    resume_from,
    source_from,
    spine_of,
    tally_of,
    to_json,
)

FILE_NAME = "catalog.sqlite"
PAGE = 16_384
"""Bytes of a page, four of SQLite's own: a first index is written in four fifths of the time."""
CHECKPOINT = 100
"""Pages from which on what was written is moved to the catalog's file, which is waited for: where a helper reads on meanwhile,
not when all of it has been read."""
MIGRATIONS = (
    """
    create table meta (key text primary key, value integer not null) without rowid;
    create table records (
        path blob primary key, runtime text not null, root blob not null, session_id text not null,
        size integer not null, mtime_ns integer not null, standing text not null,
        ordinal integer not null unique, upto integer not null,
        started real, ended real, role text not null, robot integer not null, archived integer not null,
        first_uid text not null, forked_from text not null,
        titles text not null, places text not null, finding text not null
    );
    create table details (
        ordinal integer primary key, source blob not null, spine blob not null, tally blob not null, reach blob not null
    );
    create table resumes (ordinal integer primary key, resume blob not null);
    create index records_by_age on records (ended);
    """,
    """
    create table projects (path blob primary key) without rowid;
    insert or ignore into projects select distinct cast(value as blob)
        from details, json_each(cast(details.spine as text), '$.cwds');
    """,
)
"""Each step brings the catalog to the next version, in order; a step is never changed once released."""
_FULL = (
    "select source, ordinal, upto, spine, tally, reach, finding, standing from records"
    " left join details using (ordinal)"
)
"""`details` stands apart so that a scan of all records reads a tenth of the pages."""
_AT_ONCE = 500
"""Values of one question: SQLite takes 999 everywhere."""
_ROLES = {role.value: role for role in Role}
_NEWEST = "order by coalesce(ended, started, mtime_ns / 1e9) desc, path"
_COLUMNS = (  # noqa: SIM905  # a table reads better
    "path runtime root session_id size mtime_ns standing ordinal upto started ended role robot archived first_uid "
    "forked_from titles places finding"
).split()
_PUT = f"insert or replace into records ({', '.join(_COLUMNS)}) values ({', '.join('?' * len(_COLUMNS))})"  # noqa: S608


def _connect(path: Path) -> sqlite3.Connection:
    """Open the catalog; on a disk that cannot be written, as a file that does not change."""
    if os.access(path.parent, os.W_OK):
        return sqlite3.connect(path, timeout=10, isolation_level=None)
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True, isolation_level=None)


class Catalog:
    """A connection to the catalog. Cheap to open; one per operation and thread."""

    def __init__(self, home: Path, *, write: bool = False) -> None:
        path = home / FILE_NAME
        if not write and not path.exists():
            raise FileNotFoundError(path)
        self._db = _connect(path)
        with ExitStack() as undo:
            undo.callback(self._db.close)
            self._open(write)
            undo.pop_all()

    def _open(self, write: bool) -> None:
        version = int(self._db.execute("pragma user_version").fetchone()[0])
        if version > len(MIGRATIONS) or (version < len(MIGRATIONS) and not write):
            raise IndexDamaged(f"the catalog is of version {version}, this program reads {len(MIGRATIONS)}")
        if write:
            self._db.execute(f"pragma page_size = {PAGE}")  # heard by a new file alone
            self._db.execute("pragma journal_mode = wal")
            self._db.execute("pragma synchronous = full")
            self._db.execute(f"pragma wal_autocheckpoint = {CHECKPOINT}")
            if version < len(MIGRATIONS):
                steps = "; ".join(MIGRATIONS[version:])  # written together: each commit waits for the disk
                self._db.executescript(f"begin; {steps}; pragma user_version = {len(MIGRATIONS)}; commit;")

    def close(self) -> None:
        """Close the connection."""
        self._db.close()

    def __enter__(self) -> Catalog:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Several reads as of one moment."""
        self._db.execute("begin")
        try:
            yield
        finally:
            self._db.execute("commit")

    @contextmanager
    def writing(self, *, shown: bool = True) -> Iterator[None]:
        """Several writes that take effect together; raises the version that readers compare, which is a time so
        that an index built anew never repeats one. Not if nothing changes that they show (`shown`): a reader that
        keeps what it has read goes on with it."""
        self._db.execute("begin immediate")
        with ExitStack() as undo:
            undo.callback(self._roll_back)
            yield
            if shown:
                self.set_meta(version=max(self.meta().get("version", 0) + 1, time.time_ns()))
            self._db.execute("commit")
            undo.pop_all()

    def _roll_back(self) -> None:
        """Take the writes back. SQLite has done so itself where the disk is full, and would cover that up with an error of
        its own."""
        if self._db.in_transaction:
            self._db.execute("rollback")

    def meta(self) -> dict[str, int]:
        """`version` of the content, `generation` and `checksum` of the Whoosh list it belongs to, `next_ordinal`,
        `built_at`, `scanned_ns`, and the stamp of what was `looked` at (`IndexHome.look`), 0 if that was not kept."""
        return dict(self._db.execute("select key, value from meta"))

    def set_meta(self, **values: int) -> None:
        """Set some of them."""
        self._db.executemany("insert or replace into meta (key, value) values (?, ?)", values.items())

    def check(self) -> None:
        """Raise `IndexDamaged` if a table has lost rows: a page of zeros reads as one without any."""
        counts = {
            int(self._db.execute(f"select count(*) from {table} not indexed").fetchone()[0])  # noqa: S608
            for table in ("records", "details", "resumes")
        }
        if len(counts) > 1:
            raise IndexDamaged("the tables of the catalog do not hold the same records")

    def count(self) -> int:
        """How many records there are."""
        return int(self._db.execute("select count(*) from records").fetchone()[0])

    def count_where_they_stand(self) -> int:
        """The same from the pages that hold them, not from an index beside: lost pages are seen."""
        return int(self._db.execute("select count(*) from records not indexed").fetchone()[0])

    def holds_as_they_are(self, sources: Sequence[Source]) -> bool:
        """True if these are all the records that are known to be there, none of them changed: most refreshes find so, and
        need no plan."""
        rows = self._db.execute(
            "select path, size, mtime_ns from records where standing = ?", (Standing.PRESENT.value,)
        )
        return _same(rows, sources)

    def present(self) -> dict[tuple[str, str], int]:
        """Per runtime and root: the records that are there."""
        count = "select runtime, root, count(*) from records where standing = ? group by runtime, root"
        return {(runtime, _text(root)): n for runtime, root, n in self._db.execute(count, (Standing.PRESENT.value,))}

    def holds_in(self, roots: Iterable[tuple[str, str]], sources: Sequence[Source]) -> bool:
        """True if these are all the records that are there in these roots (runtime, path), unchanged."""
        rows = (
            row
            for runtime, root in roots
            for row in self._db.execute(
                "select path, size, mtime_ns from records where standing = ? and runtime = ? and root = ?",
                (Standing.PRESENT.value, runtime, key_of(root)),
            )
        )
        return _same(rows, sources)

    def holds_dated_ghosts(self) -> bool:
        """Whether any record is the prompts of a project on a day, which named no session (core/records/ghosts.py)."""
        query = "select exists (select 1 from records where role = ? and session_id like '%@____-__-__')"
        return bool(self._db.execute(query, (Role.GHOST.value,)).fetchone()[0])

    def signatures(self, besides: Collection[tuple[str, str]] = ()) -> list[Signature]:
        """Every row in short, but for those of the roots `besides` (runtime, path)."""
        others = " and ".join("not (runtime = ? and root = ?)" for _ in besides)
        rows = self._db.execute(
            "select path, runtime, root, session_id, size, mtime_ns, standing, ordinal, upto from records"  # noqa: S608
            + (f" where {others}" if others else ""),
            [value for runtime, root in besides for value in (runtime, key_of(root))],
        )
        standings, roots = {s.value: s for s in Standing}, cache(_text)
        return [
            Signature(_text(path), runtime, roots(root), sid, size, mtime, standings[standing], ordinal, upto)
            for path, runtime, root, sid, size, mtime, standing, ordinal, upto in rows
        ]

    def counts(self) -> dict[tuple[str, str], tuple[int, int]]:
        """Per runtime and root: records, and those whose reader failed."""
        rows = self._db.execute(
            "select runtime, root, count(*), total(instr(details.reach, ?) > 0) from records"
            " left join details using (ordinal) group by runtime, root",
            (f'"{Reach.INPUT_FAILED.value}"'.encode(),),  # bytes in bytes: `like` matches none in some builds of SQLite
        )
        return {(runtime, _text(root)): (count, int(failed)) for runtime, root, count, failed in rows}

    def reached(self) -> dict[str, Reached]:
        """How far each record was captured, by its path; one whose details are lost is missing."""
        rows = self._db.execute(
            "select path, finding, instr(details.reach, ?) from records join details using (ordinal)",
            (f'"{Reach.SUCCEEDED.value}"'.encode(),),
        )
        return {_text(path): Reached(bool(some), finding) for path, finding, some in rows}

    def places(self) -> dict[str, tuple[str, str]]:
        """The path of every record, with its runtime and root."""
        roots = cache(_text)
        rows = self._db.execute("select path, runtime, root from records")
        return {_text(path): (runtime, roots(root)) for path, runtime, root in rows}

    def visible(self) -> dict[int, int]:
        """For each record's number, the byte before which its turns are seen."""
        return dict(self._db.execute("select ordinal, upto from records"))

    def short_rows(self) -> list[tuple[Any, ...]]:
        """What the ranking needs of every record, by ascending ordinal: path, ordinal, upto, started, ended, role, robot,
        archived, first uid, forked from, session id, standing, terms of the title, terms of the place."""
        return self._db.execute(
            "select path, ordinal, upto, started, ended, role, robot, archived, first_uid, forked_from, session_id,"
            " standing, titles, places from records order by ordinal"
        ).fetchall()

    def rows(self, paths: Sequence[str]) -> dict[str, Row]:
        """The whole rows at these paths."""
        found: dict[str, Row] = {}
        for path in paths:
            row = self._db.execute(f"{_FULL} where path = ?", (key_of(path),)).fetchone()
            if row is not None:
                found[path] = _row(row)
        return found

    def ages(self, paths: Sequence[str]) -> dict[str, tuple[Role, float | None]]:
        """The role and the time of the last word of the records at these paths."""
        found: dict[str, tuple[Role, float | None]] = {}
        for first in range(0, len(paths), _AT_ONCE):
            some = [key_of(path) for path in paths[first : first + _AT_ONCE]]
            which = ", ".join("?" * len(some))
            rows = self._db.execute(f"select path, role, ended from records where path in ({which})", some)  # noqa: S608
            found |= {_text(path): (_ROLES[role], ended) for path, role, ended in rows}
        return found

    def all_rows(self, limit: int | None = None, *, copies: bool = True, written: bool | None = None) -> Iterator[Row]:
        """Every row, newest first; without `copies` not those of records that repeat their parent's. `written` says
        whether only commits, tags and notes are meant, or only sessions; `None`: both."""
        which = _which(copies=copies, written=written)
        for row in self._db.execute(f"{_FULL} {which} {_NEWEST} limit ?", (-1 if limit is None else limit,)):
            yield _row(row)

    def glimpses(self) -> list[Glimpse]:
        """Every session that is no copy, newest first. The rows are put in order without what they hold."""
        which = _which(copies=False, written=False)
        order = f"select ordinal, standing from records {which} {_NEWEST}"  # noqa: S608
        details = self._db.execute("select ordinal, source, spine, tally from details")
        held = {ordinal: (source, spine, tally) for ordinal, source, spine, tally in details}
        return [Glimpse(*held[ordinal], standing) for ordinal, standing in self._db.execute(order)]

    def talks(self) -> list[tuple[str, tuple[int, int], bool]]:
        """Every session that is no copy, newest first: its path, its size and time, and whether its file is there."""
        which = _which(copies=False, written=False)
        rows = self._db.execute(f"select path, size, mtime_ns, standing from records {which} {_NEWEST}")  # noqa: S608
        return [
            (_text(path), (size, time_ns), standing == Standing.PRESENT.value) for path, size, time_ns, standing in rows
        ]

    def resumes(self, rows: Iterable[Row]) -> dict[str, Resume]:
        """Where to read these records on, by path."""
        found: dict[str, Resume] = {}
        for row in rows:
            data = self._db.execute("select resume from resumes where ordinal = ?", (row.ordinal,)).fetchone()
            if data is not None:
                found[row.source.path] = resume_from(data[0], row.spine)
        return found

    def projects(self) -> tuple[str, ...]:
        """Every working folder that a session names, by path. One that no session names any more stays: what lies in it
        is a past too."""
        return tuple(_text(path) for (path,) in self._db.execute("select path from projects order by path"))

    def remove(self, paths: Iterable[str]) -> None:
        """Forget records wholly: their turns are waste from now on."""
        self._db.executemany("delete from records where path = ?", ((key_of(path),) for path in paths))
        self._sweep()

    def put(self, records: Sequence[Stored]) -> None:
        """Write rows."""
        self._db.executemany(_PUT, (record.record for record in records))
        self._db.executemany(
            "insert or replace into resumes (ordinal, resume) values (?, ?)", ((r.ordinal, r.resume) for r in records)
        )
        self._db.executemany(
            "insert or replace into details (ordinal, source, spine, tally, reach) values (?, ?, ?, ?, ?)",
            ((record.ordinal, *record.details) for record in records),
        )
        self._db.executemany(
            "insert or ignore into projects (path) values (?)",
            ((path,) for path in dict.fromkeys(path for record in records for path in record.projects)),
        )
        self._sweep()

    def _sweep(self) -> None:
        for table in ("resumes", "details"):
            self._db.execute(f"delete from {table} where ordinal not in (select ordinal from records)")  # noqa: S608

    def set_standing(self, standing: Standing, paths: Iterable[str]) -> None:
        """Say of records whether their files are there."""
        self._db.executemany(
            "update records set standing = ? where path = ?", ((standing.value, key_of(p)) for p in paths)
        )

    def move(self, path: str, source: Source) -> None:
        """Let a record stand at another path; its turns stay as they are."""
        self._db.execute(
            "update details set source = ? where ordinal = (select ordinal from records where path = ?)",
            (to_json(source), key_of(path)),
        )
        self._db.execute(
            "update records set path = ?, root = ?, archived = ?, standing = ? where path = ?",
            (key_of(source.path), key_of(source.root), int(source.archived), Standing.PRESENT.value, key_of(path)),
        )

    def finish(self, *, scanned_ns: int, looked: int | None = None) -> None:
        """Note the end of a refresh whose scan began at `scanned_ns`, and the stamp of the look that was kept of it."""
        self.set_meta(built_at=int(time.time()), scanned_ns=scanned_ns)
        if looked is not None:
            self.set_meta(looked=looked)


def _which(*, copies: bool, written: bool | None) -> str:
    kinds = ", ".join(f"'{role.value}'" for role in sorted(WRITTEN))
    conditions = [] if copies else [f"role <> '{Role.COPY.value}'"]
    conditions += [] if written is None else [f"role {'' if written else 'not '}in ({kinds})"]
    return f"where {' and '.join(conditions)}" if conditions else ""


def _same(rows: Iterable[tuple[bytes, int, int]], sources: Sequence[Source]) -> bool:
    """True if these rows (path, size, time) are these sources."""
    known = {path: (size, mtime_ns) for path, size, mtime_ns in rows}
    return len(known) == len(sources) and all(known.get(key_of(s.path)) == (s.size, s.mtime_ns) for s in sources)


def _text(key: bytes) -> str:
    return key.decode("utf-8", "surrogatepass")


def _row(values: Sequence[Any]) -> Row:
    source, ordinal, upto, spine, tally, reach, finding, standing = values
    if source is None:
        raise IndexDamaged("the catalog has lost a part of a record")
    return Row(
        source_from(source), ordinal, upto, spine_of(from_json(spine)), tally_of(from_json(tally)),
        reach_from(reach), finding, Standing(standing),
    )  # fmt: skip
