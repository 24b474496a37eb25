"""What each action of the place Soul does. Methods are named `do_` and the row's id."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from core.soul.locating import inside_root
from tui.keys import PANE_HELP, Pane, keyed
from tui.screens.copying import copy
from tui.screens.place import Go
from tui.screens.place_actions import AT_LINE, PlaceActions
from tui.screens.soul_rows import FILTERS, NOTES
from tui.widgets.toast import toast

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.widget import Widget

    from tui.screens.soul import SoulScreen


class SoulActions(PlaceActions):
    """Acts on the screen; holds nothing of its own."""

    _s: SoulScreen

    HELP = Pane.SOUL

    @property
    def pane(self) -> Pane:
        """The focused pane, or the place where that has no help of its own."""
        return self._s.pane if self._s.pane in PANE_HELP else Pane.SOUL

    @property
    def panes(self) -> Sequence[Widget]:
        """The claims, the detail, the document."""
        return (self._s.claims, self._s.detail, self._s.document)

    def follow(self, kind: str, rest: str) -> None:
        """Follow a state, a line of the document, or a file that was found."""
        if kind == "state":
            self._s.filter(rest, self._s.narrowed)
        elif kind == "line" and rest.isdigit():
            self._show_line(int(rest))
        elif kind == "found":
            self._open_found(rest)

    # The check and the document

    def do_soul_check(self) -> None:
        """Check now."""
        self._s.check()

    def do_soul_choose(self) -> None:
        """Choose another document."""
        self._s.work.read_documents()

    def do_soul_receipt(self) -> None:
        """Copy the receipt."""
        if self._s.look is not None:
            copy(self._s, str(self._s.look.report["receipt"]), "the receipt")

    def do_soul_edit(self) -> None:
        """Open the document in the editor, at the line of the chosen row, or at the one that is read."""
        look, row = self._s.look, self._s.row
        if look is None:
            return
        reading = self._s.pane is Pane.DOCUMENT
        line = self._s.document.top_line if reading or row is None or not row.line else row.line
        self._edit(look.root, look.path, line)

    def do_soul_evidence(self) -> None:
        """Open what was found for the worst anchor of the chosen claim that something was found for."""
        row = self._s.row
        if row is not None:
            self._open_found(next(anchor["found"] for anchor in row.data["anchors"] if anchor["found"]))

    def _open_found(self, found: str) -> None:
        look = self._s.look
        match = AT_LINE.match(found)
        if look is None or match is None:
            return
        inside = inside_root(look.root, match["path"])
        if inside is None or not os.path.exists(os.path.join(look.root, inside)):
            toast(
                self._s, f"{match['path']} is not there in the project.", keyed("{soul-check} checks again"), "warning"
            )
            return
        self._edit(look.root, inside, int(match["line"] or 0))

    def _edit(self, root: str, path: str, line: int) -> None:
        if self.edit(os.path.join(root, path), line, root):
            self._s.check()

    # The list

    def do_soul_curate(self) -> None:
        """Decide on the claim in Curate."""
        if self._s.row is not None:
            self._s.post_message(Go("curate", self._s.wanted, self._s.row.line))

    def do_soul_open(self) -> None:
        """Go to the detail."""
        self._s.detail.focus()

    def do_soul_read(self) -> None:
        """Go to the document."""
        self._s.document.focus()

    def do_soul_state(self) -> None:
        """List the next state alone."""
        self._step(1)

    def do_soul_state_back(self) -> None:
        """List the state before alone."""
        self._step(-1)

    def _step(self, step: int) -> None:
        """The next filter that would list something; all, if there is no other."""
        at = FILTERS.index(self._s.state)
        ahead = [FILTERS[(at + step * n) % len(FILTERS)] for n in range(1, len(FILTERS))]
        self._s.filter(next((state for state in ahead if not state or self._s.count(state)), ""), self._s.narrowed)

    def do_soul_all(self) -> None:
        """List everything again. The words stay in their line, and act again when it is opened."""
        self._s.filter("", "")
        self._s.query_one("#soul-words-row").remove_class("-open")

    def do_soul_stale(self) -> None:
        """List stale claims alone."""
        self._s.filter("evidence-stale", self._s.narrowed)

    def do_soul_notes(self) -> None:
        """List alone what concerns the document."""
        self._s.filter(NOTES, self._s.narrowed)

    def do_soul_words(self) -> None:
        """Write words to filter by."""
        self._s.query_one("#soul-words-row").add_class("-open")
        self._s.words.focus()
        self._s.filter(self._s.state, self._s.words.value.strip())

    def do_soul_words_done(self) -> None:
        """Go to the claims that are left."""
        self._s.claims.focus()

    def do_soul_next_line(self) -> None:
        """Go to the next line that the row is about."""
        self._turn(1)

    def do_soul_line_back(self) -> None:
        """Go to the line before."""
        self._turn(-1)

    def _turn(self, step: int) -> None:
        row = self._s.row
        if row is None or not row.places:
            toast(self._s, "This row is about no line of the document.")
            return
        self._s.turned += step
        self._show_line(row.places[self._s.turned % len(row.places)])

    def _show_line(self, line: int) -> None:
        self._s.document.show_line(line)
        if self._s.has_class("-narrow"):
            self._s.document.focus()

    # The app

    def do_back(self) -> None:
        """Go back one level: to the list, to every claim, to Recollect."""
        if self._s.selections:
            self._s.clear_selection()
        elif self._s.pane is not Pane.CLAIMS:
            self._s.claims.focus()
        elif self._s.state or self._s.narrowed:
            self.do_soul_all()
        else:
            self._s.post_message(Go("recollect"))
