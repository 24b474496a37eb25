"""Words that no record holds, read as the words that were meant: one slip of the finger away.

The index holds stems, so the slips of the typed word are undone, each outcome is stemmed, and the stem is looked up: two
letters swapped, one too many, one too few, one wrong. A word of a few letters has too many neighbours, and a wrong letter
in a short one makes another word, so those are left as they are. No list of all words is needed: the places of the first
letters bound the look-up.
"""

from __future__ import annotations

from collections.abc import Iterator

from core.frozen import dataclass
from indexes.analyzer import Analyzer, fold
from indexes.snapshot import Snapshot

SHORTEST = 5
"""Letters from which a word is looked at."""
SHORTEST_WRONG = 7
"""Letters from which one of them may be wrong."""
LONGEST = 24
READINGS = 2
"""Readings of one word that are searched for."""
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_SWAPPED, _DOUBLED, _OTHER = 4.0, 3.0, 1.0
"""How much likelier a slip is than another, as a factor of how often the word stands in records."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a word may stand for."""

    term: bytes
    word: str
    """The word as it would be typed."""


def readings(typed: str, analyzer: Analyzer, snapshot: Snapshot) -> list[Reading]:
    """The likeliest words that `typed` may stand for, best first; none where it is no plain word or too short."""
    word = fold(typed)
    if not (SHORTEST <= len(word) <= LONGEST and word.isascii() and word.isalpha()):
        return []
    best: dict[bytes, tuple[float, str]] = {}
    own = analyzer.word(word)
    for other, likelihood in _slips(word):
        term = analyzer.word(other)
        if term == own or (likelihood == _OTHER and not _one_apart(own, term)):
            continue
        key = term.encode()
        if likelihood > best.get(key, (0.0, ""))[0]:
            best[key] = (likelihood, other)
    held = snapshot.holding(list(best))
    ranked = sorted(held, key=lambda term: (-best[term][0] * held[term] ** 0.5, term))
    return [Reading(term, best[term][1]) for term in ranked[:READINGS]]


def _one_apart(one: str, other: str) -> bool:
    """True for stems that one letter tells apart: else an ending was cut from one that the other does not have."""
    short, long = sorted((one, other), key=len)
    if len(long) - len(short) > 1:
        return False
    same = next((i for i, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    return short[same + (len(short) == len(long)) :] == long[same + 1 :]


def _slips(word: str) -> Iterator[tuple[str, float]]:
    """Each word one slip away, with how likely the slip is. The first letter is seldom wrong, only swapped."""
    for i in range(len(word) - 1):
        if word[i] != word[i + 1]:
            yield word[:i] + word[i + 1] + word[i] + word[i + 2 :], _SWAPPED
    for i in range(1, len(word)):
        yield word[:i] + word[i + 1 :], _DOUBLED if word[i] == word[i - 1] else _OTHER
    for i in range(1, len(word) + 1):
        for letter in _LETTERS:
            doubled = letter == word[i - 1]
            yield word[:i] + letter + word[i:], _DOUBLED if doubled else _OTHER
            if len(word) >= SHORTEST_WRONG and i < len(word) and letter != word[i]:
                yield word[:i] + letter + word[i + 1 :], _OTHER
