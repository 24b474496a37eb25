"""`claims.jsonl`: what the owner holds, written down as it arrives, so that recall finds and opens claims as records.

It only grows, by the drain alone: one line per claim, marker and edge, then a line with the cursor up to which it is
whole. A page that was cut short is written again from the last cursor; equal lines count once. It is a copy: the owner
is asked where a claim matters, and the copy answers, saying so, where the owner is away.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from core.frozen import dataclass
from core.memory.claim import Claim
from core.memory.trouble import OwnerTrouble
from core.memory.view import View, view_of
from core.memory.wire import Document, Edge, Malformed, canonical, claim_of, edge_of

if TYPE_CHECKING:
    from core.memory.owner import Owner  # it imports HTTP, which readers of the copy need not pay for

_TAIL = 1 << 16
"""Bytes from the end in which the last cursor is looked for before the whole file is."""


@dataclass(frozen=True, slots=True)
class Copied:
    """What the lines of a copy say."""

    nodes: tuple[tuple[Document, int, int, int], ...]
    """Each node with its line (from 1), its first byte, and the byte after its last."""
    edges: tuple[Edge, ...]
    cursor: str
    store: str


def catch_up(file: Path, owner: Owner) -> int:
    """Add what arrived at the owner since the last time; returns how many nodes that were. The caller holds the drain's
    lock. Raises `OwnerTrouble` and `OSError`."""
    return _catch_up(file, owner, anew=False)


def _catch_up(file: Path, owner: Owner, *, anew: bool) -> int:
    """`anew`: the copy was begun anew by this very call, so that it ends though an owner names a store per page."""
    cursor, store = last_cursor(file)
    added = 0
    for page in owner.news(cursor):
        if store and page.store and page.store != store:
            if anew:
                place = owner.carrier.place
                raise OwnerTrouble(f"The memory at {place} names another store from one answer to the next.")
            # Another store stands at the owner's place: its copy begins anew, and the old one is kept beside it.
            os.replace(file, file.with_name(f"{file.name}.{_as_name(store)}"))
            return added + _catch_up(file, owner, anew=True)
        if page.cursor == cursor or not (page.nodes or page.edges):
            continue
        lines = [canonical(node) for node in page.nodes] + [canonical(edge.document()) for edge in page.edges]
        lines.append(canonical({"cursor": page.cursor, "store": page.store}))
        _append(file, ("\n".join(lines) + "\n").encode())
        added += len(page.nodes)
        store = page.store or store
    return added


def _as_name(store: str) -> str:
    """A store's name as the end of a file's: it came from an owner, who may write anything."""
    plain = re.fullmatch(r"[A-Za-z0-9_-]{1,64}", store)
    return store if plain else hashlib.blake2b(store.encode("utf-8", "replace"), digest_size=8).hexdigest()


def last_cursor(file: Path) -> tuple[str, str]:
    """The cursor and store of the last whole page; both `""` where there is none."""
    try:
        with file.open("rb") as opened:
            size = opened.seek(0, os.SEEK_END)
            for back in (min(size, _TAIL), size):
                opened.seek(size - back)
                for line in reversed(opened.read(back).split(b"\n")[:-1]):
                    if line.startswith(b'{"cursor":') and (found := _cursor(line)):
                        return found
    except FileNotFoundError:
        return "", ""  # nothing arrived yet
    return "", ""


def recovery(copy: Path, spoilt: Path | None = None) -> str:
    """What to do about a database that is gone, or `spoilt`: its copy holds every claim."""
    moves = [shlex.join(["mv", str(spoilt), f"{spoilt}.broken"])] if spoilt else []
    if copy.exists():
        old = f"{copy}.before"
        moves += [shlex.join(["mv", str(copy), old]), shlex.join(["recollect", "memory", "import", old])]
    return f"Put it back from a backup, or begin anew with what is known of it: {' && '.join(moves)}"


def claims_of_copy(file: Path) -> tuple[Claim, ...]:
    """Every claim and marker of a copy, so that a memory can be made of it again. Raises `OSError`."""
    found = []
    for document, *_ in read_copy(file).nodes:
        try:
            found.append(claim_of(document))
        except Malformed:
            continue  # an owner's line that is no claim: no memory would take it
    return tuple(found)


def read_copy(file: Path) -> Copied:
    """Every line of a copy. One that was torn by a crash is passed over: its page comes again. Raises `OSError`."""
    nodes: dict[str, tuple[Document, int, int, int]] = {}
    edges: dict[Edge, None] = {}
    cursor = store = ""
    for raw, line, start in _lines(file):
        document = _document(raw)
        if isinstance(identity := document.get("id"), str):
            nodes.setdefault(identity, (document, line, start, start + len(raw)))
        elif "cursor" in document:
            cursor, store = _cursor(raw) or (cursor, store)
        elif "from" in document:
            try:
                edges[edge_of(document)] = None
            except Malformed:
                continue  # another version's edge: what it says is not known here
    return Copied(tuple(nodes.values()), tuple(edges), cursor, store)


def view_of_copy(file: Path) -> View:
    """The view of a copy; empty where there is none."""
    try:
        copied = read_copy(file)
    except FileNotFoundError:
        return view_of((), ())
    return view_of((row[0] for row in copied.nodes), copied.edges)


def _lines(file: Path) -> Iterator[tuple[bytes, int, int]]:
    start = 0
    with file.open("rb") as opened:
        for number, raw in enumerate(opened, 1):
            if raw.endswith(b"\n"):
                yield raw[:-1], number, start
            start += len(raw)


def _document(raw: bytes) -> Document:
    try:
        found = json.loads(raw)
    except (ValueError, RecursionError):
        return {}  # torn, or spoilt
    return found if isinstance(found, dict) else {}


def _cursor(raw: bytes) -> tuple[str, str] | None:
    document = _document(raw)
    cursor, store = document.get("cursor"), document.get("store")
    whole = isinstance(cursor, str) and isinstance(store, str) and "id" not in document
    return (str(cursor), str(store)) if whole else None


def _append(file: Path, raw: bytes) -> None:
    handle = os.open(file, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        size = os.fstat(handle).st_size
        torn = size > 0 and os.pread(handle, 1, size - 1) != b"\n"
        rest = memoryview((b"\n" if torn else b"") + raw)
        while rest:
            rest = rest[os.write(handle, rest) :]
        os.fsync(handle)
    finally:
        os.close(handle)
