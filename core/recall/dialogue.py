"""The loop: a cue becomes a pass, a pass becomes a round, and only the person closes (design/recall.md 2).

`begin` and `say` are pure up to their ports: the same context, archive and clock give the same advance. A context only
grows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field, replace

from core.frozen import dataclass
from core.ports import Clock, ProgressCall, Standing
from core.recall.anchors import beside_events, judge_anchors
from core.recall.answers import Act
from core.recall.capture import qualify
from core.recall.continuations import Links, makers_first
from core.recall.cue import event_texts, read_cue
from core.recall.dated import find_of_time
from core.recall.events import NamedTime, no_named_times, resolve_events
from core.recall.fitting import fits_poorly
from core.recall.model import (
    Adjacent,
    Advance,
    Context,
    Cue,
    Expansion,
    Holding,
    Identified,
    Member,
    NotActivated,
    RecalledContext,
    Recognizable,
    Response,
    Round,
    RoundKind,
    Scope,
    Stopped,
    Unresolved,
    Utterance,
    WholeKind,
)
from core.recall.needles import telling_words
from core.recall.remarks import AGAIN, NEAREST, in_time, no_such_part, nothing_there, out_of_time
from core.recall.search import Found, Lead, Searcher
from core.recall.story import Told, tell
from core.recall.thread import Thread, fold
from core.recall.whole_pass import pass_whole
from core.recall.wholes import LOOKED_AT
from core.recall.wording import (
    adjacent_phrase,
    finding_words,
    gist,
    nothing_wider_words,
    nothing_words,
    question_words,
    unwritten_words,
)
from core.records.model import ReadProblem

CANDIDATES = 12
"""Candidates of a pass."""
OPENED = 8
"""Candidates that are opened at most until one tells a story."""
ADJACENT = 5
"""Candidates that are named beside the presented one."""


def _never() -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Ports:
    """What the dialogue asks of the outside."""

    searcher: Searcher
    clock: Clock
    scope: Scope = field(default_factory=Scope)
    progress: ProgressCall | None = None
    """Hears of a wider search's progress."""
    cancelled: Callable[[], bool] = _never
    """True once the person wants a wider search to stop; what it found is kept."""
    named_times: Callable[[], Sequence[NamedTime]] = no_named_times
    """Moments that something beside the records names (git tags), for cues that date by an event."""


@dataclass(frozen=True, slots=True)
class _Pass:
    """What one pass brought."""

    cue: Cue
    found: Found
    members: tuple[Lead, ...]
    """What is presented: one record, or those of a whole in the order of time; empty where nothing is."""
    told: Told
    not_opened: tuple[ReadProblem, ...]
    remarks: tuple[str, ...]
    others: tuple[Lead, ...]
    whole: WholeKind = WholeKind.SESSION
    joins: str = "one record"


def begin(cue: str, ports: Ports, *, invoked: bool = True) -> Advance:
    """Start a dialogue. Without an invocation and without words nothing happens; an invocation is never refused."""
    if not invoked and not cue.strip():
        return Advance((), None, NotActivated("Nothing was asked, so nothing was searched."))
    return _advance((Utterance(cue),), ports)


def say(context: Context, utterance: Utterance, ports: Ports) -> Advance:
    """Take the person's next turn."""
    return _advance((*context, utterance), ports)


def _advance(context: Context, ports: Ports) -> Advance:
    thread = fold(context)
    standing = thread.round
    act = thread.answer.act
    if act in (Act.STOP, Act.DECLINE):
        return Advance(context, None, Stopped(thread.answered))
    if act is Act.IDENTIFY and standing is not None and standing.recognizable is not None:
        return Advance(context, None, _identified(standing, standing.recognizable, thread.answered))
    if act is Act.ACCEPT and standing is not None and standing.expansion is None:
        round_ = _cost_first(standing, thread, ports)
        return Advance((*context, Response(_record(round_), round_)), round_, Holding())
    done = _pass(context, thread, ports)
    whole_scan = thread.wide and not ports.cancelled()  # a scan that was stopped can be taken up again
    expansion = None if whole_scan else ports.searcher.expansion(done.cue.query)
    round_ = _respond(done, thread, expansion, ports)
    context = (*context, *done.told.evidence, Response(_record(round_), round_))
    steered = bool(thread.presented) and thread.answer.act is Act.CORRECT and not thread.answer.cue
    if round_.kind is not RoundKind.PRESENT and thread.added and expansion is None and not steered:
        finding = finding_words(done.found.searched, round_.not_opened, wide=thread.wide)
        return Advance(context, None, Unresolved(finding, done.found.searched, round_.not_opened))
    return Advance(context, round_, Holding())


