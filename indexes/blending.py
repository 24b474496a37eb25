"""Fusing words and meanings: words rank, meanings speak up where words fit poorly.

Fitted on the development data together with `indexes.weights`; see there for how.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.ports import Hit
from indexes.meanings import Meant
from indexes.weights import MEANING, MEANING_AMONG, MEANING_BELOW_FIT, MEANING_PLACES


def speaks_up(hits: Sequence[Hit]) -> bool:
    """True where the best candidate's words fit too poorly to go without meanings."""
    return not hits or hits[0].fit < MEANING_BELOW_FIT


def blend(
    hits: Sequence[Hit], only_meant: Mapping[str, Hit], meant: Mapping[str, Meant], limit: int, *, rejected: int = 0
) -> tuple[Hit, ...]:
    """The candidates by words and meanings.

    `only_meant` holds candidates that no word reached, by path. Scores are brought to 0..1 over the best
    `MEANING_AMONG`; the best by meaning are then given the places `MEANING_PLACES`, where they do not stand before. Records
    that the person rejected stood in front of them: each of the `rejected` moves the places one forward.
    """
    words = {h.entry.source.path: h.score for h in hits}
    of = {**only_meant, **{h.entry.source.path: h for h in hits}}
    by_words = _scaled(words)
    by_meaning = _scaled({p: m.likeness for p, m in meant.items() if p in of})
    score = {p: by_words.get(p, 0.0) + MEANING * by_meaning.get(p, 0.0) for p in of}
    order = sorted(of, key=lambda p: (-score[p], -words.get(p, 0.0), p))
    nearest = sorted(by_meaning, key=lambda p: (-meant[p].likeness, p))
    for number, path in zip(MEANING_PLACES, nearest, strict=False):
        place = max(0, number - rejected)
        if order.index(path) > place:
            order.remove(path)
            order.insert(place, path)
    return tuple(replace(of[p], score=score[p]) for p in order[:limit])


def _scaled(values: Mapping[str, float]) -> dict[str, float]:
    """The best `MEANING_AMONG` values brought to 0..1, the rest 0."""
    best = sorted(values.values(), reverse=True)[:MEANING_AMONG]
    if not best:
        return {}
    low, high = best[-1], best[0]
    if high <= low:
        return dict.fromkeys(values, 1.0)
    return {p: max(0.0, (v - low) / (high - low)) for p, v in values.items()}
