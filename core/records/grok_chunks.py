"""The updates of a Grok Build session as messages: chunks of one message are put together (formats.md 1c).

The messages keep the numbers of the lines where they begin; the lines of further chunks, and of updates that hold no
text, are empty. Whatever stands between two chunks ends a message, a rewind marker too: what was rewound stays
searchable, as the abandoned branches of other runtimes do.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from core.records.lines import NotDecodable, decode, is_blank, json_line

_SPEAKERS = {
    "user_message_chunk": "user",
    "agent_message_chunk": "assistant",
    "agent_thought_chunk": "thought",
}
_QUIET = frozenset({"usage_update", "available_commands_update", "current_mode_update"})
"""Updates that may stand between the chunks of one message."""


def rendered(raw: bytes) -> bytes:
    """One line per line of the file."""
    lines = raw.split(b"\n")
    found = [b"\n"] * len(lines)
    kind, begun, words = "", 0, list[str]()
    head: dict[str, Any] = {}

    def close() -> None:
        if kind and words:
            found[begun] = json_line({**head, "text": "".join(words)})

    for number, part in enumerate(lines):
        record = _decoded(part)
        if record is None:
            found[number] = part + b"\n" if not is_blank(part) else b"\n"
            continue
        update = update_of(record)
        inner = str(update.get("sessionUpdate"))
        text = _text(update.get("content"))
        if inner in _SPEAKERS:
            own = str(update.get("messageId") or "")
            if inner != kind or own != head.get("id", ""):
                close()
                kind, begun, words = inner, number, []
                head = {"speaker": _SPEAKERS[inner], "at": _stamp(record), "id": own}
            words.extend(text)
        elif inner not in _QUIET:
            close()
            kind, words = "", []
            found[number] = part + b"\n"
    close()
    return b"".join(found).removesuffix(b"\n") if raw.endswith(b"\n") else b"".join(found)


def update_of(record: dict[str, Any]) -> dict[str, Any]:
    """The update in a line: alone, in a notification of the protocol, or in its parameters."""
    body: Any = record
    for key in ("params", "update"):
        inner = body.get(key)
        if isinstance(inner, dict):
            body = inner
    return body if isinstance(body, dict) else {}


def _decoded(raw: bytes) -> dict[str, Any] | None:
    try:
        value = decode(raw)
    except NotDecodable:
        return None
    return value if isinstance(value, dict) else None


def _text(content: object) -> Iterator[str]:
    for block in content if isinstance(content, list) else [content]:
        text = block.get("text") if isinstance(block, dict) else block
        if isinstance(text, str):
            yield text


def _stamp(record: dict[str, Any]) -> object:
    return next((record[key] for key in ("timestamp", "time", "ts") if key in record), None)
