"""`recollect schema`: the JSON Schemas of the documents that `--json` prints. The tests hold the documents to them."""

from __future__ import annotations

import argparse
import json
from typing import Any

from core.errors import UsageError
from core.ports import Extractor, IndexCondition, Reach
from core.recall.model import RoundKind, WholeKind
from core.records.model import Channel, Origin
from tui.output import write_out
from tui.verbs.curate_schemas import curate_schemas
from tui.verbs.delegate_schemas import delegation_schemas
from tui.verbs.memory_schemas import MEMORY_STATE, memory_schemas
from tui.verbs.settings_schemas import settings_schemas
from tui.verbs.soul_schemas import soul_schemas

Schema = dict[str, Any]

_STR: Schema = {"type": "string"}
_INT: Schema = {"type": "integer"}
_NUM: Schema = {"type": "number"}
_BOOL: Schema = {"type": "boolean"}
_STR_OR_NULL: Schema = {"type": ["string", "null"]}
_INT_OR_NULL: Schema = {"type": ["integer", "null"]}
_TIME: Schema = {"type": ["string", "null"], "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$"}


def _object(**keys: Schema) -> Schema:
    """An object whose named keys are always there; more keys are allowed."""
    return {"type": "object", "required": list(keys), "properties": keys}


def _list(of: Schema) -> Schema:
    return {"type": "array", "items": of}


def _one_of(values: type) -> Schema:
    return {"enum": [v.value for v in values]}  # type: ignore[attr-defined]


def _or_null(of: Schema) -> Schema:
    return {"anyOf": [of, {"type": "null"}]}


_INDEX = _object(
    state=_one_of(IndexCondition),
    records=_INT,
    pending=_INT,
    bytes=_INT,
    built_at=_TIME,
    engine=_STR_OR_NULL,
    version=_STR_OR_NULL,
    message=_STR_OR_NULL,
)
_SEARCHED = _object(
    runtime=_STR,
    root=_STR,
    records=_INT,
    by_index=_INT,
    by_head=_INT,
    by_scan=_INT,
    unreadable=_INT,
    bytes_scanned=_INT,
)
_ROW: Schema = {
    "runtime": _STR,
    "root": _STR,
    "session_id": _STR,
    "path": _STR,
    "title": _STR_OR_NULL,
    "project": _STR_OR_NULL,
    "branch": _STR_OR_NULL,
    "kind": _STR,
    "archived": _BOOL,
    "gone": _BOOL,
    "started": _TIME,
    "ended": _TIME,
    "date": _TIME,
    "date_from": {"enum": ["record", "file", None]},
    "score": _NUM,
    "fit": _NUM,
    "matched_by": _list({"enum": ["index", "head", "scan", "history", "memory"]}),
    "terms": _list(_STR),
}
_SAID: dict[str, Schema] = {
    "speaker": _one_of(Origin),
    "channel": _one_of(Channel),
    "name": _STR_OR_NULL,
    "at": _TIME,
    "line": _INT,
    "text": _STR,
}
_TURN = _object(**_SAID, copied=_BOOL)
_PROBLEM = _object(path=_STR, line=_INT_OR_NULL, why=_STR, hint=_STR_OR_NULL)


def schemas() -> dict[str, Schema]:
    """Every schema by its name."""
    found = (
        _records()
        | _upkeep()
        | {"recollect-recall-v1": _recall()}
        | soul_schemas()
        | curate_schemas()
        | memory_schemas()
        | delegation_schemas()
        | settings_schemas()
    )
    for name, schema_ in found.items():
        schema_["properties"]["schema"] = {"const": name}
        schema_["required"].insert(0, "schema")
        schema_["$schema"] = "https://json-schema.org/draft/2020-12/schema"
        schema_["title"] = name
    return found


