"""Resume handles: the command that goes on with a session in its own runtime (design/recall.md 7).

A command is only given where the record supports it: an id of the runtime's own shape, a working directory that is
recorded. Every path is shell-quoted. A subagent, a copy or a review is never resumed by its own id.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable

from core.frozen import dataclass
from core.patterns import Pattern
from core.ports import Entry
from core.recall.model import Handle
from core.records.model import WRITTEN, Role

_SHA = Pattern(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_UUID = Pattern(r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}")
_OPENCODE = Pattern(r"ses_[0-9A-Za-z]{8,40}")
_KIMI = Pattern(rf"(?:session_)?{_UUID.source}|session_[0-9A-Za-z]{{8,40}}")
_AMP = Pattern(rf"T-{_UUID.source}")


@dataclass(frozen=True, slots=True)
class _Way:
    """How one runtime resumes."""

    argv: tuple[str, ...]
    """The command in front of the id."""
    shape: Pattern
    variable: str = ""
    """The variable that names another root, `""` if there is none."""
    folders: tuple[str, ...] = ()
    """The roots' names below the home folder where no variable is needed."""
    needs_cwd: bool = True
    """False if the runtime finds a session from anywhere."""


_WAYS: dict[str, _Way] = {
    "claude": _Way(("claude", "--resume"), _UUID, "CLAUDE_CONFIG_DIR", (".claude",)),
    "codex": _Way(("codex", "resume"), _UUID, "CODEX_HOME", (".codex",)),
    "copilot": _Way(("copilot", "--resume"), _UUID, "COPILOT_HOME", (".copilot",), needs_cwd=False),
    "gemini": _Way(("gemini", "--resume"), _UUID),
    "pi": _Way(("pi", "--session"), _UUID),
    "opencode": _Way(("opencode", "--session"), _OPENCODE),
    "crush": _Way(("crush", "--session"), _UUID),
    "cursor": _Way(("cursor-agent", "--resume"), _UUID),
    "kimi": _Way(("kimi", "--session"), _KIMI, "KIMI_CODE_HOME", (".kimi-code", ".kimi")),
    "vibe": _Way(("vibe", "--resume"), _UUID, "VIBE_HOME", (".vibe",)),
    "amp": _Way(("amp", "threads", "continue"), _AMP, needs_cwd=False),
    "grok": _Way(("grok", "--resume"), _UUID, "GROK_HOME", (".grok",)),
    "antigravity": _Way(("agy", "--conversation"), _UUID, needs_cwd=False),
}
"""Cline, Roo Code and Kilo Code go on in their editor, and an export of SpecStory in no runtime: no command for them."""
_NAMES = {
    "claude": "Claude Code", "codex": "Codex", "copilot": "Copilot CLI", "gemini": "Gemini CLI", "pi": "Pi",
    "opencode": "OpenCode", "crush": "Crush", "cursor": "Cursor CLI", "kimi": "Kimi Code", "vibe": "Vibe",
    "amp": "Amp", "cline": "Cline", "roo": "Roo Code", "kilo": "Kilo Code", "grok": "Grok Build",
    "antigravity": "Antigravity", "specstory": "SpecStory", "git": "git", "notes": "notes", "memory": "memory",
}  # fmt: skip


_KINDS = {Role.SUBAGENT: "A subagent's record", Role.COPY: "A copy of its parent's record", Role.REVIEW: "A review"}


def runtime_name(runtime: str) -> str:
    """The name people know a runtime by."""
    return _NAMES.get(runtime, runtime)


def resume_handle(entry: Entry, parent: Entry | None, home: str, is_folder: Callable[[str], bool]) -> Handle:
    """The handle of a record.

    `parent` is the record of the session that started this one, if it exists; `home` the person's home folder (for the
    default roots); `is_folder` answers for a recorded working directory.
    """
    spine, source = entry.spine, entry.source
    own_id = spine.session_id or source.session_id
    role = spine.role if spine.role is not Role.MAIN else source.role
    if role in WRITTEN:
        return _written(entry, role, own_id, is_folder)
    if role is Role.GHOST:
        return Handle(note="The record's body is gone; only its prompts remain, so the session cannot be resumed.")
    if role is Role.MAIN and not spine.forked_from:
        return _handle(entry, own_id, home, is_folder)
    parent_id = spine.parent_id or source.parent_id or spine.forked_from
    what = _KINDS.get(role, "A fork")
    if parent is not None:
        handle = _handle(parent, parent.spine.session_id or parent.source.session_id, home, is_folder)
        return Handle(
            handle.command,
            handle.argv,
            handle.cwd,
            handle.env,
            (
                f"{what} is not resumed by its own id; this is the session it was forked from."
                if what == "A fork"
                else f"{what} cannot be resumed; this is the session that started it."
            )
            + (f" {handle.note}" if handle.note else ""),
        )
    if parent_id:
        return Handle(
            note=f"{what} cannot be resumed; it {'was forked from' if what == 'A fork' else 'was started by'} session "
            f"{parent_id}, whose own record is not here. "
            "What is recoverable is this record's text."
        )
    return Handle(note=f"{what} cannot be resumed, and it does not name the session that started it.")


