"""The body of one record, its outputs included, looked through for texts: which it holds, and where.

Bytes are searched in big pieces; only a record that holds every needle is looked at line by line, and a hit counts only if a
decoded turn holds it. That a record holds anything is told from as little of it as proves it: of a word that most records
hold, nearly all of a scan would go into hits that are never shown.
"""

from __future__ import annotations

import heapq
import os
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import IO

from core.frozen import dataclass
from core.records.archive import Archive
from core.records.lines import (
    MAX_LINE,
    NotDecodable,
    decode,
    is_compressed,
    open_record,
    read_errors_of,
    strings,
    unwrapped,
)
from core.records.model import CONVERSATION, Channel, Origin, Source, Turn
from core.records.needles import Needle, folded, needle
from core.records.recordfile import NO_WAITING
from core.records.sieve import Sieve

MAX_HITS = 5
"""Lines per record that are told."""
MAX_WEIGHED = 300
"""Hits per record of which the best are told. Lines are read on until so many have a turn with a needle: a project's name
stands in what each line says of itself, and its one turn may be the last."""
MAX_SHOWN = 65_536
"""Characters of a line of a tool's output that are told."""
CHUNK = 1 << 20
WHOLE = 4 << 20
"""Bytes of a file that is read at once."""
FIRST = 1 << 16
"""Bytes at the beginning of a record in which a word that most records hold nearly always stands."""


@dataclass(frozen=True, slots=True)
class ScanHit:
    """A turn that holds at least one of the needles, in a record that holds all of them."""

    source: Source
    line: int
    start: int
    turn: Turn
    path: str
    """The file it stands in: the record, or one of its outputs; line and byte count in that file."""


@dataclass(frozen=True, slots=True)
class Search:
    """What a scan looks for, and in what."""

    archive: Archive
    wanted: Sequence[Needle]
    ways: Sequence[frozenset[int]]
    """Needles by their places: a record must hold all those of one way."""
    talk_only: bool
    sieve: Sieve
    unread: set[str]
    """Takes the files that could not be read to their end."""
    cancelled: Callable[[], bool] = bool
    speaks: Callable[[Origin], bool] = lambda _: True
    """Whose turns count."""

    def enough(self, found: set[int]) -> bool:
        """True for the needles of a record that is looked for."""
        return any(way <= found for way in self.ways)

    @property
    def fewest(self) -> int:
        """Needles in a turn that leaves nothing to be looked for."""
        return min(map(len, self.ways))


