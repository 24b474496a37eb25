"""What runs beside the place Curate: checks, previews while one types, and what is written."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from textual.message import Message

from core.errors import RecollectError
from core.soul.curation import Record
from core.soul.curator import Preview
from tui.screens.curate_port import CuratePort, Done, Typed, Work

if TYPE_CHECKING:
    from textual.screen import Screen


class WorkRead(Message):
    """The document was checked."""

    def __init__(self, work: Work, after: str = "", *, onward: bool = False) -> None:
        super().__init__()
        self.onward = onward
        """The next claim that is open is to be chosen."""
        self.work = work
        self.after = after
        """What was done before, in words; `""` for a mere check."""


class Previewed(Message):
    """What the decisions would do."""

    def __init__(self, number: int, preview: Preview | None, problem: RecollectError | None) -> None:
        super().__init__()
        self.number = number
        self.preview = preview
        self.problem = problem
        """Why there is no preview: the decisions cannot be taken so."""


class ApplyReady(Message):
    """The difference that is to be shown before it is applied."""

    def __init__(self, preview: Preview, grader: str, *, commit: bool) -> None:
        super().__init__()
        self.preview = preview
        self.grader = grader
        self.commit = commit


class Finished(Message):
    """Decisions were applied, or a curation was undone."""

    def __init__(self, done: Done, work: Work) -> None:
        super().__init__()
        self.done = done
        self.work = work


class LogRead(Message):
    """Every curation of the project."""

    def __init__(self, records: tuple[Record, ...]) -> None:
        super().__init__()
        self.records = records


class CurateWork:
    """Runs the port's calls on threads; of previews the newest wins."""

    def __init__(self, screen: Screen[None], port: CuratePort) -> None:
        self._screen = screen
        self._port = port
        self.running = 0
        """Checks and writes under way."""
        self.number = 0
        """Of the newest preview."""

    def _run(self, job: Callable[[], None], group: str) -> None:
        self.running += 1
        self._screen.run_worker(job, thread=True, group=group, exit_on_error=False)

    def ended(self) -> None:
        """One of them ended, well or not."""
        self.running = max(0, self.running - 1)

    def check(self, document: str) -> None:
        """Check the document."""
        self._run(lambda: self._tell(WorkRead(self._port.work(document))), "check")

    def preview(self, document: str, typed: Typed, grader: str) -> None:
        """See what the decisions and the form would do."""
        self.number += 1
        job = partial(self._preview, self.number, document, typed, grader)
        self._screen.run_worker(job, thread=True, group="preview", exit_on_error=False)

    def _preview(self, number: int, document: str, typed: Typed, grader: str) -> None:
        if number != self.number:
            return  # something else was typed meanwhile
        try:
            preview = self._port.preview(document, typed, grader)
        except RecollectError as problem:
            self._tell(Previewed(number, None, problem))
        else:
            self._tell(Previewed(number, preview, None))

    def write(self, document: str, change: Callable[[CuratePort], None], words: str, *, onward: bool = False) -> None:
        """Change the open decisions, and check again."""

        def job() -> None:
            change(self._port)
            self._tell(WorkRead(self._port.work(document), words, onward=onward))

        self._run(job, "decision")

    def sign(self, document: str, by: str, grader: str, *, commit: bool) -> None:
        """Keep who decides, and get the difference that is to be shown."""
        self._run(
            lambda: self._tell(ApplyReady(self._port.sign(document, by, grader), grader, commit=commit)), "decision"
        )

    def apply(self, document: str, grader: str, *, commit: bool) -> None:
        """Apply the open decisions."""
        self._run(lambda: self._finish(document, self._port.apply(document, grader, commit=commit)), "apply")

    def undo(self, document: str, identity: str) -> None:
        """Undo a curation."""
        self._run(lambda: self._finish(document, self._port.undo(document, identity)), "undo")

    def _finish(self, document: str, done: Done) -> None:
        self._tell(Finished(done, self._port.work(document)))

    def log(self, document: str) -> None:
        """Read the log."""
        self._run(lambda: self._tell(LogRead(self._port.log(document))), "log")

    def _tell(self, message: Message) -> None:
        self._screen.post_message(message)
