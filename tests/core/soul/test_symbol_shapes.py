"""Symbols in the shapes that frameworks and older code give them: each is found under the name that a person would write."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.soul.model import State
from tests.core.git_made import Made
from tests.core.soul.projects import one, run, state

FILES = {
    "py/yard.py": "class Yard:\n    class Gate:\n        pass\n\n    def __init__(self, a):\n        self.left, self.right = a, 2\n",
    "ts/depot.ts": """
export const config = { retry: 3, nested: { deep() { return 1; } } } as const;
export const theme = { toggle() {} } satisfies Theme;
const slice = createSlice({ name: "x", reducers: { addItem(state) {} } });
export const useStore = create((set) => ({ inc: () => set(1) }));
export const Ice = Object.freeze({ SNOW: 2 });
export const memoed = React.memo(function Card() { return null; });
export const { alpha, beta: gamma } = slice.actions;
export const [first, second] = pair();
""",
    "js/legacy.js": """
function Legacy() {}
Legacy.create = function () { return new Legacy(); };
Legacy.limit = 3;
window.AppBoot = function () {};
""",
    "rs/tup.rs": """
pub struct Tup(pub u8);
pub union Bits { low: u32, high: f32 }
impl From<u8> for crate::tup::Tup { fn from(x: u8) -> Self { Tup(x) } }
impl<'a> Read for &'a mut Tup { fn read_it(&self) {} }
impl dyn Speak { fn shout(&self) {} }
pub trait Speak { type Sound; }
""",
    "go/row.go": "package shop\n\ntype Base struct{ Deep struct{ Level int } }\n\ntype Row struct {\n\tBase\n\t*time.Clock\n}\n",
    "java/Ann.java": "@interface Ann { int value() default 1; }\n",
    "c/ring.c": """
typedef int (*handler_t)(int);
typedef struct node *node_p;
typedef int vec3[3];
struct ops { int (*read_one)(int); };
int ring_count = 0;
static const char *ring_names[] = { "a" };
extern int ring_elsewhere;
char **split_words(const char *s) { int ring_inside = 1; return 0; }
""",
    "cpp/wid.cpp": """
template <typename T> class Wid { public: void draw(); };
template <typename T> void Wid<T>::draw() {}
template <typename T> struct Tr {};
template <> struct Tr<int> { static void special() {} };
constexpr int ALL = 4;
auto twice = [](int x) { int within = x; return x * 2; };
""",
    "rb/yard.rb": """
module Yard
  Pt = Struct.new(:wide, :high) do
    def dist; end
  end
  def self.am; end
  class Set
    def shut=(v); end
    alias closed open
  end
end
def Yard.outside; end
""",
}
FRESH = """
Yard.left Yard.right yard.py::Yard.Gate config.retry config.nested.deep theme.toggle slice.addItem useStore.inc Ice.SNOW Card()
depot.ts::alpha depot.ts::gamma depot.ts::second Legacy.create AppBoot()
Bits::low Tup::from Tup::read_it Speak::shout Speak::Sound Row.Base Row.Clock Deep.Level Ann.value
ring.c::handler_t ring.c::node_p ring.c::vec3 ops.read_one ring.c::ring_count ring.c::ring_names split_words()
Wid::draw Tr::special wid.cpp::ALL wid.cpp::twice
Pt#dist Pt#wide Yard.am Yard.outside Set#shut Set#closed
""".split()  # noqa: SIM905
STALE = """
Yard.middle theme.nested Legacy.limit slice.inc ring.c::ring_inside wid.cpp::within Row.Deep Yard.dist2
""".split()  # noqa: SIM905


def test_what_is_defined_in_a_rarer_shape_is_found_and_what_is_not_is_stale(tmp_path: Path) -> None:
    made = Made(tmp_path / "r")
    body = "".join(f"- `{symbol}`\n" for symbol in (*FRESH, *STALE, "ring.c::ring_elsewhere"))
    made.commit("Begin", {**FILES, "PATHOS.md": state(body)})
    found = {i.claim.text: i for i in run(made.root).items}
    assert {s: found[s].verdicts for s in FRESH if found[s].state is not State.FRESH} == {}
    assert {s: found[s].verdicts for s in STALE if found[s].state is not State.STALE} == {}
    assert found["ring.c::ring_elsewhere"].reason == "declared_only"


@pytest.mark.parametrize(
    ("path", "then", "now"),
    [
        ("a.py", "class Shelf:\n    def drain(self):\n        pass\n", "class Shelf:\n    def x(self):\n        def drain():\n            pass\n"),
        ("a.js", "class Shelf { drain() {} }\n", "class Shelf { x() { function drain() {} } }\n"),
        ("a.rs", "struct Shelf;\nimpl Shelf { fn drain() {} }\n", "struct Shelf;\nimpl Shelf { fn x() { fn drain() {} } }\n"),
    ],
)  # fmt: skip
def test_what_a_method_defines_for_itself_is_no_member_of_its_type(
    tmp_path: Path, path: str, then: str, now: str
) -> None:
    made = Made(tmp_path / "r")
    made.commit("Begin", {path: then, "PATHOS.md": state("- `Shelf::drain` empties it\n")})
    assert one(run(made.root)).state is State.FRESH
    made.write(path, now)
    assert one(run(made.root)).state is State.STALE
    made.write("PATHOS.md", state("- `x::drain` empties it\n"))
    assert one(run(made.root)).state is State.FRESH


@pytest.mark.parametrize(
    ("path", "source", "claim"),
    [
        ("a.py", "class Answer:\n    def json(self):\n        return 1\n", "`json.dumps` writes"),
        ("a.rs", "struct A;\nimpl A { fn fmt(&self) {} }\n", "`fmt.Println()` prints"),
        ("a.js", "export class A { log() {} }\n", "`log.info()` tells"),
        ("a.go", "package a\n\nfunc errors() int { return 1 }\n", "`errors.New` makes one"),
    ],
)
def test_a_method_that_is_called_like_somebody_elses_module_does_not_make_its_members_ours(
    tmp_path: Path, path: str, source: str, claim: str
) -> None:
    made = Made(tmp_path / "r")
    made.commit("Begin", {path: source, "PATHOS.md": state(f"- {claim}")})
    assert one(run(made.root)).reason == "outside"


def test_a_definition_is_found_through_a_link_to_its_file(tmp_path: Path) -> None:
    made = Made(tmp_path / "r")
    soul = state("- `pay/client.py::send`\n- `client.py::send`\n- `pay.client.send`\n")
    made.commit("Begin", {"pay/real.py": "def send():\n    pass\n", "PATHOS.md": soul})
    (made.root / "pay/client.py").symlink_to("real.py")
    made.commit("Link")
    assert [i.state for i in run(made.root).items] == [State.FRESH] * 3
    made.write("pay/real.py", "def post():\n    pass\n")
    assert [i.state for i in run(made.root).items] == [State.STALE] * 3
