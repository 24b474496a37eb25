"""The demo's sessions in the forms of Copilot CLI and Gemini CLI (formats.md 1c)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tui.demo.made import at, json_line, made_id, save, stamp
from tui.demo.talks import Say, Talk


def write_copilot(home: Path, code: str, talk: Talk) -> Path:
    """Write a session of Copilot CLI; return its path."""
    session = made_id("copilot", talk.name)
    cwd = f"{code}/{talk.project}"
    start = {
        "sessionId": session, "version": 1, "producer": "copilot-agent", "copilotVersion": "1.0.4", "startTime": stamp(talk, 0),
        "context": {"cwd": cwd, "gitRoot": cwd, "branch": talk.branch},
    }  # fmt: skip
    lines = [json_line(_event(talk, "session.start", start, 0, "start"))]
    for step, said in enumerate(talk.says):
        lines += [json_line(_event(talk, kind, data, step, kind)) for kind, data in _copilot(said, step)]
    return save(home / ".copilot" / "session-state" / session / "events.jsonl", lines)


def _event(talk: Talk, kind: str, data: dict[str, Any], step: int, part: str) -> dict[str, Any]:
    return {
        "type": kind,
        "data": data,
        "id": made_id(talk.name, step, part),
        "timestamp": stamp(talk, step),
        "parentId": None,
    }


def _copilot(said: Say, step: int) -> Iterator[tuple[str, dict[str, Any]]]:
    if said.who == "person":
        yield "user.message", {"content": said.text, "transformedContent": said.text, "attachments": []}
    elif said.who == "call":
        yield (
            "tool.execution_start",
            {"toolCallId": f"call_{step}", "toolName": "bash", "arguments": {"command": said.text}},
        )
    elif said.who == "result":
        result = {"toolCallId": f"call_{step - 1}", "success": True, "result": {"content": said.text}}
        yield "tool.execution_complete", result
    else:
        yield "assistant.message", {"messageId": f"m{step}", "content": said.text, "toolRequests": []}


def write_gemini(home: Path, code: str, talk: Talk) -> Path:
    """Write a session of Gemini CLI; return its path."""
    session = made_id("gemini", talk.name)
    folder = home / ".gemini" / "tmp" / talk.project
    messages = [
        {
            "id": made_id(talk.name, step), "timestamp": stamp(talk, step),
            "type": "user" if said.who == "person" else "gemini", "content": said.text,
        }
        for step, said in enumerate(talk.says)
    ]  # fmt: skip
    document = {
        "sessionId": session, "projectHash": made_id(talk.project), "startTime": stamp(talk, 0),
        "lastUpdated": stamp(talk, len(talk.says) - 1), "messages": messages,
    }  # fmt: skip
    name = f"session-{at(talk, 0).strftime('%Y-%m-%dT%H-%M')}-{session[:8]}.json"
    path = save(folder / "chats" / name, [json.dumps(document, ensure_ascii=False, indent=1)])
    (folder / ".project_root").write_text(f"{code}/{talk.project}", encoding="utf-8")
    return path
