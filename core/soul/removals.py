"""What was taken out of a document between two texts, as the units a report must answer for.

A unit is a claim with all its own lines, or a line of narration or of a fence. Headings, rules, comments, auto regions and
history are no live tissue: taking them out needs no row.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence

from core.frozen import dataclass
from core.soul.document import parse, physical_lines
from core.soul.model import Tissue
from core.soul.tissue import TissueTable

SAME_SHARE = 0.6
"""Share of words that two texts have in common to be one claim, reworded."""
CONTAINED = 12
"""Characters that a text must have to be known as a part of another."""
_SCAFFOLD = re.compile(r"^\s*(?:#{1,6}\s|(?:[-*_]\s*){3,}$|```|~~~|<!--.*-->\s*$|\|?[\s:|-]+\|?\s*$|={3,}\s*$)")
_WORD = re.compile(r"\w+")
_FILLER = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""Signs that are drawn as nothing, though they count as letters or marks (Unicode: Default_Ignorable_Code_Point)."""


@dataclass(frozen=True, slots=True)
class Unit:
    """Something a document says."""

    text: str
    tissue: Tissue
    section: str
    lines: tuple[int, int]
    anchors: tuple[str, ...] = ()
    """As written."""


@dataclass(frozen=True, slots=True)
class Removal:
    """A unit of the text before that the text after does not hold."""

    unit: Unit
    reworded: bool
    """True if a new unit of the same section says nearly the same: it was updated, not taken out."""


def units(text: str, table: TissueTable | None = None) -> tuple[Unit, ...]:
    """The units of a document, in its order."""
    document = parse(text, table)
    found = [
        Unit(c.text, c.tissue, c.section[0] if c.section else "", c.lines, tuple(a.raw for a in c.anchors))
        for c in document.claims
    ]
    covered = {n for c in document.claims for a, b in c.own_lines for n in range(a, b + 1)}
    covered |= {n for r in document.regions for n in range(r.lines[0], r.lines[1] + 1)}
    lines = physical_lines(text.removeprefix("\ufeff"))
    for section in document.sections:
        if section.history:
            continue
        for number in range(section.lines[0], min(section.lines[1], len(lines)) + 1):
            line = lines[number - 1].strip()
            if number in covered or not line or _SCAFFOLD.match(line) or _header_row(lines, number):
                continue
            found.append(Unit(line, section.tissue, section.title, (number, number)))
    return tuple(sorted(found, key=lambda u: u.lines))


def _header_row(lines: Sequence[str], number: int) -> bool:
    """True for the heading row of a table: the next line is its rule."""
    following = lines[number].strip() if number < len(lines) else ""
    return "|" in lines[number - 1] and bool(re.fullmatch(r"\|?[\s:|-]*-[\s:|-]*\|?", following)) and "|" in following


def removals(before: str, after: str, table: TissueTable | None = None) -> tuple[Removal, ...]:
    """Units of `before` that `after` does not hold, in the order of the document. A unit that moved is not removed."""
    old, new = units(before, table), units(after, table)
    left = Counter((normal(u.text), u.tissue) for u in new)
    missing: list[Unit] = []
    for unit in old:
        key = (normal(unit.text), unit.tissue)
        if left[key] > 0:
            left[key] -= 1
        else:
            missing.append(unit)
    kept = Counter((normal(u.text), u.tissue) for u in old)
    fresh: list[Unit] = []
    for unit in new:
        key = (normal(unit.text), unit.tissue)
        if kept[key] > 0:
            kept[key] -= 1
        else:
            fresh.append(unit)
    found = []
    for unit in missing:
        successor = next((n for n in fresh if n.section == unit.section and alike_texts(n.text, unit.text)), None)
        if successor is not None:
            fresh.remove(successor)
        found.append(Removal(unit, successor is not None))
    return tuple(found)


def normal(text: str) -> str:
    """A text without marks, case and doubled blanks, for comparing."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(re.sub(r"[`*_~>#|]+|^\s*(?:[-+*]|\d+[.)])\s+|\[[ x]\]", " ", folded).split())


def alike_texts(a: str, b: str) -> bool:
    """True if two texts are one claim: equal, one clipped from the other, or most words shared."""
    first, second = normal(a).rstrip(" …."), normal(b).rstrip(" ….")
    if not first or not second:
        return False
    if first == second:
        return True
    short, long_ = sorted((first, second), key=len)
    if len(short) >= CONTAINED and short in long_:
        return True
    one, two = words_of(first), words_of(second)
    return (one & two).total() >= SAME_SHARE * max(one.total(), two.total())


def words_of(text: str) -> Counter[str]:
    """The words of a text, with how often each stands in it."""
    return Counter(_WORD.findall(text))


def seen(text: str) -> str:
    """A text without the signs that nobody sees: controls, formats such as a zero-width space, fillers."""
    return "".join(c for c in text if unicodedata.category(c) not in ("Cc", "Cf") and not _FILLER.match(c))


def is_blank(text: str) -> bool:
    """True if a text says nothing to the eye."""
    return not seen(text).strip()
