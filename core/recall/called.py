"""A cue that names a session by its id, whole or as lists print it: that session goes before those that speak of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from core.patterns import Pattern
from core.ports import Entry, Hit, Query, TermKind
from core.recall.boundary import passes, within
from core.recall.search import Lead
from core.records.model import WRITTEN, Role

_ID = Pattern(r"(?=[0-9a-fA-F-]*\d)[0-9a-fA-F]{7,8}(?:-[0-9a-fA-F-]{0,28})?$|[0-9A-Za-z_-]{16,80}$")
"""The beginning of a UUID from as many signs as lists print, or a whole id of another shape."""
MOST = 3
"""Sessions that one beginning may name: more of them, and it names none."""


def called_first(leads: Sequence[Lead], query: Query, by_id: Callable[[str], tuple[Entry, ...]]) -> list[Lead]:
    """The candidates with the sessions that the cue names by id in front, found or not, inside the query's boundary.

    `by_id` answers with the records whose id is or begins with a text; it is asked only for what may be an id.
    """
    sought = [t.text for t in query.terms if t.kind is TermKind.IDENTIFIER and _ID.match(t.text)]
    called: dict[str, Entry] = {}
    for text in sought:
        named = [e for e in by_id(text) if _sought(e, query)]
        own = [e for e in named if e.spine.role is Role.MAIN and e.source.role is Role.MAIN] or named
        if len(own) <= MOST:
            called.update((e.source.path, e) for e in own)
    if not called:
        return list(leads)
    best = max((lead.hit.score for lead in leads), default=1.0)
    known = {lead.hit.entry.source.path: lead for lead in leads}
    first = [_front(known.get(path), entry, best) for path, entry in called.items()]
    return [*first, *(lead for lead in leads if lead.hit.entry.source.path not in called)]


def _sought(entry: Entry, query: Query) -> bool:
    return (
        entry.source.role not in WRITTEN
        and entry.source.path not in query.excluded
        and passes(entry, query.filters)
        and within(entry, query.windows)
    )


def _front(lead: Lead | None, entry: Entry, score: float) -> Lead:
    """A named session fits wholly: its id is its own."""
    if lead is None:
        return Lead(Hit(entry, score, 1.0, (), ()), ("head",))
    return replace(lead, hit=replace(lead.hit, score=score, fit=1.0))
