"""The door to git: what it answers over repositories of every state, and that none of them can make it run anything."""

from __future__ import annotations

import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from core.repository import Repository, RepositoryProblem, Trouble, movement_of, open_repository
from tests.core.git_made import START, Made


@pytest.fixture(autouse=True)
def nobodys_configuration(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test depends on the configuration of the machine that runs it."""
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")


def opened(path: Path) -> Repository:
    found = open_repository(str(path))
    assert isinstance(found, Repository), found
    return found


def trouble(found: object) -> Trouble:
    assert isinstance(found, RepositoryProblem), found
    assert found.what
    return found.kind


def test_commits_come_with_their_people_times_and_files(tmp_path: Path) -> None:
    made = Made(tmp_path / "shop")
    made.commit("Retry payments", {"src/pay.py": "budget = 3\n"})
    made.commit("Raise the budget\n\nThree was too few.\n\nRefs #12", {"src/pay.py": "budget = 5\n"}, who="Ben Okoro")
    made.git("mv", "src/pay.py", "src/retry.py")
    last = made.commit("Call it what it is", {"a\nb.txt": "x"})
    with opened(made.root) as repository:
        found = repository.log(10)
        assert not isinstance(found, RepositoryProblem)
        assert [c.subject for c in found] == ["Call it what it is", "Raise the budget", "Retry payments"]
        assert (found[1].author, found[1].authored, found[1].message.count("\n")) == ("Ben Okoro", START + 7200, 4)
        assert {(f.status, f.old_path, f.path) for f in found[0].files} == {
            ("A", "", "a\nb.txt"), ("R", "src/pay.py", "src/retry.py"),
        }  # fmt: skip
        assert found[0].sha == last
        assert found[0].parents == (found[1].sha,)
        assert len(repository.log(2)) == 2  # type: ignore[arg-type]
        fresh = repository.log(10, without=[found[1].sha])
        assert not isinstance(fresh, RepositoryProblem)
        assert [c.sha for c in fresh] == [last]


def test_a_file_called_like_a_commit_and_a_message_that_looks_like_a_status_are_what_they_are(tmp_path: Path) -> None:
    made = Made(tmp_path / "r")
    made.commit("M\n\nR100", {"a" * 40: "1", "M": "2"})
    made.commit("second", {"A": "3"})
    found = opened(made.root).log(10)
    assert not isinstance(found, RepositoryProblem)
    assert [c.message for c in found] == ["second", "M\n\nR100"]
    assert {f.path for f in found[1].files} == {"a" * 40, "M"}


def test_bytes_that_are_no_text_survive(tmp_path: Path) -> None:
    made = Made(tmp_path / "r")
    (made.root / "caf\udce9.txt").write_text("x")
    made.commit("Latin name")
    tracked = opened(made.root).tracked()
    assert tracked == ("caf\udce9.txt",)


def test_named_commits_come_in_their_order_and_unknown_names_are_left_out(tmp_path: Path) -> None:
    made = Made(tmp_path / "r")
    first, second = made.commit("one", {"a": "1"}), made.commit("two", {"a": "2"})
    found = opened(made.root).commits([first[:8], "deadbeef" * 5, "--all", second])
    assert not isinstance(found, RepositoryProblem)
    assert [c.subject for c in found] == ["one", "two"]


def test_the_changes_of_a_span_are_read_through_moves_and_renames(tmp_path: Path) -> None:
    made = Made(tmp_path / "r")
    lines = [f"line {n}\n" for n in range(40)]
    made.commit("Write it", {"a.py": "".join(lines)})
    made.commit("Elsewhere", {"a.py": "".join([*lines[:39], "end\n"])})
    made.commit("In the span", {"a.py": "".join([*lines[:10], "ten\n", *lines[11:39], "end\n"])})
    made.git("mv", "a.py", "b.py")
    made.commit("Rename")
    with opened(made.root) as repository:
        span = repository.span_log("b.py", 9, 13)
        assert not isinstance(span, RepositoryProblem)
        assert [c.subject for c in span if c.subject != "Rename"] == ["In the span", "Write it"]
        whole = repository.file_log("b.py")
        assert not isinstance(whole, RepositoryProblem)
        assert [c.subject for c in whole] == ["Rename", "In the span", "Elsewhere", "Write it"]
        assert trouble(repository.span_log("b.py", 900, 910)) is Trouble.NOT_FOUND
        assert trouble(repository.span_log("none.py", 1, 2)) is Trouble.NOT_FOUND
        touched = repository.last_touch("b.py")
        assert touched is not None
        assert not isinstance(touched, RepositoryProblem)
        assert touched.subject == "Rename"
        assert repository.last_touch("none.py") is None


def test_tags_are_told_with_their_people_and_contents_at_commits(tmp_path: Path) -> None:
    made = Made(tmp_path / "r")
    first = made.commit("one", {"a": "1"})
    made.git("tag", "light")
    made.at += 60
    made.git("tag", "-a", "v1.0", "-m", "First release", who="Ben Okoro")
    made.commit("two", {"a": "22"})
    with opened(made.root) as repository:
        refs = repository.refs()
        assert not isinstance(refs, RepositoryProblem)
        tags = {r.short: r for r in refs if r.is_tag}
        assert (tags["v1.0"].person, tags["v1.0"].subject, tags["v1.0"].sha) == ("Ben Okoro", "First release", first)
        assert (tags["v1.0"].annotated, tags["light"].annotated) == (True, False)
        assert tags["v1.0"].at == START + 3660
        before = repository.processes
        contents = [repository.content("a", at) for at in ("HEAD", "v1.0", first)]
        assert [c.data for c in contents if not isinstance(c, RepositoryProblem)] == [b"22", b"1", b"1"]
        assert trouble(repository.content("none")) is Trouble.NOT_FOUND
        assert trouble(repository.content("a\nb")) is Trouble.NOT_FOUND
        assert repository.processes == before + 1, "one process answers every question about contents"


def test_where_a_repository_stands(tmp_path: Path) -> None:
    made = Made(tmp_path / "r")
    unborn = opened(made.root).head()
    assert not isinstance(unborn, RepositoryProblem)
    assert (unborn.sha, unborn.branch, unborn.detached) == ("", "main", False)
    assert opened(made.root).log(5) == ()
    sha = made.commit("one", {"a": "1", "deep/b": "2"})
    made.git("worktree", "add", "-q", "../side", "-b", "side")
    side = opened(tmp_path / "side" / "deep")
    assert side.is_worktree
    assert side.common_dir == opened(made.root).common_dir
    assert (side.root, side.branch) == (str(tmp_path / "side"), "side")
    made.git("checkout", "-q", sha)
    head = opened(made.root).head()
    assert not isinstance(head, RepositoryProblem)
    assert (head.sha, head.detached) == (sha, True)
    made.git("clone", "-q", "--bare", ".", "../bare.git")
    bare = opened(tmp_path / "bare.git")
    assert bare.is_bare
    assert trouble(bare.tracked()) is Trouble.BARE
    assert trouble(bare.work_state()) is Trouble.BARE
    assert len(bare.log(5)) == 1  # type: ignore[arg-type]
    made.git("clone", "-q", "--depth", "1", f"file://{tmp_path}/bare.git", "../thin")
    assert opened(tmp_path / "thin").is_shallow
    assert not opened(made.root).is_shallow
    assert [r.name for r in opened(tmp_path / "thin").remotes()] == ["origin"]  # type: ignore[union-attr]
    assert trouble(open_repository(str(tmp_path))) is Trouble.NOT_A_REPOSITORY


def test_what_differs_from_the_head_and_a_digest_that_says_whether_it_changed(tmp_path: Path) -> None:
    made = Made(tmp_path / "r")
    made.commit("one", {"a": "1", "b": "2"})
    clean = opened(made.root).work_state()
    assert not isinstance(clean, RepositoryProblem)
    assert not clean.dirty
    made.write("a", "changed")
    made.write("new file", "x")
    (made.root / "b").unlink()
    dirty = opened(made.root).work_state()
    assert not isinstance(dirty, RepositoryProblem)
    assert [(c.status, c.path) for c in dirty.changed] == [("M", "a"), ("D", "b"), ("?", "new file")]
    again = opened(made.root).work_state()
    assert again == dirty
    assert dirty.digest != clean.digest


def test_movement_is_seen_without_starting_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = Made(tmp_path / "r")
    made.commit("one", {"a": "1"})
    before = movement_of(str(made.root))
    assert before is not None
    assert movement_of(str(made.root)) == before
    made.git("tag", "v1")
    assert movement_of(str(made.root)) != before
    monkeypatch.setenv("PATH", "")
    assert movement_of(str(made.root)) is not None
    assert movement_of(str(tmp_path)) is None


def test_without_git_a_problem_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = Made(tmp_path / "r")
    made.commit("one", {"a": "1"})
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    found = opened(made.root).log(3)
    assert trouble(found) is Trouble.GIT_MISSING
    assert isinstance(found, RepositoryProblem)
    assert "Install git" in found.hint


def test_damage_is_told_as_damage(tmp_path: Path) -> None:
    made = Made(tmp_path / "r")
    sha = made.commit("one", {"a": "1"})
    path = made.root / ".git" / "objects" / sha[:2] / sha[2:]
    path.chmod(0o600)
    path.write_bytes(b"rubbish")
    assert trouble(opened(made.root).log(3)) is Trouble.CORRUPT
    shutil.rmtree(made.root / ".git" / "objects")
    assert trouble(open_repository(str(made.root))) is Trouble.NOT_A_REPOSITORY


def test_a_process_that_hangs_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = Made(tmp_path / "r")
    made.commit("one", {"a": "1"})
    tools = tmp_path / "tools"
    tools.mkdir()
    real = shutil.which("git")
    hanging = f'#!/bin/sh\n[ "$1" = version ] && exec {real} version\nexec tail -f /dev/null\n'
    (tools / "git").write_text(hanging)
    (tools / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}:/usr/bin:/bin")
    monkeypatch.setattr("core.repository.LOG_SECONDS", 0.2)
    assert trouble(opened(made.root).log(3, starts=["HEAD"])) is Trouble.TIMEOUT


def test_an_answer_above_the_bound_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = Made(tmp_path / "r")
    made.commit("one", {"big": "x" * 5000})
    monkeypatch.setattr("core.repositories.objects.MAX_BLOB", 1000)
    with opened(made.root) as repository:
        assert trouble(repository.content("big")) is Trouble.TOO_LARGE
        made.commit("two", {"small": "1"})
        again = repository.content("small")
        assert not isinstance(again, RepositoryProblem)


def test_an_inherited_repository_does_not_take_the_place_of_the_one_asked_about(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, other = Made(tmp_path / "r"), Made(tmp_path / "other")
    made.commit("mine", {"a": "1"})
    other.commit("theirs", {"b": "1"})
    monkeypatch.setenv("GIT_DIR", str(other.root / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other.root))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other.root / ".git" / "index"))
    found = opened(made.root).log(3)
    assert not isinstance(found, RepositoryProblem)
    assert [c.subject for c in found] == ["mine"]
    assert opened(made.root).tracked() == ("a",)


_TRAPS = {
    "core.fsmonitor": "{trap}", "core.pager": "{trap}", "pager.log": "{trap}", "core.sshCommand": "{trap}",
    "core.askPass": "{trap}", "core.editor": "{trap}", "credential.helper": "{trap}", "diff.external": "{trap}",
    "core.hooksPath": "hooks", "diff.evil.textconv": "{trap}", "diff.evil.command": "{trap}",
    "filter.evil.clean": "{trap}", "filter.evil.smudge": "{trap}", "filter.evil.process": "{trap}",
    "filter.evil.required": "true", "log.showSignature": "true", "gpg.program": "{trap}", "alias.log": "!{trap}",
    "alias.status": "!{trap}", "alias.ls-files": "!{trap}", "remote.origin.url": "ext::{trap}",
    "remote.origin.promisor": "true", "remote.origin.partialCloneFilter": "blob:none", "protocol.ext.allow": "always",
    "extensions.partialClone": "origin", "core.gitProxy": "{trap}", "diff.orderFile": "/none", "core.worktree": "/",
    "interactive.diffFilter": "{trap}", "log.follow": "true", "color.ui": "always", "core.alternateRefsCommand": "{trap}",
}  # fmt: skip


def test_nothing_that_a_hostile_repository_configures_is_run(tmp_path: Path) -> None:
    """Every setting that names a program is a trap that leaves a file behind; every read is made; no file appears."""
    made = Made(tmp_path / "r")
    first = made.commit("one", {"a.txt": "1\n", ".gitattributes": "* diff=evil filter=evil\n"})
    made.commit("two", {"a.txt": "2\n"})
    blob = made.git("rev-parse", "HEAD~1:a.txt").strip()
    sprung = tmp_path / "sprung"
    trap = tmp_path / "trap"
    trap.write_text(f'#!/bin/sh\necho "$@" >> {sprung}\ncat\n')
    trap.chmod(trap.stat().st_mode | stat.S_IXUSR)
    hooks = made.root / "hooks"
    hooks.mkdir()
    for name in ("post-index-change", "reference-transaction", "post-checkout", "pre-auto-gc"):
        shutil.copy(trap, hooks / name)
        shutil.copy(trap, made.root / ".git" / "hooks" / name)
    for key, value in _TRAPS.items():
        made.git("config", key, value.format(trap=trap))
    signed = made.git("cat-file", "commit", "HEAD").replace(
        "\n\n", "\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\n", 1
    )
    (tmp_path / "signed").write_text(signed)
    sha = made.git("hash-object", "-t", "commit", "-w", str(tmp_path / "signed")).strip()
    (made.root / ".git" / "refs" / "heads" / "main").write_text(sha + "\n")
    (made.root / ".git" / "objects" / blob[:2] / blob[2:]).unlink()  # a partial clone would fetch it
    made.write("a.txt", "3\n")
    sprung.unlink(missing_ok=True)  # making the repository may spring what reading it must not
    with opened(made.root) as repository:
        assert len(repository.log(5)) == 2  # type: ignore[arg-type]
        assert len(repository.commits([first, sha])) == 2  # type: ignore[arg-type]
        repository.span_log("a.txt", 1, 1)
        assert len(repository.file_log("a.txt")) == 2  # type: ignore[arg-type]
        repository.last_touch("a.txt")
        repository.content("a.txt")
        repository.content("a.txt", first)
        assert repository.tracked() == (".gitattributes", "a.txt")
        state = repository.work_state()
        assert not isinstance(state, RepositoryProblem)
        assert "a.txt" in {c.path for c in state.changed}
        repository.refs()
        repository.remotes()
        repository.head()
    assert not sprung.exists(), sprung.read_text()


def test_the_trap_of_the_test_above_springs_where_git_is_asked_without_care(tmp_path: Path) -> None:
    made = Made(tmp_path / "r")
    made.commit("one", {"a.txt": "1\n", ".gitattributes": "* filter=evil\n"})
    sprung = tmp_path / "sprung"
    made.git("config", "filter.evil.clean", f"touch {sprung}; cat")
    made.write("a.txt", "22\n")
    made.git("diff", "--stat")
    assert sprung.exists()


def test_a_filter_whose_name_cannot_be_switched_off_is_refused(tmp_path: Path) -> None:
    made = Made(tmp_path / "r")
    made.commit("one", {"a.txt": "1\n"})
    with (made.root / ".git" / "config").open("a") as file:
        file.write('[filter "a=b"]\n\tclean = false\n')
    assert trouble(opened(made.root).work_state()) is Trouble.FAILED


def test_the_command_layer_loads_alone_and_the_package_whole_for_whoever_asks_later() -> None:
    code = (
        "import sys\nfrom core.repositories.process import _command_layer\nlayer = _command_layer()\n"
        "assert 'git.repo' not in sys.modules and 'git' not in sys.modules\n"
        "assert layer('.').execute(['git', '--version']).startswith('git version')\n"
        "import git\nassert git.Repo and git.Git is layer and _command_layer() is layer\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[2])
