"""JSON Schemas of the documents that `recollect settings` prints."""

from __future__ import annotations

from typing import Any

from core.settings_table import Kind
from tui.verbs.soul_schemas import BOOL, STR, STR_OR_NULL, list_of, object_of

Schema = dict[str, Any]
_VALUE: Schema = {"type": ["string", "boolean", "integer", "array"]}
_SETTING = object_of(
    key=STR,
    kind={"enum": [kind.value for kind in Kind]},
    value=_VALUE,
    default={"type": [*_VALUE["type"], "null"]},
    source={"enum": ["default", "file", "environment"]},
    variable=STR_OR_NULL,
    allowed=list_of(STR),
    about=STR,
)


def settings_schemas() -> dict[str, Schema]:
    """The schemas by their names."""
    return {
        "recollect-settings-v1": object_of(path=STR, exists=BOOL, settings=list_of(_SETTING)),
        "recollect-settings-change-v1": object_of(
            path=STR,
            key=STR,
            changed=BOOL,
            difference=list_of(STR),
            setting={"anyOf": [_SETTING, {"type": "null"}]},
        ),
    }
