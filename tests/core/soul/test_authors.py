"""A document as authors write it, checked at the author's own commit: what is true then must not be called stale.

The forms and their shares follow reference facts on real handoff documents: ranges and lists of lines, paths from a
sub-directory, bare file names, globs, branches, addresses, ignored files.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from core.soul.document import parse
from core.soul.model import AnchorClass, State
from tests.core.git_made import Made
from tests.core.soul.projects import run


def _source(name: str, lines: int = 90) -> str:
    body = [f'"""The {name}."""', "", "", f"class {name.title().replace('_', '')}:"]
    body += [f"    def step_{n}(self):\n        return '{name} {n}'\n" for n in range(lines // 3)]
    return "\n".join(body) + "\n"


FILES = {
    f"services/{service}/src/{service}/{part}.py": _source(f"{service}_{part}")
    for service in ("billing", "ledger")
    for part in ("client", "server", "store", "retry")
} | {
    "services/billing/src/billing/handlers/refund.py": _source("refund"),
    "services/ledger/README.md": "# Ledger\n\nHow it is run.\n",
    "web/app/routes/checkout.tsx": "export function Checkout() {\n  return null;\n}\n" + "// more\n" * 60,
    "web/app/lib/money.ts": "export const cents = (n: number) => n * 100;\n" + "// more\n" * 60,
    "engine/crates/core/src/lib.rs": "pub mod posting {\n    pub fn apply(n: i64) -> i64 { n }\n}\n" + "// more\n" * 60,
    "docs/adr/0007-outbox.md": "# Outbox\n\nAccepted.\n",
    "docs/REPORT-TEMPLATE.md": "# Template\n",
    "scripts/replay_sessions.py": _source("replay"),
    "tests/test_refund.py": "def test_refund():\n    assert True\n",
    "Makefile": "test:\n\tpytest\n",
    ".gitignore": "*.sqlite\n.env\nruntime/\n",
}

ANCHORS = """
`services/billing/src/billing/client.py:10-20` `services/billing/src/billing/server.py:4,9` `billing/store.py:31-44`
`src/ledger/retry.py:7` `ledger/client.py:10-12,40` `handlers/refund.py:5` `refund.py:8-9` `checkout.tsx:1-3`
`app/routes/checkout.tsx#L1-L3` `app/lib/money.ts#L1` `crates/core/src/lib.rs:2` `replay_sessions.py:12,30,45`
`services/ledger/src/ledger/server.py:50-58` `0007-outbox.md:1` `test_refund.py:1-2` `billing/retry.py:22–24`
`src/billing/client.py` `billing/handlers/refund.py` `ledger/store.py` `app/lib/money.ts` `crates/core/src/lib.rs`
`adr/0007-outbox.md` `handlers/` `app/routes/` `crates/core/` `refund.py` `replay_sessions.py` `REPORT-TEMPLATE.md`
`money.ts` `checkout.tsx` `Makefile` `test_refund.py` `0007-outbox.md`
`services/*/src/**/*.py` `web/app/**/*.{ts,tsx}` `docs/adr/*.md` `services/{billing,ledger}/src/`
`acme/payments` `fix/retry-budget` `origin/main` `application/json` `@acme/money` `http://localhost:8080/health`
`https://example.org/a/b.py` `runtime/outbox.sqlite` `.env` `/v1/refunds` `step_3()`
""".split()  # noqa: SIM905


def test_of_48_anchors_of_an_author_at_his_own_commit_none_fails_falsely(tmp_path: Path) -> None:
    assert len(ANCHORS) == 48
    made = Made(tmp_path / "r")
    made.commit("Begin", FILES)
    body = "".join(f"- point {n} rests on {anchor}\n" for n, anchor in enumerate(ANCHORS))
    made.commit("Report", {"docs/REPORT.md": f"# Spike\n\n## Current State\n\n{body}"})
    checked = run(made.root, "docs/REPORT.md")
    failed = [v for i in checked.items for v in i.verdicts if v.state is State.STALE]
    assert failed == []
    states = Counter(i.state for i in checked.items)
    assert states[State.FRESH] >= 35, states


def test_every_form_is_gripped_or_known_for_what_it_is(tmp_path: Path) -> None:
    document = parse("# X\n\n## Current State\n\n" + "".join(f"- {a}\n" for a in ANCHORS))
    kinds = Counter(a.kind for c in document.claims for a in c.anchors)
    assert sum(kinds.values()) == 48
    assert kinds[AnchorClass.LINE_HINT] == 16
    assert kinds[AnchorClass.NEUTRAL] >= 5
