"""Symbols as the languages write them: fields, enum members, assigned methods, accessors, declarations."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.soul.grammars import definitions
from core.soul.model import State
from tests.core.git_made import Made
from tests.core.soul.projects import run, state

FILES = {
    "pay/client.py": """
LIMIT, FLOOR = 3, 1
try:
    import fast
    FAST = True
except ImportError:
    FAST = False


class Client:
    retries: int = 2

    def __init__(self, url):
        self.url = url
        self.timeout = 5
        scratch = url

    def reset(self):
        self.timeout = 5
""",
    "web/cart.ts": """
export interface Order { id?: string; total: number }
export type Point = { left: number };
export enum Color { Red, Green = 2 }
export class Cart<T> {
  constructor(private readonly store: string, public limit: number, plain: string) {}
  pick<K>(key: K) { return key; }
}
export const api = { fetchAll: async () => [], remove() { return 1; }, base: "/v1" };
""",
    "web/queue.js": """
exports.load = function () { return 1; };
module.exports.save = (x) => x;
function Queue() { this.size = 0; }
Queue.prototype.push = function (x) { other.mark = x; return x; };
""",
    "rust/ledger.rs": "pub enum Side { Debit, Credit }\npub struct Book { pub pages: u32 }\n",
    "gopay/client.go": (
        "package pay\n\nconst Max, Min = 3, 1\n\nfunc New() int { return Max }\n\ntype Client struct { URL string }\n"
    ),
    "java/pay/Bank.java": """
public class Bank {
    private int limit = 3;
    public Bank(int limit) { this.limit = limit; }
    interface Rates { double BASE = 1.0; double rate(String day); }
    record Coin(int worth) {}
}
""",
    "native/ring.c": "struct ring { int head; char *name; };\nint ring_push(struct ring *r) { return r->head; }\n",
    "native/ring.h": "int ring_push(struct ring *r);\nint ring_extern(int v);\n",
    "native/shape.hpp": (
        "class Shape {\n public:\n  virtual double area() const = 0;\n  void draw();\n  int sides;\n};\n"
        "class Tile {\n public:\n  void paint();\n};\n"
    ),
    "native/shape.cpp": '#include "shape.hpp"\nvoid Shape::draw() {}\n',
    "rb/gate.rb": """
class Gate
  attr_accessor :limit, :owner
  define_method(:shut) { 1 }
  validates :colour, :weight
  def open?
    true
  end
