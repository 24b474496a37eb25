"""What a scan of whole bodies looks for: the cue's names first, else its most telling words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import product

from core.ports import Hit, Query, TermKind
from core.recall.quotes import matched_spans

MOST_WAYS = 24
"""Ways to choose one word of each of several groups joined by OR; groups beyond are not chosen from."""

# fmt: off
_COMMON = frozenset({
    "about", "after", "again", "agent", "also", "always", "another", "anything", "around", "asked", "because",
    "been", "before", "being", "between", "both", "came", "chat", "claude", "codex", "conversation", "could",
    "didn", "does", "doing", "don", "done", "down", "each", "every", "everything", "find", "first", "from",
    "gave", "gemini", "give", "goes", "going", "good", "have", "here", "into", "just", "kind", "know", "last",
    "like", "long", "look", "made", "make", "many", "maybe", "mean", "more", "most", "much", "must", "need",
    "never", "next", "once", "only", "other", "over", "part", "people", "really", "remember", "said", "same",
    "say", "session", "should", "side", "since", "some", "somebody", "something", "somewhere", "still",
    "stuff", "such", "sure", "take", "talk", "tell", "than", "that", "their", "them", "then", "there", "these",
    "they", "thing", "things", "think", "this", "those", "though", "through", "time", "told", "took", "tried",
    "trying", "under", "until", "upon", "used", "using", "very", "want", "wanted", "was", "well", "went",
    "were", "what", "when", "where", "which", "while", "who", "whole", "why", "will", "with", "without",
    "work", "would", "year", "years", "yesterday", "your",
})
# fmt: on


def is_common(word: str) -> bool:
    """True for a word that stands in texts about anything: one of the list, or a few small letters."""
    return word.lower() in _COMMON or (len(word) < 4 and word.isascii() and word.isalpha() and word.islower())


def telling_words(query: Query) -> dict[str, float]:
    """The words of a cue by which a story's sentences are chosen, with their weights: those that tell something, where any
    does. "The" stands in every sentence."""
    words = {t.text: t.weight for t in query.terms}
    kinds = {t.text: t.kind for t in query.terms}
    telling = {w: x for w, x in words.items() if kinds[w] is TermKind.IDENTIFIER or not is_common(w)}
    return telling or words


def needles_of(query: Query) -> tuple[tuple[str, ...], ...]:
    """Groups of needles to try in turn; a record must hold every needle of a group. Empty if nothing is worth a scan.

    Exact phrases and identifiers stand for themselves; without any, the three longest words that are not common, then
    the two longest.
    """
    exact = [*query.phrases, *(t.text for t in query.terms if t.kind is TermKind.IDENTIFIER)]
    exact = [e for e in dict.fromkeys(exact) if len(e) >= 2]
    if exact:
        groups = [tuple(exact)]
        if len(exact) > 1:
            groups += [(e,) for e in sorted(exact, key=len, reverse=True)[:2]]
        return tuple(groups)
    words = [
        t.text for t in query.terms if t.text.lower() not in _COMMON and (len(t.text) >= 4 or not t.text.isascii())
    ]
    words = sorted(dict.fromkeys(words), key=lambda w: (-len(w), w))
    if not words:
        return ()
    groups = [tuple(words[:3])]
    if len(words) > 2:
        groups.append(tuple(words[:2]))
    return tuple(groups)


def rounds_of(query: Query) -> tuple[tuple[tuple[str, ...], ...], ...]:
    """What to look for in turn, until something is found: each time one or more ways, of which a record must hold all needles
    of one. There are several ways where words are joined by OR; otherwise these are the groups of `needles_of`. Of groups
    that are not chosen from nothing is asked: more is found then, not less."""
    chosen = product(*_chosen_from(query.any_of))
    groups = [(words, needles_of(_with_only(query, words)) or ((),)) for words in chosen]
    rounds = []
    for number in range(max(len(each) for _, each in groups)):
        ways = [tuple(dict.fromkeys((*words, *each[min(number, len(each) - 1)]))) for words, each in groups]
        rounds.append(tuple(dict.fromkeys(way for way in ways if way)))
    return tuple(one for one in rounds if one)


def ranked(search: Callable[[Query], Sequence[Hit]], query: Query) -> Sequence[Hit]:
    """What `search` ranks. Where words are joined by OR, a record that holds one of them fits as well as if nobody had named the
    others, however rare those are: each way to choose is asked for, and each record is taken by the one that it fits best."""
    if not query.any_of:
        return search(query)
    best: dict[str, Hit] = {}
    groups = _chosen_from(query.any_of)
    for words in product(*groups):
        held = (*((word,) for word in words), *query.any_of[len(groups) :])
        for hit in search(replace(_with_only(query, words), any_of=held)):
            path = hit.entry.source.path
            if path not in best or best[path].score < hit.score:
                best[path] = hit
    return tuple(sorted(best.values(), key=lambda hit: -hit.score)[: query.limit])


def _chosen_from(groups: Sequence[Sequence[str]]) -> list[Sequence[str]]:
    """The first groups, as many as leave few ways to choose; one at least."""
    number, kept = 1, 0
    for group in groups:
        number *= len(group)
        if kept and number > MOST_WAYS:
            break
        kept += 1
    return list(groups[:kept])


def _with_only(query: Query, chosen: Sequence[str]) -> Query:
    """The query with the words that were chosen of its groups, without the others of them."""
    kept = {word.lower() for text in chosen for word in (text, *text.split())}
    others = {word.lower() for group in query.any_of for text in group for word in (text, *text.split())} - kept
    terms = tuple(t for t in query.terms if t.text.lower() not in others)
    phrases = tuple(p for p in query.phrases if p.lower() not in others)
    return replace(query, terms=terms, phrases=phrases, any_of=())


def carried(text: str, query: Query) -> float:
    """The share of a cue's weight that a text holds (0 to 1): all of it where it holds an exact phrase or a name."""
    low = text.lower()
    exact = [*query.phrases, *(t.text for t in query.terms if t.kind is TermKind.IDENTIFIER)]
    if any(e.lower() in low for e in exact if len(e) >= 2):
        return 1.0
    words = {t.text: t.weight for t in query.terms if not is_common(t.text)}
    held = sum(weight for word, weight in words.items() if matched_spans(text, {word: weight}))
    return held / total if (total := sum(words.values())) else 0.0
