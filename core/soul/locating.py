"""Finds the soul of a project, and where a path that a claim cites leads (design/soul.md 1 and 2)."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from shlex import quote

from core.errors import SurroundingsError, UsageError
from core.soul.evidence import Evidence, Standing
from core.soul.grammars import LANGUAGES
from core.soul.history import folders_above

SETTINGS = (".recollect.toml", "pyproject.toml")
"""Where a project's settings for its soul are looked for; the first that has any wins."""

SOULS = ("docs/PATHOS.md", "PATHOS.md")
"""Where a soul is looked for, in this order."""
_HANDOFF = re.compile(r"(?i)(?:.*[-_.])?hand-?off(?:[-_.].*)?\.md")
_AGENTS = ("AGENTS.MD", "CLAUDE.MD", "GEMINI.MD", "SOUL.MD", "MEMORY.MD", "DECISIONS.MD")
"""Documents that speak to agents, likeliest first."""
MAX_BYTES = 8 * 1024 * 1024
"""A larger document is refused."""


class Resolved(StrEnum):
    """How a cited path was found."""

    EXACT = "exact"
    RELATIVE = "relative"
    SUFFIX = "suffix"
    AMBIGUOUS = "ambiguous"
    OUTSIDE = "outside"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a cited path leads."""

    how: Resolved
    path: str = ""
    """The path from the root, where one was found; else the path that was looked for."""
    candidates: tuple[str, ...] = ()
    """For an ambiguous one: what ends so, sorted."""


def soul_path(root: str, given: str = "", here: str = "") -> str:
    """The document's path from the root; `here` is the folder that the person stands in, for what a hint names.

    Raises `UsageError` for a path that leaves the root or does not exist, `SurroundingsError` if there is none by custom.
    """
    if given:
        inside = inside_root(root, given)
        if inside is None:
            raise UsageError(
                f"{given} lies outside the project at {root}.",
                "A soul travels with git: name a file inside the project.",
            )
        if not os.path.isfile(os.path.join(root, inside)):
            raise UsageError(f"There is no file {inside} in {root}.", "Name the handoff document to check.")
        return _followed(root, inside)
    for candidate in SOULS:
        if os.path.isfile(os.path.join(root, candidate)) and inside_root(root, os.path.join(root, candidate)):
            return _followed(root, candidate)
    likely = likely_souls(here, root)
    what = f"No soul was found in {root}: neither {' nor '.join(SOULS)} is there."
    if not likely:
        raise SurroundingsError(what, "Begin one as docs/PATHOS.md, or name the document: recollect soul check FILE")
    others = f" ({', '.join(likely[1:4])} could be one too)" if likely[1:] else ""
    raise SurroundingsError(what, f"Name the handoff document: recollect soul check {quote(likely[0])}{others}")


def likely_souls(*folders: str) -> tuple[str, ...]:
    """Documents of some folders that are handoff documents by their names, likeliest first: one that says so, then those
    that agents are given; each by its name, as it can be given from the folder itself and from one below."""
    found: dict[str, tuple[int, int, str]] = {}
    for n, folder in enumerate(folders):
        try:
            names = os.listdir(folder) if folder else []
        except OSError:
            continue  # what cannot be listed has nothing to name
        for name in sorted(names):
            rank = 0 if _HANDOFF.fullmatch(name) else _AGENTS.index(name.upper()) + 1 if name.upper() in _AGENTS else -1
            if rank >= 0 and os.path.isfile(os.path.join(folder, name)):
                found.setdefault(name, (rank, n, name))
    return tuple(sorted(found, key=lambda name: found[name]))


def _followed(root: str, path: str) -> str:
    """The document that a link inside the project leads to: git keeps its history and its text, of a link only the name."""
    real = os.path.realpath(os.path.join(root, path))
    return os.path.relpath(real, os.path.realpath(root)).replace(os.sep, "/")


def inside_root(root: str, path: str) -> str | None:
    """A path (absolute, from the root, or from the working folder) as one from the root; `None` if it leads out of it.

    Symbolic links are followed before it is decided.
    """
    root = os.path.realpath(root)
    joined = path if os.path.isabs(path) else os.path.join(root, path)
    real = os.path.realpath(joined)
    if real == root or not real.startswith(root + os.sep):
        return None
    lexical = os.path.normpath(joined)
    return os.path.relpath(lexical if lexical.startswith(root + os.sep) else real, root).replace(os.sep, "/")


def read_soul(root: str, path: str) -> tuple[str, bytes, bool]:
    """The document's text, its bytes, and whether bytes had to be replaced.

    Raises `UsageError` for what is unreadable, binary or larger than 8 MiB.
    """
    full = os.path.join(root, path)
    try:
        size = os.path.getsize(full)
        if size > MAX_BYTES:
            raise UsageError(
                f"{path} has {size:,} bytes; a soul may have {MAX_BYTES:,}.", "Prune it, or name another document."
            )
        with open(full, "rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as problem:
        raise UsageError(
            f"{path} cannot be read: {problem.strerror or problem}.", "Check that you may read it."
        ) from problem
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise UsageError(f"{path} is written in UTF-16.", "Save it as UTF-8.")
    if b"\0" in data:
        raise UsageError(f"{path} is no text: it holds NUL bytes.", "Name a Markdown document.")
    try:
        return data.decode("utf-8"), data, False
    except UnicodeDecodeError:
        return data.decode("utf-8", "replace"), data, True


class Paths:
    """The files of a project, indexed once for the paths that a document cites."""

    def __init__(self, evidence: Evidence, document: str) -> None:
        self._evidence = evidence
        self._folder = document.rpartition("/")[0]
        self._resolved: dict[tuple[str, bool], Place] = {}

    @cached_property
    def files(self) -> frozenset[str]:
        """Tracked files."""
        return frozenset(self._evidence.tracked or ())

    @cached_property
    def known(self) -> tuple[str, ...]:
        """Tracked and new files, and every folder above one."""
        new = [u.rstrip("/") for u in self._evidence.untracked]
        above = {f for u in new for f in folders_above(u)} - self.folders
        return (*self.files, *self.folders, *new, *above)

    @cached_property
    def _modules(self) -> Mapping[str, Sequence[str]]:
        """The names of source files, and of packages, to their paths without endings."""
        found: dict[str, list[str]] = {}
        for path in self.known:
            body, _, ending = path.rpartition(".")
            if ending in LANGUAGES:
                body = body.removesuffix("/__init__").removesuffix("/mod").removesuffix("/index")
                found.setdefault(body.rpartition("/")[2], []).append(path)
        return found

    def modules(self, segments: Sequence[str]) -> tuple[str, ...]:
        """The source files whose path ends with these names, its ending left out, sorted."""
        if len(segments) < 2:
            return ()
        wanted = "/" + "/".join(segments)
        found = (p for p in self._modules.get(segments[-1], ()) if _module(p).endswith(wanted))
        return tuple(sorted(p for p in found if self._evidence.standing(p) is Standing.FILE))

    @cached_property
    def languages(self) -> frozenset[str]:
        """The languages of the project's source that are parsed here."""
        endings = {p.rpartition(".")[2].lower() for p in self.files}
        return frozenset(LANGUAGES[e] for e in endings & LANGUAGES.keys())

    @cached_property
    def folders(self) -> frozenset[str]:
        """Every folder above a tracked file."""
        found: set[str] = set()
        for path in self.files:
            for folder in folders_above(path):
                if folder in found:
                    break
                found.add(folder)
        return frozenset(found)

    @cached_property
    def names(self) -> frozenset[str]:
        """Last segments of files and folders, files without their ending too."""
        names = {name for path in (*self.files, *self.folders) for name in (path.rpartition("/")[2],)}
        return frozenset(names | {name.split(".", 1)[0] for name in names})

    @cached_property
    def _by_name(self) -> Mapping[str, Sequence[str]]:
        found: dict[str, list[str]] = {}
        for path in self.known:
            found.setdefault(path.rpartition("/")[2], []).append(path)
        return found

    def spelled(self, path: str) -> tuple[str, ...]:
        """What a cited path says it is: from the root, and from the document's folder."""
        wanted = path.rstrip("/") or path
        return (wanted, f"{self._folder}/{wanted}") if self._folder else (wanted,)

    def resolve(self, path: str, *, loose: bool = True) -> Place:
        """Exact, else from the document's folder, else the one path that ends so, tracked or new (`loose`)."""
        key = (path, loose)
        if key not in self._resolved:
            self._resolved[key] = self._resolve(path, loose)
        return self._resolved[key]

    def _resolve(self, path: str, loose: bool) -> Place:
        wanted = path.rstrip("/") or path
        tried = self.spelled(path)
        outside, linked = 0, False
        for n, candidate in enumerate(tried):
            clean = normal(candidate)
            standing = Standing.OUTSIDE if clean is None else self._evidence.standing(clean)
            if standing is Standing.OUTSIDE:
                outside += 1
                linked = linked or clean is not None
            elif standing is not Standing.MISSING and clean:
                return Place(Resolved.RELATIVE if n else Resolved.EXACT, clean)
        if outside == len(tried) or linked:
            return Place(Resolved.OUTSIDE, wanted)
        clean = normal(wanted)
        if clean is None:
            return Place(Resolved.MISSING, normal(tried[-1]) or wanted)
        if (inside := self.below_name(clean)) and self._evidence.standing(inside) not in (
            Standing.MISSING,
            Standing.OUTSIDE,
        ):
            return Place(Resolved.RELATIVE, inside)
        if clean in self.files or not loose:
            return Place(Resolved.MISSING, clean)
        ends = sorted(p for p in self._by_name.get(clean.rpartition("/")[2], ()) if p.endswith("/" + clean))
        standing_ends = [p for p in ends if self._evidence.standing(p) not in (Standing.MISSING, Standing.OUTSIDE)]
        if len(standing_ends) == 1:
            return Place(Resolved.SUFFIX, standing_ends[0])
        if standing_ends:
            return Place(Resolved.AMBIGUOUS, clean, tuple(standing_ends))
        return Place(Resolved.MISSING, ends[0] if len(ends) == 1 else clean)

    def below_name(self, path: str) -> str:
        """A path that begins with what the repository is called, without that; `""` for any other, and where the project
        has a folder of that name."""
        first, _, rest = path.partition("/")
        if not rest or first not in self._evidence.names or first in self.folders:
            return ""
        return rest

    def matching(self, pattern: str) -> dict[str, tuple[str, ...]]:
        """For each alternative of a glob: what it matches of the tracked and new files and folders."""
        found: dict[str, tuple[str, ...]] = {}
        for alternative in braces(pattern.rstrip("/")):
            bases = [alternative, *([f"{self._folder}/{alternative}"] if self._folder else [])]
            bases += [b for b in (self.below_name(alternative), f"**/{alternative}") if b]
            matches: tuple[str, ...] = ()
            for base in bases:
                clean = normal(base)
                if clean is None:
                    continue
                test = _glob(clean)
                matches = tuple(sorted(p for p in self.known if test.fullmatch(p)))
                matches = tuple(p for p in matches if self._evidence.standing(p) in (Standing.FILE, Standing.FOLDER))
                if matches:
                    break
            found[alternative] = matches
        return found


