"""Dates, sizes and names in the words a person reads. Times are local."""

from __future__ import annotations

import os
from datetime import datetime, tzinfo

from core.recall.handles import runtime_name
from core.records.model import Origin, ReadProblem
from core.text import cell_width, clip, one_line

_SPEAKERS = {
    Origin.PERSON: "you",
    Origin.ASSISTANT: "assistant",
    Origin.EXTERNAL: "tool",
    Origin.PEER: "another agent",
    Origin.INJECTED: "the runtime",
    Origin.UNKNOWN: "speaker not known",
}


def runtime_label(runtime: str) -> str:
    """The name people know a runtime by."""
    return one_line(runtime_name(runtime), 24) or "unknown runtime"


def _local(at: float, zone: tzinfo | None) -> datetime | None:
    """`at` in local time, or `None` for a number that is no date."""
    try:
        return datetime.fromtimestamp(at, zone).astimezone(zone)
    except (ValueError, OverflowError, OSError):
        return None


def long_date(at: float | None, zone: tzinfo | None = None) -> str:
    """`Tue 12 Mar 2026`; `""` if unknown."""
    moment = None if at is None else _local(at, zone)
    return f"{moment:%a} {moment.day} {moment:%b %Y}" if moment else ""


def short_date(at: float | None, now: float, zone: tzinfo | None = None) -> str:
    """`14:02` for today, `12 Mar` within a year, else `Mar 2024`; `""` if unknown."""
    moment, today = (None if at is None else _local(at, zone)), _local(now, zone)
    if moment is None or today is None:
        return ""
    if moment.date() == today.date():
        return f"{moment:%H:%M}"
    if abs((today - moment).days) < 330:
        return f"{moment.day} {moment:%b}"
    return f"{moment:%b %Y}"


def moment(at: float | None, zone: tzinfo | None = None) -> str:
    """`12 Mar 2026 14:02`; `""` if unknown."""
    found = None if at is None else _local(at, zone)
    return f"{found.day} {found:%b %Y %H:%M}" if found else ""


def clock(at: float | None, zone: tzinfo | None = None) -> str:
    """`14:02`; `""` if unknown."""
    found = None if at is None else _local(at, zone)
    return f"{found:%H:%M}" if found else ""


def count(number: int, one: str, many: str = "") -> str:
    """`1 record`, `2,000 records`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def size(number: int) -> str:
    """Bytes as `0.4 MB`, `63 MB`, `1.2 GB`."""
    if number < 1_000:
        return count(number, "byte")
    if number < 1_000_000:
        return f"{number / 1_000:.0f} kB"
    if number < 1_000_000_000:
        return f"{number / 1_000_000:.{1 if number < 10_000_000 else 0}f} MB"
    return f"{number / 1_000_000_000:.1f} GB"


def duration(seconds: float) -> str:
    """Seconds as `under a second`, `4 s`, `3 min`."""
    if seconds < 1:
        return "under a second"
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min"


def home_path(path: str) -> str:
    """`path` on one line with the home folder as `~`."""
    home = os.path.expanduser("~").rstrip("/")
    if home and (path == home or path.startswith(home + "/")):
        path = "~" + path[len(home) :]
    return one_line(path)


def home_command(command: str) -> str:
    """A command on one line; the folder it changes to as a person writes it: `cd ~/code/payments && …`."""
    home = os.path.expanduser("~").rstrip("/")
    if home and command.startswith(f"cd {home}/"):
        command = "cd ~" + command[len("cd ") + len(home) :]
    return one_line(command)


def short_path(path: str) -> str:
    """The last two parts of a path, a long name cut: `payments/3f2a9c00-1111….jsonl`."""
    parts = [part for part in one_line(path).split("/") if part][-2:]
    if parts and len(parts[-1]) > 24:
        stem, dot, end = parts[-1].rpartition(".")
        parts[-1] = clip(stem, 14) + dot + end if dot and len(end) < 8 else clip(parts[-1], 20)
    return "/".join(_bucket(part) if part.startswith("-") else clip(part, 28) for part in parts)


BUCKET = 18
"""Columns of the name of a folder that stands for a project's whole path (`-home-ana-code-payments`)."""


def _bucket(name: str) -> str:
    """Its end, which tells the project: `…na-code-payments`."""
    return name if cell_width(name) <= BUCKET else "…" + name[-(BUCKET - 1) :]


def progress_bar(done: int, total: int, cells: int) -> str:
    """A bar of `cells` columns, readable without colour."""
    filled = 0 if total <= 0 else min(cells, done * cells // total)
    return "█" * filled + "░" * (cells - filled)


def speaker(origin: Origin, name: str = "") -> str:
    """Who speaks, in a word; the record's own name where it has one."""
    label = _SPEAKERS[origin]
    named = one_line(name, 30)
    return f"{label} ({named})" if named else label


def describe_problem(problem: ReadProblem) -> str:
    """One record that could not be read: where, why, what to do."""
    line = f":{problem.line}" if problem.line else ""
    hint = f" (hint: {one_line(problem.hint)})" if problem.hint else ""
    return f"{short_path(problem.path)}{line}: {one_line(problem.what)}{hint}"
