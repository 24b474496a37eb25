"""Our segments against Whoosh itself: its searcher opens them, and its own writer gives the same answers."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from whoosh import fields, index, query, scoring
from whoosh.filedb.filestore import RamStorage
from whoosh.qparser import OrGroup, QueryParser

from core.records.model import Channel, Origin, Turn
from indexes.analyzer import Analyzer
from indexes.damage import IndexDamaged
from indexes.gathered import Gathered
from indexes.postings import Postings, PostingsDamaged, Triples, combine, encode
from indexes.ranking import bm25, idf
from indexes.segments import (
    LENGTH_OF_BYTE,
    Segment,
    SegmentFolder,
    bytes_for_lengths,
    live_documents,
    merged,
    with_deleted,
    write_segment,
)
from indexes.toc import INDEX_NAME
from indexes.whoosh_codec import ArraySegment, TurnTokenizer

WORDS = [f"w{n}" for n in range(120)] + ["ran", "snake_case", "src/app/main.py", "ENT-260", "检索方法", "Größe"]


def texts(seed: int, count: int) -> list[str]:
    rnd = random.Random(seed)
    return [" ".join(rnd.choices(WORDS, k=rnd.randint(0, 60))) for _ in range(count)]


def turn(text: str, place: int) -> Turn:
    return Turn(Origin.PERSON, Channel.TALK, text, float(place), place + 1, place * 100, place * 100 + 50)


def segment(folder: Path, some: list[str]) -> Segment:
    draft = Gathered()
    for place, text in enumerate(some):
        draft.add(1, turn(text, place), 0)
    return write_segment(folder, draft.build(Analyzer()))


def stock_hits(ix: Any, words: list[str], limit: int = 40) -> list[tuple[int, float]]:
    wanted = query.Or([query.Term("text", word) for word in words])
    with ix.searcher(weighting=scoring.BM25F(B=0.75, K1=1.2)) as searcher:
        return [(hit.docnum, hit.score) for hit in searcher.search(wanted, limit=limit)]


def our_hits(folder: SegmentFolder, words: list[str], limit: int = 40) -> list[tuple[int, float]]:
    """The ranking's own formula at the level of a turn, with Whoosh's statistics (deleted documents count)."""
    _, segments = folder.read()
    views = [folder.open(s) for s in segments]
    total = sum(s.documents for s in segments)
    mean = sum(s.terms for s in segments) / total
    score, base = np.zeros(total), 0
    holding = {w: sum(v.postings.count_at(p) for v in views if (p := v.postings.find(w.encode())) is not None) for w in words}  # fmt: skip
    for view in views:
        norm = 1.2 * (0.25 + 0.75 * LENGTH_OF_BYTE[view.lengths] / mean)
        for word in words:
            place = view.postings.find(word.encode())
            if place is not None:
                docs, freqs = view.postings.at(place)
                score[base + docs] += idf(total, holding[word]) * bm25(freqs, norm[docs])
        score[base : base + len(norm)][~live_documents(view)] = 0
        base += len(norm)
    best = sorted(np.flatnonzero(score).tolist(), key=lambda d: (-score[d], d))
    return [(d, float(score[d])) for d in best[:limit]]


def same(ours: list[tuple[int, float]], theirs: list[tuple[int, float]]) -> bool:
    return [d for d, _ in ours] == [d for d, _ in theirs] and np.allclose(
        [s for _, s in ours], [s for _, s in theirs], rtol=0, atol=1e-6
    )


def queries(seed: int, count: int = 25) -> list[list[str]]:
    rnd, analyzer = random.Random(seed), Analyzer()
    terms = [t for w in WORDS for t in analyzer.terms(w)]
    return [list(dict.fromkeys(rnd.choices(terms, k=rnd.randint(1, 6)))) for _ in range(count)]


@pytest.mark.parametrize("seed", range(4))
def test_the_stock_searcher_agrees_after_writes_deletes_and_merges(tmp_path: Path, seed: int) -> None:
    folder, rnd = SegmentFolder(tmp_path), random.Random(seed)
    segments: list[Segment] = []
    for generation in range(1, 7):
        segments.append(segment(tmp_path, texts(seed * 100 + generation, rnd.randint(1, 80))))
        if generation % 2 == 0:
            chosen = rnd.randrange(len(segments))
            dead = np.array([rnd.random() < 0.3 for _ in range(segments[chosen].documents)])
            segments[chosen] = with_deleted(segments[chosen], dead)
        if generation % 3 == 0:
            segments = [write_segment(tmp_path, merged([folder.open(s) for s in segments]))]
        folder.commit(segments, generation)
        folder.clean(segments, generation)
        ix = index.open_dir(str(tmp_path), indexname=INDEX_NAME)
        for words in queries(seed + generation):
            assert same(our_hits(folder, words), stock_hits(ix, words))


def test_our_segments_answer_as_the_stock_writer_s(tmp_path: Path) -> None:
    some = texts(7, 150)
    schema = fields.Schema(text=fields.TEXT(analyzer=TurnTokenizer(), phrase=False))
    stock = RamStorage().create_index(schema)
    writer = stock.writer()
    for text in some:
        writer.add_document(text=text)
    writer.commit()
    folder = SegmentFolder(tmp_path)
    folder.commit([segment(tmp_path, some)], 1)
    ours = index.open_dir(str(tmp_path), indexname=INDEX_NAME)
    assert stock.reader().field_length("text") == ours.reader().field_length("text")
    assert list(stock.reader().all_terms()) == list(ours.reader().all_terms())
    for words in queries(7, 60):
        assert same(stock_hits(ours, words), stock_hits(stock, words))


@pytest.mark.parametrize("text", ["w1 w2", "w1*", "w12~1", "w1 NOT w2", "ran OR w3", "snake_case"])
def test_the_stock_query_parser_works_on_our_segments(tmp_path: Path, text: str) -> None:
    some = texts(3, 60)
    folder = SegmentFolder(tmp_path)
    folder.commit([segment(tmp_path, some[:30]), segment(tmp_path, some[30:])], 1)
    ix = index.open_dir(str(tmp_path), indexname=INDEX_NAME)
    with ix.searcher() as searcher:
        parsed = QueryParser("text", ix.schema, group=OrGroup).parse(text)
        assert len(searcher.search(parsed, limit=None)) > 0


def test_a_reader_keeps_its_segment_after_another_commit_removed_it(tmp_path: Path) -> None:
    folder = SegmentFolder(tmp_path)
    first = segment(tmp_path, ["alpha beta"])
    folder.commit([first], 1)
    view = folder.open(first)
    second = segment(tmp_path, ["gamma"])
    folder.commit([second], 2)
    folder.clean([second], 2)
    assert not (tmp_path / first.file_name).exists()
    assert view.postings.find(b"alpha") is not None


def test_lengths_are_quantised_as_whoosh_does(tmp_path: Path) -> None:
    from whoosh.util.numeric import byte_to_length, length_to_byte

    lengths = np.array([0, 1, 2, 7, 31, 32, 100, 1000, 65_000, 106_374, 10_000_000])
    assert bytes_for_lengths(lengths).tolist() == [length_to_byte(int(n)) for n in lengths]
    assert LENGTH_OF_BYTE.tolist() == [byte_to_length(n) for n in range(256)]


def test_the_list_is_read_without_whoosh_as_whoosh_reads_it(tmp_path: Path) -> None:
    """Every value that a search needs of a segment is the one in Whoosh's own file."""
    folder = SegmentFolder(tmp_path)
    one, other = segment(tmp_path, texts(1, 30)), segment(tmp_path, texts(2, 12))
    dead = np.array([n % 3 == 0 for n in range(30)])
    folder.commit([with_deleted(one, dead), other], 3)
    assert folder.read() == (3, [with_deleted(one, dead), other])
    theirs = index.open_dir(str(tmp_path), indexname=INDEX_NAME)._segments()
    assert all(isinstance(s, ArraySegment) for s in theirs)
    for ours, whoosh in zip(folder.read()[1], theirs, strict=True):
        assert whoosh.make_filename(".seg") == ours.file_name
        assert (whoosh.doc_count_all(), set(whoosh.deleted_docs())) == (ours.documents, ours.deleted)
        assert (whoosh.size, whoosh.checksum) == (ours.size, ours.checksum)
        assert whoosh._fieldlengths["text"] == ours.terms


