"""The panes of the place Delegate, and what its workers report."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.binding import BindingType
from textual.message import Message

from core.delegation.desk import Made
from core.delegation.model import NoPacket
from core.errors import RecollectError
from tui.keys import Pane, pane_bindings
from tui.screens.delegate_port import DelegateLook
from tui.widgets.field import FieldLine
from tui.widgets.line_view import LineView
from tui.widgets.row_list import RowList

FIELDS = (
    ("task", "task", "what is to be done, in a sentence"),
    ("scope", "may touch", "files, dirs/, globs; {delegate-pick} picks"),
    ("must-not", "must not", "paths the worker must leave alone"),
    ("about", "about", "files or symbols it begins with"),
    ("tokens", "tokens", "2000; at most 8000"),
    ("hint", "for them", "one sentence for the worker"),
)
"""Each field of an order: its id, its name, what its empty line says."""


class OrderLine(FieldLine):
    """A line of the order."""

    BINDINGS: ClassVar[list[BindingType]] = pane_bindings(Pane.ORDER)


class DelegationList(RowList):
    """The delegations."""

    BINDINGS: ClassVar[list[BindingType]] = pane_bindings(Pane.DELEGATED)


class PacketView(LineView):
    """A packet, or what a debrief found."""

    BINDINGS: ClassVar[list[BindingType]] = pane_bindings(Pane.PACKET)


class Looked(Message):
    """The delegations were read; before that, perhaps something was done."""

    def __init__(self, look: DelegateLook, chosen: str = "", then: Callable[[], object] | None = None) -> None:
        super().__init__()
        self.look = look
        self.chosen = chosen
        self.then = then
        """What is to be shown after it."""


class Answered(Message):
    """A worker is done; what is to be done with its answer."""

    def __init__(self, then: Callable[[], object]) -> None:
        super().__init__()
        self.then = then


class Composed(Message):
    """A packet was composed, or could not be."""

    def __init__(self, number: int, made: Made | NoPacket | None, problem: RecollectError | None = None) -> None:
        super().__init__()
        self.number = number
        self.made = made
        self.problem = problem
