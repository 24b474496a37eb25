"""What a check may ask of a project: files, git, symbols, receipts. One port, so that a recorded snapshot answers too.

Paths are relative to the project's root, with `/`. Every answer that could not be had is `None` or said in `troubles`:
what is not known makes a claim unprovable, never stale.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from enum import StrEnum
from typing import Protocol

from core.frozen import dataclass
from core.repositories.model import Commit


class Standing(StrEnum):
    """What a path is in the work tree."""

    FILE = "file"
    FOLDER = "folder"
    MISSING = "missing"
    OUTSIDE = "outside"
    """It leads out of the root: absolute, through `..`, or through a symbolic link."""


@dataclass(frozen=True, slots=True)
class Definition:
    """One definition of a symbol."""

    path: str
    name: str
    """Its own name."""
    scopes: tuple[str, ...]
    """The names of what it lies in, outermost first: module, class, receiver, namespace."""
    line: int
    end: int
    """The last line of its body."""
    field: bool = False
    """True for a part of a type or an object: it counts where a claim names what holds it."""
    bodiless: bool = False
    """True for a declaration whose body stands elsewhere, or nowhere."""
    routine: bool = False
    """True for a function or a method: nothing is a member of it, but what it defines for itself."""
    local: bool = False
    """True for what a function defines for itself: it is a part of that function, and of nothing around it."""

    @property
    def qualified(self) -> str:
        """Its name with its scopes."""
        return "::".join((*self.scopes, self.name))


@dataclass(frozen=True, slots=True)
class Symbols:
    """The definitions of the names that were asked for, and what could not be read for them."""

    by_name: Mapping[str, tuple[Definition, ...]] = field(default_factory=dict)
    unread: tuple[str, ...] = ()
    """Source files that could not be parsed (too large, unreadable)."""
    foreign: bool = False
    """True if the project holds source in languages without a grammar here."""
    mentioned: frozenset[str] = frozenset()
    """Names that occur in source of such languages."""
    imported: frozenset[str] = frozenset()
    """Names that source takes in from elsewhere, or could (C, C++, Ruby: every name it mentions)."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """The result of a command that a person had run through `recollect soul receipt`."""

    command: str
    exit_code: int
    head: str
    dirty_hash: str
    at: float
    """Seconds since the epoch, UTC."""
    seconds: float = 0.0
    counts: Mapping[str, int] = field(default_factory=dict)
    """`passed`, `failed`, `skipped`, `total`, as far as its output could be read."""


class Evidence(Protocol):
    """The project that a document speaks of, as it stands now."""

    @property
    def head(self) -> str:
        """The commit checked out, whole; `""` in a repository without one."""
        ...

    @property
    def names(self) -> frozenset[str]:
        """What the repository is called: `pay/src/a.py` may be its `src/a.py`."""
        ...

    @property
    def dirty(self) -> bool | None:
        """True if tracked files differ from the commit; `None` if that could not be asked."""
        ...

    @property
    def dirty_hash(self) -> str:
        """Changes whenever a changed or new file changes; `""` where nothing differs from the commit."""
        ...

    @property
    def tracked(self) -> Sequence[str] | None:
        """Tracked files, sorted; `None` if the list could not be had."""
        ...

    @property
    def untracked(self) -> Sequence[str]:
        """New files that are not ignored, and repositories in the work tree (`dir/`)."""
        ...

    @property
    def removed(self) -> Sequence[str]:
        """Files of the commit that the index or the work tree took away."""
        ...

    @property
    def tags(self) -> Mapping[str, str] | None:
        """Tags to commits; `None` if they could not be had."""
        ...

    @property
    def tag_times(self) -> Mapping[str, float]:
        """When each tag was made, seconds since 1970."""
        ...

    @property
    def untagged(self) -> bool:
        """True for a clone that leaves tags out, or has none at all: a tag that is missing here may be at its origin."""
        ...

    @property
    def branches(self) -> frozenset[str]:
        """Names of branches, those of remotes with their remote."""
        ...

    @property
    def commits(self) -> Sequence[Commit] | None:
        """Commits that any ref or the head reaches, newest first; `None` if they could not be had."""
        ...

    @property
    def complete(self) -> bool:
        """True if `commits` is the whole history: neither cut short nor a shallow clone."""
        ...

    @property
    def shallow(self) -> bool:
        """True for a clone without its older history: neither tags nor commits prove anything by their absence."""
        ...

    @property
    def submodules(self) -> tuple[str, ...]:
        """Paths of submodules."""
        ...

    @property
    def sparse(self) -> bool:
        """True for a sparse checkout: tracked files may be absent on purpose."""
        ...

    @property
    def troubles(self) -> tuple[str, ...]:
        """What could not be asked, in words."""
        ...

    def standing(self, path: str) -> Standing:
        """What a path is in the work tree; never looks outside the root."""
        ...

    def settled(self, path: str) -> bool:
        """True if git shows that this plain tracked file is as the commit checked out holds it."""
        ...

    def text(self, path: str) -> str | None:
        """A file of the work tree, decoded with replacement; `None` if it cannot be read (or is over 16 MiB)."""
        ...

    def text_at(self, commit: str, path: str) -> str | None:
        """A file at a commit, decoded with replacement; `None` if it is not there or could not be read."""
        ...

    def fetch(self, commit: str, paths: Sequence[str]) -> None:
        """Announce that these files at a commit will be asked for."""
        ...

    def object_kind(self, name: str) -> str | None:
        """The kind of an object (`commit`, `tree`, `blob`, `tag`), `""` if there is none, `None` if git did not answer."""
        ...

    def ignored(self, path: str) -> bool:
        """True if the project's ignore rules leave a path out."""
        ...

    def symbols(self, names: Iterable[str]) -> Symbols:
        """Where these names are defined in the work tree's tracked source."""
        ...

    def receipts(self) -> Sequence[Receipt]:
        """Stored receipts of this project, newest first."""
        ...
