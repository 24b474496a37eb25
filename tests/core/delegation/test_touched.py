"""What was touched: by git, by diffs of every kind, by lists, and by the tool calls of a session."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from core.delegation.calls import shell_writes
from core.delegation.conformance import PathClass, grade
from core.delegation.diffs import diffed
from core.delegation.project import Project, open_bound
from core.delegation.touched import from_diff, from_git, from_list, from_turns
from core.errors import UsageError
from core.records.model import Channel, Origin, Turn
from tests.core.delegation.projects import order, packet, project
from tests.core.git_made import Made


def opened(made: Made) -> Project:
    found = open_bound(str(made.root))[1]
    assert found is not None
    return found


def git_touched(made: Made, found: object, span: str = "") -> object:
    at_work = opened(made)
    try:
        return from_git(at_work, found, span)  # type: ignore[arg-type]
    finally:
        at_work.close()


def test_git_tells_commits_changes_new_files_deletions_and_renames(tmp_path: Path) -> None:
    made = project(tmp_path / "r")
    made.write("notes.txt", "mine already\n")
    made.write("docs/plan.md", "changed already\n")
    made.write("half.txt", "begun\n")
    before = packet(made.root)
    made.git("mv", "pay/reports.py", "pay/statements.py")
    made.git("rm", "-q", "web/tax.ts")
    made.git("commit", "-q", "-m", "Move and drop")
    made.write("pay/client.py", "changed\n")
    made.write("new file.py", "new\n")
    made.write("half.txt", "done\n")
    os.chmod(made.root / "Makefile", 0o755)
    found = git_touched(made, before)
    assert found.paths == (  # type: ignore[attr-defined]
        "Makefile", "half.txt", "new file.py", "pay/client.py", "pay/reports.py", "pay/statements.py", "web/tax.ts",
    )  # fmt: skip
    assert found.renamed == (("pay/reports.py", "pay/statements.py"),)  # type: ignore[attr-defined]
    assert found.deleted == ("web/tax.ts",)  # type: ignore[attr-defined]
    made.write("docs/plan.md", "# Plan\n\nShip the kettle.\n")  # as it was committed: somebody undid it
    assert "docs/plan.md" in git_touched(made, before).paths  # type: ignore[attr-defined]
    assert git_touched(made, before, "HEAD~1..HEAD").paths == (  # type: ignore[attr-defined]
        "pay/reports.py", "pay/statements.py", "web/tax.ts",
    )  # fmt: skip
    for bad, words in (
        ("nope..HEAD", "git diff found nothing"),
        ("--output=x..HEAD", "names no commit"),
        ("a b", "names"),
    ):
        with pytest.raises(UsageError, match=words):
            git_touched(made, before, bad)


def test_a_fence_around_what_git_ignores_is_watched(tmp_path: Path) -> None:
    """Git says nothing of `.env`; a worker who changed it must not be told to have stayed."""
    made = project(tmp_path / "r")
    made.commit("Ignore", {".gitignore": ".env\nkept/\nloose.log\n__pycache__/\n"})
    made.write(".env", "A=1\n")
    made.write("kept/a.txt", "a\n")
    before = packet(made.root, order(must_not_touch=(".env", "kept/", "later.env", "pay/")))
    assert git_touched(made, before).paths == ()  # type: ignore[attr-defined]
    made.write("loose.log", "nobody watches this\n")
    made.write("pay/__pycache__/client.pyc", "a test was run\n")
    made.write(".env", "A=2\n")
    assert git_touched(made, before).paths == (".env",)  # type: ignore[attr-defined]
    made.write("kept/b.txt", "b\n")
    assert git_touched(made, before).paths == (".env", "kept/")  # type: ignore[attr-defined]
    (made.root / "kept/a.txt").unlink()
    found = git_touched(made, before).paths  # type: ignore[attr-defined]
    assert found == (".env", "kept/", "kept/a.txt")
    assert {kind for _, kind in grade(before, found).classes} == {PathClass.BREACH}


def test_names_that_are_no_utf8_and_a_project_without_a_commit(tmp_path: Path) -> None:
    made = Made(tmp_path / "r")
    made.write("kettle.py", "def boil():\n    return 1\n")
    before = packet(made.root, order("Boil the kettle"))
    with open(os.fsencode(str(made.root)) + b"/na\xefve.txt", "wb") as file:
        file.write(b"x")
    made.commit("First")
    assert git_touched(made, before).paths == ("na\udcefve.txt",)  # type: ignore[attr-defined]


DIFF = """diff --git a/pay/client.py b/pay/client.py
index 1..2 100644
--- a/pay/client.py
+++ b/pay/client.py
@@ -1,3 +1,3 @@
 a
