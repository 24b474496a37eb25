"""The words of the place Curate: header, rows, what the rules say beside each field, the difference, the log."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from core.errors import RecollectError, UsageError
from core.soul.curation import Record
from core.soul.curator import Preview
from core.soul.formats import SYMBOLS
from core.soul.seat import SeatCheck, Violation, base_id, seat_check
from core.text import cell_width, clip, one_line, shown
from tui.keys import CURATE, Pane, keyed
from tui.screens.bars import hint_line, ranked
from tui.screens.curate_port import Work, WorkRow
from tui.screens.curate_reasons import CurateFacts, why_not
from tui.screens.place import room_of, with_tabs
from tui.screens.soul_rows import STYLES, WORDS
from tui.widgets.bar import fit
from tui.widgets.pieces import Paragraph, Piece
from tui.widgets.wording import count

ANSWERS = ("memory", "another document: ", "git history", "gone")
"""Where a claim usually goes (design/soul.md 6)."""
TO_DO = ("evidence-stale", "superseded")
"""States of claims that a curator has to look at."""
FIELDS = ("why", "where", "stays", "by", "grader")
"""The fields of the form, in their order."""
_FIELD_OF: Mapping[str, str] = {
    "missing_curated_by": "by", "self_graded": "grader", "silent_prune": "why", "missing_still_stale": "stays",
    "hidden_stale": "stays",
}  # fmt: skip
"""The field that each rule is about; the others are about the claim and the document."""


def header(work: Work | None, state: str, width: int) -> Sequence[Piece]:
    """`Curate · payments · docs/PATHOS.md · 2 decided    1 Recollect …`."""
    left = [Piece(" Curate", "strong")]
    if work is not None:
        decided = work.decisions
        parts = [
            [Piece(f" · {one_line(work.root.rpartition('/')[2], 30)}", "dim")],
            [Piece(" · "), Piece(one_line(work.path, 40), "strong")],
            [Piece(f" · {count(decided, 'decision')} open", "warn" if decided else "dim")],
            *([[Piece(f" · {state}", "dim")]] if state else []),
        ]
        left += fit(parts, max(0, width - cell_width(left[0].text) - room_of("curate", width)), gap="")
    return with_tabs("curate", width, left)


def hints(pane: Pane, facts: CurateFacts, width: int) -> Sequence[Piece]:
    """At most six keys that act now; keys that print a character only where none is written."""
    rows = ranked(CURATE, pane, Pane.CURATE)
    writing = pane is Pane.FORM
    valid = [r for r in rows if not why_not(r.reason, facts) and not (writing and len(r.keys.split(",")[0]) == 1)]
    return hint_line(valid, lambda row: row.label, width)


def listed(work: Work, sent: Collection[str]) -> tuple[WorkRow, ...]:
    """The claims to decide on: stale ones, superseded ones, then what is decided or was sent here (by its words)."""
    order = {state: number for number, state in enumerate(TO_DO)}
    wanted = (r for r in work.rows if r.state in TO_DO or work.decision(r) or work.stays(r) or r.text in sent)
    return tuple(sorted(wanted, key=lambda r: (order.get(r.state, len(order)), r.lines)))


def draw_row(row: WorkRow, work: Work, width: int) -> Sequence[Piece]:
    """`✗ stale  decided    13 The gateway lives in …`."""
    decision = work.decision(row)
    kept = bool(work.stays(row))
    word = ("proposed" if decision.proposed else "decided") if decision else "stays" if kept else "open"
    head = f"{SYMBOLS.get(row.state, '·')} {WORDS.get(row.state, '').ljust(10)} "
    mark = f"{'✓' if decision or kept else ' '} {word.ljust(8)}"
    number = f"{row.line:>5} "
    room = width - 1 - cell_width(head) - cell_width(mark) - len(number)
    if room < 20:  # little room: the state's sign alone
        head = f"{SYMBOLS.get(row.state, '·')} "
        room = width - 1 - cell_width(head) - cell_width(mark) - len(number)
    return [
        Piece(" "), Piece(head, STYLES.get(row.state, "dim")), Piece(mark, "good" if decision or kept else "warn"),
        Piece(number, "dim"), Piece(clip(row.text, max(1, room))),
    ]  # fmt: skip


def what(row: WorkRow | None) -> tuple[Paragraph, ...]:
    """The claim that the form is about."""
    if row is None:
        return said("No claim is chosen.", hint=keyed("in Soul, {soul-curate} sends a claim here"))
    parts = [Paragraph((Piece(f"line {row.line} ", "dim"), Piece(row.text)))]
    why = f"{SYMBOLS.get(row.state, '·')} {WORDS.get(row.state, row.state)}" + (
        f" · {row.reason}" if row.reason else ""
    )
    parts.append(Paragraph((Piece(why, "warn"), Piece(f"  in {row.section}" if row.section else "", "dim"))))
    if row.declared:
        words = (
            "This claim is declared: no machine takes it out. It is proposed, and stays until a person takes it out."
        )
        parts.append(Paragraph((Piece("≡ proposed  ", "strong"), Piece(words, "dim"))))
    return tuple(parts)


# What the rules say, as one types


def at_once(values: Mapping[str, str], row: WorkRow | None, decisions: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """By field, what the seat-check's own rules say of what stands in the form, without a look at the document."""
    pruned = [dict(d) for d in decisions]
    writing = row is not None and bool(values["why"].strip() or values["where"].strip())
    if writing and row is not None:
        tissue = "declared" if row.declared else "verifiable"
        pruned.append({"what": row.text, "why": values["why"], "where_it_went": values["where"], "tissue": tissue,
                       "proposed": row.declared})  # fmt: skip
    found: dict[str, str] = {}
    if not pruned:
        return _seats(values)
    grader = values["grader"].strip()
    seat = seat_check({"curated_by": values["by"], "pruned": pruned, "still_stale": []}, grader or "nobody yet")
    for violation in seat.violations:
        field = _FIELD_OF.get(violation.code, "")
        if violation.code == "silent_prune" and violation.row == len(pruned) - 1 and writing:
            found |= {f: _blank(f) for f in ("why", "where") if not values[f].strip()}
        elif field:
            found.setdefault(field, violation.message)
    if values["where"].strip() == ANSWERS[1].strip():
        found["where"] = "Name the document, as in another document: docs/plan.md"
    if not grader:
        found["grader"] = "Nobody grades yet: another seat than the one that decides, as host:tier:name."
    return found


