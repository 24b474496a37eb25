"""The examples of the guide and the steps of the README do what the documents say, on the demo's home."""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.guide import Example, Guide, examples, fits, one_morning
from tests.pictures import surroundings
from tui.demo.home import demo_home

ROOT = Path(__file__).parent.parent
GUIDE = (ROOT / "docs" / "guide.md").read_text(encoding="utf-8")


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[Path]:
    """The demo's home, with its project for the working folder and one zone for every machine."""
    with surroundings(tmp_path), demo_home() as home:
        os.environ["TZ"] = "UTC"
        time.tzset()
        yield home


def test_every_example_of_the_guide_prints_what_is_shown(demo: Path) -> None:
    """One home for all of them, as for a reader; `python -m tests.guide docs/guide.md` prints what they print now."""
    guide = Guide()
    other = []
    for example in examples(GUIDE):
        ran = guide.run(example.command)
        if not fits(example.shown, ran.output):
            other.append(f"docs/guide.md:{example.line} $ {example.command}\n{ran.output}")
    assert other == []


def test_the_guide_goes_through_every_part() -> None:
    """A part that the guide leaves out is one that nobody is shown."""
    commands = {example.command.split()[1] for example in examples(GUIDE)}
    assert {
        "status", "recall", "search", "show", "resume", "export", "soul", "curate", "memory", "delegate", "debrief", "calibration",
        "where", "schema",
    } <= commands  # fmt: skip
    assert all(example.shown for example in examples(GUIDE) if ">" not in example.command)


def test_an_example_that_prints_something_else_is_noticed() -> None:
    text = "```console\n$ recollect a \\\n    --b c\none …\nthree\n$ recollect d\n```\n```sh\n$ recollect no\n```\n"
    assert examples(text) == [Example(2, "recollect a --b c", "one …\nthree\n"), Example(6, "recollect d", "")]
    assert fits("one …\nthree", "one and two\nthree\n")
    assert not fits("one …\nthree", "one and two\nfour\n")
    assert not fits("one", "one\ntwo")


def test_what_an_agent_is_shown_to_ask_is_answered(demo: Path) -> None:
    """The calls of the guide, as the server makes commands of them."""
    import contextlib
    import io

    from tui.cli import main
    from tui.mcp.tools import command_of, tool_named

    calls = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", GUIDE, re.DOTALL)]
    assert [call["name"] for call in calls] == ["search", "soul_check"]
    for call in calls:
        words, given = command_of(tool_named(call["name"]), call["arguments"], write=False)
        assert not given
        out = io.StringIO()
        with contextlib.redirect_stdout(out), one_morning():
            assert main(words) == 0
        assert json.loads(out.getvalue())["schema"] == f"recollect-{call['name'].replace('_', '-')}-v1"
