"""What every place of the app is: a screen with rows of the key table, tabs to the others, and one way back."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import events, on
from textual.geometry import Size
from textual.message import Message
from textual.screen import Screen

from core.text import cell_width
from tui.keys import KeyRow
from tui.places import PLACES
from tui.textual_private import without_empty_toasts
from tui.widgets.pieces import Piece
from tui.widgets.toast import toast

if TYPE_CHECKING:
    from core.recall.model import RecalledContext
    from tui.screens.memory_port import MemoryMark


class Go(Message):
    """The person wants to be in a place, or, with `""`, to be asked which."""

    def __init__(self, place: str = "", document: str = "", line: int = 0) -> None:
        super().__init__()
        self.place = place
        self.document = document
        """What is to be shown there, `""` for what is shown already."""
        self.line = line
        """The line of it that is to be chosen, 0 for none."""


class OpenRecord(Message):
    """A line of a record is to be read in the viewer."""

    def __init__(self, path: str, line: int) -> None:
        super().__init__()
        self.path = path
        self.line = line


class KeepRecall(Message):
    """An identified recall is to be kept in memory."""

    def __init__(self, recalled: RecalledContext) -> None:
        super().__init__()
        self.recalled = recalled


class Marked(Message):
    """How memory stands."""

    def __init__(self, mark: MemoryMark) -> None:
        super().__init__()
        self.mark = mark


ONE_SIZE = 1.0
"""Seconds in which equal reports of the terminal's size are one."""


class MemoryTouched(Message):
    """Something was handed to memory: how it stands is to be shown anew."""


class PlaceScreen(Screen[None]):
    """A place. The palette and the tabs are made from what it tells here."""

    PLACE: ClassVar[str] = ""
    """Its id in the table of places."""
    ROWS: ClassVar[tuple[KeyRow, ...]] = ()
    """Its rows of the key table, those that act everywhere included."""

    _interrupted = float("-inf")
    styled_at_start = False
    """True for the place that the app opens with, until it is shown: it was styled a moment ago."""
    _sized: tuple[Size, float] | None = None
    mark: MemoryMark | None = None
    """How memory stands, as far as it is known: the app tells every place."""

    @on(events.Resize)
    def _once(self, event: events.Resize) -> None:
        """Lay out and draw once for the several reports of one size that a terminal makes while the app starts: each would
        draw every cell anew before the first session is listed. Later ones may ask for just that."""
        now = time.monotonic()
        if self._sized is None:
            self._sized = event.size, now
        elif event.size == self._sized[0] and now - self._sized[1] < ONE_SIZE:
            event.prevent_default()
            event.stop()
        else:
            self._sized = event.size, float("-inf")

    def on_compose(self) -> None:
        """Take the classes of the terminal's size before there is anything to style: taken later, they style all of it anew
        before the first frame."""
        self._take_classes()

    @on(events.ScreenResume)
    def _resumed(self, event: events.ScreenResume) -> None:
        """Take the classes of the terminal's size before the first frame, which would be a wide terminal's: text that stands
        in columns a letter wide until the size is reported. The first place is not styled a second time; any other has to be,
        or stands without its layout (seen with Python 3.13)."""
        without_empty_toasts(self)
        self._take_classes()
        event.refresh_styles = event.refresh_styles and not self.styled_at_start
        self.styled_at_start = False

    def _take_classes(self) -> None:
        classes: dict[str, bool] = {}
        for breakpoints, cells in zip(
            (self.HORIZONTAL_BREAKPOINTS or [], self.VERTICAL_BREAKPOINTS or []), self.app.size, strict=True
        ):
            fitting = max((each for each in breakpoints if cells >= each[0]), default=None)
            classes |= {each[1]: each == fitting for each in breakpoints}
        self.update_classes(classes)

    def cornered(self, width: int, draw: Callable[[int], Sequence[Piece]]) -> list[Piece]:
        """A header with how memory stands in its right corner."""
        corner = corner_of(self.mark, short=width < 100)
        room = width - sum(cell_width(piece.text) for piece in corner)
        if room < 20:
            return list(draw(width))
        pieces = draw(room)
        gap = max(0, room - sum(cell_width(piece.text) for piece in pieces))
        return [*pieces, Piece(" " * gap), *corner]

    def why_not(self, row: KeyRow) -> str:
        """Why the action of a row is not possible now; `""` if it is."""
        raise LookupError(f"{type(self).__name__} does not say why {row.id} is not possible")

    def arrive(self, document: str, line: int) -> None:
        """Show a line of a document that another place sent here."""
        raise LookupError(f"{type(self).__name__} cannot show line {line} of {document}")

    def announce_memory(self) -> None:
        """Have every place show how memory stands."""
        self.post_message(MemoryTouched())

    def action_do(self, id_: str) -> None:
        """Run an action of the key table, or say why it is not possible."""
        raise LookupError(f"{type(self).__name__} does not know {id_}")

    def quit_or_warn(self) -> None:
        """Quit on the second press within five seconds."""
        now = time.monotonic()
        if now - self._interrupted < 5:
            self.app.exit()
            return
        self._interrupted = now
        toast(self, "Press ctrl+c again to quit.")


def corner_of(mark: MemoryMark | None, *, short: bool) -> Sequence[Piece]:
    """How memory stands: `✓ persisted`, or in amber `▲ 2 queued`; nothing while it is not known."""
    if mark is None:
        return ()
    if mark.trouble:
        return (Piece(" ▲ memory? ", "warn", "go:memory"),)
    if mark.waiting or mark.rejected:
        number = f"{mark.waiting or mark.rejected:,}"
        words = f" {'queued' if mark.waiting else 'set aside'}"
        return (Piece(f" ▲ {number}{'' if short else words} ", "warn", "go:memory"),)
    return (Piece(" ✓ " if short else " ✓ persisted ", "good", "go:memory"),)


def with_tabs(place: str, width: int, left: Sequence[Piece]) -> list[Piece]:
    """A header with the other places at its right end: their names, or their digits alone where there is little room."""
    used = sum(cell_width(piece.text) for piece in left)
    named = sum(cell_width(piece.text) for piece in tabs_of(place))
    tabs = tabs_of(place, short=used + named > width)
    wide = sum(cell_width(piece.text) for piece in tabs)
    if used + wide > width:
        return list(left)
    return [*left, Piece(" " * (width - used - wide)), *tabs]


def room_of(place: str, width: int) -> int:
    """Columns to leave for the tabs of a place: with their names where the screen is wide, else for the digits."""
    return sum(cell_width(piece.text) for piece in tabs_of(place, short=width < 100))


def tabs_of(place: str, *, short: bool = False) -> list[Piece]:
    """The other places, each a piece that can be clicked."""
    pieces: list[Piece] = [Piece(" ")]
    for row in PLACES:
        if row.id != place:
            pieces += [Piece(f" {row.number}", "key", f"go:{row.id}")]
            pieces += [] if short else [Piece(f" {row.name}", "", f"go:{row.id}")]
    return [*pieces, Piece(" ")]
