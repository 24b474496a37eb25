"""How an editor is told the file and the line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tui.editor import open_at


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    for name in ("vi", "nvim", "nano", "emacs", "hx", "code", "subl", "ed2"):
        tool = tmp_path / name
        tool.write_text("#!/bin/sh\n")
        tool.chmod(0o755)
    return {"PATH": str(tmp_path)}


@pytest.mark.parametrize(
    ("editor", "argv"),
    [
        ("vi", ("vi", "+7", "/p/a.md")),
        ("nvim -R", ("nvim", "-R", "+7", "/p/a.md")),
        ("nano", ("nano", "+7", "/p/a.md")),
        ("emacs -nw", ("emacs", "-nw", "+7", "/p/a.md")),
        ("hx", ("hx", "+7", "/p/a.md")),
        ("code --wait", ("code", "--wait", "--goto", "/p/a.md:7")),
        ("subl -w", ("subl", "-w", "/p/a.md:7")),
        ("ed2", ("ed2", "/p/a.md")),
    ],
)
def test_each_editor_is_told_the_line_its_own_way(env: dict[str, str], editor: str, argv: tuple[str, ...]) -> None:
    handle, why, hint = open_at("/p/a.md", 7, "/p", {**env, "EDITOR": editor})
    assert handle is not None
    assert (handle.argv, handle.cwd, why, hint) == (argv, "/p", "", "")


def test_a_path_that_looks_like_an_option_or_holds_a_space_stays_one_word(env: dict[str, str], tmp_path: Path) -> None:
    spaced = tmp_path / "my tools"
    spaced.mkdir()
    (tmp_path / "vi").rename(spaced / "vi")
    handle, _, _ = open_at("/p/-R a.md", 0, "/p", {**env, "EDITOR": f"'{spaced}/vi'"})
    assert handle is not None
    assert handle.argv == (f"{spaced}/vi", "/p/-R a.md")


def test_visual_goes_before_editor_and_what_is_wrong_is_said(env: dict[str, str]) -> None:
    handle, _, _ = open_at("/p/a.md", 7, "/p", {**env, "VISUAL": "nano", "EDITOR": "vi"})
    assert handle is not None
    assert handle.argv[0] == "nano"
    assert open_at("/p/a.md", 7, "/p", env)[1:] == (
        "No editor is named.",
        "set EDITOR (or VISUAL) in your shell: export EDITOR=vi",
    )
    assert "not on the PATH" in open_at("/p/a.md", 7, "/p", {**env, "EDITOR": "gone"})[1]
    assert "never closed" in open_at("/p/a.md", 7, "/p", {**env, "EDITOR": "vi 'x"})[1]
