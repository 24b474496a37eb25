"""The adapter for notes: decision records, memories and handoff documents of the projects that sessions name.

A note is Markdown; each line that says something is a turn, so that a quote stands in the physical line it cites. Who
wrote it is not known from the file: its turns are external. Its date is the one it gives (front matter, a `Date:` line),
else that of the commits that changed it, else the file's; which of them is said in the turns' name.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime

from core.frozen import dataclass
from core.records.held import HeldReading
from core.records.lines import MIN_TIME, decode, seconds
from core.records.model import (
    Channel,
    Mark,
    Origin,
    Reading,
    ReadProblem,
    Role,
    Root,
    Source,
    Spine,
    Tally,
    Turn,
)
from core.records.note_places import MAX_BYTES, NoteFile, notes_of
from core.records.recordfile import at_once
from core.repositories.places import find_place

RUNTIME = "notes"
MAX_TITLE = 300
HEAD_LINES = 40
"""Lines in which a date is looked for."""
_FRONT = re.compile(r"(title|date|created|updated|last[-_ ]?updated|decided)\s*:\s*(.+)", re.I)
_DATED = re.compile(
    r"(?:[-*+]\s+)?(?:\*\*|__)?(?:date|decided|decided on|updated|last updated|status date|datum|fecha|data)"
    r"(?:\*\*|__)?\s*:\s*(?:\*\*|__)?\s*(.+)",
    re.I,
)
_DAY = re.compile(r"\b(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ]\d{1,2}:\d\d(?::\d\d)?(?:Z|[+-]\d\d:?\d\d)?)?")
_RULE = re.compile(r"[\s|:=*_-]*")
"""A line of these signs alone divides and says nothing."""
_HEADING = re.compile(r"#{1,6}\s+(\S.*?)\s*#*\s*")


@dataclass(frozen=True, slots=True)
class _Line:
    text: str
    number: int
    start: int
    end: int


_OPEN = re.compile(r"[\w,][*_`]{0,3}[ \t]*$")
_SMALL = re.compile(r"[ \t]*[*_`]{0,3}[a-zà-ÿ]")
"""A line of prose that was broken because it was full, and one that goes on with it."""


class NotesAdapter:
    """Reads notes. See `Adapter`. Discovery is the business of `core.records.dependents`."""

    runtime = RUNTIME
    label = "notes"

    def roots(self, env: Mapping[str, str], home: str) -> tuple[Root, ...]:  # noqa: ARG002
        """None: notes are those of the projects that sessions name."""
        return ()

    def discover(self, root: Root) -> Iterator[Source | ReadProblem]:
        """The notes of a project's folder."""
        for note in notes_of(root.path):
            yield source_of(note, root.path)

    def spine(self, source: Source) -> Spine | ReadProblem:
        """What the note says of itself."""
        reading = NoteReading(source)
        reading.load()
        return reading.problems[0] if reading.problems else reading.spine

    def read(self, source: Source, mark: Mark | None = None, *, talk_only: bool = False) -> Reading:  # noqa: ARG002
        """Start a pass; a note may change anywhere, so it always reads the whole of it."""
        return NoteReading(source)

    def at(self, source: Source, line: int, start: int) -> tuple[Turn, ...]:
        """The turn of one line."""
        return tuple(turn for turn in NoteReading(source).load() if (turn.line, turn.start) == (line, start))


def source_of(note: NoteFile, root: str, history: str = "") -> Source:
    """A note as a source. `history` is the history file of the repository it lies in, which may date it."""
    return Source(RUNTIME, root, note.path, note.name, note.size, note.mtime_ns, Role.NOTE, meta=history)


