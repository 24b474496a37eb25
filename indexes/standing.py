"""How the index stands to the archive, found out with as little as the question needs."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from core.frozen import dataclass
from core.ports import AsListed, Standing
from core.records.listings import NoListing, packed, unpacked
from core.records.looks import Look, NoLook
from core.records.model import Listed, Source
from core.records.recordfile import cited_file, differs
from indexes.archive_port import Archive, Rest
from indexes.catalog import Catalog
from indexes.damage import DAMAGE, is_full
from indexes.home import COUNTS, LISTING, LOOK, PRESENT, SCHEMA_VERSION, IndexHome
from indexes.plan import HISTORY, MEMORY, NOTES, Plan, newest_first
from indexes.rows import Signature


@dataclass(frozen=True, slots=True)
class Again:
    """What asking after the last look found."""

    todo: Plan
    """Idle, or known records that were written to."""
    scanned_ns: int
    rest: Rest
    """What lies beside, and the look to keep."""
    seconds: float

    @property
    def look(self) -> bytes:
        """The look to keep."""
        return self.rest.look


def looked_again(home: IndexHome, archive: Archive, deadline: float | None) -> Again | None:
    """What there is to do where, since the last look, known records were written to at most; `None` where more changed, or
    where it cannot be told: then everything is listed, and the catalog's tables are counted. The caller holds the lock."""
    if home.version() != SCHEMA_VERSION:
        return None
    try:
        with Catalog(home.path, write=True) as catalog:
            meta = catalog.meta()
            look = home.kept(LOOK, meta.get("looked", 0))
            if not look:
                return None
            started, projects = time.monotonic(), catalog.projects()
            archive.catch_up(projects, deadline)
            scanned = time.time_ns()
            rest = archive.rest(projects, look)
            if rest is None:
                return None
            present = present_of(home, catalog, meta.get("version", 0))
            total = _holds_beside(rest, present, catalog, home.segment_sizes())
            changed = _written_to(rest, catalog) if total is not None else None
            if total is None or changed is None:
                home.forget(PRESENT)  # counted anew, should it be what was wrong
                return None
            if not changed:
                with catalog.writing(shown=False):
                    catalog.finish(scanned_ns=scanned)
            todo = Plan((), newest_first(changed), (), (), (), (), total - len(changed))
            return Again(todo, scanned, rest, time.monotonic() - started)
    except DAMAGE:
        return None  # what it is, the whole look says


def _holds_beside(rest: Rest, present: Present, catalog: Catalog, segments: Mapping[str, int]) -> int | None:
    """How many records are there, if the catalog holds the `rest` unchanged, and in the other roots as many as were looked at,
    and if the `segments` are those that there were; else `None`. What lies beside is compared, and all rows are counted where
    they stand."""
    others = [root for root in present.roots if root not in rest.same_roots]
    total = sum(present.roots.values())
    inside = total - sum(present.roots[root] for root in others)
    same = inside == rest.records and present.rows == catalog.count_where_they_stand() and present.segments == segments
    return total if same and catalog.holds_in(others, rest.sources) else None


def _written_to(rest: Rest, catalog: Catalog) -> list[Source] | None:
    """The records that were written to, as they are now; `None` where a file is no record of its own (a history of prompts),
    or may decide whether another is one: prompts that name no session belong to the sessions of their time."""
    rows = catalog.rows(list(rest.changed))
    if any(path not in rows or rows[path].standing is not Standing.PRESENT for path in rest.changed):
        return None
    if rows and catalog.holds_dated_ghosts():
        return None
    return [replace(rows[p].source, size=size, mtime_ns=time_ns) for p, (size, time_ns) in rest.changed.items()]


def keep_listing(home: IndexHome, found: Listed) -> None:
    """Keep what a listing found where it looked, for `listed`, if the disk takes it: without it, everything is listed."""
    with suppress(NoLook, OSError):
        look = Look(found.look)
        if data := packed(found.sources, look.roots):
            home.keep(LISTING, look.names(), data)


def rest_of(home: IndexHome, archive: Archive, catalog: Catalog) -> Rest | None:
    """What lies beside the last look, where that still holds."""
    look = home.kept(LOOK, catalog.meta().get("looked", 0))
    return archive.rest(catalog.projects(), look) if look else None


def listed(home: IndexHome, rest: Rest) -> AsListed | None:
    """Every record there is, as a listing would find it, by what an earlier one kept and by the `rest` that was looked at
    now; `None` where nothing is kept that goes with the look."""
    try:
        look = Look(rest.look)
        order, found = unpacked(home.kept(LISTING, look.names()), look.stamps())
    except (NoLook, NoListing):
        return None
    if not {source.path for source in found} >= set(rest.changed):
        return None  # a file of which records are a part, or which says what is one
    by_root: dict[tuple[str, str], list[Source]] = {place: [] for place in order}
    for source in (*found, *rest.sources):
        by_root.setdefault((source.runtime, source.root), []).append(source)
    unique: dict[str, Source] = {}
    for sources in by_root.values():
        for source in sources:
            unique.setdefault(source.path, source)
    return AsListed(tuple(unique.values()), tuple(rest.problems))


