"""The single choke point for text that came from outside: printable, masked, clipped, measured.

Sessions are private and hostile. Every string that leaves for a screen, a clipboard, a file or JSON goes through
`shown()` (or its parts) first; nothing else in the program makes foreign text printable.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from core.patterns import Pattern
from core.secrets import Masked, mask

__all__ = ["Masked", "cell_width", "clip", "fold_lines", "mask", "one_line", "printable", "shown", "shown_lines"]

UNSAFE = Pattern(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f\U000f0000-\U0010ffff\ue000-\uf8ff]"
)
"""What steers a terminal, reorders a line, or has no sign of its own."""
KEPT_LENGTH = 400
"""Characters of a text whose line is kept for the next time it is shown."""
SHORT = 200
"""Characters of a text that is kept as it is shown: a title, a place, a name."""
_SPACE = re.compile(r"\s+")
_NOT_NARROW = Pattern(
    "[^\\n\\x20-\x7e\xa1-\xac\xae-\u02ff\u0370-\u03ff\u0410-\u044f\u2013-\u2019\u201c-\u201e\u2020-\u2022\u2026]"
)
"""Anything but Latin, Greek and Cyrillic letters and common punctuation, which take one column each."""


def _visible(match: re.Match[str]) -> str:
    code = ord(match.group())
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    return "\ufffd"


def printable(text: str) -> str:
    """Return `text` with everything that could steer a terminal or reorder a line replaced by a visible sign.

    C0 controls become their Unicode pictures (U+2400 block), DEL U+2421; C1, bidirectional controls, tag characters,
    private use, zero-width signs except the joiners, line separators, the BOM and lone surrogates become U+FFFD.
    Newline and tab stay, and so do U+200C and U+200D, which Persian, Indic scripts and emoji families need. CR LF
    becomes LF. The length is kept otherwise. Idempotent.
    """
    if text.isprintable():  # what Unicode holds for printable has none of these; a pattern takes ten times as long
        return text
    return UNSAFE.sub(_visible, text.replace("\r\n", "\n"))


def is_printable(text: str) -> bool:
    """True if `printable` would return the text as it is."""
    return text.replace("\n", "").isprintable() or not UNSAFE.search(text)


def shown(text: str) -> str:
    """Return `text` made printable and with its secrets masked: the form in which foreign text may leave."""
    return (_kept_shown if len(text) <= SHORT else _shown)(text)


def _shown(text: str) -> str:
    return mask(printable(text)).text


_kept_shown = lru_cache(maxsize=1 << 15)(_shown)
"""Rows of a list repeat their roots, projects and branches, and show a title that was looked through when it was cut."""


def shown_lines(text: str) -> tuple[str, ...]:
    """Return the lines of a document, `shown`, each at its own number: CR and CR LF end a line as LF does (as Markdown
    counts), and a secret of several lines leaves empty ones behind it."""
    whole = text.replace("\r\n", "\n").replace("\r", "\n")
    return tuple(mask(printable(whole), keep_lines=True).text.split("\n"))


def one_line(text: str, cells: int | None = None) -> str:
    """Return `shown(text)` on one line, runs of white space folded, clipped to `cells` columns if given."""
    return (_kept_line if len(text) <= KEPT_LENGTH else _line)(text, cells)


def _line(text: str, cells: int | None) -> str:
    flat = _SPACE.sub(" ", shown(text)).strip()
    return flat if cells is None else clip(flat, cells)


_kept_line = lru_cache(maxsize=4096)(_line)
"""A list that follows every key shows the same titles again and again; looking for secrets in them is most of its cost."""


def fold_lines(text: str) -> str:
    """Return `text` with every run of white space as one space."""
    return _SPACE.sub(" ", text).strip()


def cell_width(text: str) -> int:
    """Columns that `text` takes in a terminal (printable text; combining signs and emoji families counted as shown)."""
    if text.isascii() or not _NOT_NARROW.search(text):
        return len(text)
    from wcwidth import wcswidth, wcwidth  # 20 ms of CPU; most lines are ASCII

    width = wcswidth(text)
    return width if width >= 0 else sum(max(0, wcwidth(c)) for c in text)


def clip(text: str, cells: int, ellipsis: str = "…") -> str:
    """Return the longest beginning of `text` that fits `cells` columns, `ellipsis` added where something was cut.

    Never cuts a combining sign or a joined emoji from its base.
    """
    if cells <= 0:
        return ""
    if cell_width(text) <= cells:
        return text
    room = cells - cell_width(ellipsis)
    if room <= 0:
        return ellipsis if room == 0 else ""
    if text.isascii():  # a column for each
        return text[:room].rstrip() + ellipsis
    end = 0
    while end < len(text):
        step = _cluster(text, end)
        if cell_width(text[:step]) > room:
            break
        end = step
    return text[:end].rstrip() + ellipsis


def _cluster(text: str, start: int) -> int:
    """The end of the character at `start` with what belongs to it."""
    end = start + 1
    while end < len(text) and (
        unicodedata.combining(text[end]) or text[end] in "\u200c\u200d\ufe0e\ufe0f" or text[end - 1] == "\u200d"
    ):
        end += 1
    return end
