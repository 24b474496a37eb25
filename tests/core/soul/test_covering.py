"""Which row answers for which unit: the closest tie counts, and a hint serves one unit."""

from __future__ import annotations

import itertools
import random

import pytest

from core.soul.covering import Tie, Units, answered
from core.soul.model import Tissue
from core.soul.removals import Unit

DOCUMENT = Units(
    [
        Unit("the retry budget is three attempts", Tissue.VERIFIABLE, "State", (1, 1), ("pay/retry.py",)),
        Unit("the retry budget is four attempts", Tissue.VERIFIABLE, "State", (2, 2), ("pay/retry.py",)),
        Unit("CI runs", Tissue.VERIFIABLE, "State", (3, 3)),
    ]
)


@pytest.mark.parametrize(
    ("what", "tie", "places"),
    [
        ("The **retry budget** is four attempts.", Tie.SAME, (1,)),
        ("the retry budget is…", Tie.PART, (0, 1)),
        ("both: the retry budget is three attempts; the retry budget is four attempts", Tie.SPELLED, (0, 1)),
        ("the retry budget became five attempts", Tie.ALIKE, (0, 1)),
        ("what pay/retry.py said", Tie.CITED, (0, 1)),
        ("ci runs", Tie.SAME, (2,)),
        ("nothing of the kind", Tie.NONE, ()),
        ("…", Tie.NONE, ()),
        (None, Tie.NONE, ()),
        (3, Tie.NONE, ()),
    ],
)
def test_the_closest_tie_counts(what: object, tie: Tie, places: tuple[int, ...]) -> None:
    assert DOCUMENT.tied(what) == (tie, places)


def test_as_many_units_are_answered_for_as_any_choice_of_rows_could() -> None:
    chance = random.Random(7)
    for _ in range(120):
        rows, units = chance.randint(0, 5), chance.randint(1, 5)
        ties = [(Tie.CITED, [u for u in range(units) if chance.random() < 0.4]) for _ in range(rows)]
        found = answered(ties, range(units))
        served = [row for held in found.values() for row in held]
        assert len(served) == len(set(served)), "a hint served two units"
        assert all(unit in ties[row][1] for unit, held in found.items() for row in held)
        best = max(
            sum(r is not None and u in ties[r][1] for u, r in enumerate(choice))
            for choice in set(itertools.permutations([*range(rows), *[None] * units], units))
        )
        assert sum(map(bool, found.values())) == best


def test_who_is_first_is_served_first() -> None:
    ties = [(Tie.CITED, [0, 1])]
    assert answered(ties, [1, 0]) == {1: frozenset({0}), 0: frozenset()}
    assert answered([(Tie.SAME, [0, 1])], [1, 0]) == {1: frozenset({0}), 0: frozenset({0})}
