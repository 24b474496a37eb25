"""Collects turns in memory, cut into chunks. Loads no numpy, so that a helper process does without it."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Mapping
from typing import Any
from zlib import crc32

from core.frozen import dataclass
from core.records.digests import hasher
from core.records.model import Origin, Turn
from indexes.analyzer import chunks

WAITING = 2_000_000
"""Characters that wait to be cut into chunks. The table of chunks is larger than a processor's cache, which reading records
fills with other things: many turns at once cost half of what they cost one by one."""
LONGEST_TURN = 200_000
"""Characters of one turn that are indexed; the rest is counted as omitted."""
ORIGINS = (Origin.UNKNOWN, Origin.PERSON, Origin.ASSISTANT, Origin.EXTERNAL, Origin.PEER, Origin.INJECTED)
"""The low three bits of the `origin` column index this tuple."""
COPIED = 8
"""Bit of the `origin` column: the turn was copied from another record."""
SUMMARY = 16
"""Bit of the `origin` column: the turn is a summary."""
ASKS = 32
"""Bit of the `origin` column: the turn only asks, or tells only that nothing was found."""
LEAST_ID = 8
"""Characters of an id that can be one of a kind; a shorter one may be a number that every session begins with."""
COLUMNS: Mapping[str, str] = {
    "ordinal": "I", "line": "I", "start": "Q", "size": "I", "at": "d", "origin": "B", "uid": "Q",
}  # fmt: skip
"""The per-turn columns and their type codes: the record's number, physical line, byte offset of the line, bytes of the
line, seconds since the epoch (NaN: none), origin and flags, and what tells the turn from others (`hash_of`)."""


@dataclass(frozen=True, slots=True)
class Drafted:
    """The turns of a draft as plain values, which go through a pipe."""

    pieces: list[str]
    """The distinct chunks."""
    tokens: bytes
    """The chunks of the turns by their place in `pieces`, 4 bytes each."""
    ends: bytes
    """Where each turn's chunks end, 4 bytes each."""
    columns: Mapping[str, bytes]
    chars: int


class Draft:
    """Turns that wait to be analyzed. Memory grows with the tokens: 4 bytes each, and with what waits."""

    def __init__(self) -> None:
        self._places: defaultdict[str, int] = defaultdict()
        self._places.default_factory = self._places.__len__
        self._tokens = array("I")
        self._ends = array("I")
        self._waiting: list[str] = []
        self._room = WAITING
        self._columns: dict[str, array[Any]] = {name: array(code) for name, code in COLUMNS.items()}
        self.chars = 0
        """Characters taken so far."""

    def __len__(self) -> int:
        return len(self._columns["ordinal"])

    def add(self, ordinal: int, turn: Turn, flags: int) -> int:
        """Take a turn. Returns the characters that were left out because the turn is too long."""
        text = turn.text[:LONGEST_TURN]
        self._waiting.append(text)
        self.chars += len(text)
        self._room -= len(text)
        if self._room <= 0:
            self._cut()
        columns = self._columns
        columns["ordinal"].append(ordinal)
        columns["line"].append(min(turn.line, 0xFFFFFFFF))
        columns["start"].append(turn.start)
        columns["size"].append(min(turn.end - turn.start, 0xFFFFFFFF))
        columns["at"].append(turn.at if turn.at is not None else float("nan"))
        columns["origin"].append(ORIGINS.index(turn.origin) | flags)
        columns["uid"].append(hash_of(turn, text))
        return len(turn.text) - len(text)

    def _cut(self) -> None:
        """Cut what waits into chunks."""
        place_of, tokens, ends = self._places.__getitem__, self._tokens, self._ends
        for text in self._waiting:
            tokens.extend(map(place_of, chunks(text)))
            ends.append(len(tokens))
        self._waiting.clear()
        self._room = WAITING

    def drafted(self) -> Drafted:
        """What was taken, to be absorbed by another draft."""
        self._cut()
        columns = {name: values.tobytes() for name, values in self._columns.items()}
        return Drafted(list(self._places), self._tokens.tobytes(), self._ends.tobytes(), columns, self.chars)


def hash_of(turn: Turn, text: str) -> int:
    """Eight bytes by which a turn is known again in a copy of its record, 0 where it has no id. An id alone does not do: some
    runtimes count from one in every session. So its `text` belongs to it, and to a short id its time."""
    uid = turn.uid
    if not uid:
        return 0
    mark = f"{uid}\0{crc32(text.encode('utf-8', 'replace'))}"
    if len(uid) < LEAST_ID:
        mark += f"\0{turn.at}"
    return int.from_bytes(hasher()(mark.encode("utf-8", "replace"), digest_size=8).digest(), "little")
