"""OpenCode's older store: a file per session, per message and per part (formats.md 1c)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from core.records.lines import NotDecodable, decode, json_line
from core.records.listed import Listed
from core.records.model import ReadProblem
from core.records.recordfile import at_once
from core.records.walk import Walk

MAX_FILE = 32 * 1024 * 1024
PART = "messages"
"""The part of a session's file that stands for its messages, which are files of their own."""


def listed(root: str) -> Iterator[tuple[str, Listed] | ReadProblem]:
    """Every session's file below `storage/session`, with its size and time; messages count, their parts do not."""
    storage = os.path.join(root, "storage")
    for found in Walk(os.path.join(storage, "session"), _is_session):
        if isinstance(found, ReadProblem):
            yield found
            continue
        size, newest = found.size, found.mtime_ns
        own = found.name.removesuffix(".json")
        for entry in _entries(os.path.join(_storage(found.path), "message", own)):
            try:
                info = entry.stat()
            except OSError:
                continue  # deleted since it was listed
            size, newest = size + info.st_size, max(newest, info.st_mtime_ns)
        session = _json(found.path)
        parent = session.get("parentID") if isinstance(session, dict) else None
        yield found.path, Listed(own, parent if isinstance(parent, str) else "", size, newest // 1_000_000, False)


def rendered(file: str) -> bytes:
    """One line per message of a session. Raises `OSError` where the session's file cannot be read."""
    with open(file, "rb", opener=at_once) as body:
        raw = body.read(MAX_FILE)
    own = os.path.basename(file).removesuffix(".json")
    storage = _storage(file)
    try:
        session = decode(raw)
    except NotDecodable:
        session = None
    header = _header(session if isinstance(session, dict) else {}, own)
    messages: list[tuple[float, str, dict[str, Any]]] = []
    for entry in _entries(os.path.join(storage, "message", own)):
        info = _json(entry.path)
        if isinstance(info, dict):
            times = info.get("time")
            created = times.get("created") if isinstance(times, dict) else None
            key = entry.name.removesuffix(".json")
            messages.append((created if isinstance(created, int | float) else 0.0, key, info))
    found: list[bytes] = []
    for created, key, info in sorted(messages, key=lambda one: one[:2]):
        parts = [_json(entry.path) for entry in _entries(os.path.join(storage, "part", key))]
        line = {"id": key, "at": created, "info": info, "parts": [part for part in parts if isinstance(part, dict)]}
        found.append(json_line({"session": header, **line} if not found else line))
    return b"".join(found) or json_line({"session": header})


def _header(session: dict[str, Any], own: str) -> dict[str, object]:
    """A session's file under the names of the database's columns."""
    times = session.get("time")
    times = times if isinstance(times, dict) else {}
    return {
        "id": own, "parent_id": session.get("parentID"), "directory": session.get("directory"),
        "title": session.get("title"), "slug": session.get("slug"), "version": session.get("version"),
        "time_created": times.get("created"), "time_updated": times.get("updated"),
    }  # fmt: skip


def _storage(file: str) -> str:
    """The `storage` folder that a session's file lies in: `storage/session/<project>/<id>.json`."""
    folder = os.path.dirname(file)
    while os.path.basename(folder) not in ("session", ""):
        folder = os.path.dirname(folder)
    return os.path.dirname(folder)


def _entries(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as listing:
            return sorted((entry for entry in listing if entry.name.endswith(".json")), key=lambda entry: entry.name)
    except OSError:
        return []  # a session without messages, a message without parts


def _json(path: str) -> Any:
    try:
        with open(path, "rb", opener=at_once) as file:
            return decode(file.read(MAX_FILE))
    except (OSError, NotDecodable):
        return None  # being written, or damaged: the files around it are read


def _is_session(name: str) -> bool:
    return name.startswith("ses_") and name.endswith(".json")
