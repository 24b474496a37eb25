"""The wider search answers as a plain one does that reads every line of every record and orders all that it found."""

from __future__ import annotations

import heapq
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from core.library import Library
from core.ports import Entry, Progress, Query
from core.recall.boundary import passes, reads
from core.recall.model import Scope
from core.recall.needles import needles_of
from core.recall.wide import STOPPED
from core.recall.wording import nothing_wider_words
from core.records import looks, sieve
from core.records.archive import Archive
from core.records.bodies import Body, ScanHit
from core.records.model import Role, Source
from core.records.needles import needle
from indexes.whoosh_index import WhooshIndex
from tests.core.records.builders import assistant, lines, tool_result, tool_use, user

WORDS = ("quexo-4471", "QUEXO-4471", "Harbour-light", "tander", "zq8817x", "ordinary talk")
CUES = (
    "quexo-4471",
    "tander",
    "harbour-light quexo-4471",
    "zq8817x nowhere-99",
    '"ordinary talk"',
    "ordinary",
    "agent:codex ordinary",
    "nothing-at-all-77",
)


@pytest.fixture
def archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Archive:
    """Two runtimes, parts of sessions, outputs beside a record, times that are alike."""
    monkeypatch.setattr(looks, "YOUNG_NS", 0)
    monkeypatch.setattr(sieve, "FEWEST_BYTES", 0)
    monkeypatch.setattr(sieve, "BATCH", 4096)
    dice = random.Random(11)
    for number in range(60):
        sid = f"{number:08d}-2222-4333-8444-555555555555"
        day = f"2026-03-{1 + number % 7:02d}T10:00:00.000Z"
        said = [dice.choice(WORDS) if dice.random() < 0.4 else "ordinary" for _ in range(9)]
        if number % 3:
            rows: list[Any] = [user(said[0], sessionId=sid, timestamp=day)]
            rows += [assistant({"type": "text", "text": word}, sessionId=sid, timestamp=day) for word in said[1:6]]
            rows += [assistant(tool_use("Bash", {"command": said[6]}), sessionId=sid, timestamp=day)]
            rows += [user([tool_result(f"out {said[7]} tool-results/{number}.txt")], sessionId=sid, timestamp=day)]
            folder = tmp_path / ".claude/projects/p"
            _put(folder / (f"{sid}.jsonl" if number % 5 else f"{sid}/subagents/agent-{number}.jsonl"), lines(*rows))
            if number % 4 == 0:
                _put(folder / f"{sid}/tool-results/{number}.txt", f"more\n{dice.choice(WORDS)}\n".encode())
        else:
            name = f".codex/sessions/2026/03/01/rollout-2026-03-01T10-00-00-{sid}.jsonl"
            _put(tmp_path / name, lines(*_rollout(sid, day, said)))
    return Archive.from_environment({}, str(tmp_path))


def _rollout(sid: str, day: str, said: Sequence[str]) -> Iterator[dict[str, Any]]:
    yield {"timestamp": day, "type": "session_meta", "payload": {"id": sid, "timestamp": day, "cwd": "/x"}}
    for word in said:
        content = [{"type": "input_text", "text": word}]
        yield {
            "timestamp": day,
            "type": "response_item",
            "payload": {"type": "message", "role": "user", "content": content},
        }


