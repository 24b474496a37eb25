"""Bytes that can be found out again, kept with a mark of what they are and a checksum."""

from __future__ import annotations

import zlib

_CHECKSUM = 4


def sealed(mark: bytes, body: bytes) -> bytes:
    """The body under a mark and its checksum."""
    return mark + zlib.crc32(body).to_bytes(_CHECKSUM, "little") + body


def unsealed(mark: bytes, data: bytes) -> memoryview:
    """The body of what `sealed` made. Raises `ValueError` for anything else, and for what was damaged."""
    start = len(mark) + _CHECKSUM
    body = memoryview(data)[start:]
    if data[: len(mark)] != mark or zlib.crc32(body) != int.from_bytes(data[len(mark) : start], "little"):
        raise ValueError("these are other bytes than were kept, or damaged ones")
    return body
