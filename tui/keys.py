"""The one table of keys: bindings, footer, help, palette and `docs/keys.md` are all made from it.

`ctrl+h`, `ctrl+m`, `ctrl+i`, `ctrl+[` and `ctrl+j` are never used: a terminal cannot tell them from backspace, enter,
tab, esc and newline. A key that prints a character acts outside inputs only. Each place has a module of rows; what acts
everywhere stands in `tui/shared_keys.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tui import curate_keys, delegate_keys, memory_keys, recollect_keys, soul_keys
from tui.key_rows import PANE_HELP, KeyRow, Pane, first_key, key_names, keys_of
from tui.shared_keys import SHARED

if TYPE_CHECKING:
    from textual.binding import BindingType

__all__ = [
    "CURATE",
    "DELEGATE",
    "MEMORY",
    "PANE_HELP",
    "RECOLLECT",
    "SOUL",
    "TABLE",
    "KeyRow",
    "Pane",
    "first_key",
    "help_rows",
    "key_for",
    "key_names",
    "keyed",
    "keys_markdown",
    "keys_of",
    "pane_bindings",
    "row_of",
]  # fmt: skip

_ID = re.compile(r"\{([a-z][a-z0-9-]*)\}")
RECOLLECT: tuple[KeyRow, ...] = (*recollect_keys.OWN, *SHARED)
"""Every key of the place Recollect."""
SOUL: tuple[KeyRow, ...] = (*soul_keys.OWN, *SHARED)
"""Every key of the place Soul."""
CURATE: tuple[KeyRow, ...] = (*curate_keys.OWN, *SHARED)
"""Every key of the place Curate."""
MEMORY: tuple[KeyRow, ...] = (*memory_keys.OWN, *SHARED)
"""Every key of the place Memory."""
DELEGATE: tuple[KeyRow, ...] = (*delegate_keys.OWN, *SHARED)
"""Every key of the place Delegate."""
TABLE: tuple[KeyRow, ...] = (
    *recollect_keys.OWN, *soul_keys.OWN, *curate_keys.OWN, *memory_keys.OWN, *delegate_keys.OWN, *SHARED,
)  # fmt: skip
"""Every key of every place."""


def pane_bindings(pane: Pane, rows: tuple[KeyRow, ...] = TABLE) -> list[BindingType]:
    """Textual's bindings of one pane, with ids that a keymap may override. What has no key can be given one."""
    from textual.binding import Binding

    return [
        Binding(
            row.keys or f"no_key_{row.id}", row.action or f"screen.do('{row.id}')", row.label, show=False, id=row.id
        )
        for row in rows
        if row.pane is pane
    ]


def row_of(id_: str, rows: tuple[KeyRow, ...] = TABLE) -> KeyRow:
    """The row with an id. Raises KeyError for an unknown one."""
    for row in rows:
        if row.id == id_:
            return row
    raise KeyError(id_)


def key_for(id_: str) -> str:
    """The first key of an action as it is in force, for words that name it. Raises KeyError for an unknown one."""
    return first_key(row_of(id_))


def keyed(words: str) -> str:
    """Words that name keys by the ids of their actions, as in `{help} shows the keys`, with the keys that are in force; an
    action whose key was taken away is reached by name, which F5 always is."""
    return _ID.sub(lambda found: key_for(found[1]) or "F5", words)


def help_rows(pane: Pane, rows: tuple[KeyRow, ...] = TABLE) -> Iterator[tuple[str, str]]:
    """Keys and their sentences for a pane."""
    for row in rows:
        if row.pane is pane and row.help and keys_of(row):
            yield key_names(row), row.help


def keys_markdown(rows: tuple[KeyRow, ...] = TABLE) -> str:
    """The text of `docs/keys.md`."""
    parts = ["# Keys\n", "Made from `tui/keys.py`. Each id can be given other keys in the settings.\n"]
    for pane in Pane:
        lines = [
            f"| {key_names(row).replace('|', chr(92) + '|')} | {row.help} | `{row.id}` |"
            for row in rows
            if row.pane is pane and row.help and row.keys
        ]
        if lines:
            parts.append(f"## {pane.value[:1].upper()}{pane.value[1:]}\n")
            if PANE_HELP[pane]:
                parts.append(f"{keyed(PANE_HELP[pane])}\n")
            parts.append("| keys | what it does | id |\n|---|---|---|\n" + "\n".join(lines) + "\n")
    titles = [f"- {row.title}: {row.help}" for row in rows if row.title]
    parts.append("## In the palette\n\n" + "\n".join(titles) + "\n")
    return "\n".join(parts)
