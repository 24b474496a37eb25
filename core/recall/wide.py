"""The wider search: whole record bodies, read for a cue's names or its rarest words."""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Sequence
from typing import Protocol

from core.frozen import dataclass
from core.ports import Entry, Filters, Hit, Passage, Progress, ProgressCall, Query
from core.recall.boundary import passes, speaks, within
from core.recall.model import Searched
from core.recall.needles import carried, rounds_of
from core.recall.quotes import matched_spans
from core.recall.search import Found, Lead, Placed, Searcher, joined
from core.recall.wording import nothing_wider_words, scan_words
from core.records.archive import Archive
from core.records.model import Role, Source
from core.records.needles import needles_for
from core.records.scan import MAX_HITS, Body, ScanHit, holding
from core.records.sieve import Foreseen, Sieve, files_of

MAIN = 0.5
"""What a session of its own has over a part of one."""
STOPPED = "The wider search was stopped; this is what it had found."


@dataclass(frozen=True, slots=True)
class _Likely:
    """A record with its hits."""

    entry: Entry
    hits: Sequence[ScanHit]

    @property
    def score(self) -> float:
        """What it is ordered by first."""
        return _score(len(self.hits), self.entry.spine.role)


class Known(Protocol):
    """What is known of records without their bodies: by the index, or by their heads."""

    def entries_of(self, sources: Sequence[Source]) -> list[Entry]:
        """All that is known of each."""
        ...

    def ages_of(self, sources: Sequence[Source]) -> list[tuple[Role, float | None]]:
        """Of each the role and the time of its last word (seconds), as its entry has them."""
        ...


def _score(hits: int, role: Role) -> float:
    """What a record's hits count, and that it is a session of its own."""
    return hits / (1 + hits) + (MAIN if role is Role.MAIN else 0.0)


def _told(searched: Sequence[Searched], held: int, ways: Sequence[Sequence[str]]) -> str:
    """What was read for these needles, and how many records hold them."""
    if not ways:
        return nothing_wider_words(scanned=False)
    size, unread = sum(s.bytes_scanned for s in searched), sum(s.unreadable for s in searched)
    return scan_words(sum(s.by_scan for s in searched), size, held, ways, unread)


