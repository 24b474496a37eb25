"""A record has one date wherever it is listed: in lines, in JSON and in the app, and by that date it is ordered."""

from __future__ import annotations

from dataclasses import replace

from core.ports import Entry, Query
from core.recall.heads import rank_heads
from core.recall.wording import iso_time
from core.records.model import Source, Spine
from tests.tui.fake import NOW, candidate
from tui.listing import hit_lines, row_line
from tui.machine import row_document
from tui.plain import local_time
from tui.widgets.results import Results
from tui.widgets.wording import short_date

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
