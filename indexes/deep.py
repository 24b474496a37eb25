"""Meanings beside the words: reading them when idle, asking them where words fit poorly."""

from __future__ import annotations

import fcntl
import os
import re
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from core.frozen import dataclass
from core.ports import Deepened, Embedder, Entry, Hit, Passage, Progress, ProgressCall, Query
from core.recall.boundary import passes, within
from core.records.model import Origin, Role
from indexes.archive_port import Archive
from indexes.blending import blend, nearness, speaks_up
from indexes.catalog import Catalog
from indexes.damage import DAMAGE
from indexes.encoder import BATCH, Encoder
from indexes.home import IndexHome
from indexes.meaning_texts import MeaningText, meaning_texts
from indexes.meanings import Meanings, Meant
from indexes.weights import LIKENESS_ALONE

ONLY_MEANT = 25
"""Records that no word reached and that are considered for their meaning."""


AT_A_TIME = 256
"""Records whose rows are read together."""
GROUP = 256
"""New texts that are encoded together; a stop is heard between two groups (3 to 6 seconds of CPU)."""


@dataclass(frozen=True, slots=True)
class _Record:
    """A record, its texts, and the rows it had before."""

    entry: Entry
    texts: Sequence[MeaningText]
    kept: Mapping[tuple[int, int, int], Any]

    def fresh(self) -> list[int]:
        """Numbers of the texts that have no row yet."""
        return [n for n, t in enumerate(self.texts) if (t.line, t.start, t.digest) not in self.kept]


