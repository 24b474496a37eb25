"""The JSON a script reads: one function per document, keys as `design/interface.md` lists them, always present.

Every string from a record is printable and masked here, so that nothing else on the way out has to remember to.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from core.candidates import Candidate, Candidates
from core.json_text import iso_time
from core.ports import IndexState, Passage
from core.recall.model import (
    Adjacent,
    Advance,
    Claim,
    Cue,
    Excerpt,
    Expansion,
    Holding,
    Identified,
    Member,
    NotActivated,
    Outcome,
    Qualification,
    Response,
    Round,
    Searched,
    Stopped,
    Unresolved,
    Utterance,
)
from core.records.model import ReadProblem, Turn
from core.records.recordfile import cited_file, cited_place
from core.text import shown
from tui.machine_index import index_document

Json = dict[str, Any]


def _text(value: str) -> str | None:
    return shown(value) if value else None


def search_document(query: str, answer: Candidates, state: IndexState, elapsed_ms: float) -> Json:
    """`recollect-search-v1`."""
    return {
        "schema": "recollect-search-v1",
        "query": shown(query),
        "hits": [_hit(rank, row) for rank, row in enumerate(answer.rows, 1)],
        "searched": [_searched(s) for s in answer.searched],
        "index": index_document(state),
        "hints": [shown(h) for h in answer.hints],
        "elapsed_ms": round(elapsed_ms, 1),
    }


def _hit(rank: int, row: Candidate) -> Json:
    best: Passage | None = row.passages[0] if row.passages else None
    return {"rank": rank, **row_document(row), "line": best.line if best else None, "gist": _text(row.gist)}


def row_document(row: Candidate) -> Json:
    """One record of a list."""
    return {
        "runtime": row.locator.runtime,
        "root": shown(row.locator.root),
        "session_id": shown(row.locator.session_id),
        "path": row.locator.path,
        "title": _text(row.phrase),
        "project": _text(row.project),
        "branch": _text(row.branch),
        "kind": row.kind,
        "archived": row.archived,
        "gone": row.gone,
        "started": iso_time(row.started),
        "ended": iso_time(row.ended),
        "date": iso_time(row.date),
        "date_from": None if row.date is None else "file" if row.dated_by_file else "record",
        "score": round(row.score, 6),
        "fit": round(row.fit, 4),
        "matched_by": list(row.matched_by),
        "terms": [shown(t) for t in row.terms],
    }


def _searched(s: Searched) -> Json:
    return {
        "runtime": s.runtime,
        "root": shown(s.root),
        "records": s.records,
        "by_index": s.by_index,
        "by_head": s.by_head,
        "by_scan": s.by_scan,
        "unreadable": s.unreadable,
        "bytes_scanned": s.bytes_scanned,
    }


def recall_document(advances: Sequence[Advance], elapsed_ms: float) -> Json:
    """`recollect-recall-v1`: every round of a dialogue, and how it ended."""
    last = advances[-1]
    return {
        "schema": "recollect-recall-v1",
        "rounds": [_round(a.round) for a in advances if a.round is not None],
        "outcome": _outcome(last.outcome, last),
        "elapsed_ms": round(elapsed_ms, 1),
    }


def _round(r: Round) -> Json:
    return {
        "kind": r.kind.value,
        "cue": _cue(r.cue),
        "recognizable": None
        if r.recognizable is None
        else {
            "whole": r.recognizable.whole.value,
            "joins": r.recognizable.joins,
            "members": [_member(m) for m in r.recognizable.members],
        },
        "story": [_claim(c) for c in r.story],
        "excerpts": [_excerpt(e) for e in r.excerpts],
        "adjacent": [_adjacent(a) for a in r.adjacent],
        "qualifications": [_qualification(q) for q in r.qualifications],
        "question": _text(r.question),
        "expansion": _expansion(r.expansion),
        "searched": [_searched(s) for s in r.searched],
        "not_opened": [problem_document(p) for p in r.not_opened],
        "remarks": [shown(x) for x in r.remarks],
        "scanned": r.scanned,
    }


def _cue(cue: Cue) -> Json:
    return {
        "meant": shown(cue.meant),
        "whole": cue.whole.value,
        "axes": [{"kind": a.kind.value, "value": shown(a.value)} for a in cue.axes],
    }


def _member(m: Member) -> Json:
    return {
        "runtime": m.locator.runtime,
        "root": shown(m.locator.root),
        "session_id": shown(m.locator.session_id),
        "path": m.locator.path,
        "title": _text(m.gist),
        "project": _text(m.project),
        "branch": _text(m.branch),
        "handle": m.handle.command or None,
        "handle_note": _text(m.handle.note),
        "started": iso_time(m.started),
        "ended": iso_time(m.ended),
        "gone": m.gone,
        "fit": round(m.fit, 4),
    }


def _claim(c: Claim) -> Json:
    path, line = cited_place(c.path, c.line, c.quote)
    return {
        "text": shown(c.text),
        "speaker": c.speaker.value,
        "name": _text(c.name),
        "cite": {"path": path, "line": line, "turn": c.cite.turn, "quote": c.quote},
    }


def _excerpt(e: Excerpt) -> Json:
    return {
        "speaker": e.speaker.value,
        "name": _text(e.name),
        "at": iso_time(e.at),
        "text": shown(e.text),
        "path": cited_file(e.path),
        "line": e.line,
    }


def _adjacent(a: Adjacent) -> Json:
    return {
        "path": a.locator.path,
        "phrase": shown(a.phrase),
        "runtime": a.locator.runtime,
        "session_id": shown(a.locator.session_id),
        "project": _text(a.project),
        "at": iso_time(a.at),
    }


def _qualification(q: Qualification) -> Json:
    receipt = q.receipt
    return {
        "path": q.path,
        "finding": shown(q.finding),
        "reach": []
        if receipt is None
        else [{"extractor": e.value, "state": s.value} for e, s in sorted(receipt.reach.items())],
        "scan": None
        if receipt is None
        else {
            "skipped_lines": receipt.tally.skipped_lines,
            "unverified_person_turns": receipt.tally.unverified_person_turns,
            "omitted_chars": receipt.tally.omitted_chars,
        },
    }


def _expansion(x: Expansion | None) -> Json | None:
    if x is None:
        return None
    return {"reach": x.reach, "records": x.records, "bytes": x.bytes, "seconds": round(x.seconds, 2)}


def problem_document(p: ReadProblem) -> Json:
    """Why something could not be read."""
    return {"path": p.path, "line": p.line, "why": shown(p.what), "hint": _text(p.hint)}


def _outcome(outcome: Outcome, last: Advance) -> Json:
    kind, finding, by = "holding", None, None
    if isinstance(outcome, NotActivated):
        kind, finding = "not_activated", outcome.why
    elif isinstance(outcome, Identified):
        kind, by = "identified", _said(last, outcome.recalled.identified_by)
    elif isinstance(outcome, Stopped):
        kind, by = "stopped", _said(last, outcome.by)
    elif isinstance(outcome, Unresolved):
        kind, finding = "unresolved", outcome.finding
    elif not isinstance(outcome, Holding):
        raise TypeError(type(outcome).__name__)
    member = None
    if isinstance(outcome, Identified):
        member = _member(outcome.recalled.recognizable.members[0])
    return {
        "kind": kind,
        "identified_by": by if kind == "identified" else None,
        "stopped_by": by if kind == "stopped" else None,
        "recalled": member,
        "finding": _text(finding or ""),
    }


def _said(last: Advance, turn: int) -> Json:
    utterance = last.context[turn]
    return {"turn": turn, "text": shown(utterance.text if isinstance(utterance, Utterance | Response) else "")}


def turn_document(turn: Turn) -> Json:
    """One turn of a record."""
    return {
        "speaker": turn.origin.value,
        "channel": turn.channel.value,
        "name": _text(turn.name),
        "at": iso_time(turn.at),
        "line": turn.line,
        "copied": turn.copied,
        "text": shown(turn.text),
    }


def counted(rows: Iterable[Candidate]) -> dict[tuple[str, str], int]:
    """Records per runtime and root."""
    counts: dict[tuple[str, str], int] = {}
    for row in rows:
        key = (row.locator.runtime, row.locator.root)
        counts[key] = counts.get(key, 0) + 1
    return counts
