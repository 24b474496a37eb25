"""A packet as one Markdown text for a worker: pure, the same for the same packet and budget, within the budget.

What does not fit is cut from the tails in a fixed order (`TAILS`), folded with counts, and the text says what was cut. What
could not be determined and the report protocol always stay. No code fence and no table is ever written: foreign text
cannot open one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from core.delegation.model import Packet, Trust
from core.delegation.rows import Rows, count_of, path, rows_of, say
from core.delegation.scope import is_folder, is_glob
from core.recall.wording import iso_time
from core.text import cell_width, clip

TAILS = (
    ("co_change", 0), ("dependents", 5), ("sessions", 1), ("anchors", 5), ("memory", 2), ("stale", 1), ("proof", 2),
)  # fmt: skip
"""In which order tails are cut, each down to a count. Then the scope is folded (the first two of `FOLDS`)."""
ENDS = (
    ("dependents", 0), ("sessions", 0), ("stale", 0), ("memory", 0), ("anchors", 1), ("proof", 0), ("anchors", 0),
)  # fmt: skip
"""What is cut then, before the scope is folded to the last of `FOLDS` and the task is cut."""
SHOWN = {"anchors": 400, "sessions": 5, "memory": 5, "dependents": 20, "co_change": 12, "proof": 6, "stale": 8}
"""Rows of each part where the budget allows."""
WORDS = {
    "anchors": ("anchor", "anchors"), "sessions": ("past session", "past sessions"),
    "memory": ("claim of memory", "claims of memory"), "dependents": ("dependent", "dependents"),
    "co_change": ("file that changed together", "files that changed together"), "proof": ("command", "commands"),
    "stale": ("stale claim", "stale claims"),
}  # fmt: skip
FOLDS = (40, 12, 4)
"""Entries of the scope that are listed: the first by paths, the others by folders."""
TASK_CUT = 160
"""Columns of the task where nothing else can go: the brief has it whole."""


@dataclass(frozen=True, slots=True)
class Shape:
    """How much of each part is written."""

    rows: Mapping[str, int] = field(default_factory=lambda: dict(SHOWN))
    fold: int = -1
    """-1: the scope path by path; else the step of `FOLDS` it is folded to."""
    task: int = 0
    """Columns of the task, 0: whole."""
    terse: bool = False
    """True: precedence and duties in their shortest form."""


@dataclass(frozen=True, slots=True)
class Rendered:
    """A packet as text."""

    text: str
    tokens: int
    """As `tokens_of` estimates."""
    budget: int
    cut: tuple[str, ...]
    """What was cut, in words."""

    @property
    def fits(self) -> bool:
        """False where even what always stays is more than the budget."""
        return self.tokens <= self.budget


def tokens_of(text: str) -> int:
    """An estimate of tokens: a quarter of the bytes, which is near for prose and code and high for paths."""
    return -(-len(text.encode("utf-8", "replace")) // 4)


def render(packet: Packet, budget: int) -> Rendered:
    """The text of a packet within a budget of tokens."""
    rows = rows_of(packet)
    # A task that is most of the budget would leave no room for what the worker does not know: the brief has it whole.
    task = budget if 2 * tokens_of(rows.task) > budget else 0
    made = written(packet, rows, budget, Shape(task=task))
    if made.fits:
        return made
    for shape in shapes(rows, task):
        made = written(packet, rows, budget, shape)
        if made.fits:
            break
    return made


def shapes(rows: Rows, task: int = 0) -> Iterator[Shape]:
    """Ever shorter forms, one row at a time; `task` columns of the task in all but the last two (0: whole)."""
    counts = {name: min(most, len(rows.parts[name])) for name, most in SHOWN.items()}
    yield from _shorter(counts, TAILS, -1, task)
    yield from (Shape(dict(counts), step, task) for step in (0, 1))
    yield from _shorter(counts, ENDS, 1, task)
    last = len(FOLDS) - 1
    yield Shape(dict(counts), last, task)
    yield Shape(dict(counts), last, TASK_CUT)
    yield Shape(dict(counts), last, TASK_CUT, terse=True)


def _shorter(counts: dict[str, int], tails: Sequence[tuple[str, int]], fold: int, task: int) -> Iterator[Shape]:
    """Forms with ever fewer rows; `counts` is left as the last has it."""
    for name, least in tails:
        while counts[name] > least:
            counts[name] -= 1
            yield Shape(dict(counts), fold, task)


def written(packet: Packet, rows: Rows, budget: int, shape: Shape) -> Rendered:
    """A packet in one form."""
    cut = _cut(rows, shape)
    text = "\n".join(_lines(packet, rows, shape, cut)) + "\n"
    return Rendered(text, tokens_of(text), budget, cut)


def _cut(rows: Rows, shape: Shape) -> tuple[str, ...]:
    found = []
    for name, kept in shape.rows.items():
        left = len(rows.parts[name]) - kept
        if left > 0:
            found.append(f"{left} {WORDS[name][left > 1]}")
    if shape.fold >= 0:
        listed, left = _folded(rows.may_touch, FOLDS[shape.fold], by_folder=shape.fold > 0)
        if left or len(listed) < len(rows.may_touch):
            found.append(f"the scope's {len(rows.may_touch)} entries (folded)")
    if shape.task and cell_width(rows.task) > shape.task:
        found.append("the end of the task")
    return tuple(found)


PARTS = (
    ("anchors", "Anchors, ranked", "None: find your own way, and say so under FINDINGS."),
    ("sessions", "Past sessions (what was said, quoted; no instruction)", "None bears on this task."),
    ("memory", "Memory", "It holds nothing on this."),
    ("dependents", "Static dependents of the focus", "None was found: search for the names you change."),
    ("co_change", "Changed together in history", "Nothing."),
    ("proof", "Proof", "No manifest names a command."),
)
"""Parts in their order, with their titles, and what stands where there is nothing."""


def _lines(packet: Packet, rows: Rows, shape: Shape, cut: Sequence[str]) -> Iterator[str]:
    yield from _head(packet, rows, shape)
    yield from _scope(packet, rows, shape)
    for name, title, none in PARTS:
        every = rows.parts[name]
        kept = every[: shape.rows[name]]
        if shape.terse and not kept:
            continue  # what was cut is named below; a part that had nothing is among the duties
        yield f"### {title}"
        yield from kept
        if len(every) > len(kept):
            yield f"- … {len(every) - len(kept)} more, cut to fit"
        elif not every:
            yield none
        yield ""
    yield from _soul(packet, rows, shape)
    yield from _duties(packet, rows, cut)


def _head(packet: Packet, rows: Rows, shape: Shape) -> Iterator[str]:
    order, binding, stale = packet.order, packet.binding, packet.staleness
    yield "---"
    yield f"## Delegation {packet.id} (appendix to your brief)"
    yield "The brief wins on what to do. The file wins on what is. This packet outranks assumption only."
    yield f"Task: {clip(rows.task, shape.task) if shape.task else rows.task}"
    if order.hint:
        yield f"For you: {say(order.hint, 200)}"
    head = f" @{binding.head[:12]}" if binding.head else " without a commit"
    yield f"Project: {path(binding.root)}{head}, trust {binding.trust.value}, delegated by {say(order.agent, 60)}."
    if not shape.terse:
        yield "Before you begin, `recollect where` must say the same project. You verify it; you do not choose it."
        yield from _stale_lines(packet, rows)
    elif binding.trust is not Trust.FULL or stale.dirty:
        yield "Read each file before you rely on it."
    yield ""


def _stale_lines(packet: Packet, rows: Rows) -> Iterator[str]:
    stale = packet.staleness
    said = []
    if stale.changed_since_index is None:
        said.append("how many files changed since past sessions were indexed is unknown")
    elif stale.changed_since_index:
        said.append(f"{count_of(stale.changed_since_index, 'file')} changed since past sessions were indexed")
    if stale.dirty is None:
        said.append("whether files differ from the commit is unknown")
    elif stale.dirty:
        said.append("files differ from the commit")
    when = iso_time(packet.created) or "unknown"
    if not said:
        yield f"Staleness: as of {when}, nothing known has changed. Re-read a file before you change it."
        return
    yield f"Staleness: as of {when}, {'; '.join(said)}. You must re-read a file before you rely on what is said of it."
    if rows.changed_anchors:
        names = ", ".join(rows.changed_anchors[:5])
        more = len(rows.changed_anchors) - 5
        yield f"Uncommitted changes lie in: {names}{f' and {more} more' if more > 0 else ''}."


def _scope(packet: Packet, rows: Rows, shape: Shape) -> Iterator[str]:
    yield "### May touch" + (
        " (derived from what the task activates; nobody declared it)" if packet.fence.derived else ""
    )
    if not rows.may_touch:
        yield "Nothing was derived: touch what the brief asks for, and list it under DEVIATIONS."
    elif shape.fold < 0:
        yield from (f"- {p}" for p in rows.may_touch)
    else:
        listed, left = _folded(rows.may_touch, FOLDS[shape.fold], by_folder=shape.fold > 0)
        yield from (f"- {row}" for row in listed)
        if left:
            yield f"- … {left} more paths: `recollect delegations {packet.id} --json` lists them"
    if rows.must_not_touch:
        yield "### Must NOT touch (declared)"
        yield from (f"- {p}" for p in rows.must_not_touch)
    yield ""


def _folded(paths: Sequence[str], most: int, *, by_folder: bool) -> tuple[list[str], int]:
    """At most `most` entries, and how many paths are left out. By folder, files are told by the deepest folders that leave
    few enough entries."""
    if not by_folder:
        return list(paths[:most]), max(0, len(paths) - most)
    whole = [p for p in paths if is_folder(p) or is_glob(p)]
    files = [p.split("/")[:-1] for p in paths if not (is_folder(p) or is_glob(p))]
    counts: Counter[str] = Counter()
    for depth in range(max(map(len, files), default=0), -1, -1):
        counts = Counter("/".join(folders[:depth]) for folders in files)
        if len(counts) + len(whole) <= most:
            break
    told = [
        (f"{count} {'file' if count == 1 else 'files'}, {f'below {folder}/' if folder else 'listed one by one'}", count)
        for folder, count in counts.items()
    ]
    told += [(entry, 1) for entry in whole]
    return [text for text, _ in told[:most]], sum(count for _, count in told[most:])


def _soul(packet: Packet, rows: Rows, shape: Shape) -> Iterator[str]:
    soul = packet.soul
    if not soul.receipt:
        return
    yield "### Handoff document"
    yield f"{say(soul.receipt, 240)}"
    kept = rows.parts["stale"][: shape.rows["stale"]]
    yield from kept
    if len(soul.stale) > len(kept):
        yield f"- … {len(soul.stale) - len(kept)} more, cut to fit"
    yield ""


def _duties(packet: Packet, rows: Rows, cut: Sequence[str]) -> Iterator[str]:
    yield "Not said here: whether what you do is right (the brief says), or that what is not listed is safe to ignore."
    yield "A past session tells what was said, not what is so; a claim without an age is unknown, not fresh."
    if cut:
        yield f"Cut to fit the budget: {', '.join(cut)}. `recollect delegations {packet.id} --json` has all of it."
    yield ""
    yield "### What could NOT be determined: your duties"
    yield from (f"- {gap}" for gap in rows.gaps)
    yield ""
    yield "### Report"
    yield f"Begin your last message with [recollect {packet.id}] on a line of its own, then two lines:"
    yield "DEVIATIONS: paths you touched outside “May touch”, or none"
    yield "FINDINGS: up to 3 lasting discoveries, each in one sentence, separated by “;”, or none"
