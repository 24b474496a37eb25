"""`recollect soul watch`: what goes away for a moment is waited for, and nothing is said twice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import core.soul.watching as watching
from tests.core.git_made import Made
from tests.core.soul.projects import project, state
from tui.cli import main

BODY = state("- `pay/client.py` talks")


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Made:
    monkeypatch.setenv("RECOLLECT_HOME", str(tmp_path / "home"))
    made = project(tmp_path / "r", BODY)
    monkeypatch.chdir(made.root)
    return made


def _after(monkeypatch: pytest.MonkeyPatch, *steps: Callable[[], object]) -> None:
    """Each step is one burst of changes; then the watch ends."""

    def changes(root: str, stop: object = None) -> Iterator[frozenset[str]]:
        yield frozenset()
        for step in steps:
            step()
            yield frozenset((root,))

    monkeypatch.setattr(watching, "changes", changes)


def test_the_document_may_go_and_come_back(
    made: Made, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    soul, git = made.root / "PATHOS.md", made.root / ".git"
    _after(
        monkeypatch,
        soul.unlink,
        lambda: made.write("pay/other.py", "x = 1\n"),
        lambda: soul.write_bytes(b"\0"),
        lambda: soul.write_text(BODY),
        lambda: git.rename(made.root.parent / "git"),
        lambda: (made.root.parent / "git").rename(git),
        lambda: soul.write_text(BODY.replace("client", "gone")),
    )
    assert main(["soul", "watch"]) == 0
    told = capsys.readouterr()
    assert [("1 fresh" in line, "1 stale" in line) for line in told.out.splitlines() if line.startswith("soul: ")] == [
        (True, False), (True, False), (True, False), (False, True),
    ]  # fmt: skip
    problems = [line for line in told.err.splitlines() if not line.startswith("hint: ")]
    assert [
        any(words in line for words in ("No soul was found", "no text", "no git repository")) for line in problems
    ] == [True] * 3


def test_what_is_not_there_at_first_is_not_waited_for(
    made: Made, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _after(monkeypatch, lambda: made.write("other.md", BODY))
    assert main(["soul", "watch", "other.md"]) == 2
    assert "There is no file other.md" in capsys.readouterr().err


def test_a_change_that_changes_nothing_is_not_told(
    made: Made, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _after(monkeypatch, lambda: (made.root / "PATHOS.md").write_text(BODY))
    assert main(["soul", "watch", "--json"]) == 0
    assert capsys.readouterr().out.count("\n") == 1
