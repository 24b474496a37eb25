"""A made-up archive behind the searcher port: records are lists of turns, found by the words they share with a query."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from core.ports import Entry, Extractor, Hit, Passage, ProgressCall, Query, Reach, Receipt
from core.recall.artifacts import Artifact
from core.recall.boundary import passes, within
from core.recall.grounding import gather
from core.recall.model import Expansion, Handle, Searched
from core.recall.needles import needles_of
from core.recall.search import Changes, Found, Lead, Opened, Placed
from core.recall.traits import Traits, read_traits
from core.records.model import Channel, Locator, Origin, ReadProblem, Role, Source, Spine, Tally, Turn
from core.records.outcomes import CaptureOutcome
from core.records.sieve import Foreseen

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
DAY = 86400.0


@dataclass(frozen=True)
class FixedClock:
    """Always the same noon."""

    at: datetime = NOON

    def now(self) -> datetime:
        return self.at


@dataclass(frozen=True)
class FakeRecord:
    """One record: what was said, and what only a scan reaches."""

    name: str
    said: tuple[tuple[Origin, str], ...]
    hidden: tuple[str, ...] = ()
    opens: bool = True
    runtime: str = "claude"
    project: str = "/code/one"
    started: float = NOON.timestamp() - 30 * DAY
    title: str = ""
    role: Role = Role.MAIN

    @property
    def path(self) -> str:
        return f"/archive/{self.runtime}/{self.name}.jsonl"

    def turns(self) -> list[Turn]:
        return [
            Turn(origin, Channel.TALK, text, self.started + n, n + 1, n * 100, n * 100 + 99)
            for n, (origin, text) in enumerate(self.said)
        ]

    def entry(self) -> Entry:
        source = Source(self.runtime, f"/archive/{self.runtime}", self.path, self.name, 1000, 1)
        prompt = next((t for o, t in self.said if o is Origin.PERSON), "")
        spine = Spine(
            session_id=self.name,
            title=self.title,
            role=self.role,
            first_prompt=prompt,
            project=self.project,
            cwds=(self.project,),
            started=self.started,
            ended=self.started + len(self.said),
            prompts=sum(origin is Origin.PERSON for origin, _ in self.said),
        )
        return Entry(source, spine)


@dataclass
class FakeSearcher:
    """Finds by shared words, opens what opens, scans what is hidden."""

    records: tuple[FakeRecord, ...]
    receipts_: dict[str, Receipt] = field(default_factory=dict)
    opened: list[str] = field(default_factory=list)
    outcomes: dict[str, CaptureOutcome] = field(default_factory=dict)

    def find(self, query: Query) -> Found:
        leads = []
        words = {t.text.lower(): t.weight for t in query.terms}
        for record in self.records:
            entry = record.entry()
            if record.path in query.excluded or not passes(entry, query.filters) or not within(entry, query.windows):
                continue
            passages = []
            for turn in record.turns():
                score = sum(w for word, w in words.items() if word in turn.text.lower())
                if score or not words:
                    passages.append(Passage(turn.line, turn.start, turn.end, turn.origin, turn.at, score, ()))
            if passages:
                passages.sort(key=lambda p: -p.score)
                total = sum(words.values()) or 1.0
                found = tuple(w for w in words if any(w in t.text.lower() for t in record.turns()))
                hit = Hit(entry, passages[0].score, passages[0].score / total, tuple(passages), found)
                leads.append(Lead(hit, ("index",)))
        leads.sort(key=lambda lead: -lead.hit.score)
        return Found(tuple(leads[: query.limit]), self._searched())

    def _searched(self) -> tuple[Searched, ...]:
        count = len(self.records)
        return (Searched("claude", "/archive/claude", count, by_index=count),) if count else ()

    def named(self, locator: Locator, query: Query) -> Lead | None:
        for lead in self.find(replace(query, excluded=frozenset(), windows=(), limit=1000)).leads:
            if lead.hit.entry.source.path == locator.path:
                return lead
        for record in self.records:
            if record.path == locator.path:
                return Lead(Hit(record.entry(), 0.0, 1.0, (), ()), ("head",))
        return None

    def _record(self, path: str) -> FakeRecord:
        return next(r for r in self.records if r.path == path)

    def open(self, lead: Lead, query: Query) -> Opened | ReadProblem:
        path = lead.hit.entry.source.path
        record = self._record(path)
        self.opened.append(path)
        if not record.opens:
            return ReadProblem(path, None, "Its file cannot be read.")
        spans = {(p.line, p.start): p.score for p in lead.hit.passages}
        opened = gather(record.turns(), path, spans, {t.text: t.weight for t in query.terms})
        return replace(opened, reached=lead.reached) if lead.reached else opened

    def traits(self, lead: Lead) -> Traits | None:
        record = self._record(lead.hit.entry.source.path)
        return read_traits(record.entry(), record.turns(), lead.hit.terms) if record.opens else None

    def changes(self, artifact: Artifact, leads: Sequence[Lead]) -> Changes | ReadProblem | None:
        return None

    def receipts(self, paths: Sequence[str]) -> Mapping[str, Receipt]:
        return {p: self.receipts_[p] for p in paths if p in self.receipts_}

    def outcome(self, entry: Entry) -> CaptureOutcome | None:
        return self.outcomes.get(entry.source.path)

    def unwritten(self, entry: Entry) -> tuple[str, ...]:
        return ()

    def handle(self, entry: Entry) -> Handle:
        return Handle(f"claude --resume {entry.spine.session_id}", ("claude", "--resume", entry.spine.session_id))

    def expansion(self, query: Query) -> Expansion | None:
        if not needles_of(query) or not any(r.hidden for r in self.records):
            return None
        return Expansion("Reading every record whole", len(self.records), 1000, 0.1)

    def foresee(self, query: Query, foreseen: Foreseen | None = None) -> None:
        """Nothing to begin."""

    def held_already(self, query: Query) -> int:
        return 0

    def unasked(self, query: Query) -> Found | None:
        return None

    def scan(self, query: Query, progress: ProgressCall | None, cancelled: Callable[[], bool]) -> Found:
        leads = []
        for record in self.records:
            if record.path in query.excluded:
                continue
            for needles in needles_of(query):
                for n, text in enumerate(record.hidden):
                    if all(needle.lower() in text.lower() for needle in needles):
                        turn = Turn(Origin.EXTERNAL, Channel.RESULT, text, record.started, 50 + n, 5000, 5099, "Bash")
                        hit = Hit(record.entry(), 1.0, 1.0, (), ())
                        leads.append(Lead(hit, ("scan",), (Placed(turn, record.path),)))
        return Found(
            tuple(leads), (Searched("claude", "/archive/claude", len(self.records), by_scan=len(self.records)),)
        )


def receipt(**tally: int) -> Receipt:
    """A receipt of a record that was captured whole, but for `tally`."""
    return Receipt(1000, 1, {Extractor.HEAD: Reach.SUCCEEDED, Extractor.TALK: Reach.SUCCEEDED}, Tally(**tally))


def talk(name: str, *said: str, **more: object) -> FakeRecord:
    """A record in which the person and the assistant take turns, the person first."""
    sides = (Origin.PERSON, Origin.ASSISTANT)
    return FakeRecord(name, tuple((sides[n % 2], text) for n, text in enumerate(said)), **more)  # type: ignore[arg-type]
