"""Which row of a curator's report answers for which unit of a document.

A row names what it is about in words: the unit's own, a part of them, nearly the same ones, or something that the unit
cites. The closest tie counts: a row that holds the very words of one unit is about that one, and not about another that
reads alike or cites the same file. A row that spells several units out answers for all of them; one that only resembles
or hints at some answers for one, so that no removal hides behind the row of its neighbour.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum

from core.soul.removals import CONTAINED, SAME_SHARE, Unit, normal, words_of


class Tie(IntEnum):
    """How closely a row's words are tied to a unit; more is closer."""

    NONE = 0
    CITED = 1
    """They name something that the unit cites."""
    ALIKE = 2
    """Most words are shared."""
    PART = 3
    """They are a part of the unit's words."""
    SPELLED = 4
    """They hold the unit's words, among others."""
    SAME = 5


_ALL = (Tie.SAME, Tie.SPELLED)
"""Ties by which one row answers for several units."""


class Units:
    """The units of a document, made ready for being looked up by a row's words."""

    def __init__(self, units: Sequence[Unit]) -> None:
        self.units = tuple(units)
        self._texts = [normal(u.text).rstrip(" ….") for u in units]
        self._words = [words_of(text) for text in self._texts]
        self._totals = [words.total() for words in self._words]
        self._same: dict[str, list[int]] = {}
        for at, text in enumerate(self._texts):
            self._same.setdefault(text, []).append(at)

    def tied(self, what: object) -> tuple[Tie, tuple[int, ...]]:
        """The closest tie of a row's words, and the places of the units that have it; `NONE` and no place without one."""
        text = normal(what).rstrip(" ….") if isinstance(what, str) else ""
        if not text:
            return Tie.NONE, ()
        if text in self._same:
            return Tie.SAME, tuple(self._same[text])
        if found := [n for n, t in enumerate(self._texts) if len(t) >= CONTAINED and t in text]:
            return Tie.SPELLED, tuple(found)
        if found := [n for n, t in enumerate(self._texts) if len(text) >= CONTAINED and text in t]:
            return Tie.PART, tuple(found)
        if found := self._alike(words_of(text)):
            return Tie.ALIKE, tuple(found)
        found = [n for n, u in enumerate(self.units) if names_cited(str(what), u)]
        return (Tie.CITED, tuple(found)) if found else (Tie.NONE, ())

    def _alike(self, words: Counter[str]) -> list[int]:
        """The units that share most of these words."""
        total = words.total()
        found = []
        for at, held in enumerate(self._words):
            longer = max(total, self._totals[at])
            if min(total, self._totals[at]) < SAME_SHARE * longer:
                continue  # too unlike in length for sharing that much
            if sum(min(n, held[word]) for word, n in words.items() if word in held) >= SAME_SHARE * longer:
                found.append(at)
        return found


def names_cited(what: str, unit: Unit) -> bool:
    """True if a text names something that a unit cites."""
    near = [raw for raw in unit.anchors if len(raw) > 3 and raw in what]
    return any(re.search(rf"(?<![\w./]){re.escape(raw)}(?![\w/])", what) for raw in near)


def answered(ties: Sequence[tuple[Tie, Iterable[int]]], wanted: Sequence[int]) -> Mapping[int, frozenset[int]]:
    """For each wanted unit, the rows that answer for it, by their places; the units first in `wanted` are served first.

    `ties`: of each row, its closest tie and the units that have it.
    """
    found: dict[int, set[int]] = {unit: set() for unit in wanted}
    hinting: dict[int, list[int]] = {unit: [] for unit in wanted}
    for row, (tie, units) in enumerate(ties):
        for unit in units:
            if unit in found:
                (found[unit].add if tie in _ALL else hinting[unit].append)(row)
    taken: dict[int, int] = {}
    for unit in wanted:
        if not found[unit]:
            _serve(unit, hinting, taken)
    for row, unit in taken.items():
        found[unit].add(row)
    return {unit: frozenset(rows) for unit, rows in found.items()}


def _serve(unit: int, hinting: Mapping[int, Sequence[int]], taken: dict[int, int]) -> None:
    """Give a unit a row of its own, where rows that are taken can be passed on (an augmenting path, breadth first)."""
    came: dict[int, int] = {}
    waiting = [unit]
    for one in waiting:
        for row in hinting[one]:
            if row in came:
                continue
            came[row] = one
            if row not in taken:
                _pass_on(row, unit, came, taken)
                return
            waiting.append(taken[row])


def _pass_on(row: int, unit: int, came: Mapping[int, int], taken: dict[int, int]) -> None:
    """Along the path that led to a free row, each unit takes the row that it found and leaves the one it had."""
    while True:
        one = came[row]
        had = next((r for r, holder in taken.items() if holder == one), None)
        taken[row] = one
        if one == unit or had is None:
            return
        del taken[had]
        row = had
