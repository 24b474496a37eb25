"""Whether anything fits well: the difference between a past and the nearest thing that was found.

Calibrated on 25 cues over 110 real sessions that have an answer, and 40 that have none in them: of the 40, 37 are said to
fit nothing well, of the 25 one is (words alone: 32 and none). What is said is a remark beside the story, never a refusal.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from core.ports import Query
from core.recall.search import Lead

SURE = 0.8
"""A candidate that carries this share of the cue's weight fits, however short the cue."""
ENOUGH_WORDS = 1.1
"""Carried weight (share times the root of the cue's length) from which words alone fit."""
LIKENESS = 3.0
"""What likeness in meaning (a cosine) counts beside carried weight."""
ENOUGH = 2.3
"""Carried weight and likeness together from which something fits."""


def fits_poorly(query: Query, leads: Sequence[Lead]) -> bool:
    """True if no candidate fits well. A cue without words cannot fit poorly; a literal find of a scan always fits."""
    if not query.terms or not leads:
        return False
    if any("scan" in lead.matched_by for lead in leads):
        return False
    carried = max((lead.hit.fit for lead in leads if lead.hit.terms or lead.hit.likeness is None), default=0.0)
    if carried >= SURE:
        return False
    weight = carried * math.sqrt(len(query.terms))
    likeness = max((lead.hit.likeness for lead in leads if lead.hit.likeness is not None), default=None)
    if likeness is None:
        return weight < ENOUGH_WORDS
    return weight + LIKENESS * likeness < ENOUGH
