"""Text that was made to steer a terminal, in every field of every pane: nothing crashes, nothing of it is drawn."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.candidates import Candidate
from core.recall.model import Adjacent, Claim, Excerpt, Handle, Qualification, Round, Searched
from core.records.model import ReadProblem, Turn
from core.text import is_printable, one_line
from tests.tui.driving import Driven, driven
from tests.tui.fake import FakePort, locator, story_round

PAYLOADS = {
    "clipboard": "a\x1b]52;c;aGFja2Vk\x07b",
    "markup": "A[/nope]B [/] [link=file:///etc/passwd]x[/link] [@click=app.quit]quit[/]",
    "bidi": "left\u202eright\u2066x\u2069\u200b\ufeff",
    "half markup": "[b + [bold [/",
    "controls": "nul\x00 del\x7f c1\x9b31m bell\x07 back\x08 cr\rx \x0e",
    "surrogate": "lone \ud800 high \udfff low",
    "lines": "one\u2028two\u2029three\x85four\x0bfive\x0csix",
    "tags": "flag \U000e0041\U000e0042 private \ue000",
}


def hostile(payload: str) -> FakePort:
    """A port whose every foreign string is the payload. A candidate's are shown() already, by contract."""
    port = FakePort(rows=3, turns=40)
    shown = one_line(payload)
    where = replace(locator(0), session_id=payload, path=f"/p/{payload}.jsonl")

    def row(old: Candidate) -> Candidate:
        return replace(old, phrase=shown, project=shown, branch=shown, terms=(payload, "["), gist=shown, kind=payload)

    def turn(old: Turn) -> Turn:
        return replace(old, text=f"{payload}\n{old.text}\n```{payload}", name=payload)

    def claim(old: Claim) -> Claim:
        return replace(old, text=payload, path=where.path, quote=payload, name=payload)

    def excerpt(old: Excerpt) -> Excerpt:
        return replace(old, text=payload, path=where.path, name=payload, matched=((0, 3),))

    told: Round = story_round()
    assert told.recognizable is not None
    member = told.recognizable.members[0]
    handle = Handle(payload, (payload,), payload, (), payload)
    member = replace(member, locator=where, gist=payload, title=payload, project=payload, branch=payload, handle=handle)
    port.rows = tuple(row(each) for each in port.rows)
    port.turns = tuple(turn(each) for each in port.turns)
    port.hints = (payload,)
    port.handle_found = handle
    port.roots_found = (Searched(payload, payload, 3),)
    port.round = replace(
        told,
        recognizable=replace(told.recognizable, members=(member,), joins=payload),
        story=tuple(claim(each) for each in told.story),
        excerpts=tuple(excerpt(each) for each in told.excerpts),
        adjacent=(Adjacent(where, payload, payload, 1e20),),
        qualifications=(Qualification(payload, payload),),
        question=payload,
        searched=port.roots_found,
        not_opened=(ReadProblem(payload, 3, payload, payload),),
        remarks=(payload,),
    )
    return port


def drawn(run: Driven) -> str:
    """Every character that the compositor would send."""
    strips = run.app.screen._compositor.render_strips()
    return "".join(segment.text for strip in strips for segment in strip)


@pytest.mark.parametrize("names", [("markup",), ("half markup",), tuple(PAYLOADS)], ids=["markup", "half", "all"])
async def test_hostile_text_is_drawn_as_signs(names: tuple[str, ...]) -> None:
    payload = "".join(PAYLOADS[name] for name in names)
    port = hostile(payload)
    async with driven(port, size=(100, 24)) as run:
        seen = drawn(run)
        await run.type(payload.replace("\n", " "))
        seen += drawn(run)
        await run.press("enter")
        seen += drawn(run)
        run.screen.dialogue.focus()
        await run.press("x", "s")
        seen += drawn(run)
        await run.press("1")
        seen += drawn(run)
        await run.press("o", "r")
        seen += drawn(run)
        await run.press("escape", "escape", "f2", "f3")
        run.screen.action_do("export-md")
        await run.settle()
        seen += drawn(run)
        await run.press("f5")
        seen += drawn(run)
        bad = {hex(ord(char)) for char in seen if not is_printable(char)}
        assert not bad, f"{bad} would reach the terminal"
        assert run.app.is_running


async def test_hostile_words_from_an_error_are_not_shown() -> None:
    port = FakePort()
    async with driven(port) as run:
        await run.type("boom \x1b]52;c;x\x07")
        assert "The list failed (KeyError)" in run.text()
        assert "SECRET" not in run.text()
