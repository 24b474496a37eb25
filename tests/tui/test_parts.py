"""The parts under the screen: keys, wrapping, telling, handover, copying, exporting, the background process."""

from __future__ import annotations

import fcntl
import json
import os
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from core.recall.filters import IS_WORDS, ROLE_WORDS
from core.recall.model import Handle, Holding, Recognizable, WholeKind
from core.recall.remarks import NEAREST
from core.records.model import Locator
from core.text import cell_width
from tests.tui.fake import FakePort, candidate, locator, member, offer_round, story_round
from tui.background import IndexProcess, parse_report
from tui.clipboard import MOST_CHARS, copy_natively, native_tool, prepared
from tui.handover import open_elsewhere, refusal
from tui.keys import RECOLLECT, Pane, keys_markdown
from tui.messages import IndexReport
from tui.screens.actions import Actions
from tui.screens.completion import complete
from tui.screens.reasons import REASONS
from tui.screens.session_desk import Target, file_name, write_new
from tui.screens.talk import Talk
from tui.themes import ANSI, DARK, default_theme
from tui.widgets.entries import Told
from tui.widgets.pieces import Paragraph, Piece, wrap
from tui.widgets.telling import headline, tell
from tui.widgets.wording import duration, short_date, short_path, size


def test_no_key_is_one_a_terminal_cannot_tell_apart() -> None:
    for row in RECOLLECT:
        keys = set(row.keys.split(","))
        assert not keys & {"ctrl+h", "ctrl+m", "ctrl+i", "ctrl+j", "ctrl+left_square_bracket"}, row.id


def test_no_key_has_two_meanings_in_one_pane() -> None:
    for pane in Pane:
        keys = [key for row in RECOLLECT if row.pane in (pane,) for key in row.keys.split(",") if key]
        assert len(keys) == len(set(keys)), pane


def test_every_row_has_an_action_and_a_known_reason() -> None:
    for row in RECOLLECT:
        assert not row.reason or row.reason in REASONS
        family = row.id.rpartition("-")[0]
        if not row.action and family not in ("follow", "digit", "near"):
            assert hasattr(Actions, "do_" + row.id.replace("-", "_")), row.id


def test_the_key_document_names_every_binding() -> None:
    text = keys_markdown()
    for row in RECOLLECT:
        if row.help and row.keys:
            assert f"`{row.id}`" in text


@pytest.mark.parametrize("width", [1, 2, 7, 20, 60])
def test_wrapping_keeps_all_text_and_fits(width: int) -> None:
    text = "plain words 支払いクライアント and 👩‍👩‍👧 e\u0301 longwordlongwordlongword end"
    lines = wrap([Paragraph((Piece(text, "x"), Piece(" tail", "y")))], width)
    joined = "".join(line.text() for line in lines).replace(" ", "")
    assert joined == (text + " tail").replace(" ", "")
    assert all(cell_width(line.text()) <= max(width, 6) for line in lines)


def test_a_marker_stays_with_its_full_stop() -> None:
    lines = wrap([Paragraph((Piece("abc "), Piece("[1]", "marker", "claim:0:1"), Piece(".")))], 6)
    assert [line.text() for line in lines] == ["abc", "[1]."]
    assert lines[1].ref_at(1) == "claim:0:1"


def test_wholes_are_named_in_words() -> None:
    other = replace(member(1), started=member(1).started)
    line = Recognizable(WholeKind.LINE, (member(0), other), "the same issue")
    assert headline(line).startswith("One line of work, 2 records, Claude Code, payments and webhooks, Thu 12 Mar 2026")


def test_an_offer_says_its_cost_and_what_did_not_open() -> None:
    from core.recall.model import Holding

    told = tell((Told(offer_round(), Holding()),), frozenset())
    text = "\n".join("".join(piece.text for piece in paragraph.pieces) for paragraph in told)
    assert "2,000 records, 210 MB, about 9 s" in text
    assert "permission denied (hint: check its mode)" in text
    assert text.index("did not open") < text.index("Search wider?")


def test_talk_keeps_earlier_rounds_and_begins_anew_after_the_end() -> None:
    port = FakePort()
    talk = Talk().said("retries")
    talk = talk.advanced(port.start("retries", _scope()))
    assert talk.presented == story_round()
    talk = talk.said("that's it").advanced(port.say(talk.context, _utterance("that's it"), _scope()))
    assert not talk.open
    assert talk.recognized == locator(0)
    again = talk.said("something else")
    assert again.context == ()
    assert len(again.entries) == len(talk.entries) + 1


