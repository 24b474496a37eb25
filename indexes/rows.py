"""A record's row of the catalog as values, and those values as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

import orjson

from core.ports import Entry, Extractor, Reach, Receipt, Standing
from core.records.model import Mark, Role, Source, Spine, Tally

ROBOTS = frozenset({"sdk-cli", "sdk-ts", "sdk-py", "codex_exec", "exec", "mcp", "print", "non-interactive"})
"""Entry points (as records say them) of sessions that a program started, not a person."""


@dataclass(frozen=True, slots=True)
class Row:
    """What the catalog knows of one record."""

    source: Source
    ordinal: int
    """Number under which the record's turns stand in the index; a whole re-read takes a new one."""
    upto: int
    """Turns of lines that begin before this byte are searchable; 0 if there is none."""
    spine: Spine
    mark: Mark
    tail: str
    """Hash of the bytes before the mark, `""` if the record cannot be read on from there."""
    tally: Tally
    omitted: int
    """Characters the index itself left out (turns above its bound); part of `tally.omitted_chars`."""
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


def is_robot(spine: Spine) -> bool:
    """Whether a program started the session."""
    return spine.entrypoint.casefold() in ROBOTS


def to_json(value: object) -> bytes:
    """A dataclass value as JSON. Falls back to the slower library for text that is not valid Unicode (file names)."""
    try:
        return orjson.dumps(value)
    except TypeError:
        plain: Any = asdict(value) if hasattr(value, "__dataclass_fields__") else value  # type: ignore[call-overload]
        return json.dumps(plain).encode("ascii")


def from_json(data: bytes) -> Any:
    """The JSON value; raises `ValueError` if it is damaged."""
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError:
        return json.loads(data)


def _known(kind: type[Any], data: Mapping[str, Any]) -> dict[str, Any]:
    names = {f.name for f in fields(kind)}
    return {k: tuple(v) if isinstance(v, list) else v for k, v in data.items() if k in names}


def source_from(data: bytes) -> Source:
    """A source from its JSON."""
    values = _known(Source, from_json(data))
    return Source(**{**values, "role": Role(values["role"])})


def spine_of(values: Mapping[str, Any]) -> Spine:
    """A spine from its JSON object."""
    known = _known(Spine, values)
    return Spine(**{**known, "role": Role(known["role"])})


def tally_of(values: Mapping[str, Any]) -> Tally:
    """A tally from its JSON object."""
    return Tally(**_known(Tally, values))


def mark_from(data: bytes) -> Mark:
    """A mark from its JSON."""
    values = from_json(data)
    return Mark(
        values["offset"],
        values["line"],
        spine_of(values["spine"]),
        tally_of(values["tally"]),
        values["state"],
    )


def reach_from(data: bytes) -> dict[Extractor, Reach]:
    """How far each extractor came, from its JSON."""
    return {Extractor(k): Reach(v) for k, v in from_json(data).items()}
