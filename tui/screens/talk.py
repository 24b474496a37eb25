"""The state of the dialogue as the screen holds it: one frozen value, replaced by each step."""

from __future__ import annotations

from dataclasses import replace

from core.frozen import dataclass
from core.recall.model import (
    Advance,
    Context,
    Holding,
    Identified,
    Member,
    NotActivated,
    Outcome,
    RecalledContext,
    Round,
    RoundKind,
    Utterance,
    going_on,
)
from core.records.model import Locator
from tui.widgets.entries import Entry, Remark, Said, Told


@dataclass(frozen=True, slots=True)
class Talk:
    """What was said and told so far, and how it stands."""

    context: Context = ()
    entries: tuple[Entry, ...] = ()
    outcome: Outcome | None = None
    """The outcome of the latest step; `None` before the first one."""

    @property
    def open(self) -> bool:
        """True while the next words go on with this dialogue instead of opening a new one."""
        return bool(self.context) and isinstance(self.outcome, Holding)

    @property
    def round(self) -> Round | None:
        """The latest round, while the dialogue is open."""
        if not self.open:
            return None
        return next((entry.round for entry in reversed(self.entries) if isinstance(entry, Told)), None)

    @property
    def presented(self) -> Round | None:
        """The latest round if it presents a story the person has not answered yet."""
        latest = self.round
        return latest if latest is not None and latest.kind is RoundKind.PRESENT else None

    @property
    def offered(self) -> Round | None:
        """The latest round if it offers a wider search."""
        latest = self.round
        return latest if latest is not None and latest.expansion is not None else None

    @property
    def recalled(self) -> RecalledContext | None:
        """What was identified last."""
        return self.outcome.recalled if isinstance(self.outcome, Identified) else None

    @property
    def members(self) -> tuple[Member, ...]:
        """The records of what was identified last or is presented now."""
        if isinstance(self.outcome, Identified):
            return self.outcome.recalled.recognizable.members
        shown = self.presented
        return shown.recognizable.members if shown and shown.recognizable else ()

    @property
    def story(self) -> tuple[int, Round] | None:
        """The latest round with a story, and its place among the entries: its sources can be opened."""
        for number in range(len(self.entries) - 1, -1, -1):
            entry = self.entries[number]
            if isinstance(entry, Told) and entry.round is not None and entry.round.story:
                return number, entry.round
        return None

    @property
    def recognized(self) -> Locator | None:
        """The record that was identified last or is presented now; of a whole its newest, to go on with."""
        members = self.members
        return going_on(members).locator if members else None

    def beginning(self, cue: Utterance) -> Talk:
        """Add a cue to the context, before a record is pointed at."""
        return replace(self, context=(*self.context, cue), outcome=Holding())

    def said(self, text: str, key: str = "") -> Talk:
        """Add the person's words, or those of a key, to what is shown; a closed dialogue stays on the screen above."""
        base = self if self.open else replace(self, context=(), outcome=None)
        return replace(base, entries=(*base.entries, Said(text, key)))

    def advanced(self, advance: Advance) -> Talk:
        """Add what a step yielded."""
        entries = self.entries
        shown = advance.round
        if not isinstance(advance.outcome, Holding):
            key = next((entry.key for entry in reversed(entries) if isinstance(entry, Said)), "")
            entries = (*entries, Told(None, advance.outcome, self._utterance(advance), key))
        elif shown is not None:
            entries = (*entries, Told(shown, advance.outcome))
        context = self.context if isinstance(advance.outcome, NotActivated) else advance.context
        outcome: Outcome | None = advance.outcome
        if isinstance(outcome, NotActivated):
            outcome = self.outcome
        return Talk(context, entries, outcome)

    def remarked(self, text: str, hint: str = "") -> Talk:
        """Add a line of our own: something failed, or was cancelled."""
        return replace(self, entries=(*self.entries, Remark(text, hint)))

    @staticmethod
    def _utterance(advance: Advance) -> str:
        """The person's words that identified a past."""
        if isinstance(advance.outcome, Identified):
            by = advance.outcome.recalled.identified_by
            if 0 <= by < len(advance.context):
                turn = advance.context[by]
                if isinstance(turn, Utterance):
                    return turn.text
        return ""