@pytest.mark.parametrize("key", ["", "ctrl+y", "alt+y"])
def test_what_a_key_said_is_told_as_the_keys(key: str) -> None:
    """Words that were typed are quoted; what a key said is told as that key, which may be the person's own."""
    port = FakePort()
    talk = Talk().said("retries").advanced(port.start("retries", _scope()))
    talk = talk.said("that's it", key).advanced(port.say(talk.context, _utterance("that's it"), _scope()))
    text = "\n".join("".join(piece.text for piece in line.pieces) for line in tell(talk.entries, frozenset()))
    assert (f"by you ({key})" in text) is bool(key)
    assert ("by your words “that's it”" in text) is not bool(key)
    assert f"you   that's it{f'  {key}' if key else ''}\n" in text


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        ("It was so.", "It was so. [1]"),
        ("Was it so?", "Was it so? [1]"),
        ("Ana said “it was so.”", "Ana said “it was so.” [1]"),
        ("Ana said “it was so”", "Ana said “it was so”. [1]"),
        ("It was so", "It was so. [1]"),
        ("You said: “保存する。”", "You said: “保存する。” [1]"),
        ("You said: “本当！”", "You said: “本当！” [1]"),
    ],
)
def test_a_source_stands_after_the_end_of_its_sentence(sentence: str, told: str) -> None:
    from core.recall.model import Holding

    round_ = story_round()
    claim = replace(round_.story[0], text=sentence)
    paragraphs = tell((Told(replace(round_, story=(claim,)), Holding()),), frozenset())
    text = ["".join(piece.text for piece in paragraph.pieces) for paragraph in paragraphs]
    assert told in text


def _scope():  # type: ignore[no-untyped-def]
    from core.recall.model import Scope

    return Scope()


def _utterance(text: str):  # type: ignore[no-untyped-def]
    from core.recall.model import Utterance

    return Utterance(text)


def test_completion() -> None:
    words = ("agent:", "date:", "dir:", "is:")
    assert complete("x ag", 4, words, ()) == complete("x ag", 4, words, ("claude",))
    done = complete("d", 1, words, ())
    assert done is not None
    assert done.choices == ("date:", "dir:")
    assert complete("hello", 5, words, ()) is None
    assert complete("", 0, words, ()) is None
    done = complete("agent:c rest", 7, words, ("claude", "codex"))
    assert done is not None
    assert done.choices == ("agent:claude", "agent:codex")
    done = complete("is:", 3, words, ())
    assert done is not None
    assert done.choices == tuple(f"is:{word}" for word in IS_WORDS), "every answer that is taken is told"
    for role in ("me", "assistant"):
        done = complete(f"role:{role[:1]}", 6, words, ())
        assert done is not None
        assert done.text == f"role:{role} "
        assert role in ROLE_WORDS


def test_refusals_name_the_reason_and_the_command(tmp_path: Path) -> None:
    where = Locator("claude", str(tmp_path), "abc", "/x")
    handle = Handle("claude --resume abc", ("claude", "--resume", "abc"), str(tmp_path))
    assert refusal(handle, where, {"PATH": str(tmp_path)})[0].startswith("claude is not on the PATH")
    assert "claude --resume abc" in refusal(handle, where, {"PATH": str(tmp_path)})[1]
    assert refusal(Handle(note="never recorded"), where)[0] == "never recorded"


def test_a_session_open_in_claude_is_found(tmp_path: Path) -> None:
    where = Locator("claude", str(tmp_path), "abc", "/x")
    (tmp_path / "sessions").mkdir()
    (tmp_path / "sessions" / "junk.json").write_text("{")
    assert open_elsewhere(where) == ""
    (tmp_path / "sessions" / f"{os.getpid()}.json").write_text(json.dumps({"sessionId": "abc"}))
    assert f"process {os.getpid()}" in open_elsewhere(where)
    (tmp_path / "sessions" / f"{os.getpid()}.json").write_text(json.dumps({"sessionId": "other"}))
    assert open_elsewhere(where) == ""


def test_a_session_open_in_codex_is_found(tmp_path: Path) -> None:
    where = Locator("codex", str(tmp_path), "abc-1", "/x")
    locks = tmp_path / "thread-writer-locks"
    locks.mkdir()
    (locks / "abc-1.lock").touch()
    assert open_elsewhere(where) == ""
    with (locks / "abc-1.lock").open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert open_elsewhere(where) == "The session is open in another Codex."


def test_copies_are_masked_and_capped() -> None:
    text, notes = prepared("token ghp_" + "a1" * 20 + " \x1b[31m")
    assert "ghp_" not in text
    assert "\x1b" not in text
    assert notes == "1 secret masked"
    text, notes = prepared("x" * (MOST_CHARS + 5))
    assert len(text) == MOST_CHARS
    assert notes == "cut to 100,000 characters"


