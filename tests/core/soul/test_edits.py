"""Breaks and harmless edits of many kinds, in every language: no break stays fresh, no harmless edit is called stale."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from core.soul.model import State
from tests.core.git_made import Made
from tests.core.soul.polyglot import FILES, PY
from tests.core.soul.projects import one, run, state

Edit = Callable[[Made], object]


def rep(name: str, old: str, new: str) -> Edit:
    assert old in FILES[name], (name, old)
    return lambda m: m.write(name, FILES[name].replace(old, new))


def w(name: str, text: str) -> Edit:
    return lambda m: m.write(name, text)


def raw(name: str, data: bytes) -> Edit:
    return lambda m: (m.root / name).write_bytes(data)


def g(*args: str) -> Edit:
    return lambda m: m.git(*args)


def mv(old: str, new: str) -> Edit:
    def move(m: Made) -> None:
        (m.root / new).parent.mkdir(parents=True, exist_ok=True)
        m.git("mv", old, new)

    return move


def rm(name: str) -> Edit:
    return lambda m: shutil.rmtree(m.root / name) if (m.root / name).is_dir() else (m.root / name).unlink()


def link(name: str, target: str) -> Edit:
    return lambda m: os.symlink(target, m.root / name)


def seq(*edits: Edit) -> Edit:
    return lambda m: [edit(m) for edit in edits]


def c(*edits: Edit) -> Edit:
    return lambda m: [*(edit(m) for edit in edits), m.commit("Change")]


def new_root(m: Made) -> None:
    """The same files on a history that holds nothing of the old one."""
    for tag in m.git("tag").split():
        m.git("tag", "-d", tag)
    tree = m.git("rev-parse", "HEAD^{tree}").strip()
    m.git("update-ref", "refs/heads/main", m.git("commit-tree", tree, given="New root").strip())


CLIENT, CART, LEDGER, BANK = "pay/client.py", "web/src/cart.ts", "engine/src/ledger.rs", "java/pay/Bank.java"
REFUND = "def refund(amount):\n    return -amount\n"
BREAKS: list[tuple[str, Edit]] = [
    ("`pay/client.py:16-20`", rep(CLIENT, "LIMIT):", "LIMIT + 1):")),
    ("`pay/client.py:6,16`", rep(CLIENT, "class Client", "class Clients")),
    ("`pay/client.py:6,16`", rep(CLIENT, '"""Send."""', '"""Post."""')),
    ("`pay/client.py#L16-L20`", w(CLIENT, "# top\n" + PY)),
    ("[c](pay/client.py#L18)", rep(CLIENT, "self.once", "self.twice")),
    ("pay/client.py:18 says so", rep(CLIENT, "self.once", "self.twice")),
    ("`cart.ts:12-14`", c(rep(CART, "return 1", "return 3"))),
    ("`docs/plan.md:4`", rep("docs/plan.md", "Beta two", "Beta 2")),
    ("`docs/plan.md:3-4`", rep("docs/plan.md", "Alpha one.\nBeta two.", "Beta two.\nAlpha one.")),
    ("`docs/plan.md#L6`", rep("docs/plan.md", "Delta four.\n", "")),
    ("`web/**/*.ts`", rm(CART)),
    ("`native/*.{c,hpp}`", c(g("rm", "-q", "native/shape.hpp"))),
    ("`docs/`", rm("docs")),
    ("`docs/`", c(mv("docs", "doc"))),
    ("`web/src`", c(mv("web/src", "web/lib"))),
    ("`cart.ts`", rm(CART)),
    ("`cart.ts`", c(mv(CART, "web/src/basket.ts"))),
    ("`pay/client.py`", c(mv(CLIENT, "pay/Client.py"))),
    ("`pay/client.py`", mv(CLIENT, "core/pay/client.py")),
    ("`pay/client.py`", c(mv(CLIENT, "core/pay/client.py"))),
    ("`pay/client.py`", c(seq(w("vendor/pay/client.py", "x=1\n"), rm(CLIENT)))),
    ("`pay/client.py:18`", c(seq(w("vendor/pay/client.py", PY), rm(CLIENT), g("rm", "-q", "--cached", CLIENT)))),
    ("`pay/client.py`", seq(rm(CLIENT), link(CLIENT, "nowhere.py"))),
    ("`pay/client.py`", seq(rm(CLIENT), link(CLIENT, "/etc/hostname"))),
    ("`pay/client.py:18`", seq(rm(CLIENT), link(CLIENT, "/etc/passwd"))),
    ("`scripts/start.sh`", seq(rm("scripts/start.sh"), lambda m: (m.root / "scripts/start.sh").mkdir())),
    ("`docs/`", seq(rm("docs"), w("docs", "now a file\n"))),
    ("`Cart.total`", rep(CART, "class Cart", "class Basket")),
    ("`Cart.total`", rep(CART, "total(): number", "sum(): number")),
    ("`Cart::total`", c(rm(CART))),
    ("`Book::post`", rep(LEDGER, "pub fn post", "pub fn put")),
    ("`Book::post`", rep(LEDGER, "impl Book {", "impl Ledger {")),
    ("`ledger::Book`", rep(LEDGER, "struct Book", "struct Tome")),
    ("`Side::Credit`", rep(LEDGER, "Debit, Credit", "Debit")),
    ("`Client.Post`", rep("gopay/client.go", "Post(", "Put(")),
    ("`Client.Post`", rep("gopay/client.go", "(c *Client) Post", "(c *Conn) Post")),
    ("`Bank.pay`", rep(BANK, "int pay(", "int give(")),
    ("`Bank.pay`", rep(BANK, "class Bank", "class Till")),
    ("`ring_push()`", rep("native/ring.c", "int ring_push", "int ring_put")),
    ("`Engine::start`", rep("native/engine.cpp", "Engine::start", "Engine::begin")),
    ("`Pay::Gate`", rep("rb/gate.rb", "class Gate", "class Door")),
    ("`Gate.open`", rep("rb/gate.rb", "def open", "def unlock")),
    ("`Gate#open`", rep("rb/gate.rb", "def open", "def unlock")),
    (
        "`pay/client.py::send`",
        c(rep(CLIENT, "    def send", "    def transmit"), w("pay/other.py", "def send():\n    pass\n")),
    ),
    ("`client.refund`", c(rep(CLIENT, REFUND, ""), w("pay/money.py", "def refund(a):\n    return -a\n"))),
    ("`refund()`", rep(CLIENT, "def refund", "def give_back")),
    ("`Client.timeout`", rep(CLIENT, "self.timeout = 5", "pass")),
    ("`Color.Red`", rep(CART, "Red, ", "Rose, ")),
    ("`v1.1.0`", g("tag", "-d", "v1.1.0")),
    ("v1.1.0 is out", g("tag", "-d", "v1.1.0")),
    ("#103 landed", new_root),
    ("`{sha}`", new_root),
    ("{sha} fixed it", seq(new_root, g("reflog", "expire", "--expire=now", "--all"), g("gc", "-q", "--prune=now"))),
    ("`#101/#102`", seq(new_root)),
    ("#101-#104", seq(new_root)),
    ("`make lint` and `pay/client.py`", rep("Makefile", "lint:\n\truff\n", "")),
    ("`npm run lint` and `pay/client.py`", rep("package.json", '"lint"', '"check"')),
    ("`pay/client.py:18` in `Client.send`", rep(CLIENT, "self.once", "self.twice")),
    ("`once` at `pay/client.py:22`", rep(CLIENT, "def once", "def twice")),
    ("`Client.once()` at `pay/client.py:16`", w(CLIENT, "# a\n" * 30 + PY)),
    ("~~`a`~~ `pay/client.py`\n  - nested `docs/plan.md`", rm(CLIENT)),
]

HARMLESS: list[tuple[str, Edit]] = [
    ("`pay/client.py:18`", rep(CLIENT, "return -amount", "return 0 - amount")),
    ("`pay/client.py:18`", c(rep(CLIENT, "return -amount", "return 0 - amount"))),
    (
        "`pay/client.py:16-20`",
        seq(g("config", "core.autocrlf", "true"), raw(CLIENT, PY.replace("\n", "\r\n").encode())),
    ),
    ("`pay/client.py:1`", raw(CLIENT, b"\xef\xbb\xbf" + PY.encode())),
    ("`pay/client.py:18`", w(CLIENT, PY.rstrip("\n"))),
    ("`pay/client.py`", seq(g("mv", CLIENT, "pay/real.py"), link(CLIENT, "real.py"), c())),
    ("`pay/client.py`", lambda m: (m.root / CLIENT).chmod(0o755)),
    ("`refund()`", c(rep(CLIENT, REFUND, ""), w("pay/money.py", "def refund(a):\n    return -a\n"))),
    ("`Client.send`", c(mv(CLIENT, "core/api.py"))),
    (
        "`Client.send`",
        rep(CLIENT, "    def send(self, amount):", "    @cache\n    async def send(self, amount: int) -> bool:"),
    ),
    ("`Cart.total`", rep(CART, "export class Cart {", "export class Cart<T> extends Base implements I {")),
    ("`Cart.total`", rep(CART, "total(): number {", "async total<K>(k?: K): Promise<number> {")),
    (
        "`cents()`",
        rep(
            CART, "export const cents = (n: number) => n * 100;", "export function cents(n: number) { return n * 100; }"
        ),
    ),
    ("`checkout()`", c(mv(CART, "web/src/cart.tsx"))),
    ("`Book::post`", rep(LEDGER, "impl Book {", "impl<'a> Book {")),
    (
        "`Book::post`",
        rep(LEDGER, "pub fn post(&self, amount: i64)", "pub async unsafe fn post<T: Into<i64>>(&self, amount: T)"),
    ),
    (
        "`ledger::Book`",
        seq(
            rep(
                LEDGER,
                "pub struct Book { pub pages: u32 }",
                "#[derive(Debug)]\npub(crate) struct Book<'a> { pub pages: u32 }",
            )
        ),
    ),
    ("`Client.Post`", rep("gopay/client.go", "(c *Client) Post", "(Client) Post")),
    ("`Client.Post`", rep("gopay/client.go", "func (c *Client) Post", "func (c *Client[T, K]) Post")),
    (
        "`Bank.pay`",
        rep(BANK, "public int pay(int amount)", "@Override\n    public static final <T> int pay(int amount, T t)"),
    ),
    ("`ring_push()`", rep("native/ring.c", "int ring_push(", "static inline int\nring_push(")),
    (
        "`Engine::start`",
        rep("native/engine.cpp", "int Engine::start(int n) {", "auto Engine::start(int n) noexcept -> int {"),
    ),
    ("`Engine::start`", rep("native/engine.cpp", "int Engine::start", "const int& Engine::start")),
    ("`Gate.open`", rep("rb/gate.rb", "def open(n)", "def open(n, *rest, **opts, &block)")),
    ("`v1.0.0`", g("tag", "-f", "v1.0.0", "HEAD")),
    ("`v1.1.0`", g("pack-refs", "--all")),
    ("`{sha}`", c(w("x.md", "x\n"))),
    ("`{sha}`", seq(g("checkout", "-q", "--detach"))),
    ("#103 landed", seq(g("checkout", "-q", "-b", "z"), c(w("x.md", "x\n")))),
    ("`pay/client.py`", seq(g("checkout", "-q", "--orphan", "fresh"), c())),
    (
        "`pay/client.py:18`",
        seq(
            g("checkout", "-q", "-b", "side"),
            c(w("y.md", "y\n")),
            g("checkout", "-q", "main"),
            c(w("z.md", "z\n")),
            g("merge", "-q", "--no-ff", "-m", "Merge side", "side"),
        ),
    ),
    (
        "`pay/client.py:18`",
        seq(
            g("checkout", "-q", "-b", "side"),
            c(w("y.md", "y\n")),
            g("checkout", "-q", "main"),
            g("merge", "-q", "--squash", "side"),
            c(),
        ),
    ),
    ("`pay/client.py:18`", seq(c(mv("PATHOS.md", "docs/PATHOS.md")))),
    ("`pay/client.py:18`", g("update-index", "--assume-unchanged", CLIENT)),
    ("`docs/`", w("docs/other.md", "x\n")),
    ("`web/src`", c(w("web/src/more.ts", "export {}\n"))),
    ("`cart.ts`", c(w("web/other/thing.ts", "export {}\n"))),
    ("`native/*.{c,hpp}`", c(w("native/b.c", "int x;\n"))),
    ("`runtime/x.db`", seq()),
    ("`docs/plan.md#alpha`", seq()),
    ("[plan](docs/plan.md#alpha-one)", seq()),
    ("[plan](./docs/plan.md?plain=1)", seq()),
    ("[sp](docs/my%20notes.md)", w("docs/my notes.md", "x\n")),
    ("`make test` works", seq()),
    ("`make -j4 lint`", seq()),
    ("`Client.send` at `pay/client.py:15`", w(CLIENT, PY)),
    ("`<module>.send` or `foo/<name>.py`", seq()),
    ("`src/…/x.py` and `a/b/…`", seq()),
    ("`pay/draft/*.py`", w("pay/draft/a.py", "x=1\n")),
    ("`pay/draft/`", w("pay/draft/a.py", "x=1\n")),
    ("`draft/a.py`", w("pay/draft/a.py", "x=1\n")),
    ("`a.py:1`", w("pay/draft/a.py", "x=1\n")),
    ("`helper_new()`", w("pay/draft/a.py", "def helper_new():\n    pass\n")),
]


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Made:
    made = Made(tmp_path_factory.mktemp("polyglot") / "r")
    made.commit("Begin (#101)", {**FILES, "pay/gone.py": "x = 1\n"})
    made.git("tag", "v1.0.0")
    made.git("tag", "-a", "v1.1.0", "-m", "One")
    made.git("rm", "-q", "pay/gone.py")
    made.commit("Drop the old gateway (#102)")
    made.commit("Merge pull request #103 from ana/side\n\nFixes #104")
    return made


def _claimed(base: Made, root: Path, claim: str) -> Made:
    shutil.copytree(base.root, root, symlinks=True)
    made = Made(root, base.at, list(base.shas))
    made.commit("Handoff", {"PATHOS.md": state("- " + claim.replace("{sha}", base.shas[0][:9]))})
    return made


@pytest.mark.parametrize(("claim", "edit"), BREAKS, ids=[f"{n}-{claim[:24]}" for n, (claim, _) in enumerate(BREAKS)])
def test_no_break_stays_fresh(base: Made, tmp_path: Path, claim: str, edit: Edit) -> None:
    made = _claimed(base, tmp_path / "r", claim)
    before = run(made.root).items[0]
    assert before.state in (State.FRESH, State.RECEIPT_REQUIRED), before.verdicts
    edit(made)
    after = run(made.root).items[0]
    assert after.state is not State.FRESH, after.verdicts
    assert after.state is not before.state


@pytest.mark.parametrize(
    ("claim", "edit"), HARMLESS, ids=[f"{n}-{claim[:24]}" for n, (claim, _) in enumerate(HARMLESS)]
)
def test_no_harmless_edit_is_called_stale(base: Made, tmp_path: Path, claim: str, edit: Edit) -> None:
    made = _claimed(base, tmp_path / "r", claim)
    edit(made)
    moved = (made.root / "docs/PATHOS.md").exists()
    item = one(run(made.root, "docs/PATHOS.md" if moved else ""))
    assert item.state is not State.STALE, item.verdicts
