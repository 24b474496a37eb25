"""Ghosts: sessions of which only the prompts are left, in `history.jsonl` (formats.md 1a, A8).

Claude Code and Codex note every prompt in one file that outlives the sessions' own records. A session named there whose
record is gone is listed as a record of its own, `history.jsonl#<session>`, whose turns are its prompts; its lines are
those of the file. Older entries of Claude Code name no session: they are gathered by project and day (UTC).
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import IO, Any

from core.frozen import dataclass
from core.records.blocks import TurnMaker, readable
from core.records.lined import LinedAdapter, WholeParser
from core.records.lines import NotDecodable, decode, open_record, read_errors_of, seconds
from core.records.model import (
    CONVERSATION,
    Channel,
    Mark,
    Origin,
    Reading,
    ReadProblem,
    Role,
    Root,
    Source,
    Spine,
    Turn,
)
from core.records.passes import LineParser, LineReading
from core.records.recordfile import at_once, named, record_file, record_part
from core.records.talk import spoken

MAX_ROW = 4 * 1024 * 1024
"""A longer line of the history is not looked at while sessions are listed."""
_COMMAND = re.compile(r"\s*(/[\w:.-]+)(?=\s|\Z)")
_SESSION = re.compile(rb'"session(?:Id|_id)":[ ]?"([^"\\]{1,200})"')


@dataclass(frozen=True, slots=True)
class Prompt:
    """One row of a history."""

    session_id: str
    project: str
    text: str
    at: float | None
    pasted: object = None

    @property
    def key(self) -> str:
        """The session, or the project and day of a row that names none; `""` if it has neither."""
        if self.session_id:
            return self.session_id
        if not self.project or self.at is None:
            return ""
        day = datetime.fromtimestamp(self.at, UTC).date().isoformat()
        return f"{re.sub(r'[^A-Za-z0-9]', '-', self.project)}@{day}"


def prompt_of(row: dict[str, Any]) -> Prompt:
    """A row as Claude Code or Codex writes it."""
    text = row.get("display", row.get("text"))
    session = row.get("sessionId", row.get("session_id"))
    project = row.get("project")
    return Prompt(
        session.encode("utf-8", "replace").decode() if isinstance(session, str) else "",  # it becomes part of a path
        project if isinstance(project, str) else "",
        text if isinstance(text, str) else "",
        seconds(row.get("timestamp", row.get("ts"))),
        row.get("pastedContents"),
    )


Alive = Callable[[Prompt], bool]
"""Says of a row without a session whether a record of that project and time is there."""


def discover(root: Root, path: str, known: Collection[str], alive: Alive) -> Iterator[Source | ReadProblem]:
    """The sessions that a history names and that have no record: ids in `known` do. One without a word that a person
    typed, besides commands, is not listed."""
    sizes: dict[str, int] = {}
    newest: dict[str, float] = {}
    spoke: set[str] = set()
    try:
        with open(path, "rb", buffering=1 << 18, opener=at_once) as file:
            for raw in file:
                session = _SESSION.search(raw)
                if session and session.group(1).decode("utf-8", "replace") in known:
                    continue  # most rows are of sessions that are here: they need no decoding
                prompt = _row(raw)
                key = prompt.key if prompt else ""
                if prompt is None or not key or key in known:
                    continue
                if not prompt.session_id and alive(prompt):
                    continue
                sizes[key] = sizes.get(key, 0) + len(raw)
                newest[key] = max(newest.get(key, 0.0), prompt.at or 0.0)
                if _words(prompt.text).strip():
                    spoke.add(key)
    except FileNotFoundError:
        return
    except OSError as error:
        yield ReadProblem(
            path, None, f"The history of prompts could not be read: {(error.strerror or str(error)).lower()}.",
            "Sessions of which only prompts are left are not listed until then.",
        )  # fmt: skip
        return
    for key in sorted(spoke):
        stamp = int(newest[key] * 1000) * 1_000_000
        yield Source(root.runtime, root.path, named(path, key), key, sizes[key], stamp, Role.GHOST)


def is_ghost(source: Source) -> bool:
    """True for a record that is a part of a history of prompts."""
    return source.role is Role.GHOST or "history.jsonl#" in source.path


class GhostReader(LinedAdapter):
    """Reads ghosts, for the adapters of the runtimes that leave them."""

    def parser(self, source: Source) -> LineParser:
        """A parser for one pass."""
        return GhostParser(source)

    def read(self, source: Source, mark: Mark | None = None, *, talk_only: bool = False) -> Reading:
        """Start a pass over the rows of one session."""
        return _GhostReading(source, self.parser(source), mark, talk_only=talk_only, max_line=self._max_line)

    def spine(self, source: Source) -> Spine | ReadProblem:
        """What the rows say: they may stand anywhere in the history, so it is read whole."""
        reading = self.read(source, talk_only=True)
        for _ in reading:
            continue
        unread = [problem for problem in reading.problems if problem.line is None]
        return unread[0] if unread else reading.spine


class _GhostReading(LineReading):
    """A pass over the rows of one session: only these are read, and only these are counted."""

    def _lines(self, file: IO[bytes]) -> Iterator[Turn]:
        path, counts = record_file(self._source.path), self._counts
        info = os.fstat(file.fileno())
        places = _places(path, (info.st_size, info.st_mtime_ns)).get(record_part(self._source.path), ())
        for line, start in places:
            file.seek(start)
            raw = file.readline(self._max_line + 1)
            counts.lines, counts.offset = line - 1, start
            for turn in self._turns(raw):
                if not self._talk_only or turn.channel in CONVERSATION:
                    counts.turns += 1
                    yield turn
        counts.lines = len(places)


@lru_cache(maxsize=2)
def _places(path: str, stamp: tuple[int, int]) -> dict[str, tuple[tuple[int, int], ...]]:  # noqa: ARG001 - the cache's key
    """Where the rows of each session stand in a history: line and first byte. Kept while the file stays as it is."""
    found: dict[str, list[tuple[int, int]]] = {}
    start = 0
    with open(path, "rb", buffering=1 << 18, opener=at_once) as file:
        for line, raw in enumerate(file, 1):
            prompt = _row(raw)
            if prompt is not None and prompt.key:
                found.setdefault(prompt.key, []).append((line, start))
            start += len(raw)
    return {key: tuple(rows) for key, rows in found.items()}


class GhostParser(WholeParser):
    """Reads the rows of one session and passes over all others."""

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self.draft.role = Role.GHOST
        self._key = record_part(source.path) or source.session_id

    def turns(self, record: dict[str, Any], line: int, start: int, end: int) -> Sequence[Turn]:
        """The prompt of one row, if it is of this session."""
        prompt = prompt_of(record)
        if prompt.key != self._key:
            return ()
        self.draft.see_time(prompt.at)
        self.draft.see_cwd(prompt.project)
        found = list(_told(prompt, TurnMaker(prompt.at, line, start, end)))
        self.draft.see_turns(found)
        return found

    def spine(self) -> Spine:
        """The spine; the id is the session's, or the project and day."""
        self.draft.once("session_id", self._key)
        return self.draft.freeze()


