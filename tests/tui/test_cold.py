"""The first answer before there is an index: a name is found in the conversations, anything else waits for the index."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tui.cli import main


def _session(home: Path, number: int, asked: str, answered: str, tool: str = "") -> Path:
    identity = f"{number:08d}-0000-4000-8000-000000000000"
    folder = home / ".claude" / "projects" / "-code-pay"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{identity}.jsonl"
    base = {"sessionId": identity, "cwd": "/code/pay", "version": "2.1.0"}
    rows: list[dict[str, Any]] = [
        {"type": "user", "uuid": f"u{number}", "timestamp": f"2026-03-{1 + number % 27:02d}T10:00:00Z", **base,
         "message": {"role": "user", "content": asked}},
    ]  # fmt: skip
    if tool:
        result = [{"type": "tool_result", "tool_use_id": "t1", "content": tool}]
        rows.append({"type": "user", "uuid": f"r{number}", "timestamp": "2026-03-01T10:00:30Z", **base,
                     "message": {"role": "user", "content": result}})  # fmt: skip
    rows.append({"type": "assistant", "uuid": f"a{number}", "timestamp": f"2026-03-{1 + number % 27:02d}T10:01:00Z", **base,
                 "message": {"role": "assistant", "content": [{"type": "text", "text": answered}]}})  # fmt: skip
    path.write_text("".join(json.dumps(r) + "\n" for r in rows), encoding="utf-8")
    return path


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RECOLLECT_HOME", str(tmp_path / "own"))
    home = tmp_path / "home"
    for number in range(20):
        _session(home, number, f"please look at the ledger, part {number}", "I looked at the ledger and it balances.")
    _session(home, 50, "why does zuvrak4411 fail in the retry budget?", "The budget was spent by zuvrak4411 twice.")
    _session(home, 51, "run the exporter", "The exporter ran.", tool="done, kolmith7722 written")
    return home


def _recall(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[dict[str, Any], str]:
    main(["recall", *argv, "--json"])
    captured = capsys.readouterr()
    return json.loads(captured.out)["rounds"][-1], captured.err


def _index(tmp_path: Path) -> bool:
    return any((tmp_path / "own" / "index").rglob("*.seg"))


def test_a_name_is_told_from_its_conversation_before_there_is_an_index(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told, err = _recall(capsys, "zuvrak4411")
    assert told["kind"] == "present"
    assert told["recognizable"]["members"][0]["session_id"].startswith("00000050")
    assert any("zuvrak4411" in c["cite"]["quote"] for c in told["story"])
    assert told["searched"][0]["by_scan"] == 22
    assert "no index yet" in err
    assert not _index(tmp_path)


def test_other_words_beside_the_name_do_not_need_to_match(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told, _ = _recall(capsys, "that", "nonsense", "about", "zuvrak4411")
    assert told["recognizable"]["members"][0]["session_id"].startswith("00000050")
    assert not _index(tmp_path)


@pytest.mark.parametrize("cue", ["kolmith7722", "the session where the ledger balanced", "ledger"])
def test_what_names_do_not_decide_waits_for_the_index(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], cue: str
) -> None:
    _recall(capsys, cue)
    assert _index(tmp_path)


def test_filters_and_later_turns_hold_without_an_index(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told, _ = _recall(capsys, "zuvrak4411", "agent:codex")
    assert told["kind"] != "present"
    told, _ = _recall(capsys, "zuvrak4411", "--say", "that's it")
    assert told["kind"] == "present"


def test_with_an_index_nothing_is_scanned(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["index"])
    capsys.readouterr()
    told, err = _recall(capsys, "zuvrak4411")
    assert told["recognizable"]["members"][0]["session_id"].startswith("00000050")
    assert told["searched"][0]["by_scan"] == 0
    assert "no index yet" not in err


def test_where_nothing_is_found_a_person_hears_that_meanings_were_not_read(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told, err = _recall(capsys, "quxplenty", "wibblefrotz")
    assert told["kind"] != "present"
    assert "recollect index --meanings" in err
