"""U15: any size is survived; under 100 columns the panes stand above each other; 80x24 is complete."""

from __future__ import annotations

import random
from typing import Any

import pytest
from textual.screen import Screen

from tests.tui.delegations import HeldDelegations
from tests.tui.driving import driven
from tui.app import AppOptions
from tui.screens.place import PlaceScreen

SIZES = [(1, 1), (5, 3), (6, 24), (40, 12), (100, 16), (300, 90)]


@pytest.mark.parametrize("keys", [(), ("f1",), ("f5",)])
async def test_u15_any_size_does_not_crash(keys: tuple[str, ...]) -> None:
    chance = random.Random(15)
    sizes = [*SIZES, *((chance.randint(1, 110), chance.randint(1, 40)) for _ in range(2))]
    async with driven() as run:
        await run.type("retries")
        await run.press("enter")
        await run.pilot.press(*keys)
        for width, height in sizes:
            await run.pilot.resize_terminal(width, height)
            await run.pilot.pause()
        await run.pilot.resize_terminal(140, 40)
        await run.settle()
        await run.press("escape")
        assert "One conversation" in run.text()


@pytest.mark.parametrize("size", [(1, 1), (3, 2), (12, 4)])
async def test_u15_the_app_starts_at_any_size(size: tuple[int, int]) -> None:
    async with driven(size=size) as run:
        await run.type("retries")
        await run.press("enter", "alt+1", "j", "o", "n", "escape")
        assert run.app.is_running


async def test_u15_the_first_frame_of_a_place_is_laid_out_for_its_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """A narrow terminal does not see a wide one's columns, a letter wide, until its size is reported."""
    laid: list[tuple[str, bool]] = []
    lay = Screen._refresh_layout

    def noted(self: Screen[Any], *args: Any, **named: Any) -> None:
        if isinstance(self, PlaceScreen):
            laid.append((self.PLACE, self.has_class("-narrow") and not self.has_class("-wide")))
        lay(self, *args, **named)

    monkeypatch.setattr(Screen, "_refresh_layout", noted)
    options = AppOptions(motion=False, delegate=HeldDelegations())
    async with driven(size=(80, 24), options=options) as run:
        run.app.action_go("delegate")
        await run.settle()
    assert {place for place, _ in laid} == {"recollect", "delegate"}
    assert all(narrow for _, narrow in laid), laid


async def test_u15_wide_shows_all_panes_beside_each_other() -> None:
    async with driven(size=(100, 30)) as run:
        assert run.screen.record.region.x > run.screen.dialogue.region.x
        assert run.screen.record.region.height > 3


async def test_u15_narrow_stacks_the_panes_and_shows_the_record_when_it_is_read() -> None:
    async with driven(size=(80, 24)) as run:
        assert run.screen.results.region.y > run.screen.dialogue.region.y
        assert not run.screen.record.region
        await run.type("retries")
        await run.press("enter", "alt+3")
        assert run.screen.record.region.height > 18
        assert "retry budget than a backoff" in run.text()
        await run.press("escape")
        assert run.screen.cue.has_focus
        assert "It took place; whether it still holds is not shown here." in run.text()


async def test_u15_a_source_that_is_opened_by_key_is_seen_at_80_columns() -> None:
    async with driven(size=(80, 24)) as run:
        await run.type("retries")
        await run.press("enter")
        assert run.screen.cue.has_focus, "a story that was told leaves the cursor in the cue"
        for number in (1, 2):
            await run.press("ctrl+o")
            assert run.screen.record.region.height > 18
            assert run.screen.followed == number
        await run.press("escape", "ctrl+o")
        assert run.screen.followed == 2, "back where one was"
        await run.press("escape")
        assert run.screen.cue.has_focus
        assert not run.screen.record.region
    async with driven(size=(140, 40)) as run:
        await run.type("retries")
        await run.press("enter", "ctrl+o")
        assert run.screen.cue.has_focus, "beside the dialogue it is seen anyway"


async def test_u15_every_pane_is_reached_by_key_at_80_columns() -> None:
    async with driven(size=(80, 24)) as run:
        seen = []
        for _ in range(4):
            seen.append(run.screen.pane.value)
            await run.press("f6")
        assert seen == ["in the cue", "in the dialogue", "in the candidates", "in the record"]
        assert run.screen.cue.has_focus
