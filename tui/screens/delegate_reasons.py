"""Why an action of the place Delegate is not possible now, in words; `""` if it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from core.frozen import dataclass
from tui.keys import key_for


@dataclass(frozen=True, slots=True)
class DelegateFacts:
    """What the screen knows when a key is pressed or the footer is drawn."""

    busy: bool = False
    """Something is being read, composed or written."""
    look: bool = False
    """The delegations were read."""
    project: bool = False
    """The folder lies in a project."""
    preview: bool = False
    """A packet was composed for what stands in the fields."""
    composing: bool = False
    text: bool = False
    """A packet is shown."""
    delegation: bool = False
    """A recorded delegation is shown."""
    refused: bool = False
    """What stands in the fields makes no packet."""


def busy(facts: DelegateFacts) -> str:
    """It is being read."""
    return "The delegations are being read." if facts.busy else ""


def no_look(facts: DelegateFacts) -> str:
    """They were not read."""
    return (
        ""
        if facts.look
        else busy(facts) or f"The delegations were not read. {key_for('delegate-again')} reads them again."
    )


def no_project(facts: DelegateFacts) -> str:
    """There is no project."""
    return no_look(facts) or ("" if facts.project else "This folder lies in no project.")


def no_preview(facts: DelegateFacts) -> str:
    """There is no packet to record."""
    if facts.composing:
        return "The packet is being composed."
    if why := no_project(facts):
        return why
    if facts.delegation:
        other = "shows the new one" if facts.preview else "begins another"
        keys = f"{key_for('delegate-copy')} copies it, {key_for('delegate-debrief')} debriefs it"
        return f"The packet shown is recorded already: {keys}, {key_for('delegate-order')} {other}."
    if facts.refused:
        return "This task makes no packet; the pane says why, and what to write."
    return (
        ""
        if facts.preview
        else f"There is no packet yet. {key_for('delegate-order')} goes to the task: say what is to be done."
    )


def no_text(facts: DelegateFacts) -> str:
    """No packet is shown."""
    return (
        ""
        if facts.text
        else f"No packet is shown. {key_for('delegate-order')} goes to the task, {key_for('delegate-show')} shows a delegation's."
    )


def no_delegation(facts: DelegateFacts) -> str:
    """No recorded delegation is shown."""
    return no_look(facts) or (
        "" if facts.delegation else f"No recorded delegation is chosen. {key_for('delegate-make')} records the packet."
    )


def cannot_debrief(facts: DelegateFacts) -> str:
    """There is nothing to debrief."""
    return no_delegation(facts)


REASONS: Mapping[str, Callable[[DelegateFacts], str]] = {
    function.__name__: function
    for function in (busy, no_look, no_project, no_preview, no_text, no_delegation, cannot_debrief)
}


def why_not(reason: str, facts: DelegateFacts) -> str:
    """Why the action with this reason is not possible; `""` if it is."""
    return REASONS[reason](facts) if reason else ""
