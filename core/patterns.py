"""Regular expressions that are compiled when they are first used.

The expressions that read a person's turns and dates cost 60 ms of CPU to compile; a command that never needs them should
not pay for them (design/ux.md U19).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from functools import cached_property

LONGEST = 100
"""Characters of a text that is tried as a single word."""


class Pattern:
    """A regular expression with the methods of `re.Pattern` that the core uses.

    `several`: it matches no single word of ASCII letters, digits and underscores; on a text that is one it is not compiled.
    `words`: of single words it matches at most these, whole, in any case; on another it is not compiled.
    (`tests/core/test_patterns.py` proves both of each that says so.)
    """

    def __init__(
        self, source: str, flags: int = 0, *, several: bool = False, words: Collection[str] | None = None
    ) -> None:
        self.source = source
        self.flags = flags
        self.words: Collection[str] | None = () if several else words

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """The expression, compiled."""
        return re.compile(self.source, self.flags)

    def _cannot(self, text: str) -> bool:
        """True where it is plain without compiling that nothing matches."""
        if self.words is None or len(text) >= LONGEST:
            return False
        return text.isascii() and text.replace("_", "a").isalnum() and text.lower() not in self.words

    def match(self, text: str) -> re.Match[str] | None:
        """`re.Pattern.match`."""
        return None if self._cannot(text) else self.compiled.match(text)

    def fullmatch(self, text: str) -> re.Match[str] | None:
        """`re.Pattern.fullmatch`."""
        return None if self._cannot(text) else self.compiled.fullmatch(text)

    def search(self, text: str) -> re.Match[str] | None:
        """`re.Pattern.search`."""
        return None if self._cannot(text) else self.compiled.search(text)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """`re.Pattern.finditer`."""
        return iter(()) if self._cannot(text) else self.compiled.finditer(text)

    def findall(self, text: str) -> list[str]:
        """`re.Pattern.findall`."""
        return [] if self._cannot(text) else self.compiled.findall(text)

    def sub(self, replacement: str | Callable[[re.Match[str]], str], text: str) -> str:
        """`re.Pattern.sub`."""
        return text if self._cannot(text) else self.compiled.sub(replacement, text)
