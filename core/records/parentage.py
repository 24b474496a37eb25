"""What the ends of a Claude Code record say of the record before it: the turn its first line answers, the session its
first lines belonged to, and the turns that a later record may answer (formats.md 1a: threading; B7, B13)."""

from __future__ import annotations

import os
import re

from core.frozen import dataclass
from core.records.lines import is_compressed, open_record, read_errors_of
from core.records.model import Role, Source
from core.records.recordfile import record_part

END = 64 * 1024
"""Bytes that are looked at on each side."""
_UID = re.compile(rb'"uuid":"([0-9A-Za-z-]{8,64})"')
_PARENT = re.compile(rb'"(?:parentUuid|logicalParentUuid)":"([0-9A-Za-z-]{8,64})"')
_SESSION = re.compile(rb'"sessionId":"([0-9A-Za-z-]{8,64})"')


@dataclass(frozen=True, slots=True)
class Parentage:
    """The ends of a record, as links to others."""

    answers: str = ""
    """The id of the turn that the record's first line answers and the record does not hold, `""` if there is none."""
    begun_as: str = ""
    """The session that the record's first lines name, where it is not the record's own."""
    last_uids: frozenset[str] = frozenset()
    """Ids of the turns near the end."""


def parentage(source: Source) -> Parentage:
    """Read both ends of a record. Records of other runtimes, compressed ones and parts of files have no such links, and a
    subagent's names its parent; a record that cannot be read has none either, for its reading says why."""
    if (
        source.runtime != "claude"
        or source.role is not Role.MAIN
        or is_compressed(source.path)
        or record_part(source.path)
    ):
        return Parentage()
    try:
        with open_record(source.path) as file:
            head = file.read(END)
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - END))
            tail = file.read(END)
    except read_errors_of(source.path):
        return Parentage()
    own = frozenset(_UID.findall(head)) | frozenset(_UID.findall(tail))
    first = next((line for line in head.split(b"\n") if _UID.search(line)), b"")
    parent = _PARENT.search(first)
    answers = parent.group(1) if parent and parent.group(1) not in own else b""
    session = _SESSION.search(first)
    begun = session.group(1).decode() if session else ""
    last = frozenset(uid.decode() for uid in _UID.findall(tail))
    return Parentage(answers.decode(), "" if begun == source.session_id else begun, last)
