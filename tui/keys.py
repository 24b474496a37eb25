"""The one table of keys: bindings, footer, help, palette and `docs/keys.md` are all made from it.

`ctrl+h`, `ctrl+m`, `ctrl+i`, `ctrl+[` and `ctrl+j` are never used: a terminal cannot tell them from backspace, enter,
tab, esc and newline. A key that prints a character acts outside inputs only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from textual.binding import BindingType


class Pane(StrEnum):
    """Where a key acts."""

    ANY = "anywhere"
    CUE = "in the cue"
    DIALOGUE = "in the dialogue"
    CANDIDATES = "in the candidates"
    RECORD = "in the record"


PANE_HELP: Mapping[Pane, str] = {
    Pane.ANY: "",
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


RECOLLECT: tuple[KeyRow, ...] = (
    KeyRow("help", "f1,question_mark", "help", "help: show keys", "Show the keys of the focused pane.", priority=9),
    KeyRow(
        "tell",
        "enter",
        "tell me",
        "recall: tell the story",
        "Tell the story of what the words reach; after moving in the list, open the chosen record instead.",
        Pane.CUE,
        1,
        "cannot_tell",
    ),
    KeyRow(
        "yes",
        "ctrl+y",
        "that's it",
        "recall: that's it",
        "Identify what was told as the past you meant; where a wider search is offered, run it.",
        priority=2,
        reason="cannot_answer",
    ),
    KeyRow(
        "no",
        "ctrl+x,alt+n",
        "not that one",
        "recall: not that one",
        "Set what was told aside and look for another; where a wider search is offered, stop instead.",
        priority=3,
        reason="cannot_answer",
    ),
    KeyRow(
        "resume",
        "f2",
        "resume",
        "session: resume",
        "Hand the terminal to the session's own runtime and come back here when it ends.",
        priority=4,
        reason="cannot_resume",
    ),
    KeyRow(
        "follow",
        "ctrl+o",
        "read source",
        "record: open the next source",
        "Open the record at the next [n] of the story.",
        priority=5,
        reason="no_story",
    ),
    KeyRow(
        "scope",
        "ctrl+r",
        "scope",
        "scope: next",
        "Search all projects, this project, or one runtime, in turn.",
        priority=7,
    ),
    KeyRow(
        "copy-command",
        "f3",
        "copy command",
        "session: copy the resume command",
        "Copy the command that resumes the session.",
        priority=6,
        reason="no_command",
    ),
    KeyRow(
        "export-md",
        "f4",
        "export",
        "session: export Markdown",
        "Write the record as Markdown to a new file in the current folder.",
        priority=8,
        reason="nothing_to_export",
    ),
    KeyRow(
        "export-json",
        "f16,shift+f4",
        "export JSON",
        "session: export JSON",
        "Write the record as JSON to a new file in the current folder.",
        reason="nothing_to_export",
        shown_as="shift+F4",
    ),
    KeyRow("palette", "f5,ctrl+shift+p", "commands", "", "Open the palette: every action by name.", shown_as="F5"),
    KeyRow(
        "stop",
        "",
        "stop",
        "recall: stop here",
        "Close the dialogue without identifying anything.",
        reason="nothing_open",
    ),
    KeyRow("new", "", "begin anew", "recall: begin anew", "Close the dialogue and clear it from the screen."),
    KeyRow(
        "copy-id",
        "",
        "copy id",
        "session: copy the id",
        "Copy the session's id.",
        reason="no_record",
    ),
    KeyRow("theme", "", "theme", "theme: next", "Change to the next theme."),
    KeyRow("next-pane", "f6,tab", "next pane", "view: next pane", "Move to the next pane."),
    KeyRow(
        "complete",
        "tab",
        "complete",
        "",
        "Complete the filter word under the cursor; with nothing to complete, move to the next pane.",
        Pane.CUE,
    ),
    KeyRow("list-up", "up,ctrl+p", "up", "", "Move up in the list of candidates.", Pane.CUE),
    KeyRow("list-down", "down,ctrl+n", "down", "", "Move down in the list of candidates.", Pane.CUE),
    KeyRow("tale-up", "shift+up", "scroll up", "", "Scroll the dialogue up.", Pane.CUE),
    KeyRow("tale-down", "shift+down", "scroll down", "", "Scroll the dialogue down.", Pane.CUE),
    KeyRow("list-page-up", "pageup", "page up", "", "Move a page up in the list.", Pane.CUE),
    KeyRow("list-page-down", "pagedown", "page down", "", "Move a page down in the list.", Pane.CUE),
    KeyRow(
        "history-back",
        "ctrl+up,alt+up",
        "earlier cue",
        "",
        "Bring back an earlier cue; what you were typing waits at the end.",
        Pane.CUE,
    ),
    KeyRow("history-on", "ctrl+down,alt+down", "later cue", "", "Go to a later cue.", Pane.CUE),
    *(
        KeyRow(
            f"follow-{n}",
            f"alt+{n}",
            f"source {n}",
            "",
            "Open the record at [1] … [9] of the story." if n == 1 else "",
            reason="no_story",
            shown_as="alt+1 … alt+9",
        )
        for n in range(1, 10)
    ),
    *(
        KeyRow(
            f"digit-{n}",
            str(n),
            f"source {n}",
            "",
            "Open the record at [1] … [9] of the story." if n == 1 else "",
            Pane.DIALOGUE,
            reason="no_story",
            shown_as="1 … 9",
        )
        for n in range(1, 10)
    ),
    *(
        KeyRow(
            f"near-{letter}",
            letter,
            f"near it {letter}",
            "",
            "Open one of the candidates named near the story." if letter == "a" else "",
            Pane.DIALOGUE,
            reason="no_story",
            shown_as="a … e",
        )
        for letter in "abcde"
    ),
    KeyRow("fold-searched", "s", "searched", "", "Show or hide where was searched.", Pane.DIALOGUE, 6),
    KeyRow("fold-sources", "x", "sources", "", "Show or hide the quotes a story rests on.", Pane.DIALOGUE, 5),
    KeyRow("open", "enter,o", "open", "record: tell the chosen one", "Tell the story of the chosen record.",
           Pane.CANDIDATES, 1, "no_candidate"),
    KeyRow("choose-up", "k,up,ctrl+p", "up", "", "Choose the row above.", Pane.CANDIDATES, action="move(-1)"),
    KeyRow("choose-down", "j,down,ctrl+n", "down", "", "Choose the row below.", Pane.CANDIDATES, action="move(1)"),
    KeyRow("choose-page-up", "pageup,ctrl+u", "page up", "", "Move a page up.", Pane.CANDIDATES, action="page(-1)"),
    KeyRow("choose-page-down", "pagedown,ctrl+d", "page down", "", "Move a page down.", Pane.CANDIDATES,
           action="page(1)"),
    KeyRow("choose-first", "g,home", "first", "", "Choose the first row.", Pane.CANDIDATES, action="edge(-1)"),
    KeyRow("choose-last", "G,end", "last", "", "Choose the last row.", Pane.CANDIDATES, action="edge(1)"),
    KeyRow("talk-up", "k,up", "up", "", "Scroll a line up.", Pane.DIALOGUE, action="scroll_up"),
    KeyRow("talk-down", "j,down", "down", "", "Scroll a line down.", Pane.DIALOGUE, action="scroll_down"),
    KeyRow("talk-page-up", "pageup,ctrl+u", "page up", "", "Scroll a page up.", Pane.DIALOGUE, action="page_up"),
    KeyRow("talk-page-down", "pagedown,ctrl+d,space", "page down", "", "Scroll a page down.", Pane.DIALOGUE,
           action="page_down"),
    KeyRow("talk-first", "g,home", "top", "", "Go to the beginning.", Pane.DIALOGUE, action="scroll_home"),
    KeyRow("talk-last", "G,end", "end", "", "Go to the end.", Pane.DIALOGUE, action="scroll_end"),
    KeyRow("turn-up", "k,up", "up", "", "Scroll a line up; before the first turn it reads on.", Pane.RECORD,
           action="line(-1)"),
    KeyRow("turn-down", "j,down", "down", "", "Scroll a line down; after the last turn it reads on.", Pane.RECORD,
           action="line(1)"),
    KeyRow("turn-page-up", "pageup,ctrl+u", "page up", "", "Scroll a page up.", Pane.RECORD, action="page(-1)"),
    KeyRow("turn-page-down", "pagedown,ctrl+d,space", "page down", "", "Scroll a page down.", Pane.RECORD,
           action="page(1)"),
    KeyRow("turn-first", "g,home", "beginning", "", "Go to the beginning of the record.", Pane.RECORD,
           action="edge(-1)"),
    KeyRow("turn-last", "G,end", "end", "", "Go to the end of the record.", Pane.RECORD, action="edge(1)"),
    KeyRow("match-next", "n", "next match", "", "Go to the next match.", Pane.RECORD, 1, action="match(1)"),
    KeyRow("match-back", "N", "match before", "", "Go to the match before.", Pane.RECORD, action="match(-1)"),
    KeyRow("unfold", "o,enter", "unfold", "", "Show or fold long turns and tool output.", Pane.RECORD, 2,
           action="unfold"),
    KeyRow("raw", "r", "raw JSON", "record: show raw JSON", "Show the turn's line as the file has it.", Pane.RECORD,
           3, "no_turn"),
    KeyRow("copy-turn", "y", "copy turn", "record: copy the turn", "Copy the turn at the top of the pane.", Pane.RECORD,
           4, "no_turn"),
    KeyRow("back", "escape", "back", "", "Go back one level: close, stop a search, return to the cue. Text stays."),
    KeyRow("copy-or-quit", "ctrl+c", "copy", "", "Copy the selected text; without a selection, twice quits."),
    KeyRow("quit", "ctrl+q", "quit", "app: quit", "Quit."),
    KeyRow("quit-outside", "q", "quit", "", "Quit, outside the cue."),
)  # fmt: skip
"""Every key of the place Recollect. Later places bring tables of their own."""


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


def pane_bindings(pane: Pane, rows: tuple[KeyRow, ...] = RECOLLECT) -> list[BindingType]:
    """Textual's bindings of one pane, with ids that a keymap may override."""
    from textual.binding import Binding

    return [
        Binding(row.keys, row.action or f"screen.do('{row.id}')", row.label, show=False, id=row.id)
        for row in rows
        if row.pane is pane and row.keys
    ]


