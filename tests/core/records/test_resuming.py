"""Laws of every pass: any bytes are read without an error, marks resume exactly, the fast pass drops no conversation."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.records.claude import ClaudeAdapter
from core.records.codex import CodexAdapter
from core.records.copilot import CopilotAdapter
from core.records.gemini import GeminiAdapter
from core.records.model import Adapter, Role, Source
from core.records.pi import PiAdapter
from tests.core.records.builders import (
    OTHER,
    SID,
    assert_quotable,
    assert_resumes,
    assert_talk_only,
    assistant,
    codex,
    envelope,
    event,
    item,
    line,
    meta,
    source,
    text,
    tool_result,
    tool_use,
    user,
)

ADAPTERS: tuple[Adapter, ...] = (ClaudeAdapter(), CodexAdapter(), CopilotAdapter(), GeminiAdapter(), PiAdapter())
QUICK = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])

_words = st.sampled_from(
    ["go", "why?", "the cache", "", " ", "[Request interrupted by user]", "<command-name>/x</command-name>", "/model",
     "<system-reminder>r</system-reminder>", "\u8a8d\u8a3c", "\ud83d", '"type":"text"', '{"type":"tool_result"}', "a\nb",
     "# AGENTS.md instructions", "Implement the following plan:\n\n# P"]
)  # fmt: skip
_blocks = st.one_of(
    _words.map(text),
    _words.map(tool_result),
    st.lists(_words.map(text), max_size=2).map(tool_result),
    _words.map(lambda words: tool_use("Bash", {"command": words, "content": [text(words)]})),
    _words.map(lambda words: {"type": "thinking", "thinking": words, "signature": "s"}),
    _words,
    st.none(),
)
_stamps = st.sampled_from(
    ["2026-03-01T10:00:00.000Z", "2026-03-01T10:00:01.000Z", "2026-03-01T09:00:00Z", "2026-04-01T10:00:00Z", "x", None]
)
_uuids = st.sampled_from(["u-1", "u-2", "u-3"])


def _claude(words: str, blocks: list[Any], stamp: str | None, uid: str, flag: int, pick: int) -> dict[str, Any]:
    more: dict[str, Any] = {"timestamp": stamp, "uuid": uid}
    if flag == 1:
        more["isMeta"] = True
    if flag == 2:
        more["isSidechain"] = True
    if flag == 3:
        more["forkedFrom"] = {"sessionId": OTHER, "messageUuid": uid}
    if flag == 4:
        more["toolUseResult"] = {"type": "text", "stdout": words, "items": [words, words]}
    if flag == 5:
        more["cwd"] = "/home/dev/other"
    kinds = [
        user(words, **more),
        user(blocks, **more),
        assistant(*blocks, **more),
        envelope("attachment", attachment={"type": "queued_command", "prompt": words}, **more),
        envelope("attachment", attachment={"type": "hook_success", "content": words, "message": user(words)}, **more),
        envelope("progress", data={"type": "agent_progress", "message": assistant(*blocks)}, **more),
        {"type": "queue-operation", "operation": "enqueue", "content": words, "timestamp": stamp},
        {"type": "custom-title", "customTitle": words},
        {"type": "ai-title", "aiTitle": words},
        {"type": "summary", "summary": words, "leafUuid": uid},
        {"type": "permission-mode", "permissionMode": "bypassPermissions"},
        {"message": {"role": "assistant", "content": blocks}, "type": "assistant", "uuid": uid},
        {"message": {"content": blocks, "role": "user"}, "type": "user", "uuid": uid},
        envelope("system", subtype="away_summary", content=words, **more),
    ]
    return kinds[pick % len(kinds)]


def _codex(words: str, stamp: str | None, pick: int) -> dict[str, Any]:
    at = stamp or "2026-03-01T10:00:00Z"
    kinds = [
        item("user", words, at),
        item("assistant", words, at),
        item("developer", words, at),
        event("user_message", at, message=words),
        event("agent_message", at, message=words),
        event("token_count", at, info={"type": "message", "text": words}),
        {**meta(id=OTHER), "timestamp": at},
        codex("turn_context", {"cwd": f"/home/{words}", "approval_policy": "never", "sandbox_policy": {"type": "danger-full-access"}}, at),
        codex("response_item", {"type": "function_call", "name": "shell", "arguments": json.dumps({"type": words})}, at),
        codex("response_item", {"type": "function_call_output", "output": json.dumps({"output": words})}, at),
        codex("response_item", {"type": "agent_message", "author": "a", "content": [text(words)]}, at),
        codex("response_item", {"type": "reasoning", "summary": [{"type": "summary_text", "text": words}]}, at),
        codex("compacted", {"message": words, "replacement_history": [{"type": "reasoning"}]}, at),
        {"type": "message", "role": "user", "content": [text(words)]},
    ]  # fmt: skip
    return kinds[pick % len(kinds)]


def _pi(words: str, stamp: str | None, pick: int) -> dict[str, Any]:
    kinds = [
        {"type": "session", "version": 3, "id": SID, "cwd": "/home/dev/shop"},
        {"type": "message", "message": {"role": "user", "content": [text(words)]}},
        {
            "type": "message",
            "message": {"role": "assistant", "content": [text(words), {"type": "thinking", "thinking": words}]},
        },
        {"type": "message", "message": {"role": "toolResult", "toolName": "read", "content": [text(words)]}},
        {"type": "message", "message": {"role": "bashExecution", "command": words, "output": words}},
        {"type": "compaction", "summary": words},
        {"type": "session_info", "name": words},
    ]
    return {**kinds[pick % len(kinds)], "timestamp": stamp}


def _copilot(words: str, stamp: str | None, pick: int) -> dict[str, Any]:
    kinds = [
        {"type": "session.start", "data": {"sessionId": SID, "context": {"cwd": "/home/dev/shop", "branch": "main"}}},
        {"type": "user.message", "data": {"content": words, "transformedContent": f"<now/>{words}"}},
        {"type": "assistant.message", "data": {"content": words, "reasoningText": words, "model": "m"}},
        {"type": "tool.execution_start", "data": {"toolName": "bash", "arguments": {"command": words}}},
        {"type": "tool.execution_complete", "data": {"result": {"content": words}}},
        {"type": "session.permissions_changed", "data": {"allowAllPermissions": True}},
        {"type": "hook.start", "data": {"input": {"prompt": words}}},
    ]
    return {**kinds[pick % len(kinds)], "id": f"e{pick}", "timestamp": stamp}


_json_lines = {
    "claude": st.builds(
        _claude, _words, st.lists(_blocks, max_size=3), _stamps, _uuids, st.integers(0, 6), st.integers(0, 13)
    ),
    "codex": st.builds(_codex, _words, _stamps, st.integers(0, 13)),
    "copilot": st.builds(_copilot, _words, _stamps, st.integers(0, 6)),
    "pi": st.builds(_pi, _words, _stamps, st.integers(0, 6)),
}
_noise = st.sampled_from([b"\n", b"  \r\n", b"// comment\n", b'{"type":"user","mess\n', b"[1]\n", b"\0\0\n", b"null\n"])


def _bodies(runtime: str) -> st.SearchStrategy[bytes]:
    one = st.one_of(_json_lines[runtime].map(line), _json_lines[runtime].map(line), _noise)
    crlf = _json_lines[runtime].map(lambda record: line(record)[:-1] + b"\r\n")
    body = st.lists(st.one_of(one, one, one, crlf), max_size=14).map(b"".join)
    return st.tuples(body, st.booleans()).map(lambda pair: pair[0][:-1] if pair[1] and pair[0] else pair[0])


def _adapter(runtime: str) -> Adapter:
    return next(adapter for adapter in ADAPTERS if adapter.runtime == runtime)


def _record(tmp_path: Path, runtime: str, body: bytes, role: Role = Role.MAIN) -> Source:
    return source(tmp_path / f"{SID}.jsonl", runtime, body, role=role)


@pytest.mark.parametrize("runtime", sorted(_json_lines))
@QUICK
@given(data=st.data())
def test_going_on_from_a_mark_equals_reading_at_once(tmp_path: Path, runtime: str, data: st.DataObject) -> None:
    body = data.draw(_bodies(runtime))
    cut = data.draw(st.integers(0, len(body)))
    talk_only = data.draw(st.booleans())
    assert_resumes(_adapter(runtime), _record(tmp_path, runtime, body), body, cut, talk_only=talk_only)


@QUICK
@given(data=st.data())
def test_lines_above_the_bound_resume_exactly_too(tmp_path: Path, data: st.DataObject) -> None:
    body = data.draw(_bodies("claude"))
    cut = data.draw(st.integers(0, len(body)))
    adapter = ClaudeAdapter(max_line=data.draw(st.sampled_from([30, 200, 330])))
    assert_resumes(adapter, _record(tmp_path, "claude", body), body, cut, talk_only=data.draw(st.booleans()))


@pytest.mark.parametrize("runtime", sorted(_json_lines))
@QUICK
@given(data=st.data())
def test_the_fast_pass_drops_no_conversation_and_every_text_is_in_its_line(
    tmp_path: Path, runtime: str, data: st.DataObject
) -> None:
    body = data.draw(_bodies(runtime))
    role = data.draw(st.sampled_from([Role.MAIN, Role.SUBAGENT, Role.COPY]))
    adapter, record = _adapter(runtime), _record(tmp_path, runtime, body, role)
    assert_talk_only(adapter, record)
    turns = list(adapter.read(record))
    assert_quotable(record, turns, body)
    for turn in turns:
        assert turn.text.strip()
    spine = adapter.spine(record)
    assert adapter.read(record).problems == ()
    assert spine is not None


@pytest.mark.parametrize("adapter", ADAPTERS, ids=lambda adapter: adapter.runtime)
@pytest.mark.parametrize("name", ["x.jsonl", "session-x.json"])
@QUICK
@given(body=st.binary(max_size=300) | st.lists(st.sampled_from(
    [b"{", b"}", b'"type":', b'"user"', b'"message":', b'"content":', b"[", b"]", b"\n", b'"payload":', b"\xff", b"\0", b"1e999",
     b'"timestamp":', b"99999999999999999999", b"null", b",", b'"messages":', b'"data":'])).map(b"".join))  # fmt: skip
def test_any_bytes_are_read_without_an_error(tmp_path: Path, adapter: Adapter, name: str, body: bytes) -> None:
    record = source(tmp_path / name, adapter.runtime, body)
    for talk_only in (False, True):
        reading = adapter.read(record, talk_only=talk_only)
        turns = list(reading)
        assert reading.tally.turns == len(turns)
        assert reading.mark.offset <= len(body)
    adapter.spine(record)
    for number, start in enumerate([0, *(at + 1 for at, byte in enumerate(body) if byte == 10)], 1):
        adapter.at(record, number, start)


_shapes = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | _words,
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from(
            ["type", "message", "content", "payload", "role", "text", "data", "timestamp", "origin", "attachment", "input",
             "output", "summary", "cwd", "sessionId", "uuid", "id", "source", "git", "subagent", "messages", "$set", "result"]
        ),
        inner,
        max_size=4,
    ),
    max_leaves=10,
)  # fmt: skip


@pytest.mark.parametrize("adapter", ADAPTERS, ids=lambda adapter: adapter.runtime)
@QUICK
@given(data=st.data())
def test_fields_of_unexpected_kinds_are_read_without_an_error(
    tmp_path: Path, adapter: Adapter, data: st.DataObject
) -> None:
    kind = data.draw(st.sampled_from(["user", "assistant", "attachment", "system", "queue-operation", "response_item", "event_msg",
                                      "session_meta", "turn_context", "compacted", "message", "session", "user.message",
                                      "session.start", "gemini", "summary", "worktree-state", "tool.execution_complete"]))  # fmt: skip
    keys = st.sampled_from(
        ["message", "payload", "attachment", "data", "content", "timestamp", "origin", "forkedFrom", "messages"]
    )
    record = {"type": kind, **data.draw(st.dictionaries(keys, _shapes, max_size=4))}
    for name, body in (
        ("x.jsonl", line(record)),
        ("session-x.json", json.dumps({"messages": [record]}, indent=2).encode()),
    ):
        place = source(tmp_path / name, adapter.runtime, body)
        list(adapter.read(place))
        list(adapter.read(place, talk_only=True))
        adapter.spine(place)
        adapter.at(place, 1, 0)
