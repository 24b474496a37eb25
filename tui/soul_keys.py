"""The keys of the place Soul alone."""

from __future__ import annotations

from tui.key_rows import KeyRow, Pane

OWN: tuple[KeyRow, ...] = (
    KeyRow("soul-open", "enter,o", "detail", "", "Go to the detail of the chosen row.", Pane.CLAIMS, 1, "no_row"),
    KeyRow("soul-edit", "e", "edit", "claim: open in the editor", "Open the document in $EDITOR at the line of the chosen row.",
           Pane.SOUL, 2, "no_document"),
    KeyRow("soul-evidence", "E", "edit evidence", "claim: open what was found",
           "Open in $EDITOR what was found for the chosen claim: the file cited, what it was renamed to, the line it moved to.",
           Pane.SOUL, 0, "no_evidence"),
    KeyRow("soul-receipt", "y", "copy receipt", "soul: copy the receipt", "Copy the receipt of the check.", Pane.SOUL, 3,
           "no_receipt"),
    KeyRow("soul-curate", "c", "curate", "claim: decide in Curate", "Decide on the chosen claim in Curate: why it goes, and where it went.",
           Pane.SOUL, 3, "no_claim"),
    KeyRow("soul-state", "f", "next state", "claims: next state", "List the next state alone: all, stale, superseded, and so on.",
           Pane.SOUL, 4, "no_rows"),
    KeyRow("soul-state-back", "F", "state before", "", "List the state before alone.", Pane.SOUL, 0, "no_rows"),
    KeyRow("soul-all", "a", "all", "claims: all", "List every claim again.", Pane.SOUL, 0, "no_rows"),
    KeyRow("soul-stale", "x", "stale", "claims: stale", "List stale claims alone.", Pane.SOUL, 0, "no_rows"),
    KeyRow("soul-notes", "exclamation_mark", "notes", "claims: about the document",
           "List alone what concerns the document: contradictions, findings, what to look at again, earlier receipts.",
           Pane.SOUL, 0, "no_rows", shown_as="!"),
    KeyRow("soul-words", "slash", "filter", "claims: filter by words", "Filter the claims by words.", Pane.SOUL, 5, "no_rows",
           shown_as="/"),
    KeyRow("soul-check", "r,ctrl+r", "check again", "soul: check again", "Check now. It happens by itself when a file changes.",
           Pane.SOUL, 6, "checking"),
    KeyRow("soul-choose", "d", "document", "soul: choose a document", "Choose another document of the project.", Pane.SOUL, 7),
    KeyRow("soul-next-line", "n", "next line", "", "Go to the next line of the document that the chosen row is about.",
           Pane.SOUL, 0, "no_row"),
    KeyRow("soul-line-back", "N", "line before", "", "Go to the line before that one.", Pane.SOUL, 0, "no_row"),
    KeyRow("soul-up", "k,up,ctrl+p", "up", "", "Choose the row above.", Pane.CLAIMS, action="move(-1)"),
    KeyRow("soul-down", "j,down,ctrl+n", "down", "", "Choose the row below.", Pane.CLAIMS, action="move(1)"),
    KeyRow("soul-page-up", "pageup,ctrl+u", "page up", "", "Move a page up.", Pane.CLAIMS, action="page(-1)"),
    KeyRow("soul-page-down", "pagedown,ctrl+d,space", "page down", "", "Move a page down.", Pane.CLAIMS, action="page(1)"),
    KeyRow("soul-first", "g,home", "first", "", "Choose the first row.", Pane.CLAIMS, action="edge(-1)"),
    KeyRow("soul-last", "G,end", "last", "", "Choose the last row.", Pane.CLAIMS, action="edge(1)"),
    KeyRow("soul-section-back", "left_square_bracket", "section before", "", "Choose the heading above.", Pane.CLAIMS,
           action="section(-1)", shown_as="["),
    KeyRow("soul-section-next", "right_square_bracket", "next section", "", "Choose the next heading.", Pane.CLAIMS,
           action="section(1)", shown_as="]"),
    KeyRow("soul-words-done", "enter,down", "list", "", "Go to the claims that are left.", Pane.WORDS, 1),
    *(
        row
        for pane, of in ((Pane.DETAIL, "detail"), (Pane.DOCUMENT, "document"))
        for row in (
            KeyRow(f"{of}-up", "k,up", "up", "", "Scroll a line up.", pane, action="scroll_up"),
            KeyRow(f"{of}-down", "j,down", "down", "", "Scroll a line down.", pane, action="scroll_down"),
            KeyRow(f"{of}-page-up", "pageup,ctrl+u", "page up", "", "Scroll a page up.", pane, action="page_up"),
            KeyRow(f"{of}-page-down", "pagedown,ctrl+d,space", "page down", "", "Scroll a page down.", pane, action="page_down"),
            KeyRow(f"{of}-first", "g,home", "beginning", "", "Go to the beginning.", pane, action="scroll_home"),
            KeyRow(f"{of}-last", "G,end", "end", "", "Go to the end.", pane, action="scroll_end"),
        )
    ),
    KeyRow("soul-read", "enter", "document", "", "Go to the document at the line.", Pane.DETAIL, 1, "no_row"),
)  # fmt: skip
"""Every key that only this place has."""
