"""The place Delegate as a person uses it: a task becomes a packet, is recorded, and is debriefed."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import SurroundingsError, UsageError
from core.text import is_printable
from tests.core.delegation.goldens import NOW
from tests.core.delegation.projects import project
from tests.tui.delegations import REFUSED, HeldDelegations
from tests.tui.driving import Driven, driven
from tests.tui.test_hostile import PAYLOADS, drawn
from tui.app import AppOptions
from tui.delegate_keys import OWN
from tui.delegate_place import ProjectDelegate, parted
from tui.keys import DELEGATE, Pane
from tui.screens import delegate
from tui.screens.delegate import DelegateScreen
from tui.screens.delegate_actions import DelegateActions
from tui.screens.delegate_debrief import DebriefForm
from tui.screens.delegate_picker import PickScreen
from tui.screens.delegate_port import DelegatePort, Draft, Report
from tui.screens.delegate_reasons import REASONS, DelegateFacts, why_not
from tui.screens.recollect import RecollectScreen
from tui.widgets.bar import Bar
from tui.widgets.field import Field
from tui.widgets.line_view import LineView


def screen(run: Driven) -> DelegateScreen:
    found = run.app.screen
    assert isinstance(found, DelegateScreen)
    return found


def told(run: Driven) -> str:
    return "\n".join(line.text() for line in screen(run).packet.lines)


def bar(run: Driven, name: str) -> str:
    return run.app.screen.query_one(f"#{name}", Bar).text()


async def write(run: Driven, words: str, name: str = "task") -> None:
    """Put words into a field of the order, and let the packet be composed."""
    place = screen(run)
    place.query_one(f"#order-{name}", Field).value = words
    await run.pilot.pause()
    place.compose_packet()
    await run.settle()


@pytest.fixture(autouse=True)
def long_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    """Packets are composed when a test says so, never by the clock."""
    monkeypatch.setattr(delegate, "SETTLES", 1000.0)


@asynccontextmanager
async def place(port: DelegatePort | None = None, *, size: tuple[int, int] = (140, 40)) -> AsyncIterator[Driven]:
    options = AppOptions(motion=False, place="delegate", delegate=port or HeldDelegations())
    async with driven(options=options, size=size) as run:
        screen(run)._now = NOW
        yield run


async def test_the_task_has_the_focus_and_its_packet_follows() -> None:
    port = HeldDelegations()
    async with place(port) as run:
        assert screen(run).query_one("#order-task", Field).line.has_focus
        await write(run, "Give the client a budget")
        assert port.calls[-1] == ("compose", Draft("Give the client a budget"))
        assert "Task: Give the client a budget" in told(run)
        assert "not recorded yet" in run.text()
        assert "of 2,000 tokens · cut: 6 dependents" in bar(run, "packet-line")
        await write(run, "700", "tokens")
        assert "of 700 tokens · cut" in bar(run, "packet-line")
        assert "Cut to fit the budget" in told(run)
        await write(run, "")
        assert "write the task" in told(run)


async def test_an_older_packet_that_comes_late_is_dropped() -> None:
    async with place() as run:
        await write(run, "The last one")
        shown = screen(run).shown
        from tui.screens.delegate_panes import Composed

        screen(run).post_message(Composed(0, REFUSED))
        await run.settle()
        assert screen(run).shown is shown


async def test_f2_records_the_packet_copies_it_and_goes_to_the_list() -> None:
    port = HeldDelegations()
    async with place(port) as run:
        await write(run, "Give the client a budget")
        await run.press("f2")
        assert ("record", "dlg_1780000000000_made000009") in port.calls
        assert screen(run).listed.has_focus
        assert screen(run).chosen is not None
        assert screen(run).chosen.packet.id.endswith("made000009")  # type: ignore[union-attr]
        assert "the packet" in run.toasts()
        assert screen(run).query_one("#order-task", Field).value == ""
        assert "3 live" in bar(run, "delegate-counts")
        await run.press("f2")
        assert "recorded already: y copies it, F8 debriefs it, i begins another" in run.toasts()
        await write(run, "Another one")
        screen(run).show_chosen()
        await run.settle()
        await run.press("f2")
        assert "i shows the new one" in run.toasts()
        assert [call[0] for call in port.calls].count("record") == 1  # what is not shown is not recorded


async def test_no_packet_says_why_and_what_to_do() -> None:
    port = HeldDelegations()
    port.answer = REFUSED
    async with place(port) as run:
        await write(run, "zzyzx")
        assert "The task's words lead to no one part of this project." in told(run)
        assert "Name what it is about." in told(run)
        assert "No packet: abstain, unscopable" in bar(run, "packet-line")
        await run.press("f2")
        assert "This task makes no packet; the pane says why" in run.toasts()
        port.trouble = UsageError("The budget cannot be “x”.", "It is a number.")
        await write(run, "again")
        assert "The budget cannot be “x”." in told(run)


async def test_the_list_shows_live_ones_and_their_packets() -> None:
    port = HeldDelegations()
    async with place(port) as run:
        await run.press("escape")
        assert "delegations (2 live)" in run.text()
        assert "live, 4 h 00 left" in run.text()
        await run.press("j")
        assert "Task: Round the tax in the cart" in told(run)
        await run.press("full_stop")
        assert "breached" in run.text()
        assert "expired" in run.text()
        await run.press("G", "enter")
        assert screen(run).packet.has_focus
        assert "Task: Rename the ledger" in told(run)
        await run.press("y", "w")
        assert ("write", "dlg_1780000000000_made000004") in port.calls
        assert "made000004.md" in run.toasts()
        await run.press("escape", "escape")
        assert "delegations (2 live)" in run.text()
        await run.press("escape")
        assert isinstance(run.app.screen, RecollectScreen)


async def test_a_debrief_shows_the_classes_as_they_come_and_what_was_taught() -> None:
    port = HeldDelegations()
    async with place(port) as run:
        await run.press("escape", "d")
        form = run.app.screen
        assert isinstance(form, DebriefForm)
        assert form._field("grader").value == "ana"
        classes = "\n".join(line.text() for line in form.query_one(LineView).lines)
        assert "✗ migrations/1.sql  breach: must not be touched" in classes
        assert "? else.py  unpredicted" in classes
        form._field("touched").value = "docs/x.md"
        await run.pilot.pause()
        form.grade()
        await run.settle()
        classes = "\n".join(line.text() for line in form.query_one(LineView).lines)
        assert classes.startswith("stayed")
        await run.press("f2")
        assert form._field("outcome").said.startswith("Say how it went")
        form._field("outcome").line.focus()
        await run.press("down")
        form._field("worker").value = "ben"
        form._field("command").value = "make test"
        form._field("report").line.focus()
        await run.press("f2")
        assert form._field("exit_status").said == "Say how the command ended."
        assert form._field("exit_status").line.has_focus
        assert "Not debriefed yet: ended with: Say how the command ended." in run.toasts()
        await run.press("escape", "d")
        form = run.app.screen
        assert isinstance(form, DebriefForm)
        assert form._field("worker").value == "ben"
        form._field("exit_status").value = "0"
        await run.press("f2")
        assert port.calls[-1] == (
            "debrief", "dlg_1780000000000_made000001",
            Report("ana", "ben", "success", "make test", "0", "docs/x.md"),
        )  # fmt: skip
        assert "delegations (1 live)" in run.text()  # the debriefed one is listed too, and is none of them
        text = told(run)
        for words in (
            "breached: 1 path",
            "finding persisted: The bank hangs up.",
            "lesson queued",
            "A caveat.",
            "not the quality",
        ):
            assert words in text
        assert "waits in the spool" in run.toasts()
        await run.press("d")
        assert "grade it again" in run.text()


async def test_one_that_ended_is_chosen_as_soon_as_it_is_listed() -> None:
    """The row that is marked is the one whose packet is shown and that the keys act on."""
    port = HeldDelegations()
    port.rows = port.rows[2:3]
    async with place(port) as run:
        await run.press("escape", "full_stop")
        assert "Task: Drop the old gateway" in told(run)
        await run.press("f8")
        assert "grade it again" in run.text()


@pytest.mark.parametrize("size", [(140, 40), (80, 24)])
async def test_what_memory_or_git_refuse_stands_in_the_form(size: tuple[int, int]) -> None:
    """A person reads why there is no debrief also where the form is longer than the screen."""
    port = HeldDelegations()
    port.debrief_trouble = SurroundingsError("Git does not answer.", "Give the paths.")
    async with place(port, size=size) as run:
        await run.press("escape", "d", "down", "f2")
        assert isinstance(run.app.screen, DebriefForm)
        assert "Git does not answer. Give the paths." in run.text()
        run.app.screen.query_one("#debrief-command", Field).value = "make"
        run.app.screen.query_one("#debrief-exit_status", Field).value = "zero"
        await run.press("f2")
        assert "It is a number; 0 is success." in run.text()


async def test_paths_are_picked_for_both_fields() -> None:
    async with place() as run:
        screen(run).query_one("#order-scope", Field).value = "gone/"
        await run.press("f3")
        form = run.app.screen
        assert isinstance(form, PickScreen)
        await run.press("down", "enter", "down", "f3", *"cart", "enter")
        await run.press("f2")
        assert screen(run).draft.scope == "gone/, pay/, web/cart.ts"
        assert screen(run).draft.must_not == "web/"


async def test_numbers_of_quality_stand_only_where_there_are_thirty_clean_rows() -> None:
    async with place(HeldDelegations(29)) as run:
        assert "not calibrated: 29 of 30 clean debriefs" in bar(run, "delegate-counts")
        assert "0.5" not in run.text()
    held = HeldDelegations(3)
    held.calibration = replace(held.calibration, rows=2, clean=0, unverified=2, contaminated=1, repeated=1)
    async with place(held) as run:
        assert "2 debriefed" in bar(run, "delegate-counts")
        assert "2 counted apart" in bar(run, "delegate-counts")
    async with place(HeldDelegations(30)) as run:
        assert "scope precision 0.50 (0.41 to 0.59) · miss rate 0.50" in bar(run, "delegate-counts")
        assert "dependents unknown" in bar(run, "delegate-counts")


async def test_a_port_that_fails_is_told_and_can_be_asked_again() -> None:
    port = HeldDelegations()
    port.trouble = SurroundingsError("The delegations cannot be read.", "Check the folder.")
    async with place(port) as run:
        await run.press("escape")
        assert "The delegations cannot be read." in run.text()
        assert "Check the folder." in run.text()
        port.trouble = None
        await run.press("r")
        assert "delegations (2 live)" in run.text()


@pytest.mark.parametrize("size", [(80, 24), (60, 12), (1, 1)])
async def test_every_size_is_survived_and_80_columns_are_complete(size: tuple[int, int]) -> None:
    async with place(size=size) as run:
        await write(run, "Give the client a budget")
        await run.press("escape", "j", "enter", "d", "escape", "ctrl+t", "f3", "escape")
        assert run.app.is_running
        if size == (80, 24):
            assert "may touch" in run.text()
            assert "Task: Give the client a budget" in run.text()
            await run.press("escape")
            assert "live, 4 h 00 left" in run.text()
            assert "F8 debrief" in bar(run, "hints")


async def test_hostile_words_steer_nothing() -> None:
    port = HeldDelegations()
    nasty = "".join(PAYLOADS)
    port.rows = [replace(d, packet=replace(d.packet, order=replace(d.packet.order, task=nasty))) for d in port.rows]
    async with place(port) as run:
        await write(run, nasty)
        await run.press("escape", "j", "d")
        assert is_printable(run.text())
        assert "\x1b]" not in drawn(run)


async def test_keys_at_random_break_nothing() -> None:
    chance = random.Random(5)
    keys = [*(k for row in OWN for k in row.keys.split(",") if k), "escape", "tab"]
    async with place(size=(90, 28)) as run:
        for _ in range(25):
            await run.tap(chance.choice(keys))
        await run.settle()
        assert run.app.is_running


def test_every_action_has_a_method_and_every_reason_a_function() -> None:
    for row in DELEGATE:
        if row.pane in (Pane.DELEGATE, Pane.DELEGATED, Pane.ORDER) and not row.action:
            assert hasattr(DelegateActions, "do_" + row.id.replace("-", "_")), row.id
            assert not row.reason or row.reason in REASONS
    for reason in REASONS:
        assert why_not(reason, DelegateFacts(busy=True)) or reason in ("busy",)
        recorded = reason != "no_preview"  # a packet is recorded once
        assert not why_not(reason, DelegateFacts(False, True, True, True, False, True, recorded))


def test_the_project_behind_the_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECOLLECT_HOME", str(tmp_path / "own"))
    made = project(tmp_path / "pay")
    port = ProjectDelegate(str(made.root))
    assert parted(" a, b/ ,,c ") == ("a", "b/", "c")
    assert "pay/" in port.paths()
    assert "pay/client.py" in port.paths()
    composed = port.compose(
        Draft("Give the client a budget", scope="pay/", must_not="web/", tokens="900", hint="one test")
    )
    recorded = port.record(composed)  # type: ignore[arg-type]
    identity = recorded.delegation.packet.id
    assert port.show(identity).text == recorded.text
    file = Path(port.write(identity))
    assert file.read_text() == recorded.text.text
    assert file.stat().st_mode & 0o777 == 0o600
    made.write("pay/client.py", "changed\n")
    assert port.graded(identity, "git")[0].paths == ("pay/client.py",)
    assert port.graded(identity, "web/tax.ts, x.py")[0].paths == ("web/tax.ts", "x.py")
    assert port.graded(identity, "none")[0].paths == ()
    assert port.graded(identity, "HEAD~1..HEAD")[0].paths == ("pay/client.py", "pay/rates.py")
    done = port.debrief(identity, Report("ana", "ben", "success", "make test", "0", "", "It is slow."))
    assert done.taught[0].state == "persisted"
    assert port.look().calibration.rows == 1
    for report in (
        Report("ana", "", "success", "make"),
        Report("ana", "", "success", "x", "y"),
        Report("ana", "", "x"),
    ):
        with pytest.raises(UsageError):
            port.debrief(identity, report)
    for draft in (Draft("x", tokens="many"), Draft("")):
        with pytest.raises(UsageError):
            port.compose(draft)


async def test_what_was_identified_begins_a_task() -> None:
    async with driven(options=AppOptions(motion=False, delegate=HeldDelegations())) as run:
        await run.press("f9")
        assert "Only what you identified is handed over." in run.toasts()
        await run.type("retries")
        await run.press("enter", "ctrl+y", "f9")
        line = screen(run).query_one("#order-task", Field).line
        assert line.has_focus
        assert line.value
        await run.press("escape", "escape")
        assert isinstance(run.app.screen, RecollectScreen)
