"""The words of the place Memory: header, how it stands, the filter line, a row, a claim whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.frozen import dataclass
from core.memory.claim import KINDS, Claim, Tier
from core.memory.sink import Written
from core.memory.view import Event, Held, Standing, View, made_at
from core.text import cell_width, clip, one_line, shown
from tui.keys import MEMORY, Pane, key_for, keyed
from tui.screens.bars import hint_line, ranked
from tui.screens.memory_port import MemoryLook
from tui.screens.memory_reasons import MemoryFacts, why_not
from tui.screens.place import room_of, with_tabs
from tui.widgets.bar import fit
from tui.widgets.pieces import Paragraph, Piece
from tui.widgets.wording import count, home_path, moment, short_date, short_path

SHORT = 8
"""Digits of an id that are shown: its end, which no two claims share."""
TIERS = ("", *(tier.value for tier in Tier))


@dataclass(frozen=True, slots=True)
class Sieve:
    """What the list is narrowed to; `""` is no limit."""

    tier: str = ""
    kind: str = ""
    tag: str = ""
    words: str = ""
    hidden: bool = False
    """Superseded and forgotten claims too."""

    def left(self, view: View) -> tuple[Held, ...]:
        """The claims that are left, newest first."""
        wanted = self.words.lower().split()
        return tuple(held for held in reversed(list(view.held.values())) if self._takes(held, wanted))

    def _takes(self, held: Held, wanted: Sequence[str]) -> bool:
        claim = held.claim
        if held.standing is not Standing.CURRENT and not self.hidden:
            return False
        if (self.tier and claim.tier.value != self.tier) or (self.kind and claim.kind != self.kind):
            return False
        if self.tag and self.tag not in claim.tags:
            return False
        text = " ".join((claim.label, claim.text, claim.soul_source, *claim.tags)).lower() if wanted else ""
        return all(word in text for word in wanted)

    @property
    def narrow(self) -> bool:
        """True if something is left out that stands."""
        return bool(self.tier or self.kind or self.tag or self.words)

    def choices(self, view: View, name: str) -> tuple[str, ...]:
        """The values of `tier`, `kind` or `tag` that would list something, `""` first."""
        seen = replace(self, **{name: ""}).left(view)  # type: ignore[arg-type]
        if name == "tag":
            return ("", *sorted({tag for held in seen for tag in held.claim.tags}))
        found = {getattr(held.claim, name) for held in seen}
        return ("", *(value for value in (TIERS[1:] if name == "tier" else KINDS) if value in found))


def header(look: MemoryLook | None, state: str, width: int) -> Sequence[Piece]:
    """`Memory · 214 claims · embedded (sqlite) · persisted    1 Recollect …`."""
    left = [Piece(" Memory", "strong")]
    if look is not None:
        status = look.status
        owner = f"{status.owner}{f' ({status.store})' if status.store else ''}"
        away = [] if status.reachable else [[Piece(" · the owner is away", "warn")]]
        parts = [
            [Piece(f" · {count(status.claims, 'claim')}", "dim")],
            *away,
            [Piece(f" · owner {one_line(owner, 40)}", "dim")],
        ]
        parts += [[Piece(f" · {state}", "dim")]] if state else []
        left += fit(parts, max(0, width - cell_width(left[0].text) - room_of("memory", width)), gap="")
    return with_tabs("memory", width, left)


def standing_line(look: MemoryLook | None, width: int) -> Sequence[Piece]:
    """How the memory stands: what waits, what was set aside, where the owner is. Always visible."""
    if look is None:
        return [Piece(" Reading …", "dim")]
    status = look.status
    if status.spooled:
        words = f" ▲ queued: {count(status.spooled, 'write')} ({status.spooled_bytes:,} bytes) not at the owner yet"
        head = [
            Piece(words, "warn"),
            Piece("  "),
            Piece(key_for("kept-drain"), "key", "do:kept-drain"),
            Piece(" drains now", "", "do:kept-drain"),
        ]
    else:
        head = [Piece(" ✓ persisted: nothing waits", "good")]
    parts = [head]
    parts += [[Piece(f" · {count(status.rejected, 'write')} set aside", "bad")]] if status.rejected else []
    parts += [[Piece(f" · {status.elsewhere:,} for other owners", "warn")]] if status.elsewhere else []
    parts += [[Piece(f" · {one_line(status.trouble, 80)}", "warn")]] if status.trouble else []
    forks = len(look.view.forks())
    parts += (
        [
            [
                Piece(f" · {count(forks, 'fork')} to resolve: ", "warn"),
                Piece(key_for("kept-resolve"), "key", "do:kept-resolve"),
            ]
        ]
        if forks
        else []
    )
    return [*fit([*parts, [Piece(f" · {one_line(home_path(status.place), 60)}", "dim")]], width, gap="")]


def filter_line(look: MemoryLook | None, sieve: Sieve, width: int) -> Sequence[Piece]:
    """`tier [all]  kind [decision]  tag [all]  / words  . 3 hidden`."""
    if look is None:
        return []
    hidden = sum(held.standing is not Standing.CURRENT for held in look.view.held.values())
    groups = [
        [Piece(f"{key} ", "key", f"do:kept-{name}"), Piece(f"{name} ", "dim", f"do:kept-{name}"),
         Piece(f"[{one_line(value, 20) or 'all'}]", "strong" if value else "", f"do:kept-{name}")]
        for key, name, value in (("t", "tier", sieve.tier), ("f", "kind", sieve.kind), ("b", "tag", sieve.tag))
    ]  # fmt: skip
    groups += (
        [
            [
                Piece(f"{key_for('kept-words')} ", "key", "do:kept-words"),
                Piece(one_line(sieve.words, 30), "strong", "do:kept-words"),
            ]
        ]
        if sieve.words
        else []
    )
    shown_too = "shown" if sieve.hidden else "not shown"
    groups.append(
        [
            Piece(f"{key_for('kept-hidden')} ", "key", "do:kept-hidden"),
            Piece(f"{hidden:,} hidden, {shown_too}", "dim", "do:kept-hidden"),
        ]
    )
    return [Piece(" "), *fit(groups, width - 1, gap="  ")]


def hints(pane: Pane, facts: MemoryFacts, width: int) -> Sequence[Piece]:
    """At most six keys that act now."""
    rows = ranked(MEMORY, pane, Pane.MEMORY)
    writing = pane is Pane.KEPT_WORDS
    valid = [r for r in rows if not why_not(r.reason, facts) and not (writing and r.pane is Pane.MEMORY)]
    return hint_line(valid, lambda row: row.label, width)


def draw_row(held: Held, now: float, width: int) -> Sequence[Piece]:
    """`2 Apr       decision   The retry budget is 3`, with what is special about it."""
    claim = held.claim
    at = made_at(claim)
    day = "age unknown" if at is None else short_date(at, now)
    sign, style = ("▲", "warn") if held.queued else ("·", "dim")
    if held.standing is not Standing.CURRENT:
        sign, style = ("↷", "dim") if held.standing is Standing.SUPERSEDED else ("✗", "dim")
    aside = "" if held.standing is Standing.CURRENT else f" {held.standing.value}"
    aside += " queued" if held.queued else ""
    kind = f"{one_line(claim.kind, 10).ljust(10)} " if width >= 60 else ""
    room = width - 4 - 12 - cell_width(kind) - cell_width(aside)
    label = clip(one_line(claim.label), max(1, room))
    gap = " " * max(0, room - cell_width(label)) if aside else ""
    words = "dim" if aside and not held.queued else ""
    return [
        Piece(f" {sign} ", style), Piece(day.ljust(12), "dim"), Piece(kind, "dim"), Piece(label, words), Piece(gap + aside, style),
    ]  # fmt: skip


def claim_paragraphs(held: Held, events: Sequence[Event], view: View) -> tuple[Paragraph, ...]:
    """A claim whole: its text, what it rests on, its history."""
    claim = held.claim
    parts = [Paragraph((Piece(line),)) for line in shown(claim.text).split("\n")]
    standing = held.standing.value + (", queued: not at the owner yet" if held.queued else "")
    style = "warn" if held.queued or held.standing is not Standing.CURRENT else "good"
    parts += [Paragraph(), Paragraph((Piece(f"{claim.kind}, {claim.tier.value}, ", "dim"), Piece(standing, style)))]
    at = made_at(claim)
    when = "age unknown" if at is None else f"of {moment(at)}"
    parts.append(_fact("age", when))
    parts.append(_fact("by", one_line(claim.source_agent) or "an unknown author"))
    if claim.soul_source:
        parts.append(_fact("soul_source", one_line(claim.soul_source)))
    if claim.tags:
        parts.append(_fact("tags", ", ".join(one_line(tag) for tag in claim.tags)))
    confidence = "not said" if claim.confidence is None else f"{claim.confidence:g}"
    numbers = f"confidence {confidence}, salience {claim.salience:g}, importance {claim.importance:g}, identified {count(held.uses, 'time')}"
    parts.append(_fact("weight", numbers))
    parts += [_fact("depends on", _named(view, one)) for one in claim.depends_on]
    parts += [_fact("supersedes", _named(view, one), f"claim:{one}") for one in claim.supersedes]
    parts += [_fact("replaced by", _named(view, one), f"claim:{one}") for one in held.superseded_by]
    parts.append(_fact("id", claim.id))
    parts += [Paragraph(), Paragraph((Piece("Evidence", "strong"),))]
    if not claim.evidence:
        parts.append(Paragraph((Piece("none is named: this rests on its author's word", "dim"),), indent=2))
    for number, one in enumerate(claim.evidence, 1):
        where = f"{one.kind.value} {short_path(shown(one.at)) if one.kind.value == 'record' else one_line(one.at)}"
        where += f":{one.line}" if one.line else ""
        parts.append(
            Paragraph(
                (Piece(f"[{number}] ", "key", f"evidence:{number}"), Piece(where, "", f"evidence:{number}")),
                indent=2,
                hang=4,
            )
        )
    return (*parts, Paragraph(), Paragraph((Piece("History, newest first", "strong"),)), *map(_event, events))


def _fact(name: str, words: str, ref: str = "") -> Paragraph:
    return Paragraph((Piece(name.ljust(12), "dim"), Piece(words, "key" if ref else "", ref)), hang=12)


def _named(view: View, identity: str) -> str:
    held = view.held.get(identity)
    return f"{identity[-SHORT:]} {one_line(held.claim.label, 100)}" if held else f"{identity} (not held here)"


def _event(event: Event) -> Paragraph:
    when = moment(event.at) if event.at is not None else "at an unknown time"
    who = one_line(event.by, 40) or "unknown"
    words = f"{when}  {event.what} {event.about[-SHORT:]} by {who}"
    return Paragraph(
        (Piece(words), Piece(f": {one_line(event.why, 160)}" if event.why else "", "dim")), indent=2, hang=2
    )


def written_words(done: Written, what: str) -> tuple[str, str]:
    """What became of a write, and what to do next."""
    masked = f" {count(done.masked, 'secret')} masked first." if done.masked else ""
    if done.persisted:
        return f"{what} Persisted: read back from the owner.{masked}", ""
    if done.error == "write_not_persisted":
        return f"{what} Queued: it waits in the spool and is not lost. {shown(done.why)}{masked}", shown(
            done.hint
        ) or "w in Memory drains it"
    return f"It was not kept. {shown(done.why)}", shown(done.hint)


def nothing_left(look: MemoryLook, sieve: Sieve) -> tuple[Paragraph, ...]:
    """Why no claim is listed."""
    if not look.view.held:
        return said("The memory holds no claim yet.", keyed("An identified recall ({keep} there), a pruned claim and your own words are kept here."),
                    hint=keyed("{kept-add} adds a claim"))  # fmt: skip
    if sieve.narrow:
        return said(
            "No claim fits what the list is narrowed to.",
            hint=keyed("{kept-all} lists every claim again; {kept-hidden} shows hidden ones too"),
        )
    return said("Every claim is superseded or forgotten.", hint=keyed("{kept-hidden} shows them"))


def said(*words: str, hint: str = "") -> tuple[Paragraph, ...]:
    """Words for an empty pane, with what to do next."""
    parts = [Paragraph((Piece(line),)) for line in words if line]
    return (*parts, Paragraph((Piece("hint: ", "strong"), Piece(hint)))) if hint else tuple(parts)


def form_values(claim: Claim | None) -> Mapping[str, str]:
    """What a form for a claim begins with."""
    if claim is None:
        return {"kind": "fact", "tier": "episodic"}
    confidence = "" if claim.confidence is None else f"{claim.confidence:g}"
    return {
        "text": shown(claim.text), "kind": claim.kind, "tier": claim.tier.value, "tags": ", ".join(map(one_line, claim.tags)),
        "confidence": confidence, "evidence": ", ".join(shown(str(one)) for one in claim.evidence), "source_agent": one_line(claim.source_agent),
    }  # fmt: skip
