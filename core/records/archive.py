"""Everything on this machine that a past left: all runtimes, all roots, behind one door.

Reading fails in values, never in exceptions for what a file holds or for a file that went away.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field

from core.frozen import dataclass
from core.records.adapters import LOOKING, LaterAdapter, default_adapters
from core.records.dependents import Checkout, Dependents, RecordChanges
from core.records.history_files import HistoryFiles
from core.records.layouts import HOMES, roots_at
from core.records.looks import Look, Looked, NoLook
from core.records.model import Adapter, Listed, Mark, Reading, ReadProblem, Root, Source, Spine, Turn
from core.records.oddities import ODD, odd_value
from core.records.window import window


@dataclass(frozen=True, slots=True)
class Discovery:
    """What one listing of all roots found."""

    sources: tuple[Source, ...]
    """Ordered by runtime, root and path; a file that several roots reach is listed under the first."""
    problems: tuple[ReadProblem, ...]
    complete_roots: frozenset[str]
    """Paths of the roots whose listing had no error. Only under these does a missing file mean that it is gone."""
    look: bytes = b""
    """What was looked at, for `Archive.rest`; `b""` if that cannot be told safely."""


@dataclass(frozen=True, slots=True)
class Rest:
    """What one listing found outside of the roots that stand as they did."""

    sources: tuple[Source, ...]
    same_roots: frozenset[tuple[str, str]]
    """Runtime and path of the roots that stand as they did."""
    records: int
    """How many records these hold."""
    changed: Mapping[str, tuple[int, int]]
    """Files in these roots that were written to, with their size and time now."""
    look: bytes
    """The look with these."""
    problems: tuple[ReadProblem, ...] = ()
    """What could not be listed there; where the roots stand as they did, nothing could not."""


@dataclass(slots=True)
class _Seen:
    """What a listing has found so far."""

    sources: dict[str, Source] = field(default_factory=dict)
    problems: list[ReadProblem] = field(default_factory=list)
    incomplete: set[str] = field(default_factory=set)
    complete: frozenset[str] = frozenset()

    def take(self, root: Root, listing: Iterable[Source | ReadProblem]) -> bool:
        """Add what a root's listing yields; False if it was not complete."""
        whole = True
        for found in _as_far_as_it_goes(root, listing):
            if isinstance(found, ReadProblem):
                self.problems.append(found)
                self.incomplete.add(root.path)
                whole = False
            else:
                self.sources.setdefault(found.path, found)
        return whole


def _as_far_as_it_goes(root: Root, listing: Iterable[Source | ReadProblem]) -> Iterator[Source | ReadProblem]:
    """What a listing yields until it meets a value that it does not foresee, and that as a problem."""
    try:
        yield from listing
    except ODD as error:
        yield odd_value(root.path, None, error)


class UnknownRuntime(LookupError):
    """No adapter reads this runtime's records."""


