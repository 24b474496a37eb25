"""What the lines of a Claude Code record mean (formats.md 1a, B)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from zlib import crc32

from core.records.blocks import TurnMaker, block_turns, leaves, readable, results, texts, uid_of
from core.records.claude_skips import SILENT, skippable
from core.records.digests import digest
from core.records.lines import seconds
from core.records.model import CONVERSATION, Channel, Origin, Role, Source, Spine, Turn
from core.records.passes import LineParser
from core.records.wrappers import is_plan_handoff, is_summary, pieces, plan_title

MAX_QUEUED = 64
"""How many queued prompts are remembered until a user record or an attachment repeats them."""
MAX_SUMMARIES = 32
MAX_TOLD = 2048
"""How many conversation lines are remembered, to know one that stands twice (formats.md B13)."""
_SESSION_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\Z", re.I)
_PERSON_KINDS = frozenset({"human", "user", "person", "typed", "prompt", "queued", ""})

_COMMAND = re.compile(r"/[\w:.-]+(?=\s|\Z)")


def is_session_id(text: str) -> bool:
    """True for an id that `claude --resume` takes."""
    return _SESSION_ID.match(text) is not None


class ClaudeParser(LineParser):
    """Reads lines of Claude Code in order. Remembers queued prompts, so that the one record that repeats them does not
    count twice, and summaries, whose session is known only when the whole file is."""

    skippable = staticmethod(skippable)

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self._queued: list[str] = []
        self._summaries: list[tuple[str, str]] = []
        self._told: dict[str, None] = {}
        self._inner_id = ""
        self.summary_title = ""
        self._cwd: object = None

    def dump(self) -> dict[str, object]:
        """The parser's memory as JSON values."""
        return {
            "spine": self.draft.dump(),
            "queued": list(self._queued),
            "summaries": [list(pair) for pair in self._summaries],
            "told": list(self._told),
            "inner_id": self._inner_id,
        }

    def load(self, state: Mapping[str, Any]) -> None:
        """Restore what `dump` gave."""
        super().load(state)
        self._queued = [str(x) for x in state.get("queued", ())]
        self._summaries = [(str(a), str(b)) for a, b in state.get("summaries", ())]
        self._told = {str(x): None for x in state.get("told", ())}
        self._inner_id = str(state.get("inner_id", ""))

    @property
    def summaries(self) -> Sequence[tuple[str, str]]:
        """Old summaries met so far: the id of the message each belongs to, and its text."""
        return tuple(self._summaries)

    def spine(self) -> Spine:
        """The spine, with the session's id: the file's name where it is an id, else what the lines say."""
        draft = self.draft
        own = self.source.session_id
        if self.source.role is Role.MAIN:
            draft.session_id = own if is_session_id(own) or not self._inner_id else self._inner_id
        else:
            draft.session_id = own
            if not draft.parent_id:
                draft.parent_id = self._inner_id
        if self.summary_title:
            draft.offer_title(self.summary_title, "summary")
        return draft.freeze()

    def turns(self, record: dict[str, Any], line: int, start: int, end: int) -> Sequence[Turn]:
        """The turns of one line."""
        kind = record.get("type")
        if not isinstance(kind, str) or kind in SILENT:
            return ()
        self._envelope(record)
        copied = self._is_copied(record)
        at = None
        stamp = record.get("timestamp")
        if stamp is not None:
            at = seconds(stamp) if copied else self.draft.see_stamp(stamp)
        make = TurnMaker(at, line, start, end, uid_of(record.get("uuid")), copied)
        if kind == "assistant":
            found = list(self._assistant(record, make))
        elif kind == "user":
            found = list(self._user(record, make))
        else:
            found = list(self._by_kind(kind, record, make))
        if found:
            if make.uid and self._stands_twice(make.uid, found):
                found = [turn for turn in found if turn.channel not in CONVERSATION]
            self.draft.see_turns(found)
        return found

    def _stands_twice(self, uid: str, found: Sequence[Turn]) -> bool:
        """True where a line before had this id and said the same (formats.md B13): it is not told again."""
        said = [turn.text for turn in found if turn.channel in CONVERSATION]
        if not said:
            return False
        mark = f"{crc32(_bytes(uid)):08x}{crc32(_bytes(*said)):08x}"
        if mark in self._told:
            return True
        self._told[mark] = None
        if len(self._told) > MAX_TOLD:
            del self._told[next(iter(self._told))]
        return False

    def _envelope(self, record: dict[str, Any]) -> None:
        draft = self.draft
        cwd = record.get("cwd")
        if cwd != self._cwd:
            self._cwd = cwd
            draft.see_cwd(cwd)
        if not draft.branch:
            self.draft.once("slug", record.get("slug"))
            branch = record.get("gitBranch")
            if branch != "HEAD":
                draft.once("branch", branch)
        if not draft.version:
            draft.once("version", record.get("version"))
        if not draft.entrypoint:
            draft.once("entrypoint", record.get("entrypoint"))
        if not self._inner_id:
            self._inner_id = uid_of(record.get("sessionId") or record.get("session_id"))
        mode = record.get("permissionMode")
        if mode is not None:
            draft.permission = "bypass" if mode == "bypassPermissions" else ""

    def _is_copied(self, record: dict[str, Any]) -> bool:
        fork = record.get("forkedFrom")
        if isinstance(fork, dict):
            self.draft.once("forked_from", fork.get("sessionId"))
            return True
        return self.source.role is Role.COPY

    def _by_kind(self, kind: str, record: dict[str, Any], make: TurnMaker) -> Iterator[Turn]:
        if kind == "queue-operation":
            yield from self._queue(record, make)
        elif kind == "attachment":
            yield from self._attachment(record, make)
        elif kind == "system":
            yield from self._system(record, make)
        elif kind in ("tool_use", "tool_result"):
            yield from block_turns(record, make, Origin.ASSISTANT)
        else:
            yield from self._note(kind, record, make)

    # --- the two speakers

    def _user(self, record: dict[str, Any], make: TurnMaker) -> Iterator[Turn]:
        message = record.get("message")
        content = message.get("content") if isinstance(message, dict) else record.get("content")
        aside = bool(record.get("isSidechain")) or self.source.role in (Role.SUBAGENT, Role.COPY)
        for block in content if isinstance(content, list) else [content]:
            if isinstance(block, str):
                yield from self._user_text(block, record, make, aside)
            elif isinstance(block, dict):
                if block.get("type") == "text" and isinstance(block.get("text"), str):
                    yield from self._user_text(block["text"], record, make, aside)
                else:
                    yield from block_turns(block, make, Origin.EXTERNAL)
        yield from _structured(record.get("toolUseResult"), content, make)

    def _user_text(self, text: str, record: dict[str, Any], make: TurnMaker, aside: bool) -> Iterator[Turn]:
        if not text.strip():
            return
        if record.get("isCompactSummary") or is_summary(text):
            yield make(Origin.INJECTED, Channel.SUMMARY, text)
            return
        if record.get("isMeta"):
            yield make(Origin.INJECTED, Channel.NOTICE, text)
            return
        if not aside and is_plan_handoff(text, flagged=isinstance(record.get("planContent"), str)):
            if not (self.draft.first_prompt or self.draft.title):
                self.draft.offer_title(plan_title(text), "plan")
            yield make(Origin.INJECTED, Channel.TALK, text)
            return
        if self._take_queued(text):
            return
        speaker = _speaker(record.get("origin"), aside)
        yield from self._spoken(text, speaker, make)

    def _spoken(self, text: str, speaker: Origin, make: TurnMaker) -> Iterator[Turn]:
        for piece in pieces(text):
            origin = speaker if piece.origin is Origin.PERSON else piece.origin
            channel = piece.channel
            if origin is Origin.INJECTED and channel is Channel.TALK:
                channel = Channel.NOTICE
            yield make(origin, channel, text[piece.start : piece.end], piece.name)

    def _assistant(self, record: dict[str, Any], make: TurnMaker) -> Iterator[Turn]:
        message = record.get("message")
        if not isinstance(message, dict):
            return
        model = message.get("model")
        synthetic = model == "<synthetic>" or bool(record.get("isApiErrorMessage"))
        if not synthetic and not make.copied:
            self.draft.once("model", model)
        origin = Origin.ASSISTANT
        if record.get("isSidechain") and self.source.role is Role.MAIN:
            origin = Origin.PEER
        content = message.get("content")
        for block in content if isinstance(content, list) else [content]:
            text = block if isinstance(block, str) else None
            if isinstance(block, dict) and block.get("type") == "text":
                text = block.get("text")
            if isinstance(text, str):
                if text.strip():
                    yield make(
                        Origin.INJECTED if synthetic else origin, Channel.NOTICE if synthetic else Channel.TALK, text
                    )
            elif isinstance(block, dict):
                yield from block_turns(block, make, origin)

    # --- prompts that were queued while the assistant worked (formats.md B10)

    def _queue(self, record: dict[str, Any], make: TurnMaker) -> Iterator[Turn]:
        text = record.get("content")
        if record.get("operation") != "enqueue" or not isinstance(text, str) or not text.strip():
            return
        aside = self.source.role is not Role.MAIN
        yield from self._queued_text(text, _speaker(record.get("origin"), aside), make)

    def _queued_text(self, text: str, speaker: Origin, make: TurnMaker) -> Iterator[Turn]:
        words = text.strip()
        self._queued.append(digest(words))
        del self._queued[:-MAX_QUEUED]
        if _COMMAND.match(words):
            yield from _command(text, speaker, make)
        else:
            yield from self._spoken(text, speaker, make)

    def _take_queued(self, text: str) -> bool:
        """True if this text was told already when it was queued."""
        if self._queued:
            mark = digest(text)
            if mark in self._queued:
                self._queued.remove(mark)
                return True
        return False

    def _attachment(self, record: dict[str, Any], make: TurnMaker) -> Iterator[Turn]:
        body = record.get("attachment")
        if not isinstance(body, dict):
            return
        if body.get("type") == "queued_command":
            prompt = body.get("prompt")
            prompts = texts(prompt)
            aside = bool(record.get("isSidechain")) or self.source.role is not Role.MAIN
            speaker = _speaker(body.get("origin"), aside)
            if body.get("commandMode") not in (None, "prompt", "bash"):
                speaker = Origin.INJECTED
            for text in prompts:
                if not self._take_queued(text):
                    yield from self._spoken(text, speaker, make)
            return
        name = str(body.get("type") or "")
        for text in readable({k: v for k, v in body.items() if k != "type"}):
            yield make(Origin.INJECTED, Channel.NOTICE, text, name)

    # --- the runtime's own lines

    def _system(self, record: dict[str, Any], make: TurnMaker) -> Iterator[Turn]:
        text = record.get("content")
        if not isinstance(text, str) or not text.strip():
            return
        subtype = record.get("subtype")
        if subtype == "away_summary":
            yield make(Origin.INJECTED, Channel.SUMMARY, text)
        elif subtype == "local_command":
            yield from self._spoken(text, Origin.PERSON, make)
        else:
            yield make(Origin.INJECTED, Channel.NOTICE, text, str(subtype or ""))

    def _note(self, kind: str, record: dict[str, Any], make: TurnMaker) -> Iterator[Turn]:
        draft = self.draft
        if kind == "summary":
            text, leaf = record.get("summary"), record.get("leafUuid")
            if isinstance(text, str) and isinstance(leaf, str) and text and leaf:
                self._summaries.append((leaf, text))
                del self._summaries[:-MAX_SUMMARIES]
        elif kind == "ai-title":
            text = record.get("aiTitle")
            draft.offer_title(text, "runtime")
        elif kind == "custom-title":
            text = record.get("customTitle")
            draft.offer_title(text, "custom")
        elif kind == "agent-name":
            text = record.get("agentName")
        elif kind == "pr-link":
            text = record.get("prUrl")
        elif kind == "relocated":
            text = record.get("relocatedCwd")
            draft.see_cwd(text)
        elif kind == "worktree-state":
            text = self._worktree(record.get("worktreeSession"))
        elif kind == "result":
            yield from leaves(record.get("result"), Channel.RESULT, Origin.PEER, "", make)
            return
        else:
            return
        if isinstance(text, str) and text.strip():
            yield make(Origin.INJECTED, Channel.NOTICE, text, kind)

    def _worktree(self, body: object) -> object:
        if not isinstance(body, dict):
            return None
        self.draft.see_cwd(body.get("originalCwd"))
        self.draft.see_cwd(body.get("worktreePath"))
        self.draft.once("branch", body.get("worktreeBranch"))
        return body.get("worktreePath")


