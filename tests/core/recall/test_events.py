"""Times told by events: which words tell one, how it is found, what is said of it, and how it orders what was found."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from core.ports import Query
from core.recall.dialogue import Ports, begin
from core.recall.event_words import When
from core.recall.events import NamedTime, may_tell_an_event, no_named_times, read_events, resolve_events
from core.recall.model import AxisKind
from core.recall.search import Found
from core.records.model import Origin
from tests.core.recall.fakes import DAY, NOON, FakeRecord, FakeSearcher, FixedClock, receipt, talk

T = NOON.timestamp()
MOVE = talk("move", "We move to Postgres today", "done", started=T - 60 * DAY, title="Move to Postgres")
OUT = talk("out", "The host is down, an outage", "it is up", started=T - 20 * DAY, title="Outage of the host")
EARLY = talk("early", "the report is slow", "an index helps the slow report", started=T - 90 * DAY)
LATE = talk("late", "the report is slow, slow, slow", "a slow report needs another index", started=T - 30 * DAY)
NEWEST = talk("newest", "is the report slow again?", "the slow report again", started=T - 5 * DAY)
RECORDS = (LATE, NEWEST, EARLY, MOVE, OUT)


@pytest.mark.parametrize(
    ("text", "when", "kind", "about"),
    [
        ("before we moved to Postgres", When.BEFORE, "move", ("postgres",)),
        ("the list was slow after the move to Postgres in the spring", When.AFTER, "move", ("postgres",)),
        ("right after the outage, the disks", When.AFTER, "outage", ()),
        ("around the release", When.AROUND, "release", ()),
        ("around release 2.0", When.AROUND, "release", ("2.0",)),
        ("when we switched to uv", When.AROUND, "move", ("uv",)),
        ("since we renamed master to main", When.SINCE, "rename", ("master",)),
        ("bevor wir auf Postgres umgezogen sind", When.BEFORE, "move", ("postgres",)),
        ("kurz nach dem Ausfall", When.AFTER, "outage", ()),
        ("nach der Umstellung auf uv", When.AFTER, "move", ("uv",)),
        ("avant le passage à Postgres", When.BEFORE, "move", ("postgres",)),
        ("après la panne", When.AFTER, "outage", ()),
        ("antes de migrar a Postgres", When.BEFORE, "move", ("postgres",)),
        ("después del lanzamiento", When.AFTER, "release", ()),
        ("antes da mudança para Postgres", When.BEFORE, "move", ("postgres",)),
        ("depois da queda", When.AFTER, "outage", ()),
        ("Postgresに移行する前", When.BEFORE, "move", ("postgres",)),
        ("障害の後", When.AFTER, "outage", ()),
        ("Postgres로 옮기기 전에", When.BEFORE, "move", ("postgres",)),
        ("迁移到Postgres之前", When.BEFORE, "move", ("postgres",)),
        ("发布之后", When.AFTER, "release", ()),
    ],
)
def test_events_are_read_in_eight_languages(text: str, when: When, kind: str, about: tuple[str, ...]) -> None:
    (phrase,) = read_events(text)
    assert (phrase.when, phrase.kind, phrase.about) == (when, kind, about)
    assert text[phrase.start : phrase.end] == phrase.words


@pytest.mark.parametrize(
    "text",
    [
        "the client retried after a timeout",
        "the worker registered twice on reload",
        "after we moved",
        "when release notes were made",
        "move the button before the label",
        "before lunch",
        "a merge conflict in the parser",
        "nothing of the kind",
        "",
        "x" * 5000,
    ],
)
def test_what_tells_no_event_is_left_alone(text: str) -> None:
    assert read_events(text) == ()


def test_near_events_are_told_apart() -> None:
    (far,) = read_events("after the outage")
    (near,) = read_events("right after the outage")
    assert (far.close, near.close) == (False, True)
    assert not may_tell_an_event("the payment client")


def searcher() -> FakeSearcher:
    return FakeSearcher(RECORDS, {r.path: receipt() for r in RECORDS})


def told(cue: str, named: tuple[NamedTime, ...] = ()) -> tuple[str, tuple[str, ...]]:
    """The path that is presented, and what is remarked."""
    ports = Ports(searcher(), FixedClock(), named_times=lambda: named)
    round_ = begin(cue, ports).round
    assert round_ is not None
    assert round_.recognizable is not None
    return round_.recognizable.members[0].locator.path, round_.remarks


def test_before_and_after_an_event() -> None:
    path, remarks = told("the slow report before we moved to Postgres")
    assert path == EARLY.path
    assert "Read “before we moved to Postgres” as before 2 April 2026: “Move to Postgres” (Claude Code)." in remarks
    assert told("the slow report after the move to Postgres")[0] != EARLY.path
    assert told("the slow report after the outage")[0] == NEWEST.path
    assert told("the slow report")[0] == told("the slow report before lunch")[0]


def test_a_cue_of_an_event_alone_tells_what_lies_beside_it() -> None:
    """The session that prepared the move speaks of it most, and lies a day before it."""
    commit = FakeRecord(
        "commit", ((Origin.PERSON, "Move to Postgres"),), title="Move to Postgres", started=T - 40 * DAY
    )
    eve = talk("eve", "move the ledger to postgres, moved by tonight", "it is moved", started=T - 41 * DAY)
    pool = talk("pool", "the pool of postgres runs dry", "twelve are open now", started=T - 35 * DAY)
    records = (commit, eve, pool)
    for cue, path in (("after we moved to Postgres", pool.path), ("before we moved to Postgres", eve.path)):
        ports = Ports(FakeSearcher(records, {r.path: receipt() for r in records}), FixedClock())
        round_ = begin(cue, ports).round
        assert round_ is not None
        assert round_.recognizable is not None
        assert round_.recognizable.members[0].locator.path == path, cue


def test_an_event_nobody_recorded_stays_words_and_that_is_said() -> None:
    _, remarks = told("the slow report before we moved to Oracle")
    assert any(
        "No record was found that tells when “before we moved to Oracle” was; it was read as words" in r
        for r in remarks
    )


def test_a_tag_dates_a_release() -> None:
    tags = (NamedTime("v1.9.0", T - 100 * DAY), NamedTime("v2.0.0", T - 40 * DAY), NamedTime("v3.0", T + DAY))
    now = NOON
    (event,) = resolve_events(["around release 2.0"], now, lambda _: Found(), lambda: tags)
    assert event.window is not None
    assert event.window.start < T - 40 * DAY < event.window.end
    assert "“v2.0.0” (git tag)" in event.said
    (latest,) = resolve_events(["before the release"], now, lambda _: Found(), lambda: tags)
    assert latest.window is not None
    assert latest.window.end == T - 40 * DAY - 1
    (none,) = resolve_events(["before release 4.0"], now, lambda _: Found(), lambda: tags)
    assert none.window is None
    path, remarks = told("the slow report before the release", tags)
    assert path == EARLY.path
    assert any("v2.0.0" in r for r in remarks)


def test_without_an_event_nothing_is_searched_for() -> None:
    asked: list[Query] = []

    def find(query: Query) -> Found:
        asked.append(query)
        return Found()

    assert resolve_events(["the slow report", "in March"], NOON, find, no_named_times) == ()
    assert asked == []


def test_the_day_is_the_persons_own() -> None:
    from datetime import timedelta, timezone

    east = datetime.fromtimestamp(T, UTC).astimezone(timezone(timedelta(hours=14)))
    tag = NamedTime("v1.0", datetime(2026, 3, 31, 20, tzinfo=UTC).timestamp())
    (event,) = resolve_events(["before the release"], east, lambda _: Found(), lambda: (tag,))
    assert "1 April 2026" in event.said


def test_an_event_is_an_axis_of_the_cue() -> None:
    round_ = begin("the slow report before we moved to Postgres", Ports(searcher(), FixedClock())).round
    assert round_ is not None
    (axis,) = [a for a in round_.cue.axes if a.kind is AxisKind.EVENT]
    assert (axis.words, axis.value) == ("before we moved to Postgres", "..2026-04-02")


def test_the_release_without_a_number_is_the_latest() -> None:
    old = talk("old", "cut the release", "done", started=T - 80 * DAY, title="Release 1.0")
    new = talk("new", "cut the release", "done", started=T - 15 * DAY, title="Release 2.0")
    found = FakeSearcher((old, new))
    (event,) = resolve_events(["before the release"], NOON, found.find, no_named_times)
    assert event.path == new.path
    (first,) = resolve_events(["before release 1.0"], NOON, found.find, no_named_times)
    assert first.path == old.path


def test_the_same_event_is_looked_for_once_and_many_are_bounded() -> None:
    asked: list[Query] = []

    def find(query: Query) -> Found:
        asked.append(query)
        return Found()

    assert len(resolve_events(["before we moved to Postgres " * 300], NOON, find, no_named_times)) == 300
    assert len(asked) == 1
    resolve_events([", ".join(f"before we moved to place{n}" for n in range(50))], NOON, find, no_named_times)
    assert len(asked) == 5


@pytest.mark.parametrize("piece", ["Postgresに移行する前", "迁移", "a1", "before ", "a.b-c 迁移", "when we ", "移行x"])
def test_a_giant_text_is_read_in_time_that_grows_with_it(piece: str) -> None:
    """A quadratic expression would take minutes on this, not a second."""
    text = (piece * 20_000)[:20_000]
    assert len(read_events(text)) <= len(text)
