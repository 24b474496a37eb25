"""What a cue says besides its words: what it was not ("…, not the Stripe one"), and which agent it was with ("the Codex
session where …"). Both only order what was found: a person may be wrong about either. Our own patterns."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.patterns import Pattern
from core.recall.filters import AGENT_WORDS
from core.recall.needles import is_common
from core.recall.quotes import matched_spans
from core.recall.search import Lead

NEARLY = 0.6
"""A candidate of the agent that was named goes first if it fits this much of what the best one does."""

_WHAT = r"(?P<{}>[\w./-]+(?:[ ][\w./-]+){{0,2}})(?=\s*(?:$|[,;.:!?)]|\bbut\b))"
_NONE = (
    r"(?!(?:that|this|it|these|those|one|an?|in|from|with|by|to|my|at|on|of|before|after|now|yet|only|just|really|sure|quite|"
    r"exactly|necessarily|all|much|many|so|as|if|when|what|the|about|found|working|able|defined|allowed|enough|set|null)\b)"
)
"""What a turn may begin with behind "not" without setting anything aside: "not sure, but …", "not found, the page"."""
_BUT = r"(?=\s*,?\s*(?:but|sondern|mais|sino|mas)\b)"
_NOT = Pattern(
    r"\bnot\s+(?:(?:the|that)\s+(?:one|ones|session|conversation|chat)\s+)"
    r"(?:about|with|on|in|from|of|for|where)\s+(?:the\s+)?" + _WHAT.format("one")
    + r"|(?:[,;(]\s*(?:but\s+)?|\bbut\s+)not\s+(?:about\s+|the\s+)?" + _WHAT.format("two")
    + r"|\bnicht\s+(?:die|der|das|den)\s+(?:sitzung\s+)?(?:mit|über|zu|von)\s+" + _WHAT.format("de")
    + r"|\bpas\s+(?:celle|celui)\s+(?:sur|avec|de)\s+" + _WHAT.format("fr")
    + r"|\bno\s+(?:la|el|esa|ese)\s+(?:sesión\s+)?(?:de|sobre|con)\s+" + _WHAT.format("es")
    + r"|\bnão\s+(?:a|o|aquela|aquele)\s+(?:sessão\s+)?(?:de|do|da|sobre|com)\s+" + _WHAT.format("pt")
    + r"|\bnot\s+the\s+" + _NONE + r"(?P<called>[\w./-]+(?:[ ][\w./-]+)?)\s+(?:ones?|session|conversation|chat)\b"
    + r"|(?:^|\n)\s*(?:no\W+|nein\W+|non\W+)?(?:not|nicht|pas|no|não)\s+(?:about\s+|the\s+|die\s+|der\s+|das\s+|den\s+|l[ae]\s+|el\s+)?"
    + _NONE + r"(?P<rather>[\w./-]+(?:[ ](?!but\b|sondern\b|mais\b|sino\b|mas\b)[\w./-]+){0,2})" + _BUT
    + r"|\n\s*(?:no\W+)?not\s+(?:about\s+|the\s+)?" + _NONE + r"(?P<later>[\w./-]+(?:[ ][\w./-]+){0,2})(?=\s*[,;:]\s*\w)",
    re.IGNORECASE, several=True,
)  # fmt: skip
_NAMES = "|".join(
    sorted((w.replace("-", "[ -]") for w in AGENT_WORDS if w not in ("cc", "agent")), key=len, reverse=True)
)
_WITH = Pattern(
    rf"\b(?P<before>{_NAMES})(?:['’]s)?[ -](?:session|conversation|chat|agent|sitzung|sesión|sessão)s?\b|"
    rf"\b(?:in|with|using|via|mit|con|avec|com)\s+(?P<behind>{_NAMES})\b(?![ -](?:hook|integration|support|command|config|file)s?)|"
    rf"(?P<signs>{_NAMES})(?:の会話|のセッション|で|와|과|에서|的对话)",
    re.IGNORECASE,
    several=True,
)


def set_aside(sentence: str) -> tuple[tuple[int, int], ...]:
    """Where a cue says what it was not about: from and to which character, the words that say so included."""
    return tuple(m.span() for m in _NOT.finditer(sentence))


def runtime_named(sentence: str) -> str:
    """The runtime that a cue says it was with, `""` if it names none or several."""
    found = {
        AGENT_WORDS[next(w for w in m.groupdict().values() if w).lower().replace(" ", "-")]
        for m in _WITH.finditer(sentence)
    }
    return found.pop() if len(found) == 1 else ""


def steered(leads: Sequence[Lead], sentence: str) -> list[Lead]:
    """The candidates with those of the named agent before others that fit about as well, and those that are called by what
    it was not behind all others."""
    ordered = list(leads)
    runtime = runtime_named(sentence)
    if runtime and ordered:
        best = max(lead.hit.fit for lead in ordered)
        ordered.sort(key=lambda x: x.hit.entry.source.runtime != runtime or x.hit.fit < NEARLY * best)
    unwanted = [next(w for w in m.groupdict().values() if w) for m in _NOT.finditer(sentence)]
    words = {w: 1.0 for what in unwanted for w in re.findall(r"[^\W_]+", what) if not is_common(w)}
    if words:
        ordered.sort(key=lambda x: _called_by(x, words))
    return ordered


def _called_by(lead: Lead, words: dict[str, float]) -> bool:
    spine = lead.hit.entry.spine
    folder = spine.project.replace("\\", "/").rstrip("/").rpartition("/")[2]
    return bool(matched_spans(f"{spine.named()}\n{spine.first_prompt}\n{folder}", words))
