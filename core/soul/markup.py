"""Markdown for the soul: the blocks of a document by markdown-it-py, and what stands inside of each.

The parser tries every rule at every line and every mark. A rule whose sign the document does not hold cannot apply and is
left out; a line that holds nothing but words and code in single backticks is taken apart here. A test compares both with
the parser's own reading.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

MOST_NESTED = 100
"""Blocks in each other that are read; a list and its item are two. The parser calls itself for each."""
_SIGNS = {
    "table": re.compile(r"\|"),
    "fence": re.compile(r"```|~~~"),
    "blockquote": re.compile(r">"),
    "hr": re.compile(r"([-*_])[ \t]*\1[ \t]*\1"),
    "reference": re.compile(r"\]:"),
    "html_block": re.compile(r"<"),
    "heading": re.compile(r"#"),
    "lheading": re.compile(r"(?:^|[ \t>])(?:=+|-+)[ \t]*$", re.MULTILINE),
}
"""Rules for blocks, and what a document must hold for one of them to apply."""
MOST_MARKS = 400_000
"""Marks inside of a document that are read, a square bracket counting for `BRACKET`: some 10 s of the parser's time."""
BRACKET = 4
_MARK = re.compile(r"[\\*_~<&!`]")
_PLAIN = re.compile(r"[^\\`*_~\[<&\n]*(?:`[^`\n]+`(?!`)[^\\`*_~\[<&\n]*)*")
"""A line without marks other than code in single backticks."""


class Piece(NamedTuple):
    """A stretch of a claim: plain text, a code span, or a link's target."""

    text: str
    line: int
    code: bool = False
    link: bool = False
    struck: bool = False


def blocks(body: str) -> list[Token]:
    """The tokens of a document (CommonMark with tables and crossed-out words); lines that `pieces` takes apart itself
    are left unread."""
    from markdown_it import MarkdownIt  # 40 ms of CPU, needed by the soul alone

    body = body.replace("\r\n", "\n").replace("\r", "\n")
    reader = MarkdownIt("commonmark", {"maxNesting": MOST_NESTED}).enable(["table", "strikethrough"])
    reader.disable([rule for rule, sign in _SIGNS.items() if not sign.search(body)])
    reader.disable(["inline", "text_join"])
    environment: dict[str, object] = {}
    tokens = reader.parse(body, environment)
    _inside(reader, tokens, environment)
    return tokens


def _inside(reader: MarkdownIt, tokens: list[Token], environment: dict[str, object]) -> None:
    """Have the parser read the insides that hold marks."""
    from markdown_it.rules_core import StateCore, inline, text_join

    marked, left = [], MOST_MARKS
    for token in tokens:
        if token.type == "inline" and not _PLAIN.fullmatch(token.content):
            left -= len(_MARK.findall(token.content)) + BRACKET * token.content.count("[")
            if left < 0:
                token.meta["unread"] = True  # words and code are taken from it, no links and no marks
            else:
                marked.append(token)
    for token in tokens:
        if token.type == "inline":
            token.children = None
    if marked:
        state = StateCore("", reader, environment, marked)
        inline(state)
        text_join(state)


def pieces(inline: Token, line: int | None) -> Iterator[Piece]:
    """The stretches of an inline token: plain text, code spans, link targets, each with its line (`line`, if given)."""
    at = line if line is not None else (inline.map[0] + 1 if inline.map else 1)
    if inline.children is None:
        for place, part in enumerate(inline.content.split("`")):
            if part:
                yield Piece(_code(part), at, True) if place % 2 else Piece(part, at)
        return
    fixed = line is not None
    struck = 0
    hrefs: list[str] = []
    for child in inline.children:
        kind = child.type
        if kind in ("softbreak", "hardbreak"):
            at += 0 if fixed else 1
            yield Piece(" ", at, struck=bool(struck))
        elif kind == "code_inline":
            yield Piece(child.content, at, code=True, struck=bool(struck))
        elif kind == "link_open":
            hrefs.append(str(child.attrGet("href") or ""))
        elif kind == "link_close" and hrefs:
            yield Piece(hrefs.pop(), at, link=True, struck=bool(struck))
        elif kind == "image":
            yield Piece(str(child.attrGet("src") or ""), at, link=True, struck=bool(struck))
        elif kind in ("s_open", "s_close"):
            struck += 1 if kind == "s_open" else -1
        elif kind == "text":
            yield Piece(child.content, at, struck=bool(struck))


def plain(inline: Token) -> str:
    """The words of an inline token, its marks left out."""
    if inline.children is None:
        if "`" not in inline.content:
            return inline.content
        return "".join(_code(p) if n % 2 else p for n, p in enumerate(inline.content.split("`")))
    parts = []
    for child in inline.children:
        if child.type in ("softbreak", "hardbreak"):
            parts.append(" ")
        elif child.type in ("text", "code_inline", "image"):
            parts.append(child.content)
    return "".join(parts)


def _code(span: str) -> str:
    """What a code span holds: one blank on each side belongs to its marks, unless it holds nothing else."""
    return span[1:-1] if span[:1] == " " == span[-1:] and span.strip(" ") else span
