"""A term is found in the fields that hold it as a whole word, and in no other."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from indexes.field_texts import FieldTexts

FIELDS = st.lists(st.lists(st.sampled_from(["a", "ab", "b-c", "检索", "main"]), max_size=4), max_size=6)


@given(FIELDS, st.lists(st.sampled_from(["a", "ab", "b", "检索", "main", "x"]), max_size=3))
def test_the_sessions_that_hold_any_of_the_terms(fields: list[list[str]], terms: list[str]) -> None:
    texts = FieldTexts.of([" ".join(words) for words in fields])
    assert texts.holding(terms) == [n for n, words in enumerate(fields) if set(words) & set(terms)]
