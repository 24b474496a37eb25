"""A scrolling pane of styled lines, drawn line by line: any number of lines costs what is visible."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip

from tui.textual_private import measure
from tui.widgets.pieces import Line, Paragraph, wrap

STYLES = (
    "dim",
    "strong",
    "marker",
    "match",
    "current",
    "you",
    "assistant",
    "tool",
    "code",
    "warn",
    "good",
    "key",
)


class LineView(ScrollView, can_focus=True):
    """Shows paragraphs wrapped to its width. Text can be selected; a piece with a `ref` can be clicked."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"line--{name}" for name in STYLES}
    DEFAULT_CSS = """
    LineView {
        overflow-x: hidden;
        scrollbar-size-vertical: 1;
        scrollbar-gutter: stable;
    }
    LineView > .line--dim { color: $quiet; }
    LineView > .line--strong { text-style: bold; }
    LineView > .line--key { color: $accent; text-style: bold; }
    LineView > .line--marker { color: $primary; text-style: bold; }
    LineView > .line--match { color: $match; text-style: bold underline; }
    LineView > .line--current { background: $panel; }
    LineView > .line--you { color: $primary; text-style: bold; }
    LineView > .line--assistant { color: $secondary; text-style: bold; }
    LineView > .line--tool { color: $quiet; }
    LineView > .line--code { color: $success; }
    LineView > .line--warn { color: $warning; text-style: bold; }
    LineView > .line--good { color: $success; text-style: bold; }
    """

    @dataclass
    class Followed(Message):
        """A person clicked something that leads somewhere."""

        view: LineView
        ref: str

        @property
        def control(self) -> LineView:
            """The pane it happened in."""
            return self.view

    def __init__(self, *, id: str) -> None:  # noqa: A002 - Textual's own parameter name
        super().__init__(id=id)
        self._paragraphs: tuple[Paragraph, ...] = ()
        self._lines: list[Line] = []
        self._wrapped_at = -1
        self._strips: dict[int, Strip] = {}
        self._styles: dict[str, Style] = {}

    @property
    def lines(self) -> list[Line]:
        """The wrapped lines."""
        return self._lines

    @property
    def text_width(self) -> int:
        """Columns for text, the scrollbar left out."""
        return self.scrollable_content_region.width

    @property
    def top(self) -> int:
        """The first visible line."""
        return self.scroll_offset.y

    def show_paragraphs(self, paragraphs: Iterable[Paragraph]) -> None:
        """Replace what is shown; the scroll position stays where it can."""
        self._paragraphs = tuple(paragraphs)
        self._wrapped_at = -1
        self._lay_out()

    def _lay_out(self) -> None:
        self._wrap(self.text_width)
        self._strips.clear()
        self._measure()
        self.refresh()

    def _wrap(self, width: int) -> None:
        if width != self._wrapped_at:
            self._lines = wrap(self._paragraphs, width)
            self._wrapped_at = width

    def _measure(self) -> None:
        if self._wrapped_at > 0:  # before it has a place, its many narrow lines would bring a scrollbar
            measure(self, Size(self._wrapped_at, len(self._lines)))

    def on_resize(self) -> None:
        """Wrap again when the width changed, and keep the paragraph at the top in its place."""
        if self.text_width == self._wrapped_at:
            self._measure()
            return
        top = self.top
        anchor = self._lines[top].paragraph if top < len(self._lines) and top else None
        self._lay_out()
        if anchor is not None:
            self.scroll_to_line(self.first_line_of(anchor))

    def _wrap_again(self) -> None:
        """The width changed without a resize of the pane (a scrollbar, a change of layout)."""
        if self.text_width != self._wrapped_at:
            self._lay_out()

    def first_line_of(self, paragraph: int) -> int:
        """The first line of a paragraph, by its index."""
        return next((n for n, line in enumerate(self._lines) if line.paragraph >= paragraph), 0)

    def scroll_to_line(self, line: int) -> None:
        """Put a line at the top, as far as there is text below it."""
        self.scroll_to(y=line, animate=False, force=True, immediate=True)

    def notify_style_update(self) -> None:
        """Draw anew after a change of theme."""
        self._strips.clear()
        self._styles.clear()
        super().notify_style_update()

    def piece_style(self, style: str) -> Style:
        """The Rich style of a piece."""
        known = self._styles.get(style)
        if known is None:
            known = self.rich_style  # resolving it costs 0.5 ms, so it is kept until the theme or the focus changes
            if style:
                known = known + self.get_component_rich_style(f"line--{style}", partial=True)
            self._styles[style] = known
        return known

    def render_line(self, y: int) -> Strip:
        """Draw one visible line."""
        number, width = self.top + y, self.text_width
        if self._wrapped_at < 1:  # it has a place from now on: the first frame shows its text as it will stand
            self._wrap(width)
        elif width != self._wrapped_at:
            self.call_later(self._wrap_again)
        if number >= len(self._lines):
            return Strip.blank(width, self.piece_style(""))
        selection = self.text_selection
        if selection is None and number in self._strips:
            return self._strips[number]
        strip = self._draw(number, width)
        if selection is None:
            self._strips[number] = strip
            return strip
        span = selection.get_span(number)
        return strip if span is None else self._select(strip, number, span, width)

    def _draw(self, number: int, width: int) -> Strip:
        segments = [Segment(piece.text, self.piece_style(piece.style)) for piece in self._lines[number].pieces]
        strip = Strip(segments).crop_extend(0, width, self.piece_style(""))
        return strip.apply_offsets(0, number)

    def _select(self, strip: Strip, number: int, span: tuple[int, int], width: int) -> Strip:
        from rich.text import Text

        text = Text(end="")
        for piece in self._lines[number].pieces:
            text.append(piece.text, self.piece_style(piece.style))
        start, end = span
        chosen = self.screen.get_component_rich_style("screen--selection")
        text.stylize(chosen, start, len(text) if end == -1 else end)
        drawn = Strip(text.render(self.app.console), strip.cell_length)
        return drawn.crop_extend(0, width, self.piece_style("")).apply_offsets(0, number)

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """The selected text."""
        return selection.extract("\n".join(line.text() for line in self._lines)), "\n"

    def selection_updated(self, selection: Selection | None) -> None:  # noqa: ARG002
        """Draw anew while text is being selected."""
        self._strips.clear()
        self.refresh()

    def on_click(self, event: events.Click) -> None:
        """Follow what was clicked."""
        offset = event.get_content_offset(self)
        if offset is None:
            return
        number = self.top + offset.y
        if number < len(self._lines):
            line = self._lines[number]
            ref = line.ref_at(offset.x)
            if ref:
                event.stop()
                self.post_message(self.Followed(self, ref))