class Archive:
    """The adapters and the roots they read. Holds no open file; threads may share it."""

    def __init__(
        self,
        adapters: Sequence[Adapter],
        roots: Sequence[Root],
        dependents: Dependents | None = None,
        memory: Root | None = None,
    ) -> None:
        self._adapters = {adapter.runtime: adapter for adapter in adapters}
        self.roots = tuple(roots)
        self._dependents = dependents
        self._memory = memory

    @classmethod
    def from_environment(
        cls,
        env: Mapping[str, str],
        home: str,
        extra_roots: Sequence[str] = (),
        *,
        only_extra: bool = False,
        history: HistoryFiles | None = None,
        notes: bool = True,
        memory: str = "",
    ) -> Archive:
        """All adapters with their configured or default roots, then the roots at `extra_roots`.

        A root that does not exist is kept and yields nothing. `only_extra` leaves the configured ones out. With
        `history`, what the sessions' projects hold is read too: git history, exports and, unless `notes` says no, notes.
        `memory` is the program's own folder of claims, `""` for none.
        """
        adapters = default_adapters()
        found: list[Root] = []
        if not only_extra:
            for adapter in adapters:
                found.extend(adapter.roots(env, home))
        for path in extra_roots:
            found.extend(roots_at(path, home, adapters))
        unique = {(root.runtime, os.path.realpath(root.path)): root for root in reversed(found)}
        order = dict.fromkeys((root.runtime, os.path.realpath(root.path)) for root in found)
        roots = [unique[key] for key in order]
        if history is None:
            return cls(adapters, roots)
        claude = tuple(root.path for root in roots if root.runtime == "claude")
        kept = Root("memory", memory, "own") if memory else None
        return cls(adapters, roots, Dependents(history, home, claude, notes), kept)

    @property
    def adapters(self) -> tuple[Adapter, ...]:
        """The adapters, in the order of the archive."""
        return tuple(self._adapters.values())

    def adapter(self, runtime: str) -> Adapter:
        """The adapter of a runtime. Raises `UnknownRuntime`."""
        try:
            return self._adapters[runtime]
        except KeyError:
            raise UnknownRuntime(runtime) from None

    def catch_up(self, projects: Sequence[str], deadline: float | None = None) -> tuple[ReadProblem, ...]:
        """Read the git history of the projects that sessions name, where it moved; `deadline` on the monotonic clock."""
        return self._dependents.catch_up(projects, deadline) if self._dependents is not None else ()

    def history_moved(self, projects: Sequence[str]) -> bool:
        """True if a repository of these projects moved since its history was read. Starts no process."""
        return self._dependents is not None and self._dependents.moved(projects)

    def checkouts(self) -> Mapping[str, Checkout]:
        """Working folders with the repository each is a checkout of, as far as their history was read."""
        return self._dependents.checkouts() if self._dependents is not None else {}

    def changes_of(self, folder: str, name: str, first: int = 0, last: int = 0) -> RecordChanges | ReadProblem | None:
        """The commits that changed a file of the project at `folder` (lines `first` to `last` of it where given), as paths
        of their records; `None` where no history is read or the project holds no such file."""
        if self._dependents is None:
            return None
        return self._dependents.changes_of(folder, name, first, last)

    def left_out(self) -> Mapping[str, int]:
        """By the root of a git history: older commits that are not read."""
        return self._dependents.left_out() if self._dependents is not None else {}

    def tag_times(self) -> tuple[tuple[str, float], ...]:
        """The names of tags with their times, as far as histories were read."""
        return self._dependents.tag_times() if self._dependents is not None else ()

    def discover(
        self, projects: Sequence[str] = (), *, looking: bool = False, known: Listed | None = None
    ) -> Discovery:
        """List every record of every root, and what lies in the `projects` that sessions name. `looking`: note what is
        looked at, for `rest`. `known`: a listing of a moment ago, to which only what lies in the projects is added."""
        if known is not None:
            seen = _Seen({s.path: s for s in known.sources}, list(known.problems), complete=known.complete_roots)
            self._beside(projects, seen)
            return Discovery(tuple(seen.sources.values()), tuple(seen.problems), seen.complete, known.look)
        began, looked, seen = time.time_ns(), Looked() if looking else None, _Seen()
        noted: list[tuple[str, str]] = []
        for root in self._listed():
            if not os.path.exists(root.path):
                continue  # most runtimes were never used here, and what reads their records is not loaded
            adapter = self.adapter(root.runtime)
            listing = adapter.look(root, looked) if looked is not None and isinstance(adapter, LaterAdapter) else None
            whole = seen.take(root, adapter.discover(root) if listing is None else listing)
            if listing is not None and whole:
                noted.append((root.runtime, root.path))
            elif listing is not None:
                looked = None  # what could not be listed may be seen at any time
        self._beside(projects, seen)
        records = sum((s.runtime, s.root) in noted for s in seen.sources.values()) if looked is not None else 0
        look = looked.pack(noted, records, began) if looked is not None and noted else b""
        return self._discovery(seen, look)

    def rest(self, projects: Sequence[str], look: bytes) -> Rest | None:
        """What lies outside of the roots that were looked at, and the files in them that were written to, where all else that
        was noted there stands as it did; `None` where it does not, or where no such look was kept."""
        try:
            kept = Look(look)
        except NoLook:
            return None
        roots = {(root.runtime, root.path) for root in self._listed()}
        changed = kept.changed() if kept.roots <= roots else None
        if changed is None:
            return None
        seen = _Seen()
        for root in self._listed():
            if (root.runtime, root.path) in kept.roots or not os.path.exists(root.path):
                continue
            if root.runtime in LOOKING:
                return None  # a root that was not there, or could not be listed
            seen.take(root, self.adapter(root.runtime).discover(root))
        self._beside(projects, seen)
        now = kept.after(changed) if changed else look
        return Rest(tuple(seen.sources.values()), kept.roots, kept.records, changed, now, tuple(seen.problems))

    def _listed(self) -> tuple[Root, ...]:
        return self.roots if self._memory is None else (*self.roots, self._memory)

    def _beside(self, projects: Sequence[str], seen: _Seen) -> None:
        """Add what the projects hold."""
        if self._dependents is not None and projects:
            listing = self._dependents.discover(projects, frozenset(root.path for root in self.roots))
            for source in listing.sources:
                seen.sources.setdefault(source.path, source)
            seen.problems.extend(listing.problems)
            seen.complete |= listing.roots

    def _discovery(self, seen: _Seen, look: bytes) -> Discovery:
        complete = (frozenset(root.path for root in self._listed()) - seen.incomplete) | seen.complete
        return Discovery(tuple(seen.sources.values()), tuple(seen.problems), complete, look)

    def spine(self, source: Source) -> Spine | ReadProblem:
        """What a record says of itself; see `Adapter.spine`."""
        adapter = self.adapter(source.runtime)
        try:
            return adapter.spine(source)
        except ODD as error:
            return odd_value(source.path, None, error)

    def read(self, source: Source, mark: Mark | None = None, *, talk_only: bool = False) -> Reading:
        """Start a pass over a record; see `Adapter.read`."""
        return self.adapter(source.runtime).read(source, mark, talk_only=talk_only)

    def at(self, source: Source, line: int, start: int) -> tuple[Turn, ...]:
        """Every turn of one physical line; see `Adapter.at`."""
        return self.at_head(source, line, start, b"")

    def at_head(self, source: Source, line: int, start: int, head: bytes) -> tuple[Turn, ...]:
        """The same of a line that begins in `head`, the first bytes of the record: a search has read them already."""
        adapter = self.adapter(source.runtime)
        try:
            if head and isinstance(adapter, LaterAdapter):
                return adapter.at_head(source, line, start, head)
            return adapter.at(source, line, start)
        except ODD:
            return ()  # the pass over the whole record tells of it

    def window(self, source: Source, line: int, start: int, before: int, after: int) -> tuple[Turn, ...]:
        """The turns of a line and of up to `before` and `after` lines around it, in file order, for a viewer."""
        return window(self.adapter(source.runtime), source, line, start, before, after)


_HOMES = HOMES
"""Where a home folder keeps each runtime's root: the places that are named where nothing was found."""
