"""Where a dialogue stands, read back from its context.

The context is the only state: this module folds it into what the person remembers so far, what was presented, what was
rejected, and where their corrections sent the search. Folding the same context always gives the same thread.
"""

from __future__ import annotations

from dataclasses import field, replace

from core.frozen import dataclass
from core.ports import TimeWindow
from core.recall.answers import Act, Answer, read_answer
from core.recall.model import Adjacent, Context, Member, Response, Round, RoundKind, Utterance, WholeKind
from core.records.model import Locator

FOREVER = 4e9
"""An end for windows that have none (the year 2096), seconds since the epoch."""


@dataclass(frozen=True, slots=True)
class Thread:
    """How a dialogue stands after the last turn of its context."""

    cue_texts: tuple[str, ...] = ()
    """What the person said that is cue, oldest first."""
    rejected: frozenset[str] = frozenset()
    """Paths of records that are not to be presented again unless asked for."""
    presented: tuple[Member, ...] = ()
    """The leading member of each presentation, oldest first."""
    pinned: Locator | None = None
    """The record the person asked for by pointing, by number, or by narrowing."""
    windows: tuple[TimeWindow, ...] = ()
    """Hard windows from "earlier" and "later", relative to what was presented."""
    runtimes: tuple[str, ...] = ()
    not_projects: tuple[str, ...] = ()
    wide: bool = False
    """True if the person said yes to the wider search for the cue as it stands."""
    added: bool = False
    """True if the person added to the cue after the first turn."""
    whole: WholeKind | None = None
    """The whole the person asked for in so many words, relative to what was presented."""
    answer: Answer = field(default_factory=lambda: Answer(Act.CUE))
    """The latest turn of the person, read."""
    answered: int = -1
    """Index in the context of the person's latest turn, -1 if there is none."""
    round: Round | None = None
    """The round that stood before the person when they spoke last."""


def fold(context: Context) -> Thread:
    """Read how a dialogue stands. Pure."""
    thread = Thread()
    standing: Round | None = None
    for index, turn in enumerate(context):
        if isinstance(turn, Response):
            standing = turn.round
            if standing.kind is RoundKind.PRESENT and standing.recognizable:
                thread = replace(thread, presented=(*thread.presented, standing.recognizable.members[0]))
        elif isinstance(turn, Utterance):
            thread = _hear(replace(thread, round=standing, answered=index), turn)
    return thread


def _hear(thread: Thread, turn: Utterance) -> Thread:
    """Take in one turn of the person."""
    first = not thread.cue_texts and thread.round is None
    if turn.points_at is not None:
        answer = Answer(Act.PICK)
        return _unreject(replace(thread, answer=answer, pinned=turn.points_at), turn.points_at.path)
    if first:
        return replace(
            thread, answer=Answer(Act.CUE, cue=turn.text), cue_texts=(turn.text,) if turn.text.strip() else ()
        )
    standing = thread.round
    presented = standing is not None and standing.kind is RoundKind.PRESENT
    answer = read_answer(
        turn.text,
        presented=presented,
        offered=standing is not None and standing.expansion is not None,
        told=bool(thread.presented),
    )
    thread = replace(thread, answer=answer)
    if answer.act is Act.ACCEPT:
        seen = standing is not None and standing.expansion is not None
        return replace(thread, wide=True, pinned=None) if seen else thread
    if answer.act in (Act.PICK, Act.BACK):
        return _pick(thread, answer)
    if answer.act is Act.WHOLE:
        return replace(thread, whole=WholeKind(answer.whole), added=True)
    if answer.act is Act.NARROW:
        thread = _more(thread, answer.cue)
        current = thread.presented[-1].locator if thread.presented else None
        return replace(thread, pinned=current)
    if answer.act is Act.CORRECT:
        return _correct(thread, answer)
    if answer.act is Act.CUE:
        return replace(_more(thread, answer.cue), pinned=None)
    return thread


def _more(thread: Thread, cue: str) -> Thread:
    if not cue.strip():
        return thread
    return replace(thread, cue_texts=(*thread.cue_texts, cue), added=True, wide=False)


def _correct(thread: Thread, answer: Answer) -> Thread:
    """Not that one: leave it aside, and turn the search where the person points."""
    current = thread.presented[-1] if thread.presented else None
    thread = replace(_more(thread, answer.cue), pinned=None, added=True)
    if answer.runtime:
        thread = replace(thread, runtimes=(answer.runtime,))
    if current is None:
        return thread
    standing = thread.round.recognizable.members if thread.round and thread.round.recognizable else (current,)
    thread = replace(thread, rejected=thread.rejected | {m.locator.path for m in standing})
    if answer.direction and (edge := current.started or current.ended):
        window = TimeWindow(0.0, edge, 0.0, True) if answer.direction < 0 else TimeWindow(edge, FOREVER, 0.0, True)
        thread = replace(thread, windows=(window,))
    if answer.other_project and current.project:
        thread = replace(thread, not_projects=(*thread.not_projects, current.project))
    if answer.other_runtime:
        thread = replace(thread, runtimes=("-" + current.locator.runtime,))
    return thread


def _pick(thread: Thread, answer: Answer) -> Thread:
    """The person asks for a candidate by its number, or for one that was presented before."""
    if answer.act is Act.BACK:
        earlier = [m.locator for m in thread.presented]
        if not earlier:
            return replace(thread, answer=Answer(Act.EMPTY))
        stands = thread.round is not None and thread.round.kind is RoundKind.PRESENT
        before = earlier[-2] if stands and len(earlier) > 1 else earlier[-1]
        target = earlier[0] if answer.ordinal == 1 else before
        return _unreject(replace(thread, pinned=target), target.path)
    shown = _shown(thread.round)
    place = len(shown) if answer.ordinal == -1 else answer.ordinal
    if not 1 <= place <= len(shown):
        return replace(thread, answer=Answer(Act.EMPTY))
    target = shown[place - 1]
    return _unreject(replace(thread, pinned=target), target.path)


def _shown(standing: Round | None) -> list[Locator]:
    """The candidates as they were numbered: the presented one first, then the adjacent ones."""
    if standing is None or standing.recognizable is None:
        return []
    adjacent: tuple[Adjacent, ...] = standing.adjacent
    return [standing.recognizable.members[0].locator, *(a.locator for a in adjacent)]


def _unreject(thread: Thread, path: str) -> Thread:
    return replace(thread, rejected=thread.rejected - {path})
