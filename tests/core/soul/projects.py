"""A made-up project with a handoff document, and checks of it."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from core.soul.check import Checked, Policy, check
from core.soul.git_evidence import open_project
from core.soul.locating import read_soul, soul_path
from core.soul.model import Item
from tests.core.git_made import Made

NOW = datetime(2026, 3, 20, 12, 0, tzinfo=UTC)

CLIENT = '''"""The payment client."""

BUDGET = 3


class Client:
    """Talks to the bank."""

    def send(self, amount: int) -> bool:
        """Send once."""
        for attempt in range(BUDGET):
            if self.try_once(amount, attempt):
                return True
        return False

    def try_once(self, amount: int, attempt: int) -> bool:
        """One attempt."""
        return amount > attempt


def refund(amount: int) -> int:
    """Give it back."""
    return -amount
'''
FILES = {
    "pay/client.py": CLIENT,
    "pay/__init__.py": "",
    "pay/rates.py": "RATE = 0.1\n\n\ndef rate(day):\n    return RATE * day\n",
    "web/src/cart.ts": "export class Cart {\n  total(): number {\n    return 1;\n  }\n}\nexport const TAX = 2;\n",
    "engine/src/lib.rs": "pub mod ledger {\n    pub fn post(amount: i64) -> i64 {\n        amount\n    }\n}\n",
    "docs/plan.md": "# Plan\n\nAlpha.\nBeta.\nGamma.\n",
    "tests/test_client.py": "def test_send():\n    assert True\n",
    "scripts/start.sh": "#!/bin/sh\necho up\n",
    "Makefile": "test:\n\tpytest\n\nlint: test\n\truff\n",
    "package.json": '{"version": "1.4.0", "scripts": {"build": "x", "lint": "y"}}\n',
    ".gitignore": "*.db\nruntime/\n",
}


def project(root: Path, soul: str, files: dict[str, str] | None = None, *, name: str = "PATHOS.md") -> Made:
    """A repository with a past (a rename, a deletion, a merge's number, a tag) and the document committed last."""
    made = Made(root)
    made.commit(
        "Begin (#101)", {**FILES, "pay/gone.py": "x = 1\n", "pay/old_name.py": "def kept():\n    return 'same text'\n"}
    )
    made.git("tag", "v1.0.0")
    made.git("rm", "-q", "pay/gone.py")
    made.commit("Drop the old gateway (#102)")
    made.git("mv", "pay/old_name.py", "pay/new_name.py")
    made.commit("Rename the helper\n\nSee #103.")
    made.commit("Write the handoff", {name: soul, **(files or {})})
    return made


def state(body: str) -> str:
    """A document whose verifiable section is `body`."""
    return f"# Pay\n\n## Current State\n\n{body}\n"


def run(
    root: Path, path: str = "", *, at: Path | None = None, now: datetime = NOW, policy: Policy | None = None
) -> Checked:
    """Check the document of a project."""
    evidence = open_project(str(root), at)
    try:
        found = soul_path(evidence.root, path)
        text, data, bad = read_soul(evidence.root, found)
        checked = check(found, text, data, evidence, now, policy, replaced_bytes=bad)
        assert evidence.processes <= 5, evidence.processes
        assert len(checked.items) == sum(checked.count(s) for s in {i.state for i in checked.items})
        return checked
    finally:
        evidence.close()


def one(checked: Checked) -> Item:
    """The only claim."""
    (item,) = checked.items
    return item


def told(checked: Checked) -> list[tuple[str, str]]:
    """State and reason of each claim."""
    return [(i.state.value, i.reason) for i in checked.items]
