"""Wholes above one session: a line of work, a topic, a settled concept, assembled from what a search reached.

Everything is inferred when it is read. Members come in the order of time; what ties them is said with its evidence.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.frozen import dataclass
from core.patterns import Pattern
from core.recall.artifacts import Artifact
from core.recall.model import WholeKind
from core.recall.needles import is_common
from core.recall.relations import Relation, RelationKind, common_names, relate, tied
from core.recall.search import Changes, Lead
from core.recall.traits import Traits

LOOKED_AT = 40
"""Candidates that are read for their ties."""
MEMBERS = 16
"""Members of a whole at most; more are counted, not shown."""
FIT_SHARE = 0.5
"""A member fits the cue at least this much of what the best candidate does, unless a declared link ties it."""
NAMED_SHARE = 0.25
"""The same for one that a shared issue, ticket or commit ties: the last step of a piece of work ("merge #431, close #412")
says little of what it was about."""
GAP_SECONDS = 14 * 86400.0
"""A silence between two members from which it is named."""

_DECLARED = (RelationKind.CONTINUES, RelationKind.STARTED_BY, RelationKind.NAMES)
_NAMING = frozenset({RelationKind.NUMBER, RelationKind.TICKET, RelationKind.COMMIT})
_OUTRIGHT = (
    r"\b(?:decided|agreed|settled|settles? (?:on|for)|accepted|the rule is|rule:|decision:|convention:|"
    r"entschieden|vereinbart|festgelegt|beschlossen|décidé|convenu|decidido|acordado|acordamos|combinado|combinamos)\b|決定|決めた|決まり|규칙|정했|결정|决定|约定|规则"
)
_SETTLED_OUTRIGHT = Pattern(_OUTRIGHT, re.IGNORECASE)
_SETTLED = Pattern(
    _OUTRIGHT
    + r"|(?:^|[.!?:;\n]\s*|[-*•]\s+)(?:always|never)\b|\b(?:we|you|they|one|should|shall|to) (?:always|never)\b"
    r"|\b(?:we'?ll (?:call|go with|use|keep)|let'?s (?:call|go with|use|keep|settle|stick)|from now on|must|"
    r"we call (?:it|this)|is called|stays? (?:as|with)|final (?:answer|decision|name|rule|word)|on garde)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Assembled:
    """A whole, its members in the order of time."""

    kind: WholeKind
    leads: tuple[Lead, ...]
    joins: str
    """What ties them, in words."""
    more: int = 0
    """Members beyond `MEMBERS`."""
    order: str = ""
    """What the order of its members rests on, in words, where that is every change of a file."""
    gaps: tuple[tuple[float, float], ...] = ()
    """Silences between two members: from the end of one to the beginning of the next."""


def is_settled(text: str) -> bool:
    """True if a turn speaks of something as decided or agreed."""
    return bool(_SETTLED.search(text[:4000]))


def settling_word(text: str, *, outright: bool = True) -> str:
    """The word by which a turn says that something is settled ("agreed"), or `""`; `outright` leaves out those that say
    other things as often ("always")."""
    found = (_SETTLED_OUTRIGHT if outright else _SETTLED).search(text[:4000])
    return found.group().lower().strip(":.!?;-*• \n") if found else ""


def assemble(kind: WholeKind, leads: Sequence[Lead], traits: Sequence[Traits | None]) -> Assembled | None:
    """Assemble the whole around the best candidate; `None` if it would have a single member.

    `traits[n]` belongs to `leads[n]`, `None` where a record did not open.
    """
    known = [(lead, t) for lead, t in zip(leads, traits, strict=True) if t is not None]
    if len(known) < 2:
        return None
    common = common_names([t for _, t in known])
    best = known[0][0].hit.fit
    inside = {0}
    ties: dict[int, tuple[Relation, ...]] = {}
    frontier = [0]
    while frontier:
        here = frontier.pop(0)
        for other in range(len(known)):
            if other in inside:
                continue
            relations = relate(known[here][1], known[other][1], common)
            if _belongs(kind, relations, known[other][0].hit.fit / best if best else 1.0, known[other][1]):
                inside.add(other)
                ties[other] = relations
                frontier.append(other)
    return in_order(kind, [known[n][0] for n in sorted(inside)], _joins(ties, kind))


def in_order(kind: WholeKind, members: Sequence[Lead], joins: str) -> Assembled | None:
    """The whole of these members, best first, put in the order of time; `None` if they are fewer than two."""
    if len(members) < 2:
        return None
    ordered = tuple(sorted(members[:MEMBERS], key=_when))
    return Assembled(kind, ordered, joins, len(members) - len(ordered), gaps=_gaps(ordered))


def _belongs(kind: WholeKind, relations: Sequence[Relation], share: float, traits: Traits) -> bool:
    """True if a record that fits `share` of what the best does belongs to the whole that another is in.

    Records of a line are tied to each other, and speak of what it is about: one that holds a single word of it in passing
    does not. A topic and a concept are what their words are about: an issue that two
    records share says nothing of it.
    """
    if kind is not WholeKind.LINE:
        return share >= FIT_SHARE and speaks(traits)
    fits = share >= NAMED_SHARE if _named(relations) else share >= FIT_SHARE and speaks(traits)
    return tied(relations) and (fits or any(r.kind in _DECLARED for r in relations))


def speaks(traits: Traits) -> bool:
    """True if a record holds two words that say what a cue is about, or says one of them again and again."""
    return bool(traits.dwelt) or sum(not is_common(word) for word in traits.words) >= 2


def _named(relations: Sequence[Relation]) -> bool:
    """True if an issue, ticket or commit ties two records."""
    return not {r.kind for r in relations}.isdisjoint(_NAMING)


def with_changes(assembled: Assembled | None, changes: Changes, artifact: Artifact, best: Lead) -> Assembled | None:
    """The whole with the commits that changed the file it is about among its members; each record once. `None` if that
    makes fewer than two."""
    known = {lead.hit.entry.source.path: lead for lead in (assembled.leads if assembled is not None else (best,))}
    room = MEMBERS - MEMBERS // 4
    shown = changes.leads if len(changes.leads) <= room else (changes.leads[0], *changes.leads[-(room - 1) :])
    told = {lead.hit.entry.source.path for lead in shown}
    others = sorted((x for path, x in known.items() if path not in told), key=lambda x: -x.hit.fit)
    members = [*shown, *others][:MEMBERS]
    if len(members) < 2:
        return None
    commits = f"{changes.total:,} commit{'' if changes.total == 1 else 's'}"
    joins = f"{commits} changed {artifact.words()}"
    order = f"The order covers every change of {artifact.words()} that git knows: {commits}." if changes.whole else ""
    more = (assembled.more if assembled is not None else 0) + changes.total + len(others) - len(members)
    ordered = tuple(sorted(members, key=_when))
    joined = f"{joins}; {assembled.joins}" if assembled is not None else joins
    return Assembled(WholeKind.LINE, ordered, joined, more, order, _gaps(ordered))


def _when(lead: Lead) -> float:
    spine = lead.hit.entry.spine
    at = spine.started if spine.started is not None else spine.ended
    return at if at is not None else lead.hit.entry.source.written() or 0.0


def _joins(ties: dict[int, tuple[Relation, ...]], kind: WholeKind) -> str:
    """The kinds of evidence, most frequent first, each with an example."""
    seen: dict[RelationKind, list[str]] = {}
    for relations in ties.values():
        for relation in relations:
            seen.setdefault(relation.kind, []).append(relation.evidence)
    ranked = sorted(seen.items(), key=lambda item: (-len(item[1]), item[0].value))
    words = [e[0] + (f" ({len(e)} of {len(ties)})" if len(ties) > 1 else "") for _, e in ranked[:4]]
    if not words:
        return "they carry your words" if kind is not WholeKind.LINE else "nothing but your words"
    return "; ".join(words)


def _gaps(ordered: Sequence[Lead]) -> tuple[tuple[float, float], ...]:
    gaps = []
    latest: float | None = None
    for lead in ordered:
        start, end = _when(lead), lead.hit.entry.spine.ended
        if latest is not None and start - latest > GAP_SECONDS:
            gaps.append((latest, start))
        latest = max(x for x in (latest, end, start) if x is not None)
    return tuple(gaps)
