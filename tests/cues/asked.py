"""The cues of `asked.txt` and what must be presented for each, and playing one through a library."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime

from core.library import Library
from core.recall.model import Advance, Round, RoundKind, Scope, Utterance
from tests.cues.talk import HERE, talks
from tui.plain import round_lines

EVERYTHING = Scope()


@dataclass(frozen=True)
class Noon:
    """The day on which everything is half remembered."""

    def now(self) -> datetime:
        return datetime(2026, 6, 15, 12, tzinfo=UTC)


@dataclass(frozen=True)
class Asked:
    """One half-memory."""

    cue: str
    turns: tuple[str, ...]
    """What is said next, as long as the right session is not presented."""
    expected: tuple[str, ...]
    rounds: int = 1
    whole: str = "session"
    says: str = ""
    every: bool = False
    """True if each of the expected ones must have been presented, one after the other."""


@dataclass(frozen=True)
class Played:
    """What came of it."""

    shown: list[list[str]] = field(default_factory=list)
    rounds: tuple[Round, ...] = ()
    fault: str = ""


def asked() -> list[Asked]:
    """Every cue, in order."""
    found: list[Asked] = []
    for block in (HERE / "asked.txt").read_text(encoding="utf-8").split("\n? ")[1:]:
        cue, *rest = [row for row in block.splitlines() if row.strip() and not row.startswith("#")]
        turns = tuple(row[2:] for row in rest if row.startswith("+ "))
        names, *options = next(row[2:] for row in rest if row.startswith("= ")).split(" | ")
        more = dict(o.partition(" ")[::2] for o in options)
        found.append(
            Asked(
                cue, turns, tuple(n.strip() for n in names.split(",")), int(more.get("rounds", 1)),
                more.get("whole", "session"), more.get("says", ""), "all" in more,
            )
        )  # fmt: skip
    return found


def names_by_id() -> dict[str, str]:
    """The session ids of the archive, as the runtimes write them, to the talks' names."""
    found: dict[str, str] = {}
    for talk in talks():
        forms = (
            talk.sid, f"T-{talk.sid}", f"session_{talk.sid}", f"ses_{talk.sid.replace('-', '')[:20]}", str(talk.ms(0)),
        )  # fmt: skip
        found.update(dict.fromkeys(forms, talk.name))
    return found


def presented(round_: Round | None, names: dict[str, str]) -> list[str]:
    """The names of what a round presents."""
    if round_ is None or round_.recognizable is None:
        return []
    return [names.get(m.locator.session_id, m.locator.session_id) for m in round_.recognizable.members]


def play(library: Library, ask: Asked) -> Played:
    """Say the cue and its turns until the right session stands there; what is wrong with it is told."""
    names = names_by_id()
    shown: list[list[str]] = []
    rounds: list[Round] = []
    advance: Advance = library.start(ask.cue, EVERYTHING)
    for number, turn in enumerate((*ask.turns, "")):
        shown.append(presented(advance.round, names))
        if advance.round is not None:
            rounds.append(advance.round)
        if _done(ask, shown) or not turn:
            break
        advance = library.say(advance.context, Utterance(turn), EVERYTHING)
        del number
    return Played(shown, tuple(rounds), _fault(ask, shown, rounds))


def _done(ask: Asked, shown: list[list[str]]) -> bool:
    seen = {name for one in shown for name in one}
    if ask.whole != "session":
        return set(ask.expected) <= set(shown[-1])
    return set(ask.expected) <= seen if ask.every else shown[-1][:1] == [ask.expected[0]]


def _fault(ask: Asked, shown: list[list[str]], rounds: list[Round]) -> str:
    if not _done(ask, shown):
        return f"{ask.expected} not presented"
    if len(shown) > ask.rounds:
        return f"presented in round {len(shown)}, not within {ask.rounds}"
    last = rounds[-1]
    if last.kind is not RoundKind.PRESENT or last.recognizable is None or last.recognizable.whole.value != ask.whole:
        return f"told as {last.recognizable and last.recognizable.whole.value}, not as {ask.whole}"
    told = " ".join(" ".join(round_lines(last)).split())
    return "" if ask.says in told else f"the round does not say {ask.says!r}: {' '.join(last.remarks)}"
