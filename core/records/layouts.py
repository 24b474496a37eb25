"""Which runtimes' roots a path means that a person gives: told by the names of the folders and files in it."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from core.records.model import Adapter, Root
from core.records.recordfile import at_once

HOMES: tuple[tuple[str, str], ...] = (
    ("claude", ".claude"),
    ("claude", ".config/claude"),
    ("codex", ".codex"),
    ("copilot", ".copilot"),
    ("gemini", ".gemini"),
    ("pi", ".pi/agent"),
    ("pi", ".omp/agent"),
    ("opencode", ".local/share/opencode"),
    ("crush", ".local/share/crush"),
    ("cursor", ".cursor"),
    ("kimi", ".kimi-code"),
    ("kimi", ".kimi"),
    ("vibe", ".vibe"),
    ("amp", ".local/share/amp"),
    ("cline", ".cline/data"),
    ("grok", ".grok"),
    ("antigravity", ".gemini/antigravity-cli"),
)
"""Where a home folder keeps each runtime's root."""
_EDITORS = ("cline", "roo", "kilo")
"""Runtimes that live in the storage of an editor: below a home folder their places are those of their adapters."""
_LAYOUTS: tuple[tuple[str, str], ...] = (
    ("claude", "projects"),
    ("cursor", "projects"),
    ("codex", "sessions"),
    ("codex", "archived_sessions"),
    ("copilot", "session-state"),
    ("gemini", "tmp"),
    ("pi", "sessions"),
    ("kimi", "sessions"),
    ("grok", "sessions"),
    ("vibe", "logs/session"),
    ("opencode", "opencode.db"),
    ("opencode", "storage/session"),
    ("crush", "crush.db"),
    ("crush", ".crush/crush.db"),
    ("crush", "projects.json"),
    ("amp", "threads"),
    ("cline", "tasks"),
    ("antigravity", "brain"),
    ("specstory", ".specstory/history"),
)
"""What tells which runtime's root it lies in; `_holds` decides where two runtimes use the same name."""


def _sessions_of(names: Sequence[str]) -> str:
    """Whose a folder `sessions` is: Pi files by `--cwd--`, Kimi by `wd_…`, Grok by an escaped path, Codex by year."""
    marks: tuple[tuple[str, Callable[[str], bool]], ...] = (
        ("pi", lambda name: name.startswith("--")),
        ("kimi", lambda name: name.startswith("wd_") or _is_md5(name)),
        ("grok", lambda name: name[:3].upper() == "%2F"),
    )
    for runtime, told in marks:
        if any(told(name) for name in names):
            return runtime
    return "codex"


def _is_md5(name: str) -> bool:
    return len(name) == 32 and all(c in "0123456789abcdef" for c in name)


def _holds(runtime: str, place: str) -> bool:
    """True if a folder or file of a layout's name looks like that runtime's."""
    if place.endswith((".db", ".json")):
        return os.path.isfile(place) and (runtime != "crush" or not place.endswith(".json") or _is_crush(place))
    if not os.path.isdir(place):
        return False
    name = os.path.basename(place)
    if name == "sessions":
        try:
            return _sessions_of(os.listdir(place)) == runtime
        except OSError:
            return runtime == "codex"  # cannot be told; its listing will say why
    if name == "projects":
        return _has_transcripts(place) == (runtime == "cursor")
    if runtime == "gemini":
        return os.path.basename(os.path.dirname(place)).startswith(".gemini")
    if runtime == "amp":
        return _any(place, lambda entry: entry.startswith("T-"))
    if runtime == "cline":
        return _any(place, lambda entry: os.path.exists(os.path.join(place, entry, "ui_messages.json")))
    return True


def _any(folder: str, told: Callable[[str], bool]) -> bool:
    try:
        return any(told(name) for name in os.listdir(folder))
    except OSError:
        return False


def _has_transcripts(folder: str) -> bool:
    return _any(folder, lambda name: os.path.isdir(os.path.join(folder, name, "agent-transcripts")))


def _is_crush(path: str) -> bool:
    """Gemini CLI has a `projects.json` too: Crush's lists data folders."""
    try:
        with open(path, "rb", opener=at_once) as file:
            return b'"data_dir"' in file.read(1 << 20)
    except OSError:
        return False


def roots_at(path: str, home: str, adapters: Sequence[Adapter]) -> tuple[Root, ...]:
    """The roots that a path given by the person means: a runtime's root, the folder of records in it, or a home folder
    that holds several. A path without any known layout is tried as a root of every runtime."""
    if path == "~" or path.startswith("~/"):
        path = home + path[1:]
    path = os.path.abspath(path)
    known = {adapter.runtime for adapter in adapters}
    found: list[tuple[str, str]] = []
    for runtime, folder in HOMES:
        if os.path.isdir(os.path.join(path, folder)):
            found.append((runtime, os.path.join(path, folder)))
    for adapter in adapters:
        if adapter.runtime in _EDITORS:
            found.extend((root.runtime, root.path) for root in adapter.roots({}, path) if os.path.isdir(root.path))
    for runtime, layout in _LAYOUTS:
        if _holds(runtime, os.path.join(path, layout)):
            found.append((runtime, path))
        elif path.endswith(os.sep + layout.replace("/", os.sep)) and _holds(runtime, path):
            found.append((runtime, path[: -len(layout) - 1]))
    if not found and _any(path, lambda name: os.path.isdir(os.path.join(path, name, ".specstory", "history"))):
        found.append(("specstory", path))
    if not found:
        found = [(adapter.runtime, path) for adapter in adapters]
    return tuple(Root(runtime, place, "option") for runtime, place in dict.fromkeys(found) if runtime in known)
