"""`recollect doctor`: each of the likely troubles brought about, found, and told with what mends it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from core.library import Library
from core.memory.claim import new_claim
from core.memory.sink import Memory
from core.paths import own_places
from core.ports import IndexCondition, IndexState
from core.records.model import Root, Source
from core.settings import Settings
from tests.core.memory.memories import served, sqlite_store
from tests.few import write_few
from tui import diagnosis, diagnosis_around
from tui.cli import main
from tui.diagnosis_around import Finding

DAY = 86400.0
NOW = 1_775_000_000.0


def mended(finding: Finding | None, state: str, *words: str) -> None:
    """The trouble was found, is told in these words, and with what to do."""
    assert finding is not None
    assert finding.state == state
    for word in words:
        assert word in finding.what + " " + finding.hint
    assert finding.hint


def test_no_sessions_are_found() -> None:
    (found,) = diagnosis.roots([Root("claude", "/home/ada/.claude")], set())
    mended(found, "bad", "No sessions were found", "/home/ada/.claude", "recollect demo")


def test_a_named_place_that_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "empty").mkdir()
    for name, words in (("none", "does not exist"), ("file", "is no folder"), ("empty", "holds no sessions")):
        root = Root("codex", str(tmp_path / name), "CODEX_HOME")
        first, _ = diagnosis.roots([root], set())
        mended(first, "bad", words, "CODEX_HOME", "recollect settings")


def test_a_place_of_the_settings_is_told_once_and_is_well_if_one_runtime_has_it() -> None:
    known = [Root(runtime, "/backup", "option") for runtime in ("claude", "codex", "git")]
    assert [f.state for f in diagnosis.roots(known, {("codex", "/backup")})] == ["ok"]
    assert [f.state for f in diagnosis.roots(known, {("claude", "/other")})] == ["bad"]


def source(path: Path, days: float = 0) -> Source:
    """A session of Claude Code, last changed so many days ago."""
    made = SimpleNamespace(path=str(path), runtime="claude", root=str(path.parent), mtime_ns=int((NOW - days * DAY) * 1e9),
                           role=SimpleNamespace(value="main"))  # fmt: skip
    return cast("Source", made)


def test_records_that_may_not_be_read(tmp_path: Path) -> None:
    for name in ("a.jsonl", "b.jsonl"):
        (tmp_path / name).write_text("")
    sources = [source(tmp_path / name) for name in ("a.jsonl", "b.jsonl", "gone.jsonl")]
    found = diagnosis.unreadable(sources, lambda path: not path.endswith("b.jsonl"))
    mended(found, "bad", "1 of 3 records", "b.jsonl", "chmod u+r")
    assert diagnosis.unreadable(sources, lambda path: True) is None


def test_an_index_that_is_damaged_or_not_there() -> None:
    def held(condition: IndexCondition, message: str = "") -> Library:
        return cast("Library", SimpleNamespace(state=lambda: IndexState(condition, message=message)))

    mended(diagnosis.index(held(IndexCondition.DAMAGED)), "bad", "damaged", "recollect index")
    mended(diagnosis.index(held(IndexCondition.ABSENT)), "note", "no index yet", "recollect index")
    mended(diagnosis.index(held(IndexCondition.BUILDING)), "note", "Another process", "ends by itself")
    assert diagnosis.index(held(IndexCondition.CURRENT)).state == "ok"


def test_a_folder_of_our_own_that_takes_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "own" / "index"
    mended(diagnosis_around.own_folder(folder, lambda place: False), "bad", "cannot be written", "RECOLLECT_HOME")
    mended(diagnosis_around.own_folder(folder, free_in=lambda place: 5e6), "bad", "Only 5 MB are free", "Make room")
    (tmp_path / "own").write_text("")
    mended(diagnosis_around.own_folder(folder), "bad", "is no folder", "RECOLLECT_HOME")
    assert diagnosis_around.own_folder(tmp_path, free_in=lambda place: 1e12) is None


def test_a_broken_settings_file(tmp_path: Path) -> None:
    env = {"RECOLLECT_HOME": str(tmp_path)}
    assert diagnosis_around.settings_file(env).state == "ok"
    for text, words in (
        ("[app\n", "cannot be read"),
        ("[app]\nthem = 1\n", "theme"),
        ('[keys]\nresume = "f1"\n', "help"),
    ):
        (tmp_path / "settings.toml").write_text(text)
        mended(diagnosis_around.settings_file(env), "bad", words)


def test_two_search_engines() -> None:
    both = {"whoosh3": "3.54.0", "whoosh": "2.7.4"}
    mended(
        diagnosis_around.engine(lambda name: both.get(name, "")), "bad", "whoosh3 3.54.0, whoosh 2.7.4", "of its own"
    )
    mended(diagnosis_around.engine(lambda name: ""), "bad", "none", "Install")
    assert diagnosis_around.engine().state == "ok"


@pytest.mark.parametrize(
    ("env", "encoding", "words"),
    [
        ({"LANG": "C.UTF-8"}, "utf-8", "TERM is “”"),
        ({"TERM": "dumb", "LANG": "C.UTF-8"}, "utf-8", "TERM is “dumb”"),
        ({"TERM": "xterm", "LANG": "C.UTF-8"}, "ANSI_X3.4-1968", "encoding is ANSI"),
        ({"TERM": "xterm", "LANG": "C"}, "utf-8", "LANG is “C”"),
        ({"TERM": "xterm", "LANG": "C.UTF-8", "LC_ALL": "POSIX"}, "utf-8", "LC_ALL is “POSIX”"),
    ],
)
def test_a_terminal_that_cannot_show_everything(env: dict[str, str], encoding: str, words: str) -> None:
    mended(diagnosis_around.terminal(env, encoding), "note", words)


def test_a_terminal_that_can() -> None:
    assert diagnosis_around.terminal({"TERM": "xterm", "LANG": "de_DE.utf8"}, "UTF-8").state == "ok"


def test_git_is_missing(tmp_path: Path) -> None:
    mended(diagnosis_around.git({"PATH": str(tmp_path)}), "note", "git is not on PATH", "Install git")


def test_a_clock_that_was_never_set() -> None:
    mended(diagnosis_around.clock(12 * DAY), "bad", "1970-01-13", "Set the clock")
    mended(diagnosis_around.clock(-5.0), "bad", "Set the clock")
    assert diagnosis_around.clock(NOW).state == "ok"


def test_the_program_of_a_runtime_is_missing(tmp_path: Path) -> None:
    mended(diagnosis.binary("codex", {"PATH": str(tmp_path)}), "note", "Codex sessions are here", "Install it")
    assert diagnosis.binary("git", {"PATH": str(tmp_path)}) is None


def test_a_runtime_that_is_about_to_delete(tmp_path: Path) -> None:
    root = Root("claude", str(tmp_path))
    sources = [source(tmp_path / "old.jsonl", 27), source(tmp_path / "new.jsonl", 2)]
    (found,) = diagnosis.about_to_go([root], sources, NOW)
    mended(found, "note", "30 days", "1 in", "cleanupPeriodDays")
    (tmp_path / "settings.json").write_text('{"cleanupPeriodDays": 3650}')
    assert diagnosis.about_to_go([root], sources, NOW) == []


def test_memory_that_does_not_drain_and_an_owner_that_is_away(tmp_path: Path) -> None:
    env = {"RECOLLECT_HOME": str(tmp_path), "RECOLLECT_MEMORY_URL": "http://127.0.0.1:9"}
    Memory.open(own_places(env), Settings(), env).spool.stage([new_claim("waits")])
    away, waits = diagnosis.memory(env, Settings())
    mended(away, "bad", "The owner is away")
    mended(waits, "bad", "1 write waits", "recollect memory drain")


def test_a_token_that_is_wrong(tmp_path: Path) -> None:
    with served(sqlite_store(tmp_path / "team.db")) as there:
        env = {
            "RECOLLECT_HOME": str(tmp_path),
            "RECOLLECT_MEMORY_URL": there.place,
            "RECOLLECT_MEMORY_TOKEN": "another",
        }
        (found,) = diagnosis.memory(env, Settings())
    mended(found, "bad", "The owner is away", "RECOLLECT_MEMORY_TOKEN")
    assert "another" not in found.what


def test_a_token_file_that_is_not_there(tmp_path: Path) -> None:
    env = {"RECOLLECT_HOME": str(tmp_path)}
    chosen = Settings(memory_url="http://127.0.0.1:9", memory_token_file=str(tmp_path / "none"))
    (found,) = diagnosis.memory(env, chosen)
    mended(found, "bad", "memory.token_file", "Write the token")


def test_everything_is_looked_at_although_the_settings_are_broken(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write_few(Path(os.environ["HOME"]))
    own = tmp_path / "own"
    own.mkdir()
    (own / "settings.toml").write_text("[app]\nthem = 1\n")
    monkeypatch.setenv("RECOLLECT_HOME", str(own))
    assert main(["doctor", "--json"]) == 3
    told: dict[str, Any] = json.loads(capsys.readouterr().out)
    states = {row["check"]: row["state"] for row in told["findings"]}
    assert states["settings"] == "bad"
    assert states["root"] == "ok"
    assert states["memory"] == "ok"
    assert told["bad"] == 1


def test_everything_is_looked_at_although_nothing_can_be_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "own").write_text("")
    monkeypatch.setenv("RECOLLECT_HOME", str(tmp_path / "own"))
    assert main(["doctor"]) == 3
    out = capsys.readouterr().out
    assert "BAD  own folder:" in out
    assert "is no folder" in out
    assert "ok   engine" in out
