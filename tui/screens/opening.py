"""What the panes say before anything was typed, while something is read, and when nothing is there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from core.frozen import dataclass
from core.ports import IndexCondition, Progress
from core.recall.model import Searched
from core.text import cell_width, one_line
from tui.keys import key_for, keyed
from tui.messages import IndexReport, Surroundings
from tui.widgets.pieces import Paragraph, Piece
from tui.widgets.wording import count, duration, home_path, progress_bar, runtime_label, size

if TYPE_CHECKING:
    from core.candidates import Candidate, Candidates


USUAL_PLACES = ("~/.claude", "~/.codex", "~/.copilot", "~/.gemini", "~/.pi/agent")
"""Where runtimes keep their sessions by default, for a person whose home has none of them."""


@dataclass(frozen=True, slots=True)
class Opening:
    """How the place is opened."""

    now: float
    """Seconds since the epoch; dates are told relative to it."""
    folder: str = "."
    """Where exports are written, and the project of the scope `this project`."""
    project: str = ""
    """The working directory whose records `this project` means; `""` leaves that scope out."""
    cue: str = ""
    """A cue to begin with."""
    exec_on_resume: bool = False
    made_up: bool = False
    newest: Callable[[], Sequence[Candidate]] = tuple
    """The newest sessions, as far as they are known when the place is first drawn: nothing waits for them."""


def _line(text: str, style: str = "", indent: int = 0) -> Paragraph:
    return Paragraph((Piece(text, style),), indent=indent, hang=2)


def opening(around: Surroundings | None, report: IndexReport | None) -> tuple[Paragraph, ...]:
    """What the dialogue shows before the first cue."""
    if around is None:
        return (_line("Looking for sessions …", "dim"),)
    if not any(root.records for root in around.roots):
        return _nothing(around.roots)
    lines = [
        _line("Half-remember a past conversation? Say what you know of it.", "strong"),
        _line("“that thing about retries we argued over in spring”", "dim"),
        Paragraph(),
        *_root_lines(tuple(root for root in around.roots if root.records)),
    ]
    missing = [f"{runtime_label(root.runtime)} {home_path(root.root)}" for root in around.roots if not root.records]
    if missing:
        lines.append(_line(f"Nothing in {', '.join(missing)}.", "dim"))
    lines += [Paragraph(), *_index_lines(around, report)]
    lines.append(_keys_line())
    return tuple(lines)


def _root_lines(roots: tuple[Searched, ...]) -> list[Paragraph]:
    rows = [(runtime_label(root.runtime), home_path(root.root), count(root.records, "record")) for root in roots]
    names, paths = max(cell_width(row[0]) for row in rows), max(cell_width(row[1]) for row in rows)
    return [
        Paragraph(
            (
                Piece(name + " " * (names - cell_width(name) + 2)),
                Piece(path + " " * (paths - cell_width(path) + 2), "dim"),
                Piece(number),
            ),
            hang=2,
        )
        for name, path, number in rows
    ]


def _keys_line() -> Paragraph:
    return Paragraph(
        (
            Piece(key_for("tell"), "key"),
            Piece(" tells the story of the best match, ", "dim"),
            Piece(key_for("list-up"), "key"),
            Piece(" and ", "dim"),
            Piece(key_for("list-down"), "key"),
            Piece(" choose a record yourself, ", "dim"),
            Piece(key_for("help"), "key"),
            Piece(" shows every key.", "dim"),
        )
    )


def _index_lines(around: Surroundings, report: IndexReport | None) -> list[Paragraph]:
    state = around.state
    lines: list[Paragraph] = []
    if report is not None and report.failed:
        lines.append(
            _line(f"The index could not be brought up to date: {one_line(report.message) or 'no reason given'}")
        )
        lines.append(_line("hint: recall works with what is there; run `recollect index` to see why.", "dim"))
    elif report is not None and not report.progress.done and report.progress.records_total:
        first = state.condition in (IndexCondition.ABSENT, IndexCondition.BUILDING)
        bar = progress_bar(report.progress.records, report.progress.records_total, 20)
        lines.append(_line(f"{bar} {progress_words(report.progress)}"))
        if first:
            lines.append(
                _line("The first index is being made. Recall works already, from the heads of the records.", "dim")
            )
    elif state.condition is IndexCondition.DAMAGED:
        lines.append(_line("The index is damaged and is made anew. Nothing of your sessions is touched.", "warn"))
    if state.message:
        lines.append(_line(one_line(state.message), "dim"))
    return lines


def _nothing(roots: tuple[Searched, ...]) -> tuple[Paragraph, ...]:
    places = [_line(f"{runtime_label(root.runtime)}  {home_path(root.root)}", indent=2) for root in roots]
    if not places:
        places = [_line(f"{'  '.join(USUAL_PLACES)}: none of them is there.", indent=2)]
    return (
        _line("No sessions were found. These places were looked at:", "strong"),
        *places,
        Paragraph(),
        _line("To read another place: recollect --root DIR, or set CLAUDE_CONFIG_DIR or CODEX_HOME."),
        _line("To try it on a made-up archive first: recollect demo"),
    )


def progress_words(progress: Progress) -> str:
    """`412/2,000 · 63 of 200 MB · 4 s left`."""
    parts = [f"{progress.records:,}/{progress.records_total:,}"]
    if progress.bytes_total:
        parts.append(f"{size(progress.bytes)} of {size(progress.bytes_total)}")
    left = progress.remaining()
    if left is not None:
        parts.append(f"{duration(left)} left")
    return " · ".join(parts)


def index_words(around: Surroundings | None, report: IndexReport | None) -> str:
    """The state of the index for the header."""
    if report is not None and report.failed:
        return "index not brought up to date"
    if report is not None and not report.progress.done:
        return f"indexing {progress_words(report.progress)}" if report.progress.records_total else "checking the index"
    if around is None:
        return "reading the index"
    words = {
        IndexCondition.CURRENT: "index current",
        IndexCondition.STALE: "index behind",
        IndexCondition.BUILDING: "index being made",
        IndexCondition.ABSENT: "no index yet",
        IndexCondition.DAMAGED: "index damaged",
    }[around.state.condition]
    return f"{words}, {around.state.pending:,} to read" if around.state.pending else words


def empty_list(found: Candidates | None, text: str, scope: str) -> tuple[Paragraph, ...]:
    """What the list of candidates says while it has no row."""
    if found is None:
        return (_line("Reading the index …", "dim"),)
    hints = tuple(_line(f"hint: {one_line(hint)}", "dim") for hint in found.hints)
    if not text.strip():
        return (_line(f"No records in {one_line(scope)}."), _line(keyed("{scope} changes the scope."), "dim"), *hints)
    if found.condition in (IndexCondition.ABSENT, IndexCondition.BUILDING):
        return (
            _line("The index is still being made; no record it holds so far fits."),
            _line(keyed("{tell} looks into the heads of all records."), "dim"),
            *hints,
        )
    return (
        _line(f"No record in {one_line(scope)} fits these words."),
        *(
            hints
            or (
                _line(
                    keyed("hint: {tell} looks further; fewer or other words, or {scope} for another scope, help too."),
                    "dim",
                ),
            )
        ),
    )


def working(progress: Progress | None, stopping: bool) -> tuple[Paragraph, ...]:
    """What the dialogue shows below while a pass runs."""
    if stopping:
        return (_line("Stopping; what was found so far is kept …", "dim"),)
    if progress is None or not progress.records_total:
        return (Paragraph((Piece("Looking … ", "dim"), Piece("esc", "key"), Piece(" stops", "dim"))),)
    bar = progress_bar(progress.bytes, progress.bytes_total, 24)
    return (
        _line(f"{bar} {progress_words(progress)}"),
        Paragraph((Piece("esc", "key"), Piece(" stops and keeps what was found", "dim"))),
    )
