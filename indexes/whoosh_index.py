"""`core.ports.Index` with Whoosh: the one class that the faces are given."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from core.ports import (
    AsListed,
    Deepened,
    Entry,
    Glimpse,
    Hit,
    IndexCondition,
    IndexState,
    Passage,
    ProgressCall,
    Query,
    Reached,
    Receipt,
    Refreshed,
)
from core.records.model import Listed, Role, Turn
from indexes.absent import is_absent
from indexes.archive_port import Archive, Rest
from indexes.arrays import load_numpy
from indexes.broken import Broken
from indexes.catalog import Catalog
from indexes.damage import DAMAGE, damage_kinds, is_full, refusal
from indexes.done import both, with_message
from indexes.home import LOOK, SCHEMA_VERSION, ForeignIndex, IndexHome, has_meanings
from indexes.plan import Plan, plan
from indexes.rows import Row
from indexes.standing import Again, changed_since, counts_of, find_damage, keep_listing, listed, looked_again, rest_of
from indexes.weights import MEANING_AMONG, MEANING_BELOW_FIT, SECOND_AMONG

if TYPE_CHECKING:
    from indexes.analyzer import Analyzer
    from indexes.deep import Deep
    from indexes.second_look import SecondLook
    from indexes.snapshot import Snapshot

T = TypeVar("T")
ENGINE = "whoosh3"
LOCK_WAIT = 2.0
"""Seconds that a refresh waits for another process's."""


