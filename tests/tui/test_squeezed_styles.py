"""Style sheets that are read without their blanks say the same."""

from __future__ import annotations

import importlib
import pkgutil
from pathlib import Path
from typing import Any

import pytest
import textual.widgets
from textual.app import App
from textual.css.stylesheet import Stylesheet, StylesheetParseError
from textual.css.tokenizer import TokenError
from textual.dom import DOMNode
from textual.theme import BUILTIN_THEMES

import tui
from tui.app import RecollectApp
from tui.textual_private import QuietApp, read_squeezed, squeezed
from tui.themes import FALLBACK

VARIABLES = {**App().get_css_variables(), **BUILTIN_THEMES["textual-dark"].to_color_system().generate(), **FALLBACK}


def sheets() -> dict[str, str]:
    """Every style sheet of Textual's widgets and of ours, by a name."""
    for package in (textual.widgets, tui.screens, tui.widgets):
        for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)
    found = {str(path): path.read_text(encoding="utf-8") for path in sorted(Path(tui.__file__).parent.rglob("*.tcss"))}
    waiting: list[type[Any]] = [DOMNode]
    while waiting:
        kind = waiting.pop()
        waiting += kind.__subclasses__()
        if kind.__module__.startswith(("textual.", "tui.")) and (css := vars(kind).get("DEFAULT_CSS", "")):
            found[f"{kind.__module__}.{kind.__qualname__}"] = css
    return found


def read(css: str, *, short: bool) -> list[object]:
    stylesheet = Stylesheet(variables=VARIABLES)
    if short:
        read_squeezed(stylesheet)
    stylesheet.add_source(css, ("sheet", ""), is_default_css=True, scope="Scope")
    return [
        (rule.selector_set, str(rule.selectors), rule.styles.get_rules(), rule.styles.important, rule.is_default_rules,
         rule.tie_breaker, sorted(rule.selector_names), sorted(rule.pseudo_classes))
        for rule in stylesheet.rules
    ]  # fmt: skip


def test_every_sheet_says_the_same_without_its_blanks() -> None:
    shorter = 0
    for name, css in sheets().items():
        assert str(read(css, short=True)) == str(read(css, short=False)), name
        shorter += len(squeezed(css)) < len(css)
    assert shorter > 50


@pytest.mark.parametrize(
    "css",
    [
        "A:hover > B , C D{color:red;/* x ; } */background:  blue 20% ;}",
        "A { &:focus { color: red; } & > B { color: blue } .c & { width: 1fr; } }",
        "A {\n  # a comment: {\n  color: red;\n}",
        "$one: red;\nA { color: $one; }",
        "A { color: red !important; margin: 1 2 3 4; }\n\n\nB C:hover D { layers: a b ; }",
        "A:dark:focus, A :hover { grid-size: 2 3; transition: offset 500ms in_out_cubic 0.5s; }",
        "/* nothing */",
        "",
    ],
)
def test_what_may_stand_in_a_sheet_is_read_the_same(css: str) -> None:
    assert str(read(css, short=True)) == str(read(css, short=False))


@pytest.mark.parametrize("css", ["A {\n  color: red;\n  colour: blue;\n}", "A {\n  color: red;\n  }}\n"])
def test_a_mistake_is_told_with_its_line(css: str) -> None:
    with pytest.raises((StylesheetParseError, TokenError)) as plain:
        read(css, short=False)
    with pytest.raises((StylesheetParseError, TokenError)) as short:
        read(css, short=True)
    assert type(plain.value) is type(short.value)
    if isinstance(plain.value, TokenError):
        assert isinstance(short.value, TokenError)
        assert short.value.start == plain.value.start


def test_the_app_reads_them_so() -> None:
    assert issubclass(RecollectApp, QuietApp)
    assert QuietApp[None]().stylesheet._parse_rules.__name__ == "read_short"
