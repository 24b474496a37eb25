"""The guided tour of the demo: what is shown, what is said to it, and for how long (design/ux.md, Demo)."""

from __future__ import annotations

from core.frozen import dataclass

TYPED = "="
"""A key that begins so is a text that is typed."""


@dataclass(frozen=True, slots=True)
class Step:
    """One station of the tour."""

    place: str
    """The place it is in, by its id."""
    caption: str
    keys: tuple[str, ...] = ()
    """What is pressed on arriving; `=words` is typed."""
    seconds: float = 12.0
    """How long it stands while the tour plays by itself."""
    expect: str = ""
    """What must be on the screen then; the test of the tour holds it to that."""
    picture: str = ""
    """The name of the picture in `docs/pictures` that is taken here."""


STEPS: tuple[Step, ...] = (
    Step(
        "recollect",
        "Recollect finds the session you half remember. All of this is made up: 41 sessions of four runtimes, six months of a "
        "small team. Say what you know of it; candidates follow while you type.",
        ("=that thing about retries we argued over in spring",),
        expect="Retry budget for the payment client",
    ),
    Step(
        "recollect",
        "Enter tells the story of the best match. Every sentence is a quote with its speaker, and [n] opens the record at that "
        "line. A hit is a cue; what you read here was opened.",
        ("enter",),
        seconds=18,
        expect="I'd rather have a retry budget",
    ),
    Step(
        "recollect",
        "This is source [3] in the record itself, with the words you asked for underlined.",
        ("alt+3",),
        expect="sliding minute",
        picture="recollect",
    ),
    Step(
        "recollect",
        "Only you close a recall. “that's it” identifies it; then F2 resumes the session, F3 copies its command, F4 exports it "
        "with secrets masked, F8 keeps it in memory.",
        ("=that's it", "enter"),
        expect="✓ Identified: Retry budget for the payment client",
    ),
    Step(
        "recollect",
        "Ask for more than one session: a line of work. Sessions of two runtimes, commits and notes, tied by an issue, by files "
        "and by your words, and it says by which.",
        ("=everything we did on moving the ledger to Postgres", "enter"),
        seconds=18,
        expect="One line of work",
        picture="line-of-work",
    ),
    Step(
        "recollect",
        "Or for what was settled. It is told from the record that carries it, and only if one does.",
        ("=that's it", "enter", "=what did we settle on idempotency keys", "enter", *("shift+down",) * 5),
        seconds=15,
        expect="as settled it stands in this record",
    ),
    Step(
        "soul",
        "Soul checks the project's handoff document. The receipt on top says what holds at this commit; every claim has its "
        "state as a sign and a word.",
        seconds=16,
        expect="soul: checked",
    ),
    Step(
        "soul",
        "x lists what is stale. The file was renamed in git, and you are told to what. n goes to the line in the document.",
        ("x",),
        seconds=15,
        expect="renamed_to src/budget.py",
        picture="soul",
    ),
    Step(
        "curate",
        "Curate decides what leaves the document: why, and where it went. Who decides never grades: the second seat is "
        "somebody else's.",
        (
            "enter", "=The file was renamed to src/budget.py", "enter", "alt+3", "enter", "enter",
            "=laptop:person:sam", "enter", "=laptop:person:ana",
        ),
        seconds=18,
        expect="laptop:person:ana",
        picture="curate",
    ),
    Step(
        "curate",
        "F2 keeps the decision. Beside it is the exact difference: no other byte changes, and nothing is written before you "
        "have seen it and said yes. Undo brings every byte back.",
        ("f2", "d"),
        seconds=15,
        expect="1 decision open",
    ),
    Step(
        "memory",
        "Memory keeps what was settled, with the lines it rests on. A change is a new claim; the old one stays, and the corner "
        "says whether anything is still on its way.",
        ("full_stop",),
        seconds=15,
        expect="idempotency key is derived",
        picture="memory",
    ),
    Step(
        "delegate",
        "Delegate hands work to a worker who was not there: one packet with the files to look at, past sessions, what was settled, "
        "what depends on it, and what could not be determined. F2 records and copies it; F8 hears how it went, and memory learns.",
        ("=Make the retry budget refill every minute, per bank",),
        seconds=18,
        expect="src/budget.py",
        picture="delegate",
    ),
)  # fmt: skip
"""The stations in their order."""
END = "That is all of it. Everything here is yours to try: F1 shows the keys, 1 to 5 the places, and ctrl+q leaves. Nothing remains."


def play_seconds() -> float:
    """How long the tour takes by itself, the typing included."""
    from tui.demo.tour import TYPING

    typed = sum(len(key) if key.startswith(TYPED) else 1 for step in STEPS for key in step.keys)
    return sum(step.seconds for step in STEPS) + typed * TYPING
