"""What a memory holds, seen whole: which claims stand, which are superseded or forgotten, forks, and each claim's history.

Nodes and edges are only ever added, so the same ones give the same view in whatever order they came. Of the marks on a
claim the latest by id decides: an id is made later than those it answers (`core.memory.ids`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import field
from enum import StrEnum

from core.frozen import dataclass
from core.memory.claim import MARKERS, TRANSIENT, Claim
from core.memory.wire import FORGETS, RESTORES, SUPERSEDES, USES, Document, Edge, Malformed, claim_of


class Standing(StrEnum):
    """How a claim stands."""

    CURRENT = "current"
    SUPERSEDED = "superseded"
    FORGOTTEN = "forgotten"


@dataclass(frozen=True, slots=True)
class Held:
    """A claim as the memory holds it."""

    claim: Claim
    standing: Standing = Standing.CURRENT
    queued: bool = False
    """True while it waits in the spool."""
    uses: int = 0
    """How often it was identified."""
    superseded_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened to a claim."""

    what: str
    """`kept`, `superseded`, `forgotten`, `restored`, `identified`."""
    id: str
    """The claim or marker that says so."""
    about: str
    """The claim it happened to."""
    by: str
    """Who; `""`: unknown."""
    at: float | None
    """When, as its author says; `None`: unknown."""
    why: str


@dataclass(frozen=True, slots=True)
class Fork:
    """A claim that was superseded more than once, and the claims that stand after it: all kept, one to choose."""

    of: Claim
    heads: tuple[Claim, ...]


_WHAT = {FORGETS: "forgotten", RESTORES: "restored", USES: "identified", SUPERSEDES: "superseded"}


@dataclass(frozen=True, slots=True)
class View:
    """Everything a memory holds, by id, in the order of ids (the order in which it was made)."""

    held: Mapping[str, Held]
    nodes: Mapping[str, Claim] = field(default_factory=dict)
    """Claims and markers."""
    marks: Mapping[str, tuple[Edge, ...]] = field(default_factory=dict)
    """By claim: the edges that forget, restore, use or supersede it, by id."""
    unreadable: int = 0
    """Nodes that are no claim of a kind this version reads."""

    def find(self, written: str) -> tuple[Held, ...]:
        """The claims whose id is, begins with or ends with what was written (at least 4 characters)."""
        sought = written.strip().lower()
        if sought in self.held:
            return (self.held[sought],)
        if len(sought) < 4:
            return ()
        return tuple(h for i, h in self.held.items() if i.startswith(sought) or i.endswith(sought))

    def history(self, identity: str) -> tuple[Event, ...]:
        """What happened to a claim and to those it was made from or turned into, newest first."""
        line = self._line(identity)
        events = [_event("kept", self.held[one].claim, one) for one in line]
        for one in line:
            marks = self.marks.get(one, ())
            events += [_event(_WHAT[edge.relation], self.nodes[edge.source], one) for edge in marks]
        return tuple(sorted(events, key=lambda e: (e.id, e.what), reverse=True))

    def _line(self, identity: str) -> list[str]:
        found: dict[str, None] = {}
        waiting = [identity]
        while waiting:
            one = waiting.pop()
            if one in found or one not in self.held:
                continue
            found[one] = None
            waiting += [*self.held[one].claim.supersedes, *self.held[one].superseded_by]
        return sorted(found)

    def forks(self) -> tuple[Fork, ...]:
        """Claims after which more than one stands. A fork ends when one claim supersedes the others, or they are forgotten."""
        found = []
        for identity, held in self.held.items():
            if len(held.superseded_by) > 1:
                heads = sorted(self._heads(identity))
                if len(heads) > 1:
                    found.append(Fork(held.claim, tuple(self.held[one].claim for one in heads)))
        return tuple(found)

    def _heads(self, identity: str) -> set[str]:
        heads: set[str] = set()
        seen: set[str] = set()
        waiting = list(self.held[identity].superseded_by)
        while waiting:
            one = waiting.pop()
            if one in seen or one not in self.held:
                continue
            seen.add(one)
            if self.held[one].standing is Standing.CURRENT:
                heads.add(one)
            else:
                waiting += self.held[one].superseded_by
        return heads

    def latest_mark(self, identity: str) -> str:
        """The id of the latest mark on a claim, `""` if there is none: a mark that answers it is made after it."""
        return max((edge.source for edge in self.marks.get(identity, ())), default="")


def view_of(documents: Iterable[Document], edges: Iterable[Edge], queued: Collection[str] = ()) -> View:
    """The view of what an owner holds. `queued` are ids that wait in the spool. Equal ids count once."""
    nodes: dict[str, Claim] = {}
    unreadable = 0
    for document in documents:
        try:
            claim = claim_of(document)
        except Malformed:
            unreadable += 1
            continue
        if claim.kind not in TRANSIENT:
            nodes.setdefault(claim.id, claim)
    marks: dict[str, list[Edge]] = {}
    for edge in sorted(set(edges)):
        if edge.relation in _WHAT and edge.source in nodes and edge.source != edge.target:
            marks.setdefault(edge.target, []).append(edge)
    held = {
        identity: _held(nodes[identity], marks.get(identity, ()), identity in queued)
        for identity in sorted(nodes)
        if nodes[identity].kind not in MARKERS
    }
    return View(held, nodes, {k: tuple(v) for k, v in marks.items()}, unreadable)


def _held(claim: Claim, marks: Sequence[Edge], queued: bool) -> Held:
    deciding = [edge for edge in marks if edge.relation != USES]
    last = max(deciding, default=None, key=lambda e: (e.source, e.relation))
    standing = Standing.CURRENT
    if last is not None and last.relation == FORGETS:
        standing = Standing.FORGOTTEN
    elif last is not None and last.relation == SUPERSEDES:
        standing = Standing.SUPERSEDED
    uses = sum(edge.relation == USES for edge in marks)
    after = tuple(edge.source for edge in marks if edge.relation == SUPERSEDES)
    return Held(claim, standing, queued, uses, after)


def _event(what: str, said: Claim, about: str) -> Event:
    at = said.created_at if said.updated_at is None else said.updated_at
    return Event(
        what, said.id, about, said.source_agent, at, said.text if said.kind in MARKERS or what != "kept" else ""
    )


def made_at(claim: Claim) -> float | None:
    """The later of created and updated; `None` where neither is known."""
    known = [at for at in (claim.created_at, claim.updated_at) if at is not None]
    return max(known) if known else None
