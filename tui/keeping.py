"""Memory as a curation hands claims to it: the composition of `core.soul` with the one write sink."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import replace

from core.errors import UsageError
from core.frozen import dataclass
from core.memory.claim import MAX_ITEMS, MAX_TEXT, Claim, Evidence, new_claim, read_evidence
from core.memory.sink import REJECTED, Memory, Written
from core.paths import own_places
from core.settings import load_settings
from core.soul.curation import Kept, PrunedClaim
from core.text import one_line

TAG = "pruned"
"""The tag of claims that came out of a soul document."""
MAX_NAME = 200
"""Columns of an author's name."""
MAX_SECTION = 300
"""Columns of a heading that a claim's source keeps."""


@dataclass(frozen=True, slots=True)
class MemoryKeeper:
    """`core.soul.curation.Keeper` over the person's memory."""

    memory: Memory

    @classmethod
    def open(cls) -> MemoryKeeper:
        """The memory that settings and environment name."""
        places = own_places(os.environ)
        return cls(Memory.open(places, load_settings(places.settings), os.environ))

    def keep(self, claims: Sequence[PrunedClaim]) -> Kept:
        """Keep what leaves the document, with its source, why it went and where."""
        return _kept(self.memory.keep([_claim(c) for c in claims]))

    def forget(self, ids: Sequence[str], why: str, by: str) -> Kept:
        """Put a tombstone on claims whose prune was undone."""
        return replace(_kept(self.memory.forget_all(ids, why, by)), ids=tuple(ids))


def _claim(pruned: PrunedClaim) -> Claim:
    text = f"{pruned.text}\n\nPruned: {pruned.why}. Where it went: {pruned.where_it_went}."
    if len(text) > MAX_TEXT:
        raise UsageError(
            f"“{one_line(pruned.text, 60)}” has {len(pruned.text):,} characters; memory keeps {MAX_TEXT:,} of one claim.",
            "Make several claims of it in the document, then prune each.",
        )
    return new_claim(
        text, kind="fact", label=pruned.text, tags=(TAG,), source_agent=_named(pruned.curated_by), created_at=time.time(),
        evidence=_evidence(pruned.evidence), soul_source=_source(pruned.soul_source),
    )  # fmt: skip


def _named(identity: str) -> str:
    """An id as a claim's author: a document may be curated under any id, a name has one line."""
    return one_line(identity, MAX_NAME)


def _source(source: str) -> str:
    """`path#section` on one line: a heading may hold any sign, and be of any length."""
    path, _, section = source.partition("#")
    return f"{one_line(path)}#{one_line(section, MAX_SECTION)}"


def _evidence(places: Sequence[str]) -> list[Evidence]:
    """What a claim cited, each once. What no locator can write down (a path of several lines) stands in its words."""
    found: dict[Evidence, None] = {}
    for place in places:
        try:
            found[read_evidence(place)] = None
        except UsageError:
            continue  # the claim's text holds it
    return list(found)[:MAX_ITEMS]


def _kept(written: Written) -> Kept:
    error = "" if written.persisted else _error(written)
    return Kept(written.ids, written.persisted, error, refused=written.error == REJECTED)


def _error(written: Written) -> str:
    return f"{written.error}: {written.why}" if written.why else written.error
