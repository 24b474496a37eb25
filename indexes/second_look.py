"""A second look at the best few candidates, where words fit badly: their best passages read by a better encoder.

Too slow for every record, so it reads two passages each of the first six, keeps the vectors by the hash of their text,
and moves candidates among themselves only. How much is read is bounded by count, never by the clock: the same question has
the same answer on a slow machine. Nothing happens without the optional encoder.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from core.ports import Embedder, Hit, Passage, Query
from core.records.model import Turn
from indexes import weights
from indexes.bi_encoder import BiEncoder
from indexes.foreign_words import foreign_stops
from indexes.home import IndexHome
from indexes.words import stop_words

PASSAGES = 2
"""Passages of each."""
WIDTH = 360
"""Characters of a passage around the cue's words: what the encoder reads at most."""
KEPT = 20_000
"""Vectors that are kept (800 bytes each); the oldest make room."""
READ_BACK = "float16"
"""How a vector is kept. One that was made a moment ago is rounded the same way, so that answers do not depend on it."""

Opens = Callable[[Hit, Passage], Sequence[Turn]]
"""The turns at a passage of a hit."""


class SecondLook:
    """The second look of one index."""

    def __init__(self, home: IndexHome, encoder: Embedder | None = None) -> None:
        self._encoder: Embedder = encoder or BiEncoder()
        self._name = self._encoder.name()
        self._store = _Vectors(home, self._name)

    def looked(self, query: Query, hits: tuple[Hit, ...], fit: float, opens: Opens) -> tuple[Hit, ...]:
        """The hits in the order that a second look gives; as they stand where it has nothing to say.

        `fit` is how well words fit the best candidate by words.
        """
        if not self._name or len(hits) < 2 or fit >= weights.MEANING_BELOW_FIT or not reads(query.sentence):
            return hits
        best = hits[: weights.SECOND_AMONG]
        texts = [passage_texts(hit, opens) for hit in best]
        vectors = self._encoded([query.sentence, *(text for own in texts for text in own)])
        asked, rest = vectors[0], vectors[1:]
        near: list[float | None] = []
        for own in texts:
            likeness = [float(vector @ asked) for vector in rest[: len(own)]]
            near.append(max(likeness) if likeness else None)
            rest = rest[len(own) :]
        return (*reordered(best, near, fit), *hits[weights.SECOND_AMONG :])

    def _encoded(self, texts: Sequence[str]) -> list[Any]:
        """The vectors of the texts, those that are kept from the store."""
        import numpy as np

        digests = [hashlib.blake2b(t.encode("utf-8", "replace"), digest_size=16).digest() for t in texts]
        known = self._store.get(digests)
        fresh = {d: t for d, t in zip(digests, texts, strict=True) if d not in known}
        if fresh:
            made = np.asarray(self._encoder.encode(list(fresh.values())), np.float32).astype(READ_BACK)
            new = {d: row.tobytes() for d, row in zip(fresh, made, strict=True)}
            self._store.put(new)
            known |= new
        return [np.frombuffer(known[d], READ_BACK).astype(np.float32) for d in digests]


def reads(sentence: str) -> bool:
    """True for a cue that an English encoder can read: at least two words, none of another script or language."""
    words = sentence.casefold().split()
    letters = [c for c in sentence if c.isalpha()]
    if len(words) < 2 or not letters or sum(c.isascii() for c in letters) < 0.95 * len(letters):
        return False
    return not foreign_stops(words, stop_words())