class Body:
    """One record as far as a search reaches it: its outputs are looked at where what tools say counts."""

    def __init__(self, source: Source, search: Search) -> None:
        self.source, self._search = source, search
        self._first: ScanHit | None = None
        """Any one of its hits."""

    @property
    def _outputs(self) -> Sequence[str]:
        search = self._search
        return () if search.talk_only or not search.speaks(Origin.EXTERNAL) else self.source.outputs

    @property
    def unread(self) -> bool:
        """True if one of its files could not be read to its end."""
        return not self._search.unread.isdisjoint((self.source.path, *self._outputs))

    def holds(self) -> bool:
        """True if the record holds the needles of one way, and a turn holds one of them: if it has any `hits`."""
        self._first = self._at_once() or self._plainly()
        return self._first is not None

    def hits(self) -> list[ScanHit]:
        """The turns that hold the most needles, at most `MAX_HITS`, those of the record itself first, in file order; of a
        record that `holds` them one at least, also where the search was cancelled meanwhile."""
        wanted, first = self._search.wanted, self._first
        own = first is not None and len(wanted) == 1 and not self._outputs
        inside, outputs = (True, []) if own else self._where()
        fewest = self._search.fewest
        found = _best(self._turns(), fewest) if inside else []
        for path in outputs:
            if len(found) < MAX_HITS:
                found.extend(_best(self._output(path), fewest)[: MAX_HITS - len(found)])
        return found or [hit for hit in (first,) if hit is not None]

    def _at_once(self) -> ScanHit | None:
        """The first place of the only needle near the beginning of the file, if a turn has it; `None` if that does not decide
        whether the record holds it."""
        search, path = self._search, self.source.path
        if len(search.wanted) > 1 or "#" in path or is_compressed(path) or not search.sieve.may_hold(path):
            return None
        try:
            raw = _beginning(path)
        except OSError:
            return None
        place = raw.find(search.wanted[0].forms[0])
        if place < 0:
            return None
        return self._told(raw.count(b"\n", 0, place) + 1, raw.rfind(b"\n", 0, place) + 1, raw)[1]

    def _plainly(self) -> ScanHit | None:
        """One hit by the rule of `hits`."""
        inside, outputs = self._where()
        found = [self._turns()] if inside else []
        found += [self._output(path) for path in outputs]
        return next((hit for _, hit in chain.from_iterable(found)), None)

    def _where(self) -> tuple[bool, list[str]]:
        """Whether the record's own file is to be looked at line by line, and which of its outputs; nothing where they do not
        hold all of one way together."""
        search, source = self._search, self.source
        found = self._present(source.path)
        inside, everywhere, outputs = bool(found), set(found), []
        for path in self._outputs:
            found = self._present(path)
            if found and _refers(source, path):
                outputs.append(path)
                everywhere |= found
        if not search.enough(everywhere) or search.cancelled():
            return False, []
        return inside, outputs

    def _present(self, path: str) -> set[int]:
        search = self._search
        return _present(path, search.wanted, search.cancelled, search.unread) if search.sieve.may_hold(path) else set()

    def _turns(self) -> Iterator[tuple[int, ScanHit]]:
        """For each line of the record that holds a needle, its turn with the most of them, and with how many."""
        for _, line, start, head in _lines(self.source.path, self._search.wanted, self._search.cancelled):
            count, hit = self._told(line, start, head)
            if hit is not None:
                yield count, hit

    def _told(self, line: int, start: int, head: bytes) -> tuple[int, ScanHit | None]:
        """Of the turns of a line that with the most needles, and how many it holds; none for a line without. `head`: the
        first bytes of the record, as far as they are held."""
        search, most, best = self._search, 0, None
        for turn in search.archive.at_head(self.source, line, start, head):
            if (search.talk_only and (turn.channel not in CONVERSATION or turn.copied)) or not search.speaks(
                turn.origin
            ):
                continue
            count = _count(turn.text, search.wanted)
            if count > most:
                most, best = count, turn
        return most, None if best is None else ScanHit(self.source, line, start, best, self.source.path)

    def _output(self, path: str) -> Iterator[tuple[int, ScanHit]]:
        """For each line of a tool's output that holds a needle, a turn with the text there."""
        wanted = self._search.wanted
        for raw, line, start, _ in _lines(path, wanted, self._search.cancelled):
            for text in _output_texts(raw):
                count = _count(text, wanted)
                if count:
                    end = start + len(raw.rstrip(b"\r\n"))
                    turn = Turn(Origin.EXTERNAL, Channel.RESULT, _shown(text, wanted), None, line, start, end)
                    yield count, ScanHit(self.source, line, start, turn, path)
                    break


def _beginning(path: str) -> bytes:
    """The first bytes of a file. Raises `OSError`."""
    handle = os.open(path, os.O_RDONLY | NO_WAITING)
    try:
        return os.read(handle, FIRST)
    finally:
        os.close(handle)


def _present(path: str, wanted: Sequence[Needle], cancelled: Callable[[], bool], unread: set[str]) -> set[int]:
    """Which of the needles occur among the bytes of a file, by their place in the sequence; of one that cannot be read to its
    end, which is noted, those before."""
    missing = dict(enumerate(wanted))
    folded = any(one.has_case for one in wanted)
    try:
        for raw in _in_pieces(path, max(one.longest for one in wanted) - 1):
            if cancelled():
                break
            likely = [(place, one) for place, one in missing.items() if one.may_stand_in(raw)]
            if not likely:
                continue
            low = raw.lower() if folded else raw
            for place in [place for place, one in likely if one.in_bytes(low)]:
                del missing[place]
            if not missing:
                break
    except read_errors_of(path):
        unread.add(path)
    return set(range(len(wanted))) - set(missing)


def _in_pieces(path: str, overlap: int) -> Iterator[bytes]:
    """The bytes of a file, at once where it is small, else in pieces that begin with the end of the one before."""
    if (whole := _small(path)) is not None:
        yield whole
        return
    rest = b""
    with open_record(path) as file:
        while chunk := file.read(CHUNK):
            raw = rest + chunk
            yield raw
            rest = raw[-overlap:] if overlap else b""


def _small(path: str) -> bytes | None:
    """The whole of a file, as nearly every one can be held; `None` for a large one, and for what is more than a file. Raises
    `OSError`."""
    if is_compressed(path) or "#" in path:
        return None
    handle = os.open(path, os.O_RDONLY | NO_WAITING)  # a file object costs as much as the search
    try:
        size = os.fstat(handle).st_size
        return os.read(handle, size) if size <= WHOLE else None
    finally:
        os.close(handle)


