"""The folder of the index: whose it is, its lock, and how a damaged or older index makes room for a new one."""

from __future__ import annotations

import contextlib
import fcntl
import os
import stat
import threading
import time
from collections.abc import Iterator
from pathlib import Path

SCHEMA_VERSION = 7
"""Raised when the segments' format, the analyzer or the terms change: an index of another version is built anew."""
SEGMENTS = "whoosh"
STAGING = "staging"
"""Where a build writes segments that no list names yet."""
LOOK, COUNTS, PRESENT, SESSIONS, LISTING, BROKEN = KEPT = (
    "look", "counts", "present", "sessions", "listing", "broken",
)  # fmt: skip
"""Files that can be deleted at any time: what they hold is found out again."""
SESSIONS_MARK = b"recollect-sessions-1\n"
"""Of the form of the file `SESSIONS`."""
MEANINGS = ("meanings.rows", "meanings.sqlite")
"""The vectors of meanings, and whose they are."""
_POLL = 0.02
_STAMP = 8
Data = bytes
"""`bytes`, where a method of that name stands in the way."""


class ForeignIndex(PermissionError):
    """The folder belongs to another user; opening the pickles in it would run their code."""


class IndexHome:
    """The folder that a `WhooshIndex` was given."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.segments = path / SEGMENTS
        self.staging = path / STAGING
        self._version_file, self._lock = path / "schema_version", path / "writer.lock"

    def check(self) -> None:
        """Refuse a folder that another user owns. Nothing is wrong with one that does not exist."""
        for path in (self.path, self.segments):
            try:
                status = path.stat()
            except FileNotFoundError:
                return
            if status.st_uid != os.getuid():
                raise ForeignIndex(f"{path} belongs to another user, so the index in it is not opened")

    def writable(self) -> bool:
        """Whether the folder, or the nearest one above it that exists, can be written (a read-only disk cannot), and its lock
        be held."""
        place = self.path
        while not place.exists() and place != place.parent:
            place = place.parent
        free = not self._lock.exists() or (self._lock.is_file() and os.access(self._lock, os.R_OK | os.W_OK))
        return free and os.access(place, os.W_OK)

    def bytes(self) -> int:
        """Bytes of its files; what another process takes away meanwhile counts nothing."""
        return sum(_size(p) for f in (self.path, self.segments) if f.is_dir() for p in f.iterdir())

    def create(self) -> None:
        """Make the folders, for their owner only."""
        self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.check()
        for path in (self.path, self.segments, self.staging):
            try:
                path.mkdir(mode=0o700, exist_ok=True)
            except FileExistsError:
                path.unlink()  # no folder: what stands there is no part of an index
                path.mkdir(mode=0o700)
            if stat.S_IMODE(path.stat().st_mode) & 0o077:
                path.chmod(0o700)

    def segment_sizes(self) -> dict[str, int]:
        """The files of segments that there are, with their bytes."""
        try:
            with os.scandir(self.segments) as found:
                return {one.name: one.stat().st_size for one in found if one.name.endswith(".seg")}
        except OSError:
            return {}

    def version(self) -> int | None:
        """The schema version of the index here, `None` if there is no index."""
        try:
            return int(self._version_file.read_text("ascii"))
        except (OSError, ValueError):
            return None

    def write_version(self) -> None:
        """Note that the index here is of this program's version."""
        fresh = self._version_file.with_suffix(".new")
        fresh.write_text(str(SCHEMA_VERSION), "ascii")
        fresh.replace(self._version_file)

    def kept(self, name: str, stamp: int) -> Data:
        """What was kept under a name with this stamp; `b""` if nothing was, or of another stamp."""
        try:
            with (self.path / name).open("rb", buffering=0) as file:
                same = stamp and file.read(_STAMP) == stamp.to_bytes(_STAMP, "little")
                return file.readall() if same else b""
        except OSError:
            return b""

    def last_kept(self, name: str) -> Data:
        """What was kept under a name, whatever its stamp. Raises `OSError`."""
        return (self.path / name).read_bytes()[_STAMP:]

    def keep(self, name: str, stamp: int, data: Data) -> None:
        """Keep something that can be found out again, for whoever knows its stamp (above 0). Raises `OSError`."""
        fresh = self.path / f"{name}.{os.getpid()}.new"
        try:
            fresh.write_bytes(stamp.to_bytes(_STAMP, "little") + data)
            fresh.replace(self.path / name)
        finally:
            fresh.unlink(missing_ok=True)  # a full disk takes a part, which is in the way

    def kept_now(self, name: str, stamp: int, data: Data) -> bool:
        """The same; False where the disk does not take it."""
        try:
            self.keep(name, stamp, data)
        except OSError:
            return False
        return True

    def forget(self, name: str) -> None:
        """Let go of what was kept under a name. Raises `OSError`."""
        (self.path / name).unlink(missing_ok=True)

    def clear(self) -> None:
        """Remove the index, its version last to be missing and first to go."""
        for path in (
            self._version_file,
            *(p for name in ("catalog.sqlite", *KEPT) for p in self.path.glob(f"{name}*")),
        ):
            _remove(path)
        for folder in (self.segments, self.staging):
            for path in folder.iterdir() if folder.is_dir() else (folder,):
                with contextlib.suppress(OSError):  # what cannot be removed is in no list of segments
                    _remove(path)
        self.create()

    def clear_staging(self) -> None:
        """Remove segments that a killed build left."""
        for path in self.staging.iterdir():
            _remove(path)

    @contextlib.contextmanager
    def locked(self, wait: float) -> Iterator[bool]:
        """Hold the writer's lock; yields False if another process still holds it after `wait` seconds. The system
        frees the lock of a killed process."""
        descriptor = os.open(self._lock, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            yield _try_lock(descriptor, wait)
        finally:
            os.close(descriptor)

    def is_locked(self) -> bool:
        """Whether a refresh is going on."""
        try:
            descriptor = os.open(self._lock, os.O_RDWR)
        except OSError:
            return False  # no lock file, or none that could be held: nobody writes
        try:
            return not _try_lock(descriptor, 0)
        finally:
            os.close(descriptor)


def has_meanings(home: IndexHome) -> bool:
    """Whether what records mean was read for any."""
    return all((home.path / name).exists() for name in MEANINGS)


def _try_lock(descriptor: int, wait: float) -> bool:
    until = time.monotonic() + wait
    pause = threading.Event()
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= until:
                return False
            pause.wait(_POLL)
        else:
            return True


def _size(path: Path) -> int:
    """Bytes of a file; 0 for a folder, and for one that is gone since it was listed."""
    try:
        status = path.stat()
    except FileNotFoundError:
        return 0
    return status.st_size if stat.S_ISREG(status.st_mode) else 0


def _remove(path: Path) -> None:
    """Remove whatever is there. `shutil` takes 3 ms to load, with all that it packs and unpacks: only for a folder that holds
    something."""
    if path.is_symlink() or not path.is_dir():
        path.unlink(missing_ok=True)
    else:
        import shutil

        shutil.rmtree(path, ignore_errors=True)
