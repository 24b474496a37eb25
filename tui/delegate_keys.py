"""The keys of the place Delegate alone."""

from __future__ import annotations

from tui.key_rows import KeyRow, Pane

OWN: tuple[KeyRow, ...] = (
    KeyRow("delegate-make", "f2", "delegate", "delegation: make",
           "Record the packet that is shown and copy it for the worker. It is live for four hours.", Pane.DELEGATE, 1, "no_preview"),
    KeyRow("delegate-pick", "f3", "pick paths", "delegation: pick its scope",
           "Pick files and folders of the project: where the worker may touch, and where not.", Pane.DELEGATE, 2, "no_project"),
    KeyRow("delegate-debrief", "f8,d", "debrief", "delegation: debrief",
           "Say how the chosen delegation went, see each touched path with its class, and keep what was found.", Pane.DELEGATE, 3,
           "cannot_debrief"),
    KeyRow("delegate-copy", "y", "copy", "delegation: copy its packet", "Copy the packet that is shown.", Pane.DELEGATE, 4,
           "no_text"),
    KeyRow("delegate-write", "w", "write", "delegation: write its packet to a file",
           "Write the recorded packet to a file of your own, and copy its path.", Pane.DELEGATE, 5, "no_delegation"),
    KeyRow("delegate-order", "i,ctrl+t", "task", "delegation: write a task", "Go to the task.", Pane.DELEGATE, 6),
    KeyRow("delegate-show", "enter,o", "packet", "", "Go to the packet of the chosen delegation.", Pane.DELEGATED, 1, "no_delegation"),
    KeyRow("delegate-all", "full_stop", "ended ones", "delegations: show or hide those that ended",
           "List debriefed and expired delegations too, or no longer.", Pane.DELEGATE, 7, "no_look", shown_as="."),
    KeyRow("delegate-again", "r,ctrl+r", "read again", "delegations: read again",
           "Read the delegations again, and compose the packet anew.", Pane.DELEGATE, 0, "busy"),
    KeyRow("delegate-next", "enter", "next field", "", "Go to the next field; after the last one, to the packet.", Pane.ORDER, 4),
    KeyRow("delegated-up", "k,up,ctrl+p", "up", "", "Choose the delegation above.", Pane.DELEGATED, action="move(-1)"),
    KeyRow("delegated-down", "j,down,ctrl+n", "down", "", "Choose the delegation below.", Pane.DELEGATED, action="move(1)"),
    KeyRow("delegated-page-up", "pageup,ctrl+u", "page up", "", "Move a page up.", Pane.DELEGATED, action="page(-1)"),
    KeyRow("delegated-page-down", "pagedown,ctrl+d,space", "page down", "", "Move a page down.", Pane.DELEGATED, action="page(1)"),
    KeyRow("delegated-first", "g,home", "first", "", "Choose the first delegation.", Pane.DELEGATED, action="edge(-1)"),
    KeyRow("delegated-last", "G,end", "last", "", "Choose the last delegation.", Pane.DELEGATED, action="edge(1)"),
    KeyRow("packet-up", "k,up", "up", "", "Scroll a line up.", Pane.PACKET, action="scroll_up"),
    KeyRow("packet-down", "j,down", "down", "", "Scroll a line down.", Pane.PACKET, action="scroll_down"),
    KeyRow("packet-page-up", "pageup,ctrl+u", "page up", "", "Scroll a page up.", Pane.PACKET, action="page_up"),
    KeyRow("packet-page-down", "pagedown,ctrl+d,space", "page down", "", "Scroll a page down.", Pane.PACKET, action="page_down"),
    KeyRow("packet-first", "g,home", "beginning", "", "Go to the beginning.", Pane.PACKET, action="scroll_home"),
    KeyRow("packet-last", "G,end", "end", "", "Go to the end.", Pane.PACKET, action="scroll_end"),
)  # fmt: skip
"""Every key that only this place has."""
