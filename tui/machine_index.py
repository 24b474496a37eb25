"""The JSON of the index's documents. Apart from `tui.machine`, for `recollect index` loads nothing of the dialogue: it runs
beside the app and after every change, and loading is most of what it costs."""

from __future__ import annotations

from typing import Any

from core.json_text import iso_time
from core.ports import Deepened, IndexState, Refreshed
from core.text import shown

Json = dict[str, Any]


def index_document(state: IndexState) -> Json:
    """How the index stands."""
    return {
        "state": state.condition.value,
        "records": state.records,
        "pending": state.pending,
        "bytes": state.bytes,
        "built_at": iso_time(state.built_at),
        "engine": state.engine or None,
        "version": state.version or None,
        "message": shown(state.message) or None,
    }


def meanings_document(done: Deepened | None) -> Json | None:
    """What reading meanings did; `null` where it was not asked for."""
    if done is None:
        return None
    return {"read": done.read, "pending": done.pending, "available": done.available, "busy": done.busy}


def refreshed_document(done: Refreshed, state: IndexState) -> Json:
    """`recollect-index-v1`."""
    return {
        "schema": "recollect-index-v1",
        "added": done.added,
        "grown": done.grown,
        "replaced": done.replaced,
        "gone": done.gone,
        "unchanged": done.unchanged,
        "unreadable": done.unreadable,
        "pending": done.pending,
        "bytes_read": done.bytes_read,
        "seconds": round(done.seconds, 3),
        "stopped": done.stopped,
        "message": shown(done.message) or None,
        "index": index_document(state),
    }
