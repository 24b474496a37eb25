"""Physical lines of a record: opening the file, decoding a line, telling the time.

Vendors call these formats internal, so everything here tolerates what it does not expect (formats.md, Part 1).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import cache
from typing import IO, Any, cast

from core.records.recordfile import at_once, record_part

MAX_LINE = 32 * 1024 * 1024
"""A line of more bytes than this is never decoded nor held: it is counted and skipped."""

ONE_LINE = 1 << 14
"""Bytes that are read at a time where a few lines are wanted: four of five lines are shorter."""

MAX_DEPTH = 60
"""How deep the texts of a value are read: nothing that anybody wrote lies deeper."""
DEEPEST = MAX_DEPTH + 20
"""Levels of a whole document or line that are kept: those of a message that are read, and those around messages."""

MIN_TIME = datetime(2015, 1, 1, tzinfo=UTC).timestamp()
MAX_TIME = datetime(2100, 1, 1, tzinfo=UTC).timestamp()
"""Timestamps outside of these bounds are not believed."""

_BLANK = b" \t\r\n\0"
_MARKS = "﻿\0 \t\r\n"


@cache
def _loads() -> Callable[[bytes], Any]:
    import orjson  # 7 ms, which a command that reads no record does without

    return orjson.loads


class NotDecodable(ValueError):
    """The line holds no JSON value, also not with the forgiving decoder."""


def decode(raw: bytes) -> Any:
    """The JSON value of one line, or raise `NotDecodable`.

    What orjson refuses goes to the standard decoder, not strictly: lone surrogates, raw control characters (a redactor
    that replaced text in place, formats.md B15), NUL padding, a byte order mark, invalid UTF-8.
    """
    try:
        return _loads()(raw)
    except ValueError:
        pass_on = raw
    text = pass_on.decode("utf-8", "replace").strip(_MARKS)
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError) as error:
        raise NotDecodable(str(error)) from error


def json_line(value: Any) -> bytes:
    """A value as one line of JSON, its newline included."""
    import orjson

    try:
        return orjson.dumps(value) + b"\n"
    except TypeError:
        return json.dumps(_shallow(value)).encode() + b"\n"  # lone surrogates, numbers beyond 64 bits, many levels


def _shallow(value: object, depth: int = 0) -> object:
    """A value without what lies deeper than `DEEPEST`."""
    if depth > DEEPEST:
        return None
    if isinstance(value, dict):
        return {key: _shallow(item, depth + 1) for key, item in value.items()}
    if isinstance(value, list):
        return [_shallow(item, depth + 1) for item in value]
    return value


def is_blank(raw: bytes) -> bool:
    """True for a line of white space and NULs."""
    return not raw.strip(_BLANK)


def content_end(raw: bytes, start: int) -> int:
    """The byte offset after the last byte of the line that begins at `start`, its newline not counted."""
    size = len(raw)
    if size and raw[-1] == 10:
        size -= 1
    if size and raw[size - 1] == 13:
        size -= 1
    return start + size


def seconds(value: object) -> float | None:
    """A record's time as seconds since the epoch, or `None` where it is missing or not believable.

    Understands ISO 8601 and numbers in seconds, milliseconds or microseconds.
    """
    if isinstance(value, str):
        try:
            moment = datetime.fromisoformat(value)
        except ValueError:
            return None
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        try:
            found = moment.timestamp()
        except (OverflowError, ValueError):
            return None
    elif isinstance(value, int | float) and not isinstance(value, bool):
        try:
            found = float(value)
        except OverflowError:  # JSON bounds no number
            return None
        while found > MAX_TIME and found < 1e18:
            found /= 1000.0
    else:
        return None
    return found if MIN_TIME <= found <= MAX_TIME else None


def is_compressed(path: str) -> bool:
    """True for a record that is stored as Zstandard (formats.md 1b: rollouts untouched for a week)."""
    return path.endswith(".zst")


def open_record(path: str, buffer: int = 1 << 18) -> IO[bytes]:
    """Open a record for reading, decompressed, `buffer` bytes at a time where it is a file. Offsets count in the decompressed bytes, those of a record that is a
    part of a file in the lines that stand for it (`core.records.rendered`). Raises `OSError`."""
    if "#" in path and record_part(path):
        from core.records.rendered import open_part  # SQLite is loaded only where there is a database

        return open_part(path)
    if is_compressed(path):
        return cast("IO[bytes]", zstd().ZstdFile(path, "rb"))
    return open(path, "rb", buffering=buffer, opener=at_once)


def read_errors_of(path: str, *more: type[Exception]) -> tuple[type[Exception], ...]:
    """What reading an opened record may raise: the system's errors, a damaged or cut compressed stream, and `more`."""
    if is_compressed(path):
        damaged: type[Exception] = zstd().ZstdError
        return (OSError, EOFError, damaged, *more)
    return (OSError, EOFError, *more)


def zstd() -> Any:
    """The Zstandard module: the standard library's from Python 3.14 on, else its backport."""
    try:
        from compression import zstd  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        from backports import zstd
    return zstd


def strings(value: object, *, depth: int = 0) -> Iterator[str]:
    """Every string value inside a decoded value, in order; keys are not values. Stops at `MAX_DEPTH`."""
    if isinstance(value, str):
        yield value
    elif depth < MAX_DEPTH:
        if isinstance(value, dict):
            for item in value.values():
                yield from strings(item, depth=depth + 1)
        elif isinstance(value, list):
            for item in value:
                yield from strings(item, depth=depth + 1)


def unwrapped(text: str) -> Any:
    """The value of a string that holds JSON itself (Codex tool output, formats.md C10), else the string."""
    if text[:1] in ("{", "["):
        try:
            return decode(text.encode("utf-8", "surrogatepass"))
        except NotDecodable:
            return text
    return text


def is_payload(text: str) -> bool:
    """True for text that nobody reads: an inline image or a long run of base64."""
    if text.startswith("data:image/"):
        return True
    return len(text) > 2000 and " " not in text[:2000] and "\n" not in text[:2000] and "/" in text[:2000]
