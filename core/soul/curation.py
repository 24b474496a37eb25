"""Curating by hand: a draft of decisions, the report it makes, the seat-check, applying, and undoing.

A curation is kept whole in `curations/<project>/` of the program's state folder: the document before, the report, the
seat-check, what memory answered. Nothing is taken out of a document before the claims it held are in memory's hands, and
undo brings back every byte. States of a record: `planned`, `applied`, `undone`.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import field, replace
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any, Protocol

from core.errors import SurroundingsError, UsageError
from core.frozen import dataclass
from core.memory.drain_lock import drain_lock as file_lock
from core.paths import private_folder
from core.soul.model import AnchorClass, Claim
from core.soul.prune import Plan, Prune
from core.soul.seat import SeatCheck

RECORD = "recollect-curation-v1"
WAIT_SECONDS = 5.0
"""How long another process that curates the same project is waited for."""


@dataclass(frozen=True, slots=True)
class PrunedClaim:
    """A claim that leaves the document, as memory is to keep it."""

    text: str
    soul_source: str
    """`path#section`."""
    why: str
    where_it_went: str
    evidence: tuple[str, ...]
    """Where it stood, the commit that holds the document so, and the files and commits it cited."""
    curated_by: str


@dataclass(frozen=True, slots=True)
class Kept:
    """What memory answered."""

    ids: tuple[str, ...]
    persisted: bool
    """True if the owner was read back; False if the claims wait in the spool."""
    error: str = ""
    refused: bool = False
    """True if memory will never hold them: then they must not leave the document."""


class Keeper(Protocol):
    """Memory, as a curation needs it."""

    def keep(self, claims: Sequence[PrunedClaim]) -> Kept:
        """Hand claims over. Raises nothing for an owner that is away: they are queued."""
        ...

    def forget(self, ids: Sequence[str], why: str, by: str) -> Kept:
        """Put a tombstone on claims whose prune was undone."""
        ...


@dataclass(frozen=True, slots=True)
class Draft:
    """Decisions that were taken and not applied yet."""

    soul_path: str
    doc_sha256: str
    """The document that they were taken on."""
    curated_by: str = ""
    prunes: tuple[Prune, ...] = ()
    declined: tuple[tuple[str, str], ...] = ()
    """Claims left as they are, with why."""
    still_stale: Mapping[str, str] = field(default_factory=dict)
    """Claims that stay stale, with the curator's own reason; the rest is filled from a check."""

    def decided(self, prune: Prune) -> Draft:
        """The draft with a decision added, or replaced where the claim has one; what goes is not left as it is."""
        others = tuple(p for p in self.prunes if p.lines != prune.lines)
        return replace(self.leaving(prune.what, ""), prunes=tuple(sorted((*others, prune), key=lambda p: p.lines)))

    def without(self, first_line: int) -> Draft:
        """The draft without the decision on the claim that begins at this line."""
        return replace(self, prunes=tuple(p for p in self.prunes if p.lines[0] != first_line))

    def leaving(self, claim: str, why: str) -> Draft:
        """The draft that says why a claim is left as it is; a blank `why` takes that back."""
        others = tuple(d for d in self.declined if d[0] != claim)
        return replace(self, declined=(*others, (claim, why.strip())) if why.strip() else others)

    def staying(self, claim: str, reason: str) -> Draft:
        """The draft with the curator's reason for a claim that stays stale; a blank one takes that back."""
        others = {c: r for c, r in self.still_stale.items() if c != claim}
        return replace(self, still_stale={**others, claim: reason.strip()} if reason.strip() else others)

    @property
    def empty(self) -> bool:
        """True if nothing was decided, in no way."""
        return not (self.prunes or self.declined or self.still_stale)


def report_of(draft: Draft, plan: Plan, rerun: Mapping[str, Any], checked: int) -> dict[str, Any]:
    """The curator's report. `rerun`: the report document of a check of the text after; `checked`: claims checked."""
    rows = [
        {"what": p.what, "why": p.why.strip(), "where_it_went": p.where_it_went.strip(),
         "tissue": "declared" if p.proposed else "verifiable", "proposed": p.proposed, "lines": list(p.lines)}
        for p in plan.prunes
    ]  # fmt: skip
    stale = [
        {
            "claim": s["claim"],
            "reason": draft.still_stale.get(s["claim"]) or s["reason"] or "stale",
            "line": s["lines"][0],
        }
        for s in rerun["stale"]
    ]
    return {
        "curated_by": draft.curated_by,
        "checked": checked,
        "updated": 0,
        "pruned": rows,
        "declined": [{"claim": claim, "why": why} for claim, why in draft.declined],
        "still_stale": stale,
        "receipt_line": rerun["receipt"],
    }