class WhooshIndex:
    """The index of an archive in a folder of its own. May be used from several threads and processes."""

    def __init__(self, home: Path, archive: Archive) -> None:
        self._home = IndexHome(home)
        self._home.check()
        self._archive = archive
        self._lock = threading.Lock()
        self._snapshot: Snapshot | None = None
        self._analyzer: Analyzer | None = None
        self._meanings: Deep | None = None
        self._looks: SecondLook | None = None
        self._broken = Broken(self._home)
        self._counts: tuple[int, Mapping[tuple[str, str], tuple[int, int]]] | None = None
        """The counts of records, with the version of the catalog that they are of."""
        self._rest: tuple[float, Rest] | None = None
        """What a refresh looked at beside what it lists, and when."""

    # What the index holds

    def state(self) -> IndexState:
        """What the index holds. Compares sizes and times of known files and of their folders; lists nothing."""
        version = self._home.version()
        if version is None and not self._home.path.is_dir():
            return IndexState(IndexCondition.ABSENT, engine=ENGINE, version=str(SCHEMA_VERSION))
        building = self._home.is_locked()
        if version is None:
            condition = IndexCondition.BUILDING if building else IndexCondition.ABSENT
            return IndexState(condition, engine=ENGINE, version=str(SCHEMA_VERSION))
        if version != SCHEMA_VERSION:
            message = f"the index is of version {version}; the next refresh builds it anew"
            return IndexState(IndexCondition.STALE, engine=ENGINE, version=str(version), message=message)
        try:
            with Catalog(self._home.path) as catalog:
                meta, records, projects = catalog.meta(), catalog.count(), catalog.projects()
                changed, stale = changed_since(self._home, catalog, meta)
        except DAMAGE as error:
            return self._damaged(str(error))
        if damage := self._broken.what():
            return self._damaged(damage)
        stale = stale or "built_at" not in meta
        stale = stale or self._archive.history_moved(projects)
        condition = IndexCondition.STALE if stale else IndexCondition.CURRENT
        return IndexState(
            IndexCondition.BUILDING if building and stale else condition,  # a writer of a current index only looks
            records=records,
            pending=changed,
            bytes=self._home.bytes(),
            built_at=float(meta["built_at"]) if "built_at" in meta else None,
            engine=ENGINE,
            version=str(version),
        )

    def damage(self) -> str:
        """What a search met that is wrong with the index, `""` if nothing."""
        return self._broken.what()

    def entries(self) -> Iterable[Entry]:
        """Every record the index knows, newest first, from the catalog alone."""
        return tuple(row.entry() for row in self._rows_by_age(None))

    def glimpses(self) -> Sequence[Glimpse] | None:
        """Every session that is no copy, newest first."""
        return self._asked(Catalog.glimpses, None)

    def places(self) -> Mapping[str, tuple[str, str]]:
        """The path of every record the index knows, with its runtime and root."""
        return self._asked(Catalog.places, {})

    def entries_at(self, paths: Sequence[str]) -> Mapping[str, Entry]:
        """The records at these paths, those that the index knows."""
        return self._asked(lambda catalog: {p: row.entry() for p, row in catalog.rows(paths).items()}, {})

    def ages_at(self, paths: Sequence[str]) -> Mapping[str, tuple[Role, float | None]]:
        """The role of the records at these paths and the time of their last word, those that the index knows."""
        return self._asked(lambda catalog: catalog.ages(paths), {})

    def _asked(self, question: Callable[[Catalog], T], nothing: T) -> T:
        """What the catalog answers; `nothing` where there is none, or a damaged one, which is noted."""
        if self._home.version() != SCHEMA_VERSION:
            return nothing
        try:
            with Catalog(self._home.path) as catalog:
                return question(catalog)
        except DAMAGE as error:
            self._broken.note(error)
            return nothing

    def projects(self) -> tuple[str, ...]:
        """Every working folder that a session names."""
        return self._asked(Catalog.projects, ())

    def counts(self) -> Mapping[tuple[str, str], tuple[int, int]]:
        """Per runtime and root: records, and how many of them could not be read."""

        def counted(catalog: Catalog) -> Mapping[tuple[str, str], tuple[int, int]]:
            version = catalog.meta().get("version", 0)
            if self._counts is None or self._counts[0] != version:
                self._counts = version, counts_of(self._home, catalog, version)
            return self._counts[1]

        return self._asked(counted, {})

    def present(self) -> Mapping[tuple[str, str], int]:
        """Per runtime and root: the records whose files are there."""
        return self._asked(Catalog.present, {})

    def receipts(self, paths: Sequence[str]) -> Mapping[str, Receipt]:
        """The receipts of the records at these paths."""
        return self._asked(lambda catalog: {p: row.receipt() for p, row in catalog.rows(paths).items()}, {})

    def reached(self) -> Mapping[str, Reached]:
        """How far each record was captured, by its path."""
        return self._asked(Catalog.reached, {})

    def listed(self, seconds: float) -> AsListed | None:
        """Every record there is, as the archive would list it, by the look that is kept; `None` where it does not hold. What
        was looked at less than `seconds` ago is not looked at again."""
        if self._rest is not None and time.monotonic() - self._rest[0] < seconds:
            return listed(self._home, self._rest[1])
        rest = self._asked(lambda catalog: rest_of(self._home, self._archive, catalog), None)
        return None if rest is None else listed(self._home, rest)

    # Bringing it up to date

    def refresh(
        self, *, progress: ProgressCall | None = None, seconds: float | None = None, rebuild: bool = False
    ) -> Refreshed:
        """Bring the index up to date; rebuild it if it is damaged or of another version, and say so."""
        started = time.monotonic()
        deadline = None if seconds is None else started + seconds
        if not self._home.writable():
            words = "the folder of the index cannot be written; what the index holds is searched as it is"
            return Refreshed(pending=self.state().pending, stopped=True, message=words, refused=True)
        try:
            self._home.create()
            with self._home.locked(LOCK_WAIT if seconds is None else min(LOCK_WAIT, seconds)) as mine:
                if not mine:
                    words = "another process is bringing the index up to date"
                    if rebuild:
                        words += ", so it was not built anew here; ask again when that is done"
                    return Refreshed(pending=self.state().pending, stopped=True, message=words)
                done, message = self._brought_up(rebuild, progress, deadline)
        except ForeignIndex:
            raise
        except damage_kinds() as error:
            if not (words := refusal(error)):
                raise
            return Refreshed(pending=self.state().pending, stopped=True, message=words, refused=True)
        return done if not message else with_message(done, message)

    def _brought_up(
        self, rebuild: bool, progress: ProgressCall | None, deadline: float | None
    ) -> tuple[Refreshed, str]:
        """Bring the index up to date while the folder is ours; what was done, and what to say about it."""
        again = None if rebuild or self._broken.what() else looked_again(self._home, self._archive, deadline)
        self._rest = (time.monotonic(), again.rest) if again is not None and again.todo.idle else None
        if again is not None and again.todo.idle:
            return Refreshed(unchanged=again.todo.unchanged, seconds=again.seconds, state=self._settled()), ""
        message = self._make_ready(rebuild)
        try:
            done = self._refresh(progress, deadline, None if message else again)
        except damage_kinds() as error:
            if is_full(error):
                raise
            message = f"the index was damaged ({error}); it was built anew"
            self._home.clear()
            done = self._refresh(progress, deadline)
        self._broken.forget()
        if not (done.stopped or done.pending):
            done = replace(done, state=self._settled())
        return done, message

    def _make_ready(self, rebuild: bool) -> str:
        """Clear the folder if the index in it cannot be continued; returns what to say about it."""
        version = self._home.version()
        message = ""
        if rebuild:
            message = "the index was built anew, as asked" if version is not None else ""
        elif version is not None and version != SCHEMA_VERSION:
            message = f"the index was of version {version}; it was built anew"
        elif version is not None and (damage := self._broken.what() or find_damage(self._home)):
            message = f"the index was damaged ({damage}); it was built anew"
        if message or version is None:
            self._home.clear()
            self._home.write_version()
        self._home.clear_staging()
        return message

    def _refresh(self, progress: ProgressCall | None, deadline: float | None, again: Again | None = None) -> Refreshed:
        if self._home.version() is None:
            self._home.write_version()
        with Catalog(self._home.path, write=True) as catalog:
            projects, found = catalog.projects(), None
            if again is None:
                done, found = self._pass(catalog, projects, progress, deadline)
            else:
                started = time.monotonic() - again.seconds
                done = self._work(catalog, again.todo, (again.scanned_ns, again.look), (progress, deadline, started))
            named = catalog.projects()
            if named != projects and not done.stopped:
                # Sessions that were read now name projects whose history and notes were not looked for yet. A history that
                # is written now makes a later time of scan, for which everything is listed anew.
                found = None if self._archive.history_moved(named) else found
                more, found = self._pass(catalog, named, progress, deadline, found)
                done = both(done, more)
            if found is not None:
                keep_listing(self._home, found[1])
            return done

    def _pass(
        self,
        catalog: Catalog,
        projects: Sequence[str],
        progress: ProgressCall | None,
        deadline: float | None,
        known: tuple[int, Listed] | None = None,
    ) -> tuple[Refreshed, tuple[int, Listed]]:
        """One look at everything, or at what the projects hold beside what is `known` since a moment. The scan begins once the
        projects' history is written, which is a record itself. Returns what was done, when the scan began, and its listing."""
        started = time.monotonic()
        self._archive.catch_up(projects, deadline)
        scanned, before = known or (time.time_ns(), None)
        found = self._archive.discover(projects, looking=True, known=before)
        todo = None if catalog.holds_as_they_are(found.sources) else plan(catalog.signatures(), found)
        if todo is None or todo.idle:
            looked = self._keep_look(scanned, found.look)
            with catalog.writing(shown=False):
                catalog.finish(scanned_ns=scanned, looked=looked)
            unchanged = todo.unchanged if todo else len(found.sources)
            return Refreshed(unchanged=unchanged, seconds=time.monotonic() - started), (scanned, found)
        done = self._work(catalog, todo, (scanned, found.look), (progress, deadline, started))
        return done, (scanned, found)

    def _work(
        self,
        catalog: Catalog,
        todo: Plan,
        look: tuple[int, bytes],
        run: tuple[ProgressCall | None, float | None, float],
    ) -> Refreshed:
        """Carry out a plan. `look` is when the scan began and what it looked at; `run` whom to tell, the deadline, and when
        the pass began."""
        from indexes.refresh import Work  # what reads records: an idle refresh does without

        looked = self._keep_look(*look)
        return Work(self._home, self._archive, catalog, *run).run(todo, look[0], looked)

    def _keep_look(self, scanned: int, look: bytes) -> int:
        """Keep what was looked at; returns its stamp, 0 if it cannot be kept. The catalog notes it once all is read."""
        return scanned if look and self._home.kept_now(LOOK, scanned, look) else 0

    def _settled(self) -> IndexState:
        """How the index stands right after everything was read. Its files are measured once the catalog is closed."""
        with Catalog(self._home.path) as catalog:
            records, built_at = catalog.count(), float(catalog.meta()["built_at"])
        return IndexState(
            IndexCondition.CURRENT, records=records, bytes=self._home.bytes(), built_at=built_at, engine=ENGINE,
            version=str(SCHEMA_VERSION),
        )  # fmt: skip

    # Searching

    def search(self, query: Query) -> tuple[Hit, ...]:
        """The candidates, best first; every record, newest first, for an empty query."""
        if replace(query, deep=False, sentence="", written=None) == Query(limit=query.limit):
            rows = self._rows_by_age(query.limit, copies=False, written=query.written)
            return tuple(Hit(row.entry(), 0.0, 1.0, (), ()) for row in rows)
        if self._home.version() != SCHEMA_VERSION or (self._snapshot is None and is_absent(self._home, query)):
            return ()
        try:
            load_numpy()
            from indexes.searching import search
        except ImportError as error:
            raise RuntimeError("hint: reinstall recollect; a part of the search engine is missing") from error
        try:
            snapshot, analyzer = self._current()
            if not query.deep:
                return search(query, snapshot, analyzer, self._home, self._open)
            wide = replace(query, limit=max(query.limit, MEANING_AMONG))
            hits = search(wide, snapshot, analyzer, self._home, self._open)
        except DAMAGE as error:
            self._broken.note(error)
            return ()
        fit = hits[0].fit if hits else 0.0
        if fit >= MEANING_BELOW_FIT and not query.excluded:
            return hits[: query.limit]  # words fit: meanings, and what they import, stay out of the way
        if self._meanings or has_meanings(self._home):  # else what encodes them is not loaded
            hits = self._deep().blended(replace(query, limit=max(query.limit, SECOND_AMONG)), hits)
        if len(hits) > 1 and len(query.sentence.split()) > 1:  # else what takes a second look is not loaded
            hits = self._second_look().looked(query, hits, fit, self._open_hit)
        return hits[: query.limit]

    def deepen(self, *, progress: ProgressCall | None = None, seconds: float | None = None) -> Deepened:
        """Read the meanings of records that have none yet, newest first."""
        return self._deep().read(self._archive, progress, seconds)

    def _deep(self) -> Deep:
        """Meanings, opened when first asked for."""
        load_numpy()
        from indexes.deep import Deep

        with self._lock:
            if self._meanings is None:
                self._meanings = Deep(self._home)
            return self._meanings

    def _second_look(self) -> SecondLook:
        """The optional second look, prepared when first asked for."""
        from indexes.second_look import SecondLook

        with self._lock:
            if self._looks is None:
                self._looks = SecondLook(self._home)
            return self._looks

    def close(self) -> None:
        """Give back files and memory."""
        with self._lock:
            self._snapshot = None

    def _current(self) -> tuple[Snapshot, Analyzer]:
        from indexes.analyzer import Analyzer
        from indexes.snapshot import load

        with self._lock:
            with Catalog(self._home.path) as catalog:
                version = catalog.meta().get("version", 0)
            if self._snapshot is None or self._snapshot.version != version:
                self._snapshot = load(self._home)
            if self._analyzer is None:
                self._analyzer = Analyzer()
            return self._snapshot, self._analyzer

    def _open(self, row: Row, line: int, start: int) -> tuple[Turn, ...]:
        return self._archive.at(row.source, line, start)

    def _open_hit(self, hit: Hit, passage: Passage) -> tuple[Turn, ...]:
        return self._archive.at(hit.entry.source, passage.line, passage.start)

    def _rows_by_age(self, limit: int | None, *, copies: bool = True, written: bool | None = None) -> list[Row]:
        return self._asked(lambda catalog: list(catalog.all_rows(limit, copies=copies, written=written)), [])

    def _damaged(self, what: str) -> IndexState:
        message = f"the index is damaged ({what}); the next refresh builds it anew"
        return IndexState(IndexCondition.DAMAGED, engine=ENGINE, version=str(SCHEMA_VERSION), message=message)
