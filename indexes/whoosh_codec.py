"""A Whoosh codec whose postings are plain arrays, so that numpy reads and writes a whole term dictionary at once.

A segment of this codec holds two files of its own (`indexes.postings`) beside Whoosh's per-document columns. Whoosh's
reader, searcher and query parser work on it through `ArrayTermsReader`. Only one indexed field (`TEXT_FIELD`) is
supported, and only `indexes.segments` writes it. Whoosh's names with an underscore are read here and in `whoosh_toc`,
nowhere else; `whoosh3` is pinned for that reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from indexes.analyzer import Analyzer, tokenize
from indexes.drafts import COLUMNS
from indexes.postings import Postings
from indexes.segments import LENGTH_OF_BYTE, POSTS_EXT, TERMS_EXT, TEXT_FIELD
from indexes.whoosh_parts import (
    Column,
    Existence,
    FieldCursor,
    FieldType,
    ListMatcher,
    NumericColumn,
    Schema,
    TermInfo,
    TermNotFound,
    TermsReader,
    Token,
    Tokenizer,
    W3Codec,
    W3PerDocReader,
    W3Segment,
)


class TurnTokenizer(Tokenizer):  # type: ignore[misc]
    """Whoosh's view of the analyzer: yields every term of a text, for the stock query parser and the golden tests."""

    def __call__(self, value: str, positions: bool = False, **kwargs: Any) -> Iterator[Token]:
        """Yield one token per term of each raw token; the terms of one raw token share its position."""
        analyzer = Analyzer()
        token = Token(positions, False, removestops=False, mode=kwargs.get("mode", ""))
        for place, raw in enumerate(tokenize(value)):
            for term in analyzer.terms(raw):
                token.text, token.boost, token.stopped, token.pos = term, 1.0, False, place
                yield token


class Frequencies(Existence):  # type: ignore[misc]
    """A posting format without a payload whose weight is the term frequency."""

    def word_values(self, value: Any, analyzer: Any, **kwargs: Any) -> Iterable[tuple[str, int, float, bytes]]:
        """Yield (term, frequency, weight, payload)."""
        counted = Counter(t.text for t in analyzer(value, **kwargs))
        return ((term, n, float(n), b"") for term, n in counted.items())


class TurnText(FieldType):  # type: ignore[misc]
    """The indexed text of a turn: term frequencies only."""

    def __init__(self) -> None:
        super().__init__(Frequencies(), TurnTokenizer(), scorable=True, stored=False)


def turn_schema() -> Schema:
    """The schema of the turn index: the text, and the columns."""
    schema = Schema(**{TEXT_FIELD: TurnText()})
    for name, code in COLUMNS.items():
        schema.add(name, Column(NumericColumn(code)))
    return schema


class ArrayCursor(FieldCursor):  # type: ignore[misc]
    """Walks the terms of a segment in order, for Whoosh's fuzzy and wildcard queries."""

    def __init__(self, reader: ArrayTermsReader) -> None:
        self._reader = reader
        self._place = 0

    def first(self) -> str | None:
        """Go to the first term."""
        self._place = 0
        return self.text()

    def find(self, term: str | bytes) -> str | None:
        """Go to the first term that is not less than `term`."""
        self._place = self._reader.postings.place(term if isinstance(term, bytes) else term.encode())
        return self.text()

    def next(self) -> str | None:
        """Go on by one term."""
        self._place += 1
        return self.text()

    def text(self) -> str | None:
        """The term here, `None` past the end."""
        return self._reader.postings.term_at(self._place).decode() if self.is_valid() else None

    def term_info(self) -> TermInfo | None:
        """The statistics of the term here."""
        return self._reader.info_at(self._place) if self.is_valid() else None

    def is_valid(self) -> bool:
        """Whether there is a term here."""
        return bool(self._place < self._reader.postings.count)


