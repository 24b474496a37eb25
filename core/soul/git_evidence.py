"""`Evidence` of a real project: its work tree, and git through the one door (core/repository.py).

At most five git processes per check, however many anchors: `ls-files`, `for-each-ref`, one bounded `log`, `status`, and
one `cat-file` that answers every question about objects. Each is bounded in time; what fails is said and makes claims
unprovable, never stale.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import SurroundingsError
from core.repositories.model import Commit, Fetching, Listing, Ref, RepositoryProblem, WorkState
from core.repository import Repository, movement_of, open_repository
from core.soul.evidence import Receipt, Standing, Symbols
from core.soul.ignoring import ignore_rules
from core.soul.receipts import read_receipts
from core.soul.symbols import SymbolIndex, read_bytes

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

MOST_COMMITS = 20_000
"""Commits whose files are looked at: renames and deletions before them are not known."""
MAX_TEXT = 16 * 1024 * 1024
"""Bytes of a file that is read for its lines."""


class GitEvidence:
    """Answers for the checkout that `root` is. Close it when the check is done. Every question to git is put once."""

    def __init__(self, repository: Repository, state: Path | None, symbols: SymbolIndex | None = None) -> None:
        self._repository = repository
        self.root = repository.root
        self._real = os.path.realpath(self.root)
        self._state = state
        self._symbols = symbols or SymbolIndex(self.root)
        self._troubles: list[str] = []
        self._standings: dict[str, Standing] = {}
        self._folders: dict[str, bool] = {}
        self._texts: dict[str, str | None] = {}
        self._old: dict[tuple[str, str], str | None] = {}
        self._rules: dict[str, GitIgnoreSpec | None] = {}
        self._above: dict[str, tuple[tuple[int, GitIgnoreSpec], ...]] = {}

    @property
    def symbol_index(self) -> SymbolIndex:
        """The index of symbols that it asks: another check may go on with it."""
        return self._symbols

    @property
    def git_dir(self) -> str:
        """Git's own folder of this checkout."""
        return self._repository.git_dir

    @property
    def movement(self) -> object:
        """Changes whenever the head, a branch or a tag moves."""
        found = movement_of(self.root)
        return None if found is None else found[1]

    def probe(self, path: str) -> list[object]:
        """What a path outside git looks like: its standing, size and time."""
        standing = self._look(path)
        if standing is not Standing.FILE:
            return [standing.value]
        try:
            info = os.stat(os.path.join(self._real, path))
        except OSError:
            return [Standing.MISSING.value]  # gone since it was looked at
        return [standing.value, info.st_size, info.st_mtime_ns]

    def probes(self) -> dict[str, list[object]]:
        """What git does not tell the state of, with what it looked like: every path that was looked at and that it does
        not track, and every tracked one that it was told not to look at, where it is there."""
        odd = self._listing.odd if self._listing is not None else frozenset[str]()
        seen = self._standings.keys() - (frozenset(self.tracked or ()) - odd)
        found = {p: self.probe(p) for p in (*sorted(seen), *sorted(odd - seen)) if p.isprintable()}
        missing = [Standing.MISSING.value]
        return {p: looked for p, looked in found.items() if p in seen or looked != missing}

    def close(self) -> None:
        """End git's processes."""
        self._repository.close()

    @property
    def processes(self) -> int:
        """Git processes started so far."""
        return self._repository.processes

    def _problem(self, problem: RepositoryProblem) -> None:
        if problem.what not in self._troubles:
            self._troubles.append(problem.what)

    # -- git

    @cached_property
    def _refs(self) -> tuple[Ref, ...] | None:
        found = self._repository.refs()
        if isinstance(found, RepositoryProblem):
            self._problem(found)
            return None
        return found

    @cached_property
    def head(self) -> str:
        """The commit checked out; told from the listed refs where a branch is."""
        branch = self._repository.branch
        if branch and self._refs is not None:
            return next((r.sha for r in self._refs if r.name == f"refs/heads/{branch}"), "")
        found = self._repository.head()
        if isinstance(found, RepositoryProblem):
            self._problem(found)
            return ""
        return found.sha

    @cached_property
    def _work(self) -> WorkState | None:
        found = self._repository.work_state()
        if isinstance(found, RepositoryProblem):
            self._problem(found)
            return None
        return found

    @cached_property
    def dirty(self) -> bool | None:
        """True if a tracked file differs from the commit."""
        return None if self._work is None else any(c.status != "?" for c in self._work.changed)

    @property
    def dirty_hash(self) -> str:
        """Changes with every changed or new file; `""` where nothing differs from the commit."""
        return self._work.digest if self._work is not None and self._work.changed else ""

    @cached_property
    def untracked(self) -> tuple[str, ...]:
        """New files, and repositories in the work tree (`dir/`)."""
        return () if self._work is None else tuple(c.path for c in self._work.changed if c.status == "?")

    @cached_property
    def removed(self) -> tuple[str, ...]:
        """Files of the commit that the index or the work tree took away."""
        return () if self._work is None else tuple(c.path for c in self._work.changed if c.status == "D")

    @cached_property
    def _listing(self) -> Listing | None:
        found = self._repository.listing()
        if isinstance(found, RepositoryProblem):
            self._problem(found)
            return None
        return found

    @cached_property
    def tracked(self) -> tuple[str, ...] | None:
        """Tracked files, sorted."""
        return None if self._listing is None else self._listing.paths

    @cached_property
    def _settled(self) -> frozenset[str]:
        if self._listing is None or self._work is None:
            return frozenset()
        return frozenset(self._listing.paths) - self._listing.odd - {c.path for c in self._work.changed}

    def settled(self, path: str) -> bool:
        """True if git looked at this plain file and found it as the commit holds it."""
        return path in self._settled

    @cached_property
    def tags(self) -> Mapping[str, str] | None:
        """Tags to commits."""
        return None if self._refs is None else {r.short: r.sha for r in self._refs if r.is_tag}

    @cached_property
    def tag_times(self) -> Mapping[str, float]:
        """When each tag was made."""
        return {r.short: r.at for r in self._refs or () if r.is_tag and r.at is not None}

    @cached_property
    def branches(self) -> frozenset[str]:
        """Branches of this repository and of its remotes, those without their remote's name too."""
        names = {r.short for r in self._refs or () if not r.is_tag}
        return frozenset(names | {n.partition("/")[2] for n in names if n.startswith(("origin/", "upstream/"))})

    @cached_property
    def commits(self) -> tuple[Commit, ...] | None:
        """The newest commits with the files each changed."""
        starts = list(dict.fromkeys([*([self.head] if self.head else []), *(r.sha for r in self._refs or ())]))
        if not starts:
            return () if self._refs is not None else None
        found = self._repository.log(MOST_COMMITS, starts=starts)
        if isinstance(found, RepositoryProblem):
            self._problem(found)
            return None
        return found

    @property
    def complete(self) -> bool:
        """True if nothing of the history is missing."""
        return not self.shallow and self.commits is not None and len(self.commits) < MOST_COMMITS

    @property
    def shallow(self) -> bool:
        """True for a shallow clone."""
        return self._repository.is_shallow

    @cached_property
    def names(self) -> frozenset[str]:
        """What the repository is called."""
        return self._repository.names

    @cached_property
    def untagged(self) -> bool:
        """True for a clone that leaves tags out, or has none at all."""
        fetching = self._repository.fetching
        return fetching is not Fetching.NOTHING and (fetching is Fetching.NO_TAGS or not self.tags)

    @property
    def troubles(self) -> tuple[str, ...]:
        """What could not be asked."""
        return tuple(self._troubles)

    def object_kind(self, name: str) -> str | None:
        """The kind of an object, `""` if there is none."""
        found = self._repository.object_kind(name)
        if isinstance(found, RepositoryProblem):
            self._problem(found)
            return None
        return found

    def fetch(self, commit: str, paths: Sequence[str]) -> None:
        """Read several files at a commit at once: a question each costs a wait each."""
        wanted = [p for p in dict.fromkeys(paths) if (commit, p) not in self._old]
        for path, found in zip(wanted, self._repository.contents(wanted, commit), strict=True):
            text = None if isinstance(found, RepositoryProblem) else found.data.decode("utf-8", "replace")
            self._old[commit, path] = text

    def text_at(self, commit: str, path: str) -> str | None:
        """A file at a commit."""
        key = (commit, path)
        if key not in self._old:
            found = self._repository.content(path, commit)
            self._old[key] = None if isinstance(found, RepositoryProblem) else found.data.decode("utf-8", "replace")
        return self._old[key]

    # -- the work tree

    @cached_property
    def submodules(self) -> tuple[str, ...]:
        """Paths named in `.gitmodules`."""
        text = self.text(".gitmodules") if self.standing(".gitmodules") is Standing.FILE else None
        return tuple(re.findall(r"^\s*path\s*=\s*(\S.*?)\s*$", text or "", re.MULTILINE))

    @cached_property
    def sparse(self) -> bool:
        """True if this checkout leaves tracked files out."""
        try:
            return os.path.getsize(os.path.join(self._repository.git_dir, "info", "sparse-checkout")) > 0
        except OSError:
            return False  # the file is there in sparse checkouts only

    def standing(self, path: str) -> Standing:
        """What a path is; a link that leads out of the root is outside."""
        if path not in self._standings:
            self._standings[path] = Standing.FILE if path in self._settled else self._look(path)
        return self._standings[path]

    def _look(self, path: str) -> Standing:
        if os.path.isabs(path) or "\0" in path or path == ".git" or path.startswith(".git/"):
            return Standing.OUTSIDE
        full = f"{self._real}/{path}"
        try:
            mode = os.lstat(full).st_mode
            plain = not stat.S_ISLNK(mode) and self._plain(path.rpartition("/")[0])
        except (OSError, ValueError):
            mode, plain = 0, self._plain(path.rpartition("/")[0])
        if not plain:
            real = os.path.realpath(full)
            if real != self._real and not real.startswith(self._real + os.sep):
                return Standing.OUTSIDE
            if os.path.isdir(real):
                return Standing.FOLDER
            return Standing.FILE if os.path.exists(real) else Standing.MISSING
        if not mode or (not stat.S_ISREG(mode) and not stat.S_ISDIR(mode) and path in (self.tracked or ())):
            return Standing.MISSING  # a pipe where git has a file
        return Standing.FOLDER if stat.S_ISDIR(mode) else Standing.FILE

    def _plain(self, folder: str) -> bool:
        """True if no part of a folder's path is a link, so that what lies in it lies in the root."""
        if not folder:
            return True
        if folder not in self._folders:
            try:
                link = stat.S_ISLNK(os.lstat(os.path.join(self._real, folder)).st_mode)
            except (OSError, ValueError):
                link = False  # it is not there, and so leads nowhere
            self._folders[folder] = not link and ".." not in folder and self._plain(folder.rpartition("/")[0])
        return self._folders[folder]

    def text(self, path: str) -> str | None:
        """A file's text."""
        if path not in self._texts:
            self._texts[path] = self._read(path)
        return self._texts[path]

    def _read(self, path: str) -> str | None:
        if self.standing(path) is not Standing.FILE:
            return None
        try:
            data, _ = read_bytes(f"{self._real}/{path}", MAX_TEXT, follow=True)
        except OSError:
            return None
        return None if data is None or b"\0" in data[:8192] else data.decode("utf-8", "replace")

    def ignored(self, path: str) -> bool:
        """True if `.gitignore` files on its way, or the repository's own excludes, leave a path out."""
        parts = path.rstrip("/").split("/")
        verdict = False
        for depth, rules in self._rules_above(path.rstrip("/").rpartition("/")[0]):
            rest = "/".join(parts[depth:]) + ("/" if path.endswith("/") else "")
            for end in range(1, len(parts) - depth + 1):
                piece = "/".join(parts[depth : depth + end]) + "/" if end < len(parts) - depth else rest
                result = rules.check_file(piece)
                if result.include is not None:
                    verdict = result.include
                    if verdict and end < len(parts) - depth:
                        return True  # below an ignored folder nothing can be taken back
        return verdict

    def _rules_above(self, folder: str) -> tuple[tuple[int, GitIgnoreSpec], ...]:
        """The rules for what lies in a folder, each with the number of folders above it; the root's first."""
        if folder not in self._above:
            if folder:
                upper, depth = self._rules_above(folder.rpartition("/")[0]), folder.count("/") + 1
                sources = [os.path.join(self._real, folder, ".gitignore")]
            else:
                upper, depth = (), 0
                excludes = os.path.join(self._repository.common_dir, "info", "exclude")
                sources = [excludes, os.path.join(self._real, ".gitignore")]
            own = ((depth, rules) for source in sources if (rules := self._rules_of(source)) is not None)
            self._above[folder] = (*upper, *own)
        return self._above[folder]

    def _rules_of(self, source: str) -> GitIgnoreSpec | None:
        if source not in self._rules:
            self._rules[source] = ignore_rules(source)
        return self._rules[source]

    def symbols(self, names: Iterable[str]) -> Symbols:
        """Definitions in the source, tracked or new."""
        new = sorted(p for p in self.untracked if not p.endswith("/"))
        settled = self._settled
        inside = [p for p in (*(self.tracked or ()), *new) if p in settled or self._plain(p.rpartition("/")[0])]
        return self._symbols.lookup(names, inside)

    @cached_property
    def _receipts(self) -> tuple[Receipt, ...]:
        return read_receipts(self._state, self.root) if self._state is not None else ()

    def receipts(self) -> Sequence[Receipt]:
        """Stored receipts, newest first."""
        return self._receipts


def open_project(path: str, state: Path | None, symbols: SymbolIndex | None = None) -> GitEvidence:
    """The evidence of the checkout that `path` lies in.

    Raises `SurroundingsError` outside a repository, and in a bare one, which has no files to check.
    """
    found = open_repository(path)
    if isinstance(found, RepositoryProblem):
        raise SurroundingsError(f"{found.what} A soul travels with git.", found.hint or "Run: git init")
    if found.is_bare:
        raise SurroundingsError(
            f"{found.git_dir} is a bare repository: it has no files to check.", "Run this in a checkout of it."
        )
    return GitEvidence(found, state, symbols)
