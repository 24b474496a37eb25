"""`recollect index`, `status`, `doctor`: the archive and the index, kept and explained."""

from __future__ import annotations

import argparse
import json
import os
import sys
import threading
import time
from typing import TYPE_CHECKING, Any

from core.errors import SurroundingsError
from core.ports import Deepened, Index, Progress, Reached
from core.text import one_line, shown
from tui.compose import bring_up_to_date, open_index, open_library, options_of
from tui.machine_index import index_document, meanings_document, refreshed_document
from tui.output import ProgressLine, print_json, write_err, write_out

if TYPE_CHECKING:
    from core.library import (
        Library,  # `index` runs beside the app, and after every search of an editor: it is kept light
    )

WATCH_SECONDS = 2.0


def index(parsed: argparse.Namespace) -> int:
    """Bring the index up to date; `--watch` goes on."""
    options = options_of(parsed)
    held = open_index(options)
    if parsed.progress_json:
        return _progress_json(held, rebuild=parsed.rebuild)
    line = ProgressLine("Indexing")
    done = held.refresh(progress=None if options.json else line, rebuild=parsed.rebuild)
    line.close()
    deepened = _meanings(held, quiet=options.json) if parsed.meanings else None
    state = done.state or held.state()
    if options.json:
        print_json(refreshed_document(done, state) | {"meanings": meanings_document(deepened)})
    else:
        if done.message:
            write_err(shown(done.message))
        write_out(
            f"{done.added:,} added, {done.grown:,} grown, {done.replaced:,} replaced, {done.gone:,} gone, "
            f"{done.unchanged:,} unchanged, {done.unreadable:,} unreadable · {done.bytes_read / 1e6:,.1f} MB in {done.seconds:.1f} s"
        )
        write_out(f"The index holds {state.records:,} records in {state.bytes / 1e6:,.1f} MB.")
        if deepened is not None:
            write_out(_meanings_words(deepened))
    if parsed.watch:
        _watch(held, as_json=options.json)
    return SurroundingsError.exit_code if done.refused else 0


def _meanings(held: Index, *, quiet: bool) -> Deepened:
    """Read the meanings of records, letting everything else on the machine go first."""
    os.nice(19)
    line = ProgressLine("Reading meanings", unit="records")
    try:
        return held.deepen(progress=None if quiet else line)
    finally:
        line.close()


def _meanings_words(done: Deepened) -> str:
    if not done.available:
        return "No encoder is installed, so meanings are not read; words alone rank."
    if done.busy:
        return "Another process is reading meanings."
    left = f"; {done.pending:,} are left" if done.pending else ""
    return f"The meanings of {done.read:,} records were read in {done.seconds:,.0f} s{left}."


def _watch(held: Index, *, as_json: bool) -> None:
    """Take in what changes until interrupted."""
    pause = threading.Event()
    while not pause.wait(WATCH_SECONDS):
        done = held.refresh()
        if done.added or done.grown or done.replaced or done.gone:
            if as_json:
                print_json(refreshed_document(done, held.state()))
            else:
                write_out(f"{done.added} added, {done.grown} grown, {done.replaced} replaced, {done.gone} gone")


def _progress_json(held: Index, *, rebuild: bool) -> int:
    """One object of progress a line on stdout, for the app that waits for it."""

    def tell(p: Progress, message: str = "", *, done: bool = False) -> None:
        row = {
            "records": p.records,
            "records_total": p.records_total,
            "bytes": p.bytes,
            "bytes_total": p.bytes_total,
            "seconds": round(p.seconds, 3),
            "done": done,
            "message": shown(message),
        }
        sys.stdout.write(json.dumps(row) + "\n")
        sys.stdout.flush()

    last = [0.0]

    def progress(p: Progress) -> bool:
        now = time.monotonic()
        if now - last[0] >= 0.1:
            last[0] = now
            tell(p)
        return True

    done = held.refresh(progress=progress, rebuild=rebuild)
    state = done.state or held.state()
    tell(
        Progress(state.records, state.records + done.pending, done.bytes_read, done.bytes_read, done.seconds),
        done.message,
        done=True,
    )
    return 0


