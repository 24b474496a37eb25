"""Keeps an answer within what an agent can take in: lists are cut, and it is said which and by how many."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

MOST = 60_000
"""Characters of one answer."""
LEFT_OUT = "left_out"
"""The key that says how many entries of each list are missing."""


def bounded(document: Mapping[str, Any], most: int = MOST) -> dict[str, Any]:
    """The document with its longest lists cut from their ends until it fits; a single text that does not is clipped."""
    kept = dict(document)
    left: dict[str, int] = {}
    while len(_text({**kept, LEFT_OUT: left})) > most:
        longest = max((key for key, value in kept.items() if isinstance(value, list | str) and value),
                      key=lambda key: len(_text(kept[key])), default="")  # fmt: skip
        if not longest:
            return {"schema": document.get("schema"), "error": "The answer is too large. Ask for a part of it."}
        value = kept[longest]
        half = len(value) // 2
        left[longest] = left.get(longest, 0) + len(value) - half
        kept[longest] = value[:half]
    return {**kept, LEFT_OUT: left} if left else kept


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
