"""What a rollout says of itself: headers, the replay of a fork, the context of its turns (formats.md 1b, C5, C7)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from core.records.draft import SpineDraft
from core.records.lines import seconds
from core.records.model import Role

REPLAY_SECONDS = 1.5
"""A fork's replayed history is written at once: lines further from its second header are the fork's own."""
_CWD = re.compile(r"<cwd>([^<\n]+)</cwd>")


class CodexMeta:
    """Reads headers and contexts into a spine, and tells a fork's replayed lines from its own."""

    def __init__(self, draft: SpineDraft) -> None:
        self._draft = draft
        self._replay: float | None = None
        self._replaying = False

    @property
    def role(self) -> Role:
        """The kind of session, known once the first header was read."""
        return self._draft.role

    def dump(self) -> dict[str, object]:
        """The memory as JSON values."""
        return {"replay": self._replay, "replaying": self._replaying}

    def load(self, state: Mapping[str, Any]) -> None:
        """Restore what `dump` gave."""
        self._replay = state.get("replay")
        self._replaying = bool(state.get("replaying", False))

    def is_replay(self, kind: str, payload: dict[str, Any], moment: float | None) -> bool:
        """True for a line of the history that a fork repeats: from a second header with another id on, as long as the
        lines bear the time of that header."""
        if kind == "session_meta" and self._draft.session_id:
            if payload.get("id") not in (self._draft.session_id, None):
                self._replay, self._replaying = moment, True
            return self._replaying
        if self._replaying and (moment is None or self._replay is None or abs(moment - self._replay) > REPLAY_SECONDS):
            self._replaying = False
        return self._replaying

    def header(self, payload: dict[str, Any]) -> None:
        """A `session_meta`: the first is the record's own, a further one names what was forked."""
        draft = self._draft
        own = payload.get("id")
        if draft.session_id:
            if isinstance(own, str) and own != draft.session_id and not draft.parent_id:
                draft.once("forked_from", own)
            return
        draft.once("session_id", own)
        draft.see_time(seconds(payload.get("timestamp")))
        draft.see_cwd(payload.get("cwd"))
        draft.once("version", payload.get("cli_version"))
        draft.once("forked_from", payload.get("forked_from_id"))
        draft.once("agent", payload.get("agent_nickname") or payload.get("agent_role"))
        source = payload.get("source")
        draft.once("entrypoint", payload.get("originator"))
        draft.once("entrypoint", source)
        git = payload.get("git")
        if isinstance(git, dict):
            draft.once("branch", git.get("branch"))
        self._kind(source.get("subagent") if isinstance(source, dict) else None, payload)

    def _kind(self, subagent: object, payload: dict[str, Any]) -> None:
        draft = self._draft
        if isinstance(subagent, dict):
            spawn = subagent.get("thread_spawn")
            if isinstance(spawn, dict):
                draft.role = Role.SUBAGENT
                draft.once("parent_id", spawn.get("parent_thread_id"))
                draft.once("agent", spawn.get("agent_nickname") or spawn.get("agent_role"))
            else:
                draft.role = Role.REVIEW
                draft.once("agent", subagent.get("other"))
        elif isinstance(subagent, str):
            draft.role = Role.REVIEW if subagent in ("review", "guardian") else Role.SUBAGENT
            draft.once("agent", subagent)
        elif payload.get("thread_source") == "subagent":
            draft.role = Role.SUBAGENT
        draft.once("parent_id", payload.get("parent_thread_id"))

    def context(self, payload: dict[str, Any]) -> None:
        """A `turn_context`: where the turn worked, with which model, and what it was allowed to do."""
        draft = self._draft
        draft.see_cwd(payload.get("cwd"))
        draft.once("model", payload.get("model"))
        policy = payload.get("sandbox_policy")
        mode = policy.get("type") or policy.get("mode") if isinstance(policy, dict) else policy
        if "approval_policy" in payload:
            free = payload.get("approval_policy") == "never" and mode == "danger-full-access"
            draft.permission = "bypass" if free else ""

    def environment(self, text: str) -> None:
        """The working directory that an `<environment_context>` names; the only one in the oldest rollouts."""
        if text.lstrip().startswith("<environment_context"):
            match = _CWD.search(text)
            if match:
                self._draft.see_cwd(match.group(1).strip())
