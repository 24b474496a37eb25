"""Globs and braces: what they match, and that no pattern takes longer than its length."""

from __future__ import annotations

import pytest

from core.soul.locating import _glob, braces


@pytest.mark.parametrize(
    ("pattern", "path", "matches"),
    [
        ("src/*.py", "src/a.py", True),
        ("src/*.py", "src/b/a.py", False),
        ("src/**/*.py", "src/a.py", True),
        ("src/**/*.py", "src/b/c/a.py", True),
        ("src/**", "src/b/c/a.py", True),
        ("src/**.py", "src/b/a.py", True),
        ("**/a/**/b.py", "x/a/y/a/z/b.py", True),
        ("**/a/*/b.py", "a/x/a/y/b.py", True),
        ("*a*ab*.py", "aaab.py", True),
        ("*a*b", "ab/b", False),
        ("t[0-3].py", "t2.py", True),
        ("t[!0-3].py", "t2.py", False),
        ("a[!b]c", "a/c", False),
        ("a[*]c", "a*c", True),
        ("a?c", "a/c", False),
        ("[z-a]x", "[z-a]x", True),
    ],
)
def test_a_glob_matches_as_a_shell_does(pattern: str, path: str, matches: bool) -> None:
    assert bool(_glob(pattern).fullmatch(path)) is matches


@pytest.mark.parametrize(
    "pattern",
    ["*" * 300 + ".py", "**/" * 90 + "x.py", "*a" * 90 + "b", "**/a/" * 60 + "b", "a/" * 60 + "*a" * 90 + "b"],
)
def test_no_glob_is_tried_in_every_combination(pattern: str) -> None:
    assert not _glob(pattern).fullmatch("a/" * 60 + "a" * 200)  # would not end otherwise


def test_braces_in_braces_are_spread_once() -> None:
    assert braces("src/{a,b}/{c,d}.py") == ("src/a/c.py", "src/a/d.py", "src/b/c.py", "src/b/d.py")
    assert braces("{a,{b,c}}") == ("a", "b", "c")
    assert len(braces("{a,b}" * 40)) == 64
    assert len(braces("{a," * 60 + "}" * 60)) <= 64
