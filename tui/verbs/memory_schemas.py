"""JSON Schemas of the documents that `recollect memory` prints."""

from __future__ import annotations

from typing import Any

from core.memory.claim import EvidenceKind, Tier
from core.memory.sink import NOT_PERSISTED, REJECTED
from core.memory.view import Standing

Schema = dict[str, Any]

_STR: Schema = {"type": "string"}
_INT: Schema = {"type": "integer"}
_BOOL: Schema = {"type": "boolean"}
_SHARE: Schema = {"type": "number", "minimum": 0, "maximum": 1}
_STR_OR_NULL: Schema = {"type": ["string", "null"]}
_TIME: Schema = {"type": ["string", "null"], "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$"}
_ID: Schema = {"type": "string", "pattern": "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"}


def _object(**keys: Schema) -> Schema:
    return {"type": "object", "required": list(keys), "properties": keys}


def _list(of: Schema) -> Schema:
    return {"type": "array", "items": of}


CLAIM: dict[str, Schema] = {
    "id": _ID,
    "label": _STR,
    "text": _STR,
    "kind": _STR,
    "tier": {"enum": [tier.value for tier in Tier]},
    "salience": _SHARE,
    "importance": _SHARE,
    "confidence": {"anyOf": [_SHARE, {"type": "null"}]},
    "tags": _list(_STR),
    "namespace": _STR,
    "source_agent": _STR_OR_NULL,
    "created_at": _TIME,
    "updated_at": _TIME,
    "evidence": _list(
        _object(
            kind={"enum": [kind.value for kind in EvidenceKind]},
            at=_STR,
            line={"type": ["integer", "null"], "minimum": 1},
        )
    ),
    "depends_on": _list(_ID),
    "supersedes": _list(_ID),
    "soul_source": {"anyOf": [{"type": "string", "pattern": "^[^/#][^#]*#."}, {"type": "null"}]},
    "origin": _STR_OR_NULL,
}
"""Every field of a claim."""
_HELD: dict[str, Schema] = {
    **CLAIM,
    "standing": {"enum": [standing.value for standing in Standing]},
    "queued": _BOOL,
    "uses": _INT,
    "superseded_by": _list(_ID),
}
MEMORY_STATE: Schema = _object(
    owner={"enum": ["embedded", "http"]},
    place=_STR,
    reachable=_BOOL,
    store=_STR_OR_NULL,
    claims=_INT,
    spool=_object(waiting=_INT, bytes=_INT, rejected=_INT, elsewhere=_INT),
    trouble=_STR_OR_NULL,
    hint=_STR_OR_NULL,
)
"""How a memory stands, in `recollect status` too."""


def memory_schemas() -> dict[str, Schema]:
    """Every schema of memory, by its name."""
    event = _object(
        what={"enum": ["kept", "superseded", "forgotten", "restored", "identified"]}, id=_ID, about=_ID, by=_STR_OR_NULL,
        at=_TIME, why=_STR_OR_NULL,
    )  # fmt: skip
    fork = _object(of=_ID, heads=_list(_ID))
    ranked = {"score": {"type": ["number", "null"]}}
    return {
        "recollect-memory-write-v1": _object(
            ids=_list(_ID), persisted=_BOOL, error={"enum": [None, NOT_PERSISTED, REJECTED]}, why=_STR_OR_NULL,
            hint=_STR_OR_NULL, queued=_INT, masked=_INT,
        ),
        "recollect-memory-list-v1": _object(
            claims=_list(_object(**_HELD, **ranked)), count=_INT, hidden=_INT, forks=_list(fork), away=_STR_OR_NULL
        ),
        "recollect-memory-show-v1": _object(claim=_object(**_HELD), history=_list(event), away=_STR_OR_NULL),
        "recollect-memory-status-v1": _object(**MEMORY_STATE["properties"]),
        "recollect-memory-drain-v1": _object(
            persisted=_INT, rejected=_list(_STR), left=_INT, trouble=_STR_OR_NULL, hint=_STR_OR_NULL
        ),
        "recollect-memory-export-v1": _object(files=_list(_STR), unchanged=_INT),
        "recollect-memory-serve-v1": _object(address=_STR, store=_STR, token=_BOOL),
        "recollect-memory-contract-v1": _object(
            place=_STR, legs=_list(_object(name=_STR, passed=_BOOL, detail=_STR_OR_NULL)), gate={"enum": ["PASS", "FAIL"]}
        ),
    }  # fmt: skip
