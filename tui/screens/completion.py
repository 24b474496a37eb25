"""Completion of filter words in the cue (`agent:`, `is:` …) and of their values."""

from __future__ import annotations

import re

from core.frozen import dataclass

_WORD = re.compile(r'-?[^\s"]*$')
_DATES = ("today", "yesterday", "this-week", "last-week", "this-month", "last-month")


@dataclass(frozen=True, slots=True)
class Completion:
    """What tab makes of a cue."""

    text: str
    cursor: int
    choices: tuple[str, ...] = ()
    """The ways the word could go on, where there are several."""


def complete(
    text: str, cursor: int, words: tuple[str, ...], runtimes: tuple[str, ...], projects: tuple[str, ...] = ()
) -> Completion | None:
    """Complete the word before the cursor; `None` if it is no beginning of a filter word or of its value."""
    found = _WORD.search(text[:cursor])
    word = found.group() if found else ""
    if not word.strip("-"):
        return None
    minus = "-" if word.startswith("-") else ""
    bare = word[len(minus) :]
    name, colon, value = bare.partition(":")
    if colon:
        from core.recall.filters import IS_WORDS  # read once somebody completes

        options = {
            "agent": runtimes,
            "is": IS_WORDS,
            "role": ("me", "assistant"),
            "date": _DATES,
            "project": projects,
            "dir": projects,
        }.get(name, ())
        choices = tuple(f"{name}:{option}" for option in options if option.startswith(value))
        tail = " "
    else:
        choices = tuple(each for each in words if each.endswith(":") and each.startswith(bare))
        tail = ""
    if not choices:
        return None
    stem = _common(choices)
    if len(choices) == 1:
        stem += tail
    elif stem == bare:
        return Completion(text, cursor, choices)
    start = cursor - len(bare)
    return Completion(text[:start] + stem + text[cursor:], start + len(stem), choices if len(choices) > 1 else ())


def _common(choices: tuple[str, ...]) -> str:
    low, high = min(choices), max(choices)
    end = 0
    while end < len(low) and end < len(high) and low[end] == high[end]:
        end += 1
    return low[:end]