def test_a_list_that_names_anything_else_runs_nothing(tmp_path: Path) -> None:
    """The list is a pickle: a class that is none of its parts is refused before it is looked up."""
    folder = SegmentFolder(tmp_path)
    folder.commit([segment(tmp_path, texts(1, 3))], 1)
    path = tmp_path / "_turns_1.toc"
    whole = path.read_bytes()
    assert b"ArraySegment" in whole
    path.write_bytes(whole.replace(b"ArraySegment", b"ArrayCursors"))
    with pytest.raises(IndexDamaged, match="ArrayCursors"):
        folder.read()


def test_large_frequencies_and_wide_documents_survive() -> None:
    freq = np.array([1, 254, 255, 256, 65_535, 70_000], np.int64)
    rows = combine([b"a", b"b"], np.array([0, 0, 0, 1, 1, 1]), np.array([0, 5, 70_000, 1, 2, 3]), freq)
    postings = Postings(*encode(rows, 70_001))
    docs, freqs = postings.at(0)
    assert (docs.tolist(), freqs.tolist()) == ([0, 5, 70_000], [1, 254, 255])
    assert postings.at(1)[1].tolist() == [256, 65_535, 65_535]
    assert postings.triples().freq.tolist() == [1, 254, 255, 256, 65_535, 65_535]


def test_no_postings_at_all() -> None:
    none = np.zeros(0, np.int64)
    postings = Postings(*encode(Triples([], none, none, none), 0))
    assert (postings.count, postings.find(b"a"), postings.terms(), postings.with_prefix(b"a", 3)) == (0, None, [], [])


def test_garbled_bytes_are_refused() -> None:
    rows = combine([b"a"], np.array([0]), np.array([0]), np.array([1]))
    terms, posts = encode(rows, 1)
    for bad in ((terms[:-1], posts), (terms, posts[:-1]), (b"X" + terms[1:], posts), (b"", posts)):
        with pytest.raises(PostingsDamaged):
            Postings(*bad)
