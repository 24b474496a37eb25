"""A remembered report gives way as soon as anything it rests on is otherwise, also what git was told not to look at."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from core.soul.desk import Report, SoulDesk
from core.soul.model import State
from tests.core.git_made import Made
from tests.core.soul.projects import CLIENT, NOW, one, project, run, state


class _Noon:
    def now(self) -> datetime:
        return NOW


def _told(made: Made, cache: Path) -> tuple[Report, int]:
    """A check as a command makes it, and its claims that are fresh."""
    report = SoulDesk(str(made.root), None, cache, _Noon()).report()
    return report, report.document["by_state"]["verified_fresh"]


BODY = "- `pay/client.py` talks\n- `pay/client.py:3` is the budget\n- `refund()` gives back\n"


@pytest.mark.parametrize("flag", ["--assume-unchanged", "--skip-worktree"])
@pytest.mark.parametrize("early", [True, False], ids=["flag-before", "flag-after"])
@pytest.mark.parametrize(
    ("edit", "fresh"),
    [
        (lambda path: path.unlink(), 0),
        (lambda path: path.write_text(CLIENT.replace("BUDGET = 3", "BUDGET = 4").replace("refund", "giveit")), 1),
    ],
    ids=["gone", "edited"],
)
def test_a_file_that_git_does_not_look_at_is_looked_at(
    tmp_path: Path, flag: str, early: bool, edit: Callable[[Path], object], fresh: int
) -> None:
    made = project(tmp_path / "r", state(BODY))
    if early:
        made.git("update-index", flag, "pay/client.py")
    assert _told(made, tmp_path / "cache")[1] == 3
    again = _told(made, tmp_path / "cache")
    assert again[0].remembered
    assert again[1] == 3
    if not early:
        made.git("update-index", flag, "pay/client.py")
    edit(made.root / "pay/client.py")
    report, after = _told(made, tmp_path / "cache")
    assert not report.remembered
    assert after == fresh


def test_a_pipe_where_git_has_a_file_is_no_file(tmp_path: Path) -> None:
    made = project(tmp_path / "r", state("- `pay/client.py` talks\n"))
    (made.root / "pay/client.py").unlink()
    os.mkfifo(made.root / "pay/client.py")
    assert one(run(made.root)).state is State.STALE


def test_a_number_of_another_repository_is_held(tmp_path: Path) -> None:
    made = project(tmp_path / "r", state("- it landed in #77\n"))
    assert one(run(made.root)).state is State.STALE
    made.commit("See acme/tools#77")
    assert one(run(made.root)).reason == "ambiguous"
    made.commit("Mend it, fix#77")
    assert one(run(made.root)).state is State.FRESH
