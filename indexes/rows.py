"""A record's row of the catalog as values, and those values as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any, NamedTuple

from core.frozen import dataclass
from core.ports import Entry, Extractor, Reach, Receipt, Standing
from core.records.model import Mark, Role, Source, Spine, Tally
from core.records.robots import robot_reason


@dataclass(frozen=True, slots=True)
class Row:
    """What the catalog knows of one record."""

    source: Source
    ordinal: int
    """Number under which the record's turns stand in the index; a whole re-read takes a new one."""
    upto: int
    """Turns of lines that begin before this byte are searchable; 0 if there is none."""
    spine: Spine
    tally: Tally
    reach: Mapping[Extractor, Reach]
    finding: str
    standing: Standing = Standing.PRESENT

    def entry(self) -> Entry:
        """The row as the port's value."""
        return Entry(self.source, self.spine, self.standing, self.tally)

    def receipt(self) -> Receipt:
        """The row's capture receipt."""
        return Receipt(self.source.size, self.source.mtime_ns, self.reach, self.tally, self.finding)


@dataclass(frozen=True, slots=True)
class Resume:
    """What is needed to read a record on from where the last pass ended."""

    mark: Mark
    tail: str
    """Hash of the bytes before the mark, `""` if the record cannot be read on from there."""
    omitted: int
    """Characters the index itself left out (turns above its bound); part of the row's `tally.omitted_chars`."""


class Stored(NamedTuple):
    """A record that was read, in the form in which the catalog writes it down."""

    ordinal: int
    path: str
    record: tuple[object, ...]
    """In the order of the catalog's columns."""
    resume: bytes
    details: tuple[bytes, ...]
    """Source, spine, tally and reach."""
    projects: tuple[bytes, ...]
    """The working folders that it names."""
    unread: bool
    """True where the record could not be read."""


@dataclass(frozen=True, slots=True)
class Signature:
    """What the planning of a refresh needs of a row."""

    path: str
    runtime: str
    root: str
    session_id: str
    size: int
    mtime_ns: int
    standing: Standing
    ordinal: int
    upto: int


def key_of(path: str) -> bytes:
    """A path as the catalog holds it: file names need not be Unicode."""
    return path.encode("utf-8", "surrogatepass")


def is_robot(spine: Spine) -> bool:
    """Whether a program held the session (`core.records.robots`, without the count of equal prompts)."""
    return bool(robot_reason(spine))


def to_json(value: object) -> bytes:
    """A dataclass value as JSON. Falls back to the slower library for text that is not valid Unicode (file names)."""
    import orjson  # 7 ms, which a command that finds nothing changed does without

    try:
        return orjson.dumps(value)
    except TypeError:
        return json.dumps(value, default=asdict).encode("ascii")


def from_json(data: bytes) -> Any:
    """The JSON value; raises `ValueError` if it is damaged."""
    import orjson

    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError:
        return json.loads(data)


_SOURCE, _SPINE, _TALLY = (frozenset(f.name for f in fields(kind)) for kind in (Source, Spine, Tally))


def _known(names: frozenset[str], data: dict[str, Any]) -> dict[str, Any]:
    """The values of fields that this version has; a catalog of a neighbouring version may hold others."""
    return data if data.keys() <= names else {k: v for k, v in data.items() if k in names}


def source_from(data: bytes) -> Source:
    """A source from its JSON."""
    values = _known(_SOURCE, from_json(data))
    values["role"], values["outputs"] = Role(values["role"]), tuple(values["outputs"])
    return Source(**values)


def spine_of(data: dict[str, Any]) -> Spine:
    """A spine from its JSON object."""
    values = _known(_SPINE, data)
    values["role"], values["cwds"] = Role(values["role"]), tuple(values["cwds"])
    return Spine(**values)


def tally_of(values: dict[str, Any]) -> Tally:
    """A tally from its JSON object."""
    return Tally(**_known(_TALLY, values))


def resume_to_json(resume: Resume, spine: Spine) -> bytes:
    """A resume as JSON; the mark's spine is left out where it is the row's."""
    mark = resume.mark
    own = None if mark.spine == spine else mark.spine
    return to_json([mark.offset, mark.line, own, mark.tally, dict(mark.state), resume.tail, resume.omitted])


def resume_from(data: bytes, spine: Spine) -> Resume:
    """A resume from its JSON and the row's spine."""
    offset, line, own, tally, state, tail, omitted = from_json(data)
    return Resume(Mark(offset, line, spine_of(own) if own else spine, tally_of(tally), state), tail, omitted)


def reach_from(data: bytes) -> dict[Extractor, Reach]:
    """How far each extractor came, from its JSON."""
    return {Extractor(k): Reach(v) for k, v in from_json(data).items()}
