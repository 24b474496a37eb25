"""The spool: deltas on their way to the owner, one file each, in the order they were made.

A delta is staged by writing a file under another name, making it last (fsync), giving it its name, and making the folder
last. It leaves the spool only after the owner was read back. A file that cannot be read is set aside under `rejected/`
with the reason beside it; none is ever deleted.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from core.errors import SurroundingsError, UsageError
from core.frozen import dataclass
from core.memory.claim import Claim
from core.memory.ids import SHAPE, new_id
from core.memory.processes import is_running, this_boot
from core.memory.wire import Document, Edge, Malformed, canonical, claim_of, document_of, edge_of, edges_of
from core.paths import private_folder

SCHEMA = "recollect-memory-delta-v1"
REJECTED = "rejected"
MAX_DELTA = 512 << 10
"""Bytes of one delta; more claims are staged as several."""
MAX_CLAIM = 2 << 20
"""Bytes of one claim as an owner takes it, its lists included."""
_ENDING = ".json"
_WHY = ".why"


@dataclass(frozen=True, slots=True)
class Delta:
    """What one act adds."""

    name: str
    """Its file's name in the spool."""
    nodes: tuple[Document, ...]
    edges: tuple[Edge, ...]
    size: int
    """Bytes of its file."""


@dataclass(frozen=True, slots=True)
class Rejected:
    """A delta that was set aside."""

    path: str
    why: str


