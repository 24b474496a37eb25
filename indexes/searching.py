"""One search over one snapshot: terms, conditions, ranking, and the rows of the records found."""

from __future__ import annotations

from collections.abc import Iterable

from core.ports import Hit, Passage, Query
from indexes.analyzer import Analyzer
from indexes.catalog import Catalog
from indexes.conditions import Conditions, Opener
from indexes.home import IndexHome
from indexes.query_terms import wanted
from indexes.ranking import Found, origin_of, rank
from indexes.rows import Row
from indexes.snapshot import Snapshot

KEPT_ROWS = 4000
"""Rows that are kept from one search to the next: what a person types on shows mostly the same records."""


class _Rows:
    """Catalog rows by dense session number."""

    def __init__(self, home: IndexHome, snapshot: Snapshot) -> None:
        self._home, self._snapshot = home, snapshot

    def at(self, numbers: Iterable[int]) -> dict[int, Row]:
        """The rows of these sessions; one that has left the catalog is missing."""
        kept = self._snapshot.rows
        found: dict[int, Row] = {}
        missing: dict[int, str] = {}
        for number in numbers:
            row = kept.get(number)
            if row is not None:
                found[number] = row
            else:
                missing[number] = self._snapshot.sessions.paths[number]
        if not missing:
            return found
        with Catalog(self._home.path) as catalog:
            rows = catalog.rows(list(missing.values()))
        read = {number: rows[path] for number, path in missing.items() if path in rows}
        if len(kept) + len(read) <= KEPT_ROWS:
            kept.update(read)
        return found | read


def search(query: Query, snapshot: Snapshot, analyzer: Analyzer, home: IndexHome, opener: Opener) -> tuple[Hit, ...]:
    """The candidates, best first."""
    rows = _Rows(home, snapshot)
    conditions = Conditions(query, snapshot, analyzer, rows, opener)
    found = rank(query, wanted(query, analyzer, snapshot), snapshot, conditions.sessions, conditions.turns)
    of = rows.at(f.number for f in found)
    return tuple(_hit(f, of[f.number], snapshot) for f in found if f.number in of)


def _hit(found: Found, row: Row, snapshot: Snapshot) -> Hit:
    passages = []
    for position, score, labels in found.passages:
        line, start, end = snapshot.spot(position)
        at = float(snapshot.at[position])
        origin = origin_of(int(snapshot.origin[position]))
        passages.append(Passage(line, start, end, origin, None if at != at else at, score, labels))
    return Hit(
        row.entry(), found.score, found.fit, tuple(passages), found.labels, held=found.held, read_as=found.read_as
    )
