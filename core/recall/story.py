"""The story of a record: three to nine sentences, each in the record's own words with its speaker (design/recall.md 6).

A sentence is a connective and a quote. The connective says who said it and where in the course it stands, and adds no
other fact: that the assistant said something never becomes that the person decided it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.recall.grounding import is_trivial
from core.recall.model import Cite, Claim, Evidence, Excerpt
from core.recall.quotes import best_quote, closing_quote, matched_spans, opening_quote
from core.recall.search import Opened, Placed
from core.records.model import Channel, Locator, Origin
from core.text import one_line

LONGEST_STORY = 9
REACHED_SENTENCES = 5
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
    Origin.ASSISTANT: ("The assistant answered", "The assistant went on", "Later the assistant said"),
    Origin.EXTERNAL: ("A tool returned", "A tool then returned", "Later a tool returned"),
    Origin.INJECTED: ("The runtime noted", "The runtime then noted", "Later the runtime noted"),
    Origin.UNKNOWN: ("Someone wrote", "Someone then wrote", "Later someone wrote"),
}
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
class _Part:
    """A turn chosen for a sentence, and its place in the course."""

    placed: Placed
    label: str
    span: tuple[int, int]


def tell(opened: Opened, locator: Locator, words: Mapping[str, float], first_index: int) -> Told:
    """Compose the story of one record from what was opened.

    `words` are the cue's terms with their weights; `first_index` is the context index that the first piece of evidence
    will have. The story is empty if nothing quotable was opened.
    """
    parts = _parts(opened, words)
    claims, evidence, excerpts = [], [], []
    for number, part in enumerate(parts):
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
                text=f"{part.label}: “{_readable(quote)}”",
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


def _readable(quote: str) -> str:
    """The quote on one line without Markdown's emphasis marks; the claim's `quote` keeps them."""
    return one_line(quote.replace("**", ""))


def _parts(opened: Opened, words: Mapping[str, float]) -> list[_Part]:
    used: set[tuple[str, int, int, str]] = set()
    origin = _origin(opened)
    outcome = _outcome(opened, origin)
    reached = _ranked(opened.reached, words)[:REACHED_SENTENCES]
    room = LONGEST_STORY - len(reached) - (origin is not None) - (outcome is not None)
    turning = [p for p in opened.turning if len(reached) + (outcome is not None) + (origin is not None) < LONGEST_STORY]
    middle = [*reached, *turning[: min(room, 2 if len(reached) > 2 else 3)]]
    parts: list[_Part] = []
    if origin is not None and (span := _quote_of(origin, words, opening=True)):
        parts.append(_Part(origin, _label(_FIRST[origin.turn.origin], origin), span))
        used.add(_key(origin))
    ordered = sorted({_key(p): p for p in middle}.values(), key=lambda p: (p.path, p.turn.line, p.turn.start))
    last_key = _key(outcome) if outcome is not None else None
    for placed in ordered:
        if _key(placed) in used or _key(placed) == last_key:
            continue
        if span := _quote_of(placed, words):
            used.add(_key(placed))
            parts.append(_Part(placed, _label(_connective(placed, parts), placed), span))
    if outcome is not None and _key(outcome) not in used:
        span = closing_quote(outcome.turn.text, words) or opening_quote(outcome.turn.text)
        if span:
            parts.append(_Part(outcome, _label(_LAST[outcome.turn.origin], outcome), span))
    return parts[:LONGEST_STORY]


def _key(placed: Placed) -> tuple[str, int, int, str]:
    turn = placed.turn
    return placed.path, turn.line, turn.start, turn.text[:80]


def _origin(opened: Opened) -> Placed | None:
    """The first thing that was asked and says something; else the first thing at all."""
    for placed in opened.origin:
        if not is_trivial(placed.turn.text):
            return placed
    return opened.origin[0] if opened.origin else None


def _outcome(opened: Opened, origin: Placed | None) -> Placed | None:
    """The last thing the assistant said; else the last turn."""
    candidates = [p for p in opened.outcome if origin is None or _key(p) != _key(origin)]
    for placed in reversed(candidates):
        if placed.turn.origin is Origin.ASSISTANT and not is_trivial(placed.turn.text):
            return placed
    return candidates[-1] if candidates else None


def _ranked(reached: tuple[Placed, ...], words: Mapping[str, float]) -> list[Placed]:
    """Reached turns, those that hold most of the cue's weight first."""

    def weight(placed: Placed) -> float:
        text = placed.turn.text
        held = sum(v for w, v in words.items() if matched_spans(text, {w: v}))
        return held - 0.5 * is_trivial(text)

    return sorted(reached, key=lambda p: (-weight(p), p.turn.line))


def _quote_of(placed: Placed, words: Mapping[str, float], *, opening: bool = False) -> tuple[int, int] | None:
    text = placed.turn.text
    if opening and not matched_spans(text[:240], words):
        return opening_quote(text) or best_quote(text, words)
    if opening or not matched_spans(text, words):
        return opening_quote(text) or best_quote(text, words)
    return best_quote(text, words) or opening_quote(text)


def _connective(placed: Placed, before: list[_Part]) -> str:
    forms = _NEXT[placed.turn.origin]
    if not before:
        return forms[0]
    last = before[-1].placed.turn
    if last.origin is placed.turn.origin:
        return forms[1]
    if placed.turn.at is not None and last.at is not None and placed.turn.at - last.at > 6 * 3600:
        return forms[2]
    return forms[0]


def _label(words: str, placed: Placed) -> str:
    """The connective, with the tool or speaker the record names and the part of the record it stands in."""
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
