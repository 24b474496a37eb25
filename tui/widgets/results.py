"""The list of candidates, drawn row by row."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import BindingType
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from core.records.model import Locator
from core.text import cell_width, clip, one_line
from tui.keys import Pane, pane_bindings
from tui.textual_private import measure
from tui.widgets.pieces import Paragraph, Piece, wrap
from tui.widgets.wording import runtime_label, short_date

if TYPE_CHECKING:
    from core.candidates import Candidate

_KINDS = {
    "main": "",
    "subagent": "subagent",
    "fork": "fork",
    "review": "review",
    "copy": "copy",
    "ghost": "prompts only",
}


class Results(ScrollView, can_focus=True):
    """Shows candidates in two lines each, or in one where there is little room. One row is chosen."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "results--dim",
        "results--match",
        "results--chosen",
        "results--chosen-focused",
        "results--strong",
        "results--warn",
    }
    BINDINGS: ClassVar[list[BindingType]] = pane_bindings(Pane.CANDIDATES)
    FOCUS_ON_CLICK = False
    """A click chooses a row; the person goes on typing in the cue, where no letter is a key."""

    @dataclass
    class Chosen(Message):
        """Another row is chosen."""

        candidate: Candidate
        by_person: bool

    @dataclass
    class Opened(Message):
        """A row was opened with the mouse."""

        candidate: Candidate

    def __init__(self, *, id: str, now: float) -> None:  # noqa: A002 - Textual's own parameter name
        super().__init__(id=id)
        self._rows: tuple[Candidate, ...] = ()
        self._empty: tuple[Paragraph, ...] = ()
        self._now = now
        self._chosen = 0
        self.moved = False
        """True once the person moved to a row of this list."""

    @property
    def rows(self) -> tuple[Candidate, ...]:
        """The candidates shown."""
        return self._rows

    @property
    def chosen(self) -> Candidate | None:
        """The chosen row."""
        return self._rows[self._chosen] if self._rows else None

    @property
    def chosen_index(self) -> int:
        """Place of the chosen row."""
        return self._chosen

    @property
    def row_height(self) -> int:
        """Lines a row takes."""
        return 2 if self.size.height >= 10 or (self.size.height >= 6 and self.size.width < 60) else 1

    def show(self, rows: Iterable[Candidate], empty: tuple[Paragraph, ...], *, keep: bool = False) -> None:
        """Replace the rows; `empty` is shown if there are none. `keep` holds on to the chosen record."""
        before = self.chosen
        self._rows = tuple(rows)
        self._empty = empty
        place = next((n for n, row in enumerate(self._rows) if before and row.locator == before.locator), None)
        self._chosen = place if keep and place is not None else 0
        self.moved = self.moved and keep and place is not None
        self._measure()
        after = self.chosen
        if after is not None and after != before:
            self.post_message(self.Chosen(after, self.moved))

    def choose(self, number: int, *, by_person: bool = True) -> None:
        """Choose a row, as near as there is one."""
        if not self._rows:
            return
        number = min(len(self._rows) - 1, max(0, number))
        self.moved = self.moved or by_person
        changed = number != self._chosen
        self._chosen = number
        self._reveal()
        self.refresh()
        if changed or by_person:
            self.post_message(self.Chosen(self._rows[number], by_person))

    def point_at(self, locator: Locator) -> None:
        """Choose the row of a record that was told, if it is listed and the person chose no other."""
        place = next((n for n, row in enumerate(self._rows) if row.locator == locator), None)
        if place is not None and not self.moved:
            self.choose(place, by_person=False)

    def forget_move(self) -> None:
        """The person types again: enter tells the story of the words."""
        self.moved = False

    def action_move(self, step: int) -> None:
        """Choose a row further on."""
        self.choose(self._chosen + step)

    def action_page(self, step: int) -> None:
        """Choose a row a page further."""
        self.choose(self._chosen + step * max(1, self.size.height // self.row_height - 1))

    def action_edge(self, step: int) -> None:
        """Choose the first or the last row."""
        self.choose(0 if step < 0 else len(self._rows) - 1)

    def on_resize(self) -> None:
        """Measure the rows again."""
        self._measure()

    def _measure(self) -> None:
        measure(self, Size(self.scrollable_content_region.width, len(self._rows) * self.row_height))
        self._reveal()
        self.refresh()

    def _reveal(self) -> None:
        if not self.size.height:
            return  # it has no place yet: any line would be below its end
        high, top = self.row_height, self.scroll_offset.y
        first = self._chosen * high
        if first < top:
            self.scroll_to(y=first, animate=False, force=True, immediate=True)
        elif first + high > top + self.size.height:
            self.scroll_to(y=first + high - self.size.height, animate=False, force=True, immediate=True)

    def render_line(self, y: int) -> Strip:
        """Draw one visible line."""
        width = self.scrollable_content_region.width
        if not self._rows:
            return self._render_empty(y, width)
        number, part = divmod(y + self.scroll_offset.y, self.row_height)
        if number >= len(self._rows):
            return Strip.blank(width, self.rich_style)
        chosen = number == self._chosen
        pieces = (
            self._first_line(self._rows[number], width, chosen)
            if part == 0
            else self._second_line(self._rows[number], width, chosen)
        )
        base = self._base(chosen)
        segments = [Segment(piece.text, base + self._style(piece.style)) for piece in pieces]
        return Strip(segments).crop_extend(0, width, base)

    def _base(self, chosen: bool) -> Style:
        if not chosen:
            return self.rich_style
        focused = self.has_focus or self.moved
        name = "results--chosen-focused" if focused else "results--chosen"
        return self.rich_style + self.get_component_rich_style(name, partial=True)

    def _style(self, name: str) -> Style:
        return self.get_component_rich_style(f"results--{name}", partial=True) if name else Style()

    def _render_empty(self, y: int, width: int) -> Strip:
        lines = wrap(self._empty, max(1, width - 1))
        if y >= len(lines):
            return Strip.blank(width, self.rich_style)
        segments = [Segment(piece.text, self.rich_style + self._style(piece.style)) for piece in lines[y].pieces]
        return Strip([Segment(" ", self.rich_style), *segments]).crop_extend(0, width, self.rich_style)

    def _first_line(self, row: Candidate, width: int, chosen: bool) -> list[Piece]:
        date = f"{'~' * row.dated_by_file}{short_date(row.date, self._now)}"
        beside = "" if self.row_height == 2 else self._beside(row, width)
        room = max(1, width - 2 - 8 - 2 - cell_width(beside))
        phrase = clip(row.phrase or "(no words recorded)", room)
        gap = " " * max(1, room - cell_width(phrase) + 1)
        pieces = [Piece("▌ " if chosen else "  ", "strong"), *_marked(phrase, row.terms)]
        return [
            *pieces,
            Piece(gap),
            Piece(beside, "dim"),
            Piece(date.rjust(8), "dim"),
            Piece(" " * (cell_width(date) <= 8)),
        ]

    def _beside(self, row: Candidate, width: int) -> str:
        """Project, runtime and kind of a row of one line, all of one width, as far as the phrase keeps its room."""
        columns = 28 if width >= 76 else 16 if width >= 50 else 0
        facts = [
            clip(row.project, 14),
            *((runtime_label(row.locator.runtime).partition(" ")[0],) if columns > 16 else ()),
        ]
        text = clip(" · ".join(part for part in (*facts, self._state(row)) if part), max(1, columns - 3))
        return f"  {text}{' ' * (columns - 2 - cell_width(text))}" if columns else ""

    def _second_line(self, row: Candidate, width: int, chosen: bool) -> list[Piece]:
        facts = [row.project, runtime_label(row.locator.runtime), clip(row.branch, 24), self._state(row)]
        text = clip(" · ".join(part for part in facts if part), max(1, width - 4))
        return [Piece("▌ " if chosen else "  ", "strong"), Piece(f" {text}", "dim")]

    @staticmethod
    def _state(row: Candidate) -> str:
        words = [_KINDS[row.kind] if row.kind in _KINDS else one_line(row.kind, 12)]
        words += ["archived"] if row.archived else []
        words += ["file gone"] if row.gone else []
        words += ["file's date"] if row.dated_by_file else []
        return ", ".join(word for word in words if word)

    def on_click(self, event: events.Click) -> None:
        """Choose a row; open it on the second click."""
        offset = event.get_content_offset(self)
        if offset is None or not self._rows:
            return
        number = (offset.y + self.scroll_offset.y) // self.row_height
        if number >= len(self._rows):
            return
        event.stop()
        self.choose(number)
        if event.chain >= 2:
            self.post_message(self.Opened(self._rows[number]))


def terms_pattern(terms: Iterable[str]) -> re.Pattern[str] | None:
    """A pattern that finds the words that begin with a term (terms may be stems: `retri` finds `retry`)."""
    parts = [
        re.escape(term[:-1]) + "[iy]" if len(term) > 3 and term[-1] in "iy" else re.escape(term)
        for term in sorted({term for term in terms if term.strip()}, key=len, reverse=True)[:40]
    ]
    return re.compile(r"(?<!\w)(?:" + "|".join(parts) + r")\w*", re.IGNORECASE) if parts else None


def _marked(text: str, terms: Iterable[str]) -> list[Piece]:
    """`text` with the words that match set off."""
    pattern = terms_pattern(terms)
    if pattern is None:
        return [Piece(text)]
    pieces: list[Piece] = []
    end = 0
    for match in pattern.finditer(text):
        pieces += [Piece(text[end : match.start()]), Piece(match.group(), "match")]
        end = match.end()
    return [*pieces, Piece(text[end:])]