def _bytes(*texts: str) -> bytes:
    return "\0".join(texts).encode("utf-8", "surrogatepass")


def _speaker(origin: object, aside: bool) -> Origin:
    """Who stands behind a user record: in a subagent's record the agent that launched it."""
    kind = origin.get("kind") if isinstance(origin, dict) else None
    if isinstance(kind, str) and kind not in _PERSON_KINDS:
        return Origin.PEER if origin_is_agent(kind) else Origin.INJECTED
    return Origin.PEER if aside else Origin.PERSON


def origin_is_agent(kind: str) -> bool:
    """True for an `origin.kind` that names another agent rather than the runtime."""
    return any(word in kind for word in ("agent", "peer", "team", "coordinator", "session", "channel"))


def _command(text: str, speaker: Origin, make: TurnMaker) -> Iterator[Turn]:
    """A queued slash command: the command is the runtime's, its arguments are the person's words."""
    first = len(text) - len(text.lstrip())
    match = _COMMAND.match(text, first)
    after = match.end() if match else first
    yield make(Origin.INJECTED, Channel.NOTICE, text[first:after])
    words = text[after:].strip()
    if words:
        yield make(speaker, Channel.TALK if speaker is not Origin.INJECTED else Channel.NOTICE, words)


def _structured(copy: object, content: object, make: TurnMaker) -> Iterator[Turn]:
    """What the structured copy of a tool's result says beyond the result itself: only one of the two is told. The copy
    is an object, or now and then a string or a list (formats.md B4)."""
    told = "\n".join(_result_texts(content))
    if isinstance(copy, dict):
        for key in ("stdout", "stderr"):
            text = copy.get(key)
            if isinstance(text, str) and text.strip() and text.strip() not in told:
                yield make(Origin.EXTERNAL, Channel.RESULT, text, key)
        file = copy.get("file")
        copy = file.get("content") if isinstance(file, dict) else None
    if not told.strip():
        yield from results(copy, make)


def _result_texts(content: object) -> Iterator[str]:
    for part in content if isinstance(content, list) else ():
        if isinstance(part, dict):
            yield from texts(part.get("content"))
