"""What a claim cites, and what only looks like it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.soul.anchors import _classified, _classified_by_form, anchors_of, numbers_in, quoted_anchor
from core.soul.markup import Piece
from core.soul.model import Anchor, AnchorClass

LINE, PATH, SYMBOL, GIT = AnchorClass.LINE_HINT, AnchorClass.PATH, AnchorClass.SYMBOL, AnchorClass.GIT
RECEIPT, RUNTIME, NEUTRAL = AnchorClass.RECEIPT, AnchorClass.RUNTIME, AnchorClass.NEUTRAL


def _bare(text: str) -> list[tuple[AnchorClass, str]]:
    return [(a.kind, a.raw) for a in anchors_of([Piece(text, 1)])]


def _quoted(text: str) -> Anchor:
    anchor = quoted_anchor(text, 1)
    assert anchor is not None, text
    return anchor


@pytest.mark.parametrize(
    ("span", "kind", "target", "spans"),
    [
        ("pay/client.py:12", LINE, "pay/client.py", ((12, 12),)),
        ("pay/client.py:10-20", LINE, "pay/client.py", ((10, 20),)),
        ("client.py:3,9", LINE, "client.py", ((3, 3), (9, 9))),
        ("client.py:3-5,9", LINE, "client.py", ((3, 5), (9, 9))),
        ("pay/client.py#L5", LINE, "pay/client.py", ((5, 5),)),
        ("pay/client.py#L5-L9", LINE, "pay/client.py", ((5, 9),)),
        ("pay/client.py:12:4", LINE, "pay/client.py", ((12, 12),)),
        ("pay/client.py:L5", LINE, "pay/client.py", ((5, 5),)),
        ("pay/client.py:L5-L9", LINE, "pay/client.py", ((5, 9),)),
        ("Makefile:7", LINE, "Makefile", ((7, 7),)),
    ],
)
def test_line_hints(span: str, kind: AnchorClass, target: str, spans: tuple[tuple[int, int], ...]) -> None:
    anchor = _quoted(span)
    assert (anchor.kind, anchor.target, anchor.spans) == (kind, target, spans)


@pytest.mark.parametrize(
    ("span", "form", "target"),
    [
        ("pay/client.py", "file", "pay/client.py"),
        ("./pay/client.py", "file", "pay/client.py"),
        ("pay\\client.py", "file", "pay/client.py"),
        ("README.md", "file", "README.md"),
        (".gitignore", "file", ".gitignore"),
        ("Makefile", "file", "Makefile"),
        ("docs/", "folder", "docs/"),
        (".github/workflows/", "folder", ".github/workflows/"),
        ("src/**/*.ts", "glob", "src/**/*.ts"),
        ("src/{a,b}.py", "glob", "src/{a,b}.py"),
        ("core/records", "maybe", "core/records"),
        ("docs/my notes.md", "file", "docs/my notes.md"),
    ],
)
def test_paths(span: str, form: str, target: str) -> None:
    anchor = _quoted(span)
    assert (anchor.kind, anchor.form, anchor.target) == (PATH, form, target)


@pytest.mark.parametrize(
    ("span", "target"),
    [
        ("pay::send", "pay::send"),
        ("Client.send", "Client::send"),
        ("pay.client.send", "pay::client::send"),
        ("retry_budget()", "retry_budget"),
        ("Client.send()", "Client::send"),
        ("client.py::send", "client.py::send"),
        ("pay/client.py::Client::send", "pay/client.py::Client::send"),
    ],
)
def test_symbols(span: str, target: str) -> None:
    anchor = _quoted(span)
    assert (anchor.kind, anchor.target) == (SYMBOL, target)


@pytest.mark.parametrize(
    ("span", "form", "numbers"),
    [
        ("v1.2.3", "tag", ()),
        ("v0.9.0-rc.1", "tag", ()),
        ("509bcf3", "commit", ()),
        ("#12", "number", (12,)),
        ("#12/#13", "number", (12, 13)),
        ("#161-#163", "number", (161, 162, 163)),
        ("(#101)", "number", (101,)),
    ],
)
def test_git(span: str, form: str, numbers: tuple[int, ...]) -> None:
    anchor = _quoted(span)
    assert (anchor.kind, anchor.form, anchor.numbers) == (GIT, form, numbers)


@pytest.mark.parametrize(
    "span",
    [
        "pytest -q",
        "cargo test",
        "npm run build",
        "make test",
        "scripts/start.sh --now",
        "$ pytest",
        "CI=1 pytest -x",
        "28/28",
        "171 tests",
        "CI green",
    ],
)
def test_receipts(span: str) -> None:
    assert _quoted(span).kind is RECEIPT


@pytest.mark.parametrize("span", ["http://127.0.0.1:5555/health", "localhost:8080", ":3000", "http://localhost/x"])
def test_runtime(span: str) -> None:
    assert _quoted(span).kind is RUNTIME


@pytest.mark.parametrize(
    ("span", "form"),
    [
        ("https://example.org/a.py", "url"), ("github.com/a/b", "url"), ("text/html", "mime"), ("application/json", "mime"), ("@scope/pkg", "package"),
        ("feature/login", "branch"), ("origin/main", "branch"), ("/rewrite", "route"), ("POST /rewrite", "route"), ("XAI_API_KEY", "variable"), ("$HOME/x", "home"),
        ("~/code/pay", "home"), ("./target/debug/x", "build"), ("!keep.me", "negation"), ("<name>.py", "placeholder"), ("src/…/x.py", "placeholder"), ("/usr/bin/env", "absolute"),
        ("C:\\Users\\x", "absolute"), ("example.com", "domain"), ("2026-03-01", "date"),
    ],
)  # fmt: skip
def test_neutral(span: str, form: str) -> None:
    anchor = _quoted(span)
    assert (anchor.kind, anchor.form) == (NEUTRAL, form)


@pytest.mark.parametrize(
    "span", ["", "set -a", "x = y/z", "a or b", "True", "retry", "--flag/thing", "{}", "1.5", "e.g.", "it.is", "Vec<T>"]
)
def test_spans_that_grip_nothing(span: str) -> None:
    anchor = quoted_anchor(span, 1)
    assert anchor is None or anchor.kind in (NEUTRAL, SYMBOL), anchor
    assert anchor is None or span in ("it.is", "Vec<T>")


def test_bare_words_are_gripped_with_caution() -> None:
    assert _bare("See pay/client.py:12, MEDULLA-PRD.md and instance_registry.rs:529.") == [
        (LINE, "pay/client.py:12"),
        (PATH, "MEDULLA-PRD.md"),
        (LINE, "instance_registry.rs:529"),
    ]
    assert _bare("and/or, he/she, input/output, 1/2 of it, e.g. this, i.e. that, U.S. law") == []
    assert _bare("released v1.2.3, commit 509bcf3 and v2.0.1.") == [(GIT, "v1.2.3"), (GIT, "509bcf3"), (GIT, "v2.0.1")]
    assert _bare("decade, defaced, 1234567 and deadbeef") == []


def test_references_and_rankings() -> None:
    assert _bare("landed in #168/#169, #161-#163; (#101) and **#5**") == [
        (GIT, "#168/#169"),
        (GIT, "#161-#163"),
        (GIT, "#101"),
        (GIT, "#5"),
    ]
    assert _bare("the #1 remaining gap, our #2 priority, #1 reason; color #fff and &#39; x#12") == []


def test_results_ports_and_counts() -> None:
    assert _bare("28/28 green, 171 tests, 12 passed, CI is green, port 5555, 3,400 nodes live") == [
        (RECEIPT, "28/28 green"),
        (RECEIPT, "171 tests"),
        (RECEIPT, "12 passed"),
        (RECEIPT, "CI is green"),
        (RUNTIME, "port 5555"),
        (RUNTIME, "3,400 nodes live"),
    ]


def test_each_wording_once_in_the_order_of_the_document() -> None:
    pieces = [Piece("b.py then ", 1), Piece("a.py", 1, code=True), Piece(" and again b.py", 2)]
    assert [(a.raw, a.line) for a in anchors_of(pieces)] == [("b.py", 1), ("a.py", 1)]


def test_a_range_of_references_is_spelled_out_and_bounded() -> None:
    assert numbers_in("#3-#5") == (3, 4, 5)
    assert numbers_in("#1-#99999") == (1, 99999)
    assert numbers_in("#9-#3") == (9, 3)


@pytest.mark.parametrize(
    ("span", "target"),
    [
        ("client.py:send", "client.py::send"),
        ("pay/client.py:Client.send()", "pay/client.py::Client::send"),
        ("Gate#open?", "Gate::open?"),
        ("Pay::Gate#open", "Pay::Gate::open"),
    ],
)
def test_members_written_with_a_colon_or_a_hash(span: str, target: str) -> None:
    anchor = _quoted(span)
    assert (anchor.kind, anchor.target) == (SYMBOL, target)


@pytest.mark.parametrize(
    "span", ["docs/plan.md §2", "docs/plan.md (draft)", "pay/client.py @ Client.send", "config/app.yaml line 4"]
)
def test_a_place_in_a_file_is_no_command(span: str) -> None:
    anchor = quoted_anchor(span, 1)
    assert anchor is None or anchor.kind is not RECEIPT


@pytest.mark.parametrize(
    ("href", "kind", "target"),
    [
        ("docs/my%20notes.md", PATH, "docs/my notes.md"),
        ("./docs/plan.md?plain=1", PATH, "docs/plan.md"),
        ("docs/plan.md#alpha-one", PATH, "docs/plan.md"),
        ("docs/plan.md#L5-L9", LINE, "docs/plan.md"),
        ("https://example.org/a%20b?x=1#y", NEUTRAL, "https://example.org/a%20b?x=1#y"),
    ],
)
def test_link_targets(href: str, kind: AnchorClass, target: str) -> None:
    anchor = quoted_anchor(href, 1, link=True)
    assert anchor is not None
    assert (anchor.kind, anchor.target) == (kind, target)


_PARTS = (
    "a",
    "src",
    "text",
    "target",
    "XX",
    "feature",
    "b-c",
    "_d",
    "Main",
    "README",
    "x1",
    "9",
    ".",
    "..",
    "localhost",
    "docs",
)
_ENDS = (
    ".py",
    ".md",
    ".sh",
    ".com",
    ".c",
    ".x",
    "",
    ".tar.gz",
    ":3",
    ":12",
    ":1-2",
    "#L3",
    "/",
    "()",
    "::f",
    ".py:7",
    ".md#top",
    ".MD",
)


@given(st.lists(st.sampled_from(_PARTS), min_size=1, max_size=4).map("/".join), st.sampled_from(_ENDS))
@settings(max_examples=400, deadline=None)
def test_a_plain_file_is_told_at_once_as_it_is_told_by_trying_every_class(path: str, end: str) -> None:
    assert _classified(path + end, 4) == _classified_by_form(path + end, 4)
