"""A claim: one thing that a person settled, with where it comes from. It never changes; a change is another claim."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from typing import TypeVar

from core.errors import UsageError
from core.frozen import dataclass
from core.memory.ids import SHAPE, new_id
from core.text import clip, fold_lines

KINDS = ("decision", "fact", "event", "preference", "rule", "finding", "lesson", "question")
"""What a person may keep."""
TOMBSTONE = "tombstone"
RESTORE = "restore"
USED = "used"
MARKERS = (TOMBSTONE, RESTORE, USED)
"""What is written about a claim: it is forgotten, shown again, was identified. `depends_on` names the claim."""
TRANSIENT = ("queue", "start", "telemetry", "probe")
"""Plumbing: the newest of each kind stay, and none is ever a memory."""
TRANSIENT_KEPT = 10
"""Entries of one transient kind that stay."""
MAX_TEXT = 100_000
"""Characters of a claim's text."""
DIGITS = 6
"""Digits after the point that a share keeps: it is never written with an exponent."""
MAX_ITEMS = 500
"""Entries of one list of a claim."""
LABEL = 72
"""Columns of a label that is made from a text."""
_T = TypeVar("_T")
_SLUG = re.compile(r"[a-z][a-z0-9_-]{0,39}")
_NAMED = re.compile(r"[^\s\x00-\x1f\x7f](?:[^\x00-\x1f\x7f]{0,198}[^\s\x00-\x1f\x7f])?")
_NUMBER = re.compile(r"(?P<digits>\d{1,20}(?:\.\d{0,20})?|\.\d{1,20})(?P<percent>\s*%)?", re.ASCII)
_SHA = re.compile(r"[0-9a-f]{7,64}")
_LINED = re.compile(r"(?P<path>.+):(?P<line>[1-9]\d{0,9})", re.S)


class Tier(StrEnum):
    """How long a claim stays fresh (design/memory.md 4)."""

    CANONICAL = "canonical"
    EPISODIC = "episodic"
    WORKING = "working"


class EvidenceKind(StrEnum):
    """What a locator leads to."""

    RECORD = "record"
    COMMIT = "commit"
    FILE = "file"


