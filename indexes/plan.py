"""Compares what the catalog knows with what the archive holds: what to read, what is gone, what came back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.frozen import dataclass
from core.ports import Standing
from core.records.model import Listed, Source
from indexes.rows import Signature

HISTORY = "git"
"""The runtime of commits and tags."""
NOTES = "notes"
"""The runtime of notes."""
MEMORY = "memory"
"""The runtime of claims: one that is no record any more was superseded or forgotten, and the memory holds it still."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a refresh has to do. Sources are newest first."""

    added: tuple[Source, ...]
    changed: tuple[Source, ...]
    gone: tuple[str, ...]
    """Paths of records that a complete scan did not find any more."""
    returned: tuple[str, ...]
    """Paths of records that were gone and are there again as they were."""
    removed: tuple[str, ...]
    """Paths of commits and tags that a repository does not hold any more, or that are beyond the bound, and of claims that
    do not stand any more: no record of theirs was lost, so nothing is kept of them."""
    moved: tuple[tuple[str, Source], ...]
    """Records whose file was moved as it was (a runtime archives a session): the old path and the new source."""
    unchanged: int

    @property
    def idle(self) -> bool:
        """Whether there is nothing to do."""
        return not (self.added or self.changed or self.gone or self.removed or self.returned or self.moved)


def plan(known: Sequence[Signature], found: Listed) -> Plan:
    """Plan a refresh. A record is gone only if its root was listed completely (what is not configured any more, or
    could not be listed, keeps its standing)."""
    by_path: Mapping[str, Signature] = {s.path: s for s in known}
    added: list[Source] = []
    changed: list[Source] = []
    returned: list[str] = []
    unchanged = 0
    seen: set[str] = set()
    for source in found.sources:
        if source.path in seen:
            continue
        seen.add(source.path)
        old = by_path.get(source.path)
        if old is None:
            added.append(source)
        elif (old.size, old.mtime_ns) != (source.size, source.mtime_ns):
            changed.append(source)
        else:
            unchanged += 1
            if old.standing is Standing.GONE:
                returned.append(source.path)
    missing = [s for s in known if s.path not in seen and s.root in found.complete_roots]
    moved = _moved(missing, added)
    lost = [s for s in missing if s.path not in moved]
    gone = [s.path for s in lost if s.standing is Standing.PRESENT and s.runtime not in (HISTORY, MEMORY)]
    removed = [s.path for s in lost if s.runtime in (HISTORY, MEMORY)]
    arrived = {source.path for source in moved.values()}
    return Plan(
        newest_first([s for s in added if s.path not in arrived]), newest_first(changed), tuple(gone),
        tuple(returned), tuple(removed), tuple(moved.items()), unchanged + len(moved),
    )  # fmt: skip


def _moved(missing: Sequence[Signature], added: Sequence[Source]) -> dict[str, Source]:
    """Missing records of which exactly one new file has runtime, session id, size and time. By their old path."""
    new: dict[tuple[str, str, int, int], list[Source]] = {}
    for source in added:
        if source.session_id:
            new.setdefault((source.runtime, source.session_id, source.size, source.mtime_ns), []).append(source)
    moved: dict[str, Source] = {}
    for old in missing:
        found = new.pop((old.runtime, old.session_id, old.size, old.mtime_ns), [])
        if len(found) == 1:
            moved[old.path] = found[0]
    return moved


def newest_first(sources: list[Source]) -> tuple[Source, ...]:
    """The order in which records are read."""
    return tuple(sorted(sources, key=lambda s: (-s.mtime_ns, s.path)))
