"""What a row of the key table is, the panes in which keys act, and how keys are written."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from contextvars import ContextVar
from enum import StrEnum
from types import MappingProxyType

from core.frozen import dataclass


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
    WORK = "in the work list"
    FORM = "in the form"
    CHANGE = "in the difference"
    CURATE = "anywhere in Curate"
    KEPT = "in the list of what is kept"
    KEPT_CLAIM = "in the claim"
    KEPT_WORDS = "in the line that searches"
    MEMORY = "anywhere in Memory"
    ORDER = "in the fields of a task"
    DELEGATED = "in the delegations"
    PACKET = "in the packet"
    DELEGATE = "anywhere in Delegate"


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
    Pane.CURATE: "Claims of the handoff document that no longer hold are decided on here, one by one. Nothing is written into "
    "the document before you have seen the exact difference, somebody else graded it, and you said yes; undo brings back "
    "every byte. What leaves the document goes to memory first.",
    Pane.WORK: "Stale claims first, then superseded ones, then any that you sent here from Soul. A decided one is marked.",
    Pane.FORM: "Why the chosen claim goes and where it went; or why it stays although it is stale. Below them who decides "
    "and who grades: two different seats, written as host:tier:name. What the rules say stands below the field it is about "
    "while you type.",
    Pane.CHANGE: "What the rules say of the decisions, the receipt before and after, and the exact difference of the document.",
    Pane.MEMORY: "What was settled and kept: claims that are never changed and never removed. A change is a new claim that "
    "supersedes the old one; forgetting hides a claim and keeps it. A write is persisted once it was read back from the "
    "owner of the memory; until then it waits in the spool and is not lost.",
    Pane.KEPT: "Newest first. The line above narrows the list by tier, kind and tag.",
    Pane.KEPT_CLAIM: "The claim whole: its text, what it rests on, and what happened to it. Numbers in brackets can be opened.",
    Pane.KEPT_WORDS: "Only claims that hold all the words are listed.",
    Pane.DELEGATE: "Work is handed over here with one packet: what the files, history, past sessions, memory and the handoff "
    "document know of a task, for somebody who was not there. It is composed anew while you write and recorded when you say so. "
    "Afterwards a debrief compares what was touched with it, and memory keeps what was found.",
    Pane.ORDER: "The task in a sentence; below it where the worker may touch and must not, the files or symbols it is about, the "
    "budget in tokens, and one sentence for the worker. Paths are parted by commas.",
    Pane.DELEGATED: "Live delegations, newest first. The line above counts debriefs: numbers are told from 30 clean ones on.",
    Pane.PACKET: "The packet as the worker gets it, or what a debrief found.",
    Pane.CUE: "Write what you remember of a past conversation, in any words. The list beside it follows while "
    "you type; {tell} tells the story of the best match. Go on with more words, or say: the one before, not that "
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


_OTHER_NAMES = {"solidus": "slash", "reverse_solidus": "backslash", "commercial_at": "at", "hyphen_minus": "minus",
                "plus_sign": "plus", "low_line": "underscore"}  # fmt: skip
"""Where the name of a sign's key is not its Unicode name (Textual's names)."""


def sign_name(sign: str) -> str:
    """The name of the key that prints a sign: `question_mark` for `?`."""
    name = unicodedata.name(sign, sign).lower().replace("-", "_").replace(" ", "_")
    return _OTHER_NAMES.get(name, name)


SIGNS: Mapping[str, str] = {sign_name(chr(n)): chr(n) for n in range(33, 127) if not chr(n).isalnum()}
"""Every sign on a keyboard by the name of its key."""
_WRITTEN = {**SIGNS, "escape": "esc", "pageup": "pgup", "pagedown": "pgdn"}
OWN_KEYS: ContextVar[Mapping[str, str]] = ContextVar("OWN_KEYS", default=MappingProxyType({}))
"""A person's own keys by the ids of actions, for the app that runs in this context: help, footer and palette tell them."""


def keys_of(row: KeyRow) -> str:
    """The keys of a row, comma-separated, as they are in force."""
    return OWN_KEYS.get().get(row.id, row.keys)


def key_names(row: KeyRow) -> str:
    """The keys of a row as a person writes them: `ctrl+y`, `F2`, `?`."""
    if row.shown_as and keys_of(row) == row.keys:
        return row.shown_as
    return " ".join(written(key) for key in keys_of(row).split(",") if key)


def written(key: str) -> str:
    """A key as a person writes it: `ctrl+y`, `F2`, `?`, from Textual's name of it."""
    return "+".join(part.upper() if _is_f(part) else _WRITTEN.get(part, part) for part in key.split("+"))


def first_key(row: KeyRow) -> str:
    """The key the footer shows."""
    if row.shown_as and keys_of(row) == row.keys:
        return row.shown_as
    return key_names(row).split(" ")[0]


def _is_f(key: str) -> bool:
    return key[:1] == "f" and key[1:].isdigit()