def reordered(hits: Sequence[Hit], near: Sequence[float | None], fit: float) -> list[Hit]:
    """The hits by their score and by what the second look says, which weighs more the worse words fit.

    One without a passage that could be read counts as the middle one. A hit that was given its place (by meaning) has
    the score of the one behind it.
    """
    told = sorted(n for n in near if n is not None)
    if len(told) < 2:
        return list(hits)
    middle = told[len(told) // 2]
    base, least = [0.0] * len(hits), 0.0
    for place in range(len(hits) - 1, -1, -1):
        base[place] = least = max(least, hits[place].score)
    top = base[0] or 1.0
    share = weights.SECOND * (1.0 - fit)
    likeness = [middle if n is None else n for n in near]
    score = [base[n] / top + share * likeness[n] for n in range(len(hits))]
    order = sorted(range(len(hits)), key=lambda n: (-score[n], n))
    return [replace(hits[n], score=score[n]) for n in order]


def passage_texts(hit: Hit, opens: Opens) -> list[str]:
    """The texts of a hit that are read: where its words stand best, and the turn that means the most."""
    worded = [p for p in hit.passages if p.terms]
    meant = [p for p in hit.passages if not p.terms]
    chosen = [*worded[:1], *meant[:1], *worded[1:]][:PASSAGES]
    found = []
    for passage in chosen:
        talk = [t for t in opens(hit, passage) if t.text.strip()]
        spoken = [t for t in talk if t.start == passage.start and t.origin is passage.origin] or talk
        if spoken:
            found.append(around(max(spoken, key=lambda t: _words_in(t.text, passage.terms)).text, passage.terms))
    return found


def _words_in(text: str, words: Sequence[str]) -> int:
    folded = text.casefold()
    return sum(_stub(word) in folded for word in words)


def _stub(word: str) -> str:
    """The beginning of a word that its inflections share."""
    return word.casefold()[: max(4, len(word) - 3)]


def around(text: str, words: Sequence[str]) -> str:
    """`WIDTH` characters of a text where most different words stand, the first such place; its beginning without any."""
    text = " ".join(text.split())
    if len(text) <= WIDTH:
        return text
    folded = text.casefold()[: len(text)]
    marks = sorted((at, n) for n, word in enumerate(words) for at in _places(folded, _stub(word)))
    best, start = 0, 0
    for first, (at, _) in enumerate(marks):
        inside = {n for place, n in marks[first : first + 64] if place < at + WIDTH * 2 // 3}
        if len(inside) > best:
            best, start = len(inside), max(0, at - WIDTH // 4)
    start = text.rfind(" ", 0, start) + 1 if start else 0
    return text[start : start + WIDTH]


def _places(text: str, part: str) -> Iterator[int]:
    at = text.find(part)
    seen = 0
    while at >= 0 and seen < 64:
        yield at
        seen += 1
        at = text.find(part, at + 1)


class _Vectors:
    """Vectors by the hash of their text, in the folder of the index; everything in it can be deleted."""

    def __init__(self, home: IndexHome, encoder: str) -> None:
        self._home, self._encoder = home, encoder
        self._file: Path = home.path / "second-look.sqlite"

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        if not self._file.exists():
            os.close(os.open(self._file, os.O_RDWR | os.O_CREAT, 0o600))
        with closing(sqlite3.connect(self._file, timeout=1, isolation_level=None)) as db:
            db.execute("pragma journal_mode=wal")
            db.execute("create table if not exists vectors (digest blob primary key, encoder text, vector blob)")
            yield db

    def get(self, digests: Sequence[bytes]) -> dict[bytes, bytes]:
        """Those that are kept; none where the store cannot be read, for they can all be made again."""
        if not self._file.exists():
            return {}
        marks = ",".join("?" * len(digests))
        try:
            with self._open() as db:
                rows = db.execute(
                    f"select digest, vector from vectors where encoder = ? and digest in ({marks})",  # noqa: S608 marks only
                    (self._encoder, *digests),
                )
                return {bytes(digest): bytes(vector) for digest, vector in rows}
        except (sqlite3.Error, OSError):
            return {}

    def put(self, vectors: dict[bytes, bytes]) -> None:
        """Keep these; a store that cannot be written, or is in use or damaged, costs the time to make them again."""
        if not self._home.writable() or not self._home.path.is_dir():
            return
        try:
            with self._open() as db:
                rows = [(digest, self._encoder, vector) for digest, vector in vectors.items()]
                db.execute("begin immediate")
                db.executemany("insert or replace into vectors values (?, ?, ?)", rows)
                db.execute(
                    "delete from vectors where rowid <= (select max(rowid) from vectors) - ?",
                    (KEPT,),
                )
                db.execute("commit")
        except (sqlite3.OperationalError, OSError):
            return
        except sqlite3.DatabaseError:
            self._file.unlink(missing_ok=True)  # no database any more; the next cue begins a new one
