"""What a document says of the whole project is held against the repository; what it says of a part, or of another, is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.soul.model import State
from tests.core.soul.projects import one, project, run, state

FILES = {f"tests/test_{n}.py": "def test_a():\n    pass\n" for n in range(12)}
"""With the one that every made-up project has: 13 test files. Its manifest says version 1.4.0, its tag is v1.0.0."""


def _said(tmp_path: Path, *claims: str) -> list[str]:
    made = project(tmp_path / "r", state("\n".join(claims)), FILES)
    return [c.sides[0][0] for c in run(made.root).contradictions]


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ("There are 14 test files", "14"), ("test files: 14", "14"), ("**14** test files.", "14"), ("`14 test files`", "14"),
        ("[14 test files](tests/)", "14"), ("fourteen test files", "fourteen"), ("roughly 20 test files", "roughly 20"), ("over 13 test files", "over 13"),
        ("at least 14 test files", "at least 14"), ("20+ test files", "20+"), ("up to 12 test files", "up to 12"), ("12 modules, 14 test files", "14"), ("Only 14 test files", "14"), ("The project has 14 test files and 25 tracked files", "14"),
        ("14 test files, all of them green in CI", "14"), ("20 tracked files", "20"), ("9 commits in total", "9"), ("commits: 9", "9"),
        ("9 commits since v1.0.0", "9"), ("about 9 commits since v1.0.0", "about 9"), ("commits since v1.0.0: 9", "9"),
        ("Version 1.5.0", "1.5.0"), ("Version — 1.5.0", "1.5.0"), ('version = "1.5.0"', "1.5.0"), ("R version 1.5.0", "1.5.0"),
        ("9 commits since the tag v1.0.0", "9"), ("the current version is 1.5.0", "1.5.0"), ("Version: `1.5.0`", "1.5.0"), ("the version is v1.5.0", "v1.5.0"),
        ("Version 1.5.0 is out", "1.5.0"), ("Version 1.5.0, with the retry budget", "1.5.0"), ("Latest tag v0.9.0", "v0.9.0"),
        ("Last release: v0.9.0", "v0.9.0"), ("latest tag v0.9.0, which carries the budget", "v0.9.0"),
    ],
)  # fmt: skip
def test_what_is_said_of_the_project_and_is_not_so_is_told(tmp_path: Path, claim: str, said: str) -> None:
    assert _said(tmp_path, f"- {claim}") == [said]


@pytest.mark.parametrize(
    "claim",
    [
        "13 test files", "about 14 test files", "~12 test files", "over 10 test files", "more than 10 test files", "at least 13 test files",
        "10+ test files", "up to 20 test files", "10-20 test files", "10 to 20 test files", "between 10 and 20 test files",
        "3 test files cover the client", "3 test files in `tests/`", "add 3 test files", "the client has 3 test files",
        "14 test files were deleted", "As of 2026-01-02 there were 9 test files", "2026-01-02: 9 test files",
        "about 4 commits since v1.0.0", "9 commits after v1.0.0 we changed the client", "each release has 3 tracked files",
        "Version 1.4", "Requires Python version 3.11", "The API version is 2.0", "schema version 2.1", "since version 1.2.0 it retries",
        "before version 1.2 it failed", "Upgrade to version 2.0.0", "version 1.5.0 will drop it", "version 1.5.0, planned for May",
        "version 1.2.0 and later", "minimum version 1.2", "Version 1.5.0 (unreleased)", "the latest release of Textual v0.60.0",
        "Textual's latest release v0.60.0", "the version is v1.4.0",
    ],
)  # fmt: skip
def test_a_part_a_bound_another_project_and_another_time_are_left_alone(tmp_path: Path, claim: str) -> None:
    assert _said(tmp_path, f"- {claim}") == []


def test_a_count_under_another_heading_or_item_is_of_that(tmp_path: Path) -> None:
    assert _said(tmp_path, "### Client\n\n- 3 test files\n\n### Server\n\n- web\n  - 4 test files") == []


def test_a_table_is_read_too(tmp_path: Path) -> None:
    assert _said(tmp_path, "| what | how many |\n|---|---|\n| Test files | 14 |\n| Tracked files | 26 |") == [
        "14",
        "26",
    ]


def test_any_manifest_may_hold_the_version_and_a_build_may_make_it(tmp_path: Path) -> None:
    made = project(
        tmp_path / "r", state("- version 2.0.0"), {"pyproject.toml": '[project]\nname = "x"\nversion = "2.0.0"\n'}
    )
    assert run(made.root).contradictions == ()
    made.commit("Make it", {"pyproject.toml": '[project]\nname = "x"\ndynamic = ["version"]\n'})
    assert run(made.root).contradictions == ()


def test_the_latest_tag_may_be_the_newest_the_reached_or_the_last_made(tmp_path: Path) -> None:
    made = project(
        tmp_path / "r", state("- latest tag v1.0.0\n- latest tag v2.0.0\n- latest tag v1.0.1-rc1\n- latest tag v0.9.0")
    )
    made.git("tag", "v0.9.0", "HEAD~3")
    made.git("checkout", "-q", "-b", "next")
    made.commit("Break it", {"x.py": "x = 1\n"})
    made.git("tag", "v2.0.0")
    made.git("checkout", "-q", "-")
    made.at += 90_000
    made.git("tag", "-a", "v1.0.1-rc1", "-m", "Try")
    assert [c.sides[0][0] for c in run(made.root).contradictions] == ["v0.9.0"]


@pytest.mark.parametrize(
    "claim", ["We pin Textual v0.60.0", "built with Node v20.1.0", "on Python v3.11.4", "the version is v1.4.0"]
)
def test_another_projects_version_is_no_tag_of_this_one(tmp_path: Path, claim: str) -> None:
    manifest = '[project]\nname = "pay"\nversion = "1.4.0"\ndependencies = ["textual>=0.60"]\n'
    checked = run(project(tmp_path / "r", state(f"- {claim}"), {"pyproject.toml": manifest}).root)
    assert one(checked).verdicts == ()
    assert one(run(project(tmp_path / "s", state("- Released as v9.9.9")).root)).state is State.STALE


@pytest.mark.parametrize(
    ("options", "fetched", "why"),
    [
        (("--no-tags",), (), "has no tags"),
        (("--no-tags",), ("fetch", "-q", "origin", "tag", "v1.0.0"), "does not fetch every tag"),
        (("--single-branch",), ("tag", "-d", "v1.0.0"), "has no tags"),
    ],
)  # fmt: skip
def test_a_clone_without_tags_cannot_show_that_one_is_missing(
    tmp_path: Path, options: tuple[str, ...], fetched: tuple[str, ...], why: str
) -> None:
    made = project(tmp_path / "r", state("- Released as v9.9.9\n- latest tag v0.9.0"))
    made.git("clone", "-q", *options, str(made.root), str(tmp_path / "clone"))
    clone = type(made)(tmp_path / "clone")
    if fetched:
        clone.git(*fetched)
    checked = run(clone.root)
    assert [i.state for i in checked.items] == [State.UNPROVABLE, State.UNPROVABLE]
    assert why in checked.items[0].verdicts[0].detail
    assert checked.contradictions == ()


def test_a_clone_with_tags_shows_it(tmp_path: Path) -> None:
    made = project(tmp_path / "r", state("- Released as v9.9.9"))
    made.git("clone", "-q", str(made.root), str(tmp_path / "clone"))
    assert one(run(tmp_path / "clone")).reason == "unanchored_ref"
