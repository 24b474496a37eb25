"""A form over the place Delegate: how a delegation went, with each touched path and its class as they come."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.timer import Timer
from textual.widgets import Static
from textual.worker import Worker, WorkerState

from core.delegation.debrief import OUTCOMES, Debriefed
from core.delegation.registry import Delegation
from core.errors import RecollectError
from core.frozen import dataclass
from core.text import one_line
from tui.screens import delegate_words
from tui.screens.bars import failure
from tui.screens.delegate_port import Report
from tui.screens.over import OverScreen
from tui.widgets.bar import Bar
from tui.widgets.field import Field
from tui.widgets.form_frame import FormFrame
from tui.widgets.line_view import LineView
from tui.widgets.pieces import Paragraph, Piece
from tui.widgets.toast import toast

if TYPE_CHECKING:
    from tui.screens.delegate_port import DelegatePort

SETTLES = 0.4
"""Seconds without a key after which what was touched is graded anew."""
NAMES = (
    ("outcome", "outcome", "success, failure or partial", OUTCOMES),
    ("grader", "grader", "who grades", ()),
    ("worker", "worker", "who did the work; empty is the grader", ()),
    ("command", "command", "what shows how it went: make test", ()),
    ("exit_status", "ended with", "its exit status: 0", ()),
    ("touched", "touched", "git since the packet; or A..B, session ID, paths, none", ("git", "none")),
    ("findings", "findings", "lasting discoveries, parted by ;  (3 at most)", ()),
    ("report", "report", "a file with the worker's last message", ()),
)
"""Each field's key, name, what its empty line says, and the usual answers."""


@dataclass(frozen=True, slots=True)
class Debriefing:
    """What stood in the form when it was left, and the debrief if there was one."""

    values: Mapping[str, str]
    result: Debriefed | None


class GradedPaths(Message):
    """What was touched was graded, or why not."""

    def __init__(self, number: int, paragraphs: tuple[Paragraph, ...]) -> None:
        super().__init__()
        self.number = number
        self.paragraphs = paragraphs


class Finished(Message):
    """The debrief was made, or why not."""

    def __init__(self, result: Debriefed | None, problem: RecollectError | None) -> None:
        super().__init__()
        self.result = result
        self.problem = problem


