"""Break what a claim cites in twenty ways: none stays fresh. Edit harmlessly in twenty ways: none becomes stale."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from core.soul.evidence import Receipt
from core.soul.receipts import add_receipt
from tests.core.git_made import Made
from tests.core.soul.projects import CLIENT, one, project, run, state

Edit = Callable[[Made], None]


def _write(name: str, text: str) -> Edit:
    return lambda made: made.write(name, text)


def _committed(edit: Edit) -> Edit:
    def both(made: Made) -> None:
        edit(made)
        made.commit("Change")

    return both


def _git(*args: str) -> Edit:
    return lambda made: void(made.git(*args))


def void(_: object) -> None:
    """Nothing: git's words are not needed."""


def _replaced(old: str, new: str, name: str = "pay/client.py", text: str = CLIENT) -> Edit:
    assert old in text
    return _write(name, text.replace(old, new))


def _moved(name: str, to: str) -> Edit:
    def move(made: Made) -> None:
        (made.root / to).parent.mkdir(parents=True, exist_ok=True)
        made.git("mv", name, to)

    return move


def _removed(name: str) -> Edit:
    return lambda made: (made.root / name).unlink()


def _replacing(n: int) -> Edit:
    def replace(made: Made) -> None:
        (made.root / "pay/client.py").unlink()
        made.write(f"new/{n}.py", f"other = {n}\n")

    return replace


LINE = "            if self.try_once(amount, attempt):"
"""Line 12 of the client: the one that the line claim cites."""
RECEIPT = "`pytest -q`"

BREAKS: dict[str, tuple[str, list[Edit]]] = {
    "Path": (
        "`pay/client.py`",
        [
            _removed("pay/client.py"), _committed(_removed("pay/client.py")),
            *(_committed(_moved("pay/client.py", f"{folder}/{name}.py")) for folder in ("pay", "core", "pay/deep") for name in ("bank", "gate", "link")),
            *(_moved("pay/client.py", f"pay/{name}.py") for name in ("a1", "a2", "a3")),
            *(_committed(_replacing(n)) for n in range(6)),
        ],
    ),
    "LineHint": (
        "`pay/client.py:12`",
        [
            *(_write("pay/client.py", "# more\n" * n + CLIENT) for n in (1, 2, 40, 400)),
            *(_committed(_write("pay/client.py", "# more\n" * n + CLIENT)) for n in (1, 40)),
            *(_replaced(LINE, LINE.replace("try_once", name)) for name in ("try_twice", "attempt_once", "ask")),
            *(_committed(_replaced(LINE, LINE.replace("attempt)", f"{n})"))) for n in (1, 2)),
            _replaced(LINE + "\n", ""), _committed(_replaced(LINE + "\n", "")),
            _removed("pay/client.py"), _committed(_moved("pay/client.py", "pay/bank.py")),
            _write("pay/client.py", ""), _write("pay/client.py", "\n".join(CLIENT.split("\n")[:6])),
            _write("pay/client.py", "\n".join(reversed(CLIENT.split("\n")))), _replaced("        for", "        # a\n        for"),
            _replaced("BUDGET = 3\n", ""), _committed(_replaced('"""The payment client."""\n\n', "")),
        ],
    ),
    "Symbol": (
        "`Client.send`",
        [
            *(_replaced("def send", f"def {name}") for name in ("transmit", "send_once", "Send", "_send", "post")),
            *(_replaced("class Client", f"class {name}") for name in ("Bank", "PayClient", "client", "Clients")),
            *(_committed(_replaced("def send", f"def {name}")) for name in ("pay", "push")),
            _removed("pay/client.py"), _committed(_removed("pay/client.py")), _write("pay/client.py", ""), _write("pay/client.py", "# def send\n"),
            _replaced("    def send(self", "    x = 'def send(self"), _replaced("class Client:", "class Other:\n    pass\n\n\nclass Bank:"),
            _write("pay/other.py", "class Client:\n    def send(self):\n        pass\n") and _committed(_write("pay/other.py", CLIENT)),
            _committed(_replaced("def send", "def dispatch")), _replaced(CLIENT[CLIENT.index("    def send") : CLIENT.index("    def try_once")], ""),
            _committed(_moved("pay/client.py", "pay/client.txt")),
        ],
    ),
    "Git": (
        "`v1.0.0`",
        [_git("tag", "-d", "v1.0.0")] + [
            (lambda m, name=name: void(m.git("tag", name, "v1.0.0")) or void(m.git("tag", "-d", "v1.0.0")))
            for name in ("1.0.1", "v1.0", "v1.0.00", "v1.0.0-rc1", "version-1", "V1.0.0", "release/v1.0.0", "xv1.0.0", "v1.0.0x", "v10.0.0", "v1.00.0", "v01.0.0", "v1_0_0",
                         "va", "vb", "vc", "vd", "ve", "vf")
        ],
    ),
    "Receipt": (
        RECEIPT,
        [
            *(_write(f"pay/{name}.py", "x = 1\n") for name in ("n1", "n2", "n3", "n4", "n5")),
            *(_replaced("BUDGET = 3", f"BUDGET = {n}") for n in range(4, 10)),
            *(_committed(_replaced("BUDGET = 3", f"BUDGET = {n}")) for n in range(10, 15)),
            _removed("pay/rates.py"), _committed(_removed("pay/rates.py")), _git("commit", "-q", "--allow-empty", "-m", "Empty"),
            _git("reset", "-q", "--soft", "HEAD~1"),
        ],
    ),
}  # fmt: skip


