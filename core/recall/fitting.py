"""Whether anything fits well: the difference between a past and the nearest thing that was found.

Calibrated on 85 cues over 110 real sessions that have an answer there and 60 of many kinds that have none (plausible
topics of other projects, other languages, nonsense, names), the settings chosen on one half of the 60 and read on the other
(docs/ranking.md). What is said is a remark beside the story, never a refusal.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from core.ports import Query
from core.recall.search import Lead

SURE = 0.8
"""A candidate that carries this share of the cue's weight fits, however short the cue."""
HELD_ALONE, HELD = 0.4, 0.1
"""What a rare word in the best passage counts, where words speak alone, and where meanings speak too."""
ENOUGH_WORDS = 1.65
"""Carried weight (share times the root of the cue's length) and rare words from which words alone fit."""
LIKENESS = 5.0
"""What likeness in meaning (a cosine) counts beside carried weight."""
AGREED = 0.3
"""What it counts that the best candidate is also the nearest in meaning."""
ENOUGH = 3.25
"""Carried weight, rare words and likeness together from which something fits."""


def fits_poorly(query: Query, leads: Sequence[Lead]) -> bool:
    """True if no candidate fits well. A cue without words cannot fit poorly; a find of a scan fits by what its turn carries.

    `leads` stand in their order, the presented one first: what it carries counts as much as the most that any carries,
    since a long record carries many words of any cue.
    """
    if not query.terms or not leads:
        return False
    most = max((_carried(lead) for lead in leads), default=0.0)
    if most >= SURE:
        return False
    first = leads[0].hit
    weight = (most + _carried(leads[0])) / 2 * math.sqrt(len(query.terms))
    known = [lead.hit.likeness for lead in leads if lead.hit.likeness is not None]
    if not known:
        return weight + HELD_ALONE * first.held < ENOUGH_WORDS
    agreed = AGREED if first.likeness == max(known) else 0.0
    return weight + HELD * first.held + LIKENESS * max(known) + agreed < ENOUGH


def _carried(lead: Lead) -> float:
    """The share of the cue's weight that words carry; a record that no word reached carries none."""
    hit = lead.hit
    return hit.fit if hit.terms or hit.likeness is None else 0.0
