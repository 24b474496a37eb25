"""Identifiers in a person's words, with their kinds, and whether a text uses one in the kind that was meant.

A literal match anchors only where the kind fits what the cue claims (design/recall.md 3, FalseAnchor): the number of a
list item is not an issue.
"""

from __future__ import annotations

import re

from core.frozen import dataclass
from core.patterns import Pattern
from core.recall.model import AxisKind

_EXTENSIONS = (
    "py|pyi|ts|tsx|js|jsx|mjs|cjs|go|rs|java|kt|c|h|cc|cpp|hpp|cs|rb|php|swift|scala|sh|bash|zsh|fish|ps1|sql|md|mdx|rst|"
    "txt|log|json|jsonl|yaml|yml|toml|ini|cfg|conf|env|lock|xml|html|css|scss|vue|svelte|proto|tf|ipynb|csv|tcss|diff|patch"
)

_RULES: tuple[tuple[AxisKind, Pattern], ...] = (
    (AxisKind.URL, Pattern(r"https?://[^\s<>\"'`)\]]+", several=True)),
    (
        AxisKind.SESSION,
        Pattern(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b", re.I, several=True),
    ),
    (
        AxisKind.ERROR,
        Pattern(r"\b(?:[A-Za-z]*(?:Error|Exception)|panic|fatal|error)\s*:\s*\S[^\n]{3,160}", several=True),
    ),
    (AxisKind.PULL_REQUEST, Pattern(r"\b(?:PR|MR|pull requests?|merge requests?)\s*[#!]?(?P<id>\d{1,7})\b", re.I)),
    (
        AxisKind.ISSUE,
        Pattern(r"\b(?:issues?|bug|ticket)\s*#?(?P<id>\d{1,7})\b|(?<![\w#&])#(?P<hash>\d{1,7})\b", re.I),
    ),
    (
        AxisKind.VERSION,
        Pattern(r"\bv?\d{1,3}\.\d{1,4}\.\d{1,6}(?:-[A-Za-z0-9.]+)?\b|\bv\d{1,3}\.\d{1,4}\b", several=True),
    ),
    (
        AxisKind.PATH,
        Pattern(
            rf"(?:[~.]{{0,2}}/)?(?:[\w.@+-]+/)+[\w.@+-]*|\b[\w-][\w.-]*\.(?:{_EXTENSIONS})\b(?!\.\w)", several=True
        ),
    ),
    (
        AxisKind.SYMBOL,
        Pattern(
            r"\b[A-Za-z_]\w*(?:::\w+)+|\b[A-Za-z_][\w.]*\(\)|\b[A-Za-z]+[a-z0-9]*(?:_[A-Za-z0-9]+)+\b|\b_\w{3,}\b"
            r"|\b[a-z]+(?:[A-Z][a-z0-9]+)+\w*\b|\b(?:[A-Z][a-z0-9]+){2,}\w*\b|\b[A-Z]{2,}[a-z0-9]+(?:[A-Z][a-z0-9]+)+\b"
            r"|\b[A-Za-z]{2,}-\d{1,6}\b|\b[a-z]{2,4}-[a-z0-9]*\d[a-z0-9]*\b|(?<!\w)--[a-z][\w-]+|\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b"
        ),
    ),
    (AxisKind.COMMIT, Pattern(r"\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}\b")),
)


_GIANT = Pattern(r"\S{301,}")
"""A run this long is pasted data, no name: it is passed over, or the rules would take minutes on it."""
MOST = 200
"""Identifiers of one text at most."""


@dataclass(frozen=True, slots=True)
class Identifier:
    """A name that reaches a record literally."""

    kind: AxisKind
    value: str
    """As it is looked for: the number of an issue without `#`, a symbol without `()`."""
    words: str
    """As the person wrote it."""
    start: int
    end: int


def read_identifiers(text: str) -> tuple[Identifier, ...]:
    """Find the identifiers in `text`, in order; where two kinds fit the same characters, the more specific is kept."""
    found: list[Identifier] = []
    text = _GIANT.sub(lambda m: " " * len(m.group()), text)
    for kind, pattern in _RULES:
        for match in pattern.finditer(text):
            if len(found) >= MOST:
                break
            start, end = match.span()
            if any(i.start < end and start < i.end for i in found):
                continue
            words = match.group().rstrip(".,;:")
            groups = match.groupdict()
            value = groups.get("id") or groups.get("hash") or words
            found.append(Identifier(kind, value.removesuffix("()"), words, start, start + len(words)))
    return tuple(sorted(found, key=lambda i: i.start))


def fits_kind(kind: AxisKind, value: str, text: str) -> bool | None:
    """Does `text` use `value` in the kind that was meant?

    `None`: the value does not occur. `False`: it occurs, but only in another sense (a count, a line number, the number of
    a list item), so that it anchors nothing. Kinds whose spelling is their proof (a path, a symbol, a URL) always fit.
    """
    low, sought = text.lower(), value.lower()
    if sought not in low:
        return None
    if kind not in (AxisKind.ISSUE, AxisKind.PULL_REQUEST):
        return True
    number = re.escape(sought)
    if not re.search(rf"(?<!\d){number}(?!\d)", low):
        return None
    words = r"(?:pr|mr|pull(?:\s+request)?s?|merge\s+request|issues?|bugs?|tickets?|gh|fix(?:es|ed)?|closes?|resolves?)"
    sense = rf"(?<![\w&])[#!]{number}(?!\d)|\b{words}\s*[#!/:-]?\s*{number}(?!\d)|/(?:pull|issues|merge_requests)/{number}(?!\d)"
    command = rf"\b(?:pr|issue|mr)\s+(?:view|checkout|comment|close|list|edit|diff|merge|review)\s+{number}(?!\d)"
    return bool(re.search(sense, low) or re.search(command, low))
