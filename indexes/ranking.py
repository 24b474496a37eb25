"""Scores sessions for a query: BM25 of the session, of its best three neighbouring turns, and the small fields.

All three granularities are computed exactly from the one turn-level index. idf is Whoosh's: `log(N / (n + 1)) + 1`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import field, replace

import numpy as np

from core.frozen import dataclass
from core.ports import Query
from core.records.model import Origin
from indexes import weights
from indexes.dates import date_keys, date_scores, window_scores
from indexes.drafts import ORIGINS
from indexes.postings import Floats, Ints
from indexes.query_terms import Wanted
from indexes.sessions import Bools
from indexes.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Found:
    """A ranked session."""

    number: int
    """Its dense number in the snapshot."""
    score: float
    fit: float
    passages: tuple[tuple[int, float, tuple[str, ...]], ...]
    """(position, score, words found there), best first."""
    labels: tuple[str, ...]
    """The query's words found in the record, in the query's order."""
    held: float = 0.0
    """As in `core.ports.Hit`."""
    read_as: tuple[tuple[str, str], ...] = ()
    """As in `core.ports.Hit`."""


@dataclass(slots=True)
class Scores:
    """What the terms of a query add up to."""

    session: Floats
    window: Floats
    """By the middle turn's position."""
    turn: Floats
    held_session: Floats
    """idf weight of the distinct words that the session holds."""
    held_window: Floats
    total: float = 0.0
    """idf weight of every word of the query."""
    postings: list[tuple[Wanted, Ints]] = field(default_factory=list)


def idf(documents: int, holding: int) -> float:
    """Whoosh's inverse document frequency."""
    return math.log(max(documents, 1) / (holding + 1)) + 1


def bm25(frequency: Floats, norm: Floats) -> Floats:
    """The part of BM25 that saturates; `norm` is K1 times the length part."""
    out: Floats = frequency * (weights.K1 + 1) / (frequency + norm)
    return out


def accumulate(wanted: Sequence[Wanted], snapshot: Snapshot, query: Query, turns: Bools | None) -> Scores:
    """Add up every term's part at every granularity."""
    size, sessions = len(snapshot.session), len(snapshot.sessions)
    scores = Scores(np.zeros(sessions), np.zeros(size), np.zeros(size), np.zeros(sessions), np.zeros(size))
    session_norm, window_norm, turn_norm = snapshot.norms
    for item in wanted:
        positions, frequency = _held_by(item, snapshot)
        if turns is not None:
            keep = turns[positions]
            positions, frequency = positions[keep], frequency[keep]
        rarity = item.weight * max(idf(size, len(positions)), 0.1)
        if item.whole or len(positions):
            scores.total += rarity
        if not len(positions):
            continue
        scores.postings.append((item, positions))
        frequency = np.where(snapshot.handed_over[positions], frequency * weights.HANDED_OVER, frequency)
        if query.speaker is not None:
            said = (snapshot.origin[positions] & 7) == ORIGINS.index(query.speaker)
            frequency = np.where(said, frequency, frequency * weights.OTHER_SPEAKER)
        scores.turn[positions] += rarity * bm25(frequency, turn_norm[positions])
        holding, total = _sums(snapshot.session[positions], frequency)
        per_session = item.weight * max(idf(snapshot.searchable, len(holding)), 0.1)
        coined = 1.0 + weights.COINED * _coined(total)
        scores.session[holding] += per_session * bm25(total, session_norm[holding]) * coined
        scores.held_session[holding] += rarity
        middles, around = _windows(positions, frequency, snapshot)
        per_window = item.weight * max(idf(size, len(middles)), 0.1)
        part = per_window * bm25(around, window_norm[middles])
        if coined.max() > 1.0:
            part *= coined[np.searchsorted(holding, snapshot.session[middles])]
        scores.window[middles] += part
        scores.held_window[middles] += rarity
    return scores


