"""Quotes, stories, handles and capture evidence."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.ports import Entry, Extractor, Hit, Reach, Receipt, Standing
from core.recall.capture import qualify
from core.recall.grounding import gather
from core.recall.handles import resume_handle
from core.recall.model import Cite, Claim, Ungrounded
from core.recall.quotes import LIMIT, best_quote, closing_quote, cut_signs, matched_spans, opening_quote
from core.recall.search import Lead, Placed
from core.recall.story import Part, compose, tell
from core.records.model import Channel, Locator, Origin, Role, Source, Spine, Tally, Turn
from core.secrets import secret_spans
from core.text import is_printable
from tests.core.recall.fakes import FakeRecord, talk

WORDS = {"retry": 1.0, "budget": 1.0}
SESSION = "0f2f6d1c-7c52-4a43-9a3e-0d3a5a1c9a11"


def quote(text: str, words: dict[str, float] | None = None) -> str:
    span = best_quote(text, WORDS if words is None else words)
    assert span is not None
    return text[span[0] : span[1]]


def test_the_clause_that_carries_the_cue_is_quoted() -> None:
    text = (
        "First we looked at the logs of the whole week. Then a budget for every retry was agreed on by all of us. Bye."
    )
    assert quote(text) == "Then a budget for every retry was agreed on by all of us."


def test_a_short_clause_is_joined_with_its_neighbours() -> None:
    text = "Fixed. The retry budget now refills after one minute of quiet time."
    span = closing_quote(text, {})
    assert span is not None
    assert text[span[0] : span[1]] == text


def test_inflections_match_and_parts_of_other_words_do_not() -> None:
    assert [
        ("Retries and retrying, no entry"[a:b]) for a, b in matched_spans("Retries and retrying, no entry", WORDS)
    ] == [
        "Retries",
        "retrying",
    ]
    assert matched_spans("run PR-227 and 2271", {"227": 1.0}) == ((7, 10),)
    assert matched_spans("再試行の予算", {"予算": 1.0}) == ((4, 6),)


def test_a_long_clause_is_cut_around_the_match_at_white_space() -> None:
    text = "word " * 200 + "the retry budget " + "word " * 200
    found = quote(text)
    assert "retry budget" in found
    assert len(found) <= LIMIT
    assert not found.startswith("ord")


def test_a_quote_is_clean_of_controls_and_secrets() -> None:
    text = "retry \x1b]52;c;QUJD\x07 budget with sk-ant-api03-abcdefghijklmnopqrstuvwx and more of the retry budget"
    found = quote(text)
    assert is_printable(found)
    assert not secret_spans(found)
    assert "retry budget" in found


def opening(text: str) -> str:
    span = opening_quote(text)
    assert span is not None
    return text[span[0] : span[1]]


def closing(text: str, words: dict[str, float] | None = None) -> str:
    span = closing_quote(text, words or {})
    assert span is not None
    return text[span[0] : span[1]]


def test_a_code_span_keeps_both_of_its_backticks() -> None:
    assert quote("- `core/retry.py` — the budget lives in `refill()`") == (
        "`core/retry.py` — the budget lives in `refill()`"
    )
    assert quote("- **CLI**: `retry --budget <n>` or `-b <n>`").endswith("`-b <n>`")


def test_an_opening_takes_whole_sentences_while_they_fit_and_no_code() -> None:
    aim = "Read the client in full. It feels like one big mess and could be nicer."
    assert opening(aim + " " + "Then do more of the same for every other module there is. " * 4).startswith(aim)
    assert opening("look at issue 12\nlet's debug this together") == "look at issue 12\nlet's debug this together"
    assert opening("```python\nretry()\n```\nWhy does this call never return to me?") == (
        "Why does this call never return to me?"
    )


def test_an_ending_is_what_was_done_and_not_what_a_word_resembles() -> None:
    text = "The retry budget of the client is merged into main. The worktree lies beside the working copy of Workmux.\n\nAdded:\n- a"
    assert closing(text) == "The retry budget of the client is merged into main."
    assert closing("Let me look at the errors that failed first.\nThe flag was renamed in every module.") == (
        "The flag was renamed in every module."
    )


def test_a_line_that_only_leads_to_a_list_yields_to_one_that_tells() -> None:
    text = (
        "Here is what the retry budget changes in the client:\n\nA retry budget refuses the eleventh call of a minute."
    )
    assert quote(text) == "A retry budget refuses the eleventh call of a minute."


def test_a_cut_sentence_shows_that_it_goes_on() -> None:
    text = "word " * 60 + "the retry budget " + "word " * 60
    story = told(talk("r", text, "Fine."))
    assert story.claims[0].text.endswith("…”")
    assert "…" not in story.claims[0].quote


@pytest.mark.parametrize(("begun", "goes_on"), [(False, False), (True, False), (False, True), (True, True)])
def test_a_line_of_a_longer_sentence_shows_that_it_is_no_whole_one(begun: bool, goes_on: bool) -> None:
    text = "derived from the order, and never"
    turn = Turn(Origin.EXTERNAL, Channel.TALK, text, None, 4, 0, len(text), begun=begun, goes_on=goes_on)
    (claim,) = compose(
        [(Part(Placed(turn, "/n.md"), "It says", (0, len(text))), Locator("notes", "/", "n", "/n.md"))], {}, 1
    ).claims
    assert claim.text == f"It says: “{'…' * begun}{text}{'…' * goes_on}”"
    assert claim.quote == text
    (claim,) = compose(
        [(Part(Placed(turn, "/n.md"), "It says", (8, 22)), Locator("notes", "/", "n", "/n.md"))], {}, 1
    ).claims
    assert claim.quote == "from the order"


@given(st.text(), st.dictionaries(st.text(min_size=1, max_size=8), st.just(1.0), max_size=3))
def test_any_quote_is_a_clean_part_of_its_text(text: str, words: dict[str, float]) -> None:
    for span in (best_quote(text, words), opening_quote(text), closing_quote(text, words)):
        if span is None:
            continue
        piece = text[span[0] : span[1]]
        assert piece == piece.strip()
        assert piece in text
        assert is_printable(piece)
        assert len(piece) <= LIMIT


def told(record: FakeRecord, words: dict[str, float] | None = None):  # type: ignore[no-untyped-def]
    opened = gather(record.turns(), record.path, {}, WORDS if words is None else words)
    return tell(opened, record.entry().locator(), WORDS if words is None else words, 1)


def test_a_session_is_told_by_origin_direction_and_outcome_with_speakers() -> None:
    record = talk(
        "r",
        "The client retries forever, please stop that.",
        "I would use exponential backoff with jitter.",
        "I'd rather have a retry budget instead of backoff.",
        "A budget it is; a refused retry never charges twice.",
        "Merge what is green and leave the rest.",
        "Merged the retry budget, one test is left red.",
    )
    story = told(record)
    texts = [c.text for c in story.claims]
    assert texts[0].startswith("You set out with: “The client retries forever")
    assert any(t.startswith("You") and "retry budget instead" in t for t in texts)
    assert texts[-1].startswith("It ended with the assistant saying: “Merged the retry budget")
    assert 3 <= len(texts) <= 9
    assert [c.line for c in story.claims] == sorted(c.line for c in story.claims)
    assert [c.cite.turn for c in story.claims] == list(range(1, 1 + len(texts)))


def test_only_what_follows_a_question_is_called_an_answer() -> None:
    record = talk(
        "r",
        "Please make the client stop calling the bank for ever.",
        "I am looking at it from every side there is.",
        "Also rename the module while you are there.",
        "The retry budget refuses a call after ten percent.",
        "Fine, and now write the changelog for all of it.",
        "The changelog is written.",
    )
    texts = [c.text for c in told(record).claims]
    assert "The assistant answered: “The retry budget refuses a call after ten percent.”" in texts
    opened = gather(record.turns(), record.path, {(4, 4): 1.0}, WORDS)
    asked = {p.number: p.asked for p in (*opened.origin, *opened.outcome)}
    assert asked == {0: -1, 1: 0, 2: 0, 3: 2, 4: 2, 5: 4}


def test_a_last_word_of_the_person_is_told_after_the_assistants() -> None:
    record = talk(
        "r", "Please add a retry budget.", "Added the retry budget.", "Revert it, the bank said no to all of it."
    )
    texts = [c.text for c in told(record).claims]
    assert texts[-2].startswith("The last the assistant said: “Added the retry budget")
    assert texts[-1].startswith("The last word was yours: “Revert it")


def test_nearly_the_same_sentence_is_told_once() -> None:
    again = "The retry budget stops the client after ten percent of all calls."
    record = talk(
        "r", "Tell me about it please.", again, "And once more for me?", again, "Thanks a lot for that.", "Merged it."
    )
    assert sum("ten percent" in c.text for c in told(record).claims) == 1


def test_a_past_statement_of_the_assistant_stays_the_assistants() -> None:
    """AttributionLoss cannot happen: the connective names the record's own speaker."""
    story = told(talk("r", "hello there, a question", "We decided on a retry budget."))
    claim = next(c for c in story.claims if "decided" in c.text)
    assert claim.speaker is Origin.ASSISTANT
    assert "assistant" in claim.text


