"""The store of a memory in SQL: what may be asked of it, and the statements behind it, one set per database.

Nothing is updated; nothing is deleted but transient kinds beyond the newest `TRANSIENT_KEPT`. Triggers in the database
refuse anything else, whoever asks. Every value is a parameter; no statement is put together from parts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from core.frozen import dataclass
from core.memory.claim import TRANSIENT, TRANSIENT_KEPT
from core.memory.trouble import OwnerTrouble
from core.memory.wire import Edge

PAGE_BYTES = 8 << 20
"""Bytes of nodes after which a page ends: whoever reads it holds all of it."""


class Connection(Protocol):
    """What both databases take."""

    def execute(self, sql: Any, parameters: Any = ..., /) -> Any:
        """Run one statement."""
        ...


@dataclass(frozen=True, slots=True)
class Node:
    """One node as a store holds it."""

    id: str
    kind: str
    body: str
    """The canonical document."""


@dataclass(frozen=True, slots=True)
class Page:
    """A part of what a store holds, in the order of arrival."""

    nodes: tuple[str, ...]
    edges: tuple[Edge, ...]
    cursor: str
    """From where the next page goes on."""
    more_nodes: bool
    more_edges: bool

    @property
    def more(self) -> bool:
        """True if something may follow."""
        return self.more_nodes or self.more_edges


@dataclass(frozen=True, slots=True)
class Statements:
    """The statements of one database."""

    insert_node: str
    insert_edge: str
    bodies: str
    sources: str
    node_page: str
    edge_page: str
    edges_from: str
    edges_touching: str
    prune_nodes: str
    prune_edges: str
    counts: str
    identity: str


@dataclass(frozen=True, slots=True)
class SqlStore:
    """A store behind a way to connect. Holds no connection: each call opens one, for as long as it takes."""

    kind: str
    """`sqlite` or `postgresql`."""
    statements: Statements
    reading: Callable[[], AbstractContextManager[Connection]]
    """Opens a connection that cannot write; one consistent view for as long as it is open."""
    writing: Callable[[], AbstractContextManager[Connection]]
    """Opens a transaction that no other writer shares; commits at its end, or takes all of it back."""
    listed: Callable[[Sequence[str]], Any]
    """A list of ids as a parameter."""

    def merge(self, nodes: Sequence[Node], edges: Sequence[Edge]) -> tuple[int, int]:
        """Take nodes and edges in, all or none; what is held already stays as it is. Returns how many were new.

        Raises `OwnerTrouble` (refused) where an id is held with another body, or an edge starts at no node.
        """
        say = self.statements
        with self.writing() as db:
            new = [0, 0]
            for node in nodes:
                new[0] += max(0, db.execute(say.insert_node, (node.id, node.kind, node.body)).rowcount)
            held = dict(db.execute(say.bodies, (self.listed([n.id for n in nodes]),)).fetchall())
            other = tuple(sorted({n.id for n in nodes if held.get(n.id) != n.body}))
            if other:
                raise OwnerTrouble("The memory holds another claim under this id.", refused=True, ids=other)
            starts = sorted({e.source for e in edges})
            known = {row[0] for row in db.execute(say.sources, (self.listed(starts),)).fetchall()}
            if lost := tuple(s for s in starts if s not in known):
                raise OwnerTrouble("An edge starts at a claim that the memory does not hold.", refused=True, ids=lost)
            for edge in edges:
                row = (edge.source, edge.target, edge.relation)
                new[1] += max(0, db.execute(say.insert_edge, row).rowcount)
            for kind in sorted({n.kind for n in nodes if n.kind in TRANSIENT}):
                db.execute(say.prune_nodes, (kind, kind, TRANSIENT_KEPT))
                db.execute(say.prune_edges)
            return new[0], new[1]

    def bodies(self, ids: Sequence[str]) -> list[str]:
        """The documents of these nodes, in the order of arrival."""
        with self.reading() as db:
            return [body for _, body in db.execute(self.statements.bodies, (self.listed(ids),)).fetchall()]

    def edges_from(self, ids: Sequence[str]) -> list[Edge]:
        """The edges that start at these nodes."""
        with self.reading() as db:
            return [Edge(*row) for row in db.execute(self.statements.edges_from, (self.listed(ids),)).fetchall()]

    def edges_touching(self, identity: str) -> list[Edge]:
        """The edges that start or end at a node."""
        with self.reading() as db:
            return [Edge(*row) for row in db.execute(self.statements.edges_touching, (identity, identity)).fetchall()]

    def page(self, since: tuple[int, int], limit: int) -> Page:
        """What arrived after a cursor, `limit` nodes and edges and about `PAGE_BYTES` at most, from one consistent view."""
        nodes: list[tuple[int, str]] = []
        size = 0
        with self.reading() as db:
            rows = db.execute(self.statements.node_page, (since[0], limit))
            while size < PAGE_BYTES and (row := rows.fetchone()):
                nodes.append((row[0], row[1]))
                size += len(row[1])
            edges = db.execute(self.statements.edge_page, (since[1], limit)).fetchall()
        last = (nodes[-1][0] if nodes else since[0], edges[-1][0] if edges else since[1])
        found = tuple(Edge(*row[1:]) for row in edges)
        return Page(
            tuple(row[1] for row in nodes),
            found,
            f"{last[0]}.{last[1]}",
            size >= PAGE_BYTES or len(nodes) == limit,
            len(edges) == limit,
        )

    def counts(self) -> tuple[int, int]:
        """How many nodes and edges there are."""
        with self.reading() as db:
            row = db.execute(self.statements.counts).fetchone()
            return (int(row[0]), int(row[1])) if row else (0, 0)

    def identity(self) -> str:
        """The name that the store gave itself when it was made; `""` before anything was written."""
        with self.reading() as db:
            row = db.execute(self.statements.identity).fetchone()
            return str(row[0]) if row else ""


def cursor_of(text: str) -> tuple[int, int] | None:
    """A cursor that a page gave; `""` and `0` are the beginning; `None` where it is none."""
    parts = (text or "0").split(".")
    if len(parts) > 2 or not all(p.isascii() and p.isdigit() and len(p) < 19 for p in parts):
        return None
    return int(parts[0]), int(parts[1]) if len(parts) == 2 else 0
