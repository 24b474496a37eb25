"""The themes: a dark and a light one, one of high contrast, and the terminal's own 16 colours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from textual.theme import Theme

DARK = "recollect-dark"
LIGHT = "recollect-light"
CONTRAST = "recollect-contrast"
ANSI = "recollect-ansi"
FALLBACK: Mapping[str, str] = {
    "match": "ansi_yellow",
    "quiet": "ansi_default",
    "frame": "ansi_default",
    "chosen": "ansi_default",
}
"""Our variables for a theme that does not know them: the terminal's own 16 colours."""
NAMES = (DARK, LIGHT, CONTRAST, ANSI)


def own_themes() -> tuple[Theme, ...]:
    """The themes to register. What an empty field asks for (`text-disabled`) is as quiet as other quiet text, not fainter."""
    from dataclasses import replace

    from textual.theme import BUILTIN_THEMES

    known = BUILTIN_THEMES["ansi-dark"]
    return (replace(known, name=ANSI, variables={**known.variables, **FALLBACK}), _dark(), _light(), _contrast())


def _dark() -> Theme:
    """Light on dark."""
    from textual.theme import Theme

    return Theme(
        name=DARK,
        primary="#80a8dc",
        secondary="#a79dd1",
        accent="#e0af68",
        success="#8fbf7f",
        warning="#e0af68",
        error="#e68a8a",
        foreground="#d4d4d0",
        background="#16181d",
        surface="#16181d",
        panel="#262a33",
        variables={
            "match": "#ffd479",
            "quiet": "#9ea4af",
            "text-disabled": "#9ea4af",
            "frame": "#3d4350",
            "chosen": "#26385a",
        },
    )


def _light() -> Theme:
    """Dark on light."""
    from textual.theme import Theme

    return Theme(
        name=LIGHT,
        primary="#2a5d9f",
        secondary="#5f4b9b",
        accent="#8a4b00",
        success="#2f6b2f",
        warning="#8a4b00",
        error="#a12a2a",
        foreground="#22252b",
        background="#fbfaf7",
        surface="#fbfaf7",
        panel="#e9e6de",
        dark=False,
        variables={
            "match": "#7a3d00",
            "quiet": "#585e69",
            "text-disabled": "#585e69",
            "frame": "#b9b4a6",
            "chosen": "#c9dcf5",
        },
    )


def _contrast() -> Theme:
    """White and yellow on black."""
    from textual.theme import Theme

    return Theme(
        name=CONTRAST,
        primary="#ffffff",
        secondary="#ffffff",
        accent="#ffff00",
        success="#00ff00",
        warning="#ffff00",
        error="#ffb0b0",
        foreground="#ffffff",
        background="#000000",
        surface="#000000",
        panel="#303030",
        variables={
            "match": "#ffff00",
            "quiet": "#d0d0d0",
            "text-disabled": "#d0d0d0",
            "frame": "#ffffff",
            "chosen": "#0000a0",
        },
    )


def default_theme(env: Mapping[str, str]) -> str:
    """The theme for a terminal: its own colours where it has only 16 or says nothing of more."""
    if env.get("TEXTUAL_COLOR_SYSTEM", "").lower() in ("standard", "windows"):
        return ANSI
    term = env.get("TERM", "")
    if term in ("linux", "ansi", "vt100", "vt220", "xterm", "screen") and not env.get("COLORTERM"):
        return ANSI
    return DARK


def next_theme(name: str) -> str:
    """The theme after this one."""
    return NAMES[(NAMES.index(name) + 1) % len(NAMES)] if name in NAMES else NAMES[0]
