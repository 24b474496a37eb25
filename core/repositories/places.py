"""Where a repository lies, read from its files alone: no process is started, no configuration believed.

A `.git` folder, a `.git` file that points to one (a worktree, a submodule), or a bare repository. `core.worktree` and
the environment's `GIT_DIR` are not followed: the folder that was asked about decides.
"""

from __future__ import annotations

import os
import re

from core.frozen import dataclass
from core.repositories.model import Fetching

MAX_POINTER = 65_536
"""Bytes of a pointer file (`.git`, `commondir`, `HEAD`) that are read."""
_SHA = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")


@dataclass(frozen=True, slots=True)
class Place:
    """The folders of a repository, absolute, symbolic links resolved."""

    root: str
    """The working folder, `""` for a bare repository."""
    git_dir: str
    """This checkout's own folder: its head and its index."""
    common_dir: str
    """What all worktrees of a repository share: objects, branches, tags, configuration."""


def find_place(path: str) -> Place | None:
    """The repository that `path` lies in: its own folder, else the nearest above it. `None` if there is none."""
    here = os.path.realpath(path)
    while True:
        found = _place_at(here)
        if found is not None:
            return found
        above = os.path.dirname(here)
        if above == here:
            return None
        here = above


def _place_at(folder: str) -> Place | None:
    dot = os.path.join(folder, ".git")
    if os.path.isdir(dot):
        return _of(folder, dot) if _is_git_dir(dot) else None
    pointer = _pointer(dot)
    if pointer.startswith("gitdir:"):
        git_dir = os.path.realpath(os.path.join(folder, pointer.removeprefix("gitdir:").strip()))
        return _of(folder, git_dir) if _is_git_dir(git_dir) else None
    return _of("", folder) if _is_git_dir(folder) and os.path.isdir(os.path.join(folder, "refs")) else None


def _of(root: str, git_dir: str) -> Place:
    git_dir = os.path.realpath(git_dir)
    return Place(root, git_dir, _common(git_dir))


def _common(git_dir: str) -> str:
    shared = _pointer(os.path.join(git_dir, "commondir"))
    return os.path.realpath(os.path.join(git_dir, shared)) if shared else git_dir


def _is_git_dir(folder: str) -> bool:
    """A head, and objects here or where the shared part lies."""
    if not os.path.lexists(os.path.join(folder, "HEAD")):
        return False
    return os.path.isdir(os.path.join(_common(folder), "objects"))


def head_text(place: Place) -> str:
    """The text of `HEAD`: `ref: refs/heads/main`, or a commit; `""` where it cannot be read."""
    return _pointer(os.path.join(place.git_dir, "HEAD"))


def is_sha(text: str) -> bool:
    """True for the full name of an object."""
    return bool(_SHA.fullmatch(text))


def is_shallow(place: Place) -> bool:
    """True if the history was fetched in part only."""
    try:
        return os.path.getsize(os.path.join(place.common_dir, "shallow")) > 0
    except OSError:
        return False  # the file exists in shallow repositories only


_SECTION = re.compile(r'^\s*\[\s*(\w+)(?:\s+"([^"]*)")?\s*\]')
_SETTING = re.compile(r"^\s*(tagopt|url)\s*=\s*[\"']?(.*?)[\"']?\s*$", re.IGNORECASE)


def remotes_of(place: Place) -> tuple[Fetching, frozenset[str]]:
    """What the configuration says of remotes: what is fetched, and what their repositories are called."""
    try:
        with open(os.path.join(place.common_dir, "config"), encoding="utf-8", errors="replace") as file:
            lines = file.read(1 << 20).splitlines()
    except OSError:
        return Fetching.NOTHING, frozenset()  # git has no remote either without it
    found, names, section = Fetching.NOTHING, set[str](), ""
    for line in lines:
        if match := _SECTION.match(line):
            section = match.group(1).lower() if match.group(2) else ""
            found = max(found, Fetching.AS_USUAL) if section == "remote" else found
        elif section == "remote" and (setting := _SETTING.match(line)):
            if setting.group(1).lower() == "tagopt":
                found = Fetching.NO_TAGS if setting.group(2) == "--no-tags" else found
            else:
                names.add(re.split(r"[/:]", setting.group(2).rstrip("/"))[-1].removesuffix(".git"))
    return found, frozenset(names - {""})


def movement(place: Place) -> tuple[tuple[str, int, int], ...]:
    """What the files look like that change when a branch, a tag or the head moves: name, size and time of each.

    A handful of `stat` calls and the listing of the folders of refs: two equal answers mean that no commit was made, no
    ref moved and nothing was fetched in between (every such step writes one of these files).
    """
    seen: list[tuple[str, int, int]] = []
    for folder, name in ((place.git_dir, "HEAD"), (place.common_dir, "HEAD"), (place.common_dir, "packed-refs"),
                         (place.common_dir, "shallow"), (place.common_dir, "reftable/tables.list")):  # fmt: skip
        seen.extend(_stamp(os.path.join(folder, name), name))
    waiting = [os.path.join(place.common_dir, "refs", kind) for kind in ("heads", "tags", "remotes")]
    while waiting and len(seen) < MAX_REFS:
        folder = waiting.pop()
        try:
            with os.scandir(folder) as listing:
                entries = sorted(listing, key=lambda entry: entry.name)
        except OSError:
            continue  # no remotes, no tags: packed or none
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                waiting.append(entry.path)
            else:
                seen.extend(_stamp(entry.path, os.path.relpath(entry.path, place.common_dir)))
    return tuple(seen)


MAX_REFS = 20_000
"""Files of refs that are looked at; repositories with more keep them packed."""


def _stamp(path: str, name: str) -> list[tuple[str, int, int]]:
    try:
        info = os.stat(path)
    except OSError:
        return []  # most of these files are there only once something was packed or fetched
    return [(name, info.st_size, info.st_mtime_ns)]


def _pointer(path: str) -> str:
    """The text of a short file, `""` where there is none."""
    try:
        with open(path, "rb") as file:
            return file.read(MAX_POINTER).decode("utf-8", "surrogateescape").strip()
    except (OSError, ValueError):
        return ""  # most folders have no such file
