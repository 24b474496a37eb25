"""Where each runtime keeps its records: the configured places, else the default ones, existing or not.

Apart from the adapters, for every command asks where to look and most find nothing in most places: an adapter, with all
that it needs to read, is loaded where there is something to read.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

from core.records.model import Root
from core.records.recordfile import at_once

MAX_SETTINGS = 1 << 20
EDITORS = ("Code", "Code - Insiders", "Cursor", "VSCodium", "Windsurf")
_SERVERS = (".vscode-server", ".vscode-server-insiders", ".cursor-server", ".windsurf-server")
EXTENSIONS: Mapping[str, tuple[str, ...]] = {
    "cline": ("saoudrizwan.claude-dev",),
    "roo": ("rooveterinaryinc.roo-cline", "rooveterinaryinc.roo-code-nightly"),
    "kilo": ("kilocode.kilo-code",),
}
"""The folders of an extension in an editor's storage, the newest first."""
_BELOW_HOME: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "codex": ("CODEX_HOME", (".codex",)),
    "copilot": ("COPILOT_HOME", (".copilot",)),
    "cursor": ("CURSOR_CONFIG_DIR", (".cursor",)),
    "kimi": ("KIMI_CODE_HOME", (".kimi-code", ".kimi")),
    "vibe": ("VIBE_HOME", (".vibe",)),
    "grok": ("GROK_HOME", (".grok",)),
}
"""A variable that replaces the places, which may name several, and the places below the home folder."""
_BELOW_DATA: Mapping[str, tuple[str, str]] = {
    "opencode": ("OPENCODE_DATA_DIR", "opencode"),
    "crush": ("CRUSH_GLOBAL_DATA", "crush"),
    "amp": ("AMP_DATA_DIR", "amp"),
}
"""The same for a place below `XDG_DATA_HOME`, else `~/.local/share`."""
_BELOW_GEMINI: Mapping[str, tuple[str, ...]] = {"gemini": (".gemini",), "antigravity": (".gemini", "antigravity-cli")}
"""Places below `GEMINI_CLI_HOME`, else below the home folder."""


def roots_of(runtime: str, env: Mapping[str, str], home: str) -> tuple[Root, ...]:
    """The places of a runtime, each once; none for what only a project or the person names."""
    return _unique(_found(runtime, env, home))


def _found(runtime: str, env: Mapping[str, str], home: str) -> list[Root]:
    if runtime in _BELOW_HOME:
        variable, folders = _BELOW_HOME[runtime]
        return _named(runtime, variable, env, home) or [Root(runtime, os.path.join(home, name)) for name in folders]
    if runtime in _BELOW_DATA:
        variable, name = _BELOW_DATA[runtime]
        data = env.get("XDG_DATA_HOME") or os.path.join(home, ".local", "share")
        return _named(runtime, variable, env, home) or [Root(runtime, os.path.join(data, name))]
    if runtime in _BELOW_GEMINI:
        place, variable = _BELOW_GEMINI[runtime], "GEMINI_CLI_HOME"
        named = [
            Root(runtime, os.path.join(one.path, *place), variable) for one in _named(runtime, variable, env, home)
        ]
        return named or [Root(runtime, os.path.join(home, *place))]
    if runtime in EXTENSIONS:
        return _in_editors(runtime, env, home)
    own: Mapping[str, Callable[[Mapping[str, str], str], list[Root]]] = {"claude": _claude, "pi": _pi}
    return own[runtime](env, home) if runtime in own else []


def _named(runtime: str, variable: str, env: Mapping[str, str], home: str) -> list[Root]:
    return [Root(runtime, path, variable) for path in split_paths(env.get(variable, ""), home)]


