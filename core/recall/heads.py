"""Ranking records by their heads alone: what a recall works from before an index exists."""

from __future__ import annotations

import math
from collections.abc import Sequence

from core.ports import Entry, Hit, Query
from core.recall.boundary import passes, within
from core.recall.search import Lead


def rank_heads(entries: Sequence[Entry], query: Query) -> Sequence[Hit]:
    """Records whose title, first prompt, folder or branch hold words of the query, best first.

    Weighted by how rare a word is among these heads. Without words: newest first. Filters and excluded paths hold.
    """
    kept = [e for e in entries if e.source.path not in query.excluded and passes(e, query.filters)]
    kept = [e for e in kept if within(e, query.windows)]
    if not query.terms and not query.phrases:
        kept.sort(key=lambda e: -listed_by(e))
        return [Hit(e, 0.0, 0.0, (), ()) for e in kept[: query.limit]]
    texts = [_text(e) for e in kept]
    words = {t.text.lower(): t.weight for t in query.terms}
    for phrase in query.phrases:
        words[phrase.lower()] = 2.0
    weights = {}
    for word, weight in words.items():
        df = sum(word in text for text in texts)
        weights[word] = weight * math.log(1 + len(texts) / (1 + df))
    total = sum(weights.values()) or 1.0
    hits = []
    for entry, text in zip(kept, texts, strict=True):
        if any(p.lower() not in text for p in query.phrases) or any(w.lower() in text for w in query.without):
            continue
        found = [w for w in weights if w in text]
        score = sum(weights[w] for w in found)
        if score > 0:
            hits.append(Hit(entry, score, min(1.0, score / total), (), tuple(found)))
    hits.sort(key=lambda h: (-h.score, -listed_by(h.entry)))
    return hits[: query.limit]


def listed_by(entry: Entry) -> float:
    """The time that a record is listed by, seconds since the epoch: its last word, else its first, else its file's."""
    spine = entry.spine
    known = spine.ended if spine.ended is not None else spine.started
    return known if known is not None else entry.source.written() or 0.0


def _text(entry: Entry) -> str:
    spine = entry.spine
    return " ".join(
        (spine.title, spine.first_prompt, spine.project, spine.branch, spine.session_id, entry.source.session_id)
    ).lower()


def interleaved(indexed: list[Lead], heads: list[Lead]) -> list[Lead]:
    """Head matches by fit among the indexed ones: the two scores have no common scale, the fit has."""
    seen = {lead.hit.entry.source.path for lead in indexed}
    new = [lead for lead in heads if lead.hit.entry.source.path not in seen]
    if not new:
        return indexed
    return sorted([*indexed, *new], key=lambda lead: -lead.hit.fit)
