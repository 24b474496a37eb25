"""The commands, as scripts and people call them: documents, exit codes, hints."""

from __future__ import annotations

import argparse
import io
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.few import write_few
from tui.cli import main
from tui.parser import COMMANDS, build_parser, columns
from tui.verbs.schemas import schemas

Run = Callable[..., tuple[int, str, str]]
HOSTILE = ("\x1b", "\x9b", "\x07", "\u202e", "\u2066", "\u200b", "\x00")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with the made-up archive in it."""
    place = tmp_path / "home"
    write_few(place)
    monkeypatch.setenv("RECOLLECT_HOME", str(tmp_path / "own"))
    return place


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command in this process, stdin empty; return its exit code, stdout and stderr."""
    monkeypatch.setattr("sys.stdin", io.StringIO(""))

    def call(*argv: str) -> tuple[int, str, str]:
        code = main(list(argv))
        out, err = capsys.readouterr()
        return code, out, err

    return call


def document(out: str, name: str) -> dict[str, Any]:
    """The one object on stdout, held to its schema."""
    assert out.count("\n") == 1, "exactly one object on one line"
    found = json.loads(out)
    jsonschema.validate(found, schemas()[f"recollect-{name}-v1"])
    assert isinstance(found, dict)
    return found


def test_search_finds_the_session_and_says_where_it_looked(home: Path, run: Run) -> None:
    code, out, _ = run("search", "--json", "retry budget")
    found = document(out, "search")
    assert code == 0
    hit = found["hits"][0]
    assert hit["title"] == "Retry budget for the payment client"
    assert "budget" in hit["gist"]
    assert hit["line"] is not None
    assert found["index"]["state"] == "current"
    assert {(s["runtime"], s["records"] > 0) for s in found["searched"]} == {("claude", True), ("codex", True)}


def test_search_with_nothing_found_exits_1_and_says_what_to_do(home: Path, run: Run) -> None:
    code, out, err = run("search", "zzyzx-404")
    assert (code, out) == (1, "")
    assert "Searched Claude Code" in err
    assert "--scan" in err


def test_a_scan_finds_what_only_a_tool_returned(home: Path, run: Run) -> None:
    assert document(run("search", "--json", "quexo-4471")[1], "search")["hits"] == []
    found = document(run("search", "--json", "--scan", "quexo-4471")[1], "search")
    (hit,) = found["hits"]
    assert hit["matched_by"] == ["scan"]
    assert "quexo-4471" in hit["gist"]
    assert any(s["by_scan"] for s in found["searched"])


def test_search_answers_one_object_a_line(home: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("frost dates\ntide table\n\n"))
    code, out, _ = run("search", "--json", "--limit", "1", "-")
    rows = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert [r["query"] for r in rows] == ["frost dates", "tide table", ""]
    assert all(len(r["hits"]) == 1 for r in rows), "an empty query lists the newest"


def test_recall_tells_a_story_that_the_records_hold(home: Path, run: Run) -> None:
    code, out, _ = run("recall", "--json", "that thing about retries we argued over in spring", "--say", "that's it")
    found = document(out, "recall")
    assert code == 0
    (round_,) = found["rounds"]
    assert round_["kind"] == "present"
    for claim in round_["story"]:
        line = Path(claim["cite"]["path"]).read_text(encoding="utf-8").split("\n")[claim["cite"]["line"] - 1]
        assert json.dumps(claim["cite"]["quote"], ensure_ascii=False)[1:-1] in line
    assert found["outcome"]["kind"] == "identified"
    assert found["outcome"]["identified_by"]["text"] == "that's it"


def test_recall_in_japanese(home: Path, run: Run) -> None:
    found = document(run("recall", "--json", "港の読み仮名の件")[1], "recall")
    assert "港の名前" in found["rounds"][0]["story"][0]["text"]


