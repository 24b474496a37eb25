"""The settings file: TOML, every key known, an unknown one named with its nearest neighbour.

What may stand in it is the table of `core/settings_table.py`; `docs/settings.md` is made from that too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import Any

from core.errors import UsageError
from core.frozen import dataclass
from core.settings_table import (
    MOST_COMMITS,
    RUNTIMES,
    SECTIONS,
    THEMES,
    SettingRow,
    Value,
    checked,
    from_environment,
    known,
    rows_of,
    setting_named,
)

__all__ = [
    "MOST_COMMITS", "RUNTIMES", "THEMES", "Settings", "Standing", "load_settings", "read_settings", "standings", "values_in",
]  # fmt: skip


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
    keys: dict[str, str] = field(default_factory=dict)
    """Other keys by the ids of actions, comma-separated. `tui.keymap` knows which there are."""


@dataclass(frozen=True, slots=True)
class Standing:
    """One setting as it is in force."""

    row: SettingRow
    value: Value
    source: str
    """`default`, `file` or `environment`."""
    variable: str = ""
    """The variable that decides, where one does."""


def load_settings(path: Path) -> Settings:
    """Read the settings file; a missing one means the defaults. Raises `UsageError` naming file, key and remedy."""
    values = read_settings(path)
    if not values:
        return Settings()
    fields: dict[str, Any] = {"roots": {}, "keys": {}}
    for name, value in values.items():
        section, _, key = name.partition(".")
        if section in ("roots", "keys"):
            fields[section][key] = value
        else:
            fields[f"memory_{key}" if section == "memory" else key] = value
    return Settings(**fields)


def read_settings(path: Path) -> dict[str, Value]:
    """What stands in the settings file, by `section.key`. Raises as `load_settings` does."""
    try:
        text = path.read_bytes()
    except FileNotFoundError:
        return {}
    except OSError as problem:
        raise UsageError(
            f"The settings file {path} cannot be read: {problem.strerror or problem}.", "Mend it or move it away."
        ) from problem
    return values_in(text, path)


def values_in(text: bytes, path: Path) -> dict[str, Value]:
    """The checked values in the text of a settings file, by `section.key`. Raises as `load_settings` does."""
    import tomllib  # 10 ms of CPU, for those who have a settings file

    try:
        data = tomllib.loads(text.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        raise UsageError(
            f"The settings file {path} cannot be read: {problem}.", "Mend it or move it away."
        ) from problem
    where = f"{path}: "
    found: dict[str, Value] = {}
    for section, values in data.items():
        known(section, SECTIONS, where, "section")
        if not isinstance(values, dict):
            raise UsageError(f"{path}: “{section}” must be a section.", f"Write [{section}] on a line of its own.")
        for key, value in values.items():
            if section != "keys":
                known(key, tuple(row.key for row in rows_of(section)), where, f"key of [{section}]")
            row = setting_named(f"{section}.{key}")
            found[row.name] = checked(row, value, where)
    return found


def standings(values: Mapping[str, Value], env: Mapping[str, str]) -> tuple[Standing, ...]:
    """Every setting with its value and where it comes from; of the keys, those that the file names."""
    from core.settings_table import SETTINGS

    rows = [row for row in SETTINGS if row.key != "*"]
    rows += [setting_named(name) for name in values if name.startswith("keys.")]
    found = []
    for row in rows:
        decided = from_environment(row, env)
        if decided is not None:
            found.append(Standing(row, decided[0], "environment", decided[1]))
        elif row.name in values:
            found.append(Standing(row, values[row.name], "file"))
        else:
            found.append(Standing(row, row.default, "default"))
    return tuple(found)
