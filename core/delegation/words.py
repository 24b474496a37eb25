"""The words of a task: which of them a project can be searched for, and how names are taken apart to meet them."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

MOST_TERMS = 60
HEAD = 4
"""Letters that two forms of a word share from the beginning."""
_WORD = re.compile(r"[^\W_]+(?:[_'’.\-/][^\W_]+)*_?|_+[^\W_]\w*")
_PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_NUMBERED = re.compile(r"[A-Za-z]+\d[A-Za-z\d]*")
_PATHLIKE = re.compile(r"(?<![\w/.])(?:\.{0,2}/)?[\w@+-][\w.@+-]*(?:/[\w.@+-]+)+/?|(?<![\w/])[\w-]+\.[A-Za-z]\w{0,5}\b")
_NAMELIKE = re.compile(r"`([^`\n]{1,120})`|\b([A-Za-z]\w*(?:(?:\.|::)\w+)*_\w+|[a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*)\b")
_COMMON = frozenset(
    """
    a about add after again all also an and any are as at be because been before but by can change code could did do does
    done down each ensure etc every file files fix for from get give go good had has have having how i if implement improve
    in into is it its just keep let like look make makes making many may me more most must my need needs new no not now of off
    on once one only or other our out over please put remove rename same see set should so some still such support sure than
    that the their them then there these they thing things this those through to too try up update us use used using very want
    was way we well were what when where which while who why will with without work works would write you your
    der die das und oder nicht ein eine einen im in den dem des mit von zu für auf ist sind wird bitte
    le la les un une des et ou pas dans de du pour avec sur est sont
    el los las una y o no en con por para del es son que
    """.split()  # noqa: SIM905
)
"""Words that name nothing of a project, in the languages people delegate in most."""


@dataclass(frozen=True, slots=True)
class Words:
    """What a task names."""

    terms: tuple[str, ...]
    """Words that say something, folded, each once, in order."""
    names: tuple[str, ...]
    """What looks like a symbol's name, as written."""
    paths: tuple[str, ...]
    """What looks like a path, as written."""


def words_of(text: str) -> Words:
    """The words of a task text."""
    terms: dict[str, None] = {}
    for match in _WORD.finditer(text):
        for part in parts_of(match.group()):
            if part not in _COMMON and (len(part) > 2 or not part.isascii()) and not part.isdigit():
                terms[part] = None
    names = dict.fromkeys((m.group(1) or m.group(2)).strip().rstrip("()") for m in _NAMELIKE.finditer(text))
    paths = dict.fromkeys(m.group().removeprefix("./") for m in _PATHLIKE.finditer(text))
    quoted = [n for n in names if "/" in n]
    return Words(
        tuple(terms)[:MOST_TERMS],
        tuple(n for n in names if n and "/" not in n and " " not in n)[:MOST_TERMS],
        tuple(dict.fromkeys((*paths, *quoted)))[:MOST_TERMS],
    )


@lru_cache(maxsize=200_000)
def parts_of(name: str) -> tuple[str, ...]:
    """The words of a name, folded: `retryBudget`, `retry_budget` and `RETRY-BUDGET` are `retry`, `budget`."""
    if name.isascii():
        parts = [p.lower() for p in _PART.findall(name)]
        # A name with digits in it is a word of its own too: `step2` is not `step3`.
        return tuple(dict.fromkeys((*parts, *(p.lower() for p in _NUMBERED.findall(name)))))
    folded = unicodedata.normalize("NFKC", name)
    bent = "".join(f" {c}" if c.isupper() and at and folded[at - 1].islower() else c for at, c in enumerate(folded))
    return tuple(p.casefold() for p in re.findall(r"[^\W_]+", bent))


def alike(term: str, part: str) -> bool:
    """True if two words are one with another ending: `retry`, `retries`; three letters of ending at most."""
    if term == part:
        return True
    if not (term.isalpha() and part.isalpha()) or min(len(term), len(part)) < HEAD or abs(len(term) - len(part)) > 3:
        return False
    shared = 0
    for a, b in zip(term, part, strict=False):
        if a != b:
            break
        shared += 1
    return shared >= HEAD and len(term) - shared <= 3 and len(part) - shared <= 3


def terms_in(name: str, terms: tuple[str, ...]) -> frozenset[str]:
    """Which of the terms a name holds."""
    parts = parts_of(name)
    return frozenset(t for t in terms if any(alike(t, p) for p in parts))
