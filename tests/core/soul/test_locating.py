"""Which document is named where none stands by custom."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import SurroundingsError
from core.soul.locating import likely_souls, soul_path


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name in ("AGENTS.md", "README.md", "api/notes.md", "api/deep/AGENTS.md"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("# A\n")
    return tmp_path


def hint(root: Path, here: str) -> str:
    with pytest.raises(SurroundingsError) as problem:
        soul_path(str(root), here=str(root / here))
    return problem.value.hint


def test_a_document_that_calls_itself_one_is_named_before_what_agents_are_given(root: Path) -> None:
    assert hint(root, "").endswith("recollect soul check AGENTS.md")
    (root / "docs").mkdir()
    (root / "HANDOFF.md").write_text("# H\n")
    assert "soul check HANDOFF.md (AGENTS.md could be one too)" in hint(root, "api")
    (root / "team-hand-off.md").write_text("# T\n")
    assert "HANDOFF.md (team-hand-off.md, AGENTS.md could be one too)" in hint(root, "")


def test_what_lies_beside_the_person_is_named_first(root: Path) -> None:
    (root / "HANDOFF.md").write_text("# H\n")
    (root / "api" / "agent-handoff.md").write_text("# S\n")
    assert "soul check agent-handoff.md (HANDOFF.md, AGENTS.md could be one too)" in hint(root, "api")


def test_no_document_is_named_that_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "handoff.md").mkdir()
    assert likely_souls(str(tmp_path), "", str(tmp_path / "gone")) == ()
    assert hint(tmp_path, "").startswith("Begin one as docs/PATHOS.md")
