"""Why an action of the place Soul is not possible now, in words; `""` if it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from core.frozen import dataclass
from tui.keys import keyed


@dataclass(frozen=True, slots=True)
class SoulFacts:
    """What the screen knows when a key is pressed or the footer is drawn."""

    checking: bool = False
    """A check is running."""
    checked: bool = False
    """There is the result of a check."""
    row: bool = False
    """A row is chosen."""
    claim: bool = False
    """The chosen row is a claim."""
    found: bool = False
    """Something in the project was found for the chosen claim."""


def checking(facts: SoulFacts) -> str:
    """A check is running already."""
    return "A check is running already." if facts.checking else ""


def no_document(facts: SoulFacts) -> str:
    """No document was checked."""
    if facts.checked:
        return ""
    return (
        "The check is still running."
        if facts.checking
        else keyed("No document is open. {soul-choose} lists those of the project.")
    )


def no_rows(facts: SoulFacts) -> str:
    """Nothing to list."""
    return no_document(facts)


def no_receipt(facts: SoulFacts) -> str:
    """No receipt to copy."""
    return no_document(facts)


def no_row(facts: SoulFacts) -> str:
    """No row is chosen."""
    return no_document(facts) or ("" if facts.row else keyed("No row is chosen. {soul-all} lists every claim."))


def no_claim(facts: SoulFacts) -> str:
    """The chosen row is no claim."""
    return no_row(facts) or ("" if facts.claim else "The chosen row is no claim of the document.")


def no_evidence(facts: SoulFacts) -> str:
    """Nothing to open beside the document."""
    if why := no_row(facts):
        return why
    return "" if facts.found else "Nothing that this row cites was found as a file of the project."


REASONS: Mapping[str, Callable[[SoulFacts], str]] = {
    function.__name__: function
    for function in (checking, no_document, no_rows, no_receipt, no_row, no_claim, no_evidence)
}


def why_not(reason: str, facts: SoulFacts) -> str:
    """Why the action with this reason is not possible; `""` if it is."""
    return REASONS[reason](facts) if reason else ""
