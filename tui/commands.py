"""The palette: every titled action of the key table that is possible now."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.markup import escape

from tui.keys import KeyRow, key_names, keys_of
from tui.screens.place import PlaceScreen


class RecollectCommands(Provider):
    """Offers the actions of the place that is shown."""

    def _rows(self) -> list[tuple[KeyRow, str, Callable[[], None]]]:
        screen = self.screen
        if not isinstance(screen, PlaceScreen):
            return []
        found: list[tuple[KeyRow, str, Callable[[], None]]] = []
        for row in screen.ROWS:
            if row.title:
                why = screen.why_not(row)
                keys = f" ({key_names(row)})" if keys_of(row) else ""
                words = f"not now: {why}" if why else f"{row.help}{keys}"
                # The palette reads markup in it: "[n]" would vanish, and a reason may quote what a record says.
                found.append((row, escape(words), partial(screen.action_do, row.id)))
        return found

    async def discover(self) -> Hits:
        """Every action."""
        for row, words, run in sorted(self._rows(), key=lambda found: found[1].startswith("not now")):
            yield DiscoveryHit(row.title, run, help=words)

    async def search(self, query: str) -> Hits:
        """The actions whose title fits what was typed."""
        matcher = self.matcher(query)
        for row, words, run in self._rows():
            score = matcher.match(row.title)
            if score > 0:
                yield Hit(score, matcher.highlight(row.title), run, help=words)
