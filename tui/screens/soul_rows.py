"""The rows of the place Soul: the outline of a checked document, what concerns it as a whole, and the filters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from enum import StrEnum
from typing import Any

from core.frozen import dataclass
from core.soul.formats import SYMBOLS
from core.soul.receipt_history import PastReceipt
from core.text import one_line
from tui.screens.soul_port import Look
from tui.widgets.wording import count, short_date

WORDS = {
    "evidence-stale": "stale", "superseded": "superseded", "unprovable-now": "undecided", "receipt-required": "no receipt",
    "verified-fresh": "fresh", "declared": "declared",
}  # fmt: skip
"""Each state in the word that stands beside its sign."""
STYLES = {
    "evidence-stale": "bad", "superseded": "warn", "unprovable-now": "key", "receipt-required": "key", "verified-fresh": "good",
    "declared": "dim",
}  # fmt: skip
NOTES = "notes"
"""The filter that lists what concerns the document as a whole."""
NOTE_SIGN = "!"
FILTERS = ("", *WORDS, NOTES)
"""What can be listed alone, in the order of the filter key; `""` is everything."""


class Kind(StrEnum):
    """What a row is."""

    HEADING = "heading"
    CLAIM = "claim"
    CONTRADICTED = "contradicted"
    FINDING = "finding"
    HINT = "hint"
    RESTATED = "restated"
    SUMMARY = "summary"
    PAST = "past"


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the list."""

    kind: Kind
    text: str
    line: int = 0
    """The line of the document it leads to, 0 for none."""
    state: str = ""
    """A claim's state."""
    depth: int = 0
    spans: tuple[tuple[int, int], ...] = ()
    """Lines of the document that are marked while it is chosen."""
    places: tuple[int, ...] = ()
    """Lines to go to in turn."""
    aside: str = ""
    """What stands at its right."""
    sign: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)
    """What the report says of it."""
    past: PastReceipt | None = None
    low: str = ""
    """Its words in small letters, for the filter."""

    @property
    def note(self) -> bool:
        """True for what concerns the document as a whole."""
        return self.kind not in (Kind.HEADING, Kind.CLAIM)


def rows_of(look: Look, past: Sequence[PastReceipt] | None, now: float) -> tuple[Row, ...]:
    """The outline: headings with their claims, then what concerns the document as a whole."""
    return (*_outline(look.report["items"]), *_notes(look.report, past, now))


def _outline(items: Sequence[Mapping[str, Any]]) -> Iterator[Row]:
    totals = _totals(items)
    before: tuple[str, ...] | None = None
    for item in items:
        section = tuple(item["section"])
        if section != before:
            yield from _headings(section, before, item["lines"][0], totals)
            before = section
        yield _claim(item, max(1, len(section)))


def _headings(
    section: tuple[str, ...], before: tuple[str, ...] | None, line: int, totals: Mapping[tuple[str, ...], Counter[str]]
) -> Iterator[Row]:
    """The headings that are new at a claim, outermost first."""
    if not section:
        yield _heading("Before the first heading", 0, line, totals[()])
        return
    shared = 0
    for own, other in zip(section, before or (), strict=False):
        if own != other:
            break
        shared += 1
    if shared == len(
        section
    ):  # back from a deeper heading: its own name again, so that no claim stands under another's
        shared -= 1
    for depth in range(shared, len(section)):
        yield _heading(section[depth], depth, line, totals[section[: depth + 1]])


def _heading(title: str, depth: int, line: int, states: Counter[str]) -> Row:
    total = sum(states.values())
    failing = [f"{SYMBOLS[s]} {states[s]:,}" for s in WORDS if states[s] and s not in ("verified-fresh", "declared")]
    data = {"states": dict(states), "total": total}
    return Row(
        Kind.HEADING, title or "(no title)", line, depth=depth, places=(line,), aside=" ".join(failing), data=data
    )


def _totals(items: Sequence[Mapping[str, Any]]) -> Mapping[tuple[str, ...], Counter[str]]:
    found: dict[tuple[str, ...], Counter[str]] = {(): Counter()}
    for item in items:
        section = tuple(item["section"])
        for depth in range(1, len(section) + 1) if section else (0,):
            found.setdefault(section[:depth], Counter())[item["state"]] += 1
    return found


def _claim(item: Mapping[str, Any], depth: int) -> Row:
    first, last = item["lines"]
    state = str(item["state"])
    later = item["superseded_by_line"]
    lines = dict.fromkeys((first, *(a["line"] for a in item["anchors"] if a["line"]), *((later,) if later else ())))
    sign = SYMBOLS[state]
    low = item["text"].lower()
    return Row(Kind.CLAIM, item["text"], first, state, depth, ((first, last),), tuple(lines), "", sign, item, None, low)


