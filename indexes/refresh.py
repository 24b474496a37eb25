"""Brings the index up to date: plan, read, write segments, commit Whoosh's list, then the catalog."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from core.ports import Progress, ProgressCall, Refreshed, Standing
from core.records.model import Source
from indexes.archive_port import Archive
from indexes.builds import build
from indexes.capture import Job, tail_hash
from indexes.catalog import Catalog
from indexes.home import IndexHome
from indexes.plan import Plan
from indexes.rows import Resume, Row

if TYPE_CHECKING:
    from indexes.segment_store import Store


@dataclass(slots=True)
class Work:
    """One refresh under way. The caller holds the lock."""

    home: IndexHome
    archive: Archive
    catalog: Catalog
    progress: ProgressCall | None
    deadline: float | None
    """On the monotonic clock."""
    started: float = field(default_factory=time.monotonic)
    records: int = 0
    records_total: int = 0
    bytes: int = 0
    bytes_total: int = 0
    stopped: bool = False
    unreadable: int = 0

    def run(self, plan: Plan, scanned_ns: int, looked: int = 0) -> Refreshed:
        """Carry out the plan and return what was done. `looked` is the stamp of the look that the plan is of."""
        jobs, number = self._jobs(plan)
        self.records_total, self.bytes_total = len(jobs), sum(job.cost for job in jobs)
        with self.catalog.writing():
            # Numbers are taken before they are used, so that a killed build wastes them. Until all of it is read, the next
            # refresh looks itself.
            self.catalog.set_meta(next_ordinal=number, looked=0)
            self.catalog.set_standing(Standing.GONE, plan.gone)
            self.catalog.set_standing(Standing.PRESENT, plan.returned)
            self.catalog.remove(plan.removed)
            for path, source in plan.moved:
                self.catalog.move(path, source)
        kinds = {job.source.path: _kind(job, plan) for job in jobs}
        done = {"added": 0, "grown": 0, "replaced": 0}
        if jobs and self._tell():
            store: Store | None = None
            for batch in build(self.archive, jobs, self.home.staging, self._step):
                store = store or self._store()
                store.commit(batch)
                for record in batch.records:
                    done[kinds[record.path]] += 1
                    self.unreadable += record.unread
        pending = len(jobs) - sum(done.values())
        if not pending:
            with self.catalog.writing():
                self.catalog.finish(scanned_ns=scanned_ns, looked=looked)
        self._tell(done=True)
        return Refreshed(
            done["added"], done["grown"], done["replaced"], gone=len(plan.gone), unchanged=plan.unchanged, unreadable=self.unreadable, pending=pending,
            bytes_read=self.bytes, seconds=time.monotonic() - self.started, stopped=bool(pending),
            message="stopped before everything was read; the next refresh goes on" if pending else "",
        )  # fmt: skip

    def _jobs(self, plan: Plan) -> tuple[list[Job], int]:
        """The records to read, newest first, and the number that comes after theirs; each that only grew goes on from its
        mark."""
        number = self.catalog.meta().get("next_ordinal", 1)
        jobs: list[Job] = []
        old = self.catalog.rows([s.path for s in plan.changed])
        resumes = self.catalog.resumes(old.values())
        for source in sorted([*plan.added, *plan.changed], key=lambda s: (-s.mtime_ns, s.path)):
            row, resume = old.get(source.path), resumes.get(source.path)
            if row is not None and resume is not None and _only_grew(row, resume, source):
                jobs.append(Job(source, row.ordinal, row, resume))
            else:
                jobs.append(Job(source, number))
                number += 1
        return jobs, number

    def _store(self) -> Store:
        """Loaded with its arrays once something was read: by then a helper reads too."""
        from indexes.segment_store import Store

        return Store(self.home, self.catalog)

    def _step(self, job: Job) -> bool:
        self.records += 1
        self.bytes += job.cost
        return self._tell()

    def _tell(self, *, done: bool = False) -> bool:
        """Report progress; False if the caller, or the time, says to stop."""
        now = time.monotonic()
        late = self.deadline is not None and now >= self.deadline
        if self.progress is not None:
            figures = (self.records, self.records_total, self.bytes, self.bytes_total)
            self.stopped |= not self.progress(Progress(*figures, now - self.started, done))
        self.stopped |= late
        return not self.stopped


def _kind(job: Job, plan: Plan) -> str:
    if job.known is not None:
        return "grown"
    return "replaced" if any(s.path == job.source.path for s in plan.changed) else "added"


def _only_grew(row: Row, resume: Resume, source: Source) -> bool:
    """Whether a record's file has grown and the bytes before the mark are as they were."""
    return (
        source.size > row.source.size
        and resume.tail != ""
        and tail_hash(source.path, resume.mark.offset, source.size) == resume.tail
    )
