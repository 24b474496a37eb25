"""JSON Schemas of the documents that `recollect soul` prints."""

from __future__ import annotations

from typing import Any

from core.soul.model import AnchorClass, Block, State, Tissue

Schema = dict[str, Any]

_STR: Schema = {"type": "string"}
_INT: Schema = {"type": "integer"}
_BOOL: Schema = {"type": "boolean"}
_STR_OR_NULL: Schema = {"type": ["string", "null"]}
_INT_OR_NULL: Schema = {"type": ["integer", "null"]}
_TIME: Schema = {"type": ["string", "null"], "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$"}
_LINES: Schema = {"type": "array", "items": {"type": "integer", "minimum": 1}, "minItems": 2, "maxItems": 2}


def _object(**keys: Schema) -> Schema:
    return {"type": "object", "required": list(keys), "properties": keys}


def _list(of: Schema) -> Schema:
    return {"type": "array", "items": of}


def _one_of(values: type[AnchorClass] | type[Block] | type[State] | type[Tissue]) -> Schema:
    return {"enum": [v.value for v in values]}


def _check() -> Schema:
    verdict = _object(
        **{"class": _one_of(AnchorClass)}, raw=_STR, line=_INT, state=_one_of(State), reason=_STR_OR_NULL,
        detail=_STR_OR_NULL, found=_STR_OR_NULL,
    )  # fmt: skip
    item = _object(
        lines=_LINES, section=_list(_STR), text=_STR, tissue=_one_of(Tissue), state=_one_of(State), reason=_STR_OR_NULL,
        superseded_by_line=_INT_OR_NULL, anchors=_list(verdict), neutral=_list(_STR),
    )  # fmt: skip
    short = {
        "claim": _STR, "lines": _LINES, "section": _STR, "reason": _STR_OR_NULL, "anchor": _STR_OR_NULL, "class": _STR_OR_NULL,
        "detail": _STR_OR_NULL,
    }  # fmt: skip
    value = _object(value=_STR, line=_INT_OR_NULL, text=_STR)
    return _object(
        root=_STR, soul_path=_STR, headline=_STR, checked_at=_TIME, repo_sha=_STR_OR_NULL,
        dirty={"type": ["boolean", "null"]}, doc_sha256=_STR, checked_by=_STR_OR_NULL,
        claims=_object(total=_INT, verifiable=_INT, declared=_INT, unanchored=_INT, narration=_INT),
        by_state=_object(**{s.key: _INT for s in State}),
        items=_list(item), stale=_list(_object(**short)),
        superseded=_list(_object(**short, superseded_by_line=_INT_OR_NULL)),
        restated=_list(_object(line=_INT, later_line=_INT, anchor=_STR)),
        consistency_findings=_list(_object(quantity=_STR, reason={"const": "contradicted"}, values=_list(value), detail=_STR)),
        findings=_list(_object(reason=_STR, line=_INT, detail=_STR)),
        review_hints=_list(_object(reason=_STR, line=_INT, claim=_STR, detail=_STR)),
        declared=_object(intact={"type": ["boolean", "null"]}, added=_INT_OR_NULL, removed=_INT_OR_NULL, changed=_INT_OR_NULL),
        citations=_object(ok=_INT, broken=_INT, undecided=_INT),
        coverage=_object(
            anchored=_INT, verifiable=_INT, per_class={"type": "object", "additionalProperties": {"type": "object"}}
        ),
        checks_skipped=_list(_STR),
        soul_lag=_object(commits_behind_head=_INT_OR_NULL, last_soul_touch=_STR_OR_NULL),
        receipt={"type": "string", "pattern": r"^soul: checked \d{4}-\d\d-\d\d @\w+"},
    )  # fmt: skip


def soul_schemas() -> dict[str, Schema]:
    """Every schema of the soul, by its name."""
    anchor = _object(raw=_STR, form=_STR_OR_NULL, line=_INT, **{"class": _one_of(AnchorClass)})
    claim = _object(
        lines=_LINES,
        section=_list(_STR),
        block=_one_of(Block),
        tissue=_one_of(Tissue),
        text=_STR,
        anchors=_list(anchor),
    )
    receipt = {
        "command": _STR, "exit_code": _INT, "head": _STR_OR_NULL, "dirty": _BOOL, "at": _TIME, "seconds": {"type": "number"},
        "counts": {"type": "object", "additionalProperties": _INT},
    }  # fmt: skip
    return {
        "recollect-soul-check-v1": _check(),
        "recollect-soul-read-v1": _object(
            root=_STR, soul_path=_STR, headline=_STR, sections=_list(_object(title=_STR, line=_INT, text=_STR))
        ),
        "recollect-soul-claims-v1": _object(
            root=_STR, soul_path=_STR, headline=_STR, narration=_INT, claims=_list(claim)
        ),
        "recollect-soul-receipt-v1": _object(root=_STR, **receipt),
        "recollect-soul-receipts-v1": _object(root=_STR, receipts=_list(_object(**receipt))),
    }
