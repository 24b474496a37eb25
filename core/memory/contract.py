"""The contract of an owner, checked on a running one: routes, immutability, reads that change nothing, honest lengths.

It writes a few probes. They are of a transient kind: no list, search or copy ever holds them, and the newest ten stay.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from core.frozen import dataclass
from core.memory.carrying import Carrier
from core.memory.claim import Claim
from core.memory.ids import new_id
from core.memory.routes import EDGES, HEALTH, MERGE, NODES, SYNC, Answer
from core.memory.trouble import OwnerTrouble
from core.memory.wire import DEPENDS, FORGETS, SUPERSEDES, Document, Edge, canonical, document_of

PROBE = "probe"


@dataclass(frozen=True, slots=True)
class Leg:
    """One thing that was checked."""

    name: str
    passed: bool
    detail: str = ""
    """What was found instead, where it failed."""


def check_contract(carrier: Carrier) -> tuple[Leg, ...]:
    """Check every leg; one that fails does not keep the others from being checked."""
    check = _Check(carrier)
    legs: tuple[tuple[str, Callable[[], str]], ...] = (
        ("every route is there", check.routes),
        ("a merge is held as it was sent", check.held),
        ("a retried merge changes nothing", check.retried),
        ("an update keeps the original", check.updated),
        ("a supersede keeps the original", check.superseded),
        ("a forget keeps the original", check.forgotten),
        ("what is malformed is refused whole", check.malformed),
        ("reads change nothing", check.reads),
        ("a cursor passes over nothing", check.cursors),
        ("every length is that of its body", check.lengths),
    )
    found = []
    for name, leg in legs:
        try:
            detail = leg()
        except OwnerTrouble as trouble:
            detail = trouble.what
        except (ValueError, KeyError, TypeError, AttributeError) as problem:
            detail = f"the answer is not of the form it must have ({type(problem).__name__}: {problem})"
        found.append(Leg(name, not detail, detail))
    return tuple(found)


class _Check:
    """The legs. Each returns `""`, or what is wrong."""

    def __init__(self, carrier: Carrier) -> None:
        self._carrier = carrier
        self._answers: list[tuple[str, Answer]] = []
        self._probe = _probe("a probe of the contract")

    def _ask(self, method: str, path: str, query: dict[str, str] | None = None, body: bytes = b"") -> Answer:
        got = self._carrier.ask(method, path, query, body)
        self._answers.append((f"{method} {path}", got))
        return got

    def _get(self, path: str, **query: str) -> Document:
        got = self._ask("GET", path, query)
        if got.status != 200:
            raise OwnerTrouble(f"GET {path} answered {got.status}")
        found: Document = got.document()
        return found

    def _merge(self, *claims: Claim, edges: tuple[Edge, ...] = ()) -> Answer:
        document: dict[str, Any] = {"nodes": [document_of(c) for c in claims], "edges": [e.document() for e in edges]}
        return self._ask("POST", MERGE, None, canonical(document).encode())

    def _node(self, claim: Claim) -> Document:
        found: Document = self._get(f"{NODES}/{claim.id}")["node"]
        return found

    def _stands(self, claim: Claim, what: str) -> str:
        return (
            "" if canonical(self._node(claim)) == canonical(document_of(claim)) else f"{what}, and the original changed"
        )

    def routes(self) -> str:
        """Every route answers, and what is none is said to be none."""
        self._merge(self._probe)
        for path in (HEALTH, NODES, f"{NODES}/{self._probe.id}", EDGES, SYNC):
            if (got := self._ask("GET", path)).status != 200:
                return f"GET {path} answered {got.status}"
        if (got := self._ask("GET", "/api/no-such-route")).status != 404:
            return f"a route that is none answered {got.status}, not 404"
        if (got := self._ask("GET", f"{NODES}/{new_id()}")).status != 404:
            return f"a claim that is none answered {got.status}, not 404"
        return "" if (got := self._ask("GET", MERGE)).status == 405 else f"GET {MERGE} answered {got.status}, not 405"

    def held(self) -> str:
        """What is read back is what was sent."""
        other = _probe("another probe")
        got = self._merge(other, edges=(Edge(other.id, self._probe.id, DEPENDS),))
        if got.status != 200:
            return f"POST {MERGE} answered {got.status}"
        ties = self._get(EDGES, **{"from": other.id})["edges"]
        if ties != [Edge(other.id, self._probe.id, DEPENDS).document()]:
            return f"its edge came back as {json.dumps(ties)}"
        return self._stands(other, "it came back otherwise")

    def retried(self) -> str:
        """Sending the same again adds nothing."""
        edge = Edge(self._probe.id, self._probe.id, DEPENDS)
        self._merge(self._probe, edges=(edge,))
        before = self._get(HEALTH), self._get(SYNC, since="0")
        for _ in range(3):
            if (got := self._merge(self._probe, edges=(edge, edge))).status != 200:
                return f"the retry answered {got.status}"
        if (self._get(HEALTH), self._get(SYNC, since="0")) != before:
            return "a retry added something"
        twice = [n for n in self._get(NODES, ids=self._probe.id)["nodes"] if n["id"] == self._probe.id]
        return "" if len(twice) == 1 else f"the claim is held {len(twice)} times"

    def updated(self) -> str:
        """The same id with other words is refused, and whatever came with it."""
        rider = _probe("comes with a refused update")
        got = self._merge(rider, replace(self._probe, text="changed"))
        if got.status != 409:
            return f"the update answered {got.status}, not 409"
        if self._ask("GET", f"{NODES}/{rider.id}").status != 404:
            return "a part of a refused merge was taken"
        return self._stands(self._probe, "the update was refused")

    def superseded(self) -> str:
        """A claim that supersedes another leaves it there."""
        return self._marked(SUPERSEDES)

    def forgotten(self) -> str:
        """A tombstone leaves the claim and its edges there."""
        return self._marked(FORGETS)

    def _marked(self, relation: str) -> str:
        mark = _probe(f"a probe that {relation} the first")
        edge = Edge(mark.id, self._probe.id, relation)
        if (got := self._merge(mark, edges=(edge,))).status != 200:
            return f"it answered {got.status}"
        if edge.document() not in self._get(f"{NODES}/{self._probe.id}")["edges"]:
            return "the claim's edges do not tell of it"
        return self._stands(self._probe, "it was taken")

    def malformed(self) -> str:
        """No JSON, no list, a node without an id, an edge from nowhere: refused, and nothing of it is kept."""
        before = self._get(HEALTH)
        stray = canonical({"nodes": [], "edges": [Edge(new_id(), self._probe.id, DEPENDS).document()]}).encode()
        half = canonical({"nodes": [document_of(_probe("half")), {"text": "no id"}], "edges": []}).encode()
        for body, what in (
            (b"{", "no JSON"),
            (b"[]", "a list"),
            (half, "a node without an id"),
            (stray, "a stray edge"),
        ):
            if not 400 <= (got := self._ask("POST", MERGE, None, body)).status < 500:
                return f"{what} answered {got.status}"
        return "" if self._get(HEALTH) == before else "something of it was kept"

    def reads(self) -> str:
        """Every reading route, twice: the same bytes, and nothing arrived."""
        paths = (HEALTH, NODES, f"{NODES}/{self._probe.id}", EDGES, SYNC, HEALTH)
        first = [self._ask("GET", path).body for path in paths]
        second = [self._ask("GET", path).body for path in paths]
        return "" if first == second and first[0] == first[-1] else "a read answered otherwise than the one before"

    def cursors(self) -> str:
        """Page by page gives what one page gives; nothing comes twice."""
        whole, parts = self._paged("500"), self._paged("2")
        if whole != parts:
            return f"{len(whole)} nodes in long pages, {len(parts)} in short ones"
        return "" if len(set(whole)) == len(whole) else "a node came twice"

    def _paged(self, limit: str) -> list[str]:
        found: list[str] = []
        after: str | None = "0"
        while after is not None:
            page = self._get(NODES, after=after, limit=limit)
            found += [node["id"] for node in page["nodes"]]
            if page["next"] == after:
                raise OwnerTrouble("a page leads to itself")
            after = page["next"]
        return found

    def lengths(self) -> str:
        """Of every answer so far, the length it announced and the length it had."""
        for what, got in self._answers:
            if got.length != len(got.body):
                return f"{what} announced {got.length} bytes and had {len(got.body)}"
        return ""


def _probe(text: str) -> Claim:
    return Claim(new_id(), text, text, PROBE, namespace="contract")
