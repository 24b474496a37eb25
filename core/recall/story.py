"""The story of a record: three to nine sentences, each in the record's own words with its speaker (design/recall.md 6).

A sentence is a connective and a quote. The connective says who said it and where in the course it stands, and adds no
other fact: that the assistant said something never becomes that the person decided it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.frozen import dataclass
from core.recall.attribution import attributed
from core.recall.grounding import is_trivial
from core.recall.model import Cite, Claim, Evidence, Excerpt
from core.recall.quotes import (
    best_quote,
    closing_quote,
    cut_signs,
    is_announcement,
    matched_spans,
    opening_quote,
    resembles,
)
from core.recall.search import Opened, Placed
from core.records.history_lines import CHANGES
from core.records.model import Channel, Locator, Origin, Turn
from core.text import one_line

LONGEST_STORY = 9
REACHED_SENTENCES = 5
ANNOUNCED = 0.6
"""What is left of a turn's weight if it only says what comes next ("Let me look at …")."""
EXCERPT = 700
"""Characters of an excerpt at most, around its quote."""

_FIRST = {
    Origin.PERSON: "You set out with",
    Origin.PEER: "Another agent asked it",
    Origin.ASSISTANT: "It opens with the assistant saying",
    Origin.EXTERNAL: "It opens with a tool returning",
    Origin.INJECTED: "It opens with text the runtime put there",
    Origin.UNKNOWN: "It opens with a turn whose speaker the record does not show",
}
_NEXT = {
    Origin.PERSON: ("You said", "You went on", "Later you said"),
    Origin.PEER: ("Another agent said", "Another agent then said", "Later another agent said"),
    Origin.ASSISTANT: ("The assistant said", "The assistant went on", "Later the assistant said"),
    Origin.EXTERNAL: ("A tool returned", "A tool then returned", "Later a tool returned"),
    Origin.INJECTED: ("The runtime noted", "The runtime then noted", "Later the runtime noted"),
    Origin.UNKNOWN: ("Someone wrote", "Someone then wrote", "Later someone wrote"),
}
_ANSWERED = "The assistant answered"
"""Said only of what follows the person's turn that was just told, with no other turn of theirs between."""
_LAST_OF_ASSISTANT = "The last the assistant said"
"""Said where a person's turn came after it, which did not go unheard."""
LONG = 6 * 3600
"""Seconds between two turns after which the later one is told as such."""
_LAST = {
    Origin.PERSON: "The last word was yours",
    Origin.PEER: "It ended with the other agent saying",
    Origin.ASSISTANT: "It ended with the assistant saying",
    Origin.EXTERNAL: "It ended with a tool returning",
    Origin.INJECTED: "It ended with the runtime noting",
    Origin.UNKNOWN: "It ended with a turn whose speaker the record does not show",
}


