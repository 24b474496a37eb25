"""Pruning takes out the lines of the claims and nothing else, or refuses."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import UsageError
from core.soul.document import parse
from core.soul.prune import DocumentMoved, Prune, plan, write_document

DOCUMENT = b"""# Pay

## Current State

- one `a.py`
- two `b.py`
  wrapped
- three

| what | where |
|---|---|
| x | `c.py` |
| y | `d.py` |

Prose on `e.py`.

## Do Not Do

- never push
"""


def _prune(data: bytes, *texts: str, why: str = "gone", where: str = "git history") -> bytes:
    claims = [c for c in parse(data.decode("utf-8", "replace")).claims if c.text in texts]
    assert len(claims) == len(texts)
    return plan(data, [Prune(c.lines, c.text, why, where) for c in claims]).after


def test_the_lines_of_a_claim_go_and_every_other_byte_stays() -> None:
    assert _prune(DOCUMENT, "two b.py wrapped") == DOCUMENT.replace(b"- two `b.py`\n  wrapped\n", b"")
    assert _prune(DOCUMENT, "x | c.py") == DOCUMENT.replace(b"| x | `c.py` |\n", b"")
    assert _prune(DOCUMENT, "Prose on e.py.") == DOCUMENT.replace(b"Prose on `e.py`.\n", b"")
    assert _prune(DOCUMENT, "one a.py", "two b.py wrapped", "three") == DOCUMENT.replace(
        b"- one `a.py`\n- two `b.py`\n  wrapped\n- three\n", b""
    )


@pytest.mark.parametrize("form", ["crlf", "cr", "bom", "no last newline", "bad bytes"])
def test_foreign_line_ends_marks_and_bytes_stay(form: str) -> None:
    data = {
        "crlf": DOCUMENT.replace(b"\n", b"\r\n"),
        "cr": DOCUMENT.replace(b"\n", b"\r"),
        "bom": b"\xef\xbb\xbf" + DOCUMENT,
        "no last newline": DOCUMENT.rstrip(b"\n"),
        "bad bytes": DOCUMENT.replace(b"- three", b"- thr\xe9e"),
    }[form]
    end = {"crlf": b"\r\n", "cr": b"\r"}.get(form, b"\n")
    assert _prune(data, "one a.py") == data.replace(b"- one `a.py`" + end, b"")


def test_the_last_line_without_a_newline_can_go() -> None:
    data = b"## Current State\n- one\n- two"
    assert _prune(data, "two") == b"## Current State\n- one\n"


def test_a_declared_claim_is_proposed_and_stays() -> None:
    made = plan(DOCUMENT, [Prune((19, 19), "never push", "too strict", "another document")])
    assert made.after == DOCUMENT
    assert [c.text for c in made.proposed] == ["never push"]
    assert made.prunes[0].proposed


def test_the_difference_is_exact() -> None:
    claim = parse(DOCUMENT.decode()).claims[0]
    made = plan(DOCUMENT, [Prune(claim.lines, claim.text, "gone", "memory")])
    rows = made.diff("PATHOS.md").splitlines()
    assert rows[:2] == ["--- a/PATHOS.md", "+++ b/PATHOS.md"]
    assert [r for r in rows[2:] if r[0] in "+-"] == ["-- one `a.py`"]


@pytest.mark.parametrize(
    ("why", "where", "names"), [("", "memory", "why"), (" ", "memory", "why"), ("x", "", "where it went")]
)
def test_a_decision_without_a_reason_is_refused(why: str, where: str, names: str) -> None:
    with pytest.raises(UsageError, match=names):
        _prune(DOCUMENT, "three", why=why, where=where)


def test_the_difference_shows_the_lines_and_says_where_a_last_one_has_no_end() -> None:
    data = b"\xef\xbb\xbf## Current State\r\n\r\n- one\r\n- two `b.py`"
    made = plan(data, [Prune((4, 4), "two b.py", "x", "y")])
    assert made.after == b"\xef\xbb\xbf## Current State\r\n\r\n- one\r\n"
    rows = made.diff("P.md").split("\n")
    assert rows[3:] == [" ## Current State", " ", " - one", "-- two `b.py`", "\\ No newline at end of file"]
    data = b"## Current State\n- one `a.py`\n- two"
    rows = plan(data, [Prune((2, 2), "one a.py", "x", "y")]).diff("P.md").split("\n")
    assert rows[3:] == [" ## Current State", "-- one `a.py`", " - two", "\\ No newline at end of file"]


def test_a_claim_that_is_not_there_is_refused() -> None:
    with pytest.raises(UsageError, match="four"):
        plan(DOCUMENT, [Prune((8, 8), "four", "x", "y")])


def test_nested_items_are_not_orphaned() -> None:
    data = b"## Current State\n- parent `a.py`\n  - child\n  - second\n- uncle\n"
    with pytest.raises(UsageError, match="lines 3, 4"):
        _prune(data, "parent a.py")
    assert _prune(data, "parent a.py", "child", "second") == b"## Current State\n- uncle\n"
    assert _prune(data, "child") == b"## Current State\n- parent `a.py`\n  - second\n- uncle\n"


def test_what_is_left_never_turns_into_something_else() -> None:
    data = b"## Current State\nProse on `z.py`\n- item\n---\n\n- last\n"
    after = _prune(data, "item")
    assert [c.text for c in parse(after.decode()).claims] == ["Prose on z.py", "last"]
    assert b"\n\n---" in after


_LINES = st.sampled_from(
    ["- a `x.py`", "- b", "  - c `y.py`", "1. d", "> e `z.py`", "text `w.py`", "", "---", "| q | r |", "|---|---|", "## H", "```", "* f", "    code", "<!-- r -->"]
)  # fmt: skip


@given(st.lists(_LINES, max_size=14), st.sampled_from(["\n", "\r\n"]), st.data())
def test_any_document_keeps_its_other_claims_or_is_left_alone(lines: list[str], end: str, data: st.DataObject) -> None:
    text = end.join(["## Current State", *lines])
    claims = parse(text).claims
    if not claims:
        return
    claim = data.draw(st.sampled_from(claims))
    try:
        made = plan(text.encode(), [Prune(claim.lines, claim.text, "x", "y")])
    except UsageError:
        return
    left = [(c.text, c.section) for c in claims if c is not claim]
    assert [(c.text, c.section) for c in parse(made.after.decode()).claims] == left


def test_writing_is_bound_to_the_document_that_was_read(tmp_path: Path) -> None:
    path = tmp_path / "PATHOS.md"
    path.write_bytes(DOCUMENT)
    path.chmod(0o640)
    sha = hashlib.sha256(DOCUMENT).hexdigest()
    write_document(str(path), sha, b"new\n")
    assert path.read_bytes() == b"new\n"
    assert path.stat().st_mode & 0o777 == 0o640
    assert [p.name for p in tmp_path.iterdir()] == ["PATHOS.md"]
    with pytest.raises(DocumentMoved, match="somebody else"):
        write_document(str(path), sha, b"other\n")
    assert path.read_bytes() == b"new\n"
    path.unlink()
    with pytest.raises(DocumentMoved):
        write_document(str(path), sha, b"other\n")


def test_a_link_keeps_pointing_and_its_target_is_written(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    real = tmp_path / "docs" / "PATHOS.md"
    real.write_bytes(b"old\n")
    os.symlink(real, tmp_path / "PATHOS.md")
    write_document(str(tmp_path / "PATHOS.md"), hashlib.sha256(b"old\n").hexdigest(), b"new\n")
    assert (tmp_path / "PATHOS.md").is_symlink()
    assert real.read_bytes() == b"new\n"


def test_a_full_disk_leaves_the_document_and_no_draft(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "PATHOS.md"
    path.write_bytes(DOCUMENT)

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(UsageError, match="No space left"):
        write_document(str(path), hashlib.sha256(DOCUMENT).hexdigest(), b"new\n")
    assert {p.name: p.read_bytes() for p in tmp_path.iterdir()} == {"PATHOS.md": DOCUMENT}


def test_a_folder_that_cannot_be_synced_does_not_call_a_written_document_unchanged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "PATHOS.md"
    path.write_bytes(DOCUMENT)
    sync = os.fsync

    def only_files(handle: int) -> None:
        if stat.S_ISDIR(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, "Invalid argument")
        sync(handle)

    monkeypatch.setattr(os, "fsync", only_files)
    write_document(str(path), hashlib.sha256(DOCUMENT).hexdigest(), b"new\n")
    assert path.read_bytes() == b"new\n"


def test_a_read_only_document_is_not_written_past_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "PATHOS.md"
    path.write_bytes(DOCUMENT)
    path.chmod(0o444)
    with pytest.raises(UsageError, match="read-only"):
        write_document(str(path), hashlib.sha256(DOCUMENT).hexdigest(), b"new\n")
    assert path.read_bytes() == DOCUMENT
