"""The searcher over real records: the index first, the heads of what it does not hold, whole bodies when asked."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from core.ports import (
    AsListed,
    Entry,
    Filters,
    Hit,
    Index,
    IndexCondition,
    IndexState,
    ProgressCall,
    Query,
    Receipt,
    Standing,
)
from core.recall.boundary import reads
from core.recall.called import called_first
from core.recall.heads import interleaved, rank_heads
from core.recall.model import Expansion, Handle, Searched
from core.recall.needles import ranked, rounds_of
from core.recall.project_records import ProjectRecords, found_by, of_sessions
from core.recall.search import Changes, Found, Lead, Opened
from core.recall.steering import steered
from core.recall.wording import misread_words
from core.recall.written import names_written
from core.records.archive import Archive, Discovery
from core.records.model import WRITTEN, Locator, ReadProblem, Role, Source, Spine
from core.records.parentage import parentage
from core.records.recordfile import record_exists

if TYPE_CHECKING:
    from core.recall.artifacts import Artifact
    from core.recall.traits import Traits
    from core.recall.wide import WideScan
    from core.records.outcomes import CaptureOutcome
    from core.records.sieve import Foreseen

SCAN_BYTES_PER_SECOND = 400e6
"""What a scan of bodies reads on one core of a small machine; only the estimate shown to a person rests on it."""
FRESH_SECONDS, FRESH_LOOKS = 1.0, 200
"""How long an answer about the index's standing is good while a person types: looks take a 200th of the time at most."""
AFTER_REFRESH = 5.0  # seconds, for a refresh looked at everything: a command answers once, however slow the machine is
HEADS = 4000
"""Records whose heads are read in one pass at most, newest first."""
COLD = "There is no index yet: the conversations were read for the cue's names."
REACH = "Reading every record's whole body, tool input and output included"


