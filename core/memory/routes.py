"""What an owner answers, route by route, whoever carries the question: a call in this process, or HTTP.

`POST /api/load-merge`, `GET /api/nodes`, `GET /api/nodes/{id}`, `GET /api/edges`, `GET /api/sync?since=`, `GET /health`.
Only the first writes.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from core.frozen import dataclass
from core.memory.claim import TRANSIENT
from core.memory.ids import SHAPE
from core.memory.store import Node, SqlStore, cursor_of
from core.memory.trouble import OwnerTrouble
from core.memory.wire import Edge, Malformed, canonical, claim_of, edge_of

MAX_BODY = 4 << 20
"""Bytes of a question's body that are taken."""
MAX_IDS = 200
"""Nodes that one question may name."""
PAGE = 500
"""Nodes and edges of one page, at most."""
SCHEMA = "recollect-memory-owner-v1"
MERGE = "/api/load-merge"
NODES = "/api/nodes"
EDGES = "/api/edges"
SYNC = "/api/sync"
HEALTH = "/health"


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back."""

    status: int
    body: bytes
    length: int | None = None
    """The length that was announced, `None` where none was."""

    def document(self) -> Any:
        """The body as JSON, and not as what Python takes for it (NaN, infinity). Raises `ValueError`."""
        return json.loads(self.body, parse_constant=_no_number, parse_float=_finite)


def _no_number(word: str) -> float:
    raise ValueError(f"{word} is no number")


def _finite(digits: str) -> float:
    found = float(digits)
    return found if math.isfinite(found) else _no_number(digits)


class _Bad(Exception):
    """A question that cannot be answered."""

    def __init__(self, status: int, error: str, what: str, ids: tuple[str, ...] = ()) -> None:
        super().__init__(what)
        self.status, self.error, self.what, self.ids = status, error, what, ids


def answer(store: SqlStore, method: str, path: str, query: Mapping[str, str], body: bytes = b"") -> Answer:
    """Answer one question. Raises nothing for what a caller sent or a database did: errors are answers."""
    try:
        status, document = 200, _route(store, method, path, query, body)
    except _Bad as problem:
        status, document = problem.status, {"error": problem.error, "what": problem.what, "ids": list(problem.ids)}
    except OwnerTrouble as trouble:
        status, error = (409, "conflict") if trouble.refused else (503, "unavailable")
        document = {"error": error, "what": trouble.what, "hint": trouble.hint, "ids": list(trouble.ids)}
    raw = json.dumps(document, ensure_ascii=True, separators=(",", ":")).encode()
    return Answer(status, raw, len(raw))


def _route(store: SqlStore, method: str, path: str, query: Mapping[str, str], body: bytes) -> dict[str, Any]:
    if path == MERGE:
        _only(method, "POST")
        return _merge(store, body)
    if path not in (NODES, EDGES, SYNC, HEALTH) and not path.startswith(NODES + "/"):
        raise _Bad(404, "not_found", "There is no such route.")
    _only(method, "GET")
    if path == NODES:
        return _nodes(store, query)
    if path == EDGES:
        return _edges(store, query)
    if path == SYNC:
        return _sync(store, query)
    if path == HEALTH:
        nodes, edges = store.counts()
        return {
            "status": "ok",
            "schema": SCHEMA,
            "store": store.identity(),
            "kind": store.kind,
            "nodes": nodes,
            "edges": edges,
        }
    return _node(store, path.removeprefix(NODES + "/"))


def _only(method: str, allowed: str) -> None:
    if method != allowed:
        raise _Bad(405, "method_not_allowed", f"This route takes {allowed} only.")


def _merge(store: SqlStore, body: bytes) -> dict[str, Any]:
    if len(body) > MAX_BODY:
        raise _Bad(413, "too_large", f"A body may have {MAX_BODY} bytes at most.")
    try:
        document = json.loads(body)
        nodes, edges = merged_parts(document)
    except (ValueError, RecursionError) as problem:
        raise _Bad(
            400, "malformed", str(problem)[:300] if isinstance(problem, Malformed) else "The body is no JSON."
        ) from problem
    new = store.merge(nodes, edges)
    return {"merged": {"nodes": new[0], "edges": new[1]}, "ids": [node.id for node in nodes]}


def merged_parts(document: object) -> tuple[list[Node], list[Edge]]:
    """The nodes and edges of a merge. Raises `Malformed`."""
    if not isinstance(document, dict):
        raise Malformed("the body must be an object")
    raw_nodes, raw_edges = document.get("nodes", []), document.get("edges", [])
    if not isinstance(raw_nodes, list) or not isinstance(raw_edges, list):
        raise Malformed("nodes and edges must be lists")
    nodes = [Node(claim.id, claim.kind, canonical(raw)) for raw in raw_nodes for claim in (claim_of(raw),)]
    return nodes, [edge_of(raw) for raw in raw_edges]


def _ids(query: Mapping[str, str], name: str) -> list[str]:
    ids = [one for one in query[name].split(",") if one]
    if len(ids) > MAX_IDS or not all(SHAPE.fullmatch(one) for one in ids):
        raise _Bad(400, "malformed", f"{name} must be at most {MAX_IDS} ids, with commas between them.")
    return ids


def _page(query: Mapping[str, str], name: str) -> tuple[tuple[int, int], int]:
    cursor = cursor_of(query.get(name, ""))
    limit = query.get("limit", str(PAGE))
    if cursor is None or not (limit.isascii() and limit.isdigit() and len(limit) < 7 and int(limit) > 0):
        raise _Bad(400, "malformed", f"{name} must be a cursor that a page gave, and limit a number from 1.")
    return cursor, min(int(limit), PAGE)


def _nodes(store: SqlStore, query: Mapping[str, str]) -> dict[str, Any]:
    if "ids" in query:
        return {"nodes": [json.loads(body) for body in store.bodies(_ids(query, "ids"))], "next": None}
    cursor, limit = _page(query, "after")
    page = store.page((cursor[0], 0), limit)
    after = page.cursor.split(".")[0] if page.more_nodes else None
    return {"nodes": [json.loads(body) for body in page.nodes], "next": after}


def _edges(store: SqlStore, query: Mapping[str, str]) -> dict[str, Any]:
    if "from" in query:
        return {"edges": [edge.document() for edge in store.edges_from(_ids(query, "from"))], "next": None}
    cursor, limit = _page(query, "after")
    page = store.page((0, cursor[0]), limit)
    after = page.cursor.split(".")[1] if page.more_edges else None
    return {"edges": [edge.document() for edge in page.edges], "next": after}


def _node(store: SqlStore, identity: str) -> dict[str, Any]:
    bodies = store.bodies([identity]) if SHAPE.fullmatch(identity) else []
    if not bodies:
        raise _Bad(404, "not_found", "The memory holds no claim with this id.")
    return {"node": json.loads(bodies[0]), "edges": [edge.document() for edge in store.edges_touching(identity)]}


def _sync(store: SqlStore, query: Mapping[str, str]) -> dict[str, Any]:
    """What arrived since a cursor. Plumbing is left out: it is never a memory."""
    cursor, limit = _page(query, "since")
    page = store.page(cursor, limit)
    nodes = [json.loads(body) for body in page.nodes]
    return {
        "nodes": [node for node in nodes if node["kind"] not in TRANSIENT],
        "edges": [edge.document() for edge in page.edges],
        "cursor": page.cursor,
        "more": page.more,
        "store": store.identity(),
    }
