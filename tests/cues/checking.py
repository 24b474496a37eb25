"""The check of a story that needs nothing but the files: each sentence against the physical line it cites."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from core.recall.model import Claim, Round
from core.records.lines import open_record
from core.records.model import Origin
from tests.core.records.builders import line_strings

LONGEST = 9
_ROLES: Mapping[str, Origin] = {
    "user": Origin.PERSON, "user.message": Origin.PERSON, "assistant": Origin.ASSISTANT, "gemini": Origin.ASSISTANT,
    "assistant.message": Origin.ASSISTANT, "model": Origin.ASSISTANT,
}  # fmt: skip


def faults(round_: Round) -> list[str]:
    """What is wrong with the story of a round; empty if nothing is."""
    found = []
    if not 1 <= len(round_.story) <= LONGEST:
        found.append(f"{len(round_.story)} sentences")
    if len(round_.story) != len(round_.excerpts):
        found.append("a sentence without its excerpt")
    for claim, excerpt in zip(round_.story, round_.excerpts, strict=False):
        raw = _line(claim.path, claim.line)
        held = line_strings(raw)
        if not any(claim.quote in text for text in held):
            found.append(f"not in {claim.path}:{claim.line}: {claim.quote!r}")
        if not any(excerpt.text in text for text in held):
            found.append(f"the excerpt is not in {claim.path}:{claim.line}: {excerpt.text!r}")
        if claim.quote not in claim.text:
            found.append(f"{claim.text!r} leaves out its own quote")
        found += _speaker(claim, raw)
    return found


def _line(path: str, number: int) -> bytes:
    with open_record(path) as file:
        rows = file.read().split(b"\n")
    return rows[number - 1] if number <= len(rows) else b""


def _speaker(claim: Claim, raw: bytes) -> list[str]:
    """The speaker of a sentence against the role that its line gives, where a line gives one."""
    try:
        record: Any = json.loads(raw)
    except ValueError:
        return []
    if not isinstance(record, dict):
        return []
    said = record.get("role") or record.get("type")
    message = record.get("message")
    if isinstance(message, dict):
        said = message.get("role", said)
    role = _ROLES.get(said) if isinstance(said, str) else None
    if role is None or claim.speaker is role or claim.speaker is Origin.EXTERNAL:
        return []
    return [f"{claim.speaker} instead of {role}: {claim.quote!r}"]
