"""`recollect delegate`, `debrief` and their kin as a person and a script use them, over real records and memory."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from core.delegation.ledger import Ledger
from tests.core.delegation.projects import project
from tests.core.delegation.test_calibration import rows
from tests.core.git_made import Made
from tests.core.records.builders import assistant, lines, text, tool_use, user
from tui.cli import main
from tui.mcp.tools import command_of, tool_named
from tui.verbs.schemas import schemas

SESSION = "11111111-2222-4333-8444-555555555555"
TASK = "Give the payment client a retry budget"


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Made:
    for name in ("RECOLLECT_MEMORY_URL", "CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("RECOLLECT_HOME", str(tmp_path / "own"))
    made = project(tmp_path / "pay")
    made.commit("Hand over", {"PATHOS.md": "# Pay\n\n## Current State\n\n- `pay/client.py` asks `pay/gateway.py`\n"})
    monkeypatch.chdir(made.root)
    return made


def session(made: Made, *turns: dict[str, Any], name: str = SESSION) -> Path:
    path = Path(made.root).parent / ".claude" / "projects" / "-pay" / f"{name}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(lines(*({**t, "sessionId": name, "cwd": str(made.root)} for t in turns)))
    return path


def run(capsys: pytest.CaptureFixture[str], *argv: str, code: int = 0) -> dict[str, Any]:
    assert main([*argv, "--json"]) == code
    out = capsys.readouterr().out
    assert out.count("\n") == 1
    found: dict[str, Any] = json.loads(out)
    Draft202012Validator(schemas()[str(found["schema"])]).validate(found)
    return found


def test_the_loop_from_a_task_to_what_the_next_packet_knows(made: Made, capsys: pytest.CaptureFixture[str]) -> None:
    session(
        made, user("The payment client retries forever when the bank is slow. Give it a retry budget."),
        assistant(text("The retry budget belongs in pay/rates.py: the client asks it before each attempt.")),
    )  # fmt: skip
    packet = run(capsys, "delegate", TASK, "--agent", "ana", "--must-not-touch", "web")
    (told,) = packet["sessions"]
    line = Path(told["path"]).read_text(encoding="utf-8").splitlines()[told["line"] - 1]
    assert told["sentence"] in json.loads(line)["message"]["content"][0]["text"]
    assert (told["session_id"], told["speaker"]) == (SESSION, "assistant")
    assert "pay/rates.py" in [a["path"] for a in packet["anchors"]]
    assert packet["soul"]["receipt"].startswith("soul: checked")
    assert packet["soul"]["stale"][0]["claim"].endswith("asks pay/gateway.py")
    assert packet["scope"] == packet["scope"] | {
        "derived_from": "activation",
        "must_not_touch": ["web/"],
        "fence": "declared",
    }
    assert packet["mission"]["binding"] == {k: v for k, v in run(capsys, "where").items() if k != "schema"}
    made.write("pay/client.py", "changed\n")
    made.write("pay/budget.py", "BUDGET = 3\n")
    made.write("web/tax.ts", "changed\n")
    report = Path(made.root).parent / "last.txt"
    report.write_text(
        f"Done.\n[recollect {packet['delegation_id']}]\nDEVIATIONS: pay/budget.py\nFINDINGS: The client must ask first."
    )
    done = run(
        capsys, "debrief", packet["delegation_id"], "--grader", "ana", "--worker", "ben", "--outcome", "success",
        "--command", "make test", "--exit-status", "0", "--report", str(report),
    )  # fmt: skip
    assert (done["verdict"], done["fence"], done["flags"]) == ("breached", "declared", [])
    assert {c["path"]: c["class"] for c in done["classified"]} == {
        "pay/budget.py": "unpredicted", "pay/client.py": "expected_change", "web/tax.ts": "breach",
    }  # fmt: skip
    assert done["report"]["undeclared_deviation"] == ["web/tax.ts"]
    assert [(t["kind"], t["under"], t["state"]) for t in done["learned"]] == [
        ("finding", "ben", "persisted"), ("lesson", "ana", "persisted"),
    ]  # fmt: skip
    second = run(capsys, "delegate", TASK, "--agent", "ana")
    assert {(m["kind"], m["author"]) for m in second["memory"]} == {("finding", "ben"), ("lesson", "ana")}
    paths = [a["path"] for a in second["anchors"]]
    assert "pay/budget.py" in paths
    assert "web/tax.ts" not in paths
    assert main(["debrief", packet["delegation_id"], "--grader", "ana", "--outcome", "success"]) == 2
    assert "--regrade" in capsys.readouterr().err


def test_text_is_the_packet_alone_and_is_the_same_again(made: Made, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["delegate", TASK, "--scope", "pay/", "--budget", "700", "--hint", "Run one test."]) == 0
    first = capsys.readouterr()
    assert first.out.startswith("---\n## Delegation dlg_")
    assert "```" not in first.out
    assert "of 700 tokens" in first.err
    identity = first.out.split()[3]
    assert main(["delegations", identity[-6:]]) == 0
    assert capsys.readouterr().out == first.out
    assert run(capsys, "delegations", identity)["prompt_markdown"] == first.out
    assert run(capsys, "delegations")["delegations"][0]["status"] == "live"


def test_a_dry_run_records_nothing_and_a_file_is_never_overwritten(
    made: Made, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["delegate", TASK, "--dry-run"]) == 0
    assert run(capsys_after(capsys), "delegations", code=1)["count"] == 0
    target = Path(made.root).parent / "packet.md"
    assert main(["delegate", TASK, "-o", str(target)]) == 0
    assert capsys.readouterr().out == ""
    assert main(["delegate", TASK, "-o", str(target)]) == 2
    assert run(capsys_after(capsys), "delegations")["count"] == 1
    assert main(["delegate", TASK, "-o", str(target.parent / "nowhere" / "packet.md")]) == 3
    assert "It is recorded: recollect delegations dlg_" in capsys.readouterr().err


def capsys_after(capsys: pytest.CaptureFixture[str]) -> pytest.CaptureFixture[str]:
    capsys.readouterr()
    return capsys


def test_where_there_is_no_packet(
    made: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = run(capsys, "delegate", "zzyzx qwfpgj", code=1)
    assert (found["verdict"], found["class"]) == ("abstain", "unscopable")
    assert run(capsys, "delegate", TASK, "--seed", "nowhere.py", code=1)["class"] == "seeds_unresolvable"
    for bad in (["--scope", "../../x"], ["--budget", "0"], ["--agent", "a\nb"], ["--project", "/nowhere/at/all"]):
        assert main(["delegate", TASK, *bad]) == 2
    capsys.readouterr()
    (tmp_path / "plain").mkdir()
    monkeypatch.chdir(tmp_path / "plain")
    assert run(capsys, "delegate", TASK, code=3)["verdict"] == "needs_ingest"
    assert run(capsys, "where", code=3)["trust_mode"] == "none"
    assert not (tmp_path / "own" / "state" / "delegations").exists()


def test_a_sessions_tool_calls_and_last_words_are_a_debrief(made: Made, capsys: pytest.CaptureFixture[str]) -> None:
    identity = run(capsys, "delegate", TASK)["delegation_id"]
    at = "2099-01-01T10:00:00.000Z"
    session(
        made, user(f"Do this: {TASK}", timestamp=at),
        assistant(tool_use("Edit", {"file_path": f"{made.root}/pay/client.py", "old_string": "a", "new_string": "b"}), timestamp=at),
        assistant(tool_use("Bash", {"command": "rm pay/reports.py"}), timestamp=at),
        assistant(tool_use("Read", {"file_path": f"{made.root}/web/tax.ts"}), timestamp=at),
        assistant(text(f"[recollect {identity}]\nDEVIATIONS: pay/reports.py\nFINDINGS: none"), timestamp=at),
    )  # fmt: skip
    done = run(capsys, "debrief", identity, "--grader", "ana", "--outcome", "partial", "--session", SESSION[:8])
    assert [c["path"] for c in done["classified"]] == ["pay/client.py", "pay/reports.py"]
    assert done["touched_from"] == "session"
    assert done["report"]["header"] == identity
    assert done["flags"] == ["unverified"]
    assert (
        main(["debrief", identity, "--grader", "ana", "--outcome", "partial", "--session", "ffffffff", "--regrade"])
        == 2
    )


def test_a_debrief_takes_a_diff_a_list_or_nothing(
    made: Made, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    diff = made.root.parent / "work.diff"
    diff.write_bytes(b"--- a/pay/client.py\n+++ b/pay/client.py\n@@ -1 +1 @@\n-x\n+\xff\n")
    identity = run(capsys, "delegate", TASK)["delegation_id"]
    base = ("debrief", identity, "--grader", "ana", "--outcome", "success")
    assert run(capsys, *base, "--diff", str(diff))["counts"]["touched"] == 1
    assert (
        run(capsys, *base, "--regrade", "--touched", "pay/client.py", "--touched", "x.py")["counts"]["unpredicted"] == 1
    )
    done = run(capsys, *base, "--regrade", "--touched-none")
    assert (done["counts"]["touched"], done["regraded"]) == (0, True)
    assert main([*base, "--regrade", "--dry-run"]) == 0
    assert "0 paths touched, told by git" in capsys.readouterr().out
    assert done["recorded"]
    graded = run(capsys, *base, "--touched", "x.py", "--dry-run")
    assert (graded["recorded"], graded["verdict"], graded["learned"]) == (False, "unpredicted", [])
    assert run(capsys, "calibration")["rows"] == 1
    for bad in (["--command", "make"], ["--diff", "/nowhere"], ["--range", "nope..HEAD"]):
        assert main([*base, "--regrade", *bad]) == 2
    assert main(["debrief", "dlg_nope", "--grader", "ana", "--outcome", "success"]) == 2


def test_a_server_that_only_reads_answers_both_tools(made: Made, capsys: pytest.CaptureFixture[str]) -> None:
    """The very words that `recollect mcp` runs without --write."""
    live = run(capsys, "delegate", TASK)["delegation_id"]
    given = {"id": live, "grader": "ana", "outcome": "success", "touched": ["pay/client.py"]}
    words, _ = command_of(tool_named("debrief"), given, write=False)
    assert main(words) == 0
    assert json.loads(capsys.readouterr().out)["recorded"] is False
    words, task = command_of(tool_named("delegate"), {"task": TASK}, write=False)
    assert (words[-1], task.decode()) == ("-", TASK)
    assert main([*words[:-1], TASK]) == 0
    assert json.loads(capsys.readouterr().out)["recorded"] is False
    assert run(capsys, "delegations")["count"] == 1
    assert run(capsys, "calibration")["rows"] == 0


@pytest.mark.parametrize("count", [0, 29, 30])
def test_calibration_counts_and_tells_numbers_from_thirty_on(
    count: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RECOLLECT_HOME", str(tmp_path))
    folder = tmp_path / "state" / "delegations"
    folder.mkdir(parents=True)
    ledger = Ledger(folder)
    for row in rows(count):
        ledger.append(row)
    found = run(capsys, "calibration")
    assert main(["calibration"]) == 0
    told = capsys.readouterr().out
    if count < 30:
        assert found["scope_precision"] is None
        assert "." not in told.replace("Counted apart", "").split("Not calibrated")[0]
        assert "Not calibrated" in told
    else:
        assert [round(found[k]["value"], 6) for k in ("scope_precision", "miss_rate", "dependents_honesty")] == [
            0.5
        ] * 3
        assert "0.50 (0.41 to 0.59)" in told
        assert "Calibrated: the numbers rest on 30 clean debriefs" in told


def test_findings_that_wait_in_the_spool_say_so(
    made: Made, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    identity = run(capsys, "delegate", TASK)["delegation_id"]
    monkeypatch.setenv("RECOLLECT_MEMORY_URL", "http://127.0.0.1:1")
    done = run(
        capsys,
        "debrief",
        identity,
        "--grader",
        "ana",
        "--outcome",
        "success",
        "--touched-none",
        "--finding",
        "It waits.",
        code=75,
    )
    assert [t["state"] for t in done["learned"]] == ["queued"]
