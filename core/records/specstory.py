"""The adapter for Markdown exports of sessions, SpecStory's above all (formats.md D).

They lie in the projects themselves, so there is no default place: a folder that a person names is looked through, not
the home folder. A record is a part of a file, `<export>.md#talk`; its lines have the numbers of the file's lines.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from core.records.blocks import TurnMaker
from core.records.lined import LinedAdapter, WholeParser
from core.records.model import Channel, Origin, ReadProblem, Root, Source, Spine, Turn
from core.records.passes import LineParser
from core.records.recordfile import named, record_file
from core.records.talk import spoken
from core.records.walk import Walk

RUNTIME = "specstory"
PART = "talk"
MAX_DEPTH = 6
"""Folders below a root in which projects are looked for."""
_PLACE = (".specstory", "history")


class SpecStoryAdapter(LinedAdapter):
    """Reads `<project>/.specstory/history/*.md` below a root. See `Adapter`."""

    runtime = RUNTIME
    label = "SpecStory"

    def roots(self, env: Mapping[str, str], home: str) -> tuple[Root, ...]:  # noqa: ARG002
        """None: exports are read only below a folder that the person names."""
        return ()

    def discover(self, root: Root) -> Iterator[Source | ReadProblem]:
        """Every export in the root's own history folder, or in that of a project below."""
        for found in Walk(root.path, _wanted, _enter):
            if isinstance(found, ReadProblem):
                yield found
            elif (*_above(root.path), *found.parts)[-2:] == _PLACE:
                path = named(found.path, PART)
                yield Source(RUNTIME, root.path, path, found.name.removesuffix(".md"), found.size, found.mtime_ns)

    def parser(self, source: Source) -> LineParser:
        """A parser for one pass."""
        return SpecStoryParser(source)


class SpecStoryParser(WholeParser):
    """Reads the messages of one export."""

    def turns(self, record: dict[str, Any], line: int, start: int, end: int) -> Sequence[Turn]:
        """The turn of one message, or what a line says of the session."""
        at = self.draft.see_stamp(record.get("at"))
        self.draft.once("session_id", record.get("session"))
        self.draft.offer_title(record.get("title"), "runtime")
        text = record.get("text")
        if not isinstance(text, str):
            return ()
        make = TurnMaker(at, line, start, end)
        if record.get("speaker") == "user":
            found = list(spoken(text, Origin.PERSON, make))
        else:
            found = [make(Origin.ASSISTANT, Channel.TALK, text)]
        self.draft.see_turns(found)
        return found

    def spine(self) -> Spine:
        """The spine: the project is the folder that holds the history."""
        folder = os.path.dirname(record_file(self.source.path))
        self.draft.see_cwd(os.path.dirname(os.path.dirname(folder)))
        self.draft.once("session_id", self.source.session_id)
        return self.draft.freeze()


def _above(root: str) -> tuple[str, ...]:
    """The last two folders of a root's own path: a person may name the history folder itself."""
    return tuple(os.path.realpath(root).split(os.sep)[-2:])


def _enter(parts: tuple[str, ...]) -> bool:
    name = parts[-1]
    if name == "history" or len(parts) > MAX_DEPTH:
        return len(parts) == 1 or parts[-2] == ".specstory"
    return name == ".specstory" or not (name.startswith(".") or name in ("node_modules", "venv", "target"))


def _wanted(name: str) -> bool:
    return name.endswith(".md")
