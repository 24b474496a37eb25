"""The adapter for Codex's rollouts."""

from __future__ import annotations

import mmap
import os
import re
from collections.abc import Callable, Iterator, Mapping

from core.records import codex_files, ghosts
from core.records.codex_lines import CodexParser, Form
from core.records.ghosts import GhostReader
from core.records.glance import HEAD_UNTIL_PROMPT, glance
from core.records.homes import roots_of
from core.records.lines import MAX_LINE, is_compressed, open_record, read_errors_of
from core.records.looks import Looked
from core.records.model import Mark, Reading, ReadProblem, Root, Source, Spine, Turn
from core.records.passes import LineReading, feed, lines_from, turns_at
from core.records.recordfile import at_once

HEADERS = 3
LOOK_AHEAD = 40
"""Lines read on after a user message at most."""
MAX_AHEAD = 4 * 1024 * 1024
FIRST = 64 * 1024
"""Bytes in which the first line is looked for."""
_OBJECT = re.compile(rb"^[ \t\0\xef\xbb\xbf]*\{", re.M)
_PAYLOAD = b'"payload"'
_EVENT = b'"user_message"'


class CodexAdapter:
    """Reads `sessions/YYYY/MM/DD/rollout-*.jsonl`, compressed and archived ones too. See `Adapter`."""

    runtime = codex_files.RUNTIME
    label = "Codex"

    def __init__(self, *, max_line: int = MAX_LINE) -> None:
        self._max_line = max_line
        self._names = codex_files.ThreadNames()
        self._ghosts = GhostReader(max_line=max_line)

    def roots(self, env: Mapping[str, str], home: str) -> tuple[Root, ...]:
        """See `core.records.homes`."""
        return roots_of(self.runtime, env, home)

    def discover(self, root: Root, looked: Looked | None = None) -> Iterator[Source | ReadProblem]:
        """See `codex_files.discover`; then the sessions of which only prompts are left."""
        known: set[str] = set()
        complete = True
        for one in codex_files.discover(root, looked):
            if isinstance(one, Source):
                known.add(one.session_id)
            else:
                complete = False
            yield one
        if looked is not None:
            looked.file(os.path.join(root.path, "history.jsonl"))
        if complete:  # else a record that could not be listed would pass for one that is gone
            history = os.path.realpath(os.path.join(root.path, "history.jsonl"))
            yield from ghosts.discover(root, history, known, bool)

    def spine(self, source: Source) -> Spine | ReadProblem:
        """What the record says of itself, from its head and tail."""
        if ghosts.is_ghost(source):
            return self._ghosts.spine(source)
        parser = self._parser(source, lambda: form_of(source.path, HEAD_UNTIL_PROMPT))
        problem = glance(source, parser, self._max_line)
        return problem if problem is not None else parser.spine()

    def read(self, source: Source, mark: Mark | None = None, *, talk_only: bool = False) -> Reading:
        """Start a pass; see `Adapter.read`.

        As long as a rollout of today's kind has told no prompt by an event, its mark says to read it again whole
        (`offset` 0): the first event changes where prompts are taken from.
        """
        if ghosts.is_ghost(source):
            return self._ghosts.read(source, mark, talk_only=talk_only)
        parser = self._parser(source, lambda: form_of(source.path))
        return LineReading(source, parser, mark, talk_only=talk_only, max_line=self._max_line)

    def at(self, source: Source, line: int, start: int, head: bytes = b"") -> tuple[Turn, ...]:
        """Every turn of the physical line that begins at byte `start`; what lies in `head`, the first bytes of the record, is
        not read again."""
        if ghosts.is_ghost(source):
            return self._ghosts.at(source, line, start)
        parser = self._parser(source, lambda: form_of(source.path))
        _prime(source, parser, start, head)
        parser.alone = True
        found = turns_at(source, parser, line, start, self._max_line, head)
        return found if parser.hold is None else _decided(source, parser, line, start)

    def _parser(self, source: Source, form: Callable[[], Form]) -> CodexParser:
        return CodexParser(source, form, lambda session: self._names.name(source.root, session))


def _prime(source: Source, parser: CodexParser, start: int, head: bytes) -> None:
    """Feed the headers before byte `start`: they say whose session it is and whether it replays another."""
    for number, offset, raw in lines_from(source.path, 0, HEADERS, MAX_AHEAD, head):
        if offset >= start or b'"session_meta"' not in raw[:200]:
            return
        feed(parser, raw, number, offset)


def _decided(source: Source, parser: CodexParser, line: int, start: int) -> tuple[Turn, ...]:
    """Read on after a user message until it is known whether an event repeats it, as a pass does."""
    found: list[Turn] = []
    number = 0
    for number, offset, raw in lines_from(source.path, start, LOOK_AHEAD, MAX_AHEAD):
        if number > 1:
            found.extend(feed(parser, raw, line + number - 1, offset))
        if parser.hold is None:
            break
    if number < LOOK_AHEAD:  # the record ended
        parser.alone = False
        found.extend(parser.drained())
    return tuple(turn for turn in found if turn.line == line)


def form_of(path: str, bound: int = 0) -> Form:
    """Where the file, or its first `bound` bytes, tells prompts. A search of bytes: the names of a kind and of a field
    stand in quotes, which are escaped inside any text."""
    try:
        if is_compressed(path):
            return _in_stream(path, bound)
        with open(path, "rb", buffering=0, opener=at_once) as file:
            head = file.read(FIRST)
            if _is_bare(head):
                return Form.BARE
            if head.find(_EVENT, 0, bound or FIRST) >= 0:
                return Form.EVENTS  # nearly always: the first prompt stands near the beginning
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as body:
                return Form.EVENTS if body.find(_EVENT, 0, bound or len(body)) >= 0 else Form.ITEMS
    except read_errors_of(path, ValueError):
        return Form.ITEMS  # an empty or vanished file has no event


def _is_bare(head: bytes) -> bool:
    """True if the first line that begins an object has no envelope."""
    match = _OBJECT.search(head)
    return match is not None and _PAYLOAD not in head[match.start() :].split(b"\n", 1)[0]


def _in_stream(path: str, bound: int) -> Form:
    with open_record(path) as file:
        rest = file.read(FIRST)
        if _is_bare(rest):
            return Form.BARE
        if _EVENT in rest:
            return Form.EVENTS
        read = len(rest)
        while chunk := file.read(1 << 20):
            if _EVENT in rest + chunk:
                return Form.EVENTS
            rest, read = chunk[-32:], read + len(chunk)
            if bound and read >= bound:
                break
    return Form.ITEMS
