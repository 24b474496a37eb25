"""A made-up project with a handoff document for the place Soul, and a port that holds checks up for tests."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType

from core.errors import RecollectError
from core.repositories.model import Commit
from core.soul.check import check
from core.soul.evidence import Receipt, Standing, Symbols
from core.soul.receipt_history import PastReceipt
from core.soul.report import as_json
from core.text import shown_lines
from tests.core.git_made import Made
from tui.screens.soul_port import Look

NOW = datetime(2026, 4, 2, 9, tzinfo=UTC)
SOUL = """# Payments: where we stand

What the next person needs to know before touching the client.

## North Star

- A payment is sent once, or not at all.
- Nobody is asked to trust a number that `pay/rates.py` does not hold.

## Current State

- The client retries within a budget: `Client.send` in `pay/client.py:9-14`
- The gateway lives in `pay/gateway.py`
- Refunds go through `refund()` and are covered by `tests/test_client.py`
- Rates come from `pay/tables/*.csv`
- The suite is green: `pytest -q`, 28/28
- The retry budget is 3 attempts
- ~~The helper is `pay/old_name.py`~~ RESOLVED: it is `pay/new_name.py`
- Staging answers on `localhost:5555`

### Known gaps

- Nobody wrote down why
- The retry budget is 5 attempts, see `pay/client.py`

## Next Steps

1. Tag `v1.1.0` once #103 is out
2. Move `scripts/start.sh` to the new host (as of 2026-01-10)

## Do Not Do

- Do not retry a refund.
"""
CLIENT = '''"""The payment client."""

BUDGET = 3


class Client:
    """Talks to the bank."""

    def send(self, amount):
        """Send once."""
        for attempt in range(BUDGET):
            if self.try_once(amount, attempt):
                return True
        return False

    def try_once(self, amount, attempt):
        """One attempt."""
        return amount > attempt


def refund(amount):
    """Give it back."""
    return -amount
'''


def payments(root: Path) -> Made:
    """A repository with a past: a deletion, a rename, two receipts, a commit after the document's own."""
    made = Made(root)
    made.commit(
        "Begin (#101)",
        {
            "pay/client.py": CLIENT,
            "pay/gateway.py": "GATE = 1\n",
            "pay/old_name.py": "def kept():\n    return 'the same text'\n",
            "pay/rates.py": "RATE = 0.1\n",
            "tests/test_client.py": "def test_send():\n    assert True\n",
            "scripts/start.sh": "#!/bin/sh\n",
            "README.md": "# Payments\n",
        },
    )
    made.commit("Write the handoff (#102)", {"docs/PATHOS.md": SOUL.replace("5 attempts", "3 attempts")})
    made.git("rm", "-q", "pay/gateway.py")
    made.git("mv", "pay/old_name.py", "pay/new_name.py")
    made.commit("Drop the gateway, rename the helper")
    made.commit(
        "Check the handoff\n\nsoul: checked 2026-03-03 @1a2b3c4 - 6 fresh · 2 stale · 3 priced - 11/13 anchored - declared intact",
        {"docs/PATHOS.md": SOUL},
    )
    made.commit("Say more in the readme (#103)", {"README.md": "# Payments\n\nMore.\n"})
    return made


class HeldSoul:
    """A port whose answers a test chooses. `gate` holds every check until it is set."""

    def __init__(self, look: Look | RecollectError, past: tuple[PastReceipt, ...] = ()) -> None:
        self.answer: Look | RecollectError = look
        self.past_found: tuple[PastReceipt, ...] = past
        self.paths: tuple[str, ...] = ("AGENTS.md", "docs/PATHOS.md", "README.md")
        self.gate = threading.Event()
        self.gate.set()
        self.asked: list[str] = []
        self.changed: Callable[[], None] = lambda: None
        self.watched = threading.Event()
        self.trouble: OSError | None = None

    def look(self, document: str) -> Look:
        self.asked.append(document)
        self.gate.wait(30)
        if isinstance(self.answer, RecollectError):
            raise self.answer
        return self.answer

    def past(self, look: Look) -> tuple[PastReceipt, ...]:
        return self.past_found

    def documents(self) -> tuple[str, tuple[str, ...]]:
        return "/made/up", self.paths

    def watch(self, root: str, stop: threading.Event, changed: Callable[[], None]) -> None:
        self.changed = changed
        self.watched.set()
        if self.trouble is not None:
            raise self.trouble


class EmptyProject:
    """A project without a file and without a commit."""

    head = "1a2b3c4d" * 5
    names: frozenset[str] = frozenset()
    dirty: bool | None = False
    dirty_hash = ""
    tracked: Sequence[str] | None = ()
    untracked: Sequence[str] = ()
    removed: Sequence[str] = ()
    tags: Mapping[str, str] | None = MappingProxyType({})
    tag_times: Mapping[str, float] = MappingProxyType({})
    untagged = False
    branches: frozenset[str] = frozenset()
    commits: Sequence[Commit] | None = ()
    complete = True
    shallow = False
    submodules: tuple[str, ...] = ()
    sparse = False
    troubles: tuple[str, ...] = ()

    def standing(self, path: str) -> Standing:
        return Standing.MISSING

    def settled(self, path: str) -> bool:
        return False

    def text(self, path: str) -> str | None:
        return None

    def text_at(self, commit: str, path: str) -> str | None:
        return None

    def fetch(self, commit: str, paths: Sequence[str]) -> None:
        pass

    def object_kind(self, name: str) -> str | None:
        return ""

    def ignored(self, path: str) -> bool:
        return False

    def symbols(self, names: Iterable[str]) -> Symbols:
        return Symbols()

    def receipts(self) -> Sequence[Receipt]:
        return ()


def look_of(text: str, path: str = "PATHOS.md") -> Look:
    """A check of a document in an empty project: everything it cites is looked for, and nothing is found."""
    data = text.encode("utf-8", "surrogatepass")
    checked = check(path, text, data, EmptyProject(), NOW)
    return Look(as_json(checked, "/made/up"), shown_lines(text))
