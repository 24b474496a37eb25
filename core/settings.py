"""The settings file: TOML, every key known, an unknown one named with its nearest neighbour.

```toml
[roots]
claude = ["/backup/claude"]     # more places to read, per runtime
[records]
commits = 1000                  # of each project, the newest; 0 reads no git history
notes = true
[memory]
url = "http://127.0.0.1:8377"   # a memory that a team shares; without it, a file of your own
token_file = "~/.recollect-token"
[app]
theme = "auto"                  # auto, dark, light, contrast, ansi
motion = true
mouse = true
resume = "suspend"              # suspend, exec
```
"""

from __future__ import annotations

from dataclasses import field
from pathlib import Path

from core.errors import UsageError
from core.frozen import dataclass

RUNTIMES = (
    "claude", "codex", "copilot", "gemini", "pi", "opencode", "crush", "cursor", "kimi", "vibe", "amp", "cline", "roo",
    "kilo", "grok", "antigravity", "specstory",
)  # fmt: skip
MOST_COMMITS = 50_000
"""Commits of one project that may be asked for."""
THEMES = ("auto", "dark", "light", "contrast", "ansi")


@dataclass(frozen=True, slots=True)
class Settings:
    """What a person set."""

    roots: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """More roots per runtime, absolute or from `~`."""
    theme: str = "auto"
    """Colours of the app."""
    motion: bool = True
    """False: nothing blinks, spins or slides."""
    mouse: bool = True
    """False: the terminal keeps the mouse."""
    resume: str = "suspend"
    """`suspend`: the app comes back after the runtime ends; `exec`: the runtime takes its place."""
    commits: int = 1000
    """Commits of each project's git history that are read, the newest; 0: none."""
    notes: bool = True
    """False: decision notes, memories and handoff documents of projects are not read."""
    memory_url: str = ""
    """Address of the owner of a shared memory; `""`: the embedded one."""
    memory_token_file: str = ""
    """The file that holds the token for it."""


def load_settings(path: Path) -> Settings:
    """Read the settings file; a missing one means the defaults. Raises `UsageError` naming file, key and remedy."""
    try:
        text = path.read_bytes()
    except FileNotFoundError:
        return Settings()
    except OSError as problem:
        raise UsageError(
            f"The settings file {path} cannot be read: {problem}.", "Mend it or move it away."
        ) from problem
    import tomllib  # 10 ms of CPU, for those who have a settings file

    try:
        data = tomllib.loads(text.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        raise UsageError(
            f"The settings file {path} cannot be read: {problem}.", "Mend it or move it away."
        ) from problem
    known = {
        "roots": RUNTIMES,
        "records": ("commits", "notes"),
        "memory": ("url", "token_file"),
        "app": ("theme", "motion", "mouse", "resume"),
    }
    for section, values in data.items():
        _known(section, tuple(known), path, "section")
        if not isinstance(values, dict):
            raise UsageError(f"{path}: “{section}” must be a section.", f"Write [{section}] on a line of its own.")
        for key in values:
            _known(key, known[section], path, f"key of [{section}]")
    roots = {runtime: _paths(value, runtime, path) for runtime, value in data.get("roots", {}).items()}
    app, records, memory = data.get("app", {}), data.get("records", {}), data.get("memory", {})
    return Settings(
        roots=roots,
        theme=_choice(app, "theme", THEMES, "auto", path),
        motion=_flag(app, "motion", path),
        mouse=_flag(app, "mouse", path),
        commits=_count(records, "commits", 1000, path),
        notes=_flag(records, "notes", path, "records"),
        memory_url=_word(memory, "url", path),
        memory_token_file=_word(memory, "token_file", path),
        resume=_choice(app, "resume", ("suspend", "exec"), "suspend", path),
    )


def _known(name: str, known: tuple[str, ...], path: Path, what: str) -> None:
    if name in known:
        return
    import difflib

    close = difflib.get_close_matches(name, known, n=1)
    hint = f"Did you mean “{close[0]}”?" if close else f"Known: {', '.join(known)}."
    raise UsageError(f"{path}: “{name}” is no {what}.", hint)


def _paths(value: object, runtime: str, path: Path) -> tuple[str, ...]:
    items = [value] if isinstance(value, str) else value
    if not isinstance(items, list) or not all(isinstance(v, str) and v for v in items):
        raise UsageError(f"{path}: roots.{runtime} must be a list of folders.", f'Write {runtime} = ["/some/folder"].')
    return tuple(items)


def _choice(app: dict[str, object], key: str, allowed: tuple[str, ...], default: str, path: Path) -> str:
    value = app.get(key, default)
    if value not in allowed:
        raise UsageError(f"{path}: app.{key} cannot be {value!r}.", f"It is one of {', '.join(allowed)}.")
    return str(value)


def _flag(values: dict[str, object], key: str, path: Path, section: str = "app") -> bool:
    value = values.get(key, True)
    if not isinstance(value, bool):
        raise UsageError(f"{path}: {section}.{key} cannot be {value!r}.", "It is true or false.")
    return value


def _word(memory: dict[str, object], key: str, path: Path) -> str:
    value = memory.get(key, "")
    if not isinstance(value, str):
        raise UsageError(f"{path}: memory.{key} cannot be {value!r}.", "It is a text in quotes.")
    return value.strip()


def _count(values: dict[str, object], key: str, default: int, path: Path) -> int:
    value = values.get(key, default)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= MOST_COMMITS:
        raise UsageError(f"{path}: records.{key} cannot be {value!r}.", f"It is a number from 0 to {MOST_COMMITS:,}.")
    return value
