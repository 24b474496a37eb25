"""Lays made-up sessions out in every runtime's own form, below one home folder."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

from tests.core.records import builders, stores
from tests.cues.talk import Talk

ROBOTS = 7
"""Times a usage probe ran."""


def write_home(home: Path, talks: list[Talk]) -> None:
    """Write every session; files get the time of their session's last turn."""
    for talk in talks:
        _WRITERS[talk.runtime](home, talk)


def _put(path: Path, body: bytes, talk: Talk) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(body)
    end = talk.at(len(talk.said)).timestamp()
    os.utime(path, (end, end))
    return path


def _json(path: Path, value: object, talk: Talk) -> None:
    _put(path, json.dumps(value, ensure_ascii=False, indent=2).encode(), talk)


def _encoded(cwd: str) -> str:
    return re.sub(r"[^A-Za-z0-9]", "-", cwd)


def _claude_rows(talk: Talk, sid: str) -> list[object]:
    rows: list[object] = []
    if talk.title:
        rows.append({"type": "custom-title", "customTitle": talk.title, "sessionId": sid})
    parent: str | None = None
    for step, (who, text) in enumerate(talk.said):
        more = {
            "sessionId": sid, "cwd": talk.cwd, "timestamp": talk.iso(step), "uuid": f"{sid[:24]}{step:012d}", "parentUuid": parent,
        }  # fmt: skip
        parent = str(more["uuid"])
        if who == "user":
            rows.append(builders.user(text, **more))
        elif who == "tool":
            rows.append(builders.user([builders.tool_result(text)], **more))
        else:
            rows.append(builders.assistant(builders.text(text), **more))
    return rows


def _claude(home: Path, talk: Talk) -> None:
    path = home / ".claude/projects" / _encoded(talk.cwd) / f"{talk.sid}.jsonl"
    _put(path, builders.lines(*_claude_rows(talk, talk.sid)), talk)


def _robots(home: Path, talk: Talk) -> None:
    for number in range(ROBOTS):
        sid = f"{talk.sid[:-2]}{number:02d}"
        rows = _claude_rows(talk, sid)
        place = home / ".claude/projects/-probe" / f"{sid}.jsonl"
        body = builders.lines(*rows).replace(talk.cwd.encode(), b"/home/mira/CodexBar/ClaudeProbe")
        _put(place, body, talk)


def _ghost(home: Path, talk: Talk) -> None:
    rows = [
        {"display": text, "pastedContents": {}, "timestamp": talk.ms(n), "project": talk.cwd, "sessionId": talk.sid}
        for n, (_, text) in enumerate(talk.said)
    ]
    _put(home / ".claude/history.jsonl", builders.lines(*rows), talk)


def _codex(home: Path, talk: Talk) -> None:
    about = builders.meta(id=talk.sid, cwd=talk.cwd, timestamp=talk.iso(0))
    rows: list[object] = [{**about, "timestamp": talk.iso(0)}]
    for step, (who, text) in enumerate(talk.said):
        if who == "user":
            rows += builders.prompted(text, talk.iso(step))
        else:
            rows.append(builders.item("assistant", text, talk.iso(step)))
    day = talk.start
    name = f"rollout-{day:%Y-%m-%dT%H-%M-%S}-{talk.sid}.jsonl"
    _put(home / ".codex/sessions" / f"{day:%Y/%m/%d}" / name, builders.lines(*rows), talk)


def _copilot(home: Path, talk: Talk) -> None:
    context = {"cwd": talk.cwd, "branch": "main"}
    events = [("session.start", {"sessionId": talk.sid, "context": context})]
    events += [("user.message" if who == "user" else "assistant.message", {"content": t}) for who, t in talk.said]
    rows = [
        {"type": k, "data": d, "id": f"{talk.sid[:24]}{n:012d}", "timestamp": talk.iso(max(0, n - 1))}
        for n, (k, d) in enumerate(events)
    ]
    _put(home / ".copilot/session-state" / talk.sid / "events.jsonl", builders.lines(*rows), talk)