def pruned_claims(draft: Draft, plan: Plan, head: str) -> tuple[PrunedClaim, ...]:
    """What memory is to keep: every claim that leaves the document."""
    reasons = {p.lines: p for p in plan.prunes}
    return tuple(_pruned(c, reasons[c.lines], draft, head) for c in plan.removed)


def _pruned(claim: Claim, prune: Prune, draft: Draft, head: str) -> PrunedClaim:
    section = (claim.section[0] if claim.section else "").strip() or "preamble"
    where = (f"file:{draft.soul_path}:{claim.lines[0]}", *((f"commit:{head}",) if head else ()))
    return PrunedClaim(
        claim.text,
        f"{draft.soul_path}#{section}",
        prune.why.strip(),
        prune.where_it_went.strip(),
        (*where, *_cited(claim)),
        draft.curated_by,
    )


def _cited(claim: Claim) -> tuple[str, ...]:
    """The files and commits that a claim cited."""
    found = []
    for anchor in claim.anchors:
        if anchor.kind in (AnchorClass.PATH, AnchorClass.LINE_HINT):
            line = f":{anchor.spans[0][0]}" if anchor.spans else ""
            found.append(f"file:{anchor.target}{line}")
        elif anchor.kind is AnchorClass.GIT and anchor.form == "commit":
            found.append(f"commit:{anchor.target.lower()}")
    return tuple(dict.fromkeys(found))


@dataclass(frozen=True, slots=True)
class Record:
    """A curation as it is kept."""

    id: str
    state: str
    soul_path: str
    root: str
    before: bytes
    after_sha256: str
    report: Mapping[str, Any]
    seat_check: Mapping[str, Any]
    memory_ids: tuple[str, ...]
    persisted: bool
    at: str
    commit: str = ""

    @property
    def before_sha256(self) -> str:
        """The document as it was."""
        return hashlib.sha256(self.before).hexdigest()


