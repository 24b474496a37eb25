"""A made-up port for the screens: a few sessions, answers that follow the contract, every call recorded."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace

from core.candidates import Candidate, Candidates
from core.ports import Extractor, IndexCondition, IndexState, Passage, Progress, ProgressCall, Query, Reach, Receipt
from core.recall.model import (
    Adjacent,
    Advance,
    Cite,
    Claim,
    Context,
    Cue,
    Evidence,
    Excerpt,
    Expansion,
    Handle,
    Holding,
    Identified,
    Member,
    NotActivated,
    Qualification,
    RecalledContext,
    Recognizable,
    Response,
    Round,
    RoundKind,
    Scope,
    Searched,
    Stopped,
    Unresolved,
    Utterance,
    WholeKind,
)
from core.records.model import Channel, Locator, Origin, ReadProblem, Tally, Turn

NOW = 1_773_600_000.0
"""15 Mar 2026 18:40 UTC."""
DAY = 86_400.0
ROOT = "/home/ada/.claude"


def locator(number: int, runtime: str = "claude") -> Locator:
    root = "/home/ada/.codex" if runtime == "codex" else ROOT
    ident = f"3f2a9c{number:02d}-1111-4222-8333-444455556666"
    return Locator(runtime, root, ident, f"{root}/projects/payments/{ident}.jsonl")


TITLES = (
    ("retry budget for the payment client", "payments", "claude", "feat/retry-budget"),
    ("backoff in the webhook consumer", "webhooks", "claude", "main"),
    ("flaky retry tests", "payments", "codex", ""),
    ("支払いクライアントの再試行を止める", "payments", "claude", "main"),
    ("why does the importer time out on large files", "importer", "claude", "fix/timeouts"),
    ("drop the cache in front of the price table", "prices", "codex", ""),
    ("release notes for 2.4", "payments", "claude", "release/2.4"),
    ("rename Account to Ledger everywhere", "ledger", "claude", "ledger"),
)


def candidate(number: int) -> Candidate:
    phrase, project, runtime, branch = TITLES[number % len(TITLES)]
    at = NOW - (number + 0.2) * DAY * (1 if number < 4 else 40)
    line = 12 + number
    passage = Passage(line, line * 100, line * 100 + 90, Origin.PERSON, at, 3.0, ("retry",))
    where = locator(number, runtime)
    return Candidate(where, phrase, project, branch, at - 3600, at, passages=(passage,), terms=("retri", "budget"))


PROPOSAL = """It can. I'd propose exponential backoff with full jitter:

```python
delay = min(cap, base * 2 ** attempt)
```

