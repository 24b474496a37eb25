"""Reading records for the viewer, on worker threads; the newest wish wins."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from textual.content import Content
from textual.screen import Screen
from textual.worker import get_current_worker

from core.recall.model import Excerpt, Round
from core.records.model import Locator, ReadProblem, Turn
from core.text import one_line
from tui.messages import HandleRead, Place, RecordFound, TurnsRead
from tui.screens.port import RecollectPort
from tui.widgets.toast import toast
from tui.widgets.transcript import Transcript

if TYPE_CHECKING:
    from core.candidates import Candidate

AROUND = 30
FURTHER = 80
TO_END_STEP = 400
PATIENCE = 0.4
"""Seconds a record may take before the pane says that it is being read; sooner, it would flicker."""


class RecordReader:
    """Fills the record pane of a screen."""

    def __init__(self, screen: Screen[None], port: RecollectPort) -> None:
        self._screen = screen
        self._port = port
        self._wish = 0
        self._long = False

    def show(self, place: Place) -> None:
        """Read the turns around a place; an unfinished older wish is dropped."""
        self._begin("reading …")
        self._screen.run_worker(
            partial(self._read, place), thread=True, exclusive=True, group="record", exit_on_error=False
        )

    def open_line(self, path: str, line: int) -> None:
        """Find the record that a cited line is of, to show it."""
        job = partial(self._find, path, line)
        self._screen.run_worker(job, thread=True, exclusive=True, group="find", exit_on_error=False)

    def _find(self, path: str, line: int) -> None:
        found = self._port.find(path, max(1, line))
        place = Place(found[0], max(1, line), found[1]) if found is not None else None
        self._screen.post_message(RecordFound(one_line(path, 200), place))

    def found(self, message: RecordFound) -> None:
        """Show it, or say that there is none."""
        if message.place is None:
            words, hint = f"{message.path} is no record that is read.", "recollect status shows which places are"
            toast(self._screen, words, hint, "warning")
        else:
            self.show(message.place)
            self._screen.query_one("#record", Transcript).focus()

    def _begin(self, words: str) -> None:
        """Head the pane with what is going on, if that takes longer than a moment."""
        self._wish += 1
        self._long = False
        wish = self._wish

        def say() -> None:
            pane = self._screen.query_one("#record", Transcript)
            if wish == self._wish:
                pane.border_title = Content(f"record · {words}")

        self._screen.set_timer(PATIENCE, say)

    def done(self) -> None:
        """The pane shows what was asked for last."""
        self._wish += 1
        self._long = False

    def stop(self) -> bool:
        """Give up reading to the end; False if that is not going on."""
        if not self._long:
            return False
        self._screen.workers.cancel_group(self._screen, "record")
        self.done()
        return True

    def further(self, wanted: Transcript.Wanted) -> None:
        """Read on before or after a turn."""
        self._screen.run_worker(
            partial(self._read_further, wanted), thread=True, exclusive=True, group="further", exit_on_error=False
        )

    def to_end(self, place: Place) -> None:
        """Read through to the last turns of the record."""
        self._begin("reading to its end … esc stops")
        self._long = True
        self._screen.run_worker(
            partial(self._read_to_end, place), thread=True, exclusive=True, group="record", exit_on_error=False
        )

    def _read(self, place: Place) -> None:
        worker = get_current_worker()
        turns = self._port.window(place.locator, place.line, place.start, AROUND, AROUND)
        if worker.is_cancelled:
            return
        self._screen.post_message(TurnsRead(place, turns, 0))
        self._screen.post_message(HandleRead(place.locator, self._port.handle(place.locator)))

    def _read_further(self, wanted: Transcript.Wanted) -> None:
        worker = get_current_worker()
        turn, whence = wanted.turn, wanted.whence
        before, after = (FURTHER, 0) if whence < 0 else (0, FURTHER)
        turns = self._port.window(wanted.place.locator, turn.line, turn.start, before, after)
        if not worker.is_cancelled:
            self._screen.post_message(TurnsRead(wanted.place, turns, whence))

    def _read_to_end(self, place: Place) -> None:
        worker = get_current_worker()
        kept: tuple[Turn, ...] = ()
        line, start = place.line, place.start
        from core.records.window import END

        last = self._port.window(place.locator, END, 0, TO_END_STEP, 0)
        if worker.is_cancelled:
            return
        if isinstance(last, ReadProblem) or last:
            self._screen.post_message(TurnsRead(place, last, 2))
            return
        # Nothing of the record stands near the end of its file, as where a prompt of a deleted session does: read on to it.
        while not worker.is_cancelled:
            turns = self._port.window(place.locator, line, start, 0, TO_END_STEP)
            if isinstance(turns, ReadProblem):
                self._screen.post_message(TurnsRead(place, kept or turns, 2))
                return
            fresh = tuple(turn for turn in turns if not kept or turn.start > start)
            if not fresh or (fresh[-1].line, fresh[-1].start) == (line, start):
                self._screen.post_message(TurnsRead(place, kept or fresh, 2))
                return
            kept = (*kept, *fresh)[-TO_END_STEP:]
            line, start = fresh[-1].line, fresh[-1].start


def place_of_candidate(row: Candidate) -> Place:
    """Where a candidate's best passage stands."""
    title = row.phrase
    terms = row.terms or tuple(dict.fromkeys(term for passage in row.passages for term in passage.terms))
    if not row.passages:
        return Place(row.locator, terms=terms, title=title)
    best = row.passages[0]
    others = tuple((passage.line, passage.start) for passage in row.passages)
    return Place(row.locator, best.line, best.start, terms, others=others, title=title)


def place_of_excerpt(shown: Round, number: int) -> Place | None:
    """Where the source `[number]` of a story stands; `None` if the story has no such source."""
    if not 1 <= number <= min(len(shown.story), len(shown.excerpts)) or shown.recognizable is None:
        return None
    excerpt = shown.excerpts[number - 1]
    locator = _locator(shown, excerpt)
    others = tuple((e.line, e.start) for e in shown.excerpts if e.path == excerpt.path)
    member = next((m for m in shown.recognizable.members if m.locator == locator), None)
    title = (member.title or member.gist) if member else ""
    return Place(
        locator, excerpt.line, excerpt.start, (), excerpt.text, excerpt.matched, others, f"[{number}] {title}".strip()
    )


def _locator(shown: Round, excerpt: Excerpt) -> Locator:
    """The member an excerpt was taken from."""
    members = shown.recognizable.members if shown.recognizable else ()
    for member in members:
        if member.locator.path == excerpt.path:
            return member.locator
    return members[0].locator
