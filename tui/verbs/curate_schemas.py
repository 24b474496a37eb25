"""JSON Schemas of the documents that `recollect curate` prints."""

from __future__ import annotations

from typing import Any

from core.soul.model import State
from tui.verbs.soul_schemas import BOOL, INT, INT_OR_NULL, LINES, STR, STR_OR_NULL, TIME, Schema, list_of, object_of

VIOLATIONS = (
    "missing_curated_by", "self_graded", "silent_prune", "declared_prune_unlocked", "missing_still_stale", "uncovered_removal",
    "phantom_prune", "declared_removed", "hidden_stale", "receipt_mismatch", "unanchored_grew",
)  # fmt: skip
"""Every code of the seat-check (design/soul.md 6)."""


def curate_schemas() -> dict[str, Schema]:
    """Every schema of curating, by its name."""
    row = object_of(what=STR, why=STR, where_it_went=STR, proposed=BOOL, lines=LINES)
    report = object_of(
        curated_by=STR, checked=INT, updated=INT, pruned=list_of(row), declined=list_of(object_of(claim=STR, why=STR)),
        still_stale=list_of(object_of(claim=STR, reason=STR, line=INT)), receipt_line=STR,
    )  # fmt: skip
    violation = object_of(code={"enum": list(VIOLATIONS)}, row=INT_OR_NULL, message=STR)
    seat: dict[str, Any] = {
        "passed": BOOL, "grader": STR, "curated_by": STR, "seat_independent": BOOL, "violations": list_of(violation),
    }  # fmt: skip
    seat_document = object_of(**seat)
    record: dict[str, Any] = {
        "id": STR, "state": {"enum": ["planned", "applied", "undone"]}, "at": TIME, "soul_path": STR, "report": report,
        "seat_check": seat_document, "memory_ids": list_of(STR), "persisted": BOOL, "commit": STR_OR_NULL,
    }  # fmt: skip
    item = object_of(
        lines=LINES, section=STR, state={"enum": [s.value for s in State]}, reason=STR_OR_NULL, text=STR, decided=BOOL
    )
    return {
        "recollect-seat-check-v1": object_of(**seat),
        "recollect-curate-list-v1": object_of(root=STR, soul_path=STR, items=list_of(item)),
        "recollect-curate-draft-v1": object_of(
            root=STR,
            soul_path=STR,
            curated_by=STR_OR_NULL,
            pruned=list_of(row),
            declined=list_of(object_of(claim=STR, why=STR)),
            still_stale=list_of(object_of(claim=STR, reason=STR)),
        ),
        "recollect-curate-drop-v1": object_of(soul_path=STR, dropped=INT),
        "recollect-curate-preview-v1": object_of(
            root=STR,
            soul_path=STR,
            diff=STR,
            report=report,
            seat_check={"anyOf": [seat_document, {"type": "null"}]},
            receipt_before=STR,
            receipt_after=STR,
        ),
        "recollect-curate-done-v1": object_of(**record, error=STR_OR_NULL),
        "recollect-curate-log-v1": object_of(root=STR, curations=list_of(object_of(**record))),
    }
