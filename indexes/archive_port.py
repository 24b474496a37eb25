"""What the index asks of the archive; `core.records.archive.Archive` fulfils it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from core.records.model import Listed, Mark, Reading, ReadProblem, Source, Spine, Turn


class Rest(Protocol):
    """What lies outside of the roots that stand as they did."""

    @property
    def sources(self) -> Sequence[Source]:
        """The records' files."""
        ...

    @property
    def same_roots(self) -> frozenset[tuple[str, str]]:
        """Runtime and path of the roots that stand as they did."""
        ...

    @property
    def records(self) -> int:
        """How many records these hold."""
        ...

    @property
    def changed(self) -> Mapping[str, tuple[int, int]]:
        """Files in these roots that were written to, with their size and time now."""
        ...

    @property
    def look(self) -> bytes:
        """The look with these."""
        ...

    @property
    def problems(self) -> Sequence[ReadProblem]:
        """What could not be listed."""
        ...


class Archive(Protocol):
    """Every configured root of every runtime."""

    def discover(self, projects: Sequence[str] = (), *, looking: bool = False, known: Listed | None = None) -> Listed:
        """Scan the roots, and what lies in the projects that sessions name; `looking` notes what was looked at. With a
        `known` listing, only what lies in the projects is looked for and added."""
        ...

    def rest(self, projects: Sequence[str], look: bytes) -> Rest | None:
        """What lies outside of the roots that were looked at, where those stand as they did; else `None`."""
        ...

    def catch_up(self, projects: Sequence[str], deadline: float | None = None) -> Sequence[ReadProblem]:
        """Read the git history of these projects where it moved; `deadline` is on the monotonic clock."""
        ...

    def history_moved(self, projects: Sequence[str]) -> bool:
        """True if a repository of these projects moved since its history was read. Starts no process."""
        ...

    def spine(self, source: Source) -> Spine | ReadProblem:
        """What a record says of itself, from a bounded number of bytes."""
        ...

    def read(self, source: Source, mark: Mark | None = None, *, talk_only: bool = True) -> Reading:
        """Start a pass over a record."""
        ...

    def at(self, source: Source, line: int, start: int) -> tuple[Turn, ...]:
        """The turns of one line."""
        ...
