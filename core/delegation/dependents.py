"""What statically depends on the files in focus: reverse imports, hop by hop, and what changed together in history.

Only files that hold a name of what they could import are parsed. What Go and Java use of their own package needs no import
and is found by name (`core.delegation.neighbours`). What is written as neither (a dynamic import, a string key, a trait's
dispatch) is not seen; every packet says so.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.delegation.imports import Import, imports_of, language_of
from core.delegation.model import Dependent, Together
from core.delegation.modules import Modules
from core.delegation.neighbours import Neighbours
from core.delegation.project import Project, is_noise
from core.repositories.model import Commit

HOPS = 2
"""Imports between a dependent and the focus at most."""
MOST_PARSED = 1500
"""Files that are parsed for one packet."""
WIDE = 30
"""Files of a commit above which it is a sweep, and ties no two of them."""
MOST_TOGETHER = 12
LEAST_TOGETHER = 2
"""Commits that two files must share."""
MANIFESTS = ("package.json", "go.mod", "Cargo.toml")
_BLANKS = bytes(c if (c >= 0x80 or chr(c).isalnum() or c == 0x5F) else 32 for c in range(256))
_PACKAGES = frozenset(("__init__", "index", "mod", "lib", "main"))


@dataclass(frozen=True, slots=True)
class Found:
    """The dependents of a focus."""

    rows: tuple[Dependent, ...]
    truncated: bool
    """True if there are more than were asked for, or more files than are parsed."""


def dependents_of(project: Project, focus: Sequence[str], limit: int) -> Found:
    """The files that import one in focus, nearest first, then by path: up to `limit`."""
    manifests = {
        p: t for p in project.files if p.rpartition("/")[2] in MANIFESTS and (t := project.text(p)) is not None
    }
    modules = Modules(project.files, manifests)
    sources = [p for p in project.readable if language_of(p) is not None]
    read: dict[str, tuple[Import, ...]] = {}
    rows: dict[str, Dependent] = {}
    frontier = {p: p for p in focus}
    neighbours = Neighbours(project, sources)
    cut = False
    for hop in range(1, HOPS + 1):
        reached: dict[str, str] = {}
        wanted = frozenset(p for p in frontier if language_of(p) is not None)
        for path in _may_import(project, sources, wanted, manifests) if wanted else ():
            if path not in read and len(read) >= MOST_PARSED:
                cut = True
                continue
            language = language_of(path)
            if language is None or (path in focus or path in rows):
                continue
            if path not in read:
                read[path] = imports_of(project.data(path) or b"", language)
            for one in read[path]:
                hit = next((t for t in modules.targets(one, path, language) if t in wanted), None)
                if hit is not None:
                    rows[path] = Dependent(path, one.line, hop, hit)
                    reached[path] = hit
                    break
        for path, line, hit in neighbours.users_of(wanted):
            if path not in focus and path not in rows:
                rows[path] = Dependent(path, line, hop, hit)
                reached[path] = hit
        frontier = reached
    kept = sorted(rows.values(), key=lambda d: (d.hop, d.path))
    return Found(tuple(kept[:limit]), cut or len(kept) > limit)


def _may_import(
    project: Project, sources: Iterable[str], wanted: frozenset[str], manifests: Mapping[str, str]
) -> list[str]:
    """Source files that hold a name under which one of `wanted` is imported, told by their bytes alone."""
    names = {name for path in wanted for name in _names(path, manifests)}
    found = []
    for path in sources:
        body = project.data(path)
        if body is not None and not names.isdisjoint(body.translate(_BLANKS).split()):
            found.append(path)
    return found


def _names(path: str, manifests: Mapping[str, str]) -> set[bytes]:
    """Words one of which stands in every import of a file: its stem; of a package's own file, its folder's name."""
    *folders, name = path.split("/")
    stem = name.partition(".")[0]
    words = {stem}
    if stem in _PACKAGES or name.endswith(".go"):
        words |= set(folders[-2:])
    if name.endswith(".go"):
        for text in manifests.values():
            if match := re.search(r"^\s*module\s+(\S+)", text, re.MULTILINE):
                words.add(match.group(1).rpartition("/")[2])
    if stem in ("lib", "index"):
        for manifest, text in manifests.items():
            if path.startswith(manifest.rpartition("/")[0]):
                words |= set(re.findall(r'"?name"?\s*[:=]\s*"@?([^"]{1,200})"', text)[:4])
    parts = {p for word in words for p in re.split(r"\W+", word.replace("-", "_")) + re.split(r"\W+", word) if p}
    return {p.encode("utf-8", "surrogateescape") for p in parts}


def together_with(commits: Sequence[Commit], focus: Sequence[str], known: frozenset[str]) -> tuple[Together, ...]:
    """Files that changed with one in focus, by how many commits they share; renames are followed to today's names."""
    names: dict[str, str] = {}
    of: Counter[str] = Counter()
    pairs: Counter[tuple[str, str]] = Counter()
    wanted = frozenset(focus)
    for commit in commits:
        today = {names.get(c.path, c.path) for c in commit.files}
        for change in commit.files:
            if change.status == "R" and change.old_path:
                names[change.old_path] = names.get(change.path, change.path)
        if len(today) > WIDE:
            continue
        for source in today & wanted:
            of[source] += 1
            for other in today - {source}:
                if other in known and not is_noise(other):
                    pairs[other, source] += 1
    best: dict[str, Together] = {}
    for (other, source), count in sorted(pairs.items(), key=lambda pair: (-pair[1], pair[0])):
        if count >= LEAST_TOGETHER and other not in wanted and other not in best:
            best[other] = Together(other, source, count, of[source])
    return tuple(best.values())[:MOST_TOGETHER]
