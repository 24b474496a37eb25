"""How the index stands to the archive, found out with as little as the question needs."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress

from core.ports import Refreshed, Standing
from core.records.recordfile import cited_file, differs
from indexes.archive_port import Archive
from indexes.catalog import Catalog
from indexes.damage import DAMAGE
from indexes.home import COUNTS, LOOK, SCHEMA_VERSION, IndexHome
from indexes.plan import HISTORY, MEMORY, NOTES
from indexes.rows import Signature


def looked_again(home: IndexHome, archive: Archive, deadline: float | None) -> Refreshed | None:
    """The refresh of an archive that stands as it was looked at the last time; `None` if it does not, or if that cannot be
    told: then everything is listed, and the catalog's tables are counted. The caller holds the lock."""
    if home.version() != SCHEMA_VERSION:
        return None
    try:
        with Catalog(home.path, write=True) as catalog:
            look = home.kept(LOOK, catalog.meta().get("looked", 0))
            if not look:
                return None
            started, projects = time.monotonic(), catalog.projects()
            archive.catch_up(projects, deadline)
            scanned = time.time_ns()
            rest = archive.rest(projects, look)
            if rest is None:
                return None
            unchanged = catalog.holds_beside(rest.sources, rest.same_roots, rest.records)
            if unchanged is None:
                return None
            with catalog.writing(shown=False):
                catalog.finish(scanned_ns=scanned)
            return Refreshed(unchanged=unchanged, seconds=time.monotonic() - started)
    except DAMAGE:
        return None  # what it is, the whole look says


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