class ArrayTermsReader(TermsReader):  # type: ignore[misc]
    """Whoosh's view of the terms and postings of one segment."""

    def __init__(self, storage: Any, segment: Any) -> None:
        self.postings = Postings(
            _bytes_of(storage, segment.make_filename(TERMS_EXT)), _bytes_of(storage, segment.make_filename(POSTS_EXT))
        )
        self._lengths = np.frombuffer(_bytes_of(storage, length_column(segment)), np.uint8)

    def __contains__(self, term: tuple[str, bytes]) -> bool:
        return term[0] == TEXT_FIELD and self.postings.find(term[1]) is not None

    def indexed_field_names(self) -> list[str]:
        """The one field."""
        return [TEXT_FIELD]

    def cursor(self, fieldname: str, fieldobj: Any) -> ArrayCursor:  # noqa: ARG002  # Whoosh's signature
        """A cursor over the terms."""
        return ArrayCursor(self)

    def terms(self) -> Iterator[tuple[str, bytes]]:
        """Every (field, term)."""
        return self.terms_from(TEXT_FIELD, b"")

    def terms_from(self, fieldname: str, prefix: bytes) -> Iterator[tuple[str, bytes]]:
        """Every (field, term) that is not less than `prefix`."""
        return ((TEXT_FIELD, self.postings.term_at(place)) for place in self._places(fieldname, prefix))

    def items(self) -> Iterator[tuple[tuple[str, bytes], TermInfo]]:
        """Every term with its statistics."""
        return self.items_from(TEXT_FIELD, b"")

    def items_from(self, fieldname: str, prefix: bytes) -> Iterator[tuple[tuple[str, bytes], TermInfo]]:
        """Every term that is not less than `prefix`, with its statistics."""
        places = self._places(fieldname, prefix)
        return (((TEXT_FIELD, self.postings.term_at(place)), self.info_at(place)) for place in places)

    def info_at(self, place: int) -> TermInfo:
        """The statistics of the term at a place, computed from its postings."""
        docs, freqs = self.postings.at(place)
        lengths = LENGTH_OF_BYTE[self._lengths[docs]]
        bounds = (int(lengths.min()), int(lengths.max()), float(freqs.max()), int(docs[0]), int(docs[-1]))
        return TermInfo(float(freqs.sum()), len(docs), *bounds)

    def term_info(self, fieldname: str, tbytes: bytes) -> TermInfo:
        """The statistics of a term."""
        return self.info_at(self._place(fieldname, tbytes))

    def frequency(self, fieldname: str, tbytes: bytes) -> float:
        """How often a term occurs; `KeyError`, as Whoosh expects it, if no document holds it."""
        return float(self.info_at(self._place_or_key_error(fieldname, tbytes)).weight())

    def doc_frequency(self, fieldname: str, tbytes: bytes) -> int:
        """How many documents hold a term; `KeyError`, as Whoosh expects it, if none does."""
        return self.postings.count_at(self._place_or_key_error(fieldname, tbytes))

    def matcher(self, fieldname: str, tbytes: bytes, format_: Any, scorer: Any = None) -> ListMatcher:
        """Whoosh's matcher over the postings of a term."""
        place = self._place(fieldname, tbytes)
        docs, freqs = self.postings.at(place)
        info, empty = self.info_at(place), [b""] * len(docs)
        term = (fieldname, tbytes)
        return ListMatcher(docs.tolist(), freqs.tolist(), empty, format_, scorer=scorer, term=term, terminfo=info)

    def close(self) -> None:
        """Nothing is held open: the arrays are copies."""

    def _places(self, fieldname: str, prefix: bytes) -> range:
        return range(self.postings.place(prefix), self.postings.count) if fieldname == TEXT_FIELD else range(0)

    def _place(self, fieldname: str, term: bytes) -> int:
        try:
            return self._place_or_key_error(fieldname, term)
        except KeyError:
            raise TermNotFound(f"no term {fieldname}:{term!r}") from None

    def _place_or_key_error(self, fieldname: str, term: bytes) -> int:
        place = self.postings.find(term) if fieldname == TEXT_FIELD else None
        if place is None:
            raise KeyError((fieldname, term))
        return place


class ArrayPerDocReader(W3PerDocReader):  # type: ignore[misc]
    """Whoosh's column reader over a segment that stores no field values."""

    def stored_fields(self, docnum: int) -> dict[str, Any]:  # noqa: ARG002  # Whoosh's signature
        """Nothing is stored."""
        return {}


class ArrayCodec(W3Codec):  # type: ignore[misc]
    """The codec plug-in. Its name and place are written into the index: changing them needs a new schema version."""

    def terms_reader(self, storage: Any, segment: Any) -> ArrayTermsReader:
        """Open the terms of a segment."""
        return ArrayTermsReader(storage, segment)

    def per_document_reader(self, storage: Any, segment: Any) -> ArrayPerDocReader:
        """Open the columns of a segment."""
        return ArrayPerDocReader(storage, segment)

    def field_writer(self, storage: Any, segment: Any) -> Any:  # noqa: ARG002  # Whoosh's signature
        """Refused: only the bulk writer writes this format."""
        raise TypeError("segments of this codec are written by indexes.segments")

    def new_segment(self, storage: Any, indexname: str) -> ArraySegment:  # noqa: ARG002  # Whoosh's signature
        """A segment without documents."""
        return ArraySegment(self, indexname)


class ArraySegment(W3Segment):  # type: ignore[misc]
    """Whoosh's description of a segment, with a checksum of its file."""

    checksum: int = 0
    """CRC-32 of the whole compound file, so that damage is seen when it is opened."""
    size: int = 0
    """Bytes of the compound file."""


def _bytes_of(storage: Any, name: str) -> bytes:
    """The bytes of a file inside a segment."""
    file = storage.open_file(name)
    try:
        return bytes(file.get(0, storage.file_length(name)))
    finally:
        file.close()


def column_name(segment: Any, name: str) -> str:
    """The file name of a column."""
    return str(W3Codec.column_filename(segment, name))


def length_column(segment: Any) -> str:
    """The file name of the column of length bytes."""
    return column_name(segment, f"_{TEXT_FIELD}_len")
