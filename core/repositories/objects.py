"""Contents of objects from one `git cat-file --batch` that stays open."""

from __future__ import annotations

import threading
from typing import Any

from core.repositories.model import Blob, RepositoryProblem, Trouble
from core.repositories.process import SECONDS, GitRunner

MAX_BLOB = 16 * 1024 * 1024
"""Bytes of a file's content that are read."""


class ObjectStore:
    """Reads objects by name; starts its process with the first and keeps it until `close`. Threads take turns."""

    def __init__(self, runner: GitRunner, path: str) -> None:
        self._runner = runner
        self._path = path
        self._lock = threading.Lock()
        self._process: Any = None
        self._late = False

    def read(self, name: str, kind: str = "", seconds: float = SECONDS) -> Blob | RepositoryProblem:
        """The content of the object `name` (`HEAD:src/pay.py`), which must be of this kind (`blob`), if one is given."""
        if "\n" in name or "\0" in name or not name.strip():
            return self._nothing(name)
        with self._lock:
            if self._process is None:
                started = self._runner.start(["cat-file", "--batch"], reads=True)
                if isinstance(started, RepositoryProblem):
                    return started
                self._process = started
            self._late = False
            alarm = threading.Timer(seconds, self._stop)
            alarm.daemon = True
            alarm.start()
            try:
                return self._ask(name, kind)
            except (OSError, ValueError) as error:
                self._end()
                if self._late:
                    return RepositoryProblem(Trouble.TIMEOUT, self._path,
                                             f"git took longer than {seconds:g} seconds to read {name!r}.",
                                             "Ask again when the disk is less busy.")  # fmt: skip
                return RepositoryProblem(Trouble.CORRUPT, self._path, f"{name!r} could not be read: {error}.",
                                         "Run: git fsck, in the repository.")  # fmt: skip
            finally:
                alarm.cancel()

    def _stop(self) -> None:
        self._late = True
        self._process.proc.kill()

    def _ask(self, name: str, kind: str) -> Blob | RepositoryProblem:
        process = self._process
        process.stdin.write(name.encode("utf-8", "surrogateescape") + b"\n")
        process.stdin.flush()
        header = process.stdout.readline()
        fields = header.split()
        if header.endswith((b" missing\n", b" ambiguous\n")) and not header[:-1].isspace():
            return self._nothing(name)
        if len(fields) != 3 or not fields[2].isdigit():
            raise ValueError("git ended before it answered")
        size = int(fields[2])
        if size > MAX_BLOB:
            self._end()  # what it would write is not wanted
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