def test_a_scripted_dialogue_goes_on_turn_by_turn(home: Path, run: Run) -> None:
    code, out, _ = run(
        "recall", "--json", "retry", "--say", "not that one", "--say", "it was in codex", "--say", "stop"
    )
    found = document(out, "recall")
    shown = [r["recognizable"]["members"][0] for r in found["rounds"]]
    assert len({m["path"] for m in shown}) == 3
    assert shown[2]["runtime"] == "codex"
    assert found["outcome"]["kind"] == "stopped"
    assert code == 1


def test_recall_without_a_fit_asks_and_costs_the_wider_search(home: Path, run: Run) -> None:
    code, out, _ = run("recall", "--json", "quexo-4471")
    (round_,) = document(out, "recall")["rounds"]
    assert code == 1
    assert round_["kind"] == "ask"
    assert round_["expansion"]["records"] >= 8
    code, out, _ = run("recall", "--json", "quexo-4471", "--say", "search wider")
    round_ = document(out, "recall")["rounds"][-1]
    assert code == 0
    assert any("quexo-4471" in c["cite"]["quote"] for c in round_["story"])
    assert any(c["speaker"] == "external" for c in round_["story"])


def test_plain_recall_is_lines_without_an_escape_byte(home: Path, run: Run) -> None:
    code, out, _ = run("recall", "retry budget", "--say", "that's it")
    assert code == 0
    assert "You set out with: “The payment client retries forever" in out.replace("\n  ", " ")
    assert "[1]" in out
    assert "It took place; whether it still holds is not shown here." in out
    assert "Identified: Retry budget for the payment client" in out
    assert "\x1b" not in out


def test_list_show_and_export(home: Path, run: Run, tmp_path: Path) -> None:
    records = document(run("list", "--json")[1], "list")["records"]
    assert len(records) == 8
    assert [r["started"] for r in records] == sorted((r["started"] for r in records), reverse=True)
    everything = document(run("list", "--json", "--all")[1], "list")["records"]
    assert {r["kind"] for r in everything} == {"main", "subagent"}
    first = next(r for r in records if r["title"].startswith("Retry budget"))
    shown = document(run("show", "--json", first["session_id"][:8])[1], "show")
    assert {t["channel"] for t in shown["turns"]} >= {"talk", "call", "result"}
    near = document(run("show", "--json", f"{first['path']}:4", "--context", "1")[1], "show")
    assert {t["line"] for t in near["turns"]} <= {3, 4, 5}
    code, out, _ = run("show", first["path"])
    assert code == 0
    assert "retry budget" in out
    for form in ("md", "json", "html"):
        code, out, _ = run("export", first["session_id"], "--format", form)
        assert code == 0
        assert "sliding minute" in out
        if form == "json":
            jsonschema.validate(json.loads(out), schemas()["recollect-export-v1"])
            assert json.loads(out)["runtime"] == first["runtime"] == "claude"  # an id in every document
        else:
            assert "runtime: Claude Code" in out  # its name for people
    target = tmp_path / "out.md"
    assert run("export", first["path"], "-o", str(target))[0] == 0
    code, _, err = run("export", first["path"], "-o", str(target))
    assert code == 2
    assert "not overwritten" in err


def test_export_masks_and_reports(home: Path, run: Run) -> None:
    record = next((home / ".claude").rglob("*.jsonl"))
    secret = "ghp_" + "a1B2" * 9
    line = {
        "type": "user",
        "uuid": "u",
        "sessionId": record.stem,
        "message": {"role": "user", "content": f"use {secret} now"},
    }
    with record.open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")
    code, out, err = run("export", str(record), "--redact-report")
    assert code == 0
    assert secret not in out
    assert "[masked: GitHub token]" in out
    assert "Masked 1 secret." in err
    assert "line " in err


