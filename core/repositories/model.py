"""The terms of a repository: what one read of git returned, as frozen values, and why a read brought nothing.

Times are seconds since the epoch, UTC. Paths of files are relative to the repository's root, with `/`; bytes that are no
UTF-8 are kept as lone surrogates (`surrogateescape`) and made printable only where they leave (core/text.py).
"""

from __future__ import annotations

from enum import IntEnum, StrEnum

from core.frozen import dataclass


class Trouble(StrEnum):
    """What kind of thing stood in the way of a read."""

    GIT_MISSING = "git_missing"
    NOT_A_REPOSITORY = "not_a_repository"
    FOREIGN = "foreign"
    """Another user owns the repository, and git does not trust it (`safe.directory`)."""
    BARE = "bare"
    """A question about working files, put to a repository without any."""
    UNBORN = "unborn"
    """A question about commits, put to a repository that has none."""
    NOT_FOUND = "not_found"
    """No such commit, path or span."""
    LOCKED = "locked"
    CORRUPT = "corrupt"
    TIMEOUT = "timeout"
    TOO_LARGE = "too_large"
    FAILED = "failed"
    """Git ended with an error that has no name here; `what` holds its words."""


@dataclass(frozen=True, slots=True)
class RepositoryProblem:
    """Why a read of a repository brought nothing. An error as a value."""

    kind: Trouble
    path: str
    """The folder that was asked about."""
    what: str
    """What happened, in words for a person."""
    hint: str = ""
    """What to do next."""


@dataclass(frozen=True, slots=True)
class Head:
    """Where a working folder stands."""

    sha: str
    """The commit, `""` in a repository without one (an unborn branch)."""
    branch: str
    """The branch's short name, `""` where the head is detached."""

    @property
    def detached(self) -> bool:
        """True if no branch is checked out."""
        return not self.branch


@dataclass(frozen=True, slots=True)
class Ref:
    """A branch, a tag or a branch of a remote."""

    name: str
    """The full name, `refs/tags/v1.0`."""
    sha: str
    """The commit it leads to; a tag object is followed."""
    at: float | None
    """When an annotated tag was made, else when its commit was committed."""
    person: str = ""
    """The tagger, or the committer."""
    subject: str = ""
    """The first line of an annotated tag's message, or of the commit's."""
    annotated: bool = False
    """True for a tag that is an object with a message of its own."""

    @property
    def short(self) -> str:
        """The name as a person says it: `v1.0`, `main`, `origin/main`."""
        for prefix in ("refs/tags/", "refs/heads/", "refs/remotes/"):
            if self.name.startswith(prefix):
                return self.name.removeprefix(prefix)
        return self.name

    @property
    def is_tag(self) -> bool:
        """True for a tag."""
        return self.name.startswith("refs/tags/")


@dataclass(frozen=True, slots=True)
class FileChange:
    """What a commit did to one file."""

    status: str
    """Git's letter: A added, M changed, D deleted, R renamed, C copied, T another type."""
    path: str
    old_path: str = ""
    """Where a renamed or copied file was before."""


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit, as it stands in the repository; nothing is inferred, no mail map applied."""

    sha: str
    parents: tuple[str, ...]
    author: str
    author_email: str
    authored: float
    committer: str
    committer_email: str
    committed: float
    message: str
    """The whole message, subject first."""
    files: tuple[FileChange, ...] = ()
    """Against the first parent; a merge is listed without files."""

    @property
    def subject(self) -> str:
        """The first line of the message."""
        return self.message.lstrip().partition("\n")[0].strip()


class Fetching(IntEnum):
    """What a repository takes from others."""

    NOTHING = 0
    """It has no remote."""
    AS_USUAL = 1
    NO_TAGS = 2
    """Its branches without their tags."""


@dataclass(frozen=True, slots=True)
class Remote:
    """A remote of a repository, as its configuration has it. The address may hold a password: it is for comparison."""

    name: str
    url: str


@dataclass(frozen=True, slots=True)
class Blob:
    """An object's content; of a file at a commit as a rule."""

    sha: str
    data: bytes
    kind: str = "blob"


@dataclass(frozen=True, slots=True)
class Listing:
    """What the index of a checkout names."""

    paths: tuple[str, ...]
    """Tracked files, sorted as git sorts."""
    odd: frozenset[str]
    """Those of them that are no plain files (links, submodules), are not merged, or that git was told not to look at:
    that its status is silent about them shows nothing."""


@dataclass(frozen=True, slots=True)
class WorkState:
    """How the working files differ from the head."""

    changed: tuple[FileChange, ...]
    """Tracked files that differ, and untracked ones (status `?`), by path."""
    digest: str
    """Stands for the head and for the names, sizes and times of the differing files; the same state, the same digest."""

    @property
    def dirty(self) -> bool:
        """True if anything differs."""
        return bool(self.changed)
