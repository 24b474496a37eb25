"""`recollect soul` as a person, a script and a gate use it."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from core.soul.receipts import read_receipts
from tests.core.git_made import Made
from tests.core.soul.projects import CLIENT, project, state
from tui.cli import main
from tui.verbs.schemas import schemas

BODY = "- `pay/client.py` talks\n- `pay/gone.py` held it\n- 28/28 tests\n- only words\n- port 5555"


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Made:
    monkeypatch.setenv("RECOLLECT_HOME", str(tmp_path / "home"))
    made = project(tmp_path / "r", state(BODY))
    monkeypatch.chdir(made.root)
    return made


def _json(capsys: pytest.CaptureFixture[str]) -> dict[str, object]:
    out = capsys.readouterr().out
    assert out.count("\n") == 1
    found: dict[str, object] = json.loads(out)
    Draft202012Validator(schemas()[str(found["schema"])]).validate(found)
    return found


def test_the_text_begins_with_the_receipt_and_names_what_is_wrong(
    made: Made, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["soul", "check"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("soul: checked ")
    assert f"@{made.shas[-1][:7]} - 1 fresh · 1 stale · 2 priced - 4/5 anchored - declared intact" in lines[0]
    assert any("deleted_in" in line and "pay/gone.py" in line for line in lines)
    assert any("only words" in line for line in lines)


def test_the_text_says_how_the_document_was_read_and_what_declared_claims_cite_in_vain(
    made: Made, capsys: pytest.CaptureFixture[str]
) -> None:
    rule = "# Rules\n\n## Do Not Do\n\n- Never touch `pay/gone.py`.\n- Ask before `pay/client.py` changes.\n"
    made.write("AGENTS.md", rule + "- Nor `pay/gone.py:3` and `never/there.py`.\n")
    assert main(["soul", "check", "AGENTS.md"]) == 0
    text = capsys.readouterr().out
    assert "3 claims: 0 to check, 3 declared\n" in text
    assert "Nothing in this document is checked\n  Declared, by where it stands: “Do Not Do”." in text
    assert "recollect soul claims AGENTS.md" in text
    gone = text.partition("Declared claims cite 3 things that are gone; their state stays declared\n")[2]
    assert gone.splitlines()[0] == "  · line 5: Never touch pay/gone.py."
    assert "line 6" not in gone
    assert gone.splitlines()[1].startswith("      pay/gone.py — deleted_in ")
    assert "never/there.py — never_landed" in gone
    made.write("AGENTS.md", rule.replace("- Ask before `pay/client.py` changes.\n", ""))
    assert main(["soul", "check", "AGENTS.md"]) == 0
    assert "Declared claims cite 1 thing that is gone" in capsys.readouterr().out
    made.write("AGENTS.md", "Some words.\n\n## Current State\n\nOnly prose.\n")
    assert main(["soul", "check", "AGENTS.md"]) == 0
    assert "0 to check" in capsys.readouterr().out


def test_the_document_is_found_by_custom_by_name_and_by_folder(
    made: Made, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    made.write("docs/OTHER.md", state("- `pay/client.py`"))
    assert main(["soul", "check", "docs/OTHER.md", "--json"]) == 0
    assert _json(capsys)["soul_path"] == "docs/OTHER.md"
    monkeypatch.chdir(made.root / "docs")
    assert main(["soul", "check", "OTHER.md", "--json"]) == 0
    assert _json(capsys)["soul_path"] == "docs/OTHER.md"
    monkeypatch.chdir(tmp_path)
    for path in (str(made.root), str(made.root / "PATHOS.md")):
        assert main(["soul", "check", path, "--json"]) == 0
        assert _json(capsys)["soul_path"] == "PATHOS.md"
    assert main(["soul", "check", "--project", str(made.root), "--json"]) == 0
    assert _json(capsys)["soul_path"] == "PATHOS.md"


def test_json_holds_every_key_and_its_states_sum_to_the_claims(made: Made, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["soul", "check", "--json", "--by", "host:main:ana"]) == 0
    report = _json(capsys)
    by_state, claims = report["by_state"], report["claims"]
    assert isinstance(by_state, dict)
    assert isinstance(claims, dict)
    assert sum(by_state.values()) == claims["total"] == 5
    assert by_state["evidence_stale"] == 1
    assert report["checked_by"] == "host:main:ana"
    assert report["repo_sha"] == made.shas[-1]


def test_a_second_check_is_remembered_and_the_same_but_for_its_time(
    made: Made, capsys: pytest.CaptureFixture[str]
) -> None:
    reports = []
    for _ in range(2):
        main(["soul", "check", "--json"])
        reports.append(_json(capsys) | {"checked_at": None})
    assert reports[0] == reports[1]
    made.write("pay/client.py", CLIENT + "\n")
    main(["soul", "check", "--json"])
    assert _json(capsys)["dirty"] is True


def test_what_is_remembered_gives_way_to_files_that_git_does_not_know(
    made: Made, capsys: pytest.CaptureFixture[str]
) -> None:
    made.commit("Cite local data", {"PATHOS.md": state("- `data/pay.db` is here")})
    made.write("data/pay.db", "x")
    main(["soul", "check", "--json"])
    assert _json(capsys)["by_state"]["verified_fresh"] == 1  # type: ignore[index]
    (made.root / "data" / "pay.db").unlink()
    main(["soul", "check", "--json"])
    assert _json(capsys)["by_state"]["unprovable_now"] == 1  # type: ignore[index]


@pytest.mark.parametrize(
    ("gate", "body", "code"),
    [
        ("never", BODY, 0),
        ("stale", BODY, 1),
        ("stale", "- port 5555", 0),
        ("priced", "- port 5555", 1),
        ("priced", "- `pay/client.py`", 0),
    ],
)
def test_a_gate(made: Made, gate: str, body: str, code: int, capsys: pytest.CaptureFixture[str]) -> None:
    made.commit("Say", {"PATHOS.md": state(body)})
    assert main(["soul", "check", "--fail-on", gate]) == code


def test_a_contradiction_shuts_the_gate(made: Made) -> None:
    made.commit(
        "Say", {"PATHOS.md": state("- the battery has 36 cases (`pay/`)\n- the battery has 37 cases (`docs/`)")}
    )
    assert main(["soul", "check", "--fail-on", "stale"]) == 1


def test_annotations_for_a_workflow(made: Made, capsys: pytest.CaptureFixture[str]) -> None:
    main(["soul", "check", "--format", "github"])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("::notice file=PATHOS.md,title=soul::soul: checked")
    assert any(line.startswith("::error file=PATHOS.md,line=6,endLine=6,title=deleted::pay/gone.py") for line in lines)


def test_sarif_points_at_the_lines(made: Made, capsys: pytest.CaptureFixture[str]) -> None:
    main(["soul", "check", "--format", "sarif"])
    document = json.loads(capsys.readouterr().out)
    (run,) = document["runs"]
    errors = [r for r in run["results"] if r["level"] == "error"]
    assert [r["locations"][0]["physicalLocation"]["region"]["startLine"] for r in errors] == [6]
    assert {r["ruleId"] for r in run["results"]} <= {r["id"] for r in run["tool"]["driver"]["rules"]}


def test_junit_counts_each_claim(made: Made, capsys: pytest.CaptureFixture[str]) -> None:
    main(["soul", "check", "--format", "junit"])
    suite = ET.fromstring(capsys.readouterr().out.split("\n", 1)[1])
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("5", "1", "3")
    assert len(suite.findall("testcase/failure")) == 1


def test_a_hostile_document_reaches_no_form_as_it_is(made: Made, capsys: pytest.CaptureFixture[str]) -> None:
    nasty = "- `pay/gone.py` \x1b]52;c;AAAA\x07 \u202e [/nope] ::error::x password=hunter2hunter2 sk-ant-" + "a1" * 20
    made.write("PATHOS.md", f"# \x1b[31mPay\n\n## Current \x9bState\n\n{nasty}\n")
    for form in ("text", "json", "github", "sarif", "junit"):
        main(["soul", "check", "--format", form])
        out = capsys.readouterr().out
        assert "hunter2" not in out
        assert "sk-ant-a1" not in out
        assert not any(c in out for c in "\x1b\x07\x9b\u202e")


def test_reading_whole_and_by_section(made: Made, capsys: pytest.CaptureFixture[str]) -> None:
    made.write("PATHOS.md", "# Pay\n\n## Alpha State\n\n- a\n\n## Beta\n\n- b\n\n## Gamma state\n\n- c\n")
    assert main(["soul", "read"]) == 0
    assert capsys.readouterr().out.startswith("# Pay\n")
    assert main(["soul", "read", "--section", "STATE", "--json"]) == 0
    found = _json(capsys)
    assert [s["title"] for s in found["sections"]] == ["Alpha State", "Gamma state"]  # type: ignore[attr-defined]
    assert "receipt" not in found
    assert main(["soul", "read", "--section", "delta"]) == 2
    assert "Alpha State" in capsys.readouterr().err


def test_claims_are_listed_without_a_check(made: Made, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["soul", "claims", "--json"]) == 0
    found = _json(capsys)
    rows = found["claims"]
    assert isinstance(rows, list)
    assert [len(r["anchors"]) for r in rows] == [1, 1, 1, 0, 1]
    assert main(["soul", "claims"]) == 0
    assert "cites nothing" in capsys.readouterr().out


def test_a_command_is_run_only_when_asked_and_its_receipt_decides(
    made: Made, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["soul", "receipt"]) == 1
    assert "hint: recollect soul receipt --" in capfd.readouterr().err
    assert main(["soul", "receipt", "--", "sh", "-c", "echo '28 passed in 0.1s'"]) == 0
    captured = capfd.readouterr()
    assert captured.out == "28 passed in 0.1s\n"
    assert "28 passed" in captured.err
    (receipt,) = read_receipts(tmp_path / "home" / "state", str(made.root))
    assert (receipt.exit_code, receipt.head, dict(receipt.counts)) == (0, made.shas[-1], {"passed": 28, "total": 28})
    made.commit("Say", {"PATHOS.md": state("- 28/28 tests\n- `sh -c \"echo '28 passed in 0.1s'\"`")})
    main(["soul", "receipt", "--", "sh", "-c", "echo '28 passed in 0.1s'"])
    capfd.readouterr()
    main(["soul", "check", "--json"])
    assert json.loads(capfd.readouterr().out)["by_state"]["verified_fresh"] == 1
    assert main(["soul", "receipt", "--", "sh", "-c", "exit 3"]) == 3
    assert main(["soul", "receipt", "--", "no-such-program"]) == 2


def test_a_command_that_changes_the_project_proves_nothing(
    made: Made, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    made.commit("Say", {"PATHOS.md": state("- `sh touch.sh`"), "touch.sh": "echo x >> pay/client.py\n"})
    assert main(["soul", "receipt", "--", "sh", "touch.sh"]) == 0
    capfd.readouterr()
    main(["soul", "check", "--json"])
    assert json.loads(capfd.readouterr().out)["by_state"]["receipt_required"] == 1


def test_who_ran_a_command_that_writes_into_the_project_is_told_so(
    made: Made, capfd: pytest.CaptureFixture[str]
) -> None:
    made.write("out/first.txt", "1")
    assert main(["soul", "receipt", "--", "sh", "-c", "echo 2 > out/first.txt"]) == 0
    assert "hint: Files of the project changed while it ran" in capfd.readouterr().err
    assert main(["soul", "receipt", "--", "sh", "-c", "true"]) == 0
    assert "hint:" not in capfd.readouterr().err


def test_no_repository_no_soul_and_bad_settings_say_what_to_do(
    made: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "plain").mkdir()
    assert main(["soul", "check", "--project", str(tmp_path / "plain")]) == 3
    assert "soul travels with git" in capsys.readouterr().err
    made.write(".recollect.toml", "[soul]\nage_day = 3\n")
    assert main(["soul", "check"]) == 2
    assert "Did you mean “age_days”?" in capsys.readouterr().err
    (made.root / ".recollect.toml").write_text('[soul]\nverifiable = ["Zeal"]\n')
    (made.root / "PATHOS.md").write_text("# P\n\n## Zeal\n\n- `pay/client.py`\n")
    assert main(["soul", "check", "--json"]) == 0
    assert _json(capsys)["findings"] == []
    (made.root / "PATHOS.md").unlink()
    assert main(["soul", "check"]) == 3
    assert "recollect soul check FILE" in capsys.readouterr().err


def test_without_a_verb_and_without_a_terminal_it_says_what_to_do(
    made: Made, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["soul"]) == 2
    said = capsys.readouterr().err
    assert "there is no terminal" in said
    assert "recollect soul check" in said


def test_without_a_verb_on_a_terminal_the_app_opens_on_the_soul(
    made: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tui import app
    from tui.verbs import opening

    opened: list[app.AppOptions] = []
    monkeypatch.setattr(opening, "wants_plain", lambda options, env: False)
    monkeypatch.setattr(app, "run_app", lambda port, background, options: opened.append(options) or 0)
    assert main(["soul"]) == 0
    monkeypatch.chdir(tmp_path)
    assert main(["soul", "--project", str(made.root), "--document", "AGENTS.md"]) == 0
    assert [(o.place, o.soul_folder, o.soul_document) for o in opened] == [
        ("soul", str(made.root), ""),
        ("soul", str(made.root), "AGENTS.md"),
    ]
    assert main(["soul", "--project", str(tmp_path / "gone")]) == 2


def test_the_project_may_stand_before_the_verb_and_the_document_may_not(
    made: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["soul", "--project", str(made.root), "check", "--json"]) == 0
    assert _json(capsys)["soul_path"] == "PATHOS.md"
    assert main(["soul", "--document", "x.md", "check"]) == 2
    assert "goes without a verb" in capsys.readouterr().err
