"""What a Claude Code file says twice or in two places (formats.md A7, B4, B13)."""

from __future__ import annotations

import json
from pathlib import Path

from core.records.claude import ClaudeAdapter
from tests.core.records.builders import (
    SID,
    assert_resumes,
    assert_talk_only,
    assistant,
    lines,
    persons,
    source,
    text,
    tool_result,
    user,
)

CLAUDE = ClaudeAdapter()


def test_a_line_that_stands_twice_is_told_once(tmp_path: Path) -> None:
    body = lines(
        user("go", uuid="u-1"),
        assistant(text("done"), uuid="u-2"),
        user("go", uuid="u-1"),
        assistant(text("done"), uuid="u-2"),
        user("go", uuid="u-3"),
    )
    record = source(tmp_path / f"{SID}.jsonl", "claude", body)
    assert persons(CLAUDE.read(record)) == ["go", "go"]
    assert [turn.line for turn in CLAUDE.read(record)] == [1, 2, 5]
    assert_talk_only(CLAUDE, record)
    for cut in range(0, len(body), 97):
        assert_resumes(CLAUDE, record, body, cut, talk_only=False)


def test_the_same_id_with_other_words_is_told_again(tmp_path: Path) -> None:
    record = source(tmp_path / f"{SID}.jsonl", "claude", lines(user("go", uuid="u-1"), user("stop", uuid="u-1")))
    assert persons(CLAUDE.read(record)) == ["go", "stop"]


def test_what_is_no_conversation_stays_where_a_line_stands_twice(tmp_path: Path) -> None:
    both = user([text("look"), tool_result("out")], uuid="u-1")
    record = source(tmp_path / f"{SID}.jsonl", "claude", lines(both, both))
    assert [turn.text for turn in CLAUDE.read(record)] == ["look", "out", "out"]


def test_the_index_of_a_folder_names_only_a_session_without_a_title(tmp_path: Path) -> None:
    index = {"version": 1, "entries": [{"sessionId": SID, "summary": "From the index"}, 7, {"sessionId": 3}]}
    (tmp_path / "sessions-index.json").write_text(json.dumps(index))
    record = source(tmp_path / f"{SID}.jsonl", "claude", lines(user("go")))
    spine = CLAUDE.spine(record)
    assert (spine.title, spine.title_from) == ("From the index", "summary")  # type: ignore[union-attr]
    titled = source(
        tmp_path / f"{SID}.jsonl", "claude", lines(user("go"), {"type": "ai-title", "aiTitle": "From the record"})
    )
    assert CLAUDE.spine(titled).title == "From the record"  # type: ignore[union-attr]
    (tmp_path / "sessions-index.json").write_text("{")
    assert CLAUDE.spine(record) == ClaudeAdapter().spine(record)


def test_the_structured_copy_is_told_where_the_result_itself_says_nothing(tmp_path: Path) -> None:
    file = {"type": "text", "file": {"filePath": "/x", "content": "the file", "numLines": 1}}
    body = lines(
        user([tool_result(None)], toolUseResult=file, uuid="u-1"),
        user([tool_result(None)], toolUseResult="Error: no such file", uuid="u-2"),
        user([tool_result("said")], toolUseResult="Error: said", uuid="u-3"),
        user([{"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "a page"}}]),
    )
    record = source(tmp_path / f"{SID}.jsonl", "claude", body)
    assert [turn.text for turn in CLAUDE.read(record)] == ["the file", "Error: no such file", "said", "a page"]
