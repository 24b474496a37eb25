"""How well packets fit what happened: counts always, a quality number only from 30 clean rows on (design/delegation.md 3)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from core.delegation.ledger import Read, Row

NEEDED = 30
"""Clean rows below which no quality number is told anywhere."""
Z = 1.959964
"""The quantile of the intervals: 95 %."""


@dataclass(frozen=True, slots=True)
class Metric:
    """A share, or a difference of two, with its interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Calibration:
    """What the ledger tells."""

    rows: int
    """Delegations that were debriefed."""
    clean: int
    """Those that count: verified, and nothing else in their counts."""
    unverified: int
    contaminated: int
    repeated: int
    """Rows that a regrade took the place of."""
    skipped: int
    """Lines of the ledger that are no rows."""
    scope_precision: Metric | None = None
    """`None` below `NEEDED` clean rows, and where nothing was touched."""
    miss_rate: Metric | None = None
    dependents_honesty: Metric | None = None
    """`None` too where no row, or every row, touched a dependent."""

    @property
    def needed(self) -> int:
        """Clean rows that are needed."""
        return NEEDED

    @property
    def calibrated(self) -> bool:
        """True from `NEEDED` clean rows on."""
        return self.clean >= NEEDED


def calibrate(read: Read) -> Calibration:
    """The calibration of a ledger."""
    clean = [r for r in read.rows if not r.unverified and not r.contaminated]
    counts = Calibration(
        len(read.rows), len(clean), sum(r.unverified for r in read.rows), sum(r.contaminated for r in read.rows),
        read.repeated, read.skipped,
    )  # fmt: skip
    if not counts.calibrated:
        return counts
    touched = sum(r.touched for r in clean)
    return Calibration(
        counts.rows, counts.clean, counts.unverified, counts.contaminated, counts.repeated, counts.skipped,
        share(sum(r.in_scope + r.expected_change for r in clean), touched),
        share(sum(r.unpredicted for r in clean), touched),
        _honesty(clean),
    )  # fmt: skip


def share(part: int, whole: int) -> Metric | None:
    """A share with its Wilson interval; `None` of nothing."""
    if whole <= 0:
        return None
    low, high = wilson(part, whole)
    return Metric(part / whole, low, high)


def wilson(part: int, whole: int) -> tuple[float, float]:
    """The Wilson score interval of `part` of `whole` (`whole` > 0), within 0 and 1."""
    p = part / whole
    spread = Z * Z / whole
    middle = (p + spread / 2) / (1 + spread)
    half = Z * math.sqrt(max(0.0, p * (1 - p) / whole + spread / (4 * whole))) / (1 + spread)
    return max(0.0, middle - half), min(1.0, middle + half)


def _honesty(rows: Sequence[Row]) -> Metric | None:
    """Failure rate of rows that touched a dependent less that of the others; the interval is Newcombe's, of the two
    Wilson intervals. `None` where either group is empty."""
    contact = [r for r in rows if r.dependent_contact > 0]
    without = [r for r in rows if r.dependent_contact == 0]
    if not contact or not without:
        return None
    with_failed, without_failed = (sum(r.outcome == "failure" for r in group) for group in (contact, without))
    p, q = with_failed / len(contact), without_failed / len(without)
    (p_low, p_high), (q_low, q_high) = wilson(with_failed, len(contact)), wilson(without_failed, len(without))
    low = (p - q) - math.hypot(p - p_low, q_high - q)
    high = (p - q) + math.hypot(p_high - p, q - q_low)
    return Metric(p - q, max(-1.0, low), min(1.0, high))
