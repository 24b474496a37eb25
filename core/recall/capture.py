"""What the capture evidence says about a record, in words (design/recall.md 8).

Receipts qualify what is said. They never change an order or whether a recall closes. A missing receipt is unknown.
"""

from __future__ import annotations

from core.ports import Extractor, Reach, Receipt
from core.recall.model import Qualification
from core.recall.search import Lead

_WORDS = {
    Reach.INVOCATION_FAILED: "could not be run",
    Reach.VALIDATION_FAILED: "returned something that did not hold",
    Reach.INPUT_FAILED: "could not read the record",
    Reach.SKIPPED: "was left out",
}


def qualify(lead: Lead, receipt: Receipt | None) -> Qualification:
    """Say how well a record was captured."""
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
    if "index" not in lead.matched_by and receipt.reach.get(Extractor.TALK) is Reach.SUCCEEDED:
        findings.append("IndexLacking: the record carries what was found, the index does not (it holds the talk only).")
    if not findings:
        findings.append("The conversation was captured whole.")
    return Qualification(path, " ".join(findings), receipt)


def _part(extractor: Extractor) -> str:
    return "head" if extractor is Extractor.HEAD else "conversation"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
