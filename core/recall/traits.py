"""What a record offers to be tied to others by: the identifiers it speaks of and the links it declares.

Read from the conversation at the time of a recall and kept nowhere (design/recall.md 5: relations are inferred at read
time and never stored).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import field

from core.frozen import dataclass
from core.patterns import Pattern
from core.ports import Entry
from core.recall.continuations import LinkReader, Links
from core.recall.needles import is_common
from core.records.dependents import Checkout
from core.records.model import Channel, Role, Turn
from core.records.parentage import Parentage

READ_CHARS = 4000
"""Characters of one turn that are looked at for identifiers; longer turns are listings."""
DISTINCT = 400
"""Distinct names kept per kind."""
REPEATED = 3
"""Times a token must occur in one record to count as its own term."""

_NUMBER = Pattern(
    r"(?<![\w&/])#(\d{2,6})\b|\b(?:PR|MR|pull request|issue|ticket|bug)s?\s*[#!]?(\d{2,6})\b|/(?:pull|issues)/(\d{1,6})\b",
    re.IGNORECASE,
)
"""`#1` and "issue 3" are items of a review's list far more often than issues; one digit counts only in an address."""
_TICKET = Pattern(r"\b[A-Z]{2,10}-\d{1,6}\b")
_COMMIT = Pattern(r"\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}\b")
_URL = Pattern(r"https?://[^\s<>\"'`)\]]{4,300}")
_PATH = Pattern(
    r"(?<![\w/])(?:[\w.@-]+/){1,12}[\w.@-]+\.\w{1,8}\b|\b[\w-]{3,60}\.(?:py|ts|tsx|js|go|rs|java|rb|md|toml|sql|sh|c|cpp)\b"
)
_UUID = Pattern(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b", re.IGNORECASE)
_TOKEN = Pattern(
    r"\b[A-Za-z][A-Za-z0-9]*(?:[_-][A-Za-z0-9]+)+\b|\b[a-z]+(?:[A-Z][a-z0-9]+)+\b|\b(?:[A-Z][a-z0-9]+){2,}\b"
)


@dataclass(frozen=True, slots=True)
class Traits:
    """The ties a record offers."""

    entry: Entry
    numbers: frozenset[str] = frozenset()
    """Issue and pull-request numbers spoken of as such."""
    tickets: frozenset[str] = frozenset()
    commits: frozenset[str] = frozenset()
    """First seven digits of each commit named."""
    urls: frozenset[str] = frozenset()
    paths: frozenset[str] = frozenset()
    sessions: frozenset[str] = frozenset()
    """Session ids named in the text, the record's own left out."""
    terms: frozenset[str] = frozenset()
    """Coined-looking tokens that the record repeats."""
    words: frozenset[str] = field(default_factory=frozenset)
    """The cue's terms found in the record."""
    dwelt: frozenset[str] = field(default_factory=frozenset)
    """Those of them that tell something and that the record says again and again: one of them is what it is about."""
    checkouts: tuple[Checkout, ...] = ()
    """The repositories it worked in, as far as their history was read."""
    links: Links = field(default_factory=Links)
    """By which it goes on with another record, or another with it."""


def read_traits(entry: Entry, turns: Iterable[Turn], words: Iterable[str], ends: Parentage | None = None) -> Traits:
    """Read the ties out of one pass over a record's conversation. Memory is bounded by `DISTINCT`."""
    words = frozenset(words)
    links = LinkReader()
    found: dict[str, Counter[str]] = {
        k: Counter() for k in ("numbers", "tickets", "commits", "urls", "paths", "ids", "tokens")
    }
    sought = {w.lower() for w in words if not is_common(w)}
    said: Counter[str] = Counter()
    talked = 0
    for turn in turns:
        if turn.copied or turn.channel not in (Channel.TALK, Channel.SUMMARY):
            continue
        _look(turn.text[:READ_CHARS], found)
        talked += 1
        low = turn.text[:READ_CHARS].lower() if sought else ""
        said.update(word for word in sought if word in low)
        links.take(turn)
    own = {entry.spine.session_id.lower(), entry.source.session_id.lower()}
    return Traits(
        entry=entry,
        numbers=frozenset(found["numbers"]),
        tickets=frozenset(found["tickets"]),
        commits=frozenset(found["commits"]) | _own_commit(entry),
        urls=frozenset(found["urls"]),
        paths=frozenset(found["paths"]),
        sessions=frozenset(i for i in found["ids"] if i not in own),
        terms=frozenset(t for t, n in found["tokens"].items() if n >= REPEATED),
        words=frozenset(w.lower() for w in words),
        dwelt=frozenset(word for word, turns_of_it in said.items() if turns_of_it >= min(REPEATED, max(1, talked / 4))),
        links=links.links(ends or Parentage()),
    )


def _own_commit(entry: Entry) -> frozenset[str]:
    """A commit's own name: a session that names it is tied to it."""
    return frozenset({entry.spine.session_id[:7]}) if entry.spine.role is Role.COMMIT else frozenset()


def _look(text: str, found: dict[str, Counter[str]]) -> None:
    """Count the identifiers of one turn."""

    def add(kind: str, value: str) -> None:
        counter = found[kind]
        if value in counter or len(counter) < DISTINCT:
            counter[value] += 1

    for match in _NUMBER.finditer(text):
        add("numbers", next(g for g in match.groups() if g))
    for match in _TICKET.finditer(text):
        add("tickets", match.group())
    for match in _UUID.finditer(text):
        add("ids", match.group().lower())
    for match in _COMMIT.finditer(text):
        add("commits", match.group()[:7])
    for match in _URL.finditer(text):
        add("urls", match.group().rstrip(".,;:"))
    for match in _PATH.finditer(text):
        add("paths", match.group().lower())
    for match in _TOKEN.finditer(text):
        add("tokens", match.group().lower())
