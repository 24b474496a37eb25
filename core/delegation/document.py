"""Packets, debriefs and calibrations as the JSON values that leave the program: every key always there, foreign text shown()."""

from __future__ import annotations

from typing import Any

from core.delegation.calibration import Calibration, Metric
from core.delegation.conformance import PathClass
from core.delegation.debrief import NON_CLAIMS, Debriefed
from core.delegation.model import SCHEMA, Binding, NoPacket, Packet, Recollection
from core.delegation.registry import Delegation
from core.delegation.render import Rendered
from core.recall.wording import iso_time
from core.text import one_line, shown


def where_json(binding: Binding) -> dict[str, Any]:
    """The binding, as `recollect where` prints it and a packet carries it."""
    return {
        "root": shown(binding.root) or None, "trust_mode": binding.trust.value, "head": binding.head or None,
        "branch": one_line(binding.branch) or None, "limits": [shown(x) for x in binding.limits],
    }  # fmt: skip


def packet_json(packet: Packet, text: Rendered, calibration: Calibration, *, recorded: bool = True) -> dict[str, Any]:
    """A packet: `recollect-delegation-packet-v1`. Paths of the project are relative to `mission.binding.root`. One that was
    not recorded cannot be debriefed."""
    order, stale = packet.order, packet.staleness
    return {
        "schema": SCHEMA,
        "verdict": "packet",
        "delegation_id": packet.id,
        "recorded": recorded,
        "created_at": iso_time(packet.created),
        "expires_at": iso_time(packet.expires),
        "mission": {
            "task": shown(order.task), "agent_id": one_line(order.agent), "hint": shown(order.hint) or None,
            "binding": where_json(packet.binding),
        },
        "staleness": {
            "changed_since_index": stale.changed_since_index, "indexed_at": iso_time(stale.indexed_at),
            "head": stale.head or None, "dirty": stale.dirty, "changed_anchors": [shown(p) for p in stale.changed_anchors],
        },
        "anchors": [
            {"path": shown(a.path), "line": a.line, "label": one_line(a.label), "why": [one_line(w) for w in a.why]}
            for a in packet.anchors
        ],
        "sessions": [
            {"sentence": one_line(s.sentence), "speaker": s.speaker or None, "runtime": s.runtime,
             "session_id": one_line(s.session_id), "path": shown(s.path), "line": s.line, "at": iso_time(s.at)}
            for s in packet.sessions
        ],
        "memory": [_claim(m) for m in packet.memory],
        "scope": {
            "may_touch": [shown(p) for p in packet.fence.may_touch],
            "derived_from": "activation" if packet.fence.derived else None,
            "must_not_touch": [shown(p) for p in packet.fence.must_not_touch], "fence": packet.fence.source,
            "seeds": [shown(s) for s in order.seeds], "seeds_unresolved": [shown(s) for s in packet.seeds_unresolved],
        },
        "dependents": {
            "expected_change": [shown(p) for p in packet.expected_change],
            "dependents": [
                {"path": shown(d.path), "line": d.line, "hop": d.hop, "source": shown(d.source)} for d in packet.dependents
            ],
            "truncated": packet.dependents_truncated,
        },
        "co_change": [
            {"path": shown(t.path), "with": shown(t.source), "count": t.count, "of": t.of} for t in packet.together
        ],
        "proof": [
            {"command": one_line(p.command), "folder": shown(p.folder) or ".", "manifest": shown(p.manifest)}
            for p in packet.proof
        ],
        "soul": {
            "path": shown(packet.soul.path) or None, "receipt": one_line(packet.soul.receipt) or None,
            "stale": [{"line": line, "claim": one_line(text, 400)} for text, line in packet.soul.stale],
            "why_not": shown(packet.soul.why_not) or None,
        },
        "honest_gaps": [shown(g) for g in packet.gaps],
        "non_claims": list(packet.non_claims),
        "calibration": calibration_values(calibration),
        "budget": {"tokens": text.budget, "used": text.tokens, "fits": text.fits, "cut": list(text.cut),
                   "max_nodes": order.max_nodes},
        "prompt_markdown": text.text,
    }  # fmt: skip


def _claim(m: Recollection) -> dict[str, Any]:
    return {
        "id": m.id, "text": one_line(m.text), "kind": m.kind, "tier": m.tier, "origin": one_line(m.origin) or None,
        "author": one_line(m.author) or None, "age_days": m.age_days, "stale": m.stale,
        "verify": one_line(m.verify) if m.stale else None, "paths": [shown(p) for p in m.paths],
    }  # fmt: skip


