"""`recollect settings`: what is in force and why, and one value written or taken out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from tui.cli import main
from tui.verbs.schemas import schemas


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RECOLLECT_HOME", str(tmp_path / "own"))
    for name in ("RECOLLECT_MEMORY_URL", "RECOLLECT_MEMORY_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path / "own" / "settings.toml"


def answer(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert main(["settings", *words, "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    Draft202012Validator(schemas()[found["schema"]]).validate(found)
    return found


def test_every_setting_is_listed_with_its_source(
    path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["settings"]) == 0
    out = capsys.readouterr().out
    assert f"{path} (not there" in out
    assert "roots." not in out, "seventeen lines that say nothing"
    assert not path.exists()
    monkeypatch.setenv("NO_MOTION", "1")
    found = answer(capsys)
    assert (found["exists"], found["path"]) == (False, str(path))
    rows = {row["key"]: row for row in found["settings"]}
    assert rows["app.motion"] | {"value": False, "source": "environment", "variable": "NO_MOTION"} == rows["app.motion"]
    assert rows["app.theme"]["allowed"] == ["auto", "dark", "light", "contrast", "ansi"]
    assert rows["roots.claude"]["value"] == []


def test_a_value_is_set_shown_as_a_difference_and_taken_out(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["settings", "set", "app.theme", "dark"]) == 0
    assert capsys.readouterr().out == f'+ [app]\n+ theme = "dark"\nin {path}\n'
    found = answer(capsys, "set", "app.theme", "light")
    assert found["difference"] == ['- theme = "dark"', '+ theme = "light"']
    assert found["setting"]["value"] == "light"
    assert main(["settings", "set", "app.theme", "light"]) == 0
    assert "Nothing changed" in capsys.readouterr().out
    assert answer(capsys, "unset", "app.theme")["setting"]["source"] == "default"
    assert main(["settings", "set", "roots.claude", "/a", "/b"]) == 0
    assert "recollect index" in capsys.readouterr().out
    assert main(["settings"]) == 0
    assert "roots.claude       /a, /b   set" in capsys.readouterr().out


def test_a_variable_that_wins_is_said(
    path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_MOTION", "1")
    assert main(["settings", "set", "app.motion", "true"]) == 0
    assert "NO_MOTION is set and wins" in capsys.readouterr().out
    monkeypatch.setenv("RECOLLECT_MEMORY_TOKEN", "not-for-anybody")
    assert main(["settings"]) == 0
    assert "not-for-anybody" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("set", "app.them", "dark"), "app.theme"),
        (("set", "app.theme", "pink"), "contrast"),
        (("set", "keys.resum", "f10"), "“resume”"),
        (("set", "keys.resume", "ctrl+h"), "backspace"),
        (("set", "memory.url", "ftp://x"), "owner's address"),
        (("set", "memory.url", "http://ana:word@host/"), "memory.token_file"),
        (("unset", "nothing"), "is no setting"),
        (("change", "x"), "--help"),
    ],
)
def test_what_cannot_be_is_said(
    path: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], said: str
) -> None:
    assert main(["settings", *words]) == 2
    told = capsys.readouterr()
    assert said in told.err
    assert "hint:" in told.err
    assert told.out == ""
    assert not path.exists()


def test_keys_that_cannot_be_are_said_by_the_list_too(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path.parent.mkdir()
    path.write_text('[keys]\nresume = "f1"\n')
    assert main(["settings"]) == 2
    assert "is the key of “help”" in capsys.readouterr().err
    path.write_text('[keys]\nresume = "f10"\n')
    assert main(["settings"]) == 0
    assert "keys.resume" in capsys.readouterr().out
