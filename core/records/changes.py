"""Every change of a file, or of some of its lines, from git: what an order of events has to rest on."""

from __future__ import annotations

import os

from core.frozen import dataclass
from core.repository import Repository, RepositoryProblem, open_repository

MOST = 1000
"""Changes of one file that are read."""


@dataclass(frozen=True, slots=True)
class FileChanges:
    """The commits that changed a file or a span of it, oldest first."""

    common_dir: str
    """The repository's own folder."""
    path: str
    """The file, relative to the repository's root, as it is called now."""
    shas: tuple[str, ...]
    whole: bool
    """False where more changes lie before the oldest (a bound, a shallow repository)."""


def changes_of(root: str, name: str, first: int = 0, last: int = 0) -> FileChanges | RepositoryProblem | None:
    """The changes of the file `name` in the repository at `root`, of lines `first` to `last` where given (from 1), through
    renames and moves. `None` where the repository holds no such file, or several. At most two processes."""
    opened = open_repository(root)
    if isinstance(opened, RepositoryProblem):
        return opened
    with opened as repository:
        path = _path_of(repository, name)
        if isinstance(path, RepositoryProblem) or path is None:
            return path
        found = repository.span_log(path, first, last, MOST) if first else repository.file_log(path, MOST)
        if isinstance(found, RepositoryProblem):
            return found
        shas = tuple(commit.sha for commit in reversed(found))
        whole = len(shas) < MOST and not repository.is_shallow
        return FileChanges(repository.common_dir, path, shas, whole)


def _path_of(repository: Repository, name: str) -> str | RepositoryProblem | None:
    """The tracked file a name means: the path itself, or the only file whose path ends with it."""
    if os.path.isabs(name):
        name = os.path.relpath(os.path.realpath(name), repository.root)
    name = os.path.normpath(name)
    if name.startswith(".."):
        return None
    tracked = repository.tracked()
    if isinstance(tracked, RepositoryProblem):
        return tracked
    if name in tracked:
        return name
    ending = [path for path in tracked if path.endswith("/" + name)]
    return ending[0] if len(ending) == 1 else None
