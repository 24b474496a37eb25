"""What git says is unchanged is not read again; what it does not look at, or does not list, is."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.soul.model import Reason, State
from tests.core.soul.projects import one, project, run, state

LINE = "- `docs/plan.md:4` says Beta"


@pytest.mark.parametrize("mark", ["--assume-unchanged", "--skip-worktree"])
def test_a_file_that_git_does_not_look_at_is_compared_all_the_same(tmp_path: Path, mark: str) -> None:
    made = project(tmp_path / "r", state(LINE))
    made.git("update-index", mark, "docs/plan.md")
    assert one(run(made.root)).state is State.FRESH
    made.write("docs/plan.md", "# Plan\n\nAlpha.\nOther.\nGamma.\n")
    assert one(run(made.root)).reason == Reason.CHANGED.value
    (made.root / "docs/plan.md").unlink()
    assert one(run(made.root)).state is not State.FRESH


def test_what_a_branch_changed_that_was_merged_since_is_seen(tmp_path: Path) -> None:
    made = project(tmp_path / "r", state(LINE))
    made.git("checkout", "-q", "-b", "side")
    made.commit("Reword on a branch", {"docs/plan.md": "# Plan\n\nAlpha.\nOther.\nGamma.\n"})
    made.git("checkout", "-q", "-")
    made.commit("Go on", {"pay/more.py": "x = 1\n"})
    made.git("merge", "-q", "--no-ff", "-m", "Merge", "side")
    assert one(run(made.root)).reason == Reason.CHANGED.value


def test_what_a_merge_itself_changed_is_seen(tmp_path: Path) -> None:
    made = project(tmp_path / "r", state(LINE))
    made.git("checkout", "-q", "-b", "side")
    made.commit("On a branch", {"pay/side.py": "x = 1\n"})
    made.git("checkout", "-q", "-")
    made.commit("Go on", {"pay/more.py": "x = 1\n"})
    made.git("merge", "-q", "--no-ff", "--no-commit", "side")
    made.write("docs/plan.md", "# Plan\n\nAlpha.\nOther.\nGamma.\n")
    made.git("add", "-A")
    made.git("commit", "-q", "-m", "Merge with a change of its own")
    assert one(run(made.root)).reason == Reason.CHANGED.value


def test_a_commit_after_the_document_counts_and_one_before_does_not(tmp_path: Path) -> None:
    made = project(tmp_path / "r", state(LINE + "\n- `pay/rates.py:4` is the rate"))
    made.commit("Change the plan", {"docs/plan.md": "# Plan\n\nAlpha.\nBeta, and more.\nGamma.\n"})
    assert [i.state for i in run(made.root).items] == [State.STALE, State.FRESH]


def test_a_tracked_file_behind_a_link_to_a_folder_outside_is_outside(tmp_path: Path) -> None:
    made = project(tmp_path / "r", state("- `docs/plan.md` is the plan"))
    outside = tmp_path / "elsewhere"
    (made.root / "docs").rename(outside)
    (made.root / "docs").symlink_to(outside)
    assert one(run(made.root)).reason == "outside"
