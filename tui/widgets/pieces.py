"""Styled text as values, and its wrapping by columns: what every line-based pane draws.

A piece's text is printable already (it came through `core.text`). Wrapping counts columns, not characters, so that
wide and combining signs stay aligned.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

from core.frozen import dataclass
from core.text import cell_width

_CHUNK = re.compile(r"\n|[ ]+|[^ \n]+")


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of text in one style."""

    text: str
    style: str = ""
    """The component class that draws it, without its prefix (`dim`, `match` …); `""` is plain."""
    ref: str = ""
    """What a click on it follows; `""` for nothing."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Pieces that wrap together."""

    pieces: tuple[Piece, ...] = ()
    indent: int = 0
    """Columns before every line."""
    hang: int = 0
    """More columns before every line but the first."""
    ref: str = ""
    """What the whole paragraph belongs to (`turn:3`)."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line on the screen."""

    pieces: tuple[Piece, ...]
    paragraph: int
    """Index of the paragraph it was wrapped from."""
    ref: str = ""

    def text(self) -> str:
        """The line as plain text."""
        return "".join(piece.text for piece in self.pieces)

    def ref_at(self, column: int) -> str:
        """What stands at a column, `""` if nothing can be followed there."""
        seen = 0
        for piece in self.pieces:
            seen += cell_width(piece.text)
            if column < seen:
                return piece.ref
        return ""

    def styled(self, style: str) -> bool:
        """True if some piece has this style."""
        return any(piece.style == style for piece in self.pieces)


def clusters(text: str) -> Iterator[str]:
    """Yield each character with the combining signs and joined emoji that belong to it."""
    start = 0
    for end in range(1, len(text) + 1):
        if end < len(text):
            char = text[end]
            joined = text[end - 1] == "\u200d"
            if joined or char in "\u200c\u200d\ufe0e\ufe0f" or unicodedata.combining(char):
                continue
        yield text[start:end]
        start = end


def wrap(paragraphs: Iterable[Paragraph], width: int) -> list[Line]:
    """Lay paragraphs out in lines of at most `width` columns. An empty paragraph is an empty line."""
    lines: list[Line] = []
    for number, paragraph in enumerate(paragraphs):
        lines.extend(_Wrapping(paragraph, number, max(1, width)).lines())
    return lines


class _Wrapping:
    """Lays out one paragraph."""

    def __init__(self, paragraph: Paragraph, number: int, width: int) -> None:
        self._paragraph = paragraph
        self._number = number
        self._width = width
        self._lines: list[Line] = []
        self._row: list[Piece] = []
        self._used = 0
        self._room = 1

    def lines(self) -> list[Line]:
        """The lines of the paragraph."""
        self._begin()
        gap: Piece | None = None
        for word in _words(self._paragraph.pieces):
            first = word[0]
            if first.text == "\n":
                self._end()
                gap = None
            elif first.text[0] == " ":
                gap = first
            else:
                self._put(word, gap)
                gap = None
        self._end()
        return self._lines

    def _begin(self) -> None:
        indent = self._paragraph.indent + (self._paragraph.hang if self._lines else 0)
        indent = min(indent, max(0, self._width - 8))
        self._row = [Piece(" " * indent)] if indent else []
        self._used = 0
        self._room = max(1, self._width - indent)

    def _end(self) -> None:
        self._lines.append(Line(tuple(self._row), self._number, self._paragraph.ref))
        self._begin()

    def _put(self, word: list[Piece], gap: Piece | None) -> None:
        wide = sum(cell_width(piece.text) for piece in word)
        space = len(gap.text) if gap else 0
        if self._used and self._used + space + wide > self._room:
            breakable = wide > self._room or wide > sum(len(piece.text) for piece in word)
            if not breakable or self._used + space >= self._room:
                self._end()
                gap, space = None, 0
        if gap is not None:
            text = gap.text[: max(0, self._room - 1)]
            self._row.append(Piece(text, gap.style, gap.ref))
            self._used += len(text)
        if self._used + wide <= self._room:
            self._row.extend(word)
            self._used += wide
            return
        for piece in word:
            self._break(piece)

    def _break(self, piece: Piece) -> None:
        """Put a piece that does not fit, cut between characters."""
        run = ""
        for cluster in clusters(piece.text):
            wide = cell_width(cluster)
            if self._used and self._used + wide > self._room:
                if run:
                    self._row.append(Piece(run, piece.style, piece.ref))
                self._end()
                run = ""
            run += cluster
            self._used += wide
        if run:
            self._row.append(Piece(run, piece.style, piece.ref))


def _words(pieces: Iterable[Piece]) -> Iterator[list[Piece]]:
    """Yield words (pieces that stand together without a space), runs of spaces and line breaks."""
    word: list[Piece] = []
    for piece in pieces:
        for match in _CHUNK.finditer(piece.text.replace("\t", "    ")):
            chunk = match.group()
            part = Piece(chunk, piece.style, piece.ref)
            if chunk[0] in " \n":
                if word:
                    yield word
                    word = []
                yield [part]
            else:
                word.append(part)
    if word:
        yield word
