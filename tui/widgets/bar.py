"""One line of pieces: the header and the footer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.segment import Segment
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from core.text import cell_width
from tui.widgets.pieces import Line, Piece


class Bar(Widget):
    """Draws the pieces that a function gives for the width at hand; a piece with a `ref` can be clicked."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "bar--dim", "bar--strong", "bar--key", "bar--warn", "bar--good", "bar--bad",
    }  # fmt: skip

    @dataclass
    class Clicked(Message):
        """A person clicked a piece that leads somewhere."""

        ref: str

    def __init__(self, pieces: Callable[[int], Sequence[Piece]], *, id: str) -> None:  # noqa: A002
        super().__init__(id=id)
        self._pieces = pieces

    def text(self) -> str:
        """What is drawn, as plain text."""
        return "".join(piece.text for piece in self._pieces(self.size.width))

    def render_line(self, y: int) -> Strip:
        """Draw the line."""
        width, base = self.size.width, self.rich_style
        if y:
            return Strip.blank(width, base)
        segments = [
            Segment(
                piece.text,
                base + self.get_component_rich_style(f"bar--{piece.style}", partial=True) if piece.style else base,
            )
            for piece in self._pieces(width)
        ]
        return Strip(segments).crop_extend(0, width, base)

    def on_click(self, event: events.Click) -> None:
        """Announce what was clicked."""
        offset = event.get_content_offset(self)
        if offset is None:
            return
        ref = Line(tuple(self._pieces(self.size.width)), 0).ref_at(offset.x)
        if ref:
            event.stop()
            self.post_message(self.Clicked(ref))


def fit(groups: Sequence[Sequence[Piece]], width: int, gap: str = "   ") -> list[Piece]:
    """As many groups as fit, in order, with `gap` between them."""
    pieces: list[Piece] = []
    used = 0
    for group in groups:
        wide = sum(cell_width(piece.text) for piece in group) + (len(gap) if pieces else 0)
        if used + wide > width:
            break
        if pieces and gap:
            pieces.append(Piece(gap))
        pieces.extend(group)
        used += wide
    return pieces
