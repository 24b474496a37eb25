"""Claims as documents: what lies in the spool, goes to the owner and comes back. One claim, one canonical line of JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from core.errors import UsageError
from core.memory.claim import (
    MAX_TEXT,
    RESTORE,
    TOMBSTONE,
    USED,
    Claim,
    Tier,
    checked_ids,
    checked_soul_source,
    is_slug,
    read_evidence,
    share,
)
from core.memory.ids import SHAPE

Document = dict[str, Any]

SUPERSEDES = "supersedes"
DEPENDS = "depends_on"
FORGETS = "forgets"
RESTORES = "restores"
USES = "uses"
_ABOUT = {TOMBSTONE: FORGETS, RESTORE: RESTORES, USED: USES}
_TEXTS = ("label", "text", "kind", "tier", "namespace", "source_agent", "soul_source", "origin")
_LISTS = ("tags", "evidence", "depends_on", "supersedes")
_TIMES = ("created_at", "updated_at")
_FIRST, _LAST = (datetime(year, 1, 1, tzinfo=UTC).timestamp() for year in (1, 9999))


class Malformed(ValueError):
    """A document that is no claim, edge or delta; its text says why."""


@dataclass(frozen=True, slots=True, order=True)
class Edge:
    """A tie between two nodes."""

    source: str
    target: str
    relation: str

    def document(self) -> Document:
        """As the owner takes it."""
        return {"from": self.source, "to": self.target, "relation": self.relation}


def edges_of(claim: Claim) -> tuple[Edge, ...]:
    """The ties that a claim or a marker makes, from its own fields."""
    about = _ABOUT.get(claim.kind, DEPENDS)
    return (
        *(Edge(claim.id, target, SUPERSEDES) for target in claim.supersedes),
        *(Edge(claim.id, target, about) for target in claim.depends_on),
    )


def document_of(claim: Claim) -> Document:
    """A claim as a document, every key present."""
    return {
        "id": claim.id,
        "label": claim.label,
        "text": claim.text,
        "kind": claim.kind,
        "tier": claim.tier.value,
        "salience": claim.salience,
        "importance": claim.importance,
        "confidence": claim.confidence,
        "tags": list(claim.tags),
        "namespace": claim.namespace,
        "source_agent": claim.source_agent,
        "created_at": iso(claim.created_at),
        "updated_at": iso(claim.updated_at),
        "evidence": [str(one) for one in claim.evidence],
        "depends_on": list(claim.depends_on),
        "supersedes": list(claim.supersedes),
        "soul_source": claim.soul_source,
        "origin": claim.origin,
    }


def claim_of(document: object) -> Claim:
    """The claim that a document holds; keys it does not know are passed over. Raises `Malformed`."""
    if not isinstance(document, dict):
        raise Malformed("a node must be an object")
    identity = document.get("id")
    if not isinstance(identity, str) or not SHAPE.fullmatch(identity):
        raise Malformed("a node's id must be a UUID in lower case")
    texts = {key: document.get(key, "") for key in _TEXTS}
    for key, value in texts.items():
        if not isinstance(value, str) or len(value) > MAX_TEXT:
            raise Malformed(f"{key} must be a text of at most {MAX_TEXT} characters")
    if not is_slug(texts["kind"]):
        raise Malformed("kind must be a word in lower case")
    lists = {key: _texts(key, document.get(key, [])) for key in _LISTS}
    try:
        confidence = document.get("confidence")
        return Claim(
            id=identity,
            label=texts["label"],
            text=texts["text"],
            kind=texts["kind"],
            tier=Tier(texts["tier"] or Tier.EPISODIC),
            salience=share("salience", document.get("salience", 0.5)),
            importance=share("importance", document.get("importance", 0.5)),
            confidence=None if confidence is None else share("confidence", confidence),
            tags=lists["tags"],
            namespace=texts["namespace"] or "default",
            source_agent=texts["source_agent"],
            created_at=seconds_of(document.get("created_at")),
            updated_at=seconds_of(document.get("updated_at")),
            evidence=tuple(read_evidence(one) for one in lists["evidence"]),
            depends_on=checked_ids("depends_on", lists["depends_on"]),
            supersedes=checked_ids("supersedes", lists["supersedes"]),
            soul_source=checked_soul_source(texts["soul_source"]),
            origin=texts["origin"],
        )
    except UsageError as problem:
        raise Malformed(problem.what) from problem
    except ValueError as problem:
        raise Malformed(str(problem)) from problem


def edge_of(document: object) -> Edge:
    """The edge that a document holds. Raises `Malformed`."""
    if not isinstance(document, dict):
        raise Malformed("an edge must be an object")
    source, target, relation = (document.get(key) for key in ("from", "to", "relation"))
    if not (
        isinstance(source, str) and isinstance(target, str) and SHAPE.fullmatch(source) and SHAPE.fullmatch(target)
    ):
        raise Malformed("an edge's ends must be ids of nodes")
    if not isinstance(relation, str) or not is_slug(relation):
        raise Malformed("an edge's relation must be a word in lower case")
    return Edge(source, target, relation)


def canonical(document: Mapping[str, Any]) -> str:
    """One line of ASCII, keys in order: equal documents give equal lines, and every store holds it as it is."""
    return json.dumps(document, ensure_ascii=True, sort_keys=True, separators=(",", ":"), allow_nan=False)


def iso(at: float | None) -> str | None:
    """Seconds as ISO 8601, UTC, whole seconds; `None` stays."""
    return None if at is None else datetime.fromtimestamp(int(at), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def seconds_of(value: object) -> float | None:
    """ISO 8601 with a zone as seconds; `None` or `""` is unknown. Raises `Malformed`."""
    if value in (None, ""):
        return None
    if not isinstance(value, str):
        raise Malformed("a time must be ISO 8601, as in 2026-01-31T12:00:00Z")
    try:
        when = datetime.fromisoformat(value)
    except ValueError as problem:
        raise Malformed(f"{value!r} is no time in ISO 8601, as in 2026-01-31T12:00:00Z") from problem
    seconds = float(int((when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp()))
    if not _FIRST <= seconds <= _LAST:  # its zone leads out of the years that can be written
        raise Malformed(f"{value!r} lies outside the years 1 to 9999")
    return seconds


def _texts(key: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise Malformed(f"{key} must be a list of texts")
    return tuple(value)


def bodies(claims: Sequence[Claim]) -> dict[str, str]:
    """By id: the canonical line of each claim."""
    return {claim.id: canonical(document_of(claim)) for claim in claims}
