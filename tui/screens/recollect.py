"""The place Recollect: the dialogue, the candidates beside it and the record they come from."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import getters, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Horizontal, Vertical
from textual.content import Content
from textual.widgets import Input, Static
from textual.worker import Worker, WorkerState, get_current_worker

from core.ports import Filters, IndexCondition
from core.recall.boundary import folder
from core.recall.model import Handle, RecalledContext, Scope, going_on
from core.records.model import Locator
from core.text import one_line
from tui.keys import RECOLLECT, KeyRow, Pane, pane_bindings
from tui.messages import (
    Advanced,
    CandidatesFound,
    HandleRead,
    IndexBroken,
    IndexProgressed,
    IndexReport,
    PassProgress,
    RecordFound,
    Surroundings,
    SurroundingsRead,
    TextReady,
    TurnsRead,
)
from tui.screens import bars, opening
from tui.screens.help import TextScreen
from tui.screens.live_list import LiveList
from tui.screens.opening import Opening
from tui.screens.passes import Passes
from tui.screens.place import PlaceScreen
from tui.screens.port import RecollectPort
from tui.screens.reasons import Facts, why_not
from tui.screens.record_reader import RecordReader, place_of_candidate
from tui.screens.session_desk import SessionDesk, Target
from tui.screens.talk import Talk
from tui.widgets.bar import Bar
from tui.widgets.cue import CueInput
from tui.widgets.dialogue import DialogueView
from tui.widgets.line_view import LineView
from tui.widgets.pieces import Paragraph, Piece
from tui.widgets.results import Results
from tui.widgets.toast import toast
from tui.widgets.transcript import Transcript

if TYPE_CHECKING:
    from tui.screens.actions import Actions


class RecollectScreen(PlaceScreen):
    """Draws one `Talk`, one list and one record; workers report by message, widgets announce, this decides."""

    AUTO_FOCUS = "#cue"
    PLACE = "recollect"
    ROWS = RECOLLECT
    styled_at_start = True
    BINDINGS: ClassVar[list[BindingType]] = [*pane_bindings(Pane.RECOLLECT), *pane_bindings(Pane.ANY)]
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-short"), (16, "-tall")]  # noqa: RUF012

    dialogue = getters.query_one("#dialogue", DialogueView)
    cue = getters.query_one("#cue", CueInput)
    results = getters.query_one("#candidates", Results)
    record = getters.query_one("#record", Transcript)

    def __init__(self, port: RecollectPort, how: Opening) -> None:
        super().__init__()
        self.port = port
        self.how = how
        self.talk = Talk()
        self.around: Surroundings | None = None
        self.report: IndexReport | None = None
        self.followed = 0
        """The source opened last."""
        self.reader = RecordReader(self, port)
        self.desk = SessionDesk(self, port, exec_on_resume=how.exec_on_resume, folder=how.folder, made_up=how.made_up)
        self.passes = Passes(self)
        self._list = LiveList(self, port)
        self.kept: RecalledContext | None = None
        """The recall that was handed to memory last."""
        self._scope_at = 0
        self._handle: tuple[Locator, Handle] | None = None
        self._refreshed_at, self._grew = 0.0, False

    def compose(self) -> ComposeResult:
        """The header, the panes, the footer."""
        yield Bar(self._header, id="header")
        with Container(id="panes"):
            with Vertical(id="talk"):
                yield DialogueView(id="dialogue")
                with Horizontal(id="cue-row", classes="-focused"):  # as it is at once: styled anew, all is drawn anew
                    yield Static("> ", id="prompt", markup=False)
                    yield CueInput(id="cue")
            with Vertical(id="side"):
                yield Results(id="candidates", now=self.how.now)
                yield Transcript(id="record")
        yield Bar(self._footer, id="hints")

    def on_mount(self) -> None:
        """Begin with the cursor in the cue and the newest records beside it."""
        self.dialogue.border_title = Content("dialogue")
        self.results.show((), opening.empty_list(None, "", self.scope.label))
        self._list.begin(self.scope, self.how.newest(), self.results)
        self._show_opening()
        self.record.border_title = Content("record")
        self.record.say("Choose a record in the list to read it here.")
        self.cue.focus()
        self.call_later(self._begin)

    def _begin(self) -> None:
        """Read what there is, once the first frame is drawn: opening the port takes the interpreter for a while."""
        if (row := self.results.chosen) is not None:
            self.on_results_chosen(Results.Chosen(row, by_person=False))
        self.ask_candidates()  # what there is around them is read when they are shown: both at once would hold up both
        if self.how.cue:
            self.passes.tell(self.how.cue)

    # What is known

    @property
    def actions(self) -> Actions:
        """What the keys do."""
        from tui.screens.actions import Actions

        return Actions(self)

    @property
    def scopes(self) -> tuple[Scope, ...]:
        """The scopes to cycle through."""
        found = [Scope()]
        if self.how.project:
            name = one_line(self.how.project.rstrip("/").rpartition("/")[2], 24)
            found.append(Scope(Filters(projects=(folder(self.how.project),)), f"this project: {name}"))
        if self.around is not None:
            runtimes = dict.fromkeys(root.runtime for root in self.around.roots if root.records)
            names = [(runtime, bars.scope_name(runtime)) for runtime in runtimes]
            found += [Scope(Filters(runtimes=(runtime,)), name) for runtime, name in names if len(names) > 1]
        return tuple(found)

    @property
    def scope(self) -> Scope:
        """The scope in force."""
        scopes = self.scopes
        return scopes[self._scope_at % len(scopes)]

    @property
    def pane(self) -> Pane:
        """The focused pane."""
        return {
            "cue": Pane.CUE,
            "dialogue": Pane.DIALOGUE,
            "candidates": Pane.CANDIDATES,
            "record": Pane.RECORD,
        }.get(self.focused.id or "" if self.focused else "", Pane.ANY)

    @property
    def target(self) -> Target | None:
        """The record that resume, copy and export act on: the one told, or the one chosen since."""
        told, row = self.talk.recognized, self.results.chosen
        if told is not None and not self.results.moved:
            member = going_on(self.talk.members)
            return Target(told, member.title or member.gist, member.handle)
        if row is None:
            return None
        known = self._handle[1] if self._handle and self._handle[0] == row.locator else None
        return Target(row.locator, row.phrase, known)

    @property
    def facts(self) -> Facts:
        """What decides which keys are valid now."""
        target, story = self.target, self.talk.story
        handle = target.handle if target else None
        return Facts(
            typed=bool(self.cue.value.strip()),
            busy=self.passes.busy,
            open=self.talk.open,
            presented=self.talk.presented is not None,
            offered=self.talk.offered is not None,
            claims=len(story[1].excerpts) if story else 0,
            chosen=self.results.chosen is not None,
            moved=self.results.moved,
            target=target is not None,
            command=bool(handle and handle.argv),
            note=one_line(handle.note) if handle else "",
            turn=self.record.current is not None,
            identified=self.talk.recalled is not None,
            kept=self.talk.recalled is not None and self.talk.recalled == self.kept,
        )

    def why_not(self, row: KeyRow) -> str:
        """Why the action of a row is not possible now."""
        return why_not(row.reason, self.facts)

    def _header(self, width: int) -> Sequence[Piece]:
        return self.cornered(width, lambda room: bars.header(self.scope.label, self.around, self.report, room))

    def _footer(self, width: int) -> Sequence[Piece]:
        return bars.hints(self.pane, self.facts, width)

    def refresh_bars(self) -> None:
        """Draw the header and the footer anew."""
        for bar in self.query(Bar):
            bar.refresh()

    # The list beside the dialogue

    def ask_candidates(self) -> None:
        """Ask for the rows of what is typed now; with nothing typed, of what the dialogue is about."""
        latest = self.talk.round or (self.talk.story[1] if self.talk.story else None)
        scope = self.scope
        if self.cue.value.strip() or latest is None:
            self._list.ask(self.cue.value, scope)
            return
        if self.passes.scope == scope:  # "it was in Codex" narrows the list too
            scope = Scope(latest.cue.query.filters, scope.label)
        self._list.ask(latest.cue.meant, scope)

    def on_candidates_found(self, message: CandidatesFound) -> None:
        """Show the rows."""
        self._list.take(message, self.results)
        if self.talk.recognized is not None and not self.cue.value.strip():
            self.results.point_at(self.talk.recognized)
        self.query_one("#cue-row").border_title = Content(self._list.hint) if self._list.hint else None
        if self.around is None or message.candidates.condition is not self.around.state.condition:
            self.read_surroundings()  # for the first time, or another process moved the index
        if message.candidates.condition is IndexCondition.DAMAGED:
            self.post_message(IndexBroken())
        self.refresh_bars()

    @on(Input.Changed, "#cue")
    def _typed(self) -> None:
        self.results.forget_move()
        self.ask_candidates()
        self.refresh_bars()

    def on_results_chosen(self, message: Results.Chosen) -> None:
        """Let the record pane follow the chosen row."""
        if message.by_person or self.talk.recognized is None or self.cue.value.strip():
            self.reader.show(place_of_candidate(message.candidate))
        self.refresh_bars()

    def on_results_opened(self, message: Results.Opened) -> None:
        """A double click opens a row."""
        self.actions.open_record(message.candidate.locator, message.candidate.phrase)

    # The dialogue

    def on_pass_progress(self, message: PassProgress) -> None:
        """Show how far a pass is."""
        self.passes.progressed(message)

    def on_advanced(self, message: Advanced) -> None:
        """Show what a pass told."""
        self.passes.advanced(message)

    @on(Worker.StateChanged)
    def _failed(self, event: Worker.StateChanged) -> None:
        """The crash boundary of the workers: say that something failed, with no word of a record."""
        if event.state is not WorkerState.ERROR:
            return
        what, hint = bars.work_failure(event.worker.error, event.worker.group)
        if event.worker.group == "pass":
            self.passes.failed(what, hint)
        elif event.worker.group == "candidates":
            self._list.failed(what, hint, self.results)
            if self.around is None:
                self.read_surroundings()
        elif event.worker.group == "record":
            self.reader.done()
            self.record.say(what, hint)
        else:
            toast(self, what, hint, "error")

    # The record

    def on_turns_read(self, message: TurnsRead) -> None:
        """Show turns that were read."""
        if message.whence in (0, 2):
            self.reader.done()
            self.record.load(message.place, message.turns, at_end=message.whence == 2)
            self.head_record()
        else:
            self.record.extend(message.place, message.turns, message.whence)
        self.refresh_bars()

    def on_record_found(self, message: RecordFound) -> None:
        """Show the line that a claim of memory rests on."""
        self.reader.found(message)

    def head_record(self) -> None:
        """Head the record pane with the record's name and line."""
        place = self.record.place
        self.record.border_title = Content(bars.record_title(place, self.size.width) if place else "record")

    def on_handle_read(self, message: HandleRead) -> None:
        """Remember how the record is resumed."""
        self._handle = (message.locator, message.handle)
        self.refresh_bars()

    def on_transcript_wanted(self, message: Transcript.Wanted) -> None:
        """Read on."""
        self.reader.further(message)

    def on_transcript_jump(self, message: Transcript.Jump) -> None:
        """Read another part of the record."""
        if message.to_end:
            self.reader.to_end(message.place)
        else:
            self.reader.show(message.place)

    def on_transcript_no_more(self) -> None:
        """Say that there is no further match."""
        toast(self, "No further match in this direction.")

    def on_text_ready(self, message: TextReady) -> None:
        """Show raw JSON."""
        body = tuple(Paragraph((Piece(line),)) for line in message.text.split("\n"))
        self.app.push_screen(TextScreen(f"raw · {one_line(message.purpose, 60)}", body))

    def read_surroundings(self) -> None:
        """Read the state of the index and the places searched."""
        look = partial(self._look_around, self._grew)
        self.run_worker(look, thread=True, exclusive=True, group="surroundings", exit_on_error=False)

    def _look_around(self, anew: bool) -> None:
        worker = get_current_worker()
        if anew:  # what was known a moment ago is from before the other process wrote
            self.port.reload()
        around = Surroundings(self.port.state(), self.port.roots())
        if not worker.is_cancelled:  # an older look must not overwrite a newer one
            self.post_message(SurroundingsRead(around, anew))

    def on_surroundings_read(self, message: SurroundingsRead) -> None:
        """Show what there is to search."""
        self.around = message.surroundings
        self._grew &= not message.anew
        if message.anew and not self.results.moved:
            self.ask_candidates()
        self._show_opening()

    def _show_opening(self) -> None:
        self.dialogue.open_with(opening.opening(self.around, self.report))
        self.refresh_bars()

    def on_index_progressed(self, message: IndexProgressed) -> None:
        """Show how far the index is; look again at the list when it grew."""
        self.report = message.report
        progress = message.report.progress
        grew = progress.seconds - self._refreshed_at >= 3
        if progress.done or message.report.failed or grew:
            self._refreshed_at, self._grew = progress.seconds, True
            if self._list.answered:  # the first list comes first, and has it read
                self.read_surroundings()
        self._show_opening()

    # Keys, focus and clicks

    def action_do(self, id_: str) -> None:
        """Run an action of the key table, or say why it is not possible."""
        self.actions.do(id_)

    def cycle_scope(self) -> None:
        """Change to the next scope."""
        self._scope_at = (self._scope_at + 1) % len(self.scopes)
        self.ask_candidates()
        self.refresh_bars()

    def on_descendant_focus(self) -> None:
        """Show the keys of the focused pane; in a narrow terminal, the pane itself."""
        self.set_class(self.pane is Pane.RECORD, "-reading")
        self.query_one("#cue-row").set_class(self.pane is Pane.CUE, "-focused")
        self.refresh_bars()

    def on_line_view_followed(self, message: LineView.Followed) -> None:
        """A marker, a candidate or a fold was clicked."""
        self.actions.click(message.ref)

    def on_bar_clicked(self, message: Bar.Clicked) -> None:
        """A hint was clicked."""
        self.actions.click(message.ref)
