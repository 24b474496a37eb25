"""Laws of every adapter over any bytes: nothing raises, the fast pass drops no conversation, a line read alone tells what
the pass told of it, and nothing in a person's folders changes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.records.archive import default_adapters
from core.records.model import CONVERSATION, Adapter, Origin, ReadProblem, Root, Source, Spine
from tests.core.records.stores import files_of, listed

_PLACES = {
    "amp": "threads/T-11111111-2222-4333-8444-555555555555.json",
    "antigravity": "brain/x/.system_generated/logs/transcript.jsonl",
    "claude": "history.jsonl projects/p/x.jsonl projects/p/sessions-index.json",
    "cline": "tasks/1/ui_messages.json state/taskHistory.json",
    "roo": "tasks/1/history_item.json tasks/1/api_conversation_history.json",
    "kilo": "tasks/1/ui_messages.json",
    "codex": "history.jsonl sessions/rollout-x.jsonl session_index.jsonl",
    "copilot": "session-state/x.jsonl",
    "crush": "crush.db projects.json",
    "cursor": "projects/p/agent-transcripts/x/x.jsonl",
    "git": "shop-1.git.jsonl",
    "notes": "docs/adr/0001.md HANDOFF.md",
    "memory": "claims.jsonl owners/a-1/claims.jsonl",
    "gemini": "tmp/p/chats/session-1.json tmp/p/chats/session-2.jsonl projects.json",
    "grok": "sessions/p/x/updates.jsonl sessions/p/y/chat_history.jsonl sessions/p/x/summary.json",
    "kimi": "sessions/p/x/agents/main/wire.jsonl sessions/p/y/context.jsonl sessions/p/x/state.json session_index.jsonl kimi.json",
    "opencode": "storage/session/p/ses_1.json storage/message/ses_1/m.json storage/part/m/p.json",
    "pi": "sessions/p/x.jsonl",
    "specstory": ".specstory/history/a.md",
    "vibe": "logs/session/x/messages.jsonl logs/session/x/meta.json",
}
QUICK = settings(
    max_examples=25, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
_KEYS = st.sampled_from(
    ["role", "type", "content", "text", "message", "update", "sessionUpdate", "event", "part", "messages", "say", "ts", "env",
     "display", "sessionId", "session_id", "timestamp", "project", "tool_calls", "source", "step_index", "id", "time", "run",
     "result", "output", "info", "params", "payload", "data", "parts", "toolUseResult", "origin", "attachment", "projects",
     "path", "entries", "work_dirs", "config", "environment", "$set", "toolCalls", "thoughts", "directory", "state"]
)  # fmt: skip
_VALUES = st.sampled_from(
    ["user", "assistant", "text", "go", "tool", "tool_use", "task", "agent_message_chunk", "user_message_chunk", "MODEL",
     "response_item", "event_msg", "message", "user_message", "queued_command", "queue-operation", "system", "gemini",
     "context.append_message", "context.append_loop_event", "content.part", "\ud83d", "", 1, 1e300, -5, True, None, [], {}]
)  # fmt: skip
_json = st.recursive(
    _VALUES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_KEYS, inner, max_size=4), max_leaves=14
)
_bytes = st.one_of(
    st.binary(max_size=60),
    st.lists(_json, max_size=4).map(lambda many: "\n".join(map(json.dumps, many)).encode()),
    _json.map(lambda one: json.dumps(one, indent=1).encode()),
    st.just(b"_**User**_\n\xff\n**Agent:**\n```\n"),
    st.just(
        b'{"sha":"aa","at":5,"author":"Ana","message":"x\\ny","changes":"A \\ud83d"}\n{"tag":"v1","at":1}\n{"sha":1'
    ),
    st.just(
        b'{"id":"01a22d30-9c0f-7000-b2ef-86b71ffbb20e","text":"x\\ud83d","kind":"fact","created_at":"9999-12-31T23:59:59Z"}\n{"id":3}\n{"cursor":1}\n{"from":"a'
    ),
    st.just(b"---\ndate: 2026-13-41\n---\n# A\r\n\n- Date: 0001-01-01\n***\n"),
)


@pytest.mark.parametrize("adapter", default_adapters(), ids=lambda adapter: adapter.runtime)
@given(body=_bytes)
@QUICK
def test_any_bytes_are_read_without_an_error(tmp_path: Path, adapter: Adapter, body: bytes) -> None:
    for place in _PLACES[adapter.runtime].split():
        path = tmp_path / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body)
    before = files_of(tmp_path)
    for found in adapter.discover(Root(adapter.runtime, str(tmp_path))):
        if isinstance(found, ReadProblem):
            assert found.what
            assert found.hint
            continue
        _laws(adapter, found)
    assert files_of(tmp_path) == before


def _laws(adapter: Adapter, source: Source) -> None:
    turns = list(adapter.read(source))
    assert list(adapter.read(source, talk_only=True)) == [turn for turn in turns if turn.channel in CONVERSATION]
    for turn in turns:
        assert turn in adapter.at(source, turn.line, turn.start)
        assert turn.text.strip() or turn.origin is Origin.UNKNOWN
    assert isinstance(adapter.spine(source), Spine | ReadProblem)


def test_every_adapter_has_a_place_here() -> None:
    assert sorted(adapter.runtime for adapter in default_adapters()) == sorted(_PLACES)


def test_runtimes_that_count_their_messages_give_each_past_its_own_ids(tmp_path: Path) -> None:
    """Two threads of Amp, two conversations of Antigravity: the same numbers, and not the same past."""
    from core.records.amp import AmpAdapter
    from core.records.antigravity import AntigravityAdapter

    for own in ("T-one", "T-two"):
        thread = {"id": own, "messages": [{"role": "user", "messageId": 0, "content": [{"type": "text", "text": own}]}]}
        place = tmp_path / f"amp/threads/{own}.json"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(json.dumps(thread))
        log = tmp_path / f"agy/brain/{own}/.system_generated/logs/transcript.jsonl"
        log.parent.mkdir(parents=True)
        log.write_text(json.dumps({"step_index": 0, "source": "USER", "content": own}) + "\n")
    for adapter, folder in ((AmpAdapter(), "amp"), (AntigravityAdapter(), "agy")):
        spines = [adapter.spine(one) for one in listed(adapter, tmp_path / folder)]
        firsts = {spine.first_uid for spine in spines if isinstance(spine, Spine)}
        assert len(firsts) == 2
        assert "" not in firsts
