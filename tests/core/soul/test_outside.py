"""What leads out of the project through a link is held, from a document in a folder too; and a receipt names no commit
that could not be asked for."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from core.soul.model import State
from core.soul.report import as_json
from tests.core.soul.projects import one, project, run, state


@pytest.mark.parametrize("name", ["PATHOS.md", "docs/PATHOS.md"])
@pytest.mark.parametrize("claim", ["`out/a.py`", "`out/a.py:1`", "`out/*.py`", "`out/`", "`out/deep/{a,b}.py`"])
def test_a_path_through_a_link_out_of_the_root_is_outside(tmp_path: Path, name: str, claim: str) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere/a.py").write_text("x = 1\n")
    made = project(tmp_path / "r", state(f"- {claim} is there"), name=name)
    os.symlink("../elsewhere", made.root / "out")
    made.commit("Link")
    item = one(run(made.root))
    assert (item.state, item.reason) == (State.UNPROVABLE, "outside")


def test_a_path_above_the_root_is_looked_for_from_the_documents_folder(tmp_path: Path) -> None:
    made = project(tmp_path / "r", state("- `../pay/client.py` talks\n- `../pay/none.py` too\n"), name="docs/PATHOS.md")
    assert [i.state for i in run(made.root).items] == [State.FRESH, State.STALE]


def test_a_receipt_of_a_repository_that_does_not_answer_calls_no_commit_unborn(tmp_path: Path) -> None:
    made = project(tmp_path / "r", state("- `pay/client.py` talks\n"))
    (made.root / ".git/HEAD").write_text("junk\n")
    assert "@unknown dirty unknown" in as_json(run(made.root), str(made.root), "")["receipt"]
