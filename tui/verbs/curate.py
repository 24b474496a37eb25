"""`recollect curate list|prune|decline|keep|back|show|drop|check|apply|undo|log`."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from core.errors import UsageError
from core.paths import own_places
from core.text import one_line, shown
from tui.output import print_json, write_err, write_out
from tui.verbs.soul import desk_of

if TYPE_CHECKING:
    from core.soul.curation import Draft, Keeper, Record
    from core.soul.curator import Applied, Curator, Preview
    from core.soul.seat import SeatCheck

FOUND = 0
NOTHING = 1
QUEUED = 75


def curate(parsed: argparse.Namespace) -> int:
    """Run one verb."""
    verbs = {
        "list": _list, "prune": _prune, "decline": _decline, "keep": _keep, "back": _back, "show": _show, "drop": _drop,
        "check": _check, "apply": _apply, "undo": _undo, "log": _log,
    }  # fmt: skip
    return verbs[parsed.verb](parsed)


def curator_of(parsed: argparse.Namespace) -> Curator:
    """The curator's desk for the project and document that the options name."""
    from core.soul.curator import Curator
    from core.soul.desk import UtcClock

    return Curator(
        desk_of(parsed), own_places(os.environ).state, UtcClock(), os.path.expanduser(getattr(parsed, "soul", ""))
    )


def keeper() -> Keeper:
    """Memory, as a curation hands claims to it."""
    from tui.keeping import MemoryKeeper

    found: Keeper = MemoryKeeper.open()
    return found


# -- deciding


def _list(parsed: argparse.Namespace) -> int:
    curator = curator_of(parsed)
    items = curator.work_list()
    draft = curator.draft()
    decided = {p.lines for p in draft.prunes}
    staying = {*draft.still_stale, *(claim for claim, _ in draft.declined)}
    if parsed.json:
        rows = [
            {"lines": list(i.claim.lines), "section": one_line(" / ".join(i.claim.section)), "state": i.state.value,
             "reason": one_line(i.reason) or None, "text": one_line(i.claim.text, 2000), "decided": i.claim.lines in decided}
            for i in items
        ]  # fmt: skip
        print_json(
            {"schema": "recollect-curate-list-v1", "root": curator.root, "soul_path": curator.path, "items": rows}
        )
        return FOUND if rows else NOTHING
    if not items:
        write_out(f"Nothing in {shown(curator.path)} is stale or superseded.")
        return NOTHING
    for item in items:
        stays = "stays" if one_line(item.claim.text) in {one_line(claim) for claim in staying} else "open"
        mark = "decided" if item.claim.lines in decided else stays
        write_out(f"{item.claim.lines[0]:>5}  {mark:<7}  {one_line(item.reason, 40)}  {one_line(item.claim.text, 110)}")
    write_err("hint: recollect curate prune --line N --why … --where … --by host:tier:name")
    return FOUND


def _prune(parsed: argparse.Namespace) -> int:
    curator = curator_of(parsed)
    draft = curator.draft()
    for line in parsed.line:
        draft = curator.decide(line, parsed.why, parsed.where, by=parsed.by)
    return _drafted(parsed, curator, draft)


def _decline(parsed: argparse.Namespace) -> int:
    curator = curator_of(parsed)
    return _drafted(parsed, curator, curator.decline(parsed.claim, parsed.why, by=parsed.by))


def _keep(parsed: argparse.Namespace) -> int:
    curator = curator_of(parsed)
    if not parsed.reason.strip():
        raise UsageError("The reason is blank.", "Say why the claim stays stale.")
    return _drafted(parsed, curator, curator.keep_stale(parsed.claim, parsed.reason))


def _back(parsed: argparse.Namespace) -> int:
    curator = curator_of(parsed)
    if parsed.claim is not None:
        return _drafted(parsed, curator, curator.unsay(parsed.claim))
    if parsed.line not in {p.lines[0] for p in curator.draft().prunes}:
        raise UsageError(f"No decision on line {parsed.line} is open.", "Run: recollect curate show")
    return _drafted(parsed, curator, curator.take_back(parsed.line))


def _drop(parsed: argparse.Namespace) -> int:
    curator = curator_of(parsed)
    draft = curator.draft()
    count = len(draft.prunes) + len(draft.declined) + len(draft.still_stale)
    curator.curations.drop(curator.path)
    if parsed.json:
        print_json({"schema": "recollect-curate-drop-v1", "soul_path": curator.path, "dropped": count})
    else:
        write_out(
            f"{count} decisions were given up; the document was not touched."
            if count != 1
            else "One decision was given up; the document was not touched."
        )
    return FOUND if count else NOTHING