class DebriefForm(OverScreen[Debriefing]):
    """Asks how it went. Leaving it keeps what was typed."""

    CSS_PATH = "delegate_forms.tcss"
    NAME = "the debrief"
    ABOUT = (
        "How the delegation went. The outcome is needed: success, failure or partial; the rest as far as you know it. The list below "
        "the fields shows each touched path with its class. The debrief writes a row of the ledger and has memory keep the findings."
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Go back; what was typed stands here the next time.", show=False),
        Binding("f2,ctrl+s", "debrief", "Debrief, or go to the field that is wrong.", show=False),
        Binding("up", "step(-1)", "Put the answer before into the field, of the usual ones below it.", show=False),
        Binding("down", "step(1)", "Put the next of the usual answers into the field.", show=False),
        *(
            Binding(f"alt+{n}", f"answer({n - 1})", "Put this one of the usual answers into the field.", show=False)
            for n in range(1, 4)
        ),
    ]

    def __init__(self, port: DelegatePort, one: Delegation, begin: Mapping[str, str], *, regrade: bool) -> None:
        super().__init__()
        self._port = port
        self._one = one
        self._begin = dict(begin)
        self._regrade = regrade
        self._asked = 0
        self._graded_for: str | None = None
        self._timer: Timer | None = None
        self._busy = False

    def compose(self) -> ComposeResult:
        """The task, the fields, the classes, the keys."""
        with FormFrame(id="debrief-frame") as frame:
            frame.border_title = Content("how did it go?" if not self._regrade else "grade it again")
            yield Static(Content(one_line(self._one.packet.order.task, 300)), id="debrief-about", markup=False)
            for key, title, placeholder, answers in NAMES:
                yield Field(f"debrief-{key}", title, placeholder=placeholder, answers=answers)
            yield LineView(id="debrief-classes")
            yield Static("", id="debrief-said", markup=False)
            yield Bar(self._hints, id="debrief-hints")

    def on_mount(self) -> None:
        """Fill the fields, and grade what git says."""
        for key, *_ in NAMES:
            self._field(key).value = self._begin.get(key, "")
        self._field("outcome").line.focus()
        self.query_one(LineView).show_paragraphs(delegate_words.said("What was touched is read."))
        self.grade()

    def _field(self, key: str) -> Field:
        return self.query_one(f"#debrief-{key}", Field)

    @property
    def values(self) -> dict[str, str]:
        """What stands in the form."""
        return {key: self._field(key).value for key, *_ in NAMES}

    # The classes

    @on(Field.Written)
    def _written(self, message: Field.Written) -> None:
        if message.field.id == "debrief-touched" and message.field.value != self._graded_for:
            if self._timer is not None:
                self._timer.stop()
            self._timer = self.set_timer(SETTLES, self.grade)
        self._judge()

    def grade(self) -> None:
        """Grade what was touched, by what stands in its field; the last one asked for is shown."""
        self._asked += 1
        number, touched, identity = self._asked, self._field("touched").value, self._one.packet.id
        self._graded_for = touched

        def job() -> None:
            try:
                paragraphs = delegate_words.graded_paragraphs(*self._port.graded(identity, touched))
            except RecollectError as problem:
                paragraphs = delegate_words.said(problem.what, hint=problem.hint)
            self.post_message(GradedPaths(number, paragraphs))

        self.run_worker(job, thread=True, group="touched", exit_on_error=False)

    def on_graded_paths(self, message: GradedPaths) -> None:
        """Show the classes, unless newer ones were asked for."""
        if message.number == self._asked:
            self.query_one(LineView).show_paragraphs(message.paragraphs)

    # Writing

    def _judge(self) -> None:
        """Say beside each field what is wrong."""
        values = self.values
        found = {key: "" for key, *_ in NAMES}
        outcome = values["outcome"].strip().casefold()
        if outcome and outcome not in OUTCOMES:
            found["outcome"] = f"It is one of {', '.join(OUTCOMES)}."
        if values["command"].strip() and not values["exit_status"].strip():
            found["exit_status"] = "Say how the command ended."
        elif not re.fullmatch(r"-?\d{1,5}|", values["exit_status"].strip()):
            found["exit_status"] = "It is a number; 0 is success."
        if values["exit_status"].strip() and not values["command"].strip():
            found["command"] = "Say which command ended so."
        for key, words in found.items():
            if self._field(key).said != words:
                self._field(key).say(words)

    def action_debrief(self) -> None:
        """Grade, teach memory, write the row."""
        if self._busy:
            toast(self, "The debrief is being written.")
            return
        values = self.values
        self._judge()
        if not values["outcome"].strip():
            self._field("outcome").say(f"Say how it went: {', '.join(OUTCOMES)}.")
        if self.lead_to_wrong([self._field(key) for key, *_ in NAMES], "Not debriefed yet"):
            return
        self._busy = True
        identity, report = self._one.packet.id, Report(**values, regrade=self._regrade)

        def job() -> None:
            try:
                self.post_message(Finished(self._port.debrief(identity, report), None))
            except RecollectError as problem:
                self.post_message(Finished(None, problem))

        self.run_worker(job, thread=True, group="debrief", exit_on_error=False)

    def on_finished(self, message: Finished) -> None:
        """Leave with the debrief, or say why there is none."""
        self._busy = False
        if message.result is not None:
            self.dismiss(Debriefing(self.values, message.result))
        elif message.problem is not None:
            self._say(f"{message.problem.what} {message.problem.hint}")

    def _say(self, words: str) -> None:
        """Say it at the end of the form, and bring that into view: below many paths it lies beneath the screen."""
        said = self.query_one("#debrief-said", Static)
        said.update(Content(f"✗ {one_line(words, 400)}"))
        self.call_after_refresh(said.scroll_visible, animate=False, force=True)

    @on(Worker.StateChanged)
    def _failed(self, event: Worker.StateChanged) -> None:
        """The crash boundary of the workers: say what failed, with no word of a task."""
        if event.state is WorkerState.ERROR:
            self._busy = False
            self._say(" ".join(failure(event.worker.error, event.worker.group, type(event.worker.error).__name__)))

    # Keys

    def _hints(self, _width: int) -> list[Piece]:
        keys = (("F2", "debrief"), ("tab", "next field"), ("esc", "back, words stay"), ("F1", "help"))
        return [piece for key, words in keys for piece in (Piece(key, "key"), Piece(f" {words}   "))]

    def _focused(self) -> Field | None:
        return next((self._field(key) for key, *_ in NAMES if self._field(key).line.has_focus), None)

    def action_step(self, by: int) -> None:
        """The next of the usual answers."""
        field = self._focused()
        if field is not None:
            field.step(by)

    def action_answer(self, number: int) -> None:
        """One of the usual answers."""
        field = self._focused()
        if field is not None:
            field.answer(number)

    def action_leave(self) -> None:
        """Go back; what was typed stands there the next time."""
        self.dismiss(Debriefing(self.values, None))
