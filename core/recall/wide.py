"""The wider search: whole record bodies, read for a cue's names or its rarest words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from core.frozen import dataclass
from core.ports import Entry, Hit, Passage, Progress, ProgressCall, Query
from core.recall.boundary import passes, within
from core.recall.model import Searched
from core.recall.needles import carried, needles_of
from core.recall.search import Found, Lead, Placed
from core.recall.wording import scan_words
from core.records.archive import Archive
from core.records.model import Role, Source
from core.records.scan import ScanHit, needles_for, scan
from core.records.sieve import Sieve

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
        """What it is ordered by: its hits, and whether it is a session of its own."""
        return len(self.hits) / (1 + len(self.hits)) + (MAIN if self.entry.spine.role is Role.MAIN else 0.0)


class WideScan:
    """One wider search. From the moment it is made, files are sifted for what it looks for first."""

    def __init__(self, archive: Archive, sources: Sequence[Source], query: Query) -> None:
        self.query = query
        self._archive, self._sources, self._groups = archive, sources, needles_of(query)
        self._begun: Sieve | None = Sieve(sources, needles_for(self._groups[0])) if self._groups else None

    def found(
        self,
        known_of: Callable[[Sequence[str]], Mapping[str, Entry]],
        headed: Callable[[Source], Entry],
        progress: ProgressCall | None,
        cancelled: Callable[[], bool],
    ) -> Found:
        """The records that hold a group of the needles, the first group that any does. `known_of` answers what the index
        knows of the records at these paths, `headed` what a record's head says of one that it does not know."""
        reading = _Reading(progress)
        hits: dict[str, list[ScanHit]] = {}
        needles: tuple[str, ...] = ()
        for needles in self._groups:
            begun, self._begun = self._begun, None
            for hit in scan(
                self._archive, self._sources, needles, progress=reading.heard, cancelled=cancelled, begun=begun
            ):
                hits.setdefault(hit.source.path, []).append(hit)
            if hits or cancelled():
                break
        known = known_of(list(hits))
        each = [(known.get(path) or headed(group[0].source), group) for path, group in hits.items()]
        filters, windows = self.query.filters, self.query.windows
        likely = [_Likely(entry, group) for entry, group in each if passes(entry, filters) and within(entry, windows)]
        likely.sort(key=lambda one: (-one.score, -(one.entry.spine.ended or 0.0)))
        searched = self._searched(reading.read)
        whole = scan_words(
            sum(s.by_scan for s in searched), sum(s.bytes_scanned for s in searched), len(likely), needles
        )
        remarks = (STOPPED,) if cancelled() else (whole,) * bool(needles)
        return Found(tuple(map(self._lead, likely[: self.query.limit])), searched, (), remarks)

    def close(self) -> None:
        """Stop what was begun and will not be asked for."""
        if self._begun is not None:
            self._begun.close()

    def _searched(self, read: int) -> tuple[Searched, ...]:
        """Per root: its records, and how many of them were read whole."""
        counts: dict[tuple[str, str], list[int]] = {}
        for number, source in enumerate(self._sources):
            row = counts.setdefault((source.runtime, source.root), [0, 0, 0])
            row[0] += 1
            if number < read:
                row[1] += 1
                row[2] += source.size
        return tuple(Searched(r, p, n, by_scan=s, bytes_scanned=b) for (r, p), (n, s, b) in counts.items())

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


class _Reading:
    """How many records a scan has read whole, in the order they were given, while a caller hears its progress."""

    def __init__(self, call: ProgressCall | None) -> None:
        self._call = call
        self.read = 0

    def heard(self, progress: Progress) -> bool:
        """Note how far it is; False if the caller wants to stop."""
        self.read = max(self.read, progress.records)
        return True if self._call is None else self._call(progress)
