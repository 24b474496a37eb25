"""Which lines of a Claude Code record certainly hold no conversation, told by their bytes."""

from __future__ import annotations

import re

_BARE_STRING = re.compile(rb'\},(?:"[^"\\]*(?:\\.[^"\\]*)*"[,\]]|[^{"\\ ])')
"""A string that follows an object in a list: content lists may hold one beside their blocks (formats.md B4). The first
string of a list that begins with an object follows one, or follows what is neither object nor string: a number, a list,
which no runtime writes and which is left to the parser. To look for an object's end and a comma costs a fifth of
looking for every string that follows a comma."""

_TOOL_RESULT = b'"type":"tool_result"'
_TEXT_BLOCK = b'"type":"text"'
_ASSISTANT = b'"type":"assistant"'
_KIND = b'"type":"'
SILENT = frozenset({"progress", "file-history-snapshot", "atis-latch", "bridge-session", "last-prompt", "mode"})
"""Kinds of lines that say nothing of the conversation and nothing of the session."""
_SILENT = frozenset(kind.encode() for kind in SILENT)


def skippable(raw: bytes) -> bool:
    """True for a line that certainly holds no conversation. Works on bytes: an unescaped `"type":"x"` is always
    structure, since a quote inside a JSON string is escaped; a line written with spaces is simply not recognized."""
    at = raw.find(_KIND)
    kind = b""
    if raw.find(b"{", 1, at) < 0:  # nothing nested before it: this is the line's own kind
        kind = raw[at + 8 : raw.find(b'"', at + 8, at + 48)]
    if kind in _SILENT:
        return True
    if kind == b"attachment":
        return b'"queued_command"' not in raw
    if kind == b"user" or (not kind and _TOOL_RESULT in raw):
        return _only_results(raw)
    if kind == b"assistant" or not kind:
        content = raw.find(b'"role":"assistant","content":[{')
        if content < 0 or raw.find(_TEXT_BLOCK, content) >= 0 or raw.find(_TEXT_BLOCK, 0, content) >= 0:
            return False
        if (
            not kind and raw.rfind(_ASSISTANT) < content
        ):  # what lies inside another record's line says nothing of the line
            return False
        return _BARE_STRING.search(raw, content) is None
    return False


def _only_results(raw: bytes) -> bool:
    """True for a user record whose content is nothing but tool results. The structured copy of the result, which may
    hold anything, comes after the message or the line is not recognized."""
    message = raw.find(b'"role":"user","content":[{')
    result = raw.find(_TOOL_RESULT)
    if not 0 <= message < result:
        return False
    copy = raw.find(b'"toolUseResult":')
    if 0 <= copy < message:
        return False
    end = copy if copy > 0 else len(raw)
    return raw.find(_TEXT_BLOCK, message, end) < 0 and _BARE_STRING.search(raw, message, end) is None
