"""A field of a form: its name, a line to write in, the usual answers, and what is wrong with what stands in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from core.text import cell_width, one_line
from tui.key_rows import keys_of, written
from tui.keys import row_of
from tui.widgets.bar import Bar, fit
from tui.widgets.line_input import LineInput
from tui.widgets.pieces import Piece


class FieldLine(LineInput):
    """The line of a field. enter leads to the next field at once, and what is typed after it belongs there."""

    async def on_key(self, event: events.Key) -> None:
        """Hand keys on that were typed after one that led to another field: they waited here while the focus moved."""
        focused = self.screen.focused
        if focused is not None and focused is not self:
            event.stop()
            event.prevent_default()
            focused.post_message(events.Key(event.key, event.character))

    async def action_submit(self) -> None:
        """Lead on now: a message about it would come after the keys that follow."""
        self.screen.focus_next()


class Field(Vertical):
    """Holds one line of text. `answers` are put into it by a click, by alt+1 …, and by up and down."""

    DEFAULT_CSS = """
    Field { height: auto; width: 100%; }
    Field > Horizontal { height: 1; width: 100%; }
    Field .field--name { width: 15; height: 1; color: $quiet; }
    Field LineInput { width: 1fr; height: 1; border: none; padding: 0; background: $panel; }
    Field LineInput:focus { border: none; background: $chosen; background-tint: transparent 0%; }
    Field:focus-within .field--name { color: $foreground; text-style: bold; }
    Field .field--said { display: none; height: auto; width: 100%; padding: 0 0 0 15; color: $warning; }
    Field.-said .field--said { display: block; }
    Field Bar { height: 1; width: 100%; background: $background; padding: 0; }
    """

    @dataclass
    class Written(Message):
        """A person changed what stands in the field."""

        field: Field

    def __init__(
        self,
        id: str,  # noqa: A002 - Textual's own parameter name
        title: str,
        line: type[FieldLine] = FieldLine,
        *,
        placeholder: str = "",
        answers: Sequence[str] = (),
        keys: Sequence[str] = (),
    ) -> None:
        """`keys` are the actions of the key table that put each answer in; without them it is alt+1, alt+2 …"""
        super().__init__(id=id)
        self.title = title
        self.line = line(id=f"{id}-line", placeholder=placeholder)
        self._answers = tuple(answers)
        self._keys = tuple(keys)
        self.said = ""
        """What is wrong, in words; `""` for nothing."""

    def compose(self) -> ComposeResult:
        """The name and the line, the answers below them, then what is wrong."""
        with Horizontal():
            yield Static(Content(self.title), classes="field--name", markup=False)
            yield self.line
        if self._answers:
            yield Bar(self._draw_answers, id=f"{self.id}-answers")
        yield Static("", classes="field--said", markup=False)

    @property
    def value(self) -> str:
        """What stands in the line."""
        return self.line.value

    @value.setter
    def value(self, text: str) -> None:
        self.line.value = one_line(text)
        self.line.cursor_position = len(self.line.value)

    def say(self, words: str) -> None:
        """Say what is wrong, or with `""` that nothing is."""
        self.said = one_line(words, 400)
        self.set_class(bool(words), "-said")
        self.query_one(".field--said", Static).update(Content(f"✗ {self.said}" if self.said else ""))

    def answer(self, number: int) -> None:
        """Put an answer into the line, by its number from 0."""
        if 0 <= number < len(self._answers):
            self.value = self._answers[number]

    def step(self, by: int) -> None:
        """Put the next answer into the line, or the one before."""
        if self._answers:
            at = self._answers.index(self.value) if self.value in self._answers else -1 if by > 0 else 0
            self.answer((at + by) % len(self._answers))

    def _draw_answers(self, width: int) -> Sequence[Piece]:
        names = [written(keys_of(row_of(key)).partition(",")[0]) for key in self._keys]
        usual = names in ([], [f"alt+{n + 1}" for n in range(len(names))])
        lead = " " * 11 + "alt+" if usual else " " * 15
        room = width - 15
        groups = [
            [Piece(f"{n + 1 if usual else names[n]} ", "key", f"answer:{n}"), Piece(one_line(a), "dim" if a != self.value else "strong", f"answer:{n}")]
            for n, a in enumerate(self._answers)
        ]  # fmt: skip
        return [Piece(lead, "dim"), *fit(groups, max(0, room), gap="  ")] if room > cell_width("1 x") else []

    def on_input_changed(self, event: LineInput.Changed) -> None:
        """Announce it as this field's."""
        event.stop()
        for bar in self.query(Bar):
            bar.refresh()
        self.post_message(self.Written(self))

    def on_bar_clicked(self, message: Bar.Clicked) -> None:
        """An answer was clicked."""
        kind, _, number = message.ref.partition(":")
        if kind == "answer":
            message.stop()
            self.answer(int(number))
            self.line.focus()
