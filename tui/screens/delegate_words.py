"""The words of the place Delegate: header, calibration, a row, a packet, what a debrief found."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from core.delegation.calibration import Metric
from core.delegation.conformance import Graded, PathClass
from core.delegation.debrief import Debriefed
from core.delegation.desk import Made
from core.delegation.model import NoPacket, Status, Trust
from core.delegation.registry import Delegation
from core.delegation.touched import Touched
from core.text import cell_width, clip, one_line, shown
from tui.keys import DELEGATE, Pane, keyed, keys_of
from tui.screens.bars import hint_line, ranked
from tui.screens.delegate_port import DelegateLook
from tui.screens.delegate_reasons import DelegateFacts, why_not
from tui.screens.place import room_of, with_tabs
from tui.widgets.bar import fit
from tui.widgets.pieces import Paragraph, Piece
from tui.widgets.wording import count, home_path, short_date

CLASS_STYLES = {
    PathClass.BREACH: ("✗", "warn", "breach: must not be touched"),
    PathClass.EXPECTED_CHANGE: ("✓", "good", "expected change"),
    PathClass.IN_SCOPE: ("✓", "good", "in scope"),
    PathClass.DEPENDENT_CONTACT: ("~", "", "dependent contact"),
    PathClass.UNPREDICTED: ("?", "strong", "unpredicted"),
}
"""Each class as a sign, a style and words: never colour alone."""
STATUS = {Status.LIVE: ("●", "good"), Status.DEBRIEFED: ("✓", "dim"), Status.EXPIRED: ("○", "dim")}
MOST_PATHS = 200
"""Touched paths that are listed."""


def header(look: DelegateLook | None, state: str, width: int) -> Sequence[Piece]:
    """`Delegate · ~/code/pay @1a2b3c4 · trust full   1 Recollect …`."""
    left = [Piece(" Delegate", "strong")]
    parts: list[list[Piece]] = []
    if look is not None:
        binding = look.binding
        if binding.trust is Trust.NONE:
            parts.append([Piece(" · no project here", "warn")])
        else:
            head = f" @{binding.head[:7]}" if binding.head else " without a commit"
            parts.append([Piece(f" · {one_line(home_path(binding.root), 60)}{head}", "dim")])
            parts.append([Piece(f" · trust {binding.trust.value}", "dim" if binding.trust is Trust.FULL else "warn")])
    parts += [[Piece(f" · {state}", "dim")]] if state else []
    left += fit(parts, max(0, width - cell_width(left[0].text) - room_of("delegate", width)), gap="")
    return with_tabs("delegate", width, left)


def calibration_line(look: DelegateLook | None, width: int) -> Sequence[Piece]:
    """Counts, and numbers with their intervals from enough clean debriefs on."""
    if look is None:
        return [Piece(" Reading …", "dim")]
    found = look.calibration
    live = sum(d.status is Status.LIVE for d in look.delegations)
    parts = [[Piece(f" {live:,} live", "strong" if live else "dim")], [Piece(f" · {found.rows:,} debriefed", "dim")]]
    if not found.calibrated:
        parts.append([Piece(f" · not calibrated: {found.clean:,} of {found.needed} clean debriefs", "dim")])
    else:
        for name, metric in (
            ("scope precision", found.scope_precision), ("miss rate", found.miss_rate), ("dependents", found.dependents_honesty),
        ):  # fmt: skip
            parts.append([Piece(f" · {name} ", "dim"), Piece(_metric(metric))])
    apart = found.rows - found.clean  # one that is unverified and contaminated is one all the same
    parts += [[Piece(f" · {apart:,} counted apart", "dim")]] if apart else []
    parts += [[Piece(f" · {count(len(look.torn), 'torn record')}", "warn")]] if look.torn else []
    return fit(parts, width, gap="")


def _metric(metric: Metric | None) -> str:
    return "unknown" if metric is None else f"{metric.value:.2f} ({metric.low:.2f} to {metric.high:.2f})"


def packet_line(made: Made | NoPacket | None, state: str, width: int) -> Sequence[Piece]:
    """How long the packet that is shown is, and what was cut from it."""
    if state:
        return [Piece(f" {clip(state, max(1, width - 1))}", "dim")]
    if made is None:
        return [Piece(" Say the task: the packet is composed while you write.", "dim")]
    if isinstance(made, NoPacket):
        return [Piece(f" No packet: {made.verdict}, {made.refusal.value}", "warn")]
    text, status = made.text, made.delegation.status.value
    parts = [[Piece(f" about {text.tokens:,} of {text.budget:,} tokens", "strong" if text.fits else "warn")]]
    parts += [[Piece(f" · cut: {', '.join(text.cut)}", "warn")]] if text.cut else [[Piece(" · nothing cut", "dim")]]
    recorded = made.delegation.packet.id if status else ""
    parts += [[Piece(f" · {recorded[-10:]}", "dim")]]
    fitting = fit(parts, width, gap="")
    if len(fitting) == 1 and text.cut:
        fitting = [*fitting, Piece(f" · cut {len(text.cut)} parts", "warn")]
    return fitting


def hints(pane: Pane, facts: DelegateFacts, width: int) -> Sequence[Piece]:
    """At most six keys that act now, the most important first."""
    typing = pane is Pane.ORDER
    valid = [
        row for row in ranked(DELEGATE, pane, Pane.DELEGATE)
        if not why_not(row.reason, facts) and (not typing or not _prints(keys_of(row)))
    ]  # fmt: skip
    return hint_line(valid, lambda row: row.label, width)


def _prints(keys: str) -> bool:
    """True if the key that the footer shows prints a character: in a field it would be written."""
    first = keys.split(",")[0]
    return len(first) == 1 or first in ("full_stop", "slash", "question_mark", "space")


def draw_row(one: Delegation, now: float, width: int) -> Sequence[Piece]:
    """A delegation on one line."""
    sign, style = STATUS[one.status]
    packet = one.packet
    if one.status is Status.LIVE:
        left = max(0, int(packet.expires - now) // 60)
        word = f"live, {left // 60} h {left % 60:02d} left" if left >= 60 else f"live, {left} min left"
    else:
        word = one.verdict or one.status.value
    when = short_date(packet.created, now)
    aside = f"  {when}"
    room = max(8, width - cell_width(word) - cell_width(aside) - 4)
    return [
        Piece(f"{sign} ", style), Piece(f"{word}  ", "warn" if word == "breached" else style),
        Piece(clip(one_line(packet.order.task), room)), Piece(aside, "dim"),
    ]  # fmt: skip


def nothing(look: DelegateLook) -> tuple[Paragraph, ...]:
    """Why the list is empty."""
    if look.delegations:
        return said("No delegation is live.", hint=keyed("{delegate-all} lists those that ended."))
    return said(
        "Nothing was delegated yet.", hint=keyed("Say the task; {delegate-make} records the packet and copies it.")
    )


def said(*sentences: str, hint: str = "") -> tuple[Paragraph, ...]:
    """Sentences, and what to do next."""
    rows = [Paragraph((Piece(one_line(s, 2000), "dim"),)) for s in sentences if s]
    return (*rows, *((Paragraph((Piece("hint: ", "dim"), Piece(one_line(hint, 1000)))),) if hint else ()))


def packet_paragraphs(text: str) -> tuple[Paragraph, ...]:
    """A packet's text, headings marked. It was made printable when it was rendered."""
    rows = []
    for line in text.rstrip("\n").split("\n"):
        if line.startswith("#"):
            rows.append(Paragraph((Piece(line.lstrip("# "), "marker"),)))
        elif line.startswith("- "):
            style = "warn" if "STALE" in line else ""
            rows.append(Paragraph((Piece(line, style),), hang=2))
        else:
            rows.append(Paragraph((Piece(line, "dim" if line == "---" else ""),)))
    return tuple(rows)


