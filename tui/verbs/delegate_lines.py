"""Delegations, debriefs and calibrations as lines for people, masked and printable."""

from __future__ import annotations

from collections.abc import Iterator

from core.delegation.calibration import Calibration, Metric
from core.delegation.conformance import Graded, PathClass
from core.delegation.debrief import Debriefed
from core.delegation.model import Binding, Packet
from core.delegation.registry import Delegation
from core.delegation.rows import count_of
from core.delegation.touched import Touched
from core.recall.wording import iso_time
from core.text import one_line, shown

MOST_PATHS = 40
"""Paths that lines name."""
CLASS_WORDS = {
    PathClass.BREACH: "breach: must not be touched",
    PathClass.EXPECTED_CHANGE: "expected change",
    PathClass.IN_SCOPE: "in scope",
    PathClass.DEPENDENT_CONTACT: "dependent contact",
    PathClass.UNPREDICTED: "unpredicted",
}
SIGNS = {
    PathClass.BREACH: "!", PathClass.EXPECTED_CHANGE: "+", PathClass.IN_SCOPE: "+", PathClass.DEPENDENT_CONTACT: "~",
    PathClass.UNPREDICTED: "?",
}  # fmt: skip


def where_lines(binding: Binding) -> Iterator[str]:
    """The binding."""
    yield f"root  {shown(binding.root) or 'none'}"
    yield f"head  {binding.head or 'none'}" + (f" on {one_line(binding.branch)}" if binding.branch else "")
    yield f"trust {binding.trust.value}"
    for limit in binding.limits:
        yield f"  {shown(limit)}"


def list_line(one: Delegation) -> str:
    """A delegation on one line."""
    packet = one.packet
    when = (iso_time(packet.created) or "")[:16].replace("T", " ")
    verdict = f" ({one.verdict})" if one.verdict else ""
    return f"{packet.id}  {when}  {one.status.value}{verdict}  {one_line(packet.order.task, 80)}"


def graded_lines(packet: Packet, touched: Touched, graded: Graded) -> Iterator[str]:
    """Each path with its class."""
    yield f"{packet.id}: {graded.words}"
    yield f"{count_of(len(graded.classes), 'path')} touched, told by {touched.source}"
    for path, kind in graded.classes[:MOST_PATHS]:
        yield f"  {SIGNS[kind]} {one_line(path)}  {CLASS_WORDS[kind]}"
    if len(graded.classes) > MOST_PATHS:
        yield f"  … {len(graded.classes) - MOST_PATHS:,} more; --json has all"


def debrief_lines(done: Debriefed) -> Iterator[str]:
    """A debrief."""
    yield from graded_lines(done.packet, done.touched, done.graded)
    evidence = done.verdict.evidence
    how = (
        f", “{one_line(evidence.command, 80)}” ended with {evidence.exit_status}" if evidence else ", without evidence"
    )
    yield f"Outcome: {done.verdict.outcome}{how}"
    for name, paths in (
        ("Not declared by the worker", done.declared.undeclared_deviation),
        ("Declared and not touched", done.declared.declared_untouched),
    ):
        if paths:
            yield f"{name}: {', '.join(one_line(p, 120) for p in paths[:10])}"
    for taught in done.taught:
        yield f"Taught ({taught.state}): {taught.kind} of {one_line(taught.under, 60)}: {one_line(taught.text, 120)}"
    if done.flags:
        yield f"Flags: {', '.join(done.flags)}"
    for caveat in done.caveats:
        yield f"  {one_line(caveat)}"
    yield "Paths are graded, not the quality of code: this does not say that a merge is safe."


def calibration_lines(found: Calibration) -> Iterator[str]:
    """Counts, and numbers where there are enough clean rows."""
    yield f"Debriefed: {found.rows:,} · clean: {found.clean:,} of {found.needed} needed"
    yield f"Counted apart: {found.unverified:,} unverified · {found.contaminated:,} contaminated · {found.repeated:,} regraded"
    if found.skipped:
        torn = "is torn and was" if found.skipped == 1 else "are torn and were"
        yield f"{count_of(found.skipped, 'line')} of the ledger {torn} passed over"
    if not found.calibrated:
        yield "Not calibrated: how well packets fit is told in counts until then."
        return
    yield f"Calibrated: the numbers rest on {count_of(found.clean, 'clean debrief')}, each with its 95 % interval."
    yield f"Scope precision   {_metric(found.scope_precision)}  touched paths that the scope or focus had"
    yield f"Miss rate         {_metric(found.miss_rate)}  touched paths that the map did not have"
    yield f"Dependents        {_metric(found.dependents_honesty)}  failures with contact less failures without"


def _metric(metric: Metric | None) -> str:
    return "unknown" if metric is None else f"{metric.value:.2f} ({metric.low:.2f} to {metric.high:.2f})"