def _held_by(item: Wanted, snapshot: Snapshot) -> tuple[Ints, Floats]:
    """The positions that hold a word or one of its other forms, and its frequencies."""
    positions, frequency = snapshot.postings(item.term)
    if not item.forms:
        return positions, frequency
    found = [(positions, frequency)]
    for form in item.forms:
        others, times = snapshot.postings(form)
        found.append((others, times * weights.INFLECTED))
    positions, frequency = (np.concatenate(parts) for parts in zip(*found, strict=True))
    if not len(positions):
        return positions, frequency
    order = np.argsort(positions, kind="stable")
    return _sums(positions[order], frequency[order])


def _coined(total: Floats) -> Floats:
    """How far a term is coined in each session that holds it (0 to 1): said there again and again, hardly elsewhere."""
    ratio = total / (1.0 + total.sum() - total)
    often = total >= weights.COINED_TIMES
    out: Floats = np.where(often, np.clip(ratio / weights.COINED_RATIO - 1.0, 0.0, 1.0), 0.0)
    return out


def _sums(keys: Ints, values: Floats) -> tuple[Ints, Floats]:
    """Ascending keys made distinct, with the sums of their values."""
    first = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
    return keys[first], np.add.reduceat(values, first)


def _windows(positions: Ints, frequency: Floats, snapshot: Snapshot) -> tuple[Ints, Floats]:
    """The middles of the three-turn windows that hold a term, with its frequency in the whole window."""
    own = snapshot.session
    before, after = positions - 1, positions + 1
    ok_before = (before >= 0) & (own[before] == own[positions])
    ok_after = after < len(own)
    ok_after[ok_after] = own[after[ok_after]] == own[positions[ok_after]]
    keys = np.concatenate((positions, before[ok_before], after[ok_after]))
    values = np.concatenate((frequency, frequency[ok_before], frequency[ok_after]))
    order = np.argsort(keys, kind="stable")
    return _sums(keys[order], values[order])


def rank(
    query: Query, wanted: Sequence[Wanted], snapshot: Snapshot, allowed: Bools, turns: Bools | None
) -> list[Found]:
    """The best sessions, best first."""
    scores = accumulate(wanted, snapshot, query, turns)
    best_window, middle = _best_windows(scores.window, snapshot)
    titles, places = _field_scores(wanted, snapshot)
    dated = date_scores(date_keys(t.text for t in query.terms), snapshot.sessions)
    timed = window_scores(query.windows, snapshot.sessions)
    reached = (scores.session > 0) | (titles > 0) | (places > 0)
    if not reached.any():
        reached = (dated > 0) | (timed > 0)
    if not (query.terms or query.windows):  # conditions alone: what fulfils them, newest first
        reached = np.ones(len(snapshot.sessions), np.bool_)
    score = weights.SESSION * _share(scores.session, allowed) + weights.WINDOW * _share(best_window, allowed)
    score = score + weights.TITLE * titles + weights.PLACE * places
    score = score + weights.DATE * _share(dated, allowed) + weights.TIME * timed
    said = _said(scores.turn, snapshot)
    score *= snapshot.factors * said
    candidates = np.flatnonzero(allowed & reached)
    order = np.lexsort((-np.nan_to_num(snapshot.sessions.ended[candidates]), -score[candidates]))
    out: list[Found] = []
    for number in candidates[order[: query.limit]].tolist():
        fit = _fit(scores, number, int(middle[number]), float(snapshot.session_lengths[number])) * float(said[number])
        fit = max(fit, float(titles[number]))
        found = _found(number, float(score[number]), fit, scores, snapshot)
        out.append(replace(found, held=_held(scores, int(middle[number]))))
    return out


def _best_windows(window: Floats, snapshot: Snapshot) -> tuple[Floats, Ints]:
    """For each session the score and the middle of its best window; 0 and -1 if none."""
    sessions = len(snapshot.sessions)
    best, middle = np.zeros(sessions), np.full(sessions, -1, np.int64)
    hit = np.flatnonzero(window)
    np.maximum.at(best, snapshot.session[hit], window[hit])
    at_best = hit[window[hit] == best[snapshot.session[hit]]]
    middle[snapshot.session[at_best[::-1]]] = at_best[::-1]
    return best, middle


