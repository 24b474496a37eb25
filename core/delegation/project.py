"""The project that a packet is about: its files, its state and its newest history, each asked once and bounded.

Reads the work tree as it is now; links are not followed, large and binary files are passed over. Git is asked through the
one door (core/repository.py): the listing, the state, the head, and one log.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator, Sequence
from functools import cached_property

from core.delegation.model import Binding, Trust
from core.delegation.scope import is_folder, is_glob
from core.repositories.model import Commit, FileChange, Head, RepositoryProblem, Trouble, WorkState
from core.repository import Repository, open_repository

MAX_FILE = 512 * 1024
"""Bytes of a file that is read for its words and imports."""
MAX_READ = 96 * 1024 * 1024
"""Bytes that are read for one packet, files in their order."""
MAX_DIGEST = 64 * 1024 * 1024
"""Bytes of a changed file that are compared."""
MOST_COMMITS = 2000
"""Commits of the head that are looked at for what changed together."""
MOST_BASELINE = 5000
"""Files whose change before the delegation is remembered."""
MOST_FENCED = 2000
"""Ignored files below one folder that must not be touched that are remembered."""
_GENERATED = frozenset(("node_modules", "vendor", "third_party", "dist", "build", "target", ".venv", "__pycache__"))
_NOISE = (
    ".min.js",
    ".min.css",
    ".map",
    ".lock",
    ".svg",
    ".snap",
    ".pb.go",
    "_pb2.py",
    ".ipynb",
    ".csv",
    ".tsv",
    ".jsonl",
)
_LOCKS = frozenset(("package-lock.json", "pnpm-lock.yaml", "go.sum", "npm-shrinkwrap.json", "requirements.lock"))


def bind(start: str) -> tuple[Binding, Repository | None]:
    """The project that a folder lies in: what `recollect where` prints and every packet is bound to."""
    found = open_repository(start)
    if isinstance(found, RepositoryProblem):
        return Binding("", Trust.NONE, "", limits=(found.what,)), None
    if found.is_bare:
        return Binding("", Trust.NONE, "", limits=(f"{found.git_dir} is a bare repository: it has no files.",)), None
    head = found.head()
    limits = [] if not found.is_shallow else ["The clone is shallow: older history is not here."]
    if isinstance(head, RepositoryProblem):
        limits.insert(0, head.what)
        head = Head("", found.branch)
    trust = Trust.PARTIAL if limits else Trust.FULL
    return Binding(found.root, trust, head.sha, head.branch, tuple(limits)), found


class Project:
    """One checkout, read for one packet or one debrief. Close it."""

    def __init__(self, binding: Binding, repository: Repository) -> None:
        self.binding = binding
        self.repository = repository
        self.root = binding.root
        self._troubles: list[str] = []
        self._links: dict[str, bool] = {}

    def close(self) -> None:
        """End git's processes."""
        self.repository.close()

    @property
    def troubles(self) -> tuple[str, ...]:
        """What git could not say, in words."""
        return tuple(dict.fromkeys(self._troubles))

    @cached_property
    def work(self) -> WorkState | None:
        """How the files differ from the commit; `None` where git does not say."""
        found = self.repository.work_state()
        if isinstance(found, RepositoryProblem):
            self._troubles.append(found.what)
            return None
        return found

    @property
    def dirty(self) -> bool | None:
        """True if any file differs from the commit or is new."""
        return None if self.work is None else self.work.dirty

    @cached_property
    def changed(self) -> frozenset[str]:
        """Files that differ from the commit, new ones included."""
        return frozenset(c.path for c in self.work.changed) if self.work is not None else frozenset()

    @cached_property
    def files(self) -> tuple[str, ...]:
        """Every file of the project, tracked or new and not ignored, that is there now; sorted. Links are left out."""
        tracked = self.repository.tracked()
        if isinstance(tracked, RepositoryProblem):
            self._troubles.append(tracked.what)
            tracked = ()
        new = [p for p in self.changed if not p.endswith("/")]
        return tuple(sorted(p for p in {*tracked, *new} if self._is_file(p)))

    @cached_property
    def known(self) -> frozenset[str]:
        """The same as a set."""
        return frozenset(self.files)

    @cached_property
    def readable(self) -> tuple[str, ...]:
        """Files that people write: no vendored, generated, locked or recorded ones."""
        return tuple(p for p in self.files if not is_noise(p))

    @cached_property
    def commits(self) -> tuple[Commit, ...]:
        """The newest commits of the head with the files of each. One process."""
        if not self.binding.head:
            return ()
        found = self.repository.log(MOST_COMMITS, starts=[self.binding.head])
        if isinstance(found, RepositoryProblem):
            self._troubles.append(found.what)
            return ()
        return found

    def _is_file(self, path: str) -> bool:
        try:
            return stat.S_ISREG(os.lstat(self.full(path)).st_mode) and not self._below_link(path.rpartition("/")[0])
        except (OSError, ValueError):
            return False  # listed, and removed from the work tree

    def _below_link(self, folder: str) -> bool:
        if not folder:
            return False
        if folder not in self._links:
            self._links[folder] = os.path.islink(self.full(folder)) or self._below_link(folder.rpartition("/")[0])
        return self._links[folder]

    def full(self, path: str) -> str:
        """The absolute path of a file of the project."""
        return f"{self.root}/{path}"

    def data(self, path: str, most: int = MAX_FILE) -> bytes | None:
        """A file's bytes; `None` where it is gone, a link, too large or binary."""
        try:
            handle = os.open(self.full(path), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        except (OSError, ValueError):
            return None  # gone since it was listed, or not ours to read
        try:
            info = os.fstat(handle)
            if not stat.S_ISREG(info.st_mode) or info.st_size > most:
                return None
            found = os.read(handle, most + 1)
        except OSError:
            return None
        finally:
            os.close(handle)
        return None if b"\0" in found[:8192] else found

    def text(self, path: str) -> str | None:
        """A file's text, as `data`."""
        found = self.data(path)
        return None if found is None else found.decode("utf-8", "replace")

    def bodies(self) -> Iterator[tuple[str, bytes]]:
        """Every readable file with its bytes, up to `MAX_READ` in all."""
        left = MAX_READ
        for path in self.readable:
            body = self.data(path)
            if body is None:
                continue
            left -= len(body)
            if left < 0:
                return
            yield path, body

    def digest(self, path: str) -> str:
        """A file's content in short; `gone`, `link …` or `large` where it is none that is read. Of a folder (`dir/`) the names
        of the files in it that git does not watch."""
        full = self.full(path)
        if path.endswith("/"):
            names = "\0".join(self._unwatched(path)).encode("utf-8", "surrogateescape")
            return "names " + hashlib.blake2b(names, digest_size=16).hexdigest()
        try:
            info = os.lstat(full)
            if stat.S_ISLNK(info.st_mode):
                return "link " + hashlib.blake2b(os.fsencode(os.readlink(full)), digest_size=8).hexdigest()
            if not stat.S_ISREG(info.st_mode):
                return "other"
            if info.st_size > MAX_DIGEST:
                return f"large {info.st_size} {info.st_mtime_ns}"
            with open(os.open(full, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
                mode = "x" if info.st_mode & 0o100 else "-"
                return mode + hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=16)).hexdigest()
        except (OSError, ValueError):
            return "gone"

    def baseline(self, fenced: Sequence[str] = ()) -> tuple[tuple[tuple[str, str], ...], bool]:
        """What differed from the commit already, each with its digest, and whether that is all of it. `fenced` are entries
        of a scope that must not be touched: what git ignores below them is remembered too, for git never tells of it."""
        changed = [c.path for c in self.work.changed] if self.work is not None else []
        beside = [p for p in self._fenced(fenced) if p not in self.changed]
        found = (*changed[:MOST_BASELINE], *beside)
        return tuple((p, self.digest(p)) for p in found), self.work is not None and len(changed) <= MOST_BASELINE

    def _fenced(self, entries: Sequence[str]) -> Iterator[str]:
        """Files that git does not watch below the entries; a folder too of which it watches nothing, so that a new file is
        seen: elsewhere what tests and builds leave is no work. A glob's are not looked for."""
        for entry in entries:
            if is_glob(entry):
                continue
            if is_folder(entry):
                if not any(p.startswith(entry) for p in self.files):
                    yield entry
                yield from self._unwatched(entry)
            elif entry not in self.known:
                yield entry

    def _unwatched(self, folder: str) -> list[str]:
        """The files in a folder that are neither tracked nor new: ignored, and made by hand. No link is followed."""
        found: list[str] = []
        for where, below, names in os.walk(self.full(folder)):
            below[:] = sorted(b for b in below if b not in _GENERATED and b != ".git" and not b.endswith("_cache"))
            start = where[len(self.root) + 1 :].rstrip("/")
            found += [p for p in (f"{start}/{name}".lstrip("/") for name in sorted(names)) if p not in self.known]
            if len(found) >= MOST_FENCED:
                return found[:MOST_FENCED]
        return found

    def changes_since(self, commit: str) -> tuple[FileChange, ...] | RepositoryProblem:
        """What differs between a commit (`""`: nothing) and the work tree, renames followed, new files included."""
        if self.work is None:
            return RepositoryProblem(Trouble.FAILED, self.root, "The state of the work tree could not be read.", "")
        new = tuple(c for c in self.work.changed if c.status == "?")
        if not commit:
            tracked = self.repository.tracked()
            if isinstance(tracked, RepositoryProblem):
                return tracked
            return (*(FileChange("A", p) for p in tracked), *new)
        found = self.repository.changes(commit)
        return found if isinstance(found, RepositoryProblem) else (*found, *new)

    def is_behind(self, commit: str) -> bool | None:
        """True if the head reaches a commit; `None` where git does not say."""
        head = self.binding.head
        if not commit:
            return True
        if not head:
            return None
        if commit == head:
            return True
        found = self.repository.count([commit, f"^{head}"])
        return None if isinstance(found, RepositoryProblem) else found == 0


def open_bound(start: str) -> tuple[Binding, Project | None]:
    """The binding of a folder and its project, `None` where there is no checkout."""
    binding, repository = bind(start)
    return binding, None if repository is None else Project(binding, repository)


def is_noise(path: str) -> bool:
    """True for files that nobody writes by hand."""
    *folders, name = path.split("/")
    return name in _LOCKS or name.endswith(_NOISE) or any(f in _GENERATED for f in folders)
