"""Files in a person's words, with the lines they name: `src/pay.py`, `src/pay.py:40-60`, `pay.py lines 40 to 60`."""

from __future__ import annotations

import re

from core.frozen import dataclass
from core.patterns import Pattern
from core.recall.identifiers import read_identifiers
from core.recall.model import AxisKind

_SPAN = Pattern(
    r":L?(\d{1,7})(?:\s*[-–]\s*L?(\d{1,7}))?(?![\d:])|[,\s(]{1,3}(?:lines?|zeilen?|lignes?|l[ií]neas?|linhas?|行|줄)\s*(\d{1,7})"
    r"(?:\s*(?:[-–]|to|bis|à|a|até|から|~)\s*(\d{1,7}))?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Artifact:
    """A file, and a span of its lines from 1; 0 where no lines are named."""

    path: str
    first: int = 0
    last: int = 0

    def words(self) -> str:
        """What it is called."""
        if not self.first:
            return self.path
        lines = f"line {self.first}" if self.first == self.last else f"lines {self.first} to {self.last}"
        return f"{self.path}, {lines}"


def names_lines(sentence: str) -> bool:
    """True if the words name a range of lines of a file: their past is how those came to be, a line of work. A single
    line (`pay.py:45`) is where an error was more often than not."""
    found = read_artifact(sentence) if any(c.isdigit() for c in sentence) else None
    return found is not None and found.last > found.first


def read_artifact(sentence: str) -> Artifact | None:
    """The first file that the words name, one with lines before one without; `None` where they name none."""
    found: list[Artifact] = []
    for identifier in read_identifiers(sentence):
        if identifier.kind is not AxisKind.PATH or identifier.value.endswith("/"):
            continue
        span = _SPAN.compiled.match(sentence, identifier.end)
        if span is None:
            found.append(Artifact(identifier.value))
            continue
        first, last = ([int(g) for g in span.groups() if g] * 2)[:2]
        found.append(Artifact(identifier.value, min(first, last) or 1, max(first, last, 1)))
    return next((a for a in found if a.first), found[0] if found else None)
