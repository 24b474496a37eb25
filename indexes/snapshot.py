"""The index as of one moment, ready to be scored: every visible turn in the order of its session, as arrays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from core.records.model import WRITTEN, Origin, Role
from indexes import weights
from indexes.arrays import NDArray
from indexes.catalog import Catalog
from indexes.damage import IndexDamaged
from indexes.drafts import ASKS, COPIED, ORIGINS, SUMMARY
from indexes.field_texts import FieldTexts
from indexes.home import IndexHome
from indexes.postings import Floats, Ints, head_numbers
from indexes.rows import Row
from indexes.segments import LENGTH_OF_BYTE, SegmentFolder, SegmentView, live_documents
from indexes.sessions import Bools, Sessions, sessions_of

_ATTEMPTS = 8
_START_BITS = 42
"""Bits for the place of a turn in its record (4 TB) in a number that orders turns; two million records fit beside."""


class Snapshot:
    """Immutable once made; may be searched by several threads. `positions` number the visible turns, session by session
    and in the order of the record."""

    def __init__(self, version: int, sessions: Sessions, views: Sequence[SegmentView]) -> None:
        self.version = version
        self.rows: dict[int, Row] = {}
        """Rows of the catalog that were read for it, by dense session number; whoever searches adds to them."""
        self.sessions = sessions
        self.views = tuple(views)
        counts = [v.segment.documents for v in self.views]
        self._bases = np.cumsum([0, *counts])
        dense, start = self._locate()
        documents = np.flatnonzero(dense >= 0)
        self._documents = documents[_in_order(dense[documents], start[documents])]
        """Global document number of each position."""
        self.position_of: Ints = np.full(int(self._bases[-1]), -1, np.int64)
        self.position_of[self._documents] = np.arange(len(self._documents))
        self.session: Ints = dense[self._documents]
        """Dense session number of each position."""
        self.first: Ints = np.searchsorted(self.session, np.arange(len(sessions) + 1))
        """First position of each session, and one past the last."""
        self.any_hidden = len(self._documents) != len(self.position_of)
        self.lengths: Floats = self._column_of(lambda v: LENGTH_OF_BYTE[v.lengths]).astype(np.float64)

    def _locate(self) -> tuple[Ints, Ints]:
        """For each document its dense session number, -1 if it is not to be seen, and its line's first byte."""
        sessions = self.sessions
        if not self.views:
            return np.zeros(0, np.int64), np.zeros(0, np.int64)
        ordinal, start, origin, uid = (self._joined(n) for n in ("ordinal", "start", "origin", "uid"))
        dense = np.minimum(np.searchsorted(sessions.ordinals, ordinal), max(len(sessions) - 1, 0))
        seen = np.concatenate([live_documents(v) for v in self.views])
        if not len(sessions):
            return np.full(len(ordinal), -1, np.int64), start
        seen &= (sessions.ordinals[dense] == ordinal) & (start < sessions.upto[dense])
        seen &= ~(((origin & COPIED) != 0) & sessions.original_known[dense])
        seen &= ~self._repeated(dense, uid, seen)
        return np.where(seen, dense, -1), start

    def _repeated(self, dense: Ints, uid: Ints, seen: Bools) -> Bools:
        """Turns that an earlier record of the same past holds: same id of the first turn, same id of this turn."""
        sessions = self.sessions
        repeated = np.zeros(len(dense), np.bool_)
        member = sessions.shared
        if not member.any():
            return repeated
        by_age = sorted(
            np.flatnonzero(member).tolist(),
            key=lambda i: (bool(sessions.gone[i]), _or_last(np.float64(sessions.ended[i])), sessions.paths[i]),
        )
        age = np.zeros(len(sessions), np.int64)
        age[by_age] = np.arange(len(by_age))
        documents = np.flatnonzero(member[dense] & seen & (uid != 0))
        documents = documents[np.argsort(age[dense[documents]], kind="stable")]
        _, first = np.unique(uid[documents], return_index=True)
        repeated[documents] = True
        repeated[documents[first]] = False
        # a record may hold several turns of one id (parts of one message); those of the first record stay
        kept_in = dict(zip(uid[documents[first]].tolist(), dense[documents[first]].tolist(), strict=True))
        for document in documents.tolist():
            if kept_in[int(uid[document])] == dense[document]:
                repeated[document] = False
        return repeated

    def _joined(self, name: str) -> Ints:
        return np.concatenate([v.columns[name].astype(np.int64) for v in self.views])

    def _column_of(self, values: Callable[[SegmentView], NDArray[Any]]) -> NDArray[Any]:
        if not self.views:
            return np.zeros(0)
        return np.concatenate([values(v) for v in self.views])[self._documents]

    @cached_property
    def origin(self) -> Ints:
        """Origin and flags of each position."""
        return self._column("origin").astype(np.int64)

    @cached_property
    def at(self) -> Floats:
        """Time of each position, NaN where unknown."""
        return self._column("at").astype(np.float64)

    @cached_property
    def asks(self) -> Bools:
        """Positions of turns that only ask."""
        marked: Bools = (self.origin & ASKS) != 0
        return marked

    @cached_property
    def handed_over(self) -> Bools:
        """Positions of text that a runtime wrote in the person's place: a plan handed over, a summary."""
        written: Bools = ((self.origin & 7) == ORIGINS.index(Origin.INJECTED)) | ((self.origin & SUMMARY) != 0)
        return written

    def spot(self, position: int) -> tuple[int, int, int]:
        """Line, first byte and end of the line of a position."""
        document = int(self._documents[position])
        segment = int(np.searchsorted(self._bases, document, "right")) - 1
        columns, place = self.views[segment].columns, document - int(self._bases[segment])
        start = int(columns["start"][place])
        return int(columns["line"][place]), start, start + int(columns["size"][place])

    def _column(self, name: str) -> NDArray[Any]:
        return self._column_of(lambda v: v.columns[name])

    @cached_property
    def session_lengths(self) -> Floats:
        """Terms of each session."""
        return np.bincount(self.session, self.lengths, len(self.sessions)).astype(np.float64)

    @cached_property
    def norms(self) -> tuple[Floats, Floats, Floats]:
        """BM25's length part for sessions, windows (by their middle turn) and turns."""
        whole, own = self.session_lengths, self.lengths
        around = own.copy()
        same = self.session[1:] == self.session[:-1]
        around[1:] += np.where(same, own[:-1], 0)
        around[:-1] += np.where(same, own[1:], 0)
        live = whole[whole > 0]
        return (
            _norm(whole, weights.B_SESSION, live),
            _norm(around, weights.B_WINDOW, around),
            _norm(own, weights.B_TURN, own),
        )

    @cached_property
    def fields(self) -> tuple[FieldTexts, FieldTexts]:
        """The titles and the places of the sessions."""
        return self.sessions.titles, self.sessions.places

    @cached_property
    def written(self) -> Bools:
        """Records that are no sessions: commits, tags, notes."""
        return self.sessions.of_role(*WRITTEN)

    @cached_property
    def originals(self) -> Bools:
        """Sessions that do not repeat their parent's."""
        return ~self.sessions.of_role(Role.COPY)

    @cached_property
    def factors(self) -> Floats:
        """What the kind of each session, and an extraordinary length, takes from its score."""
        factor = self.sessions.by_role(weights.BY_ROLE, 1.0)
        factor = np.where(self.sessions.robot, factor * weights.ROBOT, factor)
        over = np.log(np.maximum(self.session_lengths / weights.ORDINARY_LENGTH, 1.0))
        return factor * np.maximum(1.0 - weights.MARATHON * over, 0.5)

    @cached_property
    def searchable(self) -> int:
        """Sessions with a visible turn."""
        return int((self.session_lengths > 0).sum())

    def postings(self, term: bytes) -> tuple[Ints, Floats]:
        """Ascending positions that hold a term, and its frequencies."""
        found: list[tuple[Ints, Floats]] = []
        for base, view in zip(self._bases.tolist(), self.views, strict=False):
            place = view.postings.find(term)
            if place is not None:
                documents, frequencies = view.postings.at(place)
                found.append((self.position_of[documents + base], frequencies))
        if not found:
            return np.zeros(0, np.int64), np.zeros(0)
        positions, frequencies = (np.concatenate(c) for c in zip(*found, strict=True))
        if self.any_hidden:
            seen = positions >= 0
            positions, frequencies = positions[seen], frequencies[seen]
        if len(positions) > 1 and (positions[1:] < positions[:-1]).any():
            order = np.argsort(positions, kind="stable")
            positions, frequencies = positions[order], frequencies[order]
        return positions, frequencies

    def holding(self, terms: Sequence[bytes]) -> dict[bytes, int]:
        """How many turns hold each of these terms, those that any does (hidden turns included)."""
        found: Counter[bytes] = Counter()
        distinct = list(set(terms))
        heads = head_numbers(distinct)
        for view in self.views:
            found.update(view.postings.counts(distinct, heads))
        return dict(found)

    def holds(self, term: bytes) -> bool:
        """Whether any turn holds a term (hidden turns included)."""
        return any(view.postings.find(term) is not None for view in self.views)

    def with_prefix(self, prefix: bytes, limit: int) -> list[bytes]:
        """Terms that begin with `prefix`, the most frequent of each segment first."""
        if not prefix:
            return []
        found = [term for view in self.views for term in view.postings.with_prefix(prefix, limit)]
        return [term for term, _ in Counter(found).most_common(limit)]


