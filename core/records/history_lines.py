"""The lines of a history file: one per commit or tag of a repository, as git gave it, nothing inferred.

A line is one JSON object. Its first keys have a fixed place, so that a listing reads no JSON:
`{"sha":"…","at":1767225600,…}` for a commit, `{"tag":"…","at":…}` for a tag. `at` is when it was committed or tagged.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from core.frozen import dataclass
from core.records.lines import NotDecodable, decode, json_line
from core.records.recordfile import at_once

if TYPE_CHECKING:
    from core.repositories.model import Commit, FileChange, Ref  # only a refresh that found something new makes them

SUFFIX = ".git.jsonl"
"""How a history file's name ends."""
CHANGES = "changed files"
"""The name of the turn that lists what a commit changed."""
TAG = "tag:"
"""In front of a tag's name, where a record of a history is named."""
LISTED_FILES = 200
"""Files of one commit that are written down; more are counted."""
KEPT = 64
"""Tables of history files that are kept while the files stay as they are."""


def commit_line(commit: Commit) -> bytes:
    """A commit as one line."""
    changes = "\n".join(_change(change) for change in commit.files[:LISTED_FILES])
    return json_line(
        {
            "sha": commit.sha, "at": int(commit.committed), "parents": list(commit.parents), "author": commit.author,
            "author_email": commit.author_email, "authored": int(commit.authored), "committer": commit.committer,
            "committer_email": commit.committer_email, "subject": commit.subject, "message": commit.message,
            "changes": changes, "files": len(commit.files),
        }
    )  # fmt: skip


def tag_line(ref: Ref) -> bytes:
    """A tag as one line."""
    return json_line(
        {
            "tag": ref.short, "at": int(ref.at or 0), "sha": ref.sha, "tagger": ref.person, "annotated": ref.annotated,
            "message" if ref.annotated else "subject": ref.subject,
        }
    )  # fmt: skip


def _change(change: FileChange) -> str:
    arrow = f"{change.old_path} -> " if change.old_path else ""
    return f"{change.status} {arrow}{change.path}"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a commit or tag stands in its file."""

    part: str
    """The commit's name, or `tag:` and the tag's."""
    at: int
    line: int
    start: int
    end: int
    """After the last byte of the line, its newline not counted."""


def places(file: str) -> Mapping[str, Place]:
    """Every commit and tag of a history file, by its part, in file order; empty where it cannot be read."""
    try:
        info = os.stat(file)
        return _places(file, info.st_size, info.st_mtime_ns)
    except OSError:
        return {}  # it was removed, or is being replaced: the next listing sees the new one


@lru_cache(maxsize=KEPT)
def _places(file: str, size: int, mtime_ns: int) -> Mapping[str, Place]:  # noqa: ARG001 - the key of the cache
    with open(file, "rb", opener=at_once) as opened:
        raw = opened.read(size)
    found: dict[str, Place] = {}
    start = 0
    for number, line in enumerate(raw.split(b"\n"), 1):
        end = start + len(line)
        if end < len(raw) and (head := _head(line)):
            found[head[0]] = Place(head[0], head[1], number, start, end)
        start = end + 1
    return found


def _head(line: bytes) -> tuple[str, int] | None:
    """The part and time of a line. The last line of a file may be torn: it has no newline and is not asked about."""
    if line.startswith(b'{"sha":"'):
        close = line.find(b'"', 8)
        stop = line.find(b",", close + 2)
        stamp = line[close + 7 : stop]
        if line[close + 1 : close + 7] == b',"at":' and stamp.lstrip(b"-").isdigit():
            return line[8:close].decode("ascii", "replace"), int(stamp)
    try:
        value = decode(line) if line else None
    except NotDecodable:
        return None
    if not isinstance(value, dict) or not isinstance(value.get("at"), int):
        return None
    sha, tag = value.get("sha"), value.get("tag")
    if isinstance(tag, str):
        return TAG + tag, value["at"]
    return (sha, value["at"]) if isinstance(sha, str) else None
