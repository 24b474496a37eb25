"""What the keys that act in every place do; each place's own actions stand on top of these."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from textual.app import SuspendNotSupported

from tui.editor import open_at
from tui.handover import hand_over
from tui.keys import Pane, row_of
from tui.messages import ShowSettings
from tui.screens.copying import copy
from tui.screens.help import help_screen
from tui.screens.place import Go
from tui.themes import next_theme
from tui.widgets.toast import toast

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.widget import Widget

    from tui.screens.place import PlaceScreen

AT_LINE = re.compile(r"^(?P<path>.+?)(?::(?P<line>\d+)(?:-\d+)?)?$", re.S)
"""`path`, `path:12` or `path:12-14`."""


class PlaceActions:
    """Acts on the screen of a place; holds nothing of its own. Methods are named `do_` and the row's id."""

    HELP: Pane = Pane.ANY
    """The pane that stands for the whole place in the help."""

    def __init__(self, screen: PlaceScreen) -> None:
        self._s = screen

    def do(self, id_: str) -> None:
        """Run the action with this id, or say why it is not possible now."""
        why = self._s.why_not(row_of(id_))
        if why:
            toast(self._s, why)
        elif id_.startswith("go-"):
            self._s.post_message(Go(id_.removeprefix("go-")))
        else:
            getattr(self, "do_" + id_.replace("-", "_"))()

    def click(self, ref: str) -> None:
        """Follow what was clicked: an action, a tab, or what the place itself knows."""
        kind, _, rest = ref.partition(":")
        if kind == "do":
            self.do(rest)
        elif kind == "go":
            self._s.post_message(Go(rest))
        elif ref:
            self.follow(kind, rest)

    def follow(self, kind: str, rest: str) -> None:
        """Follow what only this place knows."""

    @property
    def pane(self) -> Pane:
        """The focused pane."""
        raise LookupError(type(self).__name__)

    @property
    def panes(self) -> Sequence[Widget]:
        """The panes in the order in which tab goes through them."""
        raise LookupError(type(self).__name__)

    def edit(self, path: str, line: int, folder: str) -> bool:
        """Open a file (absolute) in the person's editor; says why it did not. True if the editor ran."""
        handle, why, hint = open_at(path, line, folder)
        if handle is None:
            toast(self._s, why, hint, "warning")
            return False
        try:
            done = hand_over(self._s.app, handle)
        except SuspendNotSupported:
            toast(self._s, "This terminal cannot be handed over to an editor.", f"run: {handle.command}", "warning")
            return False
        if done.problem:
            toast(self._s, done.problem, f"the command is: {handle.command}", "warning")
        elif done.code:
            toast(self._s, f"{os.path.basename(handle.argv[0])} ended with code {done.code}.")
        return not done.problem

    def do_help(self) -> None:
        """Show the keys of the focused pane."""
        self._s.app.push_screen(help_screen(self.pane, self.HELP))

    def do_palette(self) -> None:
        """Open the palette."""
        self._s.app.action_command_palette()

    def do_go(self) -> None:
        """Ask for a place."""
        self._s.post_message(Go())

    def do_settings(self) -> None:
        """Show the settings."""
        self._s.post_message(ShowSettings())

    def do_theme(self) -> None:
        """Change to the next theme."""
        self._s.app.theme = next_theme(self._s.app.theme)

    def do_next_pane(self) -> None:
        """Move to the next pane."""
        panes = [pane for pane in self.panes if pane.display]
        at = next((n for n, pane in enumerate(panes) if pane.has_focus), -1)
        panes[(at + 1) % len(panes)].focus()

    def do_copy_or_quit(self) -> None:
        """Copy the selected text; without one, quit on the second press."""
        focused = self._s.focused
        selected = self._s.get_selected_text() or getattr(focused, "selected_text", "")
        if selected:
            copy(self._s, selected, "the selection")
        else:
            self._s.quit_or_warn()

    def do_quit(self) -> None:
        """Quit."""
        self._s.app.exit()

    def do_quit_outside(self) -> None:
        """Quit."""
        self._s.app.exit()
