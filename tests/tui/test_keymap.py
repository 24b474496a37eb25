"""A person's own keys: what can be, why another cannot, and that the app, its footer, help and palette follow them."""

from __future__ import annotations

from contextvars import copy_context
from dataclasses import replace

import pytest
from textual.content import Content

from core.errors import UsageError
from tests.tui.driving import driven
from tests.tui.fake import FakePort
from tui.app import AppOptions
from tui.commands import RecollectCommands
from tui.key_rows import OWN_KEYS, key_names
from tui.keymap import FIXED, check_keymap, key_name, keymap_problems, named_keys
from tui.keys import TABLE, row_of


def test_other_keys_may_be_given() -> None:
    assert keymap_problems({}) == ()
    assert keymap_problems({"keep": "f10", "theme": "ctrl+l", "match-next": ">, alt+m"}) == ()


def test_two_actions_may_change_their_keys() -> None:
    assert keymap_problems({"resume": "f3", "copy-command": "f2"}) == ()
    assert keymap_problems({"resume": "f3"}) != ()


@pytest.mark.parametrize(
    ("keymap", "what", "hint"),
    [
        ({"resum": "f10"}, "no action is called “resum”", "“resume”"),
        ({"zzzzz": "f10"}, "no action", "docs/keys.md"),
        ({"copy-or-quit": "f10"}, "has a key that stays", "ctrl+c"),
        ({"back": "f10"}, "has a key that stays", "esc"),
        ({"resume": "ctrl+h"}, "the same for ctrl+h as for backspace", "function key"),
        ({"resume": "Ctrl+I"}, "as for tab", "function key"),
        ({"resume": "ctrl+shift+r"}, "no terminal can be relied on", "function key"),
        ({"resume": "ctrl+1"}, "no terminal can be relied on", "function key"),
        ({"resume": "hyper"}, "no terminal can be relied on", "function key"),
        ({"resume": "f3"}, "is the key of “copy-command” anywhere in Recollect", "F3 now"),
        ({"resume": "f1"}, "is the key of “help” anywhere", "F1"),
        ({"scope": "ctrl+c"}, "is the key of “copy-or-quit”", "Choose another one: ctrl+c always"),
        ({"match-next": "N"}, "is the key of “match-back” in the record", "N now"),
        ({"keep": "f10", "resume": "f10"}, "is the key of", "another"),
        ({"tell": "x"}, "in the cue it is typed", "function key"),
        ({"tell": "ctrl+w"}, "in the cue it edits the words", "function key"),
        ({"resume": "ctrl+k"}, "edits the words wherever", "function key"),
    ],
)
def test_a_key_that_cannot_be_is_refused_with_words(keymap: dict[str, str], what: str, hint: str) -> None:
    found = keymap_problems(keymap)
    assert len(found) == 1
    assert what in found[0][0]
    assert hint in found[0][1]
    with pytest.raises(UsageError) as problem:
        check_keymap(keymap, "/file: ")
    assert problem.value.what == f"/file: [keys]: {found[0][0]}."


def test_every_key_of_the_table_has_the_name_that_is_compared() -> None:
    assert all(key_name(key) == key for row in TABLE for key in row.keys.split(",") if key)
    assert named_keys({"help": "?, F1"}) == {"help": "question_mark,f1"}


def test_the_fixed_actions_are_in_the_table() -> None:
    assert {row_of(id_).id for id_ in FIXED} == set(FIXED)


async def test_the_app_its_footer_help_and_palette_follow_the_settings() -> None:
    keymap = {"scope": "alt+s", "theme": "ctrl+l", "match-next": ">", "copy-command": "f10"}
    async with driven(options=AppOptions(motion=False, keymap=keymap)) as run:
        before = run.app.theme
        await run.press("alt+s")
        assert "all projects" not in run.screen.scope.label
        await run.press("ctrl+r")
        assert run.screen.scope.label != "all projects", "the key that was given up does nothing"
        await run.press("ctrl+l")
        assert run.app.theme != before
        rows = {row.id: words for row, words, _ in RecollectCommands(run.screen)._rows()}
        assert "(alt+s)" in rows["scope"]
        assert "(ctrl+l)" in rows["theme"]
        await run.type("retries")
        await run.press("enter", "ctrl+y")
        assert "F10 copy the command" in run.dialogue()
        run.screen.record.focus()
        await run.settle()
        assert "> next match" in run.footer()
        await run.press("f1")
        assert "> " in run.text()
        assert "alt+s" in run.text()


async def test_the_palette_reads_no_markup_in_what_it_tells() -> None:
    """`[n]` of a help would vanish, and a reason may quote what a record says."""
    port = FakePort()
    port.handle_found = replace(port.handle_found, argv=(), note="[/nope] [bold]it is gone")
    async with driven(port) as run:
        await run.press("down")
        told = {r.id: Content.from_markup(words).plain for r, words, _ in RecollectCommands(run.screen)._rows()}
        assert told["resume"] == "not now: [/nope] [bold]it is gone"
        await run.type("retries")
        await run.press("enter")
        told = {r.id: Content.from_markup(words).plain for r, words, _ in RecollectCommands(run.screen)._rows()}
        assert row_of("follow").help in told["follow"]
        assert "[n]" in told["follow"]


def test_keys_of_one_app_are_not_those_of_the_next() -> None:
    def told() -> str:
        OWN_KEYS.set({"scope": "alt+f2"})
        return key_names(row_of("scope"))

    assert copy_context().run(told) == "alt+F2"
    assert key_names(row_of("scope")) == "ctrl+r"
