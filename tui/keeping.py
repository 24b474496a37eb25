"""Memory as a curation hands claims to it: the composition of `core.soul` with the one write sink."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass

from core.memory.claim import Claim, new_claim
from core.memory.sink import Memory, Written
from core.paths import own_places
from core.settings import load_settings
from core.soul.curation import Kept, PrunedClaim

TAG = "pruned"
"""The tag of claims that came out of a soul document."""


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
        done = [self.memory.forget(identity, why, by) for identity in ids]
        bad = next((w for w in done if not w.persisted), None)
        return Kept(tuple(ids), bad is None, _error(bad) if bad is not None else "")


def _claim(pruned: PrunedClaim) -> Claim:
    text = f"{pruned.text}\n\nPruned: {pruned.why}. Where it went: {pruned.where_it_went}."
    return new_claim(
        text, kind="fact", label=pruned.text, tags=(TAG,), source_agent=pruned.curated_by, created_at=time.time(),
        evidence=pruned.evidence, soul_source=pruned.soul_source,
    )  # fmt: skip


def _kept(written: Written) -> Kept:
    return Kept(written.ids, written.persisted, "" if written.persisted else _error(written))


def _error(written: Written) -> str:
    return f"{written.error}: {written.why}" if written.why else written.error
