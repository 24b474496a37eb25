"""A made-up memory whose ids, times and owner never change, for the place Memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from core.memory.claim import Claim, marker, new_claim
from core.memory.drain import Drained
from core.memory.sink import Status, Written
from core.memory.view import view_of
from core.memory.wire import document_of, edges_of
from core.recall.model import RecalledContext
from tui.screens.memory_port import MemoryLook, MemoryMark

DAY = 86_400.0
BEGAN = 1_772_000_000.0
"""A moment in February 2026."""


def identity(number: int) -> str:
    """An id of the shape that owners keep, in the order of the numbers."""
    return f"019c9{number:03x}-0000-7000-8000-0000000{number:05x}"


def claim(number: int, text: str, **fields: Any) -> Claim:
    """A claim with a fixed id."""
    return replace(new_claim(text, **{"created_at": BEGAN + number * DAY, **fields}), id=identity(number))


def forget(number: int, about: int, why: str) -> Claim:
    """A tombstone with a fixed id."""
    made = marker("tombstone", identity(about), why=why, by="laptop:person:ana", at=BEGAN + number * DAY)
    return replace(made, id=identity(number))


CLAIMS: tuple[Claim, ...] = (
    claim(1, "The gateway lives in pay/gateway.py\n\nPruned: it was dropped. Where it went: git history.", tags=("pruned",),
          source_agent="laptop:person:ana", soul_source="docs/PATHOS.md#Current State", label="The gateway lives in pay/gateway.py",
          evidence=("file:docs/PATHOS.md:13", "commit:1a2b3c4d5e6f", "file:pay/gateway.py")),
    claim(2, "The retry budget is 3 attempts.", kind="decision", tier="canonical", confidence="90%", tags=("retries",),
          source_agent="claude:main:session", evidence=("record:/home/ada/.claude/projects/payments/3f2a9c00.jsonl:7",)),
    claim(3, "The retry budget is 5 attempts.", kind="decision", tier="canonical", tags=("retries",), supersedes=(identity(2),),
          source_agent="laptop:person:ana"),
    claim(4, "The retry budget is 4 attempts while the gateway moves.", kind="decision", tags=("retries",),
          supersedes=(identity(2),), source_agent="laptop:person:ben"),
    claim(5, "Staging loses webhooks after a restart.", kind="finding", tier="working", created_at=None),
    claim(6, "Ask before tagging a release.", kind="rule", tier="canonical", source_agent="laptop:person:ana"),
    forget(7, 6, "the release is made by the pipeline now"),
)  # fmt: skip


class HeldMemory:
    """A port over fixed claims; writes are noted and answered as a test chooses."""

    def __init__(self, claims: Sequence[Claim] = CLAIMS, waiting: int = 0) -> None:
        self.claims = tuple(claims)
        self.waiting = waiting
        self.calls: list[tuple[object, ...]] = []
        self.answer = Written((), persisted=True)
        self.trouble: Exception | None = None

    def look(self) -> MemoryLook:
        if self.trouble is not None:
            raise self.trouble
        edges = [edge for one in self.claims for edge in edges_of(one)]
        queued = {one.id for one in self.claims[-self.waiting :]} if self.waiting else set()
        view = view_of([document_of(one) for one in self.claims], edges, queued)
        standing = sum(held.standing.value == "current" for held in view.held.values())
        place = "/home/ada/.local/share/recollect/memory/memory.db"
        status = Status("embedded", place, True, "sqlite", standing, self.waiting, 312 * self.waiting, 0, 0)
        return MemoryLook(status, view, "")

    def mark(self) -> MemoryMark:
        return MemoryMark(self.waiting)

    def add(self, fields: Mapping[str, Any]) -> Written:
        self.calls.append(("add", dict(fields)))
        return self.answer

    def change(self, identity: str, fields: Mapping[str, Any]) -> Written:
        self.calls.append(("change", identity, dict(fields)))
        return self.answer

    def forget(self, identities: Sequence[str], why: str, by: str) -> Written:
        self.calls.append(("forget", tuple(identities), why, by))
        return self.answer

    def restore(self, identity: str, why: str, by: str) -> Written:
        self.calls.append(("restore", identity, why, by))
        return self.answer

    def drain(self) -> Drained:
        self.calls.append(("drain",))
        done, self.waiting = self.waiting, 0
        return Drained(persisted=done)

    def keep_recall(self, recalled: RecalledContext) -> Written:
        self.calls.append(("keep_recall", recalled))
        return self.answer
