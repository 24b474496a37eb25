"""Records that are a part of a file, through the library: index, story with its cites, window, resume command."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.library import Library
from core.ports import Entry, IndexCondition, Standing
from core.recall.handles import resume_handle
from core.recall.model import RoundKind, Scope
from core.records.archive import Archive
from core.records.model import Locator, ReadProblem, Role, Source, Spine
from core.records.recordfile import named, record_exists, record_file, record_part
from indexes.whoosh_index import WhooshIndex
from tests.core.recall.fakes import FixedClock
from tests.core.records.builders import OTHER, SID, lines
from tests.core.records.stores import message, opencode, said_by, session, text

EVERYTHING = Scope()
OWN = "ses_aaaaaaaa"


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    home = tmp_path / "home"
    db = opencode(home / ".local/share/opencode")
    session(db, OWN, title="Porcelain glaze")
    message(db, "msg_1", OWN, said_by("user"), text("Why does the porcelain glaze crackle in the kiln?"))
    message(db, "msg_2", OWN, said_by("assistant"), text("The porcelain glaze shrinks faster than the body."))
    history = home / ".claude/history.jsonl"
    history.parent.mkdir()
    row = {"display": "teach the parrot to whistle", "timestamp": 1_772_359_200_000, "project": "/home/dev/birds"}
    history.write_bytes(lines({**row, "display": "other", "sessionId": OTHER}, {**row, "sessionId": SID}))
    archive = Archive.from_environment({}, str(home))
    yield Library(archive, WhooshIndex(tmp_path / "index", archive), str(home), FixedClock())
    db.close()


def test_a_row_is_found_told_and_shown(library: Library) -> None:
    done = library.refresh()
    assert (done.added, done.unreadable) == (3, 0)
    advance = library.start("the porcelain glaze that crackled", EVERYTHING)
    assert advance.round is not None
    assert advance.round.kind is RoundKind.PRESENT
    assert advance.round.recognizable is not None
    locator = advance.round.recognizable.members[0].locator
    assert locator.path.endswith(f"opencode.db#{OWN}")
    told = advance.round.story
    assert any("porcelain glaze crackle" in claim.quote and claim.line == 1 for claim in told)
    assert {claim.path for claim in told} == {locator.path}
    around = library.window(locator, 2, 0, 1, 1)
    assert not isinstance(around, ReadProblem)
    assert [turn.line for turn in around] == [1, 2]
    assert "porcelain glaze crackle" in library.raw_line(locator.path, 1, 0)
    assert "shrinks faster" in library.raw_line(locator.path, 2, 0)
    entry = library.by_path(locator.path)
    assert entry is not None
    assert library.by_id(OWN)[0].source == entry.source
    assert library.handle(locator).argv == ("opencode", "--session", OWN)
    assert "porcelain glaze crackle" in library.export(locator, "md")


def test_a_row_is_known_before_the_index_and_by_a_scan(library: Library) -> None:
    assert library.search("porcelain glaze", EVERYTHING).rows[0].locator.session_id == OWN
    assert any(row.locator.session_id == OWN for row in library.search("shrinks", EVERYTHING, wide=True).rows)


def test_the_index_is_current_until_the_database_is_written(library: Library, tmp_path: Path) -> None:
    library.refresh()
    assert library.index.state().condition is IndexCondition.CURRENT
    log = tmp_path / "home/.local/share/opencode/opencode.db-wal"
    ahead = log.stat().st_mtime_ns + 3_600_000_000_000
    os.utime(log, ns=(ahead, ahead))
    assert library.index.state().condition is IndexCondition.STALE
    assert library.refresh().unchanged == 3


def test_a_ghost_is_told_with_the_line_of_the_history(library: Library) -> None:
    library.refresh()
    advance = library.start("teach the parrot to whistle", EVERYTHING)
    assert advance.round is not None
    assert advance.round.recognizable is not None
    locator = advance.round.recognizable.members[0].locator
    assert (locator.session_id, record_file(locator.path).endswith("history.jsonl")) == (SID, True)
    assert {claim.line for claim in advance.round.story} == {2}
    handle = library.handle(locator)
    assert (handle.command, handle.argv) == ("", ())
    assert "only its prompts remain" in handle.note


def test_a_record_whose_database_is_gone_is_said_to_be_gone(library: Library, tmp_path: Path) -> None:
    library.refresh()
    path = next(one.path for one in library.archive.discover().sources if one.session_id == OWN)
    assert record_exists(path)
    for file in (tmp_path / "home/.local/share/opencode").iterdir():
        file.unlink()
    assert not record_exists(path)
    assert library.raw_line(path, 1, 0) == ""
    library.refresh()
    entry = library.entry(Locator("opencode", "", OWN, path))
    assert entry is not None
    assert entry.standing is Standing.GONE


def test_the_name_of_a_part_survives_any_id() -> None:
    for own in ("ses_1", "a/b#c", "ü %41", "x@2026-01-01"):
        path = named("/data/opencode.db", own)
        assert (record_file(path), record_part(path), os.path.dirname(path)) == ("/data/opencode.db", own, "/data")
    for path in ("/data/a#b.jsonl", "/a.db#x/b.jsonl", "/data/x.jsonl", "/C#/x.json", "/a/x.txt#y"):
        assert (record_file(path), record_part(path)) == (path, "")


@pytest.mark.parametrize(
    ("runtime", "own", "root", "command"),
    [
        ("opencode", OWN, "/h/.local/share/opencode", f"cd /p && opencode --session {OWN}"),
        ("crush", SID, "/h/.local/share/crush", f"cd /p && crush --session {SID}"),
        ("cursor", SID, "/h/.cursor", f"cd /p && cursor-agent --resume {SID}"),
        ("kimi", f"session_{SID}", "/h/.kimi-code", f"cd /p && kimi --session session_{SID}"),
        ("kimi", SID, "/h/.kimi", f"cd /p && kimi --session {SID}"),
        ("kimi", SID, "/k x", f"cd /p && KIMI_CODE_HOME='/k x' kimi --session {SID}"),
        ("vibe", SID, "/v", f"cd /p && VIBE_HOME=/v vibe --resume {SID}"),
        ("amp", f"T-{SID}", "/h/.local/share/amp", f"cd /p && amp threads continue T-{SID}"),
        ("grok", SID, "/g", f"cd /p && GROK_HOME=/g grok --resume {SID}"),
        ("antigravity", SID, "/h/.gemini/antigravity-cli", f"cd /p && agy --conversation {SID}"),
        ("opencode", "ses_1; rm -rf", "/h", ""),
        ("amp", SID, "/h", ""),
        ("kimi", "session_$(x)", "/h", ""),
        ("cline", "1772359200000", "/h", ""),
        ("specstory", SID, "/h", ""),
        ("copilot", SID, "/c", f"cd /p && COPILOT_HOME=/c copilot --resume {SID}"),
        ("pi", SID, "/h/.pi/agent", f"cd /p && pi --session {SID}"),
        ("pi", SID, "/h/.omp/agent", ""),
    ],
)
def test_each_runtime_resumes_in_its_own_way(runtime: str, own: str, root: str, command: str) -> None:
    source = Source(runtime, root, f"{root}/x.jsonl", own, 1, 1)
    handle = resume_handle(Entry(source, Spine(own, project="/p", cwds=("/p",))), None, "/h", lambda _: True)
    assert handle.command == command
    assert command or handle.note


def test_a_ghost_is_never_resumed() -> None:
    source = Source("codex", "/h/.codex", f"/h/.codex/history.jsonl#{SID}", SID, 1, 1, Role.GHOST)
    handle = resume_handle(Entry(source, Spine(SID, project="/p", cwds=("/p",))), None, "/h", lambda _: True)
    assert handle.command == ""
    assert "gone" in handle.note
