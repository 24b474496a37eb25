"""The adapters of all runtimes, each loaded when it is first asked to read: a person uses one or two of twenty."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Protocol, cast

from core.records.homes import roots_of
from core.records.looks import Looked
from core.records.model import Adapter, Mark, Reading, ReadProblem, Root, Source, Spine, Turn

_TABLE: tuple[tuple[str, str, str, str], ...] = (
    ("claude", "Claude Code", "claude", "ClaudeAdapter"),
    ("codex", "Codex", "codex", "CodexAdapter"),
    ("copilot", "Copilot CLI", "copilot", "CopilotAdapter"),
    ("gemini", "Gemini CLI", "gemini", "GeminiAdapter"),
    ("pi", "Pi", "pi", "PiAdapter"),
    ("opencode", "OpenCode", "opencode", "OpenCodeAdapter"),
    ("crush", "Crush", "crush", "CrushAdapter"),
    ("cursor", "Cursor CLI", "cursor", "CursorAdapter"),
    ("kimi", "Kimi Code", "kimi", "KimiAdapter"),
    ("vibe", "Vibe", "vibe", "VibeAdapter"),
    ("amp", "Amp", "amp", "AmpAdapter"),
    ("cline", "Cline", "cline", "ClineAdapter"),
    ("roo", "Roo Code", "cline", "roo"),
    ("kilo", "Kilo Code", "cline", "kilo"),
    ("grok", "Grok Build", "grok", "GrokAdapter"),
    ("antigravity", "Antigravity", "antigravity", "AntigravityAdapter"),
    ("specstory", "SpecStory", "specstory", "SpecStoryAdapter"),
    ("git", "git history", "history", "HistoryAdapter"),
    ("notes", "notes", "notes", "NotesAdapter"),
    ("memory", "memory", "memory", "MemoryAdapter"),
)
"""Runtime, the name that people know, and the module and what makes it there."""
LOOKING = frozenset({"claude", "codex"})
"""Runtimes whose listing notes all that it looks at."""
HEADED = frozenset({"claude", "codex"})
"""Runtimes whose adapter is a `Headed` one."""


class Looking(Protocol):
    """An adapter whose listing can note what it looks at."""

    def discover(self, root: Root, looked: Looked | None = None) -> Iterator[Source | ReadProblem]:
        """See `Adapter.discover`."""
        ...


class Headed(Protocol):
    """An adapter that reads a line from bytes which are held already."""

    def at(self, source: Source, line: int, start: int, head: bytes = b"") -> tuple[Turn, ...]:
        """See `Adapter.at`; what lies in `head`, the first bytes of the record, is not read again."""
        ...


class LaterAdapter:
    """An `Adapter` whose class is loaded when it is first needed."""

    def __init__(self, runtime: str, label: str, module: str, name: str) -> None:
        self.runtime, self.label = runtime, label
        self._module, self._name = module, name
        self._loaded: Adapter | None = None

    @property
    def real(self) -> Adapter:
        """The adapter itself."""
        if self._loaded is None:
            made: Adapter = getattr(import_module(f"core.records.{self._module}"), self._name)()
            self._loaded = made
        return self._loaded

    def roots(self, env: Mapping[str, str], home: str) -> tuple[Root, ...]:
        """See `Adapter.roots`."""
        return roots_of(self.runtime, env, home)

    def discover(self, root: Root) -> Iterator[Source | ReadProblem]:
        """See `Adapter.discover`."""
        return self.real.discover(root)

    def look(self, root: Root, looked: Looked) -> Iterator[Source | ReadProblem] | None:
        """The same, noting all that is looked at; `None` where the runtime's listing cannot."""
        return cast("Looking", self.real).discover(root, looked) if self.runtime in LOOKING else None

    def spine(self, source: Source) -> Spine | ReadProblem:
        """See `Adapter.spine`."""
        return self.real.spine(source)

    def read(self, source: Source, mark: Mark | None = None, *, talk_only: bool = False) -> Reading:
        """See `Adapter.read`."""
        return self.real.read(source, mark, talk_only=talk_only)

    def at(self, source: Source, line: int, start: int) -> tuple[Turn, ...]:
        """See `Adapter.at`."""
        return self.real.at(source, line, start)

    def at_head(self, source: Source, line: int, start: int, head: bytes) -> tuple[Turn, ...]:
        """The same of a line that begins in `head`, the first bytes of the record."""
        if self.runtime in HEADED:
            return cast("Headed", self.real).at(source, line, start, head)
        return self.real.at(source, line, start)


def default_adapters() -> tuple[Adapter, ...]:
    """One adapter per runtime that is understood."""
    return tuple(LaterAdapter(*row) for row in _TABLE)
