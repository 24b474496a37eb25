"""Quantities, contradictions and supersession: the same subject, never an anchor alone."""

from __future__ import annotations

import pytest

from core.soul.document import parse
from core.soul.model import Document
from core.soul.quantities import Contradiction, contradictions, quantities_of
from core.soul.supersession import Replaced, Restated, supersede


def _document(*bullets: str, also: str = "") -> Document:
    return parse("# T\n## Current State\n" + "".join(f"- {b}\n" for b in bullets) + also)


def _contradicted(*bullets: str, also: str = "") -> list[list[str]]:
    found: tuple[Contradiction, ...] = contradictions(
        q for n, c in enumerate(_document(*bullets, also=also).claims) for q in quantities_of(c, n)
    )
    return [[value for value, _, _ in c.sides] for c in found]


def _superseded(*bullets: str, also: str = "") -> tuple[tuple[Replaced, ...], tuple[Restated, ...]]:
    claims = _document(*bullets, also=also).claims
    return supersede(claims, {n: quantities_of(c, n) for n, c in enumerate(claims)})


def test_one_subject_and_two_values_contradict() -> None:
    assert _contradicted("Regression battery: 36 cases", "The battery must stay green (37 cases)") == [["36", "37"]]
    assert _contradicted("171 tests pass", "173 tests are green") == [["171", "173"]]
    assert _contradicted("core coverage is 83%", "Coverage for core: 85 %") == [["83%", "85%"]]
    assert _contradicted("three crates in the workspace", "The workspace has four crates") == [["3", "4"]]


def test_declared_sections_take_part() -> None:
    also = "\n## Proof Standard\n- the battery has 37 cases\n"
    assert _contradicted("the battery has 36 cases", also=also) == [["36", "37"]]


def test_each_side_names_its_line() -> None:
    claims = _document("the battery has 36 cases", "the battery has 37 cases").claims
    (found,) = contradictions(q for n, c in enumerate(claims) for q in quantities_of(c, n))
    assert [line for _, line, _ in found.sides] == [3, 4]
    assert "battery case" in found.detail


def test_other_subjects_units_states_and_times_do_not() -> None:
    assert _contradicted("the payment client has 3 timeouts", "the payment webhook has 5 timeouts") == []
    assert _contradicted("the client has 3 retries", "the client has 5 timeouts") == []
    assert _contradicted("171 tests pass", "2 tests red") == []
    assert _contradicted("2026-03-01: the corpus has 400 documents", "2026-04-01: the corpus has 500 documents") == []
    assert _contradicted("cp9: the battery has 36 cases", "cp10: the battery has 37 cases") == []
    assert _contradicted("3 bugs fixed", "5 bugs fixed") == []
    assert _contradicted("the battery has ~~36~~ 37 cases", "the battery has 37 cases") == []
    assert _contradicted("see `a.py:36`, v36.0.1, #36 tests", "see `a.py:37`") == []


def test_transitions_count_by_their_last_value() -> None:
    assert _contradicted("grew the battery from 12 to 28 cases", "the battery grew: 28 cases") == []
    assert _contradicted("the battery went 12 cases to 28 cases", "the battery has 28 cases") == []
    assert _contradicted("the battery was 12, now 28 cases", "the battery has 28 cases") == []
    assert _contradicted("battery 12 → 28 cases", "the battery has 30 cases") == [["28", "30"]]


def test_thousands_and_scales_are_numbers() -> None:
    assert _contradicted("the corpus has 1,200 documents", "the corpus has 1200 documents") == []
    assert _contradicted("the corpus has 12k documents", "the corpus has 12,000 documents") == []


def test_a_later_claim_that_cites_the_same_file_is_restated_and_nothing_more() -> None:
    replaced, restated = _superseded("`docs/PRD.md` is the summary of the plan", "Read `docs/PRD.md` to get access")
    assert replaced == ()
    assert restated == (Restated(0, 1, "docs/prd.md"),)


def test_the_same_quantity_dated_later_replaces() -> None:
    replaced, _ = _superseded(
        "2026-03-01: the corpus has 400 documents (`corpus/`)", "2026-04-01: the corpus has 500 documents (`corpus/`)"
    )
    assert [(r.claim, r.later) for r in replaced] == [(0, 1)]


def test_markers_replace() -> None:
    for later in (
        "RESOLVED: `pay.py` drops no retries on timeout",
        "retries on timeout: `pay.py` was broken, now mended",
    ):
        replaced, _ = _superseded("`pay.py` drops retries on timeout", later)
        assert [(r.claim, r.later) for r in replaced] == [(0, 1)], later
    replaced, _ = _superseded("~~the parser is in `old.py`~~")
    assert [(r.claim, r.later) for r in replaced] == [(0, -1)]


def test_a_marker_without_the_same_subject_or_anchor_replaces_nothing() -> None:
    assert _superseded("`pay.py` drops retries on timeout", "DONE: added logging to `pay.py`")[0] == ()
    assert _superseded("`pay.py` drops retries on timeout", "RESOLVED: retries on timeout")[0] == ()


def test_declared_claims_neither_replace_nor_are_replaced() -> None:
    also = "\n## Operating Doctrine\n- RESOLVED: `pay.py` drops no retries on timeout\n"
    assert _superseded("`pay.py` drops retries on timeout", also=also) == ((), ())


