"""The report of a check: the one-line receipt, and `recollect-soul-check-v1` (design/soul.md 4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from datetime import UTC
from typing import Any

from core.json_text import time_text
from core.secrets import secret_spans
from core.soul.check import Checked
from core.soul.model import AnchorClass, Item, Reason, State, Tissue, Verdict
from core.soul.quantities import Contradiction
from core.soul.supersession import Restated
from core.text import clip, fold_lines, one_line, printable

Say = Callable[[str, int], str]
"""Foreign text and a width in columns to the text that may leave."""
SCHEMA = "recollect-soul-check-v1"
SHORT = 7
"""Digits of a commit in the receipt."""


def anchored(checked: Checked) -> tuple[int, int]:
    """Verifiable claims that cite something that can be checked, and verifiable claims."""
    claims = [i for i in checked.items if i.claim.tissue is Tissue.VERIFIABLE]
    return sum(1 for i in claims if i.verdicts), len(claims)


def unanchored(checked: Checked) -> tuple[Item, ...]:
    """Verifiable claims that cite nothing that can be checked."""
    return tuple(i for i in checked.items if i.claim.tissue is Tissue.VERIFIABLE and not i.verdicts)


def priced(checked: Checked) -> int:
    """Claims that hold on something that costs: a receipt, a running system, an answer git could not give."""
    holds = (State.UNPROVABLE, State.RECEIPT_REQUIRED)
    return sum(1 for i in checked.items if i.state in holds and i.verdicts)


def receipt_line(checked: Checked) -> str:
    """`soul: checked 2026-03-04 @1a2b3c4 - 12 fresh · 3 stale · 2 priced - 17/21 anchored - declared intact`.

    A receipt carries its date and commit, always; in a repository without a commit the commit is `unborn`, in
    one that does not answer `unknown`.
    """
    gripped, verifiable = anchored(checked)
    day = checked.at.astimezone(UTC).date().isoformat()
    where = f"@{checked.head[:SHORT]}" if checked.head else "@unborn" if checked.dirty is not None else "@unknown"
    counts = [f"{checked.count(State.FRESH)} fresh", f"{checked.count(State.STALE)} stale", f"{priced(checked)} priced"]
    if superseded := checked.count(State.SUPERSEDED):
        counts.append(f"{superseded} superseded")
    if checked.contradictions:
        counts.append(f"{len(checked.contradictions)} contradicted")
    coverage = f"{gripped}/{verifiable} anchored"
    tail = [coverage, _declared_words(checked)]
    if thin(checked):
        counts, tail = [f"only {coverage}", *counts], tail[1:]
    dirty = {True: " dirty", False: "", None: " dirty unknown"}[checked.dirty]
    return f"soul: checked {day} {where}{dirty} - {' · '.join(counts)} - {' - '.join(tail)}"


def thin(checked: Checked) -> bool:
    """True if so few claims are anchored that a count of fresh ones would be theatre."""
    gripped, verifiable = anchored(checked)
    return verifiable > 0 and gripped < verifiable * checked.floor


def _declared_words(checked: Checked) -> str:
    declared = checked.declared
    if not declared.known:
        return "declared not compared"
    if declared.intact:
        return "declared intact"
    parts = [
        f"{len(group)} {name}"
        for name, group in (("added", declared.added), ("removed", declared.removed), ("changed", declared.changed))
        if group
    ]
    return f"declared {', '.join(parts)}"


def as_json(checked: Checked, root: str, checked_by: str = "") -> dict[str, Any]:
    """The report as JSON values. Every key is always there; what is unknown is `None`."""
    say = _speaker(checked)
    gripped, verifiable = anchored(checked)
    stale = [i for i in checked.items if i.state is State.STALE]
    return {
        "schema": SCHEMA,
        "root": root,
        "soul_path": checked.soul_path,
        "headline": say(checked.document.headline, 120),
        "checked_at": time_text(checked.at),
        "repo_sha": checked.head or None,
        "dirty": checked.dirty,
        "doc_sha256": checked.doc_sha256,
        "checked_by": checked_by or None,
        "claims": {
            "total": len(checked.items),
            "verifiable": verifiable,
            "declared": len(checked.items) - verifiable,
            "unanchored": len(unanchored(checked)),
            "narration": checked.document.narration,
        },
        "by_state": {state.key: checked.count(state) for state in State},
        "items": [_item(say, i) for i in checked.items],
        "stale": [_short(say, i) for i in stale],
        "superseded": [_superseded(say, i) for i in checked.items if i.later > 0 or i.state is State.SUPERSEDED],
        "restated": [_restated(say, r, checked) for r in checked.restated],
        "consistency_findings": [_contradiction(say, c) for c in checked.contradictions],
        "findings": [{"reason": str(f.reason), "line": f.line, "detail": say(f.detail, 300)} for f in checked.findings],
        "review_hints": [
            {"reason": h.reason, "line": h.line, "claim": say(h.text, 160), "detail": say(h.detail, 300)}
            for h in checked.hints
        ],
        "declared": _declared(checked),
        "citations": dict(checked.citations),
        "coverage": {"anchored": gripped, "verifiable": verifiable, "per_class": _per_class(checked)},
        "checks_skipped": [say(s, 300) for s in checked.skipped],
        "soul_lag": {"commits_behind_head": checked.behind, "last_soul_touch": checked.touch or None},
        "receipt": receipt_line(checked),
    }


def _speaker(checked: Checked) -> Say:
    """How foreign text leaves: printable, masked, on one line, clipped. Whether there is anything to mask is asked of all
    of it at once: ten thousand claims are a hundred thousand texts."""
    texts = [
        checked.document.headline,
        *(f.detail for f in checked.findings),
        *(c.detail for c in checked.contradictions),
    ]
    for item in checked.items:
        texts += (item.claim.text, *item.claim.section, *(a.raw for a in item.claim.anchors))
        texts += (part for v in item.verdicts for part in (v.detail, v.reason, v.found))
    if secret_spans("\n".join(texts)):
        return one_line

    def plain(text: str, cells: int) -> str:
        if not text or (
            len(text) <= cells and text.isascii() and text.isprintable() and "  " not in text and text.strip() == text
        ):
            return text  # nearly every one
        return clip(fold_lines(printable(text)), cells)

    return plain


def _superseded(say: Say, item: Item) -> dict[str, Any]:
    return {**_short(say, item), "superseded_by_line": item.later if item.later > 0 else None}


def _restated(say: Say, restated: Restated, checked: Checked) -> dict[str, Any]:
    line, later = (checked.items[n].claim.lines[0] for n in (restated.claim, restated.later))
    return {"line": line, "later_line": later, "anchor": say(restated.anchor, 200)}


def _contradiction(say: Say, found: Contradiction) -> dict[str, Any]:
    values = [
        {"value": say(value, 60), "line": line or None, "text": say(text, 200)} for value, line, text in found.sides
    ]
    return {
        "quantity": say(found.quantity, 120),
        "reason": Reason.CONTRADICTED.value,
        "values": values,
        "detail": say(found.detail, 300),
    }


def _item(say: Say, item: Item) -> dict[str, Any]:
    return {
        "lines": list(item.claim.lines),
        "section": [say(s, 160) for s in item.claim.section],
        "text": say(item.claim.text, 2000),
        "tissue": item.claim.tissue.value,
        "state": item.state.value,
        "reason": item.reason or None,
        "superseded_by_line": item.later if item.later > 0 else None,
        "anchors": [_verdict(say, v) for v in item.verdicts],
        "neutral": [say(a.raw, 200) for a in item.claim.anchors if a.kind is AnchorClass.NEUTRAL],
    }


def _verdict(say: Say, verdict: Verdict) -> dict[str, Any]:
    return {
        "raw": say(verdict.anchor.raw, 300),
        "class": verdict.anchor.kind.value,
        "line": verdict.anchor.line,
        "state": verdict.state.value,
        "reason": say(verdict.reason, 300) or None,
        "detail": say(verdict.detail, 300) or None,
        "found": say(verdict.found, 300) or None,
    }


def _short(say: Say, item: Item) -> dict[str, Any]:
    failing = item.verdicts[0] if item.verdicts else None
    return {
        "claim": say(item.claim.text, 160),
        "lines": list(item.claim.lines),
        "section": say(" / ".join(item.claim.section), 200),
        "reason": item.reason or None,
        "anchor": say(failing.anchor.raw, 300) if failing else None,
        "class": failing.anchor.kind.value if failing else None,
        "detail": say(failing.detail, 300) if failing else None,
    }


def _declared(checked: Checked) -> dict[str, Any]:
    declared = checked.declared
    unknown = not declared.known
    return {
        "intact": None if unknown else declared.intact,
        "added": None if unknown else len(declared.added),
        "removed": None if unknown else len(declared.removed),
        "changed": None if unknown else len(declared.changed),
    }


def _per_class(checked: Checked) -> Mapping[str, Mapping[str, int]]:
    """Per class of anchors in verifiable claims: how many are cited, and how they stand."""
    found: dict[str, Counter[str]] = {kind.value: Counter() for kind in AnchorClass}
    for item in checked.items:
        if item.claim.tissue is not Tissue.VERIFIABLE:
            continue
        for anchor in item.claim.anchors:
            found[anchor.kind.value]["cited"] += 1
        for verdict in item.verdicts:
            found[verdict.anchor.kind.value][verdict.state.key] += 1
    return {kind: {"cited": 0, **counts} for kind, counts in found.items()}
