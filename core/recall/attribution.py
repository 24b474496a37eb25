"""Who a written record's words come from, as the record gives it: a commit's author, a tagger, a note's file and date."""

from __future__ import annotations

from core.paths import COPY as CLAIMS
from core.recall.search import Placed
from core.records.history_lines import CHANGES, SUFFIX, TAG
from core.records.model import Channel, Origin
from core.records.recordfile import record_file, record_part
from core.text import one_line

SHORT = 7
"""Digits of a commit's name that are said."""
NAME = 80
"""Columns of a name that are said."""


def attributed(placed: Placed) -> str:
    """How a quote of a commit, a tag or a note is introduced: `Ana Ruiz wrote in commit 1a2b3c4`. `""` for a session's
    turn, which has a speaker."""
    turn = placed.turn
    if turn.origin is not Origin.EXTERNAL or turn.channel is not Channel.TALK:
        return ""
    name = one_line(turn.name, NAME)
    if _is_claim(placed.path):
        from core.records.memory import SOUL  # reads claims, which most places that tell never meet

        if turn.name == SOUL:
            return "The claim was pruned from"
        return f"{name} kept in memory" if name else "Memory holds"
    if not record_file(placed.path).endswith(SUFFIX):
        note = placed.path.lower().endswith((".md", ".markdown"))
        return f"The note {name} says" if note and name else ""
    part = record_part(placed.path)
    if part.startswith(TAG):
        tag = one_line(part.removeprefix(TAG), NAME)
        if turn.uid.endswith(":tag"):
            return f"{name} tagged" if name else "Someone tagged"
        if turn.uid.endswith(":subject"):
            return f"The commit tagged {tag} says"
        return f"{name} wrote in tag {tag}" if name else f"The tag {tag} says"
    if turn.name == CHANGES:
        return f"Commit {part[:SHORT]} changed"
    return f"{name} wrote in commit {part[:SHORT]}" if name else f"Someone wrote in commit {part[:SHORT]}"


def writer(name: str, path: str) -> str:
    """Who a piece of a written record comes from, in a word or two; `""` for a session's, whose speaker is told by its
    origin. `name` is the turn's."""
    if _is_claim(path):
        from core.records.memory import SOUL

        return "memory" if name in ("", SOUL) else one_line(name, NAME)
    is_history = record_file(path).endswith(SUFFIX)
    if not is_history and not (name.endswith(")") and path.lower().endswith((".md", ".markdown"))):
        return ""
    return one_line(name, NAME) or ("git" if is_history else "note")


def _is_claim(path: str) -> bool:
    return record_file(path).endswith(f"/{CLAIMS}") and bool(record_part(path))


def begins_with_a_name(placed: Placed, label: str) -> bool:
    """True if the introduction begins with a person's name, which keeps its capital within a sentence."""
    name = one_line(placed.turn.name, NAME)
    return bool(attributed(placed)) and bool(name) and label.startswith(name)
