"""The sentences of the dialogue that are ours: questions, findings, phrases. They add no facts to a story."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, tzinfo

from core.json_text import iso_time as iso_time
from core.ports import Entry, Standing
from core.recall.handles import runtime_name
from core.recall.model import Expansion, Recognizable, Searched, WholeKind
from core.recall.search import Found, Lead
from core.recall.thread import Thread
from core.records.model import Locator, ReadProblem, Role
from core.records.recordfile import record_part
from core.text import one_line

READ_AMONG = 5
"""Candidates whose words are told where they are not the ones that were typed."""
PHRASE = 160
"""Columns of a phrase at most."""

_ROLES = {Role.SUBAGENT: "subagent", Role.COPY: "copy", Role.REVIEW: "review", Role.GHOST: "only its prompts are left",
    Role.COMMIT: "commit", Role.TAG: "tag", Role.NOTE: "note", Role.MEMORY: "memory",
}  # fmt: skip


def gist(entry: Entry) -> str:
    """What a record is called: its title, else its first prompt, else its id."""
    spine = entry.spine
    name = spine.named() or spine.session_id or entry.source.session_id or "untitled"
    return one_line(name, PHRASE)


def day_words(at: float | None, zone: tzinfo | None) -> str:
    """A civil day in words, `""` where unknown."""
    if at is None:
        return ""
    try:
        when = datetime.fromtimestamp(at, zone)
    except (OverflowError, OSError, ValueError):
        return ""
    return f"{when.day} {when:%b %Y}"


def adjacent_phrase(entry: Entry) -> str:
    """A record in a phrase: what it is called, and what is special about it."""
    marks = [_ROLES[entry.spine.role]] if entry.spine.role in _ROLES else []
    if entry.standing is Standing.GONE:
        marks.append("file gone")
    if entry.source.archived:
        marks.append("archived")
    return gist(entry) + (f" ({', '.join(marks)})" if marks else "")


def question_words(thread: Thread, found: Found, not_opened: Sequence[ReadProblem]) -> str:
    """One open question, in everyday words."""
    if not thread.cue_texts:
        return "What do you remember of it? A word that was used, a file, what went wrong, or about when it was."
    return f"{nothing_words(thread, found, not_opened)} What else do you remember: a word that was used, a file, who was asked, or about when it was?"


def nothing_words(thread: Thread, found: Found, not_opened: Sequence[ReadProblem]) -> str:
    """That there is nothing to tell, in a sentence."""
    if thread.rejected:
        return "Nothing else that was searched fits."
    return "What fits could not be opened." if found.problems or not_opened else "Nothing that was searched fits that."


def nothing_wider_words(*, scanned: bool) -> str:
    """Why a wider search that was asked for cannot be run, and what helps."""
    if scanned:
        return "The whole records were read for these words already. What else do you remember of it?"
    return (
        "There is no word in that to read whole records for. What do you remember of it: a word that was used, a file?"
    )


READ_WHOLE = " records were read whole ("
"""By which what a wider search found is known among the remarks."""


WAYS_TOLD = 6
"""Of what was looked for in its place, so many are named."""


def scan_words(records: int, size: int, held: int, ways: Sequence[Sequence[str]], unread: int = 0) -> str:
    """What a wider search read and found. `held`: how many records hold all needles of one of the ways; `unread`: how many
    beside could not be read to their end."""
    told = [_listed([f"“{one_line(needle, 40)}”" for needle in way]) for way in ways[:WAYS_TOLD]]
    told += [f"{len(ways) - WAYS_TOLD} more"] if len(ways) > WAYS_TOLD else []
    sought = " or ".join(told)
    whose = f"{held:,} of them hold{'s' if held == 1 else ''}" if held else "none of them holds"
    rest = f" {unread:,} could not be read to {'its' if unread == 1 else 'their'} end." if unread else ""
    return f"{records:,}{READ_WHOLE}{size / 1e6:,.1f} MB): {whose} {sought}.{rest}"


def _listed(parts: Sequence[str]) -> str:
    return f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else parts[0]


def searched_words(searched: Sequence[Searched]) -> str:
    """Where a pass looked, in one sentence."""
    if not searched:
        return "No record was searched."
    parts = []
    for s in searched:
        ways = [
            f"{count:,} {way}"
            for count, way in ((s.by_index, "by index"), (s.by_head, "by head"), (s.by_scan, "by their whole body"))
            if count
        ]
        how = ", ".join(ways) if ways else "none searched"
        how += f", {s.unreadable:,} could not be read" if s.unreadable else ""
        parts.append(f"{runtime_name(s.runtime)} in {one_line(s.root)}: {s.records:,} records ({how})")
    return "Searched " + "; ".join(parts) + "."


def finding_words(searched: Sequence[Searched], not_opened: Sequence[ReadProblem], *, wide: bool) -> str:
    """Why a recall ends without a past: what was searched and what the evidence says, never a claim of absence."""
    causes = []
    if not_opened:
        count = len({p.path for p in not_opened})
        causes.append(f"{count} record{'' if count == 1 else 's'} could not be opened")
    unreadable = sum(s.unreadable for s in searched)
    if unreadable:
        causes.append(f"{unreadable:,} could not be read")
    if not wide:
        causes.append("tool input and output were not searched")
    cause = f" {'; '.join(causes)[:1].upper()}{'; '.join(causes)[1:]}." if causes else ""
    return (
        f"Nothing that could be shown fits what you said. {searched_words(searched)}{cause} "
        "That is not proof that it never happened."
    )


def unwritten_words(session_id: str) -> str:
    """That a record goes on with one that was never written, or is gone."""
    return f"It goes on with session {one_line(session_id, 60)}, of which there is no record here; what came before is not told."


def expansion_words(expansion: Expansion) -> str:
    """What a wider search would read, and what it costs."""
    seconds = expansion.seconds
    time = "under a second" if seconds < 1 else f"about {seconds:,.0f} seconds"
    return f"{expansion.reach}: {expansion.records:,} records, {expansion.bytes / 1e6:,.1f} MB, {time}."


_WHOLES = {
    WholeKind.SESSION: "One conversation",
    WholeKind.LINE: "A line of work",
    WholeKind.TOPIC: "A topic",
    WholeKind.CONCEPT: "A settled concept",
}


def record_words(locator: Locator) -> str:
    """What one record is: a conversation, or a commit, a tag, a note, a claim."""
    if locator.runtime == "git":
        return "A tag" if record_part(locator.path).startswith("tag:") else "A commit"
    if locator.runtime == "memory":
        return "A claim in memory"
    return "A note" if locator.runtime == "notes" else _WHOLES[WholeKind.SESSION]


def whole_words(recognizable: Recognizable) -> str:
    """What is presented, in words: its kind and, above one session, how many records and what ties them."""
    name = _WHOLES[recognizable.whole]
    if len(recognizable.members) == 1:
        return record_words(recognizable.members[0].locator) if recognizable.whole is WholeKind.SESSION else name
    return f"{name}, {len(recognizable.members)} records: {one_line(recognizable.joins)}"


def misread_words(leads: Sequence[Lead]) -> tuple[str, ...]:
    """What to tell of words that no record holds and that were read as others, as far as the first candidates hold those."""
    read = dict.fromkeys(pair for lead in leads[:READ_AMONG] for pair in lead.hit.read_as)
    return tuple(f"No record holds “{typed}”; it was read as “{word}”." for typed, word in read)
