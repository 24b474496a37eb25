"""Small files beside a record that describe it. What cannot be read adds nothing: the record stands without it."""

from __future__ import annotations

from typing import Any

from core.records.lines import NotDecodable, decode
from core.records.recordfile import at_once, is_path

MAX_SIDECAR = 4 * 1024 * 1024


def sidecar(path: str) -> dict[str, Any]:
    """The JSON object in a file, empty where there is none, it is too large, or it is being written."""
    if not path or not is_path(path):
        return {}
    try:
        with open(path, "rb", opener=at_once) as file:
            raw = file.read(MAX_SIDECAR + 1)
        value = decode(raw) if len(raw) <= MAX_SIDECAR else None
    except (OSError, NotDecodable):
        return {}
    return value if isinstance(value, dict) else {}


def rows_of(path: str) -> list[dict[str, Any]]:
    """The JSON objects of a small file of lines, in order; other lines are passed over."""
    try:
        with open(path, "rb", opener=at_once) as file:
            lines = file.read(MAX_SIDECAR).split(b"\n")
    except (OSError, ValueError):
        return []
    found: list[dict[str, Any]] = []
    for raw in lines:
        try:
            value = decode(raw)
        except NotDecodable:
            continue
        if isinstance(value, dict):
            found.append(value)
    return found


def first_of(value: dict[str, Any], *keys: str) -> Any:
    """The value of the first key that has one: versions spell keys differently."""
    return next((value[key] for key in keys if value.get(key) not in (None, "")), None)