def _refers(source: Source, path: str) -> bool:
    """True if the record speaks of the output: small results are mirrored to files that no line refers to, and their
    text stands in the record already (formats.md 1a). Results of workflows belong to it without being named."""
    if os.path.basename(os.path.dirname(path)) != "tool-results":
        return True
    name = os.path.basename(path)
    return bool(_present(source.path, (needle(name),), bool, set()))


def _best(found: Iterator[tuple[int, ScanHit]], fewest: int) -> list[ScanHit]:
    """The hits that hold the most needles, at most `MAX_HITS`, in file order; `fewest` as in `Search`."""
    kept: list[tuple[int, ScanHit]] = []
    full = 0
    for count, hit in found:
        kept.append((count, hit))
        full += count >= fewest
        if full >= MAX_HITS or len(kept) >= MAX_WEIGHED:
            break
    best = heapq.nlargest(MAX_HITS, kept, key=lambda pair: (pair[0], -pair[1].line))
    return [hit for _, hit in sorted(best, key=lambda pair: pair[1].line)]


def _output_texts(raw: bytes) -> Iterator[str]:
    """The texts of one line of an output: its strings where the line is JSON, else the line itself."""
    try:
        value = decode(raw)
    except NotDecodable:
        yield raw.decode("utf-8", "replace").rstrip("\r\n")
        return
    for text in strings(value):
        yield text
        inner = unwrapped(text)
        if inner is not text:
            yield from strings(inner)


def _shown(text: str, wanted: Sequence[Needle]) -> str:
    """A long line cut down to the part around the first needle."""
    if len(text) <= MAX_SHOWN:
        return text
    low = folded(text)
    first = min((at for at in (low.find(one.text) for one in wanted) if at >= 0), default=0)
    begin = max(0, first - MAX_SHOWN // 2)
    return text[begin : begin + MAX_SHOWN]


def _count(text: str, wanted: Sequence[Needle]) -> int:
    low = text.lower() if all(one.text.isascii() for one in wanted) else folded(text)
    return sum(1 for one in wanted if one.text in low)


def _lines(
    path: str, wanted: Sequence[Needle], cancelled: Callable[[], bool]
) -> Iterator[tuple[bytes, int, int, bytes]]:
    """The lines whose bytes hold a needle, with their number and first byte, and the whole file where it is held."""
    try:
        spans = any(b"\n" in form for one in wanted for form in one.forms)
        whole = None if spans else _small(path)
        found = _singly(path, wanted, cancelled) if whole is None else _together(whole, wanted)
        for raw, line, start in found:
            yield raw, line, start, whole or b""
            if cancelled():
                return
    except read_errors_of(path):
        return  # what was found before the error stands


def _together(whole: bytes, wanted: Sequence[Needle]) -> Iterator[tuple[bytes, int, int]]:
    """The lines of a file that hold a needle: looked for in many lines at once, for most lines hold none. No form of a needle
    may hold a line break."""
    here, line = 0, 1
    while here < len(whole):
        end = whole.rfind(b"\n", here, here + FIRST) + 1 or whole.find(b"\n", here + FIRST) + 1 or len(whole)
        block = whole[here:end]
        likely = [one for one in wanted if one.may_stand_in(block)]
        low = block.lower() if any(one.has_case for one in likely) else block
        forms = [form for one in likely for form in one.forms]
        after = 0
        while places := [place for form in forms if (place := low.find(form, after)) >= 0]:
            place = min(places)
            begin, close = block.rfind(b"\n", 0, place) + 1, block.find(b"\n", place) + 1 or len(block)
            line += block.count(b"\n", after, begin)
            yield block[begin:close], line, here + begin
            line, after = line + 1, close
        line += block.count(b"\n", after)
        here = end


def _singly(path: str, wanted: Sequence[Needle], cancelled: Callable[[], bool]) -> Iterator[tuple[bytes, int, int]]:
    """The same line by line: of a record that is large, compressed, or a part of a file."""
    with open_record(path) as file:
        for raw, line, start in _bounded(file):
            likely = [one for one in wanted if one.may_stand_in(raw)]
            low = raw.lower() if likely else b""
            if any(one.in_bytes(low) for one in likely):
                yield raw, line, start
            if cancelled():
                return


def _bounded(file: IO[bytes]) -> Iterator[tuple[bytes, int, int]]:
    """The lines of a file; of one above the bound only the end is given, with a start that opens no line."""
    start = line = 0
    while raw := file.readline(MAX_LINE + 1):
        if raw[-1] != 10 and len(raw) > MAX_LINE:
            start += len(raw)
            continue
        line += 1
        yield raw, line, start
        start += len(raw)
