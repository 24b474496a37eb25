"""Whose words a user's record holds: the person's, and what runtimes, hooks and templates wrap around them.

The markers are those counted in formats.md (1a "User text that is not the user's", B5, B8, C4, C7, C9). Every piece is
a contiguous part of the text it came from. Nothing an injector wrote is a person's; where a wrapper is known to hold a
person's words, only those are.
"""

from __future__ import annotations

import re

from core.frozen import dataclass
from core.records.model import Channel, Origin


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a text, `start` to `end` (characters), and whose it is."""

    origin: Origin
    channel: Channel
    start: int
    end: int
    name: str = ""


_INJECTED = (
    "system-reminder", "system_reminder", "command-name", "command-message", "command-contents",
    "local-command-stdout", "local-command-stderr", "local-command-caveat", "bash-stdout", "bash-stderr",
    "task-notification", "ide_opened_file", "ide_selection", "ide_diagnostics", "new-diagnostics",
    "post-tool-use-hook", "pre-tool-use-hook", "user-prompt-submit-hook", "session-start-hook", "stop-hook",
    "persisted-output", "tool_use_error", "current_datetime", "system_notification", "system-notification",
    "untrusted_context", "environment_details", "context-window-warning", "fork-boilerplate",
)  # fmt: skip
_PERSON = ("command-args", "user_query", "user-memory-input", "user_request")
_SHELL = ("bash-input",)
_PEER = ("teammate-message", "cross-session-message", "agent-message")
_OUTER = frozenset(
    {"local-command-stdout", "local-command-stderr", "bash-stdout", "bash-stderr", "task-notification",
     "ide_selection", "persisted-output", "system-reminder", "untrusted_context", "teammate-message"}
)  # fmt: skip
"""Wrappers around foreign text, which may hold their own closing tag: the last one counts if it ends the text."""

_NAMES = "|".join((*_INJECTED, *_PERSON, *_SHELL, *_PEER))
_TAG = re.compile(rf"<({_NAMES})(?:[ \t][^<>\n]*)?>")
"""A wrapper's opening tag, which counts where it begins its line or stands behind another wrapper."""
_ANYWHERE = re.compile(r"<(system-reminder|system_reminder)>")
"""One that counts in the midst of a line too."""
_NEXT_TAG = re.compile(rf"\s*{_TAG.pattern}")

_INJECTED_STARTS = (
    "Caveat: The messages below", "[Request interrupted by user", "Unknown skill:", "Unknown slash command:",
    "Unknown command:", "Operation stopped by hook", "Stop hook feedback", "Base directory for this skill:",
    "[Image: source:", "[Image: original", "[SYSTEM NOTIFICATION", "[Old tool result content cleared]",
    "The user doesn't want to proceed with this tool use", "The user doesn't want to take this action",
    "Your task is to create a detailed summary of the conversation so far",
    "Summarize the task tool output above and continue with your task.",
    "The following tool was executed by the user", "The user started a new session with",
    "# AGENTS.md instructions", "<INSTRUCTIONS>", "<environment_context", "<user_instructions",
    "<permissions instructions",
    "<permissions_instructions", "<turn_aborted", "<subagent_notification", "<skill>", "<skills_instructions",
    "<collaboration_mode", "<apps_instructions", "<plugins_instructions", "<personality_spec", "<recommended_plugins",
    "<model_switch", "<user_action", "<user_shell_command", "<token_budget", "<hook_prompt", "<goal_context",
    "The following is the Codex agent history whose request action you are assessing",
    "<session_context", "This is the Gemini CLI. We are setting up the context for our chat",
)  # fmt: skip
_HOOK_FEEDBACK = re.compile(
    r"\w[\w:.-]{0,60}(?: \[[^\]\n]{0,400}\])? hook (?:feedback|additional context|error)\b", re.I
)
_SUMMARY_STARTS = ("This session is being continued from a previous conversation", "<state_snapshot>")

_PLAN_START = "Implement the following plan:"
_PLAN_TAIL = "If you need specific details from before exiting plan mode"

_REQUEST = re.compile(r"(?:^|\n)## My request for Codex:[ \t]*\n?")
_REQUEST_WRAPPED = (
    "# Files mentioned by the user", "# Context from my IDE", "# In app browser", "# Browser", "# Applications",
    "# Selected text", "# Diff comments", "# Review findings", "## My request for Codex:",
)  # fmt: skip
_TEMPLATE_INPUT = re.compile(r"(?:^|\n)## User Input[ \t]*\n+[ \t]*(`{3,})[^\n`]*\n")
MAX_NESTED = 4
"""Wrappers of a person's words inside each other; what lies deeper is nobody's."""
_HARNESS = re.compile(r"\s*\[\[ ## user_query ## \]\]\s*")


def is_injected(text: str) -> bool:
    """True where the whole text is one that a runtime or a hook writes in the user's place."""
    head = text.lstrip()[:600]
    return head.startswith(_INJECTED_STARTS) or _HOOK_FEEDBACK.match(head) is not None


def is_summary(text: str) -> bool:
    """True for the summary of a compaction, also where the record does not flag it."""
    return text.lstrip()[:80].startswith(_SUMMARY_STARTS)


def is_plan_handoff(text: str, *, flagged: bool) -> bool:
    """True for a plan that the runtime pasted when the person approved it (formats.md B8).

    The plan is the assistant's text and the sentence is the runtime's; the person's own words stand in the session
    before. Without the flag or the runtime's closing sentence a person may have typed it.
    """
    return text.startswith(_PLAN_START) and (flagged or _PLAN_TAIL in text)


