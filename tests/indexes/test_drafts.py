"""A segment is the same whether its turns were taken one by one or came from several drafts."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.records.model import Channel, Origin, Turn
from indexes import drafts
from indexes.analyzer import Analyzer
from indexes.gathered import Built, Gathered
from indexes.postings import ascending

WORDS = st.sampled_from(
    [
        "retry",
        "Retries",
        "src/pay.py:40",
        "snake_case",
        "ENT-260",
        "camelCase",
        "検索方法",
        "Größe",
        "don't",
        "…",
        "\ud800",
        "#7",
    ]
)
TEXTS = st.lists(st.lists(WORDS, max_size=8).map(" ".join), max_size=12)


ALIKE = [b"a" * letters + b"\0" * zeros for letters in (14, 15, 16, 17) for zeros in range(4)]


def turn(text: str, place: int) -> Turn:
    return Turn(
        Origin.PERSON, Channel.TALK, text, float(place), place + 1, place * 100, place * 100 + 50, "", f"u{place}"
    )


def draft_of(some: list[tuple[int, str]]) -> Gathered:
    draft = Gathered()
    for place, text in some:
        draft.add(1, turn(text, place), 0)
    return draft


def same(one: Built, other: Built) -> bool:
    arrays = [(one.rows.term, other.rows.term), (one.rows.doc, other.rows.doc), (one.rows.freq, other.rows.freq)]
    arrays += [(one.lengths, other.lengths), *((one.columns[name], other.columns[name]) for name in drafts.COLUMNS)]
    return list(one.rows.terms) == list(other.rows.terms) and all(np.array_equal(a, b) for a, b in arrays)


@given(TEXTS, st.lists(st.tuples(st.integers(0, 12), st.booleans(), st.booleans()), max_size=4))
def test_drafts_that_are_absorbed_make_the_same_segment(texts: list[str], cuts: list[tuple[int, bool, bool]]) -> None:
    """Between the parts that are taken, some come from another draft, and words are learnt early or late."""
    analyzer, numbered = Analyzer(), list(enumerate(texts))
    pieced, here = Gathered(), 0
    for until, absorbed, learnt in [*sorted(cuts), (len(texts), False, False)]:
        part, here = numbered[here:until], max(here, until)
        if absorbed:
            pieced.absorb(draft_of(part).drafted())
        else:
            for place, text in part:
                pieced.add(1, turn(text, place), 0)
        if learnt:
            pieced.learn(analyzer)
    assert pieced.chars == sum(map(len, texts))
    assert same(pieced.build(analyzer), draft_of(numbered).build(Analyzer()))


def test_a_term_s_count_in_a_turn_ends_where_the_format_ends() -> None:
    built = draft_of([(0, "so " * 66_000)]).build(Analyzer())
    assert (built.rows.freq.tolist(), built.lengths.tolist()) == ([65_535], [65_535])


@given(st.lists(st.binary(max_size=20) | st.sampled_from(ALIKE), unique=True))
def test_terms_are_put_in_order(terms: list[bytes]) -> None:
    """Also those that begin alike, end in zeros or are empty."""
    assert [terms[place] for place in ascending(terms)] == sorted(terms)
