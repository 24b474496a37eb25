"""An event that no session tells, dated by a tag of the project's history."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from core.library import Library
from core.recall.model import Scope
from core.records.archive import Archive
from core.records.history_files import HistoryFiles
from indexes.whoosh_index import WhooshIndex
from tests.core.git_made import Made
from tests.core.recall.fakes import FixedClock
from tests.core.records.builders import assistant, lines, text, user


def _session(home: Path, number: int, cwd: Path, when: str, asked: str, answered: str) -> None:
    sid = f"{number:08d}-2222-4333-8444-555555555555"
    more = {"sessionId": sid, "cwd": str(cwd), "timestamp": f"{when}T10:00:00Z"}
    path = home / ".claude/projects/-shop" / f"{sid}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(lines(user(asked, uuid=f"{sid}-1", **more), assistant(text(answered), uuid=f"{sid}-2", **more)))


def test_the_release_is_the_tag_of_that_number(tmp_path: Path) -> None:
    home, repository = tmp_path / "home", Made(tmp_path / "shop")
    made = datetime(2026, 4, 1, 9, tzinfo=UTC).timestamp()
    repository.commit("Count the crates", {"a.py": "x = 1\n"}, at=made)
    repository.git("tag", "v2.0.0")
    _session(
        home, 1, repository.root, "2026-03-01", "the label printer jams", "a shorter label does not jam the printer"
    )
    _session(
        home, 2, repository.root, "2026-05-01", "the label printer jams, the label printer!", "clean the label printer"
    )
    archive = Archive.from_environment({}, str(home), history=HistoryFiles(str(tmp_path / "history")))
    library = Library(archive, WhooshIndex(tmp_path / "index", archive), str(home), FixedClock())
    library.refresh()
    library.refresh()
    for cue, first in (
        ("the label printer jams, before release 2.0", "00000001"),
        ("der label printer jams, nach der Veröffentlichung 2.0", "00000002"),
    ):
        round_ = library.start(cue, Scope()).round
        assert round_ is not None
        assert round_.recognizable is not None
        assert round_.recognizable.members[0].locator.session_id.startswith(first), cue
        assert [r for r in round_.remarks if "1 April 2026: “v2.0.0”" in r], round_.remarks
