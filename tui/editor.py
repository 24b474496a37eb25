"""The person's editor, told to open a file at a line."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Mapping

from core.recall.model import Handle

_PLUS = {
    "vi", "vim", "nvim", "view", "nano", "pico", "emacs", "emacsclient", "hx", "helix", "kak", "micro", "ne", "joe", "jed", "mg",
    "mcedit", "gedit", "less",
}  # fmt: skip
"""Editors that take `+N` before the file."""
_GOTO = {"code", "code-insiders", "codium", "vscodium", "cursor", "windsurf"}
"""Editors that take `--goto FILE:N`."""
_COLON = {"subl", "zed", "zeditor"}
"""Editors that take `FILE:N`."""


def editor_words(env: Mapping[str, str]) -> tuple[str, ...]:
    """The words of `$VISUAL`, else of `$EDITOR`; empty if neither is set. Raises ValueError for an open quote."""
    return tuple(shlex.split(env.get("VISUAL", "").strip() or env.get("EDITOR", "").strip()))


def open_at(path: str, line: int, folder: str, env: Mapping[str, str] | None = None) -> tuple[Handle | None, str, str]:
    """The command that opens `path` (absolute) at `line` (0: anywhere); else why there is none, and what to do."""
    surroundings = os.environ if env is None else env
    try:
        words = editor_words(surroundings)
    except ValueError:
        return None, "$EDITOR cannot be read: a quote in it is never closed.", "set it to a command, such as vi"
    if not words:
        return None, "No editor is named.", "set EDITOR (or VISUAL) in your shell: export EDITOR=vi"
    if shutil.which(words[0], path=surroundings.get("PATH")) is None:
        return None, f"{words[0]} is not on the PATH of this terminal.", "set EDITOR to an editor that is installed"
    argv = (*words, *_at(os.path.basename(words[0]), path, line))
    return Handle(shlex.join(argv), argv, folder, (), ""), "", ""


def _at(editor: str, path: str, line: int) -> tuple[str, ...]:
    """How an editor is told the file and the line; one that is not known is told the file alone."""
    if line <= 0:
        return (path,)
    if editor in _PLUS:
        return (f"+{line}", path)
    if editor in _GOTO:
        return ("--goto", f"{path}:{line}")
    return (f"{path}:{line}",) if editor in _COLON else (path,)
