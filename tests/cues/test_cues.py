"""More than sixty half-memories in eight languages over sessions of every runtime: the right one is presented, told truly.

Each cue names the session that is meant and in which round it must stand there at the latest; there are always other
sessions that speak of nearly the same.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from core.library import Library
from core.recall.model import RoundKind, Scope, Utterance
from tests.core.records.stores import files_of
from tests.cues.asked import EVERYTHING, Asked, asked, names_by_id, play
from tests.cues.checking import faults
from tests.cues.talk import talks
from tests.cues.writers import ROBOTS, RUNTIMES

ASKED = asked()


@pytest.mark.parametrize("ask", ASKED, ids=[a.cue[:48] for a in ASKED])
def test_the_session_that_is_meant_is_presented(library: Library, ask: Asked) -> None:
    played = play(library, ask)
    assert not played.fault, played.shown
    for round_ in played.rounds:
        if round_.kind is RoundKind.PRESENT:
            assert faults(round_) == []


def test_the_set_is_wide_enough_to_mean_something() -> None:
    held = talks()
    names = {talk.name for talk in held}
    assert len(ASKED) >= 64
    assert len({ask.cue for ask in ASKED}) == len(ASKED)
    assert all(set(ask.expected) <= names for ask in ASKED)
    assert {talk.runtime for talk in held} == RUNTIMES
    assert len(held) >= 40
    assert {round_ for ask in ASKED for round_ in [ask.rounds]} <= {1, 2, 3}
    assert sum(ask.rounds == 1 for ask in ASKED) >= 0.75 * len(ASKED)
    meant = {name for ask in ASKED for name in ask.expected}
    assert {talk.runtime for talk in held if talk.name in meant} >= RUNTIMES - {"claude-robot"}
    spoken = Counter(file.stem for file in (Path(__file__).parent / "talks").glob("*.txt"))
    assert len(spoken) == 8


def test_a_session_of_every_runtime_is_told_truly(library: Library) -> None:
    names = names_by_id()
    for row in library.listed(EVERYTHING).rows:
        advance = library.say((), Utterance("", row.locator), Scope())
        assert advance.round is not None
        assert advance.round.recognizable is not None, names.get(row.locator.session_id, row.locator)
        assert faults(advance.round) == []


def test_sessions_of_programs_are_folded_and_never_win(library: Library) -> None:
    listed = library.listed(EVERYTHING)
    assert listed.folded == ROBOTS
    probes = {r.locator.path for r in library.candidates("is:robot", EVERYTHING).rows}
    assert len(probes) == ROBOTS
    for cue in ("usage", "skill of the usage meter", "unknown"):
        advance = library.start(cue, EVERYTHING)
        if advance.round is not None and advance.round.recognizable is not None and advance.round.adjacent:
            assert advance.round.recognizable.members[0].locator.path not in probes, cue


def test_a_recall_writes_nothing_beside_the_index(library: Library, built: Path) -> None:
    """design/recall.md 5: what ties records is inferred when it is read and never stored."""
    before = _outside_the_index(built)
    advance = library.start("everything we did on the Polish plurals", EVERYTHING)
    for words in ("not that one", "the topic", "search wider", "yes, that is the one"):
        advance = library.say(advance.context, Utterance(words), EVERYTHING)
    assert _outside_the_index(built) == before


def _outside_the_index(place: Path) -> dict[str, bytes]:
    """Only what lies outside is looked at: other workers open the index meanwhile."""
    beside = [p for p in place.iterdir() if p.is_dir() and p.name != "index"]
    return {path: body for folder in beside for path, (_, _, body) in files_of(folder).items()}
