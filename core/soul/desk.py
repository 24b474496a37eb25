"""The soul of one project for its faces: find, check, remember. Reads the project, writes the program's cache alone.

A report is kept by what it rests on (document, refs, changed files, receipts, settings, day, and the files outside git
that were looked at): a second check of an unchanged project reads one status and one file.
"""

from __future__ import annotations

import gc
import hashlib
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from core.json_text import json_text, time_text
from core.paths import private_folder
from core.soul.git_evidence import GitEvidence, open_project
from core.soul.locating import SETTINGS, read_soul, soul_path
from core.soul.receipts import store_path

if TYPE_CHECKING:
    from core.ports import Clock
    from core.soul.check import Checked
    from core.soul.symbols import SymbolIndex

EPOCH = 17
"""Raised whenever a check of the same project could say something else than before."""


class Report:
    """A check as its JSON document, and whether it was remembered."""

    def __init__(
        self, line: str, shut: frozenset[str], *, remembered: bool, document: Mapping[str, Any] | None = None
    ) -> None:
        self.line = line
        """The document as one line of JSON: writing it again takes longer than reading the project's state."""
        self.shut = shut
        """The gates that stay shut, see `formats.gates_shut`."""
        self.remembered = remembered
        if document is not None:
            self.document = document

    @cached_property
    def document(self) -> Mapping[str, Any]:
        """The document's values."""
        found: Mapping[str, Any] = orjson.loads(self.line)
        return found


class SoulDesk:
    """Checks the souls of one project. Keeps its symbol index between checks."""

    def __init__(self, start: str, state: Path | None, cache: Path | None, clock: Clock) -> None:
        self._start = start
        self._state = state
        self._cache = cache
        self._clock = clock
        self._symbols: SymbolIndex | None = None

    def open(self) -> GitEvidence:
        """The project's evidence; close it. Raises `SurroundingsError` where there is no checkout."""
        evidence = open_project(self._start, self._state, self._symbols)
        self._symbols = evidence.symbol_index
        return evidence

    def report(self, given: str = "", checked_by: str = "") -> Report:
        """The report of a soul. Raises `UsageError` and `SurroundingsError` as its parts do."""
        evidence = self.open()
        try:
            path = soul_path(evidence.root, self.inside(evidence, given), self.here)
            text, data, bad = read_soul(evidence.root, path)
            key = self.key(evidence, path, data)
            now = self._clock.now()
            known = self._remembered(key, evidence)
            if known is not None:
                return Report(_restamped(known.line, now, checked_by), known.shut, remembered=True)
            from core.soul.check import check  # with the patterns of every class: 0.1 s
            from core.soul.formats import gates_shut
            from core.soul.policy import load_policy
            from core.soul.report import as_json

            with _without_collecting():
                checked = check(path, text, data, evidence, now, load_policy(evidence.root), replaced_bytes=bad)
                document = as_json(checked, evidence.root, checked_by)
            line = json_text(document)
            report = Report(line, gates_shut(document), remembered=False, document=document)
            self._remember(key, report, evidence)
            return report
        finally:
            evidence.close()

    def checked(self, evidence: GitEvidence, given: str = "") -> Checked:
        """A check with all it rests on, for a screen that holds the evidence open."""
        from core.soul.check import check
        from core.soul.policy import load_policy

        path = soul_path(evidence.root, self.inside(evidence, given), self.here)
        text, data, bad = read_soul(evidence.root, path)
        policy = load_policy(evidence.root)
        return check(path, text, data, evidence, self._clock.now(), policy, replaced_bytes=bad)

    @property
    def here(self) -> str:
        """The folder that the person stands in."""
        return os.path.abspath(self._start)

    def inside(self, evidence: GitEvidence, given: str) -> str:
        """A path as the person gave it: from the folder they stand in, else from the root."""
        if not given or os.path.isabs(given):
            return given
        here = os.path.join(self.here, given)
        return here if os.path.exists(here) else os.path.join(evidence.root, given)

    # -- remembering

    def key(self, evidence: GitEvidence, path: str, data: bytes) -> str:
        """What a check of these bytes rests on, but for the files outside git that it looks at: `evidence.probe` tells
        of those."""
        digest = hashlib.blake2b(digest_size=16)
        receipts = store_path(self._state, evidence.root) if self._state is not None else None
        parts = (
            EPOCH, evidence.root, path, hashlib.sha256(data).hexdigest(), evidence.movement, evidence.dirty_hash,
            self._clock.now().date().isoformat(), _stamp(receipts), evidence.untagged, sorted(evidence.names),
            tuple(_stamp(Path(evidence.root) / name) for name in (*SETTINGS, ".gitignore", ".gitmodules")),
            _stamp(Path(evidence.git_dir) / "index"), _stamp(Path(evidence.git_dir) / "info" / "exclude"), _stamp(Path(evidence.git_dir) / "info" / "sparse-checkout"),
        )  # fmt: skip
        digest.update(repr(parts).encode("utf-8", "surrogateescape"))
        return digest.hexdigest()

    def _remembered(self, key: str, evidence: GitEvidence) -> Report | None:
        """The report that is kept, if all it rests on is as it was."""
        if self._cache is None:
            return None
        try:
            head, _, line = (self._cache / "soul" / f"{key}.json").read_bytes().partition(b"\n")
            kept = orjson.loads(head)
            same = kept["digest"] == _digest(line) and all(
                evidence.probe(path) == seen for path, seen in kept["probes"].items()
            )
            return Report(line.decode(), frozenset(kept["shut"]), remembered=True) if same else None
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None  # nothing kept, or torn: the check is made

    def _remember(self, key: str, report: Report, evidence: GitEvidence) -> None:
        if self._cache is None or evidence.troubles:
            return
        folder = private_folder(self._cache / "soul")
        target = folder / f"{key}.json"
        draft = folder / f"{key}.{os.getpid()}.tmp"
        line = report.line.encode()
        head = {"probes": evidence.probes(), "shut": sorted(report.shut), "digest": _digest(line)}
        try:
            with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
                file.write(orjson.dumps(head) + b"\n" + line)
            os.replace(draft, target)
            _prune(folder)
        except OSError:
            draft.unlink(missing_ok=True)  # a full disk costs the cache, never the report


