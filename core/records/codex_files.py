"""Where Codex keeps its rollouts, and the names its sessions have (formats.md 1b, C)."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from core.records.lines import NotDecodable, decode
from core.records.looks import Looked
from core.records.model import ReadProblem, Root, Source
from core.records.recordfile import at_once
from core.records.walk import Found, Walk

RUNTIME = "codex"
MAX_INDEX = 16 * 1024 * 1024
_ID = re.compile(r"([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\Z", re.I)
_FOLDERS = (("sessions", False), ("archived_sessions", True))


def session_id(name: str) -> str:
    """The id at the end of a rollout's file name, else the name without its extension."""
    stem = name.removesuffix(".zst").removesuffix(".jsonl")
    match = _ID.search(stem)
    return match.group(1).lower() if match else stem


def discover(root: Root, looked: Looked | None = None) -> Iterator[Source | ReadProblem]:
    """Every rollout below a root, one per session: the plain copy wins over the compressed one, and the active
    over the archived. What is looked at is noted in `looked`."""
    best: dict[str, tuple[tuple[bool, bool], Source]] = {}
    for folder, archived in _FOLDERS:
        for found in Walk(os.path.join(root.path, folder), _wanted, looked=looked):
            if isinstance(found, ReadProblem):
                yield found
                continue
            source = _source(root, found, archived)
            weight = (archived, found.name.endswith(".zst"))
            before = best.get(source.session_id)
            if before is None or weight < before[0]:
                best[source.session_id] = (weight, source)
            elif weight == before[0]:
                best[source.path] = (weight, source)
    yield from sorted((source for _, source in best.values()), key=lambda source: source.path)


def _wanted(name: str) -> bool:
    return name.endswith((".jsonl", ".jsonl.zst"))


def _source(root: Root, found: Found, archived: bool) -> Source:
    name = session_id(found.name)
    return Source(RUNTIME, root.path, found.path, name, found.size, found.mtime_ns, archived=archived)


@dataclass(slots=True)
class ThreadNames:
    """The names of sessions from `session_index.jsonl`: several lines per session, the newest wins (formats.md C12).

    Read once per state of the file; a file that cannot be read names nothing.
    """

    _known: dict[str, tuple[tuple[int, int], dict[str, str]]] = field(default_factory=dict)

    def name(self, root: str, session: str) -> str:
        """The session's name, `""` if the root's index has none."""
        path = os.path.join(root, "session_index.jsonl")
        try:
            info = os.stat(path)
        except OSError:
            return ""  # most roots have no such file
        stamp = (info.st_size, info.st_mtime_ns)
        known = self._known.get(path)
        if known is None or known[0] != stamp:
            known = (stamp, _names(path))
            self._known[path] = known
        return known[1].get(session, "")


def _names(path: str) -> dict[str, str]:
    try:
        with open(path, "rb", opener=at_once) as file:
            lines = file.read(MAX_INDEX).split(b"\n")
    except OSError:
        return {}  # gone or closed to us since it was seen
    newest: dict[str, tuple[str, str]] = {}
    for raw in lines:
        try:
            row = decode(raw)
        except NotDecodable:
            continue
        if not isinstance(row, dict):
            continue
        key, name, stamp = row.get("id"), row.get("thread_name"), row.get("updated_at")
        if isinstance(key, str) and isinstance(name, str) and name.strip():
            when = stamp if isinstance(stamp, str) else ""
            if key not in newest or when >= newest[key][0]:
                newest[key] = (when, name.strip())
    return {key: name for key, (_, name) in newest.items()}
