"""`recollect memory add|list|show|change|forget|restore|drain|status|export|import|serve|contract`."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.errors import UsageError
from core.memory.sink import NOT_PERSISTED, Memory, Wanted, Written
from core.memory.view import Held, View
from core.memory.wire import Malformed, seconds_of
from core.paths import own_places, private_folder
from core.recall.wording import iso_time
from core.settings import load_settings
from core.text import one_line, shown
from tui.memory_grammar import FIELDS, LISTS
from tui.output import print_json, write_err, write_out, write_text
from tui.verbs.memory_owners import contract, serve
from tui.verbs.memory_rows import claim_lines, history_lines, list_line, memory_row, row_of

if TYPE_CHECKING:
    from core.memory.claim import Claim

FOUND, NOTHING, USAGE, QUEUED = 0, 1, 2, 75
_TIMES = ("created_at", "updated_at")
_UNKNOWN = "unknown"
MAX_STDIN = 4 << 20
"""Bytes that are read from stdin."""


def memory(parsed: argparse.Namespace) -> int:
    """Run one verb."""
    verbs = {
        "add": _add, "list": _list, "show": _show, "change": _change, "forget": _forget, "restore": _restore,
        "drain": _drain, "status": _status, "export": _export, "import": _import, "serve": serve, "contract": contract,
    }  # fmt: skip
    return verbs[parsed.verb](parsed)


def open_memory() -> Memory:
    """The memory that settings and environment name."""
    places = own_places(os.environ)
    return Memory.open(places, load_settings(places.settings), os.environ)


# -- writing


def _add(parsed: argparse.Namespace) -> int:
    from core.memory.claim import new_claim

    fields = _given(parsed)
    fields.setdefault("created_at", time.time())
    text = _stdin("the claim") if parsed.text == "-" else str(parsed.text)
    if not parsed.from_recall:
        return _answer(parsed, open_memory().keep([new_claim(text, **fields)]), "Kept")
    from core.memory.recalled import claim_of_recall, told_in

    raw = _stdin("the recall") if parsed.from_recall == "-" else _file(parsed.from_recall).decode("utf-8", "replace")
    try:
        document = json.loads(raw)
    except (ValueError, RecursionError) as problem:
        raise UsageError(
            f"--from-recall {parsed.from_recall}: it is no JSON.", "Give what recall --json printed."
        ) from problem
    claim = claim_of_recall(told_in(document), text=text, **fields)
    return _answer(parsed, open_memory().keep([claim]), "Kept")


def _change(parsed: argparse.Namespace) -> int:
    fields = _given(parsed)
    if parsed.text:
        fields["text"] = _stdin("the claim") if parsed.text == "-" else parsed.text
    if not fields:
        raise UsageError("Nothing to change was given.", "Write the new text, or a field: --confidence 90%")
    return _answer(parsed, open_memory().change(parsed.id, **fields), "Changed; the original stays. Kept")


def _forget(parsed: argparse.Namespace) -> int:
    return _answer(parsed, open_memory().forget(parsed.id, parsed.why, parsed.by), "Forgotten; the claim stays. Marked")


def _restore(parsed: argparse.Namespace) -> int:
    return _answer(parsed, open_memory().restore(parsed.id, parsed.why, parsed.by), "Shown again. Marked")


def _import(parsed: argparse.Namespace) -> int:
    files: list[Path] = []
    for name in parsed.path:
        path = Path(name).expanduser()
        files += sorted(p for p in path.rglob("*.md") if p.is_file()) if path.is_dir() else [path]
    placed = [(str(file), claim) for file in files for claim in _claims_in(file)]
    claims = [claim for _, claim in placed]
    if not claims:
        raise UsageError("No claim was found there.", "Name a file, or a folder that recollect memory export wrote.")
    held = open_memory()
    if other := held.differing(claims):
        place = next(file for file, claim in placed if claim.id in other)
        raise UsageError(
            f"{place} differs from the claim that the memory holds under its id, and a claim never changes.",
            "Remove its id: line and write that id under supersedes: to keep it as a change.",
        )
    return _answer(parsed, held.keep(claims), "Imported")


def _claims_in(file: Path) -> Sequence[Claim]:
    """The claim of a Markdown file, or every claim of a copy (`claims.jsonl`, whatever was put behind its name)."""
    if ".jsonl" in file.suffixes:
        from core.memory.local_copy import claims_of_copy

        try:
            return claims_of_copy(file)
        except OSError as problem:
            raise UsageError(f"{file} cannot be read: {problem.strerror or problem}.", "Check the path.") from problem
    from core.memory.exchange import from_markdown

    return (from_markdown(_file(str(file)), str(file)),)


def _given(parsed: argparse.Namespace) -> dict[str, Any]:
    """The fields that were given, times as seconds."""
    fields: dict[str, Any] = {}
    for name in (*FIELDS, *LISTS):
        value = getattr(parsed, name)
        if value is None:
            continue
        fields[name] = _time(name, value) if name in _TIMES else value
    return fields


def _time(name: str, value: str) -> float | None:
    try:
        return None if value == _UNKNOWN else seconds_of(value)
    except Malformed as problem:
        raise UsageError(f"{name}: {problem}.", "Write it as 2026-01-31T12:00:00Z, or unknown.") from problem


def _answer(parsed: argparse.Namespace, done: Written, what: str) -> int:
    """Say what became of a write, and the exit code that goes with it."""
    if parsed.json:
        row = {
            "ids": list(done.ids), "persisted": done.persisted, "error": done.error or None, "why": shown(done.why) or None,
            "hint": shown(done.hint) or None, "queued": done.queued, "masked": done.masked,
        }  # fmt: skip
        print_json({"schema": "recollect-memory-write-v1", **row})
    elif done.persisted:
        write_out(f"{what}: {', '.join(done.ids) if len(done.ids) < 4 else f'{len(done.ids):,} claims'}")
    else:
        write_out(f"{done.error}: {', '.join(done.ids) if len(done.ids) < 4 else f'{len(done.ids):,} claims'}")
    if done.masked:
        count = "1 secret was" if done.masked == 1 else f"{done.masked:,} secrets were"
        write_err(f"{count} masked before anything was stored.")
    if done.persisted:
        return FOUND
    if done.error == NOT_PERSISTED:
        write_err(f"recollect: It is kept in the spool and not at the owner yet. {shown(done.why)}".rstrip())
    else:
        write_err(f"recollect: {shown(done.why)}")
    write_err(f"hint: {shown(done.hint) or 'Run: recollect memory drain'}")
    return QUEUED if done.error == NOT_PERSISTED else USAGE


def _drain(parsed: argparse.Namespace) -> int:
    done = open_memory().drain()
    if parsed.json:
        row = {
            "persisted": done.persisted, "rejected": list(done.rejected), "left": done.left,
            "trouble": shown(done.trouble) or None, "hint": shown(done.hint) or None,
        }  # fmt: skip
        print_json({"schema": "recollect-memory-drain-v1", **row})
    else:
        aside = f", {len(done.rejected):,} set aside" if done.rejected else ""
        write_out(f"{done.persisted:,} persisted, {done.left:,} left{aside}")
    if done.trouble:
        write_err(f"recollect: {shown(done.trouble)}")
        if done.hint:
            write_err(f"hint: {shown(done.hint)}")
    return QUEUED if done.left else FOUND


# -- reading


def _list(parsed: argparse.Namespace) -> int:
    if parsed.limit < 0:
        raise UsageError(f"--limit {parsed.limit} is no number of claims.", "Give 1 or more, or leave it out for all.")
    held = open_memory()
    view, away = held.seen()
    wanted = Wanted(
        tuple(parsed.kind), tuple(parsed.tag), parsed.namespace, parsed.source_agent, parsed.soul, parsed.all
    )
    rows = _chosen(held, view, wanted, " ".join(parsed.words))
    rows = rows[: parsed.limit] if parsed.limit > 0 else rows
    forks = view.forks()
    hidden = sum(h.standing.value != "current" for h in view.held.values())
    if parsed.json:
        told = [{"of": f.of.id, "heads": [c.id for c in f.heads]} for f in forks]
        claims = [{**row_of(h), "score": score} for h, score in rows]
        print_json(
            {"schema": "recollect-memory-list-v1", "claims": claims, "count": len(rows), "hidden": hidden, "forks": told,
             "away": shown(away.what) if away else None}
        )  # fmt: skip
        return FOUND if rows else NOTHING
    for h, _ in rows:
        write_out(list_line(h))
    for fork in forks:
        write_out(f"Fork: “{one_line(fork.of.label, 60)}” was changed {len(fork.heads)} ways, and each stands:")
        for head in fork.heads:
            write_out(f"  {head.id[-8:]}  {one_line(head.label, 80)}")
        first, second = fork.heads[0].id[-8:], fork.heads[1].id
        write_err(f"hint: recollect memory change {first} --supersedes {second} makes one of them, or forget one.")
    _say_away(away.what if away else "")
    if not rows:
        write_err("The memory holds no claim that fits." if view.held else "The memory holds no claim yet.")
        write_err('hint: recollect memory add "what you settled" keeps one.')
    elif hidden and not parsed.all:
        write_err(f"{hidden:,} superseded or forgotten; --all shows them.")
    return FOUND if rows else NOTHING


def _chosen(held: Memory, view: View, wanted: Wanted, words: str) -> list[tuple[Held, float | None]]:
    from core.memory.ranking import search

    if words:
        found = search(view, words, len(view.held), held.now())
        return [(r.held, round(r.score, 6)) for r in found if wanted.takes(r.held)]
    return [(h, None) for h in reversed(list(view.held.values())) if wanted.takes(h)]


def _show(parsed: argparse.Namespace) -> int:
    held = open_memory()
    if parsed.used:
        done = held.used(parsed.id)
        if not done.persisted:
            write_err(f"recollect: That this is the one waits in the spool. {shown(done.why)}".rstrip())
    view, away = held.seen()
    claim = held.claim(parsed.id)
    events = view.history(claim.claim.id)
    if parsed.json:
        history = [
            {
                "what": e.what,
                "id": e.id,
                "about": e.about,
                "by": shown(e.by) or None,
                "at": iso_time(e.at),
                "why": shown(e.why) or None,
            }
            for e in events
        ]
        row = {"claim": row_of(claim), "history": history, "away": shown(away.what) if away else None}
        print_json({"schema": "recollect-memory-show-v1", **row})
        return FOUND
    for line in (*claim_lines(claim), "", *history_lines(events)):
        write_out(line)
    _say_away(away.what if away else "")
    return FOUND


def _say_away(why: str) -> None:
    if why:
        write_err(f"The owner is away, so this is what was known here: {shown(why)}")


def _status(parsed: argparse.Namespace) -> int:
    held = open_memory()
    state = held.status()
    if parsed.json:
        print_json({"schema": "recollect-memory-status-v1", **memory_row(state)})
        return FOUND
    for line in status_lines(held):
        write_out(line)
    if state.hint:
        write_err(f"hint: {shown(state.hint)}")
    return FOUND


def status_lines(held: Memory) -> list[str]:
    """How a memory stands, in lines."""
    state = held.status()
    owner = f"{state.owner}{f' ({state.store})' if state.store else ''}, {one_line(state.place)}"
    lines = [f"Memory: {state.claims:,} claims · owner {owner}" + ("" if state.reachable else " · away")]
    if state.trouble:
        lines.append(f"  {one_line(state.trouble)}")
    lines.append(f"Spool: {state.spooled:,} waiting, {state.spooled_bytes:,} bytes · {state.rejected:,} set aside")
    lines += [f"  {one_line(r.path)}: {one_line(r.why)}" for r in held.spool.rejected()[:20]]
    if state.elsewhere:
        lines.append(f"  {state.elsewhere:,} more wait for owners that were configured before")
    return lines


def _export(parsed: argparse.Namespace) -> int:
    from core.memory.exchange import file_name, to_markdown

    held = open_memory()
    view = held.view()
    claims = [held.claim(one).claim for one in parsed.id] if parsed.id else list(view.nodes.values())
    if not parsed.output:
        if len(claims) != 1 or parsed.json:
            raise UsageError(
                f"{len(claims):,} claims do not go into one file.", "Name a folder: --output DIR, or one claim's id."
            )
        write_text(shown(to_markdown(claims[0])))
        return FOUND
    folder = private_folder(Path(parsed.output).expanduser())
    files, same = [], 0
    for claim in claims:
        file = folder / file_name(claim)
        raw = to_markdown(claim).encode("utf-8")
        if file.exists():
            same += _same(file, raw)
            continue
        with file.open("xb") as opened:
            opened.write(raw)
        files.append(str(file))
    if parsed.json:
        print_json({"schema": "recollect-memory-export-v1", "files": files, "unchanged": same})
    else:
        write_out(f"{len(files):,} files written to {one_line(str(folder))}, {same:,} were there already")
    return FOUND if claims else NOTHING


def _same(file: Path, raw: bytes) -> int:
    if _file(str(file)) != raw:
        raise UsageError(f"{file} is there and holds something else.", "Move it away, or name another folder.")
    return 1


# -- files


def _file(name: str) -> bytes:
    from core.memory.exchange import MAX_FILE

    try:
        with Path(name).expanduser().open("rb") as opened:
            return opened.read(8 * MAX_FILE)
    except OSError as problem:
        raise UsageError(
            f"{one_line(name)} cannot be read: {problem.strerror or problem}.", "Name a file."
        ) from problem


def _stdin(what: str) -> str:
    if sys.stdin is None or sys.stdin.closed:
        raise UsageError(f"There is no stdin to read {what} from.", "Write it on the command line.")
    raw = sys.stdin.buffer.read(MAX_STDIN + 1) if hasattr(sys.stdin, "buffer") else sys.stdin.read(MAX_STDIN).encode()
    if len(raw) > MAX_STDIN:
        raise UsageError(f"Stdin holds more than {MAX_STDIN >> 20} MB.", "Give less of it.")
    return raw.decode("utf-8", "replace").strip("\n")
