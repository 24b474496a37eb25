"""Which files the tool calls of a session change: edits by the tool's name, patches, and plain shell commands.

Calls are foreign text: nothing is run, and what cannot be told is left out.
"""

from __future__ import annotations

import itertools
import os
import re
import shlex
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from core.records.model import Channel

if TYPE_CHECKING:
    from core.records.model import Turn

EDITORS = frozenset(
    (
        "edit", "write", "multiedit", "notebookedit", "create", "update", "patch", "apply_patch", "applypatch", "write_file",
        "writefile", "write_to_file", "create_file", "createfile", "edit_file", "editfile", "replace", "replace_in_file",
        "replace_string_in_file", "insert_edit_into_file", "str_replace", "str_replace_editor",
        "str_replace_based_edit_tool", "search_replace", "delete_file", "deletefile", "file_edit", "file_write", "move_file",
        "rename_file",
    )
)  # fmt: skip
"""Names of tools that change the file they are given, folded."""
SHELLS = frozenset(
    (
        "bash", "shell", "sh", "exec", "exec_command", "local_shell_call", "container.exec", "run_command",
        "run_shell_command", "run_terminal_cmd", "execute_command", "terminal",
    )
)  # fmt: skip
"""Names of tools that run a command, folded."""
HELPERS = frozenset(("task", "agent", "spawn_agent", "subagent", "new_task", "delegate_to_agent"))
"""Names of tools that hand work to an agent whose own record is another one, folded."""
MAX_COMMAND = 20_000
MAX_NAME = 1000
_PATCHED = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: (.+?)\s*$|^\*\*\* Move to: (.+?)\s*$", re.MULTILINE)
_REDIRECT = re.compile(r"(?:\d|&)?>{1,2}")
_UNTOLD = re.compile(r"[*?{}$`]")


def written_by(
    turns: Iterable[Turn], known: Callable[[str], bool], since: float | None = None
) -> tuple[tuple[str, ...], bool, bool]:
    """The files that calls change, as written, whether there were shell commands, and whether other agents were handed work.
    `known` tells whether a relative name is a file of the project. A call is several turns, one for each of its texts, so
    that nothing here is counted."""
    written: dict[str, None] = {}
    shells = helpers = False
    for turn in turns:
        if turn.channel is not Channel.CALL or (since is not None and turn.at is not None and turn.at < since):
            continue
        name = turn.name.casefold()
        short = name.rpartition("__")[2].rpartition(".")[2]
        patched = [m.group(1) or m.group(2) for m in _PATCHED.finditer(turn.text)]
        if patched:
            written.update(dict.fromkeys(patched))
        elif short in EDITORS:
            written.update(dict.fromkeys(_named(turn.text, known)))
        elif short in SHELLS or name in SHELLS:
            shells = True
            written.update(dict.fromkeys(shell_writes(turn.text)))
        helpers = helpers or short in HELPERS
    return tuple(written), shells, helpers


def _named(text: str, known: Callable[[str], bool]) -> list[str]:
    """The text if it is the name of a file: absolute, or relative and known. Anything else is what is written into it."""
    if "\n" in text or len(text) > MAX_NAME or not text.strip():
        return []
    if os.path.isabs(text):
        return [text] if not text.startswith("//") and len(text) > 1 else []
    return [text] if known(text) else []


def shell_writes(command: str) -> list[str]:
    """Files that a plain shell command removes, moves or writes; nothing for what cannot be told."""
    found: list[str] = []
    for part in re.split(r"&&|\|\||[;\n|]", command[:MAX_COMMAND])[:400]:
        try:
            words = shlex.split(part, comments=True)
        except ValueError:
            continue  # a quote that is not closed: part of a longer text
        found += [b for a, b in itertools.pairwise(words) if _REDIRECT.fullmatch(a)]
        found += [w.lstrip("12&").lstrip(">") for w in words if re.fullmatch(r"[12&]?>{1,2}[^>&].*", w)]
        while words[:1] and words[0] in ("sudo", "git", "command"):
            words = words[1:]
        if words:
            found += _changed_by(words)
    return [w for w in found if w and not w.startswith(("/dev/", "&")) and not _UNTOLD.search(w)]


def _changed_by(words: Sequence[str]) -> list[str]:
    """The files that one command of known kind is given to change."""
    plain = [w for w in itertools.takewhile(lambda w: not _REDIRECT.match(w), words[1:]) if not w.startswith("-")]
    if words[0] in ("rm", "mv", "touch", "unlink", "tee"):
        return plain
    if words[0] in ("cp", "install") and len(plain) > 1:
        return plain[-1:]
    if words[0] == "sed" and any(w.startswith("-i") for w in words):
        return plain if "-e" in words else plain[1:]
    return []
