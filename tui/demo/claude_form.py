"""The demo's sessions in the form of Claude Code (formats.md 1a)."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from tui.demo.made import json_line, made_id, save, stamp
from tui.demo.talks import Say, Talk


def write_claude(home: Path, code: str, talk: Talk, origin: Talk | None = None) -> Path:
    """Write a session, with what it repeats of the session it was forked from; return its path."""
    session = made_id("claude", talk.name)
    cwd = f"{code}/{talk.project}"
    folder = home / ".claude" / "projects" / re.sub(r"[^A-Za-z0-9]", "-", cwd)
    lines: list[str] = []
    if talk.title:
        lines.append(json_line({"type": "custom-title", "customTitle": talk.title, "sessionId": session}))
    parent: str | None = None
    if origin is not None:
        source = made_id("claude", origin.name)
        for step, said in enumerate(origin.says):
            uid = made_id(origin.name, step)
            record = _record(origin, cwd, session, said, step, uid, parent)
            lines.append(json_line({**record, "forkedFrom": {"sessionId": source, "messageUuid": uid}}))
            parent = uid
    for step, said in enumerate(talk.says):
        if said.who == "broken":
            lines.append(said.text)
            continue
        uid = made_id(talk.name, step)
        lines.append(json_line(_record(talk, cwd, session, said, step, uid, parent)))
        parent = uid
    if talk.subagent:
        _write_subagent(folder / session / "subagents", cwd, session, talk)
    return save(folder / f"{session}.jsonl", lines)


def _write_subagent(folder: Path, cwd: str, session: str, talk: Talk) -> None:
    agent = f"a{made_id(talk.name, 'agent')[:8]}"
    side = []
    for step, said in enumerate(talk.subagent):
        record = _record(talk, cwd, session, said, step, made_id(talk.name, "sub", step), None)
        side.append(json_line({**record, "isSidechain": True, "agentId": agent}))
    save(folder / f"agent-{agent}.jsonl", side)
    (folder / f"agent-{agent}.meta.json").write_text(json.dumps({"agentType": "Explore"}), encoding="utf-8")


def _record(talk: Talk, cwd: str, session: str, said: Say, step: int, uid: str, parent: str | None) -> dict[str, Any]:
    base: dict[str, Any] = {
        "parentUuid": parent,
        "isSidechain": False,
        "userType": "external",
        "cwd": cwd,
        "sessionId": session,
        "version": "2.1.112",
        "gitBranch": talk.branch,
        "type": "assistant" if said.who in ("assistant", "call") else "user",
        "uuid": uid,
        "timestamp": stamp(talk, step),
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