That spreads the load when many clients wake at once."""
LINES = (
    (Origin.PERSON, Channel.TALK, "The payment client retries forever when the gateway is down. Can we stop that?", ""),
    (Origin.ASSISTANT, Channel.TALK, PROPOSAL, ""),
    (Origin.PERSON, Channel.TALK, "I'd rather have a retry budget than a backoff. Three a minute, then fail.", ""),
    (Origin.ASSISTANT, Channel.CALL, "pytest -q tests/test_client.py", "Bash"),
    (Origin.EXTERNAL, Channel.RESULT, "\n".join(f"tests/test_client.py::test_{n} PASSED" for n in range(40)), "Bash"),
    (Origin.ASSISTANT, Channel.TALK, "The budget is merged. One test is still red: `test_gateway_down`.", ""),
)  # fmt: skip


def turn(index: int) -> Turn:
    origin, channel, text, name = LINES[index % len(LINES)]
    at = NOW - 3 * DAY + index * 65
    return Turn(origin, channel, text, at, index + 1, index * 100, index * 100 + 99, name=name, uid=f"u{index}")


def member(number: int) -> Member:
    phrase, project, runtime, branch = TITLES[number % len(TITLES)]
    where = locator(number, runtime)
    command = f"cd ~/code/{project} && claude --resume {where.session_id}"
    handle = Handle(command, ("claude", "--resume", where.session_id), "/", (), "")
    return Member(where, phrase, handle, phrase, f"/home/ada/code/{project}", branch, NOW - 3 * DAY, NOW)


STORY = (
    ("You set out to stop the payment client from retrying forever.", 0, Origin.PERSON),
    ("The assistant proposed exponential backoff with full jitter.", 1, Origin.ASSISTANT),
    ("You asked for a retry budget instead, three per minute.", 2, Origin.PERSON),
    ("It ended with the budget merged and one test still red.", 5, Origin.ASSISTANT),
)


def story_round(number: int = 0) -> Round:
    who = member(number)
    claims, excerpts = [], []
    for text, index, origin in STORY:
        said = turn(index)
        claims.append(
            Claim(text, origin, Cite(1, Origin.EXTERNAL), who.locator.path, said.line, said.text.split("\n")[0])
        )
        at = said.text.find("retr")
        spans = ((at, at + 5),) if at >= 0 else ()
        excerpts.append(Excerpt(origin, "", said.at, said.text, who.locator.path, said.line, said.start, spans))
    receipt = Receipt(9000, 1, {Extractor.TALK: Reach.SUCCEEDED}, Tally(lines=400, skipped_lines=2, turns=300))
    return Round(
        RoundKind.PRESENT,
        cue(),
        Recognizable(WholeKind.SESSION, (who,)),
        tuple(claims),
        tuple(excerpts),
        (
            Adjacent(locator(1), "backoff in the webhook consumer", "webhooks", NOW - 9 * DAY),
            Adjacent(locator(2, "codex"), "flaky retry tests", "payments", NOW - 12 * DAY),
        ),
        (Qualification(who.locator.path, "", receipt),),
        searched=SEARCHED,
    )


SEARCHED = (
    Searched("claude", ROOT, 1325, 1290, 35),
    Searched("codex", "/home/ada/.codex", 675, 675, 0, 0, 1),
)


def cue() -> Cue:
    return Cue("retries", WholeKind.SESSION, (), Query())


def offer_round() -> Round:
    return Round(
        RoundKind.OFFER,
        cue(),
        question="",
        expansion=Expansion("the whole bodies of all records, tool output included", 2000, 210_000_000, 9.0, (ROOT,)),
        searched=SEARCHED,
        not_opened=(ReadProblem(f"{ROOT}/projects/x/1.jsonl", None, "permission denied", "check its mode"),),
    )


def ask_round() -> Round:
    return Round(
        RoundKind.ASK, cue(), question="What else do you remember: a file, a person, about when?", searched=SEARCHED
    )


class FakePort:
    """Answers by the words it is given: `nothing` asks, `wider` offers, `that's it` identifies, and so on."""

    def __init__(self, rows: int = 8, turns: int = 200) -> None:
        self.rows = tuple(candidate(n) for n in range(rows))
        self.turns = tuple(turn(n) for n in range(turns))
        self.first: tuple[Candidate, ...] = ()
        """What an app shows before anything was looked at."""
        self.calls: list[tuple[str, object]] = []
        self.searching = threading.Event()
        self.release = threading.Event()
        self.release.set()
        self.roots_found: tuple[Searched, ...] = SEARCHED
        self.index = IndexState(IndexCondition.CURRENT, 2000)
        self.hints: tuple[str, ...] = ()
        self.round = story_round()
        self.handle_found = member(0).handle
        self.exported = "# retry budget\n"

    def newest(self) -> tuple[Candidate, ...]:
        return self.first

    def candidates(self, text: str, scope: Scope, limit: int = 50) -> Candidates:
        self.calls.append(("candidates", (text, scope.label)))
        self.searching.set()
        self.release.wait(10)
        if "boom" in text:
            raise KeyError("SECRET SESSION TEXT")
        words = [word[:4] for word in text.lower().split() if ":" not in word]
        rows = [row for row in self.rows if not words or any(word in row.phrase.lower() for word in words)]
        return Candidates(tuple(rows[:limit]), self.index.condition, self.hints)

    def start(
        self,
        cue: str,
        scope: Scope,
        *,
        progress: ProgressCall | None = None,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> Advance:
        self.calls.append(("start", cue))
        if "boom" in cue:
            raise KeyError("SECRET SESSION TEXT")
        if cue == "silence":
            return Advance((), None, NotActivated("Nothing was asked."))
        return self._answer((Utterance(cue),), cue, progress, cancelled)

    def say(
        self,
        context: Context,
        utterance: Utterance,
        scope: Scope,
        *,
        progress: ProgressCall | None = None,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> Advance:
        self.calls.append(("say", utterance))
        longer = (*context, utterance)
        if utterance.text == "that's it":
            shown = self.round
            assert shown.recognizable is not None
            recalled = RecalledContext(
                shown.recognizable, shown.story, shown.excerpts, shown.qualifications, SEARCHED, len(longer) - 1
            )
            return Advance(longer, None, Identified(recalled))
        if utterance.text in ("stop here", "stop"):
            return Advance(longer, None, Stopped(len(longer) - 1))
        if utterance.text == "no more":
            return Advance(longer, None, Unresolved("Nothing of what was searched fits.", SEARCHED))
        return self._answer(longer, utterance.text, progress, cancelled)

    def _answer(
        self, context: Context, words: str, progress: ProgressCall | None, cancelled: Callable[[], bool]
    ) -> Advance:
        shown = self.round
        if "slow" in words or words == "yes, search wider":
            for step in range(1, 100_000):
                done = Progress(min(step, 1900), 2000, min(step, 190) * 1_000_000, 210_000_000, step / 100)
                if "slow" not in words and step > 50:
                    break
                if (progress is not None and not progress(done)) or cancelled():
                    break
                threading.Event().wait(0.001)
        if "nothing" in words:
            shown = ask_round()
        elif words == "look wider":
            shown = offer_round()
        elif words == "not that one":
            shown = story_round(1)
        said = Evidence("…", locator(0), 1, 0, None, Origin.PERSON)
        return Advance((*context, said, Response("", shown)), shown, Holding())

    def find(self, path: str, line: int) -> tuple[Locator, int] | None:
        self.calls.append(("find", (path, line)))
        return None if "gone" in path else (locator(0), 0)

    def window(self, where: Locator, line: int, start: int, before: int, after: int) -> tuple[Turn, ...] | ReadProblem:
        self.calls.append(("window", (where, line, start, before, after)))
        if "gone" in where.path:
            return ReadProblem(where.path, None, "the file is not there any more", "")
        if line < 0:
            return self.turns[-before - 1 :]
        at = next((n for n, each in enumerate(self.turns) if each.line >= line and each.start >= start), 0)
        return self.turns[max(0, at - before) : at + after + 1]

    def raw_line(self, path: str, line: int, start: int) -> str:
        self.calls.append(("raw_line", (path, line, start)))
        return '{\n  "type": "user",\n  "message": {"content": "[/nope] raw"}\n}'

    def handle(self, where: Locator) -> Handle:
        return replace(self.handle_found)

    def export(self, where: Locator, form: str) -> str:
        self.calls.append(("export", form))
        return self.exported

    def state(self) -> IndexState:
        return self.index

    def reload(self) -> None:
        self.calls.append(("reload", None))

    def roots(self) -> tuple[Searched, ...]:
        return self.roots_found
