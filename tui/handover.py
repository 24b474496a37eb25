"""Handing the terminal to a session's own runtime, and taking it back."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
import termios
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from core.frozen import dataclass
from core.recall.model import Handle
from core.records.model import Locator

if TYPE_CHECKING:
    from textual.app import App


@dataclass(frozen=True, slots=True)
class Handover:
    """The app ended in order to become this command."""

    handle: Handle


@dataclass(frozen=True, slots=True)
class Returned:
    """A command ran and the terminal is ours again."""

    code: int
    problem: str = ""
    """Why it could not be started."""


def refusal(handle: Handle, locator: Locator, env: Mapping[str, str] | None = None) -> tuple[str, str]:
    """Why the session cannot be resumed now and what to do; two empty strings if it can."""
    if not handle.argv:
        return handle.note or "This record has no command to resume it.", ""
    name = handle.argv[0]
    path = dict(handle.env).get("PATH") or (os.environ if env is None else env).get("PATH")
    import shutil  # 3 ms, when something is handed over

    if shutil.which(name, path=path) is None:
        return f"{name} is not on the PATH of this terminal.", f"the command is: {handle.command}"
    if handle.cwd and not os.path.isdir(handle.cwd):
        return f"The folder {handle.cwd} is not there.", f"the command is: {handle.command}"
    held = open_elsewhere(locator)
    if held:
        return held, f"close it there first; the command is: {handle.command}"
    return "", ""


def open_elsewhere(locator: Locator) -> str:
    """In words, where the session is open right now; `""` if it is not known to be."""
    if not locator.session_id:
        return ""
    if locator.runtime == "claude":
        return _open_in_claude(Path(locator.root), locator.session_id)
    if locator.runtime == "codex":
        return _open_in_codex(Path(locator.root), locator.session_id)
    return ""


def _open_in_claude(root: Path, session_id: str) -> str:
    """Claude Code writes `sessions/<pid>.json` for each live session (reference/formats.md)."""
    try:
        files = sorted((root / "sessions").glob("*.json"))[:500]
    except OSError:
        return ""
    for file in files:
        pid = int(file.stem) if file.stem.isdigit() else 0
        if pid and _alive(pid) and _names(file, session_id):
            return f"The session is open in another terminal (process {pid})."
    return ""


def _names(file: Path, session_id: str) -> bool:
    """True if the registry file names the session."""
    import json

    try:
        entry = json.loads(file.read_bytes()[:100_000])
    except (OSError, ValueError):
        return False
    return isinstance(entry, dict) and entry.get("sessionId") == session_id


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except PermissionError:
        return True
    except (OSError, OverflowError):
        return False
    return True


def _open_in_codex(root: Path, session_id: str) -> str:
    """Codex holds a lock on `thread-writer-locks/<thread>.lock` while it writes (reference/formats.md)."""
    if not session_id.replace("-", "").isalnum():
        return ""
    try:
        with (root / "thread-writer-locks" / f"{session_id}.lock").open("rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
            fcntl.flock(lock, fcntl.LOCK_UN)
    except BlockingIOError:
        return "The session is open in another Codex."
    except OSError:
        return ""
    return ""


def hand_over(app: App[object], handle: Handle) -> Returned:
    """Suspend the app, run the command on a clean terminal, and come back.

    Raises `textual.app.SuspendNotSupported` where there is no terminal to hand over.
    """
    with app.suspend():
        try:
            done = subprocess.run(handle.argv, cwd=handle.cwd or None, env=environment(handle), check=False)
        except OSError as error:
            return Returned(127, f"{handle.argv[0]} did not start: {error.strerror}")
        finally:
            _drop_typed_ahead()
    return Returned(done.returncode)


def become(handle: Handle) -> None:
    """Replace this process by the command. Raises OSError if it does not start."""
    if handle.cwd:
        os.chdir(handle.cwd)
    os.execvpe(handle.argv[0], list(handle.argv), environment(handle))  # noqa: S606 - an argument list, no shell


def environment(handle: Handle) -> dict[str, str]:
    """The environment of the command."""
    return {**os.environ, **dict(handle.env)}


def _drop_typed_ahead() -> None:
    """Forget keys that were typed while the command ended, so that they do not act here."""
    if sys.__stdin__ is None or not sys.__stdin__.isatty():
        return
    termios.tcflush(sys.__stdin__.fileno(), termios.TCIFLUSH)
