"""The terms of a soul: claims, anchors, states, and what a check says of each (design/soul.md 1 to 4).

Field names, state names and reason strings are the interface: other tools read them. Lines are physical lines of the
document from 1, both ends included. Everything is a frozen value.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum

from core.frozen import dataclass


class Tissue(StrEnum):
    """What a section is made of."""

    DECLARED = "declared"
    """Said by a person to be so: never verified by a machine, never pruned by one."""
    VERIFIABLE = "verifiable"


class State(StrEnum):
    """What a check says of a claim. Computed per call, never stored in the document."""

    STALE = "evidence-stale"
    SUPERSEDED = "superseded"
    UNPROVABLE = "unprovable-now"
    RECEIPT_REQUIRED = "receipt-required"
    FRESH = "verified-fresh"
    DECLARED = "declared"

    @property
    def rank(self) -> int:
        """5 is worst; the worst anchor of a claim wins."""
        return _RANKS[self]

    @property
    def key(self) -> str:
        """The name in `by_state`."""
        return self.value.replace("-", "_")


_RANKS = {
    State.STALE: 5,
    State.SUPERSEDED: 4,
    State.UNPROVABLE: 3,
    State.RECEIPT_REQUIRED: 2,
    State.FRESH: 1,
    State.DECLARED: 0,
}


class AnchorClass(StrEnum):
    """How an anchor grips the world; in the order in which a token is tried."""

    LINE_HINT = "LineHint"
    PATH = "Path"
    SYMBOL = "Symbol"
    GIT = "Git"
    RECEIPT = "Receipt"
    RUNTIME = "Runtime"
    NEUTRAL = "neutral"


class Reason(StrEnum):
    """Why a claim or an anchor is not fresh, or what a finding is about."""

    FILE_MISSING = "evidence_file_missing"
    CHANGED = "evidence_changed"
    LINE_DRIFT = "line_drift"
    UNANCHORED_REF = "unanchored_ref"
    UNANCHORED = "unanchored"
    AMBIGUOUS = "ambiguous"
    CONTRADICTED = "contradicted"
    SUPERSEDED = "superseded_by_later_claim"
    RESTATED = "restated"
    STALE_GENERATED = "stale_generated"
    UNMAPPED_SECTION = "unmapped_section"
    TISSUE_FLIP = "tissue_flip"
    UNCLOSED_REGION = "unclosed_auto_region"
    TOO_DEEP = "nested_too_deep"
    TOO_MARKED = "too_many_marks"
    BAD_BYTES = "bad_bytes"
    AGED_OUT = "aged_out"
    EXPIRED = "expired"


class Block(StrEnum):
    """The Markdown block a claim was written as."""

    BULLET = "bullet"
    NUMBERED = "numbered"
    ROW = "table row"
    PARAGRAPH = "paragraph"
    QUOTE = "quote"


@dataclass(frozen=True, slots=True)
class Anchor:
    """One thing a claim cites."""

    raw: str
    """As the document writes it."""
    kind: AnchorClass
    line: int
    target: str = ""
    """What is looked for: the path without its line suffix, the symbol, tag, commit, command, address."""
    spans: tuple[tuple[int, int], ...] = ()
    """The cited lines of a LineHint, each first and last."""
    numbers: tuple[int, ...] = ()
    """Pull-request or issue numbers of a Git reference, or the numbers of a result phrase."""
    form: str = ""
    """The form inside the class: `file`, `folder`, `glob`; `tag`, `commit`, `number`; `command`, `result`; `port`,
    `address`, `count`; for neutral anchors what it is (`url`, `mime`, `branch` …)."""
    quoted: bool = False
    """True for a span in backticks or a link's target; bare words are gripped with more caution."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One list item, paragraph, table row or quoted paragraph that says something of the project."""

    section: tuple[str, ...]
    """The headings above it, H2 first; `()` before the first."""
    text: str
    """Its words, white space folded."""
    lines: tuple[int, int]
    own_lines: tuple[tuple[int, int], ...]
    """The stretches of lines that are its own: nested items lie outside."""
    block: Block
    tissue: Tissue
    anchors: tuple[Anchor, ...] = ()
    struck: bool = False
    """True if all of it is crossed out."""
    struck_text: str = ""
    """What is crossed out in it."""


@dataclass(frozen=True, slots=True)
class Section:
    """An H2 section (or what stands before the first)."""

    title: str
    tissue: Tissue
    lines: tuple[int, int]
    mapped: bool = True
    """False if no table names its heading: it is verifiable, and that is said."""
    history: bool = False
    """True for prior eras: skipped."""


@dataclass(frozen=True, slots=True)
class AutoRegion:
    """A stretch that a tool writes between `BEGIN:auto-NAME` and `END:auto-NAME`."""

    name: str
    lines: tuple[int, int]
    """The marker lines included."""
    text: str
    closed: bool = True


@dataclass(frozen=True, slots=True)
class FenceCommand:
    """A command line in a code fence: it may be the receipt of a claim in its section."""

    section: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Finding:
    """Something about the document that is not a claim's state."""

    reason: str
    line: int
    detail: str


@dataclass(frozen=True, slots=True)
class Document:
    """A parsed handoff document."""

    headline: str
    """The first H1, else `""`."""
    claims: tuple[Claim, ...]
    sections: tuple[Section, ...]
    regions: tuple[AutoRegion, ...] = ()
    commands: tuple[FenceCommand, ...] = ()
    findings: tuple[Finding, ...] = ()
    nested: Mapping[tuple[int, int], tuple[int, ...]] = field(default_factory=dict)
    """The lines of a list item to the first lines of the claims inside it."""
    narration: int = 0
    """Prose paragraphs of verifiable sections that cite nothing."""
    line_count: int = 0


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a check found of one anchor."""

    anchor: Anchor
    state: State
    reason: str = ""
    """A `Reason`, or `renamed_to X`, `deleted_in SHA`, `never_landed`, or `""` where it is fresh."""
    detail: str = ""
    """In words: what was found instead."""
    found: str = ""
    """Where it stands now: `path` or `path:line`, `""` if nowhere."""


@dataclass(frozen=True, slots=True)
class Item:
    """A claim with its verdicts, failing ones first."""

    claim: Claim
    state: State
    reason: str
    verdicts: tuple[Verdict, ...] = field(default=())
    later: int = -1
    """For a superseded claim: the first line of the claim that replaced it."""
