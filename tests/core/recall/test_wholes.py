"""Wholes above one session: what ties records, and how a line, a topic and a concept are told."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.recall.answers import Act, read_answer
from core.recall.dialogue import Ports, begin, say
from core.recall.model import Advance, Identified, RoundKind, Utterance, WholeKind
from core.recall.quotes import asks
from core.recall.relations import RelationKind, common_names, relate, tied
from core.recall.traits import Traits, read_traits
from core.recall.whole_story import ORDER_REMARK
from core.recall.wholes import MEMBERS, is_settled
from core.records.model import Origin, Role
from tests.core.recall.fakes import DAY, NOON, FakeRecord, FakeSearcher, FixedClock, receipt, talk

T = NOON.timestamp()
UUID = "11111111-2222-4333-8444-55555555555{}"


def traits(record: FakeRecord, *words: str) -> Traits:
    return read_traits(record.entry(), record.turns(), words)


def kinds(a: FakeRecord, b: FakeRecord) -> set[RelationKind]:
    return {r.kind for r in relate(traits(a), traits(b))}


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        ("please fix PR #88 now", "merged #88 today", RelationKind.NUMBER),
        ("ticket ENT-260 is open", "ENT-260 again", RelationKind.TICKET),
        ("commit 4be21d7c broke it", "revert 4be21d7c9a0f", RelationKind.COMMIT),
        ("see https://h.example/doc/1", "as https://h.example/doc/1 says", RelationKind.URL),
        ("edit core/budget.py", "core/budget.py is red", RelationKind.PATH),
        ("retry_budget, retry_budget and retry_budget", "retry_budget retry_budget retry_budget", RelationKind.TERM),
    ],
)
def test_shared_names_tie_and_say_which(one: str, other: str, kind: RelationKind) -> None:
    a, b = talk("a", one), talk("b", other, started=T - 5 * DAY)
    found = relate(traits(a), traits(b))
    assert kind in {r.kind for r in found}
    assert all(r.evidence for r in found)
    unrelated = talk("c", "nothing of the kind", started=T - 200 * DAY)
    assert not tied(relate(traits(a), traits(unrelated)))


def test_the_number_of_another_project_is_another_issue() -> None:
    a, b = talk("a", "PR #88"), talk("b", "PR #88", project="/code/two", started=T - 300 * DAY)
    assert RelationKind.NUMBER not in kinds(a, b)


def test_declared_links_tie_by_themselves() -> None:
    a = talk(UUID.format(1), "hello")
    named = talk("b", f"go on with {UUID.format(1)}", started=T - 300 * DAY, project="/code/two")
    assert tied(relate(traits(a), traits(named)))
    fork = traits(talk("c", "x", started=T - 300 * DAY))
    fork = replace(fork, entry=replace(fork.entry, spine=replace(fork.entry.spine, forked_from=UUID.format(1))))
    assert {r.kind for r in relate(traits(a), fork)} >= {RelationKind.CONTINUES}
    one, other = (
        replace(t, entry=replace(t.entry, spine=replace(t.entry.spine, first_uid="u1", first_prompt="go")))
        for t in (traits(a), fork)
    )
    counted = replace(other, entry=replace(other.entry, spine=replace(other.entry.spine, first_prompt="stop")))
    assert "same turn" not in " ".join(r.evidence for r in relate(one, counted))  # ids that count from one
    assert "same turn" in " ".join(r.evidence for r in relate(one, other))


def test_what_everybody_names_ties_nobody() -> None:
    everyone = [traits(talk(f"r{n}", "edit README/intro.md", started=T - n * 100 * DAY)) for n in range(8)]
    common = common_names(everyone)
    assert "readme/intro.md" in common
    assert not tied(relate(everyone[0], everyone[5], common))


def test_nearness_and_words_tie_only_together() -> None:
    a, b = talk("a", "frost dates", started=T), talk("b", "frost dates", started=T + 3600)
    assert tied(relate(traits(a, "frost", "dates"), traits(b, "frost", "dates")))
    assert not tied(relate(traits(a), traits(b)))


LINE = (
    talk("one", "stop the retry storm of the client", "I propose a retry budget, see PR #88", started=T - 90 * DAY),
    talk("two", "review #88 of the retry budget", "the retry budget looks right", started=T - 85 * DAY),
    talk("three", "the retry budget of #88 refills too fast", "it refills every minute now", started=T - 40 * DAY),
    talk("four", "release the retry budget from #88", "released the retry budget in version 2", started=T - 38 * DAY),
)
NOISE = (
    talk("noise", "retry the download of the tide table", "done", project="/code/two", started=T - 300 * DAY),
    talk("frost", "frost dates for the garden", "by latitude", project="/code/two", started=T - 10 * DAY),
)


def converse(records: tuple[FakeRecord, ...], cue: str, *said: str) -> Advance:
    ports = Ports(FakeSearcher(records, {r.path: receipt() for r in records}), FixedClock())
    advance = begin(cue, ports)
    for words in said:
        advance = say(advance.context, Utterance(words), ports)
    return advance


def members(advance: Advance) -> list[str]:
    assert advance.round is not None
    assert advance.round.recognizable is not None
    return [m.locator.session_id for m in advance.round.recognizable.members]


def test_a_line_is_told_in_order_with_gaps_named() -> None:
    advance = converse(LINE + NOISE, "everything we did on the retry budget")
    assert members(advance) == ["one", "two", "three", "four"]
    round_ = advance.round
    assert round_ is not None
    assert round_.kind is RoundKind.PRESENT
    assert round_.recognizable is not None
    assert round_.recognizable.whole is WholeKind.LINE
    assert "#88" in round_.recognizable.joins
    assert ORDER_REMARK in round_.remarks, "ChronologyFromHits is said"
    assert any("Nothing that was found lies between" in r for r in round_.remarks)
    texts = [c.text for c in round_.story]
    assert 3 <= len(texts) <= 9
    assert texts[0].startswith("On 3 Mar 2026, you set out with: “stop the retry storm")
    assert "t ended with the assistant saying: “released the retry budget" in texts[-1]
    assert len(round_.qualifications) == 4


def test_the_whole_line_can_be_asked_for_and_left_again() -> None:
    assert len(members(converse(LINE + NOISE, "retry budget storm", "the whole line instead"))) == 4
    assert len(members(converse(LINE + NOISE, "retry budget storm", "the whole line instead", "one session only"))) == 1


def test_rejecting_a_line_rejects_its_members() -> None:
    advance = converse(LINE + NOISE, "everything we did on retry", "not that one")
    assert not set(members(advance)) & {"one", "two", "three", "four"}


def test_a_line_of_one_record_is_told_as_the_session_and_says_so() -> None:
    advance = converse(NOISE, "everything we did on frost dates")
    assert members(advance) == ["frost"]
    assert advance.round is not None
    assert any("no second record" in r for r in advance.round.remarks)


def test_a_topic_says_where_it_last_stood() -> None:
    advance = converse(LINE + NOISE, "the retry budget discussions")
    assert advance.round is not None
    assert advance.round.recognizable is not None
    assert advance.round.recognizable.whole is WholeKind.TOPIC
    assert "it last stood so" in advance.round.story[-1].text.lower()


def test_what_is_quoted_as_settled_says_so_itself() -> None:
    report = talk(
        "report",
        "how is the retry budget doing?",
        "I always look twice. The retry budget tests are still running, one last sweep follows.",
        started=T - 3 * DAY,
    )
    without = converse((*LINE, report), "what we settled on for the retry budget")
    assert without.round is not None
    assert without.round.recognizable is not None
    assert without.round.recognizable.whole is WholeKind.SESSION
    assert any("no record was found that carries it as settled" in r for r in without.round.remarks)


def test_a_concept_needs_a_record_that_carries_it_as_settled() -> None:
    settled = talk(
        "rule",
        "we decided: the retry budget is ten percent, from now on",
        "noted, the retry budget rule is ten percent",
        started=T - 30 * DAY,
    )
    advance = converse((*LINE, settled), "what we settled on for the retry budget")
    assert advance.round is not None
    assert advance.round.recognizable is not None
    assert advance.round.recognizable.whole is WholeKind.CONCEPT
    assert "as settled it stands in this record" in advance.round.story[-1].text.lower()
    assert "decided" in advance.round.story[-1].quote or "rule" in advance.round.story[-1].quote
    without = converse(LINE, "what we settled on for the retry budget")
    assert without.round is not None
    assert without.round.recognizable is not None
    assert without.round.recognizable.whole is WholeKind.SESSION
    assert any("no record was found that carries it as settled" in r for r in without.round.remarks)


def test_a_member_that_does_not_open_is_named_and_the_rest_told() -> None:
    broken = FakeRecord("broken", ((Origin.PERSON, "retry budget of #88"),), opens=False, started=T - 80 * DAY)
    advance = converse((*LINE, broken), "everything we did on the retry budget")
    assert "broken" not in members(advance)


def test_a_long_line_is_capped_and_counted() -> None:
    many = tuple(
        talk(f"m{n:02}", f"retry budget step {n} of #88", f"did retry budget step {n}", started=T - (60 - n) * DAY)
        for n in range(24)
    )
    advance = converse(many, "everything we did on the retry budget")
    assert len(members(advance)) == MEMBERS
    assert advance.round is not None
    assert len(advance.round.story) <= 9
    assert any("more records belong to it" in r for r in advance.round.remarks)


def test_a_line_is_identified_like_a_session() -> None:
    advance = converse(LINE, "everything we did on the retry budget", "that's it")
    assert isinstance(advance.outcome, Identified)
    assert len(advance.outcome.recalled.recognizable.members) == 4


def test_what_is_settled_about_something_else_is_not_the_concept() -> None:
    rule = talk("rule", "the ledger keys: we settle on tenant and weekday", "ledger keys it is", started=T - 30 * DAY)
    later = talk("later", "now move the ledger keys, as agreed", "the ledger is moved", started=T - 3 * DAY)
    advance = converse((*NOISE, rule, later), "the rule we agreed: ledger keys tenant weekday")
    assert advance.round is not None
    assert advance.round.recognizable is not None
    assert advance.round.recognizable.whole is WholeKind.CONCEPT
    assert "we settle on tenant and weekday" in advance.round.story[-1].quote


def test_the_story_of_a_concept_holds_no_request_and_no_question() -> None:
    rule = talk(
        "rule", "it is settled: retry keys come from the order", "agreed, retry keys it is", started=T - 30 * DAY
    )
    asked = talk(
        "asked", "Find every place that makes retry keys", "Retry keys are made in two places", started=T - 9 * DAY
    )
    only = talk("only", "where are the retry keys made?", "Let me look at the retry keys", started=T - 6 * DAY)
    advance = converse((*NOISE, rule, asked, only), "what we settled on for retry keys")
    assert advance.round is not None
    assert advance.round.recognizable is not None
    assert advance.round.recognizable.whole is WholeKind.CONCEPT
    assert [c.quote for c in advance.round.story] == [
        "Retry keys are made in two places",
        "it is settled: retry keys come from the order",
    ]


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Find every place that retries", True),
        ("can you check the keys", True),
        ("ok, now please update the docs", True),
        ("Is it red?", True),
        ("bitte prüfe die Schlüssel", True),
        ("再試行を直してください", True),
        ("Always derive the key from the order", False),
        ("We keep three attempts", False),
        ("is is a word, and this states something", False),
        ("Fixed the keys", False),
        ("Keine Wiederholung nach dem dritten Mal", False),
    ],
)
def test_what_asks_states_nothing(text: str, asked: bool) -> None:
    assert asks(text) is asked


def test_a_word_that_describes_settles_nothing() -> None:
    assert not is_settled("Now that logging always initializes, the file is created")
    assert is_settled("Always write the log to one file")
    assert is_settled("we never retry a refund")


def test_what_is_said_outright_is_told_before_a_later_word_in_passing() -> None:
    rule = talk(
        "rule",
        "it is settled: retry keys come from the order",
        "agreed, retry keys stand in the note",
        started=T - 30 * DAY,
    )
    later = talk("later", "where are retry keys made?", "retry keys must stay where they are", started=T - 3 * DAY)
    advance = converse((*NOISE, rule, later), "what we settled on for retry keys")
    assert advance.round is not None
    assert advance.round.recognizable is not None
    assert advance.round.recognizable.whole is WholeKind.CONCEPT
    assert "retry keys come from the order" in advance.round.story[-1].quote
    assert advance.round.story[-1].speaker is Origin.PERSON


def test_a_decision_note_carries_a_concept_as_settled() -> None:
    asked = talk("asked", "what do we put keys on for retries?", "keys stop retries from doubling", started=T - 9 * DAY)
    said = ((Origin.EXTERNAL, "For retries, keys of tenant and day were decided."),)
    note = FakeRecord("note", said, started=T - 8 * DAY, role=Role.NOTE)
    advance = converse((*NOISE, asked, note), "what we settled on for retries")
    assert advance.round is not None
    assert advance.round.recognizable is not None
    assert advance.round.recognizable.whole is WholeKind.CONCEPT
    assert advance.round.story[-1].speaker is Origin.EXTERNAL


def test_one_record_alone_is_not_said_to_settle_nothing() -> None:
    rule = talk("rule", "the walrus margin: we settle on eight", "walrus margin is eight", started=T - 30 * DAY)
    advance = converse((rule,), "what we settled on for the walrus margin")
    assert advance.round is not None
    assert any("only one record was found" in r for r in advance.round.remarks)
    assert not any("carries it as settled" in r for r in advance.round.remarks)


@pytest.mark.parametrize(
    ("said", "whole"),
    [
        ("the whole line instead", "line"),
        ("show me the whole story", "line"),
        ("the topic", "topic"),
        ("what we settled on", "concept"),
        ("one session only", "session"),
    ],
)
def test_a_correction_can_change_the_whole(said: str, whole: str) -> None:
    answer = read_answer(said, presented=True, offered=False)
    assert (answer.act, answer.whole) == (Act.WHOLE, whole)


@pytest.mark.parametrize(
    ("text", "settled"),
    [
        ("we decided to keep it", True),
        ("let's go with ten", True),
        ("what about ten?", False),
        ("決定しました", True),
        ("I like it, we settle on day keys", True),
        ("das haben wir so festgelegt", True),
        ("the dust settles", False),
        ("one final status sweep", False),
    ],
)
def test_settled_speech(text: str, settled: bool) -> None:
    assert is_settled(text) is settled


def test_worktrees_in_a_folder_of_their_own_are_one_project() -> None:
    for one, other in (
        ("/code/app/.worktrees/1", "/code/app/.worktrees/fish"),
        ("/code/app", "/code/app/.claude/worktrees/fish"),
        ("/code/app.worktrees/a", "/code/app-worktrees/b"),
    ):
        a, b = (talk(n, "edit core/fish.py", project=p) for n, p in (("a", one), ("b", other)))
        assert tied(relate(traits(a), traits(b))), one
    others = [
        talk(n, "edit core/fish.py", project=p)
        for n, p in (("a", "/code/app/.worktrees/1"), ("b", "/code/two/.worktrees/1"))
    ]
    assert not tied(relate(traits(others[0]), traits(others[1])))


def test_a_word_that_two_records_come_back_to_ties_them_and_one_in_passing_does_not() -> None:
    a = talk("a", "attribution is off", "attribution counts twice", "the attribution again", "done")
    b = talk(
        "b", "attribution of merges", "attribution read", "test attribution", "done", project="/code/two", started=T
    )
    said = {r.kind for r in relate(traits(a, "attribution", "everything"), traits(b, "attribution", "everything"))}
    assert said == {RelationKind.WORDS}
    passing = talk(
        "c", "one", "two", "three", "four", "five", "six", "seven", "eight attribution", "nine", project="/c", started=T
    )
    assert not relate(traits(a, "attribution", "everything"), traits(passing, "attribution", "everything"))


def test_a_record_that_names_it_in_passing_is_no_part_of_the_line() -> None:
    about = talk(
        "about", "fix attribution in core/merge.py", "attribution is read once", "and test attribution", "tested"
    )
    again = talk("again", "attribution of core/merge.py is red", "attribution fixed", started=T - 29 * DAY)
    chat = ("tidy core/merge.py", "ok", "rename it", "ok", "more", "ok", "less", "ok", "the attribution line too", "ok")
    passing = talk("passing", *chat, started=T - 28 * DAY)
    advance = converse((*NOISE, about, again, passing), "everything we did on attribution")
    assert advance.round is not None
    assert advance.round.recognizable is not None
    assert advance.round.recognizable.whole is WholeKind.LINE
    assert [m.locator.session_id for m in advance.round.recognizable.members] == ["about", "again"]


def test_the_items_of_a_list_are_no_issues() -> None:
    a, b = talk("a", "fix #1 and issue 2"), talk("b", "review: #1 naming, issue 2 tests", started=T - 300 * DAY)
    assert RelationKind.NUMBER not in kinds(a, b)


def test_worktrees_beside_a_checkout_are_its_project() -> None:
    a = talk("a", "edit core/fish.py", project="/code/app")
    b = talk("b", "core/fish.py again", project="/code/app-fix-fish", started=a.started + 3600)
    assert tied(relate(traits(a), traits(b)))
    other = talk("c", "core/fish.py again", project="/code/apple", started=a.started + 3600)
    assert not tied(relate(traits(a), traits(other)))
