"""The place Memory as a person uses it: the list, a claim whole, adding, changing, forgetting, what waits."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual import events

from core.errors import SurroundingsError
from core.memory.sink import NOT_PERSISTED, Written
from core.text import is_printable
from tests.tui.driving import Driven, driven
from tests.tui.memories import BEGAN, CLAIMS, DAY, HeldMemory, claim, identity
from tests.tui.test_hostile import PAYLOADS, drawn
from tui.app import AppOptions
from tui.keys import MEMORY, Pane
from tui.memory_project import OwnMemory
from tui.screens import memory_words
from tui.screens.choosing import ChoiceScreen
from tui.screens.memory import MemoryScreen
from tui.screens.memory_actions import MemoryActions
from tui.screens.memory_form import ClaimForm, TextLines
from tui.screens.memory_port import MemoryPort
from tui.screens.memory_reasons import REASONS, MemoryFacts, why_not
from tui.screens.recollect import RecollectScreen
from tui.widgets.bar import Bar


def screen(run: Driven) -> MemoryScreen:
    found = run.app.screen
    assert isinstance(found, MemoryScreen)
    return found


def form(run: Driven) -> ClaimForm:
    found = run.app.screen
    assert isinstance(found, ClaimForm)
    return found


def listed(run: Driven) -> list[str]:
    rows = screen(run).rows
    now = BEGAN + 10 * DAY
    return [" ".join("".join(p.text for p in memory_words.draw_row(row, now, 120)).split()) for row in rows]


def told(run: Driven) -> str:
    return "\n".join(line.text() for line in screen(run).claim.lines)


def bar(run: Driven, name: str) -> str:
    return screen(run).query_one(f"#{name}", Bar).text()


@asynccontextmanager
async def memory(
    port: MemoryPort | None = None, *, size: tuple[int, int] = (140, 40), folder: str = "."
) -> AsyncIterator[Driven]:
    """The app, begun in the place Memory."""
    options = AppOptions(motion=False, place="memory", memory=port or HeldMemory(), soul_folder=folder)
    async with driven(size=size, options=options) as run:
        yield run


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> OwnMemory:
    monkeypatch.setenv("RECOLLECT_HOME", str(tmp_path / "own"))
    monkeypatch.delenv("RECOLLECT_MEMORY_URL", raising=False)
    return OwnMemory()


# What is shown


async def test_claims_are_listed_newest_first_and_hidden_ones_on_a_key() -> None:
    async with memory() as run:
        assert [row.claim.id for row in screen(run).rows] == [identity(n) for n in (5, 4, 3, 1)]
        assert listed(run)[0] == "· age unknown finding Staging loses webhooks after a restart."
        await run.press("full_stop")
        assert any(row.startswith("✗") and row.endswith("forgotten") for row in listed(run))
        assert any(row.startswith("↷") and row.endswith("superseded") for row in listed(run))
        await run.press("escape")
        assert len(screen(run).rows) == 4


async def test_a_claim_is_told_with_its_source_evidence_and_history() -> None:
    async with memory() as run:
        await run.press("G")
        whole = told(run)
        assert "soul_source docs/PATHOS.md#Current State" in whole
        assert "[1] file docs/PATHOS.md:13" in whole
        assert "by          laptop:person:ana" in whole
        screen(run).choose(identity(3))
        await run.settle()
        assert "superseded 00000002 by laptop:person:ben" in told(run)
        assert "kept 00000002 by claude:main:session" in told(run)
        screen(run).choose(identity(5))
        await run.settle()
        assert "age unknown" in told(run)
        assert "an unknown author" in told(run)
        assert "none is named" in told(run)


async def test_tier_kind_tag_and_words_narrow_the_list() -> None:
    async with memory() as run:
        await run.press("t")
        assert screen(run).sieve.tier == "canonical"
        assert [row.claim.id for row in screen(run).rows] == [identity(3)]
        await run.press("a", "f")
        assert screen(run).sieve.kind == "decision"
        assert len(screen(run).rows) == 2
        await run.press("a", "b")
        assert screen(run).sieve.tag == "pruned"
        await run.press("a", "slash")
        await run.burst(*"budget moves")
        await run.settle()
        assert [row.claim.id for row in screen(run).rows] == [identity(4)]
        await run.press("escape", "escape")
        assert len(screen(run).rows) == 4
        assert screen(run).words.value == "budget moves"  # nothing typed is lost
        await run.press("slash")
        assert len(screen(run).rows) == 1
        await run.burst(*" zebra")
        await run.settle()
        assert "No claim fits" in run.text()


async def test_an_empty_memory_and_one_that_fails_say_what_to_do() -> None:
    async with memory(HeldMemory(())) as run:
        assert "The memory holds no claim yet." in run.text()
        assert "hint: i adds a claim" in run.text()
    port = HeldMemory()
    port.trouble = SurroundingsError("The settings name no owner.", "mend the settings")
    async with memory(port) as run:
        assert "The settings name no owner." in run.text()
        assert "hint: mend the settings" in run.text()


# Writing


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
async def test_lines_that_are_pasted_stay_lines(own: OwnMemory, end: str) -> None:
    async with memory(own) as run:
        await run.press("i")
        form(run).query_one(TextLines).post_message(events.Paste(f"one{end}two\x1b[31m{end}three"))
        await run.settle()
        assert form(run).values["text"] == "one\ntwo␛[31m\nthree"


async def test_a_claim_is_added_changed_forgotten_and_shown_again(own: OwnMemory) -> None:
    async with memory(own) as run:
        await run.press("i")
        written = [*form(run).query("LineInput"), *form(run).query("TextLines")]
        assert len(written) > 5
        assert not any(line.cursor_blink for line in written)  # U17
        await run.burst(*"The budget is 3")
        form(run)._field("confidence").value = "7"
        await run.settle()
        assert "cannot be '7'" in form(run)._field("confidence").said
        await run.press("f2")
        assert isinstance(run.app.screen, ClaimForm)  # what is wrong is not kept
        form(run)._field("confidence").value = "90%"
        await run.settle()
        await run.press("escape")
        assert not screen(run).rows
        await run.press("i")
        assert form(run).values["text"] == "The budget is 3"  # U8
        await run.press("f2")
        assert "Persisted" in run.toasts()
        first = screen(run).rows[0].claim
        assert (first.text, first.confidence) == ("The budget is 3", 0.9)
        await run.press("c")
        await run.burst("end", "!")
        await run.settle()
        await run.press("f2")
        (now,) = screen(run).rows
        assert (now.claim.text, now.claim.supersedes) == ("The budget is 3!", (first.id,))
        await run.press("x", "f2")
        assert "Say why" in form(run)._field("why").said
        await run.burst(*"it is 5")
        await run.press("f2")
        assert screen(run).rows == ()
        await run.press("full_stop")
        screen(run).choose(now.claim.id)
        await run.settle()
        assert "forgotten" in told(run)
        assert "it is 5" in told(run)
        await run.press("u")
        await run.burst(*"no, 3")
        await run.press("f2")
        assert screen(run).held is not None
        assert "current" in told(run)
        assert own.look().status.claims == 1


async def test_a_fork_is_resolved_by_choosing_and_nothing_is_dropped() -> None:
    port = HeldMemory()
    async with memory(port) as run:
        assert "1 fork to resolve" in bar(run, "kept-standing")
        await run.press("v")
        assert isinstance(run.app.screen, ChoiceScreen)
        await run.press("2")
        await run.burst(*"it is so")
        await run.press("f2")
        assert ("forget", (identity(3),), "it is so", "") in port.calls


async def test_what_waits_is_amber_everywhere_and_drained_on_a_key() -> None:
    port = HeldMemory(waiting=1)
    port.answer = Written((identity(9),), False, NOT_PERSISTED, "The owner is away.", "start it", queued=1)
    async with memory(port, size=(140, 40)) as run:
        run.app._look_at_memory()
        await run.settle()
        assert "queued: 1 write" in bar(run, "kept-standing")
        assert bar(run, "header").rstrip().endswith("▲ 1 queued")
        await run.press("1")
        assert run.header().rstrip().endswith("▲ 1 queued")
        corner = next(p for p in screen_corner(run) if "queued" in p.text)
        assert corner.style == "warn"
        await run.press("f7", "4")
        await run.press("x")
        await run.burst(*"gone")
        await run.press("f2")
        assert "Queued: it waits in the spool and is not lost." in run.toasts()
        await run.press("w")
        assert ("drain",) in port.calls
        assert "persisted: nothing waits" in bar(run, "kept-standing")
        assert bar(run, "header").rstrip().endswith("✓ persisted")


def screen_corner(run: Driven):  # type: ignore[no-untyped-def]
    return run.screen.query_one("#header", Bar)._pieces(140)


async def test_an_owner_that_is_away_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECOLLECT_HOME", str(tmp_path / "own"))
    monkeypatch.setenv("RECOLLECT_MEMORY_URL", "http://127.0.0.1:9")
    port = OwnMemory()
    async with memory(port) as run:
        await run.press("i")
        await run.burst(*"kept anyway")
        await run.press("f2")
        assert "Queued" in run.toasts()
        assert "queued: 1 write" in bar(run, "kept-standing")
        assert "the owner is away" in bar(run, "header")
        assert "queued" in listed(run)[0]
        assert port.mark().waiting == 1


# Evidence and recalls


async def test_evidence_opens_where_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("EDITOR", raising=False)
    monkeypatch.delenv("VISUAL", raising=False)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "PATHOS.md").write_text("# here\n")
    async with memory(folder=str(tmp_path)) as run:
        await run.press("G", "e")
        assert isinstance(run.app.screen, ChoiceScreen)
        await run.press("1")
        assert "No editor is named." in run.toasts()
        await run.press("e", "3")
        assert "pay/gateway.py is not there" in run.toasts()
        screen(run).choose(identity(2))
        await run.settle()
        await run.press("e")
        assert isinstance(run.app.screen, RecollectScreen)
        assert run.calls("find") == [("/home/ada/.claude/projects/payments/3f2a9c00.jsonl", 7)]
        assert run.screen.record.has_focus
        assert run.screen.record.place is not None


async def test_a_record_that_is_not_read_is_said(tmp_path: Path) -> None:
    gone = claim(1, "x", evidence=("record:/gone/a.jsonl:2",))
    async with memory(HeldMemory((gone,)), folder=str(tmp_path)) as run:
        await run.press("e")
        assert "/gone/a.jsonl is no record that is read." in run.toasts()


async def test_an_identified_recall_is_kept_with_its_cites(own: OwnMemory) -> None:
    options = AppOptions(motion=False, memory=own)
    async with driven(options=options) as run:
        await run.press("f8")
        assert "Only what you identified is kept." in run.toasts()
        await run.type("retries")
        await run.press("enter", "ctrl+y")
        assert "F8 keep in memory" in run.footer()
        await run.press("f8")
        assert "Kept in memory. Persisted" in run.toasts()
        (held,) = own.look().view.held.values()
        assert held.claim.tags == ("recalled",)
        assert [one.kind.value for one in held.claim.evidence] == ["record"] * len(held.claim.evidence)
        assert held.claim.evidence[0].line
        await run.press("f8")
        assert "in memory already" in run.toasts()
        assert own.look().status.claims == 1


# The frame


def test_every_row_has_an_action_and_the_footer_six_keys_at_most() -> None:
    for row in MEMORY:
        assert not row.reason or row.reason in REASONS
        assert row.action or hasattr(MemoryActions, "do_" + row.id.replace("-", "_")) or row.id.startswith("go-"), (
            row.id
        )
    for pane in Pane:
        for facts in (
            MemoryFacts(),
            MemoryFacts(look=True, claim=True, current=True, evidence=True, forks=True, waiting=True),
        ):
            for width in (200, 80, 1):
                keys = [piece.ref for piece in memory_words.hints(pane, facts, width) if piece.style == "key"]
                assert len(keys) <= 6
                assert all(not why_not(next(r for r in MEMORY if f"do:{r.id}" == ref).reason, facts) for ref in keys)


async def test_every_command_of_the_palette_runs(tmp_path: Path) -> None:
    async with memory(folder=str(tmp_path)) as run:
        place = screen(run)
        for row in MEMORY:
            if row.title and row.id != "quit" and not row.id.startswith("go-"):
                place.action_do(row.id)
                await run.settle()
                while run.app.screen is not place:
                    run.app.pop_screen()
        assert run.app.is_running


async def test_any_size_is_survived() -> None:
    chance = random.Random(5)
    async with memory() as run:
        for focus, wide in (("kept", 200), ("kept-claim", 40), ("form", 101)):
            if focus == "form":
                await run.press("i")
            else:
                screen(run).query_one(f"#{focus}").focus()
            for width, height in ((1, 1), (wide, 12), (chance.randint(1, 120), chance.randint(1, 30))):
                await run.pilot.resize_terminal(width, height)
                await run.settle()
        assert run.app.is_running


async def test_hostile_text_is_drawn_as_signs() -> None:
    payload = "".join(part for name, part in PAYLOADS.items() if name != "lines")
    named = "".join(char for char in payload if ord(char) > 0x7F)
    bad = claim(1, f"{payload}\n{payload}", label=payload, tags=(f"t{named}t",), source_agent=f"a{named}a")
    async with memory(HeldMemory((bad, *CLAIMS[1:])), size=(80, 24)) as run:
        seen = drawn(run)
        for keys in (("G",), ("enter",), ("escape", "x"), ("escape", "c"), ("escape", "b"), ("b",)):
            await run.press(*keys)
            seen += drawn(run)
        odd = {hex(ord(char)) for char in seen if not is_printable(char)}
        assert not odd, f"{odd} would reach the terminal"
