"""The one door to a project's git repository: what is asked, what git is started for, and how failures are told.

Nothing here runs what a repository's configuration names, writes into a repository, or reaches a network; see
`core.repositories.process`. Every answer is a value or a `RepositoryProblem`. Nothing is cached but the folders found
by `open_repository` and the process that reads objects: each question is put to git afresh, and `processes` counts.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence

from core.repositories.filters import filters_named
from core.repositories.listings import COMMIT_FORMAT, REF_FORMAT, changes, commits, listing, refs, statuses, words
from core.repositories.model import (
    Blob,
    Commit,
    Fetching,
    FileChange,
    Head,
    Listing,
    Ref,
    Remote,
    RepositoryProblem,
    Trouble,
    WorkState,
)
from core.repositories.objects import ObjectStore
from core.repositories.places import Place, find_place, head_text, is_sha, is_shallow, movement, remotes_of
from core.repositories.process import GitRunner

__all__ = [
    "Blob", "Commit", "FileChange", "Head", "Listing", "Ref", "Remote", "Repository", "RepositoryProblem", "Trouble",
    "WorkState", "movement_of", "open_repository",
]  # fmt: skip

LOG_SECONDS = 30.0
"""How long a listing of commits may take: a first one reads every tree of the newest part of a history."""
MOST_COMMITS = 100_000
"""Commits of one listing at most."""
_LISTED = ("--no-ext-diff", "--no-textconv", "--no-show-signature", "--no-color", "--encoding=UTF-8", "--no-mailmap")


def open_repository(path: str) -> Repository | RepositoryProblem:
    """The repository that `path` lies in (the path itself, or the nearest folder above). Starts no process."""
    place = find_place(path)
    if place is None:
        return RepositoryProblem(
            Trouble.NOT_A_REPOSITORY, path, f"{path} lies in no git repository.", "Name a folder inside one."
        )
    return Repository(place)


def movement_of(path: str) -> tuple[Place, tuple[tuple[str, int, int], ...]] | None:
    """The repository of a path and what its head and refs look like, from a few `stat` calls; `None` if there is none.

    Two equal answers mean that no ref moved in between.
    """
    place = find_place(path)
    return None if place is None else (place, movement(place))


class Repository:
    """One checkout, or one bare repository. Close it, or use it as a context, once objects were read."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self._runner = GitRunner(place)
        self._objects = ObjectStore(self._runner, place.root or place.git_dir)

    # -- what its folders say: no process

    @property
    def root(self) -> str:
        """The working folder, `""` for a bare repository."""
        return self.place.root

    @property
    def git_dir(self) -> str:
        """This checkout's own folder (head, index)."""
        return self.place.git_dir

    @property
    def common_dir(self) -> str:
        """What all worktrees of one repository share, and so its identity."""
        return self.place.common_dir

    @property
    def is_bare(self) -> bool:
        """True if there are no working files."""
        return not self.place.root

    @property
    def is_worktree(self) -> bool:
        """True for a checkout beside the main one (`git worktree add`)."""
        return self.place.git_dir != self.place.common_dir

    @property
    def is_shallow(self) -> bool:
        """True if older history was not fetched: what is missing there proves nothing."""
        return is_shallow(self.place)

    @property
    def fetching(self) -> Fetching:
        """What is fetched here, as the repository's own configuration says."""
        return remotes_of(self.place)[0]

    @property
    def names(self) -> frozenset[str]:
        """What the repository is called: by its folder, by that of its first checkout, and by its remotes."""
        folders = (self.root, os.path.dirname(self.place.common_dir))
        return remotes_of(self.place)[1] | {os.path.basename(f) for f in folders if f} - {""}

    @property
    def processes(self) -> int:
        """Git processes started by this object so far."""
        return self._runner.started

    @property
    def branch(self) -> str:
        """The branch checked out, `""` where the head is detached."""
        text = head_text(self.place)
        return text.removeprefix("ref:").strip().removeprefix("refs/heads/") if text.startswith("ref:") else ""

    # -- git

    def head(self) -> Head | RepositoryProblem:
        """The commit and branch checked out; an unborn branch has no commit. At most one process."""
        text = head_text(self.place)
        if is_sha(text):
            return Head(text, "")
        name = "HEAD^{commit}"
        found = self._runner.run(["rev-parse", "--verify", "--quiet", "--end-of-options", name])
        if isinstance(found, RepositoryProblem):
            if found.kind is Trouble.FAILED and self.branch:  # quiet: status 1 and no words mean that nothing is there
                return Head("", self.branch)
            return found
        return Head(words(found).strip(), self.branch)

    def tracked(self) -> tuple[str, ...] | RepositoryProblem:
        """Every tracked file, sorted as git sorts. One process."""
        found = self.listing()
        return found if isinstance(found, RepositoryProblem) else found.paths

    def listing(self) -> Listing | RepositoryProblem:
        """Every tracked file, and those whose state git does not tell. One process."""
        if self.is_bare:
            return self._bare("tracked files")
        found = self._runner.run(["ls-files", "-z", "-v", "--stage", "--cached", "--full-name"])
        return found if isinstance(found, RepositoryProblem) else listing(found)

    def refs(self) -> tuple[Ref, ...] | RepositoryProblem:
        """Branches, tags and remotes' branches, by name. One process."""
        found = self._runner.run(["for-each-ref", f"--format={REF_FORMAT}", "refs/heads", "refs/tags", "refs/remotes"])
        return found if isinstance(found, RepositoryProblem) else tuple(refs(found))

    def log(
        self, limit: int, *, starts: Sequence[str] = (), without: Sequence[str] = (), files: bool = True
    ) -> tuple[Commit, ...] | RepositoryProblem:
        """Up to `limit` commits, newest first, with the files each changed (renames followed in the letter `R`).

        Without `starts`, those that any branch, tag, remote's branch or the head reaches; `without` leaves out what
        these commits reach. One process, two without `starts`.
        """
        tips = list(starts)
        if not tips:
            head = self.head()
            if isinstance(head, RepositoryProblem):
                return head
            tips = ["--branches", "--tags", "--remotes", *([head.sha] if head.sha else [])]
        names = [f"^{sha}" for sha in without]
        given = "\n".join([*tips, *names, ""]).encode("utf-8", "surrogateescape")
        options = [f"--max-count={min(limit, MOST_COMMITS)}", "--date-order", "--stdin"]
        if not starts:
            options, given = [*options, *tips], "\n".join([*names, ""]).encode()
        return self._log([*options, *(_FILES if files else ())], given=given)

    def changes(self, since: str, until: str = "") -> tuple[FileChange, ...] | RepositoryProblem:
        """The files that differ between two commits, or between one and the work tree where `until` is `""`: deletions,
        renames (status `R`) and changed modes included, new files that git does not track not. One or two processes.

        A name is a commit's, whole or shortened, or a branch's or tag's; one that git could take for an option is refused.
        """
        for name in (since, *([until] if until else [])):
            if name.startswith("-") or any(c.isspace() or ord(c) < 0x20 for c in name) or ".." in name or not name:
                return RepositoryProblem(Trouble.NOT_FOUND, self.root, f"{name!r} names no commit.", "Check the name.")
        if self.is_bare and not until:
            return self._bare("working files")
        filters = self._filters()
        if isinstance(filters, RepositoryProblem):
            return filters
        options = ["--name-status", "-M", "-z", "--no-ext-diff", "--no-textconv", "--no-relative", "--no-color"]
        names = [f"{since}^{{commit}}", *([f"{until}^{{commit}}"] if until else [])]
        found = self._runner.run(
            [*filters, "diff", *options, "--ignore-submodules=dirty", *names, "--"], seconds=LOG_SECONDS
        )
        return found if isinstance(found, RepositoryProblem) else tuple(changes(found))

    def count(self, starts: Sequence[str]) -> int | RepositoryProblem:
        """How many commits these reach. One process."""
        given = "\n".join([*starts, ""]).encode()
        found = self._runner.run(["rev-list", "--count", "--stdin"], given=given)
        return found if isinstance(found, RepositoryProblem) else int(found)

    def commits(self, shas: Sequence[str], *, files: bool = True) -> tuple[Commit, ...] | RepositoryProblem:
        """These commits, in this order; names that lead to none, or to several, are left out. Two processes."""
        named = [sha for sha in dict.fromkeys(shas) if _is_name(sha)]
        if not named:
            return ()
        check = self._runner.run(
            ["cat-file", "--batch-check=%(objectname) %(objecttype)"],
            given="".join(f"{sha}^{{commit}}\n" for sha in named).encode(),
        )
        if isinstance(check, RepositoryProblem):
            return check
        rows = (row.split() for row in check.splitlines())
        known = dict.fromkeys(words(row[0]) for row in rows if len(row) == 2 and row[1] == b"commit")
        if not known:
            return ()
        given = "\n".join([*known, ""]).encode()
        return self._log(["--no-walk=unsorted", "--stdin", *(_FILES if files else ())], given=given)

    def span_log(self, path: str, first: int, last: int, limit: int = 1000) -> tuple[Commit, ...] | RepositoryProblem:
        """Every commit that changed lines `first` to `last` (from 1, as the file stands at the head), newest first.

        `git log -L` follows the span through moves within the file and through renames. One process.
        """
        span = f"{max(first, 1)},{max(last, first, 1)}:{path}"
        return self._log([f"-L{span}", "-s", f"--max-count={limit}"])

    def file_log(self, path: str, limit: int = 1000) -> tuple[Commit, ...] | RepositoryProblem:
        """Every commit that changed a file, through its renames, newest first. One process."""
        return self._log(["--follow", f"--max-count={limit}", *_FILES, "--", path])

    def last_touch(self, path: str) -> Commit | RepositoryProblem | None:
        """The last commit reachable from the head that changed a file or folder; `None` if none did. One process."""
        found = self._log(["--max-count=1", "--", path])
        if isinstance(found, RepositoryProblem):
            return found
        return found[0] if found else None

    def content(self, path: str, at: str = "HEAD") -> Blob | RepositoryProblem:
        """A file's content at a commit. The first question starts one process, which answers all later ones."""
        return self._objects.read(f"{at}:{path}", "blob")

    def contents(self, paths: Sequence[str], at: str = "HEAD") -> list[Blob | RepositoryProblem]:
        """Several files at a commit, in their order; see `content`."""
        return self._objects.read_all([f"{at}:{path}" for path in paths], "blob")

    def object_kind(self, name: str) -> str | RepositoryProblem:
        """The kind of an object (`commit`, `tree`, `blob`, `tag`), `""` if there is none, or if several begin so."""
        found = self._objects.read(name)
        if isinstance(found, RepositoryProblem):
            return "" if found.kind is Trouble.NOT_FOUND else found
        return found.kind

    def remotes(self) -> tuple[Remote, ...] | RepositoryProblem:
        """The remotes with their addresses as configured. One process."""
        found = self._runner.run(["config", "-z", "--get-regexp", r"^remote\..*\.url$"])
        if isinstance(found, RepositoryProblem):
            return () if found.kind is Trouble.FAILED else found  # status 1: no such setting
        rows = (words(row).partition("\n") for row in found.split(b"\0") if row)
        return tuple(Remote(key.removeprefix("remote.").removesuffix(".url"), url) for key, _, url in rows)

    def work_state(self) -> WorkState | RepositoryProblem:
        """How the working files differ from the head, submodules left aside. One process and a `stat` a file (two
        processes where the repository's configuration includes other files).

        New files are listed one by one: a folder's own time does not tell that a file in it was changed. Clean filters
        are switched off by name, so that comparing a file runs nothing; a filtered file that was touched
        may then count as changed.
        """
        if self.is_bare:
            return self._bare("working files")
        filters = self._filters()
        if isinstance(filters, RepositoryProblem):
            return filters
        found = self._runner.run(
            [*filters, "status", "--porcelain=v1", "-z", "--untracked-files=all", "--ignore-submodules=all",
             "--no-renames", "--no-ahead-behind"]
        )  # fmt: skip
        if isinstance(found, RepositoryProblem):
            return found
        changed = tuple(sorted(statuses(found), key=lambda change: change.path))
        return WorkState(changed, self._digest(changed))

    def _filters(self) -> list[str] | RepositoryProblem:
        """Options that switch off every filter that any configuration defines. One process where the repository's own
        configuration includes other files, else none."""
        drivers = filters_named(self.place)
        if drivers is None:
            found = self._runner.run(["config", "-z", "--name-only", "--get-regexp", r"^filter\."])
            if isinstance(found, RepositoryProblem) and found.kind is not Trouble.FAILED:
                return found
            keys = b"" if isinstance(found, RepositoryProblem) else found
            drivers = {words(key).partition(".")[2].rpartition(".")[0] for key in keys.split(b"\0") if key}
        if any("=" in name or "\n" in name for name in drivers):
            return RepositoryProblem(
                Trouble.FAILED, self.root, "A filter of the repository has a name that cannot be switched off.",
                "Rename the filter whose name holds “=” or a line break in .git/config.",
            )  # fmt: skip
        settings = (
            f"filter.{n}.{k}" for n in sorted(drivers) for k in ("clean=", "smudge=", "process=", "required=false")
        )
        return [part for setting in settings for part in ("-c", setting)]

    def _digest(self, changed: Sequence[FileChange]) -> str:
        digest = hashlib.blake2b(digest_size=16)
        digest.update(head_text(self.place).encode("utf-8", "surrogateescape"))
        for change in changed:
            try:
                info = os.lstat(os.path.join(self.root, change.path))
                stamp = f"{info.st_size} {info.st_mtime_ns} {info.st_mode}"
            except OSError:
                stamp = "gone"
            line = f"{change.status}\0{change.path}\0{change.old_path}\0{stamp}\0"
            digest.update(line.encode("utf-8", "surrogateescape"))
        return digest.hexdigest()

    def _log(self, options: Sequence[str], *, given: bytes = b"") -> tuple[Commit, ...] | RepositoryProblem:
        """One `git log`; a repository without commits has an empty one."""
        argv = ["log", "-z", f"--format={COMMIT_FORMAT}", *_LISTED, *options]
        found = self._runner.run(argv, given=given, seconds=LOG_SECONDS)
        if isinstance(found, RepositoryProblem):
            if "does not have any commits yet" in found.what:
                return RepositoryProblem(Trouble.UNBORN, found.path, "The repository has no commit yet.", "")
            return found
        return tuple(commits(found))

    def _bare(self, what: str) -> RepositoryProblem:
        return RepositoryProblem(
            Trouble.BARE, self.git_dir, f"A bare repository has no {what}.", "Ask in a checkout of it."
        )

    def close(self) -> None:
        """End the process that reads objects, if one runs."""
        self._objects.close()

    def __enter__(self) -> Repository:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


_FILES = ("--name-status", "-M", "--no-relative")


def _is_name(sha: str) -> bool:
    """True for a commit's name, whole or shortened to seven digits or more: nothing that git could take for an option."""
    return 7 <= len(sha) <= 64 and all(c in "0123456789abcdef" for c in sha.lower())