def test_the_native_tool_gets_the_text(tmp_path: Path) -> None:
    tool = tmp_path / "xclip"
    tool.write_text(f"#!/bin/sh\n/bin/cat > {tmp_path}/out\n")
    tool.chmod(0o755)
    env = {"PATH": str(tmp_path), "DISPLAY": ":0"}
    assert native_tool({"PATH": str(tmp_path)}) == ()
    assert copy_natively("día", env)
    assert (tmp_path / "out").read_text() == "día"
    assert not copy_natively("x", {"PATH": "/nowhere"})


def test_an_export_never_overwrites(tmp_path: Path) -> None:
    target = Target(locator(0), "../../etc: Retry Budget ✓")
    name = file_name(target)
    assert name == "recollect-etc-retry-budget-3f2a9c00"
    first = write_new(tmp_path, name, "md", "one")
    second = write_new(tmp_path, name, "md", "two")
    assert (first.read_text(), second.read_text()) == ("one", "two")
    assert second.name == f"{name}-2.md"


def test_reports_are_read_and_anything_else_is_not() -> None:
    line = b'{"records": 4, "records_total": 9, "bytes": 5, "bytes_total": 10, "seconds": 1.5, "done": false}'
    found = parse_report(line)
    assert found is not None
    assert found.progress.records == 4
    assert found.progress.remaining() == 1.5
    assert parse_report(b"Traceback") is None
    assert parse_report(b"[1]") is None
    assert parse_report(b'{"records": "x", "done": 1}') == IndexReport(replace(found.progress, records=0,
        records_total=0, bytes=0, bytes_total=0, seconds=0.0))  # fmt: skip


def _collect(argv: list[str]) -> tuple[list[IndexReport], IndexProcess]:
    reports: list[IndexReport] = []
    ended = threading.Event()

    def take(report: IndexReport) -> None:
        reports.append(report)
        if report.progress.done or report.failed:
            ended.set()

    process = IndexProcess(argv=argv)
    process.start(take)
    assert ended.wait(30)
    return reports, process


def test_the_background_process_reports_until_it_is_done() -> None:
    script = 'print(\'{"records":1,"records_total":1,"done":true,"message":"ok"}\', flush=True)'
    reports, _ = _collect([sys.executable, "-c", script])
    assert reports[-1].progress.done
    assert reports[-1].message == "ok"


def test_a_background_process_that_fails_is_reported_with_its_words() -> None:
    reports, _ = _collect([sys.executable, "-c", "import sys; sys.exit('no space left')"])
    assert reports[-1].failed
    assert "no space left" in reports[-1].message
    reports, _ = _collect(["/nowhere/recollect"])
    assert reports[-1].failed


def test_the_background_process_is_ended_with_the_app() -> None:
    reports: list[IndexReport] = []
    running = threading.Event()

    def take(report: IndexReport) -> None:
        reports.append(report)
        running.set()

    script = 'print(\'{"records":1,"records_total":2}\', flush=True); import signal; signal.pause()'
    process = IndexProcess(argv=[sys.executable, "-c", script])
    process.start(take)
    assert running.wait(30)
    process.stop()
    assert process._children
    assert process._children[0].wait(30) != 0
    assert not any(report.failed for report in reports)


def test_words_for_sizes_dates_and_paths() -> None:
    assert [size(n) for n in (1, 900, 63_000, 4_200_000, 63_000_000, 1_200_000_000)] == [
        "1 byte", "900 bytes", "63 kB", "4.2 MB", "63 MB", "1.2 GB"]  # fmt: skip
    assert [duration(s) for s in (0.2, 4, 200)] == ["under a second", "4 s", "3 min"]
    assert short_date(1e20, 0.0) == ""
    assert short_path("/a/payments/3f2a9c00-1111-4222-8333-444455556666.jsonl") == "payments/3f2a9c00-1111….jsonl"
    assert candidate(0).phrase


def test_a_terminal_of_16_colours_gets_its_own() -> None:
    assert default_theme({"TERM": "linux"}) == ANSI
    assert default_theme({"TEXTUAL_COLOR_SYSTEM": "standard", "TERM": "xterm-256color"}) == ANSI
    assert default_theme({"TERM": "xterm-256color"}) == DARK


def test_what_is_said_of_the_fit_stands_before_the_story() -> None:
    told = replace(story_round(), remarks=(NEAREST, "The order covers only the records that were found."))
    words = [
        "".join(piece.text for piece in paragraph.pieces) for paragraph in tell((Told(told, Holding()),), frozenset())
    ]
    first, story = (
        next(n for n, text in enumerate(words) if sign in text) for sign in ("Nothing fits well", "One conversation")
    )
    order = next(n for n, text in enumerate(words) if "The order covers" in text)
    assert first < story < order
    assert sum("Nothing fits well" in text for text in words) == 1
