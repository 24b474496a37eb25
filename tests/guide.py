"""The guide's examples: found in the document, run on the demo's home, and held to what is shown of them.

A block of `console` holds commands after `$ ` and below each what it printed; `…` in it stands for any text. All commands of
one document run one after the other in this process, on one made-up home, on one morning.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import shlex
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from unittest.mock import patch

NOW = datetime(2026, 7, 1, 9, tzinfo=UTC)
"""The morning on which the guide is read: what it shows of time is of then."""


@dataclass(frozen=True)
class Example:
    """One command of a document with what the document shows of its output."""

    line: int
    command: str
    shown: str


@dataclass(frozen=True)
class Ran:
    """What a command did."""

    output: str
    code: int


def examples(text: str) -> list[Example]:
    """Every command of the `console` blocks, in order."""
    found: list[Example] = []
    inside = False
    for number, row in enumerate(text.splitlines(), 1):
        if row.startswith("```"):
            inside = row == "```console"
        elif inside and row.startswith("$ "):
            found.append(Example(number, row[2:], ""))
        elif inside:
            last = found.pop()
            joined = f"{last.command[:-1].rstrip()} {row.strip()}"
            more = last.command.endswith("\\")
            found.append(
                Example(last.line, joined, "") if more else Example(last.line, last.command, f"{last.shown}{row}\n")
            )
    return found


def fits(shown: str, output: str) -> bool:
    """True if the output is what is shown, where `…` stands for any text, a line of `…` alone for any lines."""
    pattern = "".join(".*?" if part == "…" else re.escape(part) for part in re.split("(…)", shown.strip()))
    return re.fullmatch(pattern, output.strip(), re.DOTALL) is not None


@contextlib.contextmanager
def one_morning() -> Iterator[None]:
    """The clocks that a command asks stand at `NOW`."""
    with (
        patch("core.library.LocalClock.now", lambda _: NOW),
        patch("core.soul.desk.UtcClock.now", lambda _: NOW),
    ):
        yield


class Guide:
    """Runs the commands of a document on a home; remembers ids, which are new each time."""

    def __init__(self) -> None:
        self._ids: dict[str, str] = {}

    def run(self, line: str) -> Ran:
        """Run a line as the guide writes them: `recollect …`, to a file, through `jq -r .a[0].b`, or with `; echo $?`."""
        command, asked, _ = line.partition("; echo $?")
        words = shlex.split(re.sub("(dlg_)…", lambda found: self._ids[found[1]], command))
        words, picked = (words[: words.index("|")], words[words.index("|") + 3]) if "|" in words else (words, "")
        words, file = (words[:-2], words[-1]) if words[-2:-1] == [">"] else (words, "")
        if words[0] != "recollect":
            raise ValueError(f"The guide uses a command that its test does not run: {words[0]}")
        code, text = ran(words[1:])
        self._ids.update({found[:4]: found for found in re.findall(r"dlg_\w+", text)})
        if picked:
            text = _picked(json.loads(text), picked)
        if file:
            Path(file).write_text(text, encoding="utf-8")
            text = ""
        return Ran(f"{text}{code}\n" if asked else text, code)


def ran(words: list[str]) -> tuple[int, str]:
    """The exit code and what was printed, with the home as `~`."""
    from tui.cli import main

    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out), one_morning():
        code = main(words)
    return code, out.getvalue().replace(os.environ["HOME"], "~")


def _picked(document: Any, path: str) -> str:
    """What `jq -r` picks by names and numbers."""
    for step in re.findall(r"\w+", path):
        document = document[int(step) if isinstance(document, list) else step]
    return f"{document}\n"


def main() -> None:
    """Print what each command of the documents named prints now, and whether that is what they show."""
    from tests.pictures import surroundings
    from tui.demo.home import demo_home

    found = [example for name in sys.argv[1:] for example in examples(Path(name).read_text(encoding="utf-8"))]
    with surroundings(Path.home()), demo_home():
        guide = Guide()
        for example in found:
            done = guide.run(example.command)
            same = fits(example.shown, done.output)
            sys.stdout.write(f"$ {example.command}   [{done.code}, {'same' if same else 'OTHER'}]\n{done.output}\n")


if __name__ == "__main__":
    main()
