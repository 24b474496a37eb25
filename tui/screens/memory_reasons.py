"""Why an action of the place Memory is not possible now, in words; `""` if it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from core.frozen import dataclass
from tui.keys import keyed


@dataclass(frozen=True, slots=True)
class MemoryFacts:
    """What the screen knows when a key is pressed or the footer is drawn."""

    busy: bool = False
    """The memory is being read or written."""
    look: bool = False
    """It was read."""
    claim: bool = False
    """A claim is chosen."""
    current: bool = False
    """The chosen claim stands: it is neither superseded nor forgotten."""
    evidence: bool = False
    """It rests on something that can be opened."""
    forks: bool = False
    """Some claim was superseded more than once."""
    waiting: bool = False
    """Something waits in the spool."""


def busy(facts: MemoryFacts) -> str:
    """It is being read."""
    return "The memory is being read." if facts.busy else ""


def no_look(facts: MemoryFacts) -> str:
    """It was not read."""
    return "" if facts.look else busy(facts) or keyed("The memory was not read. {kept-again} reads it again.")


def no_claim(facts: MemoryFacts) -> str:
    """No claim is chosen."""
    return no_look(facts) or (
        "" if facts.claim else keyed("No claim is chosen. {kept-add} adds one, {kept-all} lists every claim.")
    )


def not_current(facts: MemoryFacts) -> str:
    """The chosen claim is hidden already."""
    return no_claim(facts) or (
        "" if facts.current else keyed("The chosen claim is superseded or forgotten. {kept-restore} shows it again.")
    )


def not_hidden(facts: MemoryFacts) -> str:
    """The chosen claim stands."""
    return no_claim(facts) or ("The chosen claim stands already." if facts.current else "")


def no_evidence(facts: MemoryFacts) -> str:
    """Nothing to open."""
    return no_claim(facts) or ("" if facts.evidence else "The chosen claim names no evidence.")


def no_fork(facts: MemoryFacts) -> str:
    """There is no fork."""
    return no_look(facts) or ("" if facts.forks else "No claim was superseded more than once.")


def nothing_waits(facts: MemoryFacts) -> str:
    """The spool is empty."""
    return no_look(facts) or busy(facts) or ("" if facts.waiting else "Nothing waits: everything is at the owner.")


REASONS: Mapping[str, Callable[[MemoryFacts], str]] = {
    function.__name__: function
    for function in (busy, no_look, no_claim, not_current, not_hidden, no_evidence, no_fork, nothing_waits)
}


def why_not(reason: str, facts: MemoryFacts) -> str:
    """Why the action with this reason is not possible; `""` if it is."""
    return REASONS[reason](facts) if reason else ""
