"""The outcome files of a hypomnesis store: what another indexer says about how it captured a session.

A store lies beside the records (`projects/<folder>/hypomnesis` for Claude Code, `hypomnesis` below Codex's home); its
`.outcomes/<session id>.json` tells the last attempt: per extractor a state, the revision of the source, what was
published. It is another program's word about its own work: it qualifies what is said and changes nothing else. A file
that is missing, too large, damaged, of another version or about another session is unknown, never zero
(design/recall.md 8).
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Any

from core.frozen import dataclass
from core.records.lines import NotDecodable, decode
from core.records.model import Source
from core.records.recordfile import at_once, record_part

LARGEST = 256 * 1024
"""Bytes of an outcome file; a larger one is not such a file."""
VERSION = 1
STATES = frozenset({"succeeded", "empty", "invocation_failed", "validation_failed", "input_failed", "skipped"})
_ATTEMPTS = frozenset({"in_progress", "complete", "superseded"})
_PUBLICATIONS = frozenset({"none", "complete", "partial", "failed"})
_CLAUDE_ID = re.compile(r"[A-Za-z0-9_-]{1,200}")
_UNSAFE = re.compile(r"[^a-zA-Z0-9._-]")


@dataclass(frozen=True, slots=True)
class CaptureOutcome:
    """The last attempt of another indexer at one session."""

    finished: bool
    """False while it runs, or where it never came to its end."""
    extractors: Mapping[str, str]
    """Each extractor's name and state, one of `STATES`."""
    omitted: Mapping[str, int]
    """Characters that an extractor did not receive, where that was counted."""
    publication: str
    """`none`, `complete`, `partial`, `failed`."""
    same_source: bool | None
    """Whether it saw the record as it is now (size and time in milliseconds); `None` is unknown."""
    failed: bool = False
    """True if it says that its execution failed without saying where."""


def outcome_of(source: Source, session_id: str) -> CaptureOutcome | None:
    """What a hypomnesis store beside the record says of it, `None` where nothing is known. Runtime, root and session id
    must all be the record's."""
    path = _place(source, session_id)
    if path is None:
        return None
    try:
        with open(path, "rb", opener=at_once) as file:
            raw = file.read(LARGEST + 1)
        value = decode(raw) if len(raw) <= LARGEST else None
    except (OSError, NotDecodable):
        return None
    if not isinstance(value, dict) or value.get("schema_version") != VERSION:
        return None
    if (value.get("runtime"), value.get("session_id")) != (source.runtime, session_id):
        return None
    return _outcome(value, source)


def _place(source: Source, session_id: str) -> str | None:
    """Where the outcome file of a record would lie."""
    if record_part(source.path) or not session_id:
        return None
    if source.runtime == "claude" and _CLAUDE_ID.fullmatch(session_id):
        folder, name = os.path.dirname(source.path), session_id
    elif source.runtime == "codex":
        folder, name = source.root, _UNSAFE.sub("_", session_id)[:160]
    else:
        return None
    return os.path.join(folder, "hypomnesis", ".outcomes", f"{name}.json")


def _outcome(value: dict[str, Any], source: Source) -> CaptureOutcome | None:
    extractors, publication = value.get("extractors"), value.get("publication")
    if not isinstance(extractors, dict) or not isinstance(publication, dict) or value.get("state") not in _ATTEMPTS:
        return None
    rows = {name: row for name, row in extractors.items() if isinstance(row, dict) and row.get("state") in STATES}
    if len(rows) != len(extractors) or publication.get("state") not in _PUBLICATIONS:
        return None
    omitted = {name: count for name, row in rows.items() if (count := _count(row)) is not None}
    execution = value.get("execution")
    return CaptureOutcome(
        finished=value.get("state") == "complete",
        extractors={name: str(row["state"]) for name, row in rows.items()},
        omitted=omitted,
        publication=str(publication["state"]),
        same_source=_same(value.get("revision"), source),
        failed=isinstance(execution, dict) and execution.get("state") == "failed",
    )


def _count(row: dict[str, Any]) -> int | None:
    """How many characters an extractor says it did not receive; `None` where it does not say."""
    for key in ("omitted_chars", "omitted"):
        count = row.get(key)
        if isinstance(count, int) and not isinstance(count, bool) and count >= 0:
            return count
    return None


def _same(revision: object, source: Source) -> bool | None:
    if not isinstance(revision, dict):
        return None
    size, mtime = revision.get("size"), revision.get("mtime_ms")
    if not isinstance(size, int | float) or not isinstance(mtime, int | float):
        return None
    return size == source.size and source.mtime_ns // 1_000_000 <= mtime < source.mtime_ns // 1_000_000 + 1
