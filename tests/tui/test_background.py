"""Work beside the app: whose code runs in the children, and that they end with the app."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tui.background import Beside, IdleProcess, NoBackground, own_command


@pytest.mark.parametrize("place", ["working directory", "PYTHONPATH"])
def test_a_foreign_tui_is_never_executed(tmp_path: Path, place: str) -> None:
    for package in ("tui", "core"):
        (tmp_path / package).mkdir()
        (tmp_path / package / "__init__.py").write_text("raise SystemExit('a foreign package was executed')\n")
    env = {**os.environ, "PYTHONPATH": str(tmp_path) if place == "PYTHONPATH" else ""}
    done = subprocess.run(own_command("--version"), cwd=tmp_path, env=env, capture_output=True, text=True)
    assert done.stdout.startswith("recollect "), done.stderr


def test_the_idle_child_ends_with_the_app() -> None:
    idle = IdleProcess(after=0, argv=[sys.executable, "-c", "import sys; sys.stdin.read(); input()"])
    beside = Beside(NoBackground(), idle)
    beside.start(lambda _: None)
    idle._timer.join(30)
    beside.stop()
    assert idle._child is not None
    assert idle._child.poll() is not None


def test_the_idle_child_is_no_foreign_tui_either() -> None:
    assert IdleProcess(["--root", "x"])._argv == list(own_command("index", "--json", "--meanings", "--root", "x"))


def test_an_app_that_ends_at_once_starts_no_child() -> None:
    idle = IdleProcess(after=3600)
    idle.start()
    idle.stop()
    idle._timer.join(30)
    assert idle._child is None
