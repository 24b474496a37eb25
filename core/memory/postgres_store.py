"""The store of a memory that a team shares: PostgreSQL, the same tables and the same refusals as the embedded one.

Merges take one lock after another, so that what arrives is numbered in the order in which it becomes visible: a cursor
never passes over a claim that was being written.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, LiteralString

from core.memory.store import Connection, SqlStore, Statements
from core.memory.trouble import OwnerTrouble

SECONDS = 5
"""How long a connection may take to open."""

_LOCK: LiteralString = "SELECT pg_advisory_xact_lock(7310275161)"
_LIMIT: LiteralString = "SET LOCAL statement_timeout = '20s'"
MIGRATIONS: tuple[tuple[LiteralString, ...], ...] = (
    (
        (
            "CREATE TABLE nodes (seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id TEXT NOT NULL UNIQUE,"
            " kind TEXT NOT NULL, body TEXT NOT NULL)"
        ),
        (
            "CREATE TABLE edges (seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, source TEXT NOT NULL,"
            " target TEXT NOT NULL, relation TEXT NOT NULL, UNIQUE (source, target, relation))"
        ),
        "CREATE INDEX edges_target ON edges (target)",
        "CREATE TABLE identity (name TEXT NOT NULL)",
        (
            "CREATE FUNCTION memory_stays() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
            " RAISE EXCEPTION 'claims never change' USING ERRCODE = 'integrity_constraint_violation'; END $$"
        ),
        (
            "CREATE FUNCTION memory_node_kept() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
            " IF OLD.kind NOT IN ('queue', 'start', 'telemetry', 'probe') THEN"
            " RAISE EXCEPTION 'claims are never deleted' USING ERRCODE = 'integrity_constraint_violation'; END IF;"
            " RETURN OLD; END $$"
        ),
        (
            "CREATE FUNCTION memory_edge_kept() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
            " IF EXISTS (SELECT 1 FROM nodes WHERE id = OLD.source) THEN"
            " RAISE EXCEPTION 'edges are never deleted' USING ERRCODE = 'integrity_constraint_violation'; END IF;"
            " RETURN OLD; END $$"
        ),
        "CREATE TRIGGER nodes_stay BEFORE UPDATE OR TRUNCATE ON nodes FOR EACH STATEMENT EXECUTE FUNCTION memory_stays()",
        "CREATE TRIGGER edges_stay BEFORE UPDATE OR TRUNCATE ON edges FOR EACH STATEMENT EXECUTE FUNCTION memory_stays()",
        "CREATE TRIGGER nodes_kept BEFORE DELETE ON nodes FOR EACH ROW EXECUTE FUNCTION memory_node_kept()",
        "CREATE TRIGGER edges_kept BEFORE DELETE ON edges FOR EACH ROW EXECUTE FUNCTION memory_edge_kept()",
    ),
)
"""Ordered; each is applied once, within the transaction that needed it."""
_VERSIONS: LiteralString = "CREATE TABLE IF NOT EXISTS recollect_memory_version (version INTEGER NOT NULL)"
_VERSION: LiteralString = "SELECT coalesce(max(version), 0) FROM recollect_memory_version"
_HAS_VERSION: LiteralString = "SELECT to_regclass('recollect_memory_version')"
_SET_VERSION: LiteralString = "INSERT INTO recollect_memory_version (version) VALUES (%s)"
_NAME: LiteralString = "INSERT INTO identity (name) VALUES (%s)"

_STATEMENTS = Statements(
    insert_node="INSERT INTO nodes (id, kind, body) VALUES (%s, %s, %s) ON CONFLICT (id) DO NOTHING",
    insert_edge="INSERT INTO edges (source, target, relation) VALUES (%s, %s, %s) ON CONFLICT DO NOTHING",
    bodies="SELECT id, body FROM nodes WHERE id = ANY(%s) ORDER BY seq",
    sources="SELECT id FROM nodes WHERE id = ANY(%s)",
    node_page="SELECT seq, body FROM nodes WHERE seq > %s ORDER BY seq LIMIT %s",
    edge_page="SELECT seq, source, target, relation FROM edges WHERE seq > %s ORDER BY seq LIMIT %s",
    edges_from="SELECT source, target, relation FROM edges WHERE source = ANY(%s) ORDER BY seq",
    edges_touching="SELECT source, target, relation FROM edges WHERE source = %s OR target = %s ORDER BY seq",
    prune_nodes="DELETE FROM nodes WHERE kind = %s AND seq NOT IN"
    " (SELECT seq FROM nodes WHERE kind = %s ORDER BY seq DESC LIMIT %s)",
    prune_edges="DELETE FROM edges WHERE source NOT IN (SELECT id FROM nodes)",
    counts="SELECT (SELECT count(*) FROM nodes), (SELECT count(*) FROM edges)",
    identity="SELECT name FROM identity",
)


def postgres_store(address: str) -> SqlStore:
    """The store at a `postgresql://` address. Nothing is opened before the first call."""
    return SqlStore("postgresql", _STATEMENTS, lambda: _reading(address), lambda: _writing(address), list)


@contextmanager
def _connection(address: str, *, read_only: bool) -> Iterator[Any]:
    """One connection in one transaction; errors in words, the address without its password."""
    import psycopg  # 60 ms, for an owner that is told of a PostgreSQL store

    try:
        with psycopg.connect(address, connect_timeout=SECONDS, application_name="recollect") as db:
            db.read_only = read_only
            db.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ if read_only else None
            yield db
    except psycopg.IntegrityError as problem:
        raise OwnerTrouble(f"The memory refused it: {_said(problem)}.", refused=True) from problem
    except psycopg.Error as problem:
        hint = "Is the server running, and may this user connect?"
        raise OwnerTrouble(f"PostgreSQL does not answer as needed: {_said(problem)}.", hint) from problem


@contextmanager
def _writing(address: str) -> Iterator[Connection]:
    with _connection(address, read_only=False) as db:
        db.execute(_LIMIT)
        db.execute(_LOCK)
        _migrate(db)
        yield db


@contextmanager
def _reading(address: str) -> Iterator[Connection]:
    with _connection(address, read_only=True) as db:
        db.execute(_LIMIT)
        if db.execute(_HAS_VERSION).fetchone()[0] is None or db.execute(_VERSION).fetchone()[0] == 0:
            yield _Nothing()
            return
        _newest(db)
        yield db


def _migrate(db: Any) -> None:
    db.execute(_VERSIONS)
    version = _newest(db)
    for number, statements in enumerate(MIGRATIONS[version:], version + 1):
        for statement in statements:
            db.execute(statement)
        db.execute(_SET_VERSION, (number,))
    if version == 0:
        db.execute(_NAME, (f"mem_{secrets.token_hex(8)}",))


def _newest(db: Any) -> int:
    version = int(db.execute(_VERSION).fetchone()[0])
    if version > len(MIGRATIONS):
        raise OwnerTrouble("The memory was written by a newer version of recollect.", "Use that version for it.")
    return version


def _said(problem: Exception) -> str:
    """The first line of what the server said."""
    return str(problem).strip().split("\n", 1)[0].rstrip(".")


class _Nothing:
    """A database that holds no memory yet: every question has an empty answer, and nothing is made by asking."""

    rowcount = 0

    def execute(self, sql: Any, parameters: Any = (), /) -> _Nothing:  # noqa: ARG002
        """Answer with nothing."""
        return self

    def fetchall(self) -> list[Any]:
        """No rows."""
        return []

    def fetchone(self) -> Any:
        """Zero of everything, and no name."""
        return None
