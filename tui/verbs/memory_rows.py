"""How claims look: as rows of JSON and as lines for people, masked and printable."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from core.memory.sink import Status
from core.memory.view import Event, Held, Standing, made_at
from core.recall.wording import iso_time
from core.text import one_line, shown

_SHORT = 8
"""Digits of an id that lists show: its end, which no two claims share; its beginning is a time."""


def row_of(held: Held) -> dict[str, Any]:
    """A claim as JSON: every field, and how it stands."""
    claim = held.claim
    return {
        "id": claim.id,
        "label": one_line(claim.label),
        "text": shown(claim.text),
        "kind": claim.kind,
        "tier": claim.tier.value,
        "salience": claim.salience,
        "importance": claim.importance,
        "confidence": claim.confidence,
        "tags": [one_line(tag) for tag in claim.tags],
        "namespace": one_line(claim.namespace),
        "source_agent": one_line(claim.source_agent) or None,
        "created_at": iso_time(claim.created_at),
        "updated_at": iso_time(claim.updated_at),
        "evidence": [{"kind": e.kind.value, "at": shown(e.at), "line": e.line} for e in claim.evidence],
        "depends_on": list(claim.depends_on),
        "supersedes": list(claim.supersedes),
        "soul_source": one_line(claim.soul_source) or None,
        "origin": one_line(claim.origin) or None,
        "standing": held.standing.value,
        "queued": held.queued,
        "uses": held.uses,
        "superseded_by": list(held.superseded_by),
    }


def memory_row(state: Status) -> dict[str, Any]:
    """How a memory stands, as JSON."""
    spool = {
        "waiting": state.spooled, "bytes": state.spooled_bytes, "rejected": state.rejected, "elsewhere": state.elsewhere
    }  # fmt: skip
    return {
        "owner": state.owner,
        "place": shown(state.place),
        "reachable": state.reachable,
        "store": state.store or None,
        "claims": state.claims,
        "spool": spool,
        "trouble": shown(state.trouble) or None,
        "hint": shown(state.hint) or None,
    }


def list_line(held: Held) -> str:
    """A claim on one line: the end of its id, its day, kind and label, and what is special about it."""
    claim = held.claim
    marks = [] if held.standing is Standing.CURRENT else [held.standing.value]
    marks += ["waits in the spool"] if held.queued else []
    marks += [f"from {one_line(claim.soul_source, 60)}"] if claim.soul_source else []
    special = f"  ({'; '.join(marks)})" if marks else ""
    day = (iso_time(made_at(claim)) or "")[:10] or "age unknown"
    return f"{claim.id[-_SHORT:]}  {day:<11} {claim.kind:<10} {one_line(claim.label, 100)}{special}"


def claim_lines(held: Held) -> list[str]:
    """A claim whole."""
    claim = held.claim
    standing = held.standing.value + (", waits in the spool" if held.queued else "")
    confidence = "not said" if claim.confidence is None else f"{claim.confidence:g}"
    lines = [
        f"{claim.id}  {claim.kind}, {claim.tier.value}, {standing}",
        *shown(claim.text).split("\n"),
        "",
        f"by {one_line(claim.source_agent) or 'an unknown author'}, created {iso_time(claim.created_at) or 'at an unknown time'}"
        + (f", updated {iso_time(claim.updated_at)}" if claim.updated_at is not None else ""),
        f"salience {claim.salience:g}, importance {claim.importance:g}, confidence {confidence}, identified {held.uses} time{'' if held.uses == 1 else 's'}",
        f"namespace {one_line(claim.namespace)}, born in {one_line(claim.origin) or 'an unknown memory'}",
    ]
    lines += [f"tags {', '.join(one_line(tag) for tag in claim.tags)}"] if claim.tags else []
    lines += [f"soul_source {one_line(claim.soul_source)}"] if claim.soul_source else []
    lines += [f"evidence {shown(str(one))}" for one in claim.evidence]
    lines += [f"depends on {one}" for one in claim.depends_on]
    lines += [f"supersedes {one}" for one in claim.supersedes]
    lines += [f"superseded by {one}" for one in held.superseded_by]
    return lines


def history_lines(events: Sequence[Event]) -> list[str]:
    """What happened to a claim, newest first."""
    lines = ["History, newest first:"]
    for event in events:
        when = iso_time(event.at) or "at an unknown time"
        who = one_line(event.by, 40) or "unknown"
        why = f": {one_line(event.why, 100)}" if event.why else ""
        lines.append(f"  {when:<20}  {event.what:<10} {event.about[-_SHORT:]}  by {who}{why}")
    return lines
