"""Sessions that no person held: usage probes, runs of programs, reviewers, summarisers of hooks (formats.md A4, C7).

They are no lies of the archive, but lists and rankings drown in them: 75 of 134 records of one person were a usage meter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, TypeVar

from core.records.model import Role

T = TypeVar("T")

SAME_WORDS = 5
"""So many sessions that begin with the same words, and go no further, are a program's."""
MIN_WORDS = 3
"""A first prompt of fewer words is a habit ("hi", "go on"), not a program's."""

_PROBES = ("/CodexBar/ClaudeProbe", "/ClaudeProbe", "/codexbar/probe")
_PROBE_FOLDERS = tuple(f"{place}/" for place in _PROBES)
_PROBE_WORDS = ("unknown skill: usage", "/usage", "unknown slash command: usage")
_PROGRAMS = frozenset(
    {
        "sdk-cli",
        "sdk-py",
        "sdk-ts",
        "sdk",
        "codex_exec",
        "codex-exec",
        "exec",
        "codex_sdk_ts",
        "mcp",
        "codex_mcp",
        "print",
    }
)
_SUMMARISER_PLACES = ("/.claude-mem/", "/claude-mem/observer-sessions", "/.claude/hooks")
_SUMMARISERS = (
    "please write a 5-10 word title", "analyze if this message indicates a new conversation topic",
    "generate a concise title", "generate a short title", "summarize this coding conversation",
    "summarize the following conversation", "summarize the conversation so far",
    "your task is to create a detailed summary of the conversation", "you are a claude-mem",
    "you are summarizing a claude code session", "extract memories from the following",
)  # fmt: skip


class Begun(Protocol):
    """What decides whether a program held a session, and what it is: a `Spine`, or as much of one."""

    @property
    def cwds(self) -> Sequence[str]:
        """As in `Spine`."""
        ...

    @property
    def role(self) -> Role:
        """As in `Spine`."""
        ...

    @property
    def first_prompt(self) -> str:
        """As in `Spine`."""
        ...

    @property
    def prompts(self) -> int:
        """As in `Spine`."""
        ...

    @property
    def entrypoint(self) -> str:
        """As in `Spine`."""
        ...


def first_words(spine: Begun) -> str:
    """The first prompt as `robot_reason` counts it: white space and case do not matter."""
    return " ".join(spine.first_prompt.split()).casefold()


def robot_reason(
    spine: Begun,
    first_prompts: Mapping[str, int] | None = None,
    *,
    same: int = SAME_WORDS,
    words: str | None = None,
) -> str:
    """Why a session is a robot's, in a few words; `""` if a person may have held it.

    `first_prompts` counts `first_words` over all sessions; without it that rule does not speak. `words` are those of this
    one, where they are known. The stronger evidence is told first: where it ran, what started it, what it was asked.
    """
    words = first_words(spine) if words is None else words
    if words.startswith(_PROBE_WORDS[:1]) or words in _PROBE_WORDS or any(map(_is_probe, spine.cwds)):
        return "a usage probe"
    if spine.role is Role.REVIEW:
        return "a reviewer of another session"
    if any(part in f"{cwd}/" for cwd in spine.cwds for part in _SUMMARISER_PLACES):
        return "a summary for a hook"
    if words.startswith(_SUMMARISERS) and spine.prompts <= 1:
        return "a summary for a hook"
    if spine.entrypoint.casefold() in _PROGRAMS:
        return f"started by a program ({spine.entrypoint})"
    count = first_prompts.get(words, 0) if first_prompts is not None and words else 0
    if count >= max(same, 2) and spine.prompts <= 1 and len(words.split()) >= MIN_WORDS:
        return f"one of {count} sessions with the same first words"
    return ""


def without_robots(sessions: Sequence[T], begun: Callable[[T], Begun]) -> list[T]:
    """Those of all sessions that a person may have held; `begun` is what is known of one."""
    words = [first_words(begun(one)) for one in sessions]
    counts = Counter(words)
    pairs = zip(sessions, words, strict=True)
    return [one for one, said in pairs if not robot_reason(begun(one), counts, words=said)]


def _is_probe(cwd: str) -> bool:
    return f"{cwd}/".replace("\\", "/").endswith(_PROBE_FOLDERS)
