"""The owner as a caller sees it: merge, read back, read on. Trusts no answer that does not hold what it must."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from core.frozen import dataclass
from core.memory.carrying import Carrier
from core.memory.claim import TRANSIENT
from core.memory.routes import EDGES, HEALTH, MAX_IDS, MERGE, NODES, SCHEMA, SYNC
from core.memory.trouble import OwnerTrouble
from core.memory.wire import Document, Edge, Malformed, canonical, edge_of

_REFUSALS = (400, 409, 413, 422)
"""What was sent will never be taken."""
READ_BACK = 4 << 20
"""Bytes of nodes that one question reads back."""
IDLE_PAGES = 50
"""Pages one after another that bring nothing new, after which an owner is not asked for the next one."""


@dataclass(frozen=True, slots=True)
class Health:
    """What an owner says of itself."""

    store: str
    """The name its store gave itself; `""` before the first claim."""
    kind: str
    nodes: int
    edges: int


@dataclass(frozen=True, slots=True)
class News:
    """What arrived at an owner since a cursor."""

    nodes: tuple[Document, ...]
    edges: tuple[Edge, ...]
    cursor: str
    store: str


@dataclass(frozen=True, slots=True)
class Owner:
    """Questions to one owner, each checked."""

    carrier: Carrier

    def health(self) -> Health:
        """Whether it is there. Raises `OwnerTrouble`."""
        found = self._get(HEALTH)
        if found.get("schema") != SCHEMA:
            raise OwnerTrouble(
                f"What answers at {self.carrier.place} is no memory of recollect.", "Correct the address."
            )
        return Health(
            str(found.get("store", "")), str(found.get("kind", "")), _count(found, "nodes"), _count(found, "edges")
        )

    def merge(self, nodes: Sequence[Document], edges: Sequence[Edge]) -> None:
        """Hand nodes and edges over. Raises `OwnerTrouble`; its `refused` says whether asking again is in vain."""
        body = canonical({"nodes": list(nodes), "edges": [edge.document() for edge in edges]}).encode()
        self._asked("POST", MERGE, None, body)

    def missing(self, nodes: Sequence[Document], edges: Sequence[Edge]) -> tuple[str, ...]:
        """Read nodes and their edges back: the ids of those that the owner does not hold exactly once and exactly so."""
        wanted = {node["id"]: canonical(node) for node in nodes if node["kind"] not in TRANSIENT}
        lost: set[str] = set()
        for part in _parts(wanted):
            found = _list(self._get(NODES, {"ids": ",".join(part)}), "nodes")
            held = Counter(canonical(node) for node in found if isinstance(node, dict))
            lost.update(one for one in part if held[wanted[one]] != 1)
            lost.update(
                str(node.get("id"))
                for node in found
                if isinstance(node, dict) and canonical(node) not in wanted.values()
            )
        starts = [one for one in dict.fromkeys(edge.source for edge in edges) if one in wanted]
        for at in range(0, len(starts), MAX_IDS):
            part = starts[at : at + MAX_IDS]
            ties = Counter(self._edges(_list(self._get(EDGES, {"from": ",".join(part)}), "edges")))
            lost.update(edge.source for edge in edges if edge.source in part and ties[edge] != 1)
        return tuple(sorted(lost))

    def news(self, since: str = "") -> Iterator[News]:
        """Everything that arrived after a cursor, in pages, in the order of arrival. Raises `OwnerTrouble`."""
        cursor, more = since, True
        known: set[object] = set()
        idle = 0
        while more:
            found = self._get(SYNC, {"since": cursor or "0"})
            nodes = [n for n in _list(found, "nodes") if isinstance(n, dict) and isinstance(n.get("id"), str)]
            edges = self._edges(_list(found, "edges"))
            count = len(known)
            known.update(node["id"] for node in nodes)
            known.update(edges)
            idle = 0 if len(known) > count else idle + 1
            before, cursor, more = cursor, str(found.get("cursor", "")), found.get("more") is True
            if more and (cursor == before or idle > IDLE_PAGES):
                raise OwnerTrouble(f"The memory at {self.carrier.place} gives the same page again and again.")
            yield News(tuple(nodes), edges, cursor, str(found.get("store", "")))

    def _edges(self, rows: Sequence[Any]) -> tuple[Edge, ...]:
        try:
            return tuple(edge_of(row) for row in rows)
        except Malformed as problem:
            raise OwnerTrouble(
                f"The memory at {self.carrier.place} answered with what is no edge: {problem}."
            ) from problem

    def _get(self, path: str, query: Mapping[str, str] | None = None) -> Document:
        return self._asked("GET", path, query, b"")

    def _asked(self, method: str, path: str, query: Mapping[str, str] | None, body: bytes) -> Document:
        got = self.carrier.ask(method, path, query, body)
        try:
            found = got.document()
            if self.carrier.kind != "embedded":
                canonical(found)  # nested as deeply as can be read, it might still be too deep to be written down
        except (ValueError, RecursionError) as problem:
            raise OwnerTrouble(
                f"The memory at {self.carrier.place} answered {got.status} with what is no JSON.",
                "Correct the address.",
            ) from problem
        if not isinstance(found, dict):
            raise OwnerTrouble(f"The memory at {self.carrier.place} answered {got.status} with what is no object.")
        if got.status == 200:
            return found
        what = str(found.get("what") or f"It answered {got.status}.")
        hint = str(found.get("hint") or "")
        if got.status in (401, 403):
            hint = "Set memory.token_file in the settings, or RECOLLECT_MEMORY_TOKEN."
        ids = found.get("ids")
        named = tuple(one for one in ids if isinstance(one, str)) if isinstance(ids, list) else ()
        # An owner of another program may answer 400 without knowing our routes: only our own words refuse for good.
        refused = got.status in _REFUSALS and found.get("error") in ("conflict", "malformed", "too_large")
        raise OwnerTrouble(what, hint, refused=refused, ids=named)


def _parts(wanted: Mapping[str, str]) -> Iterator[list[str]]:
    """Ids that one question may name and one answer can hold; `wanted`: the body of each."""
    part: list[str] = []
    size = 0
    for one, body in wanted.items():
        if part and (len(part) == MAX_IDS or size + len(body) > READ_BACK):
            yield part
            part, size = [], 0
        part.append(one)
        size += len(body)
    if part:
        yield part


def _list(found: Document, key: str) -> list[Any]:
    rows = found.get(key)
    if not isinstance(rows, list):
        raise OwnerTrouble(f"The memory answered without its list of {key}.")
    return rows


def _count(found: Document, key: str) -> int:
    value = found.get(key)
    return value if isinstance(value, int) else 0
