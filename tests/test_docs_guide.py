"""The examples of the guide print what it shows, on the demo's home."""

from __future__ import annotations

import json
import os
import re
import time
from pathlib import Path
from typing import Any

from tests.guide import Example, Guide, examples, fits, ran
from tests.pictures import surroundings
from tui.demo.home import demo_home
from tui.mcp.tools import command_of, tool_named

ROOT = Path(__file__).parent.parent
GUIDE = (ROOT / "docs" / "guide.md").read_text(encoding="utf-8")


def test_every_example_of_the_guide_prints_what_is_shown(tmp_path: Path) -> None:
    """One home for all of them, as for a reader; `python -m tests.guide docs/guide.md` prints what they print now."""
    with surroundings(tmp_path), demo_home():
        os.environ["TZ"] = "UTC"
        time.tzset()
        guide = Guide()
        other = []
        for example in examples(GUIDE):
            done = guide.run(example.command)
            if not fits(example.shown, done.output):
                other.append(f"docs/guide.md:{example.line} $ {example.command}\n{done.output}")
        assert other == []
        asked = [(call["name"], answer_to(call)["schema"]) for call in calls()]
    assert asked == [("search", "recollect-search-v1"), ("soul_check", "recollect-soul-check-v1")]


def calls() -> list[dict[str, Any]]:
    """What the guide shows an agent to ask."""
    return [json.loads(block) for block in re.findall(r"```json\n(.*?)```", GUIDE, re.DOTALL)]


def answer_to(call: dict[str, Any]) -> dict[str, Any]:
    """The document that answers it, from the command that the server makes of it."""
    words, given = command_of(tool_named(call["name"]), call["arguments"], write=False)
    assert not given
    code, text = ran(words)
    assert code == 0
    found: dict[str, Any] = json.loads(text)
    return found


def test_the_guide_goes_through_every_part() -> None:
    """A part that the guide leaves out is one that nobody is shown."""
    commands = {example.command.split()[1] for example in examples(GUIDE)}
    assert {
        "status", "recall", "search", "show", "resume", "export", "soul", "curate", "memory", "delegate", "debrief", "calibration",
        "where", "schema", "settings",
    } <= commands  # fmt: skip
    assert all(example.shown for example in examples(GUIDE) if ">" not in example.command)


def test_an_example_that_prints_something_else_is_noticed() -> None:
    text = "```console\n$ recollect a \\\n    --b c\none …\nthree\n$ recollect d\n```\n```sh\n$ recollect no\n```\n"
    assert examples(text) == [Example(2, "recollect a --b c", "one …\nthree\n"), Example(6, "recollect d", "")]
    assert fits("one …\nthree", "one and two\nthree\n")
    assert not fits("one …\nthree", "one and two\nfour\n")
    assert not fits("one", "one\ntwo")