@pytest.mark.parametrize(
    ("origin", "words"),
    [
        (Origin.PEER, "Another agent"),
        (Origin.UNKNOWN, "does not show"),
        (Origin.EXTERNAL, "A tool"),
    ],
)
def test_other_speakers_are_never_the_person(origin: Origin, words: str) -> None:
    story = told(FakeRecord("r", ((origin, "the retry budget of the other side"),)))
    assert words.lower() in story.claims[0].text.lower() or words in story.claims[0].text
    assert "You" not in story.claims[0].text


def test_a_single_turn_is_told_once() -> None:
    assert len(told(talk("r", "only this retry")).claims) == 1


def test_an_empty_record_tells_nothing() -> None:
    assert told(talk("r")).claims == ()
    assert told(talk("r", "  ", "\n")).claims == ()


def test_a_marathon_is_told_in_nine_sentences_at_most() -> None:
    says = [f"Instead of retry {n} use budget {n}, please decide now." for n in range(200)]
    assert 3 <= len(told(talk("r", *says)).claims) <= 9


def test_copied_turns_are_not_told_as_this_records() -> None:
    turns = [
        Turn(Origin.PERSON, Channel.TALK, "the old retry budget", 1.0, 1, 0, 9, copied=True),
        Turn(Origin.PERSON, Channel.TALK, "the new retry budget", 2.0, 2, 10, 19),
    ]
    opened = gather(turns, "/p", {}, WORDS)
    assert [p.turn.text for p in opened.origin] == ["the new retry budget"]


