"""The ledger of outcomes: one JSON line per debrief in `delegations/outcomes.jsonl`, only ever added to.

A torn last line is passed over by the reader and ended by the next writer. A second row of one delegation (a regrade) takes
the place of the first when the ledger is read; both stay in the file.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from core.errors import SurroundingsError

SCHEMA = "recollect-delegation-outcome-v1"
NAME = "outcomes.jsonl"
MAX_LEDGER = 256 * 1024 * 1024
FLAGS = ("overlap", "drifted", "unverified", "evidence_conflict", "no_report")
"""What a row may be marked with; see `core.delegation.debrief`."""
CONTAMINATED = frozenset(("overlap", "drifted", "evidence_conflict"))
"""Flags of rows that prove nothing of the packet."""


@dataclass(frozen=True, slots=True)
class Row:
    """The outcome of one delegation, in counts."""

    delegation_id: str
    at: float
    outcome: str
    """`success`, `failure` or `partial`."""
    verdict: str = ""
    touched: int = 0
    breach: int = 0
    expected_change: int = 0
    in_scope: int = 0
    dependent_contact: int = 0
    unpredicted: int = 0
    flags: tuple[str, ...] = ()
    root: str = ""
    grader: str = ""
    worker: str = ""
    anchors: int = 0
    dependents: int = 0
    fence: str = "none"
    evidence: Mapping[str, object] | None = field(default=None)

    @property
    def unverified(self) -> bool:
        """True if nothing but a word says how it went."""
        return "unverified" in self.flags

    @property
    def contaminated(self) -> bool:
        """True if something else than the delegation may be in its counts."""
        return not CONTAMINATED.isdisjoint(self.flags)


@dataclass(frozen=True, slots=True)
class Read:
    """What a ledger holds."""

    rows: tuple[Row, ...]
    """One per delegation, in the order of their last rows."""
    repeated: int
    """Rows that a later one took the place of."""
    skipped: int
    """Lines that are no row: torn, or not ours."""


class Ledger:
    """The ledger in one state folder."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / NAME

    def append(self, row: Row) -> None:
        """Add a row; the caller holds the lock of the folder. Raises `SurroundingsError`."""
        data = json.dumps({"schema": SCHEMA, **asdict(row)}, ensure_ascii=True).encode("ascii") + b"\n"
        try:
            handle = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
            try:
                size = os.fstat(handle).st_size
                torn = size > 0 and os.pread(handle, 1, size - 1) != b"\n"
                data = (b"\n" if torn else b"") + data
                while data:
                    data = data[os.write(handle, data) :]
                os.fsync(handle)
            finally:
                os.close(handle)
        except OSError as problem:
            raise SurroundingsError(
                f"The ledger {self.path} cannot be written: {problem.strerror or problem}.",
                "Check the disk and its rights.",
            ) from problem

    def read(self) -> Read:
        """Every row. Raises `SurroundingsError` where the file is there and cannot be read."""
        try:
            with self.path.open("rb") as opened:
                raw = opened.read(MAX_LEDGER)
        except FileNotFoundError:
            return Read((), 0, 0)
        except OSError as problem:
            raise SurroundingsError(
                f"The ledger {self.path} cannot be read: {problem.strerror or problem}.", "Check its rights."
            ) from problem
        rows: dict[str, Row] = {}
        repeated = skipped = 0
        for line in raw.split(b"\n"):
            if not line.strip():
                continue
            row = _row(line)
            if row is None:
                skipped += 1
                continue
            repeated += rows.pop(row.delegation_id, None) is not None
            rows[row.delegation_id] = row
        return Read(tuple(rows.values()), repeated, skipped)


def _row(line: bytes) -> Row | None:
    """A row, `None` for a line that is none. A count that is missing is 0."""
    try:
        data = json.loads(line)
        if not isinstance(data, dict) or not data.get("delegation_id") or data.get("schema", SCHEMA) != SCHEMA:
            return None
        evidence = data.get("evidence")
        return Row(
            delegation_id=str(data["delegation_id"]),
            at=float(data.get("at") or 0.0),
            outcome=str(data.get("outcome") or ""),
            verdict=str(data.get("verdict") or ""),
            touched=_count(data, "touched"),
            breach=_count(data, "breach"),
            expected_change=_count(data, "expected_change"),
            in_scope=_count(data, "in_scope"),
            dependent_contact=_count(data, "dependent_contact"),
            unpredicted=_count(data, "unpredicted"),
            flags=tuple(str(f) for f in data.get("flags") or ()),
            root=str(data.get("root") or ""),
            grader=str(data.get("grader") or ""),
            worker=str(data.get("worker") or ""),
            anchors=_count(data, "anchors"),
            dependents=_count(data, "dependents"),
            fence=str(data.get("fence") or "none"),
            evidence=evidence if isinstance(evidence, dict) else None,
        )
    except (ValueError, TypeError, RecursionError, OverflowError):
        return None  # torn by a crash


def _count(data: Mapping[str, Any], name: str) -> int:
    return max(0, int(data.get(name) or 0))
