"""The examples of the guide print what it shows, on the demo's home."""

from __future__ import annotations

import json
import os
import re
import time
from pathlib import Path
from typing import Any

from tests.docs_interface import PRINTED_BY
from tests.guide import Example, Guide, examples, fits, ran
from tests.pictures import surroundings
from tui.demo.home import demo_home
from tui.mcp.tools import command_of, tool_named

ROOT = Path(__file__).parent.parent
GUIDE = (ROOT / "docs" / "guide.md").read_text(encoding="utf-8")


def test_every_example_of_the_guide_prints_what_is_shown(tmp_path: Path) -> None:
    """One home for all of them, as for a reader; `python -m tests.guide docs/guide.md` prints what they print now."""
    with surroundings(tmp_path), demo_home() as home:
        os.environ["TZ"] = "UTC"
        time.tzset()
        guide = Guide()
        other = []
        for example in examples(GUIDE):
            done = guide.run(example.command)
            if not fits(example.shown, done.output):
                other.append(f"docs/guide.md:{example.line} $ {example.command}\n{done.output}")
        assert other == []
        assert wrongly_named() == []
        assert unnamed(home) == set()
        asked = [(call["name"], answer_to(call)["schema"]) for call in calls()]
    assert asked == [("search", "recollect-search-v1"), ("soul_check", "recollect-soul-check-v1")]


READING = (
    "status", "list", "doctor", "index", "where", "delegations", "calibration", "settings", "search retry",
    "show 8de89f75", "resume 8de89f75 --print", "export 8de89f75 --format json", "recall retries", "soul check", "soul read",
    "soul claims", "soul receipt", "curate list", "curate log", "curate show", "memory list", "memory status",
    "memory show 00000007",
)  # fmt: skip
"""Commands that change nothing that a person made; each prints the document that the interface says it prints."""


def wrongly_named() -> list[str]:
    """Those whose document is another than `docs/interface.md` names."""
    wrong = []
    for line in READING:
        code, text = ran([*line.split(), *(() if " --format " in line else ("--json",))])
        found = re.search(r'"schema": ?"([a-z0-9-]+)"', text)
        printing = [command.split(" --")[0] for command in PRINTED_BY.get(found[1] if found else "", ())]
        if code not in (0, 1) or not any(line.startswith(command) for command in printing):
            wrong.append(f"{line}: exit {code}, {found and found[1]}")
    return wrong


def unnamed(home: Path) -> set[str]:
    """What the program keeps in its folders, and `docs/privacy.md` does not tell of."""
    told = (ROOT / "docs" / "privacy.md").read_text(encoding="utf-8")
    kept = {
        entry.name for place in (".cache", ".local/share", ".config") for entry in home.glob(f"{place}/recollect/*")
    }
    assert {"index", "memory", "history", "delegations", "curations"} <= kept
    return {name for name in kept if f"`{name}" not in told}


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
