"""What is left out of reading Markdown changes nothing: the tokens and insides are those of the parser itself."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from core.soul.document import parse
from core.soul.markup import MOST_NESTED, blocks, pieces, plain

_BITS = (
    "- ", "* ", "1. ", "+ ", "> ", "# ", "## ", "    ", "   ", "\t", "\n", "\n", "\n\n", "---", "- - -", "===", "***", "```", "~~~", "| ",
    "|---|", "<b>", "<!-- x -->", "[a](b.md)", "[a]: /u", "[a]", "![i](s.png)", "`", "`code`", "` x `", "`  `", "``y``", "\\", "&amp;",
    "*em*", "_em_", "snake_case", "~~gone~~", "word", "two words ", "  ", "a.py:12", "https://x.dev", "<https://x.dev>", "é", "漢字", "\r\n",
    "!", "]", "(", ")", "\u00a0", "=", "-",
)  # fmt: skip


def whole(body: str) -> list[Token]:
    """The parser's own reading."""
    return MarkdownIt("commonmark", {"maxNesting": MOST_NESTED}).enable(["table", "strikethrough"]).parse(body)


def shape(tokens: Sequence[Token]) -> list[tuple[object, ...]]:
    return [(t.type, t.tag, t.map, t.level, t.markup, t.info, t.content) for t in tokens]


def same(body: str) -> None:
    ours, theirs = blocks(body), whole(body)
    assert shape(ours) == shape(theirs)
    for one, other in zip(ours, theirs, strict=True):
        if one.type == "inline":
            assert plain(one) == plain(other)
            assert [p for p in pieces(one, None) if p.text] == [p for p in pieces(other, None) if p.text]


@given(st.lists(st.sampled_from(_BITS), max_size=24).map("".join))
@settings(max_examples=400, deadline=None)
def test_what_is_left_out_changes_nothing(body: str) -> None:
    same(body)


@pytest.mark.parametrize(
    "body",
    [
        "- a `b` c\n- `a``b`\n- ` a ` and `  ` and `a `\n- a ` b\n",
        "Title\n=====\n\nOther\n---\n\n- x\n  -----\n",
        "| a | b |\n|---|---|\n| `x\\|y` | ~~z~~ |\n",
        "a\n  b  \nc\\\nd\n\n> q\n> - r\n\n    code\n",
        "- [ ] todo `a.py`\n- [x] done\n",
        "1. one\n2. two\n   - three\n\n     four\n",
    ],
)
def test_the_marks_of_everyday_documents_are_read_as_the_parser_reads_them(body: str) -> None:
    same(body)


def test_a_document_of_marks_alone_is_read_in_bounded_time_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.soul.markup.MOST_MARKS", 100)
    text = "## State\n\n- **a** `x/a.py`\n- " + "[" * 40 + " ``x/b.py``\n- [c](x/c.py)\n"
    found = parse(text)
    assert [[a.raw for a in c.anchors] for c in found.claims] == [["x/a.py"], ["x/b.py"], ["x/c.py"]]
    assert [(f.reason, f.line) for f in found.findings if f.reason == "too_many_marks"] == [("too_many_marks", 4)]
    assert not [f for f in parse("## State\n\n- **a** [c](x/c.py)\n").findings if f.reason == "too_many_marks"]
