"""Records that go on with one another: a plan handed over, a conversation resumed in a new file, a compaction's summary.

A plan hand-off begins with a plan that the runtime pasted; the words a person remembers stand in the session that made
the plan (reference/formats.md B8). Each tie states the evidence that the records hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import field
from typing import TYPE_CHECKING

from core.frozen import dataclass
from core.patterns import Pattern
from core.ports import Entry
from core.records.model import Channel, Origin, Turn
from core.records.parentage import Parentage

if TYPE_CHECKING:
    from core.recall.search import Lead

PLAN_START = "implement the following plan"
SHARED_LINES = 3
"""Lines of a plan that must stand in the other record; of a shorter plan, all."""
SHORTEST_LINE = 16
"""Characters of a line that says something by itself."""
MOST_LINES = 2000
"""Lines of one record that are kept."""
MOMENT = 900.0
"""Seconds between a session's end and the hand-over of the plan it made: the person approves it and it goes on."""
_TRANSCRIPT = Pattern(r"([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.jsonl\b")
_SUMMARY_START = "This session is being continued from a previous conversation"
_BULLET = Pattern(r"^[\s#>*\-+\d.)\[\]x]+")


@dataclass(frozen=True, slots=True)
class Links:
    """What a record offers to be known as going on with another."""

    plan: frozenset[int] = frozenset()
    """Hashes of the lines of the plan it begins with; empty if it begins with none."""
    plan_line: int = 0
    """The physical line that the plan stands on, 0 if there is none."""
    written: frozenset[int] = frozenset()
    """Hashes of the lines that the assistant wrote in it."""
    transcripts: frozenset[str] = frozenset()
    """Ids of the sessions that its plan or its summary says to read on in."""
    summarised: bool = False
    """True if it begins with the summary of a conversation that went before."""
    ends: Parentage = field(default_factory=Parentage)


class LinkReader:
    """Collects links while the turns of a record pass by; memory is bounded by `MOST_LINES`."""

    def __init__(self) -> None:
        self._seen = 0
        self._plan: frozenset[int] = frozenset()
        self._plan_line = 0
        self._written: set[int] = set()
        self._transcripts: frozenset[str] = frozenset()
        self._summarised = False

    def take(self, turn: Turn) -> None:
        """Look at the next turn."""
        if turn.channel not in (Channel.TALK, Channel.SUMMARY):
            return
        self._seen += 1
        if self._seen <= 2 and is_handoff(turn.text) and not self._plan:
            self._plan_line = turn.line
            self._plan = frozenset(_lines(turn.text.split("\n", 1)[-1]))
            self._transcripts = frozenset(_TRANSCRIPT.findall(turn.text.lower()))
        elif self._seen <= 2 and turn.text.lstrip().startswith(_SUMMARY_START):
            self._summarised = True
            self._transcripts = frozenset(_TRANSCRIPT.findall(turn.text.lower()))
        elif turn.origin is Origin.ASSISTANT and len(self._written) < MOST_LINES:
            self._written.update(_lines(turn.text))

    def links(self, ends: Parentage) -> Links:
        """What was found."""
        return Links(self._plan, self._plan_line, frozenset(self._written), self._transcripts, self._summarised, ends)


def is_handoff(text: str) -> bool:
    """True for a prompt that hands a plan over."""
    return text[:80].lstrip().lower().startswith(PLAN_START)


def _lines(text: str) -> Iterable[int]:
    """A hash per line that says something; marks of lists and headings do not matter."""
    import hashlib  # 7 ms, which only a recall needs

    for line in text.splitlines()[:MOST_LINES]:
        for part in line.split("; "):
            clean = " ".join(_BULLET.sub("", part).casefold().split()).rstrip(".;:")
            if len(clean) >= SHORTEST_LINE:
                yield int.from_bytes(hashlib.blake2b(clean.encode("utf-8", "replace"), digest_size=8).digest(), "big")


def continued(a: Entry, of_a: Links, b: Entry, of_b: Links) -> tuple[str, ...]:
    """The evidence that one of two records goes on with the other, in words; empty if there is none."""
    return tuple(e for e in (_goes_on(a, of_a, b, of_b), _goes_on(b, of_b, a, of_a)) if e)


def _goes_on(later: Entry, of_later: Links, earlier: Entry, of_earlier: Links) -> str:
    """Why `later` goes on with `earlier`, `""` if nothing says so."""
    ids = {i.lower() for i in (earlier.spine.session_id, earlier.source.session_id) if i}
    if of_later.transcripts & ids:
        return (
            "one carries out the plan of the other, which it names"
            if of_later.plan
            else "one begins with a summary that names the other"
        )
    if of_later.ends.answers and of_later.ends.answers in of_earlier.ends.last_uids:
        return "the first turn of one answers the last of the other"
    if of_later.ends.begun_as and of_later.ends.begun_as.lower() in ids:
        return "the first lines of one belong to the other"
    if not of_later.plan or not _before(earlier, later):
        return ""
    shared = of_later.plan & of_earlier.written
    if len(shared) >= min(SHARED_LINES, len(of_later.plan)):
        return f"one begins with a plan of which the other wrote {len(shared)} line{'' if len(shared) == 1 else 's'}"
    if not of_earlier.plan and _moments_apart(earlier, later):
        return "one begins with a plan, moments after the other ended in the same folder"
    return ""


def _before(earlier: Entry, later: Entry) -> bool:
    first, second = earlier.spine.started, later.spine.started
    return first is not None and second is not None and first < second


def _moments_apart(earlier: Entry, later: Entry) -> bool:
    ended, began = earlier.spine.ended, later.spine.started
    if ended is None or began is None or not earlier.spine.project:
        return False
    return earlier.spine.project == later.spine.project and -60.0 <= began - ended <= MOMENT


def makers_first(leads: Sequence[Lead], links_of: Callable[[Lead], Links | None]) -> list[Lead]:
    """The session that made a plan in front of the one that was handed it, where the plan's own words are what was found:
    they are the assistant's, and what the person said about them stands where it was made. Reads records only where such
    a hand-over leads."""
    found = list(leads)
    if not found or not is_handoff(found[0].hit.entry.spine.first_prompt):
        return found
    top = found[0]
    of_top = links_of(top)
    best = top.hit.passages[0].line if top.hit.passages else 0
    if of_top is None or (best and best != of_top.plan_line):
        return found
    for place, lead in enumerate(found[1:], 1):
        near = lead.hit.entry.spine.project == top.hit.entry.spine.project and _before(lead.hit.entry, top.hit.entry)
        of_lead = links_of(lead) if near else None
        if of_lead is not None and _goes_on(top.hit.entry, of_top, lead.hit.entry, of_lead):
            return [lead, *found[:place], *found[place + 1 :]]
    return found
