"""The record viewer: turns as they stand in the file, read on in both directions as the person scrolls."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from textual.binding import BindingType
from textual.message import Message

from core.recall.needles import is_common
from core.records.model import ReadProblem, Turn
from core.text import shown
from tui.keys import Pane, pane_bindings
from tui.messages import Place
from tui.widgets.line_view import LineView
from tui.widgets.pieces import Paragraph, Piece
from tui.widgets.results import terms_pattern
from tui.widgets.turn_text import Marks, turn_paragraphs
from tui.widgets.wording import describe_problem, moment

MOST_TURNS = 600
"""Turns held at once; those furthest from the view are let go and read again when needed."""


class Transcript(LineView):
    """Shows the turns around a place of one record."""

    BINDINGS: ClassVar[list[BindingType]] = pane_bindings(Pane.RECORD)

    @dataclass
    class Wanted(Message):
        """The person reads on: turns before (-1) or after (1) the one given are needed."""

        place: Place
        turn: Turn
        whence: int

    @dataclass
    class Jump(Message):
        """The person goes to another part of the record: a place, or its last turns (`to_end`)."""

        place: Place
        to_end: bool = False

    @dataclass
    class NoMore(Message):
        """There is no further match."""

    def __init__(self, *, id: str) -> None:  # noqa: A002 - Textual's own parameter name
        super().__init__(id=id)
        self.place: Place | None = None
        self._turns: tuple[Turn, ...] = ()
        self._unfolded: frozenset[tuple[int, int, str]] = frozenset()
        self._waiting = False
        self._ended: frozenset[int] = frozenset()

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns held."""
        return self._turns

    @property
    def current(self) -> Turn | None:
        """The turn at the top of the pane."""
        if not self._turns:
            return None
        line = self.lines[min(self.top, len(self.lines) - 1)] if self.lines else None
        number = _turn_number(line.ref) if line else 0
        return self._turns[number if number is not None else 0]

    def say(self, text: str, hint: str = "") -> None:
        """Show words instead of a record: nothing chosen, reading, or why it cannot be read."""
        self._turns, self.place = (), None
        parts = [Paragraph((Piece(text, "dim"),))]
        if hint:
            parts.append(Paragraph((Piece(f"hint: {hint}", "dim"),)))
        self.show_paragraphs(parts)
        self.scroll_to_line(0)

    def load(self, place: Place, turns: tuple[Turn, ...] | ReadProblem, *, at_end: bool = False) -> None:
        """Show turns around a place."""
        if isinstance(turns, ReadProblem):
            self.say(describe_problem(turns))
            self.place = place
            return
        if not turns:
            self.say("This record holds no turn that can be shown.")
            self.place = place
            return
        self.place, self._turns = place, turns
        self._unfolded, self._waiting, self._ended = frozenset(), False, frozenset({1} if at_end else ())
        self._tell()
        self.call_after_refresh(self._bring, at_end)
        self._bring(at_end)

    def extend(self, place: Place, turns: tuple[Turn, ...] | ReadProblem, whence: int) -> None:
        """Add turns before (-1) or after (1) those held."""
        self._waiting = False
        if place != self.place or not self._turns or isinstance(turns, ReadProblem):
            return
        if whence > 0:
            fresh = tuple(turn for turn in turns if turn.start > self._turns[-1].start)
            drop = max(0, len(self._turns) + len(fresh) - MOST_TURNS)
        else:
            fresh = tuple(turn for turn in turns if turn.start < self._turns[0].start)
            drop = 0
        if not fresh:
            self._ended |= {whence}
            return
        top = self.lines[min(self.top, len(self.lines) - 1)]
        number, inside = _turn_number(top.ref) or 0, self.top - self._line_of_ref(top.ref)
        if whence > 0:
            self._turns = (*self._turns, *fresh)[drop:]
            self._ended -= {-1} if drop else frozenset()
            number -= drop
        else:
            self._turns = (*fresh, *self._turns)[:MOST_TURNS]
            self._ended -= {1}
            number += len(fresh)
        self._tell()
        self.scroll_to_line(self._line_of_ref(f"turn:{max(0, number)}") + inside)

    def _tell(self) -> None:
        place = self.place
        pattern = _pattern(place) if place else None
        paragraphs: list[Paragraph] = []
        day = ""
        for number, turn in enumerate(self._turns):
            here = place is not None and turn.line == place.line and turn.start == place.start
            marks = Marks(pattern, shown(place.quote) if place and here else "")
            today = moment(turn.at)[:-6]
            ref = f"turn:{number}"
            paragraphs.extend(
                turn_paragraphs(turn, ref, marks, unfolded=self._key(turn) in self._unfolded, day=today != day)
            )
            paragraphs.append(Paragraph(ref=ref))
            day = today or day
        self.show_paragraphs(paragraphs)

    @staticmethod
    def _key(turn: Turn) -> tuple[int, int, str]:
        return (turn.line, turn.start, turn.uid + turn.channel + turn.text[:40])

    def _line_of_ref(self, ref: str) -> int:
        return next((n for n, line in enumerate(self.lines) if line.ref == ref), 0)

    def _bring(self, at_end: bool) -> None:
        if at_end:
            self.scroll_end(animate=False, force=True, immediate=True)
            return
        place = self.place
        if place is None:
            return
        number = self._place_of(place)
        first = self._line_of_ref(f"turn:{number}")
        marked = self._next_marked(first - 1, 1)
        inside = marked is not None and self.lines[marked].ref == f"turn:{number}"
        if marked is not None and inside and marked - first >= max(1, self.size.height - 2):
            first = marked - 2
        self.scroll_to_line(first)

    def _place_of(self, place: Place) -> int:
        """The turn a place means: the one that holds its quote, else the first of its line."""
        on_line = [n for n, turn in enumerate(self._turns) if turn.start == place.start]
        holding = (n for n in on_line if place.quote and place.quote in self._turns[n].text)
        later = (n for n, turn in enumerate(self._turns) if turn.start >= place.start)
        return next(holding, on_line[0] if on_line else next(later, 0))

    def _next_marked(self, from_line: int, step: int) -> int | None:
        number = from_line + step
        while 0 <= number < len(self.lines):
            if self.lines[number].styled("match") or self.lines[number].styled("current"):
                return number
            number += step
        return None

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Ask for more turns when the view comes near an end of those held."""
        super().watch_scroll_y(old_value, new_value)
        if round(old_value) != round(new_value):
            self._read_on(1 if new_value > old_value else -1)

    def _read_on(self, whence: int) -> None:
        if self._waiting or not self._turns or self.place is None or whence in self._ended:
            return
        high = self.size.height
        near = self.top + 2 * high >= len(self.lines) if whence > 0 else self.top <= high
        if near:
            self._waiting = True
            self.post_message(self.Wanted(self.place, self._turns[-1 if whence > 0 else 0], whence))

    def action_line(self, step: int) -> None:
        """Scroll by a line."""
        self._read_on(step)
        self.scroll_to_line(max(0, self.top + step))

    def action_page(self, step: int) -> None:
        """Scroll by a page."""
        self._read_on(step)
        self.scroll_to_line(max(0, self.top + step * max(1, self.size.height - 1)))

    def action_edge(self, step: int) -> None:
        """Go to the beginning or the end of the record."""
        if self.place is not None:
            place = Place(self.place.locator, terms=self.place.terms, others=self.place.others, title=self.place.title)
            self.post_message(self.Jump(place, to_end=step > 0))

    def action_match(self, step: int) -> None:
        """Go to the next or the previous match, further turns of the record included."""
        found = self._next_marked(self.top, step)
        if found is not None and (step < 0 or self.top < self.max_scroll_y):
            self.scroll_to_line(found)
            return
        place = self.place
        if place is None or not self._turns:
            return
        ahead = sorted(p for p in place.others if p[1] > self._turns[-1].start)
        behind = sorted(p for p in place.others if p[1] < self._turns[0].start)
        goal = (ahead[:1] if step > 0 else behind[-1:]) or None
        if goal is None:
            self.post_message(self.NoMore())
            return
        line, start = goal[0]
        self.post_message(
            self.Jump(Place(place.locator, line, start, place.terms, others=place.others, title=place.title))
        )

    def action_unfold(self) -> None:
        """Show or fold the turn at the top of the pane."""
        turn = self._foldable()
        if turn is None:
            return
        self._unfolded ^= {self._key(turn)}
        number = self._turns.index(turn)
        self._tell()
        self.scroll_to_line(self._line_of_ref(f"turn:{number}"))

    def _foldable(self) -> Turn | None:
        """The first turn in view that is folded, else the one at the top."""
        for line in self.lines[self.top : self.top + self.size.height]:
            number = _turn_number(line.ref)
            if number is not None and "unfolds" in line.text() and line.styled("key"):
                return self._turns[number]
        return self.current


def _turn_number(ref: str) -> int | None:
    return int(ref[5:]) if ref.startswith("turn:") else None


def _pattern(place: Place) -> re.Pattern[str] | None:
    words = {place.quote[start:end] for start, end in place.spans} - {""}
    words = {word for word in words if not is_common(word.lower())} or words
    if words:
        longest = [shown(word) for word in sorted(words, key=len, reverse=True)[:60]]
        parts = [rf"(?<!\w){re.escape(word)}\w*" if word.isascii() else re.escape(word) for word in longest]
        return re.compile("|".join(parts), re.IGNORECASE)  # `to` is not marked in `into`; Japanese has no gaps
    return terms_pattern(shown(term) for term in place.terms)
