"""Repositories made by the tests: fixed dates and authors, no configuration but their own."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC).timestamp()
"""When the first commit is made; each later one is an hour after."""


def quiet_env() -> dict[str, str]:
    """The environment without anybody's git configuration."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    return {**kept, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C"}


@dataclass
class Made:
    """A repository under construction."""

    root: Path
    at: float = START
    shas: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        if not (self.root / ".git").exists():
            self.root.mkdir(parents=True, exist_ok=True)
            self.git("init", "-q", "-b", "main", "--template=")  # without sample hooks: a third of the files
            (self.root / ".git" / "hooks").mkdir()

    def git(self, *args: str, who: str = "Ana Ruiz", given: str | None = None) -> str:
        name, _, _ = who.partition(" ")
        mail = f"{name.lower()}@example.test"
        date = f"{int(self.at)} +0000"
        env = quiet_env() | {
            "GIT_AUTHOR_NAME": who, "GIT_AUTHOR_EMAIL": mail, "GIT_AUTHOR_DATE": date,
            "GIT_COMMITTER_NAME": who, "GIT_COMMITTER_EMAIL": mail, "GIT_COMMITTER_DATE": date,
        }  # fmt: skip
        done = subprocess.run(["git", *args], cwd=self.root, env=env, capture_output=True, text=True, input=given)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def write(self, name: str, text: str) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def commit(self, message: str, files: dict[str, str] | None = None, *, who: str = "Ana Ruiz", at: float = 0) -> str:
        self.at = at or self.at + 3600
        for name, text in (files or {}).items():
            self.write(name, text)
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-F", "-", who=who, given=message)
        self.shas.append(self.git("rev-parse", "HEAD").strip())
        return self.shas[-1]
