"""One test per quirk of Codex's rollouts (formats.md 1b, C)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from core.records.codex import CodexAdapter
from core.records.lines import zstd
from core.records.model import Channel, Origin, ReadProblem, Role, Source, Turn
from tests.core.records.builders import (
    OTHER,
    SID,
    assert_quotable,
    assert_resumes,
    assert_talk_only,
    codex,
    event,
    item,
    lines,
    meta,
    persons,
    prompted,
    said,
    source,
)

ADAPTER = CodexAdapter()
NAME = f"rollout-2026-03-01T10-59-00-{SID}.jsonl"


def write(tmp_path: Path, *records: object, name: str = NAME, **more: Any) -> Source:
    return source(tmp_path / name, "codex", lines(*records), session_id=SID, **more)


def read(tmp_path: Path, *records: object) -> list[Turn]:
    record = write(tmp_path, *records)
    turns = list(ADAPTER.read(record))
    assert_quotable(record, turns, Path(record.path).read_bytes())
    assert_talk_only(ADAPTER, record)
    return turns


def spine_of(record: Source) -> Any:
    reading = ADAPTER.read(record, talk_only=True)
    list(reading)
    return reading.spine


def test_a_prompt_and_an_answer_written_twice_are_told_once(tmp_path: Path) -> None:
    turns = read(
        tmp_path,
        meta(),
        *prompted("why is it slow?"),
        event("agent_message", message="the cache is cold"),
        item("assistant", "the cache is cold"),
    )
    assert said(turns) == [("person", "why is it slow?"), ("assistant", "the cache is cold")]


def test_an_event_may_stand_before_the_item_that_repeats_it(tmp_path: Path) -> None:
    turns = read(tmp_path, meta(), *reversed(prompted("go")), item("assistant", "gone"), *prompted("go"))
    assert persons(turns) == ["go", "go"]
    assert not [turn for turn in turns if turn.origin is Origin.UNKNOWN]


def test_several_prompts_in_a_row_are_matched_each_to_its_event(tmp_path: Path) -> None:
    turns = read(
        tmp_path,
        meta(),
        item("user", "a"),
        item("user", "b"),
        codex("turn_context", {"cwd": "/home/dev/shop"}),
        event("user_message", message="a"),
        event("user_message", message="b"),
        item("assistant", "c"),
    )
    assert said(turns) == [("person", "a"), ("person", "b"), ("assistant", "c")]


def test_a_users_item_that_no_event_repeats_is_unknown_and_counted(tmp_path: Path) -> None:
    record = write(
        tmp_path, meta(), *prompted("go"), item("assistant", "ok"), item("user", "steered"), item("assistant", "hm")
    )
    reading = ADAPTER.read(record)
    assert said(list(reading)) == [("person", "go"), ("assistant", "ok"), ("unknown", "steered"), ("assistant", "hm")]
    assert reading.tally.unverified_person_turns == 1
    (turn,) = ADAPTER.at(record, 5, _start(record, 5))
    assert turn.origin is Origin.UNKNOWN
    assert ADAPTER.at(record, 2, _start(record, 2)) == ()


def test_the_last_prompt_is_told_where_nobody_answered_it(tmp_path: Path) -> None:
    """A wrapper that is not known yet stands before the prompt, and the program ended: only then it is told."""
    before = [meta(), item("user", "<brand_new>x</brand_new>")]
    for last in ([*prompted("mend the till")], [event("user_message", message="mend the till")]):
        record = write(tmp_path, *before, *last)
        reading = ADAPTER.read(record)
        turns = list(reading)
        assert said(turns) == [("unknown", "<brand_new>x</brand_new>"), ("person", "mend the till")]
        assert reading.mark.offset == 0, "whatever follows may decide otherwise"
        assert reading.spine == ADAPTER.spine(record)
        assert reading.spine.first_prompt == "mend the till"
        assert all(turn in ADAPTER.at(record, turn.line, turn.start) for turn in turns)
        assert_talk_only(ADAPTER, record)
    more = write(tmp_path, *before, *prompted("mend the till"), item("assistant", "mended"))
    body = Path(more.path).read_bytes()
    for cut in range(0, len(body), 61):
        assert_resumes(ADAPTER, more, body, cut, talk_only=False)


def _start(record: Source, line: int) -> int:
    return sum(len(part) + 1 for part in Path(record.path).read_bytes().split(b"\n")[: line - 1])


def test_without_events_the_items_of_the_user_are_the_prompts(tmp_path: Path) -> None:
    turns = read(
        tmp_path,
        meta(),
        item("developer", "<permissions instructions>Ask.</permissions instructions>"),
        item("user", "# AGENTS.md instructions for /home/dev/shop\n\n<INSTRUCTIONS>x</INSTRUCTIONS>"),
        item("user", "<environment_context>\n<cwd>/home/dev/shop</cwd>\n</environment_context>"),
        item("user", "why?"),
        item("assistant", "because"),
    )
    assert said(turns) == [("person", "why?"), ("assistant", "because")]
    assert len([turn for turn in turns if turn.origin is Origin.INJECTED]) == 3


def test_the_bare_lines_of_before_august_2025_are_read(tmp_path: Path) -> None:
    record = write(
        tmp_path,
        {"id": SID, "timestamp": "2025-06-01T10:00:00.000Z", "instructions": None, "git": {"branch": "main"}},
        {"record_type": "state"},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "<environment_context>\n  <cwd>/home/dev/old</cwd>\n</environment_context>"}]},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "hello"}]},
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "thinking"}], "encrypted_content": "gAAA"},
        {"type": "function_call", "name": "shell", "arguments": json.dumps({"command": ["bash", "-lc", "ls"]}), "call_id": "c"},
        {"type": "function_call_output", "call_id": "c", "output": json.dumps({"output": "README", "metadata": {"exit_code": 0}})},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "hi"}]},
    )  # fmt: skip
    reading = ADAPTER.read(record)
    turns = list(reading)
    assert said(turns) == [("person", "hello"), ("assistant", "hi")]
    assert [t.text for t in turns if t.channel is Channel.RESULT] == ["README"]
    assert [t.text for t in turns if t.channel is Channel.CALL] == ["bash", "-lc", "ls"]
    spine = reading.spine
    assert (spine.session_id, spine.project, spine.branch, spine.started) == (
        SID,
        "/home/dev/old",
        "main",
        1748772000.0,
    )
    assert reading.mark.offset == record.size
    assert_talk_only(ADAPTER, record)


def test_a_comment_before_the_header_does_not_hide_the_events(tmp_path: Path) -> None:
    turns = read(tmp_path, b"// exported\n", meta(), *prompted("go"), item("assistant", "ok"))
    assert said(turns) == [("person", "go"), ("assistant", "ok")]


def test_tool_output_that_is_json_in_a_string_is_unwrapped(tmp_path: Path) -> None:
    turns = read(
        tmp_path,
        codex("response_item", {"type": "function_call_output", "call_id": "c", "output": "plain"}),
        codex(
            "response_item",
            {"type": "function_call_output", "call_id": "c", "output": '{"output":"say \\"hi\\"","metadata":{}}'},
        ),
        codex(
            "response_item", {"type": "custom_tool_call_output", "output": [{"type": "input_text", "text": "block"}]}
        ),
        codex("response_item", {"type": "custom_tool_call", "name": "apply_patch", "input": "*** Begin Patch"}),
        codex("response_item", {"type": "function_call", "name": "x", "arguments": "{not json"}),
    )
    assert [t.text for t in turns if t.channel is Channel.RESULT] == ["plain", 'say "hi"', "block"]
    assert [(t.name, t.text) for t in turns if t.channel is Channel.CALL] == [
        ("apply_patch", "*** Begin Patch"),
        ("x", "{not json"),
    ]


def test_opaque_reasoning_and_images_are_no_text(tmp_path: Path) -> None:
    picture = {"type": "input_image", "image_url": "data:image/png;base64," + "A/" * 3000}
    assert not read(
        tmp_path,
        codex("response_item", {"type": "reasoning", "summary": [], "encrypted_content": "gAAAAA" * 100}),
        codex("response_item", {"type": "message", "role": "user", "content": [picture]}),
        event("token_count", info={}),
    )


def test_a_compaction_is_a_summary_and_its_history_is_not_told_again(tmp_path: Path) -> None:
    old = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "first"}]}
    turns = read(
        tmp_path, meta(), *prompted("first"), codex("compacted", {"message": "so far", "replacement_history": [old]})
    )
    assert [(t.channel, t.text) for t in turns] == [(Channel.TALK, "first"), (Channel.SUMMARY, "so far")]


def test_events_that_are_no_prompt_are_injected(tmp_path: Path) -> None:
    turns = read(
        tmp_path,
        codex("event_msg", {"type": "user_message", "message": "be brief", "kind": "user_instructions"}),
        codex("event_msg", {"type": "user_message", "message": "real", "kind": "plain"}),
    )
    assert persons(turns) == ["real"]


# --- kinds of sessions


def test_a_subagents_prompt_is_its_parents_and_a_reviewers_is_nobodys(tmp_path: Path) -> None:
    spawned = write(tmp_path, meta(source={"subagent": {"thread_spawn": {"parent_thread_id": OTHER, "depth": 1,
                    "agent_nickname": "Ada"}}}), *prompted("find it"), item("assistant", "found"))  # fmt: skip
    assert said(list(ADAPTER.read(spawned))) == [("peer", "find it"), ("assistant", "found")]
    spine = spine_of(spawned)
    assert (spine.role, spine.parent_id, spine.agent, spine.prompts) == (Role.SUBAGENT, OTHER, "Ada", 0)
    assert ADAPTER.at(spawned, 3, _start(spawned, 3))[0].origin is Origin.PEER
    for kind in ("review", {"other": "guardian"}):
        review = write(tmp_path, meta(source={"subagent": kind}, parent_thread_id=OTHER), *prompted("assess this"))
        assert spine_of(review).role is Role.REVIEW
        assert persons(list(ADAPTER.read(review))) == []


def test_a_forks_replayed_history_is_copied_and_has_no_time(tmp_path: Path) -> None:
    at, later = "2026-03-01T10:00:00.100Z", "2026-03-01T10:00:09.000Z"
    record = write(
        tmp_path,
        meta(),
        {**meta(id=OTHER, timestamp="2026-01-01T08:00:00Z"), "timestamp": at},
        *prompted("old question", at),
        item("assistant", "old answer", at),
        *prompted("new question", later),
        item("assistant", "new answer", later),
    )
    reading = ADAPTER.read(record)
    turns = list(reading)
    assert [(t.text, t.copied, t.at is None) for t in turns] == [
        ("old question", True, True),
        ("old answer", True, True),
        ("new question", False, False),
        ("new answer", False, False),
    ]
    spine = reading.spine
    assert (spine.session_id, spine.forked_from) == (SID, OTHER)
    assert (spine.started, spine.ended) == (1772359140.0, 1772359209.0)
    for turn in turns:
        assert ADAPTER.at(record, turn.line, turn.start) == (turn,)
    assert_talk_only(ADAPTER, record)


def test_a_fork_may_name_its_origin_in_the_header(tmp_path: Path) -> None:
    assert spine_of(write(tmp_path, meta(forked_from_id=OTHER))).forked_from == OTHER


@pytest.mark.parametrize(
    ("approval", "sandbox", "permission"),
    [
        ("never", {"type": "danger-full-access"}, "bypass"),
        ("never", {"mode": "danger-full-access"}, "bypass"),
        ("on-request", {"type": "danger-full-access"}, ""),
        ("never", {"type": "workspace-write"}, ""),
    ],
)
def test_only_both_settings_together_bypass_every_question(
    tmp_path: Path, approval: str, sandbox: dict[str, str], permission: str
) -> None:
    context = codex(
        "turn_context", {"cwd": "/x", "model": "gpt-test", "approval_policy": approval, "sandbox_policy": sandbox}
    )
    spine = spine_of(write(tmp_path, meta(), context))
    assert (spine.permission, spine.model, spine.cwds) == (permission, "gpt-test", ("/home/dev/shop", "/x"))


def test_the_header_gives_place_version_and_entrypoint(tmp_path: Path) -> None:
    record = write(tmp_path, meta(originator="codex_exec"), *prompted("go"), item("assistant", "ok"))
    for spine in (spine_of(record), ADAPTER.spine(record)):
        assert not isinstance(spine, ReadProblem)
        assert (spine.project, spine.branch, spine.version) == ("/home/dev/shop", "main", "0.79.0")
        assert (spine.entrypoint, spine.first_prompt, spine.prompts) == ("codex_exec", "go", 1)


# --- titles


def test_the_newest_name_in_the_index_is_the_title(tmp_path: Path) -> None:
    (tmp_path / "session_index.jsonl").write_bytes(
        lines(
            {"id": SID, "thread_name": "Newest", "updated_at": "2026-03-03T00:00:00Z"},
            {"id": SID, "thread_name": "Older", "updated_at": "2026-03-02T00:00:00Z"},
            b"torn\n",
            {"id": OTHER, "thread_name": "Another", "updated_at": "2026-03-04T00:00:00Z"},
        )
    )
    record = write(tmp_path, meta(), event("thread_name_updated", thread_name="In the file"))
    assert (spine_of(record).title, spine_of(record).title_from) == ("Newest", "custom")
    (tmp_path / "session_index.jsonl").unlink()
    assert spine_of(record).title == "In the file"


# --- compressed rollouts


def compressed(tmp_path: Path, *records: object, cut: int | None = None) -> Source:
    body = zstd().compress(lines(*records))
    return source(tmp_path / f"{NAME}.zst", "codex", body[:cut], session_id=SID)


def test_a_compressed_rollout_reads_like_a_plain_one(tmp_path: Path) -> None:
    records = [meta(), *prompted("go"), item("assistant", "ok"), item("user", "steered"), item("assistant", "hm")]
    plain, packed = write(tmp_path, *records), compressed(tmp_path, *records)
    assert list(ADAPTER.read(packed)) == list(ADAPTER.read(plain))
    assert spine_of(packed) == spine_of(plain)
    assert ADAPTER.spine(packed) == ADAPTER.spine(plain)
    for turn in ADAPTER.read(plain):
        assert ADAPTER.at(packed, turn.line, turn.start) == ADAPTER.at(plain, turn.line, turn.start)
    mark = ADAPTER.read(packed)
    list(mark)
    assert list(ADAPTER.read(packed, mark.mark)) == []


def test_a_damaged_compressed_rollout_is_a_value(tmp_path: Path) -> None:
    record = compressed(tmp_path, meta(), *prompted("go"), item("assistant", "ok"), cut=60)
    reading = ADAPTER.read(record)
    list(reading)
    assert reading.problems
    Path(record.path).write_bytes(b"not zstandard at all")
    broken = ADAPTER.read(record)
    assert list(broken) == []
    assert broken.problems
    assert isinstance(ADAPTER.spine(record), ReadProblem)
    assert ADAPTER.at(record, 1, 0) == ()


# --- marks


def test_a_rollout_without_events_is_read_again_whole(tmp_path: Path) -> None:
    record = write(tmp_path, meta(), item("user", "go"))
    reading = ADAPTER.read(record)
    assert persons(list(reading)) == ["go"]
    assert reading.mark.offset == 0


def test_a_users_item_at_the_end_waits_for_its_event(tmp_path: Path) -> None:
    head = [meta(), *prompted("a"), item("assistant", "b")]
    record = write(tmp_path, *head, item("user", "c"))
    reading = ADAPTER.read(record)
    assert said(list(reading)) == [("person", "a"), ("assistant", "b")]
    assert reading.mark.offset == len(lines(*head))
    assert reading.tally.lines == 5
    assert reading.mark.tally.lines == 4


def test_the_words_of_a_review_are_a_peers(tmp_path: Path) -> None:
    review = {"overall_explanation": "One bug.", "findings": [{"title": "Off by one", "confidence_score": 0.9}]}
    body = lines(
        meta(),
        event("user_message", message="go"),
        item("user", "<user_action>\n<action>review</action>\n</user_action>"),
        event("exited_review_mode", review_output=review),
    )
    record = source(tmp_path / f"rollout-2026-03-01T10-00-00-{SID}.jsonl", "codex", body)
    assert said(ADAPTER.read(record)) == [("person", "go"), ("peer", "One bug."), ("peer", "Off by one")]


def test_a_broken_line_after_a_held_message_is_told_once(tmp_path: Path) -> None:
    body = lines(
        meta(), event("user_message", message="go"), item("user", "steer"), b"{half\n", item("assistant", "ok")
    )
    record = source(tmp_path / f"rollout-2026-03-01T10-00-00-{SID}.jsonl", "codex", body)
    assert [turn.text for turn in ADAPTER.read(record)] == ["go", "steer", "{half", "ok"]
    for cut in range(0, len(body), 53):
        assert_resumes(ADAPTER, record, body, cut, talk_only=False)
    assert_resumes(ADAPTER, record, body, body.index(b"half\n") + 5, talk_only=False)
