"""The demo's project: a made-up git repository with six months of history and a handoff document that shows every state.

The same names of commits every time: dates, authors and contents are fixed, and nobody's git configuration is read.
"""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from core.frozen import dataclass
from tui.demo.repository_files import COMMITS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from git import Repo

PROJECT = "payments"


@dataclass(frozen=True, slots=True)
class Step:
    """One commit: who made it when and why, the files it left (`None`: it took one away), and its tag."""

    when: str
    who: str
    message: str
    files: Mapping[str, str | None]
    tag: str = ""


def write_repository(code: Path) -> Path:
    """Make the repository below the folder of projects; return its root. Raises `OSError` where git cannot be run."""
    from git import Repo

    root = code / PROJECT
    root.mkdir(parents=True, exist_ok=True)
    with Repo.init(root, initial_branch="main") as repo:
        with repo.config_writer() as config:
            config.set_value("user", "name", "Sam Okoro")
            config.set_value("user", "email", "sam@example.test")
            config.set_value("core", "hooksPath", "/dev/null")
            config.set_value("commit", "gpgsign", "false")
        for when, who, message, files, tag in COMMITS:
            _commit(repo, root, Step(when, who, message, files, tag))
    return root


def _commit(repo: Repo, root: Path, step: Step) -> None:
    from git import Actor

    for name, text in step.files.items():
        path = root / name
        if text is None:
            repo.index.remove([name], working_tree=True)
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        repo.index.add([name])
    actor = Actor(step.who, f"{step.who.split()[0].lower()}@example.test")
    at = datetime.fromisoformat(f"{step.when}+00:00").strftime("%Y-%m-%dT%H:%M:%S+0000")
    made = repo.index.commit(
        step.message, author=actor, committer=actor, author_date=at, commit_date=at, skip_hooks=True
    )
    if step.tag:
        repo.create_tag(step.tag, ref=made)
