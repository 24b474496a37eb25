"""The seat-check: a curator's report held against the rules, by someone else than the curator (design/soul.md 6).

Every rule runs and every violation is returned. With the document before and after, the report's word is not taken: what
was removed is read from the two texts. A report that is malformed raises an error that names the key.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

from core.errors import UsageError
from core.frozen import dataclass
from core.soul.covering import Units, answered
from core.soul.model import Tissue
from core.soul.removals import Removal, Unit, is_blank, removals, seen, units
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
    """The seat of an id `host:tier:name@parent`: without its parent, blanks, case, and signs that nobody sees."""
    folded = seen(unicodedata.normalize("NFKC", seen(identity))).casefold()
    return ":".join(" ".join(part.split()) for part in folded.partition("@")[0].split(":"))


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
    if is_blank(grader):
        raise UsageError("The grader has no id.", "Name who checks: --grader host:tier:name")
    if (before is None) != (after is None):
        raise UsageError("Only one of the two documents was given.", "Give the document before and after, or neither.")
    found: list[Violation] = []
    curated_by = data.get("curated_by")
    author = curated_by.strip() if isinstance(curated_by, str) and not is_blank(curated_by) else ""
    if not author:
        found.append(
            Violation("missing_curated_by", None, "curated_by is missing or blank: nobody answers for this report.")
        )
    independent = bool(author) and base_id(author) != base_id(grader)
    if author and not independent:
        found.append(
            Violation("self_graded", None, f"{grader} and {author} are one seat: the grader is never the author.")
        )
    prunes = data.get("pruned")
    texts = None
    if before is not None and after is not None:
        texts = _Texts(prunes if isinstance(prunes, list) else [], before, after, table)
    found += _rows(prunes, texts)
    if not isinstance(data.get("still_stale"), list):
        what = "is missing" if "still_stale" not in data else "is no list"
        found.append(
            Violation("missing_still_stale", None, f"still_stale {what}: write [] if nothing is stale any more.")
        )
    if texts is not None:
        found += texts.uncovered()
    if rerun is not None:
        found += _reran(data, rerun)
    return SeatCheck(grader, author, independent, tuple(found))


def _well_formed(report: object) -> Mapping[str, Any]:
    if not isinstance(report, Mapping):
        raise UsageError("The report is no JSON object.", 'Write {"curated_by": …, "pruned": […], "still_stale": […]}.')
    for key in report:
        if not isinstance(key, str):
            raise UsageError(f"The report has a key that is no text: {key!r}.", "Keys are names.")
    for key in ("checked", "updated"):
        told = report.get(key)
        if not (told is None or isinstance(told, list) or (isinstance(told, int) and not isinstance(told, bool))):
            raise UsageError(f"“{key}” must be a number, or a list of claims.", f'Write "{key}": 3.')
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


def _rows(pruned: object, texts: _Texts | None) -> list[Violation]:
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
            message = f"Row {number} does not say {' and '.join(missing)}: {_what(row)}"
            found.append(Violation("silent_prune", number, message))
        declared = texts.declared(number) if texts is not None else None
        if (_says_declared(row) if declared is None else declared) and row.get("proposed") is not True:
            message = f"Row {number} prunes declared tissue without proposing it: {_what(row)}"
            found.append(Violation("declared_prune_unlocked", number, message))
        if texts is not None and texts.phantom(number, proposed=row.get("proposed") is True):
            message = f"Row {number} matches nothing that was removed: {_what(row)}"
            found.append(Violation("phantom_prune", number, message))
    return found


def _said(value: object) -> bool:
    return isinstance(value, str) and not is_blank(value)


def _what(row: Mapping[str, Any]) -> str:
    what = row.get("what")
    return f"“{what[:80]}”" if isinstance(what, str) and what.strip() else "it does not say what."


def _says_declared(row: Mapping[str, Any]) -> bool:
    said = row.get("tissue")
    return isinstance(said, str) and said.strip().casefold() == "declared"


class _Texts:
    """What the two texts say of the rows: the report's word is not taken."""

    def __init__(self, rows: Sequence[object], before: str, after: str, table: TissueTable | None) -> None:
        self._units = Units(units(before, table))
        # A unit by where it stands: two may have the same words.
        places = {(u.lines, u.text): at for at, u in enumerate(self._units.units)}
        gone = removals(before, after, table)
        self._gone: dict[int, Removal] = {places[r.unit.lines, r.unit.text]: r for r in gone}
        self._rows = rows
        self._ties = [self._units.tied(r.get("what") if isinstance(r, Mapping) else None) for r in rows]

    def _meant(self, row: int) -> tuple[int, ...]:
        """The units that a row is about: those of its closest ties that were removed, else all of them."""
        near = self._ties[row][1]
        return tuple(at for at in near if at in self._gone) or near

    def declared(self, row: int) -> bool | None:
        """True if what a row is about is declared tissue; `None` where it is about nothing that stood there."""
        meant = self._meant(row)
        return all(self._units.units[at].tissue is Tissue.DECLARED for at in meant) if meant else None

    def phantom(self, row: int, *, proposed: bool) -> bool:
        """True if nothing that a row is about was removed. A proposal stays: it must be about something that is there."""
        meant = self._meant(row)
        return not meant or not (proposed or any(at in self._gone for at in meant))

    def uncovered(self) -> list[Violation]:
        """Removed lines that no row answers for."""
        # First those that need a row; a declared one is answered for by a proposal alone.
        wanted = sorted(self._gone, key=lambda at: (self._gone[at].reworded and not self._is_declared(at), at))
        ties = [(tie, [at for at in near if self._may_answer(row, at)]) for row, (tie, near) in enumerate(self._ties)]
        covering = answered(ties, wanted)
        found = []
        for at, removal in self._gone.items():
            line, text = removal.unit.lines[0], removal.unit.text[:80]
            if covering[at]:
                continue
            if self._is_declared(at):
                message = f"Line {line} was declared and is gone without a proposal: “{text}”"
                found.append(Violation("declared_removed", line, message))
            elif not removal.reworded:
                message = f"Line {line} is gone and no row says why: “{text}”"
                found.append(Violation("uncovered_removal", line, message))
        return found

    def _is_declared(self, at: int) -> bool:
        return self._units.units[at].tissue is Tissue.DECLARED

    def _may_answer(self, row: int, at: int) -> bool:
        given = self._rows[row]
        return not self._is_declared(at) or (isinstance(given, Mapping) and given.get("proposed") is True)


def _reran(data: Mapping[str, Any], rerun: Rerun) -> list[Violation]:
    """The rules that a second check decides."""
    found = []
    listed = data.get("still_stale")
    rows = [r for r in listed if isinstance(r, Mapping)] if isinstance(listed, list) else []
    stales = [_unit_of(s) for s in rerun.stale]
    listed_units = Units(stales)
    told = answered([listed_units.tied(row.get("claim")) for row in rows], range(len(stales)))
    for at, stale in enumerate(rerun.stale):
        if not told[at]:
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


def _unit_of(stale: Mapping[str, Any]) -> Unit:
    """A stale row of a check as a unit that a row of the report may name."""
    lines, anchor = stale["lines"], stale.get("anchor")
    return Unit(stale["claim"], Tissue.VERIFIABLE, "", (lines[0], lines[-1]), (anchor,) if anchor else ())
