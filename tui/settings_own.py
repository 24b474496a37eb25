"""The person's own settings file, its keys checked by the key table, and how a setting is told."""

from __future__ import annotations

from collections.abc import Mapping

from core.paths import own_places
from core.settings import Standing
from core.settings_file import SettingsFile
from core.settings_table import as_text
from core.text import shown
from tui.keymap import check_keymap


def own_file(env: Mapping[str, str]) -> SettingsFile:
    """The settings file that these surroundings name."""
    path = own_places(env).settings
    return SettingsFile(path, env, lambda keys: check_keymap(keys, f"{path}: "), {"memory.url": _address})


def _address(url: str) -> object:
    """An owner's address is refused where it is written, not at the next write to memory; a password never gets there."""
    from core.memory.carrying import checked_address  # what speaks HTTP, which no other setting needs

    return checked_address(url, "memory.url")


def value_words(standing: Standing) -> str:
    """The value of a setting in a list; what is empty is told as a dash."""
    if standing.source == "environment" and standing.value == "":
        return "(the variable's)"
    return shown(as_text(standing.value)) or "-"


def source_words(standing: Standing) -> str:
    """Where a value comes from."""
    if standing.source == "environment":
        return f"by {standing.variable}"
    if standing.source == "file":
        return "set" if standing.value != standing.row.default else "set, as by default"
    return "default"
