"""Masking of secrets on every way out: screen, copy, export, JSON.

The patterns name the shapes that issuers publish for their own credentials, and assignments to names that say what they
hold. A masked secret keeps its kind, so that a reader knows what stood there: `[masked: GitHub token]`. A name alone, a
hash, a UUID and a path are never masked. Every rule takes time in proportion to the text: a repetition that can fail is
bounded, because a record may hold a megabyte without a space. The well-known scanners were measured and left out: they
import a network client, take files rather than strings, and their entropy rules hide commit hashes, which recall needs.
"""

from __future__ import annotations

import re

from core.frozen import dataclass
from core.patterns import Pattern


@dataclass(frozen=True, slots=True)
class _Rule:
    """One shape. Its pattern is tried only where one of its signs stands, so that plain text costs next to nothing."""

    kind: str
    signs: tuple[str, ...]
    """Lower-case texts at whose place the pattern is tried."""
    pattern: Pattern
    back: int = 0
    """Characters before the sign at which the pattern may begin."""
    ahead: int = 0
    """Characters after the sign's beginning at which the pattern begins."""


_ASSIGNED = (
    r"(?i:(?:secret|passwo?rd|passwd|api[_-]?key|access[_-]?key|auth[_-]?token|access[_-]?token|private[_-]?token"
    r"|credential)s?[\w-]{0,80})[\"']?\s{0,20}(?:=>|=|:)\s{0,20}[\"']?"
    r"(?=[^\s\"'`,;(){}\[\]<>]{0,200}\d)(?=[^\s\"'`,;(){}\[\]<>]{0,200}[A-Za-z])[^\s\"'`,;(){}\[\]<>$]{10,200}"
)
_KEY_BLOCK = (
    r"-----BEGIN (?:[A-Z]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----"
    r"[\s\S]*?(?:-----END (?:[A-Z]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----|\Z)"
)
_RULES: tuple[_Rule, ...] = (
    _Rule("private key", ("-----begin ",), Pattern(_KEY_BLOCK)),
    _Rule("Anthropic key", ("sk-ant-",), Pattern(r"\bsk-ant-[A-Za-z0-9_-]{16,}")),
    _Rule("OpenAI key", ("sk-",), Pattern(r"\bsk-(?:proj-|svcacct-|admin-|None-)?[A-Za-z0-9_-]{20,}")),
    _Rule("GitHub token", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), Pattern(r"\bgh[pousr]_[A-Za-z0-9]{20,}")),
    _Rule("GitHub token", ("github_pat_",), Pattern(r"\bgithub_pat_[A-Za-z0-9_]{22,}")),
    _Rule(
        "GitLab token",
        ("glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glft-", "glimt-", "glagent-", "gloas-"),
        Pattern(r"\bgl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|oas)-[A-Za-z0-9_-]{18,}"),
    ),
    _Rule("AWS key", ("akia", "asia", "abia", "acca"), Pattern(r"\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b")),
    _Rule("Google key", ("aiza",), Pattern(r"\bAIza[A-Za-z0-9_-]{35}\b")),
    _Rule("Google key", ("ya29.", "gocspx-"), Pattern(r"\bya29\.[A-Za-z0-9_-]{20,}|\bGOCSPX-[A-Za-z0-9_-]{20,}")),
    _Rule("Slack token", ("xox",), Pattern(r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}")),
    _Rule("Slack token", ("xapp-",), Pattern(r"\bxapp-\d-[A-Za-z0-9-]{20,}")),
    _Rule("Slack token", ("hooks.slack.com/",), Pattern(r"hooks\.slack\.com/services/[A-Za-z0-9/]{20,}")),
    _Rule("Stripe key", ("sk_", "rk_", "pk_"), Pattern(r"\b(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,}")),
    _Rule("Stripe key", ("whsec_",), Pattern(r"\bwhsec_[A-Za-z0-9]{24,}")),
    _Rule("npm token", ("npm_",), Pattern(r"\bnpm_[A-Za-z0-9]{30,}")),
    _Rule("PyPI token", ("pypi-age",), Pattern(r"\bpypi-AgE[A-Za-z0-9_-]{30,}")),
    _Rule("Hugging Face token", ("hf_",), Pattern(r"\bhf_[A-Za-z0-9]{30,}")),
    _Rule("SendGrid key", ("sg.",), Pattern(r"\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}")),
    _Rule("Twilio key", ("sk", "ac"), Pattern(r"\b(?:SK|AC)[0-9a-f]{32}\b")),
    _Rule("Telegram token", (":aa",), Pattern(r"\b\d{8,10}:AA[A-Za-z0-9_-]{32,35}"), back=10),
    _Rule("DigitalOcean token", ("doo_v1_", "dop_v1_", "dor_v1_"), Pattern(r"\bdo[opr]_v1_[a-f0-9]{40,}")),
    _Rule("Linear key", ("lin_",), Pattern(r"\blin_(?:api|oauth)_[A-Za-z0-9]{30,}")),
    _Rule("age key", ("age-secret-key-",), Pattern(r"\bAGE-SECRET-KEY-1[0-9A-Z]{50,}")),
    _Rule(
        "JSON web token",
        ("eyj",),
        Pattern(r"\beyJ[A-Za-z0-9_-]{5,2000}\.eyJ[A-Za-z0-9_-]{5,4000}\.[A-Za-z0-9_-]{5,}"),
    ),
    _Rule(
        "password in an address",
        ("://",),
        Pattern(r"(?<=://)[^\s/:@'\"<>]{1,80}:[^\s/@'\"<>]{3,200}(?=@[A-Za-z0-9.\[-])"),
        ahead=3,
    ),
    _Rule(
        "authorization",
        ("authorization",),
        Pattern(
            r"(?i:\bauthorization\b[\"']?\s{0,20}[:=]\s{0,20}[\"']?(?:basic|bearer|token)\s{1,20})"
            r"[A-Za-z0-9+/_.~=-]{12,}"
        ),
    ),
    _Rule(
        "bearer token",
        ("bearer",),
        Pattern(r"(?i:\bbearer\s{1,20})(?=[A-Za-z_.~+/-]{0,200}\d)[A-Za-z0-9_.~+/-]{24,}={0,2}"),
    ),
    _Rule(
        "secret",
        ("secret", "password", "passwrd", "passwd", "api_key", "api-key", "apikey", "access_key", "access-key", "accesskey",
         "auth_token", "auth-token", "authtoken", "access_token", "access-token", "accesstoken", "private_token",
         "private-token", "privatetoken", "credential"),
        Pattern(_ASSIGNED),
    ),
)  # fmt: skip
"""The more specific of two shapes that begin alike stands first."""

