"""The symbol index of a check: only files that can define a name that is asked for are parsed, and parsed once."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable, Sequence

from core.soul.evidence import Definition, Symbols
from core.soul.grammars import FOREIGN, LANGUAGES, MAX_SOURCE, definitions, may_define, taken_in

MAX_FOREIGN = 2000
"""Files of languages without a grammar that are searched for a name."""
_WORDS = bytes(c if c > 127 or chr(c).isalnum() or c in b"_$" else 32 for c in range(256))
"""Everything that is no part of a name as a blank: splitting takes a tenth of what a pattern does."""


class SymbolIndex:
    """Definitions in a project's tracked source. Keeps what it parsed, by size and time of each file."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._asked: frozenset[str] = frozenset()
        self._parsed: dict[str, tuple[tuple[int, int], tuple[Definition, ...], frozenset[str]]] = {}
        """Of each file its size and time, its definitions of the names in `_asked`, and those of them it takes in."""

    def lookup(self, names: Iterable[str], tracked: Sequence[str]) -> Symbols:
        """Where `names` are defined in the tracked files of the work tree."""
        wanted = frozenset(n for n in names if n)
        if not wanted:
            return Symbols()
        if not wanted <= self._asked:  # once, and not for each file: the sets hold thousands
            self._asked = wanted
            self._parsed.clear()
        encoded = frozenset(n.encode("utf-8", "surrogateescape") for n in self._asked)
        by_name: dict[str, list[Definition]] = {}
        unread: list[str] = []
        foreign: list[str] = []
        imported: set[str] = set()
        for path in tracked:
            ending = path.rpartition(".")[2].lower() if "." in path.rpartition("/")[2] else ""
            if ending in FOREIGN:
                foreign.append(path)
            language = LANGUAGES.get(ending)
            if language is None:
                continue
            found = self._file(path, language, encoded)
            if found is None:
                unread.append(path)
                continue
            for definition in found:
                if definition.name in wanted:
                    by_name.setdefault(definition.name, []).append(definition)
            imported.update(self._parsed[path][2] if path in self._parsed else ())
        mentioned = self._mentioned(foreign, encoded) & wanted
        return Symbols(
            {n: tuple(d) for n, d in by_name.items()},
            tuple(unread),
            bool(foreign),
            mentioned,
            wanted.intersection(imported),
        )

    def _file(self, path: str, language: str, encoded: frozenset[bytes]) -> tuple[Definition, ...] | None:
        """The definitions in one file of what was asked for, `()` if it is gone, `None` if it cannot be parsed."""
        known = self._parsed.get(path)
        full = f"{self._root}/{path}"
        if known is not None and _stamp(full) == known[0]:
            return known[1]
        try:
            source, stamp = read_bytes(full)
        except FileNotFoundError:
            self._parsed.pop(path, None)
            return ()  # tracked and removed: it defines nothing
        except OSError as problem:
            if problem.errno == errno.ELOOP:
                return ()  # a link: what it leads to is listed under its own name, or lies outside
            return None
        if source is None:
            return None
        held = encoded.intersection(source.translate(_WORDS).split())
        found = (
            definitions(source, path, language, self._asked) if held and may_define(source, language, encoded) else ()
        )
        self._parsed[path] = (stamp, found, taken_in(source, language, held) if held else frozenset())
        return found

    def _mentioned(self, paths: Sequence[str], encoded: frozenset[bytes]) -> frozenset[str]:
        """Names that occur in source that is not parsed here."""
        found: set[bytes] = set()
        for path in paths[:MAX_FOREIGN]:
            full = os.path.join(self._root, path)
            try:
                if os.path.islink(full) or os.path.getsize(full) > MAX_SOURCE:
                    continue
                with open(full, "rb") as file:
                    found |= encoded.intersection(file.read(MAX_SOURCE).translate(_WORDS).split())
            except OSError:
                continue  # gone since it was listed
        return frozenset(n.decode("utf-8", "surrogateescape") for n in found)


def _stamp(path: str) -> tuple[int, int] | None:
    try:
        info = os.lstat(path)
    except OSError:
        return None  # it is gone: what was kept of it does not count
    return info.st_size, info.st_mtime_ns


def read_bytes(path: str, most: int = MAX_SOURCE, *, follow: bool = False) -> tuple[bytes | None, tuple[int, int]]:
    """A file's bytes (`None` where it has more than `most`, or is no file) with its size and time; links are followed only
    if asked.

    By descriptor: opening twenty thousand files through `open` takes twice the time. Raises `OSError`.
    """
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | (0 if follow else os.O_NOFOLLOW))
    try:
        info = os.fstat(handle)
        stamp = (info.st_size, info.st_mtime_ns)
        if info.st_size > most or not stat.S_ISREG(info.st_mode):
            return None, stamp
        data = os.read(handle, info.st_size + 1)
        while len(data) != info.st_size and (more := os.read(handle, 1 << 20)):  # it grows, or was read in part
            data += more
        return data, stamp
    finally:
        os.close(handle)
