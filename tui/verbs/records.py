"""`recollect show`, `list`, `resume`, `export`: single records."""

from __future__ import annotations

import argparse
import os
import re
import sys
from dataclasses import replace
from pathlib import Path

from core.errors import SurroundingsError, UsageError
from core.library import Library
from core.ports import Entry, Standing
from core.recall.export import export_record, speaker_of
from core.recall.wording import gist
from core.records.model import Channel, ReadProblem, Turn
from core.records.rawline import line_start
from core.text import one_line, shown
from tui.compose import bring_up_to_date, open_library, options_of, scope_of
from tui.listing import row_line, terminal_width
from tui.machine import row_document, turn_document
from tui.output import print_json, write_err, write_out, write_text
from tui.plain import local_time

FOLDED = 3
"""Lines of tool output that are shown before it is folded."""
TURNS_IN_JSON = 5000
"""Turns of one JSON object at most; `truncated` says that there are more."""


def find_entry(library: Library, name: str) -> Entry:
    """The record that a session id, its beginning, or a path names. Raises `UsageError` for none or several."""
    looks_like_path = os.sep in name or Path(name).exists()
    if looks_like_path:
        entry = library.by_path(os.path.realpath(os.path.expanduser(name)))
        if entry is None:
            raise UsageError(
                f"{one_line(name)} is no record that is read.", "Run: recollect status, to see which roots are read."
            )
        return entry
    if len(name) < 4:
        raise UsageError(f"“{name}” is too short for a session id.", "Give at least its first four characters.")
    found = library.by_id(name)
    if not found:
        raise UsageError(
            f"No record has the session id {one_line(name, 80)}.", "Run: recollect list, to see every record's id."
        )
    mains = [e for e in found if e.spine.role.value == "main"] or list(found)
    ids = {e.spine.session_id for e in mains}
    if len(ids) > 1:
        listed = ", ".join(sorted(one_line(i) for i in ids)[:5])
        raise UsageError(f"{name} begins {len(ids)} session ids: {listed}.", "Give more of the one you mean.")
    return mains[0]


def show(parsed: argparse.Namespace) -> int:
    """A record, or the turns around one of its lines."""
    options = options_of(parsed)
    library = open_library(options)
    name, line = _place(parsed.record)
    entry = find_entry(library, _record_at(name, line))
    if entry.standing is Standing.GONE:
        raise SurroundingsError(
            f"The file of this record is gone: {one_line(entry.source.path)}.", "Only its index remains."
        )
    problems: tuple[ReadProblem, ...] = ()
    if line is None:
        reading = library.archive.read(entry.source)
        turns = reading if not options.json else list(reading)
    else:
        start = line_start(entry.source.path, line)
        if start is None:
            raise UsageError(f"{one_line(entry.source.path)} has no line {line}.", "Give a line the record has.")
        turns = list(library.archive.window(entry.source, line, start, parsed.context, parsed.context))
    if options.json:
        rows = list(turns)
        row = library.row(entry)
        document = {
            "schema": "recollect-show-v1",
            "record": row_document(row),
            "line": line,
            "turns": [turn_document(t) for t in rows[:TURNS_IN_JSON]],
            "truncated": len(rows) > TURNS_IN_JSON,
            "problems": [{"line": p.line, "why": shown(p.what)} for p in problems],
        }
        print_json(document)
        return 0
    write_out(f"{gist(entry)}")
    write_out(f"{one_line(entry.source.path)} · {one_line(entry.spine.project) or 'no project recorded'}")
    for turn in turns:
        if turn.text.strip():
            for text in turn_lines(turn, full=parsed.full, marked=line == turn.line):
                write_out(text)
    return 0


def _record_at(name: str, line: int | None) -> str:
    """What was named; of a file whose lines are records (a history, a memory), the record that the line is."""
    from core.records.cited import record_at

    return (record_at(os.path.realpath(os.path.expanduser(name)), line) if line is not None else "") or name


def _place(record: str) -> tuple[str, int | None]:
    match = re.fullmatch(r"(.+?):(\d{1,12})", record)
    if match and not Path(record).exists():
        return match[1], int(match[2])
    return record, None


