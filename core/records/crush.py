"""The adapter for Crush's sessions: a database in each project's data folder (formats.md 1c, D).

A record is a part of a file, `crush.db#<id>`; its lines count the session's messages from 1.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from core.records.blocks import TurnMaker, leaves, results, uid_of
from core.records.homes import roots_of
from core.records.lined import LinedAdapter, WholeParser
from core.records.lines import NotDecodable, decode, seconds
from core.records.listed import Listed
from core.records.model import Channel, Origin, ReadProblem, Role, Root, Source, Turn
from core.records.opencode import unread
from core.records.passes import LineParser
from core.records.recordfile import at_once, is_path, named, record_file
from core.records.talk import speaker_of, spoken

RUNTIME = "crush"
MAX_PROJECTS = 8 * 1024 * 1024


class CrushAdapter(LinedAdapter):
    """Reads the `crush.db` of every project that `projects.json` names. See `Adapter`."""

    runtime = RUNTIME
    label = "Crush"

    def roots(self, env: Mapping[str, str], home: str) -> tuple[Root, ...]:
        """See `core.records.homes`."""
        return roots_of(RUNTIME, env, home)

    def discover(self, root: Root) -> Iterator[Source | ReadProblem]:
        """Every session of every project's database. A project whose folder is gone has none."""
        for path in _databases(root.path):
            for found in _in_database(path):
                yield found if isinstance(found, ReadProblem) else _source(root, path, found)

    def parser(self, source: Source) -> LineParser:
        """A parser for one pass."""
        return CrushParser(source)


def _projects(root: str) -> list[tuple[str, str]]:
    """The projects that a root names: each one's folder and its data folder."""
    try:
        with open(os.path.join(root, "projects.json"), "rb", opener=at_once) as file:
            value = decode(file.read(MAX_PROJECTS))
    except (OSError, NotDecodable):
        return []  # Crush was never started here, or is writing the file
    found: list[tuple[str, str]] = []
    projects = value.get("projects") if isinstance(value, dict) else None
    for project in projects if isinstance(projects, list) else ():
        path, data = (project.get("path"), project.get("data_dir")) if isinstance(project, dict) else (None, None)
        if isinstance(path, str) and os.path.isabs(path):
            folder = data if isinstance(data, str) and data else ".crush"
            if is_path(place := os.path.join(path, folder)):
                found.append((path, place))
    return found


def _databases(root: str) -> list[str]:
    folders = [root, os.path.join(root, ".crush"), *(data for _, data in _projects(root))]
    paths = (os.path.realpath(os.path.join(folder, "crush.db")) for folder in folders)
    return sorted({path for path in paths if os.path.exists(path)})


def _in_database(path: str) -> list[Listed | ReadProblem]:
    from core.records import crush_rows
    from core.records.databases import database, tables

    try:
        with database(path) as connection:
            return list(crush_rows.listed(connection, tables(connection)))
    except OSError as error:
        return [unread(path, error)]


def _source(root: Root, path: str, found: Listed) -> Source:
    role = Role.SUBAGENT if found.parent_id else Role.MAIN
    stamp = found.updated_ms * 1_000_000
    return Source(
        RUNTIME, root.path, named(path, found.session_id), found.session_id, found.size, stamp, role, found.parent_id
    )


class CrushParser(WholeParser):
    """Reads the messages of one session. The project's folder is what `projects.json` says, else the database's."""

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        folder = os.path.dirname(record_file(source.path))
        own = os.path.dirname(folder) if os.path.basename(folder) == ".crush" else ""
        named_ = (path for path, data in _projects(source.root) if os.path.realpath(data) == folder)
        self.draft.see_cwd(next(named_, own))

    def turns(self, record: dict[str, Any], line: int, start: int, end: int) -> Sequence[Turn]:
        """The turns of one message."""
        session, parts = record.get("session"), record.get("parts")
        if isinstance(session, dict):
            self._header(session)
        self.draft.once("session_id", self.source.session_id)
        at = self.draft.see_stamp(record.get("created_at"))
        make = TurnMaker(at, line, start, end, uid_of(record.get("id")))
        found: list[Turn] = []
        for part in parts if isinstance(parts, list) else [parts]:
            if isinstance(part, dict):
                body = part.get("data")
                found.extend(self._part(part.get("type"), body if isinstance(body, dict) else part, record, make))
        if record.get("role") == "assistant":
            self.draft.once("model", record.get("model"))
        self.draft.see_turns(found)
        return found

    def _header(self, session: dict[str, Any]) -> None:
        draft, parent = self.draft, session.get("parent_session_id")
        draft.once("session_id", session.get("id"))
        draft.offer_title(session.get("title"), "runtime")
        for key in ("created_at", "updated_at"):
            draft.see_time(seconds(session.get(key)))
        if isinstance(parent, str) and parent:
            draft.role = Role.SUBAGENT
            draft.once("parent_id", parent)

    def _part(self, kind: object, body: dict[str, Any], record: dict[str, Any], make: TurnMaker) -> Iterator[Turn]:
        name = uid_of(body.get("name"))
        if kind == "tool_call":
            yield from leaves(body.get("input"), Channel.CALL, Origin.ASSISTANT, name, make)
        elif kind == "tool_result":
            yield from results(body.get("content"), make, name)
        elif kind == "finish":
            for key in ("message", "details"):
                yield from leaves(body.get(key), Channel.NOTICE, Origin.INJECTED, "finish", make)
        else:
            text = body.get("thinking") if kind == "reasoning" else body.get("text")
            if isinstance(text, str) and text.strip():
                yield from self._text(kind, text, record, make)

    def _text(self, kind: object, text: str, record: dict[str, Any], make: TurnMaker) -> Iterator[Turn]:
        role = record.get("role")
        if kind == "reasoning":
            yield make(Origin.ASSISTANT, Channel.THINKING, text)
        elif kind == "unreadable":
            yield make(Origin.UNKNOWN, Channel.NOTICE, text)
        elif record.get("is_summary_message"):
            yield make(Origin.INJECTED, Channel.SUMMARY, text)
        elif role == "assistant":
            yield make(Origin.ASSISTANT, Channel.TALK, text)
        elif role == "user":
            yield from spoken(text, speaker_of(self.draft.role), make)
        else:
            yield make(Origin.INJECTED, Channel.NOTICE, text)
