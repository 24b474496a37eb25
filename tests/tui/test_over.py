"""Questions over a place: each tells its keys with F1, and what F2 cannot do it leads to."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.binding import Binding
from textual.screen import ModalScreen
from textual.widgets._toast import Toast

from core.memory.claim import KINDS, Tier
from core.settings_file import SettingsFile
from tests.tui.delegations import HeldDelegations
from tests.tui.driving import driven
from tui.app import AppOptions
from tui.key_rows import written
from tui.screens.choosing import Choice, ChoiceScreen
from tui.screens.delegate_debrief import DebriefForm
from tui.screens.delegate_picker import PickScreen
from tui.screens.help import TextScreen
from tui.screens.memory_form import CLAIM, ClaimForm, judged_claim
from tui.screens.over import OverScreen
from tui.screens.settings import SettingsScreen
from tui.widgets.line_view import LineView
from tui.widgets.toast import toast

MADE: dict[type[OverScreen[Any]], Callable[[Path], OverScreen[Any]]] = {
    ClaimForm: lambda _: ClaimForm("add", CLAIM, {"text": ""}, judged_claim, writing=True),
    DebriefForm: lambda _: DebriefForm(port := HeldDelegations(), port.rows[0], {}, regrade=False),
    PickScreen: lambda _: PickScreen(("a.py", "b/"), "", ""),
    ChoiceScreen: lambda _: ChoiceScreen("which?", [Choice("one", "one")], narrowing="words"),
    SettingsScreen: lambda folder: SettingsScreen(SettingsFile(folder / "config.toml", {})),
}
"""Every question over a place."""


def _below(kind: type[Any]) -> set[type[Any]]:
    return {each for sub in kind.__subclasses__() for each in (sub, *_below(sub))}


def test_every_question_of_the_app_has_help() -> None:
    ours = {kind for kind in _below(ModalScreen) if kind.__module__.startswith("tui.screens.")}
    assert ours - {OverScreen, TextScreen} == set(MADE)


async def test_f1_tells_every_key_of_every_question(tmp_path: Path) -> None:
    """F1 in a form shows what is asked and each of its keys; esc leads back to the form, with its words."""
    async with driven(options=AppOptions(motion=False)) as run:
        for kind, make in MADE.items():
            run.app.push_screen(make(tmp_path))
            await run.settle()
            await run.press("f1")
            assert isinstance(run.app.screen, TextScreen), kind
            told = "\n".join(line.text() for line in run.app.screen.query_one("#text", LineView).lines)
            assert kind.ABOUT.split()[0] in told
            for binding in kind.BINDINGS:
                assert isinstance(binding, Binding)
                assert binding.description[-1] == ".", binding
                assert binding.description.split()[0] in told
            assert "F1" in told
            await run.press("escape")
            assert isinstance(run.app.screen, kind)
            await run.press("escape")


async def test_keeping_what_is_wrong_leads_to_the_field_and_says_it() -> None:
    """In a short terminal the wrong field may lie below: the cursor goes there, and the reason is said."""
    async with driven(options=AppOptions(motion=False), size=(80, 24)) as run:
        form = ClaimForm(
            "add",
            CLAIM,
            {"text": "It is so.", "kind": KINDS[0], "tier": next(iter(Tier)).value},
            judged_claim,
            writing=True,
        )
        run.app.push_screen(form)
        await run.settle()
        form._field("confidence").value = "7"
        await run.press("f2")
        assert run.app.screen is form
        assert form._field("confidence").line.has_focus
        assert form._field("confidence").said in " ".join(run.toasts().split())
        form.query_one("#form-text").load_text("")  # type: ignore[attr-defined]
        await run.press("f2")
        assert form.query_one("#form-text").has_focus


@pytest.mark.parametrize(
    ("key", "words"), [("question_mark", "?"), ("f2", "F2"), ("ctrl+n", "ctrl+n"), ("escape", "esc")]
)
def test_keys_are_written_as_people_write_them(key: str, words: str) -> None:
    assert written(key) == words


async def test_what_is_said_never_lies_over_the_field_it_is_about() -> None:
    async with driven(options=AppOptions(motion=False), size=(80, 24)) as run:
        form = DebriefForm(port := HeldDelegations(), port.rows[0], {"outcome": "success"}, regrade=False)
        run.app.push_screen(form)
        await run.settle()
        for field, other in (("command", "exit_status"), ("exit_status", "command")):
            form._field(field).value = "1"
            form._field(other).value = ""
            await run.press("f2")
            line, toast = form._field(other).line, list(form.query(Toast))[-1]
            assert line.has_focus
            assert line.region.height
            assert toast.region.height
            assert not line.region.overlaps(toast.region)
            run.app.clear_notifications()
            await run.settle()


async def test_what_is_said_again_stands_there_once() -> None:
    async with driven(options=AppOptions(motion=False), size=(80, 24)) as run:
        for words in ("The document is being checked.", "Something else.", "The document is being checked."):
            toast(run.app.screen, words)
            await run.settle()
        said = [str(note.message) for note in run.app._notifications]
        assert sorted(said) == ["Something else.", "The document is being checked."]
        assert len(list(run.app.screen.query(Toast))) == 2


async def test_no_word_about_the_place_below_lies_over_a_question_in_words() -> None:
    async with driven(options=AppOptions(motion=False), size=(80, 24)) as run:
        toast(run.app.screen, "Something that was said of the place below.", "and what to do next")
        await run.settle()
        assert run.toasts()
        run.app.push_screen(question := TextScreen("apply this?", (), asking="apply"))
        await run.settle()
        assert not list(question.query(Toast))


async def test_keys_typed_at_once_reach_the_field_that_enter_leads_to() -> None:
    """However fast one types, words after enter stand in the next field."""
    async with driven(options=AppOptions(motion=False), size=(80, 24)) as run:
        toast(run.app.screen, "Something that was said of the place below.")
        await run.settle()
        form = DebriefForm(port := HeldDelegations(), port.rows[0], {}, regrade=False)
        run.app.push_screen(form)
        await run.settle()
        assert not list(form.query(Toast))  # it would lie over the question
        await run.burst(*"partial", "enter", *"me", "enter", *"you", "enter", *"make", "enter", "0", "tab", *"none")
        await run.settle()
        await run.settle()
        found = {name: value for name, value in form.values.items() if value}
        assert found == {
            "outcome": "partial", "grader": "me", "worker": "you", "command": "make", "exit_status": "0", "touched": "none",
        }  # fmt: skip