def _put(path: Path, body: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(body)


def plain_hits(archive: Archive, source: Source, texts: Sequence[str]) -> list[tuple[str, int]]:
    """The file and line of each hit of one record, by the rule of old."""
    wanted = [needle(t) for t in texts]
    spoken = Path(source.path).read_bytes().lower()
    files = [source.path, *(p for p in source.outputs if "/tool-results/" not in p or Path(p).name.encode() in spoken)]
    held = [w for w in wanted if any(w.in_bytes(Path(p).read_bytes().lower()) for p in files)]
    if len(held) < len(wanted):
        return []
    hits: list[tuple[str, int]] = []
    for path in files:
        found, start = [], 0
        for number, raw in enumerate(Path(path).read_bytes().splitlines(keepends=True), 1):
            turns = [t.text for t in archive.at(source, number, start)] if path == source.path else [raw.decode()]
            start += len(raw)
            if any(w.in_bytes(raw.lower()) for w in wanted):
                count = max((sum(w.text in t.lower() for w in wanted) for t in turns), default=0)
                found += [(count, number)] * bool(count)
        full = [n for n, (count, _) in enumerate(found) if count == len(wanted)]
        found = found[: full[4] + 1] if len(full) > 4 else found
        best = heapq.nlargest(5, found, key=lambda pair: (pair[0], -pair[1]))
        hits += [(path, number) for _, number in sorted(best, key=lambda pair: pair[1])][: 5 - len(hits)]
    return hits


def plainly(
    archive: Archive, query: Query, entries: dict[str, Entry]
) -> tuple[int, list[tuple[str, float, list[Any]]]]:
    """How many records hold the cue's needles, and all of them in order, with score and hits."""
    found: list[tuple[float, float, str, list[tuple[str, int]]]] = []
    for texts in needles_of(query):
        for source in archive.discover().sources:
            if passes(entries[source.path], query.filters) and (hits := plain_hits(archive, source, texts)):
                spine = entries[source.path].spine
                score = len(hits) / (1 + len(hits)) + (0.5 if spine.role is Role.MAIN else 0.0)
                found.append((score, spine.ended or 0.0, source.path, hits))
        if found:
            break
    found.sort(key=lambda one: (-one[0], -one[1]))
    return len(found), [(path, score, hits) for score, _, path, hits in found]


@pytest.mark.parametrize("limit", [1, 3, 10, 1000])
def test_the_wider_search_answers_as_a_plain_one(archive: Archive, tmp_path: Path, limit: int) -> None:
    library = Library(archive, WhooshIndex(tmp_path / "index", archive), str(tmp_path))
    library.refresh()
    entries = {e.source.path: e for e in library.index.entries()}
    for cue in CUES:
        query = library.search(cue, Scope()).cue.query  # type: ignore[union-attr]
        held, expected = plainly(archive, query, entries)
        answer = library.search(cue, Scope(), limit, wide=True)
        rows = [row for row in answer.rows if row.matched_by == ("scan",)]
        assert [(r.locator.path, round(r.score, 9)) for r in rows] == [
            (path, round(score, 9)) for path, score, _ in expected[:limit]
        ], cue
        assert [[p.line for p in r.passages] for r in rows] == [
            [line for path, line in hits if path == r.locator.path]
            for r, (_, _, hits) in zip(rows, expected, strict=False)
        ]
        assert any(f": {held:,} of them hold" in hint for hint in answer.hints) or not held
        inside = [s for s in archive.discover().sources if reads(s.runtime, query.filters)]
        assert sum(s.by_scan for s in answer.searched) == len(inside)


def test_of_a_word_that_most_records_hold_only_the_hits_of_some_are_read(
    archive: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """How many hold it is told from the first place of each; which come first, from the newest of them."""
    library = Library(archive, WhooshIndex(tmp_path / "index", archive), str(tmp_path))
    library.refresh()
    read: list[str] = []
    hits = Body.hits

    def noted(body: Body) -> list[ScanHit]:
        read.append(body.source.path)
        return hits(body)

    monkeypatch.setattr(Body, "hits", noted)
    answer = library.search("ordinary", Scope(), 3, wide=True)
    assert len(answer.rows) == 3
    (told,) = [hint for hint in answer.hints if "of them hold" in hint]
    held = int(told.split(": ")[1].split(" ")[0])
    assert 3 <= len(read) < held / 2
    assert len(read) == len(set(read))


def test_where_no_word_is_worth_a_scan_it_is_said(archive: Archive, tmp_path: Path) -> None:
    library = Library(archive, WhooshIndex(tmp_path / "index", archive), str(tmp_path))
    library.refresh()
    for cue in ("1", "was", ""):
        answer = library.search(cue, Scope(), wide=True)
        assert answer.hints == (nothing_wider_words(scanned=False),)
        assert sum(s.by_scan for s in answer.searched) == 0


def test_a_scan_that_is_stopped_says_so_and_shows_what_it_had(
    archive: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sieve, "PROGRAM", "/nowhere/grep")  # else it depends on its speed how often anybody is asked
    library = Library(archive, WhooshIndex(tmp_path / "index", archive), str(tmp_path))
    library.refresh()
    asked = iter([False] * 40)
    answer = library.search("quexo-4471", Scope(), wide=True, cancelled=lambda: next(asked, True))
    assert STOPPED in answer.hints
    assert 0 < sum(s.by_scan for s in answer.searched) < len(archive.discover().sources)


def test_a_scan_tells_how_far_it_is(archive: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.records.scan.PROGRESS_SECONDS", 0.0)
    library = Library(archive, WhooshIndex(tmp_path / "index", archive), str(tmp_path))
    library.refresh()
    told: list[Progress] = []

    def heard(progress: Progress) -> bool:
        told.append(progress)
        return True

    library.search("quexo-4471", Scope(), wide=True, progress=heard)
    total = len(archive.discover().sources)
    assert [p.records for p in told] == sorted(p.records for p in told)
    assert (told[-1].records, told[-1].records_total, told[-1].done) == (total, total, True)
