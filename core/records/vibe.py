"""The adapter for Vibe's sessions (formats.md 1c): messages as lines, and a file that describes the session."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from core.records.blocks import TurnMaker, uid_of
from core.records.draft import SpineDraft
from core.records.homes import roots_of
from core.records.lined import DescribedParser, LinedAdapter
from core.records.lines import seconds
from core.records.model import ReadProblem, Role, Root, Source, Turn
from core.records.passes import LineParser
from core.records.sidecars import first_of, sidecar
from core.records.talk import message_turns, speaker_of
from core.records.walk import Found, Walk

RUNTIME = "vibe"


class VibeAdapter(LinedAdapter):
    """Reads `logs/session/<folder>/messages.jsonl`. See `Adapter`."""

    runtime = RUNTIME
    label = "Vibe"

    def roots(self, env: Mapping[str, str], home: str) -> tuple[Root, ...]:
        """See `core.records.homes`."""
        return roots_of(RUNTIME, env, home)

    def discover(self, root: Root) -> Iterator[Source | ReadProblem]:
        """Every session below a root."""
        for found in Walk(os.path.join(root.path, "logs", "session"), _wanted):
            if isinstance(found, ReadProblem):
                yield found
            elif found.parts:
                yield _source(root, found)

    def parser(self, source: Source) -> LineParser:
        """A parser for one pass."""
        return VibeParser(source)


class VibeParser(DescribedParser):
    """Reads the messages of one session."""

    def turns(self, record: dict[str, Any], line: int, start: int, end: int) -> Sequence[Turn]:
        """The turns of one message."""
        at = self.draft.see_stamp(record.get("timestamp"))
        make = TurnMaker(at, line, start, end, uid_of(record.get("message_id")))
        found = list(message_turns(record, make, speaker_of(self.draft.role)))
        self.draft.see_turns(found)
        return found

    def describe(self, draft: SpineDraft) -> None:
        """Add what `meta.json` says."""
        meta = sidecar(self.source.meta)
        draft.once("session_id", meta.get("session_id"))
        draft.once("session_id", self.source.session_id)
        draft.offer_title(meta.get("title"), "runtime")
        for key in ("start_time", "end_time"):
            draft.see_time(seconds(meta.get(key)))
        place, config = meta.get("environment"), meta.get("config")
        if isinstance(place, dict):
            draft.see_cwd(place.get("working_directory"))
        draft.once("branch", meta.get("git_branch"))
        if isinstance(config, dict):
            draft.once("model", first_of(config, "active_model", "model"))
            if config.get("auto_approve") is True:
                draft.permission = "bypass"
        draft.once("parent_id", meta.get("parent_session_id"))


def _source(root: Root, found: Found) -> Source:
    folder = os.path.dirname(found.path)
    meta = os.path.join(folder, "meta.json")
    role = Role.SUBAGENT if len(found.parts) > 1 else Role.MAIN
    parent = str(sidecar(os.path.join(_session(folder, found), "meta.json")).get("session_id") or "")
    return Source(
        RUNTIME, root.path, found.path, found.parts[-1], found.size, found.mtime_ns, role,
        parent if role is Role.SUBAGENT else "", meta=meta,
    )  # fmt: skip


def _session(folder: str, found: Found) -> str:
    """The folder of the session that a session below it belongs to."""
    for _ in found.parts[1:]:
        folder = os.path.dirname(folder)
    return folder


def _wanted(name: str) -> bool:
    return name == "messages.jsonl"
