"""Git history and notes through the library, over a made repository, made sessions and the real index."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.candidates import Candidates
from core.library import Library
from core.ports import IndexCondition
from core.recall.model import Advance, Round, RoundKind, Scope, WholeKind
from core.records.archive import Archive
from core.records.history_files import HistoryFiles
from core.records.recordfile import cited_file
from indexes.whoosh_index import WhooshIndex
from tests.core.git_made import START, Made
from tests.core.recall.fakes import FixedClock
from tests.core.records.builders import assistant, lines, user

EVERYTHING = Scope()
DAY = 86400.0
PAY = [f"line {n}\n" for n in range(60)]


def stamp(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat().replace("+00:00", "Z")


def talk(home: Path, number: int, cwd: Path, at: float, *said: str) -> str:
    """A session of Claude Code: the person and the assistant by turns, a minute apart."""
    sid = f"{number:08d}-2222-4333-8444-555555555555"
    rows = []
    for place, text in enumerate(said):
        more = {"cwd": str(cwd), "sessionId": sid, "uuid": f"{number}-{place}", "timestamp": stamp(at + 60 * place)}
        rows.append(assistant({"type": "text", "text": text}, **more) if place % 2 else user(text, **more))
    path = home / ".claude" / "projects" / "p" / f"{sid}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(lines(*rows))
    return sid


def pay(*changed: tuple[int, str]) -> dict[str, str]:
    body = list(PAY)
    for place, text in changed:
        body[place] = text + "\n"
    return {"src/pay.py": "".join(body)}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Made]:
    """Three sessions about one piece of work, a worktree's session, one about something else; the commits they led to."""
    tmp = tmp_path_factory.mktemp("past")
    shop = Made(tmp / "shop")
    home = tmp / "home"
    shop.commit("Charge cards through the gateway", pay(), at=START)
    retry = shop.commit("Retry a failed charge\n\nThe gateway drops one request in two hundred.\n\nRefs #12",
                        pay((45, "retry_budget = 3")), at=START + DAY)  # fmt: skip
    shop.commit("Write down why", {"docs/adr/0001-idempotency-keys.md": "# Idempotency keys\n\nDate: 2026-03-05\n\n"
                "Every charge carries an idempotency key, so that no retry charges twice.\n"}, at=START + 3 * DAY)  # fmt: skip
    shop.commit("Raise the retry budget to five\n\nThe Monday batches need it.", pay((45, "retry_budget = 5")),
                who="Ben Okoro", at=START + 9 * DAY)  # fmt: skip
    shop.git("tag", "-a", "v1.2", "-m", "Payments that survive Mondays", who="Ben Okoro")
    shop.git("mv", "src/pay.py", "src/charge.py")
    shop.commit("Name the module for what it does", at=START + 12 * DAY)
    shop.git("worktree", "add", "-q", str(tmp / "quiet"), "-b", "quiet")
    talk(home, 1, shop.root, START + DAY - 60, "charges fail now and then, can we retry them? see #12",
         f"I added a retry budget of three to src/pay.py and committed {retry[:9]}.")  # fmt: skip
    talk(home, 2, shop.root, START + 9 * DAY - 60, "the Monday batches fail, is the retry budget of #12 too small?",
         "With three attempts some still fail; a retry budget of five is enough.")  # fmt: skip
    talk(
        home,
        3,
        tmp / "quiet",
        START + 20 * DAY,
        f"since commit {retry[:9]} the retry budget warning is too noisy",
        "Quieted it in src/pay.py.",
    )
    talk(home, 4, tmp / "elsewhere", START + 5 * DAY, "make the blog load faster", "I compressed the pictures.")
    return tmp, shop


@pytest.fixture(scope="module")
def library(made: tuple[Path, Made]) -> Library:
    tmp, _ = made
    history = HistoryFiles(str(tmp / "own" / "history"))
    archive = Archive.from_environment({}, str(tmp / "home"), history=history)
    library = Library(archive, WhooshIndex(tmp / "index", archive), str(tmp / "home"), FixedClock())
    library.refresh()
    return library


def kinds(found: Candidates) -> list[str]:
    return [row.kind for row in found.rows]


def told(advance: Advance) -> Round:
    assert advance.round is not None
    assert advance.round.kind is RoundKind.PRESENT
    for claim in advance.round.story:
        raw = Path(cited_file(claim.path)).read_text(encoding="utf-8").split("\n")[claim.line - 1]
        body = raw if claim.path.endswith(".md") else json.dumps(json.loads(raw), ensure_ascii=False)
        assert claim.quote in body.replace("\\n", "\n").replace('\\"', '"')
    return advance.round


def story(round_: Round) -> str:
    return " ".join(claim.text for claim in round_.story)