def _module(path: str) -> str:
    """A source file's path from `/` as its module is called: without its ending, a package by its folder."""
    return "/" + re.sub(r"(?:/(?:__init__|mod|index))?\.\w+$", "", path)


def normal(path: str) -> str | None:
    """A relative path without `.` and `..`; `None` if it is absolute or climbs out of the root."""
    if path.startswith("/") or (path[1:2] == ":" and path[0].isalpha()):
        return None
    if "//" not in path and "./" not in path and not path.endswith((".", "/")):
        return path  # nearly every one
    parts: list[str] = []
    for part in path.split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


def braces(pattern: str, most: int = 64) -> tuple[str, ...]:
    """`src/{a,b}.py` as `src/a.py` and `src/b.py`; at most `most` alternatives."""
    found = [pattern]
    while any(matches := [_BRACES.search(p) for p in found]):
        spread = (_spread(p, m) for p, m in zip(found, matches, strict=True))
        found = list(dict.fromkeys(p for group in spread for p in group))[:most]
    return tuple(found)


_BRACES = re.compile(r"\{([^{}]*,[^{}]*)\}")


def _spread(pattern: str, match: re.Match[str] | None) -> list[str]:
    """A pattern with each of the alternatives that were found in it."""
    if match is None:
        return [pattern]
    return [pattern[: match.start()] + o.strip() + pattern[match.end() :] for o in match.group(1).split(",")]


