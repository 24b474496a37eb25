"""`recollect soul check|read|watch|claims|receipt`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from core.errors import RecollectError, SurroundingsError, UsageError
from core.paths import own_places
from core.text import one_line, shown
from tui.output import print_json, write_err, write_out, write_text

if TYPE_CHECKING:
    from core.soul.desk import SoulDesk
    from core.soul.evidence import Receipt
    from core.soul.git_evidence import GitEvidence
    from core.soul.model import Claim

FOUND = 0
NOTHING = 1


def soul(parsed: argparse.Namespace) -> int:
    """Run one verb; without one, open the app on the place Soul."""
    if parsed.verb is None:
        from tui.verbs.opening import open_soul

        return open_soul(os.path.abspath(os.path.expanduser(parsed.place_project or ".")), parsed.document)
    if parsed.document:
        raise UsageError(f"--document goes without a verb; soul {parsed.verb} takes the path after it.", "See --help.")
    parsed.project = parsed.project or parsed.place_project
    verbs = {"check": _check, "read": _read, "watch": _watch, "claims": _claims, "receipt": _receipt}
    return verbs[parsed.verb](parsed)


def _start(parsed: argparse.Namespace) -> str:
    """The folder whose project is meant: `--project`, else here; outside a project, the one that the path names."""
    from core.repositories.model import RepositoryProblem
    from core.repository import open_repository

    if parsed.project:
        folder = os.path.abspath(os.path.expanduser(str(parsed.project)))
        if not os.path.isdir(folder):
            raise UsageError(f"--project {parsed.project}: there is no such folder.", "Name the project's folder.")
        return folder
    try:
        here = os.getcwd()
    except FileNotFoundError as problem:
        raise SurroundingsError("The folder you are in was deleted.", "Go to the project's folder.") from problem
    path = getattr(parsed, "path", "")
    if path and isinstance(open_repository(here), RepositoryProblem):
        named: str = os.path.abspath(str(path))
        return named if os.path.isdir(named) else os.path.dirname(named)
    return here


def desk_of(parsed: argparse.Namespace) -> SoulDesk:
    """The soul's desk for the project that the options name."""
    from core.soul.desk import SoulDesk, UtcClock

    places = own_places(os.environ)
    return SoulDesk(_start(parsed), places.state, places.index.parent / "cache", UtcClock())


def _document_path(parsed: argparse.Namespace) -> str:
    """The path as given, unless it is a folder: then the soul by custom inside that project."""
    path = os.path.expanduser(parsed.path)
    return "" if path and os.path.isdir(path) else path


def _check(parsed: argparse.Namespace) -> int:
    made = desk_of(parsed).report(_document_path(parsed), parsed.by)
    form = "json" if parsed.json else parsed.format
    write_out(made.line if form == "json" else _in_form(form, made.document, every=parsed.all))
    return NOTHING if parsed.fail_on in made.shut else FOUND


def _in_form(form: str, document: Mapping[str, Any], *, every: bool) -> str:
    """The report as people and other tools read it."""
    from core.soul import formats

    if form == "text":
        return formats.text(document, every=every)
    if form == "github":
        return formats.github(document)
    if form == "sarif":
        from tui.cli import VERSION

        return formats.sarif(document, VERSION)
    return formats.junit(document)


def _text(parsed: argparse.Namespace) -> tuple[str, str, str]:
    """The root, the document's path and its text."""
    from core.soul.locating import read_soul, soul_path

    desk = desk_of(parsed)
    evidence = desk.open()
    try:
        path = soul_path(evidence.root, desk.inside(evidence, _document_path(parsed)), desk.here)
        text, _, _ = read_soul(evidence.root, path)
        return evidence.root, path, text
    finally:
        evidence.close()


def _read(parsed: argparse.Namespace) -> int:
    from core.soul.reading import read

    root, path, text = _text(parsed)
    found = read(text, parsed.section)
    if parsed.json:
        sections = [{"title": one_line(t), "line": line, "text": shown(body)} for t, line, body in found.sections]
        row = {"root": root, "soul_path": path, "headline": one_line(found.headline), "sections": sections}
        print_json({"schema": "recollect-soul-read-v1", **row})
        return FOUND
    write_err(f"{shown(path)} · {one_line(found.headline)}")
    write_text("".join(shown(body) for _, _, body in found.sections))
    return FOUND


def _claims(parsed: argparse.Namespace) -> int:
    from core.soul.document import parse
    from core.soul.policy import load_policy

    root, path, text = _text(parsed)
    document = parse(text, load_policy(root).table)
    if parsed.json:
        rows = [_claim_row(c) for c in document.claims]
        print_json(
            {"schema": "recollect-soul-claims-v1", "root": root, "soul_path": path,
             "headline": one_line(document.headline, 120), "narration": document.narration, "claims": rows}
        )  # fmt: skip
        return FOUND if rows else NOTHING
    for claim in document.claims:
        cited = ", ".join(f"{a.kind.value} {one_line(a.raw, 60)}" for a in claim.anchors) or "cites nothing"
        write_out(f"{claim.lines[0]:>5}  {claim.tissue.value[:4]}  {one_line(claim.text, 120)}")
        write_out(f"             {cited}")
    return FOUND if document.claims else NOTHING


