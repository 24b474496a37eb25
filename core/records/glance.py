"""Reading a record's head and tail: enough for its spine, bounded whatever the file's size."""

from __future__ import annotations

from typing import IO

from core.records.lines import is_compressed, open_record, read_errors_of
from core.records.model import ReadProblem, Source
from core.records.passes import LineParser, feed

HEAD = 64 * 1024
HEAD_UNTIL_PROMPT = 1024 * 1024
TAIL = 64 * 1024
MAX_HEAD_LINE = 4 * 1024 * 1024
"""A longer line ends the head."""
EARLY = 16 * 1024
"""Up to here every line is decoded, for the moment at which the record began."""


def glance(source: Source, parser: LineParser, max_line: int) -> ReadProblem | None:
    """Feed the parser the lines of the head, up to 64 KiB or, while no prompt of a person was seen, up to 1 MiB; then
    those of the last 64 KiB. A compressed record has no reachable tail. Returns why nothing could be read."""
    try:
        with open_record(source.path) as file:
            end = _head(file, parser, min(max_line, MAX_HEAD_LINE))
            if end >= 0 and not is_compressed(source.path):
                first = parser.draft.first_uid, parser.draft.first_prompt
                end = _tail(file, parser, end, file.seek(0, 2))
                parser.draft.first_uid, parser.draft.first_prompt = first
    except read_errors_of(source.path) as error:
        words = error.strerror.lower() if isinstance(error, OSError) and error.strerror else str(error)
        return ReadProblem(source.path, None, f"The record could not be opened: {words}.",
                           "Check that the file is there and that you may read it.")  # fmt: skip
    parser.drained()
    parser.finish(max(end, 0))
    return None


def _head(file: IO[bytes], parser: LineParser, limit: int) -> int:
    """Feed the head; the byte after it, or -1 at the end of the file."""
    at = line = 0
    while at < HEAD or (at < HEAD_UNTIL_PROMPT and not parser.draft.first_prompt):
        raw = file.readline(limit)
        if not raw:
            return -1
        if raw[-1] != 10 and len(raw) >= limit:
            return at + len(raw)
        line += 1
        _feed(parser, raw, line, at)
        at += len(raw)
    return at


def _tail(file: IO[bytes], parser: LineParser, after: int, size: int) -> int:
    """Feed the whole lines of the last bytes that the head did not reach."""
    at = max(after, size - TAIL)
    if at > after:
        file.seek(at - 1)
        at += len(file.readline(TAIL)) - 1
    else:
        file.seek(at)
    while at < size and (raw := file.readline(TAIL)):
        feed(parser, raw, 0, at)
        at += len(raw)
    return size


def _feed(parser: LineParser, raw: bytes, line: int, start: int) -> None:
    if start > EARLY and parser.skippable(raw):
        return
    feed(parser, raw, line, start)
