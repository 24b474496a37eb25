"""Values that JSON allows and no runtime writes: none takes the conversation around it away, none breaks the program."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from core.records.amp import AmpAdapter
from core.records.archive import Archive
from core.records.claude import ClaudeAdapter
from core.records.claude_lines import ClaudeParser
from core.records.cline import ClineAdapter
from core.records.codex import CodexAdapter
from core.records.crush import CrushAdapter
from core.records.documents import places
from core.records.gemini import GeminiAdapter
from core.records.homes import roots_of
from core.records.lines import json_line, seconds
from core.records.looks import Looked
from core.records.model import Channel, Origin, ReadProblem, Role, Root, Source, Spine, Turn
from core.records.opencode import OpenCodeAdapter
from core.records.sidecars import sidecar
from tests.core.records.builders import SID, lines, persons, source, user
from tests.core.records.stores import checked, crush, listed, message, opencode, said_by, session, text

HUGE = 10**400
DEEP = [300, 600, 990]


def nested(levels: int, inside: str = '"deep"') -> str:
    """JSON of a list in a list in a list."""
    return "[" * levels + inside + "]" * levels


@pytest.mark.parametrize("value", [HUGE, -HUGE, float("inf"), float("nan"), 1e308])
def test_a_number_too_large_for_a_time_is_none(value: float) -> None:
    assert seconds(value) is None


def test_a_time_of_hundreds_of_digits_leaves_the_words(tmp_path: Path) -> None:
    record = source(tmp_path / f"{SID}.jsonl", "claude", lines(user("go on", timestamp=HUGE), user("and stop")))
    assert persons(ClaudeAdapter().read(record)) == ["go on", "and stop"]


def test_such_a_time_orders_the_messages_of_small_files_too(tmp_path: Path) -> None:
    for place, body in {
        "session/p/ses_1.json": {"id": "ses_1"},
        "message/ses_1/msg_1.json": said_by("user") | {"time": {"created": HUGE}},
        "part/msg_1/prt_1.json": text("go"),
    }.items():
        file = tmp_path / "storage" / place
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(body))
    (record,) = listed(OpenCodeAdapter(), tmp_path)
    assert [turn.text for turn in checked(OpenCodeAdapter(), record)] == ["go"]


@pytest.mark.parametrize("levels", DEEP)
def test_a_document_keeps_its_words_around_a_value_of_many_levels(tmp_path: Path, levels: int) -> None:
    """A tool's input may be nested as deep as it likes: the document's own words stand at the lines they stand at."""
    odd = nested(levels)
    bodies = {
        GeminiAdapter(): (
            "tmp/p/chats/session-1.json",
            (
                f'{{"messages":[\n{{"type":"gemini","content":"so","toolCalls":[{{"args":{odd},"result":{odd}}}]}},\n'
                '{"type":"user","content":"go"}]}'
            ),
        ),
        AmpAdapter(): (
            "threads/T-1.json",
            (
                f'{{"messages":[\n{{"role":"assistant","content":[{{"type":"tool_use","input":{odd}}},'
                '{"type":"text","text":"so"}]},\n{"role":"user","content":"go"}]}'
            ),
        ),
        ClineAdapter(): (
            "tasks/1/ui_messages.json",
            f'[{{"say":"task","text":"go"}},\n{{"say":"text","odd":{odd},"text":"so"}}]',
        ),
    }
    for adapter, (place, body) in bodies.items():
        file = tmp_path / adapter.runtime / place
        file.parent.mkdir(parents=True)
        file.write_text(body)
        (record,) = listed(adapter, tmp_path / adapter.runtime)
        rows = body.split("\n")
        told = [turn for turn in adapter.read(record, talk_only=True) if turn.text in ("go", "so")]
        assert sorted(turn.text for turn in told) == ["go", "so"]
        assert all(f'"{turn.text}"' in rows[turn.line - 1] for turn in told)
        assert all(turn in adapter.at(record, turn.line, turn.start) for turn in told)


def test_what_lies_too_deep_shifts_no_other_place() -> None:
    raw = f'{{"a":{nested(200, json.dumps({"k": "v"}))},"b":"here"}}'.encode()
    shape = places(raw, json.loads(raw))
    assert raw[shape["b"] :] == b'"here"}'


@pytest.mark.parametrize("levels", DEEP)
def test_a_database_keeps_its_words_around_a_value_of_many_levels(tmp_path: Path, levels: int) -> None:
    odd = nested(levels)
    with opencode(tmp_path / "opencode", "delete") as connection:
        session(connection, "ses_1")
        message(
            connection, "msg_1", "ses_1", said_by("assistant"), f'{{"type":"tool","state":{{"input":{odd}}}}}', text("so")
        )  # fmt: skip
    with crush(tmp_path / "crush") as other:
        other.execute("insert into sessions values ('c1', null, 't', 1, 1772359200, 1772359200)")
        parts = f'[{{"type":"tool_call","data":{{"input":{odd}}}}},{{"type":"text","data":{{"text":"so"}}}}]'
        other.execute("insert into messages values ('1', 'c1', 'assistant', ?, null, 1, 1, 1)", (parts,))
    for adapter in (OpenCodeAdapter(), CrushAdapter()):
        (record,) = listed(adapter, tmp_path / adapter.runtime)
        assert [turn.text for turn in adapter.read(record) if turn.text == "so"] == ["so"]


def test_bytes_in_any_column_of_a_database_are_read_as_text(tmp_path: Path) -> None:
    with opencode(tmp_path / "opencode", "delete") as connection:
        session(connection, "ses_1")
        message(connection, "msg_1", "ses_1", said_by("user"), text("go"))
        connection.execute("update session set title = ?, time_created = ?", (b"till \xff", b"\x00"))
        connection.execute("update part set data = cast(data as blob)")
    with crush(tmp_path / "crush") as other:
        other.execute("insert into sessions values (?, null, ?, 1, ?, 1)", ("c1", b"till \xff", b"soon"))
        parts = b'[{"type":"text","data":{"text":"go"}}]'
        other.execute("insert into messages values ('1', 'c1', 'user', ?, ?, 1, 1, 1)", (parts, b"\xfe"))
    for adapter in (OpenCodeAdapter(), CrushAdapter()):
        (record,) = listed(adapter, tmp_path / adapter.runtime)
        spine = adapter.spine(record)
        assert isinstance(spine, Spine)
        assert spine.title == "till \ufffd"
    assert [turn.text for turn in OpenCodeAdapter().read(listed(OpenCodeAdapter(), tmp_path / "opencode")[0])] == ["go"]


def test_a_line_of_many_levels_is_the_same_however_deep_the_caller_is() -> None:
    value = json.loads(nested(900))

    def below(calls: int) -> bytes:
        return json_line(value) if not calls else below(calls - 1)

    assert below(1) == below(600)


@pytest.mark.parametrize("path", ["/x/\0y", "/x/\ud83d"])
def test_a_path_that_names_no_file_anywhere_is_passed_over(tmp_path: Path, path: str) -> None:
    crush(tmp_path / "there").close()
    projects = [{"path": path}, {"path": "/x", "data_dir": path}, {"path": str(tmp_path), "data_dir": "there"}]
    (tmp_path / "projects.json").write_text(json.dumps({"projects": projects}))
    assert listed(CrushAdapter(), tmp_path) == []
    settings = tmp_path / ".pi/agent/settings.json"
    settings.parent.mkdir(parents=True)
    settings.write_text(json.dumps({"sessionDir": path}))
    assert all(root.configured != "settings" for root in roots_of("pi", {}, str(tmp_path)))
    assert sidecar(path) == {}


def test_a_lost_session_whose_id_is_no_text_is_listed(tmp_path: Path) -> None:
    row = {"session_id": "s\ud83d/1", "text": "mend the till", "ts": 1_772_359_200}
    (tmp_path / "history.jsonl").write_text(json.dumps(row) + "\n")
    (ghost,) = listed(CodexAdapter(), tmp_path)
    assert ghost.session_id == "s?/1"
    assert persons(CodexAdapter().read(ghost)) == ["mend the till"]


def test_a_damaged_compressed_record_hides_no_lost_prompt(tmp_path: Path) -> None:
    """A row of the history without a session is compared with the records of its project, one of which is damaged."""
    folder = tmp_path / "projects/-home-dev-shop"
    folder.mkdir(parents=True)
    (folder / f"{SID}.jsonl.zst").write_bytes(b"\x28\xb5\x2f\xfdgarbage")
    row = {"display": "mend the till", "timestamp": 1_700_000_000_000, "project": "/home/dev/shop"}
    (tmp_path / "history.jsonl").write_text(json.dumps(row) + "\n")
    found = [one for one in ClaudeAdapter().discover(Root("claude", str(tmp_path))) if isinstance(one, Source)]
    (ghost,) = [one for one in found if one.role is Role.GHOST]
    assert persons(ClaudeAdapter().read(ghost)) == ["mend the till"]


UNFORESEEN = [TypeError("the secret plan"), KeyError("x"), RecursionError(), OverflowError(), AttributeError("y")]


@pytest.mark.parametrize("error", UNFORESEEN, ids=lambda error: type(error).__name__)
def test_a_value_that_nobody_foresaw_costs_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    record = source(tmp_path / f"{SID}.jsonl", "claude", lines(user("one"), user("two"), user("three")))
    real = ClaudeParser.turns

    def breaking(self: ClaudeParser, record: dict[str, Any], line: int, start: int, end: int) -> Sequence[Turn]:
        if line == 2:
            raise error
        return real(self, record, line, start, end)

    monkeypatch.setattr(ClaudeParser, "turns", breaking)
    reading = ClaudeAdapter().read(record)
    told = list(reading)
    assert [turn.text for turn in told if turn.origin is Origin.PERSON] == ["one", "three"]
    (notice,) = [turn.text for turn in told if turn.channel is Channel.NOTICE]
    assert notice.startswith("{")  # a viewer shows the line
    assert (reading.tally.lines, reading.tally.skipped_lines, reading.mark.line) == (3, 1, 3)
    (problem,) = reading.problems
    assert problem.line == 2
    assert type(error).__name__ in problem.what
    assert "test_odd_values.py:" in problem.what  # where the program broke
    assert "secret" not in problem.what + problem.hint


def test_such_a_value_costs_its_document(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: object) -> tuple[Turn, ...]:
        raise TypeError

    monkeypatch.setattr("core.records.document_reading.DocumentReading._load", broken)
    place = tmp_path / "T-1.json"
    place.write_text(json.dumps({"id": "T-1", "messages": []}))
    reading = AmpAdapter().read(Source("amp", str(tmp_path), "T-1", str(place), 1, 1))
    assert list(reading) == []
    assert [problem.line for problem in reading.problems] == [None]
    assert reading.tally.lines == 0


def test_such_a_value_costs_a_listing_what_comes_after_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was listed is kept, the root counts as listed in part, and other roots are listed."""
    for folder in (".claude/projects/p", ".pi/agent/sessions/p"):
        (tmp_path / folder).mkdir(parents=True)
    source(tmp_path / f".claude/projects/p/{SID}.jsonl", "claude", lines(user("one")))
    source(tmp_path / ".pi/agent/sessions/p/2025-01-01_s.jsonl", "pi", b"{}\n")
    real = ClaudeAdapter.discover

    def broken(self: ClaudeAdapter, root: Root, looked: Looked | None = None) -> Iterator[Source | ReadProblem]:
        yield from real(self, root, looked)
        raise IndexError

    monkeypatch.setattr(ClaudeAdapter, "discover", broken)
    found = Archive.from_environment({}, str(tmp_path)).discover(looking=True)
    assert sorted(one.runtime for one in found.sources) == ["claude", "pi"]
    assert ["IndexError" in problem.what for problem in found.problems] == [True]
    assert not any(path.endswith(".claude") for path in found.complete_roots)
    assert found.look == b""


def test_such_a_value_is_a_problem_of_the_head_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> Spine:
        raise TypeError

    record = source(tmp_path / f".claude/projects/p/{SID}.jsonl", "claude", lines(user("one")))
    archive = Archive.from_environment({}, str(tmp_path))
    monkeypatch.setattr(ClaudeAdapter, "spine", broken)
    monkeypatch.setattr(ClaudeAdapter, "at", broken)
    assert isinstance(archive.spine(record), ReadProblem)
    assert archive.at(record, 1, 0) == ()
    assert [turn.text for turn in archive.read(record)] == ["one"]
