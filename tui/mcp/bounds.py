"""Keeps an answer within what an agent can take in: lists and texts are cut, and it is said which and by how much."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

MOST = 60_000
"""Characters of one answer."""
LEFT_OUT = "left_out"
"""The key that says how much of each list (entries) or text (characters) is missing, by its place: `mission.task`."""
DEEP = 6
"""Objects within objects that are looked into."""


def bounded(document: Mapping[str, Any], most: int = MOST) -> dict[str, Any]:
    """The document with its longest lists and texts cut from their ends until it fits, wherever in it they stand.

    A list of one entry is not dropped while something in that entry can be cut.
    """
    kept: dict[str, Any] = json.loads(_text(document)) if len(_text(document)) > most else dict(document)
    left: dict[str, int] = {}
    while (whole := len(_text({**kept, LEFT_OUT: left}))) > most:
        places = list(_places(kept))
        if not places:
            return {"schema": document.get("schema"), "error": "The answer is too large. Ask for a part of it."}
        place, holder, key = max(places, key=lambda at: len(_text(at[1][at[2]])))
        value = holder[key]
        size = len(_text(value))
        # At most half of it goes at once, and no more than is too much: what follows may be cut as well.
        fewer = min(len(value) - 1, max(len(value) // 2, int(len(value) * (1 - (whole - most) / size))))
        left[place] = left.get(place, 0) + len(value) - max(0, fewer)
        holder[key] = value[: max(0, fewer)]
    return {**kept, LEFT_OUT: left} if left else kept


def _places(value: Any, place: str = "", deep: int = DEEP) -> Iterator[tuple[str, Any, Any]]:
    """Every list and text that can be cut: its place, what holds it, and its key there. `schema` stays whole."""
    if isinstance(value, dict):
        entries: Iterator[tuple[Any, Any]] = iter(value.items())
    elif isinstance(value, list) and len(value) == 1:
        entries = iter([(0, value[0])])
    else:
        return
    for key, one in entries:
        where = f"{place}.{key}" if place else str(key)
        inside = list(_places(one, where, deep - 1)) if deep > 0 else []
        yield from inside
        if isinstance(one, str | list) and one and not inside and where != "schema":
            yield where, value, key


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
