"""The one object every face talks to: the archive, the index and the dialogue behind them.

A face builds a `Library` at its composition root and hands it to screens. Nothing here prints or draws.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

from core.candidates import Candidate, Candidates
from core.ports import (
    Clock,
    Deepened,
    Entry,
    Hit,
    Index,
    IndexCondition,
    IndexState,
    ProgressCall,
    Refreshed,
    Standing,
)
from core.recall.archive_search import ArchiveSearcher
from core.recall.by_date import begun, by_date, opened
from core.recall.cue import event_texts, read_cue
from core.recall.dated import find_of_time
from core.recall.events import NamedTime, resolve_events
from core.recall.model import Advance, Context, Handle, Scope, Searched, Utterance
from core.recall.quotes import best_quote
from core.recall.search import Found, Lead
from core.recall.thread import Thread
from core.recall.wording import gist
from core.records.archive import Archive
from core.records.model import Locator, ReadProblem, Role, Source, Turn
from core.records.rawline import line_start, raw_line
from core.records.robots import without_robots
from core.text import one_line, shown

if TYPE_CHECKING:
    from core.recall.dialogue import Ports
    from core.records.sieve import Foreseen

GIST = 300
"""Characters of a candidate's gist: enough for the clause that answers (reference/peers.md 2a, DV#1142)."""


class LocalClock:
    """The machine's clock, in its own time zone."""

    def now(self) -> datetime:
        """The current time; in UTC where the machine's zone is none that exists (`TZ=<+99>-99`)."""
        try:
            return datetime.now().astimezone()
        except ValueError:
            return datetime.now(UTC)


def _never() -> bool:
    return False


