"""Paths that are written from above the project's root, and links that begin with `/`, as forges render them."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.soul.model import State
from tests.core.soul.projects import one, project, run, state, told


def test_a_path_may_begin_with_what_the_repository_is_called(tmp_path: Path) -> None:
    body = "- `shop/pay/client.py` talks\n- `shop/pay/client.py:3` is the budget\n- `shop/web/src/*.ts` too\n- shop/docs/plan.md plans"
    checked = run(project(tmp_path / "shop", state(body)).root)
    assert [i.state for i in checked.items] == [State.FRESH] * 4
    assert checked.items[0].verdicts[0].detail == "resolved_as pay/client.py"


def test_what_became_of_such_a_path_is_told(tmp_path: Path) -> None:
    body = "- `shop/pay/gone.py` went\n- `shop/pay/old_name.py` moved\n- `shop/pay/nope.py` never was"
    reasons = [reason for _, reason in told(run(project(tmp_path / "shop", state(body)).root))]
    assert [r.split("_")[0] for r in reasons] == ["deleted", "renamed", "never"]


@pytest.mark.parametrize("at", ["clone", "tree"])
def test_a_clone_or_a_worktree_in_another_folder_is_called_so_too(tmp_path: Path, at: str) -> None:
    made = project(tmp_path / "shop", state("- `shop/pay/client.py` talks"))
    if at == "clone":
        made.git("clone", "-q", str(made.root), str(tmp_path / at))
    else:
        made.git("worktree", "add", "-q", str(tmp_path / at))
    assert one(run(tmp_path / at)).state is State.FRESH


def test_a_folder_of_that_name_is_meant_first(tmp_path: Path) -> None:
    made = project(tmp_path / "pay", state("- `pay/Makefile` builds\n- `pay/client.py` talks"))
    assert [i.state for i in run(made.root).items] == [State.STALE, State.FRESH]
    made.git("mv", "pay", "shop")
    made.commit("Move it", {"client.py": "x = 1\n"})
    assert told(run(made.root))[1] == ("evidence-stale", "renamed_to shop/client.py")


@pytest.mark.parametrize(
    ("link", "state_", "reason"),
    [
        ("/pay/client.py", State.FRESH, ""), ("/pay/client.py#L3", State.FRESH, ""), ("/docs/", State.FRESH, ""),
        ("/docs/plan.md#alpha", State.FRESH, ""), ("/Makefile", State.FRESH, ""), ("/package.json", State.FRESH, ""),
        ("/pay/gone.py", State.STALE, "deleted_in"), ("/pay/old_name.py", State.STALE, "renamed_to pay/new_name.py"),
        ("/pay/nope.py", State.STALE, "never_landed"), ("/src/cart.ts", State.STALE, "never_landed"), ("/plan.md", None, ""), ("/src/", None, ""), ("/docs/nope.md", State.STALE, "never_landed"),
        ("/api/v1/users", None, ""), ("/guide/", None, ""), ("/feed.xml", None, ""), ("/", None, ""), ("//cdn.example/x.js", None, ""),
    ],
)  # fmt: skip
def test_a_link_from_the_root_leads_into_the_repository(
    tmp_path: Path, link: str, state_: State | None, reason: str
) -> None:
    item = one(run(project(tmp_path / "r", state(f"- see [this]({link}) there"), name="docs/PATHOS.md").root))
    assert (item.state if item.verdicts else None) is state_
    assert item.reason.startswith(reason)
