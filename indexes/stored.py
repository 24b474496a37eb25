"""Makes the catalog's rows of a record where it was read, in a helper too: what goes through a pipe then is plain values,
which cost a tenth of what a record's own values would."""

from __future__ import annotations

from core.ports import Reach
from core.records.model import WRITTEN
from indexes.analyzer import Analyzer
from indexes.capture import Captured
from indexes.rows import Row, Stored, is_robot, key_of, resume_to_json, to_json
from indexes.session_fields import place_terms, title_terms


def stored(captured: Captured, analyzer: Analyzer) -> Stored:
    """The values of a record, with the terms of its title and of its place."""
    row = captured.row
    return Stored(
        row.ordinal,
        row.source.path,
        _record(row, " ".join(title_terms(row, analyzer)), " ".join(place_terms(row, analyzer))),
        resume_to_json(captured.resume, row.spine),
        (
            to_json(row.source),
            to_json(row.spine),
            to_json(row.tally),
            to_json({step.value: reach.value for step, reach in row.reach.items()}),
        ),
        tuple(key_of(cwd) for cwd in row.spine.cwds if cwd) if row.spine.role not in WRITTEN else (),
        Reach.INPUT_FAILED in row.reach.values(),
    )


def _record(row: Row, titles: str, places: str) -> tuple[object, ...]:
    source, spine = row.source, row.spine
    return (
        key_of(source.path), source.runtime, key_of(source.root), _clean(spine.session_id or source.session_id),
        source.size, source.mtime_ns, row.standing.value, row.ordinal, row.upto, spine.started, spine.ended,
        spine.role.value, int(is_robot(spine)), int(source.archived), _clean(spine.first_uid),
        _clean(spine.forked_from), _clean(titles), _clean(places), _clean(row.finding),
    )  # fmt: skip


def _clean(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")
