"""The adapter for Gemini CLI's sessions (formats.md 1c, D): one JSON document per session, JSON Lines since 0.40.

A document can only be read whole, and a message of the newer form may come again with more content: so a mark always
says to read the record again from its beginning (`offset` 0).
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

from core.records.claude_files import split_paths, unique_roots
from core.records.gemini_messages import GeminiDocument
from core.records.lines import MAX_LINE, NotDecodable, decode
from core.records.model import CONVERSATION, Mark, Reading, ReadProblem, Root, Source, Spine, Tally, Turn
from core.records.walk import Found, Walk

RUNTIME = "gemini"
MAX_MAP = 1 << 20


class GeminiAdapter:
    """Reads `tmp/<project>/chats/session-*.json` and `.jsonl`. See `Adapter`."""

    runtime = RUNTIME
    label = "Gemini CLI"

    def __init__(self, *, max_line: int = MAX_LINE) -> None:
        self._max_bytes = max_line

    def roots(self, env: Mapping[str, str], home: str) -> tuple[Root, ...]:
        """`~/.gemini`, below `GEMINI_CLI_HOME` where that is set."""
        homes = split_paths(env.get("GEMINI_CLI_HOME", ""), home)
        found = [Root(RUNTIME, os.path.join(path, ".gemini"), "GEMINI_CLI_HOME") for path in homes]
        return unique_roots(found or [Root(RUNTIME, os.path.join(home, ".gemini"))])

    def discover(self, root: Root) -> Iterator[Source | ReadProblem]:
        """Every session below a root."""
        for found in Walk(os.path.join(root.path, "tmp"), _wanted, _enter):
            if isinstance(found, ReadProblem):
                yield found
            elif len(found.parts) > 1 and found.parts[1] == "chats":
                yield _source(root, found)

    def spine(self, source: Source) -> Spine | ReadProblem:
        """What the record says of itself. A document is read whole, up to the bound of a line."""
        reading = self._reading(source, talk_only=True)
        reading.load()
        return reading.problems[0] if reading.problems and not reading.tally.turns else reading.spine

    def read(self, source: Source, mark: Mark | None = None, *, talk_only: bool = False) -> Reading:  # noqa: ARG002
        """Start a pass; it always reads the whole record."""
        return self._reading(source, talk_only=talk_only)

    def at(self, source: Source, line: int, start: int) -> tuple[Turn, ...]:
        """Every turn of a physical line: the document is read, since a line of it alone means nothing."""
        found = self._reading(source, talk_only=False)
        return tuple(turn for turn in found if turn.line == line and turn.start == start)

    def _reading(self, source: Source, *, talk_only: bool) -> _DocumentReading:
        return _DocumentReading(source, talk_only, self._max_bytes)


class _DocumentReading:
    """A `Reading` of a record that is held whole, up to a bound."""

    def __init__(self, source: Source, talk_only: bool, max_bytes: int) -> None:
        self._source = source
        self._talk_only = talk_only
        self._max_bytes = max_bytes
        self._turns: tuple[Turn, ...] | None = None
        self.problems: tuple[ReadProblem, ...] = ()
        self.tally = Tally()
        self.spine = Spine(session_id=source.session_id, role=source.role)

    @property
    def mark(self) -> Mark:
        """Always the beginning."""
        return Mark()

    def __iter__(self) -> Iterator[Turn]:
        """Yield the turns in file order."""
        yield from self.load()

    def load(self) -> tuple[Turn, ...]:
        """Read the record once."""
        if self._turns is None:
            self._turns = self._load()
        return self._turns

    def _load(self) -> tuple[Turn, ...]:
        path = self._source.path
        try:
            with open(path, "rb") as file:
                raw = file.read(self._max_bytes + 1)
        except OSError as error:
            self._fail(f"The record could not be opened: {(error.strerror or str(error)).lower()}.",
                       "Check that the file is there and that you may read it.")  # fmt: skip
            return ()
        if len(raw) > self._max_bytes:
            self._fail(f"The record has more than {self._max_bytes} bytes in one document.",
                       "It is left out of search and stories.")  # fmt: skip
            self.tally = Tally(omitted_chars=max(self._source.size, len(raw)))
            return ()
        document = GeminiDocument(self._source, raw, _project(self._source))
        turns = tuple(t for t in document.turns if not self._talk_only or t.channel in CONVERSATION)
        self.spine = document.spine
        self.tally = Tally(document.lines, document.skipped, 0, 0, len(turns))
        self.problems = document.problems
        return turns

    def _fail(self, what: str, hint: str) -> None:
        self.problems = (ReadProblem(self._source.path, None, what, hint),)


def _wanted(name: str) -> bool:
    return name.startswith("session-") and name.endswith((".json", ".jsonl"))


def _enter(parts: tuple[str, ...]) -> bool:
    return len(parts) == 1 or parts[1] == "chats"


def _source(root: Root, found: Found) -> Source:
    stem = found.name.removesuffix(".jsonl").removesuffix(".json")
    return Source(RUNTIME, root.path, found.path, stem, found.size, found.mtime_ns)


def _project(source: Source) -> str:
    """The folder that a session belongs to: records name only a hash or a slug of it (formats.md D)."""
    folder = os.path.relpath(source.path, os.path.join(os.path.realpath(source.root), "tmp")).split(os.sep)[0]
    known: Any = _json(os.path.join(source.root, "projects.json"))
    projects = known.get("projects") if isinstance(known, dict) else None
    if isinstance(projects, dict):
        for path, slug in projects.items():
            if slug == folder:
                return str(path)
    try:
        with open(os.path.join(source.root, "tmp", folder, ".project_root"), encoding="utf-8") as file:
            return file.read(4096).strip()
    except (OSError, ValueError):
        return ""  # older versions write no such file


def _json(path: str) -> Any:
    try:
        with open(path, "rb") as file:
            return decode(file.read(MAX_MAP))
    except (OSError, NotDecodable):
        return None
