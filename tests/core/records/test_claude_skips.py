"""What the reading of the conversation passes over by a line's bytes alone holds no conversation."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.records.claude_lines import ClaudeParser
from core.records.claude_skips import SILENT, skippable
from core.records.model import CONVERSATION, Role, Source
from tests.core.records.builders import SID

WORDS = st.sampled_from(
    ["so it is", "", " ", '},"', '{"type":"text"}', '"type":"tool_result"', "},n", 'say "yes", no', "[1],", "a\\", "\n"]
)
VALUES = st.recursive(
    st.one_of(WORDS, st.none(), st.integers(-9, 9), st.booleans()),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.sampled_from(["a", "type", "text", "content"]), inner, max_size=3),
    ),
    max_leaves=6,
)
BLOCKS = st.one_of(
    st.fixed_dictionaries({"type": st.just("text"), "text": WORDS}),
    st.fixed_dictionaries({"type": st.just("thinking"), "thinking": WORDS}),
    st.fixed_dictionaries({"type": st.just("tool_use"), "name": WORDS, "input": VALUES}),
    st.fixed_dictionaries({"tool_use_id": WORDS, "type": st.just("tool_result"), "content": VALUES}),
    VALUES,
)
CONTENTS = st.one_of(WORDS, st.lists(BLOCKS, max_size=4), VALUES)


@st.composite
def records(draw: st.DrawFn) -> dict[str, Any]:
    """A record of a speaker or of the runtime, its keys in any order."""
    role = draw(st.sampled_from(["user", "assistant"]))
    kind = draw(st.sampled_from([role, "user", "assistant", "attachment", "system", "summary", *sorted(SILENT)]))
    record = {
        "type": kind,
        "message": {"role": role, "content": draw(CONTENTS)},
        "uuid": draw(WORDS),
        "toolUseResult": draw(VALUES),
        "attachment": {"type": draw(st.sampled_from(["queued_command", "file"])), "prompt": draw(CONTENTS)},
        "content": draw(WORDS),
    }
    keys = draw(st.permutations([key for key in record if key == "type" or draw(st.booleans())]))
    return {key: record[key] for key in keys}


@given(records(), st.sampled_from([(",", ":"), (", ", ": ")]))
def test_no_line_of_the_conversation_is_passed_over(record: dict[str, Any], separators: tuple[str, str]) -> None:
    raw = json.dumps(record, separators=separators).encode() + b"\n"
    if skippable(raw):
        parser = ClaudeParser(Source("claude", "/r", "/r/a.jsonl", SID, len(raw), 0, Role.MAIN))
        assert [turn for turn in parser.turns(record, 1, 0, len(raw) - 1) if turn.channel in CONVERSATION] == []


@pytest.mark.parametrize("after", ['"so"', "null", "3", "[1]", "true", "-1", '"a","so"', 'null,"so"'])
def test_words_that_stand_bare_behind_a_block_are_seen(after: str) -> None:
    block = '{"tool_use_id":"t","type":"tool_result","content":"ok"}'
    line = f'{{"type":"user","message":{{"role":"user","content":[{block}{{}}]}},"uuid":"u"}}\n'
    assert skippable(line.replace("{}", "").encode())
    assert not skippable(line.replace("{}", f",{after}").encode())


def test_a_list_of_strings_in_a_tool_s_input_keeps_nothing() -> None:
    line = (
        b'{"type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","name":"Ask","input":'
        b'{"options":["yes","no"],"more":[{"a":1},{"b":2}]}}]},"uuid":"u"}\n'
    )
    assert skippable(line)


def test_what_an_assistant_said_inside_another_line_does_not_hide_the_line() -> None:
    inner = '{"type":"progress","message":{"role":"assistant","content":[{"type":"tool_use","input":{}}]}}'
    line = f'{{"data":{inner},"message":{{"role":"user","content":"go on"}},"type":"user","uuid":"u"}}\n'
    assert not skippable(line.encode())
    own = '{"parentUuid":"p","message":{"role":"assistant","content":[{"type":"tool_use","input":{}}]},"type":"assistant"}\n'
    assert skippable(own.encode())
