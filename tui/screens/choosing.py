"""A question with a list of answers over the screen: which place, which document. Words narrow a long list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input

from core.frozen import dataclass
from core.text import cell_width, clip
from tui.places import PLACES
from tui.screens.over import OverScreen
from tui.widgets.bar import Bar
from tui.widgets.line_input import LineInput
from tui.widgets.pieces import Paragraph, Piece
from tui.widgets.row_list import RowList


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer. Its texts may be shown as they are."""

    id: str
    label: str
    aside: str = ""
    key: str = ""
    """A digit that chooses it."""


class ChoiceScreen(OverScreen[str]):
    """Asks for one of several answers; `None` where the person goes back."""

    CSS_PATH = "choosing.tcss"
    NAME = "the list"
    ABOUT = "Choose one of the list. Where there is a line for words, they narrow it."
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Go back without a choice.", show=False),
        Binding("enter", "take", "Choose.", show=False),
        Binding("up,ctrl+p", "move(-1)", "Go up.", show=False),
        Binding("down,ctrl+n", "move(1)", "Go down.", show=False),
        Binding("pageup", "move(-10)", "Go a page up.", show=False),
        Binding("pagedown", "move(10)", "Go a page down.", show=False),
        *(Binding(str(n), f"digit('{n}')", "Choose the one with this digit.", show=False) for n in range(1, 10)),
    ]

    def __init__(self, title: str, choices: Sequence[Choice], *, narrowing: str = "") -> None:
        """`narrowing` is what the line for words says while it is empty; without it there is no such line."""
        super().__init__()
        self._frame_title = title
        self._choices = tuple(choices)
        self._narrowing = narrowing
        self._left = self._choices

    def compose(self) -> ComposeResult:
        """A frame with the line for words, the answers and the keys."""
        with Vertical(id="choice-frame") as frame:
            frame.border_title = Content(self._frame_title)
            if self._narrowing:
                yield LineInput(id="choice-words", placeholder=self._narrowing)
            yield RowList(id="choices")
            yield Bar(self._hints, id="choice-hints")

    def on_mount(self) -> None:
        """Show every answer."""
        self._show()
        self.query_one("#choice-words" if self._narrowing else "#choices").focus()

    def _show(self) -> None:
        view = self.query_one("#choices", RowList)
        if self._left:
            view.show(len(self._left), self._draw)
        else:
            view.say((Paragraph((Piece("Nothing of that name is here."),)),))
        view.styles.height = max(1, min(len(self._left), 12))

    def _draw(self, number: int, width: int, _chosen: bool) -> Sequence[Piece]:
        choice = self._left[number]
        key = f"{choice.key} " if choice.key else ""
        label = clip(choice.label, max(1, width - len(key) - 1))
        room = width - len(key) - cell_width(label) - 3
        return [Piece(f" {key}", "key"), Piece(label), Piece(f"  {clip(choice.aside, max(0, room))}", "dim")]

    def _hints(self, _width: int) -> list[Piece]:
        return [Piece("enter", "key"), Piece(" choose   "), Piece("esc", "key"), Piece(" back")]

    @on(Input.Changed, "#choice-words")
    def _narrow(self, event: Input.Changed) -> None:
        words = event.value.lower().split()
        self._left = tuple(c for c in self._choices if all(word in c.label.lower() for word in words))
        self._show()

    @on(Input.Submitted, "#choice-words")
    def _submitted(self) -> None:
        self.action_take()

    def on_row_list_opened(self, message: RowList.Opened) -> None:
        """A double click chooses."""
        self.dismiss(self._left[message.index].id)

    def action_take(self) -> None:
        """Choose the row."""
        at = self.query_one("#choices", RowList).chosen
        if at >= 0:
            self.dismiss(self._left[at].id)

    def action_leave(self) -> None:
        """Go back without a choice."""
        self.dismiss(None)

    def action_move(self, step: int) -> None:
        """Choose a row further on."""
        self.query_one("#choices", RowList).action_move(step)

    def action_digit(self, key: str) -> None:
        """Choose the answer with this digit."""
        for choice in self._choices:
            if choice.key == key:
                self.dismiss(choice.id)


def place_choice() -> ChoiceScreen:
    """Which place?"""
    return ChoiceScreen("go to", [Choice(p.id, p.name, p.help.partition(": ")[2], str(p.number)) for p in PLACES])
