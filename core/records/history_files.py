"""The history files: one per repository in the program's data folder, for its owner alone, brought up to date from git.

A file only grows while the history only grew; where commits were rewritten, a tag moved, or it became too long, it is
written anew. Beside it lies a small state: what the repository looked like then, so that git is started only when
something moved. Nothing that is not in git stands in either.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING

from core.frozen import dataclass
from core.records.history_lines import SUFFIX, TAG, commit_line, places, tag_line
from core.records.model import ReadProblem
from core.records.sidecars import sidecar
from core.repositories.places import Place, movement

if TYPE_CHECKING:
    from core.repository import Commit, Ref, Repository, RepositoryProblem

COMMITS = 1000
"""Commits of one repository that are read unless set otherwise, the newest."""
SLACK = 1.25
"""A file that only grew may hold so many times the bound before it is written anew."""
TAGS = 500
"""Tags of one repository that are read, the newest."""
VERSION = 1
_RETRIED = ("timeout", "git_missing", "locked")
"""Troubles that may be over the next time; any other is told again without asking git, until the repository moves."""


@dataclass(frozen=True, slots=True)
class HistoryState:
    """What is known of one repository's history file."""

    common_dir: str
    """The repository's own folder, shared by its worktrees: its identity."""
    roots: tuple[str, ...] = ()
    """Working folders of the repository that sessions named, the first one seen first."""
    remotes: tuple[str, ...] = ()
    """Its remotes as `host/owner/name`, without user names and passwords."""
    tips: tuple[str, ...] = ()
    """The commits that branches, tags and the head led to when it was read."""
    moved: str = ""
    """Stands for the state of head and refs then."""
    limit: int = 0
    size: int = 0
    """Bytes of the file; more were torn off by a crash, or are being written."""
    more: int = 0
    """Older commits that were left out; at least one where they could not be counted in time."""
    shallow: bool = False
    trouble: str = ""
    """Why it could not be read, `""` if it was."""
    hint: str = ""


