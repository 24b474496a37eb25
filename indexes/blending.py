"""Fusing words and meanings: words rank, meanings speak up where words fit poorly.

Fitted on the development data together with `indexes.weights`; see docs/ranking.md for how.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.ports import Hit
from indexes import weights
from indexes.meanings import Meant


def speaks_up(hits: Sequence[Hit]) -> bool:
    """True where the best candidate's words fit too poorly to go without meanings."""
    return not hits or hits[0].fit < weights.MEANING_BELOW_FIT


def blend(
    hits: Sequence[Hit], only_meant: Mapping[str, Hit], meant: Mapping[str, Meant], limit: int, *, rejected: int = 0
) -> tuple[Hit, ...]:
    """The candidates by words and meanings.

    `only_meant` holds candidates that no word reached, by path. The worse the best candidate's words fit, the more
    meanings weigh. Where they fit badly, the best by meaning are given the places `MEANING_PLACES` if they do not stand
    before. Records that the person rejected stood in front of them: each of the `rejected` moves the places one forward.
    """
    of = {**only_meant, **{h.entry.source.path: h for h in hits}}
    words = {h.entry.source.path: h.score for h in hits}
    top = max(words.values(), default=0.0) or 1.0
    fit = hits[0].fit if hits else 0.0
    near = {p: nearness(m) for p, m in meant.items() if p in of}
    share = weights.MEANING * (1.0 - fit)
    by_meaning = _shares({p: meant[p] for p in near}, near)
    kind = {p: weights.BY_ROLE.get(hit.entry.spine.role, 1.0) for p, hit in of.items()}
    score = {p: words.get(p, 0.0) / top + kind[p] * share * by_meaning.get(p, 0.0) for p in of}
    order = sorted(of, key=lambda p: (-score[p], -words.get(p, 0.0), p))
    if fit < weights.PLACES_BELOW_FIT:
        nearest = sorted(near, key=lambda p: (-near[p], p))
        for number, path in zip(weights.MEANING_PLACES, nearest, strict=False):
            place = max(0, number - rejected)
            if order.index(path) > place:
                order.remove(path)
                order.insert(place, path)
    return tuple(replace(of[p], score=score[p]) for p in order[:limit])


def nearness(meant: Meant) -> float:
    """Likeness without what many texts add to it by chance."""
    return meant.likeness - weights.MEANING_MARATHON * max(0.0, math.log(meant.texts / weights.MEANING_TEXTS))


def _shares(meant: Mapping[str, Meant], near: Mapping[str, float]) -> dict[str, float]:
    """For each record its nearness as a share of the nearest's, and what its opening adds."""
    floor = weights.MEANING_FLOOR
    top = max(max(near.values(), default=0.0) - floor, 0.05)
    return {
        p: max(0.0, near[p] - floor) / top + weights.MEANING_OPENING * min(1.0, max(0.0, m.opening - floor) / top)
        for p, m in meant.items()
    }
