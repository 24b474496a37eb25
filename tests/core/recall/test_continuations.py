"""Records that go on with one another: plans handed over, conversations resumed in new files, summaries of what went before."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from core.library import Library
from core.ports import Entry
from core.recall.continuations import LinkReader, Links, continued, is_handoff
from core.recall.model import RoundKind, Scope, WholeKind
from core.recall.relations import RelationKind, relate
from core.recall.traits import read_traits
from core.records.archive import Archive
from core.records.model import Role, Source, Spine
from core.records.parentage import Parentage, parentage
from indexes.whoosh_index import WhooshIndex
from tests.core.recall.fakes import DAY, NOON, FakeRecord, FixedClock, talk
from tests.core.records.builders import OTHER, SID, assistant, lines, source, text, user

T = NOON.timestamp()
STEPS = (
    "Keep the last seven days in a cache",
    "Say the age of each table in a banner",
    "Send what waits when back in port",
)
PLAN = "Implement the following plan:\n\n# Tables at sea\n\n" + "\n".join(f"{n}. {s}." for n, s in enumerate(STEPS, 1))


def written(*, project: str = "/code/sea", steps: tuple[str, ...] = STEPS) -> FakeRecord:
    said = "Here is what I would do:\n\n" + "\n".join(f"- {s}" for s in steps)
    return talk("maker", "I want the tables to be readable at sea", said, project=project, started=T - DAY)


def links_of(record: FakeRecord, ends: Parentage | None = None) -> tuple[Entry, Links]:
    reader = LinkReader()
    for turn in record.turns():
        reader.take(turn)
    return record.entry(), reader.links(ends or Parentage())


def evidence(one: FakeRecord, other: FakeRecord) -> tuple[str, ...]:
    return continued(*links_of(one), *links_of(other))


def test_a_plan_goes_on_with_the_session_that_wrote_it() -> None:
    build = talk("build", PLAN, "done", project="/code/sea", started=T)
    assert evidence(written(), build) == ("one begins with a plan of which the other wrote 3 lines",)
    assert evidence(build, written()) == evidence(written(), build), "whichever is asked about first"
    later = replace(written(), started=T + DAY)
    assert evidence(later, build) == (), "a plan is written before it is carried out"
    assert evidence(written(steps=("Repaint the whole harbour master's hut",)), build) == ()


def test_a_plan_that_names_its_transcript_goes_on_with_it() -> None:
    named = PLAN + f"\n\nIf you need specific details, read the full transcript at: /h/.claude/projects/p/{SID}.jsonl"
    build = talk("build", "x" * 5000, "done", started=T)
    build = replace(build, said=((build.said[0][0], named + "\n" + "y" * 9000), build.said[1]))
    maker = replace(written(steps=()), name=SID)
    assert evidence(maker, build) == ("one carries out the plan of the other, which it names",)
    relations = relate(read_traits(maker.entry(), maker.turns(), ()), read_traits(build.entry(), build.turns(), ()))
    assert RelationKind.CONTINUES in {r.kind for r in relations}


def test_a_plan_moments_after_a_session_of_the_same_folder() -> None:
    maker = replace(written(steps=()), started=T - 300)
    build = talk("build", PLAN, "done", project="/code/sea", started=T)
    assert evidence(maker, build) == ("one begins with a plan, moments after the other ended in the same folder",)
    assert evidence(replace(maker, started=T - DAY), build) == ()
    assert evidence(replace(maker, project="/code/hut"), build) == ()


def test_a_summary_names_what_went_before() -> None:
    summary = f"This session is being continued from a previous conversation. Read the transcript: /h/{SID}.jsonl"
    later = talk("later", summary, "I go on", started=T)
    earlier = replace(talk("x", "fix the siren", "done", started=T - DAY), name=SID)
    assert evidence(earlier, later) == ("one begins with a summary that names the other",)


def test_a_plan_is_told_by_its_first_words() -> None:
    assert is_handoff(PLAN)
    assert is_handoff("implement the following plan: x")
    assert not is_handoff("We should implement the following plan soon")


def chained(tmp_path: Path) -> tuple[Source, Source]:
    first = source(
        tmp_path / f"{SID}.jsonl",
        "claude",
        lines(user("go", uuid="aaaaaaaa-1"), assistant(text("ok"), uuid="aaaaaaaa-2")),
    )
    more: dict[str, Any] = {"sessionId": OTHER}
    second = source(
        tmp_path / f"{OTHER}.jsonl",
        "claude",
        lines(
            {"type": "mode", "mode": "x"},
            user("further", uuid="bbbbbbbb-1", parentUuid="aaaaaaaa-2", **more),
            assistant(text("ok"), uuid="bbbbbbbb-2", parentUuid="bbbbbbbb-1", **more),
        ),
    )
    return first, second


def test_a_first_turn_that_answers_another_records_last(tmp_path: Path) -> None:
    first, second = chained(tmp_path)
    ends = parentage(second)
    assert (ends.answers, ends.begun_as) == ("aaaaaaaa-2", "")
    entries = Entry(first, Spine(SID)), Entry(second, Spine(OTHER))
    told = continued(entries[0], Links(ends=parentage(first)), entries[1], Links(ends=ends))
    assert told == ("the first turn of one answers the last of the other",)


def test_first_lines_of_another_session(tmp_path: Path) -> None:
    first, _ = chained(tmp_path)
    resumed = source(
        tmp_path / f"{OTHER}.jsonl", "claude",
        lines(user("go", uuid="aaaaaaaa-1"), user("further", uuid="b", parentUuid="aaaaaaaa-1", sessionId=OTHER)),
    )  # fmt: skip
    ends = parentage(resumed)
    assert ends.begun_as == SID
    told = continued(Entry(first, Spine(SID)), Links(), Entry(resumed, Spine(OTHER)), Links(ends=ends))
    assert told == ("the first lines of one belong to the other",)


def test_what_has_no_such_ends_has_none(tmp_path: Path) -> None:
    first, _ = chained(tmp_path)
    assert parentage(first).answers == ""
    assert parentage(replace(first, runtime="codex")) == Parentage()
    assert parentage(replace(first, role=Role.SUBAGENT)) == Parentage()
    assert parentage(replace(first, path=str(tmp_path / "gone.jsonl"))) == Parentage()
    odd = source(tmp_path / "odd.jsonl", "claude", b"\xff\xfe\n{half\n")
    assert parentage(odd) == Parentage()


def _claude(home: Path, sid: str, when: str, *said: str) -> None:
    rows = []
    for n, words in enumerate(said):
        more = {"sessionId": sid, "uuid": f"{sid[:8]}-{n}", "timestamp": f"{when}T10:0{n}:00Z", "cwd": "/code/sea"}
        rows.append(user(words, **more) if n % 2 == 0 else assistant(text(words), **more))
    path = home / ".claude/projects/-code-sea" / f"{sid}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(lines(*rows))


def test_the_session_that_made_a_plan_is_presented_and_the_line_says_what_ties_them(tmp_path: Path) -> None:
    steps = "\n".join(f"- {s}" for s in STEPS)
    _claude(
        tmp_path, SID, "2026-03-01", "fishermen cannot read anything out there", steps, "make the banner honest", "yes"
    )
    _claude(tmp_path, OTHER, "2026-03-02", PLAN, "I added the worker", "the worker starts twice", "guarded")
    archive = Archive.from_environment({}, str(tmp_path))
    library = Library(archive, WhooshIndex(tmp_path / "index", archive), str(tmp_path), FixedClock())
    library.refresh()

    def led(cue: str) -> str:
        round_ = library.start(cue, Scope()).round
        assert round_ is not None
        assert round_.kind is RoundKind.PRESENT
        assert round_.recognizable is not None
        return round_.recognizable.members[0].locator.session_id

    assert led("keep seven days in a cache, say the age in a banner, send what waits") == SID
    assert led("the worker starts twice") == OTHER
    line = library.start("everything we did on the cache of seven days", Scope()).round
    assert line is not None
    assert line.recognizable is not None
    assert line.recognizable.whole is WholeKind.LINE
    assert "one begins with a plan of which the other wrote 3 lines" in line.recognizable.joins
    assert json.dumps(line.recognizable.joins)


def test_a_session_that_goes_on_with_one_that_was_never_written(tmp_path: Path) -> None:
    """design/recall.md 5: a link to a record that was never written is skipped and reported."""
    place = tmp_path / f".claude/projects/-shop/{OTHER}.jsonl"
    before = {"sessionId": SID, "uuid": "aaaaaaaa-1"}
    own = {"sessionId": OTHER, "uuid": "aaaaaaaa-2", "parentUuid": "aaaaaaaa-1"}
    place.parent.mkdir(parents=True)
    place.write_bytes(lines(user("stop the retry storm", **before), assistant(text("a budget stops it"), **own)))
    archive = Archive.from_environment({}, str(tmp_path))
    library = Library(archive, WhooshIndex(tmp_path / "index", archive), str(tmp_path), FixedClock())
    library.refresh()
    round_ = library.start("retry storm", Scope()).round
    assert round_ is not None
    assert [r for r in round_.remarks if SID in r and "no record here" in r], round_.remarks
    first = {"sessionId": SID, "uuid": "aaaaaaaa-0"}
    (place.parent / f"{SID}.jsonl").write_bytes(lines(user("earlier words", **first)))
    library.refresh()
    again = library.start("retry storm", Scope()).round
    assert again is not None
    assert [r for r in again.remarks if "no record here" in r] == []
