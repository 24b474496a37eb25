"""A screen over the others that shows text: the help of a pane, raw JSON, a question before something runs."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen

from tui.keys import PANE_HELP, Pane, help_rows, keyed
from tui.widgets.bar import Bar
from tui.widgets.line_view import LineView
from tui.widgets.pieces import Paragraph, Piece


class TextScreen(ModalScreen[bool]):
    """Shows paragraphs in a frame. `asking` makes enter an answer; esc always goes back."""

    CSS_PATH = "help.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,f1", "answer(False)", "back", show=False),
        Binding("enter", "answer(True)", "go on", show=False),
        Binding("j", "scroll(1)", "down", show=False),
        Binding("k", "scroll(-1)", "up", show=False),
        Binding("g", "edge(-1)", "top", show=False),
        Binding("G", "edge(1)", "end", show=False),
    ]

    def __init__(self, title: str, paragraphs: tuple[Paragraph, ...], *, asking: str = "") -> None:
        super().__init__()
        self._frame_title = title
        self._paragraphs = paragraphs
        self._asking = asking

    def compose(self) -> ComposeResult:
        """A frame with the text and a line of keys."""
        with Vertical(id="frame") as frame:
            frame.border_title = Content(self._frame_title)
            yield LineView(id="text")
            yield Bar(self._hints, id="text-hints")

    def on_mount(self) -> None:
        """Show the text; what was said of the place below would lie over it."""
        self.app.clear_notifications()
        view = self.query_one("#text", LineView)
        view.show_paragraphs(self._paragraphs)
        view.focus()

    def _hints(self, _width: int) -> list[Piece]:
        keys = [("enter", self._asking)] if self._asking else [("j k", "scroll")]
        pieces: list[Piece] = []
        for key, label in [*keys, ("esc", "back")]:
            pieces += [Piece(key, "key"), Piece(f" {label}   ")]
        return pieces

    def action_answer(self, answer: bool) -> None:
        """Close, with an answer where one was asked for."""
        if answer and not self._asking:
            return
        self.dismiss(answer)

    def action_scroll(self, step: int) -> None:
        """Scroll a line."""
        self.query_one("#text", LineView).scroll_relative(y=step, animate=False)

    def action_edge(self, step: int) -> None:
        """Go to the top or the end."""
        view = self.query_one("#text", LineView)
        view.scroll_to_line(0 if step < 0 else len(view.lines))


def help_screen(pane: Pane, place: Pane = Pane.RECOLLECT) -> TextScreen:
    """The help of the focused pane and of its place, made from the key table."""
    parts: list[Paragraph] = []
    if PANE_HELP[pane]:
        parts += [Paragraph((Piece(keyed(PANE_HELP[pane])),)), Paragraph()]
    for group in dict.fromkeys((pane, place, Pane.ANY)):
        rows = list(dict.fromkeys(help_rows(group)))
        if not rows:
            continue
        parts.append(Paragraph((Piece(f"{group.value[:1].upper()}{group.value[1:]}", "strong"),)))
        for keys, words in rows:
            pad = " " * max(1, 22 - len(keys))
            parts.append(Paragraph((Piece(f"{keys}", "key"), Piece(pad), Piece(words)), indent=2, hang=22))
        parts.append(Paragraph())
    return TextScreen(f"help · {pane.value}", tuple(parts))
