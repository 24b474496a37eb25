"""The demo's memory: what the made-up team settled and kept, with the sessions it was said in."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from core.memory.claim import Claim, new_claim
from core.memory.sink import Memory
from core.paths import own_places

_KEPT: tuple[tuple[str, str, str, str, str, tuple[str, ...], str], ...] = (
    ("2026-02-11T16:10", "decision", "canonical", "idempotency-settled",
     "The idempotency key is derived from the order's id and its revision, never from the amount, and never random.",
     ("idempotency",), "sam"),
    ("2026-02-17T10:30", "fact", "episodic", "ledger-compare",
     "SQLite stored amounts as floats until 2024: six accounts differ from Postgres by a cent, and Postgres is right.",
     ("ledger",), "sam"),
    ("2026-03-25T09:00", "rule", "canonical", "outage-pool",
     "A bank is never called inside a transaction: on March 24 the refund job held all twenty connections.",
     ("outage",), "ana"),
    ("2026-04-02T10:05", "finding", "episodic", "webhook-backoff",
     "Two of our webhook senders ignore 429, so a full queue answers 503 with Retry-After.", ("webhooks",), "sam"),
    ("2026-05-13T16:30", "lesson", "episodic", "currency-table",
     "Amounts go through the table of minor units; yen has none.", ("currencies",), "ana"),
)  # fmt: skip
"""When, kind, tier, the session it was said in, the text, tags, who."""


def keep_claims(records: Sequence[Path], names: Sequence[str]) -> None:
    """Keep the claims in the memory of the environment. `names[n]` is the session that `records[n]` holds."""
    where = dict(zip(names, records, strict=True))
    made = [_claim(n, row, where) for n, row in enumerate(_KEPT, 1)]
    later = replace(
        new_claim(
            "A retry budget of ten percent is kept for each bank apart; below twenty calls a minute one retry is always allowed.",
            kind="decision", tier="canonical", tags=("retries",), source_agent="demo:person:sam",
            created_at=_seconds("2026-06-16T11:30"), evidence=(f"record:{where['retry-budget-per-bank']}:3",),
            supersedes=(_identity(6),),
        ),
        id=_identity(7),
    )  # fmt: skip
    first = replace(
        new_claim(
            "A retry budget of ten percent of all calls, and give up early.", kind="decision", tier="canonical", tags=("retries",),
            source_agent="demo:person:sam", created_at=_seconds("2026-03-12T15:20"),
            evidence=(f"record:{where['retry-budget']}:4",),
        ),
        id=_identity(6),
    )  # fmt: skip
    Memory.open(own_places(os.environ), None, os.environ).keep([*made, first, later])


def _claim(number: int, row: tuple[str, str, str, str, str, tuple[str, ...], str], where: dict[str, Path]) -> Claim:
    when, kind, tier, talk, text, tags, who = row
    claim = new_claim(
        text, kind=kind, tier=tier, tags=tags, source_agent=f"demo:person:{who}", created_at=_seconds(when),
        evidence=(f"record:{where[talk]}",),
    )  # fmt: skip
    return replace(claim, id=_identity(number))


def _identity(number: int) -> str:
    """An id that is the same every time."""
    return f"019c9{number:03x}-0000-7000-8000-0000000{number:05x}"


def _seconds(when: str) -> float:
    return datetime.fromisoformat(when).replace(tzinfo=UTC).timestamp()
