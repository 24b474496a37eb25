"""What a listing looked at, kept so that the next command can tell by one `stat` each that nothing came, went or changed.

Listing thousands of records takes an interpreter ten times as long as asking the system whether each file and folder
stands as it did. Nothing is taken on trust: a folder that was listed counts as the same only if its identity and both its
times are, a file if its size and time are, a link if it leads to where it led, and what was not there must still be absent.
A folder that changed just before it was listed may change again within one tick of a coarse clock: such a look is not kept.
"""

from __future__ import annotations

import os
import stat
import zlib
from array import array
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import field
from itertools import islice

from core.frozen import dataclass

YOUNG_NS = 3_000_000_000
"""A folder whose time is nearer to the look than this may have changed after it unseen (FAT counts in two seconds)."""
_MAGIC = b"recollect-look-4\n"
_WORDS = 4
_BOUND = (1 << 63) - 1
_OPEN = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_PATH", 0) | getattr(os, "O_CLOEXEC", 0)
_HERE = os.path.dirname(__file__)


class NoLook(ValueError):
    """The kept bytes are no look, or one that was cut short."""


@dataclass(slots=True)
class Looked:
    """Takes notes while roots are listed. Everything is noted before it is looked at, so that a change meanwhile shows."""

    folders: dict[str, tuple[int, int, int, int]] = field(default_factory=dict)
    """Folders that were listed: both times, number and device."""
    files: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Size and time."""
    links: dict[str, str] = field(default_factory=dict)
    """Paths, and where they led."""
    absent: list[str] = field(default_factory=list)
    """Paths at which there was neither a folder nor a file."""

    def folder(self, path: str) -> None:
        """Note a folder that is going to be listed."""
        try:
            self.folders[path] = _folder(os.stat(path))
        except OSError:
            self.folders[path] = (0, 0, 0, 0)  # its listing will say what is wrong, and this look will not be kept

    def file(self, path: str) -> None:
        """Note a file that is going to be read for what it lists."""
        try:
            info = os.stat(path)
        except OSError:
            self.absent.append(path)
        else:
            self.files[path] = (info.st_size, info.st_mtime_ns)

    def pack(self, roots: Sequence[tuple[str, str]], records: int, at_ns: int) -> bytes:
        """The look at these roots (runtime, path) that found so many records and began at `at_ns`, as bytes; `b""` where it
        would not be safe."""
        if any(max(stamp[:2]) > at_ns - YOUNG_NS for stamp in self.folders.values()):
            return b""
        try:
            return self._packed(roots, records)
        except (UnicodeEncodeError, OverflowError):
            return b""  # a name that no file system takes, or a time after the year 2262

    def _packed(self, roots: Sequence[tuple[str, str]], records: int) -> bytes:
        numbers = array("q", (n for stamp in self.folders.values() for n in stamp))
        numbers.extend(n for stamp in self.files.values() for n in stamp)
        base = _base((*self.folders, *self.files))
        groups = (
            [text for pair in roots for text in pair],
            [_program(), str(records), base],
            [path[len(base) :] for path in self.folders],
            [path[len(base) :] for path in self.files],
            [*self.links, *self.links.values()],
            self.absent,
        )
        counts = b" ".join(b"%d" % len(group) for group in groups)
        return _sealed([counts, *(os.fsencode(text) for group in groups for text in group), numbers.tobytes()])


def _sealed(pieces: Sequence[bytes]) -> bytes:
    body = b"\0".join(pieces)
    return _MAGIC + b"%08x" % zlib.crc32(body) + body


class Look:
    """A look that was kept: how many texts there are of each kind, the texts, and the numbers of folders and files."""

    def __init__(self, data: bytes) -> None:
        """Raises `NoLook`."""
        start = len(_MAGIC) + 8
        if data[: len(_MAGIC)] != _MAGIC or b"%08x" % zlib.crc32(memoryview(data)[start:]) != data[len(_MAGIC) : start]:
            raise NoLook
        counts = [int(count) for count in data[start : data.index(b"\0")].split(b" ")]
        counted, *pieces = data.split(b"\0", sum(counts) + 1)  # taken apart at once: megabytes, at every command
        self._counted, self._texts = counted[start:], pieces
        self._numbers = memoryview(pieces.pop()).cast("q")
        taken = iter(pieces)
        named, program, folders, files, links, absent = ([*islice(taken, count)] for count in counts)
        self._folders, self._files, self._links, self._absent = folders, files, links, absent
        self._program, self.records, self._base = os.fsdecode(program[0]), int(program[1]), program[2]
        self._named = memoryview(data)[start : len(data) - self._numbers.nbytes]
        texts = [os.fsdecode(text) for text in named]
        self.roots = frozenset(zip(texts[::2], texts[1::2], strict=True))
        """Runtime and path of the roots that it is of."""

    def names(self) -> int:
        """A number, above 0, that tells what was looked at from anything else, whatever has been written to it since."""
        return (zlib.crc32(self._named) << 1) | 1

    def stamps(self) -> dict[str, tuple[int, int]]:
        """Size and time of each file, as it was looked at."""
        known = iter(self._of_files().tolist())
        return dict(zip(map(self._path, self._files), zip(known, known, strict=True), strict=True))

    def _path(self, name: bytes) -> str:
        return os.fsdecode(self._base + name)

    def changed(self) -> dict[str, tuple[int, int]] | None:
        """The files that have another size or time now, with these, where everything else stands as it did; `None` where
        it does not."""
        if self._program != _program() or not self._same_links():
            return None
        with _standing_in(self._base) as look:
            return self._changed_files(look) if self._same_folders(look) else None

    def after(self, changed: Mapping[str, tuple[int, int]]) -> bytes:
        """The look with what `changed` said, as bytes."""
        numbers, first = array("q", self._numbers), _WORDS * len(self._folders)
        names = {os.fsencode(path): values for path, values in changed.items()}
        for place, name in enumerate(self._files):
            path = self._base + name
            if path in names:
                numbers[first + 2 * place], numbers[first + 2 * place + 1] = names[path]
        return _sealed([self._counted, *self._texts, numbers.tobytes()])

    def _same_links(self) -> bool:
        half = len(self._links) // 2
        led = zip(self._links[:half], self._links[half:], strict=True)
        return all(os.path.realpath(path) == real for path, real in led) and not any(map(os.path.exists, self._absent))

    def _of_files(self) -> memoryview:
        """Size and time of each file."""
        return self._numbers[_WORDS * len(self._folders) :]

    def _same_folders(self, base: int | None) -> bool:
        look, known = os.stat, iter(self._numbers)
        names = self._folders if base is not None else map(self._base.__add__, self._folders)
        try:
            for name, written, changed, number, device in zip(names, known, known, known, known, strict=False):
                if _folder(look(name, dir_fd=base)) != (written, changed, number, device):
                    return False
        except OSError:
            return False  # one went away
        return True

    def _changed_files(self, base: int | None) -> dict[str, tuple[int, int]] | None:
        look, known = os.stat, iter(self._of_files())
        names = self._files if base is not None else map(self._base.__add__, self._files)
        above = self._base if base is not None else b""
        changed: dict[str, tuple[int, int]] = {}
        try:
            for name, size, written in zip(names, known, known, strict=True):
                info = look(name, dir_fd=base)
                if info.st_size != size or info.st_mtime_ns != written:
                    if not stat.S_ISREG(info.st_mode):
                        return None
                    changed[os.fsdecode(above + name)] = info.st_size, info.st_mtime_ns
        except OSError:
            return None
        return changed


def _base(paths: Sequence[str]) -> str:
    """The folder, with a separator behind it, that all the paths lie below; `""` where they lie below none."""
    try:
        shared = os.path.commonpath(paths)
    except ValueError:
        return ""  # no path, or several drives
    base = os.path.join(os.path.dirname(shared) if shared in paths else shared, "")
    below = all(path.startswith(base) and path[len(base) :].lstrip(os.sep) == path[len(base) :] != "" for path in paths)
    return base if below else ""


@contextmanager
def _standing_in(base: bytes) -> Iterator[int | None]:
    """The folder, open, so that what lies below is asked after by a shorter name: a tenth of the time. `None` where the
    system cannot do that, or does not let it be opened."""
    try:
        place = os.open(base, _OPEN) if base and os.stat in os.supports_dir_fd else None
    except OSError:
        place = None
    try:
        yield place
    finally:
        if place is not None:
            os.close(place)


def _folder(info: os.stat_result) -> tuple[int, int, int, int]:
    kind = info.st_ino & _BOUND if stat.S_ISDIR(info.st_mode) else -1
    return info.st_mtime_ns, info.st_ctime_ns, kind, info.st_dev & _BOUND


def _program() -> str:
    """What tells one state of this program from another: rules of what is a record change with it."""
    try:
        info = os.stat(_HERE)
    except OSError:
        return ""  # run from an archive of modules
    return f"{info.st_mtime_ns} {info.st_ino}"
