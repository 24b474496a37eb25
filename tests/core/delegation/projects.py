"""A made-up project with a history, and packets of it, without any session, memory or index."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from core.delegation.compose import Sources, compose
from core.delegation.desk import DelegationDesk
from core.delegation.model import NoPacket, Order, Packet, SoulPart
from core.delegation.past import Past
from core.memory.view import View, view_of
from tests.core.git_made import Made

NOW = 1_780_000_000.0
FILES = {
    "pay/__init__.py": "",
    "pay/client.py": "from pay.rates import rate\n\n\nclass Client:\n    def send(self, amount):\n        return rate(amount)\n",
    "pay/rates.py": "RATE = 1\n\n\ndef rate(amount):\n    return amount * RATE\n",
    "pay/ledger.py": "from . import client\n\n\ndef post(amount):\n    return client.Client().send(amount)\n",
    "pay/reports.py": "import pay.ledger\n\n\ndef monthly():\n    return pay.ledger.post(1)\n",
    "web/cart.ts": 'import { tax } from "./tax";\nexport function total() {\n  return tax();\n}\n',
    "web/tax.ts": "export const tax = () => 1;\n",
    "web/package.json": '{"name": "web", "scripts": {"test": "vitest", "lint": "eslint ."}}\n',
    "docs/plan.md": "# Plan\n\nShip the kettle.\n",
    "tests/test_client.py": "from pay.client import Client\n\n\ndef test_send():\n    assert Client().send(1) == 1\n",
    "pyproject.toml": "[project]\nname = 'pay'\n[tool.pytest.ini_options]\n[tool.mypy]\nfiles = ['pay']\n",
    "Makefile": "test:\n\tpytest\n",
}


def project(root: Path) -> Made:
    """The project, with a client and rates that change together."""
    made = Made(root)
    made.commit("Begin", FILES)
    for n in (2, 3):
        made.commit(
            f"Raise the rate to {n}",
            {"pay/rates.py": FILES["pay/rates.py"].replace("= 1", f"= {n}"),
             "pay/client.py": FILES["pay/client.py"] + f"\n# rate {n}\n"},
        )  # fmt: skip
    return made


def sources(view: View | None = None, past: Past | None = None, soul: SoulPart | None = None) -> Sources:
    """A past without anything in it but what is given."""
    return Sources(
        lambda task, root: past or Past(indexed_at=NOW),
        lambda: (view or view_of([], []), ""),
        lambda root: soul or SoulPart("", why_not="There is no handoff document."),
    )


def order(task: str = "Give the payment client a retry budget", **more: Any) -> Order:
    """An order of Ana's."""
    return Order("ana", task, **more)


def packet(root: Path, wanted: Order | None = None, given: Sources | None = None, *, now: float = NOW) -> Packet:
    """A packet of a project."""
    found = compose(wanted or order(), str(root), given or sources(), now, f"dlg_{int(now)}_aaaaaa")
    assert isinstance(found, Packet), found
    return found


def refused(root: Path, wanted: Order) -> NoPacket:
    """The answer where there is no packet."""
    found = compose(wanted, str(root), sources(), NOW, "dlg_1_aaaaaa")
    assert isinstance(found, NoPacket)
    return found


def desk(state: Path, now: float = NOW) -> DelegationDesk:
    """The desk over a state folder, at a fixed time."""
    return DelegationDesk(state, lambda: now)


def files_of(found: Packet) -> Sequence[str]:
    """The anchors' files, in their order."""
    return list(dict.fromkeys(a.path for a in found.anchors))
