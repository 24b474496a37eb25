"""What a row of the key table is, the panes in which keys act, and how keys are written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class Pane(StrEnum):
    """Where a key acts."""

    ANY = "anywhere"
    CUE = "in the cue"
    DIALOGUE = "in the dialogue"
    CANDIDATES = "in the candidates"
    RECORD = "in the record"
    RECOLLECT = "anywhere in Recollect"
    CLAIMS = "in the claims"
    DETAIL = "in the detail"
    DOCUMENT = "in the document"
    WORDS = "in the line that filters"
    SOUL = "anywhere in Soul"


PANE_HELP: Mapping[Pane, str] = {
    Pane.ANY: "",
    Pane.RECOLLECT: "",
    Pane.SOUL: "The project's handoff document, checked against files, git, symbols and receipts, and again whenever a "
    "file of the project changes. Nothing is written into the project.",
    Pane.CLAIMS: "The claims of the document under its own headings, each with what the check says of it and its line; "
    "what concerns the document as a whole stands at the end. The line above counts the states and filters by them.",
    Pane.DETAIL: "What the chosen claim cites, what was found of it, and why.",
    Pane.DOCUMENT: "The document itself; the lines of the chosen claim are marked with a bar.",
    Pane.WORDS: "Only claims that hold all the words are listed.",
    Pane.CUE: "Write what you remember of a past conversation, in any words. The list beside it follows while "
    "you type; enter tells the story of the best match. Go on with more words, or say: the one before, not that "
    "one, only the part about …. Filter words narrow the search: agent: dir: project: branch: date: role: tool: "
    'file: is: id: -word and "exact words".',
    Pane.DIALOGUE: "What you said and what the records tell. Every [n] leads to the line of the record the sentence "
    "rests on.",
    Pane.CANDIDATES: "Records that may fit the cue, best first; newest first while nothing is typed. They are a hint "
    "for the eye: open one to be told its story.",
    Pane.RECORD: "The record itself, read from its file as far as you scroll. Matches of the cue are underlined.",
}
"""What each pane is for, shown above its keys."""


@dataclass(frozen=True, slots=True)
class KeyRow:
    """One action and its keys."""

    id: str
    """The public name for the keymap setting and the palette."""
    keys: str
    """Comma-separated, in Textual's names; `""` for an action that only the palette has."""
    label: str
    """Two or three words for the footer."""
    title: str
    """`noun: verb` for the palette; `""` keeps it out."""
    help: str
    """One sentence for the help screen."""
    pane: Pane = Pane.ANY
    priority: int = 0
    """Place in the footer: 1 comes first; 0 never shows."""
    reason: str = ""
    """Name of the function in `tui.screens.reasons` that says why it is not possible now."""
    action: str = ""
    """A Textual action of the pane itself; `""` sends `screen.do(id)`."""
    shown_as: str = ""
    """How the keys are written, where it is not their names."""


def key_names(row: KeyRow) -> str:
    """The keys of a row as a person writes them: `ctrl+y`, `F2`, `?`."""
    if row.shown_as:
        return row.shown_as
    names = {"question_mark": "?", "escape": "esc", "pageup": "pgup", "pagedown": "pgdn"}
    return " ".join(names.get(key, key.upper() if _is_f(key) else key) for key in row.keys.split(",") if key)


def first_key(row: KeyRow) -> str:
    """The key the footer shows."""
    return row.shown_as or key_names(row).split(" ")[0]


def _is_f(key: str) -> bool:
    return key[:1] == "f" and key[1:].isdigit()
