"""Whether a record lies inside the boundary that a query's filters and hard windows draw."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.ports import Entry, Filters, Standing, TimeWindow
from core.records.model import Origin
from core.records.robots import robot_reason

ROLE_NAMES = {
    "person": Origin.PERSON, "me": Origin.PERSON, "user": Origin.PERSON, "assistant": Origin.ASSISTANT,
    "agent": Origin.ASSISTANT, "peer": Origin.PEER, "unknown": Origin.UNKNOWN, "injected": Origin.INJECTED,
}  # fmt: skip
"""Whom a role names."""


def speaks(origin: Origin, roles: Sequence[str]) -> bool:
    """True if what was said by `origin` lies inside the boundary that `Filters.roles` draw; `-` in front negates."""
    wanted = [ROLE_NAMES.get(name) for name in map(str.casefold, roles) if not name.startswith("-")]
    refused = [ROLE_NAMES.get(name[1:]) for name in map(str.casefold, roles) if name.startswith("-")]
    return origin not in refused and (not wanted or origin in wanted)


def passes(entry: Entry, filters: Filters) -> bool:
    """True if a record fulfils the filters. `roles` speak of turns, not of records: `speaks` looks at them."""
    spine, source = entry.spine, entry.source
    kinds = [spine.role.value, source.role.value]
    kinds += [name for name, holds in (("archived", source.archived), ("fork", bool(spine.forked_from))) if holds]
    kinds += ["gone"] if entry.standing is Standing.GONE else []
    if any(k.lstrip("-").lower() == "robot" for k in filters.kinds) and robot_reason(spine):
        kinds.append("robot")
    return (
        _holds(filters.runtimes, [source.runtime])
        and _holds(filters.kinds, kinds)
        and _holds(filters.projects, [*spine.cwds, spine.project], lies_in)
        and _holds(filters.branches, [spine.branch], str.__contains__)
        and _starts(filters.sessions, [spine.session_id, source.session_id])
    )


def reads(runtime: str, filters: Filters) -> bool:
    """True if records of a runtime lie inside the boundary at all."""
    return _holds(filters.runtimes, [runtime])


def folder(path: str) -> str:
    """A working directory as a value of `Filters.projects`: it and what lies below, and no other whose name begins so."""
    return path.rstrip("/\\") + "/"


def lies_in(place: str, sought: str) -> bool:
    """True if a working directory lies in what a value of `Filters.projects` says, both case-folded: a part of its path, or a
    folder, by the slash at the end; a folder from the root on is not found elsewhere."""
    if not sought.endswith(("/", "\\")):
        return sought in place
    place, sought = f"{place}/".replace("\\", "/"), sought.replace("\\", "/")
    rooted = sought.startswith("/") or sought[1:3] == ":/"
    return place.startswith(sought) if rooted else sought in place


def within(entry: Entry, windows: tuple[TimeWindow, ...]) -> bool:
    """True if a record overlaps one of the hard windows, or there is none. A record without times is outside."""
    hard = [w for w in windows if w.hard]
    if not hard:
        return True
    first = entry.spine.started if entry.spine.started is not None else entry.spine.ended
    last = entry.spine.ended if entry.spine.ended is not None else first
    return first is not None and last is not None and any(first < w.end and last >= w.start for w in hard)


def _holds(wanted: tuple[str, ...], values: list[str], fits: Callable[[str, str], bool] = str.__eq__) -> bool:
    """Alternatives, `-` in front negates; compared case-folded, whole unless `fits` says how."""
    low = [v.lower() for v in values if v]

    def found(sought: str) -> bool:
        return any(fits(v, sought) for v in low)

    if any(found(w[1:].lower()) for w in wanted if w.startswith("-")):
        return False
    positive = [w.lower() for w in wanted if not w.startswith("-")]
    return not positive or any(found(p) for p in positive)


def _starts(wanted: tuple[str, ...], values: list[str]) -> bool:
    low = [v.lower() for v in values if v]
    if any(v.startswith(w[1:].lower()) for w in wanted if w.startswith("-") for v in low):
        return False
    positive = [w.lower() for w in wanted if not w.startswith("-")]
    return not positive or any(v.startswith(p) for p in positive for v in low)