def find_damage(home: IndexHome) -> str:
    """What is wrong with the files, as far as their lengths and the catalog show; `""` if nothing. Raises what is no fault of
    theirs: another program that holds the catalog, no file left to open."""
    from indexes import toc  # loads `pickle`, 6 ms that an idle refresh does without

    try:
        with Catalog(home.path, write=True) as catalog:
            catalog.check()
        sizes, generation = home.segment_sizes(), toc.newest(home.segments, toc.INDEX_NAME)
        for one in toc.read(home.segments / toc.file_name(toc.INDEX_NAME, generation)) if generation >= 0 else ():
            name = toc.segment_file(one["segid"])
            if sizes.get(name) != one["size"]:
                return f"{name} is gone, or not as long as it was"
    except DAMAGE as error:
        if is_full(error):
            raise
        return str(error)
    return ""


def counts_of(home: IndexHome, catalog: Catalog, version: int) -> Mapping[tuple[str, str], tuple[int, int]]:
    """Per runtime and root: records, and how many could not be read; from the file in which they are kept for this version
    of the catalog, or from all its rows."""
    try:
        return {(runtime, root): (n, bad) for runtime, root, n, bad in json.loads(home.kept(COUNTS, version))}
    except (ValueError, TypeError):
        counts = catalog.counts()
        rows = [[*key, *value] for key, value in counts.items()]
        with suppress(OSError):  # a disk that cannot be written: the next command counts again
            home.keep(COUNTS, max(version, 1), json.dumps(rows).encode("ascii"))
        return counts


@dataclass(frozen=True, slots=True)
class Present:
    """The records of a catalog, counted."""

    rows: int
    """All of them."""
    roots: Mapping[tuple[str, str], int]
    """Per runtime and root: those that are there."""
    segments: Mapping[str, int]
    """The files of the segments, with their bytes."""


def present_of(home: IndexHome, catalog: Catalog, version: int) -> Present:
    """The records of a catalog of this version, from the file in which their numbers are kept, or counted."""
    try:
        rows, roots, segments = json.loads(home.kept(PRESENT, version))
        return Present(int(rows), {(runtime, root): int(n) for runtime, root, n in roots}, dict(segments))
    except (ValueError, TypeError):
        present = Present(catalog.count_where_they_stand(), catalog.present(), home.segment_sizes())
        kept = [present.rows, [[*root, n] for root, n in present.roots.items()], dict(present.segments)]
        with suppress(OSError):  # as for `counts_of`
            home.keep(PRESENT, max(version, 1), json.dumps(kept).encode("ascii"))
        return present


def changed_since(home: IndexHome, catalog: Catalog, meta: Mapping[str, int]) -> tuple[int, bool]:
    """How many known records are not as they were, and whether anything may have come, gone or changed. Lists nothing;
    where all stands as it was looked at, only the records that the look does not cover are asked after one by one."""
    same, written = frozenset[tuple[str, str]](), False
    with suppress(NoLook):
        look = Look(home.kept(LOOK, meta.get("looked", 0)))
        files = look.changed()
        same, written = (look.roots if files == {} else same), bool(files)
    known, since = catalog.signatures(same), meta.get("scanned_ns", 0)
    changed = how_many_changed(known, since)
    # A file that was written to may be no record and still name one: a history of prompts.
    return changed, bool(changed) or written or folders_changed(known, since)


def how_many_changed(known: Sequence[Signature], since_ns: int) -> int:
    """How many known records differ from what was read at the scan that ended at `since_ns`."""
    present = [record for record in known if record.standing is not Standing.GONE]
    # A history of commits, or a copy of claims, is one file: it is looked at once, not for each of its records.
    histories = {cited_file(r.path): r for r in present if r.runtime in (HISTORY, MEMORY)}
    single = (record for record in present if record.runtime not in (HISTORY, MEMORY))
    return sum(differs(r.path, r.size, r.mtime_ns, since_ns) for r in (*single, *histories.values()))


def folders_changed(known: Sequence[Signature], since_ns: int) -> bool:
    """Whether a folder between the roots and the records has changed since the last scan: a file came or went."""
    folders: set[str] = set()
    for record in known:
        if record.runtime in (HISTORY, MEMORY, NOTES):
            # The root of a history is the repository. That of notes is a project, in which files come and go all day: a
            # note that changed is seen by itself, a new one with the next refresh. Beside a copy of claims lies the spool.
            continue
        folder = os.path.dirname(record.path)
        while folder not in folders and len(folder) >= len(record.root) and folder != "/":
            folders.add(folder)
            folder = os.path.dirname(folder)
    for folder in folders:
        try:
            if os.stat(folder).st_mtime_ns > since_ns:
                return True
        except OSError:
            return True
    return False
