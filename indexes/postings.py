"""The postings of one segment as plain arrays: how they are laid out, written and read. Only numpy, no Whoosh.

- terms: `b"RCLT"`, u32 terms, u32 bytes of text; the terms' UTF-8 text in ascending order, joined; u32 end of each
  term in that text; u32 end of each term's postings (both starts are the previous ends).
- posts: `b"RCLP"`, u32 postings, u32 width of a document number (2 or 4), u32 overflows; the document numbers,
  ascending within a term; u8 term frequencies; then for those of 255 and more, u32 posting and u32 frequency.

All little-endian.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from core.frozen import dataclass
from indexes.arrays import NDArray

TERMS_MAGIC = b"RCLT"
POSTS_MAGIC = b"RCLP"
TERMS_HEAD = struct.Struct("<4sII")
POSTS_HEAD = struct.Struct("<4sIII")
BIG = 255
"""Term frequencies from here on stand in the overflow arrays."""
MOST_FREQUENT = 65_535
"""A term frequency within one turn is capped here."""
MANY = 32
"""Terms from which a look-up of all at once costs less than one after the other."""
Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


class PostingsDamaged(ValueError):
    """The bytes do not have the form that they should have."""


@dataclass(frozen=True, slots=True)
class Triples:
    """Postings in rows: `term` (a place in `terms`, ascending), `doc` (ascending within a term), `freq`."""

    terms: Sequence[bytes]
    term: Ints
    doc: Ints
    freq: Ints


def ascending(terms: Sequence[bytes]) -> Ints:
    """The order that sorts these terms, as places in them. Their first sixteen bytes decide, as two numbers, in half the time
    that comparing takes; terms that begin with the same are compared."""
    heads = np.array(terms, "S16").view(">u8").astype(np.uint64).reshape(-1, 2)
    order: Ints = np.lexsort((heads[:, 1], heads[:, 0]))
    heads = heads[order]
    same = (heads[1:] == heads[:-1]).all(axis=1)
    edges = np.flatnonzero(np.diff(same, prepend=False, append=False))
    for first, last in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
        run = order[first : last + 1]
        run[:] = sorted(run.tolist(), key=terms.__getitem__)
    return order


def combine(terms: Sequence[bytes], term: Ints, doc: Ints, freq: Ints) -> Triples:
    """Sort postings by term and document and add up those of the same pair. `terms` must be ascending.

    One key of 64 bits carries term (24 bits), document (24) and frequency (16), so that one sort does all.
    """
    if not len(term):
        return Triples(terms, term, doc, freq)
    key = (term.astype(np.uint64) << np.uint64(40)) | (doc.astype(np.uint64) << np.uint64(16))
    key |= np.minimum(freq, MOST_FREQUENT).astype(np.uint64)
    key.sort()
    pair = key >> np.uint64(16)
    first = np.flatnonzero(np.concatenate(([True], pair[1:] != pair[:-1])))
    total = np.add.reduceat((key & np.uint64(0xFFFF)).astype(np.int64), first)
    pair = pair[first]
    return Triples(
        terms, (pair >> np.uint64(24)).astype(np.int64), (pair & np.uint64(0xFFFFFF)).astype(np.int64), total
    )


def counted(terms: Sequence[bytes], term: Ints, doc: Ints) -> Triples:
    """Sort single occurrences by term and document and count those of the same pair. `terms` must be ascending."""
    key = term << 24 | doc
    key.sort()
    first = np.flatnonzero(np.concatenate(([True], key[1:] != key[:-1]))[: len(key)])
    freq = np.minimum(np.diff(first, append=len(key)), MOST_FREQUENT)
    key = key[first]
    return Triples(terms, key >> 24, key & 0xFFFFFF, freq)


def encode(rows: Triples, documents: int) -> tuple[bytes, bytes]:
    """The bytes of the terms and of the postings; terms without postings are left out. `documents` of the segment."""
    counts = (
        np.bincount(rows.term, minlength=len(rows.terms)) if len(rows.term) else np.zeros(len(rows.terms), np.int64)
    )
    used = np.flatnonzero(counts)
    words = [rows.terms[i] for i in used.tolist()]
    text = b"".join(words)
    text_end = np.cumsum(np.fromiter(map(len, words), np.int64, len(words)))
    terms = b"".join((
        TERMS_HEAD.pack(TERMS_MAGIC, len(words), len(text)), text,
        text_end.astype("<u4").tobytes(), np.cumsum(counts[used]).astype("<u4").tobytes(),
    ))  # fmt: skip
    width = 2 if documents <= 65_536 else 4
    freq = np.minimum(rows.freq, MOST_FREQUENT)
    big = np.flatnonzero(freq >= BIG)
    posts = b"".join((
        POSTS_HEAD.pack(POSTS_MAGIC, len(freq), width, len(big)),
        rows.doc.astype(f"<u{width}").tobytes(), np.minimum(freq, BIG).astype("<u1").tobytes(),
        big.astype("<u4").tobytes(), freq[big].astype("<u4").tobytes(),
    ))  # fmt: skip
    return terms, posts


class Postings:
    """The terms and postings of one segment, read in place from two buffers."""

    def __init__(self, terms: memoryview | bytes, posts: memoryview | bytes) -> None:
        try:
            magic, self.count, size = TERMS_HEAD.unpack_from(terms)
            post_magic, postings, width, big = POSTS_HEAD.unpack_from(posts)
        except struct.error as error:
            raise PostingsDamaged(str(error)) from error
        want = (TERMS_HEAD.size + size + 8 * self.count, POSTS_HEAD.size + postings * (width + 1) + 8 * big)
        if (magic, post_magic) != (TERMS_MAGIC, POSTS_MAGIC) or (len(terms), len(posts)) != want:
            raise PostingsDamaged("a segment's terms or postings do not have the form they should have")
        self._text = memoryview(terms)[TERMS_HEAD.size : TERMS_HEAD.size + size]
        ends = np.frombuffer(terms, "<u4", 2 * self.count, TERMS_HEAD.size + size)
        self._text_end, self._post_end = ends[: self.count], ends[self.count :]
        self._docs = np.frombuffer(posts, f"<u{width}", postings, POSTS_HEAD.size)
        self._freqs = np.frombuffer(posts, "<u1", postings, POSTS_HEAD.size + postings * width)
        over = np.frombuffer(posts, "<u4", 2 * big, POSTS_HEAD.size + postings * (width + 1))
        self._over_at, self._over_freq = over[:big], over[big:]
        self._heads: NDArray[np.uint64] | None = None
        """The first eight bytes of each term as a number, made when many terms are looked up at once."""

    def term_at(self, place: int) -> bytes:
        """The term at a place in the order of terms."""
        start = int(self._text_end[place - 1]) if place else 0
        return bytes(self._text[start : int(self._text_end[place])])

    def place(self, term: bytes) -> int:
        """The place of the first term that is not less than `term`."""
        low, high = 0, self.count
        if self._heads is not None:
            (low,), (high,) = self._ranges(head_numbers([term]))
        return self._place(term, low, high)

    def _place(self, term: bytes, low: int, high: int) -> int:
        """As `place`, where the answer is known to lie from `low` to `high`."""
        while low < high:
            middle = (low + high) // 2
            if self.term_at(middle) < term:
                low = middle + 1
            else:
                high = middle
        return low

    def _ranges(self, heads: NDArray[np.uint64]) -> tuple[list[int], list[int]]:
        """For each head the places of the first term that begins with it, and of the first after those."""
        if self._heads is None:
            self._heads = _heads(self._text, self._text_end)
        return self._heads.searchsorted(heads, "left").tolist(), self._heads.searchsorted(heads, "right").tolist()

    def counts(self, terms: Sequence[bytes], heads: NDArray[np.uint64]) -> dict[bytes, int]:
        """How many documents hold each of these terms, those that the segment holds; `heads` are their `head_numbers`.
        Hundreds of neighbours of one word are looked up at once: most begin like no term at all."""
        found: dict[bytes, int] = {}
        if len(terms) < MANY:
            places = [(term, self.find(term)) for term in terms]
        else:
            lows, highs = self._ranges(heads)
            near = [(t, low, high) for t, low, high in zip(terms, lows, highs, strict=True) if low < high]
            places = [(t, self._at(t, self._place(t, low, high))) for t, low, high in near]
        for term, place in places:
            if place is not None:
                found[term] = self.count_at(place)
        return found

    def _at(self, term: bytes, place: int) -> int | None:
        return place if place < self.count and self.term_at(place) == term else None

    def find(self, term: bytes) -> int | None:
        """The place of a term, `None` if the segment does not hold it."""
        return self._at(term, self.place(term))

    def count_at(self, place: int) -> int:
        """How many documents hold the term at a place."""
        return int(self._post_end[place]) - (int(self._post_end[place - 1]) if place else 0)

    def at(self, place: int) -> tuple[Ints, Floats]:
        """The document numbers (ascending) and frequencies of the term at a place."""
        start, end = int(self._post_end[place - 1]) if place else 0, int(self._post_end[place])
        return self._docs[start:end].astype(np.int64), self._frequencies(start, end).astype(np.float64)

    def with_prefix(self, prefix: bytes, limit: int) -> list[bytes]:
        """Up to `limit` terms that begin with `prefix` (not empty), the most frequent first."""
        low, high = self.place(prefix), self.place(prefix + b"\xff")
        if low >= high:
            return []
        counts = np.diff(self._post_end[low:high].astype(np.int64), prepend=int(self._post_end[low - 1]) if low else 0)
        return [self.term_at(low + int(i)) for i in np.argsort(-counts, kind="stable")[:limit]]

    def terms(self) -> list[bytes]:
        """Every term, ascending."""
        text = bytes(self._text)
        return [text[a:b] for a, b in pairwise([0, *self._text_end.tolist()])]

    def triples(self) -> Triples:
        """Every posting."""
        ends = self._post_end.astype(np.int64)
        counts: Ints = ends - np.concatenate((np.zeros(1, np.int64), ends[:-1]))[: len(ends)]
        term = np.repeat(np.arange(self.count, dtype=np.int64), counts)
        return Triples(self.terms(), term, self._docs.astype(np.int64), self._frequencies(0, len(self._docs)))

    def _frequencies(self, start: int, end: int) -> Ints:
        out = self._freqs[start:end].astype(np.int64)
        if len(self._over_at):
            low, high = np.searchsorted(self._over_at, (start, end))
            out[self._over_at[low:high].astype(np.int64) - start] = self._over_freq[low:high]
        return out


def merge(parts: Sequence[tuple[Postings, Ints]]) -> Triples:
    """The postings of several segments as one. Each part comes with its documents' new numbers, -1 for a dead one."""
    triples = [(p.triples(), numbers) for p, numbers in parts]
    terms = sorted(set().union(*(t.terms for t, _ in triples)))
    place: Callable[[bytes], int] = {term: i for i, term in enumerate(terms)}.__getitem__
    columns: list[tuple[Ints, Ints, Ints]] = []
    for rows, numbers in triples:
        doc = numbers[rows.doc]
        live = doc >= 0
        new = np.fromiter(map(place, rows.terms), np.int64, len(rows.terms))
        columns.append((new[rows.term[live]], doc[live], rows.freq[live]))
    term, doc, freq = (np.concatenate(c) for c in zip(*columns, strict=True))
    return combine(terms, term, doc, freq)


def head_numbers(terms: Sequence[bytes]) -> NDArray[np.uint64]:
    """The first eight bytes of each of a few terms as a number, zeros behind a shorter one."""
    joined = b"".join([term[:8].ljust(8, b"\0") for term in terms])
    return np.frombuffer(joined, ">u8").astype(np.uint64)


def _heads(text: memoryview, ends: NDArray[Any]) -> NDArray[np.uint64]:
    """The first eight bytes of each term, zeros behind a shorter one, as numbers in the order of the terms."""
    padded = bytes(text) + bytes(8)
    at_each = np.ndarray((len(padded) - 7,), ">u8", padded, strides=(1,))
    end = ends.astype(np.int64)
    start = np.concatenate((np.zeros(1, np.int64), end[:-1]))[: len(end)]
    beyond = (8 * (8 - np.minimum(end - start, 8))).astype(np.uint64)
    heads: NDArray[np.uint64] = at_each[start].astype(np.uint64) >> beyond << beyond
    return heads
