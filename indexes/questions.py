"""Turns that only ask: their words say what somebody wanted to know, not what came of it.

A session that asked in vain holds a question's words more densely than the one that answers in words of its own
(reference/peers.md, DV#2050). So a turn that asks, or that tells only that nothing was found, is marked in the index.
"""

from __future__ import annotations

import re

from core.records.model import Origin, Turn

LONGEST_QUESTION = 400
"""Characters of a question; a longer turn that ends in one says something besides."""
LONGEST_SHRUG = 300
"""Characters of an answer that tells only that there is none."""

_MARKS = "?？؟"
_STATED = re.compile(r"[.!。！](?=\s|$)|[。！]|\n")
_OPENS = re.compile(
    r"(?:and |but |so |hey,? |also,? )?(?:who|whom|whose|what|whats|what's|when|where|why|how|which|whether|"
    r"wer|wen|wem|wann|warum|wieso|wo|wie|qui|quand|pourquoi|comment|où|quién|cuándo|cuál|dónde|cómo|"
    r"quem|onde|chi|perché|wie|waarom|waar|кто|когда|почему|где|誰|누가)\b[^.!;:\n]*$",
    re.IGNORECASE,
)
_REQUEST = re.compile(
    r"\b(?:can|could|would|will|shall|should|may|might) (?:you|we|i|it)\b|\bplease\b|\blet['’]?s\b|\bdo you (?:want|mind)\b"
    r"|\b(?:kannst|könntest|können|könnten|würdest) (?:du|sie|wir)\b|\bbitte\b|\b(?:peux|pourrais|pouvez)[- ](?:tu|vous)\b"
    r"|\b(?:puedes|podrías|podemos|você pode|podes|potresti|puoi|kun je|kunnen we)\b|ください|もらえ|해 ?줘|해 ?주세요|能不能|可以帮",
    re.IGNORECASE,
)
"""A question that is an order: what follows in the session is its answer."""
_IN_SHRUGS = (
    "t find", "t see", "t know", "t locate", "t have", "t tell", "t mention", "t say", "t able to", "cannot ", "no mention",
    "no record", "no trace", "no information", "no answer", "no idea", "no match", "nothing ", "not mentioned",
    "not documented", "not recorded", "not known", "unable to", "nichts", "keine angabe", "kein hinweis", "nicht finden",
    "no encontré", "no pude", "no hay", "n'ai ", "n’ai ", "não encontrei", "não achei", "見つ", "没有", "찾을 수",
)  # fmt: skip
"""Each wording of `_SHRUG` holds one of these, in small letters: looking for them first costs a tenth."""
_SHRUG = re.compile(
    r"\b(?:could|can|did|do|does|was|am|were)(?:n['’]t| not|not) (?:able to )?(?:find|see|know|locate|have|tell|mention|say)"
    r"|\bcannot (?:find|see|tell|locate)|\bno (?:mention|record|trace|information|answer|idea|matches?)\b"
    r"|\bnothing (?:about|was found|found|in|here)\b|\bnot (?:mentioned|documented|recorded|known)\b|\bunable to\b"
    r"|\b(?:nichts|keine angaben?|kein hinweis)\b|\bkonnte (?:ich )?.{0,40}nicht finden|\bno (?:encontré|pude|hay)\b"
    r"|\bje n['’]ai (?:pas|rien) trouvé|\bnão (?:encontrei|achei)\b|見つかりません|没有找到|찾을 수 없",
    re.IGNORECASE,
)


def only_asks(turn: Turn) -> bool:
    """True for a person's turn that is a question and little else, and for an answer that tells only that there is none."""
    text = turn.text.strip()
    if turn.origin in (Origin.PERSON, Origin.PEER):
        if not text or len(text) > LONGEST_QUESTION:
            return False
        asked = sum(map(text.count, _MARKS))
        asks = asked > len(_STATED.findall(text)) if asked else _OPENS.match(text) is not None
        return asks and _REQUEST.search(text) is None
    if turn.origin is not Origin.ASSISTANT or len(text) > LONGEST_SHRUG:
        return False
    return any(map(text.lower().__contains__, _IN_SHRUGS)) and _SHRUG.search(text) is not None
