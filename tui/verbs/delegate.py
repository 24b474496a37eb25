"""`recollect delegate|debrief|delegations|calibration|where`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import SurroundingsError, UsageError
from core.text import one_line, shown
from tui.compose import options_of
from tui.delegate_project import delegation_desk, fresh_library, own_memory, own_name, session_touches, sources_of
from tui.output import print_json, write_err, write_out, write_text
from tui.verbs.delegate_lines import calibration_lines, debrief_lines, graded_lines, list_line, where_lines

if TYPE_CHECKING:
    from core.delegation.debrief import Verdict
    from core.delegation.desk import Given, Made
    from core.delegation.model import NoPacket

FOUND, NOTHING, SURROUNDINGS, QUEUED = 0, 1, 3, 75
MAX_INPUT = 64 << 20
"""Bytes of a diff or a report that are read."""


def delegation(parsed: argparse.Namespace) -> int:
    """Run one of the five commands."""
    verbs: dict[str, Callable[[argparse.Namespace], int]] = {
        "delegate": _delegate, "debrief": _debrief, "delegations": _delegations, "calibration": _calibration,
        "where": _where,
    }  # fmt: skip
    return verbs[parsed.command](parsed)


def _start(parsed: argparse.Namespace) -> str:
    if parsed.project:
        folder = os.path.abspath(os.path.expanduser(str(parsed.project)))
        if not os.path.isdir(folder):
            raise UsageError(f"--project {parsed.project}: there is no such folder.", "Name the project's folder.")
        return folder
    try:
        return os.getcwd()
    except FileNotFoundError as problem:
        raise SurroundingsError("The folder you are in was deleted.", "Go to the project's folder.") from problem


# -- delegate


def _delegate(parsed: argparse.Namespace) -> int:
    from core.delegation.document import no_packet_json, packet_json
    from core.delegation.model import NoPacket

    start = _start(parsed)
    task = _read_input("-") if parsed.task == ["-"] else " ".join(parsed.task)
    desk = delegation_desk()
    order = desk.order(
        start, task, parsed.agent or own_name(), scope=parsed.scope, seeds=parsed.seed,
        must_not_touch=parsed.must_not_touch, tokens=parsed.budget, max_nodes=parsed.max_nodes, hint=parsed.hint,
    )  # fmt: skip
    options = options_of(parsed)
    options = type(options)(json=options.json, roots=options.roots)
    if parsed.output and Path(parsed.output).expanduser().exists():
        raise UsageError(f"{one_line(parsed.output)} exists.", "Name a file that is not there.")
    made = desk.compose(order, start, sources_of(lambda: fresh_library(options)))
    if isinstance(made, NoPacket):
        if parsed.json:
            print_json(no_packet_json(made, desk.calibration()))
        _say_no(made)
        return SURROUNDINGS if made.verdict == "needs_ingest" else NOTHING
    if not parsed.dry_run:
        desk.record(made)
    if parsed.output:
        again = (
            "Name another." if parsed.dry_run else f"It is recorded: recollect delegations {made.delegation.packet.id}"
        )
        _write_file(parsed.output, made.text.text, again)
    if parsed.json:
        packet = made.delegation.packet
        print_json(packet_json(packet, made.text, desk.calibration(), recorded=not parsed.dry_run))
    elif not parsed.output:
        write_text(made.text.text)
    _say_made(parsed, made)
    return FOUND


def _say_no(answer: NoPacket) -> None:
    write_err(f"recollect: No packet ({answer.verdict}, {answer.refusal.value}). {shown(answer.reason)}")
    write_err(f"hint: {answer.next_move}")


def _say_made(parsed: argparse.Namespace, made: Made) -> None:
    packet, text = made.delegation.packet, made.text
    recorded = "Not recorded (dry run)" if parsed.dry_run else f"Recorded as {packet.id}, live for 4 hours"
    write_err(f"{recorded}; about {text.tokens:,} of {text.budget:,} tokens.")
    if parsed.budget is not None and parsed.budget > text.budget:
        write_err(f"A packet has {text.budget:,} tokens at most.")
    if text.cut:
        write_err(f"Cut to fit: {', '.join(text.cut)}.")
    if not text.fits:
        write_err("What always stays is more than the budget: duties, report, and what must not be touched.")
    if parsed.output:
        write_err(f"Written to {one_line(parsed.output)}.")


# -- debrief


def _debrief(parsed: argparse.Namespace) -> int:
    from core.delegation.document import debrief_json

    desk = delegation_desk()
    start = _start(parsed) if parsed.project else ""
    if parsed.report == "-" and parsed.diff == "-":
        raise UsageError("Stdin cannot be both the report and the diff.", "Name a file for one of them.")
    desk.registry.find(parsed.id, 0.0)  # an unknown id is told before an index is brought up to date
    given, last = _given(parsed)
    if parsed.dry_run:
        done = desk.assessed(parsed.id, _verdict(parsed, last), given, start)
        if parsed.json:
            print_json(debrief_json(done, desk.calibration(), recorded=False))
        else:
            for line in graded_lines(done.packet, done.touched, done.graded):
                write_out(line)
        return FOUND
    done = desk.debrief(parsed.id, _verdict(parsed, last), given, own_memory(), start)
    if parsed.json:
        print_json(debrief_json(done, desk.calibration()))
    else:
        for line in debrief_lines(done):
            write_out(line)
    for taught in done.taught:
        if taught.state == "refused":
            write_err(f"recollect: A {taught.kind} was not kept: {shown(taught.why)}")
    if any(t.state == "queued" for t in done.taught):
        write_err("recollect: write_not_persisted: what was taught waits in the spool.")
        write_err("hint: Run: recollect memory drain")
        return QUEUED
    return FOUND


def _given(parsed: argparse.Namespace) -> tuple[Given, str]:
    """What was touched, and the last words of a session that was named."""
    from core.delegation.desk import Given

    if parsed.touched_none or parsed.touched is not None:
        return Given(paths=tuple(parsed.touched or ())), ""
    if parsed.diff:
        return Given(diff=_read_input(parsed.diff)), ""
    if parsed.session:
        options = options_of(parsed)
        library = fresh_library(type(options)(json=options.json, roots=options.roots))
        touched, last = session_touches(library, parsed.session)
        return Given(session=touched), last
    return Given(span=parsed.range), ""


def _verdict(parsed: argparse.Namespace, last: str) -> Verdict:
    from core.delegation.debrief import Evidence, Verdict
    from core.delegation.worker_report import read_report

    if bool(parsed.proof) != (parsed.exit_status is not None):
        raise UsageError("Evidence is a command and how it ended.", 'Give both: --command "make test" --exit-status 0')
    evidence = Evidence(shown(parsed.proof), parsed.exit_status) if parsed.proof else None
    text = _read_input(parsed.report) if parsed.report else last
    report = read_report(text) if text.strip() else None
    return Verdict(
        parsed.grader,
        parsed.outcome.strip().casefold(),
        parsed.worker,
        evidence,
        tuple(parsed.finding),
        report,
        parsed.regrade,
    )


# -- the rest


def _delegations(parsed: argparse.Namespace) -> int:
    from core.delegation.document import delegation_row, packet_json
    from core.delegation.model import Status

    desk = delegation_desk()
    if parsed.id:
        made = desk.show(parsed.id)
        if parsed.json:
            document = packet_json(made.delegation.packet, made.text, desk.calibration())
            print_json({**document, "status": made.delegation.status.value})
        else:
            write_text(made.text.text)
            write_err(f"This delegation is {made.delegation.status.value}.")
        return FOUND
    every, torn = desk.all()
    rows = [d for d in every if parsed.all or d.status is Status.LIVE]
    if parsed.json:
        print_json(
            {"schema": "recollect-delegations-v1", "delegations": [delegation_row(d) for d in rows], "count": len(rows),
             "hidden": len(every) - len(rows), "torn": [shown(t) for t in torn]}
        )  # fmt: skip
    else:
        for one in rows:
            write_out(list_line(one))
    for name in torn:
        write_err(f"recollect: The record {shown(name)} is torn.")
    if not rows:
        write_err("No delegation is live." if every else "Nothing was delegated yet.")
        write_err('hint: recollect delegate "what is to be done"' if not every else "hint: --all shows the others.")
    elif len(every) > len(rows):
        write_err(f"{len(every) - len(rows):,} debriefed or expired; --all shows them.")
    return FOUND if rows else NOTHING


def _calibration(parsed: argparse.Namespace) -> int:
    from core.delegation.document import calibration_values

    found = delegation_desk().calibration()
    if parsed.json:
        print_json({"schema": "recollect-delegation-calibration-v1", **calibration_values(found)})
    else:
        for line in calibration_lines(found):
            write_out(line)
    return FOUND


def _where(parsed: argparse.Namespace) -> int:
    from core.delegation.desk import where
    from core.delegation.document import where_json
    from core.delegation.model import Trust

    binding = where(_start(parsed))
    if parsed.json:
        print_json({"schema": "recollect-where-v1", **where_json(binding)})
    else:
        for line in where_lines(binding):
            write_out(line)
    if binding.trust is Trust.NONE:
        write_err("hint: Go into a project, or name it: --project DIR")
        return SURROUNDINGS
    return FOUND


# -- files


def _read_input(name: str) -> str:
    """A file's or stdin's text. Raises `UsageError`."""
    try:
        if name == "-":
            if sys.stdin is None or sys.stdin.closed:
                raise UsageError("There is no stdin to read from.", "Name a file.")
            raw = sys.stdin.buffer.read(MAX_INPUT + 1) if hasattr(sys.stdin, "buffer") else sys.stdin.read().encode()
        else:
            with Path(name).expanduser().open("rb") as opened:
                raw = opened.read(MAX_INPUT + 1)
    except OSError as problem:
        raise UsageError(
            f"{one_line(name)} cannot be read: {problem.strerror or problem}.", "Name a file."
        ) from problem
    if len(raw) > MAX_INPUT:
        raise UsageError(f"{one_line(name)} holds more than {MAX_INPUT >> 20} MB.", "Give less of it.")
    return raw.decode("utf-8", "surrogateescape")


def _write_file(name: str, text: str, again: str) -> None:
    """Write a new file; `again` is how to have the text where it cannot be written."""
    try:
        with Path(name).expanduser().open("x", encoding="utf-8", errors="replace") as opened:
            opened.write(text)
    except FileExistsError as problem:
        raise UsageError(f"{one_line(name)} exists.", again) from problem
    except OSError as problem:
        raise SurroundingsError(
            f"{one_line(name)} cannot be written: {problem.strerror or problem}.", again
        ) from problem
