"""Markdown exports of sessions as messages: SpecStory's, and others that head each message with its speaker
(formats.md D).

A message keeps the number of the line of its heading; the lines of its text are empty.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.records.lines import json_line

_SPEAKERS = {
    "user": "user", "human": "user", "you": "user", "assistant": "assistant", "agent": "assistant",
    "claude": "assistant", "codex": "assistant", "cursor": "assistant", "gemini": "assistant", "copilot": "assistant",
}  # fmt: skip
_HEAD = re.compile(
    r"(?:_\*\*|\*\*_?|#{2,3}[ \t]+(?:\*\*)?)[^\w\n]{0,4}(" + "|".join(_SPEAKERS)
    + r")\b[ \t]*((?:\([^)\n]*\)[ \t]*){0,4}):?(?:\*\*_?|_\*\*)?:?[ \t]*",
    re.I,
)  # fmt: skip
_TITLE = re.compile(r"#[ \t]+(\S.*)")
_SESSION = re.compile(
    r"<!--[^>\n]*?\bSession ([0-9a-fA-F]{8}-[0-9a-fA-F-]{27}|[\w-]{6,64})(?:[ \t]+\(([^)\n]*)\))?[^>\n]*-->"
)
_STAMP = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?")
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})")


@dataclass(slots=True)
class _Message:
    """A message while its lines are read."""

    line: int
    speaker: str
    stamp: str
    words: list[str]


def rendered(raw: bytes) -> bytes:
    """One line per line of the file."""
    lines = [text.rstrip("\r") for text in raw.decode("utf-8", "replace").split("\n")]
    found = [b"\n"] * len(lines)
    message: _Message | None = None
    fence = ""
    for number, text in enumerate(lines):
        match = None if fence else _HEAD.fullmatch(text)
        if match:
            _put(found, message)
            message = _Message(number, _SPEAKERS[match.group(1).lower()], match.group(2) or "", [])
            continue
        fence = _fenced(fence, text)
        if message is not None:
            message.words.append(text)
        else:
            note = _note(text)
            if note:
                found[number] = json_line(note)
    _put(found, message)
    return b"".join(found).removesuffix(b"\n") if raw.endswith(b"\n") else b"".join(found)


def moment(stamp: str) -> str:
    """The full date and time in the brackets of a heading, `""` where there is only a time of day."""
    match = _STAMP.search(stamp)
    return match.group(0).replace(" ", "T", 1) if match else ""


def _put(found: list[bytes], message: _Message | None) -> None:
    if message is None:
        return
    text = "\n".join(message.words).strip()
    while text.endswith("\n---") or text == "---":
        text = text[:-3].rstrip()
    if text:
        found[message.line] = json_line({"speaker": message.speaker, "at": moment(message.stamp), "text": text})


def _fenced(fence: str, text: str) -> str:
    """The fence that is open after a line: a heading inside of a block of code heads nothing."""
    match = _FENCE.match(text)
    if match is None:
        return fence
    mark = match.group(1)
    if not fence:
        return mark
    return "" if mark[0] == fence[0] and len(mark) >= len(fence) and text.strip() == mark else fence


def _note(text: str) -> dict[str, str]:
    """What a line before the first message says of the session."""
    match = _SESSION.search(text)
    if match:
        return {"session": match.group(1), "at": moment(match.group(2) or "")}
    match = _TITLE.match(text)
    return {"title": match.group(1).strip()} if match else {}
