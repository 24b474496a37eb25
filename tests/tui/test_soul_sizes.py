"""The place Soul at its limits: ten thousand claims, endless lines, any size, hostile text; and how it looks."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import pytest

from core.errors import RecollectError
from core.text import is_printable
from tests.tui.fake import FakePort
from tests.tui.souls import NOW, HeldSoul, look_of
from tests.tui.test_hostile import PAYLOADS, drawn
from tests.tui.test_soul_screen import held, screen, soul, told
from tui.app import AppOptions, RecollectApp
from tui.screens import soul_words
from tui.screens.soul_rows import Kind
from tui.widgets.pieces import Piece


async def test_thousands_of_claims_are_drawn_as_far_as_they_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "# Big\n\n## State\n\n" + "".join(f"- `src/file_{n}.py` does thing {n}\n" for n in range(2_000))
    drawn_rows: list[object] = []
    real: Callable[..., list[Piece]] = soul_words.draw_row

    def counting(row: object, width: int) -> list[Piece]:
        drawn_rows.append(row)
        return real(row, width)

    monkeypatch.setattr(soul_words, "draw_row", counting)
    async with soul(held(text), size=(140, 40)) as run:
        place = screen(run)
        assert place.look is not None
        assert place.look.report["claims"]["total"] == 2_000
        height = place.claims.size.height
        for keys in (("G",), ("pageup",), ("k",), ("g",), ("pagedown",)):
            drawn_rows.clear()
            await run.press(*keys)
            assert 0 < len(drawn_rows) <= 6 * height  # a list redrawn a few times, never the two thousand
        await run.press("G")
        rows = place._all
        assert rows[-1].kind in (Kind.SUMMARY, Kind.PAST)
        place.claims.choose(next(n for n, row in enumerate(rows) if row.line == 2_004))
        await run.settle()
        assert "file_1999.py" in place.document.text()
        assert "file_1999.py" in told(run)
        await run.press("slash")
        await run.burst(*"thing 1321")
        await run.settle()
        assert [row.line for row in place.rows if row.kind is Kind.CLAIM] == [1326]


async def test_a_line_of_a_megabyte_is_drawn_in_parts() -> None:
    text = "# Long\n\n## State\n\n- `a.py` " + "word " * 200_000 + "\n- `b.py` after\n"
    async with soul(held(text), size=(100, 24)) as run:
        screen(run).document.focus()
        await run.press("G")
        assert "`b.py` after" in screen(run).document.text()
        await run.press("g", "pagedown")
        assert "word word" in screen(run).document.text()


async def test_any_size_is_survived() -> None:
    chance = random.Random(5)
    async with soul(held()) as run:
        for focus, wide in (("claims", 200), ("detail", 40), ("document", 101), ("soul-words", 60)):
            if focus == "soul-words":
                await run.press("slash")
            else:
                screen(run).query_one(f"#{focus}").focus()
            for width, height in ((1, 1), (wide, 12), (chance.randint(1, 120), chance.randint(1, 30))):
                await run.pilot.resize_terminal(width, height)
                await run.pilot.pause()
        await run.pilot.resize_terminal(140, 40)
        await run.settle()
        screen(run).claims.focus()
        await run.settle()
        assert "a/one.py is first" in run.text()


@pytest.mark.parametrize("size", [(1, 1), (12, 4)])
async def test_it_starts_at_any_size(size: tuple[int, int]) -> None:
    async with soul(held(), size=size) as run:
        await run.press(
            "j", "enter", "enter", "n", "f", "slash", "x", "escape", "escape", "d", "escape", "f7", "escape"
        )
        assert run.app.is_running


@pytest.mark.parametrize("size", [(100, 24), (80, 24)])
async def test_hostile_text_is_drawn_as_signs(size: tuple[int, int]) -> None:
    payload = "".join(part for name, part in PAYLOADS.items() if name != "lines")
    text = f"# {payload}\n\n## {payload}\n\n- `{payload}` says {payload}\n- as of 2020-01-01 `{payload}.py`\n\n```\n{payload}\n```\n"
    port = HeldSoul(look_of(text, "P.md"))
    look = port.answer
    assert not isinstance(look, RecollectError)
    port.answer = replace(look, report={**look.report, "root": f"/made/{payload}", "soul_path": f"{payload}.md"})
    port.paths = (f"{payload}.md",)
    async with soul(port, size=size) as run:
        seen = drawn(run)
        for keys in (
            ("j",),
            ("j",),
            ("enter",),
            ("enter",),
            ("n",),
            ("escape", "exclamation_mark"),
            ("d",),
            ("escape", "y"),
        ):
            await run.press(*keys)
            seen += drawn(run)
        bad = {hex(ord(char)) for char in seen if not is_printable(char)}
        assert not bad, f"{bad} would reach the terminal"
        assert run.app.is_running


def test_secrets_of_a_document_are_masked_and_its_lines_keep_their_numbers() -> None:
    key = "-----BEGIN PRIVATE KEY-----\nabc\ndef\n-----END PRIVATE KEY-----"
    look = look_of(f"# T\r\n\r\n## State\r\n\r\n{key}\r\n\r\n- `a.py` is last\r\n")
    assert "abc" not in "\n".join(look.lines)
    (item,) = [i for i in look.report["items"] if "a.py" in i["text"]]
    assert look.lines[item["lines"][0] - 1] == "- `a.py` is last"


# How it looks


@pytest.mark.parametrize("size", [(80, 24), (140, 40)], ids=["80x24", "140x40"])
def test_the_place_soul(snap_compare: Callable[..., bool], size: tuple[int, int]) -> None:
    """The receipt in bold on top, the counts of states below it, all in brackets. The claims under their headings, each
    with sign, word and line; the failing counts at the right of the headings; the third claim set off. Wide: its detail
    at the right, and below it the document with that claim's line marked by a bar. Narrow: the detail below the list.
    """

    async def settle(pilot) -> None:  # type: ignore[no-untyped-def]
        for _ in range(4):
            await pilot.app.workers.wait_for_complete()
            await pilot.pause()
        await pilot.press("j", "j")
        await pilot.pause()

    options = AppOptions(motion=False, place="soul", soul=held())
    app = RecollectApp(FakePort(), None, options, now=NOW.timestamp())
    assert snap_compare(app, terminal_size=size, run_before=settle)
