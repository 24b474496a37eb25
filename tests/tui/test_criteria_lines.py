"""The interface criteria of design/ux.md that concern commands and lines, each a test named after it."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from tests.few import write_few
from tui.cli import main
from tui.compose import Options
from tui.verbs.opening import wants_plain
from tui.verbs.schemas import schemas

CUE = "retry budget for the payment client"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Nine made-up records, and a folder of our own."""
    monkeypatch.setenv("RECOLLECT_HOME", str(tmp_path / "own"))
    for name in ("RECOLLECT_MEMORY_URL", "RECOLLECT_MEMORY_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    write_few(Path(os.environ["HOME"]))
    return tmp_path


class Screen(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("plain", "term", "terminal", "lines"),
    [
        (False, "xterm", True, False),
        (True, "xterm", True, True),
        (False, "dumb", True, True),
        (False, "", True, True),
        (False, "xterm", False, True),
    ],
)
def test_u18_the_dialogue_is_held_in_lines_where_no_app_can_be_drawn(
    monkeypatch: pytest.MonkeyPatch, plain: bool, term: str, terminal: bool, lines: bool
) -> None:
    for name in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(sys, name, Screen() if terminal or name == "stderr" else io.StringIO())
    assert wants_plain(Options(plain=plain), {"TERM": term}) is lines


def test_u18_the_same_dialogue_as_lines_without_one_escape_byte(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["recall", CUE, "--say", "that's it", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    monkeypatch.setattr(sys, "stdin", io.StringIO("that's it\n"))
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert main(["--plain", CUE]) == 0
    out, err = capsys.readouterr()
    assert told["outcome"]["kind"] == "identified"
    said = " ".join(out.split())
    for sentence in told["rounds"][0]["story"]:
        assert " ".join(sentence["cite"]["quote"].split())[:24] in said, "each source is quoted in both"
    assert not {c for c in out + err if not c.isprintable() and c != "\n"}


def test_u19_help_version_and_json_load_no_screen_and_no_engine(home: Path) -> None:
    """What a command loads before its own work, in one interpreter after the other command."""
    code = """
import sys
from tui.cli import main
for words in (["--version"], ["--help"], ["search", "--help"], ["schema"], ["settings", "--json"], ["memory", "status", "--json"]):
    try:
        main(words)
    except SystemExit:
        pass
    heavy = sorted({name.partition(".")[0] for name in sys.modules} & {"textual", "rich", "whoosh", "numpy", "watchfiles", "tree_sitter"})
    sys.stderr.write(f"{words}: {heavy}\\n")
    assert not heavy, (words, heavy)
"""
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=root, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stderr.count(": []") == 6


def test_u21_a_setting_is_written_with_its_difference_and_taken_back(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = home / "own" / "settings.toml"
    path.parent.mkdir()
    path.write_text("# mine\n[records]\ncommits = 5 # few\n")
    before = path.read_bytes()
    assert main(["settings", "set", "app.motion", "false"]) == 0
    assert "+ motion = false" in capsys.readouterr().out
    assert main(["settings", "unset", "app.motion"]) == 0
    assert "- motion = false" in capsys.readouterr().out
    assert path.read_bytes() == before


def test_u21_forgetting_is_taken_back_and_an_export_writes_over_nothing(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["memory", "add", "Retries stop after ten percent", "--json"]) == 0
    id_ = json.loads(capsys.readouterr().out)["ids"][0]
    for verb, count in (("forget", 0), ("restore", 1)):
        assert main(["memory", verb, id_, "--why", "a slip"]) == 0
        capsys.readouterr()
        main(["memory", "list", "--json"])
        assert json.loads(capsys.readouterr().out)["count"] == count
    main(["search", CUE, "--json"])
    session = json.loads(capsys.readouterr().out)["hits"][0]["session_id"]
    target = home / "there.md"
    target.write_text("mine")
    assert main(["export", session, "-o", str(target)]) != 0
    assert "hint:" in capsys.readouterr().err
    assert target.read_text() == "mine"


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("search", CUE), 0),
        (("search", "zzqqxx"), 1),
        (("recall", CUE, "--say", "that's it"), 0),
        (("list",), 0),
        (("status",), 0),
        (("doctor",), 0),
        (("settings",), 0),
        (("memory", "list"), 1),
    ],
)
def test_u23_json_is_one_documented_object_on_stdout(
    home: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], code: int
) -> None:
    assert main([*words, "--json"]) == code
    out = capsys.readouterr().out
    assert out.count("\n") == 1, "one object on one line and nothing beside it"
    document = json.loads(out)
    Draft202012Validator(schemas()[document["schema"]]).validate(document)


def test_u23_the_exit_code_tells_usage_queued_and_interrupted(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["search", "--limit", "none", "x", "--json"]) == 2
    told = capsys.readouterr()
    assert told.out == "", "what went wrong is no data"
    assert "hint:" in told.err
    monkeypatch.setenv("RECOLLECT_MEMORY_URL", "http://127.0.0.1:9")
    assert main(["memory", "add", "waits", "--json"]) == 75
    told = capsys.readouterr()
    assert json.loads(told.out)["persisted"] is False
    assert told.err

    def stop(*_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("tui.verbs.settings.settings", stop)
    assert main(["settings", "--json"]) == 130
    assert capsys.readouterr().out == ""
