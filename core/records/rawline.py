"""The raw bytes of one physical line, for a person who wants to see what the record really holds."""

from __future__ import annotations

from core.records.lines import open_record, read_errors_of

LIMIT = 64_000
"""Bytes of a line that are shown."""


def raw_line(path: str, start: int) -> str:
    """The line that begins at byte `start`, at most `LIMIT` bytes, decoded with replacement; `""` if the file cannot be read."""
    try:
        with open_record(path) as file:
            file.seek(start)
            data = file.readline(LIMIT)
    except read_errors_of(path):
        return ""
    text = data.rstrip(b"\r\n").decode("utf-8", "replace")
    return text + ("…" if len(data) == LIMIT else "")


def line_start(path: str, line: int) -> int | None:
    """Byte offset (in the decompressed file) at which physical line `line` begins, `None` if there is no such line."""
    if line < 1:
        return None
    if line == 1:
        return 0
    wanted, offset = line - 1, 0
    try:
        with open_record(path) as file:
            while chunk := file.read(1 << 20):
                count = chunk.count(b"\n")
                if count >= wanted:
                    position = -1
                    for _ in range(wanted):
                        position = chunk.index(b"\n", position + 1)
                    found = offset + position + 1
                    return found if chunk[position + 1 : position + 2] or file.read(1) else None
                wanted -= count
                offset += len(chunk)
    except read_errors_of(path):
        return None
    return None
