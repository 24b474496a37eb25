"""Expressions that say they match no single word: it is proven of each, from its parsed form."""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Iterator
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

import pytest

from core.patterns import Pattern
from core.recall import cue, identifiers, phrasings, steering, times

WORD = string.ascii_letters + string.digits + "_"
UNLIKE_WORDS = ("CATEGORY_SPACE", "CATEGORY_NOT_WORD")


def _patterns(value: object) -> Iterator[Pattern]:
    if isinstance(value, Pattern):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from _patterns(part)


ALL = [
    p for module in (cue, identifiers, phrasings, steering, times) for v in vars(module).values() for p in _patterns(v)
]
SEVERAL = [pattern for pattern in ALL if pattern.words == ()]
OF_WORDS = [pattern for pattern in ALL if pattern.words]


def needs_more(parsed: Iterable[tuple[Any, Any]], flags: int) -> bool:
    """True if whatever a parsed expression matches holds a character that stands in no word."""
    return any(_needs_more(str(kind), value, flags) for kind, value in parsed)


def _needs_more(kind: str, value: Any, flags: int) -> bool:
    if kind == "LITERAL":
        return not re.compile(re.escape(chr(value)), flags).search(WORD)
    if kind == "IN":
        return all(_unlike(str(one), of, flags) for one, of in value)
    if kind == "BRANCH":
        return all(needs_more(branch, flags) for branch in value[1])
    if kind == "SUBPATTERN":
        return needs_more(value[3], flags)
    if kind in ("MAX_REPEAT", "MIN_REPEAT"):
        return value[0] > 0 and needs_more(value[2], flags)
    return False


def _unlike(kind: str, value: Any, flags: int) -> bool:
    """True if no character of a word is of this part of a set."""
    if kind == "LITERAL":
        return _needs_more(kind, value, flags)
    if kind == "RANGE":
        return not re.compile(f"[{re.escape(chr(value[0]))}-{re.escape(chr(value[1]))}]", flags).search(WORD)
    return kind == "CATEGORY" and str(value) in UNLIKE_WORDS


def single_words(parsed: Iterable[tuple[Any, Any]], flags: int) -> set[str]:
    """Every text of characters of words alone that a parsed expression may match (what it asserts is taken for granted).
    Raises `ValueError` if they are too many to tell."""
    found = {""}
    for kind, value in parsed:
        if not found:
            break
        options = _single_words(str(kind), value, flags)
        found = {before + after for before in found for after in options}
    return found


def _single_words(kind: str, value: Any, flags: int) -> set[str]:
    if kind in ("AT", "ASSERT", "ASSERT_NOT"):
        return {""}
    if _needs_more(kind, value, flags) and kind != "BRANCH":
        return set()
    if kind == "LITERAL":
        return {chr(value).lower()}
    if kind == "IN" and all(str(one) == "LITERAL" for one, _ in value):
        return {chr(of).lower() for _, of in value if not _needs_more("LITERAL", of, flags)}
    if kind == "BRANCH":
        return {word for branch in value[1] for word in single_words(branch, flags)}
    if kind == "SUBPATTERN":
        return single_words(value[3], flags)
    if kind in ("MAX_REPEAT", "MIN_REPEAT"):
        least, most, repeated = value
        words = single_words(repeated, flags)
        if not words or most == 1:
            return words | ({""} if least == 0 else set())
    raise ValueError(f"{kind} {value}")


@pytest.mark.parametrize("pattern", OF_WORDS, ids=lambda pattern: pattern.source[:30])
def test_an_expression_that_names_its_words_matches_no_other(pattern: Pattern) -> None:
    may = single_words(parser.parse(pattern.source, pattern.flags), pattern.flags)
    assert may <= set(pattern.words or ())
    assert any(pattern.search(word) for word in pattern.words or ())
    for word in pattern.words or ():
        assert bool(pattern.search(word)) == bool(pattern.compiled.search(word))
        assert bool(pattern.search(word.upper())) == bool(pattern.compiled.search(word.upper()))


def test_words_are_told_from_an_expression() -> None:
    def of(source: str) -> set[str]:
        return single_words(parser.parse(source), 0)

    assert of(r"\b(?:a|b c|de?)s?\b(?= x)") == {"a", "as", "d", "ds", "de", "des"}
    assert of(r"^\W*(?:[fg]o)(?:\s+x)?\W*$") == {"fo", "go"}
    for source in (r"a\w", "a.", "a*", "[a-c]"):
        with pytest.raises(ValueError, match=r"[A-Z]"):
            of(source)


@pytest.mark.parametrize("pattern", SEVERAL, ids=lambda pattern: pattern.source[:30])
def test_an_expression_that_says_so_matches_no_single_word(pattern: Pattern) -> None:
    assert needs_more(parser.parse(pattern.source, pattern.flags), pattern.flags)


def test_the_proof_sees_what_may_match_a_word() -> None:
    for source in ("a ?b", "ab", "a(?: b|c)", "[^-]", "[ a]", r"\S", r"(?:a )*b", r"\d", "a(?= )"):
        assert not needs_more(parser.parse(source), 0), source
    assert not needs_more(parser.parse("\u017f", re.I), re.I)  # a long s is an s where case is the same


def test_a_single_word_compiles_nothing_and_matches_nothing() -> None:
    pattern = Pattern("a b", several=True)
    for word in ("word", "zq8817", "two_parts"):
        found = (pattern.match(word), pattern.search(word), list(pattern.finditer(word)), pattern.findall(word))
        assert found == (None, None, [], [])
        assert pattern.sub("x", word) == word
    assert "compiled" not in vars(pattern)
    assert pattern.findall("a b, a b") == ["a b", "a b"]
    assert pattern.sub("x", "a b") == "x"


def test_most_of_what_reads_times_is_among_them() -> None:
    assert len(SEVERAL) > 20