def no_packet_json(answer: NoPacket, calibration: Calibration) -> dict[str, Any]:
    """The answer where there is no packet: the same schema, with its class, evidence and next move."""
    return {
        "schema": SCHEMA,
        "verdict": answer.verdict,
        "class": answer.refusal.value,
        "reason": shown(answer.reason),
        "evidence": {key: _shown(value) for key, value in answer.evidence},
        "next_move": answer.next_move,
        "mission": {"binding": where_json(answer.binding)},
        "honest_gaps": [shown(g) for g in answer.gaps],
        "non_claims": list(answer.non_claims),
        "calibration": calibration_values(calibration),
    }


def _shown(value: object) -> object:
    if isinstance(value, str):
        return shown(value)
    if isinstance(value, list | tuple):
        return [_shown(v) for v in value]
    return value


def calibration_values(calibration: Calibration) -> dict[str, Any]:
    """Counts; numbers of quality are `None` until there are enough clean rows."""
    return {
        "rows": calibration.rows, "needed": calibration.needed, "calibrated": calibration.calibrated,
        "clean": calibration.clean, "unverified": calibration.unverified, "contaminated": calibration.contaminated,
        "repeated": calibration.repeated, "skipped_lines": calibration.skipped,
        "scope_precision": _metric(calibration.scope_precision), "miss_rate": _metric(calibration.miss_rate),
        "dependents_honesty": _metric(calibration.dependents_honesty),
    }  # fmt: skip


def _metric(metric: Metric | None) -> dict[str, float] | None:
    if metric is None:
        return None
    return {"value": round(metric.value, 6), "low": round(metric.low, 6), "high": round(metric.high, 6)}


def delegation_row(one: Delegation) -> dict[str, Any]:
    """A delegation as a row of a list."""
    packet = one.packet
    return {
        "delegation_id": packet.id, "status": one.status.value, "task": one_line(packet.order.task, 400),
        "agent_id": one_line(packet.order.agent), "root": shown(packet.binding.root),
        "created_at": iso_time(packet.created), "expires_at": iso_time(packet.expires),
        "debriefed_at": iso_time(one.debriefed), "verdict": one.verdict or None, "anchors": len(packet.anchors),
        "may_touch": len(packet.fence.may_touch), "fence": packet.fence.source,
    }  # fmt: skip


def debrief_json(done: Debriefed, calibration: Calibration, *, recorded: bool = True) -> dict[str, Any]:
    """A debrief: `recollect-delegation-debrief-v1`; one that was not recorded wrote no row and taught nothing."""
    verdict, graded = done.verdict, done.graded
    evidence, report = verdict.evidence, verdict.report
    return {
        "schema": "recollect-delegation-debrief-v1",
        "delegation_id": done.packet.id,
        "recorded": recorded,
        "grader": one_line(verdict.grader),
        "worker": one_line(verdict.worker or verdict.grader),
        "outcome": verdict.outcome,
        "evidence": None if evidence is None else {"command": one_line(evidence.command), "exit_status": evidence.exit_status},
        "verdict": graded.verdict.value,
        "fence": graded.fence,
        "verdict_words": graded.words,
        "touched_from": done.touched.source,
        "classified": [{"path": shown(p), "class": kind.value} for p, kind in graded.classes],
        "counts": {"touched": len(graded.classes), **{kind.value: graded.counts[kind] for kind in PathClass}},
        "renamed": [{"from": shown(a), "to": shown(b)} for a, b in done.touched.renamed],
        "deleted": [shown(p) for p in done.touched.deleted],
        "outside": [shown(p) for p in done.touched.outside],
        "report": None if report is None else {
            "header": report.identity or None,
            "deviations": None if report.deviations is None else [shown(d) for d in report.deviations],
            "matched": [shown(p) for p in done.declared.matched],
            "undeclared_deviation": [shown(p) for p in done.declared.undeclared_deviation],
            "declared_untouched": [shown(p) for p in done.declared.declared_untouched],
        },
        "learned": [
            {"kind": t.kind, "text": shown(t.text), "under": one_line(t.under), "state": t.state, "id": t.id or None,
             "why": shown(t.why) or None}
            for t in done.taught
        ],
        "flags": list(done.flags),
        "regraded": done.regraded,
        "caveats": [shown(c) for c in done.caveats],
        "non_claims": list(NON_CLAIMS),
        "calibration": calibration_values(calibration),
    }  # fmt: skip