--- a/not/a/header.py
+++ b/not/a/header.py
diff --git a/old.py b/new.py
similarity index 100%
rename from old.py
rename to new.py
diff --git a/gone.py b/gone.py
deleted file mode 100644
--- a/gone.py
+++ /dev/null
@@ -1 +0,0 @@
-x
diff --git a/blob.bin b/blob.bin
index 1..2 100644
Binary files a/blob.bin and b/blob.bin differ
diff --git a/run.sh b/run.sh
old mode 100644
new mode 100755
diff --git "a/na\\303\\257ve \\"x\\".txt" "b/na\\303\\257ve \\"x\\".txt"
new file mode 100644
--- /dev/null
+++ "b/na\\303\\257ve \\"x\\".txt"
@@ -0,0 +1 @@
+x
diff --git a/with blank.txt b/with blank.txt
new file mode 100644
index 0000000..e69de29
"""


def test_a_git_diff_of_every_kind(tmp_path: Path) -> None:
    found = from_diff(str(tmp_path), DIFF)
    assert set(found.paths) == {
        "blob.bin", "gone.py", 'naïve "x".txt', "new.py", "old.py", "pay/client.py", "run.sh", "with blank.txt",
    }  # fmt: skip
    assert found.renamed == (("old.py", "new.py"),)
    assert found.deleted == ("gone.py",)


def test_a_plain_diff_and_what_is_none(tmp_path: Path) -> None:
    plain = "--- a.py\t2026-01-01\n+++ a.py\t2026-01-02\n@@ -1 +1 @@\n-x\n+y\n--- b.py\n+++ b.py\n@@ -1 +1 @@\n-x\n+y\n"
    assert from_diff(str(tmp_path), plain.replace("\n", "\r\n")).paths == ("a.py", "b.py")
    assert from_diff(str(tmp_path), "no diff at all").caveats == ("The diff names no file: is it one?",)
    assert from_diff(
        str(tmp_path), "--- a/../../etc/passwd\n+++ b/../../etc/passwd\n@@ -1 +1 @@\n-x\n+y\n"
    ).outside == ("../../etc/passwd",)
    assert list(diffed("")) == []


def test_a_list_is_told_apart_from_what_lies_outside(tmp_path: Path) -> None:
    (tmp_path / "r" / "pay").mkdir(parents=True)
    root = str(tmp_path / "r")
    found = from_list(root, ["pay/x.py", "./pay/x.py", f"{root}/y.py", "../z.py", "/etc/passwd", "", ".git/config"])
    assert found.paths == ("pay/x.py", "y.py")
    assert found.outside == ("../z.py", "/etc/passwd", ".git/config")


def call(name: str, text: str, at: float = 100.0) -> Turn:
    return Turn(Origin.ASSISTANT, Channel.CALL, text, at, 1, 0, 1, name)


def test_tool_calls_tell_what_a_session_changed(tmp_path: Path) -> None:
    made = project(tmp_path / "r")
    at_work = opened(made)
    root = str(made.root)
    turns = [
        call("Edit", f"{root}/pay/client.py"), call("Edit", "old words"), call("Edit", "new words\nof two lines"),
        call("Read", f"{root}/pay/rates.py"), call("Write", f"{root}/pay/new.py"), call("Write", "pay/ledger.py"),
        call("apply_patch", "*** Begin Patch\n*** Update File: web/cart.ts\n@@\n*** Add File: web/more.ts\n+x\n*** End Patch"),
        call("Bash", "cd pay && rm reports.py; git mv a.py b.py > /dev/null"), call("exec_command", "echo hi > notes.md"),
        call("mcp__files__write_file", f"{root}/docs/plan.md"), call("Edit", f"{root}/too/early.py", 5.0),
        Turn(Origin.PERSON, Channel.TALK, f"{root}/said.py", 100.0, 1, 0, 1), call("Write", "/elsewhere/x.py"),
    ]  # fmt: skip
    found = from_turns(at_work, turns, root, 50.0)
    handed = from_turns(
        at_work, [call("Task", "Look around"), call("Task", "Explore"), call("Task", "early", 5.0)], root
    )
    at_work.close()
    assert handed.caveats == (
        "The session handed work to agents of its own; what those touched stands in their records.",
    )
    assert found.paths == (
        "a.py", "b.py", "docs/plan.md", "notes.md", "pay/client.py", "pay/ledger.py", "pay/new.py", "reports.py",
        "web/cart.ts", "web/more.ts",
    )  # fmt: skip
    assert found.outside == ("/elsewhere/x.py",)
    assert found.caveats == ("The session ran shell commands; of those, only plain changes of files are seen.",)


@pytest.mark.parametrize(
    ("command", "files"),
    [
        ("rm -rf a b", ["a", "b"]), ("mv a b && cp -r c d", ["a", "b", "d"]), ("sed -i 's/x/y/' a.py", ["a.py"]), ("cat a > b", ["b"]),
        ("cat a >b 2>/dev/null", ["b"]), ("ls; pytest -q | tee out.log", ["out.log"]), ("rm *.py $X", []), ("echo 'rm x'", []),
        ("echo it's", []), ("git rm -q a", ["a"]), ("sed -n 1p a", []),
    ],
)  # fmt: skip
def test_plain_shell_commands(command: str, files: list[str]) -> None:
    assert shell_writes(command) == files
