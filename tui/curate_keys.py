"""The keys of the place Curate alone."""

from __future__ import annotations

from tui.key_rows import KeyRow, Pane

OWN: tuple[KeyRow, ...] = (
    KeyRow("curate-open", "enter,o", "write", "claim: say why it goes", "Go to the form of the chosen claim.", Pane.WORK, 1, "no_row"),
    KeyRow("curate-decide", "f2", "decide", "claim: decide that it goes",
           "Keep the decision that the chosen claim goes, with why and where. The document is not touched.", Pane.CURATE, 2,
           "not_written"),
    KeyRow("curate-stays", "f3", "it stays", "claim: let it stay",
           "Keep the reason why the chosen claim stays as it is, stale or not.", Pane.CURATE, 4, "not_staying"),
    KeyRow("curate-back", "f9", "take back", "claim: take the decision back", "Take the decision on the chosen claim back.",
           Pane.CURATE, 5, "not_decided"),
    KeyRow("curate-apply", "f8", "apply", "curation: apply",
           "Show the exact difference and what the seat-check says, and apply the decisions when you say yes.", Pane.CURATE, 3,
           "cannot_apply"),
    KeyRow("curate-commit", "f20,shift+f8", "apply and commit", "curation: apply and commit",
           "The same, and commit the document alone, with the receipt and both seats in the message.", Pane.CURATE, 0,
           "cannot_apply", shown_as="shift+F8"),
    KeyRow("curate-undo", "f4", "undo", "curation: undo the last one",
           "Bring the document back byte for byte as it was before the last curation that is applied.", Pane.CURATE, 6,
           "nothing_applied"),
    KeyRow("curate-log", "l", "log", "curation: log", "Every curation of this project; an applied one can be undone.", Pane.CURATE,
           7, "no_work"),
    KeyRow("curate-soul", "c", "in Soul", "claim: show in Soul", "Show the chosen claim in Soul, with what was found of it.",
           Pane.CURATE, 8, "no_row"),
    KeyRow("curate-again", "r,ctrl+r", "check again", "curation: check again", "Check the document again.", Pane.CURATE, 0, "busy"),
    KeyRow("curate-drop", "", "give up", "curation: give the decisions up",
           "Give every open decision up. The document is not touched.", Pane.CURATE, 0, "nothing_decided"),
    KeyRow("curate-difference", "d", "difference", "curation: show the difference", "Go to the difference.", Pane.CURATE, 0,
           "no_work"),
    KeyRow("curate-next", "enter", "next field", "", "Go to the next field; after the last one, to the work list.", Pane.FORM, 1),
    KeyRow("curate-answer-on", "down,ctrl+n", "next answer", "", "Put the next of the usual answers into the field.", Pane.FORM),
    KeyRow("curate-answer-back", "up,ctrl+p", "answer before", "", "Put the one before into the field.", Pane.FORM),
    *(
        KeyRow(f"curate-answer-{n}", f"alt+{n}", f"answer {n}", "",
               "Say where it went: memory, another document, git history, or gone." if n == 1 else "", Pane.FORM,
               shown_as="alt+1 … alt+4")
        for n in range(1, 5)
    ),
    KeyRow("work-up", "k,up,ctrl+p", "up", "", "Choose the claim above.", Pane.WORK, action="move(-1)"),
    KeyRow("work-down", "j,down,ctrl+n", "down", "", "Choose the claim below.", Pane.WORK, action="move(1)"),
    KeyRow("work-page-up", "pageup,ctrl+u", "page up", "", "Move a page up.", Pane.WORK, action="page(-1)"),
    KeyRow("work-page-down", "pagedown,ctrl+d,space", "page down", "", "Move a page down.", Pane.WORK, action="page(1)"),
    KeyRow("work-first", "g,home", "first", "", "Choose the first claim.", Pane.WORK, action="edge(-1)"),
    KeyRow("work-last", "G,end", "last", "", "Choose the last claim.", Pane.WORK, action="edge(1)"),
    KeyRow("change-up", "k,up", "up", "", "Scroll a line up.", Pane.CHANGE, action="scroll_up"),
    KeyRow("change-down", "j,down", "down", "", "Scroll a line down.", Pane.CHANGE, action="scroll_down"),
    KeyRow("change-page-up", "pageup,ctrl+u", "page up", "", "Scroll a page up.", Pane.CHANGE, action="page_up"),
    KeyRow("change-page-down", "pagedown,ctrl+d,space", "page down", "", "Scroll a page down.", Pane.CHANGE, action="page_down"),
    KeyRow("change-first", "g,home", "beginning", "", "Go to the beginning.", Pane.CHANGE, action="scroll_home"),
    KeyRow("change-last", "G,end", "end", "", "Go to the end.", Pane.CHANGE, action="scroll_end"),
)  # fmt: skip
"""Every key that only this place has."""
