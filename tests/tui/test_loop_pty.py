"""The whole loop over the real app on a real terminal: a stale claim is found, pruned, kept in memory, and brought back."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tui.souls import payments
from tests.tui.test_pty import Terminal, restored, surroundings

__all__ = ["surroundings"]  # the fixture

UP_TO_DATE = re.compile(r"soul: checked \S+ @\w+(?: dirty)? - (?P<counts>.*? stale)")


@pytest.fixture
def loop(surroundings: dict[str, str], tmp_path: Path) -> Iterator[Terminal]:
    root = tmp_path / "payments"
    payments(root)
    run = Terminal("loop", {**surroundings, "MADE": str(root), "RECOLLECT_HOME": str(tmp_path / "own")}, size=(140, 40))
    yield run
    run.close()


def test_a_stale_claim_is_pruned_kept_and_brought_back(loop: Terminal, tmp_path: Path) -> None:
    document = tmp_path / "payments" / "docs" / "PATHOS.md"
    before = document.read_bytes()
    gone = b"- The gateway lives in `pay/gateway.py`\n"
    assert gone in before
    # check: the claim is stale
    loop.wait_for("4 stale")
    loop.send("x")
    loop.wait_for("[✗ 4 stale]")
    # sent to Curate, with why and where
    loop.send("c")
    loop.wait_for("decision · line 13")
    loop.send("\r")
    loop.wait_for("enter next field")
    loop.send("the gateway was dropped\r")
    loop.wait_for("Say where it went")
    loop.send("\x1b3")
    loop.wait_for("git history")
    loop.send("\r\rlaptop:person:ana\r")
    loop.send("laptop:person:ANA")
    loop.wait_for("are one seat")
    loop.send("\x7f\x7f\x7fben")
    # the seat-check by another grader passes, on the exact difference
    loop.wait_for("✓ passes")
    loop.wait_for("-- The gateway lives in")
    loop.send("\x1bOQ")
    loop.wait_for("1 decision open")
    assert document.read_bytes() == before
    loop.send("\x1b[19~")
    loop.wait_for("apply this?")
    assert document.read_bytes() == before
    loop.send("\r")
    loop.wait_for("Applied: 1 claim persisted")
    assert document.read_bytes() == before.replace(gone, b"")
    said = UP_TO_DATE.search(loop.text())
    assert said
    assert "3 stale" in said["counts"]
    # the claim is in memory, with its source
    loop.send("4")
    loop.wait_for("soul_source docs/PATHOS.md#Current State")
    loop.wait_for("✓ persisted")
    assert "The gateway lives in" in loop.text()
    # checked again: one stale fewer, and the same receipt
    loop.send("2")
    loop.wait_for("[✗ 3 stale]")
    again = UP_TO_DATE.search(loop.text())
    assert again
    assert again["counts"] == said["counts"]
    # undo brings back every byte
    loop.send("3")
    loop.wait_for("F4 undo")
    loop.send("\x1bOS")
    loop.wait_for("undo this curation?")
    loop.send("\r")
    loop.wait_for("byte for byte")
    assert document.read_bytes() == before
    loop.send("\x11")
    assert loop.end() == 0
    assert restored(loop.raw)
