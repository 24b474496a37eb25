"""The laws of the dialogue (design/recall.md 2), held against random dialogues over random archives."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from core.recall.answers import Act, read_answer
from core.recall.dialogue import Ports, begin, say
from core.recall.model import (
    Advance,
    Context,
    Evidence,
    Holding,
    Identified,
    NotActivated,
    Response,
    RoundKind,
    Stopped,
    Unresolved,
    Utterance,
)
from core.recall.thread import fold
from core.records.model import Origin
from core.records.outcomes import CaptureOutcome
from tests.core.recall.fakes import FakeRecord, FakeSearcher, FixedClock, receipt

WORDS = ("retry", "budget", "docker", "frost", "siren", "tide", "ledger", "rhubarb", "quexo-17", "PR 88", "日本語")
ORIGINS = (Origin.PERSON, Origin.ASSISTANT, Origin.EXTERNAL, Origin.INJECTED, Origin.PEER, Origin.UNKNOWN)

BROKEN = CaptureOutcome(False, {"clue": "invocation_failed"}, {"clue": 7}, "failed", False, True)
"""What another indexer says that failed at everything."""

sentences = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)
said = st.lists(st.tuples(st.sampled_from(ORIGINS), sentences | st.text(max_size=30)), max_size=6).map(tuple)


@st.composite
def archives(draw: st.DrawFn) -> tuple[FakeRecord, ...]:
    count = draw(st.integers(0, 4))
    return tuple(
        FakeRecord(
            f"rec-{n}",
            draw(said),
            hidden=tuple(draw(st.lists(sentences, max_size=2))),
            opens=draw(st.booleans()),
            runtime=draw(st.sampled_from(("claude", "codex"))),
            project=draw(st.sampled_from(("/code/one", "/code/two"))),
        )
        for n in range(count)
    )


turns = st.one_of(
    sentences,
    st.sampled_from(
        (
            "that's it", "yes", "not that one", "earlier", "later", "the other project", "it was in Codex", "search wider",
            "no", "stop", "the second one", "back to the first", "just the part about frost", "", "?", "is that it?",
            "before we moved to Postgres", "das war es nicht", "もっと前", "toute l'histoire", "nur der Teil über frost",
            "if that were it, I would resume it", "I don't remember", "never mind", "ok go ahead", "date:2026-05", "-retry",
        )
    ),
    st.text(max_size=20),
)  # fmt: skip


class Dialogue(RuleBasedStateMachine):
    """A person who says anything at all, in any order."""

    def __init__(self) -> None:
        super().__init__()
        self.context: Context = ()
        self.advance: Advance | None = None
        self.searcher = FakeSearcher(())
        self.ports = Ports(self.searcher, FixedClock())

    @initialize(records=archives(), cue=turns, known=st.booleans())
    def invoke(self, records: tuple[FakeRecord, ...], cue: str, known: bool) -> None:
        receipts = {r.path: receipt(skipped_lines=1) for r in records} if known else {}
        self.searcher = FakeSearcher(records, receipts)
        self.ports = Ports(self.searcher, FixedClock())
        advance = begin(cue, self.ports)
        assert not isinstance(advance.outcome, NotActivated), "an invocation is never refused"
        self.take(advance, cue)

    @rule(words=turns)
    def speak(self, words: str) -> None:
        if self.advance is None or not isinstance(self.advance.outcome, Holding):
            self.context = ()
            self.take(begin(words, self.ports), words)
            return
        before = fold(self.context)
        self.take(say(self.context, Utterance(words), self.ports), words)
        after = fold(self.context)
        assert after.cue_texts[: len(before.cue_texts)] == before.cue_texts, "fuse only extends"

    def take(self, advance: Advance, words: str) -> None:
        assert advance.context[: len(self.context)] == self.context, "a pass only extends"
        standing = next((t.round for t in reversed(self.context) if isinstance(t, Response)), None)
        presented = standing is not None and standing.kind is RoundKind.PRESENT
        offered = standing is not None and standing.expansion is not None
        answer = read_answer(words, presented=presented, offered=offered)
        if isinstance(advance.outcome, Identified):
            assert presented
            assert answer.act is Act.IDENTIFY
            turn = advance.context[advance.outcome.recalled.identified_by]
            assert isinstance(turn, Utterance)
            assert turn.text == words
            assert advance.outcome.recalled.story, "only a told past is identified"
        if isinstance(advance.outcome, Stopped):
            assert answer.act in (Act.STOP, Act.DECLINE)
        if not words.strip():
            assert not isinstance(advance.outcome, Identified | Stopped), "silence holds"
        if isinstance(advance.outcome, Unresolved):
            assert fold(advance.context).added, "unresolved only after something was added to the cue"
            assert "not proof" in advance.outcome.finding
        self.context, self.advance = advance.context, advance

    @invariant()
    def stories_rest_on_records(self) -> None:
        for turn in self.context:
            if not isinstance(turn, Response) or turn.round.kind is not RoundKind.PRESENT:
                continue
            assert 1 <= len(turn.round.story) <= 9
            for claim, excerpt in zip(turn.round.story, turn.round.excerpts, strict=True):
                evidence = self.context[claim.cite.turn]
                assert isinstance(evidence, Evidence), "a claim never rests on our turn or on the person's"
                assert claim.quote in evidence.text
                assert claim.speaker is evidence.speaker, "who said it is never lost"
                record = next(r for r in self.searcher.records if r.path == claim.path)
                texts = [t.text for t in record.turns() if t.line == claim.line] + list(record.hidden)
                assert any(claim.quote in t for t in texts), "every quote is in the record at its place"
                assert any(excerpt.text in t for t in texts), "every excerpt is in the record, character for character"

    @invariant()
    def rejected_is_not_presented_again(self) -> None:
        if self.advance is None or self.advance.round is None or self.advance.round.recognizable is None:
            return
        thread = fold(self.context)
        path = self.advance.round.recognizable.members[0].locator.path
        assert path not in thread.rejected


Dialogue.TestCase.settings = settings(
    max_examples=60, stateful_step_count=8, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
TestDialogue = Dialogue.TestCase


@settings(max_examples=40, deadline=None)
@given(records=archives(), words=st.lists(turns, min_size=1, max_size=5))
def test_outcome_never_depends_on_qualifications(records: tuple[FakeRecord, ...], words: list[str]) -> None:
    """The same dialogue with and without capture receipts and outcomes ends the same and presents the same records."""
    courses = []
    for known in (True, False):
        searcher = FakeSearcher(records, {r.path: receipt(skipped_lines=3) for r in records} if known else {})
        searcher.outcomes = {r.path: BROKEN for r in records} if known else {}
        ports = Ports(searcher, FixedClock())
        advance = begin(words[0], ports)
        course = [_essence(advance)]
        for word in words[1:]:
            if not isinstance(advance.outcome, Holding):
                break
            advance = say(advance.context, Utterance(word), ports)
            course.append(_essence(advance))
        courses.append(course)
    assert courses[0] == courses[1]


def _essence(advance: Advance) -> tuple[str, str, str]:
    round_ = advance.round
    shown = round_.recognizable.members[0].locator.path if round_ and round_.recognizable else ""
    return type(advance.outcome).__name__, round_.kind.value if round_ else "", shown


def test_nothing_asked_is_not_activated() -> None:
    advance = begin("  ", Ports(FakeSearcher(()), FixedClock()), invoked=False)
    assert isinstance(advance.outcome, NotActivated)
    assert advance.context == ()
