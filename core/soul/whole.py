"""Whether a sentence speaks of the whole project: then the project's own number can contradict it. The number of a part,
or of another time, cannot be contradicted by it."""

from __future__ import annotations

import re
from collections.abc import Collection

from core.soul.amounts import NUMBER
from core.soul.dating import dated

_PLAIN = frozenset(
    """
    a an the there are is it its this that our we have has holds contains contain with and of in all now today currently total altogether
    overall project repo repository codebase code base tree suite package crate app main branch head tests test for tracked git manifest
    current latest stands exist exists count counts number as at status state size stats numbers facts inventory scale layout version
    commits commit tag json toml pyproject cargo plus under roughly about files exactly only been says keep keeps
    """.split()  # noqa: SIM905
)
"""Words beside a number that leave it the number of the whole project."""
_WORD = re.compile(r"[^\W\d_][\w-]*")
_LISTED = re.compile(rf"(?:{NUMBER})\+? \w+(?: \w+)?\s*(?:,|·|\||&|\band\b)", re.IGNORECASE)
"""Another count before this one: `12 modules, 14 test files`."""
_END = re.compile(r"[,(—–;|·]")


def plain(text: str, names: Collection[str] = ()) -> bool:
    """True if nothing but small words and words of the whole project stand in a text, and no path. `names`: what the project
    is called."""
    words = (word.lower() for word in _WORD.findall(text))
    return "/" not in text and all(word in _PLAIN or word in names for word in words)


def says_whole(sentence: str, start: int, end: int) -> bool:
    """True if what stands at `sentence[start:end]` is said of the whole project, and as of now."""
    before = _LISTED.sub(" ", sentence[:start])
    after = _END.split(sentence[end:], maxsplit=1)[0]
    return plain(before) and plain(after) and not dated(before + " " + after).dates
