"""What a packet is composed from, for the command line and the place Delegate: recall, memory and the soul, as they are set up."""

from __future__ import annotations

import getpass
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import RecollectError, UsageError
from core.paths import own_places
from core.settings import load_settings
from core.text import one_line
from tui.compose import Options, bring_up_to_date, open_library

if TYPE_CHECKING:
    from core.delegation.compose import Sources
    from core.delegation.desk import DelegationDesk
    from core.delegation.model import SoulPart
    from core.delegation.past import Past
    from core.delegation.project import Project
    from core.delegation.touched import Touched
    from core.library import Library
    from core.memory.sink import Memory
    from core.memory.view import View
    from core.ports import Entry


def own_name() -> str:
    """The person's user name, where a name is not given."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "someone"  # a user without an entry, as in a bare container


def delegation_desk() -> DelegationDesk:
    """The desk over the person's own records."""
    from core.delegation.desk import DelegationDesk

    return DelegationDesk(own_places(os.environ).state, time.time)


def own_memory() -> Memory:
    """The memory that settings and environment name."""
    from core.memory.sink import Memory

    places = own_places(os.environ)
    return Memory.open(places, load_settings(places.settings), os.environ)


def sources_of(library: Callable[[], Library]) -> Sources:
    """Recall, memory and the soul as a packet asks them. The library is opened when sessions are asked for."""
    from core.delegation.compose import Sources

    def past(task: str, root: str) -> Past:
        from core.delegation.past import past_of

        return past_of(library(), task, root)

    return Sources(past, _memory, soul_part)


def fresh_library(options: Options) -> Library:
    """The library with its index brought up to date."""
    library = open_library(options)
    bring_up_to_date(library, quiet=options.json or options.quiet)
    return library


def _memory() -> tuple[View, str]:
    view, away = own_memory().seen()
    return view, away.what if away is not None else ""


def soul_part(root: str) -> SoulPart:
    """The check of the project's handoff document, remembered where nothing changed; why not, where there is none."""
    from core.delegation.model import SoulPart
    from core.soul.desk import SoulDesk, UtcClock

    places = own_places(os.environ)
    desk = SoulDesk(root, places.state, places.index.parent / "cache", UtcClock())
    try:
        document = desk.report().document
    except RecollectError as problem:
        return SoulPart("", why_not=problem.what)
    stale = tuple((str(item["claim"]), int(item["lines"][0])) for item in document["stale"])
    return SoulPart(str(document["receipt"]), stale, str(document["soul_path"]))


def session_touches(library: Library, given: str) -> tuple[Callable[[Project, float], Touched], str]:
    """What a session's tool calls changed, to be asked of a project, and the session's last message. Raises `UsageError`."""
    from core.delegation.touched import from_turns
    from core.records.model import Channel, Origin, ReadProblem

    entry = _entry_of(library, given)
    turns = list(library.archive.read(entry.source))
    cwd = entry.spine.cwds[0] if entry.spine.cwds else entry.spine.project

    def touched(project: Project, since: float) -> Touched:
        return from_turns(project, turns, cwd, since)

    said = [t for t in turns if t.origin is Origin.ASSISTANT and t.channel is Channel.TALK]
    handle = library.archive.spine(entry.source)
    if isinstance(handle, ReadProblem):
        raise UsageError(f"The session {one_line(given)} cannot be read: {handle.what}", handle.hint)
    return touched, "\n".join(t.text for t in said[-6:])


def _entry_of(library: Library, given: str) -> Entry:
    path = Path(given).expanduser()
    if "/" in given and path.exists():
        entry = library.by_path(os.path.realpath(path))
        found: tuple[Entry, ...] = (entry,) if entry is not None else ()
    else:
        found = tuple(library.by_id(given))
    if not found:
        raise UsageError(f"There is no session {one_line(given, 120)}.", "recollect list shows every session's id.")
    if len({e.source.path for e in found}) > 1:
        raise UsageError(f"“{one_line(given, 80)}” is the beginning of {len(found)} sessions.", "Write more of it.")
    return found[0]
