"""How the places Curate and Memory look, as pictures; each docstring says what a person must see."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.tui.driving import Driven
from tests.tui.fake import FakePort
from tests.tui.memories import BEGAN, DAY, HeldMemory
from tests.tui.souls import NOW, payments
from tests.tui.test_curate_screen import FixedClock
from tui.app import AppOptions, RecollectApp
from tui.curate_project import ProjectCurate
from tui.screens.curate import CurateScreen

if TYPE_CHECKING:
    from textual.pilot import Pilot

    from tui.handover import Handover

SIZES = pytest.mark.parametrize("size", [(80, 24), (140, 40)], ids=["80x24", "140x40"])
Compare = Callable[..., bool]
TYPED = {"why": "the gateway was dropped", "by": "laptop:person:ana", "grader": "Laptop:person:ana@night"}


def _driven(app: RecollectApp, pilot: Pilot[Handover]) -> Driven:
    return Driven(app, pilot, FakePort())


@SIZES
def test_the_place_curate(
    snap_compare: Compare, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    """The receipt on top, the work list with sign, word and line, one claim of it chosen. In its form: why it goes; below
    the empty field where it went, that this has to be said; below the grader, that both seats are one. In the corner, that memory is persisted. Wide: the claims
    that would stay stale, at the right; narrow: the form has the room.
    """
    monkeypatch.setenv("RECOLLECT_HOME", str(tmp_path / "own"))
    payments(tmp_path / "payments")
    port = ProjectCurate(str(tmp_path / "payments"), FixedClock())
    options = AppOptions(motion=False, place="curate", curate=port, memory=HeldMemory())
    app = RecollectApp(FakePort(), None, options, now=NOW.timestamp())

    async def write(pilot: Pilot[Handover]) -> None:
        run = _driven(app, pilot)
        await run.settle()
        await run.press("enter")
        assert isinstance(app.screen, CurateScreen)
        for name, value in TYPED.items():
            app.screen.fields[name].value = value
        assert not any(field.line.cursor_blink for field in app.screen.fields.values())  # no motion is wanted
        await run.settle()
        app.screen.ask_preview()
        await run.settle()

    assert snap_compare(app, terminal_size=size, run_before=write)


@SIZES
def test_the_place_memory(snap_compare: Compare, size: tuple[int, int]) -> None:
    """The second line says in amber that one write waits. The claims newest first, hidden ones too: each with its day, kind
    and words, one forgotten, one superseded, two that are a fork. The chosen one whole, with tier, numbers, tags, author,
    evidence and its history newest first: beside the list where it is wide, below it where it is narrow.
    """
    options = AppOptions(motion=False, place="memory", memory=HeldMemory(waiting=1))
    app = RecollectApp(FakePort(), None, options, now=BEGAN + 10 * DAY)

    async def look(pilot: Pilot[Handover]) -> None:
        run = _driven(app, pilot)
        await run.settle()
        app.on_memory_touched()  # the app's own first look comes by the clock
        await run.press("full_stop", "j", "j")

    assert snap_compare(app, terminal_size=size, run_before=look)
