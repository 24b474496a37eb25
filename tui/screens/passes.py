"""The passes of the dialogue: one runs at a time on a worker, can be stopped, and what it tells is shown."""

from __future__ import annotations

import threading
from functools import partial
from typing import TYPE_CHECKING

from core.ports import Progress
from core.recall.model import Advance, Scope, Utterance
from core.records.model import Locator
from tui.messages import Advanced, PassProgress
from tui.screens import opening
from tui.screens.talk import Talk

if TYPE_CHECKING:
    from tui.screens.recollect import RecollectScreen


class Passes:
    """Runs the steps of a screen's dialogue and puts them into its `talk`."""

    def __init__(self, screen: RecollectScreen) -> None:
        self._s = screen
        self.busy = False
        self._progress: Progress | None = None
        self.scope: Scope | None = None
        """The scope of the latest step."""
        self._stop = threading.Event()
        self._steps = 0

    def tell(self, text: str, key: str = "") -> None:
        """Run a pass for words of the person, or for those that a key stands for."""
        self._advance(Utterance(text), text, key)

    def point(self, locator: Locator, phrase: str, cue: str) -> None:
        """Open a record the person pointed at; a typed cue goes before it."""
        if cue:
            self._s.talk = self._s.talk.said(cue).beginning(Utterance(cue))
        self._advance(Utterance("open this one", points_at=locator), f"open this one: {phrase}")

    def _advance(self, utterance: Utterance, words: str, key: str = "") -> None:
        self._s.talk = self._s.talk.said(words, key)
        self.busy, self._progress = True, None
        self._stop = threading.Event()
        self._steps += 1
        self.scope = self._s.scope
        self._s.followed = 0
        self._s.add_class("-told")
        self._s.dialogue.show(self._s.talk.entries, since=len(self._s.talk.entries) - 1)
        self._s.dialogue.working(opening.working(None, stopping=False))
        step = partial(self._step, self._steps, self._s.talk, utterance, self.scope, self._stop)
        self._s.run_worker(step, thread=True, group="pass", exit_on_error=False)
        self._s.refresh_bars()

    def _step(self, number: int, talk: Talk, utterance: Utterance, scope: Scope, stop: threading.Event) -> None:
        def report(progress: Progress) -> bool:
            self._s.post_message(PassProgress(number, progress))
            return not stop.is_set()

        context = talk.context
        advance: Advance
        if not context and utterance.points_at is None:
            advance = self._s.port.start(utterance.text, scope, progress=report, cancelled=stop.is_set)
        else:
            advance = self._s.port.say(context, utterance, scope, progress=report, cancelled=stop.is_set)
        self._s.post_message(Advanced(number, advance))

    def progressed(self, message: PassProgress) -> None:
        """Show how far a pass is."""
        if self.busy and message.number == self._steps:
            self._progress = message.progress
            self._s.dialogue.working(opening.working(message.progress, stopping=self._stop.is_set()))

    def advanced(self, message: Advanced) -> None:
        """Show what a pass told."""
        if message.number != self._steps:
            return
        asked = len(self._s.talk.entries) - 1
        self._s.talk = self._s.talk.advanced(message.advance)
        if self._stop.is_set():
            self._s.talk = self._s.talk.remarked("The search was stopped early; what it had found is told above.")
        self._settle(asked)
        if self._s.talk.presented is not None or self._s.talk.recalled is not None:
            # Also after "that's it": while it was typed, the record pane followed rows that match these words.
            self._s.results.forget_move()
            self._s.actions.follow(1, stay=True)

    def _settle(self, since: int) -> None:
        self.busy, self._progress = False, None
        self._s.dialogue.working(())
        self._s.dialogue.show(self._s.talk.entries, since=max(0, since))
        self._s.ask_candidates()
        self._s.refresh_bars()

    def stop(self) -> None:
        """Ask a running pass to stop and keep what it found."""
        self._stop.set()
        self._s.dialogue.working(opening.working(self._progress, stopping=True))

    def failed(self, what: str, hint: str) -> None:
        """Say that a pass failed; the dialogue stays as it was before it."""
        self._s.talk = self._s.talk.remarked(what, hint)
        self._settle(len(self._s.talk.entries) - 2)

    def begin_anew(self) -> None:
        """Forget the dialogue."""
        self._s.talk = Talk()
        self._s.remove_class("-told")
        self._s.dialogue.show(())
        self._s.ask_candidates()
        self._s.refresh_bars()
