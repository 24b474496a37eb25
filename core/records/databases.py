"""Reading another program's SQLite database without touching it: nothing is written beside it, no lock is waited for.

A plain read-only connection would create `-wal` and `-shm` files beside a database in write-ahead mode, and would fail
where they cannot be created. What is in the log is the newest work, so it has to be read too (formats.md D).
"""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from urllib.parse import quote

from core.records.recordfile import at_once

MAX_COPY = 2 * 1024**3
"""Bytes of a database that are copied where it cannot be read in place."""
ATTEMPTS = 3
_MAGIC = b"SQLite format 3\0"
_COMPANIONS = ("", "-wal", "-journal")
Stamps = tuple[tuple[int, int], ...]


class DatabaseUnreadable(OSError):
    """The file is no database, is damaged, or is held by another program. `strerror` says which."""

    def __init__(self, path: str, what: str) -> None:
        super().__init__(errno.EIO, what, path)


def stamps(path: str) -> Stamps:
    """Size and time of a database and of the logs beside it: while they are the same, it holds the same."""
    found: list[tuple[int, int]] = []
    for ending in _COMPANIONS:
        try:
            info = os.stat(path + ending)
            found.append((info.st_size, info.st_mtime_ns))
        except OSError:
            found.append((-1, 0))
    return tuple(found)


@contextmanager
def database(path: str) -> Iterator[sqlite3.Connection]:
    """A connection that reads what the database holds now. Raises `OSError`; also where a query inside fails.

    In place where that leaves no trace, else on a private copy that is removed at the end.
    """
    try:
        connection = _in_place(path)
        if connection is not None:
            with closing(connection):
                yield connection
            return
        with (
            tempfile.TemporaryDirectory(prefix="recollect-") as folder,
            closing(sqlite3.connect(_copy(path, folder), timeout=0)) as connection,
        ):
            _probe(connection)
            yield connection
    except sqlite3.Error as error:
        raise DatabaseUnreadable(path, f"the database cannot be read ({error})") from error


def _in_place(path: str) -> sqlite3.Connection | None:
    """A connection that neither writes nor waits, `None` where there is none. Raises `OSError` for what is no database."""
    with open(path, "rb", opener=at_once) as file:
        head = file.read(100)
    if not head.startswith(_MAGIC):
        raise DatabaseUnreadable(path, "the file is no SQLite database")
    uri = f"file:{quote(os.fsencode(os.path.abspath(path)))}?mode=ro"
    if _filled(path + "-wal"):
        if not os.path.exists(path + "-shm"):
            return None
        uri += "&readonly_shm=1"  # the log's index is read, not written; where it is stale SQLite makes one in memory
    elif head[18] == 2 or head[19] == 2:
        uri += "&immutable=1"  # in write-ahead mode with an empty log the file is all there is
    try:
        connection = sqlite3.connect(uri, uri=True, timeout=0)
    except sqlite3.Error:
        return None
    try:
        _probe(connection)
    except sqlite3.Error:
        connection.close()
        return None
    return connection


def _probe(connection: sqlite3.Connection) -> None:
    connection.text_factory = _text
    connection.execute("pragma query_only = 1")
    connection.execute("select count(*) from sqlite_master").fetchone()


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")


def _filled(path: str) -> bool:
    try:
        return os.stat(path).st_size > 0
    except OSError:
        return False


def _copy(path: str, folder: str) -> str:
    """Copy a database with its logs, as it was at one moment."""
    target = os.path.join(folder, "copy.db")
    for _ in range(ATTEMPTS):
        before = stamps(path)
        if sum(max(size, 0) for size, _ in before) > MAX_COPY:
            raise DatabaseUnreadable(path, "the database is held by another program and too large to copy")
        for ending in _COMPANIONS:
            try:
                shutil.copyfile(path + ending, target + ending)
            except FileNotFoundError:
                if not ending:
                    raise
                if os.path.exists(target + ending):
                    os.remove(target + ending)
        if stamps(path) == before:
            return target
    raise DatabaseUnreadable(path, "the database is being written without a pause")


def tables(connection: sqlite3.Connection) -> dict[str, frozenset[str]]:
    """The columns of every table of a database."""
    names = [str(row[0]) for row in connection.execute("select name from sqlite_master where type = 'table'")]
    found: dict[str, frozenset[str]] = {}
    for name in names:
        quoted = name.replace('"', '""')
        found[name] = frozenset(str(row[1]) for row in connection.execute(f'pragma table_info("{quoted}")'))
    return found


def rows(
    connection: sqlite3.Connection,
    table: str,
    columns: frozenset[str],
    wanted: tuple[str, ...],
    tail: str,
    values: tuple[object, ...] = (),
) -> Iterator[dict[str, object]]:
    """Rows of a table as far as it has the wanted columns; a missing column is `None`. `tail` is the rest of the query."""  # fmt: skip
    chosen = ", ".join(name if name in columns else f"null as {name}" for name in wanted)
    for row in connection.execute(f"select {chosen} from {table} {tail}", values):  # noqa: S608 - names of ours
        yield dict(zip(wanted, map(_plain, row), strict=True))


def _plain(cell: object) -> object:
    """A cell as a value of JSON: any column may hold bytes, whatever its type."""
    return _text(cell) if isinstance(cell, bytes) else cell
