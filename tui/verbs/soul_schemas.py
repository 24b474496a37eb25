"""JSON Schemas of the documents that `recollect soul` prints."""

from __future__ import annotations

from typing import Any

from core.soul.model import AnchorClass, Block, State, Tissue

Schema = dict[str, Any]

STR: Schema = {"type": "string"}
INT: Schema = {"type": "integer"}
BOOL: Schema = {"type": "boolean"}
STR_OR_NULL: Schema = {"type": ["string", "null"]}
INT_OR_NULL: Schema = {"type": ["integer", "null"]}
TIME: Schema = {"type": ["string", "null"], "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$"}
LINES: Schema = {"type": "array", "items": {"type": "integer", "minimum": 1}, "minItems": 2, "maxItems": 2}


def object_of(**keys: Schema) -> Schema:
    """An object whose named keys are always there; more keys are allowed."""
    return {"type": "object", "required": list(keys), "properties": keys}


def list_of(of: Schema) -> Schema:
    """A list of these."""
    return {"type": "array", "items": of}


def _one_of(values: type[AnchorClass] | type[Block] | type[State] | type[Tissue]) -> Schema:
    return {"enum": [v.value for v in values]}


def _check() -> Schema:
    verdict = object_of(
        **{"class": _one_of(AnchorClass)}, raw=STR, line=INT, state=_one_of(State), reason=STR_OR_NULL,
        detail=STR_OR_NULL, found=STR_OR_NULL,
    )  # fmt: skip
    item = object_of(
        lines=LINES, section=list_of(STR), text=STR, tissue=_one_of(Tissue), state=_one_of(State), reason=STR_OR_NULL,
        superseded_by_line=INT_OR_NULL, anchors=list_of(verdict), neutral=list_of(STR),
    )  # fmt: skip
    short = {
        "claim": STR, "lines": LINES, "section": STR, "reason": STR_OR_NULL, "anchor": STR_OR_NULL, "class": STR_OR_NULL,
        "detail": STR_OR_NULL,
    }  # fmt: skip
    value = object_of(value=STR, line=INT_OR_NULL, text=STR)
    return object_of(
        root=STR, soul_path=STR, headline=STR, checked_at=TIME, repo_sha=STR_OR_NULL,
        dirty={"type": ["boolean", "null"]}, doc_sha256=STR, checked_by=STR_OR_NULL,
        claims=object_of(total=INT, verifiable=INT, declared=INT, unanchored=INT, narration=INT),
        by_state=object_of(**{s.key: INT for s in State}),
        items=list_of(item), stale=list_of(object_of(**short)),
        superseded=list_of(object_of(**short, superseded_by_line=INT_OR_NULL)),
        restated=list_of(object_of(line=INT, later_line=INT, anchor=STR)),
        consistency_findings=list_of(object_of(quantity=STR, reason={"const": "contradicted"}, values=list_of(value), detail=STR)),
        findings=list_of(object_of(reason=STR, line=INT, detail=STR)),
        review_hints=list_of(object_of(reason=STR, line=INT, claim=STR, detail=STR)),
        declared=object_of(intact={"type": ["boolean", "null"]}, added=INT_OR_NULL, removed=INT_OR_NULL, changed=INT_OR_NULL),
        citations=object_of(ok=INT, broken=INT, undecided=INT),
        coverage=object_of(
            anchored=INT, verifiable=INT, per_class={"type": "object", "additionalProperties": {"type": "object"}}
        ),
        checks_skipped=list_of(STR),
        soul_lag=object_of(commits_behind_head=INT_OR_NULL, last_soul_touch=STR_OR_NULL),
        receipt={"type": "string", "pattern": r"^soul: checked \d{4}-\d\d-\d\d @\w+"},
    )  # fmt: skip


def soul_schemas() -> dict[str, Schema]:
    """Every schema of the soul, by its name."""
    anchor = object_of(raw=STR, form=STR_OR_NULL, line=INT, **{"class": _one_of(AnchorClass)})
    claim = object_of(
        lines=LINES,
        section=list_of(STR),
        block=_one_of(Block),
        tissue=_one_of(Tissue),
        text=STR,
        anchors=list_of(anchor),
    )
    receipt = {
        "command": STR, "exit_code": INT, "head": STR_OR_NULL, "dirty": BOOL, "at": TIME, "seconds": {"type": "number"},
        "counts": {"type": "object", "additionalProperties": INT},
    }  # fmt: skip
    return {
        "recollect-soul-check-v1": _check(),
        "recollect-soul-read-v1": object_of(
            root=STR, soul_path=STR, headline=STR, sections=list_of(object_of(title=STR, line=INT, text=STR))
        ),
        "recollect-soul-claims-v1": object_of(
            root=STR, soul_path=STR, headline=STR, narration=INT, claims=list_of(claim)
        ),
        "recollect-soul-receipt-v1": object_of(root=STR, **receipt),
        "recollect-soul-receipts-v1": object_of(root=STR, receipts=list_of(object_of(**receipt))),
    }