def _claude(env: Mapping[str, str], home: str) -> list[Root]:
    """`CLAUDE_CONFIG_DIR` replaces the defaults, as it does for the runtime; it and `CLAUDE_CONFIG_DIRS` may hold several
    paths, separated by commas or by the system's path separator."""
    found = [r for name in ("CLAUDE_CONFIG_DIR", "CLAUDE_CONFIG_DIRS") for r in _named("claude", name, env, home)]
    if found:
        return found
    config = env.get("XDG_CONFIG_HOME") or os.path.join(home, ".config")
    places = [os.path.join(home, ".claude"), os.path.join(config, "claude"), *_accounts(home)]
    return [Root("claude", path) for path in places]


def _accounts(home: str) -> list[str]:
    """Folders of further accounts beside the default one: `~/.claude-<name>` with projects in them."""
    try:
        names = sorted(name for name in os.listdir(home) if name.startswith(".claude-"))
    except OSError:
        return []  # without a listing of the home folder there are no further accounts to name
    places = [os.path.join(home, name) for name in names]
    return [place for place in places if os.path.isdir(os.path.join(place, "projects"))]


def _pi(env: Mapping[str, str], home: str) -> list[Root]:
    """`PI_CODING_AGENT_DIR` else `~/.pi/agent`, the folder of its settings' `sessionDir`, `PI_CODING_AGENT_SESSION_DIR`,
    and oh-my-pi's `~/.omp/agent`."""
    found = _named("pi", "PI_CODING_AGENT_DIR", env, home)
    found = found or [Root("pi", os.path.join(home, place, "agent")) for place in (".pi", ".omp")]
    for root in tuple(found):
        folder = _session_dir(root.path)
        if folder:
            found.append(Root("pi", expand(folder, home), "settings"))
    return found + _named("pi", "PI_CODING_AGENT_SESSION_DIR", env, home)


def _session_dir(root: str) -> str:
    """The `sessionDir` of a root's settings, `""` where there is none."""
    try:
        with open(os.path.join(root, "settings.json"), "rb", opener=at_once) as file:
            data = file.read(MAX_SETTINGS)
    except OSError:
        return ""  # most roots have no settings
    from core.records.lines import NotDecodable, decode
    from core.records.recordfile import is_path

    try:
        value = decode(data)
    except NotDecodable:
        return ""  # being written, or none of Pi's
    folder = value.get("sessionDir") if isinstance(value, dict) else None
    return folder if isinstance(folder, str) and is_path(folder) else ""


def _in_editors(runtime: str, env: Mapping[str, str], home: str) -> list[Root]:
    """The extension's folder in the storage of each editor, on Linux and macOS; `CLINE_DIR` and `~/.cline/data` for
    Cline's own."""
    found: list[Root] = []
    if runtime == "cline":
        found = _named(runtime, "CLINE_DIR", env, home) or [Root(runtime, os.path.join(home, ".cline", "data"))]
    config = env.get("XDG_CONFIG_HOME") or os.path.join(home, ".config")
    bases = [config, os.path.join(home, "Library", "Application Support")]
    stores = [os.path.join(base, editor, "User", "globalStorage") for base in bases for editor in EDITORS]
    stores += [os.path.join(home, server, "data", "User", "globalStorage") for server in _SERVERS]
    places = (os.path.join(store, folder) for store in stores for folder in EXTENSIONS[runtime])
    return found + [Root(runtime, place) for place in places if os.path.isdir(place)]


def split_paths(value: str, home: str) -> list[str]:
    """The paths of a variable, `~` expanded, made absolute; a value that is a folder as a whole is one path."""
    if not value.strip():
        return []
    if os.path.isdir(value):
        return [os.path.abspath(value)]
    parts = [part.strip() for chunk in value.split(",") for part in chunk.split(os.pathsep)]
    return [expand(part, home) for part in parts if part]


def expand(path: str, home: str) -> str:
    """An absolute path; `~` is the given home."""
    if path == "~" or path.startswith("~/"):
        path = home + path[1:]
    return os.path.abspath(path)


def _unique(found: list[Root]) -> tuple[Root, ...]:
    """The roots without those whose path came before."""
    return tuple({root.path: root for root in reversed(found)}[path] for path in dict.fromkeys(r.path for r in found))
