"""The dialogue: what the person said and what was told, one below the other."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import BindingType

from tui.keys import Pane, pane_bindings
from tui.widgets.entries import Entry
from tui.widgets.line_view import LineView
from tui.widgets.pieces import Paragraph


class DialogueView(LineView):
    """Shows every round of the dialogue; the newest begins at the person's words that led to it."""

    BINDINGS: ClassVar[list[BindingType]] = pane_bindings(Pane.DIALOGUE)
    FOCUS_ON_CLICK = False
    """A click follows what it hits or selects text; the person goes on typing in the cue."""

    def __init__(self, *, id: str) -> None:  # noqa: A002 - Textual's own parameter name
        super().__init__(id=id)
        self._entries: tuple[Entry, ...] = ()
        self._unfolded: frozenset[str] = frozenset()
        self._tail: tuple[Paragraph, ...] = ()
        self._opening: tuple[Paragraph, ...] = ()

    def open_with(self, opening: tuple[Paragraph, ...]) -> None:
        """Show this before anything was said."""
        if opening != self._opening:
            self._opening = opening
            self._tell()

    def show(self, entries: tuple[Entry, ...], *, since: int | None = None) -> None:
        """Show the entries; bring the entry `since` into view at the top."""
        self._entries = entries
        self._tell()
        if since is not None:
            self.call_after_refresh(self._bring, since)
            self._bring(since)

    def working(self, tail: tuple[Paragraph, ...]) -> None:
        """Show what a running pass is doing, below everything else; empty when it is done."""
        if tail == self._tail:
            return
        self._tail = tail
        self._tell()
        if tail:
            self.scroll_end(animate=False, force=True, immediate=True)

    def toggle(self, ref: str) -> None:
        """Unfold or fold a part (`fold:searched:3`)."""
        self._unfolded = self._unfolded ^ {ref}
        self._tell()

    def _told(self) -> list[Paragraph]:
        from tui.widgets.telling import tell  # 5 ms, with the first words

        return tell(self._entries, self._unfolded)

    def _tell(self) -> None:
        body = self._told() if self._entries else list(self._opening)
        if self._tail:
            body = [*body, Paragraph(), *self._tail]
        self.show_paragraphs(body)

    def _bring(self, entry: int) -> None:
        ref = f"entry:{entry}"
        for number, line in enumerate(self.lines):
            if line.ref == ref:
                self.scroll_to_line(number)
                return
