"""The other forms of a word in German, French, Spanish and Portuguese, among the terms that the index holds.

The index stems Latin words by the rules of English, which leave `Beschriftung` and `Beschriftungen` apart. The language of a
cue is told from its articles and pronouns (`indexes.foreign_words`); each of its words is then cut to its stem by that
language's rules, and the terms that begin so and have the same stem are forms of it. A word that no record holds, in a cue
whose language is not told, is tried in all four.
"""

from __future__ import annotations

from indexes.analyzer import Analyzer, fold
from indexes.snapshot import Snapshot

LANGUAGES = ("german", "french", "spanish", "portuguese")
SHORTEST = 4
"""Letters of a stem; shorter ones begin too many words."""
LONGEST_ENDING = 6
"""Letters that a form may have beyond the stem."""
LOOKED_AT = 100
"""Terms that begin like the stem and are looked at, the most frequent first."""
FORMS = 8
"""Forms that are searched for, besides the word itself."""


_CUT = ("", "s", "e", "es")
"""Endings that the index has cut from a term by the rules of English."""
_TURNED = {
    "portuguese": (("oes", "ao"), ("aes", "ao"), ("ao", "oes")),
    "french": (("aux", "al"), ("al", "aux")),
    "spanish": (("ces", "z"), ("z", "ces")),
}
"""Endings that change in the plural beyond what a stem shows, accents folded."""


def forms(word: str, language: str, analyzer: Analyzer, snapshot: Snapshot) -> list[bytes]:
    """Terms of the index that are forms of a word, without its own; `language` is `""` where none is told."""
    folded = fold(word)
    if not folded.isalpha() or not folded.isascii() or len(folded) < SHORTEST:
        return []
    own = analyzer.word(folded)
    found: dict[bytes, None] = {}
    for tongue in (language,) if language else LANGUAGES:
        if tongue not in LANGUAGES:
            continue
        stem = analyzer.stem_of(tongue, folded)
        turned = [folded.removesuffix(old) + new for old, new in _TURNED.get(tongue, ()) if folded.endswith(old)]
        # unless the language is told, a letter less is no more than the stemmer's guess
        certain = language or len(folded) - len(stem) >= 2
        exact = [analyzer.word(form).encode() for form in (*turned, *((stem,) if certain else ()))]
        found |= dict.fromkeys(term for term in exact if term in snapshot.holding(exact))
        if certain and len(stem) >= SHORTEST:
            begun = snapshot.with_prefix(stem.encode(), LOOKED_AT)
            found |= dict.fromkeys(term for term in begun if _is_form(term, stem, tongue, analyzer))
    found.pop(own.encode(), None)
    return list(found)[:FORMS]


def _is_form(term: bytes, stem: str, language: str, analyzer: Analyzer) -> bool:
    """True for a word that has this stem, with or without the ending that the index cut from it."""
    text = term.decode("utf-8", "replace")
    if not text.isalpha() or len(text) > len(stem) + LONGEST_ENDING:
        return False
    return any(analyzer.stem_of(language, text + ending) == stem for ending in _CUT)
