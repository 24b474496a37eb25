"""The seat-check: a curator's report held against the rules, by someone else than the curator (design/soul.md 6).

Every rule runs and every violation is returned. With the document before and after, the report's word is not taken: what
was removed is read from the two texts. A report that is malformed raises an error that names the key.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.errors import UsageError
from core.soul.model import Tissue
from core.soul.removals import Removal, matches, removals
from core.soul.tissue import TissueTable

SCHEMA = "recollect-seat-check-v1"
_RECEIPT = re.compile(r"^soul: checked \d{4}-\d\d-\d\d @\w+(?: dirty(?: unknown)?)?\s*[-—–]\s*")


@dataclass(frozen=True, slots=True)
class Violation:
    """A rule that the report breaks."""

    code: str
    row: int | None
    """The row of `pruned` (or the line of the document before), from 0; `None` for the report as a whole."""
    message: str


@dataclass(frozen=True, slots=True)
class Rerun:
    """What a check of the document after curation says now, for the rules that need one."""

    receipt: str
    stale: Sequence[Mapping[str, Any]]
    """The `stale` rows of the report document (core/soul/report.py)."""
    unanchored: int
    unanchored_before: int | None = None
    """The same count of the document before; `None` if it is not known."""


@dataclass(frozen=True, slots=True)
class SeatCheck:
    """The verdict."""

    grader: str
    curated_by: str
    seat_independent: bool
    violations: tuple[Violation, ...]

    @property
    def passed(self) -> bool:
        """True if the seats differ and no rule is broken."""
        return self.seat_independent and not self.violations

    def as_json(self) -> dict[str, Any]:
        """`recollect-seat-check-v1`."""
        rows = [{"code": v.code, "row": v.row, "message": v.message} for v in self.violations]
        return {
            "schema": SCHEMA,
            "passed": self.passed,
            "grader": self.grader,
            "curated_by": self.curated_by,
            "seat_independent": self.seat_independent,
            "violations": rows,
        }


def base_id(identity: str) -> str:
    """The seat of an id `host:tier:name@parent`: without its parent, blanks and case."""
    folded = unicodedata.normalize("NFKC", identity).casefold()
    return ":".join(part.strip() for part in folded.partition("@")[0].strip().split(":"))


def seat_check(
    report: object,
    grader: str,
    *,
    before: str | None = None,
    after: str | None = None,
    rerun: Rerun | None = None,
    table: TissueTable | None = None,
) -> SeatCheck:
    """Hold a report against every rule. `before` and `after`: the document's texts, both or neither.

    Raises `UsageError` for a malformed report, and for a blank grader.
    """
    data = _well_formed(report)
    if not grader.strip():
        raise UsageError("The grader has no id.", "Name who checks: --grader host:tier:name")
    if (before is None) != (after is None):
        raise UsageError("Only one of the two documents was given.", "Give the document before and after, or neither.")
    found: list[Violation] = []
    curated_by = data.get("curated_by")
    author = curated_by.strip() if isinstance(curated_by, str) else ""
    if not author:
        found.append(
            Violation("missing_curated_by", None, "curated_by is missing or blank: nobody answers for this report.")
        )
    independent = bool(author) and base_id(author) != base_id(grader)
    if author and not independent:
        found.append(
            Violation("self_graded", None, f"{grader} and {author} are one seat: the grader is never the author.")
        )
    gone = removals(before, after, table) if before is not None and after is not None else None
    found += _rows(data.get("pruned"), gone, before, table)
    if not isinstance(data.get("still_stale"), list):
        what = "is missing" if "still_stale" not in data else "is no list"
        found.append(
            Violation("missing_still_stale", None, f"still_stale {what}: write [] if nothing is stale any more.")
        )
    if gone is not None:
        found += _uncovered(data.get("pruned"), gone)
    if rerun is not None:
        found += _reran(data, rerun)
    return SeatCheck(grader, author, independent, tuple(found))


def _well_formed(report: object) -> Mapping[str, Any]:
    if not isinstance(report, Mapping):
        raise UsageError("The report is no JSON object.", 'Write {"curated_by": …, "pruned": […], "still_stale": […]}.')
    for key in report:
        if not isinstance(key, str):
            raise UsageError(f"The report has a key that is no text: {key!r}.", "Keys are names.")
    declined = report.get("declined", [])
    if not isinstance(declined, list) or not all(isinstance(r, Mapping) for r in declined):
        raise UsageError("“declined” must be a list of objects.", 'Write "declined": [{"claim": …, "why": …}].')
    line = report.get("receipt_line", "")
    if line is not None and not isinstance(line, str):
        raise UsageError("“receipt_line” must be a text.", "Copy the first line that recollect soul check prints.")
    stale = report.get("still_stale")
    if isinstance(stale, list) and not all(isinstance(r, Mapping) for r in stale):
        raise UsageError(
            "“still_stale” must be a list of objects.", 'Write "still_stale": [{"claim": …, "reason": …}].'
        )
    return report


def _rows(
    pruned: object, gone: Sequence[Removal] | None, before: str | None, table: TissueTable | None
) -> list[Violation]:
    """The rules over `pruned`, row by row."""
    if not isinstance(pruned, list):
        return [Violation("silent_prune", None, "pruned is missing or no list: what was taken out is not said.")]
    found: list[Violation] = []
    for number, row in enumerate(pruned):
        if not isinstance(row, Mapping):
            found.append(Violation("silent_prune", number, f"Row {number} of pruned is no object."))
            continue
        missing = [k for k in ("why", "where_it_went") if not _said(row.get(k))]
        if missing:
            found.append(
                Violation("silent_prune", number, f"Row {number} does not say {' and '.join(missing)}: {_what(row)}")
            )
        if _tissue(row, before, table) is Tissue.DECLARED and row.get("proposed") is not True:
            found.append(
                Violation(
                    "declared_prune_unlocked",
                    number,
                    f"Row {number} prunes declared tissue without proposing it: {_what(row)}",
                )
            )
        if gone is not None and before is not None and _phantom(row, gone, before, table):
            found.append(
                Violation("phantom_prune", number, f"Row {number} matches nothing that was removed: {_what(row)}")
            )
    return found


def _said(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _what(row: Mapping[str, Any]) -> str:
    what = row.get("what")
    return f"“{what[:80]}”" if isinstance(what, str) and what.strip() else "it does not say what."


def _tissue(row: Mapping[str, Any], before: str | None, table: TissueTable | None) -> Tissue:
    """The tissue of what a row prunes: read from the document where there is one, else the row's word."""
    if before is not None:
        from core.soul.removals import units

        what = row.get("what")
        if isinstance(what, str):
            hit = [u for u in units(before, table) if matches(what, u)]
            if hit:
                declared = any(u.tissue is Tissue.DECLARED for u in hit)
                return (
                    Tissue.DECLARED
                    if declared and not any(u.tissue is Tissue.VERIFIABLE for u in hit)
                    else hit[0].tissue
                )
    said = row.get("tissue")
    return Tissue.DECLARED if isinstance(said, str) and said.strip().casefold() == "declared" else Tissue.VERIFIABLE


