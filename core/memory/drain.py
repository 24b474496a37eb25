"""Draining: everything staged goes to the owner in order, is read back from it, and only then leaves the spool."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from pathlib import Path

from core.frozen import dataclass
from core.memory.drain_lock import WAIT_SECONDS, drain_lock
from core.memory.local_copy import catch_up
from core.memory.owner import Owner
from core.memory.spool import Delta, Spool
from core.memory.trouble import OwnerTrouble
from core.memory.wire import Malformed
from core.paths import COPY

LOCK = "drain.lock"
BATCH_BYTES = 768 << 10
"""Bytes of deltas that one merge takes together: under the megabyte that proxies let through."""


@dataclass(frozen=True, slots=True)
class Drained:
    """What a drain did."""

    persisted: int = 0
    """Deltas that the owner holds, read back."""
    rejected: tuple[str, ...] = ()
    """Names of deltas that were set aside."""
    left: int = 0
    trouble: str = ""
    """Why something is left, in words; `""` if nothing is."""
    hint: str = ""


@dataclass(slots=True)
class _Run:
    """One drain under way. The caller holds the lock."""

    spool: Spool
    owner: Owner
    persisted: int = 0
    rejected: list[str] = field(default_factory=list)

    def all(self) -> None:
        """Take batch after batch until nothing is left. Raises `OwnerTrouble` where the owner takes no more."""
        tried: set[str] = set()
        while batch := self._batch(tried):
            tried.update(delta.name for delta in batch)
            self._send(batch)

    def _batch(self, tried: set[str]) -> list[Delta]:
        batch: list[Delta] = []
        size = 0
        for name in self.spool.names():
            if name in tried:
                continue
            try:
                delta = self.spool.read(name)
            except Malformed as problem:
                self._reject(name, str(problem))
                continue
            if delta is None:
                continue
            if batch and size + delta.size > BATCH_BYTES:
                break
            batch.append(delta)
            size += delta.size
        return batch

    def _send(self, batch: Sequence[Delta]) -> None:
        """Merge, read back, remove. Where a batch is refused, each delta is tried alone, so that one does not hold up
        the others."""
        nodes = [node for delta in batch for node in delta.nodes]
        edges = [edge for delta in batch for edge in delta.edges]
        try:
            self.owner.merge(nodes, edges)
        except OwnerTrouble as trouble:
            if not trouble.refused:
                raise
            if len(batch) > 1:
                for delta in batch:
                    self._send([delta])
            else:
                self._reject(batch[0].name, f"the owner refused it: {trouble.what} {' '.join(trouble.ids)}".strip())
            return
        lost = self.owner.missing(nodes, edges)
        if lost:
            raise OwnerTrouble(
                f"The memory at {self.owner.carrier.place} said it took the claims, but read back it does not hold "
                f"{len(lost):,} of them as they were sent.",
                "They wait in the spool. Run: recollect memory contract",
                ids=lost,
            )
        self.spool.remove([delta.name for delta in batch])
        self.persisted += len(batch)

    def _reject(self, name: str, why: str) -> None:
        self.spool.reject(name, why)
        self.rejected.append(name)


def drain(folder: Path, spool: Spool, owner: Owner, *, seconds: float = WAIT_SECONDS) -> Drained:
    """Drain the spool of the memory in `folder`, then write down what arrived at the owner. Raises nothing for an owner
    that is away or a disk that is full: what was staged waits, and the answer says why."""
    if not spool.folder.is_dir():
        return Drained()
    run = _Run(spool, owner)
    trouble, hint = "", ""
    try:
        with drain_lock(spool.folder / LOCK, seconds) as mine:
            if not mine:
                left = len(spool.names())
                what = "Another process drains the spool and did not end in time." if left else ""
                return Drained(left=left, trouble=what, hint="Run: recollect memory drain")
            spool.adopt()
            run.all()
            catch_up(folder / COPY, owner)
    except OwnerTrouble as problem:
        trouble, hint = problem.what, problem.hint
    except OSError as problem:
        trouble = f"The spool in {spool.folder} cannot be worked on: {problem.strerror or problem}."
        hint = "Make room, or mend its permissions; then run: recollect memory drain"
    return Drained(run.persisted, tuple(run.rejected), len(spool.names()), trouble, hint)
