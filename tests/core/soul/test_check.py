"""Every check class over a made-up repository: fresh, stale, and what cannot be decided."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from core.errors import RecollectError
from core.soul.evidence import Receipt
from core.soul.git_evidence import open_project
from core.soul.receipts import add_receipt
from tests.core.git_made import Made, quiet_env
from tests.core.soul.projects import CLIENT, NOW, one, project, run, state, told

FRESH, STALE, HELD, NEEDS = "verified-fresh", "evidence-stale", "unprovable-now", "receipt-required"


@pytest.mark.parametrize(
    ("claim", "expected", "reason"),
    [
        ("`pay/client.py` talks", FRESH, ""),
        ("`client.py` by its name", FRESH, ""),
        ("`src/cart.ts` by its end", FRESH, ""),
        ("`pay/` and `engine/src/`", FRESH, ""),
        ("`pay` and `web/src`", FRESH, ""),
        ("`pay\\rates.py` written on Windows", FRESH, ""),
        ("`**/*.py`, `pay/{client,rates}.py`", FRESH, ""),
        ("`pay/{client,missing}.py`", STALE, "evidence_file_missing"),
        ("`pay/*.java`", STALE, "evidence_file_missing"),
        ("`pay/gone.py` held the gateway", STALE, "deleted_in {2}"),
        ("`gone.py` by its name", STALE, "deleted_in {2}"),
        ("`pay/old_name.py` helps", STALE, "renamed_to pay/new_name.py"),
        ("`pay/never.py` is planned", STALE, "never_landed"),
        ("`data/pay.db` is local", HELD, "ignored"),
        ("`runtime/state.json` is local", HELD, "ignored"),
        ("`../other/x.py` is elsewhere", HELD, "outside"),
        ("`__init__.py` twice", HELD, "ambiguous"),
    ],
)
def test_paths(tmp_path: Path, claim: str, expected: str, reason: str) -> None:
    made = project(tmp_path / "r", state(f"- {claim}"), {"web/__init__.py": ""})
    if "{2}" in reason:
        reason = reason.replace("{2}", made.shas[1][:7])
    assert told(run(made.root)) == [(expected, reason)]


def test_a_claim_that_tells_of_a_removal_holds_while_the_file_is_gone(tmp_path: Path) -> None:
    body = (
        "- `pay/gone.py` was deleted in #102\n- we removed the old `pay/gone.py`\n- `gone.py` is gone\n"
        "- `pay/gone.py` was removed from the imports of `pay/client.py`\n- the cache in `pay/gone.py` holds what was deleted\n"
        "- `pay/never.py` was deleted\n- `pay/client.py` was deleted"
    )
    found = told(run(project(tmp_path / "r", state(body)).root))
    assert [verdict for verdict, _ in found] == [FRESH, FRESH, FRESH, STALE, STALE, STALE, FRESH]


def test_a_path_is_read_from_the_documents_folder_too(tmp_path: Path) -> None:
    made = project(tmp_path / "r", state("- `plan.md` and `../pay/client.py`"), name="docs/PATHOS.md")
    assert told(run(made.root)) == [(FRESH, "")]


def test_words_that_look_like_paths_are_no_evidence_and_a_claim_of_them_alone_is_unanchored(tmp_path: Path) -> None:
    body = (
        "- `owner/repo`, `feature/x`, `text/html`, `https://example.org/a.py`, `@scope/pkg`, `focus_smoke.py`, `and/or`"
    )
    checked = run(project(tmp_path / "r", state(body)).root)
    assert told(checked) == [(HELD, "unanchored")]


def test_a_link_out_of_the_root_is_never_read(tmp_path: Path) -> None:
    (tmp_path / "secret.py").write_text("x = 1\n")
    made = project(tmp_path / "r", state("- `pay/link.py:1`\n- `way/secret.py`"))
    os.symlink(tmp_path / "secret.py", made.root / "pay" / "link.py")
    os.symlink(tmp_path, made.root / "way")
    assert told(run(made.root)) == [(HELD, "outside"), (HELD, "outside")]


@pytest.mark.parametrize(
    ("hint", "expected", "reason", "found"),
    [
        ("pay/client.py:11", FRESH, "", "pay/client.py:11"),
        ("pay/client.py:9-14", FRESH, "", "pay/client.py:9"),
        ("pay/client.py:3,9", FRESH, "", "pay/client.py:3"),
        ("pay/client.py#L9-L14", FRESH, "", "pay/client.py:9"),
        ("client.py:11", FRESH, "", "pay/client.py:11"),
        ("pay/client.py:400", STALE, "line_drift", "pay/client.py"),
        ("pay/gone.py:1", STALE, "deleted_in", ""),
    ],
)
def test_line_hints(tmp_path: Path, hint: str, expected: str, reason: str, found: str) -> None:
    item = one(run(project(tmp_path / "r", state(f"- `{hint}`")).root))
    assert item.state.value == expected
    assert item.reason.startswith(reason)
    assert item.verdicts[0].found == found


def test_a_line_that_moved_is_found_again(tmp_path: Path) -> None:
    made = project(tmp_path / "r", state("- `pay/client.py:11`\n- `pay/client.py:9-14`"))
    made.commit("Insert", {"pay/client.py": "# one\n" * 40 + CLIENT})
    checked = run(made.root)
    assert told(checked) == [(STALE, "line_drift"), (STALE, "line_drift")]
    assert [i.verdicts[0].found for i in checked.items] == ["pay/client.py:51", "pay/client.py:49-54"]


def test_a_line_whose_text_is_gone_has_changed(tmp_path: Path) -> None:
    made = project(tmp_path / "r", state("- `pay/client.py:11`"))
    made.write("pay/client.py", CLIENT.replace("range(BUDGET)", "range(9)"))
    assert told(run(made.root)) == [(STALE, "evidence_changed")]


def test_a_line_that_stands_twice_now_is_ambiguous_and_so_is_an_empty_one(tmp_path: Path) -> None:
    made = project(tmp_path / "r", state("- `pay/client.py:11`\n- `pay/client.py:5`"))
    line = CLIENT.split("\n")[10]
    made.write("pay/client.py", "#\n" + CLIENT.replace(line, line + "\n" + line))
    assert told(run(made.root)) == [(HELD, "ambiguous"), (HELD, "ambiguous")]


def test_a_hint_survives_an_edit_where_the_claims_symbol_is_defined(tmp_path: Path) -> None:
    made = project(tmp_path / "r", state("- `Client.send` in `pay/client.py:9-14`"))
    made.write("pay/client.py", CLIENT.replace("Send once.", "Send within the budget."))
    assert told(run(made.root)) == [(FRESH, "")]


def test_a_claim_written_since_the_last_commit_is_held_to_the_lines_of_today(tmp_path: Path) -> None:
    made = project(tmp_path / "r", state("- `pay/client.py:11`"))
    made.write("pay/client.py", "# new\n" + CLIENT)
    made.write("PATHOS.md", state("- attempts: `pay/client.py:12`"))
    assert told(run(made.root)) == [(FRESH, "")]


def test_a_file_that_was_renamed_since_is_named_and_its_old_hint_fails(tmp_path: Path) -> None:
    made = project(tmp_path / "r", state("- `pay/client.py:11`"))
    made.git("mv", "pay/client.py", "pay/bank.py")
    made.commit("Rename")
    assert told(run(made.root)) == [(STALE, "renamed_to pay/bank.py")]


@pytest.mark.parametrize(
    ("symbol", "expected", "reason"),
    [
        ("Client.send", FRESH, ""),
        ("pay.client.Client", FRESH, ""),
        ("pay::client::refund", FRESH, ""),
        ("refund()", FRESH, ""),
        ("client.py::refund", FRESH, ""),
        ("pay/client.py::Client::send", FRESH, ""),
        ("Cart.total", FRESH, ""),
        ("ledger::post", FRESH, ""),
        ("crate::ledger::post", FRESH, ""),
        ("Client.transmit", STALE, "evidence_changed"),
        ("Cart.send", STALE, "evidence_changed"),
        ("vanished()", STALE, "evidence_changed"),
        ("os.path.join", HELD, "outside"),
        ("twice()", HELD, "ambiguous"),
    ],
)
def test_symbols(tmp_path: Path, symbol: str, expected: str, reason: str) -> None:
    more = {"pay/a.py": "def twice():\n    pass\n", "pay/b.py": "def twice():\n    pass\n"}
    made = project(tmp_path / "r", state(f"- `{symbol}`"), more)
    assert told(run(made.root)) == [(expected, reason)]


def test_a_call_of_the_language_is_no_evidence(tmp_path: Path) -> None:
    assert told(run(project(tmp_path / "r", state("- calls `print()`")).root)) == [(HELD, "unanchored")]


def test_a_name_in_a_language_without_a_grammar_is_held(tmp_path: Path) -> None:
    made = project(tmp_path / "r", state("- `warpDrive()`"), {"app/Main.swift": "func warpDrive() {}\n"})
    assert told(run(made.root)) == [(HELD, "unsupported_language")]


def test_tags_commits_and_numbers(tmp_path: Path) -> None:
    made = project(tmp_path / "r", "x")
    sha = made.shas[1]
    body = "\n".join(
        f"- {c}"
        for c in ("`v1.0.0`", "tag v9.9.9", f"`{sha[:8]}`", "`abcdef1`", "(#101)", "#101/#102", "#103", "#101-#104")
    )
    made.commit("Cite", {"PATHOS.md": state(body)})
    assert told(run(made.root)) == [
        (FRESH, ""), (STALE, "unanchored_ref"), (FRESH, ""), (STALE, "unanchored_ref"), (FRESH, ""), (FRESH, ""), (FRESH, ""), (STALE, "unanchored_ref"),
    ]  # fmt: skip


def test_a_commit_that_nothing_reaches_any_more_is_held(tmp_path: Path) -> None:
    made = project(tmp_path / "r", "x")
    lost = made.commit("Soon rewritten", {"pay/x.py": "1\n"})
    made.git("reset", "-q", "--hard", "HEAD~1")
    made.commit("Cite", {"PATHOS.md": state(f"- landed in `{lost[:10]}`")})
    assert told(run(made.root)) == [(HELD, "unreachable")]


@pytest.mark.parametrize(
    ("claim", "expected", "reason"),
    [
        ("`make test`", NEEDS, "receipt_required"),
        ("`make deploy`", STALE, "evidence_file_missing"),
        ("`npm run build`", NEEDS, "receipt_required"),
        ("`npm run ship`", STALE, "evidence_file_missing"),
        ("`scripts/start.sh --now`", NEEDS, "receipt_required"),
        ("`scripts/stop.sh --now`", STALE, "evidence_file_missing"),
        ("`python scripts/migrate.py`", STALE, "evidence_file_missing"),
        ("`pytest tests/test_client.py::test_send -q`", NEEDS, "receipt_required"),
        ("`pytest tests/test_nothing.py`", STALE, "evidence_file_missing"),
        ("28/28 tests", NEEDS, "receipt_required"),
        ("CI green", NEEDS, "receipt_required"),
        ("port 5555", HELD, "runtime"),
        ("`http://localhost:5555/health`", HELD, "runtime"),
    ],
)
def test_what_only_running_shows(tmp_path: Path, claim: str, expected: str, reason: str) -> None:
    assert told(run(project(tmp_path / "r", state(f"- {claim}")).root)) == [(expected, reason)]


def test_a_receipt_at_this_commit_decides(tmp_path: Path) -> None:
    made = project(tmp_path / "r", state("- `pytest -q`\n- 12 tests\n- 11/12 tests\n- `make test`"))
    store, head = tmp_path / "state", made.shas[-1]
    add_receipt(store, str(made.root), Receipt("pytest  -q", 0, head, "", 1.0, 2.0, {"passed": 12, "total": 12}))
    add_receipt(store, str(made.root), Receipt("make test", 2, head, "", 1.0))
    assert told(run(made.root, at=store)) == [
        (FRESH, ""),
        (FRESH, ""),
        (STALE, "evidence_changed"),
        (STALE, "receipt_failed"),
    ]
    made.commit("Go on", {"pay/x.py": "1\n"})
    later = run(made.root, at=store)
    assert {i.state.value for i in later.items} == {NEEDS}
    assert head[:7] in later.items[0].verdicts[0].detail


def test_a_receipt_of_other_files_does_not_decide(tmp_path: Path) -> None:
    made = project(tmp_path / "r", state("- `pytest -q`"))
    store = tmp_path / "state"
    made.write("pay/client.py", CLIENT + "\n")
    evidence = open_project(str(made.root), store)
    add_receipt(store, str(made.root), Receipt("pytest -q", 0, evidence.head, evidence.dirty_hash, 1.0))
    evidence.close()
    assert told(run(made.root, at=store)) == [(FRESH, "")]
    made.write("pay/client.py", CLIENT + "\n\n")
    assert told(run(made.root, at=store)) == [(NEEDS, "receipt_required")]


def test_the_worst_anchor_wins_and_is_listed_first(tmp_path: Path) -> None:
    made = project(tmp_path / "r", state("- `pay/client.py` and `pay/gone.py` on port 5555"))
    item = one(run(made.root))
    assert item.state.value == STALE
    assert [v.anchor.raw for v in item.verdicts] == ["pay/gone.py", "port 5555", "pay/client.py"]


def test_declared_claims_are_never_verified_and_their_citations_are_counted_apart(tmp_path: Path) -> None:
    soul = "# Pay\n\n## Do Not Do\n\n- touch `pay/gone.py`\n- keep `pay/client.py`\n"
    checked = run(project(tmp_path / "r", soul).root)
    assert told(checked) == [("declared", ""), ("declared", "")]
    assert checked.citations == {"ok": 1, "broken": 1, "undecided": 0}


def test_the_older_claims_anchors_are_verified_all_the_same(tmp_path: Path) -> None:
    body = "- 2026-03-01: the corpus has 4 files (`pay/gone.py`)\n- 2026-03-02: the corpus has 5 files (`pay/gone.py`)"
    checked = run(project(tmp_path / "r", state(body)).root)
    assert [i.state.value for i in checked.items] == [STALE, STALE]
    assert checked.items[0].later == 6


def test_declared_changes_are_counted_against_the_last_commit(tmp_path: Path) -> None:
    soul = "# Pay\n\n## North Star\n\n- keep money safe in every case\n- be quick\n"
    made = project(tmp_path / "r", soul)
    assert run(made.root).declared.intact
    made.write(
        "PATHOS.md", soul.replace("be quick", "ship daily\n- never lie").replace("safe in every", "safe in each")
    )
    declared = run(made.root).declared
    assert (len(declared.added), len(declared.removed), len(declared.changed)) == (2, 1, 1)


def test_a_section_that_changed_its_tissue_is_a_finding(tmp_path: Path) -> None:
    made = project(tmp_path / "r", "# Pay\n\n## Operating Doctrine\n\n- never push on Friday\n- keep `pay/client.py`\n")
    made.write("PATHOS.md", "# Pay\n\n## Notes\n\n- never push on Friday\n- keep `pay/client.py`\n")
    assert "tissue_flip" in {f.reason for f in run(made.root).findings}


def test_quantities_against_the_repository(tmp_path: Path) -> None:
    body = "- version 1.3.0 in `package.json`\n- latest tag is v2.0.0\n- 7 commits since v1.0.0\n- 4 test files\n- version 1.4 too"
    checked = run(project(tmp_path / "r", state(body)).root)
    assert [(c.sides[0][0], c.sides[1][0]) for c in checked.contradictions] == [
        ("1.3.0", "1.4.0"), ("v2.0.0", "v1.0.0"), ("7", "3"), ("4", "1"),
    ]  # fmt: skip


def test_an_auto_region_is_recomputed(tmp_path: Path) -> None:
    body = "<!-- BEGIN:auto-overview -->\n- commits since v1.0.0: 9\n- test files: 1\n<!-- END:auto-overview -->\n"
    findings = run(project(tmp_path / "r", state(body)).root).findings
    assert [f.reason for f in findings] == ["stale_generated"]
    assert "commits since v1.0.0 9" in findings[0].detail


def test_dated_and_pending_claims_are_hints(tmp_path: Path) -> None:
    body = "- as of 2025-11-01 all is well\n- in flight: the refund flow\n- as of 2026-03-01 `pay/client.py` is stable\n- fine"
    hints = run(project(tmp_path / "r", state(body)).root).hints
    assert [(h.reason, h.line) for h in hints] == [("aged_out", 5), ("expired", 6), ("aged_out", 7)]


def test_lag_counts_the_commits_since_the_document_was_touched(tmp_path: Path) -> None:
    made = project(tmp_path / "r", state("- `pay/client.py`"))
    for n in range(3):
        made.commit(f"Go on {n}", {"pay/x.py": f"{n}\n"})
    checked = run(made.root)
    assert (checked.behind, checked.touch) == (3, made.shas[3])


# -- repositories in trouble


def test_a_shallow_clone_proves_nothing_by_absence(tmp_path: Path) -> None:
    body = "- `v9.9.9`\n- (#101)\n- `pay/never.py`\n- `abcdef1`\n- `pay/client.py`"
    made = project(tmp_path / "r", state(body))
    clone = tmp_path / "clone"
    subprocess.run(
        ["git", "clone", "-q", "--depth", "1", f"file://{made.root}", str(clone)], env=quiet_env(), check=True
    )
    assert told(run(clone)) == [(HELD, "history_incomplete")] * 4 + [(FRESH, "")]


def test_an_unborn_head_has_files_and_no_history(tmp_path: Path) -> None:
    made = Made(tmp_path / "r")
    made.write("PATHOS.md", state("- `pay/client.py:1`\n- `v1.0.0`"))
    made.write("pay/client.py", "x = 1\n")
    checked = run(made.root)
    assert told(checked) == [(FRESH, ""), (STALE, "unanchored_ref")]
    assert (checked.head, checked.behind, checked.declared.known) == ("", None, False)


def test_a_detached_head_and_a_worktree(tmp_path: Path) -> None:
    made = project(tmp_path / "r", state("- `pay/client.py:11` since `v1.0.0` (#102)"))
    made.git("worktree", "add", "-q", str(tmp_path / "tree"), "-b", "side")
    assert told(run(tmp_path / "tree")) == [(FRESH, "")]
    made.git("checkout", "-q", "--detach", "HEAD")
    assert told(run(made.root)) == [(FRESH, "")]


def test_no_repository_and_a_bare_one_are_said(tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    with pytest.raises(RecollectError, match="soul travels with git"):
        run(tmp_path / "plain")
    subprocess.run(["git", "init", "-q", "--bare", str(tmp_path / "bare")], env=quiet_env(), check=True)
    with pytest.raises(RecollectError, match="bare"):
        run(tmp_path / "bare")


def test_without_git_paths_are_checked_and_the_rest_is_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = project(tmp_path / "r", state("- `pay/client.py`\n- `v1.0.0`\n- (#101)\n- `pay/never.py`\n- `Client.send`"))
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    checked = run(made.root)
    assert [i.state.value for i in checked.items] == [FRESH, HELD, HELD, HELD, HELD]
    assert any("git" in s for s in checked.skipped)


def test_a_locked_index_is_no_obstacle(tmp_path: Path) -> None:
    made = project(tmp_path / "r", state("- `pay/client.py`"))
    (made.root / ".git" / "index.lock").write_text("")
    assert told(run(made.root)) == [(FRESH, "")]


def test_a_corrupt_index_holds(tmp_path: Path) -> None:
    made = project(tmp_path / "r", state("- `pay/client.py`\n- `pay/never.py`\n- `v1.0.0`"))
    (made.root / ".git" / "index").write_bytes(b"nonsense")
    assert [i.state.value for i in run(made.root).items] == [FRESH, HELD, FRESH]


def test_a_submodule_that_is_not_checked_out_holds(tmp_path: Path) -> None:
    made = project(
        tmp_path / "r",
        state("- `vendor/lib/x.py`"),
        {".gitmodules": '[submodule "lib"]\n\tpath = vendor/lib\n\turl = ../lib\n'},
    )
    checked = run(made.root)
    assert told(checked) == [(HELD, "submodule")]
    assert "not checked out" in one(checked).verdicts[0].detail
    made.write("vendor/lib/.git", "gitdir: ../../.git/modules/lib\n")
    assert "whose own history is not read" in one(run(made.root)).verdicts[0].detail


def test_names_that_are_no_utf8_do_not_break_the_check(tmp_path: Path) -> None:
    made = project(tmp_path / "r", state("- `pay/client.py`"))
    with open(os.fsencode(made.root) + b"/pay/na\xefve.py", "wb") as file:
        file.write(b"def odd():\n    pass\n")
    made.commit("Odd")
    assert told(run(made.root)) == [(FRESH, "")]


def test_a_document_with_bad_bytes_is_read_and_said(tmp_path: Path) -> None:
    made = project(tmp_path / "r", state("- `pay/client.py`"))
    (made.root / "PATHOS.md").write_bytes(b"# Pay\n\n## Current State\n\n- `pay/client.py` caf\xe9\n")
    checked = run(made.root)
    assert told(checked) == [(FRESH, "")]
    assert "bad_bytes" in {f.reason for f in checked.findings}


@pytest.mark.parametrize("path", ["../x.md", "/etc/hosts", "nothing.md"])
def test_a_document_outside_or_missing_is_refused_by_name(tmp_path: Path, path: str) -> None:
    made = project(tmp_path / "r", state("- x"))
    (tmp_path / "x.md").write_text("# X\n")
    with pytest.raises(RecollectError, match=path.rpartition("/")[2]):
        run(made.root, path)


def test_a_binary_and_a_huge_document_are_refused(tmp_path: Path) -> None:
    made = project(tmp_path / "r", state("- x"))
    (made.root / "PATHOS.md").write_bytes(b"# X\0")
    (made.root / "wide.md").write_text(state("- x"), encoding="utf-16")
    with pytest.raises(RecollectError, match=r"wide.md is written in UTF-16") as wide:
        run(made.root, "wide.md")
    assert wide.value.hint == "Save it as UTF-8."
    with pytest.raises(RecollectError, match="NUL"):
        run(made.root)
    (made.root / "PATHOS.md").write_bytes(b"x" * (8 * 1024 * 1024 + 1))
    with pytest.raises(RecollectError, match="bytes"):
        run(made.root)


def test_two_checks_agree_but_for_their_time(tmp_path: Path) -> None:
    made = project(tmp_path / "r", state("- `pay/client.py:11`, `gone.py`, `twice()`\n- (#101) 28/28 tests"))
    first, second = run(made.root), run(made.root, now=NOW)
    assert first == second
