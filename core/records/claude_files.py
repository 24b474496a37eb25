"""Where Claude Code keeps its records, and which kind each file is (formats.md 1a, A)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from core.records.lines import NotDecodable, decode
from core.records.looks import Looked
from core.records.model import ReadProblem, Role, Root, Source
from core.records.recordfile import at_once
from core.records.walk import Found, Walk

RUNTIME = "claude"
MAX_INDEX = 8 * 1024 * 1024
MAX_TITLE = 400
_COPIES = ("agent-acompact", "agent-aside_question")
_NO_SESSIONS = frozenset({"tool-results", "memory", "file-history", "node_modules"})


@dataclass(slots=True)
class _Beside:
    """Files that belong to the sessions of one project folder."""

    metas: dict[str, str] = field(default_factory=dict)
    outputs: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    """(project folder, session id) -> files."""


def discover(root: Root, looked: Looked | None = None) -> Iterator[Source | ReadProblem]:
    """Every record below `<root>/projects`; the order is that of the paths. What is looked at is noted in `looked`."""
    beside = _Beside()
    records: list[Found] = []
    for found in Walk(os.path.join(root.path, "projects"), _wanted, _enter, looked):
        if isinstance(found, ReadProblem):
            yield found
        elif not _note_beside(found, beside):
            records.append(found)
    for found in records:
        yield _source(root, found, beside)


def _wanted(name: str) -> bool:
    return name.endswith((".jsonl", ".jsonl.zst", ".meta.json")) or not name.endswith((".md", ".jsonl.tmp"))


def _enter(parts: tuple[str, ...]) -> bool:
    return parts[-1] not in _NO_SESSIONS or parts[-1] == "tool-results"


def _note_beside(found: Found, beside: _Beside) -> bool:
    """True if the file is no record of its own: it is noted for the one it belongs to, or for none."""
    name, parts = found.name, found.parts
    if len(parts) >= 3 and parts[2] in ("tool-results", "workflows"):
        beside.outputs.setdefault((parts[0], parts[1]), []).append(found.path)
        return True
    if name == "journal.jsonl" and "workflows" in parts and len(parts) >= 2:
        beside.outputs.setdefault((parts[0], parts[1]), []).append(found.path)
        return True
    if name.endswith(".meta.json"):
        beside.metas[found.path[: -len(".meta.json")]] = found.path
        return True
    return not name.endswith((".jsonl", ".jsonl.zst"))


def _source(root: Root, found: Found, beside: _Beside) -> Source:
    stem = found.name.removesuffix(".zst").removesuffix(".jsonl")
    parts = found.parts
    role, parent = Role.MAIN, ""
    if "subagents" in parts:
        role = Role.SUBAGENT
        parent = parts[parts.index("subagents") - 1] if parts.index("subagents") else ""
    elif stem.startswith("agent-"):
        role = Role.SUBAGENT
    if stem.startswith(_COPIES):
        role = Role.COPY
    outputs = beside.outputs.get((parts[0], stem), ()) if parts and role is Role.MAIN else ()
    meta = beside.metas.get(found.path.removesuffix(".zst").removesuffix(".jsonl"), "")
    return Source(
        RUNTIME, root.path, found.path, stem, found.size, found.mtime_ns, role, parent, False, tuple(outputs), meta
    )


@dataclass(slots=True)
class SessionTitles:
    """The titles in the `sessions-index.json` of project folders, read once per state of the file. An index that
    cannot be read names nothing."""

    _known: dict[str, tuple[tuple[int, int], dict[str, str]]] = field(default_factory=dict)

    def title(self, folder: str, session: str) -> str:
        """The summary that the index in `folder` gives a session, `""` if it has none."""
        path = os.path.join(folder, "sessions-index.json")
        try:
            info = os.stat(path)
        except OSError:
            return ""  # many folders have no index
        stamp = (info.st_size, info.st_mtime_ns)
        known = self._known.get(path)
        if known is None or known[0] != stamp:
            known = (stamp, _titles(path))
            self._known[path] = known
        return known[1].get(session, "")


def _titles(path: str) -> dict[str, str]:
    try:
        with open(path, "rb", opener=at_once) as file:
            value: Any = decode(file.read(MAX_INDEX))
    except (OSError, NotDecodable):
        return {}  # gone, or being written
    entries = value.get("entries") if isinstance(value, dict) else None
    found: dict[str, str] = {}
    for entry in entries if isinstance(entries, list) else ():
        if isinstance(entry, dict):
            key, title = entry.get("sessionId"), entry.get("customTitle") or entry.get("summary")
            if isinstance(key, str) and isinstance(title, str) and title.strip():
                found[key] = title.strip()[:MAX_TITLE]
    return found
