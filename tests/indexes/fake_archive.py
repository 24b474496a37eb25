"""A small archive for the tests: real files of JSON lines, read as an adapter reads them.

The first line of a file is its head (`{"id": …, "title": …}`), every other one a turn
(`{"o": "person", "t": "text", "at": 1.0, "uid": "u1"}`). A line without a newline at the end is not read yet.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from core.records.model import Channel, Mark, Origin, ReadProblem, Role, Source, Spine, Tally, Turn


@dataclass
class FakeDiscovery:
    sources: Sequence[Source]
    problems: Sequence[ReadProblem]
    complete_roots: frozenset[str]
    look: bytes = b""


@dataclass
class FakeReading:
    source: Source
    start: Mark
    spine: Spine = field(init=False)
    tally: Tally = field(init=False)
    mark: Mark = field(init=False)
    problems: tuple[ReadProblem, ...] = ()

    def __post_init__(self) -> None:
        self.spine, self.tally, self.mark = self.start.spine, self.start.tally, self.start

    def __iter__(self) -> Iterator[Turn]:
        try:
            data = Path(self.source.path).read_bytes()
        except OSError as error:
            self.problems = (ReadProblem(self.source.path, None, str(error)),)
            return
        offset, line = self.start.offset, self.start.line
        for raw in data[offset:].splitlines(keepends=True):
            if not raw.endswith(b"\n"):
                break
            line += 1
            begin, offset = offset, offset + len(raw)
            self.tally = replace(self.tally, lines=self.tally.lines + 1)
            for turn in self._turns(raw, line, begin):
                self.tally = replace(self.tally, turns=self.tally.turns + 1)
                yield turn
            self.mark = Mark(offset, line, self.spine, self.tally, {"fake": True})

    def _turns(self, raw: bytes, line: int, begin: int) -> Iterator[Turn]:
        try:
            value = json.loads(raw)
        except ValueError:
            self.tally = replace(self.tally, skipped_lines=self.tally.skipped_lines + 1)
            return
        if "id" in value:
            self.spine = spine_of(value)
            return
        turn = turn_of(value, line, begin, begin + len(raw) - 1)
        started = self.spine.started if self.spine.started is not None else turn.at
        first = self.spine.first_uid or turn.uid
        self.spine = replace(self.spine, started=started, ended=turn.at, first_uid=first)
        yield turn


def spine_of(value: dict[str, Any]) -> Spine:
    cwd = value.get("cwd", "/home/dev/project")
    return Spine(
        value["id"], value.get("title", ""), "custom" if value.get("title") else "", project=cwd, cwds=(cwd,),
        branch=value.get("branch", "main"), role=Role(value.get("role", "main")), forked_from=value.get("fork", ""),
        entrypoint=value.get("entry", ""),
    )  # fmt: skip


def turn_of(value: dict[str, Any], line: int, start: int, end: int) -> Turn:
    channel = Channel(value.get("c", "talk"))
    origin, copied = Origin(value.get("o", "person")), value.get("copied", False)
    return Turn(origin, channel, value["t"], value.get("at"), line, start, end, "", value.get("uid", ""), copied)


class FakeArchive:
    """Every `*.jsonl` under a folder; the folder is the root. `incomplete` makes its listing incomplete."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.incomplete = False
        self.opened = 0

    def catch_up(self, projects: Sequence[str], deadline: float | None = None) -> tuple[ReadProblem, ...]:
        return ()

    def history_moved(self, projects: Sequence[str]) -> bool:
        return False

    def rest(self, projects: Sequence[str], look: bytes) -> None:
        return None

    def discover(self, projects: Sequence[str] = (), *, looking: bool = False, known: Any = None) -> FakeDiscovery:
        if known is not None:
            return known  # type: ignore[no-any-return]
        sources = []
        for folder, _, names in os.walk(self.root):
            sources += [self.source(Path(folder) / name) for name in sorted(names) if name.endswith(".jsonl")]
        roots = frozenset() if self.incomplete else frozenset({str(self.root)})
        return FakeDiscovery(sources, (), roots)

    def source(self, path: Path) -> Source:
        status = path.stat()
        role = Role.COPY if path.name.startswith("copy-") else Role.MAIN
        runtime = "codex" if "codex" in path.name else "claude"
        archived = "archived" in path.name
        return Source(
            runtime, str(self.root), str(path), path.stem, status.st_size, status.st_mtime_ns, role, archived=archived
        )

    def spine(self, source: Source) -> Spine | ReadProblem:
        reading = FakeReading(source, Mark())
        for _ in reading:
            continue
        return reading.problems[0] if reading.problems else reading.spine

    def read(self, source: Source, mark: Mark | None = None, *, talk_only: bool = True) -> FakeReading:
        return FakeReading(source, mark or Mark())

    def at(self, source: Source, line: int, start: int) -> tuple[Turn, ...]:
        self.opened += 1
        try:
            with open(source.path, "rb") as file:
                file.seek(start)
                raw = file.readline()
            return (turn_of(json.loads(raw), line, start, start + len(raw) - 1),)
        except (OSError, ValueError, KeyError):
            return ()


class Records:
    """Writes the archive's files. Each write moves the clock by a second, so that a change is always seen."""

    def __init__(self, root: Path) -> None:
        root.mkdir(parents=True, exist_ok=True)
        self.root, self._now = root, 1_700_000_000

    def write(self, name: str, *turns: str | dict[str, Any], **head: Any) -> Path:
        path = self.root / f"{name}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = [{"id": name, **head}, *map(_turn, turns)]
        path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
        return self._touch(path)

    def grow(self, name: str, *turns: str | dict[str, Any]) -> Path:
        path = self.root / f"{name}.jsonl"
        with path.open("a", encoding="utf-8") as file:
            file.writelines(json.dumps(_turn(turn)) + "\n" for turn in turns)
        return self._touch(path)

    def _touch(self, path: Path) -> Path:
        self._now += 1
        os.utime(path, (self._now, self._now))
        return path


def _turn(turn: str | dict[str, Any]) -> dict[str, Any]:
    return {"t": turn} if isinstance(turn, str) else turn
