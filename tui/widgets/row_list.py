"""A list of rows of one line each, drawn as far as it is visible: ten thousand rows cost what is on the screen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from tui.textual_private import act_now
from tui.widgets.pieces import Paragraph, Piece, wrap

Draw = Callable[[int, int, bool], Sequence[Piece]]
"""The number of a row, the columns there are and whether it is chosen, to its pieces."""
STYLES = ("dim", "strong", "key", "warn", "good", "bad", "chosen", "chosen-focused")


class RowList(ScrollView, can_focus=True):
    """Shows rows; one is chosen. What a row holds is its owner's business."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"rows--{name}" for name in STYLES}
    DEFAULT_CSS = """
    RowList { overflow-x: hidden; scrollbar-size-vertical: 1; scrollbar-gutter: stable; min-width: 1; }
    RowList > .rows--dim { color: $quiet; }
    RowList > .rows--strong { text-style: bold; }
    RowList > .rows--key { color: $accent; text-style: bold; }
    RowList > .rows--warn { color: $warning; }
    RowList > .rows--good { color: $success; }
    RowList > .rows--bad { color: $error; text-style: bold; }
    RowList > .rows--chosen { background: $panel; }
    RowList > .rows--chosen-focused { background: $chosen; text-style: bold; }
    RowList:ansi > .rows--dim { text-style: dim; }
    RowList:ansi > .rows--chosen-focused { text-style: bold reverse; }
    RowList:nocolor > .rows--chosen-focused { text-style: bold reverse; }
    """

    @dataclass
    class Chosen(Message):
        """Another row is chosen."""

        view: RowList
        index: int

        @property
        def control(self) -> RowList:
            """The list it happened in."""
            return self.view

    @dataclass
    class Opened(Message):
        """A row was opened with the mouse."""

        view: RowList
        index: int

        @property
        def control(self) -> RowList:
            """The list it happened in."""
            return self.view

    def __init__(self, *, id: str) -> None:  # noqa: A002 - Textual's own parameter name
        super().__init__(id=id)
        self._count = 0
        self._draw: Draw = lambda _row, _width, _chosen: ()
        self._empty: tuple[Paragraph, ...] = ()
        self._chosen = 0

    async def on_key(self, event: events.Key) -> None:
        """Run a bound key before the next one is read: what is typed on goes where it led."""
        await act_now(self, event)

    @property
    def count(self) -> int:
        """How many rows there are."""
        return self._count

    @property
    def chosen(self) -> int:
        """The chosen row, -1 if there is none."""
        return self._chosen if self._count else -1

    @property
    def seen_at(self) -> int:
        """The line of the pane in which the chosen row stands."""
        return self._chosen - self.scroll_offset.y

    def show(self, count: int, draw: Draw, *, chosen: int = 0, seen_at: int | None = None) -> None:
        """Replace the rows. `seen_at` is the line of the pane where the chosen one shall stand, if it can."""
        self._count, self._draw = count, draw
        self._chosen = min(max(0, chosen), max(0, count - 1))
        self._measure()
        if seen_at is not None:
            self.scroll_to(y=self._chosen - seen_at, animate=False, force=True, immediate=True)
        self._reveal()
        self.refresh()

    def say(self, paragraphs: Sequence[Paragraph]) -> None:
        """Say in words why there are no rows."""
        self._empty = tuple(paragraphs)
        self._count = self._chosen = 0
        self._measure()

    def choose(self, number: int) -> None:
        """Choose a row, as near as there is one."""
        if not self._count:
            return
        number = min(self._count - 1, max(0, number))
        changed, self._chosen = number != self._chosen, number
        self._reveal()
        self.refresh()
        if changed:
            self.post_message(self.Chosen(self, number))

    def action_move(self, step: int) -> None:
        """Choose a row further on."""
        self.choose(self._chosen + step)

    def action_page(self, step: int) -> None:
        """Choose a row a page further."""
        self.choose(self._chosen + step * max(1, self.size.height - 1))

    def action_edge(self, step: int) -> None:
        """Choose the first or the last row."""
        self.choose(0 if step < 0 else self._count - 1)

    def on_resize(self) -> None:
        """Measure the rows again."""
        self._measure()

    def _measure(self) -> None:
        self.virtual_size = Size(self.scrollable_content_region.width, self._count)
        self._reveal()
        self.refresh()

    def _reveal(self) -> None:
        top, height = self.scroll_offset.y, self.size.height
        if self._chosen < top:
            self.scroll_to(y=self._chosen, animate=False, force=True, immediate=True)
        elif self._chosen >= top + height:
            self.scroll_to(y=self._chosen + 1 - height, animate=False, force=True, immediate=True)

    def render_line(self, y: int) -> Strip:
        """Draw one visible line."""
        width, base = self.scrollable_content_region.width, self.rich_style
        if not self._count:
            lines = wrap(self._empty, max(1, width - 1))
            pieces = (Piece(" "), *lines[y].pieces) if y < len(lines) else ()
        else:
            number = y + self.scroll_offset.y
            if number >= self._count:
                return Strip.blank(width, base)
            chosen = number == self._chosen
            if chosen:
                base = base + self._style("chosen-focused" if self.has_focus else "chosen")
            pieces = (Piece("▌" if chosen else " ", "strong"), *self._draw(number, max(1, width - 1), chosen))
        segments = [Segment(piece.text, base + self._style(piece.style)) for piece in pieces]
        return Strip(segments).crop_extend(0, width, base)

    def _style(self, name: str) -> Style:
        return self.get_component_rich_style(f"rows--{name}", partial=True) if name else Style()

    def on_click(self, event: events.Click) -> None:
        """Choose a row; open it on the second click."""
        offset = event.get_content_offset(self)
        if offset is None:
            return
        number = offset.y + self.scroll_offset.y
        if number < self._count:
            event.stop()
            self.choose(number)
            if event.chain >= 2:
                self.post_message(self.Opened(self, number))
