"""Which texts of a record stand for what it means: what the person asked, and how each answer ended.

As measured best in reference/engines.md 3.5: the first 240 characters of a person's turn, the last 200 of an answer. Tool
text means nothing here.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from core.frozen import dataclass
from core.ports import Entry
from core.records.model import Channel, Origin, Turn

ASKED = 240
ANSWERED = 200
SHORTEST = 3
MOST = 600
"""Texts of one record at most: a marathon session's are spread over its length."""


@dataclass(frozen=True, slots=True)
class MeaningText:
    """One text and where it stands."""

    line: int
    start: int
    text: str

    @property
    def digest(self) -> int:
        """64 bits of the text's hash: the same text at the same place is not encoded again."""
        return int.from_bytes(hashlib.blake2b(self.text.encode("utf-8", "replace"), digest_size=8).digest(), "big")


def meaning_texts(entry: Entry, turns: Iterable[Turn]) -> list[MeaningText]:
    """The texts of a record, in order."""
    found: list[MeaningText] = []
    if entry.spine.title.strip():
        found.append(MeaningText(0, 0, entry.spine.title.strip()[:ASKED]))
    for turn in turns:
        text = turn.text.strip()
        if turn.copied or len(text) < SHORTEST:
            continue
        if turn.origin is Origin.ASSISTANT and turn.channel is Channel.TALK:
            found.append(MeaningText(turn.line, turn.start, text[-ANSWERED:]))
        elif turn.origin in (Origin.PERSON, Origin.PEER) or turn.channel is Channel.SUMMARY:
            found.append(MeaningText(turn.line, turn.start, text[:ASKED]))
    if len(found) > MOST:
        step = len(found) / MOST
        found = [found[int(n * step)] for n in range(MOST)]
    return found
