"""Contents of objects from one `git cat-file --batch` that stays open."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import IO, Any

from core.repositories.model import Blob, RepositoryProblem, Trouble
from core.repositories.process import SECONDS, GitRunner

MAX_BLOB = 16 * 1024 * 1024
"""Bytes of a file's content that are read."""
WRITTEN = 16_384
"""Bytes of names that are written before answers are read; the smallest pipe holds as much."""


class ObjectStore:
    """Reads objects by name; starts its process with the first and keeps it until `close`. Threads take turns."""

    def __init__(self, runner: GitRunner, path: str) -> None:
        self._runner = runner
        self._path = path
        self._lock = threading.Lock()
        self._process: Any = None
        self._watch: _Watch | None = None

    def read(self, name: str, kind: str = "", seconds: float = SECONDS) -> Blob | RepositoryProblem:
        """The content of the object `name` (`HEAD:src/pay.py`), which must be of this kind (`blob`), if one is given."""
        return self.read_all([name], kind, seconds)[0]

    def read_all(
        self, names: Sequence[str], kind: str = "", seconds: float = SECONDS
    ) -> list[Blob | RepositoryProblem]:
        """The contents of several objects, in their order. `seconds` is how long each may take."""
        found: list[Blob | RepositoryProblem] = []
        with self._lock:
            for group in _groups(names):
                found.extend(self._read(group, kind, seconds))
        return found

    def _read(self, names: Sequence[str], kind: str, seconds: float) -> list[Blob | RepositoryProblem]:
        """One group: all names are written before the first answer is read, which spares a wait per object."""
        fit = [n for n in names if not ("\n" in n or "\0" in n or not n.strip())]
        if self._process is None and fit:
            started = self._runner.start(["cat-file", "--batch"], reads=True)
            if isinstance(started, RepositoryProblem):
                return [started] * len(names)
            self._process = started
            self._watch = _Watch(started.proc.kill)
        answers: dict[str, Blob | RepositoryProblem] = {}
        watch = self._watch
        try:
            if fit:
                self._process.stdin.write(b"".join(n.encode("utf-8", "surrogateescape") + b"\n" for n in fit))
                self._process.stdin.flush()
            for name in fit:
                if watch is not None:
                    watch.set(seconds)
                answers[name] = self._answer(name, kind)
        except (OSError, ValueError) as error:
            late = watch is not None and watch.late
            self._end()
            problem = self._broken(str(error), seconds if late else 0)
            return [answers.get(n, problem) for n in names]
        finally:
            if watch is not None:
                watch.rest()
        return [answers.get(n) or self._nothing(n) for n in names]

    def _broken(self, why: str, late: float) -> RepositoryProblem:
        if late:
            return RepositoryProblem(Trouble.TIMEOUT, self._path,
                                     f"git took longer than {late:g} seconds to read an object.",
                                     "Ask again when the disk is less busy.")  # fmt: skip
        return RepositoryProblem(Trouble.CORRUPT, self._path, f"An object could not be read: {why}.",
                                 "Run: git fsck, in the repository.")  # fmt: skip

    def _answer(self, name: str, kind: str) -> Blob | RepositoryProblem:
        process = self._process
        header = process.stdout.readline()
        fields = header.split()
        if header.endswith((b" missing\n", b" ambiguous\n")) and not header[:-1].isspace():
            return self._nothing(name)
        if len(fields) != 3 or not fields[2].isdigit():
            raise ValueError("git ended before it answered")
        size = int(fields[2])
        if size > MAX_BLOB:
            _skip(process.stdout, size + 1)
            return RepositoryProblem(Trouble.TOO_LARGE, self._path, f"{name!r} has {size:,} bytes.",
                                     "Open it with git show.")  # fmt: skip
        data = process.stdout.read(size + 1)
        if len(data) != size + 1:
            raise ValueError("git ended before it had written everything")
        found = fields[1].decode("ascii", "replace")
        if kind and found != kind:
            return self._nothing(name)
        return Blob(fields[0].decode("ascii", "replace"), data[:-1], found)

    def _nothing(self, name: str) -> RepositoryProblem:
        return RepositoryProblem(
            Trouble.NOT_FOUND, self._path, f"{name!r} is not in the repository.", "Check the commit and the path."
        )

    def _end(self) -> None:
        process, self._process = self._process, None
        if self._watch is not None:
            self._watch.end()
            self._watch = None
        if process is not None:
            process.proc.kill()
            process.proc.wait()
            for stream in (process.stdin, process.stdout, process.stderr):
                try:
                    stream.close()
                except OSError:
                    continue  # a pipe whose other end is gone closes with an error, and is closed

    def close(self) -> None:
        """End the process."""
        with self._lock:
            self._end()


def _groups(names: Sequence[str]) -> Iterator[list[str]]:
    """Names in groups that fit the pipe to git: a full pipe on both sides would wait for ever."""
    group: list[str] = []
    size = 0
    for name in names:
        length = len(name) * 4 + 1
        if group and size + length > WRITTEN:
            yield group
            group, size = [], 0
        group.append(name)
        size += length
    if group:
        yield group


def _skip(stream: IO[bytes], size: int) -> None:
    """Read over bytes that are not wanted."""
    while size > 0:
        part = stream.read(min(size, 1 << 20))
        if not part:
            raise ValueError("git ended before it had written everything")
        size -= len(part)


class _Watch:
    """Ends a process that does not answer in time. One thread for all its questions: starting one a question costs more
    than the answers."""

    def __init__(self, kill: Callable[[], None]) -> None:
        self._kill = kill
        self._deadline: float | None = None
        self._over = threading.Event()
        self.late = False
        """True once a question took too long."""
        threading.Thread(target=self._look, name="git objects", daemon=True).start()

    def set(self, seconds: float) -> None:
        """A question was put: it may take this long."""
        self._deadline = time.monotonic() + seconds

    def rest(self) -> None:
        """It was answered."""
        self._deadline = None

    def end(self) -> None:
        """No more questions."""
        self._over.set()

    def _look(self) -> None:
        while not self._over.wait(0.25):
            deadline = self._deadline
            if deadline is not None and time.monotonic() > deadline:
                self.late = True
                self._kill()
                return
