"""Commits one file because a person asked; nothing else that was staged or changed is taken along."""

from __future__ import annotations

from core.errors import SurroundingsError
from core.text import one_line


def commit_file(root: str, path: str, message: str) -> str:
    """Commit the file at `path` (relative to `root`) alone and return the commit's name.

    The project's own hooks run, as for any commit of a person. Raises `SurroundingsError` with git's words where git
    refuses; the file stays as it is, not committed.
    """
    from git import Repo
    from git.exc import GitCommandError, GitError

    try:
        with Repo(root) as repo:
            repo.git.commit("--quiet", "--only", "-m", message, "--", path)
            return str(repo.head.commit.hexsha)
    except (GitError, GitCommandError, ValueError) as problem:
        words = one_line(str(getattr(problem, "stderr", "") or problem), 200)
        raise SurroundingsError(
            f"{path} was written, and git did not commit it: {words}", f"Commit it by hand: git commit {path}"
        ) from problem
