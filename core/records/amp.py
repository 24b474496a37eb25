"""The adapter for Amp's threads (formats.md 1c): one JSON document per thread.

Newer versions keep only the prompts here, the rest on Amp's server: what is here is told.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote

from core.records.blocks import TurnMaker, leaves, results, uid_of
from core.records.document_reading import Document, DocumentAdapter, MessageDocument
from core.records.homes import roots_of
from core.records.lines import seconds
from core.records.model import Channel, Origin, ReadProblem, Root, Source, Turn
from core.records.talk import message_turns, speaker_of
from core.records.walk import Walk

RUNTIME = "amp"


class AmpAdapter(DocumentAdapter):
    """Reads `threads/T-<id>.json`. See `Adapter`."""

    runtime = RUNTIME
    label = "Amp"

    def roots(self, env: Mapping[str, str], home: str) -> tuple[Root, ...]:
        """See `core.records.homes`."""
        return roots_of(RUNTIME, env, home)

    def discover(self, root: Root) -> Iterator[Source | ReadProblem]:
        """Every thread below a root."""
        for found in Walk(os.path.join(root.path, "threads"), _wanted):
            if isinstance(found, ReadProblem):
                yield found
            else:
                own = found.name.removesuffix(".json")
                yield Source(RUNTIME, root.path, found.path, own, found.size, found.mtime_ns)

    def document(self, source: Source, raw: bytes) -> Document:
        """A thread from its bytes."""
        return AmpDocument(source, raw)


class AmpDocument(MessageDocument):
    """One thread."""

    def messages(self, value: Any) -> Any:
        """The thread's messages."""
        return value.get("messages") if isinstance(value, dict) else None

    def header(self, value: Any) -> None:
        """The thread's id, title, beginning and folder."""
        if not isinstance(value, dict):
            return
        draft = self.draft
        draft.once("session_id", value.get("id"))
        draft.offer_title(value.get("title"), "runtime")
        draft.see_time(seconds(value.get("created")))
        place = value.get("env")
        trees = place.get("initial") if isinstance(place, dict) else None
        trees = trees.get("trees") if isinstance(trees, dict) else None
        for tree in trees if isinstance(trees, list) else ():
            uri = tree.get("uri") if isinstance(tree, dict) else None
            if isinstance(uri, str) and uri.startswith("file://"):
                draft.see_cwd(unquote(uri.removeprefix("file://")))
            ref = tree.get("repository") if isinstance(tree, dict) else None
            if isinstance(ref, dict) and isinstance(ref.get("ref"), str):
                draft.once("branch", ref["ref"].removeprefix("refs/heads/"))

    def message(self, body: dict[str, Any], make: TurnMaker) -> Iterator[Turn]:
        """The turns of one message; a tool's output stands in the run of its result."""
        about, usage = body.get("meta"), body.get("usage")
        stamp = about.get("sentAt") if isinstance(about, dict) else None
        if isinstance(usage, dict):
            stamp = stamp or usage.get("timestamp")
            self.draft.once("model", usage.get("model"))
        number = body.get("messageId")
        make.at = self.draft.see_stamp(stamp)
        # messages are counted from 0 in every thread: alone the number would make all threads one past
        make.uid = f"{self.source.session_id}/{number}" if number is not None else ""
        content = body.get("content")
        for block in content if isinstance(content, list) else [content]:
            run = block.get("run") if isinstance(block, dict) else None
            if isinstance(run, dict):
                result = run.get("result")
                if isinstance(result, str):
                    yield from results(result, make)
                else:
                    yield from leaves(result, Channel.RESULT, Origin.EXTERNAL, "", make)
                yield from leaves(run.get("error"), Channel.RESULT, Origin.EXTERNAL, "error", make)
            else:
                yield from message_turns({"role": uid_of(body.get("role")), "content": [block]}, make, self._speaker)

    @property
    def _speaker(self) -> Origin:
        return speaker_of(self.source.role)


def _wanted(name: str) -> bool:
    return name.startswith("T-") and name.endswith(".json")
