"""Rows of records as plain lines, for `search`, `list` and `status`."""

from __future__ import annotations

import os
import sys
import textwrap

from core.candidates import Candidate
from core.recall.handles import runtime_name
from core.text import cell_width, clip, one_line
from tui.plain import local_time


def terminal_width(otherwise: int) -> int:
    """Columns of the terminal that stdout is, `otherwise` where it is none."""
    return os.get_terminal_size().columns if sys.stdout is not None and sys.stdout.isatty() else otherwise


def marks(row: Candidate) -> str:
    """What is special about a record, in words."""
    words = [row.kind] if row.kind != "main" else []
    words += ["archived"] if row.archived else []
    words += ["file gone"] if row.gone else []
    return f" ({', '.join(words)})" if words else ""


def _marked(row: Candidate, width: int) -> str:
    """The phrase and its marks within `width` columns; the phrase gives way, not the marks."""
    special = marks(row)
    return clip(clip(row.phrase, max(1, width - cell_width(special))) + special, width)


def pad(text: str, cells: int) -> str:
    """`text` clipped and padded to exactly `cells` columns."""
    clipped = clip(text, cells)
    return clipped + " " * (cells - cell_width(clipped))


def _day(row: Candidate) -> str:
    """`Tue 10 Feb 2026`; `file 10 Feb 2026` of a record that holds no time itself."""
    day = local_time(row.date, clock=False)
    return f"file {day.partition(' ')[2]}" if row.dated_by_file else day


def _dated(row: Candidate) -> str:
    """When something was last said in it, or that it does not say and when its file was written."""
    when = local_time(row.date)
    return f"unknown date, its file is of {when}" if row.dated_by_file else when


def row_line(row: Candidate, width: int) -> str:
    """A record on one line: day, runtime, project, phrase, id."""
    day = pad(_day(row), 16)
    head = f"{day} {pad(runtime_name(row.locator.runtime), 12)} {pad(row.project or '-', 18)} "
    tail = f" {one_line(row.locator.session_id, 8).removesuffix('…')}"
    room = max(10, width - cell_width(head) - cell_width(tail))
    return head + pad(_marked(row, room), room) + tail


def hit_lines(rank: int, row: Candidate, width: int) -> list[str]:
    """A candidate with its best passage."""
    number = f"{rank}. "
    lines = [number + _marked(row, width - len(number))]
    place = f"{one_line(row.locator.path)}:{row.passages[0].line}" if row.passages else one_line(row.locator.path)
    lines.append(f"   {runtime_name(row.locator.runtime)} · {row.project or '-'} · {_dated(row)}")
    if row.gist:
        lines += textwrap.wrap(row.gist, max(30, width - 5), initial_indent="   “", subsequent_indent="    ")
        lines[-1] += "”"
    lines.append(f"   {place}")
    return lines
