"""Exact search of whole record bodies: tool input and output, thinking, persisted outputs, everything a record holds.

This is the wider search that a person is offered with its cost (design/recall.md 4). Files are sifted by another process
where that is sooner (`core.records.sieve`), and bytes searched in big pieces; only a record that holds every needle is looked
at line by line, and a hit counts only if a decoded turn holds it.
"""

from __future__ import annotations

import heapq
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from typing import IO

from core.frozen import dataclass
from core.ports import Progress, ProgressCall
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
from core.records.needles import Needle, needle
from core.records.sieve import Sieve

MAX_HITS = 5
"""Lines per record that are told."""
MAX_DECODED = 300
"""Lines per record that are decoded at most."""
MAX_SHOWN = 65_536
"""Characters of a line of a tool's output that are told."""
CHUNK = 1 << 20
WHOLE = 4 << 20
"""Bytes of a file that is read at once."""
PROGRESS_SECONDS = 0.1
LISTEN_SECONDS = 0.02
"""How long another process is waited for before anybody is heard."""


@dataclass(frozen=True, slots=True)
class ScanHit:
    """A turn that holds at least one of the needles, in a record that holds all of them."""

    source: Source
    line: int
    start: int
    turn: Turn
    path: str
    """The file it stands in: the record, or one of its outputs; line and byte count in that file."""


def scan(
    archive: Archive,
    sources: Sequence[Source],
    needles: Sequence[str],
    *,
    talk_only: bool = False,
    progress: ProgressCall | None = None,
    cancelled: Callable[[], bool] = bool,
    begun: Sieve | None = None,
) -> Iterator[ScanHit]:
    """Search records for texts that all occur in one record, its outputs included; of the conversation alone with
    `talk_only`: what the index would hold.

    Upper and lower case of ASCII letters are the same. At most `MAX_HITS` lines per record, those with the most
    needles, in file order. Records that cannot be read yield nothing. Ends early if `cancelled` or if `progress`
    returns False; `progress` then hears how many records were read whole. `begun`: a first look that is under way; it is
    closed here.
    """
    wanted = needles_for(needles)
    if not wanted:
        return
    report = _Report(sources, progress)
    with closing(begun or Sieve(sources, wanted, talk_only=talk_only)) as sieve:
        for source in sources:
            ready = False
            while not ready:
                if cancelled() or not report.go_on():
                    report.stop()
                    return
                ready = all(sieve.ready(path, LISTEN_SECONDS) for path in (source.path, *source.outputs))
            yield from _record(archive, source, wanted, cancelled, talk_only, sieve)
            if not cancelled():
                report.add(source)
    report.finish()


def needles_for(texts: Sequence[str]) -> list[Needle]:
    """The needles for these texts, each once; none for what is only white space."""
    return [needle(text) for text in dict.fromkeys(texts) if text.strip()]


class _Report:
    """Tells a caller how far the scan is, not more often than it can look."""

    def __init__(self, sources: Sequence[Source], call: ProgressCall | None) -> None:
        self._call = call
        self._records, self._records_total = 0, len(sources)
        self._bytes, self._bytes_total = 0, sum(source.size for source in sources)
        self._began = self._told = time.monotonic()

    def add(self, source: Source) -> None:
        """One more record is done."""
        self._records += 1
        self._bytes += source.size

    def go_on(self) -> bool:
        """Tell the progress if it is time to; False if the caller wants to stop."""
        now = time.monotonic()
        if self._call is None or now - self._told < PROGRESS_SECONDS:
            return True
        self._told = now
        return self._call(self._progress(done=False))

    def stop(self) -> None:
        """Tell how far a scan came that ends early."""
        if self._call is not None:
            self._call(self._progress(done=False))

    def finish(self) -> None:
        """Tell that the scan is done."""
        if self._call is not None:
            self._call(self._progress(done=True))

    def _progress(self, *, done: bool) -> Progress:
        seconds = time.monotonic() - self._began
        return Progress(self._records, self._records_total, self._bytes, self._bytes_total, seconds, done)


def _record(
    archive: Archive,
    source: Source,
    wanted: Sequence[Needle],
    cancelled: Callable[[], bool],
    talk_only: bool,
    sieve: Sieve,
) -> Iterator[ScanHit]:
    inside = _present(source.path, wanted, cancelled) if sieve.may_hold(source.path) else set()
    outputs: list[str] = []
    everywhere = set(inside)
    if source.outputs and not talk_only:
        for path in source.outputs:
            found = _present(path, wanted, cancelled) if sieve.may_hold(path) else set()
            if found and _refers(source, path):
                outputs.append(path)
                everywhere |= found
    if len(everywhere) < len(wanted) or cancelled():
        return
    hits: list[ScanHit] = []
    if inside:
        hits.extend(_best(_turns(archive, source, wanted, cancelled, talk_only), wanted))
    for path in outputs:
        if len(hits) < MAX_HITS:
            hits.extend(_best(_output(source, path, wanted, cancelled), wanted)[: MAX_HITS - len(hits)])
    yield from hits