def _records() -> dict[str, Schema]:
    return {
        "recollect-search-v1": _object(
            query=_STR,
            hits=_list(_object(rank=_INT, **_ROW, line=_INT_OR_NULL, gist=_STR_OR_NULL)),
            searched=_list(_SEARCHED),
            index=_INDEX,
            hints=_list(_STR),
            elapsed_ms=_NUM,
        ),
        "recollect-list-v1": _object(records=_list(_object(**_ROW)), count=_INT, folded=_INT),
        "recollect-show-v1": _object(record=_object(**_ROW), line=_INT_OR_NULL, turns=_list(_TURN), truncated=_BOOL),
        "recollect-export-v1": _object(
            title=_STR,
            runtime=_STR,
            session_id=_STR,
            project=_STR_OR_NULL,
            branch=_STR_OR_NULL,
            started=_TIME,
            ended=_TIME,
            record=_STR,
            turns=_list(_object(**_SAID)),
        ),
        "recollect-resume-v1": _object(
            session_id=_STR, handle=_STR_OR_NULL, handle_note=_STR_OR_NULL, cwd=_STR_OR_NULL, argv=_list(_STR)
        ),
    }


def _upkeep() -> dict[str, Schema]:
    root = _object(
        root=_STR,
        runtime=_STR,
        files=_INT,
        records=_INT,
        parsed=_INT,
        searchable=_INT,
        skipped=_list(_object(why=_STR, count=_INT)),
        partly=_list(_object(why=_STR, count=_INT)),
        bytes=_INT,
        newest=_TIME,
    )
    finding = _object(check=_STR, state={"enum": ["ok", "note", "bad"]}, what=_STR, hint=_STR_OR_NULL)
    counts = ("added", "grown", "replaced", "gone", "unchanged", "unreadable", "pending", "bytes_read")
    return {
        "recollect-status-v1": _object(
            roots=_list(root),
            index=_INDEX,
            retention=_list(_object(runtime=_STR, root=_STR, days=_INT, count=_INT, what=_STR)),
            memory=MEMORY_STATE,
        ),
        "recollect-index-v1": _object(
            **dict.fromkeys(counts, _INT),
            seconds=_NUM,
            stopped=_BOOL,
            message=_STR_OR_NULL,
            index=_INDEX,
            meanings=_or_null(_object(read=_INT, pending=_INT, available=_BOOL, busy=_BOOL)),
        ),
        "recollect-doctor-v1": _object(findings=_list(finding), bad=_INT),
    }


def _recall() -> Schema:
    member = _object(
        runtime=_STR,
        root=_STR,
        session_id=_STR,
        path=_STR,
        title=_STR_OR_NULL,
        handle=_STR_OR_NULL,
        handle_note=_STR_OR_NULL,
        started=_TIME,
        ended=_TIME,
    )
    scan = _object(skipped_lines=_INT, unverified_person_turns=_INT, omitted_chars=_INT)
    reach = _object(extractor=_one_of(Extractor), state=_one_of(Reach))
    round_ = _object(
        kind=_one_of(RoundKind),
        cue=_object(meant=_STR, whole=_one_of(WholeKind), axes=_list(_object(kind=_STR, value=_STR))),
        recognizable=_or_null(_object(whole=_one_of(WholeKind), joins=_STR, members=_list(member))),
        story=_list(
            _object(text=_STR, speaker=_one_of(Origin), cite=_object(path=_STR, line=_INT, turn=_INT, quote=_STR))
        ),
        excerpts=_list(_object(speaker=_one_of(Origin), at=_TIME, text=_STR, path=_STR, line=_INT)),
        adjacent=_list(_object(path=_STR, phrase=_STR)),
        qualifications=_list(_object(path=_STR, finding=_STR, reach=_list(reach), scan=_or_null(scan))),
        question=_STR_OR_NULL,
        expansion=_or_null(_object(reach=_STR, records=_INT, bytes=_INT, seconds=_NUM)),
        searched=_list(_SEARCHED),
        not_opened=_list(_PROBLEM),
    )
    outcome = _object(
        kind={"enum": ["not_activated", "identified", "stopped", "unresolved", "holding"]},
        identified_by=_or_null(_object(turn=_INT, text=_STR)),
        finding=_STR_OR_NULL,
    )
    return _object(rounds=_list(round_), outcome=outcome)


def schema(parsed: argparse.Namespace) -> int:
    """Print one schema, or the names."""
    known = schemas()
    if not parsed.name:
        for name in known:
            write_out(name)
        return 0
    name = parsed.name if parsed.name in known else f"recollect-{parsed.name}-v1"
    if name not in known:
        raise UsageError(f"There is no schema {parsed.name}.", f"Known: {', '.join(known)}.")
    write_out(json.dumps(known[name], indent=2))
    return 0
