"""The keys that act in every place."""

from __future__ import annotations

from tui.key_rows import KeyRow
from tui.places import PLACES

SHARED: tuple[KeyRow, ...] = (
    KeyRow("help", "f1,question_mark", "help", "help: show keys", "Show the keys of the focused pane.", priority=9),
    *(
        KeyRow(
            f"go-{place.id}",
            str(place.number),
            place.name,
            f"go: {place.name}",
            place.help,
            action=f"app.go('{place.id}')",
        )
        for place in PLACES
    ),
    KeyRow("go", "f7,ctrl+g", "places", "go: choose a place",
           "Choose a place, wherever the cursor is. Outside inputs its digit leads there at once; in the dialogue digits are sources."),
    KeyRow("palette", "f5,ctrl+shift+p", "commands", "", "Open the palette: every action by name.", shown_as="F5"),
    KeyRow("settings", "f12", "settings", "settings: show", "Show every setting with its value and source, and change it."),
    KeyRow("theme", "", "theme", "theme: next", "Change to the next theme."),
    KeyRow("next-pane", "f6,tab", "next pane", "view: next pane", "Move to the next pane."),
    KeyRow("back", "escape", "back", "", "Go back one level: close, stop a search, return to the first pane, then to Recollect. Text stays."),
    KeyRow("copy-or-quit", "ctrl+c", "copy", "", "Copy the selected text; without a selection, twice quits."),
    KeyRow("quit", "ctrl+q", "quit", "app: quit", "Quit."),
    KeyRow("quit-outside", "q", "quit", "", "Quit, outside inputs."),
)  # fmt: skip
"""Everywhere. The digits of the places come from the table of places."""