def refusal_paragraphs(answer: NoPacket) -> tuple[Paragraph, ...]:
    """Why there is no packet, what was seen, and what to do next."""
    rows = [Paragraph((Piece(shown(answer.reason), "strong"),)), Paragraph()]
    for key, value in answer.evidence:
        if isinstance(value, dict):
            continue
        told = ", ".join(str(v) for v in value) if isinstance(value, list | tuple) else str(value)
        rows.append(
            Paragraph((Piece(f"{key.replace('_', ' ')}: ", "dim"), Piece(one_line(told, 400) or "none")), hang=2)
        )
    return (*rows, Paragraph(), Paragraph((Piece("hint: ", "dim"), Piece(answer.next_move))))


def graded_paragraphs(touched: Touched, graded: Graded) -> tuple[Paragraph, ...]:
    """Each touched path with its class, worst first."""
    order = list(PathClass)
    rows = sorted(graded.classes, key=lambda row: (_rank(row[1]), row[0]))
    counts = graded.counts
    words = ", ".join(f"{counts[kind]:,} {CLASS_STYLES[kind][2].partition(':')[0]}" for kind in order if counts[kind])
    head = [
        Paragraph((Piece(one_line(graded.words, 400), "warn" if counts[PathClass.BREACH] else "strong"),)),
        Paragraph(
            (
                Piece(
                    f"{count(len(rows), 'path')} touched, told by {touched.source}{f': {words}' if words else ''}",
                    "dim",
                ),
            )
        ),
    ]
    body = [
        Paragraph((Piece(f"{CLASS_STYLES[kind][0]} ", CLASS_STYLES[kind][1]), Piece(one_line(path, 300)),
                   Piece(f"  {CLASS_STYLES[kind][2]}", CLASS_STYLES[kind][1] or "dim")), hang=2)
        for path, kind in rows[:MOST_PATHS]
    ]  # fmt: skip
    if len(rows) > MOST_PATHS:
        body.append(Paragraph((Piece(f"… {len(rows) - MOST_PATHS:,} more", "dim"),)))
    notes = [Paragraph((Piece(one_line(c, 400), "dim"),), hang=2) for c in touched.caveats]
    if touched.outside:
        notes.append(
            Paragraph((Piece(f"{count(len(touched.outside), 'path')} outside the project: not graded", "dim"),))
        )
    return (*head, *body, *notes)