class Curations:
    """The drafts and records of one project, in the program's state folder."""

    def __init__(self, state: Path, root: str) -> None:
        name = hashlib.blake2b(os.path.realpath(root).encode("utf-8", "surrogateescape"), digest_size=10).hexdigest()
        self._folder = state / "curations" / name
        self._root = root

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Curate alone: decisions of two processes never overwrite one another. Raises `SurroundingsError` where another
        one goes on for longer than `WAIT_SECONDS`, or the folder takes nothing."""
        try:
            private_folder(self._folder)
            with file_lock(self._folder / "lock", WAIT_SECONDS) as mine:
                if not mine:
                    raise SurroundingsError(
                        f"Another process curates {self._root} and did not end in time.", "Try again when it is done."
                    )
                yield
        except OSError as problem:
            raise _unwritable(self._folder, problem) from problem

    # -- drafts

    def draft(self, soul_path: str) -> Draft | None:
        """The open decisions on a document; `None` if there are none."""
        data = _read(self._draft_path(soul_path))
        if data is None:
            return None
        try:
            prunes = tuple(
                Prune((p["lines"][0], p["lines"][1]), p["what"], p["why"], p["where_it_went"], bool(p["proposed"]))
                for p in data["prunes"]
            )
            declined = tuple((d[0], d[1]) for d in data["declined"])
            return Draft(
                data["soul_path"], data["doc_sha256"], data["curated_by"], prunes, declined, dict(data["still_stale"])
            )
        except (KeyError, TypeError, IndexError) as problem:
            path = self._draft_path(soul_path)
            raise UsageError(f"The draft {path} cannot be read: {problem!r}.", "Mend it or move it away.") from problem

    def save(self, draft: Draft) -> None:
        """Keep decisions."""
        row = {
            "soul_path": draft.soul_path,
            "doc_sha256": draft.doc_sha256,
            "curated_by": draft.curated_by,
            "prunes": [
                {
                    "lines": list(p.lines),
                    "what": p.what,
                    "why": p.why,
                    "where_it_went": p.where_it_went,
                    "proposed": p.proposed,
                }
                for p in draft.prunes
            ],
            "declined": [list(d) for d in draft.declined],
            "still_stale": dict(draft.still_stale),
        }
        _write(self._draft_path(draft.soul_path), row)

    def drop(self, soul_path: str) -> None:
        """Forget the decisions on a document: they were applied, or given up on the person's word."""
        self._draft_path(soul_path).unlink(missing_ok=True)

    def _draft_path(self, soul_path: str) -> Path:
        name = hashlib.blake2b(soul_path.encode("utf-8", "surrogateescape"), digest_size=6).hexdigest()
        return self._folder / f"draft-{name}.json"

    # -- records

    def records(self) -> tuple[Record, ...]:
        """Every curation of the project, newest first."""
        found = [r for p in sorted(self._folder.glob("c_*.json"), reverse=True) if (r := self._record(p)) is not None]
        return tuple(found)

    def record(self, identity: str = "") -> Record:
        """A curation by its id; without one, the newest that is applied. Raises `UsageError` if there is none."""
        for record in self.records():
            if record.id == identity or (not identity and record.state == "applied"):
                return record
        if identity:
            raise UsageError(f"There is no curation {identity} of this project.", "Run: recollect curate list")
        raise UsageError("No curation of this project is applied, so there is nothing to undo.", "")

    def _record(self, path: Path) -> Record | None:
        data = _read(path)
        if data is None:
            return None
        try:
            return Record(
                data["id"], data["state"], data["soul_path"], data["root"], base64.b64decode(data["before"]), data["after_sha256"],
                data["report"], data["seat_check"], tuple(data["memory_ids"]), bool(data["persisted"]), data["at"],
                data.get("commit", ""),
            )  # fmt: skip
        except (KeyError, TypeError, ValueError) as problem:
            raise UsageError(
                f"The curation {path} cannot be read: {problem!r}.", "Mend it or move it away."
            ) from problem

    def keep(self, record: Record) -> None:
        """Write a record, in place of the one with its id."""
        row = {
            "schema": RECORD,
            "id": record.id,
            "state": record.state,
            "soul_path": record.soul_path,
            "root": record.root,
            "at": record.at,
            "before_sha256": record.before_sha256,
            "before": base64.b64encode(record.before).decode("ascii"),
            "after_sha256": record.after_sha256,
            "report": dict(record.report),
            "seat_check": dict(record.seat_check),
            "memory_ids": list(record.memory_ids),
            "persisted": record.persisted,
            "commit": record.commit,
        }
        _write(self._folder / f"{record.id}.json", row)

    def new_record(
        self, soul_path: str, plan: Plan, report: Mapping[str, Any], seat: SeatCheck, now: datetime
    ) -> Record:
        """A record of what is about to be applied; not kept yet."""
        at = now.astimezone(UTC)
        said = plan.before + json.dumps(report, sort_keys=True).encode()
        for again in count():  # a second take of the same decisions has a record of its own
            digest = hashlib.blake2b(said, digest_size=4, salt=again.to_bytes(2, "big")).hexdigest()
            identity = f"c_{at.strftime('%Y%m%dT%H%M%S')}{at.microsecond // 1000:03d}_{digest}"
            if not (self._folder / f"{identity}.json").exists():
                break
        stamp = at.isoformat(timespec="seconds").replace("+00:00", "Z")
        return Record(
            identity, "planned", soul_path, self._root, plan.before, hashlib.sha256(plan.after).hexdigest(), report,
            seat.as_json(), (), False, stamp,
        )  # fmt: skip


def _read(path: Path) -> dict[str, Any] | None:
    try:
        data = json.loads(path.read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, ValueError, RecursionError) as problem:
        raise UsageError(f"{path} cannot be read: {problem}.", "Mend it or move it away.") from problem
    return data if isinstance(data, dict) else None


def _write(path: Path, row: Mapping[str, Any]) -> None:
    """Write atomically, for its owner alone. Raises `SurroundingsError`."""
    draft = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    try:
        private_folder(path.parent)
        with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            json.dump(row, file, ensure_ascii=False, indent=1)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path)
    except OSError as problem:
        raise _unwritable(path, problem) from problem
    finally:
        draft.unlink(missing_ok=True)


def _unwritable(path: Path, problem: OSError) -> SurroundingsError:
    return SurroundingsError(
        f"{path} cannot be written: {problem.strerror or problem}. Nothing else was changed.",
        "Make room, or set RECOLLECT_HOME to a folder you may write to.",
    )
