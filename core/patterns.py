"""Regular expressions that are compiled when they are first used.

The expressions that read a person's turns and dates cost 60 ms of CPU to compile; a command that never needs them should
not pay for them (design/ux.md U19).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cached_property


class Pattern:
    """A regular expression with the methods of `re.Pattern` that the core uses."""

    def __init__(self, source: str, flags: int = 0) -> None:
        self._source = source
        self._flags = flags

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """The expression, compiled."""
        return re.compile(self._source, self._flags)

    def match(self, text: str) -> re.Match[str] | None:
        """`re.Pattern.match`."""
        return self.compiled.match(text)

    def search(self, text: str) -> re.Match[str] | None:
        """`re.Pattern.search`."""
        return self.compiled.search(text)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """`re.Pattern.finditer`."""
        return self.compiled.finditer(text)

    def findall(self, text: str) -> list[str]:
        """`re.Pattern.findall`."""
        return self.compiled.findall(text)

    def sub(self, replacement: str | Callable[[re.Match[str]], str], text: str) -> str:
        """`re.Pattern.sub`."""
        return self.compiled.sub(replacement, text)
