"""What the lines of a record are that is a part of a file (`core.records.recordfile`).

Where the part lies in a file of lines (a history of prompts or of commits, an export), a line keeps its number in that file, so that
`path:line` can be looked up there. In a database, and in a folder of small files, the lines count the session's
messages from 1, in their order; each is one JSON object with the message's own data.
"""

from __future__ import annotations

import errno
import io
import os
from functools import lru_cache
from typing import IO

from core.records import crush_rows, grok_chunks, markdown_talk, opencode_files, opencode_rows
from core.records.databases import Stamps, database, stamps, tables
from core.records.recordfile import at_once, record_file, record_part

MAX_FILE = 512 * 1024 * 1024
"""Bytes of a file that is read whole because its messages are put together from its lines."""
KEPT = 4
"""Rendered sessions that are kept, while their files stay as they are: a viewer and a scan come back for single lines."""


def open_part(path: str) -> IO[bytes]:
    """Open a record that is a part of a file. Raises `OSError`."""
    file, part = record_file(path), record_part(path)
    if file.endswith(".git.jsonl") or os.path.basename(file) == "history.jsonl":
        return open(file, "rb", buffering=1 << 18, opener=at_once)
    if file.endswith(".json"):
        return io.BytesIO(opencode_files.rendered(file))  # many files: their state is not seen at a glance
    return io.BytesIO(_kept(file, part, stamps(file)))


@lru_cache(maxsize=KEPT)
def _kept(file: str, part: str, at: Stamps) -> bytes:  # noqa: ARG001 - the key of the cache
    """The lines of a part. `at` is what the files looked like: what is kept is for that only."""
    if file.endswith(".db"):
        with database(file) as connection:
            known = tables(connection)
            if "sessions" in known:
                return crush_rows.rendered(connection, known, part)
            return opencode_rows.rendered(connection, known, part)
    with open(file, "rb", opener=at_once) as body:
        raw = body.read(MAX_FILE + 1)
    if len(raw) > MAX_FILE:
        raise OSError(errno.EFBIG, f"the file has more than {MAX_FILE} bytes", file)
    return grok_chunks.rendered(raw) if file.endswith(".jsonl") else markdown_talk.rendered(raw)
