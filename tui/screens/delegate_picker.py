"""Picks paths of the project for an order: where the worker may touch, and where not. Words narrow the list."""

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
from core.text import one_line
from tui.screens.over import OverScreen
from tui.widgets.bar import Bar
from tui.widgets.line_input import LineInput
from tui.widgets.pieces import Paragraph, Piece
from tui.widgets.row_list import RowList


@dataclass(frozen=True, slots=True)
class Picked:
    """The paths of both fields."""

    scope: tuple[str, ...]
    must_not: tuple[str, ...]


class PickScreen(OverScreen[Picked]):
    """Each path is picked for one field, the other, or none; what stood in the fields stays."""

    CSS_PATH = "delegate_forms.tcss"
    NAME = "the paths"
    ABOUT = (
        "Words narrow the list of paths; enter marks the chosen one as one that the worker may touch, and once more takes the mark "
        "away. A folder stands for everything in it."
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Go back; the fields stay as they were.", show=False),
        Binding("f2", "take", "Put what is marked into the fields.", show=False),
        Binding("f3", "must_not", "Mark the chosen path as one that must not be touched.", show=False),
        Binding("up,ctrl+p", "move(-1)", "Go up.", show=False),
        Binding("down,ctrl+n", "move(1)", "Go down.", show=False),
        Binding("pageup", "move(-10)", "Go a page up.", show=False),
        Binding("pagedown", "move(10)", "Go a page down.", show=False),
    ]

    def __init__(self, paths: Sequence[str], scope: str, must_not: str) -> None:
        super().__init__()
        self._scope = _parted(scope)
        self._must_not = _parted(must_not)
        typed = [p for p in (*self._scope, *self._must_not) if p not in set(paths)]
        self._paths = (*typed, *paths)
        self._left = self._paths

    def compose(self) -> ComposeResult:
        """A frame with the line for words, the paths and the keys."""
        with Vertical(id="pick-frame") as frame:
            frame.border_title = Content("where may the worker touch?")
            yield LineInput(id="pick-words", placeholder="words of a path")
            yield RowList(id="pick-paths")
            yield Bar(self._hints, id="pick-hints")

    def on_mount(self) -> None:
        """Show every path."""
        self._show()
        self.query_one("#pick-words").focus()

    def _show(self, chosen: int = 0) -> None:
        view = self.query_one("#pick-paths", RowList)
        if self._left:
            view.show(len(self._left), self._draw, chosen=min(chosen, len(self._left) - 1))
        else:
            view.say((Paragraph((Piece("No path of the project holds these words."),)),))

    def _draw(self, number: int, width: int, _chosen: bool) -> Sequence[Piece]:
        path = self._left[number]
        mark, style = (
            ("may  ", "good")
            if path in self._scope
            else ("NOT  ", "warn")
            if path in self._must_not
            else ("     ", "dim")
        )
        return [Piece(f" {mark}", style), Piece(one_line(path, max(1, width - 7)))]

    def _hints(self, _width: int) -> list[Piece]:
        keys = (("enter", "may touch"), ("F3", "must not"), ("F2", "done"), ("esc", "back"))
        picked = f"{len(self._scope)} may, {len(self._must_not)} not"
        return [*(p for key, words in keys for p in (Piece(key, "key"), Piece(f" {words}   "))), Piece(picked, "dim")]

    @on(Input.Changed, "#pick-words")
    def _narrow(self, event: Input.Changed) -> None:
        words = event.value.lower().split()
        self._left = tuple(p for p in self._paths if all(word in p.lower() for word in words))
        self._show()

    @on(Input.Submitted, "#pick-words")
    def _submitted(self) -> None:
        self._toggle(self._scope, self._must_not)

    def on_row_list_opened(self, message: RowList.Opened) -> None:
        """A double click picks."""
        message.stop()
        self._toggle(self._scope, self._must_not)

    def _toggle(self, into: list[str], out_of: list[str]) -> None:
        at = self.query_one("#pick-paths", RowList).chosen
        if not 0 <= at < len(self._left):
            return
        path = self._left[at]
        if path in into:
            into.remove(path)
        else:
            into.append(path)
            if path in out_of:
                out_of.remove(path)
        self._show(at)
        self.query_one("#pick-hints", Bar).refresh()

    def action_must_not(self) -> None:
        """Pick the row for what must not be touched."""
        self._toggle(self._must_not, self._scope)

    def action_take(self) -> None:
        """Put what was picked into the fields."""
        self.dismiss(Picked(tuple(self._scope), tuple(self._must_not)))

    def action_leave(self) -> None:
        """Go back; the fields stay as they were."""
        self.dismiss(None)

    def action_move(self, step: int) -> None:
        """Choose a row further on."""
        self.query_one("#pick-paths", RowList).action_move(step)


def _parted(text: str) -> list[str]:
    return list(dict.fromkeys(filter(None, (part.strip() for part in text.split(",")))))
