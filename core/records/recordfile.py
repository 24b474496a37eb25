"""Records that are a part of a file: the path that names one, and the file it lies in.

Several sessions share one database, one folder of small files, or one history of prompts. Such a record is named
`<file>#<part>`; `core.records.rendered` says what its lines are. Every other record is a file of its own.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from urllib.parse import quote, unquote

_PART = re.compile(r"(.+\.(?:db|json|jsonl|md))#([^/\\#]+)", re.S)
NO_WAITING = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
"""Flags with which a pipe is opened at once, too, and found empty."""
_COMPANIONS = ("", "-wal")


def at_once(path: str, flags: int) -> int:
    """An opener for `open`: a pipe that stands where a file is looked for is refused, and not waited at for ever. Raises
    `OSError`."""
    descriptor = os.open(path, flags | NO_WAITING)
    if stat.S_ISFIFO(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.ESPIPE, "a pipe stands in its place", path)
    return descriptor


def named(file: str, part: str) -> str:
    """The path of the record `part` of a file; characters that a path or its reader could trip over are escaped."""
    return f"{file}#{quote(part, safe='@:', errors='replace')}"


def record_file(path: str) -> str:
    """The file that a record lies in: the one to look at for whether it exists."""
    match = _PART.fullmatch(path)
    return match.group(1) if match else path


def record_part(path: str) -> str:
    """The name of the record within its file, `""` where the file is the record."""
    match = _PART.fullmatch(path)
    return unquote(match.group(2)) if match else ""


def cited_file(path: str) -> str:
    """The file whose physical lines a record's lines are: the record's own, or the one it is a part of (a history of
    prompts, of commits, the claims of a memory). Where the lines are put together (a database), the path is returned as it is."""
    file = record_file(path)
    return file if file.endswith(("/history.jsonl", ".git.jsonl", "/claims.jsonl")) else path


def cited_place(path: str, line: int, quote: str) -> tuple[str, int]:
    """The file and the physical line in which a quote of a record's line stands. A message of a Markdown export is one
    line of the record and several of its file: the one that holds the quote is looked up."""
    file = record_file(path)
    if file == path or not file.endswith(".md") or "\n" in quote:
        return cited_file(path), line
    try:
        with open(file, encoding="utf-8", errors="replace", newline="\n", opener=at_once) as text:
            for number, words in enumerate(text, 1):
                if number >= line and quote in words:
                    return file, number
    except OSError:
        return path, line  # the export went away since it was read
    return path, line


def is_path(text: str) -> bool:
    """False for a text that names no file on any system, at which calls fail otherwise than with an `OSError`."""
    try:
        return b"\0" not in os.fsencode(text)
    except UnicodeEncodeError:
        return False


def record_exists(path: str) -> bool:
    """True if the file that a record lies in is there."""
    return os.path.exists(record_file(path))


def differs(path: str, size: int, mtime_ns: int, since_ns: int) -> bool:
    """True if a record's file is gone or is not as it was when it was listed with this size and time.

    A record that is a part of a file has a size and a time of its own, which only a listing tells: it counts as
    different if its file, or the log beside a database, was written after `since_ns`.
    """
    file = record_file(path)
    if file == path:
        try:
            info = os.stat(path)
        except OSError:
            return True
        return (info.st_size, info.st_mtime_ns) != (size, mtime_ns)
    stamps = [stamp for ending in _COMPANIONS if (stamp := _written(file + ending)) is not None]
    return not stamps or max(stamps) > since_ns


def _written(path: str) -> int | None:
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return None  # most databases have no log beside them
