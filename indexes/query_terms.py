"""A query's words as weighted index terms: stop words, stems, identifiers and their parts, prefixes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from core.ports import Query, Term, TermKind
from indexes import weights
from indexes.analyzer import Analyzer, Share, fold, tokenize
from indexes.foreign_words import foreign_stops
from indexes.snapshot import Snapshot
from indexes.words import stop_words


@dataclass(frozen=True, slots=True)
class Wanted:
    """One index term of a query."""

    term: bytes
    weight: float
    label: str
    """The query's own word."""
    whole: bool
    """False for a part of an identifier."""


def wanted(query: Query, analyzer: Analyzer, snapshot: Snapshot) -> list[Wanted]:
    """The distinct index terms of a query, the heavier of two equal ones. Words that carry nothing are left out if
    anything remains."""
    stops = stop_words()
    stops |= foreign_stops([t.text.casefold() for t in query.terms if t.kind is TermKind.WORD], stops)
    carrying = [t for t in query.terms if t.kind is not TermKind.WORD or not _is_stop(t.text, stops)]
    best: dict[bytes, Wanted] = {}
    for item in (w for t in carrying or query.terms for w in _of_term(t, analyzer, snapshot)):
        known = best.get(item.term)
        if known is None or item.weight > known.weight:
            best[item.term] = item
    return list(best.values())


def whole_terms(text: str, analyzer: Analyzer) -> list[bytes]:
    """The index terms that stand for the whole words of a text, for conditions (phrases, exclusions)."""
    pieces = (p for raw in tokenize(text) for p in analyzer.pieces(raw))
    return list(dict.fromkeys(_bytes(p.term) for p in pieces if p.share is not Share.PART))


def _is_stop(text: str, stops: frozenset[str]) -> bool:
    words = text.casefold().replace("’", "'").split("'")
    return all(word in stops or fold(word) in stops for word in words if word)


def _of_term(term: Term, analyzer: Analyzer, snapshot: Snapshot) -> Iterable[Wanted]:
    """The index terms of one query term."""
    raws = tokenize(term.text)
    if term.kind is TermKind.PREFIX:
        for raw in raws[-1:]:
            found = snapshot.with_prefix(_bytes(fold(raw)), weights.PREFIX_LIMIT)
            yield from (Wanted(t, term.weight * weights.PREFIX, term.text, True) for t in found)
    for raw in raws:
        pieces = analyzer.pieces(raw)
        has_parts = any(p.share is Share.PART for p in pieces)
        for piece in pieces:
            factor = 1.0
            if piece.share is Share.PART:
                factor = weights.IDENTIFIER_PART
            elif piece.share is Share.GRAM:
                factor = weights.GRAM
            elif has_parts:
                factor = weights.IDENTIFIER_WHOLE
            label = term.text
            yield Wanted(_bytes(piece.term), term.weight * factor, label, piece.share is not Share.PART)
        if len(pieces) == 1 and pieces[0].share is Share.GRAM and len(pieces[0].term) == 1:
            found = snapshot.with_prefix(_bytes(pieces[0].term), weights.PREFIX_LIMIT)
            yield from (Wanted(t, term.weight * weights.GRAM, term.text, True) for t in found)


def _bytes(term: str) -> bytes:
    return term.encode("utf-8", "surrogatepass")
