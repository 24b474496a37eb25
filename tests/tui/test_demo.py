"""The demo: a made-up home that is the same every time, and the guided tour through it (design/ux.md, Demo)."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest

from core.soul.desk import SoulDesk, UtcClock
from core.soul.model import State
from tests.tour import on_tour, seen
from tui.demo.archive import write_archive
from tui.demo.home import demo_home
from tui.demo.repository import write_repository
from tui.demo.steps import STEPS, play_seconds
from tui.demo.talks import talks
from tui.places import PLACES


def test_the_archive_holds_what_a_demo_is_to_show(tmp_path: Path) -> None:
    made = talks()
    assert len(made) >= 40
    runtimes = Counter(talk.runtime for talk in made)
    assert {"claude", "codex"} < set(runtimes)
    assert len(runtimes) >= 4
    months = {talk.start[:7] for talk in made}
    assert len(months) >= 6
    assert sum("#41" in "".join(s.text for s in talk.says) for talk in made if not talk.fork_of) >= 6
    assert any(talk.fork_of for talk in made)
    assert any(talk.subagent for talk in made)
    assert any(said.who == "broken" for talk in made for said in talk.says)
    assert any("\u3040" <= letter <= "\u30ff" for talk in made for said in talk.says for letter in said.text)
    first, second = (write_archive(tmp_path / name) for name in ("a", "b"))
    assert [p.read_bytes() for p in first] == [p.read_bytes() for p in second]


def test_the_project_is_the_same_every_time_and_shows_every_state(tmp_path: Path) -> None:
    roots = [write_repository(tmp_path / name) for name in ("a", "b")]
    heads = [(root / ".git/refs/heads/main").read_text() for root in roots]
    assert heads[0] == heads[1]
    report = SoulDesk(str(roots[0]), None, None, UtcClock()).report().document
    assert {state for state, count in report["by_state"].items() if count} == {state.key for state in State}
    assert report["consistency_findings"]
    assert report["review_hints"]
    assert {str(row["reason"]).split()[0].split("_in")[0] for row in report["stale"]} == {
        "renamed_to",
        "line_drift",
        "deleted",
    }


def test_what_a_killed_demo_left_is_removed_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    killed, printed, other = (tmp_path / name for name in ("recollect-demo-a", "recollect-demo-b", "recollect-x"))
    for folder in (killed, printed, other):
        (folder / "sam").mkdir(parents=True)
    (killed / "running").touch()
    (other / "running").touch()
    (tmp_path / "recollect-demo-c").symlink_to(other)
    with demo_home() as first, demo_home() as second:
        assert first.exists(), "one that runs is left alone"
        assert second.exists()
        assert [killed.exists(), printed.exists(), (other / "sam").exists()] == [False, True, True]
    assert not first.exists()


def test_nothing_remains_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEX_HOME", "/somebody/else")
    before, folder = dict(os.environ), os.getcwd()
    with demo_home() as home:
        assert os.environ["HOME"] == str(home)
        assert "CODEX_HOME" not in os.environ
        assert Path.cwd() == home / "code" / "payments"
        assert (home / ".local/share/recollect/memory/memory.db").is_file()
    assert not home.exists()
    assert not home.parent.exists()
    assert dict(os.environ) == before
    assert os.getcwd() == folder


def test_the_tour_leads_through_every_place_in_under_four_minutes() -> None:
    """That it runs to its end and shows what it says: tests/test_docs.py, which takes its pictures."""
    assert play_seconds() < 240
    assert {step.place for step in STEPS} == {row.id for row in PLACES}


async def test_a_person_steers_the_tour_or_takes_over() -> None:
    async with on_tour() as tour:
        await tour.arrived(0)
        await tour.pilot.press("left")
        await tour.arrived(0)
        await tour.pilot.press("p")
        assert tour.app.playing
        await tour.pilot.press("p", "space")
        await tour.arrived(1)
        assert not tour.app.playing
        await tour.pilot.press("left")
        await tour.arrived(0)
        assert STEPS[0].caption[:30] in seen(tour.app)
        await tour.pilot.press("z")
        await tour.quiet()
        assert not tour.app.touring
        assert tour.app.place.cue.value.endswith("z")
        assert "You have it" in "".join(str(t.message) for t in tour.app._notifications)


async def test_hurrying_on_leaves_no_key_for_the_next_place() -> None:
    async with on_tour() as tour:
        await tour.arrived(0)
        tour.app.done = 4
        tour.app.show(5)
        while not tour.app._waiting:
            await tour.pilot.pause()
        await tour.pilot.press("right")
        await tour.arrived(6)
        assert not tour.app._notifications
        assert getattr(tour.app.screen, "PLACE", "") == "soul"
        assert "soul: checked" in seen(tour.app)
