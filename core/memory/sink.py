"""The one write sink of the program. Recall, curation, delegation, people and scripts all keep claims through it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import Any

from core.errors import RecollectError, UsageError
from core.frozen import dataclass
from core.memory.carrying import Carrier, OverHttp
from core.memory.claim import RESTORE, TOMBSTONE, USED, Claim, EvidenceKind, marker, new_claim
from core.memory.drain import Drained, drain
from core.memory.drain_lock import WAIT_SECONDS
from core.memory.local_copy import last_cursor, recovery, view_of_copy
from core.memory.masking import masked_claim
from core.memory.owner import Owner
from core.memory.ranking import Ranked, search
from core.memory.spool import Spool
from core.memory.trouble import OwnerTrouble
from core.memory.view import Event, Fork, Held, Standing, View, view_of
from core.memory.wire import Edge, Malformed, document_of, edges_of
from core.paths import COPY, Places, private_folder
from core.settings import Settings

NOT_PERSISTED = "write_not_persisted"
REJECTED = "write_rejected"
SPOOL = "spool"


class NotPersisted(RecollectError):
    """A claim was kept in the spool and is not at the owner yet; it is not lost."""

    exit_code = 75


@dataclass(frozen=True, slots=True)
class Written:
    """What became of a write."""

    ids: tuple[str, ...]
    """The claims or markers that were made, in order."""
    persisted: bool
    """True only after they were read back from the owner."""
    error: str = ""
    """`""`, `write_not_persisted` (they wait in the spool) or `write_rejected` (set aside, with the reason)."""
    why: str = ""
    hint: str = ""
    queued: int = 0
    """Claims of this write that wait in the spool."""
    masked: int = 0
    """Secrets that were replaced before anything was stored."""


@dataclass(frozen=True, slots=True)
class Status:
    """How a memory stands."""

    owner: str
    """`embedded` or `http`."""
    place: str
    reachable: bool
    store: str
    """`sqlite`, `postgresql`, or `""` where the owner is away."""
    claims: int
    """Claims that stand, as far as they are known."""
    spooled: int
    """Deltas that wait."""
    spooled_bytes: int
    rejected: int
    elsewhere: int
    """Deltas that wait for other owners that were configured before."""
    trouble: str = ""
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which claims a list is to hold; empty means any."""

    kinds: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    namespace: str = ""
    agent: str = ""
    soul: bool = False
    """Only claims that came from a soul document."""
    every: bool = False
    """Superseded and forgotten ones too."""

    def takes(self, held: Held) -> bool:
        """True if the list holds this claim."""
        claim = held.claim
        return (
            (self.every or held.standing is Standing.CURRENT)
            and (not self.kinds or claim.kind in self.kinds)
            and (not self.tags or set(self.tags) <= set(claim.tags))
            and (not self.namespace or claim.namespace == self.namespace)
            and (not self.agent or claim.source_agent == self.agent)
            and (not self.soul or bool(claim.soul_source))
        )


