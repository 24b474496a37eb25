"""Whole dialogues: corrections, offers, failure modes, and what the person is told."""

from __future__ import annotations

from core.ports import Filters
from core.recall.dialogue import Ports, begin, say
from core.recall.model import (
    Advance,
    Holding,
    Identified,
    RoundKind,
    Scope,
    Stopped,
    Unresolved,
    Utterance,
)
from core.recall.remarks import AGAIN, NEAREST
from core.records.model import Origin
from tests.core.recall.fakes import DAY, NOON, FakeRecord, FakeSearcher, FixedClock, receipt, talk

T = NOON.timestamp()
MARCH = talk(
    "march",
    "stop the retry storm in the client",
    "a retry budget was merged",
    started=T - 80 * DAY,
    title="Retry budget",
)
APRIL = talk("april", "retry the webhook with backoff", "changed to 503", started=T - 50 * DAY)
CODEX = talk("codex", "the retry tests are flaky", "stepped the clock", runtime="codex", started=T - 60 * DAY)
OTHER = talk("other", "retry the tide table download", "done", project="/code/two", started=T - 20 * DAY)
ARCHIVE = (MARCH, APRIL, CODEX, OTHER)


def converse(records: tuple[FakeRecord, ...], cue: str, *said: str, scope: Scope | None = None) -> Advance:
    ports = Ports(FakeSearcher(records, {r.path: receipt() for r in records}), FixedClock(), scope or Scope())
    advance = begin(cue, ports)
    for words in said:
        assert isinstance(advance.outcome, Holding), f"it had ended before {words!r}"
        advance = say(advance.context, Utterance(words), ports)
    return advance


def shown(advance: Advance) -> str:
    assert advance.round is not None
    assert advance.round.recognizable is not None, advance.round
    return advance.round.recognizable.members[0].locator.session_id


def test_a_cue_becomes_a_story_and_the_person_identifies_it() -> None:
    advance = converse(ARCHIVE, "retry budget", "that's it")
    assert isinstance(advance.outcome, Identified)
    recalled = advance.outcome.recalled
    assert recalled.recognizable.members[0].title == "Retry budget"
    assert recalled.story
    turn = advance.context[recalled.identified_by]
    assert isinstance(turn, Utterance)
    assert turn.text == "that's it"


def test_not_that_one_leaves_it_aside_for_good() -> None:
    first = shown(converse(ARCHIVE, "retry"))
    second = shown(converse(ARCHIVE, "retry", "not that one"))
    third = shown(converse(ARCHIVE, "retry", "not that one", "no"))
    assert len({first, second, third}) == 3


def test_earlier_and_later_are_relative_to_what_was_presented() -> None:
    april = converse(ARCHIVE, "retry webhook backoff")
    assert shown(april) == "april"
    assert shown(converse(ARCHIVE, "retry webhook backoff", "earlier")) in ("march", "codex")
    assert shown(converse(ARCHIVE, "retry webhook backoff", "later")) == "other"


def test_a_correction_that_leads_to_nothing_says_so() -> None:
    ways = {
        "earlier": "Nothing earlier than “Retry budget” (13 Mar 2026) fits what you said.",
        "the other project": "Nothing in another project than “Retry budget” (13 Mar 2026) fits what you said.",
        "it was in Gemini": "Nothing of Gemini CLI fits what you said.",
    }
    for said, remark in ways.items():
        advance = converse((MARCH,), "retry budget", said)
        assert isinstance(advance.outcome, Holding), said  # the story that was told is not lost by it
        assert advance.round is not None
        assert advance.round.remarks[0] == remark


def test_an_offer_says_first_that_nothing_fits() -> None:
    advance = converse((FakeRecord("deep", MARCH.said, hidden=("squirrel",)),), "walnut", "squirrel")
    assert advance.round is not None
    assert advance.round.kind is RoundKind.OFFER
    assert advance.round.remarks[0] == "Nothing that was searched fits that."


def test_that_is_it_after_nothing_tells_the_last_one_again_and_then_closes() -> None:
    again = converse((MARCH, APRIL), "retry budget", "earlier", "that's it")
    assert shown(again) == "march"
    assert again.round is not None
    assert again.round.remarks[0] == AGAIN
    assert again.round.cue.meant == "retry budget"  # no more cue
    closed = converse((MARCH, APRIL), "retry budget", "earlier", "that's it", "that's it")
    assert isinstance(closed.outcome, Identified)


