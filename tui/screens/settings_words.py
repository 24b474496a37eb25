"""The words of the settings screen: a row, what the chosen one does, and what came of a change."""

from __future__ import annotations

from collections.abc import Sequence

from core.settings import Standing
from core.settings_file import Change
from core.settings_table import Kind, as_text
from core.text import cell_width, clip, one_line
from tui.settings_own import source_words, value_words
from tui.widgets.pieces import Paragraph, Piece

MORE_KEYS = "keys.ID"
"""The last row: an action that is to get other keys."""
AT_ONCE = frozenset({"app.theme", "app.motion"})
"""What the running app follows at once."""


def setting_pieces(standing: Standing, width: int) -> Sequence[Piece]:
    """A row: its name, its value, where that comes from."""
    name = one_line(standing.row.name)
    source = source_words(standing)
    room = max(1, width - 21 - cell_width(source) - 2)
    value = clip(value_words(standing), room)
    gap = " " * max(1, 20 - cell_width(name))
    rest = " " * max(1, room - cell_width(value) + 1)
    changed = standing.source != "default"
    return [
        Piece(f"{name}{gap}"),
        Piece(value, "strong" if changed else ""),
        Piece(f"{rest}{source}", "warn" if standing.source == "environment" else "dim"),
    ]


def more_keys_pieces(width: int) -> Sequence[Piece]:
    """The last row."""
    words = "give an action other keys" if width < 60 else "give an action other keys, by its id of docs/keys.md"
    return [Piece(f"{MORE_KEYS:<20}"), Piece(clip(words, max(1, width - 21)), "dim")]


def about(standing: Standing | None) -> tuple[Paragraph, ...]:
    """What the chosen setting does, what it takes, its default, and the variable that wins."""
    if standing is None:
        return (
            Paragraph(
                (Piece("Write the id of an action, =, and its keys: scope = alt+s. docs/keys.md names the actions."),)
            ),
        )
    row = standing.row
    default = "" if row.kind is Kind.KEYS else f" By default {as_text(row.default) or 'nothing'}."
    wins = f" {row.variable} wins over the file." if row.variable else ""
    return (
        Paragraph((Piece(row.about),)),
        Paragraph((Piece(f"It is {row.takes}.{default}{wins}", "dim"),)),
    )


def change_words(change: Change, standing: Standing | None, *, undone: bool = False) -> str:
    """What came of a change."""
    if not change.difference:
        return "The file says so already."
    lines = " · ".join(one_line(line, 60) for line in change.difference if not line[2:].startswith("["))
    what = f"{'Taken back' if undone else 'Written'}: {lines}."
    if standing is not None and standing.source == "environment":
        return f"{what} {standing.variable} is set and wins until you unset it."
    return what if change.name in AT_ONCE else f"{what} It holds from the next start on."
