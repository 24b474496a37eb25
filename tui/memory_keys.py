"""The keys of the place Memory alone."""

from __future__ import annotations

from tui.key_rows import KeyRow, Pane

OWN: tuple[KeyRow, ...] = (
    KeyRow("kept-open", "enter,o", "the claim", "", "Go to the claim beside the list.", Pane.KEPT, 1, "no_claim"),
    KeyRow("kept-evidence", "e", "open evidence", "claim: open its evidence",
           "Open what the claim rests on: a record in the viewer, a file in $EDITOR. With several, you are asked which.",
           Pane.MEMORY, 2, "no_evidence"),
    KeyRow("kept-add", "i,f2", "add", "memory: add a claim", "Write a claim of your own.", Pane.MEMORY, 3),
    KeyRow("kept-change", "c", "change", "claim: change", "Write a claim that supersedes this one; the original stays.",
           Pane.MEMORY, 4, "not_current"),
    KeyRow("kept-forget", "x", "forget", "claim: forget", "Hide the claim, with why. It is kept, and can be shown again.",
           Pane.MEMORY, 5, "not_current"),
    KeyRow("kept-restore", "u", "show again", "claim: restore", "Show a superseded or forgotten claim again.", Pane.MEMORY, 2,
           "not_hidden"),
    KeyRow("kept-resolve", "v", "resolve fork", "memory: resolve a fork",
           "Choose between claims that superseded the same one: the others are forgotten, and can be shown again.", Pane.MEMORY, 6,
           "no_fork"),
    KeyRow("kept-drain", "w", "drain", "memory: drain what waits", "Take what waits in the spool to the owner, now.", Pane.MEMORY, 6,
           "nothing_waits"),
    KeyRow("kept-words", "slash", "search", "memory: search by words", "List the claims that hold words.", Pane.MEMORY, 7, "no_look",
           shown_as="/"),
    KeyRow("kept-tier", "t", "next tier", "memory: next tier", "List the claims of the next tier alone.", Pane.MEMORY, 0, "no_look"),
    KeyRow("kept-kind", "f", "next kind", "memory: next kind", "List the claims of the next kind alone.", Pane.MEMORY, 0, "no_look"),
    KeyRow("kept-tag", "b", "next tag", "memory: next tag", "List the claims with the next tag alone.", Pane.MEMORY, 0, "no_look"),
    KeyRow("kept-all", "a", "all", "memory: all claims", "List every claim that stands again.", Pane.MEMORY, 0, "no_look"),
    KeyRow("kept-hidden", "full_stop", "hidden ones", "memory: show or hide what is superseded or forgotten",
           "List superseded and forgotten claims too, or no longer.", Pane.MEMORY, 8, "no_look", shown_as="."),
    KeyRow("kept-copy", "y", "copy", "claim: copy its text", "Copy the claim's text.", Pane.MEMORY, 0, "no_claim"),
    KeyRow("kept-again", "r,ctrl+r", "read again", "memory: read again", "Read the memory again.", Pane.MEMORY, 0, "busy"),
    KeyRow("kept-up", "k,up,ctrl+p", "up", "", "Choose the claim above.", Pane.KEPT, action="move(-1)"),
    KeyRow("kept-down", "j,down,ctrl+n", "down", "", "Choose the claim below.", Pane.KEPT, action="move(1)"),
    KeyRow("kept-page-up", "pageup,ctrl+u", "page up", "", "Move a page up.", Pane.KEPT, action="page(-1)"),
    KeyRow("kept-page-down", "pagedown,ctrl+d,space", "page down", "", "Move a page down.", Pane.KEPT, action="page(1)"),
    KeyRow("kept-first", "g,home", "first", "", "Choose the first claim.", Pane.KEPT, action="edge(-1)"),
    KeyRow("kept-last", "G,end", "last", "", "Choose the last claim.", Pane.KEPT, action="edge(1)"),
    KeyRow("kept-words-done", "enter,down", "list", "", "Go to the claims that are left.", Pane.KEPT_WORDS, 1),
    KeyRow("claim-up", "k,up", "up", "", "Scroll a line up.", Pane.KEPT_CLAIM, action="scroll_up"),
    KeyRow("claim-down", "j,down", "down", "", "Scroll a line down.", Pane.KEPT_CLAIM, action="scroll_down"),
    KeyRow("claim-page-up", "pageup,ctrl+u", "page up", "", "Scroll a page up.", Pane.KEPT_CLAIM, action="page_up"),
    KeyRow("claim-page-down", "pagedown,ctrl+d,space", "page down", "", "Scroll a page down.", Pane.KEPT_CLAIM, action="page_down"),
    KeyRow("claim-first", "g,home", "beginning", "", "Go to the beginning.", Pane.KEPT_CLAIM, action="scroll_home"),
    KeyRow("claim-last", "G,end", "end", "", "Go to the end.", Pane.KEPT_CLAIM, action="scroll_end"),
)  # fmt: skip
"""Every key that only this place has."""
