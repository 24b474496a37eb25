"""What lies beside the sessions, for a searcher: written records among the candidates, checkouts, changes of a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from core.ports import Entry, Hit, Index, Query
from core.recall.model import Searched
from core.recall.search import Changes, Lead
from core.recall.written import BESIDE, arranged, asked_for, may_hold_written, names_written
from core.records.archive import Archive
from core.records.dependents import Checkout, root_of
from core.records.model import ReadProblem

if TYPE_CHECKING:
    from core.recall.artifacts import Artifact

_OF_PROJECTS = frozenset({"git", "notes", "memory", "specstory"})
"""Runtimes whose places are those of the projects that sessions name."""


class ProjectRecords:
    """Answers for one archive and index. What it looked up is kept until `forget`."""

    def __init__(self, archive: Archive, index: Index) -> None:
        self._archive = archive
        self._index = index
        self._held: bool | None = None
        self._checkouts: Mapping[str, Checkout] | None = None

    def forget(self) -> None:
        """Look again at the next question."""
        self._held = None
        self._checkouts = None

    def among(self, sessions: list[Lead], query: Query) -> list[Lead]:
        """The candidates with the commits, tags and notes that fit in their places."""
        beside = self._beside(query)
        return arranged(sessions, beside, asked_for(query.sentence)) if beside else sessions

    def roots(self) -> tuple[Searched, ...]:
        """Each root with the records that are there, and each project's besides, as a current index knows them: nothing is
        listed, and no row is read."""
        held = self._index.present()
        places = [(root.runtime, root.path) for root in self._archive.roots]
        beside = sorted(place for place in held if place[0] in _OF_PROJECTS and place not in places)
        return tuple(Searched(*at, held[at], held[at]) for at in (*places, *beside) if at in held)

    def _beside(self, query: Query) -> list[Lead]:
        words = query.terms or query.phrases or query.any_of
        if not words or names_written(query.filters) or not may_hold_written(query.filters) or not self._holds():
            return []
        wanted = replace(query, written=True, deep=False, limit=max(BESIDE, query.limit // 2), speaker=None)
        return [Lead(hit, found_by(hit)) for hit in self._index.search(wanted)]

    def _holds(self) -> bool:
        """True if the index holds any written record: most searches of an archive without are spared the second look."""
        if self._held is None:
            self._held = any(runtime in ("git", "notes", "memory") for runtime, _ in self._index.counts())
        return self._held

    def checkouts_of(self, entry: Entry) -> tuple[Checkout, ...]:
        """The repositories a record worked in."""
        if self._checkouts is None:
            self._checkouts = self._archive.checkouts()
        known, folders = self._checkouts, entry.spine.cwds or (entry.spine.project,)
        return tuple(dict.fromkeys(known[root] for folder in folders if (root := root_of(folder, known))))

    def changes(
        self, artifact: Artifact, leads: Sequence[Lead], entries: Mapping[str, Entry]
    ) -> Changes | ReadProblem | None:
        """Every change of a file, read from git in the first project of the candidates that tracks it."""
        problem: ReadProblem | None = None
        for folder in dict.fromkeys(cwd for lead in leads for cwd in lead.hit.entry.spine.cwds):
            if not Path(folder).is_dir():
                continue
            found = self._archive.changes_of(folder, artifact.path, artifact.first, artifact.last)
            if isinstance(found, ReadProblem):
                problem = problem or found
            elif found is not None:
                known = [entry for path in found.records if (entry := entries.get(path)) is not None]
                told = tuple(Lead(Hit(entry, 0.0, 1.0, (), ()), ("index",)) for entry in known)
                return Changes(told, len(found.records), found.whole and len(known) == len(found.records))
        return problem


def found_by(hit: Hit) -> tuple[str, ...]:
    """How a hit of the index is told: a claim is a hit of memory."""
    return ("memory",) if hit.entry.source.runtime == "memory" else ("index",)


def of_sessions(query: Query) -> Query:
    """The query over sessions alone, unless its filters speak of what was written beside them."""
    return query if names_written(query.filters) else replace(query, written=False)
