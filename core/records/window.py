"""The turns around a line, for a viewer: only nearby bytes are read, backwards too."""

from __future__ import annotations

from bisect import bisect_left
from typing import IO

from core.records.lines import MAX_LINE, open_record, read_errors_of
from core.records.model import Adapter, Source, Turn
from core.records.recordfile import record_part

END = -1
"""As the line: the end of the record."""
MAX_LINES = 2000
"""Lines read before or after at most."""
MAX_BYTES = 8 * 1024 * 1024
"""Bytes read before or after at most."""
_STEP = 64 * 1024
_PIECE = 1 << 20
"""Bytes of a line that are held while lines are counted."""


def window(adapter: Adapter, source: Source, line: int, start: int, before: int, after: int) -> tuple[Turn, ...]:
    """The turns of the line that begins at byte `start`, and of up to `before` and `after` lines around it; with the line
    `END`, of the last line and of those before it.

    In a record that is one JSON document, or a part of a file, most lines hold no turn of it: there, lines that do are
    counted.
    """
    if source.path.endswith(".json") or record_part(source.path):
        return _of_document(adapter, source, line, before, after)
    try:
        with open_record(source.path) as file:
            if line == END:
                line, start = _last(file)
            if line < 1:
                return ()
            places = [*_backward(file, line, start, before), (line, start), *_forward(file, line, start, after)]
    except read_errors_of(source.path):
        return ()
    found: list[Turn] = []
    for number, offset in places:
        found.extend(adapter.at(source, number, offset))
    return tuple(found)


def _of_document(adapter: Adapter, source: Source, line: int, before: int, after: int) -> tuple[Turn, ...]:
    turns = list(adapter.read(source))
    numbers = sorted({turn.line for turn in turns})
    at = bisect_left(numbers, line) if line != END else len(numbers)
    wanted = set(numbers[max(0, at - before) : at + after + 1])
    return tuple(turn for turn in turns if turn.line in wanted)


def _last(file: IO[bytes]) -> tuple[int, int]:
    """The number of the last line and its first byte; number 0 where there is none. The lines of a gigabyte are counted in
    well under a second; nothing is decoded, and of a long line a piece is held."""
    ends = here = start = before = 0
    readline, piece = file.readline, _PIECE
    while raw := readline(piece):
        here += len(raw)
        if raw[-1] == 10:
            ends, before, start = ends + 1, start, here
    return (ends, before) if start == here else (ends + 1, start)


def _backward(file: IO[bytes], line: int, start: int, count: int) -> list[tuple[int, int]]:
    """The places of the lines before, nearest last."""
    count = min(count, MAX_LINES, line - 1)
    starts: list[int] = []
    here = start
    bottom = max(0, start - MAX_BYTES)
    edge = start - 1  # the newline that ends the line before
    while here > bottom and len(starts) < count:
        low = max(bottom, here - _STEP)
        file.seek(low)
        chunk = file.read(here - low)
        at = len(chunk)
        while len(starts) < count and (at := chunk.rfind(b"\n", 0, at)) >= 0:
            if low + at < edge:
                starts.append(low + at + 1)
        here = low
        if low == 0 and len(starts) < count and edge >= 0:
            starts.append(0)
    return [(line - n, offset) for n, offset in enumerate(starts, 1)][::-1]


def _forward(file: IO[bytes], line: int, start: int, count: int) -> list[tuple[int, int]]:
    """The places of the lines after, nearest first."""
    file.seek(start)
    places: list[tuple[int, int]] = []
    here = start
    for number in range(1, min(count, MAX_LINES) + 1):
        raw = file.readline(MAX_LINE + 1)
        here += len(raw)
        if not raw.endswith(b"\n") or here - start > MAX_BYTES + len(raw):
            break
        places.append((line + number, here))
    if places and not _more(file, places[-1][1]):
        places.pop()
    return places


def _more(file: IO[bytes], offset: int) -> bool:
    file.seek(offset)
    return bool(file.read(1))
