"""`search --scan` begins to look through files before the program is loaded: its answers stay what they are."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from core.records import looks, sieve
from core.records.sieve import Foreseen
from tests.core.records.builders import assistant, lines, text, user
from tui import foresight
from tui.cli import main

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or not os.access(sieve.PROGRAM, os.X_OK), reason="grep is asked on Linux only"
)
WORDS = ("quexo", "tander", "harbour", "ledger7shard")
QUERIES = (
    "quexo", "QUEXO", "tander harbour", "ledger7shard", "nowhere99", "1", "the", "quexo -tander", '"quexo there"',
    "agent:claude quexo", "quexo yesterday", "über", "a_b", "last week",
)  # fmt: skip


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with thirty records, and an index of them."""
    monkeypatch.setattr(looks, "YOUNG_NS", 0)
    monkeypatch.setattr(sieve, "FEWEST_BYTES", 0)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("RECOLLECT_HOME", str(tmp_path / "own"))
    for number in range(30):
        write(tmp_path / "home", number, WORDS[number % 4] if number % 5 else "nothing")
    main(["index", "--json"])
    return tmp_path / "home"


def write(home: Path, number: int, word: str) -> Path:
    """One record that holds a word in what was said, and every third one in a tool's input."""
    sid = f"{number:08d}-2222-4333-8444-555555555555"
    place = home / f".claude/projects/p{number % 3}/{sid}.jsonl"
    place.parent.mkdir(parents=True, exist_ok=True)
    done = {"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": f"echo {word} there"}}
    rows = [
        user(f"about {word} there", sessionId=sid),
        assistant(done if number % 3 == 0 else text("yes"), sessionId=sid),
    ]
    place.write_bytes(lines(*rows))
    return place


def answer(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    """What a search prints, but for what differs from run to run."""
    capsys.readouterr()
    main(["search", "--json", "--scan", *words])
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    del found["elapsed_ms"], found["index"]["built_at"], found["index"]["bytes"]
    return found


@pytest.mark.parametrize("change", ["nothing", "one grew", "one came", "one is gone", "all came anew"])
def test_answers_are_those_without_it(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    if change == "one grew":
        with write(home, 5, "nothing").open("ab") as file:
            file.write(lines(user("at last quexo there")))
    elif change == "one came":
        write(home, 40, "quexo")
    elif change == "one is gone":
        write(home, 4, "quexo").unlink()
    elif change == "all came anew":
        for number in range(30):
            write(home, number, "quexo")
    first = answer(capsys, "quexo")  # the index is brought up to date meanwhile
    begun = {query: answer(capsys, query) for query in QUERIES}
    monkeypatch.setattr(foresight, "foreseen", lambda query, roots, env: None)
    assert begun == {query: answer(capsys, query) for query in QUERIES}
    assert first == answer(capsys, "quexo")
    assert first["hits"]


def test_it_begins_for_plain_words_of_the_archive_alone(home: Path) -> None:
    def begins(*query: str, roots: Sequence[str] = (), env: Mapping[str, str] = os.environ) -> bool:
        found: Foreseen | None = foresight.foreseen(query, roots, env)
        if found is not None:
            found.sieve.close()
        return found is not None

    assert begins("quexo")
    assert begins("tander", "harbour")
    assert not any(map(begins, ("", "-", "the", "agent:claude quexo", '"quexo there"', "-quexo")))
    assert not begins("quexo", roots=[str(home / ".claude")])
    assert not begins("quexo", env={"RECOLLECT_HOME": str(home / "nowhere")})


def test_what_was_begun_is_used(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is begun a second time for what was foreseen; it is for what a cue turns out to mean."""
    begun: list[tuple[str, ...]] = []
    start: Callable[..., None] = sieve.Sieve.__init__

    def noted(self: sieve.Sieve, files: Sequence[tuple[str, int]], wanted: Any) -> None:
        begun.append(tuple(one.text for one in wanted))
        start(self, files, wanted)

    monkeypatch.setattr(sieve.Sieve, "__init__", noted)
    answer(capsys, "quexo")
    assert begun == [("quexo",)]
    begun.clear()
    answer(capsys, "agent:claude", "quexo")
    assert begun == [("quexo",)]


def test_no_process_is_left_where_the_command_breaks(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = home / "grep"
    program.write_text("#!/bin/sh\nexec sleep 1000\n", "utf-8")
    program.chmod(0o755)
    monkeypatch.setattr(sieve, "PROGRAM", str(program))
    started: list[int] = []
    make = foresight.foreseen

    def noted(query: Sequence[str], roots: Sequence[str], env: Mapping[str, str]) -> Foreseen | None:
        found = make(query, roots, env)
        started.extend(run._process for run in found.sieve._runs.values() if found) if found else None
        return found

    monkeypatch.setattr(foresight, "foreseen", noted)
    assert main(["search", "--scan", "--limit", "0", "quexo"]) == 2
    assert started
    for process in started:
        with pytest.raises(ProcessLookupError):
            os.kill(process, 0)
