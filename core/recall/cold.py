"""The first answer before an index exists: a cue's names, found literally in the conversations.

Reading every conversation for a name takes a tenth of what building the index takes, and a name that few records hold
needs no ranking. A cue without one, or with one that stands everywhere, waits for the index.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from core.frozen import dataclass
from core.ports import Entry, Hit, Passage, Query, TermKind
from core.recall.boundary import passes, within
from core.recall.search import Lead, Placed
from core.records.archive import Archive
from core.records.model import Role, Source, Spine
from core.records.scan import ScanHit, scan

FEW = 12
"""Records that may hold a name for it to decide by itself."""
SHORTEST = 4
"""Characters of a name that is looked for."""


@dataclass(frozen=True, slots=True)
class Cold:
    """What was found, and which sources were looked through for it."""

    leads: tuple[Lead, ...]
    read: tuple[Source, ...]


def names_of(query: Query) -> tuple[str, ...]:
    """The exact phrases and names of a cue, all of which must stand in one record; a cue of one word is that word.

    A name is an identifier, or a word of letters and digits: nobody coins one by accident.
    """
    named = [t.text for t in query.terms if t.kind is TermKind.IDENTIFIER or _coined(t.text)]
    names = [n for n in dict.fromkeys((*query.phrases, *named)) if len(n) >= SHORTEST]
    if not names and len(query.terms) == 1 and len(query.terms[0].text) > SHORTEST:
        return (query.terms[0].text,)
    return tuple(names)


def _coined(word: str) -> bool:
    return len(word) > SHORTEST and any(c.isdigit() for c in word) and any(c.isalpha() for c in word)


def answer_cold(
    archive: Archive,
    sources: Sequence[Source],
    query: Query,
    spine_of: Callable[[Source], Spine | None],
    cancelled: Callable[[], bool] = bool,
) -> Cold | None:
    """Records whose conversation holds every name of the cue, best first.

    `None` where the cue has no name, says more than what must be held (OR, `-word`, `role:`), nothing holds it, or more than
    `FEW` records do: then only a ranking can tell.
    """
    names = names_of(query)
    if not names or query.any_of or query.without or query.filters.roles:
        return None
    found: dict[str, list[ScanHit]] = {}
    for hit in scan(archive, sources, names, talk_only=True, cancelled=cancelled):
        found.setdefault(hit.source.path, []).append(hit)
        if len(found) > FEW:
            return None
    leads = []
    for hits in found.values():
        spine = spine_of(hits[0].source)
        if spine is not None and (lead := _lead(hits, spine, query, names)) is not None:
            leads.append(lead)
    if not leads:
        return None
    leads.sort(key=lambda lead: (-lead.hit.score, -(lead.hit.entry.spine.ended or 0.0)))
    return Cold(tuple(leads[: query.limit]), tuple(sources))


def _lead(hits: Sequence[ScanHit], spine: Spine, query: Query, names: Sequence[str]) -> Lead | None:
    entry = Entry(hits[0].source, spine)
    if not (passes(entry, query.filters) and within(entry, query.windows)):
        return None
    low = [h.turn.text.lower() for h in hits]
    if not all(any(name.lower() in text for text in low) for name in names):
        return None
    words = [t.text.lower() for t in query.terms if t.kind is not TermKind.IDENTIFIER]
    carried = sum(any(word in text for text in low) for word in words) / len(words) if words else 1.0
    times = sum(text.count(name.lower()) for text in low for name in names)
    main = 0.5 if spine.role is Role.MAIN else 0.0
    passages = tuple(
        Passage(h.turn.line, h.turn.start, h.turn.end, h.turn.origin, h.turn.at, 1.0, tuple(names)) for h in hits
    )
    hit = Hit(entry, math.log1p(times) / 4 + carried + main, 1.0, passages, tuple(names))
    return Lead(hit, ("scan",), tuple(Placed(h.turn, h.path) for h in hits))
