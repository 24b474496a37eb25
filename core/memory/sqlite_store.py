"""The embedded store: one SQLite file, opened for the length of a call, safe with several processes at once.

It keeps SQLite's rollback journal, not the write-ahead log, on purpose: a reader then opens the file `mode=ro` and leaves
no `-wal` or `-shm` behind, so reading changes not a byte of the folder. `synchronous=EXTRA` makes a commit last when power
fails, the folder's entry included. Where a writer was killed within a commit, its journal is still there and only a
writer may roll it back; a reader then reads a rolled-back copy in a temporary folder.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from urllib.parse import quote

from core.memory.local_copy import recovery
from core.memory.store import Connection, SqlStore, Statements
from core.memory.trouble import OwnerTrouble
from core.paths import COPY

BUSY_SECONDS = 4.0
"""How long a call waits for another process's commit."""
_TRIES = 5
_READONLY, _CORRUPT, _CANTOPEN, _NOTADB = 8, 11, 14, 26

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        (
            "CREATE TABLE nodes (seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL,"
            " body TEXT NOT NULL) STRICT"
        ),
        (
            "CREATE TABLE edges (seq INTEGER PRIMARY KEY AUTOINCREMENT, source TEXT NOT NULL, target TEXT NOT NULL,"
            " relation TEXT NOT NULL, UNIQUE (source, target, relation)) STRICT"
        ),
        "CREATE INDEX edges_target ON edges (target)",
        "CREATE TABLE identity (name TEXT NOT NULL) STRICT",
        "CREATE TRIGGER nodes_stay BEFORE UPDATE ON nodes BEGIN SELECT RAISE(ABORT, 'claims never change'); END",
        "CREATE TRIGGER edges_stay BEFORE UPDATE ON edges BEGIN SELECT RAISE(ABORT, 'edges never change'); END",
        (
            "CREATE TRIGGER nodes_kept BEFORE DELETE ON nodes WHEN OLD.kind NOT IN ('queue', 'start', 'telemetry', 'probe')"
            " BEGIN SELECT RAISE(ABORT, 'claims are never deleted'); END"
        ),
        (
            "CREATE TRIGGER edges_kept BEFORE DELETE ON edges WHEN EXISTS (SELECT 1 FROM nodes WHERE id = OLD.source)"
            " BEGIN SELECT RAISE(ABORT, 'edges are never deleted'); END"
        ),
        "PRAGMA user_version = 1",
    ),
)
"""Ordered; each is applied once, in the transaction that needed it, and sets the version it leads to."""

_STATEMENTS = Statements(
    insert_node="INSERT INTO nodes (id, kind, body) VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING",
    insert_edge="INSERT INTO edges (source, target, relation) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
    bodies="SELECT id, body FROM nodes WHERE id IN (SELECT value FROM json_each(?)) ORDER BY seq",
    sources="SELECT id FROM nodes WHERE id IN (SELECT value FROM json_each(?))",
    node_page="SELECT seq, body FROM nodes WHERE seq > ? ORDER BY seq LIMIT ?",
    edge_page="SELECT seq, source, target, relation FROM edges WHERE seq > ? ORDER BY seq LIMIT ?",
    edges_from="SELECT source, target, relation FROM edges WHERE source IN (SELECT value FROM json_each(?)) ORDER BY seq",
    edges_touching="SELECT source, target, relation FROM edges WHERE source = ? OR target = ? ORDER BY seq",
    prune_nodes="DELETE FROM nodes WHERE kind = ? AND seq NOT IN"
    " (SELECT seq FROM nodes WHERE kind = ? ORDER BY seq DESC LIMIT ?)",
    prune_edges="DELETE FROM edges WHERE source NOT IN (SELECT id FROM nodes)",
    counts="SELECT (SELECT count(*) FROM nodes), (SELECT count(*) FROM edges)",
    identity="SELECT name FROM identity",
)


def sqlite_store(path: Path) -> SqlStore:
    """The store in this file. Nothing is opened, and no file is made, before the first merge."""
    return SqlStore(
        "sqlite", _STATEMENTS, lambda: _translated(_reading(path), path), lambda: _translated(_writing(path), path),
        lambda ids: json.dumps(list(ids)),
    )  # fmt: skip


