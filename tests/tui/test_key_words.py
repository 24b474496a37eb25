"""Words that name a key take it from the key table, so that a person's own keys are told."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from contextvars import copy_context
from pathlib import Path

import pytest

import tui
from tui.key_rows import OWN_KEYS, PANE_HELP
from tui.keys import TABLE, key_for, keyed
from tui.screens.curate_reasons import REASONS as CURATE
from tui.screens.curate_reasons import CurateFacts
from tui.screens.delegate_reasons import REASONS as DELEGATE
from tui.screens.delegate_reasons import DelegateFacts
from tui.screens.memory_reasons import REASONS as MEMORY
from tui.screens.memory_reasons import MemoryFacts
from tui.screens.reasons import REASONS as RECOLLECT
from tui.screens.reasons import Facts
from tui.screens.soul_reasons import REASONS as SOUL
from tui.screens.soul_reasons import SoulFacts
from tui.widgets.field import Field

ROOT = Path(tui.__file__).parent
NAMED = re.compile(
    r"\b(?:shift\+)?F(?:[1-46-9]|1[0-2])\b|\b(?:ctrl|alt)\+(?![cq]\b)[a-z0-9]\b|(?:^|[ (“,;])[a-zA-Z0-9./!] (?:goes|reads?|checks|shows|sends"
    r"|adds|drains|lists|unfolds|copies|opens|brings|debriefs)\b|\bpress enter\b|^enter [a-z]+s\b"
)
"""A key that a person may have given another one: those that always stay are F5, esc, ctrl+c and ctrl+q."""
OWN_BINDINGS = {
    "memory_form.py",
    "delegate_debrief.py",
    "delegate_picker.py",
    "choosing.py",
    "settings.py",
    "settings_words.py",
    "over.py",
}
"""Questions over a place: their keys are their own, and stand beside the bindings."""


def words_of(path: Path) -> Iterator[str]:
    """Each text of a module that is no docstring."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    told = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in told:
            yield node.value


@pytest.mark.parametrize("folder", ["screens", "widgets"])
def test_no_words_of_the_app_name_a_key_that_may_be_another(folder: str) -> None:
    for path in sorted((ROOT / folder).glob("*.py")):
        if path.name not in OWN_BINDINGS:
            assert not [words for words in words_of(path) if NAMED.search(words)], path


def test_words_follow_a_persons_own_keys() -> None:
    def with_own() -> tuple[str, str]:
        OWN_KEYS.set({"help": "f10", "yes": "", "go-soul": "f9"})
        return keyed("{help} helps"), keyed("{yes}: yes; {go-soul}, then {soul-curate}")

    assert keyed("{help} helps, {Brace} {} stay") == "F1 helps, {Brace} {} stay"
    assert copy_context().run(with_own) == ("F10 helps", "F5: yes; F9, then c")
    with pytest.raises(KeyError):
        keyed("{no-action} is none")


def test_answers_of_a_field_name_the_keys_that_put_them_in() -> None:
    def drawn(own: dict[str, str]) -> str:
        OWN_KEYS.set(own)
        field = Field("where", "where", answers=("memory", "gone"), keys=("curate-answer-1", "curate-answer-4"))
        return "".join(piece.text for piece in field._draw_answers(60)).strip()

    assert copy_context().run(drawn, {"curate-answer-4": "alt+g"}) == "alt+1 memory  alt+g gone"
    plain = Field("kind", "kind", answers=("fact", "rule"))
    assert "".join(piece.text for piece in plain._draw_answers(60)).strip() == "alt+1 fact  2 rule"


def test_every_key_that_words_name_is_one_of_the_table() -> None:
    ids = {row.id for row in TABLE}
    for path in [*(ROOT / "screens").glob("*.py"), *(ROOT / "widgets").glob("*.py")]:
        for words in words_of(path):
            for id_ in re.findall(r"\{([a-z]+(?:-[a-z]+)+|help|tell|scope|go|keep|yes)\}", words):
                assert id_ in ids, (path.name, id_)
    for about in PANE_HELP.values():
        assert "{" not in keyed(about)


def test_why_an_action_is_not_possible_names_keys_in_force() -> None:
    """Every reason of every place, with each action moved to a key of its own: none names a key of before."""
    moved = {row.id: f"f{13 + n % 7}" for n, row in enumerate(TABLE)}

    def reasons() -> list[str]:
        OWN_KEYS.set(moved)
        told = [why(Facts()) for why in RECOLLECT.values()] + [why(SoulFacts()) for why in SOUL.values()]
        told += [why(CurateFacts()) for why in CURATE.values()] + [why(MemoryFacts()) for why in MEMORY.values()]
        return told + [why(DelegateFacts()) for why in DELEGATE.values()] + [key_for("help")]

    words = copy_context().run(reasons)
    assert not [one for one in words[:-1] if NAMED.search(one)]
    assert any("F1" in one for one in words[:-1])
