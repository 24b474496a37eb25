"""The words of the header, the footer and the titles."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.errors import RecollectError
from core.text import cell_width, clip, one_line, shown
from tui.keys import RECOLLECT, KeyRow, Pane, first_key
from tui.messages import IndexReport, Place, Surroundings
from tui.screens.opening import index_words
from tui.screens.place import room_of, with_tabs
from tui.screens.reasons import Facts, why_not
from tui.widgets.bar import fit
from tui.widgets.pieces import Piece
from tui.widgets.wording import count, home_path, runtime_label, short_path

MOST_HINTS = 6


def header(scope: str, around: Surroundings | None, report: IndexReport | None, width: int) -> Sequence[Piece]:
    """`Recollect · all projects · ~/.claude 1,325 · index current   2 Soul`, the roots left out where there is no room."""
    return with_tabs("recollect", width, _header(scope, around, report, width - room_of("recollect", width)))


def _header(scope: str, around: Surroundings | None, report: IndexReport | None, width: int) -> Sequence[Piece]:
    name = [Piece(" Recollect", "strong")]
    where = [Piece(" · ", "dim"), Piece(one_line(scope), "strong", "do:scope")]
    running = report is not None and not report.progress.done and not report.failed
    index = [Piece(" · ", "dim"), Piece(index_words(around, report), "warn" if running else "dim")]
    roots = [
        [Piece(f" · {home_path(root.root)} {root.records:,}", "dim")]
        for root in (around.roots if around else ())
        if root.records
    ]
    room = width - sum(cell_width(piece.text) for piece in (*name, *where, *index))
    if room < 0:
        return fit([[Piece(" "), *where[1:]], index], width, gap="")
    named = fit(roots, room, gap="")
    if len(named) < len(roots):  # some places by name would look like all there are
        total = sum(root.records for root in around.roots) if around else 0
        named = fit([[Piece(f" · {count(total, 'record')} in {count(len(roots), 'place')}", "dim")]], room, gap="")
    return [*name, *where, *named, *index]


def hints(pane: Pane, facts: Facts, width: int) -> Sequence[Piece]:
    """At most six keys that act now, the most important first."""
    if facts.busy:
        return [Piece(" "), Piece("esc", "key", "do:back"), Piece(" stops the search")]
    valid = [row for row in ranked(RECOLLECT, pane, Pane.RECOLLECT) if not why_not(row.reason, facts)]
    return hint_line(valid, lambda row: label(row, facts), width)


def ranked(table: Sequence[KeyRow], pane: Pane, place: Pane) -> list[KeyRow]:
    """The rows that a footer may show while `pane` has the focus: its own first, then those of the place."""
    rows = (row for row in table if row.priority and row.pane in (pane, place, Pane.ANY))
    return sorted(rows, key=lambda row: (row.pane is not pane or pane in (place, Pane.ANY), row.priority))


def hint_line(valid: Sequence[KeyRow], words: Callable[[KeyRow], str], width: int) -> Sequence[Piece]:
    """A footer of at most six of these rows, help always the last one."""
    groups = [
        [Piece(first_key(row), "key", f"do:{row.id}"), Piece(f" {words(row)}", "", f"do:{row.id}")] for row in valid
    ]
    help_ = next((g for g, row in zip(groups, valid, strict=True) if row.id == "help"), None)
    others = [group for group in groups if group is not help_][: MOST_HINTS - 1]
    if help_ is None:
        return [Piece(" "), *fit(others, width - 2)]
    room = width - 2 - sum(cell_width(piece.text) for piece in help_) - 3
    kept = fit(others, room)
    return [Piece(" "), *kept, *([Piece("   ")] if kept else []), *help_]


def label(row: KeyRow, facts: Facts) -> str:
    """What a key does right now."""
    if row.id == "tell" and facts.moved:
        return "open this one"
    if facts.offered and not facts.presented:
        return {"yes": "search wider", "no": "stop here"}.get(row.id, row.label)
    return row.label


def scope_name(runtime: str) -> str:
    """The scope of one runtime."""
    return f"only {runtime_label(runtime)}"


def record_title(place: Place, width: int) -> str:
    """`record · payments/3f2a.jsonl:412`, with the record's name where there is room."""
    columns = width - 6 if width < 100 else width * 45 // 100 - 8
    where = f"record · {short_path(place.locator.path)}:{place.line}"
    name = one_line(place.title)
    room = columns - cell_width(where) - 3
    return clip(f"{where} · {clip(name, room)}" if name and room > 12 else where, max(8, columns))


def failure(error: BaseException | None, name: str, kind: str) -> tuple[str, str]:
    """What failed and what to do, without a word that a record may have put into the error."""
    if isinstance(error, RecollectError):
        return shown(error.what), shown(error.hint)
    return f"The {name} failed ({kind}).", "try again; `recollect doctor` checks the index and the places"


def work_failure(error: BaseException | None, group: str) -> tuple[str, str]:
    """The same of a group of workers of the place Recollect."""
    where = {"pass": "search", "candidates": "list", "further": "record"}
    return failure(error, where.get(group, group), type(error).__name__)
