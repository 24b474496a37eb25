"""The pass of a cue that asks for more than one session: ties are read, members opened, the whole told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import tzinfo

from core.frozen import dataclass
from core.ports import Query, TimeWindow
from core.recall.artifacts import read_artifact
from core.recall.dated import held_then
from core.recall.model import WholeKind
from core.recall.needles import is_common
from core.recall.phrasings import without_the_asking
from core.recall.remarks import ALONE, FALLBACK
from core.recall.search import Changes, Lead, Searcher
from core.recall.story import Told
from core.recall.whole_story import OpenedMember, tell_whole
from core.recall.wholes import LOOKED_AT, Assembled, assemble, in_order, with_changes
from core.records.model import ReadProblem


@dataclass(frozen=True, slots=True)
class WholePass:
    """What the pass over a whole brought."""

    members: tuple[Lead, ...]
    """In the order of time; empty where no whole could be told."""
    told: Told | None
    joins: str
    remarks: tuple[str, ...]
    not_opened: tuple[ReadProblem, ...]


def pass_whole(
    kind: WholeKind,
    leads: Sequence[Lead],
    searcher: Searcher,
    query: Query,
    words: Mapping[str, float],
    first_index: int,
    zone: tzinfo | None,
) -> WholePass:
    """Assemble the whole around the best candidate, open its members, tell it. Says why where it cannot be told."""
    looked = leads[:LOOKED_AT]
    if query.windows and not (query.terms or query.phrases or query.any_of):
        assembled = all_of_time(kind, looked, query.windows)
    else:
        assembled = assemble(kind, looked, [searcher.traits(lead) for lead in looked]) if looked else None
    artifact = read_artifact(query.sentence) if kind is WholeKind.LINE and looked else None
    changes = searcher.changes(artifact, looked) if artifact is not None else None
    unread = (changes,) if isinstance(changes, ReadProblem) else ()
    if artifact is not None and isinstance(changes, Changes):
        assembled = with_changes(assembled, changes, artifact, looked[0])
    if assembled is None:
        alone = ALONE if kind is WholeKind.CONCEPT else FALLBACK[kind]
        return WholePass((), None, "", (alone,) if looked else (), unread)
    members: list[OpenedMember] = []
    problems: list[ReadProblem] = [*unread]
    for lead in assembled.leads:
        opened = searcher.open(lead, query)
        if isinstance(opened, ReadProblem):
            problems.append(opened)
        else:
            members.append(OpenedMember(lead, opened))
    whole = tell_whole(assembled, members, words, first_index, zone, _about(query, words))
    if whole is None:
        return WholePass((), None, "", (FALLBACK[kind],), tuple(problems))
    return WholePass(tuple(m.lead for m in members), whole.told, assembled.joins, whole.remarks, tuple(problems))


def all_of_time(kind: WholeKind, leads: Sequence[Lead], windows: Sequence[TimeWindow]) -> Assembled | None:
    """The conversations of a time, where nothing but the time was named ("everything we did last week"); `None` if they
    are fewer than two."""
    return in_order(kind, held_then(leads, windows), "they are of that time")


def _about(query: Query, words: Mapping[str, float]) -> dict[str, float]:
    """The words that say what the cue is about; empty where it only asks."""
    left = without_the_asking(query.sentence).lower()
    return {w: x for w, x in words.items() if w.lower() in left and not is_common(w)}
