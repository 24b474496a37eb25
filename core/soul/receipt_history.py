"""The receipts a document had before: the commits that touched it, with the receipt line each of them kept.

A receipt is kept in a commit's message or in the document itself (both are customs; nothing is inferred where there is
neither). Read through the one door to git, at most two processes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.frozen import dataclass
from core.repository import Commit, Repository, RepositoryProblem, open_repository

MOST = 200
"""Commits that are looked at, newest first."""
_RECEIPT = re.compile(r"soul: checked \d{4}-\d{2}-\d{2}[^\n`*|]*")


@dataclass(frozen=True, slots=True)
class PastReceipt:
    """One commit that touched the document."""

    sha: str
    at: float
    """When it was committed, seconds since the epoch."""
    subject: str
    receipt: str = ""
    """The receipt line it kept, `""` if none."""
    where: str = ""
    """`message` or `document`, where the line stands."""


def past_receipts(root: str, path: str, most: int = MOST) -> tuple[PastReceipt, ...] | RepositoryProblem:
    """The commits that touched the document at `path` (from `root`), through its renames, newest first."""
    repository = open_repository(root)
    if isinstance(repository, RepositoryProblem):
        return repository
    with repository:
        commits = repository.file_log(path, most)
        if isinstance(commits, RepositoryProblem):
            return commits
        written = _written(repository, commits, path)
    older: list[dict[str, None]] = [*written[1:], {}]
    return tuple(
        _past(commit, [line for line in own if line not in before])
        for commit, own, before in zip(commits, map(tuple, written), older, strict=True)
    )


def _past(commit: Commit, new: Sequence[str]) -> PastReceipt:
    said = receipts_in(commit.message)
    receipt, where = (said[-1], "message") if said else (new[-1], "document") if new else ("", "")
    return PastReceipt(commit.sha, commit.committed, commit.subject, receipt, where)


def _written(repository: Repository, commits: Sequence[Commit], path: str) -> list[dict[str, None]]:
    """For each commit, the receipt lines that the document held then, in their order."""
    found: list[dict[str, None]] = []
    for commit in commits:
        blob = repository.content(path, commit.sha)
        text = "" if isinstance(blob, RepositoryProblem) else blob.data.decode("utf-8", "replace")
        found.append(dict.fromkeys(receipts_in(text)))
        path = next((c.old_path for c in commit.files if c.path == path and c.old_path), path)
    return found


def receipts_in(text: str) -> tuple[str, ...]:
    """Every receipt line of a text, as it is written."""
    return tuple(match.group().rstrip() for match in _RECEIPT.finditer(text))
