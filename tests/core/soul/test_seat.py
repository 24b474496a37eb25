"""The seat-check: every rule, on reports alone and with the document before and after."""

from __future__ import annotations

from typing import Any

import pytest

from core.errors import UsageError
from core.soul.seat import Rerun, base_id, seat_check

GRADER = "host:sub:curator-b"
RECEIPT = "soul: checked 2026-03-04 @1a2b3c4 - 2 fresh · 0 stale · 0 priced - 2/2 anchored - declared intact"


def _report(**changes: Any) -> dict[str, Any]:
    report: dict[str, Any] = {
        "curated_by": "host:sub:curator-a",
        "checked": 3,
        "updated": 0,
        "pruned": [{"what": "the gateway is in `pay/gone.py`", "why": "deleted", "where_it_went": "git history"}],
        "declined": [],
        "still_stale": [],
        "receipt_line": RECEIPT,
    }
    return {k: v for k, v in (report | changes).items() if v is not ...}


def _codes(report: object, **given: Any) -> list[tuple[str, int | None]]:
    return [(v.code, v.row) for v in seat_check(report, GRADER, **given).violations]


def test_a_good_report_passes_another_grader() -> None:
    found = seat_check(_report(), GRADER)
    assert found.passed
    assert found.as_json()["violations"] == []
    assert seat_check(_report(checked=["a claim"], updated=None), GRADER).passed


@pytest.mark.parametrize("value", [..., None, "", "  ", "\u200b\u2060", "\u3164", 3, ["x"]])
def test_nobody_curated(value: object) -> None:
    assert _codes(_report(curated_by=value)) == [("missing_curated_by", None)]
    assert not seat_check(_report(curated_by=value), GRADER).seat_independent


@pytest.mark.parametrize(
    "same",
    [
        GRADER,
        "HOST:SUB:Curator-B",
        "host:sub:curator-b@boss",
        " host : sub : curator-b ",
        "ｈost:sub:curator-b",
        "host:sub:cura\u200btor-b\ufe0f",
        "\u2066host:sub:curator-b\u2069",
        "host:sub:curator-b\u3164",
    ],
)
def test_the_grader_is_never_the_author(same: str) -> None:
    assert _codes(_report(curated_by=same)) == [("self_graded", None)]


def test_other_names_are_other_seats() -> None:
    assert base_id("a:sub:x@y") == base_id("A:sub:X")
    assert base_id("a:sub:x") != base_id("a:main:x")
    assert seat_check(_report(curated_by="host:main:curator-b"), GRADER).seat_independent


@pytest.mark.parametrize("pruned", [..., None, "x", {}, 3])
def test_what_was_pruned_must_be_listed(pruned: object) -> None:
    assert _codes(_report(pruned=pruned)) == [("silent_prune", None)]


@pytest.mark.parametrize(
    "row",
    [
        {"what": "a", "why": "x"},
        {"what": "a", "where_it_went": "x"},
        {"what": "a", "why": " ", "where_it_went": "y"},
        {"what": "a", "why": 3, "where_it_went": "y"},
        {"what": "a", "why": "\u200b", "where_it_went": "y"},
        "a",
        None,
    ],
)
def test_a_prune_says_why_and_where(row: object) -> None:
    good = {"what": "b", "why": "x", "where_it_went": "y"}
    assert _codes(_report(pruned=[good, row])) == [("silent_prune", 1)]


@pytest.mark.parametrize("proposed", [..., False, None, "true", 1])
def test_declared_tissue_is_only_proposed(proposed: object) -> None:
    row = {"what": "a", "why": "x", "where_it_went": "y", "tissue": "Declared", "proposed": proposed}
    row = {k: v for k, v in row.items() if v is not ...}
    assert _codes(_report(pruned=[row])) == [("declared_prune_unlocked", 0)]
    assert _codes(_report(pruned=[row | {"proposed": True}])) == []


@pytest.mark.parametrize("value", [..., None, "none", {}])
def test_still_stale_is_said_even_if_empty(value: object) -> None:
    assert _codes(_report(still_stale=value)) == [("missing_still_stale", None)]


def test_all_violations_at_once() -> None:
    report = {"pruned": [{"what": "a", "tissue": "declared"}], "curated_by": GRADER}
    assert _codes(report) == [
        ("self_graded", None),
        ("silent_prune", 0),
        ("declared_prune_unlocked", 0),
        ("missing_still_stale", None),
    ]


