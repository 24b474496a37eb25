"""What a refresh adds, reads on, replaces and keeps."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.ports import Extractor, Filters, IndexCondition, Progress, Reach, Reached, Standing
from core.records.model import Turn
from indexes.drafts import LONGEST_TURN
from indexes.whoosh_index import WhooshIndex
from tests.indexes.asking import ids
from tests.indexes.fake_archive import FakeArchive, FakeReading, Records


def test_an_empty_archive(index: WhooshIndex) -> None:
    assert index.state().condition is IndexCondition.ABSENT
    assert (index.search is not None, ids(index), ids(index, "word"), list(index.entries())) == (True, [], [], [])
    assert index.refresh().added == 0
    assert index.state().condition is IndexCondition.CURRENT
    assert ids(index, "word") == []


def test_new_records_are_found_and_an_idle_refresh_does_nothing(index: WhooshIndex, records: Records) -> None:
    records.write("a", "the payment gateway broke", "we fixed the deadlock")
    records.write("b", "colours of the parser")
    done = index.refresh()
    assert (done.added, done.pending, done.stopped) == (2, 0, False)
    assert ids(index, "deadlock") == ["a"]
    again = index.refresh()
    assert (again.added, again.unchanged, again.bytes_read) == (0, 2, 0)


def test_a_refresh_says_how_the_index_stands_as_another_look_would(index: WhooshIndex, records: Records) -> None:
    """The commands that look after every refresh do not look twice."""
    records.write("a", "the payment gateway broke")
    assert index.refresh().state == index.state()
    assert index.refresh().state == index.state()
    records.write("b", "colours of the parser")
    stopped = index.refresh(progress=lambda _: False)
    assert (stopped.stopped, stopped.state) == (True, None)


def test_an_idle_refresh_leaves_what_a_reader_holds(index: WhooshIndex, records: Records) -> None:
    """A look that finds nothing new makes no reader read the index again."""
    records.write("a", "the payment gateway broke")
    index.refresh()
    assert ids(index, "gateway") == ["a"]
    held = index._snapshot
    index.refresh()
    assert ids(index, "gateway") == ["a"]
    assert index._snapshot is held


def test_a_record_that_grew_is_read_on(index: WhooshIndex, records: Records) -> None:
    path = records.write("a", "the first words")
    index.refresh()
    before = path.stat().st_size
    records.grow("a", "and the zebra came later")
    done = index.refresh()
    assert (done.grown, done.replaced, done.bytes_read) == (1, 0, path.stat().st_size - before)
    assert ids(index, "zebra") == ids(index, "first") == ["a"]


def test_a_record_whose_beginning_changed_is_read_anew(index: WhooshIndex, records: Records) -> None:
    records.write("a", "about elephants")
    index.refresh()
    records.write("a", "about giraffes", "and much more than there was before")
    assert index.refresh().replaced == 1
    assert (ids(index, "elephants"), ids(index, "giraffes")) == ([], ["a"])


def test_a_record_at_which_reading_breaks_costs_no_other_and_is_begun_anew(
    index: WhooshIndex, records: Records, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = FakeReading._turns

    def breaking(self: FakeReading, raw: bytes, line: int, begin: int) -> Iterator[Turn]:
        if b"unforeseen" in raw:
            raise TypeError
        return real(self, raw, line, begin)

    monkeypatch.setattr(FakeReading, "_turns", breaking)
    records.write("a", "the first words")
    odd = records.write("b", "unforeseen colours")
    done = index.refresh()
    assert (done.added, done.unreadable, done.pending) == (2, 1, 0)
    assert ids(index, "first") == ["a"]
    assert "TypeError at test_refresh.py:" in index.reached()[str(odd)].finding
    records.grow("a", "unforeseen too")
    assert index.refresh().unreadable == 1
    assert ids(index, "first") == ["a"]  # what was known stands
    monkeypatch.setattr(FakeReading, "_turns", real)
    records.grow("a", "and the zebra")
    records.grow("b", "of the parser")
    done = index.refresh()
    assert (done.grown + done.replaced, done.unreadable) == (2, 0)
    assert ids(index, "first") == ids(index, "zebra") == ["a"]
    assert ids(index, "colours") == ["b"]


def test_a_line_that_is_not_finished_is_read_once_it_is(index: WhooshIndex, records: Records) -> None:
    path = records.write("a", "start")
    with path.open("a") as file:
        file.write('{"t": "half')
    index.refresh()
    assert ids(index, "half") == []
    with path.open("a") as file:
        file.write(' a sentence"}\n')
    assert index.refresh().grown == 1
    assert ids(index, "half") == ["a"]


def test_a_deleted_record_is_kept_as_gone_and_comes_back(index: WhooshIndex, records: Records) -> None:
    path = records.write("a", "precious words")
    index.refresh()
    data, status = path.read_bytes(), path.stat()
    path.unlink()
    assert index.refresh().gone == 1
    assert ids(index, "precious") == ["a"]
    assert [e.standing for e in index.entries()] == [Standing.GONE]
    assert ids(index, "precious", filters=Filters(kinds=("-gone",))) == []
    path.write_bytes(data)
    import os

    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    index.refresh()
    assert [e.standing for e in index.entries()] == [Standing.PRESENT]


def test_a_moved_record_is_the_same_record(index: WhooshIndex, records: Records) -> None:
    path = records.write("a", "precious words")
    index.refresh()
    target = records.root / "archived" / "a.jsonl"
    target.parent.mkdir()
    path.rename(target)
    done = index.refresh()
    assert (done.added, done.gone, done.unchanged) == (0, 0, 1)
    (entry,) = index.entries()
    assert (entry.source.path, entry.standing) == (str(target), Standing.PRESENT)
    assert ids(index, "precious") == ["a"]
    records.grow("archived/a", "later")
    assert index.refresh().grown == 1


def test_nothing_is_gone_where_the_listing_was_incomplete(
    index: WhooshIndex, records: Records, archive: FakeArchive
) -> None:
    path = records.write("a", "words")
    index.refresh()
    path.unlink()
    archive.incomplete = True
    assert index.refresh().gone == 0
    assert [e.standing for e in index.entries()] == [Standing.PRESENT]


@pytest.mark.parametrize("uids", [("1", "2"), ("message-1", "message-2")], ids=["short ids", "long ids"])
def test_sessions_whose_turns_are_counted_from_one_are_all_found(
    index: WhooshIndex, records: Records, uids: tuple[str, str]
) -> None:
    """An id tells a turn from others together with its words: a second session was not found by any of its own."""
    for name, at in (("giraffe", 10.0), ("zebra", 20.0)):
        records.write(
            name, *({"t": f"the {name} {n}", "uid": uid, "at": at} for n, uid in enumerate(uids)),
            {"t": "thank you", "uid": "3", "at": at + 1},
        )  # fmt: skip
    index.refresh()
    assert (ids(index, "giraffe"), ids(index, "zebra")) == (["giraffe"], ["zebra"])
    assert sorted(ids(index, "thank")) == ["giraffe", "zebra"]  # a short id, and another time


def test_what_a_copy_repeats_is_found_once(index: WhooshIndex, records: Records) -> None:
    past = [{"t": f"zebra {n}", "uid": f"0a1b2c3d-{n}", "at": 10.0 + n} for n in range(2)]
    records.write("a", *past)
    records.write(
        "b", *({**turn, "at": 99.0} for turn in past), {"t": "and a giraffe", "uid": "0a1b2c3d-9", "at": 99.0}
    )
    index.refresh()
    assert (ids(index, "zebra"), ids(index, "giraffe")) == (["a"], ["b"])


def test_a_record_that_repeats_its_parent_is_known_but_not_searched(index: WhooshIndex, records: Records) -> None:
    path = records.write("copy-1", "words of the parent", role="copy")
    index.refresh()
    assert ids(index, "parent") == ids(index) == []
    assert len(list(index.entries())) == 1
    receipt = index.receipts([str(path)])[str(path)]
    assert receipt.reach[Extractor.TALK] is Reach.SKIPPED


@pytest.mark.parametrize("order", [("old", "new"), ("new", "old")])
def test_a_shared_past_is_found_in_the_earlier_record_only(
    index: WhooshIndex, records: Records, order: tuple[str, str]
) -> None:
    shared = [{"t": "the common elephant", "uid": "u1", "at": 1.0}, {"t": "second", "uid": "u2", "at": 2.0}]
    own = {"old": {"t": "old giraffe", "uid": "u3", "at": 3.0}, "new": {"t": "new zebra", "uid": "u4", "at": 9.0}}
    for name in order:
        records.write(name, *shared, own[name])
        index.refresh()
    assert ids(index, "elephant") == ["old"]
    assert (ids(index, "zebra"), ids(index, "giraffe")) == (["new"], ["old"])


def test_copied_turns_count_only_while_the_original_is_missing(index: WhooshIndex, records: Records) -> None:
    records.write("fork", {"t": "elephant", "copied": True, "uid": "x"}, {"t": "own", "uid": "y"}, fork="origin")
    index.refresh()
    assert ids(index, "elephant") == ["fork"]
    records.write("origin", {"t": "elephant", "uid": "o"})
    index.refresh()
    assert ids(index, "elephant") == ["origin"]
    assert ids(index, "own") == ["fork"]


def test_what_is_not_conversation_is_not_indexed(index: WhooshIndex, records: Records) -> None:
    records.write(
        "a", {"t": "spoken", "o": "assistant"}, {"t": "reminded", "o": "injected"}, {"t": "returned", "o": "external"},
        {"t": "summed", "o": "injected", "c": "summary"}, {"t": "noticed", "c": "notice"}, {"t": "peered", "o": "peer"},
    )  # fmt: skip
    index.refresh()
    found = {w: bool(ids(index, w)) for w in ("spoken", "reminded", "returned", "summed", "noticed", "peered")}
    assert found == {
        "spoken": True, "reminded": False, "returned": False, "summed": True, "noticed": False, "peered": True,
    }  # fmt: skip


def test_receipts_say_what_was_left_out(index: WhooshIndex, records: Records) -> None:
    path = records.write("a", "x " * (LONGEST_TURN // 2) + "beyond", "fine")
    with path.open("a") as file:
        file.write("not json\n")
    empty = records.write("empty")
    index.refresh()
    receipts = index.receipts([str(path), str(empty), "/nowhere"])
    assert receipts[str(path)].tally.omitted_chars == len("beyond")
    assert receipts[str(path)].tally.skipped_lines == 1
    assert receipts[str(empty)].reach[Extractor.TALK] is Reach.EMPTY
    assert "/nowhere" not in receipts
    assert ids(index, "beyond") == []
    records.grow("a", "more")
    index.refresh()
    assert index.receipts([str(path)])[str(path)].tally.omitted_chars == len("beyond")


def test_a_record_that_cannot_be_read_is_said(index: WhooshIndex, records: Records, archive: FakeArchive) -> None:
    records.write("a", "fine")
    gone = archive.source(records.write("b", "words"))
    found = archive.discover()
    Path(gone.path).unlink()
    archive.discover = lambda projects=(), *, looking=False, known=None: found  # type: ignore[method-assign]
    done = index.refresh()
    assert (done.added, done.unreadable) == (2, 1)
    receipt = index.receipts([gone.path])[gone.path]
    assert receipt.reach[Extractor.TALK] is Reach.INPUT_FAILED
    assert receipt.finding
    assert list(index.counts().values()) == [(2, 1)]


def test_how_far_all_were_captured_is_what_their_receipts_say(
    index: WhooshIndex, records: Records, archive: FakeArchive
) -> None:
    records.write("fine", "words")
    records.write("empty")
    with records.write("torn", "words").open("a") as file:
        file.write("not json\n")
    gone = archive.source(records.write("gone", "words"))
    found = archive.discover()
    Path(gone.path).unlink()
    archive.discover = lambda projects=(), *, looking=False, known=None: found  # type: ignore[method-assign]
    index.refresh()
    receipts = index.receipts([source.path for source in found.sources])
    assert index.reached() == {
        path: Reached(Reach.SUCCEEDED in receipt.reach.values(), receipt.finding) for path, receipt in receipts.items()
    }
    assert sorted(one.searchable for one in index.reached().values()) == [False, True, True, True]


def test_a_stopped_refresh_keeps_the_newest_and_goes_on(index: WhooshIndex, records: Records) -> None:
    for number in range(6):
        records.write(f"r{number}", f"word{number}")
    seen: list[Progress] = []

    def stop_after_two(progress: Progress) -> bool:
        seen.append(progress)
        return progress.records < 2

    done = index.refresh(progress=stop_after_two)
    assert (done.added, done.pending, done.stopped) == (2, 4, True)
    assert (ids(index, "word5"), ids(index, "word0")) == (["r5"], [])
    assert index.state().condition is IndexCondition.STALE
    rest = index.refresh()
    assert (rest.added, rest.pending) == (4, 0)
    assert ids(index, "word0") == ["r0"]
    assert seen[-1].done
    assert seen[0].records_total == 6


def test_no_time_means_nothing_but_a_plan(index: WhooshIndex, records: Records) -> None:
    records.write("a", "word")
    done = index.refresh(seconds=0)
    assert (done.pending, done.stopped) == (1, True)


def test_many_small_growths_are_merged(index: WhooshIndex, records: Records, tmp_path: Path) -> None:
    records.write("a", "start")
    index.refresh()
    for number in range(40):
        records.grow("a", f"growth number{number}")
        index.refresh()
    assert len(list((tmp_path / "index" / "whoosh").glob("*.seg"))) < 14
    assert all(ids(index, f"number{number}") == ["a"] for number in range(40))


def test_rebuild_as_asked(index: WhooshIndex, records: Records) -> None:
    records.write("a", "word")
    index.refresh()
    done = index.refresh(rebuild=True)
    assert (done.added, "as asked" in done.message) == (1, True)
    assert ids(index, "word") == ["a"]


def test_state_sees_a_new_a_grown_and_a_missing_file(index: WhooshIndex, records: Records) -> None:
    path = records.write("sub/a", "word")
    index.refresh()
    assert index.state().condition is IndexCondition.CURRENT
    records.grow("sub/a", "more")
    assert (index.state().condition, index.state().pending) == (IndexCondition.STALE, 1)
    index.refresh()
    path.unlink()
    assert index.state().condition is IndexCondition.STALE
    index.refresh()
    records.write("sub/b", "word")
    assert index.state().condition is IndexCondition.STALE