def _drafted(parsed: argparse.Namespace, curator: Curator, draft: Draft) -> int:
    if parsed.json:
        rows = [
            {
                "lines": list(p.lines),
                "what": shown(p.what),
                "why": shown(p.why),
                "where_it_went": shown(p.where_it_went),
                "proposed": p.proposed,
            }
            for p in draft.prunes
        ]
        print_json(
            {"schema": "recollect-curate-draft-v1", "root": curator.root, "soul_path": curator.path,
             "curated_by": shown(draft.curated_by) or None, "pruned": rows,
             "declined": [{"claim": shown(c), "why": shown(w)} for c, w in draft.declined],
             "still_stale": [{"claim": shown(c), "reason": shown(r)} for c, r in draft.still_stale.items()]}
        )  # fmt: skip
        return FOUND
    _say_decisions(draft)
    write_err("hint: recollect curate show --grader ID shows the difference and the seat-check.")
    return FOUND


def _say_decisions(draft: Draft) -> None:
    for p in draft.prunes:
        kind = "proposed" if p.proposed else "goes"
        write_out(f"line {p.lines[0]} {kind}: {one_line(p.what, 100)}")
        write_out(f"    why: {one_line(p.why, 100)} · where it went: {one_line(p.where_it_went, 60)}")
    for claim, why in draft.declined:
        write_out(f"declined: {one_line(claim, 100)} · {one_line(why, 80)}")
    for claim, reason in draft.still_stale.items():
        write_out(f"stays: {one_line(claim, 100)} · {one_line(reason, 80)}")


# -- looking


def _show(parsed: argparse.Namespace) -> int:
    from core.soul.prune import DocumentMoved

    curator = curator_of(parsed)
    try:
        preview = curator.preview(parsed.grader)
    except DocumentMoved:
        if not parsed.json:
            _say_decisions(curator.draft())
        raise
    if parsed.json:
        print_json(_preview_document(curator, preview))
    else:
        write_out(shown(preview.diff) or "No line of the document would change.")
        write_out("")
        write_out(f"before  {preview.receipt_before}")
        write_out(f"after   {preview.receipt_after}")
        still = preview.report["still_stale"]
        for row in still:
            write_out(f"still stale: line {row['line']}: {one_line(row['claim'], 100)} · {one_line(row['reason'], 60)}")
        for row in preview.report["declined"]:
            write_out(f"declined: {one_line(row['claim'], 100)} · {one_line(row['why'], 80)}")
        if preview.seat is not None:
            _say_seat(preview.seat)
    return FOUND if preview.seat is None or preview.seat.passed else NOTHING


def _preview_document(curator: Curator, preview: Preview) -> dict[str, Any]:
    return {
        "schema": "recollect-curate-preview-v1",
        "root": curator.root,
        "soul_path": curator.path,
        "diff": shown(preview.diff),
        "report": _masked(preview.report),
        "seat_check": _masked(preview.seat.as_json()) if preview.seat is not None else None,
        "receipt_before": preview.receipt_before,
        "receipt_after": preview.receipt_after,
    }


def _masked(value: Any) -> Any:
    """A document with every text masked and printable."""
    if isinstance(value, str):
        return shown(value)
    if isinstance(value, Mapping):
        return {key: _masked(v) for key, v in value.items()}
    return [_masked(v) for v in value] if isinstance(value, (list, tuple)) else value


def _say_seat(seat: SeatCheck) -> None:
    word = "passes" if seat.passed else "does not pass"
    write_out(f"seat-check by {one_line(seat.grader, 60)} of {one_line(seat.curated_by, 60) or 'nobody'}: {word}")
    for v in seat.violations:
        row = "" if v.row is None else f" [{v.row}]"
        write_out(f"  ✗ {v.code}{row}: {one_line(v.message, 200)}")


def _check(parsed: argparse.Namespace) -> int:
    """Grade a report from a file: on its own, or with the documents and a second check."""
    from core.soul.seat import seat_check

    report = _json_file(parsed.report)
    if isinstance(report, Mapping) and isinstance(report.get("report"), Mapping) and "pruned" not in report:
        report = report["report"]  # the report inside a preview, or inside a kept curation
    before = _text_file(parsed.before) if parsed.before else None
    after = _text_file(parsed.after) if parsed.after else None
    rerun = _rerun(parsed, before) if parsed.rerun else None
    seat = seat_check(report, parsed.grader, before=before, after=after, rerun=rerun)
    if parsed.json:
        print_json(_masked(seat.as_json()))
    else:
        _say_seat(seat)
    return FOUND if seat.passed else NOTHING


