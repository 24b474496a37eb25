"""Which claims a later one replaced (design/soul.md 3): the same anchor and the same subject, never an anchor alone."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from core.frozen import dataclass
from core.soul.dating import dated
from core.soul.model import AnchorClass, Claim, Tissue
from core.soul.quantities import Quantity

_MARKER = re.compile(
    r"\b(?:DONE|RESOLVED|SUPERSEDED|SHIPPED|OBSOLETE|REPLACED)\b|\[(?:done|resolved|superseded|shipped|obsolete)\b", 0
)
_WAS_NOW = re.compile(
    r"\b(?:was|were|used to be|formerly)\b[^.;]{1,80}\b(?:now|today)\b|\bno longer\b|\binstead of\b", re.IGNORECASE
)
_WORD = re.compile(r"[^\W\d_]{4,}")
RESEMBLING = 2
"""Telling words that a later claim with a marker shares with the one it replaces, its anchors left out."""


@dataclass(frozen=True, slots=True)
class Replaced:
    """A claim that gave way."""

    claim: int
    later: int
    """The claim that replaced it; -1 where it is crossed out and nothing follows."""
    why: str


@dataclass(frozen=True, slots=True)
class Restated:
    """A later claim that cites the same anchor: information, no state."""

    claim: int
    later: int
    anchor: str


def supersede(
    claims: Sequence[Claim], quantities: Mapping[int, Sequence[Quantity]]
) -> tuple[tuple[Replaced, ...], tuple[Restated, ...]]:
    """Walk the claims in the order of the document. Declared claims neither replace nor are replaced.

    `quantities`: those of each claim, by its place.
    """
    by_anchor: dict[tuple[str, str], list[int]] = {}
    replaced: list[Replaced] = []
    restated: list[Restated] = []
    for place, claim in enumerate(claims):
        if claim.tissue is Tissue.DECLARED:
            continue
        for anchor in claim.anchors:
            if anchor.kind in (AnchorClass.NEUTRAL, AnchorClass.RUNTIME):
                continue
            by_anchor.setdefault((anchor.kind.value, anchor.target.lower()), []).append(place)
    later_of: dict[int, dict[int, str]] = {}
    for (_, target), places in by_anchor.items():
        for n, place in enumerate(places):
            for later in places[n + 1 : n + 9]:
                if later != place:
                    later_of.setdefault(place, {}).setdefault(later, target)
    telling: dict[int, bool] = {}
    for place, claim in enumerate(claims):
        if claim.tissue is Tissue.DECLARED or not (claim.struck or place in later_of):
            continue
        laters = sorted(later_of.get(place, {}).items())
        why = ""
        for later, _ in laters:
            if later not in telling:
                telling[later] = _tells(claims[later])
            if not (
                telling[later] or claim.struck or (quantities.get(place) and quantities.get(later)) or _mark(claim.text)
            ):
                continue  # neither says anything that could replace
            why = _why(claim, claims[later], quantities.get(place, ()), quantities.get(later, ()))
            if why:
                replaced.append(Replaced(place, later, why))
                break
        if not why and claim.struck:
            replaced.append(Replaced(place, -1, "it is crossed out"))
            why = "struck"
        if not why and laters:
            restated.append(Restated(place, laters[0][0], laters[0][1]))
    return tuple(replaced), tuple(restated)


def _tells(claim: Claim) -> bool:
    """True if a claim holds a marker, what was and is now, or a date: without any it replaces another by its values only."""
    return bool(_mark(claim.text) or _was_now(claim.text) or dated(claim.text).dates)


def _why(old: Claim, new: Claim, old_quantities: Sequence[Quantity], new_quantities: Sequence[Quantity]) -> str:
    """In words what shows that `new` replaces `old`, or `""`."""
    if old.struck:
        return "it is crossed out"
    if "SUPERSEDED" in (mark := _mark(old.text)).upper():
        return f"it says {mark}"
    for a in old_quantities:
        for b in new_quantities:
            if a.unit == b.unit and a.disagrees(b) and _one_subject(a, b) and _newer(old, new):
                return f"a later claim gives {b.shown} where it gives {a.shown}"
    if (mark := _mark(new.text)) and _resemble(old, new):
        return f"a later claim says {mark}"
    if _was_now(new.text) and _resemble(old, new):
        return "a later claim says what it was and what it is now"
    first, second = dated(old.text).latest, dated(new.text).latest
    if first and second and first < second and old.section == new.section and _resemble(old, new):
        return f"a later entry of the same section is dated {second.isoformat()}"
    return ""


@lru_cache(maxsize=16_384)
def _mark(text: str) -> str:
    """The word by which a claim says that something is over, or `""`. Asked several times of each claim."""
    found = _MARKER.search(text)
    return found.group().strip("[") if found else ""


@lru_cache(maxsize=16_384)
def _was_now(text: str) -> bool:
    """True if a claim says what was and what is now."""
    return bool(_WAS_NOW.search(text))


def _one_subject(a: Quantity, b: Quantity) -> bool:
    """Subjects that agree, whatever the dates: a later date is what replaces."""
    return a.subject <= b.subject or b.subject <= a.subject


def _newer(old: Claim, new: Claim) -> bool:
    """True if the second claim is dated, and not before the first: without dates two values contradict each other."""
    first, second = dated(old.text).latest, dated(new.text).latest
    return second is not None and (first is None or second > first)


def _resemble(old: Claim, new: Claim) -> bool:
    cited = {w for c in (old, new) for a in c.anchors for w in _WORD.findall(a.raw.lower())}
    a, b = ({w for w in _WORD.findall(c.text.lower()) if w not in cited} for c in (old, new))
    return len(a & b) >= RESEMBLING