@pytest.mark.parametrize(
    ("report", "key"),
    [
        ([], "object"),
        ("x", "object"),
        (_report(declined="x"), "declined"),
        (_report(declined=["x"]), "declined"),
        (_report(receipt_line=3), "receipt_line"),
        (_report(checked="three"), "checked"),
        (_report(updated={"a": 1}), "updated"),
        (_report(updated=True), "updated"),
        (_report(still_stale=["x"]), "still_stale"),
        ({3: 1}, "3"),
    ],
)
def test_a_malformed_report_is_an_error_that_names_the_key(report: object, key: str) -> None:
    with pytest.raises(UsageError, match=key):
        seat_check(report, GRADER)


def test_a_blank_grader_and_half_a_pair_are_refused() -> None:
    with pytest.raises(UsageError, match="grader"):
        seat_check(_report(), " ")
    with pytest.raises(UsageError, match="grader"):
        seat_check(_report(), "\u200b")
    with pytest.raises(UsageError, match="one of the two"):
        seat_check(_report(), GRADER, before="x")


BEFORE = """# Pay

## Current State

- the client is in `pay/client.py`
- the gateway is in `pay/gone.py`
  - with a nested remark on `pay/old.py`
- the budget is three attempts

Prose that cites nothing.

## Do Not Do

- never retry a refund

## Prior Eras

- long ago
"""


def _after(*changes: tuple[str, str]) -> str:
    text = BEFORE
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return text


GONE = ("- the gateway is in `pay/gone.py`\n  - with a nested remark on `pay/old.py`\n", "")
NESTED = {"what": "with a nested remark on `pay/old.py`", "why": "its parent went", "where_it_went": "memory"}


def _with(*rows: dict[str, Any], after: str, **changes: Any) -> list[tuple[str, int | None]]:
    report = _report(**changes)
    report["pruned"] = [*(_report()["pruned"] if not rows else []), *rows]
    return _codes(report, before=BEFORE, after=after)


def test_a_covered_removal_passes() -> None:
    assert _with(_report()["pruned"][0], NESTED, after=_after(GONE)) == []


def test_every_removed_line_is_covered() -> None:
    assert _with(_report()["pruned"][0], after=_after(GONE)) == [("uncovered_removal", 7)]
    assert _with(_report()["pruned"][0], NESTED, after=_after(GONE, ("Prose that cites nothing.\n", ""))) == [
        ("uncovered_removal", 10)
    ]


def test_every_row_matches_something_that_was_removed() -> None:
    row = {"what": "the moon is made of cheese", "why": "x", "where_it_went": "y"}
    assert _with(_report()["pruned"][0], NESTED, row, after=_after(GONE)) == [("phantom_prune", 2)]
    assert _with(after=BEFORE) == [("phantom_prune", 0)]


def test_a_row_may_name_what_the_claim_cites() -> None:
    row = {"what": "bullet on pay/gone.py", "why": "x", "where_it_went": "y"}
    assert _with(row, NESTED, after=_after(GONE)) == []


def test_tissue_is_read_from_the_document() -> None:
    row = {"what": "never retry a refund", "why": "x", "where_it_went": "y", "tissue": "verifiable"}
    gone = _after(("- never retry a refund\n", ""))
    assert _with(row, after=gone) == [("declared_prune_unlocked", 0), ("declared_removed", 14)]
    assert _with(row | {"proposed": True}, after=gone) == []
    assert _with(row | {"proposed": True}, after=BEFORE) == []


def test_a_reworded_or_moved_line_is_no_removal_and_a_reworded_declared_one_is() -> None:
    assert _with(after=_after(("three attempts", "four attempts")), pruned=[]) == [("phantom_prune", 0)]
    report = _report(pruned=[])
    assert _codes(report, before=BEFORE, after=_after(("three attempts", "four attempts"))) == []
    moved = _after(
        ("- the budget is three attempts\n", ""), ("- the client", "- the budget is three attempts\n- the client")
    )
    assert _codes(report, before=BEFORE, after=moved) == []
    assert _codes(report, before=BEFORE, after=_after(("never retry a refund", "always retry a refund"))) == [
        ("declared_removed", 14)
    ]


TWINS = """# Shop

## North Star

- checkout is boring, see `shop/gateway.py`

## State

- payments go through `shop/gateway.py` by the function charge
- `shop/cart.py` is where the retries of a cart are decided
- `shop/post.py` is where the retries of a cart are decided
"""
PAYMENTS = "- payments go through `shop/gateway.py` by the function charge\n"
CART, POST = (f"- `shop/{n}.py` is where the retries of a cart are decided\n" for n in ("cart", "post"))