def _claim_row(claim: Claim) -> dict[str, Any]:
    return {
        "lines": list(claim.lines),
        "section": [one_line(s, 160) for s in claim.section],
        "block": claim.block.value,
        "tissue": claim.tissue.value,
        "text": one_line(claim.text, 2000),
        "anchors": [
            {"raw": one_line(a.raw, 300), "class": a.kind.value, "form": a.form or None, "line": a.line}
            for a in claim.anchors
        ],
    }


def _watch(parsed: argparse.Namespace) -> int:
    """Check, then again after every change, until interrupted. What is gone for a moment (the document while an editor
    writes it, the repository while git works) is said once and waited for; where the first check fails, nothing is watched."""
    from core.soul.watching import changes

    desk, path = desk_of(parsed), _document_path(parsed)
    evidence = desk.open()
    root = evidence.root
    evidence.close()
    last: Mapping[str, Any] | None = None
    missing = ""
    for _ in changes(root):
        try:
            report = desk.report(path).document
        except RecollectError as problem:
            if last is None:
                raise
            if problem.what != missing:
                missing = problem.what
                write_err(f"recollect: {shown(missing)}\nhint: It is checked again when that changes; ctrl+c ends.")
            continue
        if not missing and last is not None and {**report, "checked_at": None} == {**last, "checked_at": None}:
            continue
        last, missing = report, ""
        _watched(report, as_json=parsed.json)
    return FOUND


def _watched(report: Mapping[str, Any], *, as_json: bool) -> None:
    """One check of a watch: the receipt, and what is stale."""
    from core.soul import formats

    if as_json:
        print_json(dict(report))
        return
    write_out(report["receipt"])
    for item in report["stale"]:
        sign = formats.SYMBOLS["evidence-stale"]
        write_out(f"  {sign} line {item['lines'][0]}: {item['reason']}: {item['claim']}")


def _receipt(parsed: argparse.Namespace) -> int:
    from core.soul.running import UNBOUND, run_for_receipt

    argv = parsed.argv[1:] if parsed.argv[:1] == ["--"] else parsed.argv
    desk = desk_of(parsed)
    evidence = desk.open()
    try:
        if not argv:
            return _receipts(parsed, evidence)
        receipt = run_for_receipt(
            argv, evidence, own_places(os.environ).state, sys.stderr if parsed.json else sys.stdout
        )
    finally:
        evidence.close()
    if parsed.json:
        print_json({"schema": "recollect-soul-receipt-v1", "root": evidence.root, **_receipt_row(receipt)})
    else:
        counts = ", ".join(f"{n} {name}" for name, n in receipt.counts.items())
        where = f"@{receipt.head[:7]}" if receipt.head else "@unborn"
        dirty = " with changes" if receipt.dirty_hash else ""
        write_err(
            f"receipt: “{shown(receipt.command)}” exit {receipt.exit_code} {where}{dirty}"
            + (f" · {counts}" if counts else "")
        )
    if receipt.dirty_hash == UNBOUND:
        write_err(
            "hint: Files of the project changed while it ran, so it proves nothing. Let git ignore what it writes."
        )
    return receipt.exit_code if not parsed.json else FOUND


def _receipts(parsed: argparse.Namespace, evidence: GitEvidence) -> int:
    rows = evidence.receipts()
    if parsed.json:
        print_json(
            {"schema": "recollect-soul-receipts-v1", "root": evidence.root, "receipts": [_receipt_row(r) for r in rows]}
        )
    elif not rows:
        write_out("No receipt of this project is stored.")
        write_err("hint: recollect soul receipt -- pytest -q runs a command and keeps its result.")
    else:
        for r in rows:
            row = _receipt_row(r)
            counts = ", ".join(f"{n} {name}" for name, n in r.counts.items())
            write_out(
                f"{row['at']}  @{r.head[:7] or 'unborn'}  exit {r.exit_code}  {row['command']}"
                + (f"  · {counts}" if counts else "")
            )
    return FOUND if rows else NOTHING


def _receipt_row(receipt: Receipt) -> dict[str, Any]:
    from core.recall.wording import iso_time

    return {
        "command": shown(receipt.command),
        "exit_code": receipt.exit_code,
        "head": receipt.head or None,
        "dirty": bool(receipt.dirty_hash),
        "at": iso_time(receipt.at),
        "seconds": round(receipt.seconds, 3),
        "counts": dict(receipt.counts),
    }
