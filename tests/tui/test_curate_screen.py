"""The place Curate as a person uses it: the work list, the form and what the rules say of it, applying and undoing."""

from __future__ import annotations

import random
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.widgets import Static

from core.text import is_printable
from tests.core.git_made import Made
from tests.tui.driving import Driven, driven
from tests.tui.souls import NOW, payments
from tests.tui.test_hostile import PAYLOADS, drawn
from tui.app import AppOptions
from tui.curate_project import ProjectCurate
from tui.keys import CURATE, Pane
from tui.memory_project import OwnMemory
from tui.screens import curate_words
from tui.screens.curate import CurateScreen
from tui.screens.curate_actions import CurateActions
from tui.screens.curate_reasons import REASONS, CurateFacts, why_not
from tui.screens.help import TextScreen
from tui.screens.soul import SoulScreen
from tui.soul_project import ProjectSoul
from tui.widgets.line_view import LineView
from tui.widgets.toast import toast

ANA, BEN = "laptop:person:ana", "laptop:person:ben"
DOC = "docs/PATHOS.md"


class FixedClock:
    def now(self):  # type: ignore[no-untyped-def]
        return NOW


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("projects") / "payments"
    payments(root)
    return root


@pytest.fixture
def root(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the project, and a memory of its own."""
    monkeypatch.setenv("RECOLLECT_HOME", str(tmp_path / "own"))
    monkeypatch.delenv("RECOLLECT_MEMORY_URL", raising=False)
    shutil.copytree(made, tmp_path / "payments")
    return tmp_path / "payments"


def screen(run: Driven) -> CurateScreen:
    found = run.app.screen
    assert isinstance(found, CurateScreen)
    return found


def change(run: Driven) -> str:
    return "\n".join(line.text() for line in screen(run).change.lines)


def asked(run: Driven) -> str:
    assert isinstance(run.app.screen, TextScreen)
    return "\n".join(line.text() for line in run.app.screen.query_one("#text", LineView).lines)


def said(run: Driven) -> dict[str, str]:
    return {name: field.said for name, field in screen(run).fields.items() if field.said}


async def write(run: Driven, **values: str) -> None:
    """Write into fields, and let the whole seat-check run without waiting for the pause."""
    for name, value in values.items():
        screen(run).fields[name].value = value
    await run.settle()
    screen(run).ask_preview()
    await run.settle()


@asynccontextmanager
async def curate(root: Path, *, size: tuple[int, int] = (140, 40), place: str = "curate") -> AsyncIterator[Driven]:
    """The app, begun in the place Curate."""
    options = AppOptions(
        motion=False, place=place, soul_folder=str(root), memory=OwnMemory(),
        soul=ProjectSoul(str(root), FixedClock()), curate=ProjectCurate(str(root), FixedClock()),
    )  # fmt: skip
    async with driven(size=size, options=options) as run:
        yield run


# Deciding


async def test_the_work_list_holds_stale_claims_and_marks_the_decided(root: Path) -> None:
    async with curate(root) as run:
        assert [row.line for row in screen(run).rows] == [13, 15, 18, 28]
        assert "what it is" not in said(run)
        await write(run, why="dropped", where="git history", by=ANA)
        await run.press("f2")
        assert "✓ decided" in run.text()
        assert "1 decision open" in run.app.screen.query_one("#header").text()  # type: ignore[attr-defined]
        assert screen(run).row.line == 15  # type: ignore[union-attr]
        await run.press("k")
        assert screen(run).values["why"] == "dropped"
        await run.press("f2")
        assert "decided already" in run.toasts()
        await run.press("f9")
        assert screen(run).work.draft.prunes == ()  # type: ignore[union-attr]
        assert screen(run).values["why"] == "dropped"  # its words stay


async def test_what_the_rules_say_stands_below_its_field_as_one_types(root: Path) -> None:
    async with curate(root) as run:
        await run.press("enter")
        await run.burst(*"it")
        await run.settle()
        assert said(run)["where"].startswith("Say where it went")
        assert "curated_by is missing" in said(run)["by"]
        assert said(run)["grader"].startswith("Nobody grades yet")
        await run.press("enter", "alt+2")
        assert said(run)["where"].startswith("Name the document")
        await run.press("alt+3")
        assert "where" not in said(run)
        screen(run).fields["by"].value = ANA
        screen(run).fields["grader"].value = "Laptop:Person:ANA @parent"
        await run.settle()
        assert "are one seat" in said(run)["grader"]  # before the whole check ran
        await write(run, grader=BEN)
        assert said(run) == {}
        assert "✓ passes" in change(run)
        assert "-- The gateway lives in `pay/gateway.py`" in change(run)


async def test_nothing_typed_is_lost_by_esc_or_by_choosing_another_claim(root: Path) -> None:
    async with curate(root) as run:
        await run.press("enter")
        await run.burst(*"half a reason")
        await run.press("escape", "j")
        assert screen(run).values["why"] == ""
        await run.press("escape")
        await run.press("f7", "3")
        await run.press("k")
        assert screen(run).values["why"] == "half a reason"


async def test_keys_typed_at_once_reach_the_field_that_enter_leads_to(root: Path) -> None:
    async with curate(root) as run:
        await run.press("enter")
        await run.burst(*"ab", "enter", *"gone", "enter", "enter", *"me", "enter", *"you")
        await run.settle()
        await run.settle()
        values = screen(run).values
        assert (values["why"], values["where"], values["by"], values["grader"]) == ("ab", "gone", "me", "you")


async def test_a_claim_may_stay_stale_with_a_reason_of_its_own(root: Path) -> None:
    async with curate(root) as run:
        await run.press("j", "f3")
        assert "Write in the field “stays because”" in run.toasts()
        await write(run, stays="the tables come back in May")
        assert "the tables come back in May" in " ".join(change(run).split())
        await run.press("f3")
        assert "✓ stays" in run.text()
        assert "the tables come back in May" in list(screen(run).work.draft.still_stale.values())  # type: ignore[union-attr]


async def test_a_declared_claim_is_proposed_and_never_taken_out(root: Path) -> None:
    before = (root / DOC).read_bytes()
    async with curate(root, place="soul") as run:
        assert isinstance(run.app.screen, SoulScreen)
        at = next(n for n, row in enumerate(run.app.screen.rows) if "Do not retry a refund" in row.text)
        run.app.screen.claims.choose(at)
        await run.press("c")
        assert screen(run).row.line == 33  # type: ignore[union-attr]
        assert "≡ proposed" in run.text()
        await write(run, stays="a rule, whatever the law says", by=ANA, grader=BEN)
        assert "left as it is" in change(run)
        await run.press("f3")
        assert "✓ stays" in run.text()
        assert [why for _, why in screen(run).work.draft.declined] == ["a rule, whatever the law says"]  # type: ignore[union-attr]
        await run.press("f8")
        assert "The document stays as it is" in asked(run)
        assert "a rule, whatever the law says" in asked(run)
        await run.press("escape", "G", "f9")
        assert screen(run).work.decisions == 0  # type: ignore[union-attr]
        await write(run, stays="", why="it is policy now", where="another document: docs/policy.md", by=ANA, grader=BEN)
        await run.press("f2", "f8")
        assert "The document stays as it is" in asked(run)
        assert "1 claim is proposed" in asked(run)
        await run.press("enter")
        assert (root / DOC).read_bytes() == before
        assert run.app.options.memory.look().status.claims == 0  # type: ignore[union-attr]


# Applying and undoing


async def test_applying_shows_the_exact_difference_and_undo_brings_every_byte_back(root: Path) -> None:
    before = (root / DOC).read_bytes()
    async with curate(root) as run:
        await write(run, why="it was dropped", where="git history", by=ANA, grader=BEN)
        await run.press("f8")
        assert "Nothing was decided yet." in run.toasts()
        await run.press("f2", "j")
        await write(run, why="not yet sure")
        await run.press("f8")
        assert "-- The gateway lives in `pay/gateway.py`" in asked(run)
        assert "What you typed for line 18 is not decided" in asked(run)
        await run.press("escape")
        assert (root / DOC).read_bytes() == before
        await run.press("f8", "enter")
        assert (root / DOC).read_bytes() == before.replace(b"- The gateway lives in `pay/gateway.py`\n", b"")
        assert "1 claim persisted in memory" in run.toasts()
        assert "3 stale" in str(screen(run).query_one("#curate-receipt", Static).render())
        (held,) = run.app.options.memory.look().view.held.values()  # type: ignore[union-attr]
        assert held.claim.soul_source == f"{DOC}#Current State"
        await run.press("l", "enter")
        assert "it was dropped" in asked(run)
        await run.press("enter")
        assert (root / DOC).read_bytes() == before
        assert "byte for byte" in run.toasts()
        await run.press("f4")
        assert "nothing to undo" in run.toasts()


async def test_a_seat_that_grades_itself_applies_nothing(root: Path) -> None:
    before = (root / DOC).read_bytes()
    async with curate(root) as run:
        await write(run, why="gone", where="gone", by=ANA, grader=ANA)
        await run.press("f2", "f8")
        assert "self_graded" in asked(run)
        await run.press("enter", "escape")
        assert (root / DOC).read_bytes() == before
        assert "does not pass" in run.toasts()


async def test_applying_with_a_commit_names_both_seats(root: Path) -> None:
    async with curate(root) as run:
        await write(run, why="gone", where="gone", by=ANA, grader=BEN)
        made = Made(root)
        made.git("config", "user.name", "Ana Ruiz")
        made.git("config", "user.email", "ana@example.test")
        await run.press("f2")
        screen(run).action_do("curate-commit")
        await run.settle()
        await run.press("enter")
        assert "Committed" in run.toasts()
        message = made.git("log", "-1", "--format=%B")
        assert f"Curated-by: {ANA}" in message
        assert f"Graded-by: {BEN}" in message


async def test_a_document_that_somebody_else_changed_is_never_overwritten(root: Path) -> None:
    async with curate(root) as run:
        await write(run, why="gone", where="gone", by=ANA, grader=BEN)
        await run.press("f2")
        theirs = (root / DOC).read_bytes() + b"\n- theirs\n"
        (root / DOC).write_bytes(theirs)
        await run.press("f8")
        assert "changed by somebody else" in run.toasts()
        await run.press("r", "f8")
        assert "changed after your decisions" in run.text()
        assert (root / DOC).read_bytes() == theirs
        screen(run).action_do("curate-drop")
        await run.settle()
        await run.press("enter")
        assert screen(run).work.draft.prunes == ()  # type: ignore[union-attr]
        assert not screen(run).work.moved  # type: ignore[union-attr]


async def test_a_claim_is_shown_in_soul_and_found_again_here(root: Path) -> None:
    async with curate(root) as run:
        await run.press("j", "c")
        assert isinstance(run.app.screen, SoulScreen)
        assert run.app.screen.row.line == 15  # type: ignore[union-attr]
        await run.press("c")
        assert screen(run).row.line == 15  # type: ignore[union-attr]


async def test_without_a_document_and_without_work_it_is_said_what_to_do(root: Path, tmp_path: Path) -> None:
    (root / DOC).write_text("# Fine\n\n## State\n\n- the client is `pay/client.py`\n")
    async with curate(root) as run:
        assert "Nothing in docs/PATHOS.md is stale or superseded." in run.text()
        assert "sent here from Soul" in run.text()
    async with curate(tmp_path / "nowhere") as run:
        assert "No document was checked." in run.text()
        assert "r checks again." in run.text()


# The frame


def test_every_row_has_an_action_and_the_footer_six_keys_at_most() -> None:
    for row in CURATE:
        assert not row.reason or row.reason in REASONS
        assert row.action or hasattr(CurateActions, "do_" + row.id.replace("-", "_")) or row.id.startswith("go-"), (
            row.id
        )
    full = CurateFacts(ready=True, row=True, stays=True, decisions=2, by=True, grader=True, applied=True)
    for pane in Pane:
        for facts in (CurateFacts(), CurateFacts(busy=True), full):
            for width in (200, 80, 1):
                keys = [piece.ref for piece in curate_words.hints(pane, facts, width) if piece.style == "key"]
                assert len(keys) <= 6
                assert all(not why_not(next(r for r in CURATE if f"do:{r.id}" == ref).reason, facts) for ref in keys)


async def test_every_command_of_the_palette_runs(root: Path) -> None:
    async with curate(root) as run:
        place = screen(run)
        for row in CURATE:
            if row.title and row.id not in ("quit", "curate-soul") and not row.id.startswith("go-"):
                place.action_do(row.id)
                await run.settle()
                while run.app.screen is not place:
                    run.app.pop_screen()
        assert run.app.is_running


async def test_any_size_is_survived(root: Path) -> None:
    chance = random.Random(5)
    async with curate(root, size=(80, 24)) as run:
        for keys in (("f2",), ("enter", "f2")):  # what is said lies over no field, listing or writing
            await run.press(*keys)
            run.app.clear_notifications()
            toast(screen(run), "Some words of what happened " * 4, "and what to do next", "warning")
            await run.settle()
            over = [each.region for each in screen(run).query("Toast") if each.region.height]
            assert over
            assert not [f for f in screen(run).fields.values() if any(f.region.overlaps(r) for r in over)]
            run.app.clear_notifications()
        for focus, wide in (("work", 200), ("why-line", 40), ("change", 101)):
            screen(run).query_one(f"#{focus}").focus()
            for width, height in ((1, 1), (wide, 12), (chance.randint(1, 120), chance.randint(1, 30))):
                await run.pilot.resize_terminal(width, height)
                await run.settle()
        await run.pilot.resize_terminal(140, 40)
        await run.settle()
        assert "The gateway lives in" in run.text()


async def test_hostile_text_is_drawn_as_signs(root: Path) -> None:
    payload = "".join(part for name, part in PAYLOADS.items() if name != "lines").replace("`", "")
    (root / DOC).write_text(
        f"# {payload}\n\n## {payload}\n\n- `gone/a.py` {payload}\n- `b.py` x\n", encoding="utf-8", errors="replace"
    )
    async with curate(root, size=(80, 24)) as run:
        seen = drawn(run)
        await write(run, why=payload, where=payload, by=payload, grader=payload)
        for keys in (("enter",), ("escape", "f2"), ("d",), ("escape", "f8"), ("escape", "l")):
            await run.press(*keys)
            seen += drawn(run)
        odd = {hex(ord(char)) for char in seen if not is_printable(char)}
        assert not odd, f"{odd} would reach the terminal"
