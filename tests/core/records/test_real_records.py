"""The laws of every record, held by records of real use. They are read where they lie, never copied into the project."""

from __future__ import annotations

import os
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from core.records.archive import Archive, Discovery
from core.records.model import Channel, Origin, ReadProblem, Role, Source
from core.records.scan import scan
from core.records.wrappers import is_injected, is_summary
from tests.core.records.builders import REAL_HOME, assert_quotable, assert_talk_only, persons

pytestmark = pytest.mark.skipif(not REAL_HOME.is_dir(), reason=f"the shared records are not here: {REAL_HOME}")


@cache
def archive() -> Archive:
    return Archive.from_environment({}, os.path.realpath(REAL_HOME))


@cache
def discovery() -> Discovery:
    return archive().discover()


def groups() -> list[str]:
    """One test case per runtime and slice, so that a parallel run shares the work."""
    return ["claude-0", "claude-1", "claude-2", "codex-0", "codex-1", "copilot-0", "gemini-0", "pi-0"]


def of(group: str) -> list[Source]:
    runtime, part = group.split("-")
    width = {"claude": 3, "codex": 2}.get(runtime, 1)
    return [one for one in discovery().sources if one.runtime == runtime][int(part) :: width]


def test_every_record_is_found_once() -> None:
    found = discovery()
    assert found.problems == ()
    assert Counter(one.runtime for one in found.sources) == {
        "claude": 82,
        "codex": 15,
        "copilot": 7,
        "gemini": 4,
        "pi": 2,
    }
    assert len({one.path for one in found.sources}) == len(found.sources)
    assert Counter(one.role for one in found.sources)[Role.SUBAGENT] == 6


@pytest.mark.parametrize("group", groups())
def test_the_fast_pass_drops_no_conversation_and_every_text_is_in_its_line(group: str) -> None:
    for record in of(group):
        adapter = archive().adapter(record.runtime)
        assert_talk_only(adapter, record)
        turns = list(adapter.read(record))
        assert_quotable(record, turns, Path(record.path).read_bytes())
        for turn in turns[:: max(1, len(turns) // 12)]:
            assert turn in adapter.at(record, turn.line, turn.start)


@pytest.mark.parametrize("group", groups())
def test_no_marker_of_an_injector_is_told_as_a_persons(group: str) -> None:
    for record in of(group):
        for turn in archive().read(record, talk_only=True):
            if turn.origin is Origin.PERSON:
                assert not is_injected(turn.text), (record.path, turn.line)
                assert not is_summary(turn.text), (record.path, turn.line)
                assert "<system-reminder>" not in turn.text, (record.path, turn.line)
            assert turn.channel in (Channel.TALK, Channel.SUMMARY)


@pytest.mark.parametrize("group", groups())
def test_a_glance_agrees_with_the_whole_record(group: str) -> None:
    for record in of(group):
        reading = archive().read(record)
        list(reading)
        whole, glance = reading.spine, archive().spine(record)
        assert not isinstance(glance, ReadProblem)
        for name in (
            "session_id",
            "first_prompt",
            "project",
            "role",
            "parent_id",
            "forked_from",
            "started",
            "entrypoint",
        ):
            assert getattr(glance, name) == getattr(whole, name), (record.path, name)
        if whole.ended is not None and glance.ended is not None:
            assert abs(whole.ended - glance.ended) < 60


@pytest.mark.parametrize("group", ["claude-1", "codex-1", "pi-0", "copilot-0"])
def test_going_on_from_a_mark_equals_reading_at_once(group: str, tmp_path: Path) -> None:
    for record in sorted(of(group), key=lambda one: one.size)[:6]:
        body = Path(record.path).read_bytes()
        whole = archive().read(record, talk_only=True)
        turns = list(whole)
        for cut in (len(body) // 3, len(body) // 2 + 7, len(body) - 1):
            part = tmp_path / Path(record.path).name
            part.write_bytes(body[:cut])
            piece = Source(
                record.runtime, record.root, str(part), record.session_id, cut, 0, record.role, record.parent_id
            )
            first = archive().read(piece, talk_only=True)
            kept = list(first)
            part.write_bytes(body)
            rest = archive().read(piece, first.mark, talk_only=True)
            assert (kept if first.mark.offset else []) + list(rest) == turns
            assert (rest.tally, rest.spine.prompts) == (whole.tally, whole.spine.prompts)


def test_people_are_heard_in_every_runtime() -> None:
    heard = Counter(one.runtime for one in discovery().sources for _ in persons(archive().read(one, talk_only=True)))
    assert heard["claude"] > 250
    assert heard["codex"] == 149
    assert heard["copilot"] == 10
    assert heard["gemini"] == 5
    assert heard["pi"] == 143


def test_a_scan_finds_what_only_tool_output_holds() -> None:
    hits = list(scan(archive(), discovery().sources, ["prek.toml", "pre-commit-config"]))
    assert hits
    for hit in hits:
        assert "prek.toml" in hit.turn.text or "pre-commit-config" in hit.turn.text
        assert hit.turn in archive().at(hit.source, hit.line, hit.start)
