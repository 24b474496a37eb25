"""`recollect memory` as a person, a script and a gate use it."""

from __future__ import annotations

import argparse
import io
import json
import os
import signal
import socket
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from core.memory.claim import Claim, new_claim
from core.memory.sink import NOT_PERSISTED
from core.memory.sqlite_store import sqlite_store
from core.memory.view import Held
from tests.core.memory.memories import TOKEN, hashes, served
from tui.cli import main
from tui.memory_grammar import FIELDS, LISTS, MEMORY, option
from tui.parser import build_parser
from tui.verbs.memory_rows import claim_lines, list_line
from tui.verbs.memory_schemas import CLAIM
from tui.verbs.schemas import schemas

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("RECOLLECT_MEMORY_URL", "RECOLLECT_MEMORY_TOKEN", "CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("RECOLLECT_HOME", str(tmp_path / "own"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def answer(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> dict[str, object]:
    assert main([*arguments, "--json"]) == code
    out = capsys.readouterr().out
    assert out.count("\n") == 1
    found: dict[str, object] = json.loads(out)
    Draft202012Validator(schemas()[str(found["schema"])]).validate(found)
    return found


def add(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    done = answer(capsys, "memory", "add", *arguments)
    assert done["persisted"] is True
    return str(done["ids"][0])  # type: ignore[index]


def verb(name: str) -> argparse.ArgumentParser:
    outer = next(a for a in build_parser()._actions if isinstance(a, argparse._SubParsersAction))
    inner = next(a for a in outer.choices["memory"]._actions if isinstance(a, argparse._SubParsersAction))
    found: argparse.ArgumentParser = inner.choices[name]
    return found


def test_every_field_of_a_claim_can_be_given_is_in_help_and_in_the_schema() -> None:
    """A key that cannot be discovered does not exist (design/memory.md 3)."""
    settable = {field.name for field in fields(Claim)} - {"id", "text"}
    assert set(FIELDS) | set(LISTS) == settable
    assert set(CLAIM) == settable | {"id", "text"}
    for name in ("add", "change"):
        text = verb(name).format_help()
        assert all(option(field) in text for field in settable)
    accepted = set(new_claim.__kwdefaults__ or {})
    assert accepted == settable
    document = (ROOT / "docs" / "memory.md").read_text(encoding="utf-8")
    assert all(f"`{field}`" in document for field in (*settable, "id", "text"))


def test_every_verb_has_help(capsys: pytest.CaptureFixture[str]) -> None:
    for name in MEMORY:
        with pytest.raises(SystemExit) as done:
            main(["memory", name, "--help"])
        assert done.value.code == 0
        assert MEMORY[name][:20].lower() in " ".join(capsys.readouterr().out.lower().split())


def test_every_field_arrives(capsys: pytest.CaptureFixture[str]) -> None:
    other = add(capsys, "the other")
    one = add(
        capsys, "We retry three times", "--label", "retries", "--kind", "decision", "--tier", "canonical", "--salience", "80%",
        "--importance", ".7", "--confidence", "0.9", "--namespace", "team", "--source-agent", "ana", "--created-at",
        "2026-01-31T12:00:00Z", "--updated-at", "2026-02-01T13:00:00+01:00", "--soul-source", "docs/P.md#State", "--origin", "mem_x",
        "--tag", "a", "--tag", "b", "--evidence", "commit:0123abc", "--evidence", "/s/x.jsonl:4", "--depends-on", other,
    )  # fmt: skip
    claim = answer(capsys, "memory", "show", one)["claim"]
    assert isinstance(claim, dict)
    assert {k: claim[k] for k in ("label", "kind", "tier", "salience", "importance", "confidence", "namespace", "source_agent")} == {
        "label": "retries", "kind": "decision", "tier": "canonical", "salience": 0.8, "importance": 0.7, "confidence": 0.9,
        "namespace": "team", "source_agent": "ana",
    }  # fmt: skip
    assert (claim["created_at"], claim["updated_at"]) == ("2026-01-31T12:00:00Z", "2026-02-01T12:00:00Z")
    assert (claim["soul_source"], claim["origin"], claim["tags"], claim["depends_on"]) == (
        "docs/P.md#State",
        "mem_x",
        ["a", "b"],
        [other],
    )
    assert claim["evidence"] == [
        {"kind": "commit", "at": "0123abc", "line": None}, {"kind": "record", "at": "/s/x.jsonl", "line": 4}
    ]  # fmt: skip


@pytest.mark.parametrize("given", [("--salience", "90"), ("--confidence", "high"), ("--soul-source", "nothing"), ("--kind", "tombstone"),
                                   ("--created-at", "soon"), ("--evidence", "commit:zz"), ("--supersedes", "12")])  # fmt: skip
def test_a_field_that_cannot_be_is_named_with_its_value(
    given: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["memory", "add", "x", *given]) == 2
    err = capsys.readouterr().err
    assert given[0][2:].replace("-", "_") in err
    assert given[1] in err
    assert "hint: " in err
    assert answer(capsys, "memory", "list", code=1)["count"] == 0


def test_a_persons_way(capsys: pytest.CaptureFixture[str]) -> None:
    """Add, change twice, see the fork, resolve it, forget, restore, read the history."""
    one = add(capsys, "Use UTC everywhere", "--kind", "rule")
    left = str(answer(capsys, "memory", "change", one, "Use UTC in storage")["ids"][0])  # type: ignore[index]
    right = str(answer(capsys, "memory", "change", one[-8:], "Use UTC in logs")["ids"][0])  # type: ignore[index]
    listed = answer(capsys, "memory", "list")
    assert listed["forks"] == [{"of": one, "heads": [left, right]}]
    assert listed["hidden"] == 1
    main(["memory", "list"])
    shown = capsys.readouterr()
    assert "Fork: “Use UTC everywhere” was changed 2 ways" in shown.out
    assert f"--supersedes {right}" in shown.err
    joined = str(answer(capsys, "memory", "change", left, "Use UTC", "--supersedes", right)["ids"][0])  # type: ignore[index]
    listed = answer(capsys, "memory", "list")
    assert (listed["forks"], listed["count"], listed["hidden"]) == ([], 1, 3)
    assert answer(capsys, "memory", "forget", joined, "--why", "wrong", "--by", "ana")["persisted"]
    assert answer(capsys, "memory", "list", code=1)["count"] == 0
    assert answer(capsys, "memory", "list", "--all")["count"] == 4
    assert answer(capsys, "memory", "restore", joined, "--by", "ben")["persisted"]
    main(["memory", "show", joined])
    told = capsys.readouterr().out.split("History, newest first:\n")[1].splitlines()
    assert [line.split()[1] for line in told[:3]] == ["restored", "forgotten", "superseded"]
    assert "by ben" in told[0]
    assert "by ana: wrong" in told[1]


def test_a_search_of_claims_and_its_filters(capsys: pytest.CaptureFixture[str]) -> None:
    add(capsys, "We retry payments three times", "--salience", "1", "--tag", "net")
    add(capsys, "Submarines dive")
    add(capsys, "We retry exports once", "--salience", "0.2")
    found = answer(capsys, "memory", "list", "retries")
    assert [c["text"] for c in found["claims"]] == ["We retry payments three times", "We retry exports once"]  # type: ignore[attr-defined]
    assert answer(capsys, "memory", "list", "--tag", "net")["count"] == 1
    assert answer(capsys, "memory", "list", "zebra", code=1)["count"] == 0
    assert answer(capsys, "memory", "list", "--limit", "2")["count"] == 2


def test_secrets_never_reach_the_disk_or_the_screen(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    secret = "ghp_" + "a1B2" * 9
    done = answer(capsys, "memory", "add", f"the token is {secret}", "--tag", f"x {secret}")
    assert done["masked"] == 2
    assert all(secret.encode() not in path.read_bytes() for path in (home / "own").rglob("*") if path.is_file())
    main(["memory", "add", f"again {secret}"])
    assert "1 secret was masked" in capsys.readouterr().err
    main(["memory", "list"])
    assert secret not in capsys.readouterr().out


def test_hostile_text_steers_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    one = add(capsys, "red \x1b[31m alert \u202e ]\n---\n[x](y)")
    for verb_ in (["list"], ["show", one], ["export", one]):
        assert main(["memory", *verb_]) == 0
        out = capsys.readouterr().out
        assert "\x1b" not in out
        assert "\u202e" not in out


def test_an_owner_that_is_away_queues_with_75_and_is_shown_everywhere(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    monkeypatch.setenv("RECOLLECT_MEMORY_URL", f"http://127.0.0.1:{port}")
    done = answer(capsys, "memory", "add", "waits", code=75)
    assert (done["persisted"], done["error"], done["queued"]) == (False, NOT_PERSISTED, 1)
    assert main(["memory", "add", "waits too"]) == 75
    told = capsys.readouterr()
    assert told.out.startswith(NOT_PERSISTED)
    assert "not at the owner yet" in told.err
    assert answer(capsys, "memory", "drain", code=75)["left"] == 2
    state = answer(capsys, "memory", "status")
    assert (state["owner"], state["reachable"], state["spool"]["waiting"]) == ("http", False, 2)  # type: ignore[index]
    assert answer(capsys, "status")["memory"] == {k: v for k, v in state.items() if k != "schema"}
    assert main(["status"]) == 0
    assert "Spool: 2 waiting" in capsys.readouterr().out
    assert main(["doctor"]) == 3
    assert "2 writes wait in" in capsys.readouterr().out
    listed = answer(capsys, "memory", "list")
    assert [c["queued"] for c in listed["claims"]] == [True, True]  # type: ignore[attr-defined]
    assert listed["away"]
    monkeypatch.delenv("RECOLLECT_MEMORY_URL")
    assert answer(capsys, "memory", "status")["spool"]["elsewhere"] == 2  # type: ignore[index]
    assert main(["doctor"]) == 3
    assert "for an owner that is not configured now" in capsys.readouterr().out
    with served(sqlite_store(tmp_path / "team.db")) as there:
        monkeypatch.setenv("RECOLLECT_MEMORY_URL", there.place)
        monkeypatch.setenv("RECOLLECT_MEMORY_TOKEN", TOKEN)
        assert answer(capsys, "memory", "add", "to another owner")["persisted"] is True
        assert answer(capsys, "memory", "list")["count"] == 1, "what waits for one owner never goes to another"


def test_what_waits_is_taken_along_by_the_next_search(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from core.memory.sink import Memory
    from core.paths import own_places

    add(capsys, "Zeppelins fly on helium")
    Memory.open(own_places(os.environ)).spool.stage([new_claim("Submarines need ballast")])
    assert answer(capsys, "memory", "status")["spool"]["waiting"] == 1  # type: ignore[index]
    hits = answer(capsys, "search", "submarines ballast")["hits"]
    assert [h["matched_by"] for h in hits] == [["memory"]]  # type: ignore[attr-defined]
    assert answer(capsys, "memory", "status")["spool"]["waiting"] == 0  # type: ignore[index]
    cited = home / "own" / "memory" / "claims.jsonl"
    line = next(n for n, text in enumerate(cited.read_text().splitlines(), 1) if "Submarines" in text)
    assert main(["show", f"{cited}:{line}"]) == 0
    assert "Submarines need ballast" in capsys.readouterr().out


def test_reading_commands_leave_every_byte_of_the_memory(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = add(capsys, "read me", "--kind", "rule")
    answer(capsys, "memory", "change", one, "read me again")
    from core.memory.sink import Memory
    from core.paths import own_places

    Memory.open(own_places(os.environ)).spool.stage([new_claim("waits")])
    before, names = hashes(home / "own" / "memory"), sorted(map(str, (home / "own" / "memory").rglob("*")))
    for arguments in (
        ["list"],
        ["list", "read"],
        ["list", "--all"],
        ["show", one],
        ["status"],
        ["export", one],
        ["export", "-o", "out"],
    ):
        assert main(["memory", *arguments]) == 0
        assert hashes(home / "own" / "memory") == before
    assert main(["doctor"]) == 3
    assert sorted(map(str, (home / "own" / "memory").rglob("*"))) == names
    assert hashes(home / "own" / "memory") == before


def test_a_memory_goes_through_git_and_comes_back(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    one = add(capsys, "first\n---\nwords", "--soul-source", "docs/P.md#S")
    two = str(answer(capsys, "memory", "change", one, "other words")["ids"][0])  # type: ignore[index]
    answer(capsys, "memory", "forget", two, "--why", "no")
    files = answer(capsys, "memory", "export", "--output", "out")["files"]
    assert len(files) == 3  # type: ignore[arg-type]
    again = answer(capsys, "memory", "export", "--output", "out")
    assert (again["files"], again["unchanged"]) == ([], 3)
    monkeypatch.setenv("RECOLLECT_HOME", str(home / "second"))
    assert answer(capsys, "memory", "import", "out")["persisted"] is True
    assert answer(capsys, "memory", "import", "out")["persisted"] is True
    listed = answer(capsys, "memory", "list", "--all")
    assert [(c["id"], c["standing"]) for c in listed["claims"]] == [(two, "forgotten"), (one, "superseded")]  # type: ignore[attr-defined]
    answer(capsys, "memory", "export", "--output", "out2")
    assert hashes(home / "out") == hashes(home / "out2")
    file = next(p for p in (home / "out").iterdir() if "first" in p.name)
    file.write_text(file.read_text().replace("words", "lies"))
    assert main(["memory", "import", str(file)]) == 2
    assert "a claim never changes" in capsys.readouterr().err
    assert main(["memory", "import", "nowhere.md"]) == 2
    assert main(["memory", "import", "nowhere.jsonl"]) == 2
    copy = Path(os.environ["RECOLLECT_HOME"]) / "memory" / "claims.jsonl"
    monkeypatch.setenv("RECOLLECT_HOME", str(home / "third"))
    capsys.readouterr()
    assert answer(capsys, "memory", "list", code=1)["claims"] == []
    assert answer(capsys, "memory", "import", str(copy))["persisted"] is True
    assert answer(capsys, "memory", "list", "--all")["claims"]
    assert main(["memory", "export"]) == 2


def test_a_claim_from_stdin_and_from_a_recall(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("über\nzwei Zeilen\n".encode())))
    one = add(capsys, "-")
    assert answer(capsys, "memory", "show", one)["claim"]["text"] == "über\nzwei Zeilen"  # type: ignore[index]
    story = [{"text": "It was three.", "cite": {"path": "/s/x.jsonl", "line": 7}}]
    document = {
        "schema": "recollect-recall-v1", "rounds": [{"story": story}], "outcome": {"kind": "identified", "recalled": {"title": "the budget"}}
    }  # fmt: skip
    Path("recall.json").write_text(json.dumps(document))
    two = add(capsys, "--from-recall", "recall.json", "--tag", "mine")
    claim = answer(capsys, "memory", "show", two)["claim"]
    assert (claim["text"], claim["tags"]) == ("It was three.", ["mine", "recalled"])  # type: ignore[index]
    assert claim["evidence"] == [{"kind": "record", "at": "/s/x.jsonl", "line": 7}]  # type: ignore[index]
    Path("recall.json").write_text("{")
    assert main(["memory", "add", "--from-recall", "recall.json"]) == 2


def test_a_recall_is_kept_only_once_it_is_identified(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = home / ".claude" / "projects" / "-tmp-shop" / "3f2a1111-2222-4333-8444-555566667777.jsonl"
    file.parent.mkdir(parents=True)
    row = {"type": "user", "sessionId": file.stem, "cwd": "/tmp/shop", "timestamp": "2026-05-01T10:00:00Z", "uuid": "u",
           "message": {"role": "user", "content": "how many attempts does the retry budget allow"}}  # fmt: skip
    file.write_text(json.dumps(row) + "\n")
    assert main(["recall", "retry budget", "--keep"]) == 2
    assert "Nothing was identified" in capsys.readouterr().err
    assert main(["recall", "retry budget attempts", "--say", "that's it", "--keep"]) == 0
    assert "Kept in memory: " in capsys.readouterr().err
    (claim,) = answer(capsys, "memory", "list")["claims"]  # type: ignore[misc]
    assert claim["evidence"] == [{"kind": "record", "at": str(file), "line": 1}]


def test_the_contract_prints_its_gate(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["memory", "contract"]) == 0
    out = capsys.readouterr().out
    assert out.endswith("GATE PASS\n")
    assert out.count("  ok    ") == 10
    assert answer(capsys, "memory", "contract")["gate"] == "PASS"
    assert answer(capsys, "memory", "list", code=1)["count"] == 0
    with served(sqlite_store(tmp_path / "team.db")) as there:
        assert main(["memory", "contract", "--url", there.place]) == 1
        assert capsys.readouterr().out.endswith("GATE FAIL\n"), "without the token"


@pytest.mark.parametrize(
    "bad", [["--host", "0.0.0.0"], ["--store", "mysql://x"], ["--port", "70000"], ["--token-file", "none"], ["--store", "sqlite:/no/where/x.db"]]
)  # fmt: skip
def test_serve_says_what_cannot_be(bad: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["memory", "serve", *bad]) == 2
    assert "hint: " in capsys.readouterr().err


def test_serve_is_an_owner_until_it_is_interrupted(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "token").write_text(TOKEN + "\n")
    command = [sys.executable, "-m", "tui.cli", "memory", "serve", "--port", "0", "--token-file", str(home / "token"), "--json",
               "--store", f"sqlite:{home / 'team.db'}"]  # fmt: skip
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env) as server:
        assert server.stdout is not None
        said = json.loads(server.stdout.readline())
        Draft202012Validator(schemas()["recollect-memory-serve-v1"]).validate(said)
        monkeypatch.setenv("RECOLLECT_MEMORY_URL", said["address"])
        monkeypatch.setenv("RECOLLECT_MEMORY_TOKEN", TOKEN)
        assert main(["memory", "contract"]) == 0
        capsys.readouterr()
        add(capsys, "shared with the team")
        server.send_signal(signal.SIGINT)
        _, err = server.communicate(timeout=60)
    assert err == ""
    assert server.returncode in (0, 130)


def test_a_claim_of_unknown_age_is_said_to_be_that_in_a_list() -> None:
    assert "  age unknown fact       one" in list_line(Held(new_claim("one")))
    assert "  2026-01-31  fact       one" in list_line(Held(new_claim("one", created_at=1769860800)))
    assert "identified 1 time\n" in "\n".join(claim_lines(Held(new_claim("one"), uses=1))) + "\n"