def _present(path: str, wanted: Sequence[Needle], cancelled: Callable[[], bool]) -> set[int]:
    """Which of the needles occur among the bytes of a file, by their place in the sequence."""
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
        return set()  # a record that went away holds nothing; discovery says so
    return set(range(len(wanted))) - set(missing)


def _in_pieces(path: str, overlap: int) -> Iterator[bytes]:
    """The bytes of a file, at once where it is small, else in pieces that begin with the end of the one before."""
    if not is_compressed(path) and "#" not in path:  # nearly every one: the file object costs as much as the search
        handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            size = os.fstat(handle).st_size
            if size <= WHOLE:
                yield os.read(handle, size)
                return
        finally:
            os.close(handle)
    rest = b""
    with open_record(path) as file:
        while chunk := file.read(CHUNK):
            raw = rest + chunk
            yield raw
            rest = raw[-overlap:] if overlap else b""


def _refers(source: Source, path: str) -> bool:
    """True if the record speaks of the output: small results are mirrored to files that no line refers to, and their
    text stands in the record already (formats.md 1a). Results of workflows belong to it without being named."""
    if os.path.basename(os.path.dirname(path)) != "tool-results":
        return True
    name = os.path.basename(path)
    return bool(_present(source.path, (needle(name),), bool))


def _best(found: Iterator[tuple[int, ScanHit]], wanted: Sequence[Needle]) -> list[ScanHit]:
    """The hits that hold the most needles, at most `MAX_HITS`, in file order."""
    kept: list[tuple[int, ScanHit]] = []
    for count, hit in found:
        kept.append((count, hit))
        if sum(1 for n, _ in kept if n == len(wanted)) >= MAX_HITS:
            break
    best = heapq.nlargest(MAX_HITS, kept, key=lambda pair: (pair[0], -pair[1].line))
    return [hit for _, hit in sorted(best, key=lambda pair: pair[1].line)]


def _turns(
    archive: Archive, source: Source, wanted: Sequence[Needle], cancelled: Callable[[], bool], talk_only: bool
) -> Iterator[tuple[int, ScanHit]]:
    """For each line of a record that holds a needle, its turn with the most of them."""
    for _, line, start in _lines(source.path, wanted, cancelled):
        best: tuple[int, Turn] | None = None
        for turn in archive.at(source, line, start):
            if talk_only and (turn.channel not in CONVERSATION or turn.copied):
                continue
            count = _count(turn.text, wanted)
            if count and (best is None or count > best[0]):
                best = (count, turn)
        if best is not None:
            yield best[0], ScanHit(source, line, start, best[1], source.path)


def _output(
    source: Source, path: str, wanted: Sequence[Needle], cancelled: Callable[[], bool]
) -> Iterator[tuple[int, ScanHit]]:
    """For each line of a tool's output that holds a needle, a turn with the text there."""
    for raw, line, start in _lines(path, wanted, cancelled):
        for text in _output_texts(raw):
            count = _count(text, wanted)
            if count:
                end = start + len(raw.rstrip(b"\r\n"))
                turn = Turn(Origin.EXTERNAL, Channel.RESULT, _shown(text, wanted), None, line, start, end)
                yield count, ScanHit(source, line, start, turn, path)
                break


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
    low = text.lower()
    first = min((at for at in (low.find(one.text) for one in wanted) if at >= 0), default=0)
    begin = max(0, first - MAX_SHOWN // 2)
    return text[begin : begin + MAX_SHOWN]


def _count(text: str, wanted: Sequence[Needle]) -> int:
    low = text.lower()
    return sum(1 for one in wanted if one.text in low)


def _lines(path: str, wanted: Sequence[Needle], cancelled: Callable[[], bool]) -> Iterator[tuple[bytes, int, int]]:
    """The lines whose bytes hold a needle, with their number and first byte; at most `MAX_DECODED`."""
    told = 0
    try:
        with open_record(path) as file:
            for raw, line, start in _bounded(file):
                likely = [one for one in wanted if one.may_stand_in(raw)]
                low = raw.lower() if likely else b""
                if any(one.in_bytes(low) for one in likely):
                    yield raw, line, start
                    told += 1
                if told >= MAX_DECODED or cancelled():
                    return
    except read_errors_of(path):
        return  # what was found before the error stands


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
