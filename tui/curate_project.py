"""Curating the soul of the project in a folder, for the place Curate: the same core as `recollect curate`."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from core.errors import RecollectError
from core.paths import own_places
from core.soul.curation import Keeper, Record
from core.soul.curator import Curator, Preview
from tui.screens.curate_port import Done, Typed, Work, WorkRow

if TYPE_CHECKING:
    from core.ports import Clock


def memory_keeper() -> Keeper:
    """The person's memory."""
    from tui.keeping import MemoryKeeper

    found: Keeper = MemoryKeeper.open()
    return found


class ProjectCurate:
    """See `CuratePort`. One curator per document, made by the first call on its worker's thread."""

    def __init__(self, folder: str, clock: Clock | None = None, keeper: Callable[[], Keeper] = memory_keeper) -> None:
        self._folder = folder
        self._clock = clock
        self._keeper = keeper
        self._lock = threading.Lock()
        self._known: dict[str, Curator] = {}

    def _curator(self, document: str) -> Curator:
        from core.soul.desk import SoulDesk, UtcClock

        if document not in self._known:
            places = own_places(os.environ)
            clock = self._clock or UtcClock()
            desk = SoulDesk(self._folder, places.state, places.index.parent / "cache", clock)
            self._known[document] = Curator(desk, places.state, clock, document)
        return self._known[document]

    def work(self, document: str) -> Work:
        """See `CuratePort`."""
        with self._lock:
            curator = self._curator(document)
            report, _ = curator.report()
            draft = curator.draft()
            stale = {tuple(row["lines"]): str(row["claim"]) for row in report["stale"]}
            rows = tuple(
                WorkRow(
                    (item["lines"][0], item["lines"][1]), item["state"], item["reason"] or "", item["text"],
                    " / ".join(item["section"]), item["tissue"] == "declared", stale.get(tuple(item["lines"]), ""),
                )
                for item in report["items"]
            )  # fmt: skip
            moved = draft.doc_sha256 != report["doc_sha256"]
            if moved and not draft.prunes:
                draft, moved = replace(draft, doc_sha256=report["doc_sha256"]), False
            applied = any(record.state == "applied" for record in curator.curations.records())
            return Work(curator.root, curator.path, str(report["receipt"]), rows, draft, moved, applied)

    def preview(self, document: str, typed: Typed, grader: str) -> Preview:
        """See `CuratePort`."""
        with self._lock:
            curator = self._curator(document)
            draft = replace(curator.draft(), curated_by=typed.by)
            if typed.line:
                draft = curator.decided(typed.line, typed.why, typed.where, by=typed.by)
            if typed.claim:
                draft = draft.staying(typed.claim, typed.stays)
            if typed.left:
                draft = draft.leaving(typed.left, typed.stays)
            return curator.preview(grader, draft)

    def decide(self, document: str, line: int, why: str, where: str, by: str) -> None:
        """See `CuratePort`."""
        with self._lock:
            self._curator(document).decide(line, why, where, by=by)

    def leave(self, document: str, row: WorkRow, why: str, by: str) -> None:
        """See `CuratePort`."""
        with self._lock:
            curator = self._curator(document)
            if row.stale_as:
                curator.keep_stale(row.stale_as, why)
            else:
                curator.decline(row.text, why, by=by)

    def unsay(self, document: str, row: WorkRow) -> None:
        """See `CuratePort`."""
        with self._lock:
            self._curator(document).unsay(row.stale_as or row.text)

    def take_back(self, document: str, line: int) -> None:
        """See `CuratePort`."""
        with self._lock:
            self._curator(document).take_back(line)

    def drop(self, document: str) -> None:
        """See `CuratePort`."""
        with self._lock:
            curator = self._curator(document)
            curator.curations.drop(curator.path)

    def sign(self, document: str, by: str, grader: str) -> Preview:
        """See `CuratePort`."""
        with self._lock:
            curator = self._curator(document)
            curator.sign(by)
            return curator.preview(grader)

    def apply(self, document: str, grader: str, *, commit: bool) -> Done:
        """See `CuratePort`."""
        with self._lock:
            curator = self._curator(document)
            done = Done(curator.apply(grader, self._keeper()), "applied")
            return self._committed(curator, done, grader) if commit else done

    def _committed(self, curator: Curator, done: Done, grader: str) -> Done:
        """Commit the document, where it changed. That git refuses does not undo what was applied."""
        from core.repositories.committing import commit_file
        from core.soul.committing import message_of

        record = done.applied.record
        if record.before_sha256 == record.after_sha256:
            return done
        try:
            sha = commit_file(curator.root, curator.path, message_of(record.report, curator.path, grader))
        except RecollectError as problem:
            return replace(done, trouble=problem.what, hint=problem.hint)
        return replace(done, applied=replace(done.applied, record=curator.committed(record, sha)))

    def undo(self, document: str, identity: str) -> Done:
        """See `CuratePort`. The curation may be of another document of the project."""
        with self._lock:
            return Done(self._curator(document).undo(self._keeper(), identity), "undone")

    def log(self, document: str) -> tuple[Record, ...]:
        """See `CuratePort`."""
        with self._lock:
            return self._curator(document).curations.records()
