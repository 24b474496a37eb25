"""Which files cannot hold a text, told by the system's `grep` while this process does something else.

An interpreter looks through bytes at a third of the speed, and on one processor. Only a no is taken from `grep`: whatever may
hold a text is read here, by the exact rule. A no counts only from a run that came to its end without an error and found, as
its last file, the texts that were handed to it in the other case; any other run decides nothing.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

from core.frozen import dataclass
from core.records.lines import is_compressed
from core.records.model import Source
from core.records.needles import Needle

PROGRAM = "/usr/bin/grep"
FEWEST_BYTES = 8 << 20
"""Bytes that are looked through here sooner than a process is there."""
LARGEST = 16 << 20
"""Bytes of a file that is handed over: `grep` holds a line whole."""
BATCH, NAMES = 128 << 20, 400_000
"""Bytes of the files of one process, and of their names."""
MOST_NEEDLES = 100
AT_ONCE = 2
_PROOF = b"(standard input)"


class _Run:
    """One process and what it said."""

    def __init__(self, paths: Sequence[str], needles: Sequence[bytes]) -> None:
        """Raises `OSError`."""
        options = [part for needle in needles for part in (b"-e", needle)]
        words = [
            PROGRAM.encode(),
            b"-lFai",
            b"--null",
            b"--devices=skip",
            *options,
            b"--",
            *map(os.fsencode, paths),
            b"-",
        ]
        given, self._said, self._process, self._ended = os.memfd_create("given"), -1, 0, -1
        try:
            self._said = os.memfd_create("said")
            os.pwrite(given, needles[-1].swapcase() + b"\n", 0)
            actions = [
                (os.POSIX_SPAWN_DUP2, given, 0),
                (os.POSIX_SPAWN_DUP2, self._said, 1),
                (os.POSIX_SPAWN_OPEN, 2, "/dev/null", os.O_WRONLY, 0),
            ]
            self._process = os.posix_spawn(PROGRAM, words, {"LC_ALL": "C"}, file_actions=actions)
            self._ended = os.pidfd_open(self._process)
        except OSError:
            self.close()
            raise
        finally:
            os.close(given)

    def done(self, seconds: float) -> bool:
        """Wait so long at most; True once the process has ended."""
        waiting = select.poll()
        waiting.register(self._ended, select.POLLIN)
        return bool(waiting.poll(seconds * 1000))

    def likely(self) -> frozenset[str] | None:
        """The files in which it found something; `None` where it failed. Called once, when it is done."""
        with suppress(OSError):
            _, status = os.waitpid(self._process, 0)
            self._process = 0
            said = os.pread(self._said, os.fstat(self._said).st_size, 0).split(b"\0")
            if status == 0 and said[-2:] == [_PROOF, b""]:
                return frozenset(map(os.fsdecode, said[:-2]))
        return None

    def close(self) -> None:
        """End the process if it still works, and give back what it had."""
        if self._process:
            with suppress(OSError):
                os.kill(self._process, signal.SIGKILL)
                os.waitpid(self._process, 0)
            self._process = 0
        for handle in (self._said, self._ended):
            if handle >= 0:
                os.close(handle)
        self._said = self._ended = -1


Stamp = tuple[int, int]
"""Size and time of a file."""


class Sieve:
    """Processes at work on files, in their order. Whoever has one closes it."""

    def __init__(self, files: Sequence[tuple[str, int]], wanted: Sequence[Needle]) -> None:
        """`files` are paths with their sizes in bytes."""
        self.wanted = tuple(wanted)
        self._needles = _needles(wanted)
        self._batches = list(_batches(files)) if self._needles and _can(files) else []
        self._place = {path: number for number, batch in enumerate(self._batches) for path in batch}
        self._again: set[int] = set()
        """Batches that are tried once more where they fail."""
        self._runs: dict[int, _Run] = {}
        self._begun = 0
        self._likely: dict[int, frozenset[str] | None] = {}
        self._go_on()

    def keep_to(self, paths: set[str]) -> None:
        """Decide about these files alone, for the others are not as they were. One that is gone made its batch fail, which is
        tried again without it."""
        self._place = {path: number for path, number in self._place.items() if path in paths}
        self._again = set(range(len(self._batches)))

    def ready(self, path: str, seconds: float) -> bool:
        """Wait so long at most; True once it is known whether the file may hold a needle."""
        number = self._place.get(path, -1)
        if number < 0 or number in self._likely:
            return True
        until = time.monotonic() + seconds
        while number not in self._likely:
            first = min(self._runs)
            if not self._runs[first].done(max(0.0, until - time.monotonic())):
                return False
            self._take(first)
        return True

    def may_hold(self, path: str) -> bool:
        """False if the file, which is `ready`, holds no needle."""
        likely = self._likely.get(self._place.get(path, -1))
        return likely is None or path in likely

    def so_far(self) -> int:
        """How many files hold a needle, where all that were handed over are looked through already; else 0. Waits for
        nothing."""
        for number in tuple(self._runs):
            if self._runs[number].done(0.0):
                self._take(number)
        if self._runs:
            return 0
        return sum(path in self._place for likely in self._likely.values() for path in likely or ())

    def close(self) -> None:
        """End whatever still works."""
        for number in tuple(self._runs):
            self._runs.pop(number).close()

    def _take(self, number: int) -> None:
        run = self._runs.pop(number)
        likely = run.likely()
        run.close()
        if likely is None and number in self._again:
            self._again.discard(number)
            self._batches[number] = [path for path in self._batches[number] if path in self._place]
            self._start(number)
        else:
            self._likely[number] = likely
        self._go_on()

    def _go_on(self) -> None:
        """Have as many processes at work as there may be."""
        while len(self._runs) < AT_ONCE and self._begun < len(self._batches):
            self._start(self._begun)
            self._begun += 1

    def _start(self, number: int) -> None:
        try:
            self._runs[number] = _Run(self._batches[number], self._needles)
        except OSError:
            self._likely[number] = None


@dataclass(frozen=True, slots=True)
class Foreseen:
    """A sieve that was begun on files as they were when somebody last looked, before anybody looks again: the time until then
    is half of a command. What it says of a file counts only if the file is still so when it is looked at."""

    sieve: Sieve
    stamps: Mapping[str, Stamp]
    """The files as they were."""

    @classmethod
    def of(cls, stamps: Mapping[str, Stamp], wanted: Sequence[Needle]) -> Foreseen:
        """Begin on these files."""
        return cls(Sieve([(path, size) for path, (size, _) in stamps.items() if _may_take(path, size)], wanted), stamps)

    def over(self, sources: Sequence[Source], wanted: Sequence[Needle]) -> Sieve | None:
        """The sieve, for records as they are listed now; `None` where it looks for something else, or where it knows too
        little of them: it is closed then."""
        same, left = set(), 0
        for source in sources if self.sieve.wanted == tuple(wanted) else ():
            for path, stamp in (
                (source.path, (source.size, source.mtime_ns)),
                *((p, _stamp(p)) for p in source.outputs),
            ):
                if self.stamps.get(path) == stamp:
                    same.add(path)
                else:
                    left += max(stamp[0], 0)
        if not same or left > FEWEST_BYTES:
            self.sieve.close()
            return None
        self.sieve.keep_to(same)
        return self.sieve


def files_of(sources: Sequence[Source], *, talk_only: bool = False) -> list[tuple[str, int]]:
    """The files of records with their sizes, those that may be handed over, record by record."""
    found: list[tuple[str, int]] = []
    for source in sources:
        found.append((source.path, source.size))
        found += [(path, _stamp(path)[0]) for path in (() if talk_only else source.outputs)]
    return [(path, size) for path, size in found if _may_take(path, size)]


def _can(files: Sequence[tuple[str, int]]) -> bool:
    """True where there is a `grep` of a known kind, and enough for it to do."""
    return sys.platform == "linux" and sum(size for _, size in files) >= FEWEST_BYTES and os.access(PROGRAM, os.X_OK)


def _needles(wanted: Sequence[Needle]) -> list[bytes]:
    """What to look for; nothing where `grep` would take it for something else."""
    forms = list(dict.fromkeys(form for one in wanted for form in one.forms))
    plain = all(form and b"\n" not in form and b"\0" not in form for form in forms)
    return forms if plain and len(forms) <= MOST_NEEDLES else []


def _batches(files: Sequence[tuple[str, int]]) -> Iterator[list[str]]:
    """The files to hand over, in as few batches as the bounds allow, one for each process or several for each: a last small
    one would begin when somebody asks for the first."""
    total = sum(size for _, size in files)
    most = total // (AT_ONCE * (total // (AT_ONCE * BATCH) + 1)) + 1
    batch: list[str] = []
    begun = held = names = 0
    for path, size in files:
        if batch and (held + size > most * (begun + 1) or names >= NAMES):
            yield batch
            batch, begun, names = [], begun + 1, 0
        batch.append(path)
        held, names = held + size, names + len(path)
    if batch:
        yield batch


def _may_take(path: str, size: int) -> bool:
    return 0 <= size <= LARGEST and "#" not in path and not is_compressed(path)


def _stamp(path: str) -> Stamp:
    try:
        info = os.stat(path)
    except OSError:
        return -1, 0  # what went away is not asked about: it would count as an error
    return info.st_size, info.st_mtime_ns
