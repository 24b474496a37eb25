"""The first look by `grep`: what a scan finds is the same with it and without it, whatever becomes of the process."""

from __future__ import annotations

import os
import random
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from core.records import sieve
from core.records.archive import Archive
from core.records.model import Source
from core.records.needles import needle
from core.records.scan import holding, scan
from core.records.sieve import Foreseen, Sieve, files_of
from tests.core.records.builders import assistant, lines, tool_result, user

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or not os.access(sieve.PROGRAM, os.X_OK), reason="grep is asked on Linux only"
)
WORDS = ("quexo-4471", "Tander", "über <b>", 'say "hi"', "二月", "two\nlines", "-e", "tool-results")
SOUGHT = (*((word,) for word in WORDS), ("QUEXO-4471", "tander"), ("ÜBER", "nowhere-9"), ("nowhere-9",))


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process for little, and several in turn."""
    monkeypatch.setattr(sieve, "FEWEST_BYTES", 0)
    monkeypatch.setattr(sieve, "BATCH", 2000)
    monkeypatch.setattr(sieve, "LARGEST", 3000)


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    """Records with the words in any case, beside outputs, some too large to be handed over."""
    dice = random.Random(5)
    for number in range(40):
        sid = f"{number:08d}-2222-4333-8444-555555555555"
        said = [dice.choice((word, word.upper(), "ordinary")) for word in dice.sample(WORDS, 3)]
        filling = "x" * (4000 if number % 10 == 0 else 5)
        rows = [user(said[0], sessionId=sid), assistant({"type": "text", "text": said[1] + filling}, sessionId=sid)]
        rows.append(user([tool_result(f"out tool-results/{number}.txt")], sessionId=sid))
        folder = tmp_path / f".claude/projects/p/{sid}/tool-results"
        folder.mkdir(parents=True)
        (folder / f"{number}.txt").write_text(f"more\n{said[2]}\n", "utf-8")
        folder.parent.with_suffix(".jsonl").write_bytes(lines(*rows))
    return Archive.from_environment({}, str(tmp_path))


def _found(archive: Archive, texts: Sequence[str]) -> list[tuple[str, int, str]]:
    hits = scan(archive, archive.discover().sources, texts)
    return [(hit.path, hit.line, hit.turn.text) for hit in hits]


def _plainly(archive: Archive, texts: Sequence[str]) -> list[tuple[str, int, str]]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sieve, "PROGRAM", "/nowhere/grep")
        return _found(archive, texts)


def _sifted(archive: Archive, text: str) -> tuple[list[Source], Sieve]:
    sources = [s for s in archive.discover().sources if s.size <= sieve.LARGEST]
    return sources, Sieve(files_of(sources), (needle(text),))


@pytest.mark.parametrize("texts", SOUGHT)
def test_a_scan_finds_the_same_with_it_and_without_it(archive: Archive, texts: tuple[str, ...]) -> None:
    assert _found(archive, texts) == _plainly(archive, texts)


def test_files_that_hold_nothing_are_told(archive: Archive) -> None:
    sources, sifting = _sifted(archive, "quexo-4471")
    assert all(sifting.ready(source.path, 60.0) for source in sources)
    held = {s.path for s in sources if b"quexo-4471" in Path(s.path).read_bytes().lower()}
    assert {s.path for s in sources if sifting.may_hold(s.path)} == held
    assert 0 < len(held) < len(sources)
    sifting.close()
    sifting.close()


@pytest.mark.parametrize("text", ["two\nlines", "nul\0"])
def test_what_grep_would_misread_is_looked_for_here(archive: Archive, text: str) -> None:
    sources, sifting = _sifted(archive, text)
    assert all(sifting.ready(source.path, 0.0) and sifting.may_hold(source.path) for source in sources)


@pytest.mark.parametrize(
    "body", ["exit 1", "exit 2", "kill -9 $$", "printf 'x\\0'", "printf '(standard input)\\0'; exit 2"]
)
def test_a_program_that_fails_or_leaves_off_decides_nothing(
    archive: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str
) -> None:
    expected = _plainly(archive, ("quexo-4471",))
    program = tmp_path / "grep"
    program.write_text(f"#!/bin/sh\n{body}\n", "utf-8")
    program.chmod(0o755)
    monkeypatch.setattr(sieve, "PROGRAM", str(program))
    assert _found(archive, ("quexo-4471",)) == expected


def test_a_file_that_goes_away_leaves_the_others_to_be_read(archive: Archive) -> None:
    sources = archive.discover().sources
    os.remove(sources[1].path)
    hits = [(hit.path, hit.line) for hit in scan(archive, sources, ("quexo-4471",))]
    assert hits == [(path, line) for path, line, _ in _plainly(archive, ("quexo-4471",)) if path != sources[1].path]


def _stamps(archive: Archive) -> dict[str, tuple[int, int]]:
    paths = [p for s in archive.discover().sources for p in (s.path, *s.outputs)]
    return {path: (os.stat(path).st_size, os.stat(path).st_mtime_ns) for path in paths}


def _foreseen(archive: Archive, stamps: dict[str, tuple[int, int]], text: str) -> list[tuple[str, int, str]]:
    """What is found with a sieve that was begun on these files before the records were listed."""
    wanted = [needle(text)]
    begun = Foreseen.of(stamps, wanted)
    sources = archive.discover().sources
    sifting = begun.over(sources, wanted)
    assert sifting is not None
    bodies = list(holding(archive, sources, (text,), begun=sifting))
    return [(hit.path, hit.line, hit.turn.text) for body in bodies for hit in body.hits()]


def _written_to(path: str) -> None:
    place = Path(path)
    place.write_bytes(place.read_bytes() + lines(user("QUEXO-4471 came later")))


@pytest.mark.parametrize("change", ["nothing", "grew", "same size", "gone", "a pipe", "new", "all grew"])
def test_what_was_foreseen_counts_for_files_that_are_as_they_were(
    archive: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    monkeypatch.setattr(sieve, "FEWEST_BYTES", 100_000)
    monkeypatch.setattr(sieve, "_can", lambda files: True)
    stamps = _stamps(archive)
    small = [p for p, (size, _) in stamps.items() if size <= sieve.LARGEST and p.endswith(".jsonl")]
    without = [path for path in small if b"quexo" not in Path(path).read_bytes().lower()]
    for path in without if change == "all grew" else without[:1] if change == "grew" else ():
        _written_to(path)
    if change == "same size":
        body = Path(without[0]).read_bytes()
        Path(without[0]).write_bytes(body.replace(b"ordinary", b"quexo-44", 1))
        os.utime(without[0], ns=(1, 1))
    if change in ("gone", "a pipe"):
        os.remove(without[0])
    if change == "a pipe":  # nobody writes to it: whoever reads it waits for good
        os.mkfifo(without[0])
    if change == "new":
        _written_to(shutil.copy(without[0], without[0].replace("00000", "99999", 1)))
    assert _foreseen(archive, stamps, "quexo-44") == _plainly(archive, ("quexo-44",))


def test_what_was_foreseen_is_dropped_where_it_is_of_other_words_or_of_other_files(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sieve, "FEWEST_BYTES", 0)
    wanted, sources = [needle("quexo-4471")], archive.discover().sources
    for stamps, others in ((_stamps(archive), [needle("tander")]), (dict.fromkeys(_stamps(archive), (9, 9)), wanted)):
        begun = Foreseen.of(stamps, others)
        running = [run._process for run in begun.sieve._runs.values()]
        assert running
        assert begun.over(sources, wanted) is None
        for process in running:
            with pytest.raises(ProcessLookupError):
                os.kill(process, 0)


def test_how_many_files_hold_a_needle_is_known_once_all_are_looked_through(archive: Archive) -> None:
    sources, sifting = _sifted(archive, "quexo-4471")
    assert sifting.so_far() == 0  # several are still to come
    assert all(sifting.ready(path, 60.0) for source in sources for path in (source.path, *source.outputs))
    held = [p for s in sources for p in (s.path, *s.outputs) if b"quexo-4471" in Path(p).read_bytes().lower()]
    assert sifting.so_far() == len(held)
    sifting.close()


def test_processes_end_with_the_scan(archive: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "grep"
    program.write_text("#!/bin/sh\nexec sleep 1000\n", "utf-8")
    program.chmod(0o755)
    monkeypatch.setattr(sieve, "PROGRAM", str(program))
    asked = iter([False, False])
    sources = archive.discover().sources
    sifting = Sieve(files_of(sources), (needle("quexo-4471"),))
    running = [run._process for run in sifting._runs.values()]
    assert len(running) == sieve.AT_ONCE
    assert not list(holding(archive, sources, ("quexo-4471",), cancelled=lambda: next(asked, True), begun=sifting))
    for process in running:
        with pytest.raises(ProcessLookupError):
            os.kill(process, 0)