def _told(prompt: Prompt, make: TurnMaker) -> Iterator[Turn]:
    words = _words(prompt.text)
    command = prompt.text[: len(prompt.text) - len(words)].strip()
    if command:
        yield make(Origin.INJECTED, Channel.NOTICE, command)
    yield from spoken(words, Origin.PERSON, make)
    pasted = prompt.pasted
    for one in pasted.values() if isinstance(pasted, dict) else ():
        for text in readable(one.get("content") if isinstance(one, dict) else None):
            yield make(Origin.EXTERNAL, Channel.RESULT, text, "paste")


def _words(text: str) -> str:
    """What stands after a command at the beginning of a prompt: the command is the runtime's."""
    match = _COMMAND.match(text)
    return text[match.end() :] if match else text


def _row(raw: bytes) -> Prompt | None:
    if len(raw) > MAX_ROW:
        return None
    try:
        value = decode(raw)
    except NotDecodable:
        return None
    return prompt_of(value) if isinstance(value, dict) else None


_FIRST_TIME = re.compile(rb'"timestamp":\s*"([0-9T:.Z+-]{10,40})"')


class Spans:
    """When the records of each project were written, for rows that name no session."""

    def __init__(self, sources: Sequence[Source], folder_of: Callable[[Source], str]) -> None:
        self._sources, self._folder_of = sources, folder_of
        self._by_folder: dict[str, list[Source]] | None = None  # made when a row asks: hardly any does
        self._known: dict[str, list[tuple[float, float]]] = {}

    def alive(self, prompt: Prompt) -> bool:
        """True if a record of the prompt's project began before it and was written to after it."""
        folder = re.sub(r"[^A-Za-z0-9]", "-", prompt.project)
        if folder not in self._known:
            if self._by_folder is None:
                self._by_folder = {}
                for source in self._sources:
                    self._by_folder.setdefault(self._folder_of(source), []).append(source)
            self._known[folder] = [_span(source) for source in self._by_folder.get(folder, ())]
        at = prompt.at or 0.0
        return any(begin - 60 <= at <= end + 60 for begin, end in self._known[folder])


def _span(source: Source) -> tuple[float, float]:
    """From the first time in a record's head to its last change."""
    end = source.mtime_ns / 1e9
    try:
        with open_record(source.path) as file:
            match = _FIRST_TIME.search(file.read(64 * 1024))
    except read_errors_of(source.path):
        return end, end  # gone since it was listed, or damaged
    begin = seconds(match.group(1).decode("ascii")) if match else None
    return (begin if begin is not None else end), end
