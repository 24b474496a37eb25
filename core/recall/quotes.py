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
_EDGE = " \t\n\r*_-–—•|"
_MARKERS = _EDGE + "#>"
_DANGLING = " –—,;(["
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
    code = _code_spans(text)
    for number, (start, end) in enumerate(clauses):
        piece = text[start:end]
        weight = sum(w for word, w in words.items() if _pattern(word).search(piece))
        flaws = _flaws(text, piece, start, code)
        score = weight * (1 - flaws) - 0.15 * (len(piece) < 25) - flaws - 1e-6 * start
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
    """The first clause of `text`, joined with those after it on the same line while they fit.

    A first line that is too short to tell anything is joined with the next one.
    """
    code = _code_spans(text)
    clauses = _clauses(text)
    prose = [c for c in clauses if not _within(c[0], code)] or clauses
    for number, (start, end) in enumerate(prose):
        announces = text[start:end].endswith(":") and end - start < ENOUGH and number + 1 < len(prose)
        if announces or (_is_listing(text[start:end]) and len(text) > limit):
            continue
        last = end
        for other_start, other_end in prose[number + 1 :]:
            apart = text[last:other_start]
            if other_end - start > limit or ("\n" in apart and (last - start >= ENOUGH or not apart.isspace())):
                break
            last = other_end
        return _clean(text, *_around(text, start, last, {}, limit))
    return None


def closing_quote(text: str, words: Mapping[str, float], limit: int = LIMIT) -> tuple[int, int] | None:
    """The span of `text` that says best how it ended: what was done or failed, rather than what comes next.

    The words of the cue decide between clauses that tell an outcome alike; the first of them leads.
    """
    best: tuple[float, int] | None = None
    clauses = _clauses(text)
    code = _code_spans(text)
    for number, (start, end) in enumerate(clauses):
        piece = text[start:end]
        told = len({m.group().lower() for m in _OUTCOME.finditer(piece)}) * (not _ANNOUNCEMENT.match(piece))
        score = min(2, told) + 0.3 * (number == 0)
        score += min(1.0, 0.5 * sum(w for word, w in words.items() if _pattern(word).search(piece)))
        score -= 0.15 * (len(piece) < 25) + 3 * _flaws(text, piece, start, code) + 0.5 * piece.endswith(("?", "？"))
        if best is None or score > best[0]:
            best = (score, number)
    if best is None:
        return None
    return _clean(text, *_around(text, *_with_neighbours(text, clauses, best[1], limit), words, limit))


_OUTCOME = Pattern(
    r"\b(?:done|fixe[sd]|committed|pushed|merged|pass(?:es|ed|ing)?|fail(?:s|ed|ing|ure)?|errors?|completed?|implemented|"
    r"decided|released?|created|updated|removed|works|working|added|blocked|reverted|published|resolved|addressed|"
    r"renamed|deleted|replaced|opened|closed|confirmed|verified|green|ready)\b",
    re.IGNORECASE,
)
_ANNOUNCEMENT = Pattern(
    r"^\W*(?:(?:now|next|ok|okay|good|great|perfect|alright|first|then)\b[\s,.!:—–-]*)*"
    r"(?:let me|let['’]s (?:look|see|check)|i['’]ll|i will|i['’]m (?:going to|now|checking|reading|looking|running)|"
    r"i am (?:going to|now))\b",
    re.IGNORECASE,
)


def is_announcement(text: str) -> bool:
    """True for a short turn or clause that says what its speaker does next, and nothing of what came of it."""
    return len(text) <= 200 and bool(_ANNOUNCEMENT.match(text))


_ASKS = Pattern(
    r"^\W*(?:(?:now|next|ok|okay|so|also|then|and|please|pls|first)\b[\s,.!:—–-]*)*"
    r"(?:(?:can|could|would|will|should|do|did|does|is|are|was|what|why|how|where|when|which|who)\b.*[?？]?$(?<=[?？])|"
    r"(?:(?:can|could|would) (?:you|we)|i (?:want|need|would like|'d like) you to|help me|tell me|show me|give me|"
    r"find|check|look|review|read|investigate|search|list|explain|analy[sz]e|summari[sz]e|describe|implement|write|create|add|"
    r"update|fix|run|test|make sure|open|spawn|go through|figure out|refactor|debug|compare|generate|commit|push)\b|"
    r"(?:bitte|kannst du|könntest du|such|prüfe?|schau|zeig|erklär|peux-tu|pouvez-vous|cherche|vérifie|montre|explique|puedes|"
    r"podrías|busca|revisa|comprueba|muestra|explica|você pode|procure|verifique|mostre|explique)\b|请|帮我|查一下|看一下)|[?？]\s*$|"
    r"(?:て(?:ください|くれ|ほしい)|해 ?(?:줘|주세요))[。.!]?$",
    re.IGNORECASE | re.DOTALL,
)


