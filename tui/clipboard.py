"""Copying: through the terminal (OSC 52) and, where there is one, the desktop's own tool."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from typing import TYPE_CHECKING

from core.text import mask, printable

if TYPE_CHECKING:
    from textual.app import App

MOST_CHARS = 100_000
"""More than this is cut: terminals drop long clipboard sequences without a word."""


def prepared(text: str) -> tuple[str, str]:
    """The text that may leave, and what was done to it in words (`""` if nothing)."""
    masked = mask(printable(text[: MOST_CHARS + 1]))
    notes = []
    if masked.count:
        notes.append(f"{masked.count} secret{'s' if masked.count > 1 else ''} masked")
    if len(text) > MOST_CHARS:
        notes.append(f"cut to {MOST_CHARS:,} characters")
    return masked.text[:MOST_CHARS], ", ".join(notes)


def native_tool(env: Mapping[str, str]) -> tuple[str, ...]:
    """The desktop's tool for this session, as arguments; empty if there is none."""
    choices: list[tuple[str, ...]] = [("pbcopy",)]
    if env.get("WAYLAND_DISPLAY"):
        choices.append(("wl-copy",))
    if env.get("DISPLAY"):
        choices += [("xclip", "-selection", "clipboard"), ("xsel", "--clipboard", "--input")]
    import shutil  # 3 ms, when something is copied

    return next((choice for choice in choices if shutil.which(choice[0], path=env.get("PATH"))), ())


def copy_natively(text: str, env: Mapping[str, str] | None = None) -> bool:
    """Hand the text to the desktop's tool; False if there is none or it failed. Blocks up to two seconds."""
    surroundings = os.environ if env is None else env
    tool = native_tool(surroundings)
    if not tool:
        return False
    try:
        done = subprocess.run(
            tool,
            input=text.encode("utf-8", "replace"),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=2,
            check=False,
            env=dict(surroundings),
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def send_to_terminal(app: App[object], text: str) -> None:
    """Ask the terminal to take the text. There is no answer: terminals may refuse in silence."""
    app.copy_to_clipboard(text)