class NoteReading(HeldReading):
    """A `Reading` of one note, held whole, up to `MAX_BYTES`: a turn for each line that says something."""

    def _load(self) -> tuple[Turn, ...]:
        try:
            with open(self._source.path, "rb", opener=at_once) as file:
                raw = file.read(MAX_BYTES)
        except OSError as error:
            self.problems = (
                ReadProblem(self._source.path, None, f"The note could not be opened: {(error.strerror or '').lower()}.",
                            "Check that the file is there and that you may read it."),
            )  # fmt: skip
            return ()
        lines = list(_lines(raw))
        front, body = _split(lines)
        first, last, dated_by = self._dates(front, body)
        name = f"{self._source.session_id} ({dated_by})"
        import hashlib  # 5 ms to load, which a search does without

        # The same note in another checkout is told once: the index shows equal turns of equal records once.
        key = hashlib.blake2b(self._source.session_id.encode("utf-8", "replace") + raw, digest_size=12).hexdigest()
        turns = tuple(
            Turn(
                Origin.EXTERNAL,
                Channel.TALK,
                line.text,
                last,
                line.number,
                line.start,
                line.end,
                name,
                f"{key}:{line.number}",
                begun=_goes_on(before, line),
                goes_on=_goes_on(line, after),
            )
            for before, line, after in zip([None, *body], body, [*body[1:], None], strict=False)
            if not _RULE.fullmatch(line.text)
        )
        project = self._source.root
        self.spine = Spine(
            session_id=self._source.session_id, title=_title(front, body, self._source.session_id), title_from="runtime",
            project=project, cwds=(project,), started=first, ended=last, role=Role.NOTE, first_uid=key,
        )  # fmt: skip
        self.tally = Tally(lines=len(lines), turns=len(turns))
        return turns

    def _dates(self, front: Mapping[str, str], body: list[_Line]) -> tuple[float, float, str]:
        """When the note was first and last written, and what says so."""
        days = [day for key in _DATES if (day := day_of(front.get(key, ""))) is not None]
        if days:
            return min(days), max(days), "date in its front matter"
        for line in body[:HEAD_LINES]:
            if (match := _DATED.fullmatch(line.text.strip())) and (day := day_of(match[1])) is not None:
                return day, day, "date in its text"
        place = find_place(self._source.path) if self._source.meta else None
        name = os.path.relpath(self._source.path, place.root) if place is not None and place.root else ""
        if name and (stamps := git_dates(self._source.meta, name)) is not None:
            return *stamps, "date from git"
        written = self._source.mtime_ns / 1e9
        return written, written, "date of the file"


_DATES = ("date", "created", "decided", "updated", "last-updated")


def day_of(text: str) -> float | None:
    """The first day in a text, as seconds since the epoch: with its time where it has one, else at noon UTC."""
    match = _DAY.search(text)
    if match is None:
        return None
    if ":" in match.group() and (exact := seconds(match.group().replace("/", "-"))) is not None:
        return exact
    try:
        noon = datetime(int(match[1]), int(match[2]), int(match[3]), 12, tzinfo=UTC).timestamp()
    except ValueError:
        return None  # no day of the calendar
    return noon if noon >= MIN_TIME else None


def _lines(raw: bytes) -> Iterator[_Line]:
    start = 0
    for number, line in enumerate(raw.split(b"\n"), 1):
        text = line.removesuffix(b"\r")
        yield _Line(text.decode("utf-8", "replace"), number, start, start + len(text))
        start += len(line) + 1


def _goes_on(line: _Line | None, following: _Line | None) -> bool:
    """True where a sentence goes on from one line to the next: no sign ends the one, a small letter begins the other."""
    if line is None or following is None or following.number != line.number + 1:
        return False
    return bool(_OPEN.search(line.text) and _SMALL.match(following.text)) and not _HEADING.fullmatch(line.text)


def _split(lines: list[_Line]) -> tuple[dict[str, str], list[_Line]]:
    """The keys of the front matter that are of use, and the lines below it."""
    if not lines or lines[0].text.strip("\ufeff ") != "---":
        return {}, lines
    for place, line in enumerate(lines[1 : HEAD_LINES * 2], 1):
        if line.text.strip() in ("---", "..."):
            found = (_FRONT.fullmatch(inner.text.strip()) for inner in lines[1:place])
            keys = {re.sub(r"[_ ]", "-", m[1].lower()): m[2].strip("'\" ") for m in found if m}
            return keys, lines[place + 1 :]
    return {}, lines


def _title(front: Mapping[str, str], body: list[_Line], name: str) -> str:
    """The title that the front matter gives, else the first heading, else the file's name."""
    if front.get("title"):
        return front["title"][:MAX_TITLE]
    for line in body:
        if match := _HEADING.fullmatch(line.text):
            return match[1][:MAX_TITLE]
    return name


def git_dates(history: str, name: str) -> tuple[float, float] | None:
    """When the commits of a history file changed the file `name` (relative to the repository) first and last; `None`
    where none of them did."""
    try:
        with open(history, "rb", opener=at_once) as file:
            raw = file.read()
    except OSError:
        return None  # the project has no history
    needle = name.encode("utf-8", "surrogateescape")
    stamps: list[float] = []
    at = raw.find(needle)
    while at >= 0:
        start, stop = raw.rfind(b"\n", 0, at) + 1, raw.find(b"\n", at)
        line = raw[start : stop if stop >= 0 else len(raw)]
        body = decode(line) if line.startswith(b'{"sha"') and line.endswith(b"}") else {}
        changes = body.get("changes") if isinstance(body, dict) else None
        if isinstance(changes, str) and any(change.endswith(f" {name}") for change in changes.split("\n")):
            stamps.append(float(body.get("authored") or body["at"]))
        at = raw.find(needle, stop) if stop >= 0 else -1
    return (min(stamps), max(stamps)) if stamps else None
