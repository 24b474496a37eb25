"""The line a person writes in."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import BindingType

from tui.keys import Pane, pane_bindings
from tui.widgets.line_input import LineInput


class CueInput(LineInput):
    """The line for cues: it remembers every cue written before."""

    BINDINGS: ClassVar[list[BindingType]] = pane_bindings(Pane.CUE)

    def __init__(self, *, id: str) -> None:  # noqa: A002 - Textual's own parameter name
        super().__init__(id=id, placeholder="What do you remember?")
        self._history: tuple[str, ...] = ()
        self._at = 0
        self._draft = ""

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
