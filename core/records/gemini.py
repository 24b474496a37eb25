"""The adapter for Gemini CLI's sessions (formats.md 1c, D): one JSON document per session, JSON Lines since 0.40.

A document can only be read whole, and a message of the newer form may come again with more content: so a mark always
says to read the record again from its beginning (`offset` 0).
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

from core.records.document_reading import Document, DocumentAdapter
from core.records.gemini_messages import GeminiDocument
from core.records.homes import roots_of
from core.records.lines import NotDecodable, decode
from core.records.model import ReadProblem, Root, Source
from core.records.recordfile import at_once
from core.records.walk import Found, Walk

RUNTIME = "gemini"
MAX_MAP = 1 << 20


class GeminiAdapter(DocumentAdapter):
    """Reads `tmp/<project>/chats/session-*.json` and `.jsonl`. See `Adapter`."""

    runtime = RUNTIME
    label = "Gemini CLI"

    def roots(self, env: Mapping[str, str], home: str) -> tuple[Root, ...]:
        """See `core.records.homes`."""
        return roots_of(RUNTIME, env, home)

    def discover(self, root: Root) -> Iterator[Source | ReadProblem]:
        """Every session below a root."""
        for found in Walk(os.path.join(root.path, "tmp"), _wanted, _enter):
            if isinstance(found, ReadProblem):
                yield found
            elif len(found.parts) > 1 and found.parts[1] == "chats":
                yield _source(root, found)

    def document(self, source: Source, raw: bytes) -> Document:
        """A session from its bytes."""
        return GeminiDocument(source, raw, _project(source))


def _wanted(name: str) -> bool:
    return name.startswith("session-") and name.endswith((".json", ".jsonl"))


def _enter(parts: tuple[str, ...]) -> bool:
    return len(parts) == 1 or parts[1] == "chats"


def _source(root: Root, found: Found) -> Source:
    stem = found.name.removesuffix(".jsonl").removesuffix(".json")
    return Source(RUNTIME, root.path, found.path, stem, found.size, found.mtime_ns)


def _project(source: Source) -> str:
    """The folder that a session belongs to: records name only a hash or a slug of it (formats.md D)."""
    folder = os.path.relpath(source.path, os.path.join(os.path.realpath(source.root), "tmp")).split(os.sep)[0]
    known: Any = _json(os.path.join(source.root, "projects.json"))
    projects = known.get("projects") if isinstance(known, dict) else None
    if isinstance(projects, dict):
        for path, slug in projects.items():
            if slug == folder:
                return str(path)
    try:
        with open(os.path.join(source.root, "tmp", folder, ".project_root"), encoding="utf-8", opener=at_once) as file:
            return file.read(4096).strip()
    except (OSError, ValueError):
        return ""  # older versions write no such file


def _json(path: str) -> Any:
    try:
        with open(path, "rb", opener=at_once) as file:
            return decode(file.read(MAX_MAP))
    except (OSError, NotDecodable):
        return None
