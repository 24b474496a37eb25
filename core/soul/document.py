"""Reads a handoff document into claims, by the blocks of Markdown and never line by line (design/soul.md 1).

A claim is one list item without its nested items, one paragraph, one table row, one quoted paragraph. Headings,
fences, comments and rules are scaffold. Parsing never fails: what cannot be told is a finding.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from core.soul.anchors import anchors_of
from core.soul.markup import MOST_MARKS, MOST_NESTED, blocks, pieces, plain
from core.soul.model import (
    Anchor,
    AnchorClass,
    AutoRegion,
    Block,
    Claim,
    Document,
    FenceCommand,
    Finding,
    Reason,
    Section,
    Tissue,
)
from core.soul.tissue import Mapped, TissueTable

if TYPE_CHECKING:
    from markdown_it.token import Token

_MARKER = re.compile(r"<!--\s*(BEGIN|END):\s*auto-([\w.-]+)\s*-->", re.IGNORECASE)
_CHECKBOX = re.compile(r"^\[[ xX]\]\s+")
_PROMPT = re.compile(r"^\s*(?:\$|>|%|❯)\s+")
_SHELLS = frozenset(("", "sh", "bash", "zsh", "shell", "console", "shell-session", "terminal", "fish", "powershell"))
FRONT_MATTER_LINES = 200
"""A `---` block at the top longer than this is taken for text."""


def parse(text: str, table: TissueTable | None = None) -> Document:
    """The document in `text` (any newlines; a byte order mark is skipped)."""
    return _Parser(table or TissueTable()).parse(text)


def physical_lines(text: str) -> list[str]:
    """The lines as Markdown counts them, their ends kept: LF, CRLF and a lone CR each end a line."""
    return re.findall(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$", text)


@dataclass(slots=True)
class _Open:
    """A container block that is being read."""

    block: Block
    item: bool
    """True for a list item, whose text blocks make one claim."""
    inlines: list[Token] = field(default_factory=list)
    place: int = 0
    """Where its claim goes: the number of claims when it opened."""


class _Parser:
    """One pass over the tokens of a document."""

    def __init__(self, table: TissueTable) -> None:
        self._table = table
        self._claims: list[tuple[int, Claim]] = []
        self._sections: list[Section] = []
        self._findings: list[Finding] = []
        self._commands: list[FenceCommand] = []
        self._headline = ""
        self._titles: list[tuple[int, str]] = []
        self._section: tuple[str, ...] = ()
        self._mapped = Mapped(Tissue.DECLARED, mapped=True)
        self._began = 1
        self._narration = 0
        self._order = 0
        self._last = 0
        self._spans: list[tuple[int, int]] = []

    def parse(self, text: str) -> Document:
        """Read the whole document."""
        text = text.removeprefix("\ufeff")
        lines = physical_lines(text)
        self._last = len(lines)
        regions = _regions(lines, self._findings)
        body = _without_front_matter(lines)
        tokens = blocks(body)
        self._findings.extend(_too_deep(tokens))
        self._findings.extend(_too_marked(tokens))
        self._walk(tokens, [r.lines for r in regions])
        self._close_section(self._last)
        claims = [claim for _, claim in sorted(self._claims, key=lambda pair: pair[0])]
        return Document(
            self._headline,
            tuple(claims),
            tuple(self._sections),
            tuple(regions),
            tuple(self._commands),
            tuple(self._findings),
            _nesting(self._spans, claims),
            self._narration,
            self._last,
        )

    def _walk(self, tokens: Sequence[Token], skipped: Sequence[tuple[int, int]]) -> None:
        stack: list[_Open] = []
        header = False
        for place, token in enumerate(tokens):
            kind = token.type
            if kind in ("inline", "paragraph_close"):  # half of all
                continue
            if kind == "heading_open":
                self._heading(token, tokens[place + 1], nested=bool(stack))
            elif kind == "list_item_open":
                numbered = token.info != "" or token.markup in (".", ")")
                span = token.map or [0, 0]
                stack.append(_Open(Block.NUMBERED if numbered else Block.BULLET, True, place=self._next()))
                self._spans.append((span[0] + 1, span[1]))
            elif kind == "blockquote_open":
                stack.append(_Open(Block.QUOTE, False))
            elif kind in ("list_item_close", "blockquote_close"):
                self._close(stack.pop())
            elif kind in ("thead_open", "thead_close"):
                header = kind == "thead_open"
            elif kind == "tr_open" and not header:
                self._row(tokens, place, skipped)
            elif kind in ("fence", "code_block"):
                self._fence(token)
            elif kind == "paragraph_open" and not _inside(token, skipped):
                self._paragraph(tokens[place + 1], stack)

    # -- blocks

    def _next(self) -> int:
        self._order += 1
        return self._order

    def _paragraph(self, inline: Token, stack: list[_Open]) -> None:
        if stack and stack[-1].item:
            stack[-1].inlines.append(inline)
        else:
            self._claim([inline], stack[-1].block if stack else Block.PARAGRAPH, self._next())

    def _close(self, done: _Open) -> None:
        if done.item and done.inlines:
            self._claim(done.inlines, done.block, done.place)

    def _row(self, tokens: Sequence[Token], place: int, skipped: Sequence[tuple[int, int]]) -> None:
        if _inside(tokens[place], skipped):
            return
        cells = []
        for token in tokens[place + 1 :]:
            if token.type == "tr_close":
                break
            if token.type == "inline":
                cells.append(token)
        self._claim(cells, Block.ROW, self._next(), tokens[place].map)

    def _claim(self, inlines: Sequence[Token], block: Block, order: int, span: list[int] | None = None) -> None:
        if self._mapped.history:
            return
        maps = [span] if span else [i.map for i in inlines if i.map]
        if not maps:
            return
        own = tuple((m[0] + 1, m[1]) for m in maps if m)
        parts = [p for inline in inlines for p in pieces(inline, span[0] + 1 if span else None)]
        joint = " | " if block is Block.ROW else " "
        text = joint.join(_one_line(i) for i in inlines)
        text = _CHECKBOX.sub("", text).strip()
        if not text:
            return
        declared = self._mapped.tissue is Tissue.DECLARED
        anchors = anchors_of(parts)
        if not declared and block in (Block.PARAGRAPH, Block.QUOTE) and not _grips(anchors):
            self._narration += 1
            return
        struck = " ".join([p.text for p in parts if p.struck]).strip()
        whole = bool(struck) and all(p.struck or not p.text.strip(" .:;-–—|*_") for p in parts)
        lines = (own[0][0], own[-1][1])
        claim = Claim(self._section, text, lines, own, block, self._mapped.tissue, anchors, whole, struck)
        self._claims.append((order, claim))

    def _heading(self, token: Token, inline: Token, *, nested: bool) -> None:
        if nested or not token.map:
            return
        level, title = int(token.tag[1]), _one_line(inline)
        if level == 1 and not self._headline:
            self._headline = title
            if not self._titles:
                return
        if level <= 2:
            self._close_section(token.map[0])
            self._titles = [(2, title)]
            self._mapped = self._table.lookup(title)
            self._began = token.map[0] + 1
            if not self._mapped.mapped:
                detail = f"No table names the heading “{title}”: it is checked as verifiable."
                self._findings.append(Finding(Reason.UNMAPPED_SECTION, self._began, detail))
        else:
            self._titles = [t for t in self._titles if t[0] < level] + [(level, title)]
        self._section = tuple(title for _, title in self._titles)

    def _close_section(self, last: int) -> None:
        title = next((t for level, t in self._titles if level == 2), "")
        if last >= self._began and (title or last > 0):
            mapped = self._mapped
            self._sections.append(Section(title, mapped.tissue, (self._began, last), mapped.mapped, mapped.history))

    def _fence(self, token: Token) -> None:
        language = (token.info.split() or [""])[0].lower().strip("{}.") if token.type == "fence" else ""
        if language not in _SHELLS or self._mapped.history or not token.map:
            return
        title = next((t for level, t in self._titles if level == 2), "")
        first = token.map[0] + (2 if token.type == "fence" else 1)
        for number, line in enumerate(token.content.split("\n")):
            command = _PROMPT.sub("", line).strip()
            if command and not command.startswith("#"):
                self._commands.append(FenceCommand(title, first + number, command))


def _too_deep(tokens: Sequence[Token]) -> Iterator[Finding]:
    """The place from which blocks lie so deep in each other that they are not read."""
    deepest = next((t for t in tokens if t.level >= MOST_NESTED - 1 and t.map), None)
    if deepest is not None and deepest.map:
        detail = f"Blocks lie more than {MOST_NESTED // 2} deep in each other here: what is deeper is not read."
        yield Finding(Reason.TOO_DEEP, deepest.map[0] + 1, detail)


def _too_marked(tokens: Sequence[Token]) -> Iterator[Finding]:
    """The place from which links and other marks are not read any more."""
    first = next((t for t in tokens if t.type == "inline" and t.meta.get("unread")), None)
    if first is not None and first.map:
        detail = f"The document holds more than {MOST_MARKS:,} marks: from here on they are taken as they stand."
        yield Finding(Reason.TOO_MARKED, first.map[0] + 1, detail)


def _nesting(spans: Sequence[tuple[int, int]], claims: Sequence[Claim]) -> dict[tuple[int, int], tuple[int, ...]]:
    """The claims that stand inside each list item besides its own."""
    starts = sorted(c.lines[0] for c in claims)
    found: dict[tuple[int, int], tuple[int, ...]] = {}
    ends = dict(spans)
    for claim in claims:
        last = ends.get(claim.lines[0])
        if last is None or last <= claim.lines[0]:
            continue
        inside = starts[bisect_right(starts, claim.lines[0]) : bisect_right(starts, last)]
        if inside:
            found[claim.lines] = tuple(inside)
    return found


def _grips(anchors: Sequence[Anchor]) -> bool:
    return any(a.kind is not AnchorClass.NEUTRAL for a in anchors)


def _one_line(inline: Token) -> str:
    """The words of an inline token without breaks."""
    return " ".join(plain(inline).split())


def _inside(token: Token, stretches: Sequence[tuple[int, int]]) -> bool:
    """True if a block begins inside one of these stretches of lines."""
    return token.map is not None and any(a <= token.map[0] + 1 <= b for a, b in stretches)


def _without_front_matter(lines: Sequence[str]) -> str:
    """The text with a YAML block at its top blanked, so that lines keep their numbers."""
    if lines and lines[0].strip() == "---":
        for number, line in enumerate(lines[1 : FRONT_MATTER_LINES + 1], 1):
            if line.strip() in ("---", "..."):
                return "\n" * (number + 1) + "".join(lines[number + 1 :])
            if line.startswith("#"):
                break
    return "".join(lines)


def _regions(lines: Sequence[str], findings: list[Finding]) -> list[AutoRegion]:
    """The stretches between auto markers; one that is never closed ends before the next H2."""
    found: list[AutoRegion] = []
    if not any("<!--" in line for line in lines):
        return found
    opened: tuple[str, int] | None = None
    fence = ""
    for number, line in enumerate(lines, 1):
        stripped = line.strip()
        if opened is None and (mark := re.match(r"(`{3,}|~{3,})", stripped)):
            fence = "" if fence and stripped.startswith(fence) else (fence or mark.group(1))
        if fence:
            continue
        if opened is not None and line.startswith("## "):
            found.append(_unclosed(opened, number - 1, lines, findings))
            opened = None
        for match in _MARKER.finditer(line):
            begins, name = match.group(1).upper() == "BEGIN", match.group(2)
            if begins and opened is None:
                opened = (name, number)
            elif not begins and opened is not None and opened[0].lower() == name.lower():
                text = "".join(lines[opened[1] : number - 1])
                found.append(AutoRegion(opened[0], (opened[1], number), text))
                opened = None
    if opened is not None:
        found.append(_unclosed(opened, len(lines), lines, findings))
    return found


def _unclosed(opened: tuple[str, int], last: int, lines: Sequence[str], findings: list[Finding]) -> AutoRegion:
    name, first = opened
    detail = f"The region auto-{name} begins here and has no END marker before the next section."
    findings.append(Finding(Reason.UNCLOSED_REGION, first, detail))
    return AutoRegion(name, (first, last), "".join(lines[first:last]), closed=False)
