"""The forms in which a text can stand in a record's bytes: raw, escaped as JSON, escaped twice."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator, Sequence

from core.frozen import dataclass

SHORTEST_ANCHOR = 3
_NO_LETTERS = re.compile(rb"[^A-Za-z]+")
_HTML = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "'": "\\u0027"})


@dataclass(frozen=True, slots=True)
class Needle:
    """A text to search for."""

    text: str
    """As `folded`, to be compared with decoded text."""
    forms: tuple[bytes, ...]
    """Its forms in bytes, ASCII letters in lower case."""
    has_case: bool
    """True if a form has ASCII letters, so that the bytes searched must be in lower case too."""
    anchors: tuple[bytes, ...] = (b"",)
    """A part of each form without letters, which stands in the bytes as they are; empty for a form that has none of use.
    Digits are most of what makes a name rare, and looking for them costs half of what lower case does."""

    @property
    def longest(self) -> int:
        """Bytes of the longest form."""
        return max(map(len, self.forms))

    def may_stand_in(self, raw: bytes) -> bool:
        """False if no form can occur; `raw` as it was read."""
        return any(anchor in raw for anchor in self.anchors)

    def in_bytes(self, low: bytes) -> bool:
        """True if one of the forms occurs; `low` has its ASCII letters in lower case."""
        return any(form in low for form in self.forms)


def needle(text: str) -> Needle:
    r"""Prepare a text for a search.

    A file holds `"` as `\"`, a backslash doubled, a line break as `\n`; CJK and accents raw or as `\uXXXX`; `<` and
    `&` as `\u003c` and `\u0026` where a writer cares for HTML; and all of it once more where a tool's output is JSON
    inside a JSON string.
    """
    forms: dict[bytes, None] = {}
    for spelling in dict.fromkeys(_spellings(text)):
        for form in _forms(spelling):
            forms[form.encode("utf-8", "surrogatepass").lower()] = None
    anchors = tuple(dict.fromkeys(_anchor(form) for form in forms))
    return Needle(folded(text), tuple(forms), any(form != form.upper() for form in forms), anchors)


def folded(text: str) -> str:
    """A text in lower case, its letters and their marks in one."""
    return text.lower() if text.isascii() else unicodedata.normalize("NFC", text.lower())


def _spellings(text: str) -> Iterator[str]:
    """The text as typed, and beyond ASCII, whose letters are not folded in the bytes, as it stands in a sentence, at the
    beginning of one and of a title: each with its letters and their marks in one, and apart as file systems have them."""
    yield text
    if not text.isascii():
        for whole in (unicodedata.normalize("NFC", text), unicodedata.normalize("NFD", text)):
            yield from (whole, whole.lower(), whole.upper(), whole[:1].upper() + whole[1:].lower(), whole.title())


def needles_for(texts: Sequence[str]) -> list[Needle]:
    """The needles for these texts, each once; none for what is only white space."""
    return [needle(text) for text in dict.fromkeys(texts) if text.strip()]


def _anchor(form: bytes) -> bytes:
    """The longest run of bytes that are no letters, `b""` where it is too short to tell anything."""
    longest = max(_NO_LETTERS.findall(form), key=len, default=b"")
    return longest if len(longest) >= SHORTEST_ANCHOR else b""


def _forms(text: str) -> list[str]:
    found = [text]
    for ascii_only in (False, True):
        once = json.dumps(text, ensure_ascii=ascii_only)[1:-1]
        found += [once, json.dumps(once, ensure_ascii=ascii_only)[1:-1]]
        if any(mark in text for mark in "<>&'"):
            found.append(once.translate(_HTML))
        if "/" in text:
            found.append(once.replace("/", "\\/"))
    return found
