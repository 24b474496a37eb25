"""A made-up port for the place Delegate: fixed packets, no project, no clock; what is asked is noted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.delegation.calibration import Calibration, calibrate
from core.delegation.conformance import Graded, compare, grade
from core.delegation.debrief import Debriefed, Evidence, Verdict
from core.delegation.desk import Made
from core.delegation.ledger import Read, Row
from core.delegation.model import NoPacket, Packet, Refusal, Status
from core.delegation.registry import Delegation
from core.delegation.render import render
from core.delegation.teaching import Taught
from core.delegation.touched import Touched
from tests.core.delegation.goldens import NOW, large
from tui.screens.delegate_port import DelegateLook, Draft, Report

PATHS = ("pay/", "web/", "pay/client.py", "pay/rates.py", "web/cart.ts")
TOUCHED = Touched(("migrations/1.sql", "else.py", "pay/part00/module.py", "docs/x.md"), "git")


def packet(number: int, task: str) -> Packet:
    """A packet with an id and a task of its own."""
    base = large()
    return replace(
        base, id=f"dlg_1780000000000_made{number:06d}", order=replace(base.order, task=task), created=NOW - number * 60
    )


def rows(count: int) -> Calibration:
    """What a ledger of so many clean rows tells."""
    made = [Row(f"dlg_{n}", 0.0, "success", touched=4, in_scope=2, unpredicted=2) for n in range(count)]
    return calibrate(Read(tuple(made), 0, 0))


class HeldDelegations:
    """A port over fixed delegations."""

    def __init__(self, calibrated: int = 3) -> None:
        self.calls: list[tuple[object, ...]] = []
        self.trouble: Exception | None = None
        self.debrief_trouble: Exception | None = None
        self.answer: NoPacket | None = None
        self.rows = [
            Delegation(packet(1, "Give the payment client a retry budget"), Status.LIVE, 2000),
            Delegation(packet(2, "Round the tax in the cart"), Status.LIVE, 2000),
            Delegation(packet(3, "Drop the old gateway"), Status.DEBRIEFED, 2000, NOW, "breached"),
            Delegation(packet(4, "Rename the ledger"), Status.EXPIRED, 2000),
        ]
        self.calibration = rows(calibrated)

    def look(self) -> DelegateLook:
        if self.trouble is not None:
            raise self.trouble
        return DelegateLook(large().binding, tuple(self.rows), (), self.calibration, "ana")

    def compose(self, draft: Draft) -> Made | NoPacket:
        self.calls.append(("compose", draft))
        if self.trouble is not None:
            raise self.trouble
        if self.answer is not None:
            return self.answer
        made = packet(9, draft.task)
        tokens = int(draft.tokens or 2000)
        return Made(Delegation(made, Status.LIVE, tokens), render(made, tokens))

    def record(self, made: Made) -> Made:
        self.calls.append(("record", made.delegation.packet.id))
        self.rows.insert(0, made.delegation)
        return made

    def show(self, identity: str) -> Made:
        self.calls.append(("show", identity))
        found = next(d for d in self.rows if d.packet.id == identity)
        return Made(found, render(found.packet, found.budget))

    def write(self, identity: str) -> str:
        self.calls.append(("write", identity))
        return f"/home/ana/{identity}.md"

    def paths(self) -> Sequence[str]:
        return PATHS

    def graded(self, identity: str, touched: str) -> tuple[Touched, Graded]:
        self.calls.append(("graded", identity, touched))
        chosen = TOUCHED if touched in ("", "git") else Touched(tuple(touched.split(",")), "list")
        return chosen, grade(large(), chosen.paths)

    def debrief(self, identity: str, report: Report) -> Debriefed:
        self.calls.append(("debrief", identity, report))
        if self.debrief_trouble is not None:
            raise self.debrief_trouble
        base = next(d for d in self.rows if d.packet.id == identity)
        self.rows = [replace(d, status=Status.DEBRIEFED, verdict="breached") if d is base else d for d in self.rows]
        graded = grade(base.packet, TOUCHED.paths)
        verdict = Verdict(report.grader, report.outcome, report.worker, Evidence("make test", 0))
        taught = (
            Taught("finding", "The bank hangs up.", report.worker, "persisted", "id-1"),
            Taught("lesson", "else.py was missing.", report.grader, "queued", "id-2", "The owner is away."),
        )
        return Debriefed(
            base.packet, verdict, TOUCHED, graded, compare(base.packet, graded, None, ()), ("no_report",), taught,
            ("A caveat.",), report.regrade, Row(identity, NOW, report.outcome),
        )  # fmt: skip


REFUSED = NoPacket(
    Refusal.UNSCOPABLE, large().binding, "The task's words lead to no one part of this project.", "Name what it is about.",
    (("terms", ["zzyzx"]), ("terms_found", [])),
)  # fmt: skip
