"""Times that a person tells by something that happened: "before we moved to Postgres", "after the outage".

An event is resolved by finding it: a named time (a tag), else the record that is called by it, else a turn that tells of
it. Its date makes a soft window before, after or around it. What was taken is said; an event that is not found stays
ordinary words, and that is said too (design/recall.md 3).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from core.frozen import dataclass
from core.patterns import Pattern
from core.ports import Entry, Query, Term, TimeWindow
from core.recall.event_words import BEHIND, CLOSE, CONNECTORS, HEADS, SIGNS, When, function_words, kind_of
from core.recall.handles import runtime_name
from core.recall.search import Found
from core.text import one_line

DAY = 86400.0
NEAR = 14 * DAY
"""How far "right after" reaches."""
SLACK = 2 * DAY
"""How fast the interest falls off beyond the event."""
WORDS_BEFORE_HEAD = 6
WORDS_AFTER_HEAD = 4
LONGEST_CLAUSE = 200
"""Characters behind a connector that are looked at."""
ABOUT = 2
"""Words that say what an event was about, at most on each side of its head."""
MOST_EVENTS = 4
"""Events of one dialogue that are looked for, each at the cost of a search."""
CANDIDATES = 12
LONGEST_PROMPT = 300
"""Characters of a first prompt in which an event may be named."""

_TOKEN = Pattern(r"[^\W_](?:[\w.+#-]*\w)?|[,;:.!?()\n]")
_SIGN_WORD = Pattern(r"[A-Za-z0-9][A-Za-z0-9.+#_-]*")
_VERSION = Pattern(r"v?\d+(?:\.\d+)*$")
_PERSONS = frozenset(["we", "i", "they", "you", "wir", "ich", "sie", "nous", "on", "je", "nosotros", "nós", "eu"])
_BREAKS = frozenset(
    [
        "and",
        "but",
        "or",
        "und",
        "aber",
        "oder",
        "et",
        "mais",
        "ou",
        "y",
        "pero",
        "o",
        "e",
        "mas",
        "that",
        "which",
        "where",
        "who",
        "when",
        "so",
        "because",
    ]
)


@dataclass(frozen=True, slots=True)
class NamedTime:
    """A moment with a name that some other record of the project gives: a git tag."""

    name: str
    at: float
    """Seconds since the epoch."""
    source: str = "git tag"


@dataclass(frozen=True, slots=True)
class EventPhrase:
    """An event a person dates by, as they said it."""

    when: When
    kind: str
    """A key of `HEADS`."""
    about: tuple[str, ...]
    """What it was about, lower case: `postgres`; empty for "the outage"."""
    close: bool
    words: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class EventTime:
    """A phrase and what was found for it."""

    phrase: EventPhrase
    window: TimeWindow | None = None
    """`None` if nothing tells when it was."""
    path: str = ""
    """The record that is the event itself, `""` for a named time."""
    said: str = ""
    """What was taken, in words for the person."""


def may_tell_an_event(text: str) -> bool:
    """False for a text that certainly dates by no event; cheap."""
    low = text.lower()
    if any(c >= "\u3040" for c in low) and any(sign in low for signs in SIGNS.values() for sign in signs.split()):
        return True
    return not kind_of().keys().isdisjoint(_TOKEN.findall(low))


def read_events(text: str) -> tuple[EventPhrase, ...]:
    """The events that `text` dates by, in order, not overlapping."""
    if not may_tell_an_event(text):
        return ()
    low = "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
    found: list[EventPhrase] = []
    for phrase in sorted([*_spaced(text, low), *_signed(text, low)], key=lambda p: p.start):
        if not found or phrase.start >= found[-1].end:
            found.append(phrase)
    return tuple(found)


def _connectors() -> Iterable[tuple[When, str]]:
    for when, words in CONNECTORS:
        yield when, "|".join(re.escape(w.replace("_", " ")) for w in words.split())


def _spaced(text: str, low: str) -> Iterable[EventPhrase]:
    """Events of languages that put spaces between words: the connector, a head word near, what it was about."""
    close = "|".join(CLOSE.split())
    for when, words in _connectors():
        for match in re.finditer(rf"(?<!\w)(?:(?P<close>{close})\s+)?(?:{words})(?!\w)", low):
            rest = low[match.end() : match.end() + LONGEST_CLAUSE]
            tokens = list(_TOKEN.finditer(rest))[: WORDS_BEFORE_HEAD + WORDS_AFTER_HEAD + 1]
            read = _clause([t.group() for t in tokens])
            if read is None or (match.group().endswith(("when", "quand", "cuando", "quando", "als")) and not read[3]):
                continue
            kind, about, last, _ = read
            end = match.end() + tokens[last].end()
            yield EventPhrase(when, kind, about, bool(match["close"]), text[match.start() : end], match.start(), end)


def _clause(tokens: Sequence[str]) -> tuple[str, tuple[str, ...], int, bool] | None:
    """The kind of event, what it was about, the place of the last word, and whether somebody did it; `None` if the words
    tell no event."""
    heads, function = kind_of(), function_words()
    head = -1
    for place, token in enumerate(tokens[: WORDS_BEFORE_HEAD + 1]):
        if not token[0].isalnum() or token in _BREAKS:
            break
        if token in heads:
            head = place
            break
    if head < 0:
        return None
    before = [t for t in tokens[:head] if t not in function]
    acted = any(t in _PERSONS for t in tokens[:head])
    if len(before) > ABOUT or (before and not acted and tokens[0] not in function):
        return None
    about, last, linked = list(before), head, acted
    for place in range(head + 1, min(len(tokens), head + 1 + WORDS_AFTER_HEAD)):
        token = tokens[place]
        if not token[0].isalnum() or token in _BREAKS or token in _PERSONS:
            break
        if token in function:
            linked = True
        elif _VERSION.match(token) or (linked and len(about) - len(before) < ABOUT - 1):
            about.append(token)
            last = place
        else:
            break
    if acted and not about and heads[tokens[head]] not in ("release", "outage"):
        return None  # "after we moved": nothing says what
    return heads[tokens[head]], tuple(about), last, acted


def _signed(text: str, low: str) -> Iterable[EventPhrase]:
    """Events in Japanese, Korean and Chinese: the head stands before "before" or "after", what it was about is a word in
    Latin letters near it."""
    if not any(c >= "\u3040" for c in low):
        return
    for kind, signs in SIGNS.items():
        heads = "|".join(re.escape(s) for s in signs.split())
        for when, behind in BEHIND:
            pattern = rf"(?P<lead>(?<![A-Za-z0-9.+#_-])[A-Za-z0-9][A-Za-z0-9.+#_-]{{0,40}}[^\sA-Za-z0-9、。，]{{0,4}}\s{{0,2}})?(?:{heads})"
            pattern += rf"(?P<tail>[^、。，\n]{{0,14}}?)(?:{behind})"
            for match in re.finditer(pattern, low):
                about = [*_SIGN_WORD.findall(match["lead"] or ""), *_SIGN_WORD.findall(match["tail"])]
                yield EventPhrase(
                    when, kind, tuple(about[:ABOUT]), False, text[match.start() : match.end()], match.start(), match.end()
                )  # fmt: skip


# -- resolving


def resolve_events(
    texts: Iterable[str], now: datetime, find: Callable[[Query], Found], named: Callable[[], Sequence[NamedTime]]
) -> tuple[EventTime, ...]:
    """Find the events that the texts (without their filter words) date by. Searches only if there are any."""
    found: dict[tuple[When, str, tuple[str, ...], bool], EventTime] = {}
    times: list[EventTime] = []
    for phrase in dict.fromkeys(p for text in texts for p in read_events(text)):
        meant = (phrase.when, phrase.kind, phrase.about, phrase.close)
        if meant not in found and len(found) >= MOST_EVENTS:
            continue
        if meant not in found:
            found[meant] = _resolved(phrase, now, find, named)
        times.append(replace(found[meant], phrase=phrase))
    return tuple(times)


def no_named_times() -> Sequence[NamedTime]:
    """The named times of an archive that knows none."""
    return ()


def _resolved(
    phrase: EventPhrase, now: datetime, find: Callable[[Query], Found], named: Callable[[], Sequence[NamedTime]]
) -> EventTime:
    entry = _record(phrase, find)
    if entry is not None:
        began = entry.spine.started if entry.spine.started is not None else entry.spine.ended
        ended = entry.spine.ended if entry.spine.ended is not None else began
        if began is not None and ended is not None:
            name = one_line(entry.spine.named(), 60)
            return _taken(phrase, began, ended, now, f"“{name}”", entry.source.path, runtime_name(entry.source.runtime))
    tag = _tag(phrase, named(), now)
    if tag is not None:
        return _taken(phrase, tag.at, tag.at, now, f"“{one_line(tag.name, 60)}”", "", tag.source)
    words = one_line(phrase.words, 80)
    return EventTime(phrase, said=f"No record was found that tells when “{words}” was; it was read as words.")


def _taken(
    phrase: EventPhrase, began: float, ended: float, now: datetime, name: str, path: str, source: str
) -> EventTime:
    day = datetime.fromtimestamp(began, now.tzinfo)
    words = one_line(phrase.words, 80)
    said = f"Read “{words}” as {phrase.when.value} {day.day} {day:%B %Y}: {name} ({source})."
    return EventTime(phrase, _window(phrase, began, ended, now.timestamp()), path, said)


def _window(phrase: EventPhrase, began: float, ended: float, now: float) -> TimeWindow:
    if phrase.when is When.BEFORE:
        return TimeWindow(began - NEAR if phrase.close else 0.0, began - 1.0, SLACK)
    if phrase.when in (When.AFTER, When.SINCE):
        return TimeWindow(ended + 1.0, ended + NEAR if phrase.close else max(now, ended + DAY), SLACK)
    return TimeWindow(began - 5 * DAY, ended + 5 * DAY, 7 * DAY)


def _record(phrase: EventPhrase, find: Callable[[Query], Found]) -> Entry | None:
    """The record that is the event: its title or first prompt names the kind and everything it was about. A title
    weighs more than a prompt; of equals the better match, and the latest where nothing says what it was about ("the release")."""
    kinds = (*HEADS[phrase.kind].split(), *SIGNS[phrase.kind].split())
    terms = [Term(w, 2.0) for w in phrase.about]
    terms += [Term(w, 0.5) for w in dict.fromkeys(kinds)]
    found = find(Query(terms=tuple(terms), sentence=" ".join(phrase.about), limit=CANDIDATES))
    best: tuple[int, float] | None = None
    chosen: Entry | None = None
    for order, lead in enumerate(found.leads):
        spine = lead.hit.entry.spine
        place = float(order) if phrase.about else -(spine.started or 0.0)
        for rank, text in ((0, spine.title), (1, spine.first_prompt[:LONGEST_PROMPT])):
            if _names(text, phrase, kinds) and (best is None or (rank, place) < best):
                best, chosen = (rank, place), lead.hit.entry
    return chosen


def _names(text: str, phrase: EventPhrase, kinds: Sequence[str]) -> bool:
    low = text.lower()
    words = frozenset(_TOKEN.findall(low))
    if not any(w in words if w.isascii() or w[0] < "\u3040" else w in low for w in kinds):
        return False
    return all(word in words or word in low for word in phrase.about)


def _tag(phrase: EventPhrase, named: Sequence[NamedTime], now: datetime) -> NamedTime | None:
    """The named time of a release: that of its number, else the latest; of anything else one that carries its words."""
    past = [n for n in named if n.at <= now.timestamp()]
    if phrase.about:
        fits = [n for n in past if all(_in_name(w, n.name.lower()) for w in phrase.about)]
    else:
        fits = [n for n in past if phrase.kind == "release" and _VERSION.match(n.name.lower())]
    return max(fits, key=lambda n: n.at, default=None)


def _in_name(word: str, name: str) -> bool:
    return re.search(rf"(?<![\w.]){re.escape(word)}(?!\d)|v{re.escape(word.removeprefix('v'))}(?!\d)", name) is not None
