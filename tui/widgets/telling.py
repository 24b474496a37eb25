"""How the dialogue is told: each entry as paragraphs. Free of Textual, so that it can be read in a test as plain text.

All words of records, paths and problems go through `core.text` here.
"""

from __future__ import annotations

from collections.abc import Iterator

from core.ports import Reach, Receipt
from core.recall.attribution import writer
from core.recall.model import (
    Adjacent,
    Claim,
    Expansion,
    Identified,
    Member,
    NotActivated,
    Qualification,
    RecalledContext,
    Recognizable,
    Round,
    Searched,
    Stopped,
    Unresolved,
    WholeKind,
    going_on,
)
from core.recall.remarks import of_the_fit
from core.recall.wording import record_words
from core.records.model import ReadProblem
from core.text import one_line, shown
from tui.keys import key_for
from tui.widgets.entries import Entry, Remark, Said, Told
from tui.widgets.pieces import Paragraph, Piece
from tui.widgets.wording import (
    count,
    describe_problem,
    duration,
    home_command,
    home_path,
    long_date,
    moment,
    runtime_label,
    short_path,
    size,
    speaker,
)

NOT_PROOF = "It took place; whether it still holds is not shown here."
LETTERS = "abcde"
"""Keys that open the candidates named beside a story."""
_ENDS = ".!?…。！？"
"""What a sentence ends with."""


def tell(entries: tuple[Entry, ...], unfolded: frozenset[str]) -> list[Paragraph]:
    """The whole dialogue. Refs name the entry by its number: `claim:3:1`, `adjacent:3:0`, `fold:searched:3`."""
    paragraphs: list[Paragraph] = []
    for number, entry in enumerate(entries):
        if number:
            paragraphs.append(Paragraph(ref=f"gap:{number}"))
        paragraphs.extend(tell_entry(entry, number, unfolded))
    return paragraphs


def tell_entry(entry: Entry, number: int, unfolded: frozenset[str]) -> Iterator[Paragraph]:
    """One entry of the dialogue."""
    ref = f"entry:{number}"
    if isinstance(entry, Said):
        pressed = (Piece(f"  {entry.key}", "dim"),) if entry.key else ()
        yield Paragraph((Piece("you   ", "you"), Piece(shown(entry.text)), *pressed), hang=6, ref=ref)
    elif isinstance(entry, Remark):
        yield Paragraph((Piece(shown(entry.text)),), ref=ref)
        if entry.hint:
            yield _plain(f"hint: {shown(entry.hint)}", "dim")
    elif entry.round is not None:
        yield from _tell_round(entry.round, number, unfolded)
    else:
        yield from _tell_outcome(entry, number)


def _plain(text: str, style: str = "") -> Paragraph:
    return Paragraph((Piece(text, style),), hang=2)


def _tell_round(round_: Round, number: int, unfolded: frozenset[str]) -> Iterator[Paragraph]:
    told = round_.recognizable is not None and bool(round_.story)
    for remark in (r for r in round_.remarks if told and of_the_fit(r)):
        yield _plain(f"Note: {one_line(remark)}", "warn")
    if round_.recognizable is not None and round_.story:
        yield from _tell_recognizable(round_.recognizable, round_.story, number)
        yield from _qualifications(round_.qualifications)
        yield _plain(NOT_PROOF, "dim")
        yield from _handles(round_.recognizable)
        yield from _adjacent(round_.adjacent, number)
    for remark in (r for r in round_.remarks if r not in round_.cue.hints and not (told and of_the_fit(r))):
        yield _plain(f"Note: {one_line(remark)}")
    for hint in round_.cue.hints:
        yield _plain(f"hint: {one_line(hint)}", "dim")
    yield from _not_opened(round_.not_opened)
    if round_.question:
        yield _plain(one_line(round_.question), "strong")
    if round_.expansion is not None:
        yield from _offer(round_.expansion, answered_by_keys=not round_.story)
    if round_.story and f"fold:sources:{number}" in unfolded:
        yield from _sources(round_)
    yield from _searched(round_, number, unfolded)


def _tell_recognizable(what: Recognizable, story: tuple[Claim, ...], number: int) -> Iterator[Paragraph]:
    yield Paragraph((Piece(headline(what), "strong"),), hang=2, ref=f"entry:{number}")
    if what.joins and len(what.members) > 1:
        yield _plain(f"Tied together: {one_line(what.joins)}", "dim")
    pieces: list[Piece] = []
    for n, claim in enumerate(story, 1):
        sentence = one_line(claim.text)
        ended = sentence[-1:] in _ENDS or (sentence[-1:] in '”"»' and sentence[-2:-1] in _ENDS)
        lead = " " if pieces else ""
        pieces += [Piece(f"{lead}{sentence}{'' if ended else '.'} "), Piece(f"[{n}]", "marker", f"claim:{number}:{n}")]
    yield Paragraph(tuple(pieces))
    if len(what.members) > 1:
        yield from _members(what)


