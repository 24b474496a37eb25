"""JSON Schemas of the documents that `recollect delegate|debrief|delegations|calibration|where` print."""

from __future__ import annotations

from typing import Any

from core.delegation.conformance import Conformance, PathClass
from core.delegation.debrief import OUTCOMES
from core.delegation.ledger import FLAGS
from core.delegation.model import MOST_CLAIMS, SCHEMA, Refusal, Status, Trust
from core.memory.claim import Tier

Schema = dict[str, Any]

_STR: Schema = {"type": "string"}
_INT: Schema = {"type": "integer"}
_COUNT: Schema = {"type": "integer", "minimum": 0}
_BOOL: Schema = {"type": "boolean"}
_STR_OR_NULL: Schema = {"type": ["string", "null"]}
_INT_OR_NULL: Schema = {"type": ["integer", "null"]}
_LINE: Schema = {"type": ["integer", "null"], "minimum": 1}
_TIME: Schema = {"type": ["string", "null"], "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$"}
_FENCE: Schema = {"enum": ["declared", "none"]}


def _object(**keys: Schema) -> Schema:
    return {"type": "object", "required": list(keys), "properties": keys}


def _list(of: Schema) -> Schema:
    return {"type": "array", "items": of}


def _or_null(of: Schema) -> Schema:
    return {"anyOf": [of, {"type": "null"}]}


_BINDING: dict[str, Schema] = {
    "root": _STR_OR_NULL,
    "trust_mode": {"enum": [t.value for t in Trust]},
    "head": _STR_OR_NULL,
    "branch": _STR_OR_NULL,
    "limits": _list(_STR),
}
_METRIC: Schema = _or_null(_object(value={"type": "number"}, low={"type": "number"}, high={"type": "number"}))
_CALIBRATION: dict[str, Schema] = {
    "rows": _COUNT,
    "needed": {"const": 30},
    "calibrated": _BOOL,
    "clean": _COUNT,
    "unverified": _COUNT,
    "contaminated": _COUNT,
    "repeated": _COUNT,
    "skipped_lines": _COUNT,
    "scope_precision": _METRIC,
    "miss_rate": _METRIC,
    "dependents_honesty": _METRIC,
}


def delegation_schemas() -> dict[str, Schema]:
    """Every schema of delegation, by its name."""
    return {
        SCHEMA: _packet(),
        "recollect-delegation-debrief-v1": _debrief(),
        "recollect-delegations-v1": _object(delegations=_list(_row()), count=_COUNT, hidden=_COUNT, torn=_list(_STR)),
        "recollect-delegation-calibration-v1": _object(**_CALIBRATION),
        "recollect-where-v1": _object(**_BINDING),
    }


def _packet() -> Schema:
    """A packet, or with another verdict the answer why there is none; the keys of each are always there."""
    always = _object(
        verdict={"enum": ["packet", "needs_ingest", "abstain"]},
        mission=_object(binding=_object(**_BINDING)),
        honest_gaps=_list(_STR),
        non_claims={**_list(_STR), "minItems": 1},
        calibration=_object(**_CALIBRATION),
    )
    packet = _object(**_parts(), honest_gaps={**_list(_STR), "minItems": 1})
    refused = _object(
        **{"class": {"enum": [r.value for r in Refusal]}}, reason=_STR, evidence={"type": "object"}, next_move=_STR
    )
    is_packet: Schema = {"properties": {"verdict": {"const": "packet"}}}
    return {**always, "if": is_packet, "then": packet, "else": refused}


