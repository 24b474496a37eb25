"""A record as a document: Markdown, JSON or HTML, its text printable and masked, with the count of what was masked."""

from __future__ import annotations

import html
import json
from collections.abc import Iterable

from core.frozen import dataclass
from core.ports import Entry
from core.recall.handles import runtime_name
from core.recall.wording import gist, iso_time
from core.records.model import Channel, Origin, Turn
from core.text import mask, one_line, printable

FORMS = ("md", "json", "html")

_SPEAKERS = {
    Origin.PERSON: "You",
    Origin.ASSISTANT: "Assistant",
    Origin.EXTERNAL: "Tool",
    Origin.PEER: "Another agent",
    Origin.INJECTED: "Runtime",
    Origin.UNKNOWN: "Unknown speaker",
}


@dataclass(frozen=True, slots=True)
class Exported:
    """A document, and what was masked in it."""

    text: str
    masked: tuple[tuple[int, int], ...]
    """Per turn with secrets: its line in the record, and how many were masked."""


def speaker_name(origin: Origin) -> str:
    """How a speaker is called."""
    return _SPEAKERS[origin]


def speaker_of(turn: Turn) -> str:
    """Who speaks in a turn, with the record's own name. A commit's or a note's text is nobody's turn: its name alone."""
    name = one_line(turn.name, 60)
    if turn.origin is Origin.EXTERNAL and turn.channel is Channel.TALK and name:
        return name
    return f"{_SPEAKERS[turn.origin]} ({name})" if name else _SPEAKERS[turn.origin]


def export_record(entry: Entry, turns: Iterable[Turn], form: str) -> Exported:
    """Write a record out. `form` is one of `FORMS`; raises `ValueError` for another."""
    if form not in FORMS:
        raise ValueError(f"{form!r} is no form of export; known: {', '.join(FORMS)}")
    masked: list[tuple[int, int]] = []
    rows: list[tuple[Turn, str]] = []
    for turn in turns:
        if not turn.text.strip():
            continue
        clean = mask(printable(turn.text))
        if clean.count:
            masked.append((turn.line, clean.count))
        rows.append((turn, clean.text))
    write = {"md": _markdown, "json": _json, "html": _html}[form]
    return Exported(write(entry, rows), tuple(masked))


def _head(entry: Entry) -> dict[str, str | None]:
    """What is known of the record. Its runtime is an id here, as in every document; prose calls it by its name."""
    spine, source = entry.spine, entry.source
    return {
        "runtime": source.runtime,
        "session_id": one_line(spine.session_id or source.session_id),
        "project": one_line(spine.project) or None,
        "branch": one_line(spine.branch) or None,
        "started": iso_time(spine.started),
        "ended": iso_time(spine.ended),
        "record": one_line(source.path),
    }


def _told_head(entry: Entry) -> list[tuple[str, str]]:
    """The same for people to read: each fact that is known, by its name."""
    facts = {**_head(entry), "runtime": runtime_name(entry.source.runtime)}
    return [(key.replace("_", " "), value) for key, value in facts.items() if value]


def _markdown(entry: Entry, rows: list[tuple[Turn, str]]) -> str:
    lines = [f"# {gist(entry)}", ""]
    lines += [f"- {key}: {value}" for key, value in _told_head(entry)]
    for turn, text in rows:
        kind = "" if turn.channel is Channel.TALK else f", {turn.channel.value}"
        at = iso_time(turn.at)
        lines += ["", f"## {speaker_of(turn)}{kind} · line {turn.line}" + (f" · {at}" if at else ""), ""]
        lines += _fenced(text) if turn.channel in (Channel.CALL, Channel.RESULT) else [text]
    return "\n".join(lines) + "\n"


def _fenced(text: str) -> list[str]:
    """Text in a fence that is longer than any in it."""
    longest = run = 0
    for char in text:
        run = run + 1 if char == "`" else 0
        longest = max(longest, run)
    fence = "`" * max(3, longest + 1)
    return [fence, text, fence]


def _json(entry: Entry, rows: list[tuple[Turn, str]]) -> str:
    turns = [
        {
            "speaker": turn.origin.value,
            "channel": turn.channel.value,
            "name": one_line(turn.name) or None,
            "at": iso_time(turn.at),
            "line": turn.line,
            "text": text,
        }
        for turn, text in rows
    ]
    document = {"schema": "recollect-export-v1", "title": gist(entry), **_head(entry), "turns": turns}
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem}"
    "article{border-left:3px solid #999;padding:0 0 0 1rem;margin:1.5rem 0}article.person{border-color:#0a6}"
    "h2{font-size:1rem;margin:0}pre{white-space:pre-wrap;overflow-wrap:anywhere;font:inherit}"
    ".call pre,.result pre{font:14px/1.4 ui-monospace,monospace}"
)


def _html(entry: Entry, rows: list[tuple[Turn, str]]) -> str:
    title = html.escape(gist(entry))
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">",
        f"<title>{title}</title><style>{_STYLE}</style></head><body>",
        f"<h1>{title}</h1><ul>",
    ]
    parts += [f"<li>{key}: {html.escape(value)}</li>" for key, value in _told_head(entry)]
    parts.append("</ul>")
    for turn, text in rows:
        at = iso_time(turn.at)
        when = f" · {at}" if at else ""
        parts.append(
            f'<article class="{turn.origin.value} {turn.channel.value}"><h2>{html.escape(speaker_of(turn))} · line '
            f"{turn.line}{when}</h2><pre>{html.escape(text)}</pre></article>"
        )
    return "\n".join([*parts, "</body></html>"]) + "\n"
