"""The outcome files of a hypomnesis store: read where they are whole and about this very record, unknown otherwise."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from core.library import Library
from core.ports import Entry, Hit
from core.recall.capture import outcome_words, qualify
from core.recall.model import Scope
from core.recall.search import Lead
from core.records.archive import Archive
from core.records.model import Source, Spine
from core.records.outcomes import LARGEST, CaptureOutcome, outcome_of
from indexes.whoosh_index import WhooshIndex
from tests.core.recall.fakes import FixedClock
from tests.core.records.builders import OTHER, SID, assistant, lines, source, text, user


def record(tmp_path: Path) -> Source:
    place = tmp_path / f".claude/projects/-home-dev-shop/{SID}.jsonl"
    body = lines(user("stop the retry storm"), assistant(text("a budget stops it"), uuid="u-2"))
    return source(place, "claude", body, root=str(tmp_path / ".claude"))


def attempt(one: Source, **more: Any) -> dict[str, Any]:
    return {
        "schema_version": 1, "attempt_id": "a", "session_id": SID, "runtime": "claude",
        "revision": {"mtime_ms": one.mtime_ns // 1_000_000, "size": one.size}, "state": "complete",
        "extractors": {"clue": {"state": "succeeded"}, "narrative": {"state": "empty"}},
        "publication": {"state": "complete", "artifacts": []}, **more,
    }  # fmt: skip


def put(one: Source, body: object, name: str = SID) -> Path:
    path = Path(one.path).parent / "hypomnesis/.outcomes" / f"{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(body if isinstance(body, str) else json.dumps(body))
    return path


def test_a_clean_outcome_says_nothing_more(tmp_path: Path) -> None:
    one = record(tmp_path)
    assert outcome_of(one, SID) is None
    put(one, attempt(one))
    found = outcome_of(one, SID)
    assert found == CaptureOutcome(True, {"clue": "succeeded", "narrative": "empty"}, {}, "complete", True)
    assert found is not None
    assert outcome_words(found) == ""


def test_what_went_wrong_is_said_as_the_stores_word(tmp_path: Path) -> None:
    one = record(tmp_path)
    states = {
        "clue": {"state": "invocation_failed"}, "input": {"state": "input_failed"}, "markers": {"state": "skipped"},
        "vector": {"state": "validation_failed"}, "narrative": {"state": "succeeded", "omitted_chars": 12000},
    }  # fmt: skip
    put(one, attempt(one, extractors=states, publication={"state": "partial"}, revision={"mtime_ms": 1, "size": 2}))
    found = outcome_of(one, SID)
    assert found is not None
    assert outcome_words(found) == (
        "The hypomnesis index beside the record says: its clue extractor could not be run; its input extractor could not "
        "read the record; its markers extractor was left out; its vector extractor returned something that did not hold; "
        "its narrative extractor did not receive 12,000 characters; it wrote its index only in part; the record changed since."
    )
    put(one, attempt(one, state="in_progress", revision=None, publication={"state": "none"}))
    running = outcome_of(one, SID)
    assert running is not None
    assert (running.finished, running.same_source) == (False, None)
    assert "was not finished" in outcome_words(running)
    put(one, attempt(one, execution={"state": "failed"}, publication={"state": "failed"}))
    failed = outcome_of(one, SID)
    assert failed is not None
    assert "its last capture failed, it does not say where; it wrote its index not at all" in outcome_words(failed)


@pytest.mark.parametrize(
    "change",
    [
        {"schema_version": 2},
        {"runtime": "codex"},
        {"session_id": OTHER},
        {"state": "unheard of"},
        {"extractors": []},
        {"extractors": {"clue": {"state": "perhaps"}}},
        {"extractors": {"clue": None}},
        {"publication": None},
        {"publication": {"state": "somehow"}},
        {"padding": "x" * LARGEST},
    ],
)
def test_what_is_not_whole_is_unknown(tmp_path: Path, change: dict[str, Any]) -> None:
    one = record(tmp_path)
    put(one, attempt(one, **change))
    assert outcome_of(one, SID) is None


def test_damage_and_foreign_ids_are_unknown(tmp_path: Path) -> None:
    one = record(tmp_path)
    for body in ("", "{half", "[]", "7"):
        put(one, body)
        assert outcome_of(one, SID) is None
    assert outcome_of(one, "../../secret") is None
    assert outcome_of(one, "") is None


def test_codex_keeps_its_store_below_its_home(tmp_path: Path) -> None:
    rollout = source(tmp_path / ".codex/sessions/r.jsonl", "codex", b"{}\n", root=str(tmp_path / ".codex"))
    path = tmp_path / ".codex/hypomnesis/.outcomes/a_b.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({**attempt(rollout), "runtime": "codex", "session_id": "a/b"}))
    assert outcome_of(rollout, "a/b") is not None
    assert outcome_of(rollout, SID) is None


def test_the_person_is_told_and_the_order_does_not_change(tmp_path: Path) -> None:
    one = record(tmp_path)
    archive = Archive.from_environment({}, str(tmp_path))
    library = Library(archive, WhooshIndex(tmp_path / "index", archive), str(tmp_path), FixedClock())
    library.refresh()
    before = library.start("retry storm", Scope()).round
    put(one, attempt(one, extractors={"clue": {"state": "invocation_failed"}}))
    after = library.start("retry storm", Scope()).round
    assert before is not None
    assert after is not None
    assert (before.recognizable, before.story) == (after.recognizable, after.story)
    assert "hypomnesis" not in before.qualifications[0].finding
    assert "its clue extractor could not be run" in after.qualifications[0].finding
    assert [s.path for s in archive.discover().sources] == [one.path], "outcomes are no records"


def test_a_name_in_a_store_cannot_reach_the_terminal_raw() -> None:
    odd = CaptureOutcome(True, {"clue\x1b[2J": "skipped"}, {}, "complete", None)
    lead = Lead(Hit(Entry(Source("claude", "/r", "/r/x.jsonl", "x", 1, 1), Spine("x")), 1.0, 1.0, (), ()), ("index",))
    assert "\x1b" not in qualify(lead, None, odd).finding
    assert os.linesep not in qualify(lead, None, odd).finding
