"""FalseAnchor: a number that was meant as an issue anchors only where the record uses it as one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field

from core.frozen import dataclass
from core.recall.identifiers import fits_kind
from core.recall.model import Axis, AxisKind, Cue
from core.recall.needles import is_common
from core.recall.search import Lead, Opened
from core.records.model import ReadProblem

_NUMBERED = {AxisKind.ISSUE: "an issue", AxisKind.PULL_REQUEST: "a pull request"}


@dataclass(frozen=True, slots=True)
class Anchoring:
    """Which candidates use the cue's numbers in the kind that was meant."""

    verdicts: dict[str, bool | None] = field(default_factory=dict)
    """Per path: True fits, False occurs only in another sense, None does not occur."""
    opened: dict[str, Opened | ReadProblem] = field(default_factory=dict)
    """What was opened to judge, per path, so that it is not opened again."""
    remarks: tuple[str, ...] = ()

    def order(self, leads: Sequence[Lead]) -> list[Lead]:
        """Those that fit first, those that use the number in another sense last; otherwise as they were."""
        rank = {True: 0, None: 1, False: 2}
        return sorted(leads, key=lambda lead: rank[self.verdicts.get(lead.hit.entry.source.path)])


BESIDE_SHARE = 0.5
"""A candidate on the right side of an event goes first from this share of the best score on."""


def beside_events(cue: Cue, leads: Sequence[Lead]) -> list[Lead]:
    """Those that lie where the person said, beside an event, first; the event itself last; otherwise as they were. People
    are surer of such an order than of a date: a soft window alone lets better words win over it."""
    windows = [a.window for a in cue.axes if a.kind is AxisKind.EVENT and a.window is not None]
    if not windows:
        return list(leads)
    # Where nothing but the event was said, its words are no measure: what speaks of it most is the event itself.
    share = BESIDE_SHARE if _says_more(cue) else 0.0
    best = max((lead.hit.score for lead in leads), default=0.0)

    def rank(lead: Lead) -> int:
        spine, path = lead.hit.entry.spine, lead.hit.entry.source.path
        first = spine.started if spine.started is not None else spine.ended
        if path in cue.beside or first is None:
            return 2 if path in cue.beside else 1
        last = spine.ended if spine.ended is not None else first
        near = 0.0 if share == 0.0 else 1.0
        inside = any(w.start - near * w.slack <= last and first <= w.end for w in windows)
        return 0 if inside and lead.hit.score >= share * best else 1

    return sorted(leads, key=rank)


def _says_more(cue: Cue) -> bool:
    """True if the cue has words of its own beside those of the event that dates it."""
    spoken = " ".join(a.words for a in cue.axes if a.kind is AxisKind.EVENT).lower().split()
    return any(t.text.lower() not in spoken and not is_common(t.text) for t in cue.query.terms)


def judge_anchors(
    axes: Sequence[Axis], leads: Sequence[Lead], open_: Callable[[Lead], Opened | ReadProblem]
) -> Anchoring:
    """Judge the candidates against the numbered identifiers of the cue; opens nothing if there are none."""
    numbered = [a for a in axes if a.kind in _NUMBERED]
    if not numbered:
        return Anchoring()
    verdicts: dict[str, bool | None] = {}
    opened: dict[str, Opened | ReadProblem] = {}
    remarks: list[str] = []
    for lead in leads:
        path = lead.hit.entry.source.path
        read = opened[path] = open_(lead)
        if isinstance(read, ReadProblem):
            continue
        texts = [p.turn.text for p in (*read.reached, *read.origin, *read.turning)]
        texts.append(lead.hit.entry.spine.title)
        for axis in numbered:
            senses = {fits_kind(axis.kind, axis.value, text) for text in texts}
            verdict = True if True in senses else False if False in senses else None
            known = verdicts.get(path)
            verdicts[path] = verdict if known is None else known and verdict is not False
    wrong = [a for a in numbered if leads and verdicts and not any(v is True for v in verdicts.values())]
    remarks.extend(
        f"{axis.value} occurs in what was found only in another sense, not as {_NUMBERED[axis.kind]}."
        for axis in wrong
        if any(v is False for v in verdicts.values())
    )
    return Anchoring(verdicts, opened, tuple(remarks))
