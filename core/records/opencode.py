"""The adapter for OpenCode's sessions: a database since 1.2, a folder of small files before (formats.md 1c, D).

A record is a part of a file, `opencode.db#ses_…` or `ses_….json#messages`; its lines count the session's messages
from 1, in the order in which they were written.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from core.records.blocks import TurnMaker, leaves, results, uid_of
from core.records.homes import roots_of
from core.records.lined import LinedAdapter, WholeParser
from core.records.lines import seconds
from core.records.listed import Listed
from core.records.model import Channel, Origin, ReadProblem, Role, Root, Source, Turn
from core.records.passes import LineParser
from core.records.recordfile import named
from core.records.talk import speaker_of, spoken

RUNTIME = "opencode"
_DATABASE = re.compile(r"opencode(?:-[\w.-]+)?\.db")
_UNNAMED = re.compile(r"(?:New|Child) session - \d{4}-")
_AGENT = re.compile(r"\(@([\w./-]{1,80}) subagent\)\s*\Z")


class OpenCodeAdapter(LinedAdapter):
    """Reads `opencode.db` and `storage/`. See `Adapter`."""

    runtime = RUNTIME
    label = "OpenCode"

    def roots(self, env: Mapping[str, str], home: str) -> tuple[Root, ...]:
        """See `core.records.homes`."""
        return roots_of(RUNTIME, env, home)

    def discover(self, root: Root) -> Iterator[Source | ReadProblem]:
        """Every session of the databases, then those that only the older files hold."""
        seen: set[str] = set()
        for path in _databases(root.path):
            for found in _in_database(path):
                if isinstance(found, ReadProblem):
                    yield found
                elif found.session_id not in seen:
                    seen.add(found.session_id)
                    yield _source(root, named(path, found.session_id), found)
        from core.records import opencode_files

        for entry in opencode_files.listed(root.path):
            if isinstance(entry, ReadProblem):
                yield entry
            elif entry[1].session_id not in seen:
                yield _source(root, named(entry[0], opencode_files.PART), entry[1])

    def parser(self, source: Source) -> LineParser:
        """A parser for one pass."""
        return OpenCodeParser(source)


def _databases(root: str) -> list[str]:
    """The databases in a root: that of the released version first."""
    try:
        names = sorted(name for name in os.listdir(root) if _DATABASE.fullmatch(name))
    except OSError:
        return []  # OpenCode is not there
    names.sort(key=lambda name: name != "opencode.db")
    return [os.path.realpath(os.path.join(root, name)) for name in names]


def _in_database(path: str) -> list[Listed | ReadProblem]:
    from core.records import opencode_rows
    from core.records.databases import database, tables

    try:
        with database(path) as connection:
            return list(opencode_rows.listed(connection, tables(connection)))
    except OSError as error:
        return [unread(path, error)]


def unread(path: str, error: OSError) -> ReadProblem:
    """A database whose sessions could not be listed."""
    return ReadProblem(
        path, None, f"The sessions of the database could not be listed: {(error.strerror or str(error)).lower()}.",
        "Check that you may read it; what lies in it is not searched until then.",
    )  # fmt: skip


def _source(root: Root, path: str, found: Listed) -> Source:
    role = Role.SUBAGENT if found.parent_id else Role.MAIN
    return Source(
        RUNTIME, root.path, path, found.session_id, found.size, found.updated_ms * 1_000_000, role, found.parent_id,
        found.archived,
    )  # fmt: skip


class OpenCodeParser(WholeParser):
    """Reads the messages of one session."""

    def turns(self, record: dict[str, Any], line: int, start: int, end: int) -> Sequence[Turn]:
        """The turns of one message."""
        session, info = record.get("session"), record.get("info")
        if isinstance(session, dict):
            self._header(session)
        self.draft.once("session_id", self.source.session_id)
        if not isinstance(info, dict):
            return ()
        times = info.get("time")
        created = times.get("created") if isinstance(times, dict) else None
        at = seconds(created if created is not None else record.get("at"))
        self.draft.see_time(at)
        make = TurnMaker(at, line, start, end, uid_of(record.get("id")))
        parts = record.get("parts")
        found = list(self._message(info, parts if isinstance(parts, list) else [], make))
        self.draft.see_turns(found)
        return found

    def _header(self, session: dict[str, Any]) -> None:
        draft = self.draft
        draft.once("session_id", session.get("id"))
        draft.see_cwd(session.get("directory"))
        draft.once("version", session.get("version"))
        draft.once("slug", session.get("slug"))
        for key in ("time_created", "time_updated"):
            draft.see_time(seconds(session.get(key)))
        parent, title = session.get("parent_id"), session.get("title")
        if isinstance(parent, str) and parent:
            draft.role = Role.SUBAGENT
            draft.once("parent_id", parent)
        if isinstance(title, str) and not _UNNAMED.match(title):
            draft.offer_title(title, "runtime")
            match = _AGENT.search(title)
            draft.once("agent", match.group(1) if match else "")

    def _message(self, info: dict[str, Any], parts: list[Any], make: TurnMaker) -> Iterator[Turn]:
        draft, place, model = self.draft, info.get("path"), info.get("model")
        if isinstance(place, dict):
            draft.see_cwd(place.get("cwd"))
        role = info.get("role")
        if role == "assistant":
            draft.once("model", info.get("modelID") or (model.get("modelID") if isinstance(model, dict) else None))
        for part in parts:
            if isinstance(part, dict):
                yield from self._part(part, role, info, make)
        error = info.get("error")
        if isinstance(error, dict):
            body = error.get("data")
            text = body.get("message") if isinstance(body, dict) else None
            if isinstance(text, str) and text.strip():
                yield make(Origin.INJECTED, Channel.NOTICE, text, "error")

    def _part(self, part: dict[str, Any], role: object, info: dict[str, Any], make: TurnMaker) -> Iterator[Turn]:
        kind, text = part.get("type"), part.get("text")
        if kind == "text" and isinstance(text, str):
            yield from self._text(part, text, role, info, make)
        elif kind == "reasoning":
            if isinstance(text, str) and text.strip():
                yield make(Origin.ASSISTANT, Channel.THINKING, text)
        elif kind == "tool":
            yield from _tool(part, make)
        elif kind == "subtask":
            yield from leaves(part.get("prompt"), Channel.CALL, Origin.ASSISTANT, "subtask", make)
        elif kind == "file":
            yield from leaves(part.get("filename"), Channel.NOTICE, Origin.INJECTED, "file", make)
        elif kind == "unreadable" and isinstance(text, str) and text.strip():
            yield make(Origin.UNKNOWN, Channel.NOTICE, text)

    def _text(
        self, part: dict[str, Any], text: str, role: object, info: dict[str, Any], make: TurnMaker
    ) -> Iterator[Turn]:
        """A text: `synthetic` ones are the runtime's; the message of a compaction is flagged as a summary."""
        if not text.strip():
            return
        if role == "assistant":
            summary = info.get("summary") is True
            origin, channel = (
                (Origin.INJECTED, Channel.SUMMARY) if summary else (Origin.ASSISTANT, Channel.TALK)
            )  # fmt: skip
            yield make(origin, channel, text)
        elif part.get("synthetic") or part.get("ignored") or role != "user":
            yield make(Origin.INJECTED, Channel.NOTICE, text)
        else:
            yield from spoken(text, speaker_of(self.draft.role), make)


def _tool(part: dict[str, Any], make: TurnMaker) -> Iterator[Turn]:
    state, name = part.get("state"), uid_of(part.get("tool"))
    if isinstance(state, dict):
        yield from leaves(state.get("input"), Channel.CALL, Origin.ASSISTANT, name, make)
        yield from results(state.get("output"), make, name)
        yield from leaves(state.get("error"), Channel.RESULT, Origin.EXTERNAL, name, make)
