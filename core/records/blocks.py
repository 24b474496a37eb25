"""Making turns out of the content blocks that several runtimes share: text, tool calls, tool results, thinking."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from core.records.lines import is_payload, strings, unwrapped
from core.records.model import Channel, Origin, Turn

MAX_LEAVES = 200
"""Strings of one tool call or result that become turns."""
_OPAQUE = frozenset(
    {"signature", "encrypted_content", "data", "image_url", "base64", "originalFile", "structuredPatch"}
)
"""Keys whose values nobody reads, or which repeat a whole file beside the edit of it."""

_BLOCK_KINDS = ("text", "input_text", "output_text", "tool_reference", "image", "input_image")
"""Values of `type` that only say that a block is one."""


class TurnMaker:
    """Makes the turns of one line: what they share is given once."""

    __slots__ = ("at", "copied", "end", "line", "start", "uid")

    def __init__(self, at: float | None, line: int, start: int, end: int, uid: str = "", copied: bool = False) -> None:
        self.at, self.line, self.start, self.end, self.uid, self.copied = at, line, start, end, uid, copied

    def __call__(self, origin: Origin, channel: Channel, text: str, name: str = "") -> Turn:
        """A turn of this line."""
        return Turn(origin, channel, text, self.at, self.line, self.start, self.end, name, self.uid, self.copied)


def uid_of(value: object) -> str:
    """An id as the record gives it, `""` where it is none."""
    return value if isinstance(value, str) else ""


def texts(content: object) -> list[str]:
    """The texts of a message's content that say something: a string, or strings and blocks with a `text` in a list."""
    found: list[str] = []
    for block in content if isinstance(content, list) else [content]:
        text = block.get("text") if isinstance(block, dict) else block
        if isinstance(text, str) and text.strip():
            found.append(text)
    return found


def readable(value: object) -> Iterator[str]:
    """The strings of a value that a person could look for, at most `MAX_LEAVES`, opaque ones left out."""
    count = 0
    for text in strings(_without_opaque(value)):
        if text.strip() and not is_payload(text):
            yield text
            count += 1
            if count >= MAX_LEAVES:
                return


def _without_opaque(value: object, depth: int = 0) -> object:
    if depth > 60:
        return None
    if isinstance(value, dict):
        return {
            k: _without_opaque(v, depth + 1)
            for k, v in value.items()
            if not (k in _OPAQUE and isinstance(v, str | list)) and not (k == "type" and v in _BLOCK_KINDS)
        }
    if isinstance(value, list):
        return [_without_opaque(v, depth + 1) for v in value]
    return value


def leaves(value: object, channel: Channel, origin: Origin, name: str, make: TurnMaker) -> Iterator[Turn]:
    """One turn per readable string of a value; a string that holds JSON is opened first (formats.md C10)."""
    if isinstance(value, str):
        value = unwrapped(value)
    for text in readable(value):
        yield make(origin, channel, text, name)


def block_turns(body: dict[str, Any], make: TurnMaker, speaker: Origin) -> Iterator[Turn]:
    """The turns of a content block in the shape of Anthropic's messages; images and signatures are no text."""
    kind = body.get("type")
    if kind == "thinking":
        text = body.get("thinking")
        if isinstance(text, str) and text.strip():
            yield make(speaker, Channel.THINKING, text)
    elif kind in ("tool_use", "server_tool_use"):
        yield from leaves(body.get("input"), Channel.CALL, speaker, uid_of(body.get("name")), make)
    elif isinstance(kind, str) and kind.endswith("tool_result"):
        yield from results(body.get("content"), make)
    elif kind == "document":
        source = body.get("source")
        plain = source.get("data") if isinstance(source, dict) and source.get("type") == "text" else source
        if isinstance(plain, dict):
            plain = {key: value for key, value in plain.items() if key not in ("type", "media_type")}
        for text in readable([plain, body.get("title"), body.get("text")]):
            yield make(Origin.EXTERNAL, Channel.RESULT, text, "document")


def results(content: object, make: TurnMaker, name: str = "") -> Iterator[Turn]:
    """The turns of a tool's output: a string is one turn, in a list each text is one."""
    if isinstance(content, str):
        if content.strip() and not is_payload(content):
            yield make(Origin.EXTERNAL, Channel.RESULT, content, name)
        return
    for text in readable([b for b in content if not _is_image(b)] if isinstance(content, list) else content):
        yield make(Origin.EXTERNAL, Channel.RESULT, text, name)


def _is_image(body: object) -> bool:
    return isinstance(body, dict) and body.get("type") in ("image", "input_image")