@dataclass(frozen=True, slots=True)
class Told:
    """A story, the evidence it rests on, and its excerpts. Claim `n` cites evidence `n`."""

    claims: tuple[Claim, ...]
    evidence: tuple[Evidence, ...]
    excerpts: tuple[Excerpt, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """A turn chosen for a sentence, and its place in the course."""

    placed: Placed
    label: str
    span: tuple[int, int]


def tell(opened: Opened, locator: Locator, words: Mapping[str, float], first_index: int) -> Told:
    """Compose the story of one record from what was opened.

    `words` are the cue's terms with their weights; `first_index` is the context index that the first piece of evidence
    will have. The story is empty if nothing quotable was opened.
    """
    return compose([(part, locator) for part in _parts(opened, words)], words, first_index)


def compose(parts: Sequence[tuple[Part, Locator]], words: Mapping[str, float], first_index: int) -> Told:
    """Write sentences that are chosen: each with its evidence and its excerpt, in the order given."""
    claims, evidence, excerpts = [], [], []
    for number, (part, locator) in enumerate(parts):
        turn = part.placed.turn
        start, end = part.span
        quote = turn.text[start:end]
        evidence.append(
            Evidence(
                text=turn.text,
                locator=locator,
                line=turn.line,
                start=turn.start,
                at=turn.at,
                speaker=turn.origin,
                name=turn.name,
                path="" if part.placed.path == locator.path else part.placed.path,
            )
        )
        claims.append(
            Claim(
                text=f"{part.label}: “{_readable(turn, part.span)}”",
                speaker=turn.origin,
                cite=Cite(first_index + number, evidence[-1].origin),
                path=part.placed.path,
                line=turn.line,
                quote=quote,
                name=turn.name,
            )
        )
        excerpts.append(_excerpt(part.placed, part.span, words))
    return Told(tuple(claims), tuple(evidence), tuple(excerpts))


def _readable(turn: Turn, span: tuple[int, int]) -> str:
    """The quote on one line, "…" where a sentence goes on; without the emphasis marks that the claim's `quote` keeps."""
    text = turn.text
    before, after = cut_signs(text, *span)
    if turn.begun and not text[: span[0]].strip():
        before = "…"
    if turn.goes_on and not text[span[1] :].strip():
        after = "…"
    return before + one_line(text[span[0] : span[1]].replace("**", "")) + after


def _parts(opened: Opened, words: Mapping[str, float]) -> list[Part]:
    """The sentences, in the order in which they are told."""
    if opened.origin and attributed(opened.origin[0]):
        return _written_parts(opened, words)
    origin = _origin(opened)
    endings = _endings(opened, origin)
    framing = (origin is not None) + len(endings)
    reached = _ranked(opened.reached, words)[:REACHED_SENTENCES]
    room = max(0, LONGEST_STORY - len(reached) - framing)
    middle = [*reached, *opened.turning[: min(room, 2 if len(reached) > 2 else 3)]]
    parts: list[Part] = []
    if origin is not None and (span := _quote_of(origin, words, opening=True)):
        parts.append(Part(origin, _label(_beginning(origin), origin), span))
    framed = {_key(p) for p in (*endings, *((origin,) if origin is not None else ()))}
    ordered = sorted({_key(p): p for p in middle}.values(), key=lambda p: (p.path, p.turn.line, p.turn.start))
    for placed in ordered[: LONGEST_STORY - framing]:
        if _key(placed) in framed:
            continue
        if (span := _quote_of(placed, words)) and not _told_already(placed, span, parts):
            parts.append(Part(placed, _label(_connective(placed, parts), placed), span))
    for placed in endings:
        if span := closing_quote(placed.turn.text, words) or opening_quote(placed.turn.text):
            last = placed is endings[-1]
            parts.append(Part(placed, _label(_LAST[placed.turn.origin] if last else _LAST_OF_ASSISTANT, placed), span))
    return parts


def _written_parts(opened: Opened, words: Mapping[str, float]) -> list[Part]:
    """The sentences of a commit, a tag or a note: how it begins, then what the cue reaches in it, in its order."""
    chosen = [*opened.origin[:1], *_ranked(opened.reached, words)[:REACHED_SENTENCES]]
    if any(p.turn.name == CHANGES for p in opened.outcome):
        chosen.append(opened.outcome[-1])
    parts: list[Part] = []
    for placed in sorted({_key(p): p for p in chosen}.values(), key=lambda p: (p.turn.line, p.number)):
        first = opening_quote(placed.turn.text)
        for span in (first, best_quote(placed.turn.text, words)):
            told = [p for p in parts if _key(p.placed) == _key(placed)]
            if span is None or any(p.span[0] < span[1] and span[0] < p.span[1] for p in told):
                continue
            label = _label("", placed)
            parts.append(Part(placed, "It goes on" if any(p.label == label for p in parts) else label, span))
    return parts[:LONGEST_STORY]


def opening_part(opened: Opened, words: Mapping[str, float]) -> Part | None:
    """The sentence of what a record set out to do."""
    origin = _origin(opened)
    span = _quote_of(origin, words, opening=True) if origin is not None else None
    return Part(origin, _label(_beginning(origin), origin), span) if origin is not None and span else None


def reached_part(opened: Opened, words: Mapping[str, float], *, newest: bool = False) -> Part | None:
    """The sentence of the turn that holds most of the cue; with `newest` the last of those that hold nearly as much."""
    ranked = [p for p in _ranked(opened.reached, words) if not is_trivial(p.turn.text)]
    if not ranked:
        return None
    chosen = max(ranked[:3], key=lambda p: (p.turn.line, p.turn.start)) if newest else ranked[0]
    if chosen.turn.name == CHANGES and opened.origin:
        chosen = opened.origin[0]  # what a commit says of itself before the list of files it changed
    span = _quote_of(chosen, words)
    return Part(chosen, _label(_NEXT[chosen.turn.origin][0], chosen), span) if span else None


def ending_part(opened: Opened, words: Mapping[str, float]) -> Part | None:
    """The sentence of how a record ended."""
    endings = _endings(opened, None)
    if not endings or attributed(endings[0]):
        return None  # a commit or a note has said what it says at its beginning
    last = endings[0]
    span = closing_quote(last.turn.text, words) or opening_quote(last.turn.text)
    return Part(last, _label(_LAST[last.turn.origin], last), span) if span else None


def _beginning(placed: Placed) -> str:
    """How a record begins. A plan that an earlier session handed over stands as talk, and nobody typed it."""
    if placed.turn.origin is Origin.INJECTED and placed.turn.channel is Channel.TALK:
        return "It set out from a plan that was handed over"
    return _FIRST[placed.turn.origin]


def _told_already(placed: Placed, span: tuple[int, int], parts: list[Part]) -> bool:
    """True if a sentence of the same speaker says nearly the same."""
    quote = placed.turn.text[span[0] : span[1]]
    return any(
        p.placed.turn.origin is placed.turn.origin and resembles(quote, p.placed.turn.text[p.span[0] : p.span[1]])
        for p in parts
    )


def _key(placed: Placed) -> tuple[str, int, int, str]:
    turn = placed.turn
    return placed.path, turn.line, turn.start, turn.text[:80]


def _origin(opened: Opened) -> Placed | None:
    """The first thing that was asked and says something; else the first thing at all."""
    for placed in opened.origin:
        if not is_trivial(placed.turn.text):
            return placed
    return opened.origin[0] if opened.origin else None


def _endings(opened: Opened, origin: Placed | None) -> tuple[Placed, ...]:
    """The last thing the assistant said and, where the person had the last word and it says something, that too."""
    candidates = [p for p in opened.outcome if origin is None or _key(p) != _key(origin)]
    telling = [p for p in candidates if not is_trivial(p.turn.text)] or candidates
    if not telling:
        return ()
    said = [p for p in telling if p.turn.origin is Origin.ASSISTANT]
    last = telling[-1]
    if not said:
        return (last,)
    return (said[-1], last) if last.turn.origin is Origin.PERSON else (said[-1],)


def _ranked(reached: tuple[Placed, ...], words: Mapping[str, float]) -> list[Placed]:
    """Reached turns, those that hold most of the cue's weight first."""

    def weight(placed: Placed) -> float:
        text = placed.turn.text
        held = sum(v for w, v in words.items() if matched_spans(text, {w: v}))
        return held * (ANNOUNCED if is_announcement(text) else 1.0) - 0.5 * is_trivial(text)

    return sorted(reached, key=lambda p: (-weight(p), p.turn.line))


def _quote_of(placed: Placed, words: Mapping[str, float], *, opening: bool = False) -> tuple[int, int] | None:
    text = placed.turn.text
    if opening and not matched_spans(text[:240], words):
        return opening_quote(text) or best_quote(text, words)
    if opening or not matched_spans(text, words):
        return opening_quote(text) or best_quote(text, words)
    return best_quote(text, words) or opening_quote(text)


def _connective(placed: Placed, before: list[Part]) -> str:
    """Where the turn stands to the one told before it; "answered" only where nothing was asked between the two."""
    first, again, later = _NEXT[placed.turn.origin]
    if not before:
        return first
    last = before[-1].placed
    known = placed.number >= 0 and last.number >= 0
    if placed.turn.at is not None and last.turn.at is not None and placed.turn.at - last.turn.at > LONG:
        return later
    same = placed.turn.origin is last.turn.origin
    if last.turn.origin is Origin.PERSON:
        follows = known and placed.asked == last.number
        if follows and placed.turn.origin is Origin.ASSISTANT:
            return _ANSWERED
        return again if same and (follows or not known) else later if known and not follows else first
    if known and placed.asked != last.asked:
        return later
    return again if same else first


def _label(words: str, placed: Placed) -> str:
    """The connective, with the tool or speaker the record names and the part of the record it stands in."""
    if written := attributed(placed):
        return written
    turn = placed.turn
    name = one_line(turn.name, 40)
    if turn.channel is Channel.SUMMARY:
        return "A summary in the record says"
    if turn.channel is Channel.THINKING:
        return "The assistant thought"
    if turn.channel is Channel.CALL:
        return f"The assistant called {name}" if name else "The assistant called a tool"
    if turn.channel is Channel.RESULT and name:
        return f"The tool {name} returned"
    return words


def _excerpt(placed: Placed, span: tuple[int, int], words: Mapping[str, float]) -> Excerpt:
    """The part of the turn around its quote, cut at white space, byte for byte as the record has it."""
    turn = placed.turn
    text = turn.text
    start, end = span
    if len(text) > EXCERPT:
        first = max(0, min(start - EXCERPT // 4, len(text) - EXCERPT))
        last = min(len(text), max(end, first + EXCERPT))
        if first and (space := text.find(" ", first, start)) >= 0:
            first = space + 1
        if last < len(text) and (space := text.rfind(" ", end, last)) >= 0:
            last = space
        text = text[first:last]
    return Excerpt(
        speaker=turn.origin,
        name=turn.name,
        at=turn.at,
        text=text,
        path=placed.path,
        line=turn.line,
        start=turn.start,
        matched=matched_spans(text, words),
    )