def _gemini_messages(talk: Talk) -> list[dict[str, object]]:
    kinds = {"user": "user", "assistant": "gemini", "tool": "info"}
    return [
        {"id": f"{talk.sid[:24]}{n:012d}", "timestamp": talk.iso(n), "type": kinds[who], "content": t}
        for n, (who, t) in enumerate(talk.said)
    ]


def _gemini_place(home: Path, talk: Talk, ending: str) -> Path:
    folder = home / ".gemini/tmp" / hashlib.sha256(talk.cwd.encode()).hexdigest()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / ".project_root").write_text(talk.cwd + "\n")
    return folder / "chats" / f"session-{talk.start:%Y-%m-%dT%H-%M}-{talk.sid[:8]}.{ending}"


def _gemini(home: Path, talk: Talk) -> None:
    end = talk.iso(len(talk.said))
    about = {"sessionId": talk.sid, "projectHash": "x", "startTime": talk.iso(0), "lastUpdated": end}
    _json(_gemini_place(home, talk, "json"), {**about, "messages": _gemini_messages(talk)}, talk)


def _gemini_lines(home: Path, talk: Talk) -> None:
    head = {"sessionId": talk.sid, "kind": "main", "startTime": talk.iso(0)}
    update = {"$set": {"lastUpdated": talk.iso(len(talk.said))}}
    body = builders.lines(head, *_gemini_messages(talk), update)
    _put(_gemini_place(home, talk, "jsonl"), body, talk)


def _pi(home: Path, talk: Talk) -> None:
    rows: list[object] = [
        {"type": "session", "version": 3, "id": talk.sid, "timestamp": talk.iso(0), "cwd": talk.cwd, "modelId": "m"}
    ]
    for n, (who, text) in enumerate(talk.said):
        content = [{"type": "text", "text": text}]
        rows.append(
            {
                "type": "message",
                "id": f"{talk.sid[:6]}{n:02d}",
                "timestamp": talk.iso(n),
                "message": {"role": who, "content": content},
            }
        )
    folder = f"--{talk.cwd.strip('/').replace('/', '-')}--"
    name = f"{talk.start:%Y-%m-%dT%H-%M-%S}_{talk.sid}.jsonl"
    _put(home / ".pi/agent/sessions" / folder / name, builders.lines(*rows), talk)


