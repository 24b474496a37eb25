"""A query's words as weighted index terms: stop words, stems, identifiers and their parts, prefixes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from core.frozen import dataclass
from core.ports import Query, Term, TermKind
from indexes import weights
from indexes.analyzer import Analyzer, Share, fold, tokenize
from indexes.foreign_words import language_of, stops_of
from indexes.inflections import forms
from indexes.snapshot import Snapshot
from indexes.spelling import readings
from indexes.words import stop_words

MENDED = 4
"""Unknown words of one cue that are looked at for a slip of the finger; one while it is still being typed."""
INFLECTED = 12
"""Words of one cue whose other forms are looked for."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """One index term of a query."""

    term: bytes
    weight: float
    label: str
    """The query's own word."""
    whole: bool
    """False for a part of an identifier."""
    read: str = ""
    """The word it was read as, where no record holds the query's own."""
    forms: tuple[bytes, ...] = ()
    """Terms that are other forms of the same word: what holds one of them holds the word."""


def wanted(query: Query, analyzer: Analyzer, snapshot: Snapshot) -> list[Wanted]:
    """The distinct index terms of a query, the heavier of two equal ones. Words that carry nothing are left out if
    anything remains."""
    stops = stop_words()
    language = language_of([t.text.casefold() for t in query.terms if t.kind is TermKind.WORD], stops)
    stops |= stops_of(language)
    carrying = [t for t in query.terms if t.kind is not TermKind.WORD or not _is_stop(t.text, stops)]
    best: dict[bytes, Wanted] = {}
    # the words of another language are none of ours misspelt; each look costs some milliseconds
    looks = 0 if language else MENDED if query.deep else 1
    inflected = INFLECTED
    for term in carrying or query.terms:
        own = list(_of_term(term, analyzer, snapshot))
        unknown = _unknown(term, own, snapshot)
        if inflected and len(own) == 1 and term.kind is TermKind.WORD and (language or unknown):
            inflected -= 1
            own = [replace(own[0], forms=tuple(forms(term.text, language, analyzer, snapshot)))]
            unknown = unknown and not own[0].forms
        if looks and unknown:
            looks -= 1
            own = _misspelt(term, analyzer, snapshot) or own
        for item in own:
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


def _unknown(term: Term, own: list[Wanted], snapshot: Snapshot) -> bool:
    """True for a plain word that no turn holds."""
    return term.kind is TermKind.WORD and len(own) == 1 and not snapshot.holds(own[0].term)


def _misspelt(term: Term, analyzer: Analyzer, snapshot: Snapshot) -> list[Wanted]:
    """The terms of the words that an unknown word may be misspelt for."""
    weight = term.weight * weights.MISSPELT
    found = readings(term.text, analyzer, snapshot)
    return [Wanted(r.term, weight, term.text, n == 0, r.word) for n, r in enumerate(found)]


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
