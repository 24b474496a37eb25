"""Why an action is not possible now, in words; `""` if it is. One function per reason named in the key table."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from core.frozen import dataclass
from tui.keys import keyed


@dataclass(frozen=True, slots=True)
class Facts:
    """What the screen knows when a key is pressed or the footer is drawn."""

    typed: bool = False
    """There are words in the cue."""
    busy: bool = False
    """A pass is running."""
    open: bool = False
    """A dialogue is open."""
    presented: bool = False
    """A story waits for an answer."""
    offered: bool = False
    """A wider search waits for an answer."""
    claims: int = 0
    """Sources of the latest story."""
    chosen: bool = False
    """The list has a chosen row."""
    moved: bool = False
    """The person chose it."""
    target: bool = False
    """There is a record that session actions would act on."""
    command: bool = False
    """That record can be resumed with a command."""
    note: str = ""
    """Why there is no command."""
    identified: bool = False
    """A recall was identified."""
    kept: bool = False
    """It was handed to memory already."""
    turn: bool = False
    """A turn is shown in the record pane."""


def cannot_tell(facts: Facts) -> str:
    """The cue is empty and nothing was chosen."""
    if facts.busy:
        return "A search is running. esc stops it."
    return "" if facts.typed or facts.moved else "Type what you remember first."


def cannot_answer(facts: Facts) -> str:
    """Nothing waits for a yes or a no."""
    if facts.busy:
        return "A search is running. esc stops it."
    if facts.presented or facts.offered:
        return ""
    return keyed("Nothing was told yet. Type what you remember and press {tell}.")


def no_story(facts: Facts) -> str:
    """No story with sources stands in the dialogue."""
    return "" if facts.claims else "No story was told yet, so there is no source to open."


def no_record(facts: Facts) -> str:
    """No record is told or chosen."""
    return "" if facts.target else "No record is chosen. Type what you remember, or choose one in the list."


def no_command(facts: Facts) -> str:
    """The record cannot be resumed by a command."""
    return no_record(facts) or ("" if facts.command else facts.note or "This record has no command to resume it.")


def cannot_resume(facts: Facts) -> str:
    """Resuming is not possible."""
    if facts.busy:
        return "A search is running. esc stops it."
    return no_command(facts)


def nothing_to_export(facts: Facts) -> str:
    """No record to write."""
    return no_record(facts)


def nothing_open(facts: Facts) -> str:
    """No dialogue to close."""
    return "" if facts.open else "No dialogue is open."


def not_identified(facts: Facts) -> str:
    """Nothing was identified, or it is kept already."""
    if facts.kept:
        return keyed("That is in memory already. {go} and {go-memory} show it.")
    return (
        "" if facts.identified else keyed("Only what you identified is kept. Say that's it ({yes}) to what was told.")
    )


def nothing_identified(facts: Facts) -> str:
    """Nothing was identified."""
    known = facts.identified or facts.kept
    return "" if known else keyed("Only what you identified is handed over. Say that's it ({yes}) to what was told.")


def no_candidate(facts: Facts) -> str:
    """The list is empty."""
    if facts.busy:
        return "A search is running. esc stops it."
    return "" if facts.chosen else keyed("The list is empty. Type other words, or change the scope with {scope}.")


def no_turn(facts: Facts) -> str:
    """The record pane is empty."""
    return "" if facts.turn else "No record is open in this pane."


REASONS: Mapping[str, Callable[[Facts], str]] = {
    function.__name__: function
    for function in (
        cannot_tell,
        cannot_answer,
        no_story,
        no_record,
        no_command,
        cannot_resume,
        nothing_to_export,
        nothing_open,
        not_identified,
        nothing_identified,
        no_candidate,
        no_turn,
    )
}


def why_not(reason: str, facts: Facts) -> str:
    """Why the action with this reason is not possible; `""` if it is."""
    return REASONS[reason](facts) if reason else ""