def _cost_first(standing: Round, thread: Thread, ports: Ports) -> Round:
    """What a wider search that was asked for unasked would read and cost; it runs on the person's next word."""
    expansion = None if standing.scanned else ports.searcher.expansion(standing.cue.query)
    return Round(
        kind=RoundKind.ASK if expansion is None else RoundKind.OFFER,
        cue=standing.cue,
        question=nothing_wider_words(scanned=standing.scanned) if expansion is None else "",
        expansion=expansion,
        searched=standing.searched,
        scanned=thread.wide,
    )


def _identified(standing: Round, recognizable: Recognizable, turn: int) -> Identified:
    return Identified(
        RecalledContext(
            recognizable=recognizable,
            story=standing.story,
            excerpts=standing.excerpts,
            qualifications=standing.qualifications,
            searched=standing.searched,
            identified_by=turn,
        )
    )


def _pass(context: Context, thread: Thread, ports: Ports) -> _Pass:
    """Read the cue, search, open the candidates in order until one tells a story."""
    now, searcher = ports.clock.now(), ports.searcher
    events = resolve_events(event_texts(thread, now), now, searcher.find, ports.named_times)
    cue = read_cue(thread, now, ports.scope, events)
    query = replace(cue.query, limit=CANDIDATES if cue.whole is WholeKind.SESSION else LOOKED_AT, deep=True)
    cue = replace(cue, query=query)
    blank = not (query.terms or query.phrases or query.any_of or query.windows or query.filters != ports.scope.filters)
    find = (lambda q: find_of_time(q, searcher.find)) if cue.dated else searcher.find
    found = Found() if blank and not thread.pinned else find(query)
    if thread.wide and not blank:
        found = _with_scan(found, searcher.scan(query, ports.progress, ports.cancelled))
    leads = [] if blank else [lead for lead in found.leads if _path(lead) not in thread.rejected]
    leads = beside_events(cue, leads)
    words = telling_words(query)
    if thread.pinned is not None:
        pinned = searcher.named(thread.pinned, query)
        leads = [*([pinned] if pinned else []), *(x for x in leads if _path(x) != thread.pinned.path)]
    anchoring = judge_anchors(cue.axes, leads[:OPENED], lambda lead: searcher.open(lead, query))
    if thread.pinned is None:
        leads = [*anchoring.order(leads[:OPENED]), *leads[OPENED:]]
        leads = makers_first(leads, lambda lead: _links(searcher, lead))
    not_opened: list[ReadProblem] = []
    remarks: tuple[str, ...] = anchoring.remarks
    if cue.whole is not WholeKind.SESSION and leads:
        zone = ports.clock.now().tzinfo
        whole = pass_whole(cue.whole, leads, searcher, query, words, len(context), zone)
        not_opened += whole.not_opened
        remarks = (*remarks, *whole.remarks)
        if whole.told is not None:
            inside = {_path(x) for x in whole.members}
            others = tuple(x for x in leads if _path(x) not in inside)
            return _Pass(
                cue, found, whole.members, whole.told, tuple(not_opened), remarks, others, cue.whole, whole.joins
            )
    for lead in leads[:OPENED]:
        opened = anchoring.opened.get(_path(lead)) or searcher.open(lead, query)
        if isinstance(opened, ReadProblem):
            not_opened.append(opened)
            continue
        told = tell(opened, lead.hit.entry.locator(), words, len(context))
        if told.claims:
            others = tuple(x for x in leads if x is not lead)
            return _Pass(cue, found, (lead,), told, _once(not_opened), remarks, others)
        not_opened.append(ReadProblem(_path(lead), None, "It opened, but holds nothing that can be quoted."))
    return _Pass(cue, found, (), Told((), (), ()), _once(not_opened), remarks, tuple(leads))


def _links(searcher: Searcher, lead: Lead) -> Links | None:
    traits = searcher.traits(lead)
    return traits.links if traits is not None else None


def _once(problems: list[ReadProblem]) -> tuple[ReadProblem, ...]:
    """Each problem once, in order."""
    return tuple(dict.fromkeys(problems))


def _path(lead: Lead) -> str:
    return lead.hit.entry.source.path


