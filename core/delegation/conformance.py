"""Grades the paths a worker touched against the packet. Paths, never code quality: nothing here says that a merge is safe."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.delegation.model import Packet
from core.delegation.scope import holds
from core.delegation.worker_report import WorkerReport


class PathClass(StrEnum):
    """What a touched path is to the packet; the first that fits, in this order."""

    BREACH = "breach"
    """It must not be touched."""
    EXPECTED_CHANGE = "expected_change"
    """A file in focus."""
    IN_SCOPE = "in_scope"
    DEPENDENT_CONTACT = "dependent_contact"
    """A listed dependent of the focus, outside the scope."""
    UNPREDICTED = "unpredicted"
    """The map did not have it: that is feedback on the map, not the worker's fault."""


class Conformance(StrEnum):
    """The worst of the classes."""

    BREACHED = "breached"
    UNPREDICTED = "unpredicted"
    STAYED = "stayed"


@dataclass(frozen=True, slots=True)
class Graded:
    """How the touched paths stand to the packet."""

    classes: tuple[tuple[str, PathClass], ...]
    """Each path once, by path."""
    verdict: Conformance
    fence: str
    """`declared` or `none`: without a fence nothing can be breached."""

    @property
    def counts(self) -> Mapping[PathClass, int]:
        """How many paths are of each class, every class named."""
        found = Counter(kind for _, kind in self.classes)
        return {kind: found[kind] for kind in PathClass}

    def paths(self, *kinds: PathClass) -> tuple[str, ...]:
        """The paths of some classes."""
        return tuple(path for path, kind in self.classes if kind in kinds)

    @property
    def words(self) -> str:
        """The verdict as a sentence."""
        counts = self.counts
        fence = (
            "a fence was declared" if self.fence == "declared" else "no fence was declared, so none could be breached"
        )
        if self.verdict is Conformance.BREACHED:
            return f"breached: {_paths(counts[PathClass.BREACH])} that must not be touched"
        if self.verdict is Conformance.UNPREDICTED:
            return f"unpredicted: {_paths(counts[PathClass.UNPREDICTED])} that the map did not have; {fence}"
        return f"stayed: nothing outside the map; {fence}"


def _paths(count: int) -> str:
    return "1 path" if count == 1 else f"{count:,} paths"


def grade(packet: Packet, touched: Sequence[str]) -> Graded:
    """The class of each touched path, and the worst of them. Whole segments are compared, each path once."""
    expected = frozenset(packet.expected_change)
    dependents = frozenset(d.path for d in packet.dependents)
    classes = []
    for path in sorted(set(touched)):
        if holds(packet.fence.must_not_touch, path):
            kind = PathClass.BREACH
        elif path in expected:
            kind = PathClass.EXPECTED_CHANGE
        elif holds(packet.fence.may_touch, path):
            kind = PathClass.IN_SCOPE
        elif path in dependents:
            kind = PathClass.DEPENDENT_CONTACT
        else:
            kind = PathClass.UNPREDICTED
        classes.append((path, kind))
    kinds = {kind for _, kind in classes}
    verdict = (
        Conformance.BREACHED if PathClass.BREACH in kinds
        else Conformance.UNPREDICTED if PathClass.UNPREDICTED in kinds
        else Conformance.STAYED
    )  # fmt: skip
    return Graded(tuple(classes), verdict, packet.fence.source)


@dataclass(frozen=True, slots=True)
class Declared:
    """What the worker said of deviations, held against what was touched."""

    matched: tuple[str, ...] = ()
    undeclared_deviation: tuple[str, ...] = ()
    """Touched outside the scope and not declared."""
    declared_untouched: tuple[str, ...] = ()
    """Declared, and not touched."""


def compare(packet: Packet, graded: Graded, report: WorkerReport | None, declared: Sequence[str]) -> Declared:
    """A report's deviations against the facts. `declared` are its paths, canonical. Without a report, nothing is said."""
    if report is None or report.deviations is None:
        return Declared()
    outside = {
        path for path, kind in graded.classes
        if kind is PathClass.BREACH or not (holds(packet.fence.may_touch, path) or path in packet.expected_change)
    }  # fmt: skip
    touched = {path for path, _ in graded.classes}
    said = tuple(dict.fromkeys(declared))
    return Declared(
        tuple(sorted(p for p in outside if holds(said, p))),
        tuple(sorted(p for p in outside if not holds(said, p))),
        tuple(d for d in said if not any(holds((d,), p) for p in touched)),
    )