def _parts() -> dict[str, Schema]:
    claim = _object(
        id=_STR, text=_STR, kind=_STR, tier={"enum": [t.value for t in Tier]}, origin=_STR_OR_NULL, author=_STR_OR_NULL,
        age_days=_INT_OR_NULL, stale=_BOOL, verify=_STR_OR_NULL, paths=_list(_STR),
    )  # fmt: skip
    session = _object(
        sentence=_STR, speaker=_STR_OR_NULL, runtime=_STR, session_id=_STR, path=_STR, line={"type": "integer", "minimum": 1},
        at=_TIME,
    )  # fmt: skip
    return {
        "delegation_id": {"type": "string", "pattern": "^dlg_[A-Za-z0-9_-]+$"},
        "recorded": _BOOL,
        "created_at": _TIME,
        "expires_at": _TIME,
        "mission": _object(task=_STR, agent_id=_STR, hint=_STR_OR_NULL, binding=_object(**_BINDING)),
        "staleness": _object(
            changed_since_index=_INT_OR_NULL, indexed_at=_TIME, head=_STR_OR_NULL, dirty={"type": ["boolean", "null"]},
            changed_anchors=_list(_STR),
        ),
        "anchors": _list(_object(path=_STR, line=_LINE, label=_STR, why=_list(_STR))),
        "sessions": _list(session),
        "memory": {**_list(claim), "maxItems": MOST_CLAIMS},
        "scope": _object(
            may_touch=_list(_STR), derived_from={"enum": ["activation", None]}, must_not_touch=_list(_STR), fence=_FENCE,
            seeds=_list(_STR), seeds_unresolved=_list(_STR),
        ),
        "dependents": _object(
            expected_change=_list(_STR),
            dependents=_list(_object(path=_STR, line=_LINE, hop={"type": "integer", "minimum": 1}, source=_STR)),
            truncated=_BOOL,
        ),
        "co_change": _list(_object(**{"path": _STR, "with": _STR, "count": _COUNT, "of": _COUNT})),
        "proof": _list(_object(command=_STR, folder=_STR, manifest=_STR)),
        "soul": _object(
            path=_STR_OR_NULL, receipt=_STR_OR_NULL, stale=_list(_object(line=_INT, claim=_STR)), why_not=_STR_OR_NULL
        ),
        "budget": _object(tokens=_INT, used=_INT, fits=_BOOL, cut=_list(_STR), max_nodes=_INT),
        "prompt_markdown": _STR,
    }  # fmt: skip


def _row() -> Schema:
    return _object(
        delegation_id=_STR, status={"enum": [s.value for s in Status]}, task=_STR, agent_id=_STR, root=_STR, created_at=_TIME,
        expires_at=_TIME, debriefed_at=_TIME, verdict={"enum": [*(c.value for c in Conformance), None]}, anchors=_COUNT,
        may_touch=_COUNT, fence=_FENCE,
    )  # fmt: skip


def _debrief() -> Schema:
    report = _object(
        header=_STR_OR_NULL, deviations=_or_null(_list(_STR)), matched=_list(_STR), undeclared_deviation=_list(_STR),
        declared_untouched=_list(_STR),
    )  # fmt: skip
    taught = _object(
        kind={"enum": ["finding", "lesson"]}, text=_STR, under=_STR, state={"enum": ["persisted", "queued", "known", "refused"]},
        id=_STR_OR_NULL, why=_STR_OR_NULL,
    )  # fmt: skip
    classes = [kind.value for kind in PathClass]
    return _object(
        delegation_id=_STR, recorded=_BOOL, grader=_STR, worker=_STR, outcome={"enum": list(OUTCOMES)},
        evidence=_or_null(_object(command=_STR, exit_status=_INT)), verdict={"enum": [c.value for c in Conformance]},
        fence=_FENCE, verdict_words=_STR, touched_from={"enum": ["git", "diff", "list", "session"]},
        classified=_list(_object(**{"path": _STR, "class": {"enum": classes}})),
        counts=_object(touched=_COUNT, **dict.fromkeys(classes, _COUNT)),
        renamed=_list(_object(**{"from": _STR, "to": _STR})), deleted=_list(_STR), outside=_list(_STR),
        report=_or_null(report), learned=_list(taught), flags=_list({"enum": list(FLAGS)}), regraded=_BOOL,
        caveats=_list(_STR), non_claims=_list(_STR), calibration=_object(**_CALIBRATION),
    )  # fmt: skip
