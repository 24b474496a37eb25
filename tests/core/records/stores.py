"""Made-up databases of OpenCode and Crush, and checks that hold for records that are a part of a file."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

from core.records.lines import open_record
from core.records.model import Adapter, ReadProblem, Root, Source, Turn
from tests.core.records.builders import assert_quotable, assert_talk_only

T0 = 1_772_359_200_000
"""2026-03-01T10:00:00Z in milliseconds."""


def opencode(folder: Path, mode: str = "wal") -> sqlite3.Connection:
    """An empty database of OpenCode; left open, so that what is written stays in the log."""
    folder.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(folder / "opencode.db", isolation_level=None)
    connection.execute(f"pragma journal_mode = {mode}")
    connection.execute("pragma wal_autocheckpoint = 0")
    connection.executescript(
        """
        create table session (id text primary key, project_id text, parent_id text, directory text, title text,
            version text, time_created integer, time_updated integer, time_archived integer);
        create table message (id text primary key, session_id text, time_created integer, time_updated integer, data text);
        create table part (id text primary key, message_id text, session_id text, time_created integer,
            time_updated integer, data text);
        """
    )
    return connection


def session(connection: sqlite3.Connection, own: str, parent: str | None = None, title: str = "A title") -> None:
    """Add a session."""
    values = (own, "p", parent, "/home/dev/shop", title, "1.2.0", T0, T0, None)
    connection.execute("insert into session values (?, ?, ?, ?, ?, ?, ?, ?, ?)", values)


def message(connection: sqlite3.Connection, own: str, session_id: str, info: object, *parts: object) -> None:
    """Add a message with its parts; a string is taken as it is."""
    number = int(own.rpartition("_")[2])
    data = info if isinstance(info, str) else json.dumps(info)
    connection.execute("insert into message values (?, ?, ?, ?, ?)", (own, session_id, T0 + number, T0 + number, data))
    for index, part in enumerate(parts):
        body = part if isinstance(part, str) else json.dumps(part)
        values = (f"prt_{number}_{index}", own, session_id, T0 + number, T0 + number, body)
        connection.execute("insert into part values (?, ?, ?, ?, ?, ?)", values)


def said_by(role: str, **more: Any) -> dict[str, Any]:
    """What a message of OpenCode says of itself."""
    return {"role": role, "time": {"created": T0}, **more}


def text(words: str, **more: Any) -> dict[str, Any]:
    """A text part."""
    return {"type": "text", "text": words, **more}


def crush(folder: Path) -> sqlite3.Connection:
    """An empty database of Crush."""
    folder.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(folder / "crush.db", isolation_level=None)
    connection.executescript(
        """
        create table sessions (id text primary key, parent_session_id text, title text, message_count integer,
            updated_at integer, created_at integer);
        create table messages (id text primary key, session_id text, role text, parts text, model text,
            created_at integer, updated_at integer, finished_at integer);
        """
    )
    return connection


def listed(adapter: Adapter, root: Path | str) -> list[Source]:
    """The sources of a root; there must be no problem."""
    found = list(adapter.discover(Root(adapter.runtime, str(root))))
    assert [one for one in found if isinstance(one, ReadProblem)] == []
    return [one for one in found if isinstance(one, Source)]


def checked(adapter: Adapter, source: Source) -> list[Turn]:
    """The turns of a record, after the checks that hold for every one."""
    reading = adapter.read(source)
    turns = list(reading)
    with open_record(source.path) as file:
        assert_quotable(source, turns, file.read())
    assert_talk_only(adapter, source)
    for turn in turns:
        assert turn in adapter.at(source, turn.line, turn.start)
    assert adapter.spine(source) == reading.spine
    return turns


def told(turns: list[Turn]) -> list[tuple[str, str, str]]:
    """Origin, channel and text of turns."""
    return [(turn.origin.value, turn.channel.value, turn.text) for turn in turns]


def files_of(folder: Path) -> dict[str, tuple[int, int, bytes]]:
    """Everything below a folder, to see that nothing changed."""
    return {
        str(path): (path.stat().st_size, path.stat().st_mtime_ns, path.read_bytes())
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
