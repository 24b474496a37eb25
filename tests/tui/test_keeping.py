"""What a curation hands to the real memory: whatever a document holds, a claim that can be kept comes of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import UsageError
from core.memory.view import Standing
from core.soul.curation import PrunedClaim
from tests.core.memory.memories import memory
from tui.keeping import MAX_SECTION, MemoryKeeper


def _pruned(**changes: object) -> PrunedClaim:
    fields: dict[str, object] = {
        "text": "the gateway is gone", "soul_source": "docs/PATHOS.md#State", "why": "dropped", "where_it_went": "git history",
        "evidence": ("file:docs/PATHOS.md:5", "commit:1a2b3c4"), "curated_by": "host:main:ana",
    }  # fmt: skip
    return PrunedClaim(**{**fields, **changes})  # type: ignore[arg-type]


def test_a_claim_is_kept_with_its_source_why_and_where(tmp_path: Path) -> None:
    held = memory(tmp_path)
    kept = MemoryKeeper(held).keep([_pruned()])
    assert kept.persisted
    claim = held.claim(kept.ids[0]).claim
    assert claim.text == "the gateway is gone\n\nPruned: dropped. Where it went: git history."
    assert (claim.soul_source, claim.source_agent) == ("docs/PATHOS.md#State", "host:main:ana")
    assert [str(e) for e in claim.evidence] == ["file:docs/PATHOS.md:5", "commit:1a2b3c4"]


def test_hostile_headings_ids_and_cites_do_not_keep_a_claim_from_being_kept(tmp_path: Path) -> None:
    held = memory(tmp_path)
    wild = _pruned(
        soul_source="docs/PATHOS.md#" + "\x1b[31mState\n\u202e " + "long " * 400,
        evidence=("file:a\nb", "commit:not-a-commit", "file:", *(f"file:src/{n}.py:3" for n in range(900))),
        curated_by="host:main:\x07ana\n" + "x" * 300,
    )
    kept = MemoryKeeper(held).keep([wild])
    assert kept.persisted
    claim = held.claim(kept.ids[0]).claim
    assert claim.soul_source.startswith("docs/PATHOS.md#")
    assert len(claim.soul_source) < MAX_SECTION + 40
    assert not set("\x1b\n\u202e\x07") & set(claim.soul_source + claim.source_agent)
    assert [str(e) for e in claim.evidence][:2] == ["file:src/0.py:3", "file:src/1.py:3"]


def test_an_undo_hides_what_is_held_in_one_write_and_passes_over_the_rest(tmp_path: Path) -> None:
    held = memory(tmp_path)
    keeper = MemoryKeeper(held)
    ids = keeper.keep([_pruned(), _pruned(text="another")]).ids
    unknown = "01a22da5-2a2c-7000-9e7d-0b7646051879"
    answer = keeper.forget([ids[0], unknown, ids[1]], "undone", "ana")
    assert answer.persisted
    assert [held.claim(one).standing for one in ids] == [Standing.FORGOTTEN] * 2
    assert keeper.forget([unknown], "undone", "ana").persisted


def test_a_claim_too_long_for_memory_is_named_and_none_is_kept(tmp_path: Path) -> None:
    held = memory(tmp_path)
    with pytest.raises(UsageError, match=r"“the gateway w+"):
        MemoryKeeper(held).keep([_pruned(), _pruned(text="the gateway " + "w" * 100_000)])
    assert held.claims() == ()
