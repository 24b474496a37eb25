"""The terms of delegation (design/delegation.md): an order, its packet with every part, and the answers that are no packet.

Paths are relative to the project's root, with `/`; bytes that are no UTF-8 are kept as lone surrogates. Times are seconds
since the epoch, UTC. `None` is unknown, never faked. Everything foreign is raw here and shown() where it leaves.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

SCHEMA = "recollect-delegation-packet-v1"
TOKENS = 2000
"""Tokens of a packet unless said otherwise."""
MOST_TOKENS = 8000
MAX_NODES = 40
"""Anchors, and dependents, of a packet unless said otherwise."""
MOST_NODES = 400
MOST_TASK = 1_000_000
"""Characters of a task."""
MOST_CLAIMS = 5
"""Claims of memory in one packet."""
STALE_DAYS = 30
"""A claim older than this is to be verified before it is used."""
LIFE = 4 * 3600.0
"""Seconds after which a delegation that nobody debriefed is expired."""


@dataclass(frozen=True, slots=True)
class Order:
    """What is asked for: a task, and the boundary a person draws."""

    agent: str
    """Who delegates."""
    task: str
    scope: tuple[str, ...] = ()
    """Where the worker may touch: files, folders (`dir/`) and globs, canonical."""
    seeds: tuple[str, ...] = ()
    """Files or symbols that the task is about, as given."""
    must_not_touch: tuple[str, ...] = ()
    """Where the worker must not: as `scope`."""
    tokens: int = TOKENS
    max_nodes: int = MAX_NODES
    hint: str = ""
    """One sentence for the worker."""


class Trust(StrEnum):
    """How far the project can be read."""

    FULL = "full"
    """A checkout whose files and whole history git reads."""
    PARTIAL = "partial"
    """A checkout of which something cannot be read: `Binding.limits` says what."""
    NONE = "none"
    """No checkout."""


@dataclass(frozen=True, slots=True)
class Binding:
    """The project a packet is bound to: what a worker verifies with `recollect where`, and never chooses."""

    root: str
    """The checkout's folder, absolute, links resolved; `""`: none."""
    trust: Trust
    head: str
    """The commit checked out; `""`: unborn, or unknown (`limits` says so)."""
    branch: str = ""
    limits: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Staleness:
    """How old what the packet rests on is."""

    changed_since_index: int | None
    """Files of the project that changed since the index of past sessions was written."""
    indexed_at: float | None
    head: str
    dirty: bool | None
    """True if files differ from the commit."""
    changed_anchors: tuple[str, ...] = ()
    """Those among the anchors that differ from the commit."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """A place to begin: a file, or a symbol in it."""

    path: str
    line: int | None
    label: str
    """The symbol's qualified name, or what kind of file it is."""
    why: tuple[str, ...]
    """Why it is here, in words."""


@dataclass(frozen=True, slots=True)
class PastSession:
    """A past conversation that bears on the task, by one sentence of it."""

    runtime: str
    session_id: str
    path: str
    """The record's file, absolute."""
    line: int
    """The physical line the sentence stands on, from 1."""
    at: float | None
    sentence: str
    """Told from that line: shown() already."""
    speaker: str = ""
    paths: tuple[str, ...] = ()
    """Files that it names near there, as written."""


@dataclass(frozen=True, slots=True)
class Recollection:
    """A claim of memory that bears on the task."""

    id: str
    text: str
    kind: str
    tier: str
    origin: str
    """The memory it was born in, `""`: unknown."""
    author: str
    """`""`: unknown."""
    age_days: int | None
    stale: bool
    """True past `STALE_DAYS`, and where the age is unknown: unknown is never fresh."""
    verify: str
    """How to see whether it still holds."""
    paths: tuple[str, ...] = ()
    """Files of the project that it rests on."""


@dataclass(frozen=True, slots=True)
class Dependent:
    """A file that imports, directly or through others, a file in focus."""

    path: str
    line: int | None
    """The line of the import."""
    hop: int
    source: str
    """The file it imports."""


@dataclass(frozen=True, slots=True)
class Together:
    """A file that changed together with the focus in history."""

    path: str
    source: str
    """The file in focus."""
    count: int
    """Commits that changed both."""
    of: int
    """Commits that changed the file in focus."""


@dataclass(frozen=True, slots=True)
class Proof:
    """A command of the project's own that proves work."""

    command: str
    folder: str
    """Where to run it: `""` is the root."""
    manifest: str
    """The file that names it."""


@dataclass(frozen=True, slots=True)
class SoulPart:
    """What the check of the handoff document says."""

    receipt: str
    """The receipt line; `""`: there is no handoff document, or it could not be checked."""
    stale: tuple[tuple[str, int], ...] = ()
    """Stale claims about the anchors, each with its line."""
    path: str = ""
    why_not: str = ""


@dataclass(frozen=True, slots=True)
class Fence:
    """Where the worker may touch, and must not."""

    may_touch: tuple[str, ...]
    derived: bool
    """True if nobody declared it: the anchors' files stand in."""
    must_not_touch: tuple[str, ...]

    @property
    def source(self) -> str:
        """Where the fence comes from: `declared`, or `none`."""
        return "declared" if self.must_not_touch else "none"


@dataclass(frozen=True, slots=True)
class Packet:
    """Everything a worker gets, and what the debrief compares with."""

    id: str
    created: float
    expires: float
    order: Order
    binding: Binding
    staleness: Staleness
    anchors: tuple[Anchor, ...]
    sessions: tuple[PastSession, ...]
    memory: tuple[Recollection, ...]
    fence: Fence
    expected_change: tuple[str, ...]
    dependents: tuple[Dependent, ...]
    dependents_truncated: bool
    together: tuple[Together, ...]
    proof: tuple[Proof, ...]
    soul: SoulPart
    seeds_unresolved: tuple[str, ...]
    gaps: tuple[str, ...]
    """What could not be determined: never empty."""
    non_claims: tuple[str, ...]
    """What the packet does not say: never empty."""
    baseline: tuple[tuple[str, str], ...] = ()
    """Files that differed from the commit already, each with a digest of its content: the worker did not touch them."""
    baseline_known: bool = True


class Refusal(StrEnum):
    """Why there is no packet."""

    NO_REPOSITORY = "no_repository"
    NOTHING_INDEXED = "nothing_indexed"
    SEEDS_UNRESOLVABLE = "seeds_unresolvable"
    UNSCOPABLE = "unscopable"


@dataclass(frozen=True, slots=True)
class NoPacket:
    """The answer where a packet would be made up: why, what was seen, and what to do next. Nothing is recorded."""

    refusal: Refusal
    binding: Binding
    reason: str
    next_move: str
    evidence: tuple[tuple[str, object], ...] = ()
    gaps: tuple[str, ...] = ()
    non_claims: tuple[str, ...] = field(default=())

    @property
    def verdict(self) -> str:
        """`needs_ingest` where something must be read first, else `abstain`."""
        ingest = (Refusal.NO_REPOSITORY, Refusal.NOTHING_INDEXED)
        return "needs_ingest" if self.refusal in ingest else "abstain"


class Status(StrEnum):
    """How a delegation stands."""

    LIVE = "live"
    DEBRIEFED = "debriefed"
    EXPIRED = "expired"
