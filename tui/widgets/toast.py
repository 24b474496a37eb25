"""The only way to show a toast: its text is made printable and never read as markup."""

from __future__ import annotations

from typing import Literal

from textual.widget import Widget

from core.text import clip, shown
from tui.textual_private import unsay


def toast(
    widget: Widget,
    text: str,
    hint: str = "",
    severity: Literal["information", "warning", "error"] = "information",
) -> None:
    """Show what happened for some seconds, and what to do next."""
    words = clip(shown(text), 400)
    if hint:
        words = f"{words}\nhint: {clip(shown(hint), 400)}"
    unsay(widget, words)
    widget.notify(words, severity=severity, timeout=8 if hint else 5, markup=False)