def _written(entry: Entry, role: Role, name: str, is_folder: Callable[[str], bool]) -> Handle:
    """How to look at a commit or tag in its repository; a note is a file, and nothing goes on with it."""
    if role is Role.MEMORY:
        return Handle(note=f"A claim in memory; recollect memory show {name} tells its history and its evidence.")
    if role is Role.NOTE:
        return Handle(note="A note is a file of its project; there is no session to go on with.")
    what = "The commit" if role is Role.COMMIT else "The tag"
    if role is Role.COMMIT and not _SHA.fullmatch(name):
        return Handle(note="The commit's name is not of the shape git gives; no command is made.")
    folder = entry.spine.project if is_folder(entry.spine.project) else entry.source.root
    if not is_folder(folder):
        return Handle(note=f"{what}'s repository {entry.spine.project} is gone, so there is no command to show it.")
    argv = ("git", "-C", folder, "show", name if role is Role.COMMIT else f"refs/tags/{name}")
    return Handle(shlex.join(argv), argv, "", (), f"{what} is shown in its repository.")


def _handle(entry: Entry, session_id: str, home: str, is_folder: Callable[[str], bool]) -> Handle:
    source, spine = entry.source, entry.spine
    way = _WAYS.get(source.runtime)
    if way is None:
        return Handle(note=f"No resume command is known for {runtime_name(source.runtime)}.")
    if source.runtime == "pi" and source.root.rstrip("/").endswith("/.omp/agent"):
        return Handle(note="No resume command is known for oh-my-pi.")
    if not way.shape.fullmatch(session_id):
        return Handle(
            note=f"The record's id is not of the shape {runtime_name(source.runtime)} gives; no command is made."
        )
    if entry.standing.value == "gone":
        return Handle(note="The record's file is gone, so the runtime cannot resume it; what the index holds remains.")
    env, prefix = _root(way, source.root, home)
    argv = (*way.argv, session_id)
    bare = prefix + shlex.join(argv)
    cwd = _cwd(entry)
    if source.archived and source.runtime == "codex":
        note = "The session is archived; unarchive it in Codex first if it is not listed."
    else:
        note = ""
    if not cwd:
        if way.needs_cwd:
            return Handle(note="The record names no working directory, so there is no command that is sure to find it.")
        return Handle(bare, argv, "", env, note)
    if not is_folder(cwd):
        gone = f"Its folder {cwd} is gone, so the command stands without it."
        return Handle(bare, argv, "", env, f"{gone} {note}".strip())
    moved = len(spine.cwds) > 1 and spine.cwds[-1] != cwd
    if moved and not note:
        note = f"The session later worked in {spine.cwds[-1]}."
    return Handle(f"cd {shlex.quote(cwd)} && {bare}", argv, cwd, env, note)


def _root(way: _Way, root: str, home: str) -> tuple[tuple[tuple[str, str], ...], str]:
    """The variable that names the root, where it is not the default one."""
    if not way.variable or root.rstrip("/") in [f"{home.rstrip('/')}/{folder}" for folder in way.folders]:
        return (), ""
    return ((way.variable, root),), f"{way.variable}={shlex.quote(root)} "


def _cwd(entry: Entry) -> str:
    """The folder the runtime looks a session up by.

    Claude Code files a session under its starting folder, every character but letters and digits as `-` (formats.md
    1a); among the folders the record names, the one with that spelling is it.
    """
    spine = entry.spine
    if entry.source.runtime == "claude":
        bucket = entry.source.path.rsplit("/", 2)[-2] if entry.source.path.count("/") >= 2 else ""
        for cwd in spine.cwds:
            if re.sub(r"[^A-Za-z0-9]", "-", cwd) == bucket:
                return cwd
    return spine.project
