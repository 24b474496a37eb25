"""The one table of settings: what is read, what its errors say, `docs/settings.md` and the screen are all made from it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from enum import StrEnum

from core.errors import UsageError
from core.frozen import dataclass

RUNTIMES = (
    "claude", "codex", "copilot", "gemini", "pi", "opencode", "crush", "cursor", "kimi", "vibe", "amp", "cline", "roo",
    "kilo", "grok", "antigravity", "specstory",
)  # fmt: skip
MOST_COMMITS = 50_000
"""Commits of one project that may be asked for."""
THEMES = ("auto", "dark", "light", "contrast", "ansi")
RESUMES = ("suspend", "exec")
Value = str | bool | int | tuple[str, ...]
"""What a setting may be: a word or a text, a flag, a number, or folders."""


class Kind(StrEnum):
    """What a setting takes."""

    CHOICE = "choice"
    FLAG = "flag"
    COUNT = "count"
    TEXT = "text"
    FOLDERS = "folders"
    KEYS = "keys"


@dataclass(frozen=True, slots=True)
class SettingRow:
    """One setting."""

    section: str
    key: str
    """`*` for the section `keys`, whose keys are the ids of actions."""
    kind: Kind
    default: Value
    about: str
    """One sentence that says what it does."""
    allowed: tuple[str, ...] = ()
    """The answers of a choice."""
    variable: str = ""
    """The environment variable that wins over the file, `""` for none."""

    @property
    def name(self) -> str:
        """As a person writes it: `app.theme`."""
        return f"{self.section}.{self.key}"

    @property
    def takes(self) -> str:
        """What it takes, in words."""
        return {
            Kind.CHOICE: f"one of {', '.join(self.allowed)}",
            Kind.FLAG: "true or false",
            Kind.COUNT: f"a number from 0 to {MOST_COMMITS:,}",
            Kind.TEXT: "a text",
            Kind.FOLDERS: "folders, with commas between",
            Kind.KEYS: "keys, with commas between",
        }[self.kind]


SETTINGS: tuple[SettingRow, ...] = (
    SettingRow("app", "theme", Kind.CHOICE, "auto", "Colours of the app; auto takes what suits the terminal.", THEMES),
    SettingRow("app", "motion", Kind.FLAG, True, "False: nothing blinks, spins or slides.", variable="NO_MOTION"),
    SettingRow("app", "mouse", Kind.FLAG, True, "False: the terminal keeps the mouse."),
    SettingRow("app", "resume", Kind.CHOICE, "suspend",
               "With suspend the app comes back after the runtime ends; with exec the runtime takes its place.", RESUMES),
    SettingRow("records", "commits", Kind.COUNT, 1000,
               "Commits of each project's git history that are read, the newest; 0 reads none."),
    SettingRow("records", "notes", Kind.FLAG, True,
               "False: decision notes, memories and handoff documents of projects are not read."),
    SettingRow("memory", "url", Kind.TEXT, "",
               "The owner of a memory that a team shares, as in http://127.0.0.1:8377; without it, a file of your own.",
               variable="RECOLLECT_MEMORY_URL"),
    SettingRow("memory", "token_file", Kind.TEXT, "", "The file that holds the token for that owner.",
               variable="RECOLLECT_MEMORY_TOKEN"),
    *(SettingRow("roots", runtime, Kind.FOLDERS, (), f"More folders to read sessions of {runtime} from.") for runtime in RUNTIMES),
    SettingRow("keys", "*", Kind.KEYS, "", "Other keys for an action, by the ids of docs/keys.md."),
)  # fmt: skip
"""Every setting, in the order in which it is shown."""
SECTIONS = tuple(dict.fromkeys(row.section for row in SETTINGS))
VARIABLES = tuple(row.variable for row in SETTINGS if row.variable)


def rows_of(section: str) -> tuple[SettingRow, ...]:
    """The settings of a section."""
    return tuple(row for row in SETTINGS if row.section == section)


def setting_named(name: str) -> SettingRow:
    """The row of `section.key`; for the keys of an action a row of its own. Raises `UsageError` with the nearest name."""
    section, _, key = name.partition(".")
    if section == "keys" and key:
        family = rows_of("keys")[0]
        return SettingRow("keys", key, family.kind, family.default, family.about)
    names = [row.name for row in SETTINGS if row.key != "*"]
    for row in SETTINGS:
        if row.name == name and row.key != "*":
            return row
    import difflib  # for a slip only: every command loads this module

    close = [each for each in names if each.partition(".")[2] == name] or difflib.get_close_matches(name, names, n=1)
    hint = f"Did you mean “{close[0]}”?" if close else "Run: recollect settings"
    raise UsageError(f"“{name}” is no setting.", hint)


def known(name: str, names: Sequence[str], where: str, what: str) -> None:
    """Raise `UsageError` with the nearest name for one that is not among them. `where` is a path and a colon, or `""`."""
    if name in names:
        return
    import difflib

    close = difflib.get_close_matches(name, names, n=1)
    hint = f"Did you mean “{close[0]}”?" if close else f"Known: {', '.join(names)}."
    raise UsageError(f"{where}“{name}” is no {what}.", hint)


def checked(row: SettingRow, value: object, where: str = "") -> Value:
    """A value of a settings file as the program takes it. Raises `UsageError` naming the key and what it takes."""
    bad = UsageError(f"{where}{row.name} cannot be {value!r}.", f"It is {row.takes}.")
    if row.kind is Kind.FOLDERS:
        items = [value] if isinstance(value, str) else value
        if not isinstance(items, list | tuple) or not all(isinstance(v, str) and v for v in items):
            what = f"{where}{row.name} must be a list of folders."
            raise UsageError(what, f'Write {row.key} = ["/some/folder"].')
        return tuple(items)
    if row.kind is Kind.FLAG:
        if isinstance(value, bool):
            return value
        raise bad
    if row.kind is Kind.COUNT:
        if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_COMMITS:
            return value
        raise bad
    if not isinstance(value, str):
        raise UsageError(bad.what, "It is a text in quotes.")
    if row.kind is Kind.CHOICE and value not in row.allowed:
        raise bad
    if row.kind is Kind.KEYS:
        keys = ",".join(key.strip() for key in value.split(",") if key.strip())
        if not keys:
            raise UsageError(f"{where}{row.name} names no key.", f'Write {row.key} = "f9", or take the line out.')
        return keys
    return value.strip()


def read_text(row: SettingRow, texts: Sequence[str]) -> Value:
    """What a person typed for a setting, as a value. Folders become absolute. Raises `UsageError` as `checked` does."""
    text = " ".join(texts).strip()
    if row.kind is Kind.FLAG:
        said = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}.get(text.lower())
        return checked(row, text if said is None else said)
    if row.kind is Kind.COUNT:
        digits = text.replace(",", "").replace("_", "")
        return checked(row, int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 9 else text)
    if row.kind is Kind.FOLDERS:
        parts = [part.strip() for part in (texts if len(texts) > 1 else text.split(",")) if part.strip()]
        return checked(row, [part if part.startswith("~") else os.path.abspath(part) for part in parts])
    return checked(row, text)


def as_text(value: Value) -> str:
    """A value as a person types it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return ", ".join(value) if isinstance(value, tuple) else str(value)


def from_environment(row: SettingRow, env: Mapping[str, str]) -> tuple[Value, str] | None:
    """What a variable decides over the file, and its name; `None` where none does. A token is never told."""
    if row.name == "app.motion":
        if env.get("NO_MOTION"):
            return False, "NO_MOTION"
        return (False, "TEXTUAL_ANIMATIONS") if env.get("TEXTUAL_ANIMATIONS", "").lower() == "none" else None
    if not row.variable or not (said := env.get(row.variable, "").strip()):
        return None
    return ("" if row.name == "memory.token_file" else said), row.variable
