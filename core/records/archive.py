"""Everything on this machine that a past left: all runtimes, all roots, behind one door.

Reading fails in values, never in exceptions for what a file holds or for a file that went away.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.records.claude import ClaudeAdapter
from core.records.codex import CodexAdapter
from core.records.copilot import CopilotAdapter
from core.records.gemini import GeminiAdapter
from core.records.model import Adapter, Mark, Reading, ReadProblem, Root, Source, Spine, Turn
from core.records.pi import PiAdapter
from core.records.window import window


@dataclass(frozen=True, slots=True)
class Discovery:
    """What one listing of all roots found."""

    sources: tuple[Source, ...]
    """Ordered by runtime, root and path; a file that several roots reach is listed under the first."""
    problems: tuple[ReadProblem, ...]
    complete_roots: frozenset[str]
    """Paths of the roots whose listing had no error. Only under these does a missing file mean that it is gone."""


class UnknownRuntime(LookupError):
    """No adapter reads this runtime's records."""


class Archive:
    """The adapters and the roots they read. Holds no open file; threads may share it."""

    def __init__(self, adapters: Sequence[Adapter], roots: Sequence[Root]) -> None:
        self._adapters = {adapter.runtime: adapter for adapter in adapters}
        self.roots = tuple(roots)

    @classmethod
    def from_environment(
        cls, env: Mapping[str, str], home: str, extra_roots: Sequence[str] = (), *, only_extra: bool = False
    ) -> Archive:
        """All adapters with their configured or default roots, then the roots at `extra_roots`.

        A root that does not exist is kept and yields nothing. `only_extra` leaves the configured ones out.
        """
        adapters = default_adapters()
        found: list[Root] = []
        if not only_extra:
            for adapter in adapters:
                found.extend(adapter.roots(env, home))
        for path in extra_roots:
            found.extend(roots_at(path, home, adapters))
        unique = {(root.runtime, os.path.realpath(root.path)): root for root in reversed(found)}
        order = dict.fromkeys((root.runtime, os.path.realpath(root.path)) for root in found)
        return cls(adapters, [unique[key] for key in order])

    @property
    def adapters(self) -> tuple[Adapter, ...]:
        """The adapters, in the order of the archive."""
        return tuple(self._adapters.values())

    def adapter(self, runtime: str) -> Adapter:
        """The adapter of a runtime. Raises `UnknownRuntime`."""
        try:
            return self._adapters[runtime]
        except KeyError:
            raise UnknownRuntime(runtime) from None

    def discover(self) -> Discovery:
        """List every record of every root."""
        sources: dict[str, Source] = {}
        problems: list[ReadProblem] = []
        incomplete: set[str] = set()
        for root in self.roots:
            for found in self.adapter(root.runtime).discover(root):
                if isinstance(found, ReadProblem):
                    problems.append(found)
                    incomplete.add(root.path)
                else:
                    sources.setdefault(found.path, found)
        complete = frozenset(root.path for root in self.roots) - incomplete
        return Discovery(tuple(sources.values()), tuple(problems), complete)

    def spine(self, source: Source) -> Spine | ReadProblem:
        """What a record says of itself; see `Adapter.spine`."""
        return self.adapter(source.runtime).spine(source)

    def read(self, source: Source, mark: Mark | None = None, *, talk_only: bool = False) -> Reading:
        """Start a pass over a record; see `Adapter.read`."""
        return self.adapter(source.runtime).read(source, mark, talk_only=talk_only)

    def at(self, source: Source, line: int, start: int) -> tuple[Turn, ...]:
        """Every turn of one physical line; see `Adapter.at`."""
        return self.adapter(source.runtime).at(source, line, start)

    def window(self, source: Source, line: int, start: int, before: int, after: int) -> tuple[Turn, ...]:
        """The turns of a line and of up to `before` and `after` lines around it, in file order, for a viewer."""
        return window(self.adapter(source.runtime), source, line, start, before, after)


def default_adapters() -> tuple[Adapter, ...]:
    """One adapter per runtime that is understood."""
    return (ClaudeAdapter(), CodexAdapter(), CopilotAdapter(), GeminiAdapter(), PiAdapter())


_LAYOUTS: tuple[tuple[str, str], ...] = (
    ("claude", "projects"),
    ("codex", "sessions"),
    ("codex", "archived_sessions"),
    ("copilot", "session-state"),
    ("gemini", "tmp"),
    ("pi", "sessions"),
)
"""A folder that tells which runtime's root it lies in; `_holds` decides where two runtimes use the same name."""
_HOMES: tuple[tuple[str, str], ...] = (
    ("claude", ".claude"),
    ("claude", ".config/claude"),
    ("codex", ".codex"),
    ("copilot", ".copilot"),
    ("gemini", ".gemini"),
    ("pi", ".pi/agent"),
    ("pi", ".omp/agent"),
)
"""Where a home folder keeps each runtime's root."""


def _holds(runtime: str, folder: str) -> bool:
    """True if a folder of a layout's name looks like that runtime's: Codex files by year, Pi by `--cwd--`."""
    if not os.path.isdir(folder):
        return False
    if os.path.basename(folder) == "sessions":
        try:
            pi = any(name.startswith("--") for name in os.listdir(folder))
        except OSError:
            return runtime == "codex"  # cannot be told; its listing will say why
        return pi == (runtime == "pi")
    if runtime == "gemini":
        return os.path.basename(os.path.dirname(folder)).startswith(".gemini")
    return True


def roots_at(path: str, home: str, adapters: Sequence[Adapter]) -> tuple[Root, ...]:
    """The roots that a path given by the person means: a runtime's root, the folder of records in it, or a home folder
    that holds several. A path without any known layout is tried as a root of every runtime."""
    if path == "~" or path.startswith("~/"):
        path = home + path[1:]
    path = os.path.abspath(path)
    known = {adapter.runtime for adapter in adapters}
    found: list[tuple[str, str]] = []
    for runtime, folder in _HOMES:
        if os.path.isdir(os.path.join(path, folder)):
            found.append((runtime, os.path.join(path, folder)))
    for runtime, folder in _LAYOUTS:
        if _holds(runtime, os.path.join(path, folder)):
            found.append((runtime, path))
        elif os.path.basename(path) == folder and _holds(runtime, path):
            found.append((runtime, os.path.dirname(path)))
    if not found:
        found = [(adapter.runtime, path) for adapter in adapters]
    return tuple(Root(runtime, place, "option") for runtime, place in dict.fromkeys(found) if runtime in known)
