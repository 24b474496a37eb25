"""Keeps the patterns of the soul linear: a document is foreign text, and may be made to be slow.

A text is looked at in stretches that end at a blank; a run without any blank that is longer than a name can be is passed
over. So every pattern sees at most `STRETCH` characters, whatever the document holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

STRETCH = 2000
"""Characters of one stretch."""
NAME = 400
"""Characters of the longest name: a path, a symbol, an address."""
_LONG = re.compile(rf"\S{{{NAME + 1},}}")


def stretches(text: str) -> Iterator[tuple[int, str]]:
    """Stretches of a text with the place where each begins; longer runs than `NAME` are blanks in them."""
    if len(text) > NAME:
        text = _LONG.sub(lambda m: " " * len(m.group()), text)
    at = 0
    while len(text) - at > STRETCH:
        cut = text.rfind(" ", at + 1, at + STRETCH)
        end = cut if cut > at else at + STRETCH
        yield at, text[at:end]
        at = end
    yield at, text[at:]
