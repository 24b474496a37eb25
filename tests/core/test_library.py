"""The library over real files and the real index: heads before an index exists, scans, names, failure modes."""

from __future__ import annotations

import json
import os
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from core.library import Library
from core.ports import Filters, IndexCondition, Query
from core.recall.model import Holding, Identified, RoundKind, Scope, Utterance
from core.recall.remarks import of_the_fit
from core.records.archive import Archive
from core.records.model import Channel, ReadProblem
from core.records.robots import first_words, robot_reason
from indexes import glimpses
from indexes.whoosh_index import WhooshIndex
from tests.core.recall.fakes import FixedClock
from tests.few import write_few

EVERYTHING = Scope()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    write_few(tmp_path / "home")
    return tmp_path / "home"


@pytest.fixture
def library(home: Path, tmp_path: Path) -> Library:
    archive = Archive.from_environment({}, str(home))
    return Library(archive, WhooshIndex(tmp_path / "index", archive), str(home), FixedClock())


def titles(library: Library, text: str, **more: object) -> list[str]:
    return [r.phrase for r in library.search(text, EVERYTHING, **more).rows]  # type: ignore[arg-type]


def test_recall_works_from_heads_before_an_index_exists(library: Library) -> None:
    assert library.state().condition is IndexCondition.ABSENT
    advance = library.start("payment client retries forever", EVERYTHING)
    assert advance.round is not None
    assert advance.round.kind is RoundKind.PRESENT
    assert advance.round.searched[0].by_head > 0
    assert advance.round.searched[0].by_index == 0
    assert "does not hold this record yet" in advance.round.qualifications[0].finding
    assert library.search("tide table", EVERYTHING).rows[0].matched_by == ("head",)


def test_the_newest_are_those_that_a_list_without_words_begins_with(library: Library) -> None:
    assert library.newest() == ()
    library.refresh()
    assert library.newest() == library.candidates("", EVERYTHING).rows
    assert library.newest(1) == library.candidates("", EVERYTHING, 1).rows


def test_records_that_came_since_are_found_by_their_heads(library: Library, home: Path) -> None:
    library.refresh()
    session = "cccccccc-0000-4000-8000-000000000000"
    line = {
        "type": "user",
        "uuid": "u",
        "sessionId": session,
        "message": {"role": "user", "content": "teach the parrot to whistle"},
    }
    target = home / ".claude" / "projects" / "-home-sam-code-radio" / f"{session}.jsonl"
    target.parent.mkdir(exist_ok=True)
    target.write_text(json.dumps(line) + "\n")
    library.reload()
    found = library.search("parrot whistle", EVERYTHING)
    if library.state().condition is IndexCondition.CURRENT:
        library.refresh()
        found = library.search("parrot whistle", EVERYTHING)
    assert found.rows[0].locator.session_id == session


def test_the_whole_loop_over_files(library: Library) -> None:
    library.refresh()
    advance = library.start("港の読み仮名", EVERYTHING)
    assert isinstance(advance.outcome, Holding)
    advance = library.say(advance.context, Utterance("それです"), EVERYTHING)
    assert isinstance(advance.outcome, Identified)


def test_a_scan_reads_tool_output_subagents_and_broken_records(library: Library) -> None:
    library.refresh()
    assert titles(library, "ledger-shard-7") == []
    found = library.search("ledger-shard-7", EVERYTHING, wide=True)
    assert [r.phrase for r in found.rows] == ["Retry budget for the payment client"]
    assert "ledger-shard-7" in found.rows[0].gist
    assert sum(s.by_scan for s in found.searched) == 9
    assert any(r.kind == "subagent" for r in library.search("nightly job", EVERYTHING).rows)


def test_a_scan_that_was_stopped_counts_only_what_it_read(library: Library) -> None:
    library.refresh()
    advance = library.start("ledger-shard-7", EVERYTHING)
    stopped = library.say(advance.context, Utterance("search wider"), EVERYTHING, cancelled=lambda: True)
    assert stopped.round is not None
    assert any("was stopped" in r for r in stopped.round.remarks)
    assert sum(s.by_scan for s in stopped.round.searched) == 0
    assert sum(s.bytes_scanned for s in stopped.round.searched) == 0