@pytest.mark.parametrize(
    "inexact",
    [
        "about 12 endpoints", "~12 endpoints", "roughly 12 endpoints", "12+ endpoints", "over 12 endpoints", "more than 12 endpoints",
        "at least 12 endpoints", "up to 20 endpoints", "under 20 endpoints", "no more than 13 endpoints", "10 to 15 endpoints",
        "10–15 endpoints", "between 10 and 15 endpoints", "12 or 13 endpoints", "nearly 14 endpoints", "etwa 12 endpoints", "12 or more endpoints",
    ],
)  # fmt: skip
def test_a_bound_a_range_or_an_estimate_is_contradicted_by_what_it_rules_out_alone(inexact: str) -> None:
    assert _contradicted(inexact, "13 endpoints") == []
    assert len(_contradicted(inexact, "900 endpoints")) + len(_contradicted(inexact, "2 endpoints")) >= 1


def test_an_inexact_number_is_shown_as_it_is_written() -> None:
    assert _contradicted("over 20 endpoints", "13 endpoints") == [["over 20", "13"]]
    assert _contradicted("20+ endpoints", "13 endpoints") == [["20+", "13"]]


def test_rounded_numbers_agree_with_what_they_round() -> None:
    assert _contradicted("12k documents in the corpus", "12,345 documents in the corpus") == []
    assert _contradicted("coverage is 83%", "coverage is 83.4%", "coverage is 83 percent") == []
    assert _contradicted("12k documents in the corpus", "13,000 documents in the corpus") == [["12000", "13000"]]


def test_number_words_are_read_whole() -> None:
    assert _contradicted("the battery has twenty-one cases", "the battery has 21 cases") == []
    assert _contradicted("the battery has thirty cases", "the battery has 31 cases") == [["30", "31"]]


def test_what_files_and_symbols_have_is_their_own() -> None:
    assert _contradicted("`pay/client.py` has 12 tests", "`pay/rates.py` has 13 tests") == []
    assert _contradicted("12 tests in `pay/`", "13 tests in `web/src/`") == []
    assert _contradicted("12 tests in `pay/client.py`", "13 tests") == []
    assert _contradicted("`Client.send` takes 2 arguments", "`refund()` takes 3 arguments") == []
    assert _contradicted("`pay/client.py` has 12 hooks", "`pay/client.py` has 13 hooks") == [["12", "13"]]
    assert _contradicted("the battery has 12 cases (`a.py`)", "the battery has 13 cases (`b.py`)") == [["12", "13"]]


def test_a_count_alone_is_of_what_stands_above_or_before_it() -> None:
    above = "\n### Client\n- 12 endpoints\n\n### Server\n- 13 endpoints\n"
    assert _contradicted("x", also=above) == []
    assert _contradicted("x", also=above.replace("endpoints", "unit tests")) == []
    assert _contradicted("12 battery cases", "the battery has 13 cases") == [["12", "13"]]
    assert _contradicted("x", also="\n### Client\n- 12 endpoints\n- 13 endpoints\n") == [["12", "13"]]
    assert _contradicted("Client — 12 endpoints", "Server — 13 endpoints") == []
    assert _contradicted("**Client.** It has 12 endpoints", "**Server.** It has 13 endpoints") == []
    assert _contradicted("the battery is green; 36 cases", "the battery has 37 cases") == [["36", "37"]]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("HTTP 500 responses are retried", "HTTP 429 responses are retried"), ("Python 3 builds", "Python 2 builds"),
        ("line 12 errors", "line 13 errors"), ("Tier 1 customers", "Tier 2 customers"), ("port 8080 workers", "port 8081 workers"),
        ("Fixed 3 bugs in the parser", "Fixed 5 bugs in the parser"), ("Chapter 3 covers 2 tools", "Chapter 4 covers 3 tools"),
        ("In 2025 we had 3 customers", "In 2026 we had 5 customers"), ("the API should have 20 endpoints", "the API has 13 endpoints"),
        ("goal: 20 endpoints in the API", "13 endpoints in the API"), ("20 endpoints are planned", "13 endpoints"),
        ("in 2 weeks", "in 3 weeks"), ("takes 3 minutes", "takes 5 minutes"), ("50% done", "70% done"),
    ],
)  # fmt: skip
def test_a_number_that_names_and_a_span_of_nothing_are_no_quantity(one: str, other: str) -> None:
    assert _contradicted(one, other) == []


def test_a_label_with_a_number_is_a_quantity_where_it_names_several() -> None:
    assert _contradicted("Cases in the battery: 12", "the battery has 13 cases") == [["12", "13"]]
    assert _contradicted("Priority: 1", "Priority: 2") == []


def test_two_goals_contradict_each_other() -> None:
    assert _contradicted("the goal is 20 endpoints", "our goal: 30 endpoints") == [["20", "30"]]


def test_signs_of_private_use_are_no_cited_names() -> None:
    assert _contradicted("\ue000 the battery has 12 cases \uf8ff", "\ue001 the battery has 13 cases (`a.py`)") == [
        ["12", "13"]
    ]


def test_a_name_that_is_a_part_of_another_is_not_taken_out_of_it() -> None:
    assert _contradicted(
        "`client.py` and `pay/client.py` have 12 hooks", "`pay/client.py` and `client.py` have 13 hooks"
    ) == [["12", "13"]]


def test_every_word_that_widens_a_number_is_looked_for() -> None:
    """A bound is looked for only where the word before the number may end one."""
    import re

    from core.soul import amounts

    for group in (amounts._MORE, amounts._FROM, amounts._LESS, amounts._TO, amounts._ABOUT):
        plain = re.sub(r"\(\?: of\)\?|\\", "", group).replace(".?", ".").replace("exceed(?:s|ing)?", "exceeds")
        for words in plain.split("|"):
            found = amounts.amount_at(f"{words} 20 cases", len(words) + 1, len(words) + 3)
            assert found.widened, words
    assert amounts.amount_at("exceeding 20 cases", 10, 12).widened
    assert amounts.amount_at("(about 20 cases)", 7, 9).widened
    assert amounts.amount_at("some the 20 cases", 9, 11).widened