def row_of(id_: str, rows: tuple[KeyRow, ...] = RECOLLECT) -> KeyRow:
    """The row with an id. Raises KeyError for an unknown one."""
    for row in rows:
        if row.id == id_:
            return row
    raise KeyError(id_)


def help_rows(pane: Pane, rows: tuple[KeyRow, ...] = RECOLLECT) -> Iterator[tuple[str, str]]:
    """Keys and their sentences for a pane."""
    for row in rows:
        if row.pane is pane and row.help and row.keys:
            yield key_names(row), row.help


def keymap_problems(keymap: Mapping[str, str], rows: tuple[KeyRow, ...] = RECOLLECT) -> tuple[str, ...]:
    """What is wrong with a person's keymap (`{"resume": "f9"}`), in words."""
    known = {row.id for row in rows}
    unusable = {"ctrl+h", "ctrl+m", "ctrl+i", "ctrl+j", "ctrl+left_square_bracket", "ctrl+["}
    found = [f"no action is called {id_!r}" for id_ in keymap if id_ not in known]
    for id_, keys in keymap.items():
        found += [
            f"{key} for {id_}: a terminal sends the same as for another key"
            for key in (part.strip() for part in keys.split(","))
            if key in unusable
        ]
    return tuple(found)


def keys_markdown(rows: tuple[KeyRow, ...] = RECOLLECT) -> str:
    """The text of `docs/keys.md`."""
    parts = ["# Keys\n", "Made from `tui/keys.py`. Each id can be given other keys in the settings.\n"]
    for pane in Pane:
        lines = [
            f"| {key_names(row).replace('|', chr(92) + '|')} | {row.help} | `{row.id}` |"
            for row in rows
            if row.pane is pane and row.help and row.keys
        ]
        if lines:
            parts.append(f"## {pane.value[:1].upper()}{pane.value[1:]}\n")
            if PANE_HELP[pane]:
                parts.append(f"{PANE_HELP[pane]}\n")
            parts.append("| keys | what it does | id |\n|---|---|---|\n" + "\n".join(lines) + "\n")
    titles = [f"- {row.title}: {row.help}" for row in rows if row.title]
    parts.append("## In the palette\n\n" + "\n".join(titles) + "\n")
    return "\n".join(parts)
