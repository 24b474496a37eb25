"""The place Delegate: a task becomes a packet while it is written; delegations, their packets and how they went."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import ClassVar

from textual import getters, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Vertical
from textual.content import Content
from textual.timer import Timer
from textual.widgets import Input
from textual.worker import Worker, WorkerState

from core.delegation.desk import Made
from core.delegation.model import NoPacket, Status, Trust
from core.delegation.registry import Delegation
from core.errors import RecollectError
from tui.keys import DELEGATE, KeyRow, Pane, keyed, pane_bindings
from tui.screens import delegate_words
from tui.screens.bars import failure
from tui.screens.delegate_actions import DelegateActions
from tui.screens.delegate_panes import FIELDS, Answered, Composed, DelegationList, Looked, OrderLine, PacketView
from tui.screens.delegate_port import DelegateLook, DelegatePort, Draft
from tui.screens.delegate_reasons import DelegateFacts, why_not
from tui.screens.place import PlaceScreen
from tui.widgets.bar import Bar
from tui.widgets.field import Field
from tui.widgets.line_view import LineView
from tui.widgets.pieces import Paragraph, Piece
from tui.widgets.row_list import RowList
from tui.widgets.toast import toast

SETTLES = 0.5
"""Seconds without a key after which the packet is composed."""


class DelegateScreen(PlaceScreen):
    """Shows one `DelegateLook` and one packet; workers report by message, widgets announce, this decides."""

    CSS_PATH = "delegate.tcss"
    AUTO_FOCUS = "#order-task-line"
    PLACE = "delegate"
    ROWS = DELEGATE
    BINDINGS: ClassVar[list[BindingType]] = [*pane_bindings(Pane.DELEGATE), *pane_bindings(Pane.ANY)]
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-short"), (20, "-tall")]  # noqa: RUF012

    listed = getters.query_one("#delegated", DelegationList)
    packet = getters.query_one("#packet", PacketView)

    def __init__(self, port: DelegatePort, *, now: float | None = None) -> None:
        super().__init__()
        self.look: DelegateLook | None = None
        self.rows: tuple[Delegation, ...] = ()
        self.ended = False
        """Debriefed and expired ones are listed too."""
        self.preview: Made | NoPacket | None = None
        """What stands in the fields, composed."""
        self.shown: Made | NoPacket | None = None
        """The packet in the pane."""
        self.typed: dict[str, dict[str, str]] = {}
        """What was typed into a debrief that was left, by the delegation."""
        self.port = port
        self._now = now
        self._asked = 0
        """The number of the packet that was asked for last: an older one that comes late is dropped."""
        self._composing = False
        self._timer: Timer | None = None
        self._drafted = Draft()
        self._begun = ""
        """A task that another place began."""
        self._ready = False

    def compose(self) -> ComposeResult:
        """The header, the counts, the fields and the list beside the packet, the footer."""
        yield Bar(self._header, id="header")
        yield Bar(lambda width: delegate_words.calibration_line(self.look, width), id="delegate-counts")
        fields = [Field(f"order-{name}", title, OrderLine, placeholder=keyed(words)) for name, title, words in FIELDS]
        yield fields[0]
        with Container(id="delegate-panes"):
            with Vertical(id="delegate-side"):
                with Vertical(id="order"):
                    yield from fields[1:]
                yield DelegationList(id="delegated")
            with Vertical(id="packet-side"):
                yield Bar(self._packet_line, id="packet-line")
                yield PacketView(id="packet")
        yield Bar(lambda width: delegate_words.hints(self.actions.pane, self.facts, width), id="hints")

    def on_mount(self) -> None:
        """Say what is going on, and read."""
        self.query_one("#order").border_title = Content("boundary")
        self.listed.border_title = Content("delegations")
        self.listed.say(delegate_words.said("The delegations are read."))
        self._tell_nothing()
        self.read()
        self._ready = True
        if self._begun:
            self.arrive(self._begun, 0)

    def arrive(self, document: str, line: int) -> None:  # noqa: ARG002 - every place arrives at a line
        """Begin a task with what another place sent here."""
        self._begun = document
        if self._ready:
            task = self.query_one("#order-task", Field)
            task.value = document
            task.line.focus()

    def _tell_nothing(self) -> None:
        self.packet.border_title = Content("packet")
        self.packet.show_paragraphs(
            delegate_words.said(
                "The packet stands here as the worker gets it.", hint="write the task; it follows while you type."
            )
        )

    # What is known

    @property
    def draft(self) -> Draft:
        """What stands in the fields."""
        return Draft(*(self.query_one(f"#order-{name}", Field).value for name, _, _ in FIELDS))

    @property
    def chosen(self) -> Delegation | None:
        """The chosen delegation."""
        at = self.listed.chosen
        return self.rows[at] if 0 <= at < len(self.rows) else None

    @property
    def recorded(self) -> Delegation | None:
        """The delegation whose packet is shown, if it is a recorded one."""
        if not isinstance(self.shown, Made) or self.shown is self.preview:
            return None
        identity = self.shown.delegation.packet.id
        return next((d for d in self.look.delegations if d.packet.id == identity), None) if self.look else None

    @property
    def facts(self) -> DelegateFacts:
        """What decides which keys are valid now."""
        look = self.look
        return DelegateFacts(
            self._jobs > 0, look is not None, look is not None and look.binding.trust is not Trust.NONE,
            isinstance(self.preview, Made) and not self._composing, self._composing, isinstance(self.shown, Made),
            self.recorded is not None, isinstance(self.preview, NoPacket),
        )  # fmt: skip

    @property
    def actions(self) -> DelegateActions:
        """What the keys do."""
        return DelegateActions(self)

    def why_not(self, row: KeyRow) -> str:
        """Why the action of a row is not possible now."""
        return why_not(row.reason, self.facts)

    def action_do(self, id_: str) -> None:
        """Run an action of the key table, or say why it is not possible."""
        self.actions.do(id_)

    def _header(self, width: int) -> Sequence[Piece]:
        state = "composing …" if self._composing else "reading …" if self._jobs else ""
        return self.cornered(width, lambda room: delegate_words.header(self.look, state, room))

    def _packet_line(self, width: int) -> Sequence[Piece]:
        waiting = "Composing the packet: files, history, past sessions, memory …" if self._composing else ""
        return delegate_words.packet_line(self.shown, waiting, width)

    # Reading and writing, each on a worker's thread

    def read(self, chosen: str = "", then: Callable[[], object] | None = None) -> None:
        """Read the delegations."""
        self.work(lambda: self.post_message(Looked(self.port.look(), chosen, then)), "delegations")

    def record(self, made: Made, then: Callable[[], object]) -> None:
        """Record a packet, and choose it in the list."""

        def job() -> None:
            identity = self.port.record(made).delegation.packet.id
            self.post_message(Looked(self.port.look(), identity, then))

        self.work(job, "record")

    @property
    def _jobs(self) -> int:
        """Jobs of this place that still run, composing left out: asked of the workers, so that none is ever miscounted."""
        return sum(1 for w in self.app.workers if w.node is self and w.group != "packet" and not w.is_finished)

    def work(self, job: Callable[[], object], group: str) -> None:
        """Run a job of the port."""
        self.run_worker(job, thread=True, group=group, exit_on_error=False)
        self.refresh_bars()

    def on_looked(self, message: Looked) -> None:
        """Show the delegations; the chosen one stays chosen."""
        self.look = message.look
        self.list_delegations(message.chosen)
        if message.then is not None:
            message.then()
        self.refresh_bars()

    def on_answered(self, message: Answered) -> None:
        """Go on with a worker's answer."""
        message.then()

    def on_screen_resume(self) -> None:
        """Others may have delegated or debriefed meanwhile."""
        if self.look is not None and not self._jobs:
            self.read()

    @on(Worker.StateChanged)
    def _ended(self, event: Worker.StateChanged) -> None:
        """Draw that a job ended. The crash boundary of the workers: what failed is said with no word of a task."""
        if event.state not in (WorkerState.SUCCESS, WorkerState.ERROR, WorkerState.CANCELLED):
            return
        of_packet = event.worker.group == "packet"
        if event.state is WorkerState.ERROR:
            what, hint = failure(event.worker.error, event.worker.group, type(event.worker.error).__name__)
            if of_packet:
                self._composing = False
                self.packet.show_paragraphs(delegate_words.said(what, hint=hint))
            elif self.look is None:
                self.listed.say(delegate_words.said(what, keyed("{delegate-again} reads them again."), hint=hint))
            else:
                toast(self, what, hint, "warning")
        self.refresh_bars()

    # The packet of what stands in the fields

    @on(Field.Written)
    def _written(self) -> None:
        """Compose once the person stops writing."""
        if self.draft == self._drafted:
            return
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.set_timer(SETTLES, self.compose_packet)

    def compose_packet(self) -> None:
        """Compose the packet for what stands in the fields; the last one asked for is shown."""
        self._drafted = draft = self.draft
        self._asked += 1
        number = self._asked
        if not draft.task.strip():
            self._composing = False
            self.preview = self.shown = None
            self._tell_nothing()
            self.refresh_bars()
            return
        self._composing = True

        def job() -> None:
            try:
                self.post_message(Composed(number, self.port.compose(draft)))
            except RecollectError as problem:
                self.post_message(Composed(number, None, problem))

        self.run_worker(job, thread=True, group="packet", exit_on_error=False)
        self.refresh_bars()

    def on_composed(self, message: Composed) -> None:
        """Show it, unless a newer one was asked for."""
        if message.number != self._asked:
            return
        self._composing = False
        self.preview = message.made
        if message.problem is not None:
            self.shown = None
            self.packet.border_title = Content("packet")
            self.packet.show_paragraphs(delegate_words.said(message.problem.what, hint=message.problem.hint))
        elif message.made is not None:
            self.show(message.made, "packet: not recorded yet")
        self.refresh_bars()

    def show(self, made: Made | NoPacket, title: str) -> None:
        """Show a packet."""
        self.shown = made
        self.packet.border_title = Content(title)
        if isinstance(made, NoPacket):
            self.packet.show_paragraphs(delegate_words.refusal_paragraphs(made))
        else:
            self.packet.show_paragraphs(delegate_words.packet_paragraphs(made.text.text))
        self.packet.scroll_to_line(0)
        self.refresh_bars()

    def tell(self, title: str, paragraphs: tuple[Paragraph, ...]) -> None:
        """Show something else in the packet's pane; the keys go on acting on the packet before."""
        self.packet.border_title = Content(title)
        self.packet.show_paragraphs(paragraphs)
        self.packet.scroll_to_line(0)
        self.refresh_bars()

    # The list

    def list_delegations(self, chosen: str = "") -> None:
        """List the live ones, or all, the chosen one where it stood."""
        if self.look is None:
            return
        before = self.chosen
        wanted = chosen or (before.packet.id if before else "")
        self.rows = tuple(
            d for d in self.look.delegations if self.ended or d.status is Status.LIVE or d.packet.id == chosen
        )
        if self.rows:
            at = next(
                (n for n, d in enumerate(self.rows) if d.packet.id == wanted),
                min(max(0, self.listed.chosen), len(self.rows) - 1),
            )
            self.listed.show(len(self.rows), self._draw, chosen=at)
        else:
            self.listed.say(delegate_words.nothing(self.look))
        live = sum(d.status is Status.LIVE for d in self.rows)
        number = f"{len(self.rows):,} of all" if self.ended else f"{live:,} live"
        self.listed.border_title = Content(f"delegations ({number})")
        self.refresh_bars()

    def _draw(self, number: int, width: int, _chosen: bool) -> Sequence[Piece]:
        return delegate_words.draw_row(self.rows[number], time.time() if self._now is None else self._now, width)

    def show_chosen(self) -> None:
        """Show the packet of the chosen delegation."""
        one = self.chosen
        if one is None:
            return
        identity = one.packet.id

        def job() -> None:
            made = self.port.show(identity)
            look = self.port.look()
            self.post_message(
                Looked(look, then=lambda: self.show(made, f"packet {identity[-10:]}: {made.delegation.status.value}"))
            )

        self.work(job, "delegation")

    def refresh_bars(self) -> None:
        """Draw every bar anew."""
        for bar in self.query(Bar):
            bar.refresh()

    @on(RowList.Chosen, "#delegated")
    def _follow(self) -> None:
        if self.listed.has_focus:
            self.show_chosen()

    @on(RowList.Opened, "#delegated")
    def _opened(self) -> None:
        self.show_chosen()

    @on(Input.Submitted)
    def _next(self) -> None:
        self.actions.do_delegate_next()

    # Focus and clicks

    def on_descendant_focus(self) -> None:
        """Show the keys of the focused pane; in a narrow terminal, give it the room."""
        pane = self.actions.pane
        self.set_class(pane is Pane.PACKET, "-reading")
        self.set_class(pane is Pane.ORDER, "-writing")
        self.set_class(pane is Pane.DELEGATED, "-listing")
        if pane is Pane.DELEGATED and self.chosen is not None and self.recorded is not self.chosen:
            self.show_chosen()
        self.refresh_bars()

    def on_line_view_followed(self, message: LineView.Followed) -> None:
        """Something in the packet was clicked."""
        self.actions.click(message.ref)

    def on_bar_clicked(self, message: Bar.Clicked) -> None:
        """A hint or a tab was clicked."""
        self.actions.click(message.ref)
