"""One turn of a record as paragraphs: who and when, then the text, folded where it is long."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from core.frozen import dataclass
from core.records.model import Channel, Origin, Turn
from core.text import clip, one_line, shown
from tui.keys import key_for
from tui.widgets.pieces import Paragraph, Piece
from tui.widgets.wording import clock, count, moment, size, speaker

FOLDED_LINES = 3
LONG_LINES = 80
LONG_CHARS = 8_000
"""More of a turn is folded: laying out a turn of a megabyte takes half a second, and a window holds sixty."""
MOST_CHARS = 200_000
_FENCE = re.compile(r"^\s*(?:```|~~~)")
_HEADING = re.compile(r"^#{1,6} ")
_STYLES = {Origin.PERSON: "you", Origin.ASSISTANT: "assistant"}
_CHANNELS = {
    Channel.TALK: "",
    Channel.SUMMARY: "summary",
    Channel.THINKING: "thinking",
    Channel.CALL: "call",
    Channel.RESULT: "result",
    Channel.NOTICE: "notice",
}


@dataclass(frozen=True, slots=True)
class Marks:
    """What to set off in a turn's text."""

    pattern: re.Pattern[str] | None = None
    """Words to mark."""
    quote: str = ""
    """A passage to set off as a whole, in its `shown` form."""


def turn_paragraphs(turn: Turn, ref: str, marks: Marks, *, unfolded: bool, day: bool) -> Iterator[Paragraph]:
    """The paragraphs of one turn. `day` writes the date, not only the time."""
    most = MOST_CHARS if unfolded or marks.quote else LONG_CHARS
    lines = shown(turn.text[:most]).split("\n")
    total = max(len(lines), turn.text.count("\n") + 1)
    talk = turn.channel in (Channel.TALK, Channel.SUMMARY)
    limit = len(lines) if unfolded else (LONG_LINES if talk else FOLDED_LINES)
    hidden = 0 if unfolded else max(0, total - limit)
    if not unfolded and marks.quote and hidden and marks.quote.split("\n")[0] not in "\n".join(lines[:limit]):
        hidden, limit = 0, len(lines)
    yield Paragraph(tuple(_head(turn, day)), ref=ref)
    body = "\n".join(lines[:limit]).rstrip("\n")
    if not talk and not unfolded and limit <= FOLDED_LINES:
        body = "\n".join(clip(line, 400) for line in body.split("\n"))
    if body:
        yield from _body(body, marks, ref, plain=not talk)
    if hidden:
        folded = Piece(f"… {count(hidden, 'line')} folded, ", "dim")
        yield Paragraph((folded, Piece(key_for("unfold"), "key"), Piece(" unfolds", "dim")), ref=ref)
    elif len(turn.text) > most == LONG_CHARS:
        more = Piece(f"… about {size(len(turn.text) - most)} folded, ", "dim")
        yield Paragraph((more, Piece(key_for("unfold"), "key"), Piece(" unfolds", "dim")), ref=ref)
    if len(turn.text) > most == MOST_CHARS:
        rest = size(len(turn.text) - most)
        yield Paragraph(
            (Piece(f"… about {rest} more; {key_for('raw')} shows the line as it stands in the file", "dim"),), ref=ref
        )


def _head(turn: Turn, day: bool) -> Iterator[Piece]:
    written = turn.origin is Origin.EXTERNAL and turn.channel is Channel.TALK  # a commit or a note: nobody's turn
    yield Piece(
        one_line(turn.name, 60) if written and turn.name else speaker(turn.origin, turn.name),
        _STYLES.get(turn.origin, "tool"),
    )
    facts = [_CHANNELS[turn.channel], moment(turn.at) if day else clock(turn.at)]
    if turn.copied:
        facts.append("copied from the record it was forked from")
    for fact in facts:
        if fact:
            yield Piece(f" · {fact}", "dim")


def _body(text: str, marks: Marks, ref: str, *, plain: bool) -> Iterator[Paragraph]:
    first, last = _quoted(text, marks.quote)
    fenced = False
    at = 0
    for line in text.split("\n"):
        fence = not plain and bool(_FENCE.match(line))
        style = "tool" if plain else "code" if fenced or fence else "strong" if _HEADING.match(line) else ""
        fenced = fenced != fence
        inside = (max(first, at) - at, min(last, at + len(line)) - at)
        yield Paragraph(tuple(_pieces(line, style, marks.pattern, inside)), ref=ref)
        at += len(line) + 1


def _quoted(text: str, quote: str) -> tuple[int, int]:
    """Where the quote stands in the text; an empty span if it does not."""
    at = text.find(quote) if quote else -1
    return (at, at + len(quote)) if at >= 0 else (0, 0)


def _pieces(line: str, style: str, pattern: re.Pattern[str] | None, quoted: tuple[int, int]) -> Iterator[Piece]:
    def plain(start: int, end: int) -> Iterator[Piece]:
        cuts = sorted({start, end, *(min(end, max(start, cut)) for cut in quoted)})
        for a, b in itertools.pairwise(cuts):
            yield Piece(line[a:b], "current" if quoted[0] <= a and b <= quoted[1] else style)

    end = 0
    for match in pattern.finditer(line) if pattern else ():
        if match.end() > match.start():
            yield from plain(end, match.start())
            yield Piece(match.group(), "match")
            end = match.end()
    yield from plain(end, len(line))
