"""The receipts a document had before, and which documents of a project may be its handoff document."""

from __future__ import annotations

from pathlib import Path

from core.repositories.model import RepositoryProblem
from core.soul.candidates import documents
from core.soul.receipt_history import past_receipts, receipts_in
from tests.core.git_made import Made

FIRST = "soul: checked 2026-03-01 @aaaaaaa - 1 fresh · 0 stale · 0 priced - 1/1 anchored - declared intact"
SECOND = "soul: checked 2026-03-02 @bbbbbbb dirty - 2 fresh · 0 stale · 0 priced - 2/2 anchored - declared intact"


def test_a_receipt_is_found_in_the_message_or_where_the_document_first_held_it(tmp_path: Path) -> None:
    made = Made(tmp_path / "r")
    made.commit("Begin", {"NOTES.md": "# N\n", "a.py": "x = 1\n"})
    made.commit("Check", {"NOTES.md": f"# N\n\n`{FIRST}`\n"})
    made.git("mv", "NOTES.md", "PATHOS.md")
    made.commit("Rename it")
    made.commit("Elsewhere", {"a.py": "x = 2\n"})
    made.commit(f"Say more\n\n{SECOND}\n", {"PATHOS.md": f"# N\n\n`{FIRST}`\n\nMore.\n"})
    found = past_receipts(str(made.root), "PATHOS.md")
    assert not isinstance(found, RepositoryProblem)
    assert [(p.subject, p.receipt, p.where) for p in found] == [
        ("Say more", SECOND, "message"),
        ("Rename it", "", ""),
        ("Check", FIRST, "document"),
        ("Begin", "", ""),
    ]
    assert [p.sha for p in found] == [made.shas[n] for n in (4, 2, 1, 0)]
    assert [p.at for p in found] == sorted((p.at for p in found), reverse=True)


def test_at_most_as_many_commits_as_asked_and_trouble_as_a_value(tmp_path: Path) -> None:
    made = Made(tmp_path / "r")
    for n in range(4):
        made.commit(f"Change {n}", {"PATHOS.md": f"{n}\n"})
    found = past_receipts(str(made.root), "PATHOS.md", most=2)
    assert not isinstance(found, RepositoryProblem)
    assert [p.subject for p in found] == ["Change 3", "Change 2"]
    plain = tmp_path / "plain"
    plain.mkdir()
    assert isinstance(past_receipts(str(plain), "PATHOS.md"), RepositoryProblem)


def test_a_receipt_line_ends_where_the_line_or_its_quote_ends() -> None:
    assert receipts_in(f"- **{FIRST}**\n| {SECOND} | x |\nsoul: checked never") == (FIRST, SECOND)


def test_documents_are_offered_the_likely_ones_first() -> None:
    paths = (
        "src/a.py",
        "docs/guide.md",
        "README.md",
        "sub/AGENTS.md",
        "AGENTS.md",
        "docs/PATHOS.md",
        "x/y/z.markdown",
        "b.MD",
    )
    assert documents(paths) == (
        "docs/PATHOS.md", "AGENTS.md", "sub/AGENTS.md", "README.md", "b.MD", "docs/guide.md", "x/y/z.markdown",
    )  # fmt: skip
