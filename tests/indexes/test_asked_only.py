"""A session that asked in vain stands below the one that answers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.records.model import Channel, Origin, Turn
from indexes.questions import _IN_SHRUGS, _SHRUG, only_asks
from indexes.whoosh_index import WhooshIndex
from tests.indexes.asking import ids, query
from tests.indexes.fake_archive import Records


def turn(text: str, origin: Origin = Origin.PERSON) -> Turn:
    return Turn(origin, Channel.TALK, text, None, 1, 0, len(text))


@pytest.mark.parametrize(
    ("text", "origin", "asks"),
    [
        ("who sends the invoices to Acme?", Origin.PERSON, True),
        ("who sends the invoices to Acme", Origin.PERSON, True),
        ("Wer verschickt die Rechnungen an Acme?", Origin.PERSON, True),
        ("誰が請求書を送るのですか？", Origin.PERSON, True),
        ("The invoices go out on Monday. Who sends them?", Origin.PERSON, False),
        ("could you send the invoices to Acme?", Origin.PERSON, False),
        ("send the invoices to Acme", Origin.PERSON, False),
        ("why " + "very " * 100 + "long?", Origin.PERSON, False),
        ("", Origin.PERSON, False),
        ("I could not find who sends the invoices to Acme.", Origin.ASSISTANT, True),
        ("There is no mention of Acme in these files.", Origin.ASSISTANT, True),
        ("Do you want me to go on?", Origin.ASSISTANT, False),
        ("The billing job sends them each Monday.", Origin.ASSISTANT, False),
    ],
)
def test_what_only_asks(text: str, origin: Origin, asks: bool) -> None:
    assert only_asks(turn(text, origin)) is asks


@pytest.mark.parametrize(
    "text",
    [
        "I COULD NOT FIND it.", "We couldn’t locate it", "He didn't mention it", "I was not able to see it", "I cannot tell.",
        "No record of that.", "There was nothing about it", "It is not documented", "I was unable to look", "Dazu steht nichts da",
        "Keine Angaben", "Es gibt kein Hinweis", "konnte ich das nicht finden", "No encontré nada", "no hay eso",
        "Je n'ai rien trouvé", "je n’ai pas trouvé", "Não achei isso", "見つかりませんでした", "没有找到", "찾을 수 없습니다",
    ],
)  # fmt: skip
def test_every_way_to_say_that_nothing_was_found_is_heard(text: str) -> None:
    """None of them is passed over by the quick look that comes before the wordings."""
    assert only_asks(turn(text, Origin.ASSISTANT))


@given(st.from_regex(_SHRUG))
def test_the_quick_look_passes_over_no_wording(text: str) -> None:
    plain = text.isascii() or not {"\u0131", "\u0130"} & set(text)  # a dotless or dotted i of Turkish is no i here
    assert not plain or any(sign in text.lower().replace("\u017f", "s") for sign in _IN_SHRUGS)


def test_sessions_that_asked_in_vain_stand_below_the_one_that_answers(index: WhooshIndex, records: Records) -> None:
    for number in range(4):
        records.write(
            f"asked-{number}",
            "who sends the invoices to Acme?",
            {"t": "I could not find who sends the invoices to Acme.", "o": "assistant"},
            "and who sends invoices to Acme on holidays?",
        )
    records.write(
        "answers",
        "write down how billing works",
        {"t": "The billing job on host nine sends out every invoice, for Acme on Mondays.", "o": "assistant"},
        "thanks, keep that in the notes of the office",
    )
    index.refresh()
    assert ids(index, "who sends the invoices to Acme")[0] == "answers"


def test_a_question_with_its_answer_beside_it_loses_nothing(index: WhooshIndex, records: Records) -> None:
    records.write(
        "both", "why does the parser loop?", {"t": "The parser loops because the mark never moves.", "o": "assistant"}
    )
    records.write("other", "the parser prints a loop of dots while it waits for the network to come back again")
    index.refresh()
    first = index.search(query("parser loop"))[0]
    assert first.entry.spine.session_id == "both"
    assert first.fit == pytest.approx(1.0)


def test_a_plan_handed_over_stands_below_the_session_that_made_it(index: WhooshIndex, records: Records) -> None:
    plan = "1. A worker keeps seven days of tables. 2. A banner tells their age."
    records.write("made", "tables must be readable at sea", {"t": f"Here is the plan: {plan}", "o": "assistant"})
    records.write("took", f"Implement the following plan:\n\n# Tables\n\n{plan}", {"t": "Done.", "o": "assistant"})
    index.refresh()
    assert ids(index, "a worker keeps seven days of tables")[0] == "made"
