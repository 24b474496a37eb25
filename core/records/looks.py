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
from collections.abc import Mapping, Sequence
from dataclasses import field

from core.frozen import dataclass

YOUNG_NS = 3_000_000_000
"""A folder whose time is nearer to the look than this may have changed after it unseen (FAT counts in two seconds)."""
_MAGIC = b"recollect-look-3\n"
_WORDS = 4
_BOUND = (1 << 63) - 1
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
        named = [text for pair in roots for text in pair]
        texts = (
            named,
            [_program(), str(records)],
            self.folders,
            self.files,
            [*self.links, *self.links.values()],
            self.absent,
        )
        parts = [numbers.tobytes(), *(b"\0".join(os.fsencode(text) for text in group) for group in texts)]
        return _sealed(parts)


def _sealed(parts: Sequence[bytes]) -> bytes:
    body = b"".join(len(part).to_bytes(8, "little") + part for part in parts)
    return _MAGIC + zlib.crc32(body).to_bytes(4, "little") + body


class Look:
    """A look that was kept."""

    def __init__(self, data: bytes) -> None:
        """Raises `NoLook`."""
        start = len(_MAGIC) + 4
        body = memoryview(data)[start:]
        if data[: len(_MAGIC)] != _MAGIC or zlib.crc32(body) != int.from_bytes(data[len(_MAGIC) : start], "little"):
            raise NoLook
        parts: list[memoryview] = []
        here = 0
        while here < len(body):
            first = here + 8
            here = first + int.from_bytes(body[here:first], "little")
            parts.append(body[first:here])
        self._parts = parts
        self._numbers = parts[0].cast("q")
        named, program, folders, files, links, absent = (bytes(p).split(b"\0") if p else [] for p in parts[1:])
        self._folders, self._files, self._links, self._absent = folders, files, links, absent
        self._program, self.records = os.fsdecode(program[0]), int(program[1])
        texts = [os.fsdecode(text) for text in named]
        self.roots = frozenset(zip(texts[::2], texts[1::2], strict=True))
        """Runtime and path of the roots that it is of."""

    def names(self) -> int:
        """A number, above 0, that tells what was looked at from anything else, whatever has been written to it since."""
        seen = 0
        for number, part in enumerate(self._parts[1:]):
            seen = zlib.crc32(part, zlib.crc32(b"\0", seen) if number else seen)
        return (seen << 1) | 1

    def stamps(self) -> dict[str, tuple[int, int]]:
        """Size and time of each file, as it was looked at."""
        known = iter(self._of_files().tolist())
        return dict(zip(map(os.fsdecode, self._files), zip(known, known, strict=True), strict=True))

    def changed(self) -> dict[str, tuple[int, int]] | None:
        """The files that have another size or time now, with these, where everything else stands as it did; `None` where
        it does not."""
        same = self._program == _program() and self._same_links() and self._same_folders()
        return self._changed_files() if same else None

    def after(self, changed: Mapping[str, tuple[int, int]]) -> bytes:
        """The look with what `changed` said, as bytes."""
        numbers, first = array("q", self._numbers), _WORDS * len(self._folders)
        names = {os.fsencode(path): values for path, values in changed.items()}
        for place, path in enumerate(self._files):
            if path in names:
                numbers[first + 2 * place], numbers[first + 2 * place + 1] = names[path]
        return _sealed([numbers.tobytes(), *map(bytes, self._parts[1:])])

    def _same_links(self) -> bool:
        half = len(self._links) // 2
        led = zip(self._links[:half], self._links[half:], strict=True)
        return all(os.path.realpath(path) == real for path, real in led) and not any(map(os.path.exists, self._absent))

    def _of_files(self) -> memoryview:
        """Size and time of each file."""
        return self._numbers[_WORDS * len(self._folders) :]

    def _same_folders(self) -> bool:
        look, known = os.stat, iter(self._numbers)
        try:
            for path, written, changed, number, device in zip(self._folders, known, known, known, known, strict=False):
                if _folder(look(path)) != (written, changed, number, device):
                    return False
        except OSError:
            return False  # one went away
        return True

    def _changed_files(self) -> dict[str, tuple[int, int]] | None:
        look = os.stat
        known = iter(self._of_files())
        changed: dict[str, tuple[int, int]] = {}
        try:
            for path, size, written in zip(self._files, known, known, strict=True):
                info = look(path)
                if info.st_size != size or info.st_mtime_ns != written:
                    if not stat.S_ISREG(info.st_mode):
                        return None
                    changed[os.fsdecode(path)] = info.st_size, info.st_mtime_ns
        except OSError:
            return None
        return changed


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
