"""The golden texts of a packet, one per step of degradation. `python -m tests.core.delegation.goldens` writes them anew: read
the difference before you commit it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from core.delegation.model import (
    Anchor,
    Binding,
    Dependent,
    Fence,
    Order,
    Packet,
    PastSession,
    Proof,
    Recollection,
    SoulPart,
    Staleness,
    Together,
    Trust,
)
from core.delegation.render import ENDS, FOLDS, SHOWN, TAILS, render, shapes, written
from core.delegation.rows import rows_of

FOLDER = Path(__file__).parent / "golden"
NOW = 1_780_000_000.0
TASK = (
    "Give the payment client a retry budget that is shared by all of its workers, so that a slow bank cannot use up the time of "
    "every request, and say in the ledger how often it was used up; keep the public interface as it is, and leave the rates alone."
    " Ask Ben where the numbers come from before you choose one."
)


def large() -> Packet:
    """A packet with more of everything than a small budget holds."""
    scope = (
        *(f"pay/part{n:02d}/module.py" for n in range(60)), *(f"web/file{n}.ts" for n in range(5)), "docs/", "engine/**/*.rs",
        "setup.py",
    )  # fmt: skip
    return Packet(
        id="dlg_1780000000000_golden", created=NOW, expires=NOW + 14_400,
        order=Order("ana", TASK, scope, must_not_touch=("migrations/", "pay/secrets.py"), hint="The tests are slow; run one."),
        binding=Binding("/home/ana/pay", Trust.PARTIAL, "1a2b3c4d5e6f" + "0" * 28, "main", ("The clone is shallow.",)),
        staleness=Staleness(3, NOW - 60, "1a2b3c4d5e6f", dirty=True, changed_anchors=("pay/client.py",)),
        anchors=tuple(Anchor(f"pay/part{n:02d}/module.py", n + 1, f"Client{n}::send", (f"its name says send{n}",)) for n in range(16)),
        sessions=tuple(
            PastSession("claude", f"session-{n}", f"/home/ana/.claude/projects/pay/{n}.jsonl", n + 1, NOW - n * 86_400,
                        f"We agreed that attempt {n} must not wait for the bank.", "person") for n in range(5)
        ),
        memory=(
            Recollection("id-1", "Retries must be idempotent.", "decision", "canonical", "mem_abc", "ben", 1, False, ""),
            Recollection("id-2", "The bank hangs up after 30 s.", "finding", "episodic", "mem_abc", "", 45, True, "read pay/client.py"),
            Recollection("id-3", "The budget is per host.", "fact", "working", "", "cy", None, True, "ask cy"),
            *(Recollection(f"id-{n}", f"Older claim {n}.", "fact", "episodic", "mem_abc", "ben", n, False, "") for n in (4, 5)),
        ),
        fence=Fence(scope, False, ("migrations/", "pay/secrets.py")),
        expected_change=("pay/part00/module.py", "pay/part01/module.py"),
        dependents=tuple(Dependent(f"app/user{n:02d}.py", n + 2, 1 + n % 2, "pay/part00/module.py") for n in range(26)),
        dependents_truncated=True,
        together=tuple(Together(f"pay/friend{n}.py", "pay/part00/module.py", 9 - n, 12) for n in range(6)),
        proof=(Proof("make test", "", "Makefile"), Proof("pytest", "pay", "pay/pyproject.toml"), Proof("npm test", "web", "web/package.json")),
        soul=SoulPart("soul: checked 2026-05-01 @1a2b3c4 - 5 fresh · 2 stale · 0 priced - 7/9 anchored - declared intact",
                      (("the client is in pay/part00/gone.py", 12), ("the budget is 5 in pay/part01/module.py", 19)), "PATHOS.md"),
        seeds_unresolved=(),
        gaps=("The project is read in part only (The clone is shallow.) Check what you rely on in the files.",
              "There are more dependents than are listed. Search for the names you change.", "Dependents are static imports."),
        non_claims=("This is a map.",),
    )  # fmt: skip


def steps(packet: Packet) -> list[tuple[str, int]]:
    """Every step by name, with the tokens of its shortest text: the whole, the end of each tail, each fold, the task cut, and
    the least."""
    rows = rows_of(packet)
    forms = list(shapes(rows))
    counts = {name: min(most, len(rows.parts[name])) for name, most in SHOWN.items()}
    found = [("whole", 8000)]
    at = 0

    def cut(tails: Sequence[tuple[str, int]]) -> None:
        nonlocal at
        for name, least in tails:
            at += max(0, counts[name] - least)
            counts[name] = min(counts[name], least)
            found.append((f"{name}-{least}", at - 1))

    def next_one(name: str) -> None:
        nonlocal at
        at += 1
        found.append((name, at - 1))

    cut(TAILS)
    next_one(f"folded-{FOLDS[0]}")
    next_one(f"folded-{FOLDS[1]}")
    cut(ENDS)
    for name in (f"folded-{FOLDS[2]}", "task", "least"):
        next_one(name)
    assert at == len(forms)
    return [found[0], *((name, written(packet, rows, 8000, forms[n]).tokens) for name, n in found[1:])]


def write() -> None:
    """Write every golden text."""
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.md"):
        old.unlink()
    for number, (name, budget) in enumerate(steps(large())):
        (FOLDER / f"{number:02d}-{name}-{budget}.md").write_text(render(large(), budget).text, encoding="utf-8")


if __name__ == "__main__":
    write()
