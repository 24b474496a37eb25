"""Masking of secrets on every way out: screen, copy, export, JSON.

The patterns name the shapes that issuers publish for their own credentials, and assignments to names that say what they
hold. A masked secret keeps its kind, so that a reader knows what stood there: `[masked: GitHub token]`. A name alone, a
hash, a UUID and a path are never masked. Every rule takes time in proportion to the text: a repetition that can fail is
bounded, because a record may hold a megabyte without a space. The well-known scanners were measured and left out: they import a network
client, take files rather than strings, and their entropy rules hide commit hashes, which recall needs.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.patterns import Pattern

_RULES: tuple[tuple[str, str], ...] = (
    (
        "private key",
        (
            r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY(?: BLOCK)?-----"
            r"[\s\S]*?(?:-----END (?:[A-Z]+ )*PRIVATE KEY(?: BLOCK)?-----|\Z)"
        ),
    ),
    ("Anthropic key", r"\bsk-ant-[A-Za-z0-9_-]{16,}"),
    ("OpenAI key", r"\bsk-(?:proj-|svcacct-|admin-|None-)?[A-Za-z0-9_-]{20,}"),
    ("GitHub token", r"\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{22,})"),
    ("GitLab token", r"\bgl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|oas)-[A-Za-z0-9_-]{18,}"),
    ("AWS key", r"\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b"),
    ("Google key", r"\bAIza[A-Za-z0-9_-]{35}\b|\bya29\.[A-Za-z0-9_-]{20,}|\bGOCSPX-[A-Za-z0-9_-]{20,}"),
    (
        "Slack token",
        r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}|\bxapp-\d-[A-Za-z0-9-]{20,}|hooks\.slack\.com/services/[A-Za-z0-9/]{20,}",
    ),
    ("Stripe key", r"\b(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,}|\bwhsec_[A-Za-z0-9]{24,}"),
    ("npm token", r"\bnpm_[A-Za-z0-9]{30,}"),
    ("PyPI token", r"\bpypi-AgE[A-Za-z0-9_-]{30,}"),
    ("Hugging Face token", r"\bhf_[A-Za-z0-9]{30,}"),
    ("SendGrid key", r"\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}"),
    ("Twilio key", r"\b(?:SK|AC)[0-9a-f]{32}\b"),
    ("Telegram token", r"\b\d{8,10}:AA[A-Za-z0-9_-]{32,35}"),
    ("DigitalOcean token", r"\bdo[opr]_v1_[a-f0-9]{40,}"),
    ("Linear key", r"\blin_(?:api|oauth)_[A-Za-z0-9]{30,}"),
    ("age key", r"\bAGE-SECRET-KEY-1[0-9A-Z]{50,}"),
    ("JSON web token", r"\beyJ[A-Za-z0-9_-]{5,2000}\.eyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]{5,}"),
    ("password in an address", r"(?<=://)[^\s/:@'\"<>]{1,80}:[^\s/@'\"<>]{3,200}(?=@[A-Za-z0-9.\[-])"),
    (
        "authorization",
        r"(?i:\bauthorization\b[\"']?\s*[:=]\s*[\"']?(?:basic|bearer|token)\s+)[A-Za-z0-9+/_.~=-]{12,}",
    ),
    ("bearer token", r"(?i:\bbearer\s+)(?=[A-Za-z0-9_.~+/-]*\d)[A-Za-z0-9_.~+/-]{24,}=*"),
    (
        "secret",
        r"(?i:(?:secret|passwo?rd|passwd|api[_-]?key|access[_-]?key|auth[_-]?token|access[_-]?token|private[_-]?token|client[_-]?secret|credential)s?[\w-]{0,80})[\"']?\s*(?:=|:|=>)\s*[\"']?(?=[^\s\"'`,;(){}\[\]<>]{0,200}\d)(?=[^\s\"'`,;(){}\[\]<>]{0,200}[A-Za-z])[^\s\"'`,;(){}\[\]<>$]{10,200}",
    ),
)

_ALL = Pattern("|".join(f"(?P<k{n}>{pattern})" for n, (_, pattern) in enumerate(_RULES)))
_KEEP = Pattern(
    r"^(?P<name>[^=:]*?[\"']?\s*(?:=>|=|:)\s*[\"']?(?:(?i:basic|bearer|token)\s+)?|(?i:bearer)\s+)(?P<value>.*)$",
    re.DOTALL,
)
_HINT = Pattern(
    r"(?i)sk-|gh[pousr]_|github_pat|gl\w{2,6}-|A[KSBC][IC]A|AIza|ya29|GOCSPX|xox|xapp|slack|_live_|_test_|whsec|npm_"
    r"|pypi-|hf_|SG\.|\bSK|\bAC|:AA|do[opr]_v1|lin_|AGE-|eyJ|://|authoriz|bearer|secret|passw|api.?key|access|token"
    r"|credential|PRIVATE KEY"
)


@dataclass(frozen=True, slots=True)
class Masked:
    """A text without its secrets."""

    text: str
    count: int
    """How many secrets were masked."""


def mask(text: str) -> Masked:
    """Replace every secret in `text` by `[masked: KIND]`; the name in front of an assigned secret stays.

    Masking a masked text changes nothing.
    """
    if not _HINT.search(text):
        return Masked(text, 0)
    count = 0

    def cover(match: re.Match[str]) -> str:
        nonlocal count
        kind = _RULES[int((match.lastgroup or "k0")[1:])][0]
        found = match.group()
        if found.endswith("[masked") or "[masked:" in found:
            return found
        count += 1
        if kind in ("secret", "authorization", "bearer token"):
            parts = _KEEP.match(found)
            if parts:
                return f"{parts['name']}[masked: {kind}]"
        return f"[masked: {kind}]"

    return Masked(_ALL.sub(cover, text), count)


def secret_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Character spans of `text` that `mask` would replace (names in front of assigned secrets included)."""
    if not _HINT.search(text):
        return ()
    return tuple(m.span() for m in _ALL.finditer(text) if "[masked:" not in m.group())