def test_index_lacking_is_said_when_only_the_body_carries_it(library: Library) -> None:
    library.refresh()
    advance = library.start("ledger-shard-7", EVERYTHING)
    advance = library.say(advance.context, Utterance("search wider"), EVERYTHING)
    assert advance.round is not None
    assert "IndexLacking" in advance.round.qualifications[0].finding
    assert any("ledger-shard-7" in c.quote for c in advance.round.story)
    found = [r for r in advance.round.remarks if "9 records were read whole" in r and "of them hold" in r]
    assert len(found) == 1, advance.round.remarks
    assert of_the_fit(found[0]), "it is said before the story"


def test_a_parent_without_a_record_is_named(library: Library, home: Path) -> None:
    """SidechainNoSSOT: a subagent names a session that has no record of its own."""
    parent = next(
        p for p in (home / ".claude").rglob("*.jsonl") if "subagents" not in str(p) and "retry budget" in p.read_text()
    )
    parent_id = parent.stem
    parent.unlink()
    library.refresh()
    (row,) = [r for r in library.search("nightly job idempotency key", EVERYTHING).rows if r.kind == "subagent"]
    handle = library.handle(row.locator)
    assert handle.command == ""
    assert parent_id in handle.note
    assert "not here" in handle.note


def test_a_subagent_resumes_its_parent(library: Library) -> None:
    library.refresh()
    (row,) = [r for r in library.search("nightly job idempotency key", EVERYTHING).rows if r.kind == "subagent"]
    handle = library.handle(row.locator)
    assert "claude --resume" in handle.command
    assert row.locator.session_id not in handle.command or "parent" in handle.note or "started it" in handle.note


def test_a_record_that_vanishes_between_listing_and_reading_is_a_value(library: Library, home: Path) -> None:
    library.refresh()
    rows = library.search("tide table", EVERYTHING).rows
    os.unlink(rows[0].locator.path)
    advance = library.start("tide table", EVERYTHING)
    assert advance.round is not None
    assert any("gone" in p.what for p in advance.round.not_opened)
    assert isinstance(library.window(rows[0].locator, 1, 0, 1, 1), ReadProblem | tuple)


def test_the_scope_holds_in_every_search(library: Library) -> None:
    library.refresh()
    scope = Scope(Filters(runtimes=("codex",)), "Codex")
    for wide in (False, True):
        rows = library.search("tests retry", scope, wide=wide).rows
        assert {r.locator.runtime for r in rows} <= {"codex"}
    advance = library.start("retry budget", scope)
    assert advance.round is not None
    assert advance.round.recognizable is not None
    assert advance.round.recognizable.members[0].locator.runtime == "codex"
    assert {s.runtime for s in advance.round.searched} == {"codex"}
    without = library.start("retry budget agent:-codex", EVERYTHING)
    assert without.round is not None
    assert "codex" not in {s.runtime for s in without.round.searched}
    assert len(without.round.searched) > 0


def test_names_and_paths_lead_to_records(library: Library) -> None:
    library.refresh()
    row = library.listed(EVERYTHING).rows[0]
    assert [e.source.path for e in library.by_id(row.locator.session_id)] == [row.locator.path]
    assert library.by_path(row.locator.path) is not None
    assert library.by_path("/nowhere") is None
    assert library.by_id("zz") == ()


@pytest.mark.parametrize("signs", [7, 8, 13, 36])
def test_a_session_named_by_its_id_goes_before_one_that_speaks_of_it(library: Library, home: Path, signs: int) -> None:
    named, speaker = "7a1b2c3d-0000-4000-8000-000000000000", "cccccccc-0000-4000-8000-000000000000"
    folder = home / ".claude" / "projects" / "-home-sam-code-radio"
    folder.mkdir(exist_ok=True)
    for session, text in ((named, "teach the parrot to whistle"), (speaker, f"go on with {named}, {named[:7]}")):
        message = {"role": "user", "content": text}
        line = {"type": "user", "uuid": session[:4], "sessionId": session, "message": message}
        (folder / f"{session}.jsonl").write_text(json.dumps(line) + "\n")
    for indexed in (False, True):
        if indexed:
            library.refresh()
            library.reload()
        advance = library.start(f"that session {named[:signs]}", EVERYTHING)
        assert advance.round is not None
        assert advance.round.recognizable is not None
        assert [m.locator.session_id for m in advance.round.recognizable.members] == [named]
        assert "IndexLacking" not in advance.round.qualifications[0].finding
        other = library.say(advance.context, Utterance("not that one"), EVERYTHING)
        assert other.round is not None
        assert other.round.recognizable is None or other.round.recognizable.members[0].locator.session_id != named


