"""The screen is laid out anew only for what may move something in it."""

from __future__ import annotations

from textual.geometry import Size

from tests.tui.driving import driven
from tui.textual_private import measure
from tui.widgets.pieces import Paragraph, Piece


def _lines(number: int) -> tuple[Paragraph, ...]:
    return tuple(Paragraph((Piece(f"line {n}"),)) for n in range(number))


async def test_text_that_fits_asks_for_no_layout_and_more_text_brings_a_scrollbar() -> None:
    async with driven() as run:
        view = run.screen.dialogue
        view.show_paragraphs(_lines(2))
        await run.settle()
        view.show_paragraphs(_lines(3))
        assert not view._layout_required
        assert view.virtual_size.height == 3
        view.show_paragraphs(_lines(200))
        await run.settle()
        assert view.show_vertical_scrollbar
        view.show_paragraphs(_lines(3))
        await run.settle()
        assert not view.show_vertical_scrollbar
        assert "line 2" in run.text()


async def test_a_view_with_a_scrollbar_is_always_laid_out() -> None:
    async with driven() as run:
        view = run.screen.dialogue
        view.show_paragraphs(_lines(200))
        await run.settle()
        measure(view, Size(view.text_width, 2))
        assert view._layout_required


async def test_a_view_without_a_place_waits_for_it() -> None:
    async with driven(size=(60, 24)) as run:
        record = run.screen.record
        assert record.size.width == 0, "a narrow terminal shows one pane"
        record.say("words that are several lines where a line has one letter")
        assert record.virtual_size.height == 0


async def test_toasts_have_no_place_until_there_is_one() -> None:
    async with driven() as run:
        rack = run.screen.query_one("ToastRack")
        assert not rack.display
        run.app.notify("said")
        await run.settle()
        assert rack.display
        assert "said" in run.toasts()
