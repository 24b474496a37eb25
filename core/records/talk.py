"""Turns of messages in the shapes that most runtimes share: a role and a content of text or blocks, as the interfaces
of OpenAI and Anthropic have them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from core.records.blocks import TurnMaker, block_turns, leaves, results, texts, uid_of
from core.records.model import Channel, Origin, Role, Turn
from core.records.wrappers import pieces

_TEXT = frozenset({"text", "input_text", "output_text"})
_ASSISTANTS = frozenset({"assistant", "agent", "model", "ai"})
_PERSONS = frozenset({"user", "human"})
_TOOLS = frozenset({"tool", "function", "tool_result", "toolResult"})


def speaker_of(role: Role) -> Origin:
    """Who stands behind the user's messages of a session: in a subagent's the agent that launched it."""
    return Origin.PERSON if role is Role.MAIN else Origin.PEER


def spoken(text: object, speaker: Origin, make: TurnMaker) -> Iterator[Turn]:
    """A user's text in pieces: the speaker's words, and what the runtime wrapped around them."""
    if not isinstance(text, str):
        return
    for piece in pieces(text):
        origin = speaker if piece.origin is Origin.PERSON else piece.origin
        yield make(origin, piece.channel, text[piece.start : piece.end], piece.name)


def message_turns(body: dict[str, Any], make: TurnMaker, speaker: Origin = Origin.PERSON) -> Iterator[Turn]:
    """The turns of one message with a `role`."""
    role, content = uid_of(body.get("role")), body.get("content")
    if role in _PERSONS:
        yield from _prompt(content, make, speaker)
    elif role in _ASSISTANTS:
        for key in ("reasoning_content", "reasoning", "thinking"):
            for text in texts(body.get(key)):
                yield make(Origin.ASSISTANT, Channel.THINKING, text)
        yield from _answer(content, make)
        yield from _calls(body.get("tool_calls"), make)
    elif role in _TOOLS:
        yield from results(content, make, uid_of(body.get("name")))
    else:
        for text in texts(content):
            yield make(Origin.INJECTED, Channel.NOTICE, text, role)


def _prompt(content: object, make: TurnMaker, speaker: Origin) -> Iterator[Turn]:
    for block in content if isinstance(content, list) else [content]:
        if isinstance(block, str):
            yield from spoken(block, speaker, make)
        elif isinstance(block, dict):
            if uid_of(block.get("type", "text")) in _TEXT:
                yield from spoken(block.get("text"), speaker, make)
            else:
                yield from block_turns(block, make, Origin.EXTERNAL)


def _answer(content: object, make: TurnMaker) -> Iterator[Turn]:
    for block in content if isinstance(content, list) else [content]:
        if isinstance(block, str):
            if block.strip():
                yield make(Origin.ASSISTANT, Channel.TALK, block)
        elif isinstance(block, dict):
            yield from _answer_block(block, make)


def _answer_block(block: dict[str, Any], make: TurnMaker) -> Iterator[Turn]:
    kind = uid_of(block.get("type", "text"))
    text = block.get("text")
    if kind in _TEXT:
        if isinstance(text, str) and text.strip():
            yield make(Origin.ASSISTANT, Channel.TALK, text)
    elif kind in ("thinking", "reasoning", "think"):
        for thought in texts(block.get("thinking") or block.get("think") or text):
            yield make(Origin.ASSISTANT, Channel.THINKING, thought)
    else:
        yield from block_turns(block, make, Origin.ASSISTANT)


def _calls(calls: object, make: TurnMaker) -> Iterator[Turn]:
    """Tool calls beside the content, in OpenAI's shape."""
    for call in calls if isinstance(calls, list) else ():
        body = call.get("function", call) if isinstance(call, dict) else None
        if isinstance(body, dict):
            name = uid_of(body.get("name"))
            yield from leaves(body.get("arguments"), Channel.CALL, Origin.ASSISTANT, name, make)