def _seats(values: Mapping[str, str]) -> dict[str, str]:
    """That one seat would grade itself is said before anything is decided."""
    by, grader = values["by"].strip(), values["grader"].strip()
    if by and grader and base_id(by) == base_id(grader):
        return {"grader": f"{grader} and {by} are one seat: the grader is never the author."}
    return {}


def _blank(field: str) -> str:
    return (
        "Say why it goes." if field == "why" else "Say where it went: memory, another document, git history, or gone."
    )


def beside(seat: SeatCheck | None) -> tuple[dict[str, str], tuple[Violation, ...]]:
    """The whole seat-check by field, and what belongs to no field."""
    found: dict[str, str] = {}
    rest = []
    for violation in seat.violations if seat else ():
        field = _FIELD_OF.get(violation.code, "")
        if field:
            found.setdefault(field, violation.message)
        else:
            rest.append(violation)
    return found, tuple(rest)


def missing(values: Mapping[str, str]) -> str:
    """What the form lacks to be decided; `""` if nothing."""
    for field in ("why", "where"):
        if not values[field].strip():
            return _blank(field)
    if values["where"].strip() == ANSWERS[1].strip():
        return "Name the document it went to."
    return "" if values["by"].strip() else "Write in the field “curated by” who decides, as host:tier:name."


# The difference


def difference(preview: Preview | None, problem: RecollectError | None) -> tuple[Paragraph, ...]:
    """What the rules say, the receipts, what stays stale, and the exact difference."""
    if problem is not None:
        return said(shown(problem.what), hint=shown(problem.hint))
    if preview is None:
        return said("Working out what would change …")
    parts = [*seat_lines(preview.seat)]
    parts += [
        Paragraph((Piece("before ", "dim"), Piece(one_line(preview.receipt_before))), hang=7),
        Paragraph((Piece("after  ", "dim"), Piece(one_line(preview.receipt_after), "strong")), hang=7),
    ]
    for row in preview.report["still_stale"]:
        words = f"still stale: line {row['line']}: {one_line(row['claim'], 100)} · "
        parts.append(Paragraph((Piece(words, "dim"), Piece(one_line(row["reason"], 120))), hang=2))
    for row in preview.report["declined"]:
        words = f"left as it is: {one_line(row['claim'], 100)} · "
        parts.append(Paragraph((Piece(words, "dim"), Piece(one_line(row["why"], 120))), hang=2))
    parts.append(Paragraph())
    if not preview.diff:
        if not preview.draft.empty:
            return (*parts, *said("No line of the document would change."))
        return (
            *parts,
            *said(
                "Nothing is decided yet.",
                hint=keyed("{curate-open} opens the form of a claim: say why it goes and where it went"),
            ),
        )
    return (*parts, *diff_lines(preview.diff))