def turn_lines(turn: Turn, *, full: bool, marked: bool) -> list[str]:
    """A turn as lines, tool output folded unless `full`."""
    kind = "" if turn.channel is Channel.TALK else f" · {turn.channel.value}"
    copied = " · copied from another record" if turn.copied else ""
    sign = "▶ " if marked else ""
    head = f"{sign}{speaker_of(turn)}{kind} · {local_time(turn.at)} · line {turn.line}{copied}"
    body = shown(turn.text).rstrip().split("\n")
    folded = turn.channel in (Channel.CALL, Channel.RESULT, Channel.NOTICE, Channel.THINKING) and not full
    if folded and len(body) > FOLDED:
        body = [*body[:FOLDED], f"… {len(body) - FOLDED:,} more lines (--full shows them)"]
    return ["", head, *("  " + line for line in body)]


def list_records(parsed: argparse.Namespace) -> int:
    """Every record by date."""
    options = options_of(parsed)
    if parsed.limit < 0:
        raise UsageError(f"--limit {parsed.limit} is no number of records.", "Give 1 or more, or leave it out for all.")
    scope = scope_of(options)
    library = open_library(options)
    bring_up_to_date(library, quiet=options.json)
    listed = library.listed(scope, robots=parsed.all, parts=parsed.all, limit=parsed.limit)
    rows = listed.rows
    if options.json:
        print_json(
            {
                "schema": "recollect-list-v1",
                "records": [row_document(r) for r in rows],
                "count": len(rows),
                "folded": listed.folded,
            }
        )
        return 0 if rows else 1
    width = terminal_width(120)
    for row in rows:
        write_out(row_line(row, width))
    if listed.folded:
        write_err(
            f"{listed.folded:,} sessions of programs (probes, SDK runs, repeated prompts) are folded; --all lists them."
        )
    if not rows and scope.filters.projects:
        write_err(f"There are no records of {scope.label}. hint: leave out --project to list those of all projects.")
    elif not rows:
        write_err(
            "There are no records. hint: recollect status says where it looks; recollect demo shows a made-up archive."
        )
    return 0 if rows else 1


def resume(parsed: argparse.Namespace) -> int:
    """Hand the terminal to the runtime, or print the command."""
    options = options_of(parsed)
    library = open_library(options)
    entry = find_entry(library, parsed.id)
    handle = library.searcher.handle(entry)
    if options.json:
        print_json(
            {
                "schema": "recollect-resume-v1",
                "session_id": shown(entry.spine.session_id or entry.source.session_id),
                "handle": handle.command or None,
                "handle_note": shown(handle.note) or None,
                "cwd": handle.cwd or None,
                "argv": list(handle.argv),
            }
        )
        return 0 if handle.command else 1
    if handle.note:
        write_err(shown(handle.note))
    if not handle.command:
        return 1
    if parsed.print_only:
        write_out(shown(handle.command))
        return 0
    from tui.handover import become, refusal

    why, hint = refusal(handle, replace(entry.locator(), session_id=handle.argv[-1]))
    if why:
        raise SurroundingsError(shown(why), shown(hint))
    sys.stdout.flush()
    become(handle)
    return 0


def export(parsed: argparse.Namespace) -> int:
    """Write a record out, masked."""
    library = open_library(options_of(parsed))
    entry = find_entry(library, parsed.id)
    if entry.standing is Standing.GONE:
        raise SurroundingsError(
            f"The file of this record is gone: {one_line(entry.source.path)}.", "Nothing can be written."
        )
    done = export_record(entry, library.archive.read(entry.source), parsed.format)
    total = sum(count for _, count in done.masked)
    if parsed.redact_report:
        write_err(f"Masked {total} secret{'' if total == 1 else 's'}.")
        for line, count in done.masked:
            write_err(f"  line {line}: {count}")
    elif total:
        write_err(f"Masked {total} secret{'' if total == 1 else 's'}; --redact-report lists their lines.")
    if not parsed.output:
        write_text(done.text)
        return 0
    target = Path(parsed.output).expanduser()
    try:
        with target.open("x", encoding="utf-8") as file:
            file.write(done.text)
    except FileExistsError:
        raise UsageError(f"{target} exists and is not overwritten.", "Name another file.") from None
    except OSError as problem:
        raise SurroundingsError(f"{target} cannot be written: {problem.strerror or problem}.") from problem
    write_err(f"Wrote {target}.")
    return 0
