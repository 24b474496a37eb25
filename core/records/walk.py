"""Walking the folders below a root: one `scandir` per folder, links followed without going round in circles."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import field

from core.frozen import dataclass
from core.records.looks import Looked
from core.records.model import ReadProblem

MAX_DEPTH = 12


@dataclass(frozen=True, slots=True)
class Found:
    """A file below a root."""

    path: str
    """Absolute, links resolved."""
    name: str
    """As listed: where the entry is a link, the link's name."""
    parts: tuple[str, ...]
    """The folders between the walk's start and the file, as listed."""
    size: int
    mtime_ns: int


@dataclass(slots=True)
class Walk:
    """One walk below `top`. Iterate it; a `ReadProblem` means that the listing is incomplete."""

    top: str
    wanted: Callable[[str], bool]
    """Says by a file's name whether it is wanted."""
    enter: Callable[[tuple[str, ...]], bool] = bool
    """Says by the path from the top whether a folder is entered."""
    looked: Looked | None = None
    """Takes notes of everything that is looked at."""
    _seen: set[str] = field(default_factory=set)

    def __iter__(self) -> Iterator[Found | ReadProblem]:
        """Yield files in the order of their names, folder by folder. A missing top yields nothing."""
        real = os.path.realpath(self.top)
        if self.looked is not None and real != self.top:
            self.looked.links[self.top] = real
        if self.looked is not None and not os.path.isdir(real):
            self.looked.file(real)
        if os.path.isdir(real):
            self._seen.add(real)
            yield from self._folder(real, ())

    def _folder(self, real: str, parts: tuple[str, ...]) -> Iterator[Found | ReadProblem]:
        if self.looked is not None:
            self.looked.folder(real)
        try:
            with os.scandir(real) as listing:
                entries = sorted(listing, key=lambda entry: entry.name)
        except FileNotFoundError:
            return  # gone since its parent was listed: nothing is there any more
        except OSError as error:
            yield unlisted(real, error)
            return
        for entry in entries:
            yield from self._entry(entry, parts)

    def _entry(self, entry: os.DirEntry[str], parts: tuple[str, ...]) -> Iterator[Found | ReadProblem]:
        name = entry.name
        try:
            link = entry.is_symlink()
            folder = entry.is_dir()
            if link and self.looked is not None:
                self._note_link(entry.path)
        except OSError as error:
            yield unlisted(entry.path, error)
            return
        if folder:
            inner = (*parts, name)
            if len(inner) > MAX_DEPTH or not self.enter(inner):
                return
            real = os.path.realpath(entry.path) if link else entry.path
            if link and real in self._seen:
                return
            self._seen.add(real)
            yield from self._folder(real, inner)
        elif self.wanted(name):
            found = _stat(entry, link, parts)
            if found is not None:
                if self.looked is not None and isinstance(found, Found):
                    self.looked.files[found.path] = (found.size, found.mtime_ns)
                yield found

    def _note_link(self, path: str) -> None:
        """Note where a link leads, and whether anything is there."""
        if self.looked is None:
            return
        real = os.path.realpath(path)
        self.looked.links[path] = real
        if not os.path.isdir(real):
            self.looked.file(real)


def _stat(entry: os.DirEntry[str], link: bool, parts: tuple[str, ...]) -> Found | ReadProblem | None:
    """The file's size and time; `None` if it vanished, is a dangling link, or is no regular file."""
    try:
        info = entry.stat()
    except FileNotFoundError:
        return None
    except OSError as error:
        return unlisted(entry.path, error)
    if not stat.S_ISREG(info.st_mode):
        return None
    path = os.path.realpath(entry.path) if link else entry.path
    return Found(path, entry.name, parts, info.st_size, info.st_mtime_ns)


def unlisted(path: str, error: OSError) -> ReadProblem:
    """A folder or entry that could not be listed."""
    return ReadProblem(
        path, None, f"The folder could not be listed: {(error.strerror or str(error)).lower()}.",
        "Check its permissions; what lies in it is not searched until then.",
    )  # fmt: skip