@dataclass(frozen=True, slots=True)
class Evidence:
    """Where a claim can be checked."""

    kind: EvidenceKind
    at: str
    """The path of a record or a file, or a commit's name."""
    line: int | None = None
    """Physical line from 1, `None` where the whole is meant or for a commit."""

    def __str__(self) -> str:
        """`record:/path:12`, `commit:1a2b3c4`, `file:docs/a.md`; `read_evidence` reads it."""
        return f"{self.kind.value}:{self.at}" + (f":{self.line}" if self.line is not None else "")


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim, as the owner holds it. Made by `new_claim`, or read back by `core.memory.wire`."""

    id: str
    label: str
    """What a list shows and a search finds it by; made from the text."""
    text: str
    kind: str = "fact"
    tier: Tier = Tier.EPISODIC
    salience: float = 0.5
    """How much it should stand out, 0 to 1."""
    importance: float = 0.5
    confidence: float | None = None
    """How sure its author was, 0 to 1; `None`: not said."""
    tags: tuple[str, ...] = ()
    namespace: str = "default"
    source_agent: str = ""
    """Who made it; `""`: unknown."""
    created_at: float | None = None
    """UTC seconds; `None`: unknown, never taken for fresh."""
    updated_at: float | None = None
    evidence: tuple[Evidence, ...] = ()
    depends_on: tuple[str, ...] = ()
    """Ids of claims this one rests on; of a marker, the claim it is about."""
    supersedes: tuple[str, ...] = ()
    soul_source: str = ""
    """`path#section` of the soul document it was pruned from, `""` if none."""
    origin: str = ""
    """The memory it was born in."""


def new_claim(
    text: str,
    *,
    kind: str = "fact",
    label: str = "",
    tier: str | Tier = Tier.EPISODIC,
    salience: object = 0.5,
    importance: object = 0.5,
    confidence: object = None,
    tags: Sequence[str] = (),
    namespace: str = "default",
    source_agent: str = "",
    created_at: float | None = None,
    updated_at: float | None = None,
    evidence: Sequence[str | Evidence] = (),
    depends_on: Sequence[str] = (),
    supersedes: Sequence[str] = (),
    soul_source: str = "",
    origin: str = "",
) -> Claim:
    """A claim with an id of its own. Raises `UsageError` naming the field and the value that cannot be.

    Numbers are shares: `0.9`, `"0.9"`, `".9"` and `"90 %"` are the same; `90` is out of range.
    """
    if not text.strip():
        raise UsageError("A claim needs a text.", "Say in a sentence what is to be kept.")
    if len(text) > MAX_TEXT:
        raise UsageError(f"The text has {len(text):,} characters; {MAX_TEXT:,} can be kept in one claim.", "Split it.")
    ids = checked_ids("depends_on", depends_on), checked_ids("supersedes", supersedes)
    return Claim(
        id=new_id(*ids[0], *ids[1]),
        label=label_of(label or text),
        text=text,
        kind=_one_of("kind", kind, KINDS),
        tier=Tier(_one_of("tier", str(tier), tuple(Tier))),
        salience=share("salience", salience),
        importance=share("importance", importance),
        confidence=None if confidence in (None, "") else share("confidence", confidence),
        tags=tuple(dict.fromkeys(_named("tag", tag) for tag in _few("tags", tags))),
        namespace=_named("namespace", namespace),
        source_agent=_named("source_agent", source_agent) if source_agent else "",
        created_at=created_at,
        updated_at=updated_at,
        evidence=tuple(dict.fromkeys(read_evidence(str(one)) for one in _few("evidence", evidence))),
        depends_on=ids[0],
        supersedes=ids[1],
        soul_source=checked_soul_source(soul_source),
        origin=origin,
    )


def marker(
    kind: str, about: str, *, why: str = "", by: str = "", at: float | None = None, after: Sequence[str] = ()
) -> Claim:
    """A marker about a claim, made later than the claim and than the markers in `after`."""
    (about,) = checked_ids("id", (about,))
    text = why.strip() or {TOMBSTONE: "forgotten", RESTORE: "shown again", USED: "identified"}[kind]
    return Claim(
        id=new_id(about, *after), label=label_of(text), text=text[:MAX_TEXT], kind=kind, tier=Tier.WORKING,
        source_agent=_named("by", by) if by else "", created_at=at, depends_on=(about,),
    )  # fmt: skip


def label_of(text: str) -> str:
    """The first words of a text on one line."""
    return clip(fold_lines(text), LABEL)


def share(name: str, value: object) -> float:
    """A number in [0, 1] as a person, a form or a program writes it, to `DIGITS` digits. Raises `UsageError` naming `name` and the value."""
    found: float | None = None
    if isinstance(value, int | float) and not isinstance(value, bool):
        found = float(value) if -1 <= value <= 1 else None  # a whole number may be too large for a float
    elif isinstance(value, str) and (match := _NUMBER.fullmatch(value.strip())):
        digits = match["digits"]
        # A percentage keeps the digits that were written: 90 % is 0.9, not 0.9000000000000001.
        found = float(f"{digits}e-2") if match["percent"] else float(digits)
    if found is None or not 0.0 <= found <= 1.0:
        raise UsageError(
            f"{name} cannot be {value!r}.", f"{name} is a number from 0 to 1, or a percentage such as 90%."
        )
    return round(found, DIGITS) + 0.0


def checked_soul_source(value: str) -> str:
    """`path#section`, as it is. Raises `UsageError` where it is neither that nor empty."""
    if not value:
        return ""
    path, sign, section = value.partition("#")
    parts = path.split("/")
    if (
        not sign or not path.strip() or not section.strip() or path.startswith("/") or ".." in parts or len(value) > 1000
        or any(ord(c) < 0x20 or ord(c) == 0x7F for c in value)
    ):  # fmt: skip
        raise UsageError(
            f"soul_source cannot be {value!r}.",
            "It is path#section: the document's path in its project and the section the line stood in, "
            "as in docs/PATHOS.md#State.",
        )
    return value


def read_evidence(text: str) -> Evidence:
    """`record:PATH[:LINE]`, `commit:SHA`, `file:PATH[:LINE]`; without a word in front, what it looks like.

    A path is never cut: the line is what follows the last colon, where that is a number. Raises `UsageError`.
    """
    kind, sign, rest = text.partition(":")
    if not sign or kind not in tuple(EvidenceKind):
        kind, rest = "", text
    if not rest.strip() or len(text) > 4000 or any(ord(c) < 0x20 or ord(c) == 0x7F for c in text):
        raise UsageError(f"evidence cannot be {text!r}.", "Write record:PATH:LINE, commit:SHA or file:PATH.")
    if kind == EvidenceKind.COMMIT or (not kind and _SHA.fullmatch(rest)):
        if not _SHA.fullmatch(rest):
            raise UsageError(f"evidence cannot be {text!r}.", "A commit is named by 7 to 64 hexadecimal digits.")
        return Evidence(EvidenceKind.COMMIT, rest)
    match = _LINED.fullmatch(rest)
    path, line = (match["path"], int(match["line"])) if match else (rest, None)
    if not kind:
        kind = EvidenceKind.RECORD if path.startswith("/") and line is not None else EvidenceKind.FILE
    return Evidence(EvidenceKind(kind), path, line)


def checked_ids(name: str, ids: Sequence[str]) -> tuple[str, ...]:
    """Ids, each once, in order. Raises `UsageError` naming one that is none."""
    for one in _few(name, ids):
        if not SHAPE.fullmatch(one):
            raise UsageError(
                f"{name} cannot be {one!r}.", "It is the whole id of a claim: recollect memory list shows them."
            )
    return tuple(dict.fromkeys(ids))


def is_slug(kind: str) -> bool:
    """True if a kind has the shape of one, known or not."""
    return bool(_SLUG.fullmatch(kind))


def _one_of(name: str, value: str, allowed: Sequence[str]) -> str:
    if value not in allowed:
        raise UsageError(f"{name} cannot be {value!r}.", f"It is one of {', '.join(allowed)}.")
    return value


def _named(name: str, value: str) -> str:
    if not _NAMED.fullmatch(value):
        raise UsageError(f"{name} cannot be {value!r}.", f"A {name} is a name on one line, up to 200 characters.")
    return value


def _few(name: str, values: Sequence[_T]) -> Sequence[_T]:
    if len(values) > MAX_ITEMS:
        raise UsageError(
            f"{name} has {len(values):,} entries; {MAX_ITEMS} can be kept with one claim.", "Split the claim."
        )
    return values
