"""Small made-up records, written line by line, and the checks that hold for every record."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from core.records.model import CONVERSATION, Adapter, Channel, Mark, Origin, Role, Source, Turn

SID = "11111111-2222-4333-8444-555555555555"
OTHER = "99999999-2222-4333-8444-555555555555"
REAL_HOME = Path(__file__).parents[3] / "../shared/data/home"


def line(record: object) -> bytes:
    """One compact JSON line, as the runtimes write it."""
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass") + b"\n"


def lines(*records: object) -> bytes:
    """Several lines; bytes are taken as they are."""
    return b"".join(record if isinstance(record, bytes) else line(record) for record in records)


def source(path: Path, runtime: str, body: bytes, **more: Any) -> Source:
    """Write a record and give its source."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(body)
    info = path.stat()
    stem = path.name.removesuffix(".zst").removesuffix(".jsonl").removesuffix(".json")
    values = {"root": str(path.parent), "session_id": stem, "role": Role.MAIN, **more}
    return Source(runtime=runtime, path=str(path), size=info.st_size, mtime_ns=info.st_mtime_ns, **values)


# --- Claude Code


def envelope(kind: str, **more: Any) -> dict[str, Any]:
    """The fields that most Claude Code lines carry."""
    base = {
        "parentUuid": None,
        "isSidechain": False,
        "userType": "external",
        "cwd": "/home/dev/shop",
        "sessionId": SID,
        "version": "2.1.51",
        "gitBranch": "main",
        "type": kind,
    }
    return {
        **base,
        **more,
        "uuid": more.get("uuid", "u-1"),
        "timestamp": more.get("timestamp", "2026-03-01T10:00:00.000Z"),
    }


def user(content: object, **more: Any) -> dict[str, Any]:
    """A Claude Code user record."""
    return envelope("user", message={"role": "user", "content": content}, **more)


def assistant(*blocks: object, **more: Any) -> dict[str, Any]:
    """A Claude Code assistant record."""
    message = {"model": "claude-test-1", "id": "msg_1", "type": "message", "role": "assistant", "content": list(blocks)}
    return envelope("assistant", message=message, **more)


def text(words: str) -> dict[str, str]:
    """A text block."""
    return {"type": "text", "text": words}


def tool_result(content: object, **more: Any) -> dict[str, Any]:
    """A tool result block."""
    return {"tool_use_id": "toolu_1", "type": "tool_result", "content": content, **more}


def tool_use(name: str, arguments: object) -> dict[str, Any]:
    """A tool call block."""
    return {"type": "tool_use", "id": "toolu_1", "name": name, "input": arguments}


# --- Codex


def codex(kind: str, payload: object, at: str = "2026-03-01T10:00:00.000Z") -> dict[str, Any]:
    """A Codex line."""
    return {"timestamp": at, "type": kind, "payload": payload}


def meta(**more: Any) -> dict[str, Any]:
    """A Codex header."""
    payload = {
        "id": SID,
        "timestamp": "2026-03-01T09:59:00.000Z",
        "cwd": "/home/dev/shop",
        "originator": "codex_cli_rs",
        "cli_version": "0.79.0",
        "source": "cli",
        "git": {"branch": "main"},
        **more,
    }
    return codex("session_meta", payload)


def item(role: str, words: str, at: str = "2026-03-01T10:00:00.000Z") -> dict[str, Any]:
    """A Codex message item."""
    kind = "output_text" if role == "assistant" else "input_text"
    return codex("response_item", {"type": "message", "role": role, "content": [{"type": kind, "text": words}]}, at)


def event(kind: str, at: str = "2026-03-01T10:00:00.000Z", **payload: Any) -> dict[str, Any]:
    """A Codex event."""
    return codex("event_msg", {"type": kind, **payload}, at)


def prompted(words: str, at: str = "2026-03-01T10:00:00.000Z") -> list[dict[str, Any]]:
    """A Codex prompt, written twice as Codex does."""
    return [item("user", words, at), event("user_message", at, message=words, images=[])]


# --- what holds for every record


def said(turns: Sequence[Turn] | Iterator[Turn]) -> list[tuple[str, str]]:
    """Origin and text of the conversation's turns."""
    return [(t.origin.value, t.text) for t in turns if t.channel is Channel.TALK]


def persons(turns: Sequence[Turn] | Iterator[Turn]) -> list[str]:
    """What the person said."""
    return [t.text for t in turns if t.origin is Origin.PERSON and t.channel is Channel.TALK]


def strings(value: object) -> Iterator[str]:
    """Every decoded string, those of JSON inside strings too: the rule of the story checker."""
    if isinstance(value, str):
        yield value
        if value[:1] in ("{", "["):
            try:
                yield from strings(json.loads(value))
            except ValueError:
                return
    elif isinstance(value, dict):
        for part in value.values():
            yield from strings(part)
    elif isinstance(value, list):
        for part in value:
            yield from strings(part)


def line_strings(raw: bytes) -> list[str]:
    """The decoded strings of one physical line; of a line that is no JSON the line itself and its literals."""
    whole = raw.decode("utf-8", "replace")
    try:
        return list(strings(json.loads(whole, strict=False)))
    except (ValueError, RecursionError):
        found = [whole]
        for literal in re.findall(r'"(?:[^"\\]|\\.)*"', whole):
            try:
                found.extend(strings(json.loads(literal)))
            except ValueError:
                continue
        return found


def assert_quotable(record: Source, turns: Sequence[Turn], body: bytes) -> None:
    """Every turn's text is a part of a decoded string of its line, and its span is the line's."""
    physical = body.split(b"\n")
    starts = [0]
    for part in physical:
        starts.append(starts[-1] + len(part) + 1)
    known: dict[int, list[str]] = {}
    for turn in turns:
        raw = physical[turn.line - 1]
        assert turn.start == starts[turn.line - 1], (record.path, turn.line)
        assert turn.end == turn.start + len(raw.removesuffix(b"\r")), (record.path, turn.line)
        held = known.setdefault(turn.line, line_strings(raw))
        assert any(turn.text in one for one in held), (record.path, turn.line, turn.text[:80])


def assert_talk_only(adapter: Adapter, record: Source) -> None:
    """The pass over the conversation alone yields what the full pass yields of it."""
    full = [turn for turn in adapter.read(record) if turn.channel in CONVERSATION]
    assert list(adapter.read(record, talk_only=True)) == full, record.path


def assert_resumes(adapter: Adapter, record: Source, body: bytes, cut: int, *, talk_only: bool) -> None:
    """Reading the first `cut` bytes and going on from the mark equals reading all of it at once."""
    path = Path(record.path)
    path.write_bytes(body[:cut])
    head = adapter.read(record, talk_only=talk_only)
    first = list(head)
    mark = head.mark
    path.write_bytes(body)
    rest = adapter.read(record, mark, talk_only=talk_only)
    kept = first if mark.offset else []
    joined = kept + list(rest)
    whole = adapter.read(record, talk_only=talk_only)
    assert joined == list(whole)
    assert rest.spine == whole.spine
    assert rest.tally == whole.tally
    assert rest.mark == whole.mark
    assert json.loads(json.dumps(dict(mark.state))) == dict(mark.state)
    assert isinstance(mark, Mark)
