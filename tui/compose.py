"""The composition root of every face: options and environment become a `Library`."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import UsageError
from core.frozen import dataclass
from core.paths import own_places, private_folder
from core.ports import Filters, Index, Refreshed
from core.settings import Settings, load_settings

if TYPE_CHECKING:
    import argparse

    from core.library import Library
    from core.recall.events import NamedTime
    from core.recall.model import Scope
    from core.records.archive import Archive

REFRESH_SECONDS = 30.0
"""How long a search brings the index up to date before it answers from what there is."""

MEMORY_SECONDS = 2.0
"""How long a shared memory's owner may take before an answer goes on without it."""


@dataclass(frozen=True, slots=True)
class Options:
    """What was asked for on the command line, for every command."""

    json: bool = False
    plain: bool = False
    roots: tuple[str, ...] = ()
    """`--root`: only these are read."""
    project: str = ""
    """`--project`: only records of this folder."""
    mouse: bool = True
    quiet: bool = False


def options_of(parsed: argparse.Namespace) -> Options:
    """The options that every command shares."""
    return Options(
        json=getattr(parsed, "json", False),
        plain=getattr(parsed, "plain", False),
        roots=tuple(getattr(parsed, "root", ())),
        project=getattr(parsed, "project", ""),
    )


def settings() -> Settings:
    """The person's settings."""
    return load_settings(own_places(os.environ).settings)


def check(options: Options) -> None:
    """Raise for what a person must mend before anything is opened: a root that is not there, a folder of our own that
    cannot be written."""
    for root in options.roots:
        if not Path(root).expanduser().is_dir():
            raise UsageError(f"--root {root}: there is no such folder.", "Name a folder that holds sessions.")
    private_folder(own_places(os.environ).index)


def open_archive(options: Options, chosen: Settings | None = None) -> Archive:
    """The archive that the options, the settings and the environment name."""
    from core.records.archive import Archive
    from core.records.history_files import HistoryFiles

    check(options)
    home = os.path.expanduser("~")
    chosen = chosen or settings()
    extra = options.roots or tuple(p for paths in chosen.roots.values() for p in paths)
    places = own_places(os.environ)
    history = HistoryFiles(str(places.history), chosen.commits)
    memory = "" if options.roots else str(places.memory)
    return Archive.from_environment(
        os.environ, home, extra, only_extra=bool(options.roots), history=history, notes=chosen.notes, memory=memory
    )


def open_index(options: Options, archive: Archive | None = None) -> Index:
    """The index of the archive alone: what bringing it up to date needs."""
    from indexes.whoosh_index import WhooshIndex

    archive = archive or open_archive(options)
    folder = private_folder(own_places(os.environ).index)
    if options.roots:
        import hashlib

        name = hashlib.sha256("\0".join(sorted(os.path.realpath(r) for r in options.roots)).encode()).hexdigest()[:16]
        folder = private_folder(folder.parent / "index-of-roots" / name)
    return WhooshIndex(folder, archive)


def open_library(options: Options, chosen: Settings | None = None) -> Library:
    """The library over the archive, with other settings than the person's where they are given. Opens nothing that is
    not needed yet."""
    from core.library import Library

    archive = open_archive(options, chosen)
    index = open_index(options, archive)
    return Library(archive, index, os.path.expanduser("~"), named_times=partial(_tag_times, archive))


def _tag_times(archive: Archive) -> list[NamedTime]:
    """The tags of the projects' histories, by which a cue may date ("around v1.2")."""
    from core.recall.events import NamedTime

    return [NamedTime(name, at) for name, at in archive.tag_times()]


def here() -> str:
    """The folder the program was started in, `""` where it was deleted meanwhile."""
    try:
        return os.getcwd()
    except FileNotFoundError:
        return ""


def scope_of(options: Options) -> Scope:
    """The boundary that the options draw."""
    from core.recall.boundary import folder
    from core.recall.model import Scope

    if not options.project:
        return Scope()
    try:
        project = os.path.abspath(os.path.expanduser(options.project))
    except FileNotFoundError as problem:
        raise UsageError(
            "The folder you are in was deleted, so --project cannot tell which one you mean.",
            "Name it: --project /path/to/project",
        ) from problem
    return Scope(Filters(projects=(folder(project),)), f"project {Path(project).name}")


def _take_in_memory() -> None:
    """Let claims that wait reach their owner, and those of others be found; an owner that is away is told of by
    `recollect status`, and holds up nothing."""
    places = own_places(os.environ)
    if not os.environ.get("RECOLLECT_MEMORY_URL") and not settings().memory_url and not _waits(places.memory / "spool"):
        return
    from core.memory.sink import Memory  # 30 ms, where there is something to do

    Memory.open(places, settings(), os.environ).catch_up(MEMORY_SECONDS)


def _waits(spool: Path) -> bool:
    """True if a delta lies in a spool."""
    try:
        return any(name.endswith(".json") for name in os.listdir(spool))
    except OSError:
        return False  # the person keeps no memory


def bring_up_to_date(library: Library, *, seconds: float | None = REFRESH_SECONDS, quiet: bool = False) -> Refreshed:
    """Refresh the index before an answer, bounded; what happened to it is said on stderr."""
    from tui.output import ProgressLine, write_err

    _take_in_memory()
    line = ProgressLine("Indexing")
    try:
        done = library.refresh(progress=None if quiet else line, seconds=seconds)
    finally:
        line.close()
    if done.message:
        from core.text import shown  # the system's words may hold a path

        write_err(shown(done.message))
    if done.pending:
        write_err(f"{done.pending:,} records are not indexed yet; they are searched by their heads.")
    return done
