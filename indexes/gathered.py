"""Turns the chunks of drafts into the arrays of one segment."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Mapping
from itertools import chain, islice
from typing import Any

import numpy as np

from core.frozen import dataclass
from indexes.analyzer import Analyzer
from indexes.arrays import NDArray
from indexes.drafts import Draft, Drafted
from indexes.postings import Ints, Triples, ascending, counted


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


class Gathered(Draft):
    """Turns that wait to become a segment: taken one by one, or from other drafts. Their words are learnt meanwhile."""

    def __init__(self) -> None:
        super().__init__()
        self._ids: defaultdict[str, int] = defaultdict()
        self._ids.default_factory = self._ids.__len__
        self._widths, self._terms = array("I"), array("I")
        self._learnt: list[tuple[NDArray[np.uint32], Ints]] = []
        self._documents = 0

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
        words = [word.encode("utf-8", "surrogatepass") for word in self._ids]
        order = ascending(words)
        place = np.empty(len(words), np.int64)
        place[order] = np.arange(len(words))
        terms, docs = (np.concatenate(some) for some in zip(*self._learnt, strict=True))
        triples = counted([words[i] for i in order.tolist()], place[terms], docs)
        lengths = np.bincount(triples.doc, triples.freq, self._documents).astype(np.int64)
        return Built(triples, lengths, {name: np.array(values) for name, values in self._columns.items()})