_CROSSING = re.compile(r"(\*\*/|\*\*)")


def _glob(pattern: str) -> re.Pattern[str]:
    """A glob as a pattern over whole paths: `**` crosses folders, `*` and `?` do not.

    What stands between two of its stars is taken where it is first found, for good: nothing is tried in every combination.
    """
    pattern = re.sub(r"\*{3,}", "**", pattern)
    first, *rest = _CROSSING.split(re.sub(r"(?:\*\*/)+", "**/", pattern))
    out = [_inside_folders(first)]
    for n in range(0, len(rest), 2):
        crossing, body = "(?:[^/]+/)*" if rest[n] == "**/" else ".*", _inside_folders(rest[n + 1])
        out.append(crossing + body if n + 2 == len(rest) else f"(?>{crossing}?{body})")
    try:
        return re.compile("".join(out))
    except re.error:
        return re.compile(re.escape(pattern))  # `[z-a]` is no class: it is taken as written


def _inside_folders(pattern: str) -> str:
    """The part of a glob that holds no `**`, as a pattern."""
    return "/".join(_segment(segment) for segment in pattern.split("/"))


def _segment(pattern: str) -> str:
    """One name of a glob, as a pattern."""
    parts = [""]
    at = 0
    while at < len(pattern):
        if pattern[at] == "*":
            parts.append("")
        elif pattern[at] == "?":
            parts[-1] += "[^/]"
        elif pattern[at] == "[" and (end := pattern.find("]", at + 2)) > 0:
            inside = pattern[at + 1 : end].replace("\\", "\\\\")
            parts[-1] += "[" + ("^/" + inside[1:] if inside[0] in "!^" else inside) + "]"
            at = end
        else:
            parts[-1] += re.escape(pattern[at])
        at += 1
    first, *rest = parts
    last = f"[^/]*{rest.pop()}" if rest else ""
    return first + "".join(f"(?>[^/]*?{part})" for part in rest) + last