def _said(turn: Floats, snapshot: Snapshot) -> Floats:
    """For each session a factor: less than 1 as far as the words stand in turns that only ask."""
    hit = np.flatnonzero(turn)
    sessions, inside = snapshot.session[hit], turn[hit]
    size = len(snapshot.sessions)
    whole = np.bincount(sessions, inside, size)
    asked = np.bincount(sessions, np.where(snapshot.asks[hit], inside, 0.0), size)
    share = np.divide(asked, whole, out=np.zeros(size), where=whole > 0)
    free = weights.ASKED_FREE
    out: Floats = 1.0 - weights.ASKED_ONLY * np.maximum(share - free, 0.0) / (1.0 - free)
    return out


def _field_scores(wanted: Sequence[Wanted], snapshot: Snapshot) -> tuple[Floats, Floats]:
    """For each session the share of the words' weight that its title and its place hold, rarer words weighing more."""
    sessions = snapshot.sessions
    titles, places = np.zeros(len(sessions)), np.zeros(len(sessions))
    if not wanted:
        return titles, places
    total = 0.0
    for item in wanted:
        terms = [term.decode("utf-8", "replace") for term in (item.term, *item.forms)]
        for out, texts in zip((titles, places), snapshot.fields, strict=True):
            holding = texts.holding(terms)
            weight = item.weight * max(idf(len(sessions), len(holding)), 0.1)
            total += weight if out is titles else 0.0
            out[holding] += weight
    top = max(total, 1e-9)
    return titles / top, places / top


def _share(values: Floats, allowed: Bools) -> Floats:
    """Values divided by the greatest of those allowed."""
    top = float(values[allowed].max(initial=0.0))
    return values / top if top > 0 else values


def _fit(scores: Scores, number: int, middle: int, length: float) -> float:
    """How much of the cue's weight the best window holds; what stands elsewhere counts less, the longer the record."""
    if scores.total <= 0:
        return 1.0
    near = float(scores.held_window[middle]) if middle >= 0 else 0.0
    elsewhere = max(float(scores.held_session[number]) - near, 0.0)
    by_chance = math.sqrt(weights.ORDINARY_LENGTH / max(length, weights.ORDINARY_LENGTH))
    return min(1.0, (near + weights.FIT_SESSION * by_chance * elsewhere) / scores.total)


def _held(scores: Scores, middle: int) -> float:
    """The rarity of the words in the best window, in words that no turn holds."""
    return float(scores.held_window[middle]) / idf(len(scores.window), 0) if middle >= 0 else 0.0


def _found(number: int, score: float, fit: float, scores: Scores, snapshot: Snapshot) -> Found:
    first, last = int(snapshot.first[number]), int(snapshot.first[number + 1])
    inside = scores.turn[first:last]
    best = np.argsort(-inside, kind="stable")[: weights.PASSAGES]
    chosen = [first + int(i) for i in best if inside[i] > 0]
    here: dict[int, list[str]] = {p: [] for p in chosen}
    labels: list[str] = []
    for item, positions in scores.postings:
        low, high = np.searchsorted(positions, (first, last))
        if low == high:
            continue
        labels.append(item.label)
        held = set(positions[low:high].tolist())
        for position in chosen:
            if position in held:
                here[position].append(item.label)
    read = [(i.label, i.read) for i, at in scores.postings if i.read and _inside(at, first, last)]
    passages = tuple((p, float(scores.turn[p]), tuple(dict.fromkeys(here[p]))) for p in chosen)
    return Found(number, score, fit, passages, tuple(dict.fromkeys(labels)), read_as=tuple(read))


def _inside(positions: Ints, first: int, last: int) -> bool:
    low, high = np.searchsorted(positions, (first, last))
    return bool(low < high)


def origin_of(code: int) -> Origin:
    """The origin that a position's code says."""
    return ORIGINS[code & 7]
