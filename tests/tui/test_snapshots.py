"""How the screen looks, as SVG. Each docstring says what a person must see."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from textual.pilot import Pilot

from tests.tui.fake import NOW, FakePort
from tui.app import AppOptions, RecollectApp
from tui.handover import Handover

Compare = Callable[..., bool]


def app(theme: str = "") -> RecollectApp:
    options = AppOptions(motion=False, theme=theme, project="/home/ada/code/payments")
    return RecollectApp(FakePort(), None, options, now=NOW)


async def tell(pilot: Pilot[Handover]) -> None:
    """Say a cue and wait until its story and its record are shown."""
    running = pilot.app
    assert isinstance(running, RecollectApp)
    await pilot.pause()
    await running.workers.wait_for_complete()
    await pilot.pause()
    running.place.cue.insert_text_at_cursor("that thing about retry")
    await pilot.press("enter")
    for _ in range(3):
        await running.workers.wait_for_complete()
        await pilot.pause()


@pytest.mark.parametrize("size", [(80, 24), (140, 40)], ids=["80x24", "140x40"])
def test_a_story_is_told(snap_compare: Compare, size: tuple[int, int]) -> None:
    """The person's words in blue after “you”; a bold headline; four sentences with blue [1] to [4]; below them in grey
    how it was captured and that it took place; a green command; two candidates near it. Wide: the list at the right with
    the first row set off, the record under it with the quoted sentence set off and “retri” marked. Narrow: the cue and
    the list below the story. The footer begins with ctrl+y and ends with F1.
    """
    assert snap_compare(app(), terminal_size=size, run_before=tell)


def test_the_light_theme(snap_compare: Compare) -> None:
    """Dark text on warm white; the same marks as in the dark theme, all of them readable."""
    assert snap_compare(app("recollect-light"), terminal_size=(140, 40), run_before=tell)


def test_the_terminals_own_colours(snap_compare: Compare) -> None:
    """Sixteen colours: the chosen row is known by its bar, matches by bold and underline, quiet text by being dim."""
    assert snap_compare(app("recollect-ansi"), terminal_size=(80, 24), run_before=tell)