def test_a_viewer_gets_the_turns_around_a_line(library: Library) -> None:
    library.refresh()
    row = library.search("retry budget", EVERYTHING).rows[0]
    best = row.passages[0]
    turns = library.window(row.locator, best.line, best.start, 2, 2)
    assert isinstance(turns, tuple)
    assert best.line in {t.line for t in turns}
    assert {Channel.TALK} <= {t.channel for t in turns}
    assert library.raw_line(row.locator.path, best.line, best.start).startswith("{")


def test_without_words_everything_is_listed_newest_first(library: Library) -> None:
    library.refresh()
    rows = library.candidates("", EVERYTHING).rows
    started = [r.ended for r in rows if r.ended]
    assert len(rows) == 9
    assert started == sorted(started, reverse=True)


def test_roots_say_what_they_hold(library: Library) -> None:
    library.refresh()
    assert {(s.runtime, s.records, s.by_index) for s in library.roots()} == {("claude", 7, 7), ("codex", 2, 2)}


def test_records_that_cannot_be_read_are_counted(library: Library, home: Path) -> None:
    library.refresh()
    assert library.index.counts() == {
        ("claude", str(home / ".claude")): (7, 0),
        ("codex", str(home / ".codex")): (2, 0),
    }


def test_an_index_that_breaks_is_another_miss_than_one_that_holds_nothing(library: Library, tmp_path: Path) -> None:
    library.refresh()
    assert library.search("storm siren", EVERYTHING).rows
    for file in (tmp_path / "index").rglob("*"):
        if file.is_file() and file.stat().st_size > 1000:
            file.write_bytes(b"\x00" * 64)
    found = library.search("storm siren", EVERYTHING)
    assert found.condition is IndexCondition.DAMAGED
    assert found.rows[0].matched_by == ("head",), "the heads still answer"
    assert any("damaged" in h for h in found.hints)
    assert "built anew" in library.refresh().message
    assert library.search("storm siren", EVERYTHING).rows[0].matched_by == ("index",)


def test_a_slug_finds_its_session(library: Library, home: Path) -> None:
    """reference/peers.md 2a, CC#47550: the name a runtime gives a session is searched too."""
    session = "dddddddd-0000-4000-8000-000000000000"
    line = {
        "type": "user", "uuid": "u", "sessionId": session, "slug": "velvet-dancing-otter", "cwd": "/home/sam/code/radio",
        "message": {"role": "user", "content": "teach the parrot to whistle"},
    }  # fmt: skip
    target = home / ".claude" / "projects" / "-home-sam-code-radio" / f"{session}.jsonl"
    target.parent.mkdir(exist_ok=True)
    target.write_text(json.dumps(line) + "\n")
    library.refresh()
    assert library.search("velvet-dancing-otter", EVERYTHING).rows[0].locator.session_id == session


def test_sessions_of_programs_are_folded_until_asked_for(library: Library, home: Path) -> None:
    """formats.md A4: a usage meter's sessions would drown the list by date."""
    folder = home / ".claude" / "projects" / "-probe"
    folder.mkdir()
    for number in range(7):
        session = f"abcdef0{number}-0000-4000-8000-000000000000"
        line = {
            "type": "user", "uuid": f"u{number}", "sessionId": session, "cwd": "/Users/x/CodexBar/ClaudeProbe",
            "timestamp": "2026-09-01T00:00:00Z", "message": {"role": "user", "content": "Unknown skill: usage"},
        }  # fmt: skip
        (folder / f"{session}.jsonl").write_text(json.dumps(line) + "\n")
    library.refresh()
    listed = library.listed(EVERYTHING)
    assert (len(listed.rows), listed.folded) == (9, 7)
    assert len(library.listed(EVERYTHING, robots=True).rows) == 16
    typing = library.candidates("", EVERYTHING)
    assert len(typing.rows) == 9
    assert any("7 sessions of programs are folded" in h for h in typing.hints)
    assert len(library.candidates("is:robot", EVERYTHING).rows) == 7


