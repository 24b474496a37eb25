"""Reads the files that tell git what to leave out (`.gitignore`, `info/exclude`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec


def ignore_rules(source: str) -> GitIgnoreSpec | None:
    """The rules of one ignore file, `None` if there is none."""
    try:
        with open(source, encoding="utf-8", errors="replace") as file:
            lines = file.read(1 << 20).splitlines()
    except OSError:
        return None
    from pathspec import GitIgnoreSpec

    kept = [line for line in lines if line.strip() and not line.startswith("#")]
    try:
        return GitIgnoreSpec.from_lines(kept)
    except ValueError:  # one pattern is broken, as git passes over it
        return GitIgnoreSpec.from_lines([line for line in kept if _valid(line)])


def _valid(line: str) -> bool:
    from pathspec import GitIgnoreSpec

    try:
        GitIgnoreSpec.from_lines([line])
    except ValueError:
        return False
    return True
