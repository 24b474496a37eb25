"""The line a person writes in."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.widgets import Input

from core.text import fold_lines, printable
from tui.keys import Pane, pane_bindings
from tui.textual_private import act_now


class CueInput(Input):
    """An input that keeps every word of a paste, and every cue written before."""

    BINDINGS: ClassVar[list[BindingType]] = pane_bindings(Pane.CUE)

    def __init__(self, *, id: str) -> None:  # noqa: A002 - Textual's own parameter name
        super().__init__(placeholder="What do you remember?", id=id, compact=True, select_on_focus=False)
        self._history: tuple[str, ...] = ()
        self._at = 0
        self._draft = ""

    def validate_value(self, value: str) -> str:
        """Whatever way characters come in, none of them may steer the terminal that shows them."""
        return printable(value).replace("\n", " ").replace("\t", " ")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Cutting and copying are keys of the line only while something is selected in it; else ours are heard."""
        if action in ("cut", "copy") and self.selection.is_empty:
            return False
        return super().check_action(action, parameters)

    async def on_key(self, event: events.Key) -> None:
        """Keep keys in the order they were typed, however fast they come."""
        alt = event.key.startswith("alt+")  # older terminals send alt+n as a letter that Textual would insert
        if alt or not event.is_printable:
            await act_now(self, event)
        if alt:
            event.prevent_default()

    def on_paste(self, event: events.Paste) -> None:
        """Insert all lines as one, controls made visible; Textual's own keeps the first line only."""
        event.prevent_default()
        event.stop()
        words = fold_lines(printable(event.text))
        if self.selection.is_empty:
            self.insert_text_at_cursor(words)
        else:
            self.replace(words, *self.selection)

    def take(self) -> str:
        """Return the text, remember it and empty the line."""
        text = self.value.strip()
        if text and self._history[-1:] != (text,):
            self._history = (*self._history, text)
        self._at = len(self._history)
        self._draft = ""
        self.value = ""
        return text

    def recall(self, step: int) -> None:
        """Show an earlier (-1) or later (1) cue. What was being typed is the last one."""
        if self._at == len(self._history):
            self._draft = self.value
        to = min(len(self._history), max(0, self._at + step))
        if to == self._at:
            return
        self._at = to
        self.value = self._draft if to == len(self._history) else self._history[to]
        self.cursor_position = len(self.value)
