"""The words of the place Soul: header, filter line, footer, how a row is drawn, and what is said where nothing is listed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.soul.formats import SYMBOLS
from core.text import cell_width, clip, one_line
from tui.keys import SOUL, Pane, keyed
from tui.screens.bars import hint_line, ranked
from tui.screens.place import room_of, with_tabs
from tui.screens.soul_port import Look
from tui.screens.soul_reasons import SoulFacts, why_not
from tui.screens.soul_rows import FILTERS, NOTE_SIGN, NOTES, STYLES, WORDS, Kind, Row
from tui.widgets.bar import fit
from tui.widgets.pieces import Paragraph, Piece
from tui.widgets.wording import count

WORD_COLUMNS = 10
"""Cells of the word beside a state's sign."""


def header(look: Look | None, watching: str, width: int) -> Sequence[Piece]:
    """`Soul · payments · docs/PATHOS.md · 9 commits behind · watching    1 Recollect`."""
    left = [Piece(" Soul", "strong")]
    if look is not None:
        behind = look.report["soul_lag"]["commits_behind_head"]
        lag = f" · {count(behind, 'commit')} behind" if behind else ""
        parts = [
            [Piece(f" · {one_line(look.root.rpartition('/')[2], 30)}", "dim")],
            [Piece(" · "), Piece(one_line(look.path, 40), "strong", "do:soul-choose")],
            *([[Piece(lag, "warn")]] if lag else []),
            *([[Piece(f" · {watching}", "dim")]] if watching else []),
        ]
        left += fit(parts, max(0, width - cell_width(left[0].text) - room_of("soul", width)), gap="")
    return with_tabs("soul", width, left)


def filter_line(counts: Mapping[str, int], state: str, words: str, width: int) -> Sequence[Piece]:
    """`[all 120]  ✗ 3 stale  ↷ 1 superseded …  / words`: the one in force in brackets, the signs alone where it is narrow."""
    for long in (True, False):
        groups = [
            _choice(name, counts.get(name, 0), name == state, long=long)
            for name in FILTERS
            if name in ("", state) or counts.get(name)
        ]
        groups += [[Piece(f"/ {one_line(words, 30)}", "key", "do:soul-words")]] if words else []
        if sum(cell_width(p.text) for g in groups for p in g) + 2 * len(groups) < width:
            break
    return [Piece(" "), *fit(groups, width - 1, gap="  ")]


def _choice(name: str, number: int, chosen: bool, *, long: bool) -> list[Piece]:
    sign = "" if not name else NOTE_SIGN if name == NOTES else SYMBOLS[name]
    word = "all" if not name else NOTES if name == NOTES else WORDS[name]
    text = f"{word} {number:,}" if not name else f"{sign} {number:,} {word}" if long or chosen else f"{sign} {number:,}"
    style = "strong" if chosen else STYLES.get(name, "")
    return [Piece(f"[{text}]" if chosen else text, style, f"state:{name}")]


def hints(pane: Pane, facts: SoulFacts, width: int) -> Sequence[Piece]:
    """At most six keys that act now."""
    valid = [row for row in ranked(SOUL, pane, Pane.SOUL) if not why_not(row.reason, facts)]
    return hint_line(valid, lambda row: row.label, width)


def draw_row(row: Row, width: int) -> Sequence[Piece]:
    """One row of the list in `width` columns: sign, word, line, words."""
    if row.kind is Kind.HEADING:
        aside = f" {row.aside}" if row.aside else ""
        room = width - cell_width(aside) - 2 * row.depth
        title = clip(row.text, max(1, room))
        gap = " " * max(0, room - cell_width(title))
        return [Piece("  " * row.depth), Piece(title, "strong"), Piece(gap), Piece(aside, "dim")]
    word = WORDS.get(row.state, "")
    style = STYLES.get(row.state, "warn" if row.sign not in ("·", "=") else "dim")
    head = f"{row.sign} {word.ljust(WORD_COLUMNS)}" if row.state else f"{row.sign} "
    number = f"{row.line:>5} " if row.line and row.kind is not Kind.SUMMARY else ""
    aside = f" {row.aside}" if row.aside else ""
    room = width - 1 - cell_width(head) - len(number) - cell_width(aside) - 1
    text = clip(row.text, max(1, room))
    gap = " " * max(0, room - cell_width(text)) if aside else ""
    plain = "dim" if row.state in ("verified-fresh", "declared") else ""
    return [Piece(" "), Piece(head, style), Piece(number, "dim"), Piece(text, plain), Piece(f"{gap}{aside}", "dim")]


def said(*words: str, hint: str = "") -> tuple[Paragraph, ...]:
    """Words for an empty pane, with what to do next."""
    parts = [Paragraph((Piece(line),)) for line in words if line]
    return (*parts, Paragraph((Piece("hint: ", "strong"), Piece(hint)))) if hint else tuple(parts)


def nothing_left(state: str, words: str, total: int) -> tuple[Paragraph, ...]:
    """Why a filter leaves no row."""
    if not total:
        return said(
            "The document holds no claim.",
            hint="a claim is a list item, a table row or a paragraph that cites something",
        )
    known = {"": "row", NOTES: "note", "receipt-required": "claim without its receipt"}
    what = known[state] if state in known else f"{WORDS[state]} claim"
    holding = f" that holds “{one_line(words, 60)}”" if words else ""
    return said(
        f"There is no {what}{holding}.",
        hint=keyed("{soul-all} lists every claim again; {soul-state} goes to the next state"),
    )
