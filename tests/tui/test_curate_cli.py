"""`recollect curate`: the loop from a stale claim to an undone prune, as a person and a script use it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from tests.core.git_made import Made
from tests.core.soul.projects import project, state
from tui.cli import main
from tui.verbs.schemas import schemas

ANA, BEN = "host:main:ana", "host:main:ben"
SOUL = state(
    "- the gateway is in `pay/gone.py`\n- the client is in `pay/client.py`\n- helpers are in `pay/old_name.py`"
)


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Made:
    monkeypatch.setenv("RECOLLECT_HOME", str(tmp_path / "home"))
    made = project(tmp_path / "r", SOUL)
    monkeypatch.chdir(made.root)
    return made


def _json(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    out = capsys.readouterr().out
    assert out.count("\n") == 1
    found: dict[str, Any] = json.loads(out)
    Draft202012Validator(schemas()[str(found["schema"])]).validate(found)
    return found


def _run(capsys: pytest.CaptureFixture[str], *argv: str, code: int = 0) -> dict[str, Any]:
    assert main(["curate", *argv, "--json"]) == code
    return _json(capsys)


def test_the_loop(made: Made, capsys: pytest.CaptureFixture[str]) -> None:
    before = (made.root / "PATHOS.md").read_bytes()
    assert main(["soul", "check", "--json"]) == 0
    stale = _json(capsys)["by_state"]["evidence_stale"]
    listed = _run(capsys, "list")
    assert [(i["lines"], i["decided"]) for i in listed["items"]] == [([5, 5], False), ([7, 7], False)]
    draft = _run(capsys, "prune", "--line", "5", "--why", "dropped", "--where", "git history", "--by", ANA)
    assert draft["pruned"][0]["what"] == "the gateway is in pay/gone.py"
    shown = _run(capsys, "show", "--grader", BEN)
    assert shown["seat_check"]["passed"]
    assert "-- the gateway is in `pay/gone.py`" in shown["diff"].splitlines()
    done = _run(capsys, "apply", "--grader", BEN)
    assert (done["state"], done["persisted"], done["error"]) == ("applied", True, None)
    assert main(["soul", "check", "--json"]) == 0
    after = _json(capsys)
    assert after["by_state"]["evidence_stale"] == stale - 1
    assert after["receipt"].split(" - ", 1)[1] == done["report"]["receipt_line"].split(" - ", 1)[1]
    assert main(["memory", "show", done["memory_ids"][0], "--json"]) == 0
    held = capsys.readouterr().out
    assert "PATHOS.md#Current State" in held
    assert "git history" in held
    undone = _run(capsys, "undo")
    assert undone["state"] == "undone"
    assert (made.root / "PATHOS.md").read_bytes() == before
    assert [c["state"] for c in _run(capsys, "log")["curations"]] == ["undone"]


def test_the_report_passes_its_own_check_by_another_grader(
    made: Made, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _run(capsys, "prune", "--line", "5", "--why", "dropped", "--where", "memory", "--by", ANA)
    report = _run(capsys, "show")["report"]
    (tmp_path / "report.json").write_text(json.dumps(report))
    (tmp_path / "before.md").write_text(SOUL)
    _run(capsys, "apply", "--grader", BEN)
    found = _run(
        capsys, "check", str(tmp_path / "report.json"), "--grader", BEN, "--before", str(tmp_path / "before.md"),
        "--after", "PATHOS.md", "--rerun", "PATHOS.md",
    )  # fmt: skip
    assert found["passed"], found["violations"]
    again = _run(capsys, "check", str(tmp_path / "report.json"), "--grader", ANA.upper(), code=1)
    assert [v["code"] for v in again["violations"]] == ["self_graded"]


def test_all_violations_of_a_foreign_report_are_listed(
    made: Made, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "report.json").write_text(
        json.dumps({"curated_by": BEN, "pruned": [{"what": "x", "tissue": "declared"}]})
    )
    found = _run(capsys, "check", str(tmp_path / "report.json"), "--grader", BEN, code=1)
    assert [v["code"] for v in found["violations"]] == [
        "self_graded", "silent_prune", "declared_prune_unlocked", "missing_still_stale",
    ]  # fmt: skip
    (tmp_path / "report.json").write_text("[1]")
    assert main(["curate", "check", str(tmp_path / "report.json"), "--grader", BEN]) == 2
    (tmp_path / "report.json").write_text("{")
    assert main(["curate", "check", str(tmp_path / "report.json"), "--grader", BEN]) == 2
    assert "no JSON" in capsys.readouterr().err


def test_the_author_cannot_apply(made: Made, capsys: pytest.CaptureFixture[str]) -> None:
    _run(capsys, "prune", "--line", "5", "--why", "dropped", "--where", "memory", "--by", ANA)
    assert main(["curate", "apply", "--grader", ANA]) == 2
    assert "one seat" in capsys.readouterr().err
    assert (made.root / "PATHOS.md").read_text() == SOUL


def test_a_commit_holds_the_document_alone_with_its_receipt(
    made: Made, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{name}_NAME", "Ana Ruiz")
        monkeypatch.setenv(f"GIT_{name}_EMAIL", "ana@example.test")
    made.write("pay/other.py", "x = 1\n")
    made.git("add", "pay/other.py")
    _run(capsys, "prune", "--line", "5", "--why", "dropped", "--where", "memory", "--by", ANA)
    done = _run(capsys, "apply", "--grader", BEN, "--commit")
    assert done["commit"] == made.git("rev-parse", "HEAD").strip()
    assert made.git("show", "--name-only", "--format=", "HEAD").split() == ["PATHOS.md"]
    message = made.git("log", "-1", "--format=%B")
    assert done["report"]["receipt_line"] in message
    assert f"Graded-by: {BEN}" in message


def test_a_memory_that_is_away_gives_75_and_loses_nothing(
    made: Made, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RECOLLECT_MEMORY_URL", "http://127.0.0.1:9")
    _run(capsys, "prune", "--line", "5", "--why", "dropped", "--where", "memory", "--by", ANA)
    done = _run(capsys, "apply", "--grader", BEN, code=75)
    assert (done["state"], done["persisted"]) == ("applied", False)
    assert "write_not_persisted" in done["error"]
    assert "gone.py" not in (made.root / "PATHOS.md").read_text()


def test_decisions_are_taken_back_and_given_up(made: Made, capsys: pytest.CaptureFixture[str]) -> None:
    _run(capsys, "prune", "--line", "5", "--line", "7", "--why", "dropped", "--where", "memory", "--by", ANA)
    assert [p["lines"] for p in _run(capsys, "back", "--line", "5")["pruned"]] == [[7, 7]]
    assert main(["curate", "back", "--line", "5"]) == 2
    _run(capsys, "decline", "--claim", "the client is in pay/client.py", "--why", "true", "--by", ANA)
    _run(capsys, "keep", "--claim", "the gateway is in pay/gone.py", "--reason", "waiting")
    report = _run(capsys, "show")["report"]
    assert report["still_stale"][0]["reason"] == "waiting"
    assert report["declined"][0]["why"] == "true"
    assert [row["text"] for row in _run(capsys, "list")["items"] if not row["decided"]]
    draft = _run(capsys, "back", "--claim", "the client is in `pay/client.py`")
    assert (draft["declined"], draft["still_stale"][0]["reason"]) == ([], "waiting")
    assert main(["curate", "back", "--claim", "the client is in pay/client.py"]) == 2
    assert main(["curate", "back"]) == 2
    assert _run(capsys, "drop")["dropped"] == 2
    assert main(["curate", "apply", "--grader", BEN]) == 2
    capsys.readouterr()


def test_plain_words_for_a_person(made: Made, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["curate", "list"]) == 0
    assert "the gateway is in pay/gone.py" in capsys.readouterr().out
    assert main(["curate", "prune", "--line", "5", "--why", "dropped", "--where", "gone", "--by", ANA]) == 0
    assert main(["curate", "show", "--grader", ANA]) == 1
    assert "✗ self_graded" in capsys.readouterr().out
    assert main(["curate", "apply", "--grader", BEN]) == 0
    out = capsys.readouterr().out
    assert out.startswith("applied: c_")
    assert "soul: checked" in out
    assert main(["curate", "undo"]) == 0
    assert main(["curate", "log"]) == 0
    assert "undone" in capsys.readouterr().out


def test_decisions_on_a_document_that_changed_are_shown_before_they_are_given_up(
    made: Made, capsys: pytest.CaptureFixture[str]
) -> None:
    _run(capsys, "prune", "--line", "5", "--why", "dropped", "--where", "memory", "--by", ANA)
    made.write("PATHOS.md", (made.root / "PATHOS.md").read_text() + "\n- theirs\n")
    assert main(["curate", "show"]) == 3
    said = capsys.readouterr()
    assert "the gateway is in pay/gone.py" in said.out
    assert "changed by somebody else" in said.err


@pytest.mark.parametrize(
    "raw",
    ["[" * 100_000, "{", "\x00", '{"pruned": ' + "[" * 100_000 + "]" * 100_000 + "}"],
    ids=["open lists", "open object", "NUL", "lists as deep as no reader goes"],
)
def test_a_report_that_is_no_json_is_said_to_be_none(
    made: Made, tmp_path: Path, capsys: pytest.CaptureFixture[str], raw: str
) -> None:
    (tmp_path / "report.json").write_text(raw)
    assert main(["curate", "check", str(tmp_path / "report.json"), "--grader", BEN]) == 2
    assert "is no JSON" in capsys.readouterr().err
