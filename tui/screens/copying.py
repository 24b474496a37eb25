"""Copying from a screen: to the terminal's clipboard and the desktop's, and saying what was copied."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from core.text import clip, one_line
from tui.clipboard import copy_natively, prepared, send_to_terminal
from tui.widgets.toast import toast
from tui.widgets.wording import count

if TYPE_CHECKING:
    from textual.screen import Screen


def copy(screen: Screen[None], text: str, what: str) -> None:
    """Copy a text, and say what was copied."""
    ready, notes = prepared(text)
    send_to_terminal(screen.app, ready)
    screen.run_worker(partial(_natively, screen, ready, what, notes), thread=True, exit_on_error=False)


def _natively(screen: Screen[None], text: str, what: str, notes: str) -> None:
    native = copy_natively(text)
    line = (
        f": {clip(one_line(text), 200)}" if "\n" not in text.strip() else f": {count(len(text.splitlines()), 'line')}"
    )
    suffix = f" ({notes})" if notes else ""
    if native:
        words, hint = f"Copied {what}{suffix}{line}", ""
    else:
        words = f"Sent {what} to the terminal's clipboard{suffix}{line}"
        hint = "not every terminal takes it; the text is above to select"
    screen.app.call_from_thread(toast, screen, words, hint)