def _together(ways: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Every needle of these ways."""
    return tuple(dict.fromkeys(needle for way in ways for needle in way))


def _order(score: float, ended: float | None) -> tuple[float, float]:
    """A place among others: ascending, the best first."""
    return -score, -(ended or 0.0)


class WideScan:
    """One wider search. From the moment it is made, files are sifted for what it looks for first."""

    def __init__(
        self, archive: Archive, sources: Sequence[Source], query: Query, foreseen: Foreseen | None = None
    ) -> None:
        """`foreseen`: what was begun before anybody knew what the records are."""
        self.query = query
        self._archive, self._sources, self._rounds = archive, sources, rounds_of(query)
        self._unread: set[str] = set()
        wanted = needles_for(_together(self._rounds[0])) if self._rounds else []
        self._begun = foreseen.over(sources, wanted) if foreseen is not None else None
        if self._begun is None and wanted:
            self._begun = Sieve(files_of(sources), wanted)

    def found(
        self,
        known: Known,
        progress: ProgressCall | None,
        cancelled: Callable[[], bool],
    ) -> Found:
        """The records that hold what is looked for, by the first round in which any does, best first."""
        reading = _Reading(progress)
        bodies: dict[str, Body] = {}
        ways: tuple[tuple[str, ...], ...] = ()
        roles = self.query.filters.roles
        for ways in self._rounds:
            begun, self._begun = self._begun, None
            for body in holding(
                self._archive, self._sources, _together(ways), progress=reading.heard, cancelled=cancelled, begun=begun,
                ways=ways, speaks=lambda origin: speaks(origin, roles), unread=self._unread,
            ):  # fmt: skip
                bodies.setdefault(body.source.path, body)
            if bodies or cancelled():
                break
        held = self._without(self._inside(list(bodies.values()), known), cancelled)
        best = self._best(held, known, cancelled)
        searched = self._searched(reading.read)
        remarks = (STOPPED if cancelled() else _told(searched, len(held), ways),)
        return Found(tuple(map(self._lead, best)), searched, (), remarks)

    def _inside(self, bodies: list[Body], known: Known) -> list[Body]:
        """Those inside the boundary. What the index knows of all of them is read only where there is one."""
        filters, windows = self.query.filters, self.query.windows
        if filters == Filters(roles=filters.roles) and not any(w.hard for w in windows):
            return bodies
        entries = known.entries_of([body.source for body in bodies])
        return [b for b, e in zip(bodies, entries, strict=True) if passes(e, filters) and within(e, windows)]

    def _without(self, bodies: list[Body], cancelled: Callable[[], bool]) -> list[Body]:
        """Those whose conversation holds none of the words that no candidate may hold."""
        for text in self.query.without:
            sources = [body.source for body in bodies]
            likely = holding(self._archive, sources, (text,), talk_only=True, cancelled=cancelled)
            refused = {body.source.path for body in likely if self._says(body.source, text)}
            bodies = [body for body in bodies if body.source.path not in refused]
        return bodies

    def _says(self, source: Source, text: str) -> bool:
        """Whether the conversation of a record holds a text as a word of its own."""
        return any(matched_spans(turn.text, {text: 1.0}) for turn in self._archive.read(source, None, talk_only=True))

    def _best(self, bodies: Sequence[Body], known: Known, cancelled: Callable[[], bool]) -> list[_Likely]:
        """The best of them, as many as are asked for. A record's hits are read while it may still be one of these: most have
        as many as are counted, so that the newest decide."""
        ages = known.ages_of([body.source for body in bodies])
        most = [_order(_score(MAX_HITS, role), ended) for role, ended in ages]
        best: list[tuple[tuple[float, float], int, list[ScanHit]]] = []
        for number in sorted(range(len(bodies)), key=most.__getitem__):
            if len(best) == self.query.limit and (cancelled() or best[-1][:2] < (most[number], number)):
                break
            if hits := bodies[number].hits():  # none, where its file went away since
                role, ended = ages[number]
                insort(best, (_order(_score(len(hits), role), ended), number, hits))
                del best[self.query.limit :]
        entries = known.entries_of([bodies[number].source for _, number, _ in best])
        return [_Likely(entry, hits) for entry, (*_, hits) in zip(entries, best, strict=True)]

    def held_already(self) -> int:
        """How many files hold a needle, as far as that is known without waiting."""
        return self._begun.so_far() if self._begun is not None else 0

    def close(self) -> None:
        """Stop what was begun and will not be asked for."""
        if self._begun is not None:
            self._begun.close()

    def _searched(self, read: int) -> tuple[Searched, ...]:
        """Per root: its records, and how many of them were read whole."""
        counts: dict[tuple[str, str], list[int]] = {}
        for number, source in enumerate(self._sources):
            row = counts.setdefault((source.runtime, source.root), [0, 0, 0, 0])
            row[0] += 1
            if source.path in self._unread:
                row[3] += 1
            elif number < read:
                row[1] += 1
                row[2] += source.size
        return tuple(
            Searched(r, p, n, by_scan=s, bytes_scanned=b, unreadable=u) for (r, p), (n, s, b, u) in counts.items()
        )

    def _lead(self, one: _Likely) -> Lead:
        """What is told of a record; only of those that are shown, for how well a text fits costs more than to find it."""
        path = one.entry.source.path
        passages = tuple(
            Passage(h.turn.line, h.turn.start, h.turn.end, h.turn.origin, h.turn.at, 1.0, ())
            for h in one.hits
            if h.path == path
        )
        reached = tuple(Placed(h.turn, h.path) for h in one.hits)
        fit = max(carried(h.turn.text, self.query) for h in one.hits)
        return Lead(Hit(one.entry, one.score, fit, passages, ()), ("scan",), reached)


def widely(
    searcher: Searcher,
    query: Query,
    find: Callable[[], Found],
    progress: ProgressCall | None,
    cancelled: Callable[[], bool],
) -> Found:
    """What whole bodies hold, then what `find` brings beside, as many as are asked for. What ranks in the index is asked while
    files are sifted, or not at all: where enough bodies hold the words, nothing else is shown."""
    asked = None if searcher.held_already(query) >= query.limit else find()
    scanned = searcher.scan(query, progress, cancelled)
    enough = asked is None and len(scanned.leads) >= query.limit
    found = (searcher.unasked(query) if enough else None) or asked or find()
    seen = {lead.hit.entry.source.path for lead in scanned.leads}
    rest = (lead for lead in found.leads if lead.hit.entry.source.path not in seen)
    leads = (*scanned.leads, *rest)[: query.limit]
    return Found(leads, joined(found.searched, scanned.searched), found.problems, scanned.remarks)


class _Reading:
    """How many records a scan has read whole, in the order they were given, while a caller hears its progress."""

    def __init__(self, call: ProgressCall | None) -> None:
        self._call = call
        self.read = 0

    def heard(self, progress: Progress) -> bool:
        """Note how far it is; False if the caller wants to stop."""
        self.read = max(self.read, progress.records)
        return True if self._call is None else self._call(progress)