def test_lists_show_sessions_and_the_others_when_asked(library: Library) -> None:
    assert set(kinds(library.listed(EVERYTHING))) == {"main"}
    assert set(kinds(library.candidates("", EVERYTHING))) == {"main"}
    assert kinds(library.search("is:commit", EVERYTHING)) == ["commit"] * 5
    assert set(kinds(library.search("agent:git", EVERYTHING))) == {"commit", "tag"}
    assert kinds(library.search("is:note", EVERYTHING)) == ["note"]
    counted = {(s.runtime, s.records) for s in library.roots()}
    assert {("git", 6), ("notes", 1), ("claude", 4)} <= counted


def test_a_commit_does_not_stand_before_the_conversation_it_came_from(library: Library) -> None:
    found = kinds(library.search("the Monday batches and the retry budget", EVERYTHING))
    assert found[0] == "main"
    assert "commit" in found


def test_who_changed_it_is_answered_by_the_commit_and_its_author(library: Library) -> None:
    round_ = told(library.start("who raised the retry budget to five", EVERYTHING))
    assert "Ben Okoro wrote in commit" in story(round_)
    assert "changed: “M src/pay.py”" in story(round_)
    (member,) = round_.recognizable.members  # type: ignore[union-attr]
    assert member.handle.command.startswith("git -C ")
    assert member.handle.command.endswith(f"show {member.locator.session_id}")


def test_the_decision_record_and_the_tag_are_told_when_asked_for(library: Library) -> None:
    assert "The note docs/adr/0001-idempotency-keys.md (date in its text) says" in story(
        told(library.start("the ADR about idempotency keys", EVERYTHING))
    )
    assert story(told(library.start("when did we tag v1.2", EVERYTHING))).startswith("Ben Okoro tagged: “v1.2”")


def test_a_line_ties_commits_and_worktrees_by_evidence(library: Library) -> None:
    round_ = told(library.start("everything we did on the retry budget", EVERYTHING))
    what = round_.recognizable
    assert what is not None
    assert what.whole is WholeKind.LINE
    runtimes = [m.locator.runtime for m in what.members]
    assert runtimes.count("claude") == 3
    assert "git" in runtimes
    assert "name commit" in what.joins or "authored during" in what.joins or "same project" in what.joins
    starts = [m.started for m in what.members]
    assert starts == sorted(starts)  # type: ignore[type-var]


def test_lines_of_a_file_are_told_by_every_change_git_knows(library: Library, made: tuple[Path, Made]) -> None:
    round_ = told(library.start("src/charge.py:40-50", EVERYTHING))
    assert any("every change of src/charge.py, lines 40 to 50 that git knows" in r for r in round_.remarks)
    text = story(round_)
    assert text.index("Charge cards") < text.index("Retry a failed charge") < text.index("Raise the retry budget")


def test_an_order_that_rests_on_matches_says_so(library: Library) -> None:
    round_ = told(library.start("everything we did on the retry budget", EVERYTHING))
    assert any("only the records that were found" in r for r in round_.remarks)


def test_a_second_refresh_finds_nothing_to_do_and_a_new_commit_is_taken_in(
    library: Library, made: tuple[Path, Made]
) -> None:
    again = library.refresh()
    assert (again.added, again.replaced, again.grown, again.gone) == (0, 0, 0, 0)
    _, shop = made
    shop.commit("Say how often charges were retried", {"src/log.py": "x\n"}, at=START + 30 * DAY)
    assert library.refresh().added == 1
    assert "commit" in kinds(library.search("the commit that says how often charges were retried", EVERYTHING))[:1]


def test_a_commit_that_was_rewritten_leaves_no_trace(library: Library, made: tuple[Path, Made]) -> None:
    _, shop = made
    shop.git("commit", "-q", "--amend", "-m", "Count the retries of charges")
    library.refresh()
    library.reload()
    rows = library.search("is:commit", EVERYTHING, limit=50).rows
    phrases = [row.phrase for row in rows]
    assert "Count the retries of charges" in phrases
    assert "Say how often charges were retried" not in phrases
    assert not any(row.gone for row in rows)


def test_work_in_a_project_leaves_the_index_current_until_a_note_or_the_history_changes(
    library: Library, made: tuple[Path, Made]
) -> None:
    _, shop = made
    library.refresh()
    assert library.index.state().condition is IndexCondition.CURRENT
    shop.write("scratch.txt", "x")
    assert library.index.state().condition is IndexCondition.CURRENT
    shop.git("branch", "-q", "idea")
    assert library.index.state().condition is IndexCondition.STALE
    library.refresh()
    assert library.index.state().condition is IndexCondition.CURRENT
    shop.write("docs/adr/0001-idempotency-keys.md", "# Idempotency keys\n\nSuperseded.\n")
    assert library.index.state().condition is IndexCondition.STALE
