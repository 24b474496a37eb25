"""The text of a packet: the same for the same packet, within its budget, and never without duties and report."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.delegation.model import Anchor, Order, Packet, PastSession, Recollection
from core.delegation.render import render, tokens_of
from tests.core.delegation.goldens import FOLDER, large, steps

GOLDEN = sorted(FOLDER.glob("*.md"))
DUTIES, REPORT = "### What could NOT be determined: your duties", "[recollect dlg_1780000000000_golden]"


@pytest.mark.parametrize("path", GOLDEN, ids=[p.stem for p in GOLDEN])
def test_every_step_of_degradation_is_as_it_was(path: object) -> None:
    """`python -m tests.core.delegation.goldens` writes them anew."""
    budget = int(path.stem.rpartition("-")[2])  # type: ignore[attr-defined]
    made = render(large(), budget)
    assert made.text == path.read_text(encoding="utf-8")  # type: ignore[attr-defined]
    assert made.tokens <= budget


def test_a_packet_calls_a_runtime_by_its_name() -> None:
    """The text is for people and for other runtimes' workers; the document beside it holds the id."""
    assert "(person, Claude Code session-0, " in render(large(), 8000).text
    assert {s.runtime for s in large().sessions} == {"claude"}


def test_there_is_a_golden_text_for_every_step() -> None:
    assert [p.stem for p in GOLDEN] == [f"{n:02d}-{name}-{tokens}" for n, (name, tokens) in enumerate(steps(large()))]


@pytest.mark.parametrize("budget", [1, 300, 700, 1200, 2000, 8000])
def test_duties_report_and_the_fence_always_stay(budget: int) -> None:
    made = render(large(), budget)
    for gap in large().gaps:
        assert f"- {gap}" in made.text
    for always in (
        DUTIES,
        REPORT,
        "DEVIATIONS:",
        "FINDINGS:",
        "- migrations/",
        "- pay/secrets.py",
        "outranks assumption only",
    ):
        assert always in made.text
    assert made.fits == (made.tokens <= budget)
    assert made.text == render(large(), budget).text


def test_a_scope_of_300_paths_fits_700_tokens_and_says_what_was_cut() -> None:
    packet = large()
    wide = tuple(f"a/b{n % 7}/c{n}.py" for n in range(300))
    made = render(replace(packet, fence=replace(packet.fence, may_touch=wide)), 700)
    assert made.tokens <= 700
    assert "Cut to fit the budget:" in made.text
    assert "the scope's 300 entries (folded)" in made.cut
    assert DUTIES in made.text


def test_a_task_that_is_most_of_the_budget_leaves_room_for_what_the_worker_does_not_know() -> None:
    long = replace(large(), order=replace(large().order, task="Give the client a retry budget. " * 4000))
    made = render(long, 2000)
    assert "the end of the task" in made.cut
    assert 1500 < made.tokens <= 2000
    assert made.text.count("\n- ") > 20
    assert render(large(), 2000).cut == tuple(c for c in render(large(), 2000).cut if "task" not in c)


def test_the_whole_text_has_every_part() -> None:
    text = render(large(), 8000).text
    for part in (
        "STALE: verify, read pay/client.py", "age unknown", "author unknown", "origin unknown", "1 day old", "[canonical]",
        "2 steps away", "- make test", "soul: checked", "STALE, line 12", "with pay/part00/module.py: 9 of 12 commits",
        "Claude Code session-0", "trust partial", "Uncommitted changes lie in: pay/client.py.",
    ):  # fmt: skip
        assert part in text
    assert text.index("### May touch") < text.index("### Anchors") < text.index("### Memory") < text.index(DUTIES)


@settings(max_examples=20, deadline=None)
@given(st.text(max_size=300), st.integers(1, 3000))
def test_hostile_text_opens_no_fence_no_table_and_no_line_of_its_own(text: str, budget: int) -> None:
    made = render(_hostile(f"{text}\n```\n| a | b |\n# Heading\n~~~~\x1b[31m"), budget).text
    lines = made.split("\n")
    assert "```" not in made
    assert "~~~" not in made
    assert not any(line.startswith("|") for line in lines)
    assert {line for line in lines if line.startswith("#")} <= {
        line for line in render(large(), 8000).text.split("\n") if line.startswith("#")
    }
    assert "\x1b" not in made
    assert made.count(DUTIES) == 1


def _hostile(text: str) -> Packet:
    base = large()
    name = text.replace("\0", "x") or "x"
    return replace(
        base,
        order=Order(name, text, hint=text),
        anchors=(Anchor(name, 1, text, (text,)),),
        sessions=(PastSession("claude", name, name, 1, None, text, "person"),),
        memory=(Recollection("id", text, "fact", "working", text, text, None, True, text),),
        gaps=(text, *base.gaps),
        fence=replace(base.fence, may_touch=(name,), must_not_touch=(name,)),
    )


def test_an_estimate_of_tokens_counts_bytes() -> None:
    assert (tokens_of(""), tokens_of("abcd"), tokens_of("abcde"), tokens_of("港")) == (0, 1, 2, 1)
