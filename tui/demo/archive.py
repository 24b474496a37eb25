"""A made-up archive for people without sessions: written by code, the same every time, dated relative to nothing.

Eight sessions of one invented team over three invented projects, in Claude Code and Codex form, with a subagent, a
compaction, a broken line, tool output that only a wider search reaches, and one session in Japanese.
"""

from __future__ import annotations

import json
import re
import uuid
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from tui.demo.talks import TALKS, Say, Talk

_SPACE = uuid.UUID("6f1c9f0e-5d1b-4f7e-9a3c-2d5b8e7a1c40")


def write_archive(home: Path) -> tuple[Path, ...]:
    """Write the archive below `home` (`.claude`, `.codex`); return the records' paths. Deterministic."""
    written = []
    for talk in TALKS:
        write = _write_claude if talk.runtime == "claude" else _write_codex
        written.append(write(home, talk))
    return tuple(written)


def _id(*parts: object) -> str:
    return str(uuid.uuid5(_SPACE, "/".join(map(str, parts))))


def _stamp(talk: Talk, step: int) -> str:
    start = datetime.fromisoformat(talk.start).replace(tzinfo=UTC)
    return (start + timedelta(seconds=47 * step)).strftime("%Y-%m-%dT%H:%M:%S.000Z")


def _line(record: dict[str, Any]) -> str:
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"))


def _save(path: Path, lines: list[str]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def _write_claude(home: Path, talk: Talk) -> Path:
    session = _id("claude", talk.name)
    folder = home / ".claude" / "projects" / re.sub(r"[^A-Za-z0-9]", "-", talk.cwd)
    lines: list[str] = []
    if talk.title:
        lines.append(_line({"type": "custom-title", "customTitle": talk.title, "sessionId": session}))
    parent: str | None = None
    for step, said in enumerate(talk.says):
        if said.who == "broken":
            lines.append(said.text)
            continue
        uid = _id(talk.name, step)
        lines.append(_line(_claude_record(talk, session, said, step, uid, parent, sidechain=False)))
        parent = uid
    if talk.subagent:
        agent = f"a{_id(talk.name, 'agent')[:8]}"
        side = [
            _line(
                {
                    **_claude_record(talk, session, s, n, _id(talk.name, "sub", n), None, sidechain=True),
                    "agentId": agent,
                }
            )
            for n, s in enumerate(talk.subagent)
        ]
        _save(folder / session / "subagents" / f"agent-{agent}.jsonl", side)
        meta = json.dumps({"agentType": "Explore"})
        (folder / session / "subagents" / f"agent-{agent}.meta.json").write_text(meta, encoding="utf-8")
    return _save(folder / f"{session}.jsonl", lines)


def _claude_record(
    talk: Talk, session: str, said: Say, step: int, uid: str, parent: str | None, *, sidechain: bool
) -> dict[str, Any]:
    base: dict[str, Any] = {
        "parentUuid": parent,
        "isSidechain": sidechain,
        "userType": "external",
        "cwd": talk.cwd,
        "sessionId": session,
        "version": "2.1.112",
        "gitBranch": talk.branch,
        "type": "assistant" if said.who in ("assistant", "call") else "user",
        "uuid": uid,
        "timestamp": _stamp(talk, step),
    }
    if said.who in ("assistant", "call"):
        block = {"type": "text", "text": said.text}
        if said.who == "call":
            block = {"type": "tool_use", "id": f"toolu_{step:02d}", "name": "Bash", "input": {"command": said.text}}  # type: ignore[dict-item]
        base["message"] = {
            "id": f"msg_{uid[:8]}",
            "type": "message",
            "role": "assistant",
            "model": "claude-sonnet-4-5",
            "content": [block],
        }
    elif said.who == "result":
        content = [{"type": "tool_result", "tool_use_id": f"toolu_{step - 1:02d}", "content": said.text}]
        base["message"] = {"role": "user", "content": content}
    elif said.who == "summary":
        base["isCompactSummary"] = True
        base["isVisibleInTranscriptOnly"] = True
        base["message"] = {"role": "user", "content": said.text}
    else:
        base["message"] = {"role": "user", "content": said.text}
    return base


def _write_codex(home: Path, talk: Talk) -> Path:
    session = _id("codex", talk.name)
    start = datetime.fromisoformat(talk.start)
    lines = [
        _line(
            {
                "timestamp": _stamp(talk, 0),
                "type": "session_meta",
                "payload": {
                    "id": session,
                    "timestamp": _stamp(talk, 0),
                    "cwd": talk.cwd,
                    "originator": "codex_cli_rs",
                    "cli_version": "0.147.0",
                    "source": "cli",
                    "git": {"branch": talk.branch, "commit_hash": _id(talk.name, "commit").replace("-", "")},
                },
            }
        )
    ]
    for step, said in enumerate(talk.says):
        for kind, payload in _codex_payloads(said, step):
            lines.append(_line({"timestamp": _stamp(talk, step), "type": kind, "payload": payload}))
    name = f"rollout-{start.strftime('%Y-%m-%dT%H-%M-%S')}-{session}.jsonl"
    return _save(home / ".codex" / "sessions" / start.strftime("%Y/%m/%d") / name, lines)


def _codex_payloads(said: Say, step: int) -> list[tuple[str, dict[str, Any]]]:
    if said.who == "person":
        message = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": said.text}]}
        return [("response_item", message), ("event_msg", {"type": "user_message", "message": said.text, "images": []})]
    if said.who == "call":
        arguments = json.dumps({"command": ["bash", "-lc", said.text]})
        return [
            (
                "response_item",
                {"type": "function_call", "name": "shell", "arguments": arguments, "call_id": f"call_{step}"},
            )
        ]
    if said.who == "result":
        return [("response_item", {"type": "function_call_output", "call_id": f"call_{step - 1}", "output": said.text})]
    message = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": said.text}]}
    return [("event_msg", {"type": "agent_message", "message": said.text}), ("response_item", message)]
