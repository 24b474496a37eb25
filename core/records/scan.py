"""Exact search of whole record bodies: tool input and output, thinking, persisted outputs, everything a record holds.

This is the wider search that a person is offered with its cost (design/recall.md 4). Files are sifted by another process
where that is sooner (`core.records.sieve`), and bytes searched in big pieces; only a record that holds every needle is looked
at line by line, and a hit counts only if a decoded turn holds it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing

from core.ports import Progress, ProgressCall
from core.records.archive import Archive
from core.records.bodies import MAX_HITS, Body, ScanHit, Search
from core.records.model import Origin, Source
from core.records.needles import folded, needles_for
from core.records.sieve import Sieve, files_of

__all__ = ["MAX_HITS", "Body", "ScanHit", "holding", "scan"]

PROGRESS_SECONDS = 0.1
LISTEN_SECONDS = 0.02
"""How long another process is waited for before anybody is heard."""


def scan(
    archive: Archive,
    sources: Sequence[Source],
    needles: Sequence[str],
    *,
    talk_only: bool = False,
    progress: ProgressCall | None = None,
    cancelled: Callable[[], bool] = bool,
) -> Iterator[ScanHit]:
    """Search records for texts that all occur in one record, its outputs included; of the conversation alone with
    `talk_only`: what the index would hold.

    Upper and lower case of ASCII letters are the same; beyond ASCII what is written as typed, all small, all in capitals, or with
    one at the beginning, of the text or of each word. At most `MAX_HITS` lines per record, those with the most
    needles, in file order. Records that cannot be read yield nothing. Ends early as `holding` does.
    """
    for body in holding(archive, sources, needles, talk_only=talk_only, progress=progress, cancelled=cancelled):
        yield from body.hits()


def holding(
    archive: Archive,
    sources: Sequence[Source],
    needles: Sequence[str],
    *,
    talk_only: bool = False,
    progress: ProgressCall | None = None,
    cancelled: Callable[[], bool] = bool,
    begun: Sieve | None = None,
    ways: Sequence[Sequence[str]] = (),
    speaks: Callable[[Origin], bool] = lambda _: True,
    unread: set[str] | None = None,
) -> Iterator[Body]:
    """The records for which `scan` has a hit, in the order given. Ends early if `cancelled` or if `progress` returns False;
    `progress` then hears how many records were looked through. `begun`: a first look that is under way; it is closed here.

    `ways`: needles of which all of one way must occur, not all there are. `speaks`: whose turns count. `unread` takes the
    paths of the records that could not be read to their end.
    """
    wanted = needles_for(needles)
    if not wanted:
        return
    place = {one.text: number for number, one in enumerate(wanted)}
    sought = [frozenset(place[folded(text)] for text in way if text.strip()) for way in ways or (needles,)]
    failed: set[str] = set()
    report = _Report(sources, progress)
    with closing(begun or Sieve(files_of(sources, talk_only=talk_only), wanted)) as sieve:
        search = Search(archive, wanted, sought, talk_only, sieve, failed, cancelled, speaks)
        for source in sources:
            paths = (source.path,) if talk_only or not source.outputs else (source.path, *source.outputs)
            ready = False
            while not ready:
                if cancelled() or not report.go_on():
                    report.stop()
                    return
                ready = all(sieve.ready(path, LISTEN_SECONDS) for path in paths)
            if any(map(sieve.may_hold, paths)):
                body = Body(source, search)
                if body.holds():
                    yield body
                if unread is not None and body.unread:
                    unread.add(source.path)
            if not cancelled():
                report.add(source)
    report.finish()


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