end
""",
}
FRESH = """
client.LIMIT client.FLOOR client.FAST Client.retries Client.url Client.timeout
Order.id Order.total Point.left Color.Red Color.Green Cart.store Cart.limit Cart.pick() api.fetchAll api.remove() api.base
queue.load exports.load load() save() Queue.size Queue.push Queue.prototype.push
Side::Credit Book::pages pay.New pay.Min Client.URL
Bank.limit pay.Bank Bank.Bank Rates.BASE Rates.rate Coin.worth
ring_push() ring.head ring.name Shape::area Shape::draw Shape::sides Gate.limit Gate.owner Gate.shut Gate#open?
""".split()  # noqa: SIM905
STALE = """
Client.scratch client.GONE Client.gone Order.gone Color.Blue Cart.plain api.gone Queue.mark exports.gone Side::Gone
pay.Gone Bank.gone Coin.gone ring.gone Shape::gone Gate.gone Gate.colour Gate#gone
""".split()  # noqa: SIM905


def test_what_the_languages_define_is_found_and_what_they_do_not_is_stale(tmp_path: Path) -> None:
    made = Made(tmp_path / "r")
    body = "".join(f"- `{symbol}`\n" for symbol in (*FRESH, *STALE))
    made.commit("Begin", {**FILES, "PATHOS.md": state(body)})
    states = {i.claim.text: i.state for i in run(made.root).items}
    assert {s: states[s].value for s in FRESH if states[s] is not State.FRESH} == {}
    assert {s: states[s].value for s in STALE if states[s] is not State.STALE} == {}


def test_what_is_only_declared_is_held_and_says_where(tmp_path: Path) -> None:
    made = Made(tmp_path / "r")
    made.commit("Begin", {**FILES, "PATHOS.md": state("- `ring_extern()`\n- `Tile::paint`\n")})
    checked = run(made.root)
    assert [(i.state, i.reason) for i in checked.items] == [(State.UNPROVABLE, "declared_only")] * 2
    assert checked.items[0].verdicts[0].found == "native/ring.h:2"
    made.write("native/tile.cpp", "void Tile::paint() {}\n")
    made.git("add", "-A")
    assert run(made.root).items[1].state is State.FRESH


@pytest.mark.parametrize(
    "language", ["python", "javascript", "typescript", "tsx", "rust", "go", "java", "c", "cpp", "ruby"]
)
def test_every_grammar_reads_source_that_is_broken(language: str) -> None:
    broken = b"class {{{ \xff def ( [ \x00 fn struct =>\n" * 20
    assert isinstance(definitions(broken, "x", language), tuple)


def test_a_call_means_what_can_be_called_before_a_field_of_that_name(tmp_path: Path) -> None:
    made = Made(tmp_path / "r")
    source = "class Job:\n    def __init__(self):\n        self.send = None\n\n\ndef send():\n    return 1\n"
    made.commit("Begin", {"job.py": source, "PATHOS.md": state("- `send()`\n- `Job.send`\n")})
    assert [i.verdicts[0].found for i in run(made.root).items] == ["job.py:6", "job.py:3"]


def test_a_module_is_found_by_its_path_with_dots_and_missed_when_it_moves(tmp_path: Path) -> None:
    made = Made(tmp_path / "r")
    files = {"src/pay/client.py": "X = 1\n", "src/pay/bank/__init__.py": "", "lib/a/same.py": "", "lib2/a/same.py": ""}
    body = "- `pay.client`\n- `src.pay.bank`\n- `a.same`\n- `pay.nothing`\n"
    made.commit("Begin", {**files, "PATHOS.md": state(body)})
    states = [i.state for i in run(made.root).items]
    assert states == [State.FRESH, State.FRESH, State.UNPROVABLE, State.STALE]
    made.git("mv", "src/pay/client.py", "src/pay/gateway.py")
    assert run(made.root).items[0].state is State.STALE


def test_somebody_elses_call_is_held_and_a_renamed_type_is_stale(tmp_path: Path) -> None:
    made = Made(tmp_path / "r")
    source = "class Store:\n    def get(self):\n        return 1\n"
    made.commit("Begin", {"shop.py": source, "PATHOS.md": state("- `requests.get()`\n- `Store.get`\n")})
    first = run(made.root)
    assert [(i.state, i.reason) for i in first.items] == [(State.UNPROVABLE, "outside"), (State.FRESH, "")]
    made.write("shop.py", source.replace("Store", "Shelf"))
    second = run(made.root)
    assert [(i.state, i.reason) for i in second.items] == [
        (State.UNPROVABLE, "outside"),
        (State.STALE, "evidence_changed"),
    ]


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("a.py", "from lib import (\n    other,\n    load_all,\n)\nload_all()\n"),
        ("a.ts", "import {\n  loadOne,\n  load_all,\n} from 'lib';\nload_all();\n"),
        ("a.js", "const { load_all } = require('lib');\nload_all();\n"),
        ("a.rs", "use lib::{other, load_all};\nfn go() { load_all(); }\n"),
        ("A.java", "import static lib.Tools.load_all;\nclass A { void go() { load_all(); } }\n"),
        ("a.c", "#include <lib.h>\nint go(void) { return load_all(); }\n"),
        ("a.rb", "require 'lib'\nload_all(1)\n"),
    ],
)
def test_a_call_that_the_source_imports_is_held_not_stale(tmp_path: Path, path: str, source: str) -> None:
    made = Made(tmp_path / "r")
    made.commit("Begin", {path: source, "PATHOS.md": state("- `load_all()`\n- `load_none()`\n")})
    reasons = [(i.state, i.reason) for i in run(made.root).items]
    assert reasons == [(State.UNPROVABLE, "outside"), (State.STALE, "evidence_changed")]


def test_what_a_document_is_said_to_define_is_held(tmp_path: Path) -> None:
    made = Made(tmp_path / "r")
    made.commit("Begin", {"a.py": "x = 1\n", "docs/plan.md": "# P\n", "PATHOS.md": state("- `docs/plan.md::Alpha`\n")})
    assert [i.reason for i in run(made.root).items] == ["unsupported_language"]


def test_a_call_with_its_arguments_is_the_same_symbol(tmp_path: Path) -> None:
    made = Made(tmp_path / "r")
    source = (
        "class Client:\n    def send(self, order, cents=0):\n        return 1\n\n\ndef refund(order):\n    return 1\n"
    )
    soul = state(
        "- `refund(order)`\n- `Client.send(order: str, cents=0)`\n- `send(amount)`\n- it is `O(n)` and `f(x)`\n- `Some(x)`\n"
    )
    made.commit("Begin", {"pay.py": source, "PATHOS.md": soul})
    assert [i.state for i in run(made.root).items] == [State.FRESH] * 3 + [State.UNPROVABLE] * 2
    made.commit("Rename", {"pay.py": source.replace("refund", "give_back")})
    assert run(made.root).items[0].state is not State.FRESH


def test_a_name_in_letters_beyond_ascii_is_a_name(tmp_path: Path) -> None:
    made = Made(tmp_path / "r")
    files = {
        "a.py": "def größe(x):\n    return x\n\n\nclass Überweisung:\n    def öffne(self):\n        return 1\n",
        "b.ts": "export function 計算(x: number) { return x; }\n",
        "c.go": "package c\n\nfunc Zähle() int { return 1 }\n",
        "d.rs": "pub fn prüfe() -> i64 { 1 }\n",
        "E.java": "class E { int añade() { return 1; } }\n",
        "f.rb": "class F\n  def ouvré\n    1\n  end\nend\n",
    }
    known = "größe() Überweisung.öffne() 計算() c.Zähle() prüfe() E.añade F#ouvré".split()  # noqa: SIM905
    made.commit("Begin", {**files, "PATHOS.md": state("".join(f"- `{k}`\n" for k in known) + "- größe() is called\n")})
    assert [i.state for i in run(made.root).items] == [State.FRESH] * (len(known) + 1)
    made.write("a.py", files["a.py"].replace("größe", "masse"))
    assert run(made.root).items[0].state is State.STALE


def test_comments_of_python_do_not_hide_or_move_what_is_defined() -> None:
    source = (
        '# a "quoted\n# b\n#\ndef one():\n    # c\n    text = """\n# d\n# """\n    return text\n\n\n'
        "class Two:\n    # e\n\n    # f\n    def three(self):\n        return '''\n    # g\n'''\n"
    )
    found = [(d.qualified, d.line, d.end) for d in definitions(source.encode(), "a.py", "python")]
    assert found == [("one", 4, 9), ("Two", 12, 19), ("Two::three", 16, 19)]
