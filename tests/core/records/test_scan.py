"""The exact scan of whole bodies: every place, every way a text can be written down, verified hits only."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.ports import Progress
from core.records import bodies
from core.records import scan as scanning
from core.records.archive import Archive
from core.records.lines import zstd
from core.records.model import Channel
from core.records.needles import needle
from core.records.scan import ScanHit, scan
from tests.core.records.builders import (
    OTHER,
    SID,
    assistant,
    codex,
    item,
    line,
    lines,
    meta,
    prompted,
    text,
    tool_result,
    tool_use,
    user,
)


class Home:
    """A home folder with records in it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def claude(self, *records: object, sid: str = SID) -> Path:
        return self.put(f".claude/projects/p/{sid}.jsonl", lines(*records))

    def put(self, name: str, body: bytes) -> Path:
        place = self.path / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(body)
        return place

    def scan(self, *needles: str) -> list[ScanHit]:
        archive = Archive.from_environment({}, str(self.path))
        return list(scan(archive, archive.discover().sources, needles))


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def texts(hits: Sequence[ScanHit]) -> list[str]:
    return [hit.turn.text for hit in hits]


def test_a_word_that_each_line_says_of_itself_is_found_in_the_one_turn_that_says_it(home: Home) -> None:
    """A project's name stands in the folder of every line: however many lines there are, each is looked at."""
    own = {"cwd": "/home/me/payments", "gitBranch": "payments"}
    few = [user(f"word {n}", uuid=f"u{n}", **own) for n in range(700)]
    home.claude(*few, user([tool_result("the zebra stands in payments")], uuid="last", **own))
    (hit,) = home.scan("payments")
    assert (hit.line, hit.turn.text) == (701, "the zebra stands in payments")
    assert [hit.line for hit in home.scan("payments", "zebra")] == [701]
    home.claude(*few, sid=OTHER)
    assert [hit.line for hit in home.scan("payments")] == [701]


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("überprüfung", "Überprüfung"), ("привет", "Привет"), ("ПРИВЕТ", "Привет"), ("Привет", "ПРИВЕТ"),
        ("änderungs übersicht", "Änderungs Übersicht"), ("éclair", "ÉCLAIR"), ("größe", "Größe"),
        ("cafe\u0301", "cafe\u0301"), ("caf\u00e9", "cafe\u0301"), ("cafe\u0301", "Caf\u00e9"), ("각", "\u1100\u1161\u11a8"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("escaped", [False, True])
def test_a_word_beyond_ascii_is_found_in_its_spellings(home: Home, typed: str, written: str, escaped: bool) -> None:
    row = user(f"the word {written} stands here")
    home.put(f".claude/projects/p/{SID}.jsonl", json.dumps(row, ensure_ascii=escaped).encode() + b"\n")
    assert texts(home.scan(typed)) == [f"the word {written} stands here"]


def test_every_part_of_a_record_is_searched(home: Home) -> None:
    home.claude(
        user("prompt alpha"),
        assistant({"type": "thinking", "thinking": "thought beta"}, tool_use("Bash", {"command": "echo gamma"})),
        user([tool_result("result delta")], toolUseResult={"stdout": "", "stderr": "warning epsilon"}),
        {"type": "custom-title", "customTitle": "title zeta"},
        b"torn eta {\n",
    )
    for word in ("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta"):
        (hit,) = home.scan(word)[-1:]
        assert word in hit.turn.text
        assert (hit.line, hit.start) == (hit.turn.line, hit.turn.start)


def test_case_of_ascii_letters_does_not_matter(home: Home) -> None:
    home.claude(user("The Cache is COLD"))
    assert texts(home.scan("cache IS cold")) == ["The Cache is COLD"]


@pytest.mark.parametrize("ascii_only", [False, True])
@pytest.mark.parametrize(
    "words",
    [
        'say "hi"',
        "C:\\Users\\dev",
        "two\nlines",
        "認証トークン",
        "caf\u00e9 cr\u00e8me",
        "tab\there",
        "😀 smile",
        "a/b/c",
    ],
)
def test_a_text_is_found_however_it_is_written_down(home: Home, words: str, ascii_only: bool) -> None:
    body = json.dumps(user(f"before {words} after"), ensure_ascii=ascii_only).encode() + b"\n"
    home.put(f".claude/projects/p/{SID}.jsonl", body)
    nested = codex(
        "response_item",
        {"type": "function_call_output", "output": json.dumps({"output": words}, ensure_ascii=ascii_only)},
    )
    home.put(
        f".codex/sessions/2026/01/01/rollout-{OTHER}.jsonl",
        lines(meta(id=OTHER)) + json.dumps(nested, ensure_ascii=ascii_only).encode() + b"\n",
    )
    assert {hit.source.runtime for hit in home.scan(words)} == {"claude", "codex"}


def test_what_stands_in_a_name_without_letters_is_looked_for_first() -> None:
    """A name's digits tell whether a look in lower case is worth it; without any, the look is always taken."""
    name = needle("ENT-26071")
    assert name.anchors == (b"-26071",)
    assert not name.may_stand_in(b"ENT-2607 and more")
    assert name.may_stand_in(b"Ent-26071")
    assert needle("shard").may_stand_in(b"")
    assert needle("r2d2").may_stand_in(b"")


def test_escapes_of_html_marks_are_known(home: Home) -> None:
    home.put(
        f".claude/projects/p/{SID}.jsonl", b'{"type":"user","message":{"content":"a \\u003cdiv\\u003e \\u0026 b"}}\n'
    )
    assert texts(home.scan("<div> & b")) == ["a <div> & b"]


def test_all_needles_must_occur_in_the_record_but_not_in_one_turn(home: Home) -> None:
    home.claude(user("alpha here"), assistant(text("beta there")))
    home.claude(user("alpha alone"), sid=OTHER)
    assert texts(home.scan("alpha", "beta")) == ["alpha here", "beta there"]
    assert home.scan("alpha", "nowhere") == []
    assert home.scan() == []
    assert home.scan(" ") == []


def test_lines_with_more_needles_come_before_others(home: Home) -> None:
    home.claude(*[user(f"alpha {n}") for n in range(9)], user("alpha and beta"))
    hits = home.scan("alpha", "beta")
    assert len(hits) == scanning.MAX_HITS
    assert hits[-1].turn.text == "alpha and beta"
    assert [hit.line for hit in hits] == sorted(hit.line for hit in hits)


def test_a_name_of_a_field_is_no_hit(home: Home) -> None:
    home.claude(user("nothing"))
    assert home.scan("parentUuid") == []
    assert home.scan(SID) == []


def test_only_outputs_that_a_record_refers_to_are_searched(home: Home) -> None:
    home.claude(
        user([tool_result("<persisted-output>\nFull output saved to: /x/tool-results/b1.txt\n</persisted-output>")])
    )
    named = home.put(f".claude/projects/p/{SID}/tool-results/b1.txt", b"first\nsecond omega line\n")
    home.put(f".claude/projects/p/{SID}/tool-results/toolu_9.txt", b"omega mirrored\n")
    (hit,) = home.scan("omega")
    assert (hit.path, hit.line, hit.start, hit.turn.text) == (str(named), 2, 6, "second omega line")
    assert hit.turn.channel is Channel.RESULT
    assert len(home.scan("omega", "persisted-output")) == 2


def test_an_output_of_json_is_told_by_its_strings(home: Home) -> None:
    home.claude(user([tool_result("saved to tool-results/b1.json")]))
    home.put(f".claude/projects/p/{SID}/tool-results/b1.json", line([{"type": "text", "text": 'the "omega" point'}]))
    assert texts(home.scan('"omega"')) == ['the "omega" point']


def test_compressed_rollouts_and_long_files_are_searched(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies, "CHUNK", 64)
    records = [
        meta(),
        *prompted("go"),
        *[item("assistant", f"filler {n}") for n in range(50)],
        item("assistant", "omega end"),
    ]
    home.put(f".codex/sessions/2026/01/01/rollout-{SID}.jsonl.zst", zstd().compress(lines(*records)))
    assert texts(home.scan("omega")) == ["omega end"]


def test_a_scan_tells_progress_and_stops_when_asked(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scanning, "PROGRESS_SECONDS", 0.0)
    for sid in (SID, OTHER):
        home.claude(user("alpha"), sid=sid)
    archive = Archive.from_environment({}, str(home.path))
    found = archive.discover().sources
    told: list[Progress] = []

    def keep(progress: Progress) -> bool:
        told.append(progress)
        return True

    assert len(list(scan(archive, found, ["alpha"], progress=keep))) == 2
    assert told[-1].done
    assert (told[-1].records, told[-1].records_total) == (2, 2)
    assert told[-1].bytes == told[-1].bytes_total > 0
    assert list(scan(archive, found, ["alpha"], progress=lambda progress: False)) == []
    assert list(scan(archive, found, ["alpha"], cancelled=lambda: True)) == []


def test_a_vanished_record_yields_nothing(home: Home) -> None:
    place = home.claude(user("alpha"))
    archive = Archive.from_environment({}, str(home.path))
    found = archive.discover().sources
    place.unlink()
    assert list(scan(archive, found, ["alpha"])) == []


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    words=st.text(min_size=1, max_size=12).filter(lambda words: bool(words.strip())),
    ascii_only=st.booleans(),
    at=st.integers(0, 80),
)
def test_any_text_of_a_prompt_is_found(home: Home, words: str, ascii_only: bool, at: int) -> None:
    body = "x" * at + words + " y"
    raw = json.dumps(user(body), ensure_ascii=ascii_only).encode("utf-8", "surrogatepass") + b"\n"
    home.put(f".claude/projects/p/{SID}.jsonl", raw)
    assert needle(words).in_bytes(raw.lower())
    if words.strip() == words and "<" not in body:
        assert home.scan(words)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    rows=st.lists(
        st.sampled_from(["", "x", "Alpha", "alpha beta", "7-7", "xx 7-7 BETA", "é alpha", "ALPHA\r"]), max_size=30
    ),
    ended=st.booleans(),
    words=st.lists(st.sampled_from(["alpha", "BETA", "7-7", "é", "nowhere", "a"]), min_size=1, max_size=3, unique=True),
    block=st.integers(1, 40),
)
def test_lines_are_found_together_as_one_by_one(
    tmp_path: Path, rows: list[str], ended: bool, words: list[str], block: int
) -> None:
    body = "\n".join(rows).encode() + b"\n" * ended
    place = tmp_path / "lines"
    place.write_bytes(body)
    wanted = [needle(word) for word in words]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bodies, "FIRST", block)
        together = list(bodies._together(body, wanted))
    assert together == list(bodies._singly(str(place), wanted, bool))
    assert all(body[start : start + len(raw)] == raw for raw, _, start in together)


def test_a_line_is_read_from_what_is_held_as_from_the_file(home: Home) -> None:
    """Whatever part of the beginning is held, a line's turns are the same; a fork's second header decides what is copied."""
    home.put(
        f".codex/sessions/2026/01/01/rollout-{SID}.jsonl",
        lines(
            meta(), meta(id=OTHER), *prompted("go alpha"), item("assistant", "done"), item("user", "more"), b"torn {"
        ),
    )
    home.claude(user("alpha"), assistant({"type": "text", "text": "beta"}), b"torn {\n", user("last"), sid=OTHER)
    archive = Archive.from_environment({}, str(home.path))
    for source in archive.discover().sources:
        body = Path(source.path).read_bytes()
        starts = [0, *(n + 1 for n, byte in enumerate(body) if byte == 10 and n + 1 < len(body))]
        for line_number, start in enumerate(starts, 1):
            plain = archive.at(source, line_number, start)
            for held in (0, start, start + 1, start + 40, len(body) - 1, len(body)):
                assert archive.at_head(source, line_number, start, body[:held]) == plain
            assert archive.at_head(source, line_number, start + 1, body) == archive.at(source, line_number, start + 1)