@dataclass(frozen=True, slots=True)
class HistoryFiles:
    """The folder of history files. Opens nothing before it is asked."""

    folder: str
    limit: int = COMMITS
    """Commits per repository; 0 reads none."""

    def file_of(self, common_dir: str) -> str:
        """The history file of a repository."""
        name = os.path.basename(common_dir.removesuffix("/.git")).removesuffix(".git") or "repository"
        safe = re.sub(r"[^A-Za-z0-9_-]+", "-", name).strip("-")[:40] or "repository"
        import hashlib

        digest = hashlib.blake2b(common_dir.encode("utf-8", "surrogateescape"), digest_size=6).hexdigest()
        return os.path.join(self.folder, f"{safe}-{digest}{SUFFIX}")

    def state(self, file: str) -> HistoryState | None:
        """What is known of a history file; `None` if there is none, or it is of another version."""
        values = sidecar(file.removesuffix(SUFFIX) + ".json")
        if values.pop("version", None) != VERSION:
            return None
        try:
            known = HistoryState(**values)
        except TypeError:
            return None  # written by a neighbouring version: it is read again from git
        return HistoryState(**{**asdict(known), **{k: tuple(values[k]) for k in ("roots", "remotes", "tips")}})

    def states(self) -> Iterator[tuple[str, HistoryState]]:
        """Every history file with what is known of it, by name."""
        try:
            names = sorted(os.listdir(self.folder))
        except OSError:
            return  # nothing was read yet
        for name in names:
            if name.endswith(".json"):
                file = os.path.join(self.folder, name.removesuffix(".json") + SUFFIX)
                if (known := self.state(file)) is not None:
                    yield file, known

    def bring_up_to_date(
        self, repositories: Iterable[tuple[Place, Sequence[str]]], deadline: float | None = None
    ) -> tuple[ReadProblem, ...]:
        """Read what moved since the last time. `repositories` are places with the working folders that sessions named;
        `deadline` is on the monotonic clock: what is left then is read the next time. Returns what could not be read."""
        problems = []
        for place, roots in repositories if self.limit else ():
            file = self.file_of(place.common_dir)
            known = self.state(file)
            moved = _digest(place)
            named = tuple(dict.fromkeys([*(known.roots if known else ()), *roots]))
            if known is None or not self._stands(known, file, moved):
                if deadline is not None and time.monotonic() > deadline:
                    continue
                with self._writing(file) as mine:
                    known = self._read(place, file, known, moved, named) if mine else known
            elif named != known.roots:
                known = HistoryState(**{**asdict(known), "roots": named})
                self._keep(file, known)
            if known is not None and known.trouble:
                problems.append(ReadProblem(place.root or place.git_dir, None, known.trouble, known.hint))
        return tuple(problems)

    def any_moved(self, repositories: Iterable[tuple[Place, Sequence[str]]]) -> bool:
        """True if a repository stands otherwise than when its history was read; from a few `stat` calls each."""
        for place, _ in repositories if self.limit else ():
            file = self.file_of(place.common_dir)
            known = self.state(file)
            if known is None or not self._stands(known, file, _digest(place)):
                return True
        return False

    def _stands(self, known: HistoryState, file: str, moved: str) -> bool:
        """True if the file is what the repository's state gives."""
        return (known.moved, known.limit) == (moved, self.limit) and (bool(known.trouble) or _size(file) == known.size)

    def _read(
        self, place: Place, file: str, known: HistoryState | None, moved: str, roots: tuple[str, ...]
    ) -> HistoryState:
        from core.repository import Repository, RepositoryProblem  # 20 ms: most runs find every history as it was

        base = HistoryState(place.common_dir, roots, moved=moved, limit=self.limit)
        with Repository(place) as repository:
            found = _tips(repository)
            if isinstance(found, RepositoryProblem):
                return self._failed(file, base, known, found)
            tips, tags = found
            remotes = repository.remotes()
            grown = self._growth(repository, file, known, tips, tags)
            values = asdict(base) | {
                "tips": tips, "shallow": repository.is_shallow,
                "remotes": () if isinstance(remotes, RepositoryProblem) else tuple(
                    dict.fromkeys(name for r in remotes if (name := remote_name(r.url)))
                ),
            }  # fmt: skip
            if grown is not None:
                _append(file, grown)
                values["more"] = known.more if known else 0
            else:
                commits = _newest(repository, tips, self.limit + 1)
                if isinstance(commits, RepositoryProblem):
                    return self._failed(file, base, known, commits)
                lines = [commit_line(c) for c in reversed(commits[: self.limit])]
                _replace(file, [*lines, *map(tag_line, tags)])
                values["more"] = _left_out(repository, tips, self.limit) if len(commits) > self.limit else 0
        state = HistoryState(**(values | {"size": _size(file)}))
        self._keep(file, state)
        return state

    def _growth(
        self, repository: Repository, file: str, known: HistoryState | None, tips: tuple[str, ...], tags: Sequence[Ref]
    ) -> list[bytes] | None:
        """The lines to add, or `None` where the file has to be written anew."""
        if known is None or known.trouble or known.limit != self.limit or _size(file) != known.size or not known.tips:
            return None
        held = places(file)
        told = {part for part in held if part.startswith(TAG)}
        if told - {TAG + tag.short for tag in tags} or _tags_moved(file, tags):
            return None
        from core.repository import RepositoryProblem

        rewritten = repository.log(1, starts=known.tips, without=tips, files=False)
        fresh = _newest(repository, tips, self.limit + 1, known.tips)
        if isinstance(rewritten, RepositoryProblem) or rewritten or isinstance(fresh, RepositoryProblem):
            return None
        fresh = tuple(commit for commit in fresh if commit.sha not in held)
        if len(held) - len(told) + len(fresh) > self.limit * SLACK:
            return None
        lines = [commit_line(commit) for commit in reversed(fresh)]
        return lines + [tag_line(tag) for tag in tags if TAG + tag.short not in told]

    def _failed(
        self, file: str, base: HistoryState, known: HistoryState | None, problem: RepositoryProblem
    ) -> HistoryState:
        """Note what stood in the way. What was read before stays."""
        if known is not None and not known.trouble and problem.kind in _RETRIED:
            return HistoryState(**{**asdict(known), "roots": base.roots, "trouble": problem.what, "hint": problem.hint})
        values = asdict(base) | {"trouble": problem.what, "hint": problem.hint, "size": _size(file)}
        if problem.kind in _RETRIED:
            values["moved"] = ""
        state = HistoryState(**values)
        self._keep(file, state)
        return state

    def _keep(self, file: str, state: HistoryState) -> None:
        body = json.dumps({"version": VERSION, **asdict(state)}, ensure_ascii=True).encode("ascii")
        _write(file.removesuffix(SUFFIX) + ".json", [body])

    @contextmanager
    def _writing(self, file: str) -> Iterator[bool]:
        """Hold the file's lock; False if another process brings it up to date right now."""
        os.makedirs(self.folder, mode=0o700, exist_ok=True)
        descriptor = os.open(file + ".lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                mine = True
            except BlockingIOError:
                mine = False
            yield mine
        finally:
            os.close(descriptor)


def remote_name(url: str) -> str:
    """A remote's address without protocol, user, password and `.git`: `example.test/acme/shop`. `""` for a folder of this
    machine, which says nothing of what is the same project elsewhere."""
    match = re.match(r"(?:\w[\w+.-]*://)(?:[^@/\s]*@)?([^/:\s]+)(?::\d+)?/(.+)", url) or re.match(
        r"(?:[^@/\s]+@)?([^/:\s]+):(?!/)(.+)", url
    )
    if match is None or url.startswith("file:"):
        return ""
    return f"{match[1].lower()}/{match[2].strip('/').removesuffix('.git')}"


def _tips(repository: Repository) -> tuple[tuple[str, ...], tuple[Ref, ...]] | RepositoryProblem:
    """The commits to start from, and the newest tags, oldest first."""
    from core.repository import RepositoryProblem

    head, refs = repository.head(), repository.refs()
    if isinstance(head, RepositoryProblem):
        return head
    if isinstance(refs, RepositoryProblem):
        return refs
    tips = tuple(dict.fromkeys([*([head.sha] if head.sha else []), *(ref.sha for ref in refs)]))
    tags = sorted((ref for ref in refs if ref.is_tag), key=lambda ref: (ref.at or 0.0, ref.name))
    return tips, tuple(tags[-TAGS:])


def _newest(
    repository: Repository, tips: Sequence[str], limit: int, without: Sequence[str] = ()
) -> tuple[Commit, ...] | RepositoryProblem:
    """The newest commits with their files; without them where the files cannot be read (a partial clone)."""
    from core.repository import RepositoryProblem, Trouble

    if not tips:
        return ()
    found = repository.log(limit, starts=tips, without=without)
    if isinstance(found, RepositoryProblem) and found.kind in (Trouble.CORRUPT, Trouble.FAILED, Trouble.TIMEOUT):
        return repository.log(limit, starts=tips, without=without, files=False)
    return found


def _left_out(repository: Repository, tips: Sequence[str], limit: int) -> int:
    """How many commits lie beyond the bound, 1 where a very long history could not be counted in time."""
    from core.repository import RepositoryProblem

    found = repository.count(tips)
    return 1 if isinstance(found, RepositoryProblem) else max(1, found - limit)


def _tags_moved(file: str, tags: Sequence[Ref]) -> bool:
    """True if a tag's line is not what it was: it leads elsewhere, or was made anew."""
    told = places(file)
    wanted = {TAG + tag.short: tag_line(tag).rstrip(b"\n") for tag in tags}
    with open(file, "rb") as opened:
        for part, line in wanted.items():
            if (place := told.get(part)) is not None:
                opened.seek(place.start)
                if opened.read(place.end - place.start) != line:
                    return True
    return False


def _digest(place: Place) -> str:
    text = "\n".join(f"{name} {size} {mtime}" for name, size, mtime in movement(place))
    import hashlib

    return hashlib.blake2b(text.encode("utf-8", "surrogateescape"), digest_size=12).hexdigest()


def _size(file: str) -> int:
    try:
        return os.stat(file).st_size
    except OSError:
        return -1  # it is not there yet


def _append(file: str, lines: Sequence[bytes]) -> None:
    if lines:
        descriptor = os.open(file, os.O_WRONLY | os.O_APPEND)
        with os.fdopen(descriptor, "ab") as opened:
            opened.write(b"".join(lines))


def _replace(file: str, lines: Sequence[bytes]) -> None:
    os.makedirs(os.path.dirname(file), mode=0o700, exist_ok=True)
    _write(file, lines)


def _write(path: str, parts: Sequence[bytes]) -> None:
    """Write a file for its owner alone, in one step for whoever reads it."""
    fresh = f"{path}.{os.getpid()}.new"
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as opened:
        opened.write(b"".join(parts))
    os.replace(fresh, path)