def _opencode(home: Path, talk: Talk) -> None:
    own = f"ses_{talk.sid.replace('-', '')[:20]}"
    db = stores.opencode(home / ".local/share/opencode", "delete")
    row = (own, "p", None, talk.cwd, talk.title, "1.2.0", talk.ms(0), talk.ms(len(talk.said)), None)
    db.execute("insert into session values (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
    for n, (who, text) in enumerate(talk.said):
        info = json.dumps({"role": who, "time": {"created": talk.ms(n)}})
        db.execute("insert into message values (?, ?, ?, ?, ?)", (f"msg_{n}", own, talk.ms(n), talk.ms(n), info))
        part = json.dumps(stores.text(text))
        db.execute(
            "insert into part values (?, ?, ?, ?, ?, ?)", (f"prt_{n}", f"msg_{n}", own, talk.ms(n), talk.ms(n), part)
        )
    db.close()


def _opencode_files(home: Path, talk: Talk) -> None:
    own = f"ses_{talk.sid.replace('-', '')[:20]}"
    storage = home / ".local/share/opencode/storage"
    times = {"created": talk.ms(0), "updated": talk.ms(len(talk.said))}
    _json(
        storage / f"session/p/{own}.json", {"id": own, "directory": talk.cwd, "title": talk.title, "time": times}, talk
    )
    for n, (who, text) in enumerate(talk.said):
        key = f"msg_{talk.sid[:4]}{n}"
        info = {"id": key, "sessionID": own, "role": who, "time": {"created": talk.ms(n)}}
        _json(storage / f"message/{own}/{key}.json", info, talk)
        _json(storage / f"part/{key}/prt_{n}.json", stores.text(text), talk)


def _crush(home: Path, talk: Talk) -> None:
    data = home / ".local/share/crush"
    folder = data / "data" / talk.name
    db = stores.crush(folder)
    first, last = int(talk.start.timestamp()), int(talk.at(len(talk.said)).timestamp())
    db.execute(
        "insert into sessions values (?, ?, ?, ?, ?, ?)", (talk.sid, None, talk.title, len(talk.said), last, first)
    )
    for n, (who, text) in enumerate(talk.said):
        parts = json.dumps([{"type": "text", "data": {"text": text}}])
        at = int(talk.at(n).timestamp())
        row = (f"{talk.sid[:8]}-{n}", talk.sid, who, parts, "m", at, at, at)
        db.execute("insert into messages values (?, ?, ?, ?, ?, ?, ?, ?)", row)
    db.close()
    listing = data / "projects.json"
    known = json.loads(listing.read_text())["projects"] if listing.exists() else []
    listing.write_text(json.dumps({"projects": [*known, {"path": talk.cwd, "data_dir": str(folder)}]}))


def _cursor(home: Path, talk: Talk) -> None:
    rows = []
    for who, text in talk.said:
        words = f"<user_query>\n{text}\n</user_query>" if who == "user" else text
        rows.append({"role": who, "message": {"content": [{"type": "text", "text": words}]}})
    folder = talk.cwd.strip("/").replace("/", "-")
    _put(
        home / ".cursor/projects" / folder / "agent-transcripts" / talk.sid / f"{talk.sid}.jsonl",
        builders.lines(*rows),
        talk,
    )
    mark = hashlib.md5(talk.cwd.encode(), usedforsecurity=False).hexdigest()
    store = home / ".cursor/chats" / mark / talk.sid / "store.db"
    store.parent.mkdir(parents=True)
    import sqlite3
    from contextlib import closing

    with closing(sqlite3.connect(store, isolation_level=None)) as db:
        chat = json.dumps({"name": talk.title or "New Agent", "createdAt": talk.ms(0)}).encode().hex()
        db.execute("create table meta (key text, value text)")
        db.execute("insert into meta values ('0', ?)", (chat,))


def _kimi(home: Path, talk: Talk) -> None:
    place = home / ".kimi-code/sessions" / f"wd_{talk.project}_0123456789ab" / f"session_{talk.sid}"
    rows: list[object] = [{"type": "metadata", "protocol_version": "1.4", "created_at": talk.ms(0)}]
    for n, (who, text) in enumerate(talk.said):
        if who == "user":
            message = {"role": "user", "content": [{"type": "text", "text": text}]}
            rows.append({"type": "context.append_message", "message": message, "time": talk.ms(n)})
        else:
            part = {"type": "content.part", "part": {"type": "text", "text": text}}
            rows.append({"type": "context.append_loop_event", "event": part, "time": talk.ms(n)})
    _put(place / "agents/main/wire.jsonl", builders.lines(*rows), talk)
    _json(place / "state.json", {"title": talk.title, "workDir": talk.cwd, "createdAt": talk.iso(0)}, talk)


def _vibe(home: Path, talk: Talk) -> None:
    place = home / ".vibe/logs/session" / f"session_{talk.start:%Y%m%d_%H%M%S}_{talk.sid[:8]}"
    rows = [
        {"role": who, "content": text, "message_id": f"{talk.sid[:24]}{n:012d}"}
        for n, (who, text) in enumerate(talk.said)
    ]
    _put(place / "messages.jsonl", builders.lines(*rows), talk)
    about = {"session_id": talk.sid, "start_time": talk.iso(0), "environment": {"working_directory": talk.cwd}}
    _json(place / "meta.json", about, talk)


def _amp(home: Path, talk: Talk) -> None:
    own = f"T-{talk.sid}"
    messages = [
        {"role": who, "messageId": n, "content": [{"type": "text", "text": text}], "meta": {"sentAt": talk.ms(n)}}
        for n, (who, text) in enumerate(talk.said)
    ]
    env = {"initial": {"trees": [{"uri": f"file://{quote(talk.cwd)}"}]}}
    value = {"id": own, "created": talk.ms(0), "messages": messages, "env": env, "title": talk.title}
    _json(home / ".local/share/amp/threads" / f"{own}.json", value, talk)


def _editor(folder: str) -> Callable[[Path, Talk], None]:
    """The writer of a task of one of the three extensions."""

    def write(home: Path, talk: Talk) -> None:
        base = home / ".config/Code/User/globalStorage" / folder
        place = base / "tasks" / str(talk.ms(0))
        rows = [
            {"ts": talk.ms(n), "type": "say", "say": {"user": "user_feedback", "assistant": "completion_result"}[who], "text": text}
            for n, (who, text) in enumerate(talk.said)
        ]  # fmt: skip
        rows[0]["say"] = "text"
        _json(place / "ui_messages.json", rows, talk)
        _json(place / "history_item.json", {"id": str(talk.ms(0)), "ts": talk.ms(0), "workspace": talk.cwd}, talk)

    return write


def _grok(home: Path, talk: Talk) -> None:
    place = home / ".grok/sessions" / quote(talk.cwd, safe="") / talk.sid
    rows = []
    for n, (who, text) in enumerate(talk.said):
        kind = "user_message_chunk" if who == "user" else "agent_message_chunk"
        update = {"sessionUpdate": kind, "content": {"type": "text", "text": text}}
        rows.append(
            {"timestamp": talk.iso(n), "method": "session/update", "params": {"sessionId": talk.sid, "update": update}}
        )
    _put(place / "updates.jsonl", builders.lines(*rows), talk)
    _json(place / "summary.json", {"info": {"id": talk.sid, "cwd": talk.cwd}, "session_summary": talk.title}, talk)


def _antigravity(home: Path, talk: Talk) -> None:
    rows = []
    for n, (who, text) in enumerate(talk.said):
        mine = who == "user"
        words = f"<USER_REQUEST>\n{text}\n</USER_REQUEST>" if mine else text
        source, kind = ("USER_EXPLICIT", "USER_INPUT") if mine else ("MODEL", "PLANNER_RESPONSE")
        rows.append(
            {
                "step_index": n,
                "source": source,
                "type": kind,
                "status": "DONE",
                "created_at": talk.iso(n),
                "content": words,
            }
        )
    place = home / ".gemini/antigravity-cli/brain" / talk.sid / ".system_generated/logs/transcript.jsonl"
    _put(place, builders.lines(*rows), talk)


def _specstory(home: Path, talk: Talk) -> None:
    rows = [
        f"<!-- Claude Code Session {talk.sid} ({talk.start:%Y-%m-%d %H:%M:%SZ}) -->",
        "",
        f"# {talk.title or talk.name}",
        "",
    ]
    for n, (who, text) in enumerate(talk.said):
        name = "User" if who == "user" else "Agent"
        rows += [f"_**{name} ({talk.at(n):%Y-%m-%d %H:%M:%SZ})**_", "", text, "", "---", ""]
    place = home / "code" / talk.project / ".specstory/history" / f"{talk.start:%Y-%m-%d_%H-%MZ}-{talk.name}.md"
    _put(place, "\n".join(rows).encode(), talk)


_WRITERS: dict[str, Callable[[Path, Talk], None]] = {
    "claude": _claude, "claude-robot": _robots, "claude-ghost": _ghost, "codex": _codex, "copilot": _copilot,
    "gemini": _gemini, "gemini-lines": _gemini_lines, "pi": _pi, "opencode": _opencode, "opencode-files": _opencode_files,
    "crush": _crush, "cursor": _cursor, "kimi": _kimi, "vibe": _vibe, "amp": _amp, "cline": _editor("saoudrizwan.claude-dev"),
    "roo": _editor("rooveterinaryinc.roo-cline"), "kilo": _editor("kilocode.kilo-code"), "grok": _grok,
    "antigravity": _antigravity, "specstory": _specstory,
}  # fmt: skip
RUNTIMES = frozenset(_WRITERS)