class Library:
    """Records, index and dialogue of one person."""

    def __init__(
        self,
        archive: Archive,
        index: Index,
        home: str,
        clock: Clock | None = None,
        named_times: Callable[[], Sequence[NamedTime]] | None = None,
    ) -> None:
        self.archive = archive
        self.index = index
        self.searcher = ArchiveSearcher(archive, index, home)
        self.clock: Clock = clock or LocalClock()
        self.named_times = named_times or self._tags
        """Moments that something beside the conversations names, by which cues may date; git tags if nothing is given."""

    # -- the dialogue

    def start(
        self,
        cue: str,
        scope: Scope,
        *,
        progress: ProgressCall | None = None,
        cancelled: Callable[[], bool] = _never,
    ) -> Advance:
        """Begin a dialogue with a cue."""
        from core.recall.dialogue import begin  # the dialogue is not needed by lists and searches: 15 ms of CPU

        return begin(cue, self._ports(scope, progress, cancelled))

    def say(
        self,
        context: Context,
        utterance: Utterance,
        scope: Scope,
        *,
        progress: ProgressCall | None = None,
        cancelled: Callable[[], bool] = _never,
    ) -> Advance:
        """Take the person's next turn."""
        from core.recall.dialogue import say

        return say(context, utterance, self._ports(scope, progress, cancelled))

    def _ports(self, scope: Scope, progress: ProgressCall | None, cancelled: Callable[[], bool]) -> Ports:
        from core.recall.dialogue import Ports

        return Ports(self.searcher, self.clock, scope, progress, cancelled, self.named_times)

    def _tags(self) -> Sequence[NamedTime]:
        """The tags of the projects' histories, as far as they are indexed."""
        spines = (e.spine for e in self.index.entries() if e.spine.role is Role.TAG)
        return tuple(NamedTime(s.named(), s.started) for s in spines if s.started is not None)

    def may_answer_cold(self, cue: str, scope: Scope) -> bool:
        """True if there is no index yet and the cue holds a name that can be found without one."""
        if self.searcher.state().condition is not IndexCondition.ABSENT:
            return False
        from core.recall.cold import names_of

        return bool(names_of(read_cue(Thread(cue_texts=(cue,)), self.clock.now(), scope).query))

    # -- lists

    def candidates(self, text: str, scope: Scope, limit: int = 50) -> Candidates:
        """The live list while a person types; without words, every record, newest first."""
        return self.search(text, scope, limit, gists=False)

    def search(
        self,
        text: str,
        scope: Scope,
        limit: int = 10,
        *,
        wide: bool = False,
        gists: bool = True,
        progress: ProgressCall | None = None,
        cancelled: Callable[[], bool] = _never,
        foreseen: Foreseen | None = None,
    ) -> Candidates:
        """Records that fit a cue, best first. `wide` reads whole bodies too, for which `foreseen` may have begun; `gists` opens
        each at its best passage."""
        thread = Thread(cue_texts=(text,) if text.strip() else ())
        now = self.clock.now()
        dated = event_texts(thread, now) if gists else []  # not while typing: an event costs a search of its own
        cue = read_cue(thread, now, scope, resolve_events(dated, now, self.searcher.find, self.named_times))
        query = replace(cue.query, limit=limit, deep=gists)
        find = partial(find_of_time, query, self.searcher.find) if cue.dated else partial(self.searcher.find, query)
        if wide:
            from core.recall.wide import widely  # 5 ms that most searches do without

            self.searcher.foresee(query, foreseen)
            found = widely(self.searcher, query, find, progress, cancelled)
        else:
            found = find()
        state = self.searcher.state()
        words = {t.text: t.weight for t in query.terms}
        found, folded = (found, 0) if text.strip() or scope.filters.kinds else _folded(found)
        hints = (f"{folded:,} sessions of programs are folded; is:robot shows them.",) if folded else ()
        return Candidates(
            rows=tuple(self._row(lead, words if gists else None) for lead in found.leads),
            condition=state.condition,
            hints=(*cue.hints, *found.remarks, *hints),
            folded=folded,
            searched=found.searched,
            pending=state.pending,
            cue=cue,
            problems=found.problems,
        )

    def newest(self, limit: int = 50) -> tuple[Candidate, ...]:
        """The newest sessions that the index holds, before anybody looks how it stands to the archive: what an app shows until
        `candidates` has answered."""
        found, _ = _folded(self.searcher.newest(limit))
        return tuple(self._row(lead, None) for lead in found.leads)

    def listed(self, scope: Scope, *, robots: bool = False, parts: bool = True, limit: int = 0) -> Candidates:
        """Every record by date, newest first, or the newest `limit`; sessions of programs are folded unless asked for.
        Without `parts` only sessions of their own: no subagents, no reviews."""
        every, searched = by_date(self.index, self.searcher, scope.filters)
        kept = every if robots else without_robots(every, begun)
        told = kept if parts else [one for one in kept if begun(one).role is Role.MAIN]
        rows = tuple(self._row(opened(one), None) for one in told[: limit or None])
        return Candidates(rows, self.state().condition, searched=searched, folded=len(every) - len(kept))

    def row(self, entry: Entry) -> Candidate:
        """A record as a row of a list."""
        return self._row(Lead(Hit(entry, 0.0, 0.0, (), ()), ()), None)

    def _row(self, lead: Lead, words: dict[str, float] | None) -> Candidate:
        entry = lead.hit.entry
        spine = entry.spine
        kind = "fork" if spine.forked_from and spine.role.value == "main" else spine.role.value
        return Candidate(
            locator=entry.locator(),
            phrase=gist(entry),
            project=one_line(spine.project.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1]),
            branch=one_line(spine.branch),
            started=spine.started,
            ended=spine.ended,
            kind=kind,
            archived=entry.source.archived,
            gone=entry.standing is Standing.GONE,
            score=lead.hit.score,
            fit=lead.hit.fit,
            passages=lead.hit.passages,
            terms=lead.hit.terms,
            matched_by=lead.matched_by,
            gist=self._gist(lead, words) if words is not None else "",
            written=entry.source.written(),
        )

    def _gist(self, lead: Lead, words: dict[str, float]) -> str:
        """The text around the best match, read from the record."""
        if lead.reached:
            turns: tuple[Turn, ...] = (lead.reached[0].turn,)
        elif lead.hit.passages and lead.hit.entry.standing is Standing.PRESENT:
            best = lead.hit.passages[0]
            turns = self.archive.at(lead.hit.entry.source, best.line, best.start)
        else:
            return ""
        for turn in turns:
            if span := best_quote(turn.text, words, GIST):
                return one_line(turn.text[span[0] : span[1]])
        return ""

    # -- records

    def entry(self, locator: Locator) -> Entry | None:
        """The record at a locator."""
        return self.searcher.entry(locator)

    def by_id(self, session_id: str) -> tuple[Entry, ...]:
        """Records whose session id is or begins with this (4 characters at least)."""
        return self.searcher.by_id(session_id)

    def by_path(self, path: str) -> Entry | None:
        """The record at this path (absolute, symbolic links resolved)."""
        return self.searcher.entry(Locator("", "", "", path))

    def find(self, path: str, line: int) -> tuple[Locator, int] | None:
        """The record at a path, or the one whose line it is, and the byte offset of the line; `None` if none is read there."""
        from core.records.cited import record_at

        file = os.path.realpath(os.path.expanduser(path))
        entry = self.by_path(record_at(file, line) or file)
        if entry is None or entry.standing is Standing.GONE:
            return None
        return entry.locator(), line_start(entry.source.path, line) or 0

    def window(
        self, locator: Locator, line: int, start: int, before: int, after: int
    ) -> tuple[Turn, ...] | ReadProblem:
        """The turns of a line and of the lines around it, for a viewer."""
        source = self._source(locator)
        if isinstance(source, ReadProblem):
            return source
        return self.archive.window(source, line, start, before, after)

    def raw_line(self, path: str, line: int, start: int) -> str:
        """The raw text of one physical line, bounded and shown()."""
        return shown(raw_line(path, start if start or line == 1 else line_start(path, line) or 0))

    def handle(self, locator: Locator) -> Handle:
        """How to go on with the session of a record."""
        entry = self.entry(locator)
        if entry is None:
            return Handle(note="The record is not in the archive any more.")
        return self.searcher.handle(entry)

    def export(self, locator: Locator, form: str) -> str:
        """The record as Markdown (`md`), JSON (`json`) or HTML (`html`), masked and printable."""
        from core.recall.export import export_record

        entry = self.entry(locator)
        source = self._source(locator)
        if entry is None or isinstance(source, ReadProblem):
            return ""
        return export_record(entry, self.archive.read(source), form).text

    def _source(self, locator: Locator) -> Source | ReadProblem:
        entry = self.entry(locator)
        if entry is None:
            return ReadProblem(
                locator.path, None, "The record is not in the archive.", "Run: recollect status, to see what is read."
            )
        if entry.standing is Standing.GONE:
            return ReadProblem(
                locator.path, None, "The record's file is gone.", "What the index holds of it is listed."
            )
        return entry.source

    # -- the index

    def state(self) -> IndexState:
        """How the index stands to the archive."""
        return self.searcher.state()

    def refresh(
        self, *, progress: ProgressCall | None = None, seconds: float | None = None, rebuild: bool = False
    ) -> Refreshed:
        """Bring the index up to date."""
        done = self.index.refresh(progress=progress, seconds=seconds, rebuild=rebuild)
        self.searcher.forget(done.state)
        return done

    def deepen(self, *, progress: ProgressCall | None = None, seconds: float | None = None) -> Deepened:
        """Read the meanings of records that have none yet."""
        return self.index.deepen(progress=progress, seconds=seconds)

    def meanings_pending(self) -> bool:
        """True if an encoder is there and what some records mean was not read yet."""
        done = self.index.deepen(seconds=0.0)
        return done.available and done.pending > 0

    def reload(self) -> None:
        """Look at the archive and the index afresh: another process changed them."""
        self.searcher.forget()

    def roots(self) -> tuple[Searched, ...]:
        """Each root that holds records, and how many the index holds of it."""
        return self.searcher.roots()


def _folded(found: Found) -> tuple[Found, int]:
    """A list without the sessions that no person held, and how many those are (formats.md A4)."""
    kept = tuple(without_robots(found.leads, begun))
    return replace(found, leads=kept), len(found.leads) - len(kept)
