"""The adapter for Claude Code's records."""

from __future__ import annotations

import mmap
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from core.records import claude_files, ghosts
from core.records.claude_lines import ClaudeParser
from core.records.ghosts import GhostReader
from core.records.glance import glance
from core.records.homes import roots_of
from core.records.lines import MAX_LINE, NotDecodable, decode, is_compressed, open_record, read_errors_of
from core.records.looks import Looked
from core.records.model import Mark, Reading, ReadProblem, Role, Root, Source, Spine, Turn
from core.records.passes import LineReading, turns_at
from core.records.recordfile import at_once

MAX_META = 1 << 20


class ClaudeAdapter:
    """Reads `projects/<folder>/<session>.jsonl` and the subagents beside. See `Adapter`."""

    runtime = claude_files.RUNTIME
    label = "Claude Code"

    def __init__(self, *, max_line: int = MAX_LINE) -> None:
        self._max_line = max_line
        self._titles = claude_files.SessionTitles()
        self._ghosts = GhostReader(max_line=max_line)

    def roots(self, env: Mapping[str, str], home: str) -> tuple[Root, ...]:
        """See `core.records.homes`."""
        return roots_of(self.runtime, env, home)

    def discover(self, root: Root, looked: Looked | None = None) -> Iterator[Source | ReadProblem]:
        """See `claude_files.discover`; then the sessions of which only prompts are left."""
        found: list[Source] = []
        complete = True
        for one in claude_files.discover(root, looked):
            if isinstance(one, Source):
                found.append(one)
            else:
                complete = False
            yield one
        if looked is not None:
            looked.file(os.path.join(root.path, "history.jsonl"))
        if complete:  # else a record that could not be listed would pass for one that is gone
            spans = ghosts.Spans(found, lambda source: os.path.basename(os.path.dirname(source.path)))
            known = {source.session_id for source in found} | {source.parent_id for source in found}
            yield from ghosts.discover(root, _history(root), known, spans.alive)

    def spine(self, source: Source) -> Spine | ReadProblem:
        """What the record says of itself, from its head and tail."""
        if ghosts.is_ghost(source):
            return self._ghosts.spine(source)
        parser = _Parser(source, self._titles)
        problem = glance(source, parser, self._max_line)
        return problem if problem is not None else parser.spine()

    def read(self, source: Source, mark: Mark | None = None, *, talk_only: bool = False) -> Reading:
        """Start a pass; see `Adapter.read`."""
        if ghosts.is_ghost(source):
            return self._ghosts.read(source, mark, talk_only=talk_only)
        return LineReading(source, _Parser(source, self._titles), mark, talk_only=talk_only, max_line=self._max_line)

    def at(self, source: Source, line: int, start: int, head: bytes = b"") -> tuple[Turn, ...]:
        """Every turn of the physical line that begins at byte `start`; what lies in `head`, the first bytes of the record, is
        not read again."""
        if ghosts.is_ghost(source):
            return self._ghosts.at(source, line, start)
        return turns_at(source, _Parser(source, self._titles), line, start, self._max_line, head)


def _history(root: Root) -> str:
    return os.path.realpath(os.path.join(root.path, "history.jsonl"))


class _Parser(ClaudeParser):
    """A `ClaudeParser` that knows the files beside the record."""

    def __init__(self, source: Source, titles: claude_files.SessionTitles) -> None:
        super().__init__(source)
        self._titles = titles
        self._meta_read = False

    def finish(self, end: int) -> None:
        """Decide which old summary is this session's own: the one whose message stands in this file (formats.md B7)."""
        self.summary_title = own_summary(self.source.path, self.summaries, end)

    def spine(self) -> Spine:
        """The spine, with what the file beside a subagent says. The title in the folder's index of sessions, which may
        be stale, is taken only where the record has none (formats.md 1a, A7)."""
        if self.source.meta and not self._meta_read:
            self._meta_read = True
            meta = _meta(self.source.meta)
            self.draft.once("agent", meta.get("agentType") or meta.get("name"))
            self.draft.offer_title(meta.get("description"), "summary")
            self.draft.see_cwd(meta.get("worktreePath"))
        spine = super().spine()
        if spine.title or spine.role is not Role.MAIN:
            return spine
        title = self._titles.title(os.path.dirname(self.source.path), spine.session_id)
        return replace(spine, title=title, title_from="summary") if title else spine


def _meta(path: str) -> dict[str, Any]:
    """The description beside a subagent's record, empty where it cannot be read: it adds to the record, no more."""
    try:
        if os.path.getsize(path) > MAX_META:
            return {}
        with open(path, "rb", opener=at_once) as file:
            value = decode(file.read(MAX_META))
    except (OSError, NotDecodable):
        return {}
    return value if isinstance(value, dict) else {}


def own_summary(path: str, summaries: Sequence[tuple[str, str]], end: int) -> str:
    """The last summary whose message stands before byte `end` of the file, `""` if none does."""
    if not summaries:
        return ""
    keys = [(b'"uuid":"' + leaf.encode("utf-8", "replace") + b'"', text) for leaf, text in reversed(summaries)]
    try:
        if is_compressed(path):
            return _in_stream(path, keys)
        with open(path, "rb", opener=at_once) as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as body:
            return next((text for key, text in keys if body.find(key, 0, end) >= 0), "")
    except read_errors_of(path, ValueError):
        return ""  # an empty or vanished file holds no message of its own


def _in_stream(path: str, keys: Sequence[tuple[bytes, str]]) -> str:
    seen: set[bytes] = set()
    with open_record(path) as file:
        rest = b""
        while chunk := file.read(1 << 20):
            window = rest + chunk
            seen.update(key for key, _ in keys if key in window)
            rest = window[-128:]
    return next((text for key, text in keys if key in seen), "")
