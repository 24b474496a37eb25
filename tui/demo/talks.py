"""The made-up conversations of the demo archive, read from the texts beside this file.

A text holds one project's sessions. A session begins with a line `@ name | runtime | start | project | branch | title | fork
of NAME` (the last two may be missing). Each turn is a line that begins with a sign, and is continued by lines that begin
with two blanks: `>` the person, `<` the assistant, `$` a command, `|` its output, `=` a summary, `!` a line that does not
parse, `»` and `«` the task and the answer of a subagent.
"""

from __future__ import annotations

import re
from pathlib import Path

from core.frozen import dataclass

_WHO = {">": "person", "<": "assistant", "$": "call", "|": "result", "=": "summary", "!": "broken"}
_SUBAGENT = {"»": "person", "«": "assistant"}
_TEXTS = ("payments.txt", "garden-planner.txt", "tide-radio.txt")


@dataclass(frozen=True, slots=True)
class Say:
    """One turn: `person`, `assistant`, `call`, `result`, `summary`, or `broken` (a line that does not parse)."""

    who: str
    text: str


@dataclass(frozen=True, slots=True)
class Talk:
    """One session."""

    name: str
    runtime: str
    start: str
    """When it began, ISO, UTC."""
    project: str
    """The last part of its folder."""
    says: tuple[Say, ...]
    title: str = ""
    branch: str = "main"
    subagent: tuple[Say, ...] = ()
    fork_of: str = ""
    """The name of the session it was forked from."""


def talks() -> tuple[Talk, ...]:
    """Every session of the demo, in no order that matters."""
    folder = Path(__file__).parent / "talks_text"
    return tuple(talk for name in _TEXTS for talk in _talks((folder / name).read_text(encoding="utf-8")))


def _talks(text: str) -> list[Talk]:
    return [_talk(part) for part in re.split(r"^@ ", text, flags=re.MULTILINE)[1:]]


def _talk(text: str) -> Talk:
    head, _, body = text.partition("\n")
    fields = [part.strip() for part in head.split("|")]
    says: list[Say] = []
    subagent: list[Say] = []
    turns: list[list[str]] = []
    for line in body.splitlines():
        if line.startswith("  "):
            turns[-1].append(line[2:])
        elif line:
            turns.append([line])
    for first, *rest in turns:
        whole = "\n".join((first[2:], *rest))
        if first[0] in _SUBAGENT:
            subagent.append(Say(_SUBAGENT[first[0]], whole))
        else:
            says.append(Say(_WHO[first[0]], whole))
    name, runtime, start, project, branch, title, fork = [*fields, *[""] * (7 - len(fields))]
    return Talk(
        name,
        runtime,
        start,
        project,
        tuple(says),
        title,
        branch,
        tuple(subagent),
        fork.removeprefix("fork of ").strip(),
    )