def test_a_correction_that_led_to_nothing_is_taken_back_by_the_next() -> None:
    body = talk("body", "something else", started=T - 90 * DAY)
    records = (*ARCHIVE, FakeRecord("deep", body.said, hidden=("retry storm",), started=body.started))
    first = shown(converse(records, "retry storm"))
    nothing = converse(records, "retry storm", "earlier")
    assert nothing.round is not None
    assert nothing.round.kind is RoundKind.OFFER
    for said in ("later", "back to the first one"):
        again = converse(records, "retry storm", "earlier", said)
        assert (shown(again) == first) is said.startswith("back"), said
        assert again.round is not None
        assert said not in again.round.cue.meant
    still = converse(records, "retry storm", "earlier", "that's it")
    assert isinstance(still.outcome, Holding)


def test_a_runtime_can_be_named_before_anything_was_told() -> None:
    advance = converse(
        (FakeRecord("deep", CODEX.said, hidden=("zebra",), runtime="codex"),), "zebra", "it was in Codex"
    )
    assert advance.round is not None
    assert advance.round.cue.query.filters.runtimes == ("codex",)
    assert advance.round.cue.meant == "zebra"


def test_the_runtime_and_the_project_can_be_corrected() -> None:
    assert shown(converse(ARCHIVE, "retry budget", "it was in Codex")) == "codex"
    assert shown(converse(ARCHIVE, "retry budget", "the other project")) == "other"


def test_a_candidate_is_picked_by_its_number_and_an_earlier_one_comes_back() -> None:
    ports = Ports(FakeSearcher(ARCHIVE), FixedClock())
    first = begin("retry", ports)
    assert first.round is not None
    second = first.round.adjacent[0].locator.session_id
    picked = say(first.context, Utterance("the second one"), ports)
    assert shown(picked) == second
    assert shown(say(picked.context, Utterance("back to the first"), ports)) == shown(first)


def test_pointing_at_a_candidate_presents_it_even_if_it_was_rejected() -> None:
    ports = Ports(FakeSearcher(ARCHIVE), FixedClock())
    first = begin("retry", ports)
    rejected = say(first.context, Utterance("not that one"), ports)
    pointed = say(rejected.context, Utterance("open this one", points_at=MARCH.entry().locator()), ports)
    assert shown(pointed) == "march"


def test_more_words_narrow_and_a_part_stays_with_the_record() -> None:
    assert shown(converse(ARCHIVE, "retry", "budget storm")) == "march"
    assert shown(converse(ARCHIVE, "retry budget", "only the part about the storm")) == "march"


def test_a_scope_is_a_boundary() -> None:
    scope = Scope(Filters(projects=("/code/two",)), "project two")
    assert shown(converse(ARCHIVE, "retry", scope=scope)) == "other"


def test_nothing_found_asks_once_then_settles_without_claiming_absence() -> None:
    advance = converse(ARCHIVE, "rhubarb")
    assert advance.round is not None
    assert advance.round.kind is RoundKind.ASK
    assert "What else do you remember" in advance.round.question
    assert advance.round.searched[0].by_index == 4
    settled = converse(ARCHIVE, "rhubarb", "custard")
    assert isinstance(settled.outcome, Unresolved)
    assert "not proof that it never happened" in settled.outcome.finding
    assert "4 records (4 by index)" in settled.outcome.finding


def test_silence_after_a_question_holds() -> None:
    assert isinstance(converse(ARCHIVE, "rhubarb", "", "?", "I don't remember").outcome, Holding)


def test_a_wider_search_is_offered_with_its_cost_and_runs_only_on_the_persons_word() -> None:
    hidden = talk("hidden", "run the siren check", "done", hidden=("fingerprint quexo4471 stored",))
    records = (*ARCHIVE, hidden)
    asked = converse(records, "quexo4471")
    assert asked.round is not None
    assert asked.round.kind is RoundKind.ASK
    assert asked.round.expansion is not None, "what it would cost is said even while asking"
    offered = converse(records, "quexo4471", "some fingerprint quexo4471")
    assert offered.round is not None
    assert offered.round.kind is RoundKind.OFFER
    assert offered.round.expansion is not None
    assert offered.round.expansion.records == 5
    found = converse(records, "quexo4471", "yes, search wider")
    assert shown(found) == "hidden"
    assert found.round is not None
    assert any("fingerprint quexo4471" in c.quote for c in found.round.story)
    assert any(c.speaker is Origin.EXTERNAL for c in found.round.story)
    assert isinstance(converse(records, "quexo4471", "no").outcome, Stopped)