def _rank(kind: PathClass) -> int:
    return (
        PathClass.BREACH,
        PathClass.UNPREDICTED,
        PathClass.DEPENDENT_CONTACT,
        PathClass.IN_SCOPE,
        PathClass.EXPECTED_CHANGE,
    ).index(kind)


def debrief_paragraphs(done: Debriefed) -> tuple[Paragraph, ...]:
    """What a debrief found and taught."""
    verdict = done.verdict
    evidence = verdict.evidence
    how = f"“{one_line(evidence.command, 120)}” ended with {evidence.exit_status}" if evidence else "without evidence"
    rows = [
        Paragraph((Piece(f"Debriefed: {done.packet.id}", "marker"),)),
        *graded_paragraphs(done.touched, done.graded),
        Paragraph(),
        Paragraph((Piece(f"Outcome: {verdict.outcome}, {how}. Graded by {one_line(verdict.grader, 60)}"),)),
    ]
    rows += _named("Touched and not declared by the worker", done.declared.undeclared_deviation, "warn")
    rows += _named("Declared and not touched", done.declared.declared_untouched, "")
    for taught in done.taught:
        good = taught.state in ("persisted", "known")
        rows.append(
            Paragraph((Piece(f"{'✓' if good else '▲'} {taught.kind} {taught.state}: ", "good" if good else "warn"),
                       Piece(one_line(taught.text, 600)), Piece(f"  {one_line(taught.under, 60)}", "dim")), hang=2)
        )  # fmt: skip
        if taught.why:
            rows.append(Paragraph((Piece(one_line(taught.why, 300), "dim"),), indent=2))
    rows += [Paragraph((Piece(f"Flags: {', '.join(done.flags)}", "dim"),))] if done.flags else []
    rows += [Paragraph((Piece(one_line(c, 400), "dim"),), hang=2) for c in done.caveats]
    return (
        *rows,
        Paragraph(),
        *said("Paths are graded, not the quality of code: this does not say that a merge is safe."),
    )


def _named(title: str, paths: Iterable[str], style: str) -> list[Paragraph]:
    listed = [one_line(p, 160) for p in paths]
    return [Paragraph((Piece(f"{title}: ", "dim"), Piece(", ".join(listed[:20]), style)), hang=2)] if listed else []
