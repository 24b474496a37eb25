"""`claims.jsonl`: what the owner holds, written down as it arrives, so that recall finds and opens claims as records.

It only grows, by the drain alone: one line per claim, marker and edge, then a line with the cursor up to which it is
whole. A page that was cut short is written again from the last cursor; equal lines count once. It is a copy: the owner
is asked where a claim matters, and the copy answers, saying so, where the owner is away.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from core.frozen import dataclass
from core.memory.view import View, view_of
from core.memory.wire import Document, Edge, Malformed, canonical, edge_of

if TYPE_CHECKING:
    from core.memory.owner import Owner  # it imports HTTP, which readers of the copy need not pay for

NAME = "claims.jsonl"
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
    cursor, store = last_cursor(file)
    added = 0
    for page in owner.news(cursor):
        if store and page.store and page.store != store:
            # Another store stands at the owner's place: its copy begins anew, and the old one is kept beside it.
            os.replace(file, file.with_name(f"{file.name}.{store}"))
            return added + catch_up(file, owner)
        if page.cursor == cursor or not (page.nodes or page.edges):
            continue
        lines = [canonical(node) for node in page.nodes] + [canonical(edge.document()) for edge in page.edges]
        lines.append(canonical({"cursor": page.cursor, "store": page.store}))
        _append(file, ("\n".join(lines) + "\n").encode())
        added += len(page.nodes)
        store = page.store or store
    return added


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
    except ValueError:
        return {}  # torn
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