def _with_scan(found: Found, scanned: Found) -> Found:
    """The wider search's records first: their bodies hold the cue's words literally."""
    seen = {_path(lead) for lead in scanned.leads}
    by_root = {(s.runtime, s.root): s for s in found.searched}
    for wide in scanned.searched:
        narrow = by_root.get((wide.runtime, wide.root))
        by_root[wide.runtime, wide.root] = (
            wide
            if narrow is None
            else replace(
                narrow,
                by_scan=wide.by_scan,
                bytes_scanned=wide.bytes_scanned,
                unreadable=max(narrow.unreadable, wide.unreadable),
            )
        )
    return Found(
        leads=(*scanned.leads, *(x for x in found.leads if _path(x) not in seen)),
        searched=tuple(by_root.values()),
        problems=(*found.problems, *scanned.problems),
        remarks=(*found.remarks, *scanned.remarks),
    )


def _respond(done: _Pass, thread: Thread, expansion: Expansion | None, ports: Ports) -> Round:
    """One of the three rounds."""
    not_opened = (*done.not_opened, *done.found.problems)
    remarks = [*done.cue.hints, *done.found.remarks, *done.remarks]
    if not done.members:
        kind = RoundKind.OFFER if thread.added and expansion is not None else RoundKind.ASK
        missing = nothing_there(thread, ports.clock.now().tzinfo)
        if missing or kind is RoundKind.OFFER:
            remarks.insert(0, missing or nothing_words(thread, done.found, done.not_opened))
        return Round(
            kind=kind,
            cue=done.cue,
            question=question_words(thread, done.found, done.not_opened) if kind is RoundKind.ASK else "",
            expansion=expansion,
            searched=done.found.searched,
            not_opened=not_opened,
            remarks=tuple(remarks),
            scanned=thread.wide,
        )
    best = max(done.members, key=lambda lead: lead.hit.fit)
    if thread.pinned is None and fits_poorly(done.cue.query, done.found.leads) and not in_time(best, done.cue):
        remarks.insert(0, NEAREST)
    if thread.pinned is None and (empty := out_of_time(done.cue, done.found.leads)):
        remarks.insert(0, empty)
    if thread.answer.act is Act.BACK and not thread.answer.ordinal:
        remarks.insert(0, AGAIN)
    if missing := no_such_part(thread, [claim.quote for claim in done.told.claims]):
        remarks.insert(0, missing)
    remarks += [unwritten_words(i) for lead in done.members for i in ports.searcher.unwritten(lead.hit.entry)]
    receipts = ports.searcher.receipts([_path(lead) for lead in done.members])
    return Round(
        kind=RoundKind.PRESENT,
        cue=done.cue,
        recognizable=Recognizable(done.whole, tuple(_member(lead, ports) for lead in done.members), done.joins),
        story=done.told.claims,
        excerpts=done.told.excerpts,
        adjacent=tuple(_adjacent(x) for x in done.others[:ADJACENT]),
        qualifications=tuple(
            qualify(lead, receipts.get(_path(lead)), ports.searcher.outcome(lead.hit.entry)) for lead in done.members
        ),
        expansion=expansion if thread.wide or NEAREST in remarks else None,
        searched=done.found.searched,
        not_opened=not_opened,
        remarks=tuple(dict.fromkeys(remarks)),
        scanned=thread.wide,
    )


def _member(lead: Lead, ports: Ports) -> Member:
    entry = lead.hit.entry
    return Member(
        locator=entry.locator(),
        gist=gist(entry),
        handle=ports.searcher.handle(entry),
        title=entry.spine.title,
        project=entry.spine.project,
        branch=entry.spine.branch,
        started=entry.spine.started,
        ended=entry.spine.ended,
        gone=entry.standing is Standing.GONE,
        score=lead.hit.score,
        fit=lead.hit.fit,
        written=entry.source.written() if entry.spine.started is None and entry.spine.ended is None else None,
    )


def _adjacent(lead: Lead) -> Adjacent:
    entry = lead.hit.entry
    return Adjacent(entry.locator(), adjacent_phrase(entry), entry.spine.project, entry.spine.started)


def _record(round_: Round) -> str:
    """The pass in one line, for the context."""
    if round_.recognizable is not None:
        return f"presented {round_.recognizable.members[0].gist}"
    return "offered a wider search" if round_.kind is RoundKind.OFFER else "asked for more of the cue"
