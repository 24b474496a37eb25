"""Reading the cue: from everything the person said to axes and a query (design/recall.md 3).

Deterministic, offline, without a model. Nothing is decided here about what is found: the words are weighed, times
become soft windows, identifiers keep their kinds, and the person's own sentence stays what it was.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from core.patterns import Pattern
from core.ports import Filters, Query, Term, TermKind, TimeWindow
from core.recall.artifacts import names_lines
from core.recall.boundary import folder
from core.recall.dated import only_times, without_signs
from core.recall.event_words import When
from core.recall.events import EventPhrase, EventTime, may_tell_an_event, read_events
from core.recall.filters import LONGEST_CUE, Parsed, parse_filters
from core.recall.identifiers import Identifier, read_identifiers
from core.recall.model import Axis, AxisKind, Cue, Scope, WholeKind
from core.recall.phrasings import asking_words, speaker_named, talk_words, whole_asked
from core.recall.steering import set_aside
from core.recall.thread import Thread
from core.recall.times import TimePhrase, read_times

LATEST_WEIGHT = 1.25
"""What the person said last weighs a little more than what they said before."""
IDENTIFIER_WEIGHT = 2.0
"""A name that was typed is remembered exactly more often than a word."""
TIME_WORD_WEIGHT = 0.3
"""Words that were read as a time stay in a query that has others: "spring" may be the framework."""
EVENT_WORD_WEIGHT = 0.1
"""Words of an event that dates the past: the past that is sought lies beside it and need not speak of it."""
EVENT_ITSELF_WEIGHT = 0.5
"""The same where the past lies around the event, and may be the event itself."""
TALK_WORD_WEIGHT = 0.15
"""Words that only say that there was talk ("we argued over"), or only ask ("everything we did on"): records of it seldom say so."""
PHRASE_WORD_WEIGHT = 1.5

_WORD = Pattern(r"[^\W_](?:[\w]|['’](?=\w))*")


def read_cue(thread: Thread, now: datetime, scope: Scope, events: Sequence[EventTime] = ()) -> Cue:
    """Read everything the person said so far. `now` carries the person's time zone; `scope` is their boundary; `events`
    are those that were found for `event_texts`."""
    parsed = [parse_filters(text, now) for text in thread.cue_texts]
    known = {e.phrase: e for e in events}
    axes: list[Axis] = []
    terms: list[Term] = []
    dated = False
    for position, part in enumerate(parsed):
        weight = LATEST_WEIGHT if position and position == len(parsed) - 1 else 1.0
        told = [known[p] for p in read_events(part.words) if p in known] if known else []
        here: list[Axis] = []
        dated = _read_part(part, weight, now, here, terms, told)
        if dated:  # a time that is all that was said takes the place of those that were said before
            axes = [a for a in axes if a.kind is not AxisKind.TIME]
        axes += here
    sentence = "\n".join(p.words for p in parsed)  # what one turn begins with is no part of the one before
    speaker = speaker_named(sentence)
    if speaker is not None:
        axes.append(Axis(AxisKind.SPEAKER, speaker.value, ""))
    filters = _joined([scope.filters, *(p.filters for p in parsed)], thread)
    axes.extend(_filter_axes(filters))
    query = Query(
        terms=tuple(_merged(terms)),
        phrases=tuple(dict.fromkeys(x for p in parsed for x in p.phrases)),
        without=tuple(dict.fromkeys(x for p in parsed for x in p.without)),
        any_of=tuple(g for p in parsed for g in p.any_of),
        windows=_windows(axes, parsed, thread),
        filters=filters,
        speaker=speaker,
        excluded=thread.rejected,
        sentence=sentence,
    )
    return Cue(
        meant="; ".join(t.strip() for t in thread.cue_texts),
        whole=thread.whole or (WholeKind.LINE if names_lines(sentence) else whole_asked(thread.cue_texts)),
        axes=tuple(dict.fromkeys(axes)),
        query=query,
        hints=tuple(dict.fromkeys((*(e.said for e in events), *(h for p in parsed for h in p.hints)))),
        beside=frozenset(e.path for e in events if e.path and e.phrase.when is not When.AROUND),
        dated=dated,
    )


def event_texts(thread: Thread, now: datetime) -> list[str]:
    """What the person said without its filter words: the texts that events are read from."""
    texts = [text for text in thread.cue_texts if may_tell_an_event(text[:LONGEST_CUE])]
    return [parse_filters(text, now).words for text in texts]


def _read_part(
    part: Parsed, weight: float, now: datetime, axes: list[Axis], terms: list[Term], events: Sequence[EventTime]
) -> bool:
    """Add the axes and terms of one thing the person said. True if it is only a time: no word of it is searched."""
    dated = [e for e in events if e.window is not None]
    identifiers = tuple(
        i for i in read_identifiers(part.words) if not any(_covers(e.phrase, i.start, i.end) for e in dated)
    )
    times = [
        t
        for t in read_times(part.words, now)
        if not _inside(t, identifiers) and not any(_covers(e.phrase, t.start, t.end) for e in dated)
    ]
    axes.extend(Axis(AxisKind.EVENT, _iso_span(e.window, now), e.phrase.words, e.window) for e in dated if e.window)
    for phrase in times:
        axes.extend(Axis(AxisKind.TIME, _iso_span(w, now), phrase.words, w) for w in phrase.windows)
    for found in identifiers:
        axes.append(Axis(found.kind, found.value, found.words))
        if found.kind is AxisKind.ERROR:
            continue
        terms.append(Term(found.value, weight * IDENTIFIER_WEIGHT, TermKind.IDENTIFIER))
    terms.extend(Term(n, weight * IDENTIFIER_WEIGHT, TermKind.IDENTIFIER) for n in part.needles)
    axes.extend(Axis(AxisKind.PHRASE, p, p) for p in part.phrases)
    axes.extend(Axis(AxisKind.WITHOUT, w, "-" + w) for w in part.without)
    if not (dated or identifiers or part.needles or part.phrases) and only_times(part.words, times):
        return True
    talked = (*talk_words(part.words), *asking_words(part.words))
    unwanted = set_aside(part.words)
    quoted = {w.lower() for p in part.phrases for w in _WORD.findall(p)}
    for match in _WORD.finditer(without_signs(part.words, times)):
        start, end = match.span()
        if any(i.start <= start and end <= i.end and i.kind is not AxisKind.ERROR for i in identifiers):
            continue
        if any(a <= start and end <= b for a, b in unwanted):
            continue
        factor = PHRASE_WORD_WEIGHT if match.group().lower() in quoted else 1.0
        if any(t.start <= start and end <= t.end for t in times):
            factor = TIME_WORD_WEIGHT
        elif any(a <= start and end <= b for a, b in talked):
            factor = TALK_WORD_WEIGHT
        for event in dated:
            if _covers(event.phrase, start, end):
                factor = EVENT_ITSELF_WEIGHT if event.phrase.when is When.AROUND else EVENT_WORD_WEIGHT
        terms.append(Term(match.group(), weight * factor))
    return False


def _covers(phrase: EventPhrase, start: int, end: int) -> bool:
    return phrase.start <= start and end <= phrase.end


def _inside(phrase: TimePhrase, identifiers: tuple[Identifier, ...]) -> bool:
    return any(i.start <= phrase.start and phrase.end <= i.end for i in identifiers)


def _iso_span(window: TimeWindow, now: datetime) -> str:
    if window.start <= 0:
        return f"..{datetime.fromtimestamp(window.end, now.tzinfo).date().isoformat()}"
    first = datetime.fromtimestamp(window.start, now.tzinfo).date()
    last = datetime.fromtimestamp(max(window.start, window.end - 1), now.tzinfo).date()
    return first.isoformat() if first == last else f"{first.isoformat()}..{last.isoformat()}"


def _joined(parts: list[Filters], thread: Thread) -> Filters:
    """All filters hold together; what a correction says about the runtime replaces what was said before."""
    runtimes = [r for p in parts for r in p.runtimes]
    if thread.runtimes:
        runtimes = list(thread.runtimes)
    return Filters(
        runtimes=tuple(dict.fromkeys(runtimes)),
        projects=tuple(
            dict.fromkeys([*(x for p in parts for x in p.projects), *("-" + folder(x) for x in thread.not_projects)])
        ),
        branches=tuple(dict.fromkeys(x for p in parts for x in p.branches)),
        roles=tuple(dict.fromkeys(x for p in parts for x in p.roles)),
        kinds=tuple(dict.fromkeys(x for p in parts for x in p.kinds)),
        sessions=tuple(dict.fromkeys(x for p in parts for x in p.sessions)),
    )


def _filter_axes(filters: Filters) -> list[Axis]:
    pairs = (
        (AxisKind.RUNTIME, filters.runtimes),
        (AxisKind.PROJECT, filters.projects),
        (AxisKind.BRANCH, filters.branches),
        (AxisKind.SPEAKER, filters.roles),
        (AxisKind.KIND, filters.kinds),
        (AxisKind.SESSION, filters.sessions),
    )
    return [Axis(kind, value, value) for kind, values in pairs for value in values]


def _windows(axes: list[Axis], parsed: list[Parsed], thread: Thread) -> tuple[TimeWindow, ...]:
    """Windows of the cue. A hard window from a correction cuts the soft ones that lie wholly outside it."""
    soft = [a.window for a in axes if a.window is not None]
    hard = [w for p in parsed for w in p.windows]
    for edge in thread.windows:
        soft = [w for w in soft if w.end > edge.start and w.start < edge.end]
        cut = [TimeWindow(max(w.start, edge.start), min(w.end, edge.end), 0.0, True) for w in hard]
        hard = [w for w in cut if w.start < w.end] or [edge]
    return tuple(dict.fromkeys([*soft, *hard]))


def _merged(terms: list[Term]) -> list[Term]:
    """One term per text and kind, with the greatest weight it was given."""
    best: dict[tuple[str, TermKind], Term] = {}
    for term in terms:
        key = (term.text.lower(), term.kind)
        if key not in best or best[key].weight < term.weight:
            best[key] = term
    return list(best.values())
