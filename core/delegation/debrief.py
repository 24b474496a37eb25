"""Compares what a worker touched with the packet, teaches memory, and writes one row of the ledger."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from core.delegation.conformance import Declared, Graded, PathClass, compare, grade
from core.delegation.ledger import Ledger, Row
from core.delegation.model import Packet, Status
from core.delegation.past import project_tag
from core.delegation.project import Project
from core.delegation.registry import Delegation, Registry
from core.delegation.rows import count_of
from core.delegation.scope import holds
from core.delegation.teaching import Sink, Taught, teach_findings, teach_lesson
from core.delegation.touched import Touched, from_list
from core.delegation.worker_report import MOST_FINDINGS, WorkerReport
from core.errors import UsageError
from core.recall.wording import iso_time

OUTCOMES = ("success", "failure", "partial")
NON_CLAIMS = (
    "Paths are graded, never the quality of code: nothing here says that a merge is safe.",
    "An unpredicted path is feedback on the map, not the worker's fault.",
    "A dependent that was not touched counts against nobody.",
    "An outcome without evidence is a word, and is marked so.",
    "Git does not tell of files that it ignores: a change of those is seen where a file or folder is fenced.",
)


@dataclass(frozen=True, slots=True)
class Evidence:
    """What shows how the work went."""

    command: str
    exit_status: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a grader hands in."""

    grader: str
    outcome: str
    worker: str = ""
    """`""`: the grader did the work."""
    evidence: Evidence | None = None
    findings: tuple[str, ...] = ()
    report: WorkerReport | None = None
    """The worker's own report, where there is one."""
    regrade: bool = False


@dataclass(frozen=True, slots=True)
class Debriefed:
    """The result of a debrief."""

    packet: Packet
    verdict: Verdict
    touched: Touched
    graded: Graded
    declared: Declared
    flags: tuple[str, ...]
    taught: tuple[Taught, ...]
    caveats: tuple[str, ...]
    regraded: bool
    row: Row


def open_for_debrief(registry: Registry, identity: str, now: float, *, regrade: bool) -> Delegation:
    """A delegation that can be debriefed. Raises `UsageError` for one that is unknown, expired or debriefed already."""
    found = registry.find(identity, now)
    if regrade or found.status is Status.LIVE:
        return found
    when = iso_time(found.debriefed if found.status is Status.DEBRIEFED else found.packet.expires)
    raise UsageError(
        f"The delegation {found.packet.id} {'was debriefed on' if found.status is Status.DEBRIEFED else 'expired on'} {when}.",
        "--regrade grades it anew and takes the place of its row.",
    )


def assess(
    registry: Registry, found: Delegation, project: Project, verdict: Verdict, touched: Touched, now: float
) -> Debriefed:
    """How a debrief ends: classes, flags and the row, without teaching or writing. Raises `UsageError` for an outcome that
    is none."""
    if verdict.outcome not in OUTCOMES:
        raise UsageError(f"The outcome cannot be {verdict.outcome!r}.", f"It is one of {', '.join(OUTCOMES)}.")
    packet = found.packet
    graded = grade(packet, touched.paths)
    report = verdict.report if verdict.report is None or _is_of(verdict.report, packet) else None
    said = from_list(project.root, report.deviations or ()).paths if report is not None else ()
    flags, caveats = _flags(registry, packet, project, verdict, report, touched, now)
    return Debriefed(
        packet, verdict, touched, graded, compare(packet, graded, report, said), flags, (), caveats,
        found.status is Status.DEBRIEFED, _row(packet, verdict, verdict.worker or verdict.grader, graded, flags, now),
    )  # fmt: skip


def debrief(
    registry: Registry,
    identity: str,
    project: Project,
    verdict: Verdict,
    touched: Touched,
    memory: Sink,
    now: Callable[[], float],
) -> Debriefed:
    """Grade, teach, and write the row. Raises as `assess`, and as `open_for_debrief` where another process debriefed it
    meanwhile."""
    with registry.locked():
        found = open_for_debrief(registry, identity, now(), regrade=verdict.regrade)
        done = assess(registry, found, project, verdict, touched, now())
        taught = _teach(memory, done, project_tag(project.repository.common_dir), now())
        Ledger(registry.folder).append(done.row)
        registry.settle(replace(found, status=Status.DEBRIEFED, debriefed=now(), verdict=done.graded.verdict.value))
    return replace(done, taught=taught)


