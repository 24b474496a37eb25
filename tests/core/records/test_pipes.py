"""A pipe in the place of a file that is looked for by its name, or of a record: nobody waits for it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from core.records.archive import Archive
from core.records.model import ReadProblem
from core.records.scan import holding
from indexes.capture import tail_hash
from tests.core.records.builders import lines, user

RECORD = ".claude/projects/p/00000001-2222-4333-8444-555555555555.jsonl"
NAMES = (
    ".claude/history.jsonl", ".claude/settings.json", ".claude/projects/p/sessions-index.json", ".codex/history.jsonl",
    ".codex/session_index.jsonl", ".codex/config.toml", ".gemini/projects.json", ".local/share/crush/projects.json",
    ".local/share/opencode/opencode.db", ".cursor/chats/a/b/store.db",
)  # fmt: skip


def read(home: Path) -> list[str]:
    """All that the archive holds, listed and read."""
    archive = Archive.from_environment({}, str(home))
    found = archive.discover(looking=True)
    return [turn.text for source in found.sources for turn in archive.read(source)]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / RECORD).parent.mkdir(parents=True)
    (tmp_path / RECORD).write_bytes(lines(user("a kettle")))
    (tmp_path / ".codex/sessions/2026/01/01").mkdir(parents=True)
    return tmp_path


@pytest.mark.parametrize("name", NAMES)
def test_a_pipe_that_bears_a_known_name_keeps_nobody(home: Path, name: str) -> None:
    (home / name).parent.mkdir(parents=True, exist_ok=True)
    os.mkfifo(home / name)
    assert read(home) == ["a kettle"]


def test_a_record_that_became_a_pipe_since_it_was_listed_keeps_nobody(home: Path) -> None:
    archive = Archive.from_environment({}, str(home))
    (source,) = archive.discover().sources
    (home / RECORD).unlink()
    os.mkfifo(home / RECORD)
    assert list(archive.read(source)) == []
    assert archive.at(source, 1, 0) == ()
    assert isinstance(archive.spine(source), ReadProblem)
    assert tail_hash(source.path, 10, source.size) == ""
    assert list(holding(archive, [source], ["kettle"])) == []
