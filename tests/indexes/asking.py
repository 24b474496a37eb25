"""Short ways to ask an index in tests."""

from __future__ import annotations

from typing import Any

from core.ports import Query, Term, TermKind
from indexes.whoosh_index import WhooshIndex


def query(text: str = "", *, kind: TermKind = TermKind.WORD, **parts: Any) -> Query:
    return Query(tuple(Term(word, 1.0, kind) for word in text.split()), **parts)


def ids(index: WhooshIndex, text: str = "", **parts: Any) -> list[str]:
    return [hit.entry.spine.session_id for hit in index.search(query(text, **parts))]


def exactly(index: WhooshIndex, text: str, **parts: Any) -> list[tuple[Any, ...]]:
    """Everything a search says, with rounded scores, so that two indexes can be compared."""
    return [
        (h.entry.spine.session_id, round(h.score, 9), round(h.fit, 9), h.terms,
         tuple((p.line, p.start, p.end, p.origin, p.at, round(p.score, 9), p.terms) for p in h.passages))
        for h in index.search(query(text, **parts))
    ]  # fmt: skip
