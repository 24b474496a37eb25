"""The dialogue as plain lines, for pipes, dumb terminals and screen readers: not one escape byte.

The same core drives it as the app. Markers `[1]` lead to numbered excerpts; a number typed at the prompt opens a
candidate, everything else is the person's next turn.
"""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Callable
from datetime import datetime

from core.library import Library
from core.recall.attribution import writer
from core.recall.export import speaker_name
from core.recall.handles import runtime_name
from core.recall.model import (
    Advance,
    Context,
    Excerpt,
    Identified,
    Member,
    NotActivated,
    Outcome,
    Recognizable,
    Round,
    RoundKind,
    Scope,
    Stopped,
    Unresolved,
    Utterance,
    going_on,
)
from core.recall.wording import expansion_words, record_words, searched_words, whole_words
from core.records.recordfile import cited_file
from core.text import one_line, shown
from tui.output import write_out

WIDTH = 78
STANDS = "It took place; whether it still holds is not shown here."


def local_time(at: float | None, *, clock: bool = True) -> str:
    """A time in the person's zone, in words; `unknown date` where the record does not say."""
    if at is None:
        return "unknown date"
    try:
        when = datetime.fromtimestamp(at).astimezone()
    except (OverflowError, OSError, ValueError):
        return "unknown date"
    return when.strftime("%a %-d %b %Y %H:%M" if clock else "%a %-d %b %Y")


def member_line(member: Member) -> str:
    """What was found, in one line: whole, runtime, project, day."""
    project = one_line(member.project.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1]) or "no project recorded"
    day = local_time(member.started, clock=False)
    if member.written is not None:
        day += f" (its file is of {local_time(member.written, clock=False)})"
    return f"{record_words(member.locator)}, {runtime_name(member.locator.runtime)}, {project}, {day}: {member.gist}"


def round_lines(round_: Round) -> list[str]:
    """A round as lines."""
    if round_.kind is RoundKind.PRESENT and round_.recognizable is not None:
        return _present(round_, round_.recognizable)
    lines = [f"Note: {shown(r)}" for r in round_.remarks]
    if round_.kind is RoundKind.ASK:
        lines.append(shown(round_.question))
    if round_.expansion is not None:
        lines.append(f"A wider search is possible. {expansion_words(round_.expansion)}")
        lines.append("Say “search wider” to run it, add what else you remember, or say “stop”.")
    lines.append(searched_words(round_.searched))
    lines += _unopened(round_)
    return _wrapped(lines)


def _members(recognizable: Recognizable) -> list[str]:
    """The members of a whole, each with its day and its command."""
    lines = [whole_words(recognizable)]
    for number, member in enumerate(recognizable.members, 1):
        project = one_line(member.project.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1]) or "no project recorded"
        day = local_time(member.started, clock=False)
        lines.append(f"  ({number}) {day}, {runtime_name(member.locator.runtime)}, {project}: {member.gist}")
    return lines


def _resuming(recognizable: Recognizable) -> list[str]:
    """How to go on: with the record, or with the newest one of a whole."""
    member = going_on(recognizable.members)
    lines = [f"Resume: {shown(member.handle.command)}"] if member.handle.command else []
    if member.handle.note:
        lines.append(f"About resuming: {shown(member.handle.note)}")
    return lines


def _present(round_: Round, recognizable: Recognizable) -> list[str]:
    alone = len(recognizable.members) == 1
    lines = [member_line(recognizable.members[0])] if alone else _members(recognizable)[:1]
    lines += [f"Note: {shown(r)}" for r in round_.remarks]
    story = " ".join(f"{shown(c.text)} [{n}]" for n, c in enumerate(round_.story, 1))
    lines += ["", story, ""]
    if not alone:
        lines += [*_members(recognizable)[1:], ""]
    lines += dict.fromkeys(f"Capture: {shown(q.finding)}" for q in round_.qualifications)
    lines += _unopened(round_)
    lines.append(STANDS)
    lines += _resuming(recognizable)
    if round_.expansion is not None:
        lines.append(f"A wider search is possible. {expansion_words(round_.expansion)} Say “search wider” to run it.")
    lines.append("")
    body = _wrapped(lines)
    for number, excerpt in enumerate(round_.excerpts, 1):
        body += _excerpt(number, excerpt)
    if round_.adjacent:
        body += ["", "Other candidates:"]
        for number, other in enumerate(round_.adjacent, 2):
            day = local_time(other.at, clock=False)
            body += _wrapped(
                [f"  {number}. {other.phrase} ({runtime_name(other.locator.runtime)}, {day})"], indent="     "
            )
    return body


def _excerpt(number: int, excerpt: Excerpt) -> list[str]:
    head = (
        f"[{number}] {writer(excerpt.name, excerpt.path) or speaker_name(excerpt.speaker)}, {local_time(excerpt.at)}, "
        f"{one_line(cited_file(excerpt.path))}:{excerpt.line}"
    )
    text = shown(excerpt.text).strip().splitlines()
    shown_lines = [line for line in text if line.strip()][:4]
    lines = _wrapped([head], indent="    ")
    for line in shown_lines:
        lines += textwrap.wrap(line.strip(), WIDTH - 4, initial_indent="    ", subsequent_indent="    ")[:4] or [""]
    if len(text) > len(shown_lines):
        lines.append("    …")
    return lines


def _unopened(round_: Round) -> list[str]:
    return [f"Not opened: {one_line(p.path)}: {shown(p.what)}" for p in round_.not_opened[:5]]


def outcome_lines(outcome: Outcome) -> list[str]:
    """How a recall ended, as lines; empty while it goes on."""
    if isinstance(outcome, Identified):
        recognizable = outcome.recalled.recognizable
        alone = len(recognizable.members) == 1
        lines = [f"Identified: {recognizable.members[0].gist}"] if alone else _members(recognizable)
        if not alone:
            lines[0] = f"Identified: {lines[0]}"
        lines += _resuming(recognizable)
        return [*lines, *(f"Record: {one_line(m.locator.path)}" for m in recognizable.members)]
    if isinstance(outcome, Stopped):
        return ["Stopped. Nothing was identified."]
    if isinstance(outcome, Unresolved):
        return _wrapped([shown(outcome.finding)])
    if isinstance(outcome, NotActivated):
        return _wrapped([shown(outcome.why)])
    return []


def _wrapped(lines: list[str], indent: str = "  ") -> list[str]:
    out: list[str] = []
    for line in lines:
        if line.startswith("Resume: "):
            out.append(line)
            continue
        out += textwrap.wrap(line, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False) or [
            ""
        ]
    return out


def advance_lines(advance: Advance) -> list[str]:
    """What one step of the dialogue says."""
    lines = round_lines(advance.round) if advance.round is not None else []
    return lines + outcome_lines(advance.outcome)


def converse(
    library: Library,
    cue: str,
    scope: Scope,
    *,
    ask: Callable[[str], str | None],
    write: Callable[[str], None] = write_out,
) -> Advance:
    """Hold the dialogue line by line. `ask` shows a prompt and returns the person's line, `None` at its end."""
    context: Context = ()
    advance = library.start(cue, scope)
    while True:
        for line in advance_lines(advance):
            write(line)
        context = advance.context
        if isinstance(advance.outcome, Identified | Stopped | Unresolved | NotActivated):
            return advance
        said = ask("> ")
        if said is None:
            return advance
        advance = library.say(context, Utterance(said), scope)


def read_line(prompt: str) -> str | None:
    """Read one line from the person; `None` at the end of input."""
    sys.stdout.write(prompt)
    sys.stdout.flush()
    line = sys.stdin.readline()
    return line.rstrip("\n") if line else None
