"""A file that is called like a library does not make the library's names the project's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.soul.model import State
from tests.core.soul.projects import one, project, run, state

FILES = {
    "shop/errors.go": 'package shop\n\nimport "errors"\n\nfunc Wrap() error { return errors.New("x") }\n',
    "shop/json.py": "def load_order(text):\n    return text\n",
    "shop/fs.ts": "export function readOrder() {\n  return 1;\n}\n",
    "shop/redis.py": "def shared():\n    return 1\n",
    "shop/new.go": "package shop\n\nfunc New() int { return 1 }\n",
    "shop/budget.py": "def left():\n    return 1\n",
    "pyproject.toml": '[project]\nname = "shop"\nversion = "1.4.0"\ndependencies = [\n  "redis>=5",\n  "Textual",\n]\n',
}


@pytest.mark.parametrize(
    "symbol", ["errors.New", "errors.Is", "json.dumps", "json.loads()", "fs.readFile", "redis.Redis"]
)
def test_a_librarys_name_beside_a_file_of_its_name_is_held(tmp_path: Path, symbol: str) -> None:
    item = one(run(project(tmp_path / "r", state(f"- `{symbol}` does it"), FILES).root))
    assert (item.state, item.reason) == (State.UNPROVABLE, "outside")


@pytest.mark.parametrize(
    ("symbol", "told"),
    [
        ("errors.Wrap", State.FRESH), ("json.load_order", State.FRESH), ("fs.readOrder", State.FRESH), ("budget.left", State.FRESH),
        ("budget.right", State.STALE), ("shop.errors.Nope", State.STALE), ("errors.go::Nope", State.STALE),
    ],
)  # fmt: skip
def test_the_projects_own_names_are_decided_as_before(tmp_path: Path, symbol: str, told: State) -> None:
    assert one(run(project(tmp_path / "r", state(f"- `{symbol}` does it"), FILES).root)).state is told


def test_what_such_a_file_defined_and_defines_no_more_is_stale(tmp_path: Path) -> None:
    made = project(tmp_path / "r", state("- `errors.Wrap` wraps\n- `json.load_order` loads"), FILES)
    made.commit("Drop them", {"shop/errors.go": "package shop\n", "shop/json.py": "def other():\n    return 1\n"})
    assert [i.state for i in run(made.root).items] == [State.STALE, State.STALE]