def _row(line: str, **more: Any) -> dict[str, Any]:
    return {"what": line.removeprefix("- ").strip(), "why": "gone", "where_it_went": "memory", **more}


def test_a_row_is_about_the_claim_whose_words_it_holds_though_a_declared_one_cites_the_same() -> None:
    report = _report(pruned=[_row(PAYMENTS)])
    assert _codes(report, before=TWINS, after=TWINS.replace(PAYMENTS, "")) == []


def test_a_removal_does_not_hide_behind_the_row_of_one_that_reads_alike() -> None:
    both = TWINS.replace(CART, "").replace(POST, "")
    assert _codes(_report(pruned=[_row(CART)]), before=TWINS, after=both) == [("uncovered_removal", 11)]
    assert _codes(_report(pruned=[_row(POST), _row(CART)]), before=TWINS, after=both) == []
    # A row for one that stands, where its twin went: it matches nothing, and the twin's removal is not said.
    wrong = _codes(_report(pruned=[_row(CART)]), before=TWINS, after=TWINS.replace(POST, ""))
    assert wrong == [("phantom_prune", 0), ("uncovered_removal", 11)]


def test_what_only_hints_answers_for_one_removal_and_what_spells_several_out_for_each() -> None:
    before = TWINS + "- `shop/post.py` is slow\n"
    after = TWINS.replace(POST, "")
    hint = _row("all that was said of shop/post.py")
    assert _codes(_report(pruned=[hint]), before=before, after=after) == [("uncovered_removal", 12)]
    assert (
        _codes(_report(pruned=[hint, _row("the rest that was said of shop/post.py")]), before=before, after=after) == []
    )
    spelled = _row(POST.strip() + " / `shop/post.py` is slow")
    assert _codes(_report(pruned=[spelled]), before=before, after=after) == []


def test_one_row_of_still_stale_does_not_hold_two_claims_that_read_alike() -> None:
    stale = [_stale("retries of the cart are in pay/x.py now"), _stale("retries of the post are in pay/x.py now", 6)]
    one = {"claim": "retries of the cart are in pay/x.py now", "reason": "later"}
    assert _codes(_report(still_stale=[one]), rerun=Rerun(RECEIPT, stale, 0, 0)) == [("hidden_stale", 6)]
    other = one | {"claim": "retries of the post, pay/x.py"}
    assert _codes(_report(still_stale=[other, one]), rerun=Rerun(RECEIPT, stale, 0, 0)) == []


def test_history_headings_and_comments_need_no_row() -> None:
    after = _after(("- long ago\n", ""), ("# Pay\n", "# Payments\n"))
    assert _codes(_report(pruned=[]), before=BEFORE, after=after) == []


def _stale(claim: str, line: int = 5) -> dict[str, Any]:
    return {"claim": claim, "lines": [line, line], "reason": "evidence_file_missing", "anchor": "pay/x.py"}


def test_a_rerun_finds_what_was_hidden() -> None:
    rerun = Rerun(RECEIPT, [_stale("the exporter is in pay/x.py")], 0, 0)
    assert _codes(_report(), rerun=rerun) == [("hidden_stale", 5)]
    assert (
        _codes(_report(still_stale=[{"claim": "the exporter is in `pay/x.py`", "reason": "later"}]), rerun=rerun) == []
    )


def test_the_receipt_is_the_one_of_a_rerun_but_for_day_and_commit() -> None:
    later = RECEIPT.replace("2026-03-04 @1a2b3c4", "2026-03-05 @9f8e7d6 dirty")
    assert _codes(_report(), rerun=Rerun(later, [], 0, 0)) == []
    assert _codes(_report(), rerun=Rerun(RECEIPT.replace("2 fresh", "1 fresh"), [], 0, 0)) == [
        ("receipt_mismatch", None)
    ]
    assert _codes(_report(receipt_line=...), rerun=Rerun(RECEIPT, [], 0, 0)) == [("receipt_mismatch", None)]


def test_unanchored_claims_may_not_grow() -> None:
    assert _codes(_report(), rerun=Rerun(RECEIPT, [], 3, 2)) == [("unanchored_grew", None)]
    assert _codes(_report(), rerun=Rerun(RECEIPT, [], 2, 2)) == []
