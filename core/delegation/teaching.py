"""What a debrief teaches, through memory alone: each finding under the worker's name, one lesson under the grader's.

What a delegation taught already is not kept twice. A clean run without findings writes nothing.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from core.delegation.model import Packet
from core.delegation.past import OF_DELEGATION
from core.errors import RecollectError
from core.memory.claim import Claim, new_claim
from core.memory.sink import Written
from core.memory.view import Standing, View
from core.text import clip, fold_lines, one_line

LABEL_WORDS = 8
MOST_EVIDENCE = 50
"""Files that one taught claim rests on."""
MOST_NAMED = 20
"""Files that a lesson names in its text."""


class Sink(Protocol):
    """The one write sink of memory (`core.memory.sink.Memory`)."""

    def keep(self, claims: Sequence[Claim]) -> Written:
        """Keep claims."""
        ...

    def view(self) -> View:
        """What the memory holds."""
        ...


@dataclass(frozen=True, slots=True)
class Taught:
    """What became of one finding or lesson."""

    kind: str
    """`finding` or `lesson`."""
    text: str
    under: str
    """Whose claim it is."""
    state: str
    """`persisted`, `queued` (it waits in the spool), `known` (kept before), or `refused`."""
    id: str = ""
    why: str = ""


def teach_findings(
    sink: Sink, packet: Packet, findings: Sequence[str], worker: str, touched: Sequence[str], tag: str, now: float
) -> tuple[Taught, ...]:
    """Keep each finding; it rests on the files it names, else on those that were touched."""
    known = _known(sink.view(), packet.id)
    done: list[Taught] = []
    for text in findings:
        if (claim := known.get(("finding", fold_lines(text)))) is not None:
            done.append(Taught("finding", text, worker, "known", claim.id))
            continue
        named = [p for p in touched if p in text or os.path.basename(p) in text.split()]
        done.append(_keep(sink, "finding", text, worker, _label(text, packet), named or touched, packet, tag, now))
    return tuple(done)


def teach_lesson(
    sink: Sink, packet: Packet, missed: Sequence[str], grader: str, tag: str, now: float
) -> tuple[Taught, ...]:
    """Keep one lesson where the map missed paths; a lesson of the same delegation is superseded by it."""
    if not missed:
        return ()
    named = ", ".join(missed[:MOST_NAMED]) + (
        f" and {len(missed) - MOST_NAMED} more" if len(missed) > MOST_NAMED else ""
    )
    count = "1 file" if len(missed) == 1 else f"{len(missed)} files"
    text = f"Work on “{one_line(packet.order.task, 160)}” also needed {count} that its packet did not have: {named}."
    held = _known(sink.view(), packet.id)
    if (claim := held.get(("lesson", fold_lines(text)))) is not None:
        return (Taught("lesson", text, grader, "known", claim.id),)
    before = [c.id for (kind, _), c in held.items() if kind == "lesson"]
    label = f"delegation lesson {packet.id}"
    return (_keep(sink, "lesson", text, grader, label, missed, packet, tag, now, before),)


def _known(view: View, identity: str) -> dict[tuple[str, str], Claim]:
    """What this delegation taught, by kind and text."""
    return {
        (h.claim.kind, fold_lines(h.claim.text)): h.claim
        for h in view.held.values()
        if identity in h.claim.tags and h.standing is Standing.CURRENT
    }


def _label(text: str, packet: Packet) -> str:
    """The first words of a finding and the delegation it came from: two that begin alike stay apart."""
    return f"{clip(' '.join(fold_lines(text).split()[:LABEL_WORDS]), 60)} ({packet.id[-6:]})"


def _keep(
    sink: Sink, kind: str, text: str, under: str, label: str, paths: Sequence[str], packet: Packet, tag: str, now: float,
    supersedes: Sequence[str] = (),
) -> Taught:  # fmt: skip
    evidence = [f"file:{p}" for p in paths[:MOST_EVIDENCE] if p.isprintable() and len(p) < 1000]
    try:
        claim = new_claim(
            text, kind=kind, label=label, source_agent=under, created_at=now, evidence=evidence,
            tags=(OF_DELEGATION, packet.id, tag), salience=0.7, supersedes=supersedes,
        )  # fmt: skip
        done = sink.keep([claim])
    except RecollectError as problem:
        return Taught(kind, text, under, "refused", why=problem.what)
    state = "persisted" if done.persisted else "queued" if done.queued else "refused"
    return Taught(kind, text, under, state, claim.id, done.why)