def test_claims_refuse_what_grounds_nothing() -> None:
    for origin in (Origin.ASSISTANT, Origin.INJECTED, Origin.UNKNOWN):
        with pytest.raises(Ungrounded):
            Cite(0, origin)
    with pytest.raises(Ungrounded):
        Claim("x", Origin.PERSON, Cite(0, Origin.PERSON), "/p", 1, "x")
    with pytest.raises(Ungrounded):
        Claim("x", Origin.PERSON, Cite(0, Origin.EXTERNAL), "/p", 1, "")


# -- resume handles (design/recall.md 7)


def entry(runtime: str = "claude", **more: object) -> Entry:
    spine: dict[str, object] = {"session_id": SESSION, "project": "/code/pay ments", "cwds": ("/code/pay ments",)}
    spine |= {k: v for k, v in more.items() if k in Spine.__dataclass_fields__}
    source: dict[str, object] = {"archived": False, "root": f"/home/sam/.{runtime}"}
    source |= {k: v for k, v in more.items() if k in ("archived", "root")}
    path = f"{source['root']}/projects/-code-pay-ments/{SESSION}.jsonl"
    return Entry(
        Source(runtime, str(source["root"]), path, SESSION, 1, 1, archived=bool(source["archived"])),
        Spine(**spine),  # type: ignore[arg-type]
        more.get("standing", Standing.PRESENT),  # type: ignore[arg-type]
    )


def command(e: Entry, parent: Entry | None = None, *, there: bool = True) -> tuple[str, str]:
    handle = resume_handle(e, parent, "/home/sam", lambda _: there)
    return handle.command, handle.note


def test_resume_in_the_recorded_folder() -> None:
    assert command(entry()) == (f"cd '/code/pay ments' && claude --resume {SESSION}", "")
    assert command(entry("codex")) == (f"cd '/code/pay ments' && codex resume {SESSION}", "")


def test_a_fork_goes_on_by_the_session_it_was_forked_from() -> None:
    older = "1e2f6d1c-7c52-4a43-9a3e-0d3a5a1c9a22"
    fork = entry()
    fork = replace(fork, spine=replace(fork.spine, forked_from=older))
    origin = entry()
    origin = replace(origin, spine=replace(origin.spine, session_id=older))
    text, note = command(fork, origin)
    assert text == f"cd '/code/pay ments' && claude --resume {older}"
    assert "forked from" in note
    text, note = command(fork)
    assert text == ""
    assert older in note


def test_resume_when_the_folder_is_gone_says_so() -> None:
    text, note = command(entry(), there=False)
    assert text == f"claude --resume {SESSION}"
    assert "gone" in note


def test_no_recorded_folder_means_no_command() -> None:
    text, note = command(entry(project="", cwds=()))
    assert text == ""
    assert "no working directory" in note


def test_another_root_is_named() -> None:
    assert command(entry(root="/backup/claude"))[0] == (
        f"cd '/code/pay ments' && CLAUDE_CONFIG_DIR=/backup/claude claude --resume {SESSION}"
    )
    assert "CODEX_HOME=/b/c codex resume" in command(entry("codex", root="/b/c"))[0]


