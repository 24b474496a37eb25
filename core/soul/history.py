"""What the listed commits say of a project: renames, deletions, reach, and who named a number."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from core.repositories.model import Commit

_PULL = re.compile(r"(?P<other>[\w.-]+/[\w.-]+)?#(?P<number>\d{1,6})\b")
"""A number, and whose it is where it is written as another repository's: `acme/tools#12`."""


def folders_above(path: str) -> Iterator[str]:
    """The folders that a path lies in, nearest first."""
    while "/" in path:
        path = path.rpartition("/")[0]
        yield path


@dataclass(frozen=True)
class History:
    """The commits of a check, indexed once. Not slotted: its indexes are made when first asked for."""

    commits: Sequence[Commit]
    """Newest first."""
    head: str
    complete: bool
    """True if nothing is missing: then absence proves something."""

    @cached_property
    def by_sha(self) -> Mapping[str, Commit]:
        """Commits by their whole name."""
        return {c.sha: c for c in self.commits}

    @cached_property
    def sorted_shas(self) -> Sequence[str]:
        """Whole names, sorted, for abbreviations."""
        return sorted(self.by_sha)

    @cached_property
    def head_line(self) -> frozenset[str]:
        """Commits that the head reaches."""
        return self.reach((self.head,) if self.head else ())

    @cached_property
    def numbers(self) -> Mapping[int, str]:
        """Pull-request and issue numbers to the newest commit that names them in its message."""
        found: dict[int, str] = {}
        for commit in self.commits:
            for other, number in _PULL.findall(commit.message) if "#" in commit.message else ():
                if not other:
                    found.setdefault(int(number), commit.sha)
        return found

    @cached_property
    def foreign_numbers(self) -> Mapping[int, str]:
        """Numbers that commits name as a repository's, `acme/tools#12`: it may be this one's own name, or not."""
        found: dict[int, str] = {}
        for commit in self.commits:
            for other, number in _PULL.findall(commit.message) if "#" in commit.message else ():
                if other:
                    found.setdefault(int(number), other)
        return found

    @cached_property
    def moves(self) -> Mapping[str, tuple[str, str]]:
        """Old path to new path and the commit that renamed it; the newest rename of each path."""
        found: dict[str, tuple[str, str]] = {}
        for commit in self.commits:
            for change in commit.files:
                if change.status.startswith("R"):
                    found.setdefault(change.old_path, (change.path, commit.sha))
        return found

    @cached_property
    def deletions(self) -> Mapping[str, str]:
        """Deleted paths to the newest commit that deleted them."""
        found: dict[str, str] = {}
        for commit in self.commits:
            for change in commit.files:
                if change.status.startswith("D"):
                    found.setdefault(change.path, commit.sha)
        return found

    @cached_property
    def past_folders(self) -> Mapping[str, str]:
        """Folders of deleted or renamed files, to the commit."""
        found: dict[str, str] = {}
        gone = [*self.deletions.items(), *((old, sha) for old, (_, sha) in self.moves.items())]
        for path, sha in gone:
            for folder in folders_above(path):
                if folder in found:
                    break
                found[folder] = sha
        return found

    @cached_property
    def past_names(self) -> Mapping[str, tuple[str, ...]]:
        """Last segments of deleted or renamed files, to their paths."""
        found: dict[str, list[str]] = {}
        for path in dict.fromkeys((*self.moves, *self.deletions)):
            found.setdefault(path.rpartition("/")[2], []).append(path)
        return {name: tuple(paths) for name, paths in found.items()}

    def reach(self, starts: Iterable[str]) -> frozenset[str]:
        """Every listed commit that these reach, themselves included."""
        seen: set[str] = set()
        waiting = [s for s in starts if s in self.by_sha]
        while waiting:
            sha = waiting.pop()
            if sha in seen:
                continue
            seen.add(sha)
            waiting.extend(p for p in self.by_sha[sha].parents if p in self.by_sha and p not in seen)
        return frozenset(seen)

    def left(self, path: str) -> str:
        """The commit that took a file or a folder away from this path, `""` if none did."""
        if path in self.moves:
            return self.moves[path][1]
        return self.deletions.get(path) or self.past_folders.get(path, "")

    @cached_property
    def _reaches(self) -> dict[str, frozenset[str]]:
        return {}

    def reaches(self, start: str, sha: str) -> bool:
        """True if `start` was made on top of `sha`, or is it."""
        if start not in self._reaches:
            self._reaches[start] = self.reach((start,))
        return sha in self._reaches[start]

    def last_touch(self, path: str) -> Commit | None:
        """The newest commit of the head's line that added or changed a file at this path."""
        for commit in self.commits:
            if commit.sha in self.head_line and any(f.path == path and f.status[0] != "D" for f in commit.files):
                return commit
        return None

    def behind(self, sha: str) -> int | None:
        """Commits that the head reaches and `sha` does not; `None` if that cannot be counted."""
        if sha not in self.by_sha or not self.head_line:
            return None
        return len(self.head_line - self.reach((sha,)))

    def changed_since(self, sha: str) -> frozenset[str] | None:
        """The files that commits on the way from `sha` to the head changed; `None` where that cannot be told: the history
        is cut, or a merge, whose own changes are not listed, lies on the way."""
        if not self.complete or sha not in self.head_line:
            return None
        between = [self.by_sha[s] for s in self.head_line - self.reach((sha,))]
        if any(len(commit.parents) > 1 for commit in between):
            return None
        return frozenset(name for commit in between for f in commit.files for name in (f.path, f.old_path) if name)

    def matching(self, short: str) -> tuple[str, ...]:
        """Listed commits whose name begins so."""
        from bisect import bisect_left

        place = bisect_left(self.sorted_shas, short)
        found = []
        while place < len(self.sorted_shas) and self.sorted_shas[place].startswith(short):
            found.append(self.sorted_shas[place])
            place += 1
        return tuple(found)

    def renamed_to(self, path: str, present: Iterable[str]) -> tuple[str, str] | None:
        """Where a path went through its renames, if that stands today, and the commit of the first rename."""
        there = present if isinstance(present, (set, frozenset, dict)) else set(present)
        seen: set[str] = set()
        first = ""
        while path in self.moves and path not in seen:
            seen.add(path)
            path, sha = self.moves[path]
            first = first or sha
            if path in there:
                return path, first
        return None
