"""The demo's sessions in the form of Codex (formats.md 1b)."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

from tui.demo.made import json_line, made_id, save, stamp
from tui.demo.talks import Say, Talk


def write_codex(home: Path, code: str, talk: Talk) -> Path:
    """Write a session; return its path."""
    session = made_id("codex", talk.name)
    start = datetime.fromisoformat(talk.start)
    lines = [
        json_line(
            {
                "timestamp": stamp(talk, 0),
                "type": "session_meta",
                "payload": {
                    "id": session,
                    "timestamp": stamp(talk, 0),
                    "cwd": f"{code}/{talk.project}",
                    "originator": "codex_cli_rs",
                    "cli_version": "0.147.0",
                    "source": "cli",
                    "git": {"branch": talk.branch, "commit_hash": made_id(talk.name, "commit").replace("-", "")},
                },
            }
        )
    ]
    for step, said in enumerate(talk.says):
        for kind, payload in _codex_payloads(said, step):
            lines.append(json_line({"timestamp": stamp(talk, step), "type": kind, "payload": payload}))
    name = f"rollout-{start.strftime('%Y-%m-%dT%H-%M-%S')}-{session}.jsonl"
    return save(home / ".codex" / "sessions" / start.strftime("%Y/%m/%d") / name, lines)


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