@dataclass(frozen=True, slots=True)
class Spool:
    """The folder of staged deltas. Made when something is staged, never by looking."""

    folder: Path

    def stage(self, claims: Sequence[Claim]) -> tuple[str, ...]:
        """Stage claims; they last when this returns. Returns the names of their deltas, in order.

        Raises `SurroundingsError` where the folder takes nothing, `UsageError` for a claim that no owner takes: then
        nothing was kept, and nothing is left behind that a later drain would take for kept.
        """
        made: dict[str, str] = {}
        try:
            parts = [_delta_bytes(part) for part in _parts(claims)]
            self._make()
            for raw in parts:
                name = f"{new_id()}{_ENDING}"
                temporary = f".{name.removesuffix(_ENDING)}.{os.getpid()}.{this_boot()}.part"
                made[name] = temporary
                self._write(temporary, raw)
            for name, temporary in made.items():
                os.rename(self.folder / temporary, self.folder / name)
            _last(self.folder)
        except OSError as problem:
            self._unmade(made)
            raise SurroundingsError(
                f"The claim could not be kept in {self.folder}: {problem.strerror or problem}.",
                "Make room, or set RECOLLECT_HOME to a folder you may write to.",
            ) from problem
        return tuple(made)

    def _make(self) -> None:
        """Make the folder last, and those above it that were made with it."""
        missing = [f for f in (self.folder, *self.folder.parents) if not f.exists()]
        private_folder(self.folder)
        for one in missing:
            _last(one.parent)

    def _unmade(self, made: Mapping[str, str]) -> None:
        """Take back what a write that failed left: its author is told that nothing was kept."""
        for name, temporary in made.items():
            for one in (temporary, name):
                with suppress(OSError):  # it was never made, or the folder is gone with it
                    os.unlink(self.folder / one)

    def _write(self, name: str, raw: bytes) -> None:
        handle = os.open(self.folder / name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(handle, "wb", closefd=False) as file:
                file.write(raw)
            os.fsync(handle)
        finally:
            os.close(handle)

    def names(self) -> tuple[str, ...]:
        """The staged deltas, oldest first. Raises `SurroundingsError` where it is not known what waits."""
        try:
            found = os.listdir(self.folder)
        except (FileNotFoundError, NotADirectoryError):
            return ()  # nothing was ever staged
        except OSError as problem:
            raise SurroundingsError(
                f"The spool {self.folder} cannot be read: {problem.strerror or problem}.",
                "What waits in it is not lost. Mend its permissions, then run: recollect memory drain",
            ) from problem
        return tuple(sorted(n for n in found if n.endswith(_ENDING) and SHAPE.fullmatch(n.removesuffix(_ENDING))))

    def read(self, name: str) -> Delta | None:
        """A staged delta; `None` where another process took it meanwhile. Raises `Malformed` saying what is wrong."""
        try:
            raw = (self.folder / name).read_bytes()
        except FileNotFoundError:
            return None
        except OSError as problem:
            raise Malformed(f"it cannot be read: {problem.strerror or problem}") from problem
        return _delta(name, raw)

    def remove(self, names: Sequence[str]) -> None:
        """Take deltas out that the owner holds; read back before. Raises `OSError`."""
        for name in names:
            (self.folder / name).unlink(missing_ok=True)
        if names:
            _last(self.folder)

    def reject(self, name: str, why: str) -> None:
        """Set a delta aside with the reason. Raises `OSError`."""
        aside = private_folder(self.folder / REJECTED)
        (aside / f"{name.lstrip('.')}{_WHY}").write_text(why + "\n", encoding="utf-8")
        os.rename(self.folder / name, aside / name.lstrip("."))
        _last(aside)
        _last(self.folder)

    def rejected(self) -> tuple[Rejected, ...]:
        """What was set aside, oldest first."""
        aside = self.folder / REJECTED
        try:
            names = sorted(n for n in os.listdir(aside) if not n.endswith(_WHY))
        except OSError:
            return ()  # nothing was ever set aside
        found = []
        for name in names:
            try:
                why = (aside / f"{name}{_WHY}").read_text(encoding="utf-8").strip()
            except OSError:
                why = "the reason is not there"
            found.append(Rejected(str(aside / name), why))
        return tuple(found)

    def size(self) -> int:
        """Bytes that wait."""
        total = 0
        for name in self.names():
            try:
                total += (self.folder / name).stat().st_size
            except FileNotFoundError:
                continue  # it was drained meanwhile
        return total

    def adopt(self) -> None:
        """Look after files of writers that were killed before they gave them their name: a whole one is staged, a torn
        one is set aside. Raises `OSError`."""
        for name in os.listdir(self.folder):
            parts = name.split(".")
            if not name.startswith(".") or len(parts) != 5 or parts[4] != "part" or not parts[2].isdigit():
                continue
            if is_running(int(parts[2]), parts[3]):
                continue
            final = f"{parts[1]}{_ENDING}"
            try:
                _delta(final, (self.folder / name).read_bytes())
            except Malformed as problem:
                self.reject(name, f"its writer was killed before it was whole: {problem}")
            else:
                os.rename(self.folder / name, self.folder / final)
                _last(self.folder)


def _parts(claims: Sequence[Claim]) -> list[list[Claim]]:
    parts: list[list[Claim]] = []
    size = MAX_DELTA
    for claim in claims:
        weight = len(canonical(document_of(claim)))
        if weight > MAX_CLAIM:
            raise UsageError(
                f"The claim “{claim.label}” takes {weight:,} bytes; one claim may take {MAX_CLAIM:,}.",
                "Give it fewer places of evidence, or split it.",
            )
        if size + weight > MAX_DELTA:
            parts.append([])
            size = 0
        parts[-1].append(claim)
        size += weight
    return parts


def _delta_bytes(claims: Sequence[Claim]) -> bytes:
    nodes = [document_of(claim) for claim in claims]
    edges = [edge.document() for claim in claims for edge in edges_of(claim)]
    return (canonical({"schema": SCHEMA, "nodes": nodes, "edges": edges, "sum": _sum(nodes, edges)}) + "\n").encode()


def _delta(name: str, raw: bytes) -> Delta:
    try:
        document = json.loads(raw)
    except (ValueError, RecursionError) as problem:
        raise Malformed("it is torn, or no JSON") from problem
    if not isinstance(document, dict) or document.get("schema") != SCHEMA:
        raise Malformed("it is no delta of a memory")
    nodes, edges = document.get("nodes"), document.get("edges")
    if not isinstance(nodes, list) or not isinstance(edges, list) or document.get("sum") != _sum(nodes, edges):
        raise Malformed("its checksum does not fit what it holds")
    for node in nodes:
        claim_of(node)
    return Delta(name, tuple(nodes), tuple(edge_of(edge) for edge in edges), len(raw))


def _sum(nodes: list[Document], edges: list[Document]) -> str:
    return hashlib.blake2b(canonical({"nodes": nodes, "edges": edges}).encode(), digest_size=16).hexdigest()


def _last(folder: Path) -> None:
    """Make the names in a folder last."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
