"""Recall finds claims, opens them at their line, tells them as memory, and keeps them behind their evidence."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import UsageError
from core.library import Library
from core.memory.claim import new_claim
from core.memory.recalled import claim_of_recall, told_in, told_of
from core.memory.sink import Memory
from core.ports import Entry, Hit
from core.recall.model import Identified, Scope, Utterance
from core.recall.search import Lead
from core.recall.written import arranged, asked_for, rests_on
from core.records.archive import Archive
from core.records.history_files import HistoryFiles
from core.records.model import Role, Source, Spine
from indexes.whoosh_index import WhooshIndex
from tests.core.memory.memories import NOW, memory

SESSION = "3f2a1111-2222-4333-8444-555566667777"


def session(home: Path) -> Path:
    file = home / ".claude" / "projects" / "-tmp-shop" / f"{SESSION}.jsonl"
    file.parent.mkdir(parents=True)
    rows = [
        ("user", "how many attempts does the retry budget of the payment client allow"),
        ("assistant", "The retry budget allows three attempts, with jitter between them."),
        ("user", "good, three attempts it is, and the nightly export keeps its own"),
    ]
    lines = [
        {"type": who, "sessionId": SESSION, "cwd": "/tmp/shop", "timestamp": f"2026-05-01T10:0{n}:00Z", "uuid": f"u{n}",
         "message": {"role": who, "content": text}}
        for n, (who, text) in enumerate(rows)
    ]  # fmt: skip
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return file


def test_reading_claims_as_records_loads_no_network_and_no_database() -> None:
    code = "import core.records.archive, core.recall.attribution, sys; print(*sorted(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=Path(__file__).parents[3], capture_output=True, text=True, check=True
    )
    assert not set(done.stdout.split()) & {"http.client", "ssl", "socket", "starlette", "uvicorn", "psycopg", "yaml"}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    session(tmp_path)
    return tmp_path


def library(home: Path) -> Library:
    env = {"HOME": str(home)}
    history = HistoryFiles(str(home / "history"), 0)
    archive = Archive.from_environment(env, str(home), history=history, memory=str(home / "memory"))
    made = Library(archive, WhooshIndex(home / "index", archive), str(home))
    made.refresh()
    return made


def kept(home: Path) -> Memory:
    (home / "memory").mkdir(exist_ok=True)
    return memory(home / "memory")


def rows(home: Path, cue: str) -> list[tuple[str, str]]:
    return [(row.locator.runtime, row.matched_by[0]) for row in library(home).search(cue, Scope()).rows]


def test_a_claim_is_found_opened_at_its_line_and_told_as_memory(home: Path) -> None:
    held = kept(home)
    held.keep([new_claim("Submarines need ballast tanks", created_at=NOW)])
    one = held.keep(
        [new_claim("Zeppelins fly on helium", source_agent="Ana", soul_source="docs/P.md#Air", created_at=NOW)]
    ).ids[0]
    found = library(home)
    step = found.start("what do zeppelins fly on", Scope())
    assert step.round is not None
    assert step.round.recognizable is not None
    (member,) = step.round.recognizable.members
    assert (member.locator.runtime, member.locator.session_id) == ("memory", one)
    assert one in member.handle.note
    first = step.round.story[0]
    assert "Ana kept in memory" in first.text
    lines = held.copy.read_text(encoding="utf-8").split("\n")
    assert first.quote in json.loads(lines[first.line - 1])["text"]
    told = " ".join(c.quote for c in step.round.story) + " ".join(e.text for e in step.round.excerpts)
    turns = found.archive.at(
        found.by_id(one)[0].source, first.line, len("\n".join(lines[: first.line - 1]).encode()) + 1
    )
    assert "docs/P.md#Air" in told + " ".join(t.text for t in turns)


def test_a_claim_stands_behind_the_conversation_that_is_its_evidence(home: Path) -> None:
    file = home / ".claude" / "projects" / "-tmp-shop" / f"{SESSION}.jsonl"
    cue = "retry budget of the payment client, three attempts with jitter"
    kept(home).keep([new_claim(cue, evidence=[f"record:{file}:2"], salience=1, created_at=NOW)])
    assert rows(home, cue) == [("claude", "index"), ("memory", "memory")]
    assert rows(home, "what did I keep in memory about the retry budget")[0] == ("memory", "memory")
    assert rows(home, "is:memory retry budget") == [("memory", "memory")]
    assert rows(home, "agent:memory retry") == [("memory", "memory")]
    assert ("memory", "memory") not in rows(home, "agent:claude retry budget")


def _lead(path: str, fit: float, role: Role = Role.MAIN, meta: str = "") -> Lead:
    source = Source("memory" if role is Role.MEMORY else "claude", "/r", path, path, 1, 1, role, meta=meta)
    return Lead(Hit(Entry(source, Spine(session_id=path, role=role)), fit, fit, (), ()), ("index",))


def test_however_well_a_claim_fits_its_evidence_comes_first() -> None:
    best, evidence, other = _lead("/a", 0.9), _lead("/b", 0.1), _lead("/c", 0.05)
    claim = _lead("/m#1", 1.0, Role.MEMORY, "/gone\n/b")
    assert rests_on(claim) == {"/gone", "/b"}
    order = arranged([best, evidence, other], [claim], frozenset())
    assert [x.hit.entry.source.path for x in order] == ["/a", "/b", "/m#1", "/c"]
    free = _lead("/m#2", 1.0, Role.MEMORY)
    assert [x.hit.entry.source.path for x in arranged([evidence], [free], frozenset())] == ["/m#2", "/b"]
    assert arranged([best], [claim], frozenset({Role.MEMORY}))[0] is claim, "asked for, it comes first"


@pytest.mark.parametrize(
    "asked", ["what did I keep about retries", "is it in my memory", "was habe ich mir gemerkt", "記憶に残した決定"]
)
def test_memory_can_be_asked_for(asked: str) -> None:
    assert Role.MEMORY in asked_for(asked)


@pytest.mark.parametrize(
    "said",
    [
        "the memory leak in the worker",
        "out of memory in the parser",
        "speicher voll",
        "memoization",
        "it is kept in the cache",
    ],
)
def test_talk_of_another_memory_is_not_that(said: str) -> None:
    assert Role.MEMORY not in asked_for(said)


def test_superseded_and_forgotten_claims_are_no_records(home: Path) -> None:
    held = kept(home)
    one = held.keep([new_claim("Zeppelins fly on hydrogen", created_at=NOW)]).ids[0]
    assert rows(home, "zeppelins hydrogen") == [("memory", "memory")]
    two = held.change(one, text="Zeppelins fly on helium").ids[0]
    found = library(home)
    assert [r.locator.session_id for r in found.search("zeppelins", Scope()).rows] == [two]
    assert found.by_id(one) == ()
    held.forget(two, "no", "")
    assert rows(home, "zeppelins helium") == []
    held.restore(two, "yes", "")
    assert rows(home, "zeppelins helium") == [("memory", "memory")]


def test_lists_show_sessions_and_the_index_stays_current_while_the_spool_works(home: Path) -> None:
    held = kept(home)
    held.keep([new_claim("Zeppelins fly on helium", created_at=NOW)])
    found = library(home)
    assert {r.locator.runtime for r in found.listed(Scope()).rows} == {"claude"}
    held.drain()
    found.reload()
    assert found.state().pending == 0
    assert found.refresh().added == 0


def _identified(home: Path) -> Identified:
    found = library(home)
    step = found.start("retry budget of the payment client", Scope())
    step = found.say(step.context, Utterance("that's it"), Scope())
    assert isinstance(step.outcome, Identified)
    return step.outcome


def test_an_identified_recall_becomes_a_claim_with_the_storys_cites(home: Path) -> None:
    done = _identified(home)
    claim = claim_of_recall(told_of(done.recalled), source_agent="ana", created_at=NOW)
    file = str(home / ".claude" / "projects" / "-tmp-shop" / f"{SESSION}.jsonl")
    assert {(e.at, e.line) for e in claim.evidence} == {(c.path, c.line) for c in done.recalled.story}
    assert {e.at for e in claim.evidence} == {file}
    assert all(c.text in claim.text for c in done.recalled.story)
    assert (claim.kind, claim.tags) == ("event", ("recalled",))
    own = claim_of_recall(told_of(done.recalled), text="three attempts", kind="decision", tags=["retry"])
    assert (own.text, own.kind, own.tags, own.label) == (
        "three attempts",
        "decision",
        ("retry", "recalled"),
        "three attempts",
    )
    held = kept(home)
    assert held.keep([claim]).persisted
    assert rows(home, "retry budget of the payment client")[0][0] == "claude"


@pytest.mark.parametrize(
    "document", [None, [], {}, {"schema": "recollect-recall-v1", "rounds": [], "outcome": {"kind": "holding"}}]
)
def test_what_nobody_identified_is_not_kept(document: object) -> None:
    with pytest.raises(UsageError):
        told_in(document)


def test_a_path_that_cannot_be_written_on_a_line_is_left_out() -> None:
    told = replace(told_in(_document()), cites=(("/a\nb", 3), ("/c", 4)))
    assert [str(e) for e in claim_of_recall(told).evidence] == ["record:/c:4"]


def _document() -> dict[str, object]:
    story = [{"text": "It was three.", "cite": {"path": "/s/x.jsonl", "line": 7, "turn": 1, "quote": "three"}}]
    return {
        "schema": "recollect-recall-v1", "rounds": [{"story": story}, {"story": []}],
        "outcome": {"kind": "identified", "recalled": {"title": "the budget", "path": "/s/x.jsonl"}},
    }  # fmt: skip


def test_the_json_of_a_recall_says_the_same() -> None:
    claim = claim_of_recall(told_in(_document()))
    assert (claim.text, claim.label, [str(e) for e in claim.evidence]) == (
        "It was three.",
        "the budget",
        ["record:/s/x.jsonl:7"],
    )
