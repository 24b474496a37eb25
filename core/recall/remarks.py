"""What a round says of how well its answer fits what was asked: a person reads it before the story."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import tzinfo

from core.ports import TimeWindow
from core.recall.answers import Act
from core.recall.handles import runtime_name
from core.recall.model import AxisKind, Cue, WholeKind
from core.recall.needles import is_common
from core.recall.quotes import matched_spans
from core.recall.search import Lead
from core.recall.thread import Thread
from core.recall.wording import READ_WHOLE, day_words
from core.text import one_line

NEAREST = "Nothing fits well; this is the nearest that was found."
ALONE = "You asked for what was settled, and only one record was found that speaks of it; told is that session."
FALLBACK = {
    WholeKind.LINE: "You asked for a line of work, but no second record is tied to this session; told is the session.",
    WholeKind.TOPIC: "You asked for a topic, but no second record speaks of it; told is the session.",
    WholeKind.CONCEPT: "You asked for what was settled, but no record was found that carries it as settled; told is the "
    "session that fits best.",
}
_OUT_OF_TIME = "Nothing that was found is of that time: "
_NO_PART = "Nothing that is told here speaks of "
AGAIN = "This is the one you were told last. Say “that's it” again if it is the one."
_FIT = frozenset((NEAREST, ALONE, AGAIN, *FALLBACK.values()))


def of_the_fit(remark: str) -> bool:
    """True for a remark that says that the answer is not quite what was asked for, or what a wider search found."""
    return remark in _FIT or remark.startswith((_OUT_OF_TIME, _NO_PART)) or READ_WHOLE in remark


def out_of_time(cue: Cue, leads: Sequence[Lead]) -> str:
    """That no record lies in the time a person named ("last week"), with its days; `""` if one does, or none was named."""
    times = [a for a in cue.axes if a.kind is AxisKind.TIME and a.window is not None]
    meant = [a.window for a in times if a.window is not None]
    if not times or not leads or any(_lies_in(lead, meant) for lead in leads):
        return ""
    named = ", ".join(dict.fromkeys(f"“{a.words}” ({a.value.replace('..', ' to ').strip()})" for a in times))
    lies = "lies outside of it" if cue.query.terms or cue.query.phrases else "is what lies nearest to it"
    return f"{_OUT_OF_TIME}{named}. What is told {lies}."


def nothing_there(thread: Thread, zone: tzinfo | None) -> str:
    """That nothing lies where a correction pointed ("earlier"), and what it was relative to; `""` if it pointed nowhere."""
    answer = thread.answer
    if answer.act is not Act.CORRECT or not thread.presented:
        return ""
    told = thread.presented[-1]
    day = day_words(told.started if told.started is not None else told.ended, zone)
    name = f"“{one_line(told.gist, 60)}”" + (f" ({day})" if day else "")
    way = {-1: "earlier than ", 1: "later than "}.get(answer.direction, "")
    if not way and answer.other_project:
        way = "in another project than "
    if not way and answer.other_runtime:
        way = "of another agent than "
    if not way:
        return f"Nothing of {runtime_name(answer.runtime)} fits what you said." if answer.runtime else ""
    return f"Nothing {way}{name} fits what you said."


def no_such_part(thread: Thread, quotes: Sequence[str]) -> str:
    """That no quote holds a word of the part a person asked for ("only the part about …"); `""` if one does, or none was."""
    asked = thread.answer.cue.strip() if thread.answer.act is Act.NARROW else ""
    words = {w: 1.0 for w in re.findall(r"[^\W_]+", asked) if not is_common(w)}
    if not words or any(matched_spans(quote, words) for quote in quotes):
        return ""
    return f"{_NO_PART}“{asked[:80]}” in these words; it is the session that you were told before."


def in_time(lead: Lead, cue: Cue) -> bool:
    """True if the record lies in a time the person named: the words alone then say too little about the fit."""
    return _lies_in(lead, cue.query.windows)


def _lies_in(lead: Lead, windows: Sequence[TimeWindow]) -> bool:
    spine = lead.hit.entry.spine
    first, last = spine.started, spine.ended
    if first is None or last is None:
        return False
    return any(w.start <= last and first < w.end for w in windows)