def _digest(line: bytes) -> str:
    return hashlib.blake2b(line, digest_size=16).hexdigest()


_AT = re.compile(r'"checked_at":"[^"]*"')
_HEAD = 65_536
"""Characters in which both stand: before them come the folder and the headline, which are bounded."""
_BY = re.compile(r'"checked_by":(?:null|"(?:[^"\\]|\\.)*")')
"""Both stand once and as keys: a quotation mark inside of a string is written with a stroke before it."""


def _restamped(line: str, now: datetime, checked_by: str) -> str:
    """A remembered report with the time and the checker of today; its receipt's day is part of what it is kept by."""
    head, rest = line[:_HEAD], line[_HEAD:]  # the rest, megabytes of a large soul, is copied once
    for pattern, value in (
        (_AT, f'"checked_at":"{time_text(now)}"'),
        (_BY, f'"checked_by":{json_text(checked_by or None)}'),
    ):
        if match := pattern.search(head):
            head = head[: match.start()] + value + head[match.end() :]
    return head + rest


KEPT = 24
"""Reports that are remembered, over all projects."""


def _prune(folder: Path) -> None:
    kept = sorted(folder.glob("*.json"), key=lambda p: p.stat().st_mtime, reverse=True)
    for old in kept[KEPT:]:
        old.unlink(missing_ok=True)


@contextmanager
def _without_collecting() -> Iterator[None]:
    """A check makes a million small values and no cycles: looking for some takes a fifth of its time."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.freeze()  # as if they had been looked through: the next look would take a tenth of a second, at once
            gc.unfreeze()
            gc.enable()


def _stamp(path: Path | None) -> tuple[int, int] | None:
    if path is None:
        return None
    try:
        info = path.stat()
    except OSError:
        return None  # most of these files are optional
    return info.st_size, info.st_mtime_ns


class UtcClock:
    """The machine's clock in UTC: a soul's receipt is dated in UTC."""

    def now(self) -> datetime:
        """The current time."""
        return datetime.now(UTC)