def headline(what: Recognizable) -> str:
    """`One conversation, Claude Code, payments, Tue 12 Mar 2026`."""
    members = what.members
    names = {
        WholeKind.SESSION: record_words(members[0].locator),
        WholeKind.LINE: "One line of work",
        WholeKind.TOPIC: "One topic",
        WholeKind.CONCEPT: "One concept",
    }
    parts = [names[what.whole]]
    if len(members) > 1:
        parts.append(count(len(members), "record"))
    parts.append(" and ".join(_distinct(runtime_label(m.locator.runtime) for m in members)))
    parts.append(" and ".join(_distinct(one_line(m.project.rstrip("/").rpartition("/")[2]) for m in members)[:3]))
    starts = sorted(m.started for m in members if m.started is not None)
    days = _distinct(long_date(at) for at in (starts[:1] + starts[-1:]))
    parts.append(" to ".join(days) if days else "date not recorded")
    if len(members) == 1:
        parts.append(f"its file is of {long_date(members[0].written)}" if members[0].written is not None else "")
        parts.append("its file is gone" if members[0].gone else "")
    return ", ".join(part for part in parts if part)


def _distinct(values: Iterator[str]) -> list[str]:
    return [value for value in dict.fromkeys(values) if value]


def _qualifications(found: tuple[Qualification, ...]) -> Iterator[Paragraph]:
    words = _distinct(describe_capture(q) for q in found)
    if not words:
        yield _plain("How it was captured is not known: the index holds no receipt of it.", "dim")
    for text in words[:4]:
        yield _plain(text, "dim")


def describe_capture(what: Qualification) -> str:
    """What the capture evidence says about one record, in words."""
    if what.finding:
        return one_line(what.finding)
    if what.receipt is None:
        return "How it was captured is not known: the index holds no receipt of it."
    return " · ".join(_receipt_words(what.receipt))


def _receipt_words(receipt: Receipt) -> Iterator[str]:
    tally = receipt.tally
    failed = [step for step, reach in receipt.reach.items() if reach not in (Reach.SUCCEEDED, Reach.EMPTY)]
    if failed:
        yield "Captured in part: " + ", ".join(f"{step} {receipt.reach[step]}" for step in failed)
    elif receipt.reach:
        yield "Captured whole"
    else:
        yield "How far it was captured is not known"
    if tally.skipped_lines:
        yield count(tally.skipped_lines, "line") + " did not parse"
    if tally.unverified_person_turns:
        yield "the speaker of " + count(tally.unverified_person_turns, "turn") + " could not be verified"
    if tally.omitted_chars:
        yield count(tally.omitted_chars, "character") + " left out"


def _handles(what: Recognizable) -> Iterator[Paragraph]:
    """The command to go on with: the record's, or that of the newest record of a whole."""
    handle = going_on(what.members).handle
    if handle.command:
        yield Paragraph((Piece("$ ", "dim"), Piece(home_command(handle.command), "code")), hang=2)
    if handle.note:
        yield _plain(one_line(handle.note), "dim")


def _members(what: Recognizable) -> Iterator[Paragraph]:
    """The records of a whole in the order of time, one line each: day, what differs between them, what it is called."""
    projects = [one_line(m.project.rstrip("/").rpartition("/")[2], 18) for m in what.members]
    runtimes = [runtime_label(m.locator.runtime) for m in what.members]
    for number, member in enumerate(what.members):
        day = long_date(member.started)[4:] if member.started is not None else "no date"
        differing = [values[number] for values in (projects, runtimes) if len(set(values)) > 1]
        facts = " · ".join(part for part in (f"{day:>11}", *differing) if part)
        lead = f"{number + 1:>3}  {facts}  "
        room = max(20, 74 - len(lead))
        yield Paragraph((Piece(lead.replace(" ", "\u00a0"), "dim"), Piece(one_line(member.gist, room))), hang=5)


def _adjacent(others: tuple[Adjacent, ...], number: int) -> Iterator[Paragraph]:
    for n, other in enumerate(others[: len(LETTERS)]):
        lead = "Near it  " if n == 0 else "         "
        project = one_line(other.project.rstrip("/").rpartition("/")[2], 20)
        facts = " · ".join(part for part in (project, long_date(other.at)[4:]) if part)
        ref = f"adjacent:{number}:{n}"
        pieces = (
            Piece(lead, "dim"),
            Piece(f"{LETTERS[n]} ", "key", ref),
            Piece(one_line(other.phrase, 44), "", ref),
            Piece("  "),
            Piece(facts.replace(" ", "\u00a0"), "dim"),  # wraps as a whole, never within the date
        )
        yield Paragraph(pieces, hang=11)


def _offer(what: Expansion, *, answered_by_keys: bool) -> Iterator[Paragraph]:
    time = f"{'about ' if what.seconds >= 1 else ''}{duration(what.seconds)}"
    cost = f"{count(what.records, 'record')}, {size(what.bytes)}, {time}"
    yield _plain(f"A wider search is possible. {one_line(what.reach)}: {cost}.")
    if not answered_by_keys:
        yield _plain("Say “search wider” to have that done.", "dim")
        return
    yield Paragraph(
        (
            Piece("Search wider? ", "strong"),
            Piece(key_for("yes"), "key", "do:yes"),
            Piece(" searches, more words narrow it, "),
            Piece(key_for("no"), "key", "do:no"),
            Piece(" stops here."),
        )
    )


