"""What the capture evidence says about a record, in words (design/recall.md 8).

Receipts qualify what is said. They never change an order or whether a recall closes. A missing receipt is unknown.
"""

from __future__ import annotations

from dataclasses import replace

from core.ports import Extractor, Reach, Receipt
from core.recall.model import Qualification
from core.recall.search import Lead
from core.records.outcomes import CaptureOutcome
from core.text import one_line

_WORDS = {
    Reach.INVOCATION_FAILED: "could not be run",
    Reach.VALIDATION_FAILED: "returned something that did not hold",
    Reach.INPUT_FAILED: "could not read the record",
    Reach.SKIPPED: "was left out",
}


def qualify(lead: Lead, receipt: Receipt | None, outcome: CaptureOutcome | None = None) -> Qualification:
    """Say how well a record was captured: by our own index, and by a hypomnesis store where one says so."""
    ours = _ours(lead, receipt)
    theirs = outcome_words(outcome) if outcome is not None else ""
    return replace(ours, finding=f"{ours.finding} {theirs}") if theirs else ours


def outcome_words(outcome: CaptureOutcome) -> str:
    """What a hypomnesis store says of its own capture, as its word. Nothing in it shows what the record holds."""
    parts = []
    if not outcome.finished:
        parts.append("its last capture was not finished")
    elif outcome.failed:
        parts.append("its last capture failed, it does not say where")
    parts += [
        f"its {one_line(name, 40)} extractor {_WORDS[Reach(state)]}"
        for name, state in sorted(outcome.extractors.items())
        if Reach(state) in _WORDS
    ]
    parts += [
        f"its {one_line(name, 40)} extractor did not receive {count:,} characters"
        for name, count in sorted(outcome.omitted.items())
        if count
    ]
    if outcome.publication in ("partial", "failed"):
        parts.append(f"it wrote its index {'only in part' if outcome.publication == 'partial' else 'not at all'}")
    if outcome.same_source is False:
        parts.append("the record changed since")
    return f"The hypomnesis index beside the record says: {'; '.join(parts)}." if parts else ""


def _ours(lead: Lead, receipt: Receipt | None) -> Qualification:
    """What our own receipt says."""
    path = lead.hit.entry.source.path
    if receipt is None:
        if "index" in lead.matched_by:
            return Qualification(path, "How well this record was captured is not known.", None)
        return Qualification(path, "The index does not hold this record yet; it was read from its file.", None)
    findings = [receipt.finding] if receipt.finding else []
    source = lead.hit.entry.source
    if (receipt.size, receipt.mtime_ns) != (source.size, source.mtime_ns):
        findings.append("The record changed since it was captured.")
    for extractor in (Extractor.HEAD, Extractor.TALK):
        reach = receipt.reach.get(extractor)
        if reach is None:
            findings.append(f"Whether its {_part(extractor)} was captured is not known.")
        elif reach in _WORDS:
            findings.append(f"PartialExtract: the reader of its {_part(extractor)} {_WORDS[reach]}.")
    tally = receipt.tally
    if tally.skipped_lines:
        findings.append(f"{_count(tally.skipped_lines, 'line')} did not parse.")
    if tally.unverified_person_turns:
        findings.append(f"{_count(tally.unverified_person_turns, 'turn')} could not be verified as yours.")
    if tally.omitted_chars:
        findings.append(f"{tally.omitted_chars:,} characters were left out of the index.")
    if (
        "scan" in lead.matched_by
        and "index" not in lead.matched_by
        and receipt.reach.get(Extractor.TALK) is Reach.SUCCEEDED
    ):
        findings.append("IndexLacking: the record carries what was found, the index does not (it holds the talk only).")
    if not findings:
        findings.append("The conversation was captured whole.")
    return Qualification(path, " ".join(findings), receipt)


def _part(extractor: Extractor) -> str:
    return "head" if extractor is Extractor.HEAD else "conversation"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
