"""What is known to be wrong with the index, kept beside it: a search of one process meets it, a refresh of another mends it."""

from __future__ import annotations

from contextlib import suppress

from indexes.damage import is_full
from indexes.home import BROKEN, IndexHome

LONGEST = 400
"""Characters that are kept of what is wrong."""


class Broken:
    """The note of one index. It goes with the index when that is cleared."""

    def __init__(self, home: IndexHome) -> None:
        self._home = home
        self._text = ""
        self._written = False

    def note(self, error: Exception) -> None:
        """Keep what a search met. What is no fault of the files (no memory, no permission) is for this process alone."""
        self._text = (str(error) or type(error).__name__)[:LONGEST]
        if not (isinstance(error, MemoryError) or is_full(error)):
            with suppress(OSError):  # a disk that cannot be written mends nothing either
                (self._home.path / BROKEN).write_text(self._text, "utf-8", "replace")
                self._written = True

    def what(self) -> str:
        """What is wrong, `""` if nothing is known to be, or no more."""
        try:
            kept = (self._home.path / BROKEN).read_text("utf-8", "replace")
        except OSError:
            kept = ""
        if self._written and not kept:
            self._text, self._written = "", False  # another process has built the index anew
        return kept or self._text

    def forget(self) -> None:
        """The index is whole."""
        self._text, self._written = "", False
        with suppress(OSError):
            self._home.forget(BROKEN)