def _phantom(row: Mapping[str, Any], gone: Sequence[Removal], before: str, table: TissueTable | None) -> bool:
    what = row.get("what")
    if not isinstance(what, str) or not what.strip():
        return True
    if any(matches(what, r.unit) for r in gone):
        return False
    if row.get("proposed") is True:  # a proposal stays in the document: it must name something that is there
        from core.soul.removals import units

        return not any(matches(what, u) for u in units(before, table))
    return True


def _uncovered(pruned: object, gone: Sequence[Removal]) -> list[Violation]:
    """Removed lines that no row answers for."""
    rows = [r for r in pruned if isinstance(r, Mapping)] if isinstance(pruned, list) else []
    found = []
    for removal in gone:
        covering = [r for r in rows if isinstance(r.get("what"), str) and matches(r["what"], removal.unit)]
        line, text = removal.unit.lines[0], removal.unit.text[:80]
        if removal.unit.tissue is Tissue.DECLARED:
            if not any(r.get("proposed") is True for r in covering):
                message = f"Line {line} was declared and is gone without a proposal: “{text}”"
                found.append(Violation("declared_removed", line, message))
        elif not covering and not removal.reworded:
            message = f"Line {line} is gone and no row says why: “{text}”"
            found.append(Violation("uncovered_removal", line, message))
    return found


def _reran(data: Mapping[str, Any], rerun: Rerun) -> list[Violation]:
    """The rules that a second check decides."""
    found = []
    listed = data.get("still_stale")
    rows = [r for r in listed if isinstance(r, Mapping)] if isinstance(listed, list) else []
    for stale in rerun.stale:
        if not any(_same_claim(row, stale) for row in rows):
            line = stale["lines"][0]
            message = f"Line {line} is still stale ({stale['reason']}) and still_stale does not hold it: “{stale['claim'][:80]}”"
            found.append(Violation("hidden_stale", line, message))
    said = data.get("receipt_line")
    if not isinstance(said, str) or _counts(said) != _counts(rerun.receipt):
        message = f"The receipt of a check now is “{rerun.receipt}”; the report says “{said or 'nothing'}”."
        found.append(Violation("receipt_mismatch", None, message))
    if rerun.unanchored_before is not None and rerun.unanchored > rerun.unanchored_before:
        message = f"{rerun.unanchored} claims cite nothing; before the curation it were {rerun.unanchored_before}."
        found.append(Violation("unanchored_grew", None, message))
    return found


def _counts(receipt: str) -> str | None:
    """What a receipt counts: its day and commit may differ from a later one's. `None` if it is no receipt."""
    match = _RECEIPT.match(receipt.strip())
    return " ".join(receipt.strip()[match.end() :].split()) if match else None


def _same_claim(row: Mapping[str, Any], stale: Mapping[str, Any]) -> bool:
    from core.soul.removals import alike_texts

    claim = row.get("claim")
    if not isinstance(claim, str) or not claim.strip():
        return False
    anchor = stale.get("anchor")
    return alike_texts(claim, stale["claim"]) or bool(anchor and len(anchor) > 3 and anchor in claim)
