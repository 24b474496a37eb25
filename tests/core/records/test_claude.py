"""One test per quirk of Claude Code's records (formats.md 1a, B)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from core.records.claude import ClaudeAdapter
from core.records.model import Channel, Origin, ReadProblem, Role, Source, Turn
from tests.core.records.builders import (
    OTHER,
    SID,
    assert_quotable,
    assert_talk_only,
    assistant,
    envelope,
    line,
    lines,
    persons,
    said,
    source,
    text,
    tool_result,
    tool_use,
    user,
)

ADAPTER = ClaudeAdapter()


def write(tmp_path: Path, *records: object, name: str = SID, **more: Any) -> Source:
    return source(tmp_path / f"{name}.jsonl", "claude", lines(*records), **more)


def read(tmp_path: Path, *records: object, **more: Any) -> list[Turn]:
    record = write(tmp_path, *records, **more)
    turns = list(ADAPTER.read(record))
    assert_quotable(record, turns, Path(record.path).read_bytes())
    assert_talk_only(ADAPTER, record)
    return turns


def test_a_talk_keeps_its_speakers_and_order(tmp_path: Path) -> None:
    turns = read(tmp_path, user("why is it slow?"), assistant(text("the cache is cold")))
    assert said(turns) == [("person", "why is it slow?"), ("assistant", "the cache is cold")]
    assert [turn.line for turn in turns] == [1, 2]
    assert turns[0].uid == "u-1"


def test_content_may_be_a_string_a_list_a_bare_string_in_a_list_or_nothing(tmp_path: Path) -> None:
    turns = read(tmp_path, user("a"), user([text("b")]), user(["c", text("d")]), user(None), user([]))
    assert persons(turns) == ["a", "b", "c", "d"]


def test_text_beside_a_tool_result_is_not_lost(tmp_path: Path) -> None:
    turns = read(
        tmp_path,
        user([tool_result("out"), text("and now?")]),
        user([tool_result("out"), "bare words"]),
        user([tool_result("out"), None, "after nothing"]),
        user([tool_result([text("inner")])], toolUseResult={"type": "text", "file": {"content": "x"}}),
    )
    assert persons(turns) == ["and now?", "bare words", "after nothing"]
    assert [t.text for t in turns if t.channel is Channel.RESULT] == ["out", "out", "out", "inner"]


def test_every_string_of_a_tool_call_is_a_call_of_the_assistant(tmp_path: Path) -> None:
    turns = read(tmp_path, assistant(tool_use("Bash", {"command": "ls", "options": {"why": ["to look"]}, "n": 3})))
    assert [(t.origin, t.channel, t.name, t.text) for t in turns] == [
        (Origin.ASSISTANT, Channel.CALL, "Bash", "ls"),
        (Origin.ASSISTANT, Channel.CALL, "Bash", "to look"),
    ]


def test_of_a_result_and_its_structured_copy_only_one_is_told(tmp_path: Path) -> None:
    turns = read(
        tmp_path,
        user([tool_result("hello")], toolUseResult={"stdout": "hello", "stderr": "", "interrupted": False}),
        user([tool_result("Error")], toolUseResult={"stdout": "", "stderr": "exit 3: no disk"}),
        user([tool_result("plain")], toolUseResult="Error: plain"),
    )
    assert [t.text for t in turns] == ["hello", "Error", "exit 3: no disk", "plain"]


def test_images_and_signatures_are_no_text(tmp_path: Path) -> None:
    picture = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBOR/" * 900}}
    turns = read(
        tmp_path,
        user([picture, text("what is this?")]),
        user([tool_result([picture])]),
        assistant({"type": "thinking", "thinking": "a cat", "signature": "c2ln" * 100}),
        assistant({"type": "thinking", "thinking": "", "signature": "c2ln" * 100}),
    )
    assert [t.text for t in turns] == ["what is this?", "a cat"]
    assert turns[1].channel is Channel.THINKING


def test_meta_records_are_injected_and_a_compaction_summary_is_a_summary(tmp_path: Path) -> None:
    turns = read(
        tmp_path,
        user("skill body", isMeta=True),
        user("This session is being continued from a previous conversation. We fixed it.", isCompactSummary=True),
        envelope("system", subtype="compact_boundary", content="Conversation compacted"),
        envelope("system", subtype="away_summary", content="You were fixing the cache."),
    )
    assert [(t.origin, t.channel) for t in turns] == [
        (Origin.INJECTED, Channel.NOTICE),
        (Origin.INJECTED, Channel.SUMMARY),
        (Origin.INJECTED, Channel.NOTICE),
        (Origin.INJECTED, Channel.SUMMARY),
    ]


def test_an_error_of_the_service_is_not_the_assistants_answer(tmp_path: Path) -> None:
    limit = assistant(text("You've hit your limit"), isApiErrorMessage=True)
    limit["message"]["model"] = "<synthetic>"
    turns = read(tmp_path, user("go"), limit)
    assert (turns[1].origin, turns[1].channel) == (Origin.INJECTED, Channel.NOTICE)


def test_the_origin_of_a_record_decides_over_its_role(tmp_path: Path) -> None:
    turns = read(
        tmp_path,
        user("finished", origin={"kind": "task-notification"}),
        user("from the lead", origin={"kind": "teammate", "from": "lead"}),
        user("typed", origin={"kind": "human"}),
    )
    assert [t.origin for t in turns] == [Origin.INJECTED, Origin.PEER, Origin.PERSON]


def test_a_queued_prompt_is_told_once(tmp_path: Path) -> None:
    turns = read(
        tmp_path,
        {"type": "queue-operation", "operation": "enqueue", "timestamp": "2026-03-01T10:00:01Z", "content": "also the docs"},
        {"type": "queue-operation", "operation": "dequeue", "timestamp": "2026-03-01T10:00:02Z"},
        user("also the docs"),
        {"type": "queue-operation", "operation": "enqueue", "content": "only queued"},
        {"type": "queue-operation", "operation": "enqueue"},
        envelope("attachment", attachment={"type": "queued_command", "prompt": "mid-turn", "commandMode": "prompt"}),
        envelope("attachment", attachment={"type": "queued_command", "prompt": "only queued", "commandMode": "prompt"}),
        envelope("attachment", attachment={"type": "queued_command", "prompt": "<task-notification>x</task-notification>",
                                           "commandMode": "task-notification"}),
        envelope("attachment", attachment={"type": "queued_command", "prompt": [text("as blocks")]}),
    )  # fmt: skip
    assert persons(turns) == ["also the docs", "only queued", "mid-turn", "as blocks"]


def test_a_queued_command_is_the_runtimes_and_its_arguments_are_the_persons(tmp_path: Path) -> None:
    turns = read(
        tmp_path,
        {"type": "queue-operation", "operation": "enqueue", "content": "/model"},
        {"type": "queue-operation", "operation": "enqueue", "content": "/fix the login page"},
        {"type": "queue-operation", "operation": "enqueue", "content": "/home/dev/a.py is broken"},
    )
    assert persons(turns) == ["the login page", "/home/dev/a.py is broken"]


def test_attachments_are_not_conversation(tmp_path: Path) -> None:
    turns = read(
        tmp_path,
        envelope("attachment", attachment={"type": "hook_success", "content": "hook says hi", "stdout": ""}),
        envelope("attachment", attachment={"type": "skill_listing", "content": "- review: reviews"}),
    )
    assert {(t.origin, t.channel) for t in turns} == {(Origin.INJECTED, Channel.NOTICE)}


def test_progress_and_snapshots_say_nothing(tmp_path: Path) -> None:
    inner = user("again")
    assert not read(
        tmp_path,
        envelope("progress", data={"type": "agent_progress", "message": inner}),
        {"type": "file-history-snapshot", "messageId": "m", "snapshot": {"trackedFileBackups": {}}},
    )


def test_a_plan_handed_over_is_injected_and_gives_the_title(tmp_path: Path) -> None:
    record = write(tmp_path, user("Implement the following plan:\n\n# Walk the chain\n\nsteps", planContent="# Walk"))
    reading = ADAPTER.read(record)
    (turn,) = reading
    assert (turn.origin, turn.channel) == (Origin.INJECTED, Channel.TALK)
    assert (reading.spine.title, reading.spine.title_from, reading.spine.prompts) == ("Walk the chain", "summary", 0)


# --- titles


def test_a_custom_title_wins_over_the_runtimes_and_the_last_of_its_kind_counts(tmp_path: Path) -> None:
    record = write(
        tmp_path,
        {"type": "ai-title", "aiTitle": "First"},
        {"type": "custom-title", "customTitle": "Mine"},
        {"type": "ai-title", "aiTitle": "Second"},
        {"type": "ai-title", "aiTitle": ""},
    )
    assert ADAPTER.spine(record).title == "Mine"  # type: ignore[union-attr]
    record = write(tmp_path, {"type": "ai-title", "aiTitle": "First"}, {"type": "ai-title", "aiTitle": "Second"})
    assert ADAPTER.spine(record).title == "Second"  # type: ignore[union-attr]


def test_a_summary_of_another_session_is_never_the_title(tmp_path: Path) -> None:
    foreign = {"type": "summary", "summary": "Another story", "leafUuid": "not-here"}
    own = {"type": "summary", "summary": "This story", "leafUuid": "u-7"}
    assert not _title(tmp_path, foreign, user("a", uuid="u-7"))
    assert _title(tmp_path, own, foreign, user("a", uuid="u-7")) == ("This story", "summary")
    assert _title(tmp_path, user("a", uuid="u-7"), own) == ("This story", "summary")


def _title(tmp_path: Path, *records: object) -> tuple[str, str] | None:
    reading = ADAPTER.read(write(tmp_path, *records), talk_only=True)
    list(reading)
    spine = reading.spine
    return (spine.title, spine.title_from) if spine.title else None


# --- the spine


def test_the_spine_names_place_time_and_kind_of_the_session(tmp_path: Path) -> None:
    record = write(
        tmp_path,
        {"type": "permission-mode", "permissionMode": "bypassPermissions", "sessionId": SID},
        user("go", timestamp="2026-03-01T10:05:00Z", gitBranch="HEAD", entrypoint="sdk-cli"),
        assistant(
            text("done"),
            timestamp="2026-03-01T10:01:00Z",
            cwd="/home/dev/shop/.claude/worktrees/x",
            gitBranch="feature/x",
        ),
        {"type": "relocated", "relocatedCwd": "/home/dev/moved"},
        {"type": "worktree-state", "worktreeSession": {"originalCwd": "/home/dev/shop", "worktreePath": "/home/dev/w"}},
    )
    for spine in (_read_spine(record), ADAPTER.spine(record)):
        assert not isinstance(spine, ReadProblem)
        assert spine.session_id == SID
        assert spine.project == "/home/dev/shop"
        assert spine.cwds == ("/home/dev/shop", "/home/dev/shop/.claude/worktrees/x", "/home/dev/moved", "/home/dev/w")
        assert spine.branch == "feature/x"
        assert (spine.started, spine.ended) == (1772359260.0, 1772359500.0)
        assert (spine.permission, spine.entrypoint, spine.model) == ("bypass", "sdk-cli", "claude-test-1")
        assert (spine.prompts, spine.first_prompt, spine.version, spine.first_uid) == (1, "go", "2.1.51", "u-1")


def _read_spine(record: Source) -> Any:
    reading = ADAPTER.read(record)
    list(reading)
    return reading.spine


def test_the_last_permission_mode_counts(tmp_path: Path) -> None:
    record = write(tmp_path, user("a", permissionMode="bypassPermissions"), user("b", permissionMode="default"))
    assert _read_spine(record).permission == ""


def test_a_file_with_a_free_name_takes_its_id_from_its_lines(tmp_path: Path) -> None:
    assert _read_spine(write(tmp_path, user("a"), name="full")).session_id == SID
    assert _read_spine(write(tmp_path, {"type": "ai-title", "aiTitle": "x"}, name="full")).session_id == "full"
    assert _read_spine(write(tmp_path, user("a", sessionId=OTHER))).session_id == SID


def test_unbelievable_times_are_left_out(tmp_path: Path) -> None:
    turns = read(
        tmp_path, user("a", timestamp="0001-01-01T00:00:00Z"), user("b", timestamp="nonsense"), user("c", timestamp=17)
    )
    assert [turn.at for turn in turns] == [None, None, None]


# --- forks, subagents, sidechains


def test_copied_lines_of_a_fork_are_marked_and_do_not_date_it(tmp_path: Path) -> None:
    record = write(
        tmp_path,
        user("old", timestamp="2026-02-01T10:00:00Z", forkedFrom={"sessionId": OTHER, "messageUuid": "u-1"}),
        user("new", timestamp="2026-03-01T10:00:00Z", uuid="u-2"),
    )
    turns = list(ADAPTER.read(record))
    assert [turn.copied for turn in turns] == [True, False]
    spine = _read_spine(record)
    assert (spine.forked_from, spine.started) == (OTHER, 1772359200.0)


def test_the_prompt_of_a_subagent_was_written_by_the_agent_that_launched_it(tmp_path: Path) -> None:
    aside = write(
        tmp_path, user("find the bug", isSidechain=True), assistant(text("found")), name="agent-a1", role=Role.SUBAGENT
    )
    assert said(list(ADAPTER.read(aside))) == [("peer", "find the bug"), ("assistant", "found")]
    spine = _read_spine(aside)
    assert (spine.role, spine.parent_id, spine.session_id, spine.prompts) == (Role.SUBAGENT, SID, "agent-a1", 0)


def test_an_inline_sidechain_is_another_agents_talk(tmp_path: Path) -> None:
    turns = read(tmp_path, user("look", isSidechain=True), assistant(text("seen"), isSidechain=True), user("mine"))
    assert said(turns) == [("peer", "look"), ("peer", "seen"), ("person", "mine")]


def test_a_subagents_type_is_read_from_the_file_beside_it(tmp_path: Path) -> None:
    meta = tmp_path / "agent-a1.meta.json"
    meta.write_text(json.dumps({"agentType": "Explore", "description": "Explore the cache"}))
    record = write(tmp_path, user("look"), name="agent-a1", role=Role.SUBAGENT, meta=str(meta))
    spine = _read_spine(record)
    assert (spine.agent, spine.title) == ("Explore", "Explore the cache")
    meta.unlink()
    assert _read_spine(record).agent == ""


# --- damaged files


def test_a_line_that_does_not_parse_is_counted_and_hides_nothing(tmp_path: Path) -> None:
    record = write(
        tmp_path, b"// a comment\n", user("a"), b'{"type":"user","message":{"ro\n', user("b"), b"\n", b"[1]\n"
    )
    reading = ADAPTER.read(record)
    turns = list(reading)
    assert persons(turns) == ["a", "b"]
    assert (reading.tally.lines, reading.tally.skipped_lines) == (6, 2)
    assert [problem.line for problem in reading.problems] == [1, 3]
    assert [t.text for t in turns if t.origin is Origin.UNKNOWN] == ["// a comment", '{"type":"user","message":{"ro']


@pytest.mark.parametrize(
    ("raw", "person"),
    [
        (b'{"type":"user","message":{"content":"a \\ud83d b"}}', "a \ud83d b"),
        (b'{"type":"user","message":{"content":"raw\tcontrol"}}', "raw\tcontrol"),
        (b'\xef\xbb\xbf{"type":"user","message":{"content":"marked"}}', "marked"),
        (b'\0\0{"type":"user","message":{"content":"padded"}}', "padded"),
        (b'{"type":"user","message":{"content":"bad \xff byte"}}', "bad � byte"),
        (b'{"type":"user","message":{"content":"carriage"}}\r', "carriage"),
    ],
)
def test_what_a_strict_decoder_refuses_is_read_all_the_same(tmp_path: Path, raw: bytes, person: str) -> None:
    record = write(tmp_path, raw + b"\n")
    reading = ADAPTER.read(record, talk_only=True)
    assert persons(list(reading)) == [person]
    assert reading.tally.skipped_lines == 0


def test_a_giant_line_is_passed_over_and_counted(tmp_path: Path) -> None:
    adapter = ClaudeAdapter(max_line=2000)
    big = line(user("x" * 5000))
    record = write(tmp_path, user("a"), big, user("b"))
    reading = adapter.read(record)
    turns = list(reading)
    assert persons(turns) == ["a", "b"]
    assert reading.tally.omitted_chars == len(big)
    assert (reading.tally.lines, turns[1].line) == (3, 3)
    assert reading.problems[0].line == 2
    assert adapter.at(record, 2, len(line(user("a")))) == ()


def test_a_torn_last_line_is_left_for_later(tmp_path: Path) -> None:
    whole = lines(user("a"))
    record = write(tmp_path, whole, b'{"type":"user","mess')
    reading = ADAPTER.read(record)
    list(reading)
    assert (reading.mark.offset, reading.mark.line, reading.mark.tally.lines) == (len(whole), 1, 1)
    assert (reading.tally.lines, reading.tally.skipped_lines) == (2, 1)


def test_an_empty_file_a_folder_and_a_vanished_file_are_values(tmp_path: Path) -> None:
    empty = write(tmp_path, b"")
    reading = ADAPTER.read(empty)
    assert (list(reading), reading.problems, reading.mark.offset) == ([], (), 0)
    assert not isinstance(ADAPTER.spine(empty), ReadProblem)
    Path(empty.path).unlink()
    gone = ADAPTER.read(empty)
    assert list(gone) == []
    assert gone.problems[0].hint
    assert isinstance(ADAPTER.spine(empty), ReadProblem)
    assert ADAPTER.at(empty, 1, 0) == ()
    Path(empty.path).mkdir()
    assert ADAPTER.read(empty).problems == ()
    assert isinstance(ADAPTER.spine(empty), ReadProblem)


# --- one line


def test_a_single_line_gives_the_turns_of_the_whole_pass(tmp_path: Path) -> None:
    record = write(
        tmp_path, user("a"), assistant(text("b"), tool_use("Bash", {"command": "ls"})), user([tool_result("c")])
    )
    for turn in ADAPTER.read(record):
        assert turn in ADAPTER.at(record, turn.line, turn.start)
    assert ADAPTER.at(record, 1, 3) == ()
    assert ADAPTER.at(record, 9, 99_999) == ()


def test_the_head_is_read_until_a_prompt_is_seen(tmp_path: Path) -> None:
    noise = [user([tool_result("y" * 900)]) for _ in range(300)]
    record = write(tmp_path, *noise, user("late"), *noise, {"type": "custom-title", "customTitle": "At the end"})
    spine = ADAPTER.spine(record)
    assert not isinstance(spine, ReadProblem)
    assert (spine.first_prompt, spine.title) == ("late", "At the end")
