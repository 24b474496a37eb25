"""Turns text into index terms, the same way for a record and for a cue.

Two steps. `tokenize` cuts a text into raw tokens with one regular expression: a word, or an identifier with its inner
joints (`src/app.py`, `ENT-260`, `bd-q3fy`, `v1.2.3`, `#123`). `Analyzer.terms` gives the terms of one raw token; it is
asked once per distinct token, so that it may be thorough:

- a word: case folded (NFKC), accents folded, irregular form to its lemma, Snowball stem of its script's language;
- an identifier: the whole, case folded, and its parts (at joints, `_` and camel-case borders) as words;
  a path also gives its components; a UUID its first group, a long hexadecimal number its first seven digits;
- Han, kana, Thai, Lao, Khmer, Burmese: bigrams and the last character; Hangul: the word and its bigrams;
- emoji and other symbols: nothing.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from functools import cache
from typing import NamedTuple

from core.frozen import dataclass
from indexes.words import lemmas

LONGEST_TERM = 64
"""Characters of a term that are kept, on both sides."""
_EDGES = ".,;:!?()[]{}<>*`\"'|=+&%$^"
"""Characters that are no part of a token at its edges; `#` is one before digits, `_` always."""
_WORD = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"
_CACHE_LIMIT = 200_000
_MARKS = (  # combining marks that belong to the word they stand in, which `\w` leaves out
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1-\u05c2\u0610-\u061a\u064b-\u065f\u0670"
    "\u0900-\u0963\u0966-\u0dff\u0e30-\u0e3a\u0e47-\u0e4e\u0eb0-\u0ebd\u0ec8-\u0ece\u1000-\u109f\u1780-\u17d3"
)
_JOINT = r"[-./:@+'’\\~]{1,3}"
_ASCII = re.compile(r"#[0-9]+|[A-Za-z0-9_]+(?:[-./:@+'\\~]{1,3}[A-Za-z0-9_]+)*")
_ASCII_PIECE = re.compile(r"[A-Za-z0-9_]+")
_CAMEL = re.compile(r"[A-Z]+(?![a-z])[0-9]*|[A-Z]?[a-z]+[0-9]*|[0-9]+|[^\W_A-Za-z0-9]+")
_ASCII_JOINTS = re.compile(r"[^A-Za-z0-9_]+")
_SLASHES = re.compile(r"[/\\]")
_AT_LINE = re.compile(r"(?::[0-9]+){1,2}$")
"""A line, or a line and a column, behind a file name."""
_UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")
_UUID_LENGTH = 36
_HEX = re.compile(r"(?=[0-9a-f]*[a-f])(?=[0-9a-f]*[0-9])[0-9a-f]{8,}")
_SHORTEST_HEX = 8
_GRAM_SCRIPTS = (
    "\u3005\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
)
_HANGUL = "\uac00-\ud7af"
_SCRIPTS = (("\u0400", "\u052f", "russian"), ("\u0370", "\u03ff", "greek"), ("\u0600", "\u06ff", "arabic"))


@dataclass(frozen=True, slots=True)
class _Patterns:
    """The expressions for text beyond ASCII; compiled when the first such text comes, for they take 20 ms."""

    token: re.Pattern[str]
    piece: re.Pattern[str]
    joints: re.Pattern[str]
    runs: re.Pattern[str]
    accents: re.Pattern[str]
    """A Latin letter with all its marks: Vietnamese letters have two."""


@cache
def _beyond_ascii() -> _Patterns:
    word = rf"[\w{_MARKS}]+"
    runs = rf"(?P<gram>[{_GRAM_SCRIPTS}]+)|(?P<hangul>[{_HANGUL}]+)|(?P<other>[^{_GRAM_SCRIPTS}{_HANGUL}]+)"
    return _Patterns(
        re.compile(rf"#[0-9]+|{word}(?:{_JOINT}{word})*"),
        re.compile(word),
        re.compile(rf"[^\w{_MARKS}]+"),
        re.compile(runs),
        re.compile("([\x00-\u024f])[\u0300-\u036f]+"),
    )


class Share(Enum):
    """What a term is of its raw token; a query weighs the shares differently."""

    WHOLE = "whole"
    PART = "part"
    GRAM = "gram"


class Piece(NamedTuple):  # not a dataclass: half a million are made in a build, at a third of the cost
    """One term and what it is of its raw token."""

    term: str
    share: Share


def chunks(text: str) -> list[str]:
    """The text cut at white space, which no raw token spans: twice as fast as `tokenize`, for the bulk of a build."""
    return text.split()


def tokenize(text: str) -> list[str]:
    """The raw tokens of a text, in order. ASCII text takes a faster expression with the same outcome."""
    return _ASCII.findall(text) if text.isascii() else _beyond_ascii().token.findall(text)


class Analyzer:
    """Gives the terms of raw tokens. Not to be shared between threads that build; a reader may share one."""

    def __init__(self) -> None:
        from Stemmer import Stemmer  # costs 2 ms to import, so only where terms are made

        english = Stemmer("english", 0)
        self._stem_english: Callable[[str], str] = english.stemWord
        self._stem_all: Callable[[list[str]], list[str]] = english.stemWords
        self._stem_others: dict[str, Callable[[str], str]] = {
            language: Stemmer(language, 0).stemWord for *_, language in _SCRIPTS
        }
        self._stem_cues: dict[str, Callable[[str], str]] = {}
        self._lemmas = lemmas()
        self._stems: dict[str, str] = {}
        self._known: dict[str, tuple[str, ...]] = {}
        self._names: dict[str, tuple[str, ...]] = {}

    def terms(self, raw: str) -> tuple[str, ...]:
        """The distinct terms that the index holds for a raw token."""
        known = self._known.get(raw)
        if known is None:
            if len(self._known) >= _CACHE_LIMIT:
                self._known.clear()
            if raw.isascii() and raw.replace("_", "a").isalnum():
                known = self._taken_apart(raw)
            elif raw.isascii() and raw[0] != "#" and "'" not in raw:
                known = tuple(self._ascii(raw))
            else:
                known = tuple(p.term for p in self.pieces(raw, final=True))
            if len(known) > 1:
                known = tuple(dict.fromkeys(known))
            self._known[raw] = known
        return known

    def chunk_terms(self, chunk: str) -> tuple[str, ...]:
        """The terms of each raw token of a chunk, joined. A term that several of its tokens have is repeated."""
        bare = chunk.strip(_EDGES)
        if bare.isascii() and bare.replace("_", "a").isalnum():
            return self.terms(bare)
        raws = tokenize(chunk)
        return self.terms(raws[0]) if len(raws) == 1 else tuple(term for raw in raws for term in self.terms(raw))

    def terms_of_chunks(self, chunks: Sequence[str]) -> list[tuple[str, ...]]:
        """`chunk_terms` of each chunk. Nearly all are one word or one name."""
        known, stem_of, word = self._known.get, self._stems.get, self.word
        out: list[tuple[str, ...]] = []
        for chunk in chunks:
            bare = chunk.strip(_EDGES)
            if bare.isascii() and bare.isalpha():
                folded = bare.lower()  # soon told with it: `islower` asks for each letter
                if folded == bare or bare[1:] == folded[1:] or bare.isupper():
                    out.append((stem_of(folded) or word(folded),))
                    continue
            out.append(known(bare) or self.chunk_terms(chunk))
        return out

    def _ascii(self, raw: str) -> Iterable[str]:
        """The terms of `pieces` for an ASCII token without an apostrophe, which most are: at a third of the cost."""
        bits = _ASCII_PIECE.findall(raw)
        named = _AT_LINE.sub("", raw) if ":" in raw and raw[-1].isdigit() else raw
        whole = (named if "." in named or "/" in named else raw).lower()
        singly = len(raw) - sum(map(len, bits)) == len(bits) - 1
        found = [whole[:LONGEST_TERM]] if singly or _is_identifier(_ASCII_JOINTS.findall(raw)) else []
        if len(whole) == _UUID_LENGTH and _UUID.fullmatch(whole):
            return [*found, whole[:8]]
        if "/" in raw or "\\" in raw:
            parts = _SLASHES.split(whole) if "\\" in raw else whole.split("/")
            found += [c[:LONGEST_TERM] for c in parts if c[:-1].strip(_WORD)]
        known = self._names.get
        for bit in bits:
            found += known(bit) or self._name(bit)
        return found

    def word(self, folded: str) -> str:
        """The stem of a case-folded word."""
        stem = self._stems.get(folded)
        if stem is None:
            if len(self._stems) >= _CACHE_LIMIT:
                self._stems.clear()
            stem = self._stems[folded] = self._stem_of_word(folded)
        return stem

    def _stem_of_word(self, folded: str) -> str:
        if not folded.isalpha() or len(folded) > LONGEST_TERM:
            return folded[:LONGEST_TERM]
        if folded.isascii():
            return self._stem_english(self._lemmas.get(folded, folded))
        for low, high, language in _SCRIPTS:
            if low <= folded[0] <= high:
                return self._stem_others[language](folded)
        return self._stem_english(folded)

    def stem_of(self, language: str, folded: str) -> str:
        """The stem of a case-folded word by the rules of another language, for cues only: records are stemmed by their
        script."""
        stemmer = self._stem_cues.get(language)
        if stemmer is None:
            from Stemmer import Stemmer

            stemmer = self._stem_cues[language] = Stemmer(language, 0).stemWord
        return stemmer(folded)

    def pieces(self, raw: str, *, final: bool = False) -> list[Piece]:
        """The terms of a raw token with their shares. `final` adds the last character of a run of bigrams, which the
        index holds so that a single character finds it there."""
        if raw.startswith("#") and raw[1:].isdigit():
            return [Piece(raw, Share.WHOLE), Piece(raw[1:], Share.PART)]
        raw = unicodedata.normalize("NFKC", raw).replace("’", "'") if not raw.isascii() else raw
        if "'" in raw:
            return [p for word in _unquoted(raw) for p in self.pieces(word, final=final)]
        piece, joints = (
            (_ASCII_PIECE, _ASCII_JOINTS) if raw.isascii() else (_beyond_ascii().piece, _beyond_ascii().joints)
        )
        bits = piece.findall(raw)
        if len(bits) == 1 and len(raw) == len(bits[0]):
            return self._single(raw, final=final)
        named = _AT_LINE.sub("", raw)
        whole = fold(named if "." in named or "/" in named else raw)
        out = [Piece(whole[:LONGEST_TERM], Share.WHOLE)] if _is_identifier(joints.findall(raw)) else []
        if _UUID.fullmatch(whole):
            return [*out, Piece(whole[:8], Share.PART)]
        if "/" in raw or "\\" in raw:
            out += [
                Piece(fold(c)[:LONGEST_TERM], Share.PART) for c in re.split(r"[/\\]", whole) if joints.search(c[:-1])
            ]
        as_part = Share.PART if out else Share.WHOLE
        for bit in bits:
            for p in self._single(bit, final=final):
                out.append(Piece(p.term, as_part if p.share is Share.WHOLE else p.share))
        return out

    def _single(self, raw: str, *, final: bool) -> list[Piece]:
        """The pieces of a token without joints."""
        if raw.isascii():
            return self._latin(raw)
        out: list[Piece] = []
        for m in _beyond_ascii().runs.finditer(raw):
            run = m.group()
            if m.lastgroup == "gram":
                out += _grams(run, final=final)
            elif m.lastgroup == "hangul":
                out.append(Piece(run[:LONGEST_TERM], Share.WHOLE))
                out += _grams(run, final=final) if len(run) > 1 else []
            else:
                out += self._latin(_without_accents(run))
        return out

    def _latin(self, raw: str) -> list[Piece]:
        """The pieces of a word or of a name in camel or snake case."""
        return [Piece(term, Share.PART if place else Share.WHOLE) for place, term in enumerate(self._name(raw))]

    def _name(self, raw: str) -> tuple[str, ...]:
        """The whole of a word or of a name, then its parts; nothing for what is all underscores."""
        known = self._names.get(raw)
        if known is None:
            if len(self._names) >= _CACHE_LIMIT:
                self._names.clear()
            known = self._names[raw] = self._taken_apart(raw)
        return known

    def _taken_apart(self, raw: str) -> tuple[str, ...]:
        folded = raw.casefold()
        if raw.isalpha() and _is_plain(raw):
            return (self._stems.get(folded) or self.word(folded),)
        if raw.islower() and raw.isascii() and "_" not in raw:  # letters and digits: one part
            whole = raw[:LONGEST_TERM]
            return (whole, raw[:7]) if len(raw) >= _SHORTEST_HEX and _HEX.fullmatch(raw) else (whole,)
        whole = folded.strip("_")[:LONGEST_TERM]
        if not whole:
            return ()
        if len(folded) >= _SHORTEST_HEX and _HEX.fullmatch(folded):
            return whole, folded[:7]
        if len(raw) > 2 * LONGEST_TERM:
            return (whole,)
        parts = [p for bit in raw.split("_") for p in (_CAMEL.findall(bit) if _is_camel(bit) else [bit]) if p]
        words = [self.word(p.casefold()) for p in parts]
        return (whole, *words) if len(words) > 1 or words != [whole] else (whole,)


def fold(text: str) -> str:
    """Case folded, compatible characters made one, accents of Latin letters dropped."""
    return text.casefold() if text.isascii() else _without_accents(unicodedata.normalize("NFKC", text)).casefold()


def _without_accents(text: str) -> str:
    kept = _beyond_ascii().accents.sub(r"\1", unicodedata.normalize("NFD", text))
    return unicodedata.normalize("NFC", kept)


def _unquoted(raw: str) -> Iterable[str]:
    """The words of a token with apostrophes: `Anna's` and `don't` without their ending, `l'eau` both words."""
    bits = [b for b in raw.split("'") if b]
    return [b for i, b in enumerate(bits) if i == 0 or len(b) > 2] or bits[:1]


def _is_identifier(joints: list[str]) -> bool:
    """Whether the joints of a token are those of a name, and not of prose ("wait...what", "word--word")."""
    return all(len(j) == 1 or j in {"://", "::", ":/", ":\\", "./", "/."} for j in joints)


def _is_plain(word: str) -> bool:
    """Whether a word of letters is one word, not several in camel case."""
    return word.islower() or word[1:].islower() or word.isupper()


def _is_camel(bit: str) -> bool:
    return not (bit.islower() or bit.isupper() or bit[1:].islower() or bit[1:].isdigit())


def _grams(run: str, *, final: bool) -> list[Piece]:
    if len(run) == 1:
        return [Piece(run, Share.GRAM)]
    grams = [Piece(run[i : i + 2], Share.GRAM) for i in range(len(run) - 1)]
    return [*grams, Piece(run[-1], Share.GRAM)] if final else grams
