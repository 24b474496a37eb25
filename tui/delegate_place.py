"""Delegations of the project in a folder, for the place Delegate: the same core as `recollect delegate` and `debrief`."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import SurroundingsError, UsageError
from core.paths import own_places, private_folder
from core.text import one_line
from tui.compose import Options
from tui.delegate_project import delegation_desk, fresh_library, own_memory, own_name, session_touches, sources_of
from tui.screens.delegate_port import DelegateLook, Draft, Report

if TYPE_CHECKING:
    from core.delegation.conformance import Graded
    from core.delegation.debrief import Debriefed, Verdict
    from core.delegation.desk import DelegationDesk, Given, Made
    from core.delegation.model import NoPacket
    from core.delegation.touched import Touched
    from core.library import Library

MAX_REPORT = 1 << 20
"""Bytes of a worker's last message."""


class ProjectDelegate:
    """See `DelegatePort`. The library is opened once, by the first packet."""

    def __init__(self, folder: str) -> None:
        self._folder = os.path.abspath(folder)
        self._lock = threading.Lock()
        self._library: Library | None = None

    def _desk(self) -> DelegationDesk:
        return delegation_desk()

    def _past(self) -> Library:
        with self._lock:
            if self._library is None:
                self._library = fresh_library(Options(quiet=True))
            return self._library

    def look(self) -> DelegateLook:
        """See `DelegatePort`."""
        from core.delegation.desk import where

        desk = self._desk()
        every, torn = desk.all()
        return DelegateLook(where(self._folder), every, torn, desk.calibration(), own_name())

    def compose(self, draft: Draft) -> Made | NoPacket:
        """See `DelegatePort`."""
        desk = self._desk()
        tokens = draft.tokens.strip().replace(",", "")
        if tokens and not tokens.isdigit():
            raise UsageError(f"The budget cannot be “{one_line(draft.tokens, 40)}”.", "It is a number of tokens.")
        order = desk.order(
            self._folder, draft.task, own_name(), scope=parted(draft.scope), seeds=parted(draft.about),
            must_not_touch=parted(draft.must_not), tokens=int(tokens) if tokens else None, hint=draft.hint,
        )  # fmt: skip
        return desk.compose(order, self._folder, sources_of(self._past))

    def record(self, made: Made) -> Made:
        """See `DelegatePort`."""
        return self._desk().record(made)

    def show(self, identity: str) -> Made:
        """See `DelegatePort`."""
        return self._desk().show(identity)

    def write(self, identity: str) -> str:
        """See `DelegatePort`. Beside the records, for the owner alone."""
        made = self._desk().show(identity)
        folder = private_folder(own_places(os.environ).state / "packets")
        file = folder / f"{made.delegation.packet.id}.md"
        try:
            handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
            with os.fdopen(handle, "w", encoding="utf-8", errors="replace") as opened:
                opened.write(made.text.text)
        except OSError as problem:
            raise SurroundingsError(
                f"{file} cannot be written: {problem.strerror or problem}.", "Copy it instead."
            ) from problem
        return str(file)

    def paths(self) -> Sequence[str]:
        """See `DelegatePort`."""
        from core.delegation.project import open_bound

        _, project = open_bound(self._folder)
        if project is None:
            return ()
        try:
            files = project.files
        finally:
            project.close()
        folders = {f"{'/'.join(p.split('/')[:n])}/" for p in files for n in range(1, p.count("/") + 1)}
        return (*sorted(folders, key=lambda f: (f.count("/"), f)), *files)

    def graded(self, identity: str, touched: str) -> tuple[Touched, Graded]:
        """See `DelegatePort`."""
        given, _ = self._given(touched)
        _, paths, graded = self._desk().graded(identity, given)
        return paths, graded

    def debrief(self, identity: str, report: Report) -> Debriefed:
        """See `DelegatePort`."""
        given, last = self._given(report.touched)
        return self._desk().debrief(identity, _verdict(report, last), given, own_memory())

    def _given(self, touched: str) -> tuple[Given, str]:
        """What was touched, and the last words of a session that is named."""
        from core.delegation.desk import Given

        said = touched.strip()
        if said in ("", "git"):
            return Given(), ""
        if said == "none":
            return Given(paths=()), ""
        if match := re.fullmatch(r"session[:\s]\s*(\S+)", said):
            found, last = session_touches(self._past(), match.group(1))
            return Given(session=found), last
        if re.fullmatch(r"[\w./~^@{}-]+\.\.[\w./~^@{}-]*", said):
            return Given(span=said), ""
        return Given(paths=parted(said)), ""


def parted(text: str) -> tuple[str, ...]:
    """What stands between commas."""
    return tuple(filter(None, (part.strip() for part in text.split(","))))


def _verdict(report: Report, last: str) -> Verdict:
    from core.delegation.debrief import Evidence, Verdict
    from core.delegation.worker_report import read_report
    from core.text import shown

    status = report.exit_status.strip()
    if bool(report.command.strip()) != bool(status):
        raise UsageError("Evidence is a command and how it ended.", "Fill both fields, or leave both empty.")
    if status and not re.fullmatch(r"-?\d{1,5}", status):
        raise UsageError(f"The exit status cannot be “{one_line(status, 40)}”.", "It is a number; 0 is success.")
    evidence = Evidence(shown(report.command.strip()), int(status)) if status else None
    text = _message(report.report) if report.report.strip() else last
    findings = tuple(filter(None, (f.strip() for f in report.findings.split(";"))))
    return Verdict(
        report.grader.strip(), report.outcome.strip().casefold(), report.worker.strip(), evidence, findings,
        read_report(text) if text.strip() else None, report.regrade,
    )  # fmt: skip


def _message(name: str) -> str:
    try:
        with Path(name.strip()).expanduser().open("rb") as opened:
            return opened.read(MAX_REPORT).decode("utf-8", "replace")
    except OSError as problem:
        raise UsageError(
            f"{one_line(name, 120)} cannot be read: {problem.strerror or problem}.", "Name a file."
        ) from problem
