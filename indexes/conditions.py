"""What a candidate must fulfil, apart from how well it matches: filters, excluded words, groups, exact phrases."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Protocol

import numpy as np

from core.ports import Filters, Query
from core.recall.boundary import lies_in, speaks
from core.records.model import WRITTEN, Role, Turn
from indexes import weights
from indexes.analyzer import Analyzer, fold
from indexes.arrays import NDArray
from indexes.dates import outside
from indexes.drafts import ORIGINS
from indexes.postings import Ints
from indexes.query_terms import whole_terms
from indexes.rows import Row
from indexes.sessions import Bools
from indexes.snapshot import Snapshot

Opener = Callable[[Row, int, int], tuple[Turn, ...]]
"""Reads the turns of one line of a record: (row, line, first byte)."""


class Rows(Protocol):
    """Gives the whole catalog rows that a condition needs."""

    def at(self, numbers: Iterable[int]) -> dict[int, Row]:
        """The rows of the sessions with these dense numbers."""
        ...


class Conditions:
    """The conditions of one query over one snapshot."""

    def __init__(self, query: Query, snapshot: Snapshot, analyzer: Analyzer, rows: Rows, opener: Opener) -> None:
        self._query, self._snapshot, self._analyzer, self._rows, self._opener = query, snapshot, analyzer, rows, opener

    @cached_property
    def sessions(self) -> Bools:
        """Which sessions may be candidates."""
        snapshot, query = self._snapshot, self._query
        allowed = snapshot.originals.copy()
        if query.written is not None:
            allowed &= snapshot.written == query.written
        if query.excluded:
            allowed &= np.array([p not in query.excluded for p in snapshot.sessions.paths], np.bool_)
        allowed &= ~outside(query.windows, snapshot.sessions)
        allowed &= self._filtered(query.filters)
        for text in query.without:
            for term in whole_terms(text, self._analyzer):
                allowed[snapshot.session[snapshot.postings(term)[0]]] = False
        for group in query.any_of:
            allowed &= self._holding_any(group)
        for phrase in query.phrases:
            allowed &= self._holding_phrase(phrase, allowed)
        return allowed

    @cached_property
    def turns(self) -> Bools | None:
        """Which turns may match, by who said them; `None`: all."""
        roles = self._query.filters.roles
        if not roles:
            return None
        inside = np.array([speaks(one, roles) for one in ORIGINS], np.bool_)
        turns: Bools = inside[self._snapshot.origin & 7]
        return turns

    def _filtered(self, filters: Filters) -> Bools:
        sessions = self._snapshot.sessions
        out = np.ones(len(sessions), np.bool_)
        if filters.sessions:
            out &= _each(sessions.ids, filters.sessions, lambda value, wish: value.startswith(wish))
        if filters.kinds:
            out &= self._of_kind(filters.kinds)
        if filters.runtimes or filters.projects or filters.branches:
            rows = self._rows.at(np.flatnonzero(out).tolist())
            for number in np.flatnonzero(out).tolist():
                row = rows.get(number)
                out[number] = row is not None and _fits(row, filters)
        return out

    def _of_kind(self, kinds: Sequence[str]) -> Bools:
        sessions = self._snapshot.sessions
        facts: dict[str, NDArray[np.bool_]] = {
            "main": sessions.of_role(Role.MAIN),
            "subagent": sessions.of_role(Role.SUBAGENT, Role.COPY),
            "review": sessions.of_role(Role.REVIEW),
            "fork": sessions.forked,
            "ghost": sessions.of_role(Role.GHOST),
            **{kind.value: sessions.of_role(kind) for kind in WRITTEN},
            "archived": sessions.archived, "gone": sessions.gone, "robot": sessions.robot,
        }  # fmt: skip
        wishes = [k.casefold() for k in kinds]
        positive = [facts[k] for k in wishes if k in facts]
        out = np.ones(len(sessions), np.bool_)
        if any(not k.startswith("-") for k in wishes):
            out = np.any(positive, axis=0) if positive else ~out
        for wish in wishes:
            if wish.startswith("-") and wish[1:] in facts:
                out &= ~facts[wish[1:]]
        return out

    def _holding_any(self, group: Sequence[str]) -> Bools:
        """Sessions that hold one of the words; a word of several terms must be held with all of them in one turn."""
        out = np.zeros(len(self._snapshot.sessions), np.bool_)
        for text in group:
            out[self._snapshot.session[self._with_all(whole_terms(text, self._analyzer))]] = True
        return out

    def _with_all(self, terms: Sequence[bytes]) -> Ints:
        """Positions that hold every term."""
        found: Ints | None = None
        for term in terms:
            positions = self._snapshot.postings(term)[0]
            found = positions if found is None else np.intersect1d(found, positions, assume_unique=True)
            if not len(found):
                break
        return np.zeros(0, np.int64) if found is None else found

    def _holding_phrase(self, phrase: str, allowed: Bools) -> Bools:
        """Sessions with a turn that holds the exact wording, read from the record itself."""
        out = np.zeros(len(allowed), np.bool_)
        wording = squeeze(phrase)
        positions = self._with_all(whole_terms(phrase, self._analyzer))
        positions = positions[allowed[self._snapshot.session[positions]]]
        if not wording or not len(positions):
            return out
        rows = self._rows.at(set(self._snapshot.session[positions].tolist()))
        checks = 0
        for position in positions.tolist():
            number = int(self._snapshot.session[position])
            if out[number] or number not in rows or checks >= weights.PHRASE_CHECKS:
                continue
            checks += 1
            line, start, _ = self._snapshot.spot(position)
            turns = self._opener(rows[number], line, start)
            out[number] = any(wording in squeeze(turn.text) for turn in turns)
        return out


def squeeze(text: str) -> str:
    """Case folded, white space folded."""
    return re.sub(r"\s+", " ", fold(text)).strip()


def _fits(row: Row, filters: Filters) -> bool:
    spine = row.spine
    runtimes = _any_of((row.source.runtime,), filters.runtimes, str.__eq__)
    projects = _any_of(spine.cwds or (spine.project,), filters.projects, lies_in)
    return runtimes and projects and _any_of((spine.branch,), filters.branches, str.__contains__)


def _any_of(values: Sequence[str], wishes: Sequence[str], test: Callable[[str, str], bool]) -> bool:
    """Whether one of the values passes one of the wishes (if there are any) and none of the negated ones."""
    folded = [v.casefold() for v in values]
    wanted = [w.casefold() for w in wishes if not w.startswith("-")]
    refused = [w[1:].casefold() for w in wishes if w.startswith("-")]
    if any(test(v, w) for v in folded for w in refused):
        return False
    return not wanted or any(test(v, w) for v in folded for w in wanted)


def _each(values: Sequence[str], wishes: Sequence[str], test: Callable[[str, str], bool]) -> Bools:
    return np.array([_any_of((v,), wishes, test) for v in values], np.bool_)