def asks(text: str) -> bool:
    """True for a question, or a request to do something: it says what is wanted next, and states nothing."""
    return bool(_ASKS.search(text))


def resembles(one: str, other: str) -> bool:
    """True for two quotes that share most of their words."""
    a, b = ({w.lower() for w in re.findall(r"\w+", text)} for text in (one, other))
    return len(a & b) > 0.75 * max(1, min(len(a), len(b))) and len(a & b) > 0.6 * max(len(a), len(b))


_WRAPPED = Pattern(r"\n[ \t]*[a-zà-ÿ]")
_BEFORE_WRAP = Pattern(r"[\w,][ \t]*\n[ \t]*$")
"""A line of prose that was broken because it was full: the next one goes on with a small letter."""


def cut_signs(text: str, start: int, end: int) -> tuple[str, str]:
    """What stands before and after a quote to show that its sentence goes on: "…" or nothing."""
    ahead = text[:start].rstrip(" \t")
    behind = text[end:].lstrip("\"'”’)]*_` \t")
    begun = bool(ahead) and (ahead[-1].isalnum() or ahead[-1] in ",;")
    goes_on = bool(behind) and (behind[0].isalnum() or behind[0] in ",;([–—") and text[end - 1] not in ".!?。！？:"
    if _WRAPPED.match(behind) and text[end - 1 : end].isalnum():
        goes_on = True
    if text[start : start + 1].islower() and _BEFORE_WRAP.search(text[max(0, start - 40) : start]):
        begun = True
    return "…" if begun else "", "…" if goes_on else ""


def _flaws(text: str, piece: str, start: int, code: list[tuple[int, int]]) -> float:
    """How poor a quote a clause is, 0 to 1: code, rows of a table, a line that only leads to a list, an announcement."""
    leads = piece.endswith((":", "：")) or text[start + len(piece) : start + len(piece) + 4].strip(" *_`").startswith(
        ":"
    )
    if _within(start, code):
        return 0.5
    if leads or _ANNOUNCEMENT.match(piece) or piece.count(" | ") > 1:
        return 0.4
    return 0.2 * _is_listing(piece)


def _code_spans(text: str) -> list[tuple[int, int]]:
    """The fenced blocks of a Markdown text; one that is not closed ends with the text."""
    if "```" not in text:
        return []
    marks = [m.start() for m in re.finditer(r"^[ \t]*```", text, re.MULTILINE)]
    return [(a, marks[n + 1] if n + 1 < len(marks) else len(text)) for n, a in enumerate(marks) if n % 2 == 0]


def _within(place: int, spans: list[tuple[int, int]]) -> bool:
    return any(a <= place < b for a, b in spans)


def _clauses(text: str) -> list[tuple[int, int]]:
    """Sentences of `text` with letters or digits in them, their edges trimmed of markup; at most 400."""
    spans = []
    for match in _SENTENCE.finditer(text):
        start, end = match.span()
        start, end = _edges_off(text, start, end)
        if end - start >= SHORTEST and any(c.isalnum() for c in text[start:end]):
            spans.append((start, end))
            if len(spans) == 400:
                break
    return spans


def _edges_off(text: str, start: int, end: int) -> tuple[int, int]:
    """The clause without list markers, fences and emphasis at its ends; a code span keeps both of its backticks."""
    while start < end and (text[start] in _MARKERS or text.startswith("```", start)):
        start += 3 if text.startswith("```", start) else 1
    while end > start and (text[end - 1] in _EDGE or text.endswith("```", start, end)):
        end -= 3 if text.endswith("```", start, end) else 1
    if text[start:end].count("`") % 2:
        if text.startswith("`", end):
            end += 1
        elif text[start:end].startswith("`"):
            start += 1
        elif text[start:end].endswith("`"):
            end -= 1
    return min(start, end), end


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
    while end > start and (text[end - 1].isspace() or text[end - 1] in _DANGLING):
        end -= 1
    return (start, end) if end - start >= SHORTEST else None
