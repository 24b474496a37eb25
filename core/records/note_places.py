"""Where a project keeps its decisions, memories and handoffs: the files that are read as notes, and nothing else of it.

Only known folders and names directly below a project's root are looked at, a fixed number of them, never what lies
outside of the root (symbolic links are followed only where they stay inside).
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from core.frozen import dataclass

FOLDERS = (
    "docs/adr", "docs/adrs", "doc/adr", "docs/architecture/decisions", "doc/architecture/decisions", "docs/decisions",
    "doc/decisions", "docs/rfcs", "docs/rfc", "adr", "adrs", "decisions", "memory", "memory-bank", ".claude/memory",
    "docs/memory",
)  # fmt: skip
"""Folders of notes, relative to a project's root; two levels of them are read."""
NAMES = frozenset(
    {
        "pathos.md", "handoff.md", "hand-off.md", "agent_handoff.md", "agent-handoff.md", "agents.md", "claude.md",
        "claude.local.md", "gemini.md", "decisions.md", "decision-log.md", "memory.md", "notes.md", "adr.md",
        "soul.md",
    }
)  # fmt: skip
"""Names of single notes, in a project's root or its `docs`, upper and lower case alike."""
MAX_NOTES = 400
"""Notes of one project that are read, in the order of their paths."""
MAX_BYTES = 1024 * 1024
"""Bytes of a note; a larger file is no note that somebody wrote."""
MAX_ENTRIES = 5000
"""Entries of one folder that are looked at."""
_HANDOFF = re.compile(r"(?i)(?:.*[-_.])?hand-?off(?:[-_.].*)?\.md")


@dataclass(frozen=True, slots=True)
class NoteFile:
    """A note as a listing finds it."""

    path: str
    """Absolute, links resolved."""
    name: str
    """Relative to the project's root, as listed."""
    size: int
    mtime_ns: int


def notes_of(root: str) -> Iterator[NoteFile]:
    """The notes of a project, at most `MAX_NOTES`. What cannot be listed yields nothing."""
    inside = os.path.realpath(root)
    told: set[str] = set()
    for note in _all(inside):
        if note.path not in told and len(told) < MAX_NOTES:
            told.add(note.path)
            yield note


def memory_notes(folder: str) -> Iterator[NoteFile]:
    """The notes of a runtime's own memory folder for a project."""
    inside = os.path.realpath(folder)
    yield from _in_folder(inside, inside, "", 2)


def _all(root: str) -> Iterator[NoteFile]:
    for place in ("", "docs"):
        for entry in _entries(os.path.join(root, place)):
            if entry.name.lower() in NAMES or _HANDOFF.fullmatch(entry.name):
                yield from _file(entry, root, place)
    for folder in FOLDERS:
        if os.path.isdir(os.path.join(root, folder)):
            yield from _in_folder(root, os.path.join(root, folder), folder, 2)


def _in_folder(root: str, folder: str, name: str, depth: int) -> Iterator[NoteFile]:
    if not _inside(folder, root):
        return
    for entry in _entries(folder):
        below = f"{name}/{entry.name}" if name else entry.name
        if entry.name.lower().endswith((".md", ".markdown")):
            yield from _file(entry, root, name)
        elif depth > 1 and entry.is_dir(follow_symlinks=False) and not entry.name.startswith((".", "node_modules")):
            yield from _in_folder(root, entry.path, below, depth - 1)


def _file(entry: os.DirEntry[str], root: str, folder: str) -> Iterator[NoteFile]:
    try:
        info = entry.stat()
        regular = entry.is_file()
    except OSError:
        return  # it went away, or is a link to nowhere
    real = os.path.realpath(entry.path)
    if regular and 0 < info.st_size <= MAX_BYTES and _inside(real, root):
        name = f"{folder}/{entry.name}" if folder else entry.name
        yield NoteFile(real, name, info.st_size, info.st_mtime_ns)


def _inside(path: str, root: str) -> bool:
    real = os.path.realpath(path)
    return real == root or real.startswith(root.rstrip("/") + "/")


def _entries(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as listing:
            found = [entry for entry, _ in zip(listing, range(MAX_ENTRIES), strict=False)]
    except OSError:
        return []  # most projects have few of these folders
    return sorted(found, key=lambda entry: entry.name)
