"""Every record by date, newest first, of which no more is read than a list shows."""

from __future__ import annotations

from collections.abc import Sequence

from core.ports import Filters, Glimpse, Hit, Index, Query
from core.recall.model import Searched
from core.recall.project_records import found_by
from core.recall.search import Lead, Searcher
from core.records.robots import Begun

EVERY = 1_000_000
"""More records than anybody has."""


def by_date(
    index: Index, searcher: Searcher, filters: Filters
) -> tuple[Sequence[Glimpse | Lead], tuple[Searched, ...]]:
    """Every record inside the filters, and what was searched. An index that holds everything is asked for glimpses; else what
    a search brings for no words is opened."""
    plain = searcher.unasked(Query()) if filters == Filters() else None
    glimpses = index.glimpses() if plain is not None else None
    if plain is not None and glimpses is not None:
        return glimpses, plain.searched
    found = searcher.find(Query(filters=filters, limit=EVERY))
    return found.leads, found.searched


def begun(one: Glimpse | Lead) -> Begun:
    """What a record is, and how it began."""
    return one.hit.entry.spine if isinstance(one, Lead) else one.begun


def opened(one: Glimpse | Lead) -> Lead:
    """The record as a search for no words brings it."""
    if isinstance(one, Lead):
        return one
    hit = Hit(one.entry(), 0.0, 1.0, (), ())
    return Lead(hit, found_by(hit))