def _not_opened(problems: tuple[ReadProblem, ...]) -> Iterator[Paragraph]:
    if not problems:
        return
    yield _plain(f"{count(len(problems), 'record')} did not open:", "warn")
    for problem in problems[:5]:
        yield Paragraph((Piece(describe_problem(problem)),), indent=2, hang=2)
    if len(problems) > 5:
        yield Paragraph((Piece(f"and {len(problems) - 5} more", "dim"),), indent=2)


def _sources(round_: Round) -> Iterator[Paragraph]:
    for n, excerpt in enumerate(round_.excerpts[: len(round_.story)], 1):
        facts = " · ".join(
            part
            for part in (
                writer(excerpt.name, excerpt.path) or speaker(excerpt.speaker, excerpt.name),
                moment(excerpt.at),
                f"{short_path(excerpt.path)}:{excerpt.line}",
            )
            if part
        )
        yield Paragraph((Piece(f"[{n}] ", "marker"), Piece(facts, "dim")), hang=4)
        yield Paragraph((Piece(one_line(excerpt.text, 240)),), indent=4)


def _searched(round_: Round, number: int, unfolded: frozenset[str]) -> Iterator[Paragraph]:
    ref = f"fold:searched:{number}"
    opened = ref in unfolded
    total = sum(place.records for place in round_.searched)
    if not round_.searched:
        return
    whole = sum(place.by_scan for place in round_.searched)
    how = "" if not round_.scanned else " and their whole bodies" if whole >= total else f", {whole:,} of them whole,"
    line = f"Searched {count(total, 'record')}{how} in {count(len(round_.searched), 'place')}"
    keys = [Piece(f"{'▾' if opened else '▸'} {line}", "dim", ref)]
    if round_.story:
        sources = f"fold:sources:{number}"
        mark = "▾" if sources in unfolded else "▸"
        keys += [Piece("   "), Piece(f"{mark} {count(len(round_.story), 'source')}", "dim", sources)]
    yield Paragraph(tuple(keys), hang=2)
    if opened:
        for place in round_.searched:
            yield Paragraph((Piece(describe_place(place), "dim"),), indent=2, hang=2)


def describe_place(place: Searched) -> str:
    """Where a pass looked in one root, and how."""
    ways = [
        f"{number:,} {way}"
        for number, way in (
            (place.by_index, "by index"),
            (place.by_head, "by head"),
            (place.by_scan, "by whole body"),
            (place.unreadable, "did not open"),
        )
        if number
    ]
    name = f"{runtime_label(place.runtime)} {home_path(place.root)}"
    return f"{name}: {count(place.records, 'record')}" + (f", {', '.join(ways)}" if ways else "")


def _tell_outcome(entry: Told, number: int) -> Iterator[Paragraph]:
    outcome, ref = entry.outcome, f"entry:{number}"
    if isinstance(outcome, Identified):
        yield from _tell_identified(outcome.recalled, entry, ref)
    elif isinstance(outcome, Stopped):
        yield Paragraph((Piece("Stopped here. Nothing was identified."),), ref=ref)
        yield _plain("Type to begin again.", "dim")
    elif isinstance(outcome, Unresolved):
        yield Paragraph((Piece("Not found in what could be searched.", "strong"),), ref=ref)
        yield _plain(one_line(outcome.finding))
        yield from _not_opened(outcome.not_opened)
        for place in outcome.searched:
            yield Paragraph((Piece(describe_place(place), "dim"),), indent=2, hang=2)
        yield _plain(f"Type other words to begin again, or widen the scope with {key_for('scope')}.", "dim")
    elif isinstance(outcome, NotActivated):
        yield Paragraph((Piece(one_line(outcome.why)),), ref=ref)


def _tell_identified(recalled: RecalledContext, told: Told, ref: str) -> Iterator[Paragraph]:
    member: Member = recalled.recognizable.members[0]
    name = one_line(member.title or member.gist, 70)
    lead = "✓ Identified" + (f": {name}" if name else "")
    yield Paragraph((Piece(lead, "good"),), hang=2, ref=ref)
    if told.key:
        yield _plain(f"by you ({told.key})")
    elif told.identifying:
        yield _plain(f"by your words “{one_line(told.identifying, 120)}”")
    yield Paragraph(
        (
            Piece(key_for("resume"), "key", "do:resume"),
            Piece(" resume   "),
            Piece(key_for("copy-command"), "key", "do:copy-command"),
            Piece(" copy the command   "),
            Piece(key_for("export-md"), "key", "do:export-md"),
            Piece(" export Markdown   "),
            Piece(key_for("export-json"), "key", "do:export-json"),
            Piece(" JSON"),
        )
    )
    yield _plain("Type to recall something else.", "dim")
