"""OpenCode's database: sessions, and messages with their parts (formats.md 1c, D)."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from typing import Any

from core.records.databases import rows
from core.records.lines import NotDecodable, decode, json_line
from core.records.listed import Listed

_SESSIONS = ("session", "session_v2")
_SESSION = (
    "id", "parent_id", "project_id", "directory", "title", "version", "time_created", "time_updated", "time_archived",
    "slug",
)  # fmt: skip
Tables = Mapping[str, frozenset[str]]


def listed(connection: sqlite3.Connection, known: Tables) -> Iterator[Listed]:
    """Every session, by its id. Messages and parts are weighed, so that a change of either shows."""
    weights: dict[str, tuple[int, int]] = {}
    for table in ("message", "part"):
        if not {"session_id", "data"} <= known.get(table, frozenset()):
            continue
        stamp = "max(time_updated)" if "time_updated" in known[table] else "0"
        query = f"select session_id, sum(length(cast(data as blob))), {stamp} from {table} group by session_id"  # noqa: S608
        for session, size, updated in connection.execute(query):
            before = weights.get(str(session), (0, 0))
            weights[str(session)] = before[0] + _number(size), max(before[1], _number(updated))
    found: dict[str, Listed] = {}
    for row in _session_rows(connection, known, "", ()):
        own = str(row["id"])
        size, updated = weights.get(own, (0, 0))
        updated = max(updated, _number(row["time_updated"]))
        parent = row["parent_id"]
        found[own] = Listed(own, parent if isinstance(parent, str) else "", size, updated, bool(row["time_archived"]))
    for own in sorted(found):
        yield found[own]


def rendered(connection: sqlite3.Connection, known: Tables, session: str) -> bytes:
    """One line per message of a session; the first carries what the session says of itself."""
    header = next(_session_rows(connection, known, "where id = ?", (session,)), {"id": session})
    parts = _parts(connection, known, session)
    found: list[bytes] = []
    messages = known.get("message", frozenset())
    if {"session_id", "data"} <= messages:
        order = "order by time_created, id" if "time_created" in messages else "order by id"
        wanted = ("id", "time_created", "data")
        for row in rows(connection, "message", messages, wanted, f"where session_id = ? {order}", (session,)):
            own = str(row["id"])
            line = {"id": own, "at": row["time_created"], "info": value(row["data"]), "parts": parts.pop(own, [])}
            found.append(json_line({"session": header, **line} if not found else line))
    return b"".join(found) or json_line({"session": header})


def _session_rows(
    connection: sqlite3.Connection, known: Tables, tail: str, values: tuple[object, ...]
) -> Iterator[dict[str, object]]:
    for table in _SESSIONS:
        if "id" in known.get(table, frozenset()):
            yield from rows(connection, table, known[table], _SESSION, tail, values)


def _parts(connection: sqlite3.Connection, known: Tables, session: str) -> dict[str, list[Any]]:
    columns = known.get("part", frozenset())
    found: dict[str, list[Any]] = {}
    if {"session_id", "message_id", "data"} <= columns:
        wanted = ("message_id", "data")
        for row in rows(connection, "part", columns, wanted, "where session_id = ? order by id", (session,)):
            found.setdefault(str(row["message_id"]), []).append(value(row["data"]))
    return found


def value(data: object) -> Any:
    """The JSON value of a column; a column that holds none is kept as text, so that a scan still finds it."""
    raw = data.encode("utf-8", "replace") if isinstance(data, str) else data if isinstance(data, bytes) else b""
    try:
        return decode(raw)
    except NotDecodable:
        return {"type": "unreadable", "text": raw.decode("utf-8", "replace")}


def _number(found: object) -> int:
    return int(found) if isinstance(found, int | float) and abs(found) < 1e15 else 0
