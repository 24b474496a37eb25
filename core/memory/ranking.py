"""Finding claims by words: match x salience x decay (design/memory.md 4)."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Sequence

from core.frozen import dataclass
from core.memory.claim import Tier
from core.memory.view import Held, Standing, View, made_at

WINDOWS = {Tier.CANONICAL: 365.0, Tier.EPISODIC: 90.0, Tier.WORKING: 30.0}
"""Days over which a claim of a tier fades."""
LEAST = 0.1
"""What never fades. A claim of unknown age has this much: unknown is never fresh."""
STRENGTHENED = 0.9
"""What each identification leaves of the distance to full salience."""
DAY = 86_400.0
_WORD = re.compile(r"\w+")
_STEM = 4
"""Characters that two words share from the beginning to count as one, where the rest is an ending."""
_ENDING = 3
"""Characters of an ending."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A claim that a search found."""

    held: Held
    score: float
    match: float
    decay: float


def decay(tier: Tier, made: float | None, now: float) -> float:
    """What is left of a claim's weight: falls in a line over its tier's window, never below `LEAST`."""
    if made is None:
        return LEAST
    days = max(0.0, now - made) / DAY
    return max(LEAST, 1.0 - days / WINDOWS[tier])


def strength(held: Held) -> float:
    """The claim's salience, nearer to 1 with each time it was identified."""
    return 1.0 - (1.0 - held.claim.salience) * STRENGTHENED**held.uses


def search(view: View, words: str, limit: int, now: float) -> tuple[Ranked, ...]:
    """The claims that stand and hold some of the words, best first."""
    current = [held for held in view.held.values() if held.standing is Standing.CURRENT]
    said = list(dict.fromkeys(_words(words)))
    if not said:
        return ()
    texts = [(held, set(_words(_said_by(held)))) for held in current]
    weights = {word: _weight(word, [held for _, held in texts]) for word in said}
    total = sum(weights.values())
    found = []
    for held, held_words in texts:
        match = sum(weights[word] for word in said if _holds(word, held_words)) / total
        if match > 0:
            left = decay(held.claim.tier, made_at(held.claim), now)
            found.append(Ranked(held, match * strength(held) * left, match, left))
    found.sort(key=lambda r: (-r.score, r.held.claim.id))
    return tuple(found[:limit])


def _said_by(held: Held) -> str:
    claim = held.claim
    return " ".join((claim.label, claim.text, *claim.tags, claim.soul_source))


def _words(text: str) -> Iterable[str]:
    return _WORD.findall(unicodedata.normalize("NFKC", text).casefold())


def _weight(word: str, texts: Sequence[set[str]]) -> float:
    """Rare words say more than common ones."""
    holding = sum(_holds(word, held) for held in texts)
    return math.log(1 + (len(texts) + 1) / (holding + 1))


def _holds(word: str, held: set[str]) -> bool:
    return word in held or (len(word) >= _STEM and any(_alike(word, other) for other in held))


def _alike(word: str, other: str) -> bool:
    """The same word with another ending: `retry`, `retries`."""
    if abs(len(word) - len(other)) > _ENDING or len(other) < _STEM:
        return False
    shared = 0
    for a, b in zip(word, other, strict=False):
        if a != b:
            break
        shared += 1
    return shared >= _STEM and max(len(word), len(other)) - shared <= _ENDING
