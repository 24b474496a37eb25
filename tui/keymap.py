"""A person's own keys, `[keys]` of the settings: which there can be, and why another one cannot.

Loads no screen library: the settings are checked before the app starts, and by commands.
"""

from __future__ import annotations

from collections.abc import Mapping

from core.errors import UsageError
from tui.key_rows import SIGNS, KeyRow, Pane, key_names, sign_name
from tui.keys import CURATE, DELEGATE, MEMORY, RECOLLECT, SOUL, TABLE

FIXED: Mapping[str, str] = {
    "copy-or-quit": "ctrl+c always copies and leaves",
    "back": "esc always leads back",
    "quit": "ctrl+q always leaves",
    "palette": "F5 always opens the palette, which has every action by name",
}
"""Actions whose keys stay, so that a mistake in the settings never locks anybody in."""
_PLACES: tuple[tuple[Pane, tuple[KeyRow, ...]], ...] = (
    (Pane.RECOLLECT, RECOLLECT), (Pane.SOUL, SOUL), (Pane.CURATE, CURATE), (Pane.MEMORY, MEMORY), (Pane.DELEGATE, DELEGATE),
)  # fmt: skip
_TYPED = frozenset({Pane.CUE, Pane.WORDS, Pane.KEPT_WORDS, Pane.FORM, Pane.ORDER})
"""Panes in which a key that prints a character is typed."""
_EDITING = frozenset(
    {"ctrl+a", "ctrl+e", "ctrl+w", "ctrl+u", "ctrl+k", "ctrl+d", "ctrl+f", "ctrl+v", "left", "right", "home", "end", "backspace", "delete",
     "ctrl+left", "ctrl+right", "shift+left", "shift+right", "shift+home", "shift+end"}
)  # fmt: skip
"""Keys that edit a line wherever there is one."""
_SAME = {
    "ctrl+h": "backspace",
    "ctrl+m": "enter",
    "ctrl+i": "tab",
    "ctrl+j": "a new line",
    "ctrl+left_square_bracket": "esc",
}
_ARROWS = frozenset({"up", "down", "left", "right", "home", "end", "pageup", "pagedown", "insert", "delete"})
_NAMED = _ARROWS | {"enter", "escape", "tab", "space", "backspace"} | {f"f{n}" for n in range(1, 25)}


def keymap_problems(keymap: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """What is wrong with a person's keys (`{"resume": "f9"}`), each with what to do."""
    rows = {row.id: row for row in TABLE}
    found: list[tuple[str, str]] = []
    fit: dict[str, KeyRow] = {}
    for id_, keys in keymap.items():
        if id_ not in rows:
            import difflib  # for a slip only: the app loads this module at its start

            close = difflib.get_close_matches(id_, rows, n=1)
            hint = f"Did you mean “{close[0]}”?" if close else "docs/keys.md and F1 list the actions."
            found.append((f"no action is called “{id_}”", hint))
        elif id_ in FIXED:
            found.append((f"“{id_}” has a key that stays", f"{FIXED[id_]}; take {id_} out of [keys]."))
        elif why := next((w for key in _split(keys) if (w := _unusable(key, rows[id_]))), ""):
            found.append((f"“{keys}” cannot be the key of “{id_}”: {why}", "A function key or alt with a letter can."))
        else:
            fit[id_] = rows[id_]
    for row in fit.values():
        found += _taken(row, keymap)
    return tuple(found)


def check_keymap(keymap: Mapping[str, str], where: str = "") -> None:
    """Raise `UsageError` for the first thing that is wrong with a person's keys."""
    for what, hint in keymap_problems(keymap):
        raise UsageError(f"{where}[keys]: {what}.", hint)


def key_name(key: str) -> str:
    """A key under the one name that it has in the key table: `?` is `question_mark`."""
    head, plus, last = key.rpartition("+") if len(key) > 1 else ("", "", key)
    if len(last) == 1 and not last.isalnum():
        last = sign_name(last)
    if not last:  # ctrl++
        head, last = head.removesuffix("+"), "plus"
    if len(last) > 1 or head:
        last = last.lower()
    return f"{head.lower()}{plus}{last}"


def named_keys(keymap: Mapping[str, str]) -> dict[str, str]:
    """A person's keys under the names that they have in the key table."""
    return {id_: ",".join(_split(keys)) for id_, keys in keymap.items()}


def _split(keys: str) -> list[str]:
    return [key_name(part.strip()) for part in keys.split(",") if part.strip()]


def _unusable(key: str, row: KeyRow) -> str:
    """Why a key cannot act for a row at all; `""` if it can."""
    if key in _SAME:
        return f"a terminal sends the same for {key} as for {_SAME[key]}"
    if not _sent(key):
        return f"no terminal can be relied on to send {key}"
    if row.pane in _TYPED and (_prints(key) or key in _EDITING):
        return f"{row.pane.value} it is typed" if _prints(key) else f"{row.pane.value} it edits the words"
    if key in _EDITING and (row.pane is Pane.ANY or any(row.pane is wide for wide, _ in _PLACES)):
        return "it edits the words wherever there is a line to write in"
    return ""


def _prints(key: str) -> bool:
    return len(key) == 1 or key == "space" or key in SIGNS


def _sent(key: str) -> bool:
    """True if every terminal tells this key from others."""
    *modifiers, last = key.split("+")
    if not modifiers:
        return _prints(last) or last in _NAMED
    if len(modifiers) > 1 or modifiers[0] not in ("ctrl", "alt", "shift"):
        return False
    if modifiers[0] == "alt":
        return _prints(last) or last in _ARROWS
    if modifiers[0] == "shift":
        return last in _ARROWS or last == "tab" or (last[:1] == "f" and last in _NAMED)
    return (
        last in _ARROWS
        or last == "space"
        or (last[:1] == "f" and last in _NAMED)
        or (last.isascii() and len(last) == 1 and last.isalpha())
    )


def _taken(row: KeyRow, keymap: Mapping[str, str]) -> list[tuple[str, str]]:
    """Keys of a row that another one has where both act."""
    found = []
    mine = _split(keymap[row.id])
    for other in _beside(row):
        theirs = _split(keymap.get(other.id, other.keys))
        for key in mine:
            if key in theirs and (other.id not in keymap or row.id < other.id):
                what = f"“{key}” for “{row.id}” is the key of “{other.id}” {other.pane.value}"
                give = f", or give {other.id} other keys too ({key_names(other)} now)."
                found.append((what, f"Choose another one{f': {FIXED[other.id]}.' if other.id in FIXED else give}"))
    return found


def _beside(row: KeyRow) -> list[KeyRow]:
    """The other rows that act where this one acts: of its pane, of the whole place, and everywhere."""
    found: dict[str, KeyRow] = {}
    for wide, rows in _PLACES:
        if row not in rows:
            continue
        for other in rows:
            if other.id != row.id and (
                other.pane is row.pane or Pane.ANY in (row.pane, other.pane) or wide in (row.pane, other.pane)
            ):
                found[other.id] = other
    return list(found.values())
