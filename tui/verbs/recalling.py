"""`recollect recall` and `recollect search`."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from core.errors import UsageError
from core.library import Library
from core.ports import IndexCondition
from core.recall.model import Advance, Holding, Identified, RoundKind, Scope, Utterance
from core.text import shown
from tui.compose import Options, bring_up_to_date, open_library, options_of, scope_of
from tui.output import ProgressLine, print_json, write_err, write_out

if TYPE_CHECKING:
    from core.records.sieve import Foreseen

NOT_KEPT = 75
"""The exit code where a claim waits in the spool."""
BATCH_SECONDS = 120.0
"""How long a batch of queries waits for meanings that were not read yet."""


def recall(parsed: argparse.Namespace) -> int:
    """Hold the dialogue: the cue, then each `--say`."""
    options = options_of(parsed)
    began = time.perf_counter()
    library = open_library(options)
    scope = scope_of(options)
    line = ProgressLine("Reading whole records")
    advances: list[Advance] = [first] if (first := _cold(library, " ".join(parsed.cue), scope)) else []
    if not advances:
        bring_up_to_date(library, quiet=options.json)
        advances = [library.start(" ".join(parsed.cue), scope, progress=line)]
    _say_meanings(library, advances[-1])
    if _mended(library, options):
        advances = [library.start(" ".join(parsed.cue), scope, progress=line)]
    for said in parsed.say:
        if not isinstance(advances[-1].outcome, Holding):
            write_err(f"The recall had ended before “{shown(said)}” was said.")
            break
        advances.append(library.say(advances[-1].context, Utterance(said), scope, progress=line))
    line.close()
    if options.json:
        from tui.machine import recall_document

        print_json(recall_document(advances, (time.perf_counter() - began) * 1000))
    else:
        from tui.plain import advance_lines

        for number, advance in enumerate(advances):
            if number:
                write_out("")
                write_out(f"> {shown(parsed.say[number - 1])}")
            for text in advance_lines(advance):
                write_out(text)
    last = advances[-1]
    if parsed.keep and not _kept(last):
        return NOT_KEPT
    found = isinstance(last.outcome, Identified) or (last.round is not None and last.round.kind is RoundKind.PRESENT)
    return 0 if found else 1


def _say_meanings(library: Library, first: Advance) -> None:
    """Where nothing was found and what records mean was not read yet, say that it can be: it alone reaches a record in
    another language, or in other words."""
    told = first.round
    if told is not None and told.kind is not RoundKind.PRESENT and library.meanings_pending():
        write_err(
            "hint: recollect index --meanings reads what records mean; other words and languages reach them then."
        )


def _cold(library: Library, cue: str, scope: Scope) -> Advance | None:
    """The first round without an index, where a name of the cue is found; `None` where the index is needed."""
    if not library.may_answer_cold(cue, scope):
        return None
    first = library.start(cue, scope)
    told = first.round
    if told is None or told.kind is not RoundKind.PRESENT or not any(s.by_scan for s in told.searched):
        return None
    write_err("There is no index yet: the conversations were read for the cue's names.")
    write_err("hint: recollect index builds it; with it, any words will do.")
    return first


def _kept(last: Advance) -> bool:
    """Keep the identified past; False where it waits in the spool. What became of it is said on stderr. Raises
    `UsageError` where nobody identified it."""
    from core.memory.recalled import claim_of_recall, told_of
    from tui.verbs.memory import open_memory

    if not isinstance(last.outcome, Identified):
        raise UsageError("Nothing was identified, so nothing is kept.", 'Close the recall: --say "that\'s it"')
    done = open_memory().keep([claim_of_recall(told_of(last.outcome.recalled), created_at=time.time())])
    if done.persisted:
        write_err(f"Kept in memory: {done.ids[0]}")
    else:
        write_err(f"recollect: {done.error}: {shown(done.why)}")
        write_err(f"hint: {shown(done.hint) or 'Run: recollect memory drain'}")
    return done.persisted


def search(parsed: argparse.Namespace, foreseen: Foreseen | None = None) -> int:
    """Candidates for one query, or for each line of stdin. `foreseen` was begun for the query."""
    try:
        return _search(parsed, options_of(parsed), foreseen)
    finally:
        if foreseen is not None:
            foreseen.sieve.close()


def _search(parsed: argparse.Namespace, options: Options, foreseen: Foreseen | None) -> int:
    if parsed.limit < 1:
        raise UsageError(f"--limit {parsed.limit}: a list has at least one row.", "Write --limit 10.")
    library = open_library(options)
    bring_up_to_date(library, quiet=options.json)
    stream = parsed.query == ["-"]
    queries = _lines() if stream else iter([" ".join(parsed.query)])
    if stream:
        # A batch is a script's: its answers should not depend on how far the background had come.
        library.deepen(seconds=BATCH_SECONDS)
    any_found = False
    for query in queries:
        any_found |= _search_one(library, query, parsed, options, foreseen)
    return 0 if any_found or stream else 1


def _mended(library: Library, options: Options) -> bool:
    """True if the search met a damaged index, which was built anew: it must be asked again."""
    if library.state().condition is not IndexCondition.DAMAGED:
        return False
    bring_up_to_date(library, quiet=options.json)
    return library.state().condition is not IndexCondition.DAMAGED


def _lines() -> Iterator[str]:
    """The lines of stdin, whatever bytes they hold; none where it is closed."""
    if sys.stdin is None:
        return
    raw = getattr(sys.stdin, "buffer", None)
    for line in raw if raw is not None else sys.stdin:
        text = line.decode("utf-8", "replace") if isinstance(line, bytes) else line
        yield text.rstrip("\r\n")


def _search_one(
    library: Library, query: str, parsed: argparse.Namespace, options: Options, foreseen: Foreseen | None
) -> bool:
    began = time.perf_counter()
    line = ProgressLine("Reading whole records")
    answer = library.search(query, scope_of(options), parsed.limit, wide=parsed.scan, progress=line, foreseen=foreseen)
    if _mended(library, options):
        answer = library.search(query, scope_of(options), parsed.limit, wide=parsed.scan, progress=line)
    line.close()
    if options.json:
        from tui.machine import search_document

        elapsed = (time.perf_counter() - began) * 1000
        print_json(search_document(query, answer, library.state(), elapsed))
    else:
        for hint in answer.hints:
            write_err(f"hint: {shown(hint)}")
        from tui.listing import hit_lines, terminal_width

        for rank, row in enumerate(answer.rows, 1):
            for text in hit_lines(rank, row, width=terminal_width(100)):
                write_out(text)
        if not answer.rows:
            from core.recall.wording import searched_words

            write_err(f"Nothing fits. {searched_words(answer.searched)}")
            if not parsed.scan:
                write_err("hint: recollect search --scan reads tool input and output too.")
    return bool(answer.rows)
