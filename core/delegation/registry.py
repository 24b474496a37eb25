"""The records of delegations: `delegations/<id>.json` below the program's state, one file each, for their owner alone.

Written in one piece (draft, fsync, rename) under a lock. An id is part of a file's name, so it is checked on the way in and
out. A live one past its time is expired, whatever its file says; old ones are swept by the next delegation.
"""

from __future__ import annotations

import json
import os
import re
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.delegation.model import Packet, Status
from core.delegation.wire import Torn, packet_document, packet_of
from core.errors import SurroundingsError, UsageError
from core.memory.drain_lock import drain_lock
from core.paths import private_folder
from core.text import one_line

FOLDER = "delegations"
KEPT_SECONDS = 30 * 86_400.0
"""How long a record stays after it expired or was debriefed."""
MAX_RECORD = 32 * 1024 * 1024
_ID = re.compile(r"[A-Za-z0-9_-]{1,80}")
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True)
class Delegation:
    """A packet with how its delegation stands."""

    packet: Packet
    status: Status
    budget: int
    debriefed: float | None = None
    verdict: str = ""
    """What the debrief found, `""` before it."""


def new_identity(now: float) -> str:
    """A new id: its time in milliseconds, and a suffix that no two share within one."""
    return f"dlg_{int(now * 1000)}_{''.join(secrets.choice(_DIGITS) for _ in range(10))}"


def checked(identity: str) -> str:
    """An id that may be part of a file's name. Raises `UsageError`."""
    if not _ID.fullmatch(identity):
        raise UsageError(
            f"“{one_line(identity, 80)}” is no delegation's id.",
            "recollect delegations lists them; they begin with dlg_.",
        )
    return identity


class Registry:
    """The records in one state folder."""

    def __init__(self, state: Path) -> None:
        self.folder = state / FOLDER

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the folder for a change. Raises `SurroundingsError` where another process does not let go of it."""
        private_folder(self.folder)
        try:
            with drain_lock(self.folder / ".lock") as held:
                if not held:
                    raise SurroundingsError(
                        "Another process holds the delegations.", f"Try again; the lock is {self.folder / '.lock'}."
                    )
                yield
        except OSError as problem:
            raise SurroundingsError(
                f"The delegations cannot be written: {problem.strerror or problem}.", f"Check {self.folder}."
            ) from problem

    def add(self, packet: Packet, budget: int, now: float) -> Delegation:
        """Keep a new packet, and sweep old records. Raises `UsageError` for an id that is taken or none."""
        made = Delegation(packet, Status.LIVE, budget)
        with self.locked():
            if self._file(packet.id).exists():
                raise UsageError(f"The id {packet.id} is taken.", "Delegate again.")
            self._sweep(now)
            self._write(made)
        return made

    def settle(self, delegation: Delegation) -> None:
        """Write how a delegation stands now; the caller holds the lock."""
        self._write(delegation)

    def load(self, identity: str, now: float) -> Delegation:
        """A delegation by its whole id. Raises `UsageError` for an id that is none or unknown, or a record that is torn."""
        file = self._file(identity)
        try:
            with file.open("rb") as opened:
                raw = opened.read(MAX_RECORD + 1)
        except FileNotFoundError:
            raise UsageError(f"There is no delegation {identity}.", "Run: recollect delegations") from None
        except OSError as problem:
            raise SurroundingsError(f"{file} cannot be read: {problem.strerror or problem}.", "Check it.") from problem
        try:
            return _delegation(json.loads(raw), now)
        except (ValueError, RecursionError) as problem:
            raise UsageError(f"The record {file} is torn.", "Move it away, and delegate again.") from problem

    def all(self, now: float) -> tuple[tuple[Delegation, ...], tuple[str, ...]]:
        """Every delegation, newest first, and the files that could not be read."""
        found, torn = [], []
        for name in sorted(self._names(), reverse=True):
            try:
                found.append(self.load(name, now))
            except (UsageError, SurroundingsError):
                torn.append(str(self.folder / f"{name}.json"))
        found.sort(key=lambda d: (-d.packet.created, d.packet.id))
        return tuple(found), tuple(torn)

    def find(self, written: str, now: float) -> Delegation:
        """A delegation by its id, the beginning or the end of it (4 characters at least). Raises `UsageError`."""
        identity = checked(written)
        names = self._names()
        if identity in names:
            return self.load(identity, now)
        fit = [n for n in names if len(identity) >= 4 and (n.startswith(identity) or n.endswith(identity))]
        if len(fit) == 1:
            return self.load(fit[0], now)
        if fit:
            raise UsageError(f"“{identity}” is a part of {len(fit)} ids.", "Write more of it.")
        raise UsageError(f"There is no delegation {identity}.", "Run: recollect delegations")

    # -- files

    def _names(self) -> list[str]:
        try:
            listed = os.listdir(self.folder)
        except FileNotFoundError:
            return []  # nothing was delegated yet
        except OSError as problem:
            raise SurroundingsError(
                f"{self.folder} cannot be read: {problem.strerror or problem}.", "Check that it is yours."
            ) from problem
        stems = (n.removesuffix(".json") for n in listed if n.endswith(".json"))
        return [n for n in stems if _ID.fullmatch(n)]

    def _file(self, identity: str) -> Path:
        return self.folder / f"{checked(identity)}.json"

    def _write(self, delegation: Delegation) -> None:
        file = self._file(delegation.packet.id)
        draft = self.folder / f".{delegation.packet.id}.{os.getpid()}.draft"
        row = {
            "packet": packet_document(delegation.packet), "status": delegation.status.value, "budget": delegation.budget,
            "debriefed": delegation.debriefed, "verdict": delegation.verdict,
        }  # fmt: skip
        data = json.dumps(row, ensure_ascii=True, indent=1).encode("ascii")
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
        try:
            with os.fdopen(handle, "wb") as opened:
                opened.write(data)
                opened.flush()
                os.fsync(opened.fileno())
            os.replace(draft, file)
        finally:
            draft.unlink(missing_ok=True)
        folder = os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)

    def _sweep(self, now: float) -> None:
        """Remove records that ended long ago. One that cannot be read is left: it is somebody's to look at."""
        for name in self._names():
            file = self._file(name)
            try:
                if file.stat().st_mtime > now - KEPT_SECONDS:
                    continue
                old = self.load(name, now)
            except (OSError, UsageError, SurroundingsError):
                continue
            ended = old.debriefed if old.debriefed is not None else old.packet.expires
            if old.status is not Status.LIVE and ended < now - KEPT_SECONDS:
                file.unlink(missing_ok=True)


def _delegation(row: Mapping[str, Any], now: float) -> Delegation:
    if not isinstance(row, dict):
        raise Torn("it is no object")
    packet = packet_of(row.get("packet"))
    status = Status(str(row.get("status")))
    if status is Status.LIVE and now >= packet.expires:
        status = Status.EXPIRED
    debriefed = row.get("debriefed")
    return Delegation(
        packet, status, int(row.get("budget") or 0), float(debriefed) if debriefed is not None else None,
        str(row.get("verdict") or ""),
    )  # fmt: skip