def _rerun(parsed: argparse.Namespace, before: str | None) -> Any:
    from core.soul.check import check
    from core.soul.desk import UtcClock
    from core.soul.policy import load_policy
    from core.soul.report import unanchored
    from core.soul.seat import Rerun

    desk = desk_of(parsed)
    document = desk.report(os.path.expanduser(parsed.rerun)).document
    grown = None
    if before is not None:
        evidence = desk.open()
        try:
            policy = load_policy(evidence.root)
            old = check(
                str(document["soul_path"]),
                before,
                before.encode("utf-8", "replace"),
                evidence,
                UtcClock().now(),
                policy,
            )
            grown = len(unanchored(old))
        finally:
            evidence.close()
    return Rerun(str(document["receipt"]), document["stale"], int(document["claims"]["unanchored"]), grown)


def _json_file(path: str) -> object:
    text = sys.stdin.read() if path == "-" else _text_file(path)
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as problem:
        raise UsageError(f"The report {path} is no JSON: {problem}.", "Write one JSON object.") from problem


def _text_file(path: str) -> str:
    try:
        with open(os.path.expanduser(path), encoding="utf-8", errors="replace", newline="") as file:
            return file.read()
    except OSError as problem:
        raise UsageError(f"{path} cannot be read: {problem.strerror or problem}.", "Check the path.") from problem


# -- doing


def _apply(parsed: argparse.Namespace) -> int:
    curator = curator_of(parsed)
    applied = curator.apply(parsed.grader, keeper())
    if parsed.commit and applied.record.before_sha256 != applied.record.after_sha256:
        from core.repositories.committing import commit_file
        from core.soul.committing import message_of

        message = message_of(applied.record.report, curator.path, parsed.grader)
        sha = commit_file(curator.root, curator.path, message)
        applied = type(applied)(curator.committed(applied.record, sha), applied.error)
    return _done(parsed, applied, "applied")


def _undo(parsed: argparse.Namespace) -> int:
    curator = curator_of(parsed)
    return _done(parsed, curator.undo(keeper(), parsed.id, parsed.by), "undone")


def _done(parsed: argparse.Namespace, applied: Applied, word: str) -> int:
    record = applied.record
    if parsed.json:
        print_json({"schema": "recollect-curate-done-v1", **_record_row(record), "error": shown(applied.error) or None})
    else:
        pruned = [r for r in record.report["pruned"] if not r["proposed"]]
        write_out(f"{word}: {record.id} · {len(pruned)} pruned, {len(record.report['pruned']) - len(pruned)} proposed")
        if record.commit:
            write_out(f"committed {record.commit[:7]}")
        if word == "applied":
            write_out(shown(str(record.report["receipt_line"])))
            write_err("hint: recollect curate undo brings the document back byte for byte.")
    if applied.error:
        write_err(f"recollect: memory did not confirm the claims: {shown(applied.error)}")
        write_err("hint: they wait in its spool; run recollect memory drain.")
        return QUEUED
    return FOUND


def _log(parsed: argparse.Namespace) -> int:
    from core.soul.curation import Curations

    evidence = desk_of(parsed).open()
    root = evidence.root
    evidence.close()
    records = Curations(own_places(os.environ).state, root).records()
    if parsed.json:
        print_json({"schema": "recollect-curate-log-v1", "root": root, "curations": [_record_row(r) for r in records]})
        return FOUND if records else NOTHING
    for r in records:
        write_out(
            f"{r.at}  {r.id}  {r.state:<7}  {shown(r.soul_path)}  {len(r.report['pruned'])} rows by {one_line(str(r.report['curated_by']), 40)}"
        )
    if not records:
        write_out("Nothing was curated in this project yet.")
    return FOUND if records else NOTHING


def _record_row(record: Record) -> dict[str, Any]:
    return {
        "id": record.id,
        "state": record.state,
        "at": record.at,
        "soul_path": shown(record.soul_path),
        "report": _masked(record.report),
        "seat_check": _masked(record.seat_check),
        "memory_ids": list(record.memory_ids),
        "persisted": record.persisted,
        "commit": record.commit or None,
    }
