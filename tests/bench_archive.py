"""What `make bench` measures on: a made-up archive that is always the same, and one record of more than a gigabyte."""

from __future__ import annotations

import json
import random
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

WORDS = [
    a + b + c
    for a in ("ta", "re", "mo", "li", "qua")
    for b in ("nd", "st", "rk", "ll", "v")
    for c in ("er", "ing", "o", "ed", "a")
]
BIG_SESSION = "11111111-2222-4333-8444-555555555555"


def make_archive(home: Path, sessions: int, megabytes: float, seed: int = 7) -> int:
    """Write made-up Claude Code sessions: short talk, much tool output. Returns bytes written."""
    dice = random.Random(seed)
    size = int(megabytes * 1e6 / sessions)
    total = 0
    for number in range(sessions):
        session = str(uuid.UUID(int=dice.getrandbits(128), version=4))
        folder = home / ".claude" / "projects" / f"-code-project-{number % 40}"
        folder.mkdir(parents=True, exist_ok=True)
        text = "\n".join(_lines(dice, session, number, size)) + "\n"
        (folder / f"{session}.jsonl").write_text(text, encoding="utf-8")
        total += len(text)
    return total


def _lines(dice: random.Random, session: str, number: int, size: int) -> Iterator[str]:
    written, step = 0, 0
    while written < size or step < 4:
        base = {
            "uuid": f"{session[:8]}-{step}", "sessionId": session, "cwd": f"/code/project-{number % 40}", "gitBranch": "main",
            "timestamp": f"2026-{1 + number % 12:02d}-{1 + step % 28:02d}T10:00:{step % 60:02d}Z", "isSidechain": False,
        }  # fmt: skip
        # A few words of each session are its own, as names in real talk are; they are what an index grows by.
        said = " ".join([*dice.choices(WORDS, k=dice.randint(8, 60)), f"{dice.choice(WORDS)}{dice.randrange(40_000)}"])
        if step % 5 == 0:
            row = {**base, "type": "user", "message": {"role": "user", "content": f"{said} needle{number}"}}
        elif step % 5 == 4:
            row = {**base, "type": "user", "message": {"role": "user", "content": [_result(step, said)]}}
        else:
            message = {"id": f"m{step}", "role": "assistant", "content": [{"type": "text", "text": said}]}
            row = {**base, "type": "assistant", "message": message}
        line = json.dumps(row, separators=(",", ":"))
        written += len(line)
        step += 1
        yield line


def _result(step: int, said: str) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": f"t{step}", "content": "\n".join([said] * 120)}


def grow(home: Path, count: int = 10) -> None:
    """Add a prompt to each of the first sessions."""
    for path in sorted((home / ".claude").rglob("*.jsonl"))[:count]:
        row = {"type": "user", "uuid": str(time.time_ns()), "message": {"role": "user", "content": "one more"}}
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")


def make_big(home: Path, megabytes: int) -> Path:
    """Write one session of this size, and return its path."""
    path = home / ".claude" / "projects" / "-code-big" / f"{BIG_SESSION}.jsonl"
    path.parent.mkdir(parents=True)
    output, written, step = "x y z " * 650, 0, 0
    with path.open("w", encoding="utf-8") as file:
        while written < megabytes * 1_000_000:
            content: Any = f"step {step} of the work"
            if step % 40:
                content = [{"type": "tool_result", "tool_use_id": f"t{step}", "content": output}]
            row = {
                "uuid": f"{step:08d}", "sessionId": BIG_SESSION, "cwd": "/code/big", "type": "user",
                "timestamp": "2026-01-02T10:00:00Z", "message": {"role": "user", "content": content},
            }  # fmt: skip
            line = json.dumps(row, separators=(",", ":")) + "\n"
            file.write(line)
            written += len(line)
            step += 1
    return path
