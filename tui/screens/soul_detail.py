"""What the detail pane tells of a row, as paragraphs. Strings of the report may be shown as they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from core.soul.formats import SYMBOLS
from core.soul.model import AnchorClass
from core.text import cell_width, one_line, shown
from tui.screens.soul_port import Look
from tui.screens.soul_rows import WORDS, Kind, Row
from tui.widgets.pieces import Line, Paragraph, Piece, wrap
from tui.widgets.wording import count, moment

MOST_ANCHORS = 200
"""Anchors of one claim that are listed; a claim with more is told how many are left out."""
SIDE_BY_SIDE = 56
"""Columns from which two lines that contradict each other stand beside each other."""
_STYLES = {
    "evidence-stale": "warn", "superseded": "warn", "unprovable-now": "key", "receipt-required": "key", "verified-fresh": "good",
    "declared": "dim",
}  # fmt: skip
_MEANINGS = {
    "evidence-stale": "a file, git or the symbols contradict it",
    "superseded": "a later claim of the document replaced it",
    "unprovable-now": "it could not be decided here",
    "receipt-required": "a stored receipt of the command would show it",
    "verified-fresh": "everything it cites was found as it says",
    "declared": "a person says so; no machine verifies it",
}
BLANK = Paragraph()


def detail(row: Row, look: Look, width: int) -> tuple[Paragraph, ...]:
    """Everything that is known of a row, for a pane of `width` columns."""
    tellers = {
        Kind.CLAIM: _claim,
        Kind.HEADING: _heading,
        Kind.CONTRADICTED: _contradicted,
        Kind.FINDING: _remark,
        Kind.HINT: _remark,
        Kind.RESTATED: _restated,
        Kind.SUMMARY: _summary,
        Kind.PAST: _past,
    }
    return tuple(tellers[row.kind](row, look, width))


def _text(text: str, style: str = "", indent: int = 0, ref: str = "") -> Paragraph:
    return Paragraph((Piece(text, style, ref),), indent)


def _line(number: int | None) -> Piece:
    return Piece(f"line {number}", "marker", f"line:{number}")


def _lines(first: int, last: int) -> str:
    return f"line {first}" if first == last else f"lines {first} to {last}"


# -- a claim


def _claim(row: Row, look: Look, _width: int) -> Iterator[Paragraph]:
    item = row.data
    style = _STYLES[row.state]
    why = f" · {item['reason']}" if item["reason"] else ""
    meaning = "it cites nothing that can be checked" if item["reason"] == "unanchored" else _MEANINGS[row.state]
    yield Paragraph((Piece(f"{row.sign} {WORDS[row.state]}", style), Piece(why), Piece(f" · {meaning}", "dim")))
    where = " / ".join(item["section"]) or "before the first heading"
    yield _text(f"{_lines(*item['lines'])} · {where}", "dim")
    yield BLANK
    yield _text(item["text"])
    if item["superseded_by_line"]:
        yield BLANK
        yield Paragraph((Piece("Replaced by "), _line(item["superseded_by_line"]), Piece(".")))
    yield from _anchors(item)
    yield from _neutral(item["neutral"])
    yield from _about(item, look.report)


def _anchors(item: Mapping[str, Any]) -> Iterator[Paragraph]:
    anchors = item["anchors"]
    if anchors:
        yield BLANK
        yield _text(f"Cites {count(len(anchors), 'thing')} that can be checked", "strong")
    for anchor in anchors[:MOST_ANCHORS]:
        state = anchor["state"]
        yield Paragraph(
            (
                Piece(f"{SYMBOLS[state]} {WORDS[state]}", _STYLES[state]),
                Piece(f"  {anchor['raw']}"),
                Piece(f"  {anchor['class']} · ", "dim"),
                _line(anchor["line"]),
            ),
            hang=2,
        )
        why = " · ".join(part for part in (anchor["reason"], anchor["detail"]) if part)
        if why:
            yield _text(why, "", 4)
        if anchor["found"]:
            yield Paragraph((Piece("now: ", "dim"), Piece(anchor["found"], "marker", f"found:{anchor['found']}")), 4)
    if len(anchors) > MOST_ANCHORS:
        yield _text(f"and {len(anchors) - MOST_ANCHORS:,} more, all of them no worse", "dim", 2)


def _neutral(neutral: Sequence[str]) -> Iterator[Paragraph]:
    if neutral:
        yield BLANK
        some = ", ".join(dict.fromkeys(neutral[:8])) + (" …" if len(neutral) > 8 else "")
        yield _text(
            f"Left alone: {count(len(neutral), 'address, branch or the like', 'addresses, branches and the like')}"
        )
        yield _text(some, "dim", 2)


def _about(item: Mapping[str, Any], report: Mapping[str, Any]) -> Iterator[Paragraph]:
    """What else the report says of the claim's lines."""
    first, last = item["lines"]

    def here(line: int | None) -> bool:
        return line is not None and first <= line <= last

    said = [(f["detail"], None) for f in report["consistency_findings"] if any(here(v["line"]) for v in f["values"])]
    said += [(f["detail"], None) for f in report["findings"] if here(f["line"])]
    said += [(h["detail"], None) for h in report["review_hints"] if here(h["line"])]
    said += [(f"{r['anchor']} is cited again on ", r["later_line"]) for r in report["restated"] if here(r["line"])]
    if said:
        yield BLANK
        yield _text("Of these lines", "strong")
    for words, line in said:
        yield Paragraph((Piece(words), *((_line(line),) if line else ())), 2)


# -- the other rows


