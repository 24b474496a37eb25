"""The place Memory: what was settled and kept, newest first, with evidence, history and how the memory stands."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

from textual import getters, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Horizontal
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, Static
from textual.worker import Worker, WorkerState

from core.memory.sink import Written
from core.memory.view import Held, Standing
from core.text import one_line
from tui.keys import MEMORY, KeyRow, Pane, keyed, pane_bindings
from tui.screens import memory_words
from tui.screens.bars import failure
from tui.screens.memory_actions import MemoryActions
from tui.screens.memory_port import MemoryLook, MemoryPort
from tui.screens.memory_reasons import MemoryFacts, why_not
from tui.screens.place import PlaceScreen
from tui.widgets.bar import Bar
from tui.widgets.line_input import LineInput
from tui.widgets.line_view import LineView
from tui.widgets.pieces import Piece
from tui.widgets.row_list import RowList
from tui.widgets.toast import toast


class KeptList(RowList):
    """The claims."""

    BINDINGS: ClassVar[list[BindingType]] = pane_bindings(Pane.KEPT)


class KeptView(LineView):
    """The chosen claim whole."""

    BINDINGS: ClassVar[list[BindingType]] = pane_bindings(Pane.KEPT_CLAIM)


class KeptWords(LineInput):
    """The words that narrow the list."""

    BINDINGS: ClassVar[list[BindingType]] = pane_bindings(Pane.KEPT_WORDS)


class MemoryRead(Message):
    """The memory was read; before that, perhaps something was written."""

    def __init__(self, look: MemoryLook, said: tuple[str, str] | None = None, chosen: str = "") -> None:
        super().__init__()
        self.look = look
        self.said = said
        """What became of a write, and what to do next."""
        self.chosen = chosen
        """The claim that is to be chosen."""


class MemoryScreen(PlaceScreen):
    """Shows one `MemoryLook`; workers report by message, widgets announce, this decides."""

    CSS_PATH = "memory.tcss"
    AUTO_FOCUS = "#kept"
    PLACE = "memory"
    ROWS = MEMORY
    BINDINGS: ClassVar[list[BindingType]] = [*pane_bindings(Pane.MEMORY), *pane_bindings(Pane.ANY)]
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-short"), (16, "-tall")]  # noqa: RUF012

    kept = getters.query_one("#kept", KeptList)
    claim = getters.query_one("#kept-claim", KeptView)
    words = getters.query_one("#kept-words", KeptWords)

    def __init__(self, port: MemoryPort, folder: str = ".", *, now: float | None = None) -> None:
        super().__init__()
        self.folder = folder
        """The project that files of evidence are named from."""
        self.look: MemoryLook | None = None
        self.sieve = memory_words.Sieve()
        self.rows: tuple[Held, ...] = ()
        """The claims that are listed."""
        self.typed: dict[str, Mapping[str, str]] = {}
        """What was typed into a form that was left, by what the form was for."""
        self._port = port
        self._now = now
        self._jobs = 0

    def compose(self) -> ComposeResult:
        """The header, how memory stands, the filter line, the panes, the line for words, the footer."""
        yield Bar(self._header, id="header")
        yield Bar(self._standing, id="kept-standing")
        yield Bar(self._filter_line, id="kept-sieve")
        with Container(id="kept-panes"):
            yield KeptList(id="kept")
            yield KeptView(id="kept-claim")
        with Horizontal(id="kept-words-row"):
            yield Static("/ ", markup=False)
            yield KeptWords(id="kept-words", placeholder="words of a claim")
        yield Bar(self._footer, id="hints")

    def on_mount(self) -> None:
        """Say what is going on, and read."""
        self.kept.border_title = Content("claims")
        self.claim.border_title = Content("claim")
        self.kept.say(memory_words.said("The memory is read."))
        self.claim.show_paragraphs(memory_words.said("A claim's text, evidence and history stand here."))
        self.read()

    # What is known

    @property
    def held(self) -> Held | None:
        """The chosen claim."""
        at = self.kept.chosen
        return self.rows[at] if 0 <= at < len(self.rows) else None

    @property
    def facts(self) -> MemoryFacts:
        """What decides which keys are valid now."""
        held, look = self.held, self.look
        return MemoryFacts(
            self._jobs > 0, look is not None, held is not None, held is not None and held.standing is Standing.CURRENT,
            bool(held and held.claim.evidence), bool(look and look.view.forks()), bool(look and look.status.spooled),
        )  # fmt: skip

    @property
    def actions(self) -> MemoryActions:
        """What the keys do."""
        return MemoryActions(self)

    def why_not(self, row: KeyRow) -> str:
        """Why the action of a row is not possible now."""
        return why_not(row.reason, self.facts)

    def action_do(self, id_: str) -> None:
        """Run an action of the key table, or say why it is not possible."""
        self.actions.do(id_)

    def _header(self, width: int) -> Sequence[Piece]:
        state = "reading …" if self._jobs else ""
        return self.cornered(width, lambda room: memory_words.header(self.look, state, room))

    def _standing(self, width: int) -> Sequence[Piece]:
        return memory_words.standing_line(self.look, width)

    def _filter_line(self, width: int) -> Sequence[Piece]:
        return memory_words.filter_line(self.look, self.sieve, width)

    def _footer(self, width: int) -> Sequence[Piece]:
        return memory_words.hints(self.actions.pane, self.facts, width)

    # Reading and writing

    def read(self) -> None:
        """Read the memory."""
        self._run(lambda: self.post_message(MemoryRead(self._port.look())), "memory")

    def write(self, change: Callable[[MemoryPort], Written], what: str) -> None:
        """Hand something to memory, and read it again."""

        def job() -> None:
            done = change(self._port)
            chosen = done.ids[0] if done.ids else ""
            self.post_message(MemoryRead(self._port.look(), memory_words.written_words(done, what), chosen))

        self._run(job, "write")

    def drain(self) -> None:
        """Take what waits to the owner."""

        def job() -> None:
            done = self._port.drain()
            words = f"{done.persisted:,} persisted, {done.left:,} left in the spool."
            words += f" {len(done.rejected):,} set aside." if done.rejected else ""
            said = (f"{words} {one_line(done.trouble, 200)}".strip(), done.hint)
            self.post_message(MemoryRead(self._port.look(), said))

        self._run(job, "drain")

    def _run(self, job: Callable[[], object], group: str) -> None:
        self._jobs += 1
        self.run_worker(job, thread=True, group=group, exit_on_error=False)
        self.refresh_bars()

    def on_memory_read(self, message: MemoryRead) -> None:
        """Show the memory; the chosen claim stays chosen."""
        self._jobs = max(0, self._jobs - 1)
        self.look = message.look
        if message.said is not None:
            toast(self, *message.said, severity="warning" if message.said[1] else "information")
            self.announce_memory()
        self.list_claims(message.chosen)

    def on_screen_resume(self) -> None:
        """Others may have kept something meanwhile."""
        if self.look is not None and not self._jobs:
            self.read()

    @on(Worker.StateChanged)
    def _failed(self, event: Worker.StateChanged) -> None:
        """The crash boundary of the workers: say what failed, with no word of a claim."""
        if event.state is not WorkerState.ERROR:
            return
        self._jobs = max(0, self._jobs - 1)
        what, hint = failure(event.worker.error, event.worker.group, type(event.worker.error).__name__)
        if self.look is None:
            self.kept.say(memory_words.said(what, keyed("{kept-again} reads the memory again."), hint=hint))
        else:
            toast(self, what, hint, "warning")
        self.refresh_bars()

    # The list

    def narrow(self, **limits: object) -> None:
        """Narrow the list, or widen it."""
        self.sieve = replace(self.sieve, **limits)  # type: ignore[arg-type]
        self.list_claims()

    def list_claims(self, chosen: str = "") -> None:
        """List what the sieve leaves, the chosen claim where it stood."""
        if self.look is None:
            return
        before = self.held
        wanted = chosen or (before.claim.id if before else "")
        self.rows = self.sieve.left(self.look.view)
        if self.rows:
            at = next(
                (n for n, held in enumerate(self.rows) if held.claim.id == wanted),
                min(max(0, self.kept.chosen), len(self.rows) - 1),
            )
            self.kept.show(len(self.rows), self._draw, chosen=at)
        else:
            self.kept.say(memory_words.nothing_left(self.look, self.sieve))
        self.kept.border_title = Content(f"claims ({len(self.rows):,})")
        self.tell()

    def _draw(self, number: int, width: int, _chosen: bool) -> Sequence[Piece]:
        now = time.time() if self._now is None else self._now
        return memory_words.draw_row(self.rows[number], now, width)

    def tell(self) -> None:
        """Show the chosen claim beside the list."""
        held = self.held
        if held is None or self.look is None:
            self.claim.show_paragraphs(memory_words.said("No claim is chosen."))
        else:
            events = self.look.view.history(held.claim.id)
            self.claim.show_paragraphs(memory_words.claim_paragraphs(held, events, self.look.view))
            self.claim.scroll_to_line(0)
        self.refresh_bars()

    def choose(self, identity: str) -> None:
        """Choose a claim by its id; hidden ones are listed for it."""
        if self.look is not None and identity in self.look.view.held:
            hidden = self.look.view.held[identity].standing is not Standing.CURRENT
            self.sieve = memory_words.Sieve(hidden=hidden or self.sieve.hidden)
            self.list_claims(identity)

    def refresh_bars(self) -> None:
        """Draw every bar anew."""
        for bar in self.query(Bar):
            bar.refresh()

    @on(RowList.Chosen, "#kept")
    def _follow(self) -> None:
        self.tell()

    @on(RowList.Opened, "#kept")
    def _opened(self) -> None:
        self.action_do("kept-open")

    @on(Input.Changed, "#kept-words")
    def _typed_words(self, event: Input.Changed) -> None:
        if self.words.has_focus:
            self.narrow(words=event.value.strip())

    # Focus and clicks

    def on_descendant_focus(self) -> None:
        """Show the keys of the focused pane; in a narrow terminal, give it the room."""
        pane = self.actions.pane
        self.set_class(pane is Pane.KEPT_CLAIM, "-reading")
        row = self.query_one("#kept-words-row")
        row.set_class(pane is Pane.KEPT_WORDS or bool(self.sieve.words), "-open")
        self.refresh_bars()

    def on_line_view_followed(self, message: LineView.Followed) -> None:
        """Evidence or another claim was clicked."""
        self.actions.click(message.ref)

    def on_bar_clicked(self, message: Bar.Clicked) -> None:
        """A hint, a filter or a tab was clicked."""
        self.actions.click(message.ref)
