"""A line to write in whose characters cannot steer the terminal, wherever they come from."""

from __future__ import annotations

from textual import events
from textual.widgets import Input

from core.text import fold_lines, printable
from tui.textual_private import act_now


def pasted(text: str) -> str:
    """What was pasted, made printable. Nearly every terminal pastes the end of a line as the enter key sends it: CR alone."""
    return printable(text.replace("\r\n", "\n").replace("\r", "\n"))


class LineInput(Input):
    """An input that keeps every word of a paste, shows what it was given as signs, and its keys in their order."""

    def __init__(self, *, id: str, placeholder: str = "") -> None:  # noqa: A002 - Textual's own parameter name
        super().__init__(placeholder=placeholder, id=id, compact=True, select_on_focus=False)

    def on_mount(self) -> None:
        """Where motion is not wanted, the cursor stands still."""
        if self.app.animation_level == "none":
            self.cursor_blink = False

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
        words = fold_lines(pasted(event.text))
        if self.selection.is_empty:
            self.insert_text_at_cursor(words)
        else:
            self.replace(words, *self.selection)
