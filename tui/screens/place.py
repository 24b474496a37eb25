"""What every place of the app is: a screen with rows of the key table, tabs to the others, and one way back."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import ClassVar

from textual.message import Message
from textual.screen import Screen

from core.text import cell_width
from tui.keys import KeyRow
from tui.places import PLACES
from tui.widgets.pieces import Piece
from tui.widgets.toast import toast


class Go(Message):
    """The person wants to be in a place, or, with `""`, to be asked which."""

    def __init__(self, place: str = "") -> None:
        super().__init__()
        self.place = place


class PlaceScreen(Screen[None]):
    """A place. The palette and the tabs are made from what it tells here."""

    PLACE: ClassVar[str] = ""
    """Its id in the table of places."""
    ROWS: ClassVar[tuple[KeyRow, ...]] = ()
    """Its rows of the key table, those that act everywhere included."""

    _interrupted = float("-inf")

    def why_not(self, row: KeyRow) -> str:
        """Why the action of a row is not possible now; `""` if it is."""
        raise LookupError(f"{type(self).__name__} does not say why {row.id} is not possible")

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


def with_tabs(place: str, width: int, left: Sequence[Piece]) -> list[Piece]:
    """A header with the other places at its right end: their names, or their digits alone where there is little room."""
    used = sum(cell_width(piece.text) for piece in left)
    tabs = tabs_of(place, short=used + room_of(place) > width)
    wide = sum(cell_width(piece.text) for piece in tabs)
    if used + wide > width:
        return list(left)
    return [*left, Piece(" " * (width - used - wide)), *tabs]


def room_of(place: str) -> int:
    """Columns that the tabs of a place take with their names."""
    return sum(cell_width(piece.text) for piece in tabs_of(place))


def tabs_of(place: str, *, short: bool = False) -> list[Piece]:
    """The other places, each a piece that can be clicked."""
    pieces: list[Piece] = [Piece(" ")]
    for row in PLACES:
        if row.id != place:
            pieces += [Piece(f" {row.number}", "key", f"go:{row.id}")]
            pieces += [] if short else [Piece(f" {row.name}", "", f"go:{row.id}")]
    return [*pieces, Piece(" ")]
