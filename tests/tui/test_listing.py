"""A record has one date wherever it is listed: in lines, in JSON and in the app, and by that date it is ordered."""

from __future__ import annotations

from dataclasses import replace

from core.ports import Entry, Query
from core.recall.heads import rank_heads
from core.recall.model import Recognizable, WholeKind
from core.recall.wording import iso_time
from core.records.model import Source, Spine
from core.text import cell_width
from tests.tui.fake import NOW, candidate, member
from tui.listing import hit_lines, row_line
from tui.machine import row_document
from tui.plain import local_time, member_line
from tui.widgets.results import Results
from tui.widgets.telling import headline
from tui.widgets.wording import long_date, short_date

DAY = 86_400.0


def test_a_session_of_several_days_is_dated_by_its_last_word_everywhere() -> None:
    began, last = NOW - 9 * DAY, NOW - 2 * DAY
    for row, at in (
        (replace(candidate(1), started=began, ended=last), last),
        (replace(candidate(1), started=began, ended=None), began),
    ):
        assert row.date == at
        assert row_line(row, 100).startswith(local_time(at, clock=False))
        assert local_time(at) in "\n".join(hit_lines(1, row, 100))
        assert row_document(row)["date"] == iso_time(at)
        assert short_date(at, NOW) in "".join(
            piece.text for piece in Results(id="made", now=NOW)._first_line(row, 90, False)
        )


def test_a_record_without_a_time_is_dated_by_its_file_and_says_so_everywhere() -> None:
    """It stands in the list by that date, so the date is shown; as the file's, for it does not tell when anything was said."""
    row = replace(candidate(1), started=None, ended=None, written=NOW - 9 * DAY)
    assert row.date == NOW - 9 * DAY
    day = local_time(NOW - 9 * DAY, clock=False).partition(" ")[2]
    assert row_line(row, 100).startswith(f"file {day}")
    assert f"unknown date, its file is of {local_time(row.date)}" in "\n".join(hit_lines(1, row, 100))
    assert row_document(row)["date"] == iso_time(NOW - 9 * DAY)
    assert row_document(row)["date_from"] == "file"
    for at in (NOW - 9 * DAY, NOW - 900 * DAY):
        pieces = Results(id="made", now=NOW)._first_line(replace(row, written=at), 90, False)
        text = "".join(piece.text for piece in pieces)
        assert f"~{short_date(at, NOW)}" in text
        assert cell_width(text) == 90
    assert "file's date" in Results._state(row)
    said = replace(row, started=NOW)
    assert row_document(said)["date_from"] == "record"
    assert row_document(replace(row, written=None))["date_from"] is None
    assert "~" not in "".join(piece.text for piece in Results(id="made", now=NOW)._first_line(said, 90, False))
    assert row_line(replace(row, written=None), 100).startswith("unknown date")


def test_the_story_of_a_record_without_a_time_says_when_its_file_was_written() -> None:
    at = NOW - 9 * DAY
    found = replace(member(0), started=None, ended=None, written=at)
    assert f"unknown date (its file is of {local_time(at, clock=False)})" in member_line(found)
    assert f"date not recorded, its file is of {long_date(at)}" in headline(Recognizable(WholeKind.SESSION, (found,)))


def test_what_has_no_last_word_is_ordered_by_its_first() -> None:
    def entry(name: str, started: float | None, ended: float | None, file: float) -> Entry:
        return Entry(
            Source("codex", "/r", f"/r/{name}", name, 1, int(file * 1e9)), Spine(name, started=started, ended=ended)
        )

    made = [
        entry("a", 1.0, 50.0, 9.0),
        entry("b", 40.0, None, 900.0),
        entry("c", None, None, 45.0),
        entry("d", 2.0, 60.0, 1.0),
    ]
    assert [hit.entry.spine.session_id for hit in rank_heads(made, Query())] == ["d", "a", "c", "b"]
