"""Choosing the words of a record that carry a sentence of the story.

A quote is a contiguous, clean part of one turn: printable as it stands and free of secrets, so that what a person sees
is character for character what the record holds.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import pairwise

from core.patterns import Pattern
from core.secrets import secret_spans
from core.text import is_printable

LIMIT = 240
"""Characters of a quote at most; long enough for the clause that answers (reference/peers.md 2a, DV#1142)."""
SHORTEST = 3
ENOUGH = 45
"""A clause shorter than this is joined with its neighbours on the same line: "Fixed." alone tells nothing."""

_SENTENCE = Pattern(
    r"[^\n.!?。！？]+(?:[.!?。！？]+(?=\s|$|[”\"')\]])|[.!?](?=\S)[^\n.!?。！？]*)*[.!?。！？]*[”\"')\]]?"
)
_EDGE = " \t\n\r#>*_-•|`"
_SPACES = re.compile(r"\s")


def matched_spans(text: str, words: Mapping[str, float]) -> tuple[tuple[int, int], ...]:
    """Character spans of `text` that the words of the cue match, inflections included; spans do not overlap."""
    spans: list[tuple[int, int]] = []
    for word in words:
        pattern = _pattern(word)
        spans.extend(m.span() for m in pattern.finditer(text))
    spans.sort()
    kept: list[tuple[int, int]] = []
    for start, end in spans:
        if kept and start < kept[-1][1]:
            kept[-1] = (kept[-1][0], max(kept[-1][1], end))
        elif end > start:
            kept.append((start, end))
    return tuple(kept)


@lru_cache(maxsize=4096)
def _pattern(word: str) -> re.Pattern[str]:
    """A word of the cue as it may stand in a text: its stem and any ending, or the identifier as it is."""
    if not word.isalpha() or not word.isascii() or len(word) < 4:
        edge = r"(?<!\w)" if word[:1].isascii() and word[:1].isalnum() else ""
        tail = r"(?!\w)" if word[-1:].isascii() and word[-1:].isalnum() and len(word) < 4 else ""
        return re.compile(edge + re.escape(word) + tail, re.IGNORECASE)
    stem = re.sub(r"(?:ations?|ings?|edly|ed|ies|es|ly|s|e|y)$", "", word, flags=re.IGNORECASE)
    if len(stem) < 3:
        stem = word
    doubled = stem[:-1] if len(stem) > 4 and stem[-1] == stem[-2] else stem
    return re.compile(r"(?<!\w)" + re.escape(doubled) + r"\w{0,6}", re.IGNORECASE)


def best_quote(text: str, words: Mapping[str, float], limit: int = LIMIT) -> tuple[int, int] | None:
    """The span of the clause of `text` that carries most of the cue's weight; `None` if nothing clean remains."""
    best: tuple[float, int] | None = None
    clauses = _clauses(text)
    for number, (start, end) in enumerate(clauses):
        piece = text[start:end]
        weight = sum(w for word, w in words.items() if _pattern(word).search(piece))
        score = weight - 0.15 * (len(piece) < 25) - 0.2 * _is_listing(piece) - 1e-6 * start
        if best is None or score > best[0]:
            best = (score, number)
    if best is None:
        return None
    return _clean(text, *_around(text, *_with_neighbours(text, clauses, best[1], limit), words, limit))


def _with_neighbours(text: str, clauses: list[tuple[int, int]], number: int, limit: int) -> tuple[int, int]:
    """A short clause with those after it, then those before it, on the same line, while they fit."""
    start, end = clauses[number]
    for other_start, other_end in clauses[number + 1 :]:
        if end - start >= ENOUGH or other_end - start > limit or "\n" in text[end:other_start]:
            break
        end = other_end
    for other_start, other_end in reversed(clauses[:number]):
        if end - start >= ENOUGH or end - other_start > limit or "\n" in text[other_end:start]:
            break
        start = other_start
    return start, end


def opening_quote(text: str, limit: int = LIMIT) -> tuple[int, int] | None:
    """The span of the first clause of `text`, joined with those after it on the same line while they fit."""
    for start, end in _clauses(text):
        if _is_listing(text[start:end]) and len(text) > limit:
            continue
        line_end = text.find("\n", start)
        line_end = len(text) if line_end < 0 else line_end
        last = line_end if line_end - start <= limit else end
        return _clean(text, *_around(text, start, max(last, start + 1), {}, limit))
    return None


def closing_quote(text: str, words: Mapping[str, float], limit: int = LIMIT) -> tuple[int, int] | None:
    """The span of `text` that says best how it ended: what was done or failed, rather than what comes next."""
    weights = dict.fromkeys(_OUTCOME, 1.0) | {w: v * 0.5 for w, v in words.items()}
    return best_quote(text, weights, limit)


_OUTCOME = (
    "done",
    "fixed",
    "committed",
    "pushed",
    "merged",
    "pass",
    "passing",
    "failed",
    "failing",
    "error",
    "complete",
    "implemented",
    "decided",
    "released",
    "created",
    "updated",
    "removed",
    "works",
    "working",
    "added",
    "blocked",
    "reverted",
    "published",
)


def _clauses(text: str) -> list[tuple[int, int]]:
    """Sentences of `text` with letters or digits in them, their edges trimmed of markup; at most 400."""
    spans = []
    for match in _SENTENCE.finditer(text):
        start, end = match.span()
        while start < end and text[start] in _EDGE:
            start += 1
        while end > start and text[end - 1] in _EDGE:
            end -= 1
        if end - start >= SHORTEST and any(c.isalnum() for c in text[start:end]):
            spans.append((start, end))
            if len(spans) == 400:
                break
    return spans


def _is_listing(piece: str) -> bool:
    """True for table rows, code and paths: lines that are mostly not words."""
    letters = sum(c.isalpha() or c == " " for c in piece)
    return letters < 0.7 * len(piece)


def _around(text: str, start: int, end: int, words: Mapping[str, float], limit: int) -> tuple[int, int]:
    """Cut `start`..`end` to `limit` characters, around the first match, at white space where there is any."""
    if end - start <= limit:
        return start, end
    hits = matched_spans(text[start:end], words) if words else ()
    middle = start + hits[0][0] if hits else start
    first = max(start, min(middle - limit // 3, end - limit))
    last = min(end, first + limit)
    if first > start and (space := _SPACES.search(text, first, middle)):
        first = space.end()
    if last < end:
        cut = max(text.rfind(" ", first + limit // 2, last), text.rfind("\n", first + limit // 2, last))
        last = cut if cut > 0 else last
    return first, last


def _clean(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The longest part of `start`..`end` that is printable, holds no secret and no half of a joined character."""
    piece = text[start:end]
    if is_printable(piece) and "\r" not in piece and not secret_spans(text):
        return _trimmed(text, start, end)
    dirty = [s for s in secret_spans(text) if s[0] < end and start < s[1]]
    cuts = [start, *(x for s in dirty for x in s), end]
    cuts += [i for i in range(start, end) if not is_printable(text[i]) or text[i] == "\r"]
    best: tuple[int, int] | None = None
    edges = sorted({min(max(c, start), end) for c in cuts})
    for a, b in pairwise(edges):
        first = a if a == start or is_printable(text[a]) else a + 1
        if any(s[0] < b and first < s[1] for s in dirty) or not is_printable(text[first:b]) or "\r" in text[first:b]:
            continue
        span = _trimmed(text, first, b)
        if span and (best is None or span[1] - span[0] > best[1] - best[0]):
            best = span
    return best


def _trimmed(text: str, start: int, end: int) -> tuple[int, int] | None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return (start, end) if end - start >= SHORTEST else None
