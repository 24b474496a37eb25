"""The forms in which a text can stand in a record's bytes: raw, escaped as JSON, escaped twice."""

from __future__ import annotations

import json

from core.frozen import dataclass

_HTML = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "'": "\\u0027"})


@dataclass(frozen=True, slots=True)
class Needle:
    """A text to search for."""

    text: str
    """In lower case, as compared with decoded text."""
    forms: tuple[bytes, ...]
    """Its forms in bytes, ASCII letters in lower case."""
    has_case: bool
    """True if a form has ASCII letters, so that the bytes searched must be in lower case too."""

    @property
    def longest(self) -> int:
        """Bytes of the longest form."""
        return max(map(len, self.forms))

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
    for spelling in dict.fromkeys((text, text.lower(), text.upper() if not text.isascii() else text)):
        for form in _forms(spelling):
            forms[form.encode("utf-8", "surrogatepass").lower()] = None
    return Needle(text.lower(), tuple(forms), any(form != form.upper() for form in forms))


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
