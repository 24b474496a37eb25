"""Finding records: roots, layouts, links, folders that cannot be listed (formats.md A)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from core.records import walk
from core.records.archive import Archive, UnknownRuntime
from core.records.claude import ClaudeAdapter
from core.records.codex import CodexAdapter
from core.records.copilot import CopilotAdapter
from core.records.gemini import GeminiAdapter
from core.records.model import ReadProblem, Role, Root, Source
from core.records.pi import PiAdapter
from tests.core.records.builders import OTHER, SID, line, user

CLAUDE = ClaudeAdapter()
CODEX = CodexAdapter()


def put(path: Path, body: bytes = b"{}\n") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(body)
    return path


def sources(archive: Archive) -> dict[str, Source]:
    return {Path(source.path).name: source for source in archive.discover().sources}


def found(home: Path, **env: str) -> dict[str, Source]:
    return sources(Archive.from_environment(env, str(home)))


def places(adapter: ClaudeAdapter | CodexAdapter, home: Path, **env: str) -> list[tuple[str, str]]:
    return [(os.path.relpath(root.path, home), root.configured) for root in adapter.roots(env, str(home))]


# --- roots


def test_the_default_roots_of_claude_include_further_accounts(tmp_path: Path) -> None:
    (tmp_path / ".claude-work/projects").mkdir(parents=True)
    (tmp_path / ".claude-empty").mkdir()
    assert places(CLAUDE, tmp_path) == [
        (".claude", "default"),
        (".config/claude", "default"),
        (".claude-work", "default"),
    ]
    (tmp_path / "xdg").mkdir()
    assert (os.path.join("xdg", "claude"), "default") in places(CLAUDE, tmp_path, XDG_CONFIG_HOME=str(tmp_path / "xdg"))


def test_a_variable_names_several_roots_and_replaces_the_default_ones(tmp_path: Path) -> None:
    one, two, three = (str(tmp_path / name) for name in ("one", "two", "three"))
    variable = "CLAUDE_CONFIG_DIR"
    assert places(CLAUDE, tmp_path, CLAUDE_CONFIG_DIR=f"{one},{two}{os.pathsep}{three}") == [
        ("one", variable),
        ("two", variable),
        ("three", variable),
    ]
    assert places(CLAUDE, tmp_path, CLAUDE_CONFIG_DIRS=f"~/one, {one}") == [("one", "CLAUDE_CONFIG_DIRS")]
    assert places(CLAUDE, tmp_path, CLAUDE_CONFIG_DIR=" ")[0] == (".claude", "default")
    (tmp_path / "with,comma").mkdir()
    assert places(CLAUDE, tmp_path, CLAUDE_CONFIG_DIR=str(tmp_path / "with,comma")) == [("with,comma", variable)]
    assert places(CODEX, tmp_path, CODEX_HOME=one) == [("one", "CODEX_HOME")]
    assert places(CODEX, tmp_path) == [(".codex", "default")]


def test_a_root_that_does_not_exist_is_kept_and_yields_nothing(tmp_path: Path) -> None:
    archive = Archive.from_environment({}, str(tmp_path))
    discovery = archive.discover()
    assert discovery.sources == ()
    assert discovery.problems == ()
    assert discovery.complete_roots == frozenset(root.path for root in archive.roots)


# --- Claude Code


def test_every_layout_of_claude_is_found_with_its_kind(tmp_path: Path) -> None:
    project = tmp_path / ".claude/projects/-home-dev-shop"
    put(project / f"{SID}.jsonl")
    put(project / "agent-old1.jsonl")
    put(project / f"{SID}/subagents/agent-a1.jsonl")
    meta = put(project / f"{SID}/subagents/agent-a1.meta.json")
    put(project / f"{SID}/subagents/agent-acompact-1.jsonl")
    put(project / f"{SID}/subagents/agent-aside_question-1.jsonl")
    put(project / f"{SID}/subagents/workflows/run1/agent-w1.jsonl")
    journal = put(project / f"{SID}/subagents/workflows/run1/journal.jsonl")
    output = put(project / f"{SID}/tool-results/toolu_1.txt")
    inner = put(project / f"{SID}/tool-results/nested.jsonl")
    put(project / f"{OTHER}/subagents/agent-orphan.jsonl")
    put(project / "sessions-index.json")
    put(project / "memory/notes.jsonl")
    put(tmp_path / ".claude/history.jsonl")
    put(tmp_path / ".claude/projects/-old-agent/full.jsonl", b"")
    seen = found(tmp_path)
    assert {name: (one.role, one.parent_id) for name, one in seen.items()} == {
        f"{SID}.jsonl": (Role.MAIN, ""),
        "agent-old1.jsonl": (Role.SUBAGENT, ""),
        "agent-a1.jsonl": (Role.SUBAGENT, SID),
        "agent-acompact-1.jsonl": (Role.COPY, SID),
        "agent-aside_question-1.jsonl": (Role.COPY, SID),
        "agent-w1.jsonl": (Role.SUBAGENT, SID),
        "agent-orphan.jsonl": (Role.SUBAGENT, OTHER),
        "full.jsonl": (Role.MAIN, ""),
    }
    assert set(seen[f"{SID}.jsonl"].outputs) == {str(output), str(inner), str(journal)}
    assert seen["agent-a1.jsonl"].meta == str(meta)
    assert seen["full.jsonl"].size == 0


def test_a_folder_named_like_a_record_is_none(tmp_path: Path) -> None:
    (tmp_path / f".claude/projects/p/{SID}.jsonl").mkdir(parents=True)
    put(tmp_path / f".claude/projects/p/{SID}.jsonl/x.txt")
    assert found(tmp_path) == {}


# --- Codex


def test_of_several_copies_of_a_rollout_the_active_plain_one_wins(tmp_path: Path) -> None:
    name = f"rollout-2026-03-01T10-59-00-{SID}.jsonl"
    put(tmp_path / f".codex/archived_sessions/{name}")
    assert found(tmp_path)[name].archived
    put(tmp_path / f".codex/sessions/2026/03/01/{name}.zst")
    assert set(found(tmp_path)) == {f"{name}.zst"}
    put(tmp_path / f".codex/sessions/2026/03/01/{name}")
    (one,) = found(tmp_path).values()
    assert (Path(one.path).name, one.archived, one.session_id) == (name, False, SID)
    put(tmp_path / ".codex/sessions/free.jsonl")
    put(tmp_path / ".codex/archived_sessions/2026/01/01/rollout-x.jsonl")
    assert set(found(tmp_path)) == {name, "free.jsonl", "rollout-x.jsonl"}


# --- the others


def test_the_other_runtimes_are_found(tmp_path: Path) -> None:
    put(tmp_path / f".copilot/session-state/{SID}/events.jsonl")
    yaml = put(tmp_path / f".copilot/session-state/{SID}/workspace.yaml", b"name: Fix it\n")
    put(tmp_path / f".copilot/session-state/{SID}/checkpoints/other.jsonl")
    put(tmp_path / f".copilot/session-state/{OTHER}.jsonl")
    put(tmp_path / ".gemini/tmp/shop/chats/session-2026-01-10T02-08-faff42ab.json")
    put(tmp_path / ".gemini/tmp/shop/logs.json")
    put(tmp_path / f".pi/agent/sessions/--home-dev--/2026-01-01T00-00-00_{SID}.jsonl")
    put(tmp_path / f".omp/agent/sessions/--home-dev--/deep/2026-01-01T00-00-00_{OTHER}.jsonl")
    seen = Archive.from_environment({}, str(tmp_path)).discover().sources
    assert [(one.runtime, one.session_id) for one in seen] == [
        ("copilot", SID),
        ("copilot", OTHER),
        ("gemini", "session-2026-01-10T02-08-faff42ab"),
        ("pi", SID),
        ("pi", OTHER),
    ]
    assert seen[0].meta == str(yaml)


def test_a_setting_moves_pis_sessions(tmp_path: Path) -> None:
    put(tmp_path / ".pi/agent/settings.json", b'{"sessionDir": "~/notes"}')
    put(tmp_path / f"notes/2026_{SID}.jsonl")
    put(tmp_path / f"more/x/2026_{OTHER}.jsonl")
    seen = found(tmp_path, PI_CODING_AGENT_SESSION_DIR=str(tmp_path / "more"))
    assert {one.session_id for one in seen.values()} == {SID, OTHER}
    assert [root.configured for root in PiAdapter().roots({"PI_CODING_AGENT_DIR": "/x"}, str(tmp_path))] == [
        "PI_CODING_AGENT_DIR"
    ]


def test_variables_of_the_other_runtimes(tmp_path: Path) -> None:
    assert CopilotAdapter().roots({"COPILOT_HOME": "/c"}, "/h")[0].path == "/c"
    assert GeminiAdapter().roots({"GEMINI_CLI_HOME": "/g"}, "/h")[0].path == "/g/.gemini"


# --- links, errors, order


def test_a_file_reached_twice_is_one_source(tmp_path: Path) -> None:
    real = put(tmp_path / f".claude/projects/p/{SID}.jsonl")
    (tmp_path / ".claude/projects/link").symlink_to(tmp_path / ".claude/projects/p")
    (tmp_path / f".claude/projects/p/{OTHER}.jsonl").symlink_to(real)
    (tmp_path / ".claude-second").symlink_to(tmp_path / ".claude")
    assert [one.path for one in found(tmp_path).values()] == [str(real.resolve())]


def test_a_projects_folder_may_be_a_link_and_circles_end(tmp_path: Path) -> None:
    put(tmp_path / f"elsewhere/p/{SID}.jsonl")
    (tmp_path / ".claude").mkdir()
    (tmp_path / ".claude/projects").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "elsewhere/p/again").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "elsewhere/p/dangling.jsonl").symlink_to(tmp_path / "nowhere")
    (one,) = found(tmp_path).values()
    assert one.path == str((tmp_path / f"elsewhere/p/{SID}.jsonl").resolve())


def test_a_folder_that_cannot_be_listed_makes_its_root_incomplete(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path / f".claude/projects/a/{SID}.jsonl")
    put(tmp_path / f".claude/projects/closed/{OTHER}.jsonl")
    put(tmp_path / f".codex/sessions/rollout-{SID}.jsonl")
    whole = os.scandir

    def scandir(path: str) -> object:
        if path.endswith("closed"):
            raise PermissionError(13, "Permission denied", path)
        return whole(path)

    monkeypatch.setattr(walk.os, "scandir", scandir)
    discovery = Archive.from_environment({}, str(tmp_path)).discover()
    assert [Path(one.path).name for one in discovery.sources] == [f"{SID}.jsonl", f"rollout-{SID}.jsonl"]
    (problem,) = discovery.problems
    assert "permission denied" in problem.what
    assert problem.hint
    assert str(tmp_path / ".claude") not in discovery.complete_roots
    assert str(tmp_path / ".codex") in discovery.complete_roots


def test_a_file_that_vanishes_while_it_is_listed_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path / f".claude/projects/a/{SID}.jsonl")
    put(tmp_path / f".claude/projects/a/{OTHER}.jsonl")
    whole = walk.Walk._entry

    def entry(self: walk.Walk, one: os.DirEntry[str], parts: tuple[str, ...]) -> object:
        if one.name.startswith(OTHER):
            os.unlink(one.path)
        return whole(self, one, parts)

    monkeypatch.setattr(walk.Walk, "_entry", entry)
    discovery = Archive.from_environment({}, str(tmp_path)).discover()
    assert len(discovery.sources) == 1
    assert discovery.problems == ()


def test_the_order_is_the_same_every_time(tmp_path: Path) -> None:
    for name in ("c", "a", "b"):
        put(tmp_path / f".claude/projects/{name}/{SID}.jsonl")
    archive = Archive.from_environment({}, str(tmp_path))
    assert archive.discover() == archive.discover()
    assert [Path(one.path).parent.name for one in archive.discover().sources] == ["a", "b", "c"]


# --- paths given by the person


@pytest.mark.parametrize(
    ("given", "runtimes"),
    [
        ("home", {"claude", "codex", "pi"}),
        ("home/.claude", {"claude"}),
        ("home/.claude/projects", {"claude"}),
        ("home/.codex", {"codex"}),
        ("home/.codex/sessions", {"codex"}),
        ("home/.pi/agent", {"pi"}),
        ("home/.pi/agent/sessions", {"pi"}),
    ],
)
def test_a_path_given_by_the_person_is_known_by_its_layout(tmp_path: Path, given: str, runtimes: set[str]) -> None:
    put(tmp_path / f"home/.claude/projects/p/{SID}.jsonl", line(user("a")))
    put(tmp_path / f"home/.codex/sessions/2026/03/01/rollout-{SID}.jsonl")
    put(tmp_path / f"home/.pi/agent/sessions/--x--/2026_{SID}.jsonl")
    archive = Archive.from_environment({}, str(tmp_path / "nobody"), [str(tmp_path / given)])
    assert {one.runtime for one in archive.discover().sources} == runtimes
    assert {root.configured for root in archive.roots} == {"default", "option"}
    alone = Archive.from_environment({}, str(tmp_path / "nobody"), [str(tmp_path / given)], only_extra=True)
    assert {root.configured for root in alone.roots} == {"option"}


def test_an_unknown_runtime_is_said(tmp_path: Path) -> None:
    with pytest.raises(UnknownRuntime):
        Archive.from_environment({}, str(tmp_path)).adapter("nothing")


def test_a_source_of_an_adapter_is_named_after_its_root(tmp_path: Path) -> None:
    put(tmp_path / f"projects/p/{SID}.jsonl")
    (one,) = CLAUDE.discover(Root("claude", str(tmp_path)))
    assert not isinstance(one, ReadProblem)
    assert (one.root, one.runtime) == (str(tmp_path), "claude")