def status(parsed: argparse.Namespace) -> int:
    """What is read and indexed, per root."""
    from core.recall.handles import runtime_name
    from tui.verbs.memory import open_memory, status_lines
    from tui.verbs.memory_rows import memory_row

    options = options_of(parsed)
    library = open_library(options)
    bring_up_to_date(library, quiet=options.json)
    held = open_memory()
    document = {**status_document(library), "memory": memory_row(held.status())}
    if options.json:
        print_json(document)
        return 0
    for root in document["roots"]:
        newest = f", newest {root['newest'][:10]}" if root["newest"] else ""
        what = f"{root['files']:,} files, {root['bytes'] / 1e6:,.1f} MB; {root['records']:,} sessions of a person"
        if root["runtime"] in _BESIDE:
            what = f"{root['files']:,} {_BESIDE[root['runtime']]}"
        write_out(
            f"{runtime_name(root['runtime'])} · {root['root']}: {what}, {root['searchable']:,} searchable{newest}"
        )
        for skipped in root["skipped"]:
            write_out(f"  {skipped['count']:,} left out: {skipped['why']}")
        for partly in root["partly"]:
            write_out(f"  {partly['count']:,} searchable but for a part: {partly['why']}")
    if not document["roots"]:
        write_out("No sessions were found. Looked in:")
        for place in library.archive.roots:
            write_out(f"  {runtime_name(place.runtime)}: {one_line(place.path)}")
        write_out("hint: --root DIR reads another place; recollect demo shows a made-up archive.")
    state = document["index"]
    write_out(
        f"Index: {state['state']}, {state['records']:,} records, {state['bytes'] / 1e6:,.1f} MB, {state['pending']:,} pending"
    )
    for problem in document["problems"]:
        write_out(f"Problem: {one_line(problem['path'])}: {problem['why']}")
    for line in status_lines(held):
        write_out(line)
    for row in document["retention"]:
        write_out(f"Retention: {row['what']}")
    return 0


_BESIDE = {"git": "commits and tags", "notes": "notes", "memory": "claims"}
"""What the records are that are no sessions."""


def status_document(library: Library) -> dict[str, Any]:
    """`recollect-status-v1`."""
    from core.json_text import iso_time
    from tui.machine import problem_document
    from tui.retention import retention

    found = library.searcher.listing()
    reached = library.index.reached()
    roots: dict[tuple[str, str], dict[str, Any]] = {}
    for source in found.sources:
        row = roots.get((source.runtime, source.root))
        if row is None:
            row = roots[source.runtime, source.root] = {
                "root": shown(source.root), "runtime": source.runtime, "files": 0, "records": 0, "parsed": 0,
                "searchable": 0, "skipped": [], "partly": [], "bytes": 0, "newest": None, "_newest": 0, "_why": {},
                "_partly": {},
            }  # fmt: skip
        row["files"] += 1
        row["bytes"] += source.size
        row["_newest"] = max(row["_newest"], source.mtime_ns)
        row["records"] += source.role.value == "main"
        known = reached.get(source.path)
        row["parsed"] += known is not None
        if known is not None and known.searchable:
            row["searchable"] += 1
            why, counted = shown(known.finding), row["_partly"]
        else:
            why, counted = _why_not(known, source.size), row["_why"]
        if why:
            counted[why] = counted.get(why, 0) + 1
    rows = []
    older = library.archive.left_out()
    for row in roots.values():
        if row["runtime"] == "git" and (count := older.get(row["root"])):
            row["_why"]["older commits; records.commits in the settings says how many are read"] = count
        row["newest"] = iso_time(row.pop("_newest") / 1e9)
        for name, counted in (("skipped", "_why"), ("partly", "_partly")):
            row[name] = [{"why": w, "count": n} for w, n in sorted(row.pop(counted).items())]
        rows.append(row)
    return {
        "schema": "recollect-status-v1",
        "roots": rows,
        "index": index_document(library.state()),
        "retention": retention(library.archive.roots, found.sources, time.time()),
        "problems": [problem_document(p) for p in found.problems],
    }


def _why_not(known: Reached | None, size: int) -> str:
    if size == 0:
        return "empty file"
    if known is None:
        return "not indexed yet"
    return shown(known.finding) if known.finding else "holds no conversation"


def doctor(parsed: argparse.Namespace) -> int:
    """What is wrong, and how to mend it."""
    from tui.diagnosis import examine

    options = options_of(parsed)
    findings = examine(options, os.environ)
    bad = sum(f.state == "bad" for f in findings)
    if options.json:
        rows = [
            {"check": f.check, "state": f.state, "what": shown(f.what), "hint": shown(f.hint) or None} for f in findings
        ]
        print_json({"schema": "recollect-doctor-v1", "findings": rows, "bad": bad})
        return 3 if bad else 0
    for f in findings:
        sign = {"ok": "ok  ", "note": "note", "bad": "BAD "}[f.state]
        write_out(f"{sign} {f.check}: {shown(f.what)}")
        if f.hint:
            write_out(f"     hint: {shown(f.hint)}")
    return 3 if bad else 0
