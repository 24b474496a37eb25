"""`recollect settings`: every setting with its value and where it comes from; set one, take one out."""

from __future__ import annotations

import argparse
import os
from typing import Any

from core.settings import Standing
from core.settings_file import Change, SettingsFile
from core.settings_table import Kind, Value
from core.text import cell_width, shown
from tui.output import print_json, write_out
from tui.settings_own import own_file, source_words, value_words


def settings(parsed: argparse.Namespace) -> int:
    """List the settings, or change one."""
    file = own_file(os.environ)
    if parsed.verb is None:
        return _list(file, as_json=parsed.json)
    change = file.set(parsed.key, parsed.value) if parsed.verb == "set" else file.unset(parsed.key)
    after = next((s for s in file.standings() if s.row.name == parsed.key), None)
    if parsed.json:
        print_json(change_document(file, change, after))
        return 0
    for line in change.difference or ("Nothing changed: the file says so already.",):
        write_out(shown(line))
    if change.difference:
        write_out(f"in {shown(str(file.path))}")
    if after is not None and after.source == "environment":
        write_out(f"hint: {after.variable} is set and wins; unset it for the file to hold.")
    elif change.difference and parsed.key.startswith("roots."):
        write_out("hint: recollect index reads the new places at once; otherwise the next search does.")
    return 0


def _list(file: SettingsFile, *, as_json: bool) -> int:
    found = file.standings()
    if as_json:
        rows = [standing_row(standing) for standing in found]
        path = shown(str(file.path))
        print_json({"schema": "recollect-settings-v1", "path": path, "exists": file.path.is_file(), "settings": rows})
        return 0
    missing = "" if file.path.is_file() else " (not there: every default holds)"
    write_out(f"{shown(str(file.path))}{missing}")
    told = [(s.row.name, value_words(s), source_words(s)) for s in found if s.row.section != "roots" or s.value]
    wide = [max(cell_width(row[at]) for row in told) for at in (0, 1)]
    for name, value, source in told:
        gap = " " * (wide[0] - cell_width(name)), " " * (min(wide[1], 40) - cell_width(value))
        write_out(f"{name}{gap[0]}  {value}{gap[1]}  {source}".rstrip())
    write_out("hint: recollect settings set KEY VALUE changes one; --json tells every default and what each takes.")
    return 0


def standing_row(standing: Standing) -> dict[str, Any]:
    """A setting as `--json` has it."""
    row = standing.row
    return {
        "key": row.name,
        "kind": row.kind.value,
        "value": _plain(standing.value),
        "default": _plain(row.default) if row.kind is not Kind.KEYS else None,
        "source": standing.source,
        "variable": standing.variable or None,
        "allowed": list(row.allowed),
        "about": row.about,
    }


def change_document(file: SettingsFile, change: Change, after: Standing | None) -> dict[str, Any]:
    """`recollect-settings-change-v1`."""
    return {
        "schema": "recollect-settings-change-v1",
        "path": shown(str(file.path)),
        "key": change.name,
        "changed": bool(change.difference),
        "difference": [shown(line) for line in change.difference],
        "setting": standing_row(after) if after is not None else None,
    }


def _plain(value: Value) -> Any:
    if isinstance(value, tuple):
        return [shown(each) for each in value]
    return shown(value) if isinstance(value, str) else value
