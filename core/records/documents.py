"""Where the strings of a JSON document stand: each value's physical line, for records that are one document."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Any

from core.records.lines import DEEPEST

_LITERAL = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"', re.S)


class LineTable:
    """The physical lines of a text in memory."""

    def __init__(self, raw: bytes) -> None:
        self._raw = raw
        self._starts = [0]
        at = raw.find(b"\n")
        while at >= 0:
            if at + 1 < len(raw):
                self._starts.append(at + 1)
            at = raw.find(b"\n", at + 1)

    @property
    def count(self) -> int:
        """How many lines there are."""
        return len(self._starts) if self._raw else 0

    def at(self, offset: int) -> tuple[int, int, int]:
        """The line that holds a byte: its number from 1, its first byte, and the byte after its last."""
        index = bisect_right(self._starts, offset) - 1
        start = self._starts[index]
        stop = self._starts[index + 1] if index + 1 < len(self._starts) else len(self._raw)
        return index + 1, start, start + len(self._raw[start:stop].rstrip(b"\r\n"))


def places(raw: bytes, value: object) -> Any:
    """The byte offset of every string value of a decoded document, in the shape of the document itself; `None` for what
    lies deeper than `DEEPEST`.

    The literals of a document stand in the order in which its decoded value is walked, keys before their values.
    Returns `None` where that does not work out (a key twice in one object).
    """
    offsets = [match.start() for match in _LITERAL.finditer(raw)]
    here = 0

    def walk(part: object, left: int) -> Any:
        nonlocal here
        if isinstance(part, str):
            here += 1
            return offsets[here - 1] if here <= len(offsets) else 0
        if not left:
            here += _literals(part)
        elif isinstance(part, dict):
            shape: dict[str, Any] = {}
            for key, item in part.items():
                here += 1
                shape[key] = walk(item, left - 1)
            return shape
        elif isinstance(part, list):
            return [walk(item, left - 1) for item in part]
        return None

    shape = walk(value, DEEPEST)
    return shape if here == len(offsets) else None


def _literals(value: object) -> int:
    """How many strings a value holds, keys included, however deep it is."""
    count, left = 0, [value]
    while left:
        part = left.pop()
        if isinstance(part, dict):
            count += len(part)
            left.extend(part.values())
        elif isinstance(part, list):
            left.extend(part)
        else:
            count += isinstance(part, str)
    return count