class Deep:
    """The meanings of one index."""

    def __init__(self, home: IndexHome, encoder: Embedder | None = None) -> None:
        self._home = home
        self._encoder: Embedder = encoder or Encoder()
        self._name = self._encoder.name()
        self._store = Meanings(home.path, self._name)

    # -- asking

    def blended(self, query: Query, hits: tuple[Hit, ...]) -> tuple[Hit, ...]:
        """The candidates by words, joined with those by meaning where words fit poorly and there are meanings."""
        if not self._name or not query.sentence.strip() or query.phrases or query.any_of:
            return hits
        if not has_meaning(query.sentence) or not self._store.exists():
            return hits  # asked before the encoder is loaded, which costs a second
        if not (speaks_up(hits) or query.excluded):
            return hits
        try:
            meant = self._store.nearest(self._encoder.encode([query.sentence])[0])
        except (sqlite3.Error, OSError):
            return hits
        if not meant:
            return hits
        of = {h.entry.source.path: h for h in hits}
        others = self._others(query, {p: m for p, m in meant.items() if p not in of})
        reached = tuple(_with_place(h, meant.get(h.entry.source.path)) for h in hits)
        return blend(reached, others, meant, max(query.limit, 1), rejected=len(query.excluded))

    def _others(self, query: Query, meant: Mapping[str, Meant]) -> dict[str, Hit]:
        """Candidates that no word reached, inside the query's boundary."""
        if query.without or query.filters.roles:
            return {}
        near = [p for p, m in meant.items() if p not in query.excluded and m.likeness >= LIKENESS_ALONE]
        nearest = sorted(near, key=lambda p: -nearness(meant[p]))[:ONLY_MEANT]
        try:
            with Catalog(self._home.path) as catalog:
                rows = catalog.rows(nearest)
        except DAMAGE:
            return {}
        found = {}
        for path, row in rows.items():
            entry = row.entry()
            if entry.spine.role is Role.COPY or not passes(entry, query.filters) or not within(entry, query.windows):
                continue
            hit = Hit(entry, 0.0, max(0.0, meant[path].likeness), (), ())
            found[path] = _with_place(hit, meant[path])
        return found

    # -- reading

    def read(self, archive: Archive, progress: ProgressCall | None, seconds: float | None) -> Deepened:
        """Read the meanings of records that have none or changed, newest first, until done, stopped or out of time."""
        started = time.monotonic()
        if not self._name:
            return Deepened(available=False)
        try:
            with Catalog(self._home.path) as catalog:
                talks = catalog.talks()  # words find a commit or a note
        except DAMAGE:
            return Deepened()
        known = self._store.known()
        todo = [path for path, stamp, present in talks if present and known.get(path) != stamp]
        gone = set(known) - {path for path, *_ in talks}
        if not self._home.writable():
            return Deepened(pending=len(todo))
        with self._writing() as mine:
            if not mine:
                return Deepened(pending=len(todo), busy=True)
            self._store.forget(sorted(gone))
            read = 0
            groups = self._groups(archive, todo)
            while read < len(todo):
                now = time.monotonic() - started
                told = Progress(read, len(todo), read, len(todo), now)
                if (seconds is not None and now >= seconds) or (progress is not None and not progress(told)):
                    break
                group = next(groups, None)
                if group is None:
                    break
                self._write(group)
                read += len(group)
            self._store.tidy()
        return Deepened(read, len(todo) - read, time.monotonic() - started)

    def _entries(self, paths: Sequence[str]) -> Iterator[Entry]:
        """What the catalog knows of these records, some of them at a time: most looks find nothing to do, or little time."""
        for first in range(0, len(paths), AT_A_TIME):
            try:
                with Catalog(self._home.path) as catalog:
                    rows = catalog.rows(paths[first : first + AT_A_TIME])
            except DAMAGE:
                return  # the next refresh builds the index anew
            yield from (row.entry() for row in rows.values())

    def _groups(self, archive: Archive, paths: Sequence[str]) -> Iterator[list[_Record]]:
        """Records together until they have `GROUP` new texts: encoding many at once is several times cheaper."""
        group: list[_Record] = []
        fresh = 0
        for entry in self._entries(paths):
            texts = meaning_texts(entry, archive.read(entry.source, None, talk_only=True))
            record = _Record(entry, texts, self._store.kept(entry.source.path))
            group.append(record)
            fresh += len(record.fresh())
            if fresh >= GROUP:
                yield group
                group, fresh = [], 0
        if group:
            yield group

    def _write(self, group: Sequence[_Record]) -> None:
        """Encode the new texts of a group in batches of like length, and store each record's rows."""
        todo = [(n, number) for n, record in enumerate(group) for number in record.fresh()]
        todo.sort(key=lambda item: len(group[item[0]].texts[item[1]].text))
        vectors: list[dict[int, Any]] = [{} for _ in group]
        for first in range(0, len(todo), BATCH):
            batch = todo[first : first + BATCH]
            encoded = self._encoder.encode([group[n].texts[number].text for n, number in batch])
            for (n, number), vector in zip(batch, encoded, strict=True):
                vectors[n][number] = vector
        for record, found in zip(group, vectors, strict=True):
            self._store.put(record.entry, record.texts, found, record.kept)

    @contextmanager
    def _writing(self) -> Iterator[bool]:
        """Hold the lock of meanings; False if another process does. The system frees a killed process's lock."""
        descriptor = os.open(self._home.path / "meanings.lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            mine = True
        except BlockingIOError:
            mine = False
        try:
            yield mine
        finally:
            os.close(descriptor)


_WORD = re.compile(r"[^\W\d_]{2,}")
_IDEOGRAPH = re.compile("[\u3040-\u9fff\uac00-\ud7af]")


def has_meaning(sentence: str) -> bool:
    """True for words of a language: at least two, or one sign of a script that writes a word with it. A lone name, token
    or number stands for itself; what it reminds an encoder of is nothing a person meant."""
    return len(_WORD.findall(sentence)) >= 2 or bool(_IDEOGRAPH.search(sentence))


def _with_place(hit: Hit, meant: Meant | None) -> Hit:
    """The hit with the turn that means the most added to its passages, so that it is opened too."""
    if meant is None:
        return hit
    hit = replace(hit, likeness=meant.likeness)
    if not meant.line or any((p.line, p.start) == (meant.line, meant.start) for p in hit.passages):
        return hit
    weakest = min((p.score for p in hit.passages), default=1.0)
    place = Passage(meant.line, meant.start, meant.start, Origin.UNKNOWN, None, weakest, ())
    return replace(hit, passages=(*hit.passages, place))
