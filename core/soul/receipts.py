"""The store of command results: nothing is run without being asked, and what was run is kept with where it was run.

One JSON line per receipt, newest last, in `receipts/<project>.jsonl` of the program's state folder (0600). A torn last
line is passed over by the reader and ended by the next writer.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Mapping
from pathlib import Path

from core.paths import private_folder
from core.secrets import mask
from core.soul.evidence import Receipt

KEPT = 2000
"""Receipts of one project that are read, the newest."""
_COUNTS = (
    ("passed", re.compile(r"(\d[\d,]*)\s+(?:passed|passing|ok\b)", re.IGNORECASE)),
    ("failed", re.compile(r"(\d[\d,]*)\s+(?:failed|failing|failures?)\b", re.IGNORECASE)),
    ("skipped", re.compile(r"(\d[\d,]*)\s+(?:skipped|ignored|pending)\b", re.IGNORECASE)),
    ("errors", re.compile(r"(\d[\d,]*)\s+errors?\b", re.IGNORECASE)),
)
_TOTALS = (
    re.compile(r"\bRan (\d[\d,]*) tests?\b"),
    re.compile(r"\bTests:.*?(\d[\d,]*) total\b"),
    re.compile(r"(\d[\d,]*) (?:tests?|examples?|specs?)\b(?:, \d+ (?:failures?|assertions?))", re.IGNORECASE),
)
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def store_path(state: Path, root: str) -> Path:
    """Where the receipts of the project at `root` lie."""
    name = hashlib.blake2b(os.path.realpath(root).encode("utf-8", "surrogateescape"), digest_size=10).hexdigest()
    return state / "receipts" / f"{name}.jsonl"


def read_receipts(state: Path, root: str) -> tuple[Receipt, ...]:
    """The receipts of a project, newest first. A line that does not parse is passed over: it was torn."""
    try:
        lines = store_path(state, root).read_bytes().split(b"\n")[-KEPT - 1 :]
    except FileNotFoundError:
        return ()
    found = [r for line in lines if (r := _receipt(line)) is not None]
    return tuple(sorted(found, key=lambda r: -r.at))


def _receipt(line: bytes) -> Receipt | None:
    try:
        data = json.loads(line)
        return Receipt(
            str(data["command"]),
            int(data["exit_code"]),
            str(data["head"]),
            str(data["dirty_hash"]),
            float(data["at"]),
            float(data.get("seconds", 0)),
            {str(k): int(v) for k, v in dict(data.get("counts", {})).items()},
        )
    except (ValueError, TypeError, KeyError):
        return None  # torn by a crash, or not ours: a receipt that cannot be read proves nothing


def add_receipt(state: Path, root: str, receipt: Receipt) -> None:
    """Append a receipt. Raises `SurroundingsError` where the folder cannot be made, `OSError` where it cannot be written."""
    path = store_path(state, root)
    private_folder(path.parent)
    row = {
        "command": mask(receipt.command).text,
        "exit_code": receipt.exit_code,
        "head": receipt.head,
        "dirty_hash": receipt.dirty_hash,
        "at": receipt.at,
        "seconds": receipt.seconds,
        "counts": dict(receipt.counts),
    }
    line = json.dumps(row, ensure_ascii=False).encode() + b"\n"
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        size = os.fstat(handle).st_size
        torn = size > 0 and os.pread(handle, 1, size - 1) != b"\n"
        os.write(handle, (b"\n" if torn else b"") + line)
        os.fsync(handle)
    finally:
        os.close(handle)


def counts_in(output: str) -> Mapping[str, int]:
    """What a test runner's output counts: `passed`, `failed`, `skipped`, `errors`, `total`, as far as it says so.

    The last mention wins: runners sum up at the end.
    """
    text = _COLOUR.sub("", output)
    found: dict[str, int] = {}
    for name, pattern in _COUNTS:
        if matches := pattern.findall(text):
            found[name] = int(matches[-1].replace(",", ""))
    for pattern in _TOTALS:
        if matches := pattern.findall(text):
            found["total"] = int(matches[-1].replace(",", ""))
            break
    if "total" not in found and "passed" in found:
        found["total"] = found["passed"] + found.get("failed", 0)
    if "total" in found and "passed" not in found:
        found["passed"] = found["total"] - found.get("failed", 0) - found.get("errors", 0) - found.get("skipped", 0)
    return found