class ArchiveSearcher:
    """`core.recall.search.Searcher` over an archive and its index.

    Listings are kept for the length of one searcher; `forget()` makes the next search look again.
    """

    def __init__(self, archive: Archive, index: Index, home: str) -> None:
        self._archive = archive
        self._index = index
        self._home = home
        self._known: Mapping[str, Entry] | None = None
        self._places: Mapping[str, tuple[str, str]] = {}
        self._discovery: Discovery | None = None
        self._state: IndexState | None = None
        self._beside = ProjectRecords(archive, index)
        self._looked, self._fresh = 0.0, FRESH_SECONDS
        self._spines: dict[tuple[str, int, int], Spine | ReadProblem] = {}
        self._wide: WideScan | None = None

    def forget(self, state: IndexState | None = None) -> None:
        """Drop what was listed: the archive or the index changed. `state` is how the index stands, as far as known."""
        self._known = None
        self._discovery = None
        self._state, self._looked = state, time.monotonic()
        self._fresh = self._fresh if state is None else AFTER_REFRESH
        self._beside.forget()

    def state(self) -> IndexState:
        """How the index stands to the archive, as of a moment ago. What was listed is dropped when it changed."""
        now = time.monotonic()
        if self._state is None or now - self._looked >= self._fresh:
            state = self._index.state()
            self._fresh = max(FRESH_SECONDS, FRESH_LOOKS * (time.monotonic() - now))
            if self._state is None or _essence(state) != _essence(self._state):
                self.forget()
            self._state, self._looked = state, time.monotonic()
        return self._state

    # -- searching inside the boundary

    def find(self, query: Query) -> Found:
        """Search the index, and the heads of the records that it does not hold yet."""
        state = self.state()
        if state.condition is IndexCondition.ABSENT and (cold := self._cold(query)) is not None:
            return cold
        usable = state.condition not in (IndexCondition.ABSENT, IndexCondition.DAMAGED)
        hits = ranked(self._index.search, of_sessions(query)) if usable else ()
        if usable and not hits and self._index.damage():
            # A search is where damage shows: an index that broke is a different miss from one that holds nothing.
            self._state = None
            state = self.state()
            usable = state.condition not in (IndexCondition.ABSENT, IndexCondition.DAMAGED)
        leads = [Lead(hit, found_by(hit)) for hit in hits]
        problems: tuple[ReadProblem, ...] = ()
        head_counts: dict[tuple[str, str], int] = {}
        if not usable or state.pending or state.condition is not IndexCondition.CURRENT:
            fresh, problems, head_counts = self._heads(query)
            leads = interleaved(leads, fresh)
        if usable:
            leads = self._beside.among(leads, query)
        leads = called_first(steered(leads, query.sentence), query, self.by_id)
        remarks: tuple[str, ...] = (
            (state.message,) if state.condition is IndexCondition.DAMAGED and state.message else ()
        )
        remarks += misread_words(leads)
        return Found(tuple(leads[: query.limit]), self._searched(usable, head_counts, query.filters), problems, remarks)

    def newest(self, limit: int) -> Found:
        """The newest sessions of the index alone; none where there is no index, or a damaged one."""
        hits = self._index.search(of_sessions(Query(limit=limit)))
        return Found(tuple(Lead(hit, found_by(hit)) for hit in hits))

    def _cold(self, query: Query) -> Found | None:
        """The records that hold the cue's names, where there is no index yet; `None` where names do not decide."""
        from core.recall.cold import answer_cold

        sources = [s for s in self._within(query) if s.role not in WRITTEN]

        def spine(source: Source) -> Spine | None:
            found = self._spine(source)
            return None if isinstance(found, ReadProblem) else found

        cold = answer_cold(self._archive, sources, query, spine)
        if cold is None:
            return None
        counts: dict[tuple[str, str], list[int]] = {}
        for source in cold.read:
            row = counts.setdefault((source.runtime, source.root), [0, 0])
            row[0] += 1
            row[1] += source.size
        searched = tuple(Searched(r, p, n, by_scan=n, bytes_scanned=b) for (r, p), (n, b) in counts.items())
        return Found(tuple(called_first(cold.leads, query, self.by_id)), searched, (), (COLD,))

    def _heads(self, query: Query) -> tuple[list[Lead], tuple[ReadProblem, ...], dict[tuple[str, str], int]]:
        self._known, self._places = None, self._index.places()  # it may be growing: counted there or by head
        sources = self._discover().sources
        if not names_written(query.filters):
            sources = tuple(s for s in sources if s.role not in WRITTEN)
        pending = [s for s in sources if s.path not in self._places]
        pending.sort(key=lambda s: -s.mtime_ns)
        entries: list[Entry] = []
        problems: list[ReadProblem] = []
        counts: dict[tuple[str, str], int] = {}
        for source in pending[:HEADS]:
            spine = self._spine(source)
            if isinstance(spine, ReadProblem):
                problems.append(spine)
                continue
            entries.append(Entry(source, spine))
            counts[source.runtime, source.root] = counts.get((source.runtime, source.root), 0) + 1
        leads = [Lead(hit, ("head",)) for hit in ranked(partial(rank_heads, entries), query)]
        return leads, tuple(problems[:20]), counts

    def _spine(self, source: Source) -> Spine | ReadProblem:
        key = (source.path, source.size, source.mtime_ns)
        if key not in self._spines:
            self._spines[key] = self._archive.spine(source)
        return self._spines[key]

    def _entries(self) -> Mapping[str, Entry]:
        if self._known is None:
            self._known = {e.source.path: e for e in self._index.entries()}
        return self._known

    def _at(self, path: str) -> Entry | None:
        return self._known_of((path,)).get(path)

    def _known_of(self, paths: Sequence[str]) -> Mapping[str, Entry]:
        return self._index.entries_at(paths) if self._known is None else self._known

    def entries_of(self, sources: Sequence[Source]) -> list[Entry]:
        """What the index knows of each record, or what its head says."""
        known = self._known_of([source.path for source in sources]) if sources else {}
        return [known.get(source.path) or self._headed(source) for source in sources]

    def ages_of(self, sources: Sequence[Source]) -> list[tuple[Role, float | None]]:
        """The role of each record and the time of its last word (seconds), as its entry has them."""
        known = self._index.ages_at([source.path for source in sources])
        ages = [known.get(source.path) for source in sources]
        missing = iter(self.entries_of([source for source, age in zip(sources, ages, strict=True) if age is None]))
        return [age or ((e := next(missing)).spine.role, e.spine.ended) for age in ages]

    def _headed(self, source: Source) -> Entry:
        spine = self._spine(source)
        return Entry(source, Spine() if isinstance(spine, ReadProblem) else spine)

    def _discover(self) -> Discovery:
        if self._discovery is None:
            self._discovery = self._archive.discover(self._index.projects())
        return self._discovery

    def _searched(self, usable: bool, heads: Mapping[tuple[str, str], int], filters: Filters) -> tuple[Searched, ...]:
        """Per root what was searched; a runtime outside the boundary was not."""
        counts: dict[tuple[str, str], tuple[int, int]] = {(r.runtime, r.path): (0, 0) for r in self._archive.roots}
        if usable and heads:
            for place in self._places.values():
                counts[place] = (counts.get(place, (0, 0))[0] + 1, 0)
        elif usable:
            counts.update(self._index.counts())
        rows = []
        for (runtime, root), (indexed, unreadable) in counts.items():
            by_head = heads.get((runtime, root), 0)
            if reads(runtime, filters) and (indexed or by_head or unreadable):
                rows.append(Searched(runtime, root, indexed + by_head, indexed, by_head, 0, unreadable))
        return tuple(rows)

    def roots(self) -> tuple[Searched, ...]:
        """Each root that holds records, and how many of them the index holds."""
        if self.state().condition is IndexCondition.CURRENT:
            return self._beside.roots()
        counts: dict[tuple[str, str], list[int]] = {}
        known = self._entries()
        for source in self._discover().sources:
            row = counts.setdefault((source.runtime, source.root), [0, 0])
            row[0] += 1
            row[1] += source.path in known
        return tuple(Searched(runtime, root, total, held) for (runtime, root), (total, held) in counts.items())

    # -- opening

    def entry(self, locator: Locator) -> Entry | None:
        """The record at a locator, from the index or from its file."""
        known = self._at(locator.path)
        if known is not None:
            return known
        return next((self._headed(s) for s in self._discover().sources if s.path == locator.path), None)

    def by_id(self, session_id: str) -> tuple[Entry, ...]:
        """The records whose session id is, or begins with, `session_id` (at least 4 characters), newest first."""
        sought = session_id.lower()
        entries = dict(self._entries())
        for source in self._discover().sources:
            if source.path not in entries and source.session_id.lower().startswith(sought):
                spine = self._spine(source)
                if not isinstance(spine, ReadProblem):
                    entries[source.path] = Entry(source, spine)
        found = [e for e in entries.values() if _matches_id(e, sought)]
        exact = [e for e in found if sought in (e.spine.session_id.lower(), e.source.session_id.lower())]
        return tuple(sorted(exact or found, key=lambda e: (e.spine.role.value != "main", -(e.spine.ended or 0.0))))

    def named(self, locator: Locator, query: Query) -> Lead | None:
        """The record a person pointed at, with the passages that the query reaches in it."""
        here = Filters(sessions=(locator.session_id,)) if locator.session_id else Filters()
        pointed = replace(query, filters=here, excluded=frozenset(), windows=(), without=(), limit=20)
        for hit in self._index.search(pointed) if locator.session_id else ():
            if hit.entry.source.path == locator.path:
                return Lead(hit, ("index",))
        entry = self.entry(locator)
        return Lead(Hit(entry, 0.0, 1.0, (), ()), ("head",)) if entry is not None else None

    def open(self, lead: Lead, query: Query) -> Opened | ReadProblem:
        """Read the record once, keeping the turns that the query reaches and those that frame them."""
        from core.recall.grounding import gather

        source = lead.hit.entry.source
        if lead.hit.entry.standing is Standing.GONE or not record_exists(source.path):
            return ReadProblem(
                source.path, None, "Its file is gone.", "What the index holds of it is listed; the text cannot be told."
            )
        reading = self._archive.read(source, None, talk_only=True)
        spans = {(p.line, p.start): p.score + 1e-9 for p in lead.hit.passages}
        opened = gather(reading, source.path, spans, {t.text: t.weight for t in query.terms})
        if lead.reached:
            opened = replace(opened, reached=lead.reached)
        if not opened.turns and not opened.reached:
            why = reading.problems[0].what if reading.problems else "It holds no conversation."
            return ReadProblem(source.path, None, why)
        return replace(opened, problems=reading.problems)

    def traits(self, lead: Lead) -> Traits | None:
        """The ties that a record offers, read from its conversation."""
        from core.recall.traits import read_traits

        source = lead.hit.entry.source
        if lead.hit.entry.standing is Standing.GONE or not record_exists(source.path):
            return None
        reading = self._archive.read(source, None, talk_only=True)
        traits = read_traits(lead.hit.entry, reading, lead.hit.terms, parentage(source))
        return replace(traits, checkouts=self._beside.checkouts_of(lead.hit.entry))

    def changes(self, artifact: Artifact, leads: Sequence[Lead]) -> Changes | ReadProblem | None:
        """Every change of a file in the first project of these candidates that tracks it."""
        return self._beside.changes(artifact, leads, self._entries())

    def receipts(self, paths: Sequence[str]) -> Mapping[str, Receipt]:
        """The capture receipts of the records at these paths."""
        return self._index.receipts(paths)

    def outcome(self, entry: Entry) -> CaptureOutcome | None:
        """What a hypomnesis store beside the record says of its capture."""
        from core.records.outcomes import outcome_of

        return outcome_of(entry.source, entry.spine.session_id or entry.source.session_id)

    def unwritten(self, entry: Entry) -> tuple[str, ...]:
        """Sessions that the record was forked from or begun as, without a record of their own. A parent without one is
        told where it matters: beside the command that resumes it."""

        named = (entry.spine.forked_from, parentage(entry.source).begun_as)
        return tuple(i for i in dict.fromkeys(named) if i and not self.by_id(i))

    def handle(self, entry: Entry) -> Handle:
        """How to go on with the record's session; a subagent's leads to the session that started it."""
        from core.recall.handles import resume_handle

        parent_id = entry.spine.parent_id or entry.source.parent_id or entry.spine.forked_from
        parent = None
        if parent_id:
            parent = next((e for e in self.by_id(parent_id) if e.source.runtime == entry.source.runtime), None)
        return resume_handle(entry, parent, self._home, lambda path: Path(path).is_dir())

    # -- the wider search

    def expansion(self, query: Query) -> Expansion | None:
        """Reading whole bodies, where the cue has words to look for."""
        if not rounds_of(query):
            return None
        sources = self._within(query)
        size = sum(s.size for s in sources)
        if not sources:
            return None
        roots = tuple(dict.fromkeys(s.root for s in sources))
        return Expansion(REACH, len(sources), size, size / SCAN_BYTES_PER_SECOND, roots)

    def _within(self, query: Query) -> list[Source]:
        """The sources inside the query's boundary of runtimes; other filters are applied to what is found."""
        return self._inside(query, self._discover().sources)

    @staticmethod
    def _inside(query: Query, sources: Sequence[Source]) -> list[Source]:
        """Those of the sources that are inside it."""
        read = {runtime for runtime in {s.runtime for s in sources} if reads(runtime, query.filters)}
        # all of the text of what was written beside sessions is in the index
        return [s for s in sources if s.runtime in read and s.path not in query.excluded and s.role not in WRITTEN]

    def foresee(self, query: Query, foreseen: Foreseen | None = None) -> None:
        """Have the bodies of what is there now sifted while the index is asked."""
        if self._wide is not None:
            self._wide.close()
        self._wide = self._begun(query, foreseen)

    def held_already(self, query: Query) -> int:
        """How many files hold what was begun to be looked for."""
        return self._wide.held_already() if self._wide is not None and self._wide.query is query else 0

    def unasked(self, query: Query) -> Found | None:
        """Where the index holds everything as it is, what was searched."""
        state = self.state()
        if state.condition is not IndexCondition.CURRENT or state.pending:
            return None
        return Found(searched=self._searched(True, {}, query.filters))

    def scan(self, query: Query, progress: ProgressCall | None, cancelled: Callable[[], bool]) -> Found:
        """Read whole bodies for the cue's names or rarest words."""
        wide = self._wide if self._wide is not None and self._wide.query is query else self._begun(query)
        self._wide = None
        return wide.found(self, progress, cancelled)

    def _begun(self, query: Query, foreseen: Foreseen | None = None) -> WideScan:
        from core.recall.wide import WideScan

        self._known = self._discovery = None
        return WideScan(self._archive, self._inside(query, self.listing().sources), query, foreseen)

    def listing(self) -> AsListed:
        """Every record there is, by what was looked at a moment ago where that says it."""
        return self._index.listed(AFTER_REFRESH) or AsListed(self._discover().sources, self._discover().problems)


def _essence(state: IndexState) -> tuple[object, ...]:
    """What a listing depends on."""
    return state.condition, state.records, state.pending, state.built_at


def _matches_id(entry: Entry, sought: str) -> bool:
    if len(sought) < 4:
        return False
    return entry.spine.session_id.lower().startswith(sought) or entry.source.session_id.lower().startswith(sought)
