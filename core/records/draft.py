"""A spine while it is being written: what the lines of one record say of it, gathered line by line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from core.records.lines import seconds
from core.records.model import Channel, Origin, Role, Spine, Turn

MAX_PROMPT = 400
MAX_TITLE = 400
MAX_CWDS = 200
_RANK = {"": 0, "plan": 1, "summary": 2, "runtime": 3, "custom": 4}
_PLAIN = (
    "session_id", "title", "title_from", "first_prompt", "branch", "started", "ended", "parent_id", "forked_from",
    "agent", "version", "model", "entrypoint", "permission", "prompts", "first_uid", "slug",
)  # fmt: skip


@dataclass(slots=True)
class SpineDraft:
    """The mutable counterpart of `Spine`; `dump` and `load` carry it through a mark as JSON values."""

    session_id: str = ""
    title: str = ""
    title_from: str = ""
    first_prompt: str = ""
    cwds: list[str] = field(default_factory=list)
    branch: str = ""
    started: float | None = None
    ended: float | None = None
    role: Role = Role.MAIN
    parent_id: str = ""
    forked_from: str = ""
    agent: str = ""
    version: str = ""
    model: str = ""
    entrypoint: str = ""
    permission: str = ""
    prompts: int = 0
    first_uid: str = ""
    slug: str = ""

    def see_time(self, at: float | None) -> None:
        """Widen the span from the first to the last moment."""
        if at is None:
            return
        if self.started is None or at < self.started:
            self.started = at
        if self.ended is None or at > self.ended:
            self.ended = at

    def see_stamp(self, stamp: object) -> float | None:
        """`see_time` for a timestamp as the record writes it; returns the moment."""
        at = seconds(stamp)
        self.see_time(at)
        return at

    def see_cwd(self, cwd: object) -> None:
        """Note a working directory once, in order of appearance."""
        if isinstance(cwd, str) and cwd and cwd not in self.cwds and len(self.cwds) < MAX_CWDS:
            self.cwds.append(cwd)

    def see_turns(self, turns: Iterable[Turn]) -> None:
        """Count the person's turns, keep the first prompt and the first id of the conversation. A subagent's record is
        called by the task it was given, until something better names it."""
        for turn in turns:
            if turn.channel is not Channel.TALK:
                continue
            if turn.uid and not self.first_uid:
                self.first_uid = turn.uid
            if turn.origin is Origin.PERSON:
                self.prompts += 1
                if not self.first_prompt:
                    self.first_prompt = turn.text[:MAX_PROMPT].strip()
            elif turn.origin is Origin.PEER and not self.title:
                self.offer_title(turn.text.strip().partition("\n")[0], "plan")

    def once(self, name: str, value: object) -> None:
        """Set a text field that holds the first value seen."""
        if isinstance(value, str) and value and not getattr(self, name):
            setattr(self, name, value)

    def offer_title(self, title: object, source: str) -> None:
        """Take a title where its source weighs as much as that of the present one: the last of the best wins."""
        if not isinstance(title, str):
            return
        clean = title.strip()[:MAX_TITLE]
        if clean and _RANK[source] >= _RANK[self.title_from]:
            self.title, self.title_from = clean, source

    def freeze(self) -> Spine:
        """The spine as far as it is known."""
        values: dict[str, Any] = {name: getattr(self, name) for name in _PLAIN}
        if self.title_from == "plan":
            values["title_from"] = "summary"
        return Spine(**values, cwds=tuple(self.cwds), role=self.role, project=self.cwds[0] if self.cwds else "")

    def dump(self) -> dict[str, object]:
        """JSON values that `load` restores."""
        values: dict[str, object] = {name: getattr(self, name) for name in _PLAIN}
        values["cwds"] = list(self.cwds)
        values["role"] = self.role.value
        return values

    def load(self, values: Mapping[str, Any]) -> None:
        """Restore what `dump` gave."""
        for name in _PLAIN:
            if name in values:
                setattr(self, name, values[name])
        self.cwds = list(values.get("cwds", ()))
        self.role = Role(values.get("role", self.role.value))
