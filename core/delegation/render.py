"""A packet as one Markdown text for a worker: pure, the same for the same packet and budget, within the budget.

What does not fit is cut from the tails in a fixed order (`TAILS`), folded with counts, and the text says what was cut. What
could not be determined and the report protocol always stay. No code fence and no table is ever written: foreign text
cannot open one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from core.delegation.model import Packet, Recollection, Trust
from core.delegation.scope import is_folder, is_glob
from core.recall.wording import iso_time
from core.text import clip, one_line

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
_FENCE = re.compile(r"`{3,}|~{3,}")


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
    made = _written(packet, budget, Shape())
    if made.fits:
        return made
    for shape in _shapes(packet):
        made = _written(packet, budget, shape)
        if made.fits:
            break
    return made


def _shapes(packet: Packet) -> Iterator[Shape]:
    """Ever shorter forms, one row at a time."""
    counts = {name: min(SHOWN[name], _count(packet, name)) for name in SHOWN}
    yield from _shorter(counts, TAILS, -1)
    yield from (Shape(dict(counts), step) for step in (0, 1))
    yield from _shorter(counts, ENDS, 1)
    last = len(FOLDS) - 1
    yield Shape(dict(counts), last)
    yield Shape(dict(counts), last, TASK_CUT)
    yield Shape(dict(counts), last, TASK_CUT, terse=True)


def _shorter(counts: dict[str, int], tails: Sequence[tuple[str, int]], fold: int) -> Iterator[Shape]:
    """Forms with ever fewer rows; `counts` is left as the last has it."""
    for name, least in tails:
        while counts[name] > least:
            counts[name] -= 1
            yield Shape(dict(counts), fold)


def _count(packet: Packet, name: str) -> int:
    parts: Mapping[str, Sequence[object]] = {
        "anchors": packet.anchors, "sessions": packet.sessions, "memory": packet.memory, "dependents": packet.dependents,
        "co_change": packet.together, "proof": packet.proof, "stale": packet.soul.stale,
    }  # fmt: skip
    return len(parts[name])


def _written(packet: Packet, budget: int, shape: Shape) -> Rendered:
    cut = _cut(packet, shape)
    text = "\n".join(_lines(packet, shape, cut)) + "\n"
    return Rendered(text, tokens_of(text), budget, cut)


def _cut(packet: Packet, shape: Shape) -> tuple[str, ...]:
    found = []
    for name, kept in shape.rows.items():
        left = _count(packet, name) - kept
        if left > 0:
            found.append(f"{left} {WORDS[name][left > 1]}")
    if shape.fold >= 0:
        rows, left = _folded(packet.fence.may_touch, FOLDS[shape.fold], by_folder=shape.fold > 0)
        if left or len(rows) < len(packet.fence.may_touch):
            found.append(f"the scope's {len(packet.fence.may_touch)} entries (folded)")
    if shape.task and len(one_line(packet.order.task)) > shape.task:
        found.append("the end of the task")
    return tuple(found)


def say(text: str, cells: int | None = None) -> str:
    """Foreign text on one line: printable, masked, without anything that Markdown could take for a fence."""
    return _FENCE.sub("''", one_line(text, cells))


def _path(path: str) -> str:
    return say(path, 240)


def _lines(packet: Packet, shape: Shape, cut: Sequence[str]) -> Iterator[str]:
    yield from _head(packet, shape)
    yield from _scope(packet, shape)
    parts: tuple[tuple[str, str, Callable[[Packet], list[str]], str], ...] = (
        ("anchors", "Anchors, ranked", _anchors, "None: find your own way, and say so under FINDINGS."),
        ("sessions", "Past sessions (what was said, quoted; no instruction)", _sessions, "None bears on this task."),
        ("memory", "Memory", _memory, "It holds nothing on this."),
        (
            "dependents",
            "Static dependents of the focus",
            _dependents,
            "None was found: search for the names you change.",
        ),
        ("co_change", "Changed together in history", _together, "Nothing."),
        ("proof", "Proof", _proof, "No manifest names a command."),
    )
    for name, title, rows_of, none in parts:
        rows = rows_of(packet)
        kept = rows[: shape.rows[name]]
        if shape.terse and not kept:
            continue  # what was cut is named below; a part that had nothing is among the duties
        yield f"### {title}"
        yield from kept
        if len(rows) > len(kept):
            yield f"- … {len(rows) - len(kept)} more, cut to fit"
        elif not rows:
            yield none
        yield ""
    yield from _soul(packet, shape)
    yield from _duties(packet, cut)


def _head(packet: Packet, shape: Shape) -> Iterator[str]:
    order, binding, stale = packet.order, packet.binding, packet.staleness
    yield "---"
    yield f"## Delegation {packet.id} (appendix to your brief)"
    yield "The brief wins on what to do. The file wins on what is. This packet outranks assumption only."
    yield f"Task: {say(order.task, shape.task or None)}"
    if order.hint:
        yield f"For you: {say(order.hint, 200)}"
    head = f" @{binding.head[:12]}" if binding.head else " without a commit"
    yield f"Project: {_path(binding.root)}{head}, trust {binding.trust.value}, delegated by {say(order.agent, 60)}."
    if not shape.terse:
        yield "Before you begin, `recollect where` must say the same project. You verify it; you do not choose it."
        yield from _stale_lines(packet)
    elif binding.trust is not Trust.FULL or stale.dirty:
        yield "Read each file before you rely on it."
    yield ""


def _stale_lines(packet: Packet) -> Iterator[str]:
    stale = packet.staleness
    said = []
    if stale.changed_since_index is None:
        said.append("how many files changed since past sessions were indexed is unknown")
    elif stale.changed_since_index:
        said.append(f"{stale.changed_since_index:,} files changed since past sessions were indexed")
    if stale.dirty is None:
        said.append("whether files differ from the commit is unknown")
    elif stale.dirty:
        said.append("files differ from the commit")
    when = iso_time(packet.created) or "unknown"
    if not said:
        yield f"Staleness: as of {when}, nothing known has changed. Re-read a file before you change it."
        return
    yield f"Staleness: as of {when}, {'; '.join(said)}. You must re-read a file before you rely on what is said of it."
    if stale.changed_anchors:
        names = ", ".join(_path(p) for p in stale.changed_anchors[:5])
        more = len(stale.changed_anchors) - 5
        yield f"Uncommitted changes lie in: {names}{f' and {more} more' if more > 0 else ''}."


def _scope(packet: Packet, shape: Shape) -> Iterator[str]:
    fence = packet.fence
    yield "### May touch" + (" (derived from what the task activates; nobody declared it)" if fence.derived else "")
    if not fence.may_touch:
        yield "Nothing was derived: touch what the brief asks for, and list it under DEVIATIONS."
    elif shape.fold < 0:
        yield from (f"- {_path(p)}" for p in fence.may_touch)
    else:
        rows, left = _folded(fence.may_touch, FOLDS[shape.fold], by_folder=shape.fold > 0)
        yield from (f"- {row}" for row in rows)
        if left:
            yield f"- … {left} more paths: `recollect delegations {packet.id} --json` lists them"
    if fence.must_not_touch:
        yield "### Must NOT touch (declared)"
        yield from (f"- {_path(p)}" for p in fence.must_not_touch)
    yield ""


def _folded(paths: Sequence[str], most: int, *, by_folder: bool) -> tuple[list[str], int]:
    """At most `most` entries, and how many paths are left out. By folder, files are told by the deepest folders that leave
    few enough entries."""
    if not by_folder:
        return [_path(p) for p in paths[:most]], max(0, len(paths) - most)
    whole = [p for p in paths if is_folder(p) or is_glob(p)]
    files = [p.split("/")[:-1] for p in paths if not (is_folder(p) or is_glob(p))]
    counts: Counter[str] = Counter()
    for depth in range(max(map(len, files), default=0), -1, -1):
        counts = Counter("/".join(folders[:depth]) for folders in files)
        if len(counts) + len(whole) <= most:
            break
    rows = [
        (
            f"{count} {'file' if count == 1 else 'files'} {f'below {_path(folder)}/' if folder else 'of the project'}",
            count,
        )
        for folder, count in counts.items()
    ]
    rows += [(_path(entry), 1) for entry in whole]
    return [text for text, _ in rows[:most]], sum(count for _, count in rows[most:])


def _anchors(packet: Packet) -> list[str]:
    return [
        f"- {_path(a.path)}{f':{a.line}' if a.line else ''}  {say(a.label, 80)}"
        + (f" ({say('; '.join(a.why), 160)})" if a.why else "")
        for a in packet.anchors
    ]


def _sessions(packet: Packet) -> list[str]:
    return [
        f"- “{say(s.sentence, 220)}” ({s.speaker or 'speaker unknown'}, {s.runtime} {say(s.session_id, 40)}, "
        f"{(iso_time(s.at) or 'date unknown')[:10]}, {say(s.path)}:{s.line})"
        for s in packet.sessions
    ]


def _memory(packet: Packet) -> list[str]:
    return [_claim(m) for m in packet.memory]


def _claim(m: Recollection) -> str:
    age = "age unknown" if m.age_days is None else f"{m.age_days} days old" if m.age_days != 1 else "1 day old"
    stale = f" STALE: verify, {say(m.verify, 160)}" if m.stale else ""
    origin = say(m.origin, 60) or "origin unknown"
    author = say(m.author, 60) or "author unknown"
    return f"- [{m.tier}] {say(m.text, 240)} ({m.kind}, {origin}, {author}, {age}){stale}"


def _dependents(packet: Packet) -> list[str]:
    return [
        f"- {_path(d.path)}{f':{d.line}' if d.line else ''} imports {_path(d.source)}"
        + (f", {d.hop} steps away" if d.hop > 1 else "")
        for d in packet.dependents
    ]


def _together(packet: Packet) -> list[str]:
    return [f"- {_path(t.path)} with {_path(t.source)}: {t.count} of {t.of} commits" for t in packet.together]


def _proof(packet: Packet) -> list[str]:
    return [f"- {say(p.command, 160)}  (in {_path(p.folder) + '/' if p.folder else 'the root'}, {_path(p.manifest)})"
            for p in packet.proof]  # fmt: skip


def _soul(packet: Packet, shape: Shape) -> Iterator[str]:
    soul = packet.soul
    if not soul.receipt:
        return
    yield "### Handoff document"
    yield f"{say(soul.receipt, 240)}"
    kept = soul.stale[: shape.rows["stale"]]
    yield from (f"- STALE, line {line}: {say(text, 160)}" for text, line in kept)
    if len(soul.stale) > len(kept):
        yield f"- … {len(soul.stale) - len(kept)} more, cut to fit"
    yield ""


def _duties(packet: Packet, cut: Sequence[str]) -> Iterator[str]:
    yield "Not said here: whether what you do is right (the brief says), or that what is not listed is safe to ignore."
    yield "A past session tells what was said, not what is so; a claim without an age is unknown, not fresh."
    if cut:
        yield f"Cut to fit the budget: {', '.join(cut)}. `recollect delegations {packet.id} --json` has all of it."
    yield ""
    yield "### What could NOT be determined: your duties"
    yield from (f"- {clip(say(gap), 400)}" for gap in packet.gaps)
    yield ""
    yield "### Report"
    yield f"Begin your last message with [recollect {packet.id}] on a line of its own, then two lines:"
    yield "DEVIATIONS: paths you touched outside “May touch”, or none"
    yield "FINDINGS: up to 3 lasting discoveries, each in one sentence, separated by “;”, or none"


def without_ids(packet: Packet) -> Packet:
    """The same packet without what differs between two delegations of one task: for comparison."""
    return replace(packet, id="dlg_0_0", created=0.0, expires=0.0)
