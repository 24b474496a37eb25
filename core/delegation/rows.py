"""The rows of a packet's parts as text, made once: printable, masked, and without anything that Markdown takes for a fence."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.delegation.model import Packet, Recollection
from core.recall.handles import runtime_name
from core.recall.wording import iso_time
from core.text import clip, one_line

_FENCE = re.compile(r"`{3,}|~{3,}")
GAP = 400
"""Columns of one thing that could not be determined."""


@dataclass(frozen=True, slots=True)
class Rows:
    """A packet's foreign text, ready to be laid out."""

    parts: Mapping[str, Sequence[str]]
    """By the name of a part that can be cut: its rows."""
    task: str
    may_touch: Sequence[str]
    must_not_touch: Sequence[str]
    changed_anchors: Sequence[str]
    gaps: Sequence[str]


def rows_of(packet: Packet) -> Rows:
    """The rows of a packet."""
    return Rows(
        {
            "anchors": _anchors(packet), "sessions": _sessions(packet), "memory": [_claim(m) for m in packet.memory],
            "dependents": _dependents(packet), "co_change": _together(packet), "proof": _proof(packet),
            "stale": [f"- STALE, line {line}: {say(text, 160)}" for text, line in packet.soul.stale],
        },
        say(packet.order.task), [path(p) for p in packet.fence.may_touch], [path(p) for p in packet.fence.must_not_touch],
        [path(p) for p in packet.staleness.changed_anchors], [clip(say(gap), GAP) for gap in packet.gaps],
    )  # fmt: skip


def say(text: str, cells: int | None = None) -> str:
    """Foreign text on one line."""
    return _FENCE.sub("''", one_line(text, cells))


def count_of(number: int, noun: str) -> str:
    """A count with its noun: `1 file`, `2 files`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def path(written: str) -> str:
    """A path on one line."""
    return say(written, 240)


def _anchors(packet: Packet) -> list[str]:
    return [
        f"- {path(a.path)}{f':{a.line}' if a.line else ''}  {say(a.label, 80)}"
        + (f" ({say('; '.join(a.why), 160)})" if a.why else "")
        for a in packet.anchors
    ]


def _sessions(packet: Packet) -> list[str]:
    return [
        f"- “{say(s.sentence, 220)}” ({s.speaker or 'speaker unknown'}, {runtime_name(s.runtime)} {say(s.session_id, 40)}, "
        f"{(iso_time(s.at) or 'date unknown')[:10]}, {say(s.path)}:{s.line})"
        for s in packet.sessions
    ]


def _claim(m: Recollection) -> str:
    age = "age unknown" if m.age_days is None else f"{m.age_days} days old" if m.age_days != 1 else "1 day old"
    stale = f" STALE: verify, {say(m.verify, 160)}" if m.stale else ""
    origin = say(m.origin, 60) or "origin unknown"
    author = say(m.author, 60) or "author unknown"
    return f"- [{m.tier}] {say(m.text, 240)} ({m.kind}, {origin}, {author}, {age}){stale}"


def _dependents(packet: Packet) -> list[str]:
    return [
        f"- {path(d.path)}{f':{d.line}' if d.line else ''} imports {path(d.source)}"
        + (f", {d.hop} steps away" if d.hop > 1 else "")
        for d in packet.dependents
    ]


def _together(packet: Packet) -> list[str]:
    return [f"- {path(t.path)} with {path(t.source)}: {t.count} of {t.of} commits" for t in packet.together]


def _proof(packet: Packet) -> list[str]:
    return [f"- {say(p.command, 160)}  (in {path(p.folder) + '/' if p.folder else 'the root'}, {path(p.manifest)})"
            for p in packet.proof]  # fmt: skip
