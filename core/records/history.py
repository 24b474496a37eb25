"""The adapter for git history: each commit and each tag of a project that a session names is a record.

The commits stand in history files that `core.records.history_files` keeps in the program's own data folder; a record is
a part of one, `<file>#<commit>` or `<file>#tag:<name>`, and its line is the physical line of that file.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

from core.records.held import HeldReading
from core.records.history_lines import CHANGES, SUFFIX, TAG, Place, places
from core.records.lines import NotDecodable, decode, seconds
from core.records.model import Channel, Mark, Origin, Reading, ReadProblem, Role, Root, Source, Spine, Tally, Turn
from core.records.passes import line_at
from core.records.recordfile import named, record_file, record_part

RUNTIME = "git"


class HistoryAdapter:
    """Reads the commits and tags of history files. See `Adapter`."""

    runtime = RUNTIME
    label = "git history"

    def roots(self, env: Mapping[str, str], home: str) -> tuple[Root, ...]:  # noqa: ARG002
        """None: histories are those of the projects that sessions name (`core.records.dependents`)."""
        return ()

    def discover(self, root: Root) -> Iterator[Source | ReadProblem]:
        """The records of every history file in a folder."""
        try:
            names = sorted(os.listdir(root.path))
        except OSError:
            return  # no history was read yet
        for name in names:
            if name.endswith(SUFFIX):
                yield from sources_of(os.path.join(root.path, name), root.path)

    def spine(self, source: Source) -> Spine | ReadProblem:
        """What the commit says of itself."""
        reading = HistoryReading(source)
        reading.load()
        return reading.problems[0] if reading.problems else reading.spine

    def read(self, source: Source, mark: Mark | None = None, *, talk_only: bool = False) -> Reading:  # noqa: ARG002
        """Start a pass; it always reads the whole record, which is one line."""
        return HistoryReading(source)

    def at(self, source: Source, line: int, start: int) -> tuple[Turn, ...]:
        """Every turn of the commit's line; of the lines around it nothing, which belong to other records."""
        return tuple(turn for turn in HistoryReading(source).load() if (turn.line, turn.start) == (line, start))


def sources_of(file: str, root: str) -> Iterator[Source]:
    """The records of one history file. `root` is the repository's own folder, which all its worktrees share."""
    for place in places(file).values():
        role = Role.TAG if place.part.startswith(TAG) else Role.COMMIT
        size, at = place.end - place.start, max(place.at, 0) * 1_000_000_000
        yield Source(RUNTIME, root, named(file, place.part), place.part.removeprefix(TAG), size, at, role)


class HistoryReading(HeldReading):
    """A `Reading` of one commit or tag: it never changes, and one that is rewritten is another commit."""

    def _load(self) -> tuple[Turn, ...]:
        source = self._source
        place = places(record_file(source.path)).get(record_part(source.path))
        raw = line_at(source, place.start) if place is not None else None
        try:
            body = decode(raw) if raw else None
        except NotDecodable:
            body = None
        if place is None or not isinstance(body, dict):
            self.problems = (
                ReadProblem(source.path, None, "It is not in the project's history any more.",
                            "Run: recollect index, to read the history again."),
            )  # fmt: skip
            return ()
        turns = tuple(self._tag(body, place) if source.role is Role.TAG else self._commit(body, place))
        self.tally = Tally(lines=1, turns=len(turns))
        return turns

    def _commit(self, body: dict[str, Any], place: Place) -> Iterator[Turn]:
        at = seconds(body.get("authored")) or seconds(place.at)
        author, root = _text(body, "author"), project_of(self._source)
        self.spine = Spine(
            session_id=place.part, title=_text(body, "subject"), title_from="runtime", project=root,
            cwds=(root,) if root else (), started=at, ended=at, role=Role.COMMIT, agent=author, first_uid=place.part,
        )  # fmt: skip
        if message := _text(body, "message"):
            yield _turn(message, at, place, author, place.part)
        if changes := _text(body, "changes"):
            yield _turn(changes, at, place, CHANGES, f"{place.part}:files")

    def _tag(self, body: dict[str, Any], place: Place) -> Iterator[Turn]:
        at, name, root = seconds(place.at), _text(body, "tag"), project_of(self._source)
        person = _text(body, "tagger")
        self.spine = Spine(
            session_id=name, title=name, title_from="runtime", project=root, cwds=(root,) if root else (),
            started=at, ended=at, role=Role.TAG, agent=person,
        )  # fmt: skip
        for key in ("tag", "message", "subject"):
            if text := _text(body, key):
                yield _turn(text, at, place, person, f"{place.part}:{key}")


def project_of(source: Source) -> str:
    """The working folder of the repository whose own folder is the source's root."""
    return source.root.removesuffix("/.git").removesuffix(".git").rstrip("/") or source.root


def _turn(text: str, at: float | None, place: Place, name: str, uid: str) -> Turn:
    return Turn(Origin.EXTERNAL, Channel.TALK, text, at, place.line, place.start, place.end, name, uid)


def _text(body: dict[str, Any], key: str) -> str:
    value = body.get(key)
    return value if isinstance(value, str) and value.strip() else ""