def test_resume_prints_or_refuses_with_the_reason(home: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    records = document(run("list", "--json")[1], "list")["records"]
    claude = next(r for r in records if r["runtime"] == "claude")
    code, out, err = run("resume", claude["session_id"], "--print")
    assert code == 0
    assert out.strip() == f"claude --resume {claude['session_id']}"
    assert "is gone" in err
    answer = document(run("resume", claude["session_id"], "--json")[1], "resume")
    assert answer["argv"][0] == "claude"
    monkeypatch.setenv("PATH", "")
    code, _, err = run("resume", claude["session_id"])
    assert code == 3
    assert "not on the PATH" in err


def test_status_and_index(home: Path, run: Run) -> None:
    done = document(run("index", "--json")[1], "index")
    assert done["added"] == 9
    again = document(run("index", "--json")[1], "index")
    assert (again["added"], again["unchanged"]) == (0, 9)
    found = document(run("status", "--json")[1], "status")
    assert {r["runtime"]: r["searchable"] for r in found["roots"]} == {"claude": 7, "codex": 2}
    assert found["index"]["records"] == 9
    code, out, _ = run("status")
    assert code == 0
    assert "Claude Code" in out
    assert "Retention: Claude Code deletes sessions 30 days after" in out or not found["retention"]


def test_a_deleted_source_stays_findable_and_says_so(home: Path, run: Run) -> None:
    run("index", "--json")
    record = next(p for p in (home / ".claude").rglob("*.jsonl") if "quexo-4471" in p.read_text(encoding="utf-8"))
    record.unlink()
    hit = document(run("search", "--json", "storm warning siren fingerprint")[1], "search")["hits"][0]
    assert hit["gone"] is True
    round_ = document(run("recall", "--json", "storm warning siren fingerprint")[1], "recall")["rounds"][0]
    assert any("gone" in p["why"] for p in round_["not_opened"])


def test_index_progress_is_one_object_a_line(home: Path, run: Run) -> None:
    code, out, _ = run("index", "--progress-json")
    rows = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert rows[-1]["done"] is True
    assert all({"records", "records_total", "bytes", "bytes_total", "seconds", "message"} <= r.keys() for r in rows)


def test_doctor_finds_nothing_wrong_here_and_a_missing_root_elsewhere(
    home: Path, run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    code, out, _ = run("doctor", "--json")
    assert code == 0, out
    document(out, "doctor")
    monkeypatch.setenv("CODEX_HOME", str(tmp_path / "nowhere"))
    code, out, _ = run("doctor")
    assert code == 3
    assert "CODEX_HOME" in out
    assert "does not exist" in out


def test_doctor_says_which_encoders_are_there(home: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for found, words in (("minilm-int8/9", "minilm-int8/9"), ("", "not installed; nothing needs it")):
        monkeypatch.setattr("indexes.bi_encoder.BiEncoder.name", lambda found=found: found)
        code, out, _ = run("doctor")
        assert code == 0
        (line,) = [row for row in out.splitlines() if "second look:" in row]
        assert words in line


def test_a_project_without_records_is_told_from_an_archive_without(home: Path, run: Run) -> None:
    code, out, err = run("list", "--project", "/nowhere/pay")
    assert (code, out) == (1, "")
    assert "no records of project pay" in err
    assert "leave out --project" in err


def test_status_says_what_could_not_be_looked_at(home: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that may not be listed, which a test that runs as root has to play."""
    scandir = os.scandir
    hidden = str(home / ".claude" / "projects" / "-hidden")
    os.mkdir(hidden)

    def refusing(place: Any = ".") -> Any:
        if place in (hidden, os.fsencode(hidden)):
            raise PermissionError(13, "Permission denied", hidden)
        return scandir(place)

    monkeypatch.setattr(os, "scandir", refusing)
    code, out, _ = run("status")
    assert code == 0
    assert f"Problem: {hidden}: " in out


def test_status_and_doctor_count_what_could_not_be_read_whole(home: Path, run: Run) -> None:
    folder = home / ".claude" / "projects" / "-torn"
    folder.mkdir()
    for name, body in (("1", b'{"type":"user","message":\n'), ("2", b"{torn\n"), ("3", b"")):
        good = b'{"type":"user","uuid":"u","message":{"role":"user","content":"about the torn till"}}\n'
        (folder / f"0000000{name}-0000-4000-8000-000000000000.jsonl").write_bytes(body + good if body else b"")
    found = document(run("status", "--json")[1], "status")
    (claude,) = [root for root in found["roots"] if root["runtime"] == "claude"]
    assert claude["partly"] == [{"why": "The line is not JSON.", "count": 3}], "two of these, and one of the archive"
    assert {"why": "empty file", "count": 1} in claude["skipped"]
    assert "  3 searchable but for a part: The line is not JSON." in run("status")[1]
    findings = document(run("doctor", "--json")[1], "doctor")["findings"]
    (told,) = [one for one in findings if one["check"] == "records"]
    assert told["state"] == "note"
    assert told["what"].startswith("3 of ")
    assert told["what"].endswith("records could not be read whole: The line is not JSON.")
    assert "recollect status" in told["hint"]


def test_no_sessions_at_all(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECOLLECT_HOME", str(tmp_path / "own"))
    code, out, _ = run("status")
    assert "No sessions were found" in out
    assert "recollect demo" in out
    assert run("list", "--json")[0] == 1
    code, out, _ = run("--plain")
    assert code == 1
    assert "recollect demo" in out
    assert run("doctor")[0] == 3


@pytest.mark.parametrize(
    ("argv", "what", "hint"),
    [
        (("search", "--limit", "0", "x"), "--limit 0", "--limit 10"),
        (("list", "--limit", "-1"), "--limit -1", "leave it out"),
        (("memory", "list", "--limit", "-1"), "--limit -1", "leave it out"),
        (("search", "--limit", "x", "y"), "invalid int", "--help"),
        (("recall", "--say=--", "x"), "is no value", "--help"),
        (("show", "abc"), "too short", "four"),
        (("show", "ffffffff"), "No record", "recollect list"),
        (("show", "/nowhere/x.jsonl"), "no record", "recollect status"),
        (("--root", "/nowhere", "x"), "no such folder", "sessions"),
        (("schema", "nothing"), "no schema", "recollect-search-v1"),
        (("recall",), "required", "--help"),
        (("--nonsense",), "nonsense", "--help"),
    ],
)
def test_bad_input_exits_2_with_a_hint(home: Path, run: Run, argv: tuple[str, ...], what: str, hint: str) -> None:
    code, out, err = run(*argv)
    assert code == 2
    assert out == ""
    assert what in err
    assert hint in err


def test_an_ambiguous_id_names_the_candidates(home: Path, run: Run) -> None:
    folder = home / ".claude" / "projects" / "-x"
    folder.mkdir()
    for tail in ("1", "2"):
        line = {"type": "user", "uuid": tail, "message": {"role": "user", "content": "hello there"}}
        (folder / f"aaaaaaaa-0000-4000-8000-00000000000{tail}.jsonl").write_text(json.dumps(line) + "\n")
    code, _, err = run("show", "aaaaaaaa")
    assert code == 2
    assert "000000000001" in err
    assert "000000000002" in err


def test_hostile_titles_reach_no_terminal(home: Path, run: Run) -> None:
    """OSC 52, markup and bidi overrides in titles, prompts, folders and branches: readable, and no payload byte."""
    folder = home / ".claude" / "projects" / "-evil"
    folder.mkdir()
    for number, title in enumerate(
        ("copy \x1b]52;c;QUJD\x07 me", "markup [/nope] [b + title", "turn \u202eover\u2066 bidi\u200b\x9b31m")
    ):
        session = f"bbbbbbbb-0000-4000-8000-00000000000{number}"
        base = {"sessionId": session, "cwd": f"/tmp/{title}", "gitBranch": title, "timestamp": "2026-03-01T00:00:00Z"}
        lines = [
            {"type": "custom-title", "customTitle": title, "sessionId": session},
            {**base, "type": "user", "uuid": f"u{number}", "message": {"role": "user", "content": f"hostile {title}"}},
        ]
        (folder / f"{session}.jsonl").write_text("".join(json.dumps(x) + "\n" for x in lines))
    commands = (
        ("search", "hostile"), ("search", "--json", "hostile"), ("search", "--scan", "hostile"), ("recall", "hostile title"),
        ("recall", "--json", "hostile"), ("list",), ("list", "--json"), ("status",), ("status", "--json"), ("doctor",),
        ("show", "bbbbbbbb-0000-4000-8000-000000000000"), ("show", "--json", "bbbbbbbb-0000-4000-8000-000000000002"),
        ("export", "bbbbbbbb-0000-4000-8000-000000000000"), ("export", "--format", "html", "bbbbbbbb-0000-4000-8000-000000000002"),
        ("export", "--format", "json", "bbbbbbbb-0000-4000-8000-000000000002"), ("resume", "bbbbbbbb-0000-4000-8000-000000000000", "--print"),
        ("resume", "bbbbbbbb-0000-4000-8000-000000000000", "--json"), ("index",), ("--plain", "hostile"),
    )  # fmt: skip
    for argv in commands:
        code, out, err = run(*argv)
        assert code in (0, 1), (argv, err)
        for byte in HOSTILE:
            assert byte not in out + err, (argv, byte)
    assert "markup [/nope] [b + title" in run("list")[1]


def test_a_crash_shows_no_session_text(home: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("the secret plan of the session")

    monkeypatch.setattr("core.library.Library.search", broken)
    code, out, err = run("search", "x")
    assert code == 70
    assert "RuntimeError" in err
    assert "secret plan" not in out + err
    assert "recollect doctor" in err


def test_interrupting_exits_130(home: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("core.library.Library.search", stopped)
    assert run("search", "x")[0] == 130


def test_the_demo_leaves_nothing(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    temp = tmp_path / "temp"
    temp.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temp))
    code, out, err = run("demo", "--plain", "frost", "dates")
    assert code == 0
    assert "last frost" in out
    assert "made-up" in err
    assert list(temp.iterdir()) == []
    assert "RECOLLECT_HOME" not in os.environ


def test_the_demo_archive_is_the_same_every_time(tmp_path: Path) -> None:
    write_few(tmp_path / "a")
    write_few(tmp_path / "b")
    one, two = (
        {p.relative_to(tmp_path / n): p.read_bytes() for p in (tmp_path / n).rglob("*") if p.is_file()} for n in "ab"
    )
    assert one == two
    assert len([p for p in one if p.suffix == ".jsonl"]) >= 6


def test_every_command_has_help() -> None:
    text = build_parser().format_help()
    for name in COMMANDS:
        assert name in text


def test_the_help_of_the_program_needs_no_options_of_commands() -> None:
    """What `recollect --help` prints is made at less cost, and is the same."""
    assert build_parser(options=False).format_help() == build_parser().format_help()


@pytest.mark.parametrize("command", COMMANDS)
def test_the_parser_of_one_command_reads_it_as_the_parser_of_all(command: str) -> None:
    """A command makes its own parser alone, which costs less; its help and its options are the same."""

    def help_of(parser: argparse.ArgumentParser) -> str:
        sub = next(a for a in parser._actions if isinstance(a, argparse._SubParsersAction))
        return str(sub.choices[command].format_help())

    assert help_of(build_parser(command)) == help_of(build_parser())


def test_root_reads_only_that_place(home: Path, run: Run, tmp_path: Path) -> None:
    write_few(tmp_path / "other")
    found = document(run("list", "--json", "--root", str(tmp_path / "other" / ".codex"))[1], "list")["records"]
    assert {r["runtime"] for r in found} == {"codex"}
    assert len(found) == 2


def test_a_project_is_a_boundary(home: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    found = document(run("search", "--json", "--project", "/home/sam/code/tide-radio", "retry")[1], "search")
    assert all(h["project"] == "tide-radio" for h in found["hits"])


@pytest.mark.parametrize("chosen", [None, "", "x", "0", "-4", "60", " 61 ", "1_0"])
def test_help_is_as_wide_as_the_library_would_make_it(monkeypatch: pytest.MonkeyPatch, chosen: str | None) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    if chosen is not None:
        monkeypatch.setenv("COLUMNS", chosen)
    assert columns(os.environ) == shutil.get_terminal_size().columns
    monkeypatch.setattr("sys.__stdout__", None)
    assert columns(os.environ) == shutil.get_terminal_size().columns
