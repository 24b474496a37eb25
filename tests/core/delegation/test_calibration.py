"""Counts always; numbers of quality from 30 clean rows on, and never for a zero denominator."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from core.delegation.calibration import NEEDED, calibrate, wilson
from core.delegation.document import calibration_values
from core.delegation.ledger import Ledger, Row


def rows(count: int, **more: int) -> list[Row]:
    base = {"touched": 4, "in_scope": 1, "expected_change": 1, "unpredicted": 2} | more
    found = []
    for n in range(count):
        contact = int(n % 3 == 0)
        failed = (n // 3 < 6) if contact else n in (1, 2)
        found.append(
            Row(f"dlg_{n}", float(n), "failure" if failed else "success", "stayed", dependent_contact=contact, **base)
        )
    return found


def ledger(folder: Path, given: list[Row]) -> Ledger:
    folder.mkdir(exist_ok=True)
    made = Ledger(folder)
    for row in given:
        made.append(row)
    return made


def test_the_hand_case(tmp_path: Path) -> None:
    """30 rows touching 4 (1 in scope, 1 expected, 2 unpredicted); 10 with contact, 6 failed; 20 without, 2 failed."""
    found = calibrate(ledger(tmp_path, rows(30)).read())
    assert found.calibrated
    metrics = (found.scope_precision, found.miss_rate, found.dependents_honesty)
    assert [m.value if m else None for m in metrics] == pytest.approx([0.5, 0.5, 0.5])
    for metric in metrics:
        assert metric is not None
        assert metric.low < 0.5 < metric.high
    assert metrics[0] is not None
    assert (round(metrics[0].low, 4), round(metrics[0].high, 4)) == (0.4119, 0.5881)


@pytest.mark.parametrize("count", [0, 1, 29])
def test_below_thirty_there_is_no_number(tmp_path: Path, count: int) -> None:
    found = calibrate(ledger(tmp_path, rows(count)).read())
    values = calibration_values(found)
    assert (values["rows"], values["needed"], values["calibrated"]) == (count, 30, False)
    assert [values[k] for k in ("scope_precision", "miss_rate", "dependents_honesty")] == [None] * 3
    assert not any(isinstance(v, float) for v in values.values())


@pytest.mark.parametrize("flag", ["unverified", "overlap", "drifted", "evidence_conflict"])
def test_rows_that_prove_nothing_are_counted_apart(tmp_path: Path, flag: str) -> None:
    given = [replace(r, flags=(flag,)) if n < 5 else r for n, r in enumerate(rows(30))]
    found = calibrate(ledger(tmp_path, given).read())
    assert (found.rows, found.clean, found.calibrated) == (30, 25, False)
    assert (found.unverified, found.contaminated) == ((5, 0) if flag == "unverified" else (0, 5))
    more = calibrate(ledger(tmp_path, [replace(r, delegation_id=f"more_{n}") for n, r in enumerate(rows(5))]).read())
    assert more.clean == NEEDED
    assert more.calibrated


def test_a_missing_report_leaves_a_row_clean(tmp_path: Path) -> None:
    given = [replace(r, flags=("no_report",)) for r in rows(30)]
    assert calibrate(ledger(tmp_path, given).read()).calibrated


def test_a_zero_denominator_is_unknown_and_never_zero(tmp_path: Path) -> None:
    given = [Row(f"dlg_{n}", 0.0, "success", "stayed") for n in range(30)]
    found = calibrate(ledger(tmp_path, given).read())
    assert found.calibrated
    assert (found.scope_precision, found.miss_rate, found.dependents_honesty) == (None, None, None)
    every = [replace(r, dependent_contact=1) for r in rows(30)]
    assert calibrate(ledger(tmp_path / "b", every).read()).dependents_honesty is None


def test_a_second_row_of_a_delegation_takes_the_place_of_the_first(tmp_path: Path) -> None:
    made = ledger(tmp_path, [*rows(30), replace(rows(1)[0], unpredicted=4, in_scope=0, expected_change=0)])
    read = made.read()
    assert (len(read.rows), read.repeated) == (30, 1)
    assert read.rows[-1].unpredicted == 4
    assert made.path.read_bytes().count(b"\n") == 31


def test_a_torn_tail_is_passed_over_and_ended_by_the_next_row(tmp_path: Path) -> None:
    made = ledger(tmp_path, rows(3))
    whole = made.path.read_bytes()
    made.path.write_bytes(whole[:-20])
    assert (len(made.read().rows), made.read().skipped) == (2, 1)
    made.append(replace(rows(1)[0], delegation_id="dlg_new"))
    assert [r.delegation_id for r in made.read().rows] == ["dlg_0", "dlg_1", "dlg_new"]
    assert made.path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    "line",
    [
        "",
        "{}",
        "[]",
        "7",
        '{"delegation_id": "x", "touched": "many"}',
        '{"delegation_id": "x", "at": 1e999, "touched": 1e999}',
        "\udcff",
    ],
)
def test_lines_that_are_no_rows_are_passed_over(tmp_path: Path, line: str) -> None:
    made = ledger(tmp_path, rows(1))
    with made.path.open("ab") as file:
        file.write(line.encode("utf-8", "surrogateescape") + b"\n")
    assert len(made.read().rows) == 1


def test_a_row_that_lacks_counts_has_none(tmp_path: Path) -> None:
    tmp_path.joinpath("outcomes.jsonl").write_text(json.dumps({"delegation_id": "x", "outcome": "success"}) + "\n")
    (row,) = Ledger(tmp_path).read().rows
    assert (row.touched, row.unverified) == (0, False)


def test_the_interval_lies_within_zero_and_one() -> None:
    assert wilson(0, 10) == pytest.approx((0.0, 0.2775), abs=1e-4)
    assert wilson(10, 10) == pytest.approx((0.7225, 1.0), abs=1e-4)
