"""What a cue says beside its words holds in the wider search too: OR, `-word`, `role:`, and what could not be read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.library import Candidates, Library
from core.recall.model import Scope
from core.records import bodies
from core.records.archive import Archive
from indexes.whoosh_index import WhooshIndex
from tests.core.records.builders import assistant, lines, tool_result, user

Ask = Callable[..., Candidates]


def said(words: str) -> dict[str, Any]:
    return assistant({"type": "text", "text": words})


def printed(words: str) -> dict[str, Any]:
    return user([tool_result(words)])


HOME = {
    "kebab": [user("a kebab for lunch")],
    "zebra": [user("something else"), printed("the zebra crossed")],
    "both": [user("kebab and zebra")],
    "done": [user("hello there"), said("it is done now")],
    "abandoned": [user("hello again"), said("that was abandoned")],
    "printed": [user("quiet"), printed("hello, done")],
}


@pytest.fixture
def place(tmp_path: Path) -> Callable[[str], Path]:
    def at(name: str) -> Path:
        number = list(HOME).index(name)
        return tmp_path / f".claude/projects/p/{number:08d}-2222-4333-8444-555555555555.jsonl"

    for name, rows in HOME.items():
        at(name).parent.mkdir(parents=True, exist_ok=True)
        at(name).write_bytes(lines(*({**row, "uuid": f"{name}-{n}"} for n, row in enumerate(rows))))
    return at


@pytest.fixture(params=["indexed", "cold"])
def ask(tmp_path: Path, place: Callable[[str], Path], request: pytest.FixtureRequest) -> Ask:
    archive = Archive.from_environment({}, str(tmp_path))
    library = Library(archive, WhooshIndex(tmp_path / "index", archive), str(tmp_path))
    if request.param == "indexed":
        library.refresh()
    return lambda cue: library.search(cue, Scope(), 100, wide=True)


def names(answer: Candidates) -> set[str]:
    """The records that the scan found."""
    found = {Path(row.locator.path).name for row in answer.rows if row.matched_by == ("scan",)}
    return {name for number, name in enumerate(HOME) if f"{number:08d}-2222-4333-8444-555555555555.jsonl" in found}


@pytest.mark.parametrize("cue", ["kebab OR zebra", '"kebab" OR "zebra"', '"kebab" OR zebra', 'kebab OR "zebra"'])
def test_words_joined_by_or_are_looked_for_each(ask: Ask, cue: str) -> None:
    answer = ask(cue)
    assert names(answer) == {"kebab", "zebra", "both"}
    assert any(hint.endswith("3 of them hold “kebab” or “zebra”.") for hint in answer.hints)


def test_what_must_be_held_beside_an_or_is_held(ask: Ask) -> None:
    assert names(ask('kebab OR zebra "lunch"')) == {"kebab"}
    assert names(ask("kebab OR zebra crossed")) == {"zebra"}
    assert names(ask("kebab zebra")) == {"both"}


def test_however_many_alternatives_there_are_none_is_passed_over(ask: Ask) -> None:
    many = " OR ".join(f"nowhere{n}" for n in range(40))
    answer = ask(f"{many} OR kebab")
    assert names(answer) == {"kebab", "both"}
    assert any(
        hint.endswith(
            "2 of them hold “nowhere0” or “nowhere1” or “nowhere2” or “nowhere3” or “nowhere4” or “nowhere5” or 35 more."
        )
        for hint in answer.hints
    )
    groups = " ".join(f"nowhere{n} OR kebab" for n in range(30))
    assert names(ask(groups)) == {"kebab", "both"}


def test_a_record_whose_talk_holds_a_word_that_is_refused_is_left_out(ask: Ask) -> None:
    """As a word of its own, and said by somebody: what a tool printed is no talk."""
    assert names(ask("hello")) == {"done", "abandoned", "printed"}
    answer = ask("hello -done")
    assert names(answer) == {"abandoned", "printed"}
    assert any("2 of them hold “hello”" in hint for hint in answer.hints)


def test_only_those_who_are_named_are_heard(ask: Ask) -> None:
    assert names(ask('"done"')) == {"done", "abandoned", "printed"}
    assert names(ask('role:assistant "done"')) == {"done", "abandoned"}
    assert names(ask('role:me "done"')) == set()
    assert names(ask('-role:assistant "done"')) == {"printed"}


def test_what_could_not_be_read_is_not_called_read(
    ask: Ask, place: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file may not be opened, which a test that runs as root has to play."""
    small, opened = bodies._small, bodies._beginning
    hidden = str(place("zebra"))

    def refused(path: str) -> Any:
        if path == hidden:
            raise PermissionError(13, "Permission denied")
        return small(path)

    def refused_too(path: str) -> bytes:
        if path == hidden:
            raise PermissionError(13, "Permission denied")
        return opened(path)

    monkeypatch.setattr(bodies, "_small", refused)
    monkeypatch.setattr(bodies, "_beginning", refused_too)
    answer = ask("zebra")
    assert names(answer) == {"both"}
    (told,) = [hint for hint in answer.hints if "read whole" in hint]
    assert told.startswith("5 records were read whole")
    assert told.endswith("1 of them holds “zebra”. 1 could not be read to its end.")
    assert (sum(s.by_scan for s in answer.searched), sum(s.unreadable for s in answer.searched)) == (5, 1)


@pytest.mark.parametrize("cue", ["hello OR zzzunknown", "zzzunknown OR hello", '"zzzunknown" OR "hello"'])
def test_an_alternative_that_nobody_said_takes_nothing_away(
    tmp_path: Path, place: Callable[[str], Path], cue: str
) -> None:
    """A word in nearly every session weighs little beside one in none."""
    archive = Archive.from_environment({}, str(tmp_path))
    library = Library(archive, WhooshIndex(tmp_path / "index", archive), str(tmp_path))
    library.refresh()
    found = [{row.locator.path for row in library.search(one, Scope(), 100).rows} for one in ("hello", cue)]
    assert len(found[0]) == 2
    assert found[0] == found[1]
