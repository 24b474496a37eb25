"""The adapter for Cursor CLI's sessions (formats.md 1c, D): agent transcripts as lines, names and times in a database
beside them. Lines have neither times nor ids."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from core.records.blocks import TurnMaker
from core.records.homes import roots_of
from core.records.lined import LinedAdapter
from core.records.lines import NotDecodable, decode, seconds
from core.records.model import ReadProblem, Role, Root, Source, Spine, Turn
from core.records.passes import LineParser
from core.records.talk import message_turns, speaker_of
from core.records.walk import Found, Walk

RUNTIME = "cursor"
FILLER = "[REDACTED]"
"""What a transcript holds in place of reasoning that is not stored."""
MAX_FOLDERS = 400
"""Folders that are compared at most while the name of a project is looked up."""
_STORE = "store.db"


class CursorAdapter(LinedAdapter):
    """Reads `projects/<folder>/agent-transcripts/<id>/<id>.jsonl`. See `Adapter`."""

    runtime = RUNTIME
    label = "Cursor CLI"

    def roots(self, env: Mapping[str, str], home: str) -> tuple[Root, ...]:
        """See `core.records.homes`."""
        return roots_of(RUNTIME, env, home)

    def discover(self, root: Root) -> Iterator[Source | ReadProblem]:
        """Every transcript below a root, with the database of its chat."""
        stores: dict[str, str] = {}
        for found in Walk(os.path.join(root.path, "chats"), _is_store, _enter_chat):
            if isinstance(found, ReadProblem):
                yield found
            elif len(found.parts) == 2:
                stores[found.parts[1]] = found.path
        for found in Walk(os.path.join(root.path, "projects"), _is_transcript, _enter_project):
            if isinstance(found, ReadProblem):
                yield found
            elif "agent-transcripts" in found.parts:
                yield _source(root, found, stores)

    def parser(self, source: Source) -> LineParser:
        """A parser for one pass."""
        return CursorParser(source)


class CursorParser(LineParser):
    """Reads the messages of one transcript."""

    def turns(self, record: dict[str, Any], line: int, start: int, end: int) -> Sequence[Turn]:
        """The turns of one message."""
        message = record.get("message")
        body = {**message, "role": record.get("role", message.get("role"))} if isinstance(message, dict) else record
        at = self.draft.see_stamp(record.get("timestamp"))
        make = TurnMaker(at, line, start, end)
        found = [turn for turn in message_turns(body, make, speaker_of(self.source.role)) if turn.text != FILLER]
        self.draft.see_turns(found)
        return found

    def spine(self) -> Spine:
        """The spine, with what the chat's database says and the folder that its name is a fingerprint of."""
        self.draft.once("session_id", self.source.session_id)
        spine, store = self.draft.freeze(), self.source.meta
        if not store:
            return spine
        chat = _chat(store)
        folder = _folder(self.source.path, os.path.basename(os.path.dirname(os.path.dirname(store))))
        name, model = chat.get("name"), chat.get("lastUsedModel")
        titled = isinstance(name, str) and name.strip() not in ("", "New Agent")
        return replace(
            spine,
            title=str(name).strip()[:400] if titled else spine.title,
            title_from="runtime" if titled else spine.title_from,
            model=spine.model or (model if isinstance(model, str) else ""),
            started=spine.started if spine.started is not None else seconds(chat.get("createdAt")),
            project=folder or spine.project,
            cwds=(folder,) if folder else spine.cwds,
        )


def _source(root: Root, found: Found, stores: Mapping[str, str]) -> Source:
    own = found.name.removesuffix(".jsonl")
    role, parent = Role.MAIN, ""
    if "subagents" in found.parts:
        role, parent = Role.SUBAGENT, found.parts[found.parts.index("subagents") - 1]
    meta = stores.get(own, "") if role is Role.MAIN else ""
    return Source(RUNTIME, root.path, found.path, own, found.size, found.mtime_ns, role, parent, meta=meta)


def _chat(store: str) -> dict[str, Any]:
    """What a chat's database says of it: the one row of `meta`, JSON written in hexadecimal. The rest of the database
    is not read: its blobs are a protocol of Cursor's own."""
    from core.records.databases import database

    try:
        with database(store) as connection:
            row = connection.execute("select value from meta limit 1").fetchone()
    except OSError:
        return {}  # it adds to the transcript, no more
    raw = row[0] if row else b""
    try:
        text = raw if isinstance(raw, str) else bytes(raw).decode("ascii", "replace")
        body = bytes.fromhex(text) if re.fullmatch(r"(?:[0-9a-fA-F]{2})+", text) else text.encode()
        value = decode(body)
    except (NotDecodable, TypeError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}


def _folder(path: str, fingerprint: str) -> str:
    """The working directory of a transcript, `""` if it cannot be proved.

    The folder of the transcripts is the directory with every other character turned into `-`, so it cannot be read
    backwards; the folder of the chat is the MD5 of the directory. Directories that exist, and the plainest reading of
    the name, are tried until one has that fingerprint.
    """
    import hashlib

    parts = path.split(os.sep)
    if "agent-transcripts" not in parts[1:]:
        return ""
    name = re.sub(r"[^A-Za-z0-9]", "-", parts[parts.index("agent-transcripts") - 1]).strip("-")
    for candidate in ("/" + name.replace("-", "/"), *_existing("/", name, [MAX_FOLDERS])):
        if hashlib.md5(candidate.encode("utf-8", "surrogateescape"), usedforsecurity=False).hexdigest() == fingerprint:
            return candidate
    return ""


def _existing(folder: str, rest: str, left: list[int]) -> Iterator[str]:
    """Directories below `folder` that `rest` could be the name of; `left` bounds the folders that are listed."""
    left[0] -= 1
    if left[0] < 0:
        return
    try:
        names = sorted(entry.name for entry in os.scandir(folder) if entry.is_dir())
    except OSError:
        return  # closed to us: no candidate lies there
    for name in names:
        flat = re.sub(r"[^A-Za-z0-9]", "-", name).strip("-")
        if flat and rest == flat:
            yield os.path.join(folder, name)
        elif flat and rest.startswith(flat + "-"):
            yield from _existing(os.path.join(folder, name), rest[len(flat) + 1 :].lstrip("-"), left)


def _is_store(name: str) -> bool:
    return name == _STORE


def _is_transcript(name: str) -> bool:
    return name.endswith(".jsonl")


def _enter_chat(parts: tuple[str, ...]) -> bool:
    return len(parts) <= 2


def _enter_project(parts: tuple[str, ...]) -> bool:
    return len(parts) == 1 or parts[1] == "agent-transcripts"