def test_a_wider_search_that_nobody_offered_says_first_what_it_costs() -> None:
    records = (*ARCHIVE, talk("hidden", "run the siren check", "done", hidden=("webhook storm of tides",)))
    cost = converse(records, "retry webhook", "search wider")
    assert cost.round is not None
    assert cost.round.kind is RoundKind.OFFER
    assert cost.round.expansion is not None
    assert not cost.round.scanned
    ran = converse(records, "retry webhook", "search wider", "search wider")
    assert ran.round is not None
    assert ran.round.scanned
    twice = converse(records, "retry webhook", "search wider", "yes", "search wider")
    assert twice.round is not None
    assert "already" in twice.round.question
    back = converse(records, "retry webhook backoff", "search wider", "that's it")
    assert shown(back) == "april"


def test_a_story_that_fits_badly_names_the_cost_of_a_wider_search_too() -> None:
    hidden = talk("hidden", "run the siren check", "done", hidden=("nothing of it",))
    poor = converse((*ARCHIVE, hidden), "walnut harvest logistics of the storm")
    assert poor.round is not None
    assert NEAREST in poor.round.remarks
    assert poor.round.expansion is not None
    still = converse((*ARCHIVE, hidden), "walnut harvest logistics of the storm", "search wider")
    assert still.round is not None
    assert NEAREST in still.round.remarks, "a wider search that found nothing does not make it fit"
    well = converse((*ARCHIVE, hidden), "retry webhook backoff")
    assert well.round is not None
    assert well.round.expansion is None


def test_ungroundable_records_are_named_and_skipped() -> None:
    broken = talk("broken", "retry budget retry budget", "budget", opens=False)
    advance = converse((broken, APRIL), "retry budget")
    assert shown(advance) == "april"
    assert advance.round is not None
    assert [p.path for p in advance.round.not_opened] == [broken.path]
    nothing = converse((broken,), "retry budget")
    assert nothing.round is not None
    assert nothing.round.kind is RoundKind.ASK
    assert nothing.round.not_opened


def test_an_index_hit_is_no_evidence() -> None:
    """IndexAsEvidence: a record that is found but does not open tells nothing, whatever the index says of it."""
    advance = converse((talk("broken", "retry", "x", opens=False),), "retry")
    assert advance.round is not None
    assert advance.round.story == ()
    assert advance.round.recognizable is None


def test_false_anchor_is_demoted_and_said() -> None:
    count = talk("count", "run the suite: 227 tests passed", "227 of 227")
    pull = talk("pull", "please review #227 for me", "done", started=T - 300 * DAY)
    assert shown(converse((count, pull), "PR 227")) == "pull"
    only = converse((count,), "PR 227")
    assert only.round is not None
    assert any("227 occurs" in r and "pull request" in r for r in only.round.remarks)


def test_a_poor_fit_is_said() -> None:
    advance = converse(ARCHIVE, "retry rhubarb custard dessert recipe grandmother kitchen")
    assert advance.round is not None
    assert advance.round.remarks[0].startswith("Nothing fits well")


def test_an_empty_invocation_asks() -> None:
    advance = converse(ARCHIVE, "")
    assert advance.round is not None
    assert advance.round.kind is RoundKind.ASK
    assert shown(converse(ARCHIVE, "", "retry budget")) == "march"


def test_stopping_ends_it() -> None:
    assert isinstance(converse(ARCHIVE, "retry", "never mind").outcome, Stopped)


def test_an_unknown_filter_is_said_in_the_round() -> None:
    advance = converse(ARCHIVE, "retry is:purple")
    assert advance.round is not None
    assert any("is:purple" in r for r in advance.round.remarks)


def test_a_filter_alone_is_a_cue() -> None:
    assert shown(converse(ARCHIVE, "agent:codex")) == "codex"


def test_a_time_in_which_nothing_lies_is_said_to_be_empty() -> None:
    records = (talk("r", "retry budget of the client", "the retry budget is ten percent", started=T - 200 * DAY),)
    advance = converse(records, "the retry budget last week")
    assert advance.round is not None
    assert advance.round.remarks[0].startswith("Nothing that was found is of that time: “last week” (")
    within = (talk("r", "retry budget of the client", "the retry budget is ten percent", started=T - 7 * DAY),)
    advance = converse(within, "the retry budget last week")
    assert advance.round is not None
    assert not any("of that time" in remark for remark in advance.round.remarks)


def test_a_part_that_is_not_there_is_said_to_be_missing() -> None:
    missing = converse(ARCHIVE, "retry budget", "only the part about pineapples").round
    there = converse(ARCHIVE, "retry budget", "only the part about the budget").round
    assert missing is not None
    assert there is not None
    assert any("“pineapples”" in remark for remark in missing.remarks)
    assert not any("speaks of" in remark for remark in there.remarks)