def _cases(table: dict[str, tuple[str, list[Edit]]]) -> list[object]:
    return [pytest.param(claim, edits, id=kind) for kind, (claim, edits) in table.items()]


def _project(root: Path, claim: str) -> tuple[Made, Path]:
    made = project(root, state(f"- {claim}"))
    store = root.parent / "state"
    add_receipt(store, str(made.root), Receipt("pytest -q", 0, made.shas[-1], "", 1.0, 1.0, {"passed": 1, "total": 1}))
    return made, store


@pytest.mark.parametrize(("claim", "edits"), _cases(BREAKS))
def test_every_break_is_detected_or_held(tmp_path: Path, claim: str, edits: list[Edit]) -> None:
    assert len(edits) >= 20
    made, store = _project(tmp_path / "first" / "r", claim)
    fresh = one(run(made.root, at=store))
    assert fresh.state.value == "verified-fresh"
    for number, edit in enumerate(edits):
        copy = tmp_path / str(number)
        shutil.copytree(made.root, copy, symlinks=True)
        again = Made(copy, made.at, list(made.shas))
        again.git("update-index", "-q", "--refresh")
        add_receipt(store, str(copy), Receipt("pytest -q", 0, made.shas[-1], "", 1.0, 1.0, {"passed": 1, "total": 1}))
        edit(again)
        item = one(run(copy, at=store))
        assert item.state.value != "verified-fresh", (claim, number, item.verdicts)


@pytest.mark.parametrize(
    "claim", ["`pay/client.py`", "`pay/client.py:12`", "`Client.send`", "`v1.0.0`", "`#101`", "`pay/*.py`", "`pay/`"]
)
def test_no_harmless_edit_makes_a_claim_stale(tmp_path: Path, claim: str) -> None:
    made, store = _project(tmp_path / "r", claim)
    edits: list[Edit] = [
        _write("pay/client.py", CLIENT + "\n\n# the end\n"),
        _write("pay/client.py", CLIENT.replace("Give it back.", "Give all of it back.")),
        _write("pay/client.py", CLIENT.replace("\n", "  \n")),
        _write("pay/client.py", CLIENT.replace("\n", "\r\n")),
        _write("pay/client.py", CLIENT),
        _write("docs/more.md", "# More\n"),
        _write("pay/rates.py", "RATE = 0.2\n"),
        _write("web/src/new.ts", "export const X = 1;\n"),
        _committed(_write("README.md", "# Pay\n")),
        _committed(_write("pay/client.py", CLIENT + "\n\ndef later():\n    return 1\n")),
        _git("tag", "v2.0.0"),
        _git("branch", "side"),
        _git("commit", "-q", "--allow-empty", "-m", "Empty"),
        _committed(_removed("pay/rates.py")),
        _git("checkout", "-q", "-b", "other"),
        _git("gc", "-q"),
        _write("PATHOS.md", state(f"- {claim}") + "\n- another `docs/plan.md`\n"),
        _write("PATHOS.md", "\n" + state(f"- {claim}")),
        _committed(_write("PATHOS.md", state(f"- {claim}") + "\n## Next Steps\n\n- rest\n")),
        _write(".gitignore", "*.log\n"),
        _write("pay/client.py", CLIENT + "\n" * 60),
    ]
    for number, edit in enumerate(edits):
        edit(made)
        checked = run(made.root, at=store)
        assert checked.items[0].state.value == "verified-fresh", (number, checked.items[0].verdicts)
