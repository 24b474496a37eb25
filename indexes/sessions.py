"""What the ranking needs of every record, as columns; kept in a file, so that a search reads no row of the catalog for
records that it does not show.

The file is made from the catalog by whoever first searches after a change, and named by the catalog's version, which never
repeats: one of another version, or one that is cut or garbled, is made anew. It can be deleted at any time.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import accumulate
from typing import Any, overload

import numpy as np

from core.frozen import dataclass
from core.ports import Standing
from core.records.model import Role
from indexes.arrays import NDArray
from indexes.catalog import Catalog
from indexes.field_texts import FieldTexts
from indexes.home import SESSIONS, SESSIONS_MARK, IndexHome
from indexes.postings import Floats, Ints
from indexes.sealed import sealed, unsealed

Bools = NDArray[np.bool_]
_ROLES = tuple(Role)


class Texts(Sequence[str]):
    """Strings that are read one by one where they lie."""

    def __init__(self, data: bytes, ends: NDArray[Any]) -> None:
        self.data, self.ends = data, ends

    @classmethod
    def of(cls, texts: Iterable[bytes]) -> Texts:
        """From the strings' bytes."""
        parts = list(texts)
        return cls(b"".join(parts), np.fromiter(accumulate(map(len, parts)), np.int64, len(parts)))

    def __len__(self) -> int:
        return len(self.ends)

    @overload
    def __getitem__(self, number: int) -> str: ...
    @overload
    def __getitem__(self, number: slice) -> Sequence[str]: ...
    def __getitem__(self, number: int | slice) -> str | Sequence[str]:
        if isinstance(number, slice):
            return [self[n] for n in range(len(self))[number]]
        start = int(self.ends[number - 1]) if number else 0
        return self.data[start : int(self.ends[number])].decode("utf-8", "surrogatepass")

    def __iter__(self) -> Iterator[str]:
        start = 0
        for end in self.ends.tolist():
            yield self.data[start:end].decode("utf-8", "surrogatepass")
            start = end


@dataclass(frozen=True, slots=True)
class Sessions:
    """The records, by their dense number: ascending ordinals."""

    paths: Texts
    ids: Texts
    ordinals: Ints
    upto: Ints
    started: Floats
    """Seconds, NaN where unknown."""
    ended: Floats
    kinds: NDArray[np.uint8]
    """The role of each, as a place among all roles."""
    robot: Bools
    archived: Bools
    gone: Bools
    forked: Bools
    """Sessions that say that they were forked from another."""
    original_known: Bools
    """Forks whose original is one of these records."""
    shared: Bools
    """Records whose first turn is that of another record too: they share a past."""
    titles: FieldTexts
    """Terms of the titles."""
    places: FieldTexts
    """Terms of the places they worked in."""

    def __len__(self) -> int:
        return len(self.ordinals)

    def of_role(self, *roles: Role) -> Bools:
        """Which records have one of these roles."""
        wanted = np.array([role in roles for role in _ROLES], np.bool_)
        found: Bools = wanted[self.kinds]
        return found

    def by_role(self, values: Mapping[Role, float], otherwise: float) -> Floats:
        """For each record the value of its role."""
        found: Floats = np.array([values.get(role, otherwise) for role in _ROLES], np.float64)[self.kinds]
        return found


def sessions_of(catalog: Catalog, home: IndexHome, version: int) -> Sessions:
    """The records of a catalog of this version: from the file, or from its rows, which the file is made of then."""
    with suppress(ValueError, LookupError):  # there is none yet, or it is damaged
        return _unpacked(home.kept(SESSIONS, version))
    sessions = _from_rows(catalog.short_rows())
    if version:
        with suppress(OSError):  # a disk that cannot be written: the next search reads the rows again
            home.keep(SESSIONS, version, _packed(sessions))
    return sessions


def _from_rows(rows: Sequence[tuple[Any, ...]]) -> Sessions:
    columns = list(zip(*rows, strict=True)) or [()] * 14
    path, ordinal, upto, started, ended, role, robot, archived, first_uid, forked, ids, standing, titles, places = (
        columns
    )
    codes = {one.value: code for code, one in enumerate(_ROLES)}
    known, shared = set(ids), {uid for uid, n in Counter(first_uid).items() if uid and n > 1}
    return Sessions(
        Texts.of(path), Texts.of(one.encode("utf-8", "surrogatepass") for one in ids), np.array(ordinal, np.int64),
        np.array(upto, np.int64), np.array(started, np.float64), np.array(ended, np.float64),
        np.array([codes[r] for r in role], np.uint8), np.array(robot, np.bool_), np.array(archived, np.bool_),
        np.array([s == Standing.GONE.value for s in standing], np.bool_), np.array([bool(f) for f in forked], np.bool_),
        np.array([bool(f) and f in known for f in forked], np.bool_), np.array([u in shared for u in first_uid], np.bool_),
        FieldTexts.of(titles), FieldTexts.of(places),
    )  # fmt: skip


_TEXTS = ("paths", "ids", "titles", "places")
_NUMBERS = (
    "ordinals",
    "upto",
    "started",
    "ended",
    "kinds",
    "robot",
    "archived",
    "gone",
    "forked",
    "original_known",
    "shared",
)


def _packed(sessions: Sessions) -> bytes:
    """The columns as bytes: a checksum, a line of JSON that says what follows, and the arrays one after the other."""
    arrays: dict[str, Any] = {name: getattr(sessions, name) for name in _NUMBERS}
    texts = {name: getattr(sessions, name) for name in _TEXTS}
    arrays |= {f"{name} ends": one.ends for name, one in texts.items()}
    data = {name: array.tobytes() for name, array in arrays.items()} | {name: one.data for name, one in texts.items()}
    kinds = {name: array.dtype.str for name, array in arrays.items()}
    head = {
        "roles": [r.value for r in _ROLES],
        "parts": {n: [kinds.get(n, ""), len(d)] for n, d in data.items()},
    }
    body = json.dumps(head).encode("ascii") + b"\n" + b"".join(data.values())
    return sealed(SESSIONS_MARK, body)


def _unpacked(data: bytes) -> Sessions:
    """Raises `ValueError` or `LookupError` for bytes that are no such columns."""
    view = memoryview(data)
    start = len(data) - len(unsealed(SESSIONS_MARK, data))
    end = data.index(b"\n", start)
    head = json.loads(data[start:end])
    if head["roles"] != [role.value for role in _ROLES]:
        raise ValueError("columns of another program")
    parts: dict[str, Any] = {}
    place = end + 1
    for name, (kind, size) in head["parts"].items():
        part = view[place : place + size]
        parts[name] = np.frombuffer(part, np.dtype(kind)) if kind else bytes(part)
        place += size
    texts: dict[str, Any] = {name: Texts(parts[name], parts[f"{name} ends"]) for name in ("paths", "ids")}
    fields: dict[str, Any] = {name: FieldTexts(parts[name], parts[f"{name} ends"]) for name in ("titles", "places")}
    return Sessions(**texts, **fields, **{name: parts[name] for name in _NUMBERS})
