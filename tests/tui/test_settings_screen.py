"""The settings in the app: what a person sees, changes and takes back."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from core.settings import load_settings
from core.settings_file import SettingsFile
from tests.tui.driving import Driven, driven
from tui.app import AppOptions
from tui.keymap import check_keymap
from tui.screens.settings import SettingsScreen
from tui.widgets.row_list import RowList


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "own" / "settings.toml"


@asynccontextmanager
async def shown(
    path: Path, env: dict[str, str] | None = None, size: tuple[int, int] = (100, 40)
) -> AsyncIterator[tuple[Driven, SettingsScreen]]:
    """The app with the settings over it."""
    options = AppOptions(motion=False, settings=SettingsFile(path, env or {}, check_keymap))
    async with driven(options=options, size=size) as run:
        await run.press("f12")
        screen = run.app.screen
        assert isinstance(screen, SettingsScreen)
        yield run, screen


async def choose(run: Driven, screen: SettingsScreen, name: str) -> None:
    """Choose a setting; `""` is the row that adds keys."""
    names = [standing.row.name if standing else "" for standing in screen._rows]
    screen.query_one(RowList).choose(names.index(name))
    await run.settle()


async def test_every_setting_is_shown_with_its_source(path: Path) -> None:
    path.parent.mkdir()
    path.write_text("[records]\ncommits = 7\n")
    async with shown(path, {"NO_MOTION": "1"}) as (run, screen):
        text = run.text()
        rows = {
            s.row.name: next(line for line in text.split("\n") if f"{s.row.name} " in line) for s in screen._rows if s
        }
        assert "default" in rows["app.theme"]
        assert "by NO_MOTION" in rows["app.motion"]
        assert "7" in rows["records.commits"]
        assert "set" in rows["records.commits"]
        assert "one of auto, dark, light" in text
        await run.press("down")
        assert "NO_MOTION wins" in run.text()
        await run.press("escape")
        assert run.app.screen is run.screen
        assert run.screen.focused is run.screen.cue


async def test_a_theme_is_followed_at_once_and_taken_back(path: Path) -> None:
    async with shown(path) as (run, _screen):
        before = run.app.theme
        await run.press("enter", "enter")
        assert run.app.theme == "recollect-light"
        assert load_settings(path).theme == "light"
        assert '+ theme = "light"' in run.text()
        await run.press("u")
        assert run.app.theme == "recollect-dark"
        assert "Taken back" in run.text()
        await run.press("u", "u")
        assert "Nothing was changed here" in run.text()
        assert run.app.theme == before
        assert load_settings(path).theme == "auto"
        await run.press("enter", "x")
        assert path.read_text() == ""


async def test_motion_is_followed_at_once(path: Path) -> None:
    async with shown(path) as (run, screen):
        assert run.app.animation_level == "none"
        await choose(run, screen, "app.motion")
        await run.press("enter", "enter")
        assert run.app.animation_level == "full"
        assert run.screen.cue.cursor_blink
        await run.press("enter")
        assert run.app.animation_level == "none"
        assert not run.screen.cue.cursor_blink


async def test_a_number_is_judged_while_it_is_typed(path: Path) -> None:
    async with shown(path) as (run, screen):
        await choose(run, screen, "records.commits")
        await run.press("enter", "ctrl+u", "7", "x")
        assert "a number from 0 to 50,000" in run.text()
        await run.press("enter")
        assert screen.editing, "what is wrong is not written"
        assert not path.exists()
        await run.press("backspace")
        assert "✗" not in run.text()
        await run.press("enter")
        assert load_settings(path).commits == 7
        assert "holds from the next start on" in run.text()
        await run.press("enter", "9", "escape")
        assert load_settings(path).commits == 7, "esc leaves it as it is"
        assert run.app.screen is screen


async def test_an_action_is_given_other_keys(path: Path) -> None:
    async with shown(path) as (run, screen):
        await choose(run, screen, "")
        await run.press("enter", *"resum=f10")
        assert "Did you mean “resume”?" in run.text()
        await run.press("ctrl+u", *"resume=f10", "enter")
        assert load_settings(path).keys == {"resume": "f10"}
        await choose(run, screen, "keys.resume")
        await run.press("enter", "ctrl+u", *"f1")
        assert "is the key of “help”" in run.text()
        await run.press("ctrl+u", "enter")
        assert load_settings(path).keys == {}, "an empty line takes it out"


async def test_u22_a_broken_file_is_said_with_the_next_step(path: Path) -> None:
    path.parent.mkdir()
    path.write_text("[app]\nthem = 'dark'\n")
    async with shown(path) as (run, _screen):
        assert "Did you mean “theme”?" in run.text()
        await run.press("enter", "x", "u", "escape")
        assert run.app.screen is run.screen
    assert path.read_text() == "[app]\nthem = 'dark'\n"


async def test_what_the_file_lost_meanwhile_is_not_written_over(path: Path) -> None:
    async with shown(path) as (run, _screen):
        await run.press("enter")
        path.write_text("# by hand\n")
        await run.press("u")
        assert "was changed since" in run.text()
        assert path.read_text() == "# by hand\n"


@pytest.mark.parametrize("size", [(80, 24), (40, 10), (12, 4), (1, 1)])
async def test_u15_any_size(path: Path, size: tuple[int, int]) -> None:
    async with shown(path, size=size) as (run, _screen):
        await run.press("end", "pageup", "home", "enter")
        if size == (80, 24):
            text = run.text()
            assert "app.theme" in text
            assert "x default" in text
            assert "+ theme" in text
        await run.press("escape")