def _heading(row: Row, _look: Look, _width: int) -> Iterator[Paragraph]:
    yield _text(row.text, "strong")
    yield _text(count(row.data["total"], "row" if row.sign else "claim"), "dim")
    for state, number in sorted(row.data.get("states", {}).items(), key=lambda found: list(WORDS).index(found[0])):
        yield Paragraph((Piece(f"{SYMBOLS[state]} {number:,} {WORDS[state]}", _STYLES[state]),), 2)


def _contradicted(row: Row, look: Look, width: int) -> Iterator[Paragraph]:
    found = row.data
    yield Paragraph((Piece("≠ contradicted", "warn"), Piece(f" · {found['quantity']}")))
    yield _text(found["detail"])
    yield BLANK
    sides = [_side(value, look) for value in found["values"]]
    for at in range(0, len(sides), 2):
        pair = sides[at : at + 2]
        if len(pair) == 2 and width >= SIDE_BY_SIDE:
            yield from _beside(pair[0], pair[1], (width - 3) // 2)
        else:
            for side in pair:
                yield from side
        yield BLANK


def _side(value: Mapping[str, Any], look: Look) -> list[Paragraph]:
    line = value["line"]
    head = _line(line) if line else Piece("the repository", "dim")
    source = look.lines[line - 1].strip() if line and line <= len(look.lines) else value["text"]
    return [Paragraph((head, Piece("  "), Piece(value["value"], "strong"))), Paragraph((Piece(source),))]


def _beside(left: Sequence[Paragraph], right: Sequence[Paragraph], room: int) -> Iterator[Paragraph]:
    """Two columns of `room` cells."""
    columns = [wrap(side, room) for side in (left, right)]
    for n in range(max(len(column) for column in columns)):
        first, second = (column[n] if n < len(column) else Line((), 0) for column in columns)
        gap = " " * max(0, room - cell_width(first.text()))
        # no-break spaces: the gap between the columns is no place to wrap
        yield Paragraph((*first.pieces, Piece(gap.replace(" ", "\u00a0") + "\u00a0│\u00a0", "dim"), *second.pieces))


def _remark(row: Row, look: Look, _width: int) -> Iterator[Paragraph]:
    found = row.data
    yield Paragraph((Piece(f"{row.sign} {found['reason']}", "warn"), Piece(" · "), _line(row.line)))
    yield BLANK
    yield _text(found["detail"])
    said = found.get("claim") or (look.lines[row.line - 1].strip() if 0 < row.line <= len(look.lines) else "")
    if said:
        yield BLANK
        yield _text(said, "dim")


def _restated(row: Row, _look: Look, _width: int) -> Iterator[Paragraph]:
    found = row.data
    yield Paragraph((Piece("= said again", "strong"), Piece(f" · {found['anchor']}")))
    yield Paragraph(
        (Piece("Cited on "), _line(found["line"]), Piece(" and again on "), _line(found["later_line"]), Piece("."))
    )
    yield _text("The earlier claim stays as it is judged: this is for your eye.", "dim")


def _summary(row: Row, _look: Look, _width: int) -> Iterator[Paragraph]:
    report = row.data
    yield _text(report["receipt"], "strong")
    yield BLANK
    claims, coverage = report["claims"], report["coverage"]
    yield _text(
        f"{count(claims['total'], 'claim')}: {claims['verifiable']:,} verifiable, {claims['declared']:,} declared. "
        f"{claims['unanchored']:,} verifiable ones cite nothing that can be checked; "
        f"{count(claims['narration'], 'paragraph')} of prose {'is' if claims['narration'] == 1 else 'are'} no claim."
    )
    yield _text(f"Anchored: {coverage['anchored']:,} of {coverage['verifiable']:,}.")
    for kind in AnchorClass:
        found = coverage["per_class"].get(kind.value, {})
        if found.get("cited"):
            states = [
                f"{SYMBOLS[s]} {found[s.replace('-', '_')]:,} {WORDS[s]}"
                for s in WORDS
                if found.get(s.replace("-", "_"))
            ]
            yield _text(f"{kind.value}: {found['cited']:,} cited  {'  '.join(states)}", "", 2)
    yield from _declared(report)
    lag = report["soul_lag"]
    if lag["last_soul_touch"]:
        behind = lag["commits_behind_head"]
        words = "how far behind is not known" if behind is None else f"{count(behind, 'commit')} ago"
        yield _text(f"Last committed with {lag['last_soul_touch'][:7]}, {words}.")
    else:
        yield _text("It was never committed.")
    if report["checks_skipped"]:
        yield BLANK
        yield _text("Not exercised", "strong")
        yield from (_text(words, "", 2) for words in report["checks_skipped"])


def _declared(report: Mapping[str, Any]) -> Iterator[Paragraph]:
    declared, citations = report["declared"], report["citations"]
    if declared["intact"] is None:
        yield _text("Declared claims: there is no committed version to compare with.")
    elif declared["intact"]:
        yield _text("Declared claims: as in the last committed version.")
    else:
        parts = [f"{declared[name]:,} {name}" for name in ("added", "removed", "changed") if declared[name]]
        yield _text(f"Declared claims, against the last committed version: {', '.join(parts)}.", "warn")
    if any(citations.values()):
        yield _text(
            f"They cite {citations['ok']:,} found, {citations['broken']:,} gone, {citations['undecided']:,} undecided.",
            "",
            2,
        )


def _past(row: Row, _look: Look, _width: int) -> Iterator[Paragraph]:
    past = row.past
    if past is None:
        return
    yield Paragraph((Piece(past.sha[:12], "strong"), Piece(f" · {moment(past.at)}", "dim")))
    yield _text(one_line(past.subject, 300))
    yield BLANK
    if past.receipt:
        yield _text(shown(past.receipt))
        yield _text(f"kept in the {'commit message' if past.where == 'message' else 'document'}", "dim")
    else:
        yield _text("Neither its message nor the document at that commit holds a receipt.", "dim")
