"""Writing the settings file: one value at a time, comments and order kept, whole or not at all, and taken back again."""

from __future__ import annotations

import difflib
import os
import secrets
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.errors import SurroundingsError, UsageError
from core.frozen import dataclass
from core.paths import private_folder
from core.settings import Standing, read_settings, standings, values_in
from core.settings_table import SettingRow, Value, read_text, setting_named

if TYPE_CHECKING:
    from tomlkit.items import Table

CheckKeys = Callable[[Mapping[str, str]], None]
"""Raises `UsageError` for keys that cannot be, as `{"resume": "f9"}`; the face that has the key table knows them."""


@dataclass(frozen=True, slots=True)
class Change:
    """What was written."""

    name: str
    """The setting, as `app.theme`."""
    before: str
    """The text of the file before, `""` where there was none."""
    after: str
    difference: tuple[str, ...]
    """The lines that left and came, with `-` and `+`; empty where nothing changed."""


class SettingsFile:
    """The settings file of a person. Reads it anew each time: an editor may write it meanwhile."""

    def __init__(
        self,
        path: Path,
        env: Mapping[str, str],
        check_keys: CheckKeys | None = None,
        check_texts: Mapping[str, Callable[[str], object]] | None = None,
    ) -> None:
        """`env` holds the variables that win over the file. `check_texts` holds, by setting, what raises `UsageError` for a
        text that whoever reads the setting would refuse."""
        self.path = path
        self._env = env
        self._check_keys = check_keys
        self._check_texts = check_texts or {}
        self._done: tuple[Change, ...] = ()

    def standings(self) -> tuple[Standing, ...]:
        """Every setting as it is in force. Raises `UsageError` for a file that cannot be read."""
        values = read_settings(self.path)
        self._keys_of(values)
        return standings(values, self._env)

    def checked(self, name: str, texts: Sequence[str]) -> Value:
        """The value that a person typed. Raises `UsageError` where the setting does not take it."""
        row = setting_named(name)
        value = read_text(row, texts)
        if isinstance(value, str) and value and name in self._check_texts:
            self._check_texts[name](value)
        self._keys_of({**read_settings(self.path), name: value})
        return value

    def set(self, name: str, texts: Sequence[str]) -> Change:
        """Write a value. Raises `UsageError` where it cannot be, `SurroundingsError` where the file cannot be written."""
        return self._write(setting_named(name), self.checked(name, texts))

    def unset(self, name: str) -> Change:
        """Take a setting out of the file, so that the default holds."""
        return self._write(setting_named(name), None)

    def undo(self) -> Change | None:
        """Write back what the last change of this object replaced; `None` where there is none.

        Raises `UsageError` where somebody else wrote the file since: their words are not written over.
        """
        if not self._done:
            return None
        last = self._done[-1]
        if self._text() != last.after:
            raise UsageError(f"{self.path} was changed since.", "Edit it by hand, or set the value again.")
        self._replace(last.before)
        self._done = self._done[:-1]
        return _change(last.name, last.after, last.before)

    def _write(self, row: SettingRow, value: Value | None) -> Change:
        before = self._text()
        wanted = values_in(before.encode(), self.path)  # a broken file is said, not mended by chance
        wanted.pop(row.name, None)
        if value is not None:
            wanted[row.name] = value
        self._keys_of(wanted)
        after = edited(before, row.section, row.key, value)
        if values_in(after.encode(), self.path) != wanted:
            raise UsageError(f"{self.path} is written in a way that cannot be changed here.", "Edit it by hand.")
        change = _change(row.name, before, after)
        if change.difference:
            self._replace(after)
            self._done = (*self._done, change)
        return change

    def _keys_of(self, values: Mapping[str, Value]) -> None:
        keys = {name.partition(".")[2]: str(v) for name, v in values.items() if name.startswith("keys.")}
        if keys and self._check_keys is not None:
            self._check_keys(keys)

    def _text(self) -> str:
        try:
            return self.path.read_bytes().decode("utf-8")
        except FileNotFoundError:
            return ""
        except (OSError, UnicodeDecodeError) as problem:
            raise UsageError(
                f"The settings file {self.path} cannot be read: {problem}.", "Mend it or move it away."
            ) from problem

    def _replace(self, text: str) -> None:
        """Put the whole text in place of the file at once. A link is followed: dotfiles are often kept elsewhere."""
        try:
            real = Path(os.path.realpath(self.path))
            if not real.parent.is_dir():
                private_folder(real.parent)
            mode = real.stat().st_mode & 0o777 if real.exists() else 0o600
            draft = real.with_name(f".{real.name}.{secrets.token_hex(4)}")
            try:
                with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as out:
                    out.write(text.encode())
                    out.flush()
                    os.fsync(out.fileno())
                os.replace(draft, real)
            finally:
                draft.unlink(missing_ok=True)
        except OSError as problem:
            raise SurroundingsError(
                f"The settings file {self.path} cannot be written: {problem.strerror or problem}.",
                "Make the folder writable, or set RECOLLECT_HOME to a folder you may write to.",
            ) from problem


def edited(text: str, section: str, key: str, value: Value | None) -> str:
    """The text of a settings file with one value set, or with `None` taken out. What else stands there stays."""
    import tomlkit  # 30 ms of CPU, for those who change a setting

    document = tomlkit.parse(text)
    table: Any = document.get(section)
    if value is None:
        if table is not None and key in table:
            table.remove(key)
            if not table.as_string().strip():
                document.remove(section)
                rest = document.as_string().rstrip()
                return f"{rest}\n" if rest else ""
        return document.as_string()
    if table is None:
        table = tomlkit.table()
        if text.strip():
            document.add(tomlkit.nl())
        document.add(section, table)
    _put(table, key, list(value) if isinstance(value, tuple) else value)
    return document.as_string()


def _put(table: Table, key: str, value: object) -> None:
    """Set a value and keep the comment on its line, which tomlkit does where the kind stays the same only."""
    old: Any = table.get(key)
    trivia = getattr(old, "trivia", None)
    table[key] = value
    if trivia is not None and trivia.comment:
        new: Any = table[key]
        new.trivia.comment, new.trivia.comment_ws = trivia.comment, trivia.comment_ws


def _change(name: str, before: str, after: str) -> Change:
    lines = difflib.ndiff(before.splitlines(), after.splitlines())
    return Change(name, before, after, tuple(line for line in lines if line[:1] in "-+" and line[2:].strip()))