def test_claude_resumes_in_the_folder_that_its_bucket_spells() -> None:
    text, note = command(entry(project="/elsewhere", cwds=("/elsewhere", "/code/pay.ments", "/later")))
    assert text.startswith("cd /code/pay.ments && ")
    assert "/later" in note


@pytest.mark.parametrize("role", [Role.SUBAGENT, Role.COPY, Role.REVIEW])
def test_a_subagent_resumes_its_parent_or_nothing(role: Role) -> None:
    child = entry(role=role, parent_id="11111111-1111-4111-8111-111111111111", session_id="x")
    text, note = command(child, entry())
    assert SESSION in text
    assert "cannot be resumed" in note
    text, note = command(child)
    assert text == ""
    assert "11111111-1111-4111-8111-111111111111" in note, "SidechainNoSSOT: the id without a record is named"
    assert command(entry(role=role))[0] == ""


@pytest.mark.parametrize("session", ["x; rm -rf ~", "$(boom)", "abc", "", SESSION + "\n", "--help"])
def test_ids_of_another_shape_never_reach_a_command(session: str) -> None:
    e = entry(session_id=session)
    e = Entry(Source("claude", e.source.root, e.source.path, session, 1, 1), e.spine)
    assert command(e)[0] == ""


def test_paths_are_quoted() -> None:
    text, _ = command(entry(project="/a/$(boom) 'x'", cwds=("/a/$(boom) 'x'",)))
    assert text.startswith("cd '/a/$(boom) '\"'\"'x'\"'\"'' && claude")


def test_a_gone_record_is_not_resumable() -> None:
    assert "gone" in command(entry(standing=Standing.GONE))[1]
    assert command(entry(standing=Standing.GONE))[0] == ""


# -- capture evidence (design/recall.md 8)


def lead(*ways: str) -> Lead:
    return Lead(Hit(entry(), 1.0, 1.0, (), ()), ways or ("index",))


def captured(reach: dict[Extractor, Reach] | None = None, size: int = 1, **tally: int) -> Receipt:
    whole = {Extractor.HEAD: Reach.SUCCEEDED, Extractor.TALK: Reach.SUCCEEDED}
    return Receipt(size, 1, whole if reach is None else reach, Tally(**tally))


def test_a_missing_receipt_is_unknown_never_whole() -> None:
    assert "not known" in qualify(lead(), None).finding
    assert qualify(lead(), None).receipt is None
    assert "does not hold" in qualify(lead("head"), None).finding


def test_what_was_left_out_is_said() -> None:
    finding = qualify(lead(), captured(skipped_lines=2, unverified_person_turns=1, omitted_chars=4000)).finding
    assert "2 lines did not parse" in finding
    assert "1 turn could not be verified as yours" in finding
    assert "4,000 characters" in finding
    assert "whole" in qualify(lead(), captured()).finding


def test_partial_extract_is_named() -> None:
    reach = {Extractor.HEAD: Reach.SUCCEEDED, Extractor.TALK: Reach.INPUT_FAILED}
    assert "PartialExtract" in qualify(lead(), captured(reach)).finding
    assert "not known" in qualify(lead(), captured({Extractor.HEAD: Reach.SUCCEEDED})).finding


def test_a_record_that_changed_since_is_said() -> None:
    assert "changed since" in qualify(lead(), captured(size=2)).finding


def test_index_lacking_is_named() -> None:
    assert "IndexLacking" in qualify(lead("scan"), captured()).finding


def test_locators_carry_the_root() -> None:
    assert entry().locator() == Locator("claude", "/home/sam/.claude", SESSION, entry().source.path)


def test_a_plan_that_was_handed_over_is_where_it_set_out() -> None:
    record = FakeRecord(
        "r", ((Origin.INJECTED, "Implement the retry budget in three steps"), (Origin.PERSON, "Commit it"))
    )
    assert (
        told(record)
        .claims[0]
        .text.startswith("It set out from a plan that was handed over: “Implement the retry budget")
    )


def test_a_quote_that_ends_where_a_full_line_was_broken_shows_that_it_goes_on() -> None:
    text = "Keys come from the order, and are never\nrandom or guessed.\n\nAnother one"
    assert cut_signs(text, 0, 39) == ("", "…")
    assert cut_signs(text, 40, 57) == ("…", "")
    assert cut_signs("one\nTwo", 0, 3) == ("", "")
    assert cut_signs("- one\n- two", 2, 5) == ("", "")
