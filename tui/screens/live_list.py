"""The live list beside the dialogue: one question at a time, the newest words asked next, older answers dropped."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from textual.content import Content
from textual.screen import Screen

from core.recall.model import Scope
from core.text import one_line
from tui.messages import CandidatesFound
from tui.screens.opening import empty_list
from tui.screens.port import RecollectPort
from tui.widgets.pieces import Paragraph, Piece
from tui.widgets.results import Results

if TYPE_CHECKING:
    from core.candidates import Candidate, Candidates


class LiveList:
    """Keeps the list of candidates in step with what is typed."""

    def __init__(self, screen: Screen[None], port: RecollectPort) -> None:
        self._screen = screen
        self._port = port
        self._wanted: tuple[str, Scope] | None = None
        self._answered: tuple[str, Scope] | None = None
        self._asked: tuple[str, Scope] | None = None
        self._asking = False
        self._begun = False
        self._found: Candidates | None = None

    def begin(self, scope: Scope, rows: Sequence[Candidate], results: Results) -> None:
        """Show the rows that are known before the first frame, if there are any. Nobody is told yet which one is chosen: its
        record would be read before that frame is drawn."""
        if rows:
            self._begun, self._answered = True, ("", scope)
            with results.prevent(Results.Chosen):
                results.show(rows, ())
        self.title(results)

    def ask(self, text: str, scope: Scope) -> None:
        """Ask for the rows of what is typed now."""
        self._wanted = (text, scope)
        if not self._asking:
            self._asking, self._asked = True, self._wanted
            self._screen.run_worker(
                partial(self._list, text, scope), thread=True, group="candidates", exit_on_error=False
            )

    def _list(self, text: str, scope: Scope) -> None:
        if not self._begun and not self.answered and not text and scope == Scope() and (rows := self._port.newest()):
            self._screen.call_later(self._begin, scope, rows)  # how the index stands takes longer to see
        found = self._port.candidates(text, scope)
        self._screen.post_message(CandidatesFound(text, scope, found))

    @property
    def answered(self) -> bool:
        """True once the rows of anything were found."""
        return self._found is not None

    def _begin(self, scope: Scope, rows: Sequence[Candidate]) -> None:
        """Show what there is at first, unless something else is wanted or shown by now."""
        if not self.answered and self._wanted == ("", scope):
            self._answered = self._wanted
            results = self._screen.query_one("#candidates", Results)
            results.show(rows, ())
            self.title(results)

    def take(self, message: CandidatesFound, results: Results) -> None:
        """Show the rows, unless newer words wait for theirs."""
        self._asking = False
        if message.asked != self._wanted and self._wanted is not None:
            self.ask(*self._wanted)
            return
        same = message.asked == self._answered
        self._answered, self._found = message.asked, message.candidates
        text, scope = message.asked
        results.show(message.candidates.rows, empty_list(self._found, text, scope.label), keep=same)
        self.title(results)

    def title(self, results: Results) -> None:
        """Head the list with the number of rows."""
        number = f" ({len(results.rows)})" if results.rows else ""
        results.border_title = Content(f"candidates{number}")

    @property
    def hint(self) -> str:
        """What was not understood in the words, and what to write instead; `""` if all was."""
        return one_line(self._found.hints[0]) if self._found and self._found.hints else ""

    def failed(self, what: str, hint: str, results: Results) -> None:
        """Say that the list could not be made; the next words are asked anew."""
        self._asking = False
        if self._wanted is not None and self._wanted != self._asked:
            self.ask(*self._wanted)
            return
        self._answered = None
        results.show((), (Paragraph((Piece(what),)), Paragraph((Piece(f"hint: {hint}", "dim"),))))