def plan_title(text: str) -> str:
    """The first heading or line of a handed-over plan, `""` if it has none."""
    for line in text[len(_PLAN_START) :].splitlines():
        clean = line.strip().lstrip("#").strip()
        if clean:
            return clean
    return ""


def pieces(text: str) -> tuple[Piece, ...]:
    """A user's text in pieces, in order. White space between them belongs to none."""
    if not text or text.isspace():
        return ()
    if is_summary(text):
        return (Piece(Origin.INJECTED, Channel.SUMMARY, 0, len(text)),)
    if is_injected(text):
        return (Piece(Origin.INJECTED, Channel.NOTICE, 0, len(text)),)
    special = _wrapped_request(text)
    if special:
        return special
    return tuple(_tagged(text, 0, len(text)))


def _tagged(
    text: str, start: int, end: int, channel: Channel = Channel.TALK, name: str = "", depth: int = 0
) -> list[Piece]:
    """The pieces between `start` and `end`; what no wrapper holds are the person's words, in the given channel."""
    found: list[Piece] = []
    here = start
    end = start + len(text[start:end].rstrip())
    while True:
        match = _next_tag(text, here, end)
        if match is None:
            found.extend(_free(text, here, end, start, channel, name))
            return found
        tag, opened = match.group(1), match.start(1) - 1
        found.extend(_free(text, here, opened, start, channel, name))
        close, after = _close(text, tag, match.end(), end)
        found.extend(_wrapped(text, tag, (opened, match.end(), close, after), depth))
        here = after


def _next_tag(text: str, here: int, end: int) -> re.Match[str] | None:
    """The first opening tag from `here` on. Only where a `<` stands is anything compared: most prompts hold none."""
    at = text.find("<", here, end)
    if at < 0:
        return None
    match = _NEXT_TAG.match(text, here, end)
    while match is None and at >= 0:
        match = _ANYWHERE.match(text, at, end)
        if match is None:
            match = _TAG.match(text, at, end)
            line = text.rfind("\n", 0, at) + 1
            if match is not None and (line < here or text[line:at].strip(" \t")):
                match = None
        at = text.find("<", at + 1, end)
    return match


def _close(text: str, tag: str, inner: int, end: int) -> tuple[int, int]:
    """Where a wrapper's content and the wrapper end; a wrapper that was never closed runs to the end."""
    mark = f"</{tag}>"
    close = text.find(mark, inner, end)
    if close < 0:
        return end, end
    if tag in _OUTER and text.endswith(mark, inner, end) and text.find(f"<{tag}", close, end) < 0:
        close = text.rindex(mark, inner, end)
    return close, close + len(mark)


def _wrapped(text: str, tag: str, where: tuple[int, int, int, int], depth: int) -> list[Piece]:
    """The pieces of one wrapper, given where it begins, where its content begins and ends, and where it ends."""
    opened, inner, close, after = where
    if (tag in _PERSON or tag in _SHELL) and depth < MAX_NESTED:
        channel, name = (Channel.CALL, "shell") if tag in _SHELL else (Channel.TALK, "")
        found = _tagged(text, inner, close, channel, name, depth + 1)
        return found or [Piece(Origin.INJECTED, Channel.NOTICE, opened, after)]
    if tag in _PEER:
        words = _trimmed(text, inner, close)
        return [Piece(Origin.PEER, Channel.TALK, *words)] if words else []
    return [Piece(Origin.INJECTED, Channel.NOTICE, opened, after)]


def _free(text: str, start: int, end: int, first: int, channel: Channel, name: str) -> tuple[Piece, ...]:
    words = _trimmed(text, start, end)
    if words is None:
        return ()
    if (start > first or first) and is_injected(text[words[0] : min(words[1], words[0] + 700)]):
        return (Piece(Origin.INJECTED, Channel.NOTICE, *words),)
    return (Piece(Origin.PERSON, channel, *words, name),)


def _trimmed(text: str, start: int, end: int) -> tuple[int, int] | None:
    part = text[start:end]
    words = part.strip()
    if not words:
        return None
    first = start + len(part) - len(part.lstrip())
    return first, first + len(words)


def _wrapped_request(text: str) -> tuple[Piece, ...]:
    """The person's part of a Desktop prompt, a prompt template or a harness prompt; empty where it is none."""
    match = _HARNESS.match(text)
    if match:
        return _around(text, match.end(), len(text))
    head = text.lstrip()
    if head.startswith(_REQUEST_WRAPPED):
        match = _REQUEST.search(text)
        if match:
            return _around(text, match.end(), len(text))
    if head.startswith("Input contract:") and "<user_request>" not in text:
        return (Piece(Origin.UNKNOWN, Channel.TALK, 0, len(text)),)
    match = _TEMPLATE_INPUT.search(text) if "## User Input" in text else None
    if match:
        fence = re.compile(r"^[ \t]*" + match.group(1) + r"[ \t]*$", re.M)
        closing = fence.search(text, match.end())
        return _around(text, match.end(), closing.start() if closing else len(text))
    return ()


def _around(text: str, start: int, end: int) -> tuple[Piece, ...]:
    """The words between `start` and `end` as the person's, what stands before and after them as injected."""
    found: list[Piece] = []
    before, after = _trimmed(text, 0, start), _trimmed(text, end, len(text))
    if before:
        found.append(Piece(Origin.INJECTED, Channel.NOTICE, *before))
    if text[start:end].strip() != "$ARGUMENTS":
        found.extend(_tagged(text, start, end))
    if after:
        found.append(Piece(Origin.INJECTED, Channel.NOTICE, *after))
    return tuple(found)