def seat_lines(seat: SeatCheck | None) -> list[Paragraph]:
    """`seat-check by … of …: passes`, and every violation."""
    if seat is None:
        return [Paragraph((Piece("seat-check: ", "dim"), Piece("nobody grades yet", "warn")))]
    word = Piece("✓ passes", "good") if seat.passed else Piece("✗ does not pass", "warn")
    who = f"seat-check by {one_line(seat.grader, 50)} of {one_line(seat.curated_by, 50) or 'nobody'}: "
    parts = [Paragraph((Piece(who, "dim"), word))]
    for violation in seat.violations:
        words = f"{violation.code}: {one_line(violation.message, 300)}"
        parts.append(Paragraph((Piece("✗ ", "warn"), Piece(words)), indent=2, hang=2))
    return parts


def diff_lines(diff: str) -> list[Paragraph]:
    """A difference, line by line: the signs at the left say it without colour too."""
    styles = {"+": "good", "-": "warn", "@": "key"}
    return [
        Paragraph((Piece(line, "dim" if line.startswith(("---", "+++")) else styles.get(line[:1], "")),))
        for line in shown(diff).split("\n")
    ]


def asking(preview: Preview, unsaid: str) -> tuple[Paragraph, ...]:
    """What is shown before decisions are applied."""
    gone = len([row for row in preview.report["pruned"] if not row["proposed"]])
    proposed = len(preview.report["pruned"]) - gone
    words = f"{count(gone, 'claim')} {'leaves' if gone == 1 else 'leave'} the document and {'goes' if gone == 1 else 'go'} to memory"
    words = words if gone else "The document stays as it is, and the report is kept"
    words += f"; {count(proposed, 'claim')} {'is' if proposed == 1 else 'are'} proposed." if proposed else "."
    parts = [Paragraph((Piece(words, "strong"),))]
    parts += [Paragraph((Piece(unsaid, "warn"),))] if unsaid else []
    for row in preview.report["pruned"]:
        line = f"line {row['lines'][0]}: {one_line(row['what'], 90)}"
        parts.append(
            Paragraph(
                (Piece(line), Piece(f" · {one_line(row['why'], 90)} · {one_line(row['where_it_went'], 60)}", "dim")),
                hang=2,
            )
        )
    return (*parts, Paragraph(), *difference(preview, None))


# The log


def log_row(record: Record) -> str:
    """`2026-04-02T09:00:00Z  applied  docs/PATHOS.md  2 rows by host:main:ana`."""
    rows = count(len(record.report["pruned"]), "row")
    kept = "" if record.persisted or not record.memory_ids else "  waits in the spool"
    commit = f"  commit {record.commit[:7]}" if record.commit else ""
    who = one_line(str(record.report["curated_by"]), 30)
    return f"{record.at}  {record.state:<7}  {one_line(record.soul_path, 40)}  {rows} by {who}{commit}{kept}"


def said(*words: str, hint: str = "") -> tuple[Paragraph, ...]:
    """Words for an empty pane, with what to do next."""
    parts = [Paragraph((Piece(line),)) for line in words if line]
    return (*parts, Paragraph((Piece("hint: ", "strong"), Piece(hint)))) if hint else tuple(parts)


def refused(seat: SeatCheck) -> UsageError:
    """Why a seat-check that does not pass stops the decisions from being applied."""
    more = f" ({len(seat.violations) - 1} more)" if len(seat.violations) > 1 else ""
    return UsageError(
        f"The seat-check does not pass: {seat.violations[0].message}{more}",
        keyed("{curate-difference} shows the whole of it"),
    )
