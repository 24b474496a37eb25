"""Collects turns in memory and turns them into the arrays of one segment."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Mapping
from itertools import chain, islice
from typing import Any

import numpy as np

from core.frozen import dataclass
from core.records.digests import hasher
from core.records.model import Origin, Turn
from indexes.analyzer import Analyzer, chunks
from indexes.arrays import NDArray
from indexes.postings import Ints, Triples, counted

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
COLUMNS: Mapping[str, str] = {
    "ordinal": "I", "line": "I", "start": "Q", "size": "I", "at": "d", "origin": "B", "uid": "Q",
}  # fmt: skip
"""The per-turn columns and their type codes: the record's number, physical line, byte offset of the line, bytes of the
line, seconds since the epoch (NaN: none), origin and flags, and a hash of the turn's own id (0: none)."""


@dataclass(frozen=True, slots=True)
class Built:
    """The arrays of a segment."""

    rows: Triples
    lengths: Ints
    """Terms of each document."""
    columns: Mapping[str, NDArray[Any]]

    @property
    def documents(self) -> int:
        """How many documents the segment holds."""
        return len(self.lengths)


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
    """Turns that wait to become a segment. Memory grows with the tokens: 4 bytes each, and with what waits."""

    def __init__(self) -> None:
        self._places: defaultdict[str, int] = defaultdict()
        self._places.default_factory = self._places.__len__
        self._tokens = array("I")
        self._ends = array("I")
        self._waiting: list[str] = []
        self._room = WAITING
        self._columns: dict[str, array[Any]] = {name: array(code) for name, code in COLUMNS.items()}
        self._ids: defaultdict[str, int] = defaultdict()
        self._ids.default_factory = self._ids.__len__
        self._widths, self._terms = array("I"), array("I")
        self._learnt: list[tuple[NDArray[np.uint32], Ints]] = []
        self._documents = 0
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
        columns["uid"].append(hash_of(turn.uid))
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

    def absorb(self, other: Drafted) -> None:
        """Take the turns of another draft, in their order, after those taken before."""
        self._cut()
        before = len(self._tokens)
        places = np.fromiter(map(self._places.__getitem__, other.pieces), np.uint32, len(other.pieces))
        self._tokens.frombytes(places[np.frombuffer(other.tokens, np.uint32)].tobytes())
        self._ends.frombytes((np.frombuffer(other.ends, np.uint32) + np.uint32(before)).tobytes())
        for name, values in other.columns.items():
            self._columns[name].frombytes(values)
        self.chars += other.chars

    def learn(self, analyzer: Analyzer) -> None:
        """Analyze the chunks that are new, and tell the terms of the turns that are new. Always with the same analyzer."""
        self._cut()
        analyzed = analyzer.terms_of_chunks(list(islice(self._places, len(self._widths), None)))
        id_of = self._ids.__getitem__
        for word in sorted({term for terms in analyzed for term in terms} - self._ids.keys()):
            id_of(word)  # in runs that ascend, which are soon sorted at the end
        self._widths.extend(map(len, analyzed))
        self._terms.extend(map(id_of, chain.from_iterable(analyzed)))
        tokens, ends = np.array(self._tokens), np.array(self._ends)
        width = np.array(self._widths, np.int64)
        each = width[tokens]
        begin = (np.cumsum(width) - width)[tokens] - (np.cumsum(each) - each)
        terms = np.array(self._terms)[np.repeat(begin, each) + np.arange(int(each.sum()))]
        docs = np.repeat(np.arange(self._documents, self._documents + len(ends)), np.diff(ends, prepend=0))
        self._learnt.append((terms, np.repeat(docs, each)))
        self._documents += len(ends)
        self._tokens, self._ends = array("I"), array("I")

    def build(self, analyzer: Analyzer) -> Built:
        """Make the segment's arrays."""
        self.learn(analyzer)
        words = sorted(self._ids)
        place = np.empty(len(words), np.int64)
        place[np.fromiter(map(self._ids.__getitem__, words), np.int64, len(words))] = np.arange(len(words))
        encoded = [word.encode("utf-8", "surrogatepass") for word in words]
        terms, docs = (np.concatenate(some) for some in zip(*self._learnt, strict=True))
        triples = counted(encoded, place[terms], docs)
        lengths = np.bincount(triples.doc, triples.freq, self._documents).astype(np.int64)
        return Built(triples, lengths, {name: np.array(values) for name, values in self._columns.items()})


def hash_of(uid: str) -> int:
    """Eight bytes of a hash of a turn's id, 0 for none."""
    return int.from_bytes(hasher()(uid.encode("utf-8", "replace"), digest_size=8).digest(), "little") if uid else 0
