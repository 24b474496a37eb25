"""Whose sessions are a robot's (formats.md A4, C7)."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from core.records.model import Role, Spine
from core.records.robots import first_words, robot_reason

PERSON = Spine(first_prompt="Why is the shop slow today?", prompts=3, entrypoint="cli", cwds=("/home/dev/shop",))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"cwds": ("/Users/a/Library/Application Support/CodexBar/ClaudeProbe",)}, "a usage probe"),
        ({"first_prompt": "Unknown skill: usage", "prompts": 0}, "a usage probe"),
        ({"first_prompt": "/usage", "prompts": 1}, "a usage probe"),
        ({"entrypoint": "sdk-cli"}, "started by a program (sdk-cli)"),
        ({"entrypoint": "sdk-py"}, "started by a program (sdk-py)"),
        ({"entrypoint": "codex_exec"}, "started by a program (codex_exec)"),
        ({"role": Role.REVIEW}, "a reviewer of another session"),
        ({"cwds": ("/home/dev/.claude-mem/observer-sessions",)}, "a summary for a hook"),
        ({"first_prompt": "Summarize the following conversation:\n x", "prompts": 1}, "a summary for a hook"),
        ({"first_prompt": "Summarize the following conversation:\n x", "prompts": 4}, ""),
        ({"entrypoint": "claude-vscode"}, ""),
        ({"cwds": ("/home/dev/ClaudeProbeViewer",)}, ""),
        ({}, ""),
    ],
)
def test_the_reason_is_told_in_a_few_words(change: dict[str, object], reason: str) -> None:
    assert robot_reason(replace(PERSON, **change)) == reason  # type: ignore[arg-type]


def test_many_sessions_with_the_same_words_are_a_programs() -> None:
    one = replace(PERSON, first_prompt="I am Deacon.  Start PATROL now", prompts=1)
    counts = Counter({first_words(one): 5})
    assert robot_reason(one, counts) == "one of 5 sessions with the same first words"
    assert robot_reason(replace(one, prompts=2), counts) == ""
    assert robot_reason(one, Counter({first_words(one): 4})) == ""
    assert robot_reason(one, counts, same=6) == ""
    hello = replace(one, first_prompt="go on")
    assert robot_reason(hello, Counter({first_words(hello): 50})) == ""
    assert robot_reason(replace(one, first_prompt=""), Counter({"": 50})) == ""