def test_a_gone_record_says_so_beside_a_long_phrase(library: Library) -> None:
    from dataclasses import replace

    from tui.listing import hit_lines, row_line

    library.refresh()
    row = replace(library.search("tide table", EVERYTHING).rows[0], phrase="words " * 60, gone=True)
    assert hit_lines(1, row, 80)[0].endswith("(file gone)")
    assert "(file gone)" in row_line(row, 100)


def test_an_index_on_a_disk_that_cannot_be_written_is_searched_as_it_is(
    library: Library, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library.refresh()
    library.index.close()
    real = os.access
    monkeypatch.setattr("os.access", lambda path, mode, **more: mode != os.W_OK and real(path, mode, **more))
    before = {p: p.read_bytes() for p in (tmp_path / "index").rglob("*") if p.is_file()}
    again = Library(library.archive, WhooshIndex(tmp_path / "index", library.archive), str(home), FixedClock())
    done = again.refresh()
    assert done.stopped
    assert "cannot be written" in done.message
    assert again.search("storm siren", EVERYTHING).rows
    assert again.index.deepen().read == 0
    assert {p: p.read_bytes() for p in before} == before


def test_a_stopped_scan_can_be_taken_up_again(library: Library) -> None:
    library.refresh()
    advance = library.start("ledger-shard-7", EVERYTHING)
    advance = library.say(advance.context, Utterance("search wider"), EVERYTHING, cancelled=lambda: True)
    assert advance.round is not None
    assert advance.round.expansion is not None
    advance = library.say(advance.context, Utterance("yes"), EVERYTHING)
    assert advance.round is not None
    assert advance.round.story


def _plainly(library: Library, *, robots: bool, parts: bool, limit: int) -> tuple[list[object], int]:
    """The list by date by the rule of old: every record is opened, then most are left out."""
    leads = library.searcher.find(Query(limit=1_000_000)).leads
    prompts = Counter(first_words(lead.hit.entry.spine) for lead in leads)
    kept = [x for x in leads if robots or not robot_reason(x.hit.entry.spine, prompts)]
    rows = [library._row(lead, None) for lead in kept]
    rows = [row for row in rows if parts or row.kind in ("main", "fork")]
    return list(rows[:limit] if limit else rows), len(leads) - len(kept)


@pytest.mark.parametrize("state", ["current", "one more", "catalog damaged", "none"])
def test_a_list_reads_no_more_than_it_shows_and_says_the_same(
    library: Library, home: Path, tmp_path: Path, state: str
) -> None:
    folder = home / ".claude/projects/-same"
    for number in range(12):
        sid = f"abcdef{number:02d}-0000-4000-8000-000000000000"
        row = {
            "type": "user", "uuid": f"u{number}", "sessionId": sid, "cwd": "/x", "timestamp": f"2026-0{1 + number % 9}-01T00:00:00Z",
            "message": {"role": "user", "content": "the same\n first  WORDS" if number % 4 else f"first words of {number}"},
        }  # fmt: skip
        place = folder / ("" if number % 3 else f"{number}/subagents") / f"{'' if number % 3 else 'agent-'}{sid}.jsonl"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(json.dumps(row) + "\n", "utf-8")
        if state == "one more" and number == 10:
            library.refresh()
    if state != "none":
        library.refresh() if state != "one more" else library.reload()
    if state == "catalog damaged":
        with closing(sqlite3.connect(tmp_path / "index/catalog.sqlite")) as catalog, catalog:
            catalog.execute("delete from details where ordinal = (select max(ordinal) from records)")
    for robots in (True, False):
        for parts in (True, False):
            for limit in (0, 1, 5, 100):
                told = library.listed(EVERYTHING, robots=robots, parts=parts, limit=limit)
                expected = _plainly(library, robots=robots, parts=parts, limit=limit)
                assert (list(told.rows), told.folded) == expected
    assert state != "current" or library.listed(EVERYTHING).folded == 6


def test_of_a_list_only_what_is_shown_is_opened(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    library.refresh()
    read: list[object] = []
    source_from = glimpses.source_from
    monkeypatch.setattr(glimpses, "source_from", lambda data: read.append(data) or source_from(data))  # type: ignore[func-returns-value]
    assert len(library.listed(EVERYTHING, limit=2).rows) == 2
    assert len(read) == 2
