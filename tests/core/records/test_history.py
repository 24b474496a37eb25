"""Git history as records: what stands in a history file, when git is asked again, and what a commit tells of itself."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from core.records.archive import Archive
from core.records.history_files import HistoryFiles, HistoryState, remote_name
from core.records.model import Origin, Role, Source
from core.records.recordfile import cited_file
from core.repositories.places import find_place
from tests.core.git_made import START, Made

pytestmark = pytest.mark.usefixtures("nobodys_configuration")


@pytest.fixture
def nobodys_configuration(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")


@pytest.fixture
def shop(tmp_path: Path) -> Made:
    made = Made(tmp_path / "shop")
    made.commit("Retry payments\n\nThe gateway drops some. #12", {"src/pay.py": "budget = 3\n"})
    made.commit("Raise the budget", {"src/pay.py": "budget = 5\n"}, who="Ben Okoro")
    return made


def archive_of(tmp_path: Path, limit: int = 100) -> Archive:
    return Archive.from_environment({}, str(tmp_path / "home"), history=HistoryFiles(str(tmp_path / "own"), limit))


def listed(archive: Archive, *projects: Path) -> dict[str, Source]:
    named = [str(p) for p in projects]
    archive.catch_up(named)
    return {s.session_id: s for s in archive.discover(named).sources if s.runtime == "git"}


def state_of(tmp_path: Path) -> HistoryState:
    ((_, state),) = HistoryFiles(str(tmp_path / "own")).states()
    return state


def test_a_commit_is_a_record_whose_line_can_be_opened(tmp_path: Path, shop: Made) -> None:
    archive = archive_of(tmp_path)
    source = listed(archive, shop.root)[shop.shas[1]]
    spine, turns = archive.spine(source), list(archive.read(source))
    assert (spine.title, spine.agent, spine.role) == ("Raise the budget", "Ben Okoro", Role.COMMIT)  # type: ignore[union-attr]
    assert (spine.project, spine.started) == (str(shop.root), START + 7200)  # type: ignore[union-attr]
    assert [(t.origin, t.name, t.text) for t in turns] == [
        (Origin.EXTERNAL, "Ben Okoro", "Raise the budget"), (Origin.EXTERNAL, "changed files", "M src/pay.py"),
    ]  # fmt: skip
    line = Path(cited_file(source.path)).read_text().split("\n")[turns[0].line - 1]
    assert json.loads(line)["message"] == "Raise the budget"
    assert archive.at(source, turns[0].line, turns[0].start) == tuple(turns)
    assert stat.S_IMODE(Path(cited_file(source.path)).stat().st_mode) == 0o600


def test_git_is_asked_again_only_when_something_moved(
    tmp_path: Path, shop: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = archive_of(tmp_path)
    before = listed(archive, shop.root)
    monkeypatch.setenv("PATH", "")
    assert listed(archive, shop.root) == before
    assert not archive.history_moved([str(shop.root)])
    monkeypatch.undo()
    shop.commit("One more")
    assert archive.history_moved([str(shop.root)])


def test_a_file_only_grows_while_the_history_does(tmp_path: Path, shop: Made) -> None:
    archive = archive_of(tmp_path)
    listed(archive, shop.root)
    (file,) = (tmp_path / "own").glob("*.git.jsonl")
    first = file.read_bytes()
    shop.commit("Log it", {"src/pay.py": "budget = 5  # logged\n"})
    shop.git("tag", "-a", "v1", "-m", "First", who="Ben Okoro")
    found = listed(archive, shop.root)
    assert file.read_bytes().startswith(first)
    assert set(found) == {*shop.shas, "v1"}
    assert found["v1"].role is Role.TAG
    assert [t.text for t in archive.read(found["v1"])] == ["v1", "First"]


def test_what_was_rewritten_leaves_and_a_tag_that_moved_is_told_anew(tmp_path: Path, shop: Made) -> None:
    archive = archive_of(tmp_path)
    shop.git("tag", "v1", "HEAD~1")
    listed(archive, shop.root)
    shop.git("commit", "-q", "--amend", "-m", "Raise the budget to five")
    new = shop.git("rev-parse", "HEAD").strip()
    shop.git("tag", "-f", "v1")
    found = listed(archive, shop.root)
    assert set(found) == {shop.shas[0], new, "v1"}
    assert "Raise the budget to five" in [t.text for t in archive.read(found["v1"])]


def test_the_newest_commits_are_read_and_it_is_known_that_there_are_more(tmp_path: Path, shop: Made) -> None:
    for number in range(4):
        shop.commit(f"Step {number}", {"a": str(number)})
    assert set(listed(archive_of(tmp_path, 3), shop.root)) == set(shop.shas[-3:])
    assert state_of(tmp_path).more
    for number in range(3):
        shop.commit(f"Later {number}", {"b": str(number)})
    assert set(listed(archive_of(tmp_path, 3), shop.root)) == set(shop.shas[-3:])
    assert listed(archive_of(tmp_path, 0), shop.root) == {}


def test_worktrees_and_folders_inside_are_one_repository(tmp_path: Path, shop: Made) -> None:
    shop.git("worktree", "add", "-q", str(tmp_path / "hotfix"), "-b", "hotfix")
    archive = archive_of(tmp_path)
    found = listed(archive, shop.root, shop.root / "src", tmp_path / "hotfix")
    assert len(found) == 2
    known = archive.checkouts()
    assert known[str(shop.root)].same(known[str(tmp_path / "hotfix")]) == "worktrees of one repository"


def test_clones_are_checkouts_of_one_remote_whatever_the_address(tmp_path: Path, shop: Made) -> None:
    shop.git("remote", "add", "origin", "git@example.test:acme/shop.git")
    shop.git("clone", "-q", ".", str(tmp_path / "again"))
    other = Made(tmp_path / "again")
    other.git("remote", "set-url", "origin", "https://ana:secret@example.test/acme/shop")
    archive = archive_of(tmp_path)
    listed(archive, shop.root, other.root)
    known = archive.checkouts()
    assert known[str(shop.root)].same(known[str(other.root)]) == "checkouts of example.test/acme/shop"
    assert "secret" not in "".join(p.read_text() for p in (tmp_path / "own").iterdir())


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://example.test:8443/acme/shop.git/", "example.test/acme/shop"),
        ("ssh://git@Example.test/acme/shop", "example.test/acme/shop"),
        ("git@example.test:acme/shop.git", "example.test/acme/shop"),
        ("/srv/git/shop.git", ""), ("file:///srv/git/shop.git", ""), ("../shop", ""), ("", ""),
    ],
)  # fmt: skip
def test_what_a_remote_is_called(url: str, name: str) -> None:
    assert remote_name(url) == name


def test_a_torn_file_is_written_anew(tmp_path: Path, shop: Made) -> None:
    archive = archive_of(tmp_path)
    before = set(listed(archive, shop.root))
    (file,) = (tmp_path / "own").glob("*.git.jsonl")
    file.write_bytes(file.read_bytes()[:-20])
    assert set(listed(archive, shop.root)) == before


def test_a_repository_that_cannot_be_read_is_said_and_the_others_are_read(tmp_path: Path, shop: Made) -> None:
    broken = Made(tmp_path / "broken")
    sha = broken.commit("x", {"a": "1"})
    path = broken.root / ".git" / "objects" / sha[:2] / sha[2:]
    path.chmod(0o600)
    path.write_bytes(b"rubbish")
    archive = archive_of(tmp_path)
    (problem,) = archive.catch_up([str(broken.root), str(shop.root)])
    assert (problem.path, "damaged" in problem.what) == (str(broken.root), True)
    assert len([s for s in archive.discover([str(shop.root)]).sources if s.runtime == "git"]) == 2


def test_what_was_read_stays_when_the_project_goes_away(tmp_path: Path, shop: Made) -> None:
    archive = archive_of(tmp_path)
    before = listed(archive, shop.root)
    shop.root.rename(tmp_path / "elsewhere")
    assert listed(archive, shop.root) == before
    place = find_place(str(tmp_path / "elsewhere"))
    assert place is not None


def test_the_tags_are_times_with_names(tmp_path: Path, shop: Made) -> None:
    shop.git("tag", "-a", "v1.2", "-m", "x")
    archive = archive_of(tmp_path)
    listed(archive, shop.root)
    assert archive.tag_times() == (("v1.2", START + 7200),)