_LONG_RUN = 15
"""Characters without white space between them that every credential of an issuer holds: a Slack token is the shortest."""
_RUN = re.compile(rf"\S{{{_LONG_RUN}}}")
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_OF_ANY_LENGTH = frozenset({"private key", "password in an address", "authorization", "secret"})
"""Kinds whose secret may be made of shorter pieces, or be one."""
_SHORT_RULES = tuple((number, rule) for number, rule in enumerate(_RULES) if rule.kind in _OF_ANY_LENGTH)
_ALL_RULES = tuple(enumerate(_RULES))

_KEEP = Pattern(
    r"^(?P<name>[^=:]*?[\"']?\s*(?:=>|=|:)\s*[\"']?(?:(?i:basic|bearer|token)\s+)?|(?i:bearer)\s+)(?P<value>.*)$",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Masked:
    """A text without its secrets."""

    text: str
    count: int
    """How many secrets were masked."""


def mask(text: str, *, keep_lines: bool = False) -> Masked:
    """Replace every secret in `text` by `[masked: KIND]`; the name in front of an assigned secret stays.

    Masking a masked text changes nothing. With `keep_lines` a secret of several lines leaves as many, so that the number
    of every line stays what it is in the file.
    """
    found = _found(text)
    if not found:
        return Masked(text, 0)
    parts: list[str] = []
    at = 0
    for start, end, kind in found:
        cover = _cover(text[start:end], kind)
        swallowed = text.count("\n", start, end) - cover.count("\n") if keep_lines else 0
        parts += (text[at:start], cover, "\n" * swallowed)
        at = end
    parts.append(text[at:])
    return Masked("".join(parts), len(found))


def _cover(secret: str, kind: str) -> str:
    """What stands in place of a secret."""
    if kind in ("secret", "authorization", "bearer token") and (named := _KEEP.match(secret)):
        return f"{named['name']}[masked: {kind}]"
    return f"[masked: {kind}]"


def _found(text: str) -> list[tuple[int, int, str]]:
    """Start, end and kind of every secret, in order, without overlaps: the earlier one wins, then the earlier rule."""
    long = _RUN.search(text)
    if long is not None and _UUID.fullmatch(text):
        return []
    low = text.replace("\u0130", "i").lower()
    spans: list[tuple[int, int, int]] = []
    for number, rule in _SHORT_RULES if long is None else _ALL_RULES:
        for sign in rule.signs:
            at = low.find(sign)
            while at >= 0:
                match = _at(rule, text, at)
                if match is not None and "[masked:" not in match.group():
                    spans.append((match.start(), number, match.end()))
                at = low.find(sign, max(at + 1, match.end() if match is not None else 0))
    spans.sort()
    kept: list[tuple[int, int, str]] = []
    for start, number, end in spans:
        if not kept or start >= kept[-1][1]:
            kept.append((start, end, _RULES[number].kind))
    return kept


def _at(rule: _Rule, text: str, at: int) -> re.Match[str] | None:
    """The rule's match at the place of its sign."""
    if rule.back:
        match = rule.pattern.compiled.search(text, max(0, at - rule.back), at + 60)
        return match if match is not None and match.start() <= at < match.end() else None
    return rule.pattern.compiled.match(text, at + rule.ahead)


def secret_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Character spans of `text` that `mask` would replace (names in front of assigned secrets included)."""
    return tuple((start, end) for start, end, _ in _found(text))
