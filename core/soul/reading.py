"""`soul read`: the document whole or by section, with its headline. It never makes a receipt."""

from __future__ import annotations

from core.errors import UsageError
from core.frozen import dataclass
from core.soul.document import parse, physical_lines

HEADLINE = 120
"""Characters of a headline that are shown: it is foreign text and may be long."""


@dataclass(frozen=True, slots=True)
class Read:
    """What was read."""

    headline: str
    """The first H1, at most 120 characters; `soul` if there is none."""
    sections: tuple[tuple[str, int, str], ...]
    """Title (`""` before the first), first line, and text of each section read, as it stands."""


def read(text: str, section: str = "") -> Read:
    """The whole document, or every H2 section whose heading contains `section`, case-insensitive.

    Raises `UsageError` naming the headings if none does.
    """
    document = parse(text)
    lines = physical_lines(text)
    wanted = section.casefold().strip()
    found = [
        (s.title, s.lines[0], "".join(lines[s.lines[0] - 1 : s.lines[1]]))
        for s in document.sections
        if not wanted or (s.title and wanted in s.title.casefold())
    ]
    if wanted and not found:
        titles = ", ".join(f"“{s.title}”" for s in document.sections if s.title) or "none"
        raise UsageError(f"No section's heading contains “{section}”.", f"The sections are: {titles}.")
    headline = " ".join(document.headline.split())[:HEADLINE] or "soul"
    return Read(headline, tuple(found))
