"""The story of a whole above one session: its members in the order of time, each in its own words (design/recall.md 5, 6).

A line is told by origin, development and arrival; a topic by its fragments and where it last stood; a concept by where it
was forged and the record that carries it as settled. Every sentence names its day, so that the order can be checked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import tzinfo

from core.frozen import dataclass
from core.recall.attribution import begins_with_a_name
from core.recall.model import WholeKind
from core.recall.quotes import asks, is_announcement, matched_spans, resembles
from core.recall.search import Lead, Opened, Placed
from core.recall.story import LONGEST_STORY, Part, Told, compose, ending_part, opening_part, reached_part
from core.recall.wholes import Assembled, is_settled, settling_word
from core.recall.wording import day_words
from core.records.model import WRITTEN, Locator, Origin

ORDER_REMARK = "The order covers only the records that were found, not every change in between."
"""ChronologyFromHits (design/recall.md 9): what was not read cannot be put in order."""
SETTLED_SHARE = 0.6
"""A later turn counts as where a concept stands if it carries at least this much of what the best one does: a passing
"as agreed" about something else is newer often, and is not it."""


@dataclass(frozen=True, slots=True)
class OpenedMember:
    """A member of a whole, read."""

    lead: Lead
    opened: Opened

    @property
    def locator(self) -> Locator:
        """Where it stands."""
        return self.lead.hit.entry.locator()


@dataclass(frozen=True, slots=True)
class WholeTold:
    """A story of a whole, and what a person should know of it."""

    told: Told
    remarks: tuple[str, ...]


def tell_whole(
    assembled: Assembled,
    members: Sequence[OpenedMember],
    words: Mapping[str, float],
    first_index: int,
    zone: tzinfo | None,
    about: Mapping[str, float] | None = None,
) -> WholeTold | None:
    """Compose the story of a whole from its opened members (in the order of time).

    `about` are the words of the cue that say what was settled, without those that ask for it; all of them if left out.
    `None` where the whole cannot be told: fewer than two members open, or no record carries a concept as settled.
    """
    if len(members) < 2:
        return None
    if assembled.kind is WholeKind.CONCEPT:
        parts = _concept(members, words, about or words)
    elif assembled.kind is WholeKind.TOPIC:
        parts = _topic(members, words)
    else:
        parts = _line(members, words)
    if not parts:
        return None
    told = compose(_dated(parts[:LONGEST_STORY], zone), words, first_index)
    return WholeTold(told, tuple(_remarks(assembled, members, zone))) if told.claims else None


_Sentence = tuple[Part, Locator]


def _line(members: Sequence[OpenedMember], words: Mapping[str, float]) -> list[_Sentence]:
    """Origin, development, arrival."""
    first, last = members[0], members[-1]
    middle = _chosen(members[1:-1], LONGEST_STORY - 4)
    sentences: list[_Sentence] = []
    _add(sentences, first, opening_part(first.opened, words))
    _add(sentences, first, reached_part(first.opened, words))
    for member in middle:
        if not _add(sentences, member, reached_part(member.opened, words)):
            _add(sentences, member, opening_part(member.opened, words))
    if not _add(sentences, last, reached_part(last.opened, words)):
        _add(sentences, last, opening_part(last.opened, words))
    _add(sentences, last, ending_part(last.opened, words))
    return sentences


def _topic(members: Sequence[OpenedMember], words: Mapping[str, float]) -> list[_Sentence]:
    """The fragments, then where the records say it last stood."""
    sentences: list[_Sentence] = []
    for member in _chosen(members[:-1], LONGEST_STORY - 2):
        if not _add(sentences, member, reached_part(member.opened, words)):
            _add(sentences, member, opening_part(member.opened, words))
    last = members[-1]
    standing = reached_part(last.opened, words, newest=True) or ending_part(last.opened, words)
    if standing is not None:
        standing = replace(standing, label=f"It last stood so; {_within(standing, standing.label)}")
    _add(sentences, last, standing)
    return sentences


def _concept(
    members: Sequence[OpenedMember], words: Mapping[str, float], about: Mapping[str, float]
) -> list[_Sentence]:
    """Where it was forged, how it came up since, and the record that carries it as settled; nothing without one. Of
    several it is the latest, among those that carry about as much of what the cue is about as the best, and that say so
    outright where any does; in it, the turn that carries most, the person's before the assistant's."""
    settled = [(m, p, share) for m in members for p in _settling(m) if (share := _carried(p, about))]
    if not settled:
        return []
    enough = SETTLED_SHARE * max(share for _, _, share in settled)
    near = [row for row in settled if row[2] >= enough]
    outright = [row for row in near if settling_word(row[1].turn.text)]
    member, part = _carrier(outright, words, about) or _carrier(near, words, about) or (None, None)
    if member is None or part is None:
        return []
    sentences: list[_Sentence] = []
    for other in _chosen(members, LONGEST_STORY - 2):
        if other is member:
            continue
        for told in _stated(other, about, words):
            if not resembles(_quote(told), _quote(part)) and _add(sentences, other, told):
                break  # what says the same as the rule gives way to it
    _add(sentences, member, replace(part, label=f"As settled it stands in this record; {_within(part, part.label)}"))
    return sentences


def _stated(member: OpenedMember, about: Mapping[str, float], words: Mapping[str, float]) -> Iterator[Part]:
    """What a record says of the thing that was settled: its own word that settles it, else a statement about it. A request
    ("find every place that …"), a question or an announcement is none; what was told to a tool neither."""
    settling = _settling(member)
    others = [p for p in member.opened.reached if p not in settling]
    for rows, telling in ((settling, words), (others, about)):
        for placed in sorted(rows, key=lambda p: -_carried(p, about)):
            part = reached_part(replace(member.opened, reached=(placed,)), telling)
            if part is None or not any(matched_spans(_quote(part), {w: x}) for w, x in about.items()):
                continue
            if not (is_announcement(_quote(part)) or asks(_quote(part))):
                yield part


def _carrier(
    rows: Sequence[tuple[OpenedMember, Placed, float]], words: Mapping[str, float], about: Mapping[str, float]
) -> tuple[OpenedMember, Part] | None:
    """The latest record that carries it, and the words it does so in. What is quoted says itself that it is settled, and
    what: that "always" or "final" stands elsewhere in a report of progress settles nothing."""

    def latest_first(row: tuple[OpenedMember, Placed, float]) -> tuple[float, float, bool, int]:
        member, placed, share = row
        latest = max((p.turn.at or 0.0) for m, p, _ in rows if m is member)
        return latest, share, placed.turn.origin is Origin.PERSON, placed.turn.line

    for member, placed, _ in sorted(rows, key=latest_first, reverse=True):
        word = settling_word(placed.turn.text) or settling_word(placed.turn.text, outright=False)
        telling = {**words, word: max(words.values(), default=1.0)} if word else words
        part = reached_part(replace(member.opened, reached=(placed,)), telling)
        if part is not None and (placed.turn.origin is Origin.EXTERNAL or _settles(_quote(part), about)):
            return member, part
    return None


def _settles(quote: str, about: Mapping[str, float]) -> bool:
    names_it = any(matched_spans(quote, {word: weight}) for word, weight in about.items())
    return names_it and is_settled(quote) and not is_announcement(quote)


def _settling(member: OpenedMember) -> list[Placed]:
    """Turns that speak of something as decided: the person's, the assistant's, and what a note, a commit or a claim says."""
    spine, source = member.lead.hit.entry.spine, member.lead.hit.entry.source
    speakers = {Origin.PERSON, Origin.ASSISTANT}
    if spine.role in WRITTEN or source.role in WRITTEN:
        speakers.add(Origin.EXTERNAL)
    return [p for p in member.opened.reached if p.turn.origin in speakers and is_settled(p.turn.text)]


def _carried(placed: Placed, about: Mapping[str, float]) -> float:
    """How much of what the cue is about a turn carries: the weights of the words that stand in it."""
    return sum(weight for word, weight in about.items() if matched_spans(placed.turn.text, {word: weight}))


def _chosen(members: Sequence[OpenedMember], count: int) -> list[OpenedMember]:
    """The members that fit best, at most `count`, in the order of time."""
    if len(members) <= count:
        return list(members)
    best = sorted(members, key=lambda m: -m.lead.hit.fit)[:count]
    return [m for m in members if m in best]


def _add(sentences: list[_Sentence], member: OpenedMember, part: Part | None) -> bool:
    """Add a sentence, unless the same turn or nearly the same words of the same speaker are told already."""
    if part is None:
        return False
    quote = _quote(part)
    for told, _ in sentences:
        same_turn = told.placed.path == part.placed.path and told.placed.turn == part.placed.turn
        if same_turn or (told.placed.turn.origin is part.placed.turn.origin and resembles(quote, _quote(told))):
            return False
    sentences.append((part, member.locator))
    return True


def _quote(part: Part) -> str:
    return part.placed.turn.text[part.span[0] : part.span[1]]


def _dated(sentences: Sequence[_Sentence], zone: tzinfo | None) -> list[_Sentence]:
    """The sentences with their day, named where it changes; another record of the same day is said to be one."""
    dated: list[_Sentence] = []
    day_before, record_before = "", ""
    for part, locator in sentences:
        day = day_words(part.placed.turn.at, zone)
        label = part.label
        if day and day != day_before:
            label = f"On {day}, {_within(part, label)}"
        elif record_before and locator.path != record_before:
            label = f"{'The same day, in' if day else 'In'} another record, {_within(part, label)}"
        day_before, record_before = day or day_before, locator.path
        dated.append((replace(part, label=label), locator))
    return dated


def _within(part: Part, label: str) -> str:
    """The introduction inside a sentence; a person's name keeps its capital."""
    return label if begins_with_a_name(part.placed, label) else _lower(label)


def _lower(label: str) -> str:
    return label[:1].lower() + label[1:]


def _remarks(assembled: Assembled, members: Sequence[OpenedMember], zone: tzinfo | None) -> list[str]:
    remarks = [assembled.order or ORDER_REMARK]
    for start, end in assembled.gaps:
        remarks.append(f"Nothing that was found lies between {day_words(start, zone)} and {day_words(end, zone)}.")
    if assembled.more:
        remarks.append(f"{assembled.more} more records belong to it and are not listed.")
    if len(members) < len(assembled.leads):
        remarks.append(f"{len(assembled.leads) - len(members)} of its records did not open.")
    return remarks