def _teach(memory: Sink, done: Debriefed, tag: str, now: float) -> tuple[Taught, ...]:
    """Teach memory the findings of a debrief, those of its own report included, and the lesson of what was missed."""
    packet, verdict = done.packet, done.verdict
    report = verdict.report if verdict.report is not None and _is_of(verdict.report, packet) else None
    worker = verdict.worker or verdict.grader
    every = dict.fromkeys((*verdict.findings, *(report.findings if report is not None else ())))
    findings = [f for f in every if f.strip()]
    held = done.graded.paths(*(kind for kind in PathClass if kind is not PathClass.BREACH))
    taught = teach_findings(memory, packet, findings[:MOST_FINDINGS], worker, held, tag, now)
    taught += tuple(
        Taught("finding", f, worker, "refused", why=f"{MOST_FINDINGS} findings are taken of one debrief.")
        for f in findings[MOST_FINDINGS:]
    )
    missed = done.graded.paths(PathClass.UNPREDICTED)
    return taught + teach_lesson(memory, packet, missed, verdict.grader, tag, now)


def _is_of(report: WorkerReport, packet: Packet) -> bool:
    return report.identity == packet.id


def _row(packet: Packet, verdict: Verdict, worker: str, graded: Graded, flags: tuple[str, ...], now: float) -> Row:
    counts = graded.counts
    evidence = verdict.evidence
    return Row(
        packet.id, now, verdict.outcome, graded.verdict.value, len(graded.classes), counts[PathClass.BREACH],
        counts[PathClass.EXPECTED_CHANGE], counts[PathClass.IN_SCOPE], counts[PathClass.DEPENDENT_CONTACT],
        counts[PathClass.UNPREDICTED], flags, packet.binding.root, verdict.grader, worker, len(packet.anchors),
        len(packet.dependents), graded.fence,
        None if evidence is None else {"command": evidence.command, "exit_status": evidence.exit_status},
    )  # fmt: skip


def _flags(
    registry: Registry,
    packet: Packet,
    project: Project,
    verdict: Verdict,
    report: WorkerReport | None,
    touched: Touched,
    now: float,
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The flags of the row, and what a reader should know, in words."""
    flags, caveats = [], [*touched.caveats]
    if others := _siblings(registry, packet, touched.paths, now):
        flags.append("overlap")
        caveats.append(f"Another live delegation may touch the same files: {', '.join(others[:3])}.")
    behind = project.is_behind(packet.binding.head)
    if behind is False:
        flags.append("drifted")
        caveats.append("The commit of the packet is no part of what is checked out now: the ground moved.")
    elif behind is None:
        caveats.append("Whether the ground moved since the packet was made is unknown.")
    if verdict.evidence is None:
        flags.append("unverified")
    elif (verdict.evidence.exit_status == 0) == (verdict.outcome == "failure") and verdict.outcome != "partial":
        flags.append("evidence_conflict")
        caveats.append(
            f"The evidence ended with {verdict.evidence.exit_status}, and the outcome says {verdict.outcome}."
        )
    if report is None:
        flags.append("no_report")
        if verdict.report is not None:
            other = verdict.report.identity
            caveats.append(
                f"The report is of another delegation: {other}."
                if other
                else "The report has no [recollect ID] header."
            )
    else:
        caveats += _of_report(report)
    caveats += _second_source(packet, project, touched)
    if touched.outside:
        count = len(touched.outside)
        caveats.append(f"{count_of(count, 'path')} outside the project {'was' if count == 1 else 'were'} not graded.")
    return tuple(flags), tuple(caveats)


def _of_report(report: WorkerReport) -> list[str]:
    """What a report lacks, or holds too much of."""
    found = []
    if report.deviations is None:
        found.append("The report says nothing of deviations: what was touched outside the scope was not declared.")
    if more := report.more_findings:
        found.append(
            f"The report holds {more} {'finding' if more == 1 else 'findings'} more than the {MOST_FINDINGS} that are taken."
        )
    return found


def _siblings(registry: Registry, packet: Packet, paths: Sequence[str], now: float) -> list[str]:
    """Live delegations of the same project whose scope holds a path that was touched."""
    every, _ = registry.all(now)
    return [
        d.packet.id for d in every
        if d.status is Status.LIVE and d.packet.id != packet.id and d.packet.binding.root == packet.binding.root
        and any(holds(d.packet.fence.may_touch, p) for p in paths)
    ]  # fmt: skip


def _second_source(packet: Packet, project: Project, touched: Touched) -> list[str]:
    """Where a list, a diff or a session said what was touched: changed files that only git has."""
    if touched.source == "git" or project.work is None:
        return []
    before = dict(packet.baseline)
    alone = [p for p in sorted(project.changed) if p not in touched.paths and before.get(p) != project.digest(p)]
    if not alone:
        return []
    what = "1 more file differs" if len(alone) == 1 else f"{len(alone):,} more files differ"
    return [f"{what} from the commit, which the {touched.source} does not have: {', '.join(alone[:5])}."]
