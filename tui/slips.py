"""A first word that is a command's name but for a slip of the finger, told from a word that a cue begins with.

`recollect recal foo` was meant as `recollect recall foo`; `recollect last week` is a cue, though `last` is one letter from
`list`. So a slip that makes no word (two letters swapped, one typed twice) is taken for one in every name; a missing, an extra
or a wrong letter in long names alone, and where that does not make a word after all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from core.errors import UsageError

SHORTEST = 4
"""Letters from which on a name can be mistyped and still be known."""
SHORTEST_WRONG = 6
"""Letters from which on one of them may be missing, extra or wrong."""
_WORDS = frozenset(
    [
        "starch",
        "statue",
        "stats",
        "statute",
        "statut",
        "statuts",
        "doktor",
        "setting",
        "sitting",
        "sittings",
        "settling",
        "expert",
        "exporte",
        "exporta",
        "presume",
        "resumen",
        "crate",
        "curare",
        "curator",
        "scheme",
        "delegat",
        "delegata",
    ]
)
"""Words, in any of the languages that cues are written in, that a missing, extra or wrong letter makes of a name."""
_ENDINGS = ("s", "d", "r", "n")
"""Letters that make another form of a name, as in `exports`."""
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def meant(word: str, names: Iterable[str]) -> str:
    """The name that was meant with a word, `""` where the word may be one of a cue."""
    if not (word.isascii() and word.isalpha()):
        return ""
    typed = word.lower()
    for name in names:
        if len(name) >= SHORTEST and abs(len(name) - len(typed)) <= 1 and typed in _slips(name):
            return name
    return ""


def check_first(arguments: list[str], names: Iterable[str]) -> None:
    """Raise `UsageError` if the first of some arguments that name no command is the slip of one."""
    name = meant(arguments[0], names) if arguments else ""
    if name:
        rest = " …" if len(arguments) > 1 else ""
        raise UsageError(
            f"There is no command “{arguments[0]}”.",
            f"Did you mean: recollect {name}{rest}? As a cue: recollect -- {arguments[0]}{rest}",
        )


def _slips(name: str) -> Iterator[str]:
    """Each way a name is mistyped that is no word."""
    for i in range(len(name) - 1):
        if name[i] != name[i + 1]:
            yield name[:i] + name[i + 1] + name[i] + name[i + 2 :]
    for i, letter in enumerate(name):
        if letter != name[i - 1 : i] and not (i == len(name) - 1 and letter in _ENDINGS):
            yield name[:i] + letter + name[i:]
    if len(name) >= SHORTEST_WRONG:
        yield from (typed for typed in _wrong(name) if typed not in _WORDS)


def _wrong(name: str) -> Iterator[str]:
    """A name with a letter missing, extra or wrong; the first one is seldom wrong."""
    for i in range(1, len(name)):
        if not (i == len(name) - 1 and name[i] in _ENDINGS):
            yield name[:i] + name[i + 1 :]
        for letter in _LETTERS:
            yield name[:i] + letter + name[i:]
            if letter != name[i]:
                yield name[:i] + letter + name[i + 1 :]
    yield from (name + letter for letter in _LETTERS if letter not in _ENDINGS)
