"""Why an action of the place Curate is not possible now, in words; `""` if it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from core.frozen import dataclass
from tui.keys import keyed


@dataclass(frozen=True, slots=True)
class CurateFacts:
    """What the screen knows when a key is pressed or the footer is drawn."""

    busy: bool = False
    """A check, or a write, is running."""
    ready: bool = False
    """The document was checked."""
    moved: bool = False
    """It changed after the decisions were taken."""
    row: bool = False
    """A claim is chosen."""
    decided: bool = False
    """It is decided that it goes."""
    left: bool = False
    """It is said why it stays."""
    missing: str = ""
    """What the form of the chosen claim still lacks to be decided, in words."""
    same: bool = False
    """The form says what is decided already."""
    stays: bool = False
    """The form holds a reason why it stays."""
    stays_same: bool = False
    """The one that is kept already."""
    decisions: int = 0
    """Open decisions."""
    by: bool = False
    """It is said who curates."""
    grader: bool = False
    """It is said who grades."""
    applied: bool = False
    """A curation of this project is applied."""


def busy(facts: CurateFacts) -> str:
    """Something is running."""
    return "The document is being checked." if facts.busy else ""


def no_work(facts: CurateFacts) -> str:
    """No document was checked."""
    return "" if facts.ready else busy(facts) or keyed("No document is open. {curate-again} checks again.")


def no_row(facts: CurateFacts) -> str:
    """No claim is chosen."""
    return no_work(facts) or ("" if facts.row else keyed("No claim is chosen. In Soul, {soul-curate} sends one here."))


def not_written(facts: CurateFacts) -> str:
    """The form is not complete."""
    if why := no_row(facts) or _moved(facts) or facts.missing:
        return why
    return keyed("That is decided already. {curate-back} takes it back.") if facts.same else ""


def not_staying(facts: CurateFacts) -> str:
    """The claim is to go, or no reason was written."""
    if why := no_row(facts) or _moved(facts):
        return why
    if facts.decided:
        return keyed("The chosen claim is decided to go. {curate-back} takes that back.")
    if not facts.stays:
        return "Write in the field “stays because” why it stays as it is."
    return keyed("That is said already. {curate-back} takes it back.") if facts.stays_same else ""


def not_decided(facts: CurateFacts) -> str:
    """There is no decision to take back."""
    return no_row(facts) or ("" if facts.decided or facts.left else "There is no decision on the chosen claim.")


def nothing_decided(facts: CurateFacts) -> str:
    """There is no decision at all."""
    return no_work(facts) or ("" if facts.decisions else "Nothing was decided yet.")


def cannot_apply(facts: CurateFacts) -> str:
    """Applying is not possible."""
    if why := nothing_decided(facts) or _moved(facts) or busy(facts):
        return why
    if not facts.by:
        return "Write in the field “curated by” who decides, as host:tier:name."
    return (
        ""
        if facts.grader
        else "Write in the field “graded by” who checks the decisions: another seat than who decides."
    )


def nothing_applied(facts: CurateFacts) -> str:
    """There is nothing to undo."""
    return no_work(facts) or (
        "" if facts.applied else "No curation of this project is applied, so there is nothing to undo."
    )


def _moved(facts: CurateFacts) -> str:
    if not facts.moved:
        return ""
    return "The document changed after your decisions. Give them up first: F5, curation: give the decisions up."


REASONS: Mapping[str, Callable[[CurateFacts], str]] = {
    function.__name__: function
    for function in (
        busy, no_work, no_row, not_written, not_staying, not_decided, nothing_decided, cannot_apply, nothing_applied,
    )
}  # fmt: skip


def why_not(reason: str, facts: CurateFacts) -> str:
    """Why the action with this reason is not possible; `""` if it is."""
    return REASONS[reason](facts) if reason else ""
