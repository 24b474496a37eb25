"""Result phrases against receipts: `171 tests` is held against a receipt of all tests, never of something else."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.soul.check import check
from core.soul.evidence import Receipt
from core.soul.git_evidence import open_project
from core.soul.model import Item, State
from core.soul.receipts import add_receipt
from tests.core.soul.projects import NOW, project, state

GREEN = Receipt("pytest -q", 0, "", "", 1.0, 1.0, {"passed": 26, "skipped": 2, "total": 28})
RED = Receipt("pytest -q", 1, "", "", 1.0, 1.0, {"passed": 26, "failed": 1, "skipped": 2, "total": 29})
FRESH, STALE, HELD, NONE = State.FRESH, State.STALE, State.UNPROVABLE, None


def _items(tmp_path: Path, body: str, *receipts: Receipt) -> tuple[Item, ...]:
    text = state(body)
    made = project(tmp_path / "r", text)
    for r in receipts:
        kept = Receipt(r.command, r.exit_code, made.shas[-1], "", r.at, r.seconds, r.counts)
        add_receipt(tmp_path / "state", str(made.root), kept)
    evidence = open_project(str(made.root), tmp_path / "state")
    try:
        return check("PATHOS.md", text, text.encode(), evidence, NOW).items
    finally:
        evidence.close()


def _told(tmp_path: Path, claim: str, *receipts: Receipt) -> State | None:
    (item,) = _items(tmp_path, f"- {claim}", *receipts)
    found = [v.state for v in item.verdicts if v.anchor.form == "result"]
    return max(found, key=lambda s: s.rank) if found else None


@pytest.mark.parametrize(
    ("claim", "told"),
    [
        ("28 tests", FRESH), ("26 tests pass", FRESH), ("26 passed, 2 skipped", FRESH), ("2 tests are skipped", FRESH), ("0 failed", FRESH),
        ("26/28 tests pass", FRESH), ("the suite is green", FRESH), ("The suite has 28 tests", FRESH),
        ("27 tests", STALE), ("All 27 tests pass", STALE), ("28 tests pass", STALE), ("3 skipped", STALE), ("1 failed", STALE), ("28/28", STALE),
        ("the suite is red", STALE), ("tests fail", STALE), ("2 failing tests", STALE), ("The repo has 27 tests, all of them fast", STALE),
        ("about 30 tests", FRESH), ("~26 tests", FRESH), ("over 20 tests", FRESH), ("20+ tests", FRESH), ("at least 28 tests", FRESH),
        ("25 to 30 tests", FRESH), ("over 28 tests", STALE), ("30+ tests", STALE), ("about 90 tests", STALE),
        ("13 test files", NONE), ("12 test suites", NONE), ("5 tests were added", NONE), ("add 5 tests", NONE), ("it was 27 tests", NONE),
        ("3 unit tests", HELD), ("3 tests in `tests/test_client.py`", HELD), ("`tests/test_client.py` has 3 tests", HELD),
        ("3 tests cover rounding", HELD), ("3 checks before a deploy", HELD), ("12/12 gates are open", HELD), ("2026-01-02: 9 tests", HELD),
        ("`cargo test`: 10 tests", State.RECEIPT_REQUIRED), ("`pytest -q`: 3 tests", STALE), ("`pytest -q`: 28 tests", FRESH),
    ],
)  # fmt: skip
def test_a_result_is_held_against_what_it_counts(tmp_path: Path, claim: str, told: State | None) -> None:
    assert _told(tmp_path, claim, GREEN) is told


@pytest.mark.parametrize(
    ("claim", "told"),
    [
        ("1 failed", FRESH), ("1 test fails", FRESH), ("the suite is red", FRESH), ("tests fail", FRESH), ("26 passed", FRESH), ("29 tests", FRESH),
        ("the suite is green", STALE), ("29 tests pass", STALE), ("2 tests fail", STALE),
    ],
)  # fmt: skip
def test_what_fails_is_told_as_it_is(tmp_path: Path, claim: str, told: State) -> None:
    assert _told(tmp_path, claim, RED) is told


@pytest.mark.parametrize("command", ["pytest tests/test_client.py", "pytest -k rounding", "npm run test:unit"])
def test_a_receipt_of_some_tests_contradicts_no_count_of_all(tmp_path: Path, command: str) -> None:
    some = Receipt(command, 0, "", "", 1.0, 1.0, {"passed": 3, "total": 3})
    assert _told(tmp_path, "28 tests", some) is HELD


def test_two_suites_contradict_no_count_that_may_be_of_both(tmp_path: Path) -> None:
    other = Receipt("npm test", 0, "", "", 1.0, 1.0, {"passed": 40, "total": 40})
    assert _told(tmp_path / "sum", "66 tests", GREEN, other) is HELD
    assert _told(tmp_path / "one", "40 tests", GREEN, other) is FRESH


def test_a_count_under_another_heading_or_item_is_of_that(tmp_path: Path) -> None:
    items = _items(tmp_path, "- client\n  - 3 tests\n\n### Server\n\n- 4 tests", GREEN)
    assert [v.state for i in items for v in i.verdicts] == [HELD, HELD]
