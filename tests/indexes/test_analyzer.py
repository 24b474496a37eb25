"""The analyzer: tables of tokens and terms, and that both sides of a search agree."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from indexes.analyzer import LONGEST_TERM, Analyzer, Share, chunks, fold, tokenize

ANALYZER = Analyzer()


@pytest.mark.parametrize(
    ("text", "raws"),
    [
        ("Fix it, please.", ["Fix", "it", "please"]),
        ("see ENT-260 and bd-q3fy!", ["see", "ENT-260", "and", "bd-q3fy"]),
        ("(src/app/main.py:12)", ["src/app/main.py:12"]),
        ("https://github.com/a/b/pull/3.", ["https://github.com/a/b/pull/3"]),
        ("v1.2.3, #123 `snake_case`", ["v1.2.3", "#123", "snake_case"]),
        ("nothing 😀 here 👩‍💻", ["nothing", "here"]),
        ("one\ttwo\u00a0three\u3000four", ["one", "two", "three", "four"]),
    ],
)
def test_raw_tokens(text: str, raws: list[str]) -> None:
    assert tokenize(text) == raws


@pytest.mark.parametrize(
    ("raw", "terms"),
    [
        ("Went", {"go"}),
        ("running", {"run"}),
        ("repos", {"repositori"}),
        ("ENT-260", {"ent-260", "ent", "260"}),
        ("bd-q3fy", {"bd-q3fy", "bd", "q3fy"}),
        ("snake_case_name", {"snake_case_name", "snake", "case", "name"}),
        ("camelCaseName", {"camelcasename", "camel", "case", "name"}),
        ("HTTPServer", {"httpserver", "http", "server"}),
        ("#123", {"#123", "123"}),
        ("deadbeef12", {"deadbeef12", "deadbee"}),
        ("6da7d497-00e2-460d-a6b4-d280e0314cfd", {"6da7d497-00e2-460d-a6b4-d280e0314cfd", "6da7d497"}),
        ("don't", {"don"}),
        ("Caroline’s", {"carolin"}),
        ("wait...what", {"wait", "what"}),
        ("Résumé", {"resum"}),
        ("检索", {"检索", "索"}),
        ("X光片", {"x", "光片", "片"}),
        ("программирование", {"программирован"}),
        ("ＡＢＣ", {"abc"}),
    ],
)
def test_terms(raw: str, terms: set[str]) -> None:
    assert set(ANALYZER.terms(raw)) == terms


def test_a_path_is_found_by_the_whole_by_its_file_and_by_its_parts() -> None:
    terms = set(ANALYZER.terms("src/records/claude_lines.py:288"))
    assert {"src/records/claude_lines.py", "claude_lines.py", "src", "288"} <= terms
    assert "claude_lines.py" in ANALYZER.terms("claude_lines.py")


def test_hangul_is_found_with_and_without_its_particle() -> None:
    assert set(ANALYZER.terms("검색은")) & set(ANALYZER.terms("검색"))


@given(st.text(max_size=60) | st.text("aB_1 .,(#'-é", max_size=30))
@example("don't (foo_bar), FooBar: __x__ #12 _")
def test_chunks_hold_the_tokens_of_the_text(text: str) -> None:
    by_chunk = Counter(term for chunk in chunks(text) for term in ANALYZER.chunk_terms(chunk))
    assert by_chunk == Counter(term for raw in tokenize(text) for term in ANALYZER.terms(raw))
    each = [Analyzer().chunk_terms(chunk) for chunk in chunks(text)]
    assert Analyzer().terms_of_chunks(chunks(text)) == each


@given(st.text("aBcDef019_-./:@#'\\\\ éß检", min_size=1, max_size=48))
@example("6da7d497-00e2-460d-a6b4-d280e0314cfd:12")
@example("/src/App_Main/deadbeef12.py:288:3")
def test_the_index_holds_the_pieces_of_each_token(text: str) -> None:
    """The shorter way that a build takes to the terms of a token gives those of its pieces, in their order."""
    for raw in tokenize(text):
        assert Analyzer().terms(raw) == tuple(dict.fromkeys(p.term for p in ANALYZER.pieces(raw, final=True)))


@given(st.text(max_size=60))
def test_what_a_query_asks_for_is_what_the_index_holds(text: str) -> None:
    for raw in tokenize(text):
        asked = {piece.term for piece in ANALYZER.pieces(raw)}
        assert asked <= set(ANALYZER.terms(raw))
        assert all(0 < len(term) <= LONGEST_TERM for term in ANALYZER.terms(raw))


@given(st.text(alphabet=st.characters(max_codepoint=127), max_size=60))
def test_the_case_of_a_plain_word_does_not_matter(text: str) -> None:
    for raw in tokenize(text):
        if raw.isalpha():
            wholes = {p.term for p in ANALYZER.pieces(raw.lower()) if p.share is Share.WHOLE}
            assert wholes == {p.term for p in ANALYZER.pieces(raw.upper()) if p.share is Share.WHOLE}


def test_a_letter_loses_all_its_marks() -> None:
    """Vietnamese letters have two: who types without any finds them."""
    assert fold("tiếng Việt Ṍ") == "tieng viet o"


@given(st.text(max_size=20))
def test_folding_twice_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)