def load(home: IndexHome) -> Snapshot:
    """Read the catalog and the segments as of one commit. Raises one of `WHOOSH_DAMAGE` if they do not fit."""
    folder = SegmentFolder(home.segments)
    problem: Exception = IndexDamaged("the index kept changing while it was opened")
    for _ in range(_ATTEMPTS):
        with Catalog(home.path) as catalog:
            with catalog.reading():
                meta = catalog.meta()
                sessions = sessions_of(catalog, home, meta.get("version", 0))
            wanted = meta.get("generation", -1)
            try:
                generation, segments = folder.read()
                if generation < wanted:
                    raise IndexDamaged("the catalog is newer than the segments")
                if generation > wanted + 1 and meta != catalog.meta():
                    continue  # two commits have passed: what this catalog shows may be gone
                if generation == wanted > 0 and folder.checksum(generation) != meta.get("checksum"):
                    raise IndexDamaged("the list of segments does not match its checksum")
                return Snapshot(meta.get("version", 0), sessions, [folder.open(s) for s in segments])
            except FileNotFoundError as error:
                problem = error  # a commit by another process may have removed it; look again
    raise problem


def _in_order(dense: Ints, start: Ints) -> Ints:
    """The order by session and then by byte. Documents lie in runs that are in order already, of which one sort by one key
    makes use; where both do not fit into a number, they are sorted by two."""
    if len(dense) and (int(dense.max()) >= 1 << (63 - _START_BITS) or int(start.max()) >= 1 << _START_BITS):
        return np.lexsort((start, dense))
    return np.argsort((dense << _START_BITS) | start, kind="stable")


def _norm(lengths: Floats, b: float, over: Floats) -> Floats:
    mean = float(over.mean()) if len(over) else 1.0
    return weights.K1 * ((1 - b) + b * lengths / max(mean, 1.0))


def _or_last(value: np.float64) -> float:
    return float("inf") if np.isnan(value) else float(value)
