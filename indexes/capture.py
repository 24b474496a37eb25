"""Reads one record into a draft, and says how that went."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace

from core.frozen import dataclass
from core.ports import Extractor, Reach
from core.records.digests import hasher
from core.records.model import WRITTEN, Channel, Mark, Origin, ReadProblem, Role, Source, Spine, Tally, Turn
from core.records.oddities import ODD, odd_value
from core.records.recordfile import at_once
from core.records.wrappers import is_plan_handoff
from indexes.archive_port import Archive
from indexes.drafts import ASKS, COPIED, SUMMARY, Draft
from indexes.questions import only_asks
from indexes.rows import Resume, Row

_TALKERS = frozenset({Origin.PERSON, Origin.ASSISTANT, Origin.PEER, Origin.UNKNOWN})
_TAIL = 4096
"""Bytes before a mark that must be unchanged for a record to be read on from there."""
_PACKED = (".zst", ".gz")
"""Endings of compressed records: offsets do not count the file's own bytes."""


@dataclass(frozen=True, slots=True)
class Job:
    """One record to read: whole, or on from where `known` stopped."""

    source: Source
    ordinal: int
    known: Row | None = None
    """The row to go on from, `None` to read the whole record."""
    resume: Resume | None = None
    """Where to go on; given with `known`."""

    @property
    def cost(self) -> int:
        """Bytes of the record that have to be read."""
        return max(0, self.source.size - (self.resume.mark.offset if self.resume else 0))


@dataclass(frozen=True, slots=True)
class Captured:
    """What a pass over a record gave, beside the turns in the draft."""

    row: Row
    resume: Resume


def capture(archive: Archive, job: Job, draft: Draft) -> Captured:
    """Read the record's conversation into the draft and return its row. Where the reading breaks, what was known of the record
    stands, and its next refresh begins anew."""
    try:
        return _read(archive, job, draft)
    except ODD as error:
        return _broken(job, odd_value(job.source.path, None, error).what)


def _broken(job: Job, finding: str) -> Captured:
    source, known = job.source, job.known
    spine = known.spine if known else Spine(source.session_id, role=source.role, parent_id=source.parent_id)
    reach = {
        Extractor.HEAD: Reach.INPUT_FAILED,
        Extractor.TALK: Reach.INPUT_FAILED,
        Extractor.TOOLS: Reach.SKIPPED,
    }
    row = Row(source, job.ordinal, known.upto if known else 0, spine, Tally(), reach, finding)
    return Captured(row, Resume(Mark(), "", 0))


def _read(archive: Archive, job: Job, draft: Draft) -> Captured:
    source = job.source
    if source.role is Role.COPY:
        return _head_only(archive, job)
    start = job.resume.mark if job.resume else None
    reading = archive.read(source, start, talk_only=True)
    upto = job.known.upto if job.known else 0
    left_out = job.resume.omitted if job.resume else 0
    for turn in reading:
        flags = _flags(turn, source.role)
        if flags is not None:
            left_out += draft.add(job.ordinal, turn, flags)
            upto = max(upto, turn.start + 1)
    spine, tally, mark = reading.spine, reading.tally, reading.mark  # each is made when asked for
    if left_out:
        tally = replace(tally, omitted_chars=tally.omitted_chars + left_out)
    reach, finding = _outcome(spine, tally, reading.problems, upto)
    row = Row(source, job.ordinal, upto, spine, tally, reach, finding)
    return Captured(row, Resume(mark, tail_hash(source.path, mark.offset, source.size), left_out))


def tail_hash(path: str, offset: int, size: int) -> str:
    """A hash of the bytes before `offset`, `""` where the record cannot be read on from there."""
    if offset <= 0 or offset > size or path.endswith(_PACKED):
        return ""
    try:
        descriptor = at_once(path, os.O_RDONLY)
    except OSError:
        return ""
    try:
        return str(
            hasher()(os.pread(descriptor, min(offset, _TAIL), max(0, offset - _TAIL)), digest_size=16).hexdigest()
        )
    except OSError:
        return ""
    finally:
        os.close(descriptor)


def _flags(turn: Turn, role: Role) -> int | None:
    """The turn's bits of the origin column, `None` if the turn is not part of the conversation. A commit's or a note's
    text is external, and is all that it says."""
    if role in WRITTEN:
        return 0
    copied = COPIED if turn.copied else 0
    if turn.channel is Channel.SUMMARY or (turn.channel is Channel.TALK and is_plan_handoff(turn.text, flagged=True)):
        return SUMMARY | copied
    if turn.channel is not Channel.TALK or turn.origin not in _TALKERS:
        return None
    return copied | (ASKS if only_asks(turn) else 0)


def _head_only(archive: Archive, job: Job) -> Captured:
    """A record that repeats its parent's: known, but its talk is the parent's."""
    head = archive.spine(job.source)
    reach = {Extractor.TALK: Reach.SKIPPED, Extractor.TOOLS: Reach.SKIPPED}
    if isinstance(head, ReadProblem):
        reach[Extractor.HEAD] = Reach.INPUT_FAILED
        spine, finding = Spine(job.source.session_id, role=Role.COPY, parent_id=job.source.parent_id), head.what
    else:
        reach[Extractor.HEAD] = Reach.SUCCEEDED
        spine, finding = head, ""
    return Captured(Row(job.source, job.ordinal, 0, spine, Tally(), reach, finding), Resume(Mark(), "", 0))


def _outcome(
    spine: Spine, tally: Tally, problems: tuple[ReadProblem, ...], upto: int
) -> tuple[Mapping[Extractor, Reach], str]:
    """How far each step came (design/recall.md 8), and the first thing that went wrong in words."""
    finding = problems[0].what if problems else ""
    unread = bool(problems) and tally.lines == 0
    named = bool(tally.lines or upto) and (
        spine.session_id or spine.started is not None
    )  # its file's name is not its word
    head = Reach.SUCCEEDED if named else Reach.EMPTY
    talk = Reach.SUCCEEDED if upto else Reach.EMPTY
    if unread:
        head = talk = Reach.INPUT_FAILED
    elif not upto and tally.skipped_lines:
        talk = Reach.VALIDATION_FAILED
    return {Extractor.HEAD: head, Extractor.TALK: talk, Extractor.TOOLS: Reach.SKIPPED}, finding
