"""Notes as records: which files are notes, what dates them, and that every turn stands in its physical line."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.recall.export import speaker_of
from core.records.archive import Archive
from core.records.history_files import HistoryFiles
from core.records.model import Channel, Origin, Role, Source, Spine, Turn
from core.records.notes import day_of
from core.records.recordfile import cited_place
from tests.core.git_made import START, Made


def archive_of(tmp_path: Path, *, notes: bool = True) -> Archive:
    history = HistoryFiles(str(tmp_path / "own"))
    return Archive.from_environment({}, str(tmp_path / "home"), history=history, notes=notes)


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def notes(archive: Archive, *projects: Path) -> dict[str, Source]:
    found = archive.discover([str(p) for p in projects]).sources
    return {s.session_id: s for s in found if s.runtime == "notes"}


def spine_of(archive: Archive, source: Source) -> Spine:
    spine = archive.spine(source)
    assert isinstance(spine, Spine)
    return spine


def test_decisions_memories_and_handoffs_are_notes_and_other_files_are_not(tmp_path: Path) -> None:
    project = tmp_path / "shop"
    for name in ("docs/adr/0001-keys.md", "doc/architecture/decisions/2.md", "decisions/a/3.md", "memory/m.md", "CLAUDE.md",
                 "docs/DECISIONS.md", "HANDOFF.md", "docs/2026-03-release-handoff.md", "agents.md"):  # fmt: skip
        write(project / name, "# A note\n\nWords.\n")
    for name in ("README.md", "docs/guide.md", "node_modules/x/CLAUDE.md", "docs/adr/diagram.png", "memory/a/b/c/d.md"):
        write(project / name, "# Not one\n")
    write(project / "memory" / "empty.md", "")
    assert set(notes(archive_of(tmp_path), project)) == {
        "docs/adr/0001-keys.md", "doc/architecture/decisions/2.md", "decisions/a/3.md", "memory/m.md", "CLAUDE.md",
        "docs/DECISIONS.md", "HANDOFF.md", "docs/2026-03-release-handoff.md", "agents.md",
    }  # fmt: skip
    assert notes(archive_of(tmp_path, notes=False), project) == {}


def test_nothing_outside_of_the_project_is_read(tmp_path: Path) -> None:
    project = tmp_path / "shop"
    secret = write(tmp_path / "private" / "secret.md", "# Secret\n")
    write(project / "docs" / "x.txt", "")
    (project / "docs" / "adr").symlink_to(secret.parent)
    (project / "CLAUDE.md").symlink_to(secret)
    write(project / "inner.md", "# In\n")
    (project / "HANDOFF.md").symlink_to(project / "inner.md")
    assert set(notes(archive_of(tmp_path), project)) == {"HANDOFF.md"}


def test_every_turn_is_its_physical_line(tmp_path: Path) -> None:
    text = "---\ntitle: Keys\ndate: 2026-02-03\n---\n\n# 1. Keys\r\n\n***\n- one é\n- two\n\n```\ncode\n```\nlast"
    path = write(tmp_path / "shop" / "docs" / "adr" / "1.md", text)
    archive = archive_of(tmp_path)
    (source,) = notes(archive, tmp_path / "shop").values()
    turns, raw = list(archive.read(source)), path.read_bytes()
    assert [t.text for t in turns if "`" not in t.text] == ["# 1. Keys", "- one é", "- two", "code", "last"]
    for turn in turns:
        assert raw[turn.start : turn.end].decode() == turn.text == raw.split(b"\n")[turn.line - 1].decode().rstrip("\r")
        assert archive.at(source, turn.line, turn.start) == (turn,)
    spine = spine_of(archive, source)
    assert (spine.title, spine.role, spine.project) == ("Keys", Role.NOTE, str(tmp_path / "shop"))
    assert spine.started == datetime(2026, 2, 3, 12, tzinfo=UTC).timestamp()
    assert turns[0].name == "docs/adr/1.md (date in its front matter)"


def test_a_note_is_dated_by_its_text_else_by_git_else_by_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    made = Made(tmp_path / "shop")
    made.commit(
        "Decide", {"adr/1.md": "# One\n\n* **Date**: 2026-01-05\n", "adr/2.md": "# Two\n", "adr/22.md": "# x\n"}
    )
    made.commit("Decide again", {"adr/2.md": "# Two, again\n"})
    made.write("adr/3.md", "# Three\n")
    archive = archive_of(tmp_path)
    archive.catch_up([str(made.root)])
    found = notes(archive, made.root)
    by = {name: next(iter(archive.read(source))).name for name, source in found.items()}
    assert by["adr/1.md"].endswith("(date in its text)")
    assert by["adr/2.md"].endswith("(date from git)")
    assert by["adr/3.md"].endswith("(date of the file)")
    two = spine_of(archive, found["adr/2.md"])
    assert (two.started, two.ended) == (START + 3600, START + 7200)


def test_the_memory_of_claude_code_and_exports_are_found_below_named_projects(tmp_path: Path) -> None:
    project = tmp_path / "my.shop"
    write(project / ".specstory" / "history" / "2026-03-01_fonts.md", "_**User**_\n\nwhich fonts?\n")
    bucket = "".join(c if c.isalnum() else "-" for c in str(project))
    write(tmp_path / "home" / ".claude" / "projects" / bucket / "memory" / "MEMORY.md", "- small commits\n")
    found = archive_of(tmp_path).discover([str(project)])
    assert {(s.runtime, s.session_id) for s in found.sources} == {
        ("specstory", "2026-03-01_fonts"), ("notes", "MEMORY.md"),
    }  # fmt: skip
    assert archive_of(tmp_path).discover().sources == ()


@pytest.mark.parametrize(
    ("text", "day"),
    [("2026-03-04", "2026-03-04T12:00"), ("on 2026/3/4.", "2026-03-04T12:00"), ("2026-03-04T08:30:00Z", "2026-03-04T08:30"),
     ("2026-13-41", None), ("0001-01-01", None), ("soon", None)],
)  # fmt: skip
def test_days_are_read_as_days(text: str, day: str | None) -> None:
    expected = None if day is None else datetime.fromisoformat(f"{day}:00+00:00").timestamp()
    assert day_of(text) == expected


def test_a_quote_of_an_export_is_cited_in_the_physical_line_that_holds_it(tmp_path: Path) -> None:
    path = write(
        tmp_path / ".specstory" / "history" / "a.md", "_**User**_\n\nwhich fonts?\n\n_**Agent**_\n\nSystem\nfonts.\n"
    )
    part = f"{path}#talk"
    assert cited_place(part, 5, "fonts.") == (str(path), 8)
    assert cited_place(part, 5, "System\nfonts.") == (part, 5)
    assert cited_place(f"{tmp_path}/gone.md#talk", 5, "x") == (f"{tmp_path}/gone.md#talk", 5)
    assert cited_place("/h/history.jsonl#s", 5, "x") == ("/h/history.jsonl", 5)
    assert cited_place("/h/x.db#s", 5, "x") == ("/h/x.db#s", 5)


def test_a_note_and_a_commit_speak_under_their_own_names() -> None:
    written = Turn(Origin.EXTERNAL, Channel.TALK, "x", None, 1, 0, 1, "Ana Ruiz")
    assert speaker_of(written) == "Ana Ruiz"
    assert speaker_of(Turn(Origin.EXTERNAL, Channel.RESULT, "x", None, 1, 0, 1, "Bash")) == "Tool (Bash)"
    assert speaker_of(Turn(Origin.PERSON, Channel.TALK, "x", None, 1, 0, 1)) == "You"


def test_a_line_that_was_broken_because_it_was_full_says_that_its_sentence_goes_on(tmp_path: Path) -> None:
    """A turn is one line, so that its quote stands in it; what is told of it shows that it is no whole sentence."""
    write(
        tmp_path / "shop" / "HANDOFF.md",
        "# Where it\nstands\n\nThe key is derived from the order, never from the amount, and never\nrandom. A **wrapped**\n"
        "line.\n\n- one thing\n- another thing\n\nHere\n\nit stops\nToday.\n",
    )
    archive = archive_of(tmp_path)
    (source,) = notes(archive, tmp_path / "shop").values()
    said = {turn.text: (turn.begun, turn.goes_on) for turn in archive.read(source)}
    assert said == {
        "# Where it": (False, False), "stands": (False, False),
        "The key is derived from the order, never from the amount, and never": (False, True),
        "random. A **wrapped**": (True, True), "line.": (True, False),
        "- one thing": (False, False), "- another thing": (False, False),
        "Here": (False, False), "it stops": (False, False), "Today.": (False, False),
    }  # fmt: skip
