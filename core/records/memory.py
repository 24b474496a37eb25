"""The adapter for memory: each claim that stands is a record, which recall finds and opens like any other past.

Claims lie in the copies (`claims.jsonl`) that the drain of `core.memory` writes down; a record is a part of one,
`<file>#<id>`, and its line is the physical line of that file. Superseded and forgotten claims are no records.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from core.frozen import dataclass
from core.paths import COPY
from core.records.held import HeldReading
from core.records.model import Channel, Mark, Origin, Reading, ReadProblem, Role, Root, Source, Spine, Tally, Turn
from core.records.recordfile import named, record_file, record_part

if TYPE_CHECKING:
    from core.memory.claim import Claim  # 20 ms, which a person who keeps no memory does not pay

RUNTIME = "memory"
SOUL = "from the soul"
"""How the turn begins that names the document a claim was pruned from."""
KEPT = 16
"""Tables of copies that are kept while the files stay as they are."""


@dataclass(frozen=True, slots=True)
class ClaimPlace:
    """A claim that stands, and where."""

    claim: Claim
    line: int
    start: int
    end: int


class MemoryAdapter:
    """Reads the copies of memories below one folder. See `Adapter`."""

    runtime = RUNTIME
    label = "memory"

    def roots(self, env: Mapping[str, str], home: str) -> tuple[Root, ...]:  # noqa: ARG002
        """None: the program's own folder is handed over by whoever opens the archive."""
        return ()

    def discover(self, root: Root) -> Iterator[Source | ReadProblem]:
        """The claims of every owner that this program keeps a copy of."""
        for file in _copies(root.path):
            for identity, place in places(file).items():
                made = max(_made_at(place.claim) or 0, 0)
                yield Source(
                    RUNTIME, root.path, named(file, identity), identity, place.end - place.start,
                    int(made) * 1_000_000_000, Role.MEMORY, meta="\n".join(rests_on(place.claim)),
                )  # fmt: skip

    def spine(self, source: Source) -> Spine | ReadProblem:
        """What the claim says of itself."""
        reading = ClaimReading(source)
        reading.load()
        return reading.problems[0] if reading.problems else reading.spine

    def read(self, source: Source, mark: Mark | None = None, *, talk_only: bool = False) -> Reading:  # noqa: ARG002
        """Start a pass; it always reads the whole record, which is one line."""
        return ClaimReading(source)

    def at(self, source: Source, line: int, start: int) -> tuple[Turn, ...]:
        """Every turn of the claim's line."""
        return tuple(turn for turn in ClaimReading(source).load() if (turn.line, turn.start) == (line, start))


def rests_on(claim: Claim) -> tuple[str, ...]:
    """The records that are a claim's evidence."""
    from core.memory.claim import EvidenceKind

    return tuple(dict.fromkeys(one.at for one in claim.evidence if one.kind is EvidenceKind.RECORD))


def _made_at(claim: Claim) -> float | None:
    from core.memory.view import made_at

    return made_at(claim)


def places(file: str) -> Mapping[str, ClaimPlace]:
    """Every claim of a copy that stands, by its id; empty where the copy cannot be read."""
    try:
        info = os.stat(file)
        return _places(file, info.st_size, info.st_mtime_ns)
    except OSError:
        return {}  # nothing was kept yet


@lru_cache(maxsize=KEPT)
def _places(file: str, size: int, mtime_ns: int) -> Mapping[str, ClaimPlace]:  # noqa: ARG001 - the key of the cache
    from core.memory.local_copy import read_copy
    from core.memory.view import Standing, view_of

    copied = read_copy(Path(file))
    where = {row[0]["id"]: row[1:] for row in copied.nodes}
    view = view_of((row[0] for row in copied.nodes), copied.edges)
    return {
        identity: ClaimPlace(held.claim, *where[identity])
        for identity, held in view.held.items()
        if held.standing is Standing.CURRENT
    }


def _copies(folder: str) -> list[str]:
    """The copy of the embedded memory, then those of owners that were ever used."""
    found = [os.path.join(folder, COPY)]
    owners = os.path.join(folder, "owners")
    try:
        found += [os.path.join(owners, name, COPY) for name in sorted(os.listdir(owners))]
    except OSError:
        return found  # none was used
    return found


class ClaimReading(HeldReading):
    """A `Reading` of one claim: it never changes."""

    def _load(self) -> tuple[Turn, ...]:
        place = places(record_file(self._source.path)).get(record_part(self._source.path))
        if place is None:
            what = "The claim was superseded or forgotten since, or its copy is gone."
            hint = "Run: recollect memory list --all"
            self.problems = (ReadProblem(self._source.path, None, what, hint),)
            return ()
        turns = tuple(self._told(place))
        self.tally = Tally(lines=1, turns=len(turns))
        return turns

    def _told(self, place: ClaimPlace) -> Iterator[Turn]:
        claim, at = place.claim, _made_at(place.claim)
        self.spine = Spine(
            session_id=claim.id, title=claim.label, title_from="runtime", started=at, ended=at, role=Role.MEMORY,
            agent=claim.source_agent, first_uid=claim.id,
        )  # fmt: skip
        yield _turn(claim.text, at, place, claim.source_agent, claim.id)
        if claim.soul_source:
            yield _turn(claim.soul_source, at, place, SOUL, f"{claim.id}:soul")


def _turn(text: str, at: float | None, place: ClaimPlace, name: str, uid: str) -> Turn:
    return Turn(Origin.EXTERNAL, Channel.TALK, text, at, place.line, place.start, place.end, name, uid)
