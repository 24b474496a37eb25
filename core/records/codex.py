"""The adapter for Codex's rollouts."""

from __future__ import annotations

import mmap
from collections.abc import Callable, Iterator, Mapping

from core.records import codex_files
from core.records.codex_lines import CodexParser
from core.records.glance import HEAD_UNTIL_PROMPT, glance
from core.records.lines import MAX_LINE, is_compressed, open_record, read_errors_of
from core.records.model import Mark, Reading, ReadProblem, Root, Source, Spine, Turn
from core.records.passes import LineReading, feed, lines_from, turns_at

HEADERS = 3
LOOK_AHEAD = 40
"""Lines read on after a user message at most."""
MAX_AHEAD = 4 * 1024 * 1024
_EVENT = b'"user_message"'


class CodexAdapter:
    """Reads `sessions/YYYY/MM/DD/rollout-*.jsonl`, compressed and archived ones too. See `Adapter`."""

    runtime = codex_files.RUNTIME
    label = "Codex"

    def __init__(self, *, max_line: int = MAX_LINE) -> None:
        self._max_line = max_line
        self._names = codex_files.ThreadNames()

    def roots(self, env: Mapping[str, str], home: str) -> tuple[Root, ...]:
        """See `codex_files.roots`."""
        return codex_files.roots(env, home)

    def discover(self, root: Root) -> Iterator[Source | ReadProblem]:
        """See `codex_files.discover`."""
        return codex_files.discover(root)

    def spine(self, source: Source) -> Spine | ReadProblem:
        """What the record says of itself, from its head and tail."""
        parser = self._parser(source, lambda: has_events(source.path, HEAD_UNTIL_PROMPT))
        problem = glance(source, parser, self._max_line)
        return problem if problem is not None else parser.spine()

    def read(self, source: Source, mark: Mark | None = None, *, talk_only: bool = False) -> Reading:
        """Start a pass; see `Adapter.read`.

        As long as a rollout of today's kind has told no prompt by an event, its mark says to read it again whole
        (`offset` 0): the first event changes where prompts are taken from.
        """
        parser = self._parser(source, lambda: has_events(source.path))
        return LineReading(source, parser, mark, talk_only=talk_only, max_line=self._max_line)

    def at(self, source: Source, line: int, start: int) -> tuple[Turn, ...]:
        """Every turn of the physical line that begins at byte `start`."""
        parser = self._parser(source, lambda: has_events(source.path))
        _prime(source, parser, start)
        found = turns_at(source, parser, line, start, self._max_line)
        return found if parser.hold is None else _decided(source, parser, line, start)

    def _parser(self, source: Source, by_events: Callable[[], bool]) -> CodexParser:
        return CodexParser(source, by_events, lambda session: self._names.name(source.root, session))


def _prime(source: Source, parser: CodexParser, start: int) -> None:
    """Feed the headers before byte `start`: they say whose session it is and whether it replays another."""
    for number, offset, raw in lines_from(source.path, 0, HEADERS, MAX_AHEAD):
        if offset >= start or b'"session_meta"' not in raw[:200]:
            return
        feed(parser, raw, number, offset)


def _decided(source: Source, parser: CodexParser, line: int, start: int) -> tuple[Turn, ...]:
    """Read on after a user message until it is known whether an event repeats it, as a pass does."""
    found: list[Turn] = []
    ahead = lines_from(source.path, start, LOOK_AHEAD, MAX_AHEAD)
    for number, offset, raw in ahead:
        if number > 1:
            found.extend(feed(parser, raw, line + number - 1, offset))
        if parser.hold is None:
            break
    return tuple(turn for turn in found if turn.line == line)


def has_events(path: str, bound: int = 0) -> bool:
    """True if the file, or its first `bound` bytes, holds an `event_msg/user_message`. A search of bytes: the name of
    the kind stands in quotes, which are escaped inside any text."""
    try:
        if is_compressed(path):
            return _in_stream(path, bound)
        with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as body:
            return (body.find(_EVENT, 0, bound) if bound else body.find(_EVENT)) >= 0
    except read_errors_of(path, ValueError):
        return False  # an empty or vanished file has no event


def _in_stream(path: str, bound: int) -> bool:
    with open_record(path) as file:
        rest, read = b"", 0
        while chunk := file.read(1 << 20):
            if _EVENT in rest + chunk:
                return True
            rest, read = chunk[-32:], read + len(chunk)
            if bound and read >= bound:
                return False
    return False
