"""A document with its line numbers, wrapped as far as it is visible: its size costs nothing.

It scrolls by lines of the document, not of the screen: only the lines that are drawn are wrapped, for the width at hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.binding import BindingType
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from tui.keys import Pane, pane_bindings
from tui.widgets.pieces import Line, Paragraph, Piece, wrap

LONGEST = 1_200
"""Characters of a line that are drawn as one; a longer line is cut into several rows of the pane."""


class DocumentView(ScrollView, can_focus=True):
    """Shows the lines of a document, which are printable already; spans of lines can be marked."""

    BINDINGS: ClassVar[list[BindingType]] = pane_bindings(Pane.DOCUMENT)
    COMPONENT_CLASSES: ClassVar[set[str]] = {"document--dim", "document--strong", "document--marked"}
    DEFAULT_CSS = """
    DocumentView { overflow-x: hidden; scrollbar-size-vertical: 1; scrollbar-gutter: stable; min-width: 1; }
    DocumentView > .document--dim { color: $quiet; }
    DocumentView > .document--strong { text-style: bold; }
    DocumentView > .document--marked { background: $panel; }
    DocumentView:ansi > .document--dim { text-style: dim; }
    DocumentView:ansi > .document--marked, DocumentView:nocolor > .document--marked { text-style: bold; }
    """

    def __init__(self, *, id: str) -> None:  # noqa: A002 - Textual's own parameter name
        super().__init__(id=id)
        self._rows: list[tuple[int, str]] = []
        self._row_of: dict[int, int] = {}
        self._marked: tuple[tuple[int, int], ...] = ()
        self._drawn: tuple[tuple[object, ...], list[tuple[int, Line]]] = ((), [])
        self._of = 0

    @property
    def top_line(self) -> int:
        """The line of the document at the top of the pane, 0 if it is empty."""
        return self._rows[min(self.scroll_offset.y, len(self._rows) - 1)][0] if self._rows else 0

    @property
    def marked(self) -> tuple[tuple[int, int], ...]:
        """The marked spans of lines, first and last."""
        return self._marked

    def load(self, lines: Sequence[str]) -> None:
        """Show these lines; the first one has the number 1. The place of the pane stays as far as it can."""
        self._of += 1
        self._rows, self._row_of = [], {}
        for number, line in enumerate(lines, 1):
            self._row_of[number] = len(self._rows)
            parts = [line[at : at + LONGEST] for at in range(0, len(line), LONGEST)] or [""]
            self._rows += [(number, part) for part in parts]
        self._measure()

    def mark(self, spans: Sequence[tuple[int, int]]) -> None:
        """Mark spans of lines."""
        self._marked = tuple(spans)
        self.refresh()

    def show_line(self, line: int) -> None:
        """Bring a line near the top, with what stands above it still in sight."""
        row = self._row_of.get(min(max(1, line), max(self._row_of, default=1)), 0)
        self.scroll_to(y=max(0, row - self.size.height // 4), animate=False, force=True, immediate=True)

    def action_scroll_home(self) -> None:
        """Go to the first line."""
        self.scroll_to(y=0, animate=False, force=True, immediate=True)

    def action_scroll_end(self) -> None:
        """Fill the pane with the last lines."""
        row, room = len(self._rows), self.size.height
        while row > 0 and (room := room - len(self._wrapped(row - 1, self.scrollable_content_region.width))) >= 0:
            row -= 1
        row = min(row, max(0, len(self._rows) - 1))
        self.scroll_to(y=row, animate=False, force=True, immediate=True)

    def on_resize(self) -> None:
        """Measure again."""
        self._measure()

    def _measure(self) -> None:
        below = max(0, self.size.height - 1) if self._rows else 0
        self.virtual_size = Size(self.scrollable_content_region.width, len(self._rows) + below)
        self.refresh()

    def text(self) -> str:
        """What is drawn, as plain text."""
        return "\n".join(self.render_line(y).text.rstrip() for y in range(self.size.height))

    def render_line(self, y: int) -> Strip:
        """Draw one visible line."""
        width = self.scrollable_content_region.width
        rows = self._visible(width)
        if y >= len(rows):
            return Strip.blank(width, self.rich_style)
        number, line = rows[y]
        marked = any(first <= number <= last for first, last in self._marked)
        base = self.rich_style + (self._style("marked") if marked else Style())
        first = y == 0 or rows[y - 1][0] != number
        gutter = len(str(self._rows[-1][0]))
        segments = [
            Segment((str(number) if first else "").rjust(gutter), base + self._style("dim")),
            Segment("▐" if marked else " ", base),
            *(Segment(piece.text, base + self._style(piece.style)) for piece in line.pieces),
        ]
        return Strip(segments).crop_extend(0, width, base)

    def _visible(self, width: int) -> list[tuple[int, Line]]:
        """The lines from the top of the pane on, wrapped; kept until the place, the width or the text is another."""
        top, height = self.scroll_offset.y, self.size.height
        key = (self._of, top, width, height)
        if self._drawn[0] != key:
            rows: list[tuple[int, Line]] = []
            for row in range(top, min(top + height, len(self._rows))):
                rows += self._wrapped(row, width)
                if len(rows) >= height:
                    break
            self._drawn = (key, rows)
        return self._drawn[1]

    def _wrapped(self, row: int, width: int) -> list[tuple[int, Line]]:
        """One row in lines of the pane, each with its number in the document."""
        number, text = self._rows[row]
        room = width - len(str(self._rows[-1][0])) - 1
        style = "strong" if text.startswith("#") else ""
        return [(number, line) for line in wrap((Paragraph((Piece(text, style),)),), max(1, room))]

    def _style(self, name: str) -> Style:
        return self.get_component_rich_style(f"document--{name}", partial=True) if name else Style()
