"""Reads Whoosh's list of segments (its TOC) without Whoosh.

The list is Whoosh's own file, and a test holds what is read here to what Whoosh reads. Of its two pickles only the second
is opened, the segments; nothing but the two classes that it is made of is known here, and both as mere bags of values, so
that a list from elsewhere runs no code.
"""

from __future__ import annotations

import io
import pickle
import re
import struct
from pathlib import Path
from typing import Any

from indexes.damage import IndexDamaged

INDEX_NAME = "turns"
SEGMENT_EXT = ".seg"
_INT = struct.Struct("!i")
_ORDER = -12345
_VERSION = -111
"""Whoosh's version of the form of the list."""
_SIZES = 3
_RELEASE = 3


class _Values:
    """A pickled object as its values."""


class _Known(pickle.Unpickler):
    """Makes `_Values` of the classes that a list is made of, and refuses any other."""

    def find_class(self, module: str, name: str) -> Any:
        """The stand-in for a class by its name."""
        if module == "indexes.whoosh_codec" and name in ("ArraySegment", "ArrayCodec"):
            return _Values
        raise IndexDamaged(f"the list of segments names {module}.{name}, which is none of its parts")


def file_name(index: str, generation: int) -> str:
    """The name of a list."""
    return f"_{index}_{generation}.toc"


def segment_file(segid: str) -> str:
    """The name of the file of a segment."""
    return f"{INDEX_NAME}_{segid}{SEGMENT_EXT}"


def newest(folder: Path, index: str) -> int:
    """The highest number of a list in a folder, -1 if there is none."""
    name = re.compile(rf"_{re.escape(index)}_([0-9]+)\.toc")
    try:
        return max((int(m[1]) for entry in folder.iterdir() if (m := name.fullmatch(entry.name))), default=-1)
    except FileNotFoundError:
        return -1


def read(path: Path) -> list[dict[str, Any]]:
    """The segments of a list, each as the values that its pickle holds. Raises what `DAMAGE` lists."""
    stream = io.BytesIO(path.read_bytes())
    for _ in range(_SIZES):
        _varint(stream)
    order, version = _int(stream), _int(stream)
    if order != _ORDER or version != _VERSION:
        raise IndexDamaged("the list of segments is of another form")
    for _ in range(_RELEASE):
        _varint(stream)
    stream.seek(_varint(stream), io.SEEK_CUR)  # the schema, which is always the same
    _int(stream), _int(stream)
    segments = _Known(stream).load()
    if not isinstance(segments, list) or not all(isinstance(s, _Values) for s in segments):
        raise IndexDamaged("the list of segments holds something else")
    return [dict(vars(segment)) for segment in segments]


def _int(stream: io.BytesIO) -> int:
    return int(_INT.unpack(stream.read(_INT.size))[0])


def _varint(stream: io.BytesIO) -> int:
    """An unsigned number in pieces of seven bits, the lowest first."""
    out = shift = 0
    while True:
        (byte,) = stream.read(1)
        out |= (byte & 0x7F) << shift
        if byte < 0x80:
            return out
        shift += 7