@contextmanager
def _writing(path: Path) -> Iterator[Connection]:
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))  # SQLite would let others read what it makes
    db = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)
    with closing(db):
        db.execute("PRAGMA synchronous = EXTRA")
        db.execute("BEGIN IMMEDIATE")
        _migrate(db, path)
        yield db
        db.execute("COMMIT")  # where anything was raised, closing takes all of it back


@contextmanager
def _reading(path: Path) -> Iterator[Connection]:
    if not path.exists():
        with _empty() as db:
            yield db
        return
    with _opened(path) as db:
        version = _version(db)
        if version > len(MIGRATIONS):
            raise _newer(path)
        if version < len(MIGRATIONS):  # it was made and nothing was committed yet
            with _empty() as nothing:
                yield nothing
            return
        yield db
        db.execute("ROLLBACK")


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    """The file, read-only, within one view; a rolled-back copy where a killed writer left its journal."""
    db = _read_only(path)
    try:
        db.execute("BEGIN")
        _version(db)
    except sqlite3.DatabaseError as problem:
        db.close()
        if (
            not isinstance(problem, sqlite3.OperationalError)
            or problem.sqlite_errorcode & 0xFF not in (_READONLY, _CANTOPEN)
            or not _journal(path).exists()
        ):
            raise
    else:
        with closing(db):
            yield db
        return
    with tempfile.TemporaryDirectory(prefix="recollect-") as folder, closing(_copied(path, Path(folder))) as copy:
        copy.execute("BEGIN")
        yield copy


def _copied(path: Path, folder: Path) -> sqlite3.Connection:
    """A copy with its journal rolled back, taken while neither file changed."""
    copy = folder / path.name
    for _ in range(_TRIES):
        before = _stamps(path)
        shutil.copyfile(path, copy)
        try:
            shutil.copyfile(_journal(path), _journal(copy))
        except FileNotFoundError:
            return _read_only(path)  # a writer rolled it back meanwhile
        if _stamps(path) == before:
            break
    db = sqlite3.connect(copy, isolation_level=None)
    _version(db)
    return db


def _stamps(path: Path) -> list[tuple[int, int]]:
    return [(i.st_size, i.st_mtime_ns) for i in (os.stat(p) for p in (path, _journal(path)) if p.exists())]


def _read_only(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(
        f"file:{quote(str(path))}?mode=ro",
        uri=True,
        timeout=BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
    )


def _journal(path: Path) -> Path:
    return path.with_name(f"{path.name}-journal")


def _version(db: sqlite3.Connection) -> int:
    return int(db.execute("PRAGMA user_version").fetchone()[0])


@contextmanager
def _empty() -> Iterator[Connection]:
    """A memory that holds nothing, for a file that is not there yet."""
    with closing(sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)) as db:
        for statements in MIGRATIONS:
            for statement in statements:
                db.execute(statement)
        yield db


def _migrate(db: sqlite3.Connection, path: Path) -> None:
    version = _version(db)
    if version > len(MIGRATIONS):
        raise _newer(path)
    for statements in MIGRATIONS[version:]:
        for statement in statements:
            db.execute(statement)
    if version == 0:
        db.execute("INSERT INTO identity (name) VALUES (?)", (f"mem_{secrets.token_hex(8)}",))


def _newer(path: Path) -> OwnerTrouble:
    return OwnerTrouble(f"{path} was written by a newer version of recollect.", "Use that version for this memory.")


@contextmanager
def _translated(opened: AbstractContextManager[Connection], path: Path) -> Iterator[Connection]:
    """Errors of the database in words."""
    try:
        with opened as db:
            yield db
    except sqlite3.IntegrityError as problem:
        raise OwnerTrouble(f"The memory refused it: {problem}.", refused=True) from problem
    except sqlite3.Error as problem:
        if "locked" in str(problem) or "busy" in str(problem):
            hint = "Another process holds it; try again."
        elif getattr(problem, "sqlite_errorcode", 0) & 0xFF in (_CORRUPT, _NOTADB):
            hint = recovery(path.with_name(COPY), path)
        else:
            hint = "Run: recollect doctor"
        raise OwnerTrouble(f"The memory file {path} cannot be used: {problem}.", hint) from problem
    except OSError as problem:
        raise OwnerTrouble(
            f"The memory file {path} cannot be read: {problem.strerror}.", "Run: recollect doctor"
        ) from problem