def _notes(report: Mapping[str, Any], past: Sequence[PastReceipt] | None, now: float) -> Iterator[Row]:
    groups = (
        ("Contradicted", [_pair(found) for found in report["consistency_findings"]]),
        ("Findings", [_at_line(Kind.FINDING, f, f"{f['reason']}: {f['detail']}") for f in report["findings"]]),
        ("Look again", [_at_line(Kind.HINT, h, f"{h['detail']} {h['claim']}") for h in report["review_hints"]]),
        ("The whole document", [_summary(report)]),
        ("Earlier receipts", [_past(p, now) for p in past or ()]),
        ("Said again later", [_restated(r) for r in report["restated"]]),
    )
    for title, rows in groups:
        if rows:
            data = {"total": len(rows)}
            yield Row(Kind.HEADING, title, rows[0].line, places=(rows[0].line,), data=data, sign=NOTE_SIGN)
            yield from rows


def _pair(found: Mapping[str, Any]) -> Row:
    lines = tuple(dict.fromkeys(v["line"] for v in found["values"] if v["line"]))
    values = " and ".join(v["value"] for v in found["values"])
    text = f"{found['quantity']}: {values}"
    spans = tuple((n, n) for n in lines)
    first = lines[0] if lines else 0
    return Row(
        Kind.CONTRADICTED, text, first, depth=1, spans=spans, places=lines, sign="≠", data=found, low=text.lower()
    )


def _at_line(kind: Kind, found: Mapping[str, Any], text: str) -> Row:
    line = int(found["line"])
    return Row(
        kind, text, line, depth=1, spans=((line, line),), places=(line,), sign=NOTE_SIGN, data=found, low=text.lower()
    )


def _restated(found: Mapping[str, Any]) -> Row:
    line, later = int(found["line"]), int(found["later_line"])
    text = f"{found['anchor']}, cited again on line {later}"
    spans = ((line, line), (later, later))
    return Row(
        Kind.RESTATED, text, line, depth=1, spans=spans, places=(line, later), sign="=", data=found, low=text.lower()
    )


def _summary(report: Mapping[str, Any]) -> Row:
    coverage, behind = report["coverage"], report["soul_lag"]["commits_behind_head"]
    lag = "its age is not known" if behind is None else f"{count(behind, 'commit')} behind" if behind else "up to date"
    text = f"{coverage['anchored']:,} of {coverage['verifiable']:,} verifiable claims anchored · {lag}"
    return Row(Kind.SUMMARY, text, 1, depth=1, places=(1,), sign=NOTE_SIGN, data=report, low=text.lower())


def _past(past: PastReceipt, now: float) -> Row:
    receipt = one_line(past.receipt, 300).removeprefix("soul: checked ")
    text = f"{past.sha[:7]}  {receipt or 'no receipt kept'}"
    day = short_date(past.at, now)
    return Row(Kind.PAST, text, depth=1, aside=day, sign="@" if receipt else "·", past=past, low=text.lower())


# -- filters


def counts(look: Look, rows: Sequence[Row]) -> Mapping[str, int]:
    """How many rows each filter would list."""
    by_state = {state: int(look.report["by_state"][state.replace("-", "_")]) for state in WORDS}
    notes = sum(row.note for row in rows)
    return {"": sum(by_state.values()), **by_state, NOTES: notes}


def filtered(rows: Sequence[Row], state: str, words: str) -> tuple[Row, ...]:
    """The rows that a filter and words leave, with the headings above them."""
    wanted = words.lower().split()
    if not state and not wanted:
        return tuple(rows)
    kept: list[Row] = []
    waiting: list[Row] = []
    for row in rows:
        if row.kind is Kind.HEADING:
            waiting = [*(above for above in waiting if above.depth < row.depth), row]
        elif _fits(row, state) and all(word in row.low for word in wanted):
            kept += [*waiting, row]
            waiting = []
    return tuple(kept)


def _fits(row: Row, state: str) -> bool:
    return not state or (row.note if state == NOTES else row.state == state)


def place_of(rows: Sequence[Row], before: Row | None) -> int:
    """Where the row that was chosen stands among new rows: the same words nearest to its line, else the nearest row of
    its kind, else the first that is no heading."""
    alike = [n for n, row in enumerate(rows) if before is not None and row.kind is before.kind]
    if before is None or not alike or (before.kind is Kind.HEADING and all(rows[n].text != before.text for n in alike)):
        return first_claim(rows)
    same = [n for n in alike if rows[n].text == before.text]
    return min(same or alike, key=lambda n: abs(rows[n].line - before.line))


def first_claim(rows: Sequence[Row]) -> int:
    """The first row that is no heading."""
    return next((n for n, row in enumerate(rows) if row.kind is not Kind.HEADING), 0)
