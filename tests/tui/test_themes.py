"""The themes: every text colour can be read on every ground, computed from the themes' own values."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import product

import pytest
from textual.app import App, ComposeResult
from textual.color import Color
from textual.theme import Theme

from tui.themes import ANSI, CONTRAST, DARK, FALLBACK, LIGHT, NAMES, default_theme, next_theme, own_themes
from tui.widgets.document_view import DocumentView
from tui.widgets.row_list import RowList

LEAST = {DARK: 4.5, LIGHT: 4.5, CONTRAST: 7.0}
"""Contrast of text on its ground: AA of WCAG 2.2, 1.4.3; AAA for the theme of high contrast, 1.4.6."""
TEXTS = (
    "foreground",
    "primary",
    "secondary",
    "accent",
    "success",
    "warning",
    "error",
    "match",
    "quiet",
    "text-disabled",
)
GROUNDS = ("background", "surface", "panel", "chosen")


def luminance(colour: str) -> float:
    """The relative luminance of a colour, as WCAG 2.2 defines it, from 0 to 1."""
    parts = [value / 255 for value in Color.parse(colour).rgb]
    red, green, blue = (v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """The contrast of two colours, from 1 to 21."""
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def colour(theme: Theme, name: str) -> str:
    """A colour of a theme by the name it has in the style sheets."""
    return theme.variables.get(name) or str(getattr(theme, name))


class Lists(App[None]):
    """A list and a document alone, with our themes."""

    def __init__(self, theme: str) -> None:
        super().__init__()
        for each in own_themes():
            self.register_theme(each)
        self.theme = theme

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return dict(FALLBACK)

    def compose(self) -> ComposeResult:
        yield RowList(id="rows")
        yield DocumentView(id="document")


@asynccontextmanager
async def lists(theme: str) -> AsyncIterator[tuple[RowList, DocumentView]]:
    app = Lists(theme)
    async with app.run_test():
        yield app.query_one(RowList), app.query_one(DocumentView)


def themes() -> dict[str, Theme]:
    return {theme.name: theme for theme in own_themes()}


def test_contrast_is_measured_as_the_standard_does() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)
    assert contrast("#ffffff", "#ffffff") == 1


@pytest.mark.parametrize("name", LEAST)
def test_every_text_can_be_read_on_every_ground(name: str) -> None:
    theme = themes()[name]
    pale = {
        (text, ground): round(found, 2)
        for text, ground in product(TEXTS, GROUNDS)
        if (found := contrast(colour(theme, text), colour(theme, ground))) < LEAST[name]
    }
    assert pale == {}


@pytest.mark.parametrize("name", LEAST)
def test_the_frame_with_the_cursor_stands_out(name: str) -> None:
    """3 is what WCAG 2.2, 1.4.11, asks of what is no text."""
    theme = themes()[name]
    assert contrast(colour(theme, "primary"), colour(theme, "background")) >= 3
    assert contrast(colour(theme, "accent"), colour(theme, "surface")) >= 3


def test_the_terminals_own_colours_are_taken_as_they_are() -> None:
    """What they look like is the person's business: not one of ours is laid over them."""
    theme = themes()[ANSI]
    assert set(FALLBACK.values()) == {"ansi_yellow", "ansi_default"}
    assert {theme.variables[name] for name in FALLBACK} <= set(FALLBACK.values())
    assert all(colour(theme, name).startswith("ansi_") for name in ("primary", "foreground", "background", "error"))


@pytest.mark.parametrize("surroundings", ["ansi", "nocolor"])
async def test_u16_the_chosen_row_stands_out_without_colours(
    surroundings: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where no ground can be told from another, the row with the cursor is reversed."""
    if surroundings == "nocolor":
        monkeypatch.setenv("NO_COLOR", "1")
    async with lists(ANSI if surroundings == "ansi" else DARK) as (view, other):
        assert view.get_component_rich_style("rows--chosen-focused").reverse
        assert other.get_component_rich_style("document--marked").bold


def test_every_theme_is_reached_and_one_suits_each_terminal() -> None:
    seen = [NAMES[0]]
    while (name := next_theme(seen[-1])) != NAMES[0]:
        seen.append(name)
    assert tuple(seen) == NAMES
    assert next_theme("nord") == NAMES[0]
    assert default_theme({"TERM": "linux"}) == ANSI
    assert default_theme({"TERM": "xterm", "COLORTERM": "truecolor"}) == DARK
    assert default_theme({"TERM": "xterm-256color"}) == DARK
