"""Where a worker may touch, and must not: files, folders and globs, canonical and matched by whole segments.

`core/` is a folder, `core/*.py` a glob, anything else one file. `x.py` is not `pkg/x.py` (reference/delegation-upstream.md 8).
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from core.errors import UsageError
from core.soul.locating import normal
from core.text import one_line

MOST_ENTRIES = 2000
_MAGIC = re.compile(r"[*?]|\[[^\]]+\]")


def canonical(given: str, root: str, start: str = "") -> str:
    """A path as a person wrote it, from the folder `start` (else the root), as an entry relative to the root.

    Links in its folders are followed. Raises `UsageError` where it is blank or leads out of the project.
    """
    written = given.strip()
    if not written or any(ord(c) < 0x20 or ord(c) == 0x7F for c in written):
        raise UsageError(f"“{one_line(given, 80)}” is no path.", "Name a file, a folder or a glob of the project.")
    real = os.path.realpath(root)
    base = os.path.realpath(start) if start else real
    full = written if os.path.isabs(written) else os.path.join(base, written)
    found = _inside(full, real)
    if found is None and not os.path.isabs(written) and base != real:
        found = _inside(os.path.join(real, written), real)
    if found is None:
        raise UsageError(
            f"{one_line(given, 200)} leads out of the project at {one_line(root)}.", "Name a path inside it."
        )
    if found in ("", "."):
        return "**"
    is_folder = written.endswith("/") or (not is_glob(found) and os.path.isdir(os.path.join(real, found)))
    return found.rstrip("/") + "/" if is_folder else found


def _inside(full: str, real: str) -> str | None:
    """The path relative to the root with the links of its folders followed; `None` outside."""
    cleaned = normal(full.lstrip("/"))
    if cleaned is None:
        return None
    folder, _, name = cleaned.rpartition("/")
    where = os.path.join(os.path.realpath("/" + folder), name).rstrip("/")
    if where == real:
        return ""
    return where[len(real) + 1 :] if where.startswith(real.rstrip("/") + "/") else None


def canonical_all(given: Iterable[str], root: str, start: str = "") -> tuple[str, ...]:
    """Several paths, each once, in order. Raises `UsageError` as `canonical`, and for too many."""
    found = tuple(dict.fromkeys(canonical(one, root, start) for one in given))
    if len(found) > MOST_ENTRIES:
        raise UsageError(f"{len(found):,} paths were given; {MOST_ENTRIES:,} at most.", "Name folders instead.")
    return found


def is_glob(entry: str) -> bool:
    """True for an entry with `*`, `?` or a class."""
    return bool(_MAGIC.search(entry))


def is_folder(entry: str) -> bool:
    """True for a whole folder."""
    return entry.endswith("/")


def covers(entry: str, path: str) -> bool:
    """True if an entry holds a path (or is the folder that was named)."""
    if entry == path:
        return True  # a file may be called like a glob
    if is_folder(entry) and not is_glob(entry):
        return path.startswith(entry)
    return is_glob(entry) and bool(_pattern(entry).fullmatch(path))


def holds(entries: Sequence[str], path: str) -> bool:
    """True if any of the entries holds a path."""
    return any(covers(entry, path) for entry in entries)


@lru_cache(maxsize=512)
def _pattern(glob: str) -> re.Pattern[str]:
    """A glob over whole paths: `**` crosses folders, `*`, `?` and classes do not; a closing `/` holds what is below."""
    out: list[str] = []
    text = glob + "**" if glob.endswith("/") else glob
    at = 0
    while at < len(text):
        if text.startswith("**/", at):
            out.append("(?:[^/]+/)*")
            at += 3
        elif text.startswith("**", at):
            out.append(".*")
            at += 2
        elif text[at] in "*?":
            out.append("[^/]*" if text[at] == "*" else "[^/]")
            at += 1
        elif text[at] == "[" and (end := text.find("]", at + 2)) > 0:
            inside = text[at + 1 : end].replace("\\", "\\\\").replace("[", "\\[")
            negated = inside[0] in "!^"
            out.append(f"(?!/)[{'^' if negated else ''}{inside[1:] if negated else inside}]")
            at = end + 1
        else:
            out.append(re.escape(text[at]))
            at += 1
    try:
        return re.compile("".join(out), re.DOTALL)
    except re.error:
        return re.compile(re.escape(glob))  # `[z-a]` is no class: it is taken as written
