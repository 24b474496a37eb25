"""Crush's database: sessions, and messages whose parts are one JSON array (formats.md 1c, D). Times are seconds."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from zlib import crc32

from core.records.databases import rows
from core.records.lines import json_line
from core.records.listed import Listed
from core.records.opencode_rows import value

_SESSION = ("id", "parent_session_id", "title", "created_at", "updated_at")
_MESSAGE = ("id", "role", "parts", "model", "provider", "created_at", "updated_at", "is_summary_message")
Tables = Mapping[str, frozenset[str]]


def listed(connection: sqlite3.Connection, known: Tables) -> Iterator[Listed]:
    """Every session, by its id. Several edits may fall into one second: the time carries a fingerprint of the newest
    message below the second (formats.md 1c)."""
    messages = known.get("messages", frozenset())
    weights: dict[str, tuple[int, float]] = {}
    if {"session_id", "parts"} <= messages:
        stamp = "max(updated_at)" if "updated_at" in messages else "0"
        query = f"select session_id, sum(length(cast(parts as blob))), {stamp} from messages group by session_id"  # noqa: S608 - no outside text
        for session, size, updated in connection.execute(query):
            weights[str(session)] = int(size or 0), _seconds(updated)
    for row in rows(connection, "sessions", known.get("sessions", frozenset()), _SESSION, "order by id"):
        own = str(row["id"])
        size, newest = weights.get(own, (0, 0.0))
        print_ = crc32(_newest(connection, messages, own)) % 1000
        updated = int(max(newest, _seconds(row["updated_at"]))) * 1000 + print_
        parent = row["parent_session_id"]
        yield Listed(own, parent if isinstance(parent, str) else "", size, updated, False)


def rendered(connection: sqlite3.Connection, known: Tables, session: str) -> bytes:
    """One line per message of a session; the first carries what the session says of itself."""
    sessions, messages = known.get("sessions", frozenset()), known.get("messages", frozenset())
    header = next(rows(connection, "sessions", sessions, _SESSION, "where id = ?", (session,)), {"id": session})
    found: list[bytes] = []
    if "session_id" in messages:
        order = "order by created_at, rowid" if "created_at" in messages else "order by rowid"
        for row in rows(connection, "messages", messages, _MESSAGE, f"where session_id = ? {order}", (session,)):
            row["parts"] = value(row["parts"])
            found.append(json_line({"session": header, **row} if not found else row))
    return b"".join(found) or json_line({"session": header})


def _newest(connection: sqlite3.Connection, messages: frozenset[str], session: str) -> bytes:
    if not {"session_id", "parts", "updated_at"} <= messages:
        return b""
    query = "select cast(parts as blob) from messages where session_id = ? order by updated_at desc, rowid desc limit 1"
    row = connection.execute(query, (session,)).fetchone()
    return bytes(row[0]) if row and row[0] else b""


def _seconds(found: object) -> float:
    """A time in seconds; later versions write milliseconds."""
    number = float(found) if isinstance(found, int | float) and 0 <= found < 1e15 else 0.0
    return number / 1000 if number > 1e11 else number