@dataclass(frozen=True, slots=True)
class Memory:
    """One memory: its owner, its spool, and what is known of it here. Holds no open file; threads may share it."""

    folder: Path
    """Where the spool and the copy of this owner's claims lie."""
    base: Path
    """The program's folder for all memories."""
    carrier: Carrier
    now: Callable[[], float] = field(default=time.time)
    wait: float = WAIT_SECONDS

    @classmethod
    def open(cls, places: Places, settings: Settings | None = None, env: Mapping[str, str] | None = None) -> Memory:
        """The memory that settings and environment name. Opens and makes nothing. Raises `UsageError` for an address or
        a token's file that cannot be."""
        from core.memory.choosing import carrier_of, folder_of

        carrier = carrier_of(places, settings or Settings(), env or {})
        return cls(folder_of(places.memory, carrier), places.memory, carrier)

    @property
    def spool(self) -> Spool:
        """What waits for the owner."""
        return Spool(self.folder / SPOOL)

    @property
    def owner(self) -> Owner:
        """The owner."""
        return Owner(self.carrier)

    @property
    def copy(self) -> Path:
        """The file in which recall finds the claims."""
        return self.folder / COPY

    # -- writing: every way ends in `_write`

    def keep(self, claims: Sequence[Claim]) -> Written:
        """Keep claims. Raises `SurroundingsError` where not even the spool takes them."""
        return self._write(claims)

    def change(self, identity: str, **fields: Any) -> Written:
        """Write a claim that supersedes another, with these fields of `new_claim` changed. Raises `UsageError` where
        there is no such claim, or a field cannot be."""
        held = self._one(identity)
        old = held.claim
        kept = {
            "text": old.text, "kind": old.kind, "tier": old.tier, "salience": old.salience, "importance": old.importance,
            "confidence": old.confidence, "tags": old.tags, "namespace": old.namespace, "evidence": old.evidence,
            "source_agent": old.source_agent, "created_at": old.created_at, "depends_on": old.depends_on,
            "soul_source": old.soul_source, "label": "" if "text" in fields else old.label,
        }  # fmt: skip
        also = tuple(fields.pop("supersedes", ()))
        made = new_claim(**{**kept, **fields, "supersedes": (old.id, *also), "updated_at": self.now()})
        return self._write([_after(made, self.view().latest_mark(old.id))])

    def forget(self, identity: str, why: str, by: str) -> Written:
        """Put a tombstone on a claim: it stays, lists hide it. Raises `UsageError` where there is no such claim."""
        return self._mark(TOMBSTONE, identity, why, by)

    def forget_all(self, ids: Sequence[str], why: str, by: str) -> Written:
        """Put a tombstone on each of some claims, in one write. An id that the memory does not hold has nothing to hide."""
        view = self.view()
        marks = [
            marker(TOMBSTONE, one, why=why, by=by, at=self.now(), after=[m for m in (view.latest_mark(one),) if m])
            for one in ids
            if one in view.held
        ]
        return self._write(marks)

    def restore(self, identity: str, why: str, by: str) -> Written:
        """Show a superseded or forgotten claim again. Raises `UsageError` where there is no such claim."""
        return self._mark(RESTORE, identity, why, by)

    def used(self, identity: str, by: str = "") -> Written:
        """Note that a claim was identified: it counts for more from now on. Raises `UsageError`."""
        return self._mark(USED, identity, "", by)

    def _mark(self, kind: str, identity: str, why: str, by: str) -> Written:
        view = self.view()
        held = _only(view, identity)
        last = view.latest_mark(held.claim.id)
        after = (last,) if last else ()
        return self._write([marker(kind, held.claim.id, why=why, by=by, at=self.now(), after=after)])

    def _write(self, claims: Sequence[Claim]) -> Written:
        """Mask, stage, drain, read back. The only place from which a claim goes anywhere."""
        if not claims:
            return Written((), persisted=True)
        clean, masked = zip(*(masked_claim(claim) for claim in claims), strict=True)
        origin = self._origin()
        born = [claim if claim.origin else replace(claim, origin=origin) for claim in clean]
        private_folder(self.folder)
        names = self.spool.stage(born)
        done = self.drain()
        ids = tuple(claim.id for claim in born)
        count = sum(masked)
        waiting = set(self.spool.names()) & set(names)
        aside = [] if len(waiting) == len(names) else [r for r in self.spool.rejected() if Path(r.path).name in names]
        if aside:
            hint = "It is under spool/rejected in the memory's folder. Run: recollect memory status"
            return Written(
                ids, persisted=False, error=REJECTED, why=f"It was set aside: {aside[0].why}.", hint=hint, masked=count
            )
        why, hint = done.trouble, done.hint
        if not waiting:
            why, hint = self._unproved(born, why, hint)
            if not why:
                return Written(ids, persisted=True, masked=count)
        return Written(ids, False, NOT_PERSISTED, why, hint, queued=len(born), masked=count)

    def _unproved(self, claims: Sequence[Claim], why: str, hint: str) -> tuple[str, str]:
        """Why claims that left the spool cannot be said to be at the owner; `""` after they were read back."""
        try:
            lost = self.owner.missing([document_of(c) for c in claims], [e for c in claims for e in edges_of(c)])
        except OwnerTrouble as trouble:
            return trouble.what, trouble.hint
        return (why or "The owner does not hold what was written.", hint) if lost else ("", "")

    def drain(self) -> Drained:
        """Take what is staged to the owner; see `core.memory.drain`."""
        return self._drained(self.owner, self.wait)

    def _drained(self, owner: Owner, seconds: float) -> Drained:
        if gone := self._gone():
            return Drained(left=len(self.spool.names()), trouble=gone.what, hint=gone.hint)
        return drain(self.folder, self.spool, owner, seconds=seconds)

    def _gone(self) -> OwnerTrouble | None:
        """Why a store that holds nothing is not believed: claims were kept in it, as the copy tells. A file that was
        emptied or taken away never begins anew by itself, for then its claims would be lost without a word."""
        store = last_cursor(self.copy)[1] if self.carrier.kind == "embedded" else ""
        try:
            if not store or self.owner.health().store:
                return None
        except OwnerTrouble:
            return None  # whatever it is asked for next says why
        what = f"The memory file {self.carrier.place} is gone or empty, though claims were kept in it."
        return OwnerTrouble(what, recovery(self.copy))

    def catch_up(self, seconds: float) -> Drained:
        """At a program's start: drain what waits and write down what others kept, as far as an owner that is away allows
        within some seconds. Does nothing where there is nothing to do."""
        if self.carrier.kind == "http":
            private_folder(self.folder)
            private_folder(self.spool.folder)
        elif not self.spool.names():
            return Drained()
        carrier = replace(self.carrier, seconds=seconds) if isinstance(self.carrier, OverHttp) else self.carrier
        return self._drained(Owner(carrier), seconds)

    def differing(self, claims: Sequence[Claim]) -> tuple[str, ...]:
        """The ids of claims that the memory holds with other words: keeping these would be refused."""
        nodes = self.view().nodes
        clean = [masked_claim(claim)[0] for claim in claims]
        return tuple(
            c.id for c in clean if c.id in nodes and nodes[c.id] != replace(c, origin=c.origin or nodes[c.id].origin)
        )

    def _origin(self) -> str:
        from core.memory.choosing import own_name

        return own_name(self.base)

    # -- reading: writes nothing anywhere

    def view(self) -> View:
        """Everything the memory holds, what waits in the spool included. Where the owner is away: what was known of it."""
        return self.seen()[0]

    def seen(self) -> tuple[View, OwnerTrouble | None]:
        """The view, and why it is only what was known here, where it is."""
        documents: list[dict[str, Any]] = []
        edges: list[Edge] = []
        trouble = None
        queued: set[str] = set()
        staged = []
        for name in self.spool.names():
            try:
                delta = self.spool.read(name)
            except Malformed:
                continue  # the drain sets it aside and says so
            if delta is not None:
                staged.append(delta)
        try:
            for page in self.owner.news():
                documents += page.nodes
                edges += page.edges
            if not documents and (gone := self._gone()):
                raise gone
        except OwnerTrouble as problem:
            trouble = problem
            known = view_of_copy(self.copy)
            documents = [document_of(claim) for claim in known.nodes.values()]
            edges = [edge for marks in known.marks.values() for edge in marks]
        arrived = {str(document.get("id")) for document in documents}
        for delta in staged:
            queued |= {node["id"] for node in delta.nodes if node["id"] not in arrived}
            documents += delta.nodes
            edges += delta.edges
        return view_of(documents, edges, queued), trouble

    def claims(self, wanted: Wanted | None = None) -> tuple[Held, ...]:
        """The claims that fit, newest first; superseded and forgotten ones only where asked for."""
        wish = wanted or Wanted()
        return tuple(reversed([held for held in self.view().held.values() if wish.takes(held)]))

    def claim(self, identity: str) -> Held:
        """One claim by its id, its beginning or its end. Raises `UsageError` where that names none, or several."""
        return self._one(identity)

    def history(self, identity: str) -> tuple[Event, ...]:
        """What happened to a claim, newest first. Raises `UsageError`."""
        view = self.view()
        return view.history(_only(view, identity).claim.id)

    def forks(self) -> tuple[Fork, ...]:
        """Claims that were superseded more than once, and what stands after them."""
        return self.view().forks()

    def search(self, words: str, limit: int = 10) -> tuple[Ranked, ...]:
        """The claims that stand and hold the words, by match x salience x decay."""
        return search(self.view(), words, limit, self.now())

    def status(self) -> Status:
        """How the memory stands: owner, spool, what was set aside."""
        from core.memory.choosing import waiting_elsewhere

        trouble = hint = store = ""
        view, away = self.seen()
        reachable = away is None
        try:
            store = self.owner.health().kind
        except OwnerTrouble as problem:
            reachable, away = False, problem
        if away is not None:
            trouble, hint = away.what, away.hint
        standing = sum(held.standing is Standing.CURRENT for held in view.held.values())
        spool = self.spool
        return Status(
            self.carrier.kind, self.carrier.place, reachable, store if reachable else "", standing, len(spool.names()),
            spool.size(), len(spool.rejected()), waiting_elsewhere(self.base, self.folder), trouble, hint,
        )  # fmt: skip

    def _one(self, identity: str) -> Held:
        return _only(self.view(), identity)


def _only(view: View, identity: str) -> Held:
    found = view.find(identity)
    if not found:
        raise UsageError(f"The memory holds no claim “{identity}”.", "recollect memory list --all shows every id.")
    if len(found) > 1:
        raise UsageError(f"“{identity}” is the beginning or end of {len(found)} ids.", "Write more of it.")
    return found[0]


def _after(claim: Claim, last: str) -> Claim:
    """The claim with an id later than a mark it answers."""
    from core.memory.ids import new_id

    return replace(claim, id=new_id(claim.id, last)) if last > claim.id else claim


def evidence_paths(claim: Claim) -> tuple[str, ...]:
    """The records that a claim rests on."""
    return tuple(dict.fromkeys(one.at for one in claim.evidence if one.kind is EvidenceKind.RECORD))
