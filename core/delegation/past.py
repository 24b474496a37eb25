"""What a packet asks of the past: sessions that bear on a task, claims of memory, and the handoff document's state.

Sessions come from recall's own search, each by one sentence read from its record at the line that is named.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.delegation.model import MOST_CLAIMS, STALE_DAYS, PastSession, Recollection
from core.delegation.words import words_of
from core.memory.claim import Claim, EvidenceKind
from core.memory.ranking import DAY, search
from core.memory.view import Held, View, made_at
from core.ports import Filters, IndexCondition
from core.recall.boundary import folder
from core.recall.model import Scope
from core.recall.quotes import best_quote
from core.records.model import CONVERSATION
from core.text import clip, fold_lines, one_line

if TYPE_CHECKING:
    from core.candidates import Candidate
from core.library import Library

MOST_SESSIONS = 5
SENTENCE = 220
"""Columns of a session's sentence."""
MIN_FIT = 0.3
"""The share of the task's weight that a session must carry to bear on it."""
MIN_MATCH = 0.2
"""The share of the task's weight that a claim must carry."""
CLAIM = 240
"""Columns of a claim's text."""
OF_DELEGATION = "delegation"
"""The tag of claims that a debrief taught."""
_PROJECT_TAG = "project:"


@dataclass(frozen=True, slots=True)
class Past:
    """What the past says of a task."""

    sessions: tuple[PastSession, ...] = ()
    indexed_at: float | None = None
    trouble: str = ""
    """Why sessions could not be asked, or only in part; `""`: they were."""


def past_of(library: Library, task: str, root: str) -> Past:
    """The sessions of a project that bear on a task, best first."""
    scope = Scope(Filters(projects=(folder(root),)), "this project")
    found = library.search(fold_lines(task)[:2000], scope, MOST_SESSIONS * 3)
    rows = []
    for row in found.rows:
        if row.fit >= MIN_FIT and row.gist and row.passages and row.kind not in _WRITTEN:
            rows.append(_session(library, row))
        if len(rows) == MOST_SESSIONS:
            break
    state = library.state()
    trouble = ""
    if state.condition is IndexCondition.ABSENT:
        trouble = "There is no index of past sessions."
    elif found.pending:
        trouble = f"{found.pending:,} sessions were not indexed yet."
    return Past(tuple(rows), state.built_at, trouble)


def _session(library: Library, row: Candidate) -> PastSession:
    """A session by the sentence that fits best; one that names a file is told before one that only fits."""
    entry = library.entry(row.locator)
    best = row.passages[0]
    told = (best.line, best.at, row.gist, best.origin.value)
    paths: dict[str, None] = {}
    words = dict.fromkeys(row.terms, 1.0)
    for passage in row.passages[:MOST_PASSAGES] if entry is not None else ():
        for turn in library.archive.at(entry.source, passage.line, passage.start) if entry is not None else ():
            named = words_of(turn.text[:MAX_TURN]).paths if turn.channel in CONVERSATION else ()
            span = best_quote(turn.text, words, SENTENCE) if named else None
            if span is not None and not paths and passage.score >= NEAR * best.score:
                quote = one_line(turn.text[span[0] : span[1]])
                if words_of(quote).paths:
                    told = (passage.line, turn.at, quote, turn.origin.value)
            paths.update(dict.fromkeys(named))
    line, at, sentence, speaker = told
    where = row.locator
    return PastSession(
        where.runtime, where.session_id, where.path, line, at if at is not None else row.ended, clip(sentence, SENTENCE),
        speaker, tuple(paths)[:MOST_NAMED],
    )  # fmt: skip


MOST_PASSAGES = 6
"""Passages of one session that are read."""
MOST_NAMED = 12
"""Files that one session is remembered to name."""
MAX_TURN = 20_000
NEAR = 0.4
"""Uncalibrated: how near a passage comes to the best one's score that is told instead, because it names a file."""
_WRITTEN = frozenset(("commit", "tag", "note", "memory"))
"""Records beside the sessions: memory and history have parts of their own."""


def project_tag(common_dir: str) -> str:
    """The tag that ties a claim to a project and to every worktree of it: what its repository is called, told from others
    of the same name by its place."""
    folder = common_dir.rstrip("/").removesuffix("/.git")
    name = re.sub(r"[^\w.-]+", "-", os.path.basename(folder), flags=re.ASCII).strip("-") or "root"
    return f"{_PROJECT_TAG}{name[:60]}-{hashlib.blake2b(os.fsencode(common_dir), digest_size=4).hexdigest()}"


def recollections(
    view: View, task: str, paths: Sequence[str], root: str, tag: str, now: float
) -> tuple[Recollection, ...]:
    """The claims that bear on a task, or rest on one of `paths`: at most `MOST_CLAIMS`, best first. `tag` is the project's:
    claims that are tied to another one are left out."""
    words = words_of(task)
    sought = " ".join((*words.terms, *words.names))
    ranked = {r.held.claim.id: (r.held, r.match, r.score) for r in search(view, sought, 200, now)} if sought else {}
    wanted = frozenset(paths)
    rows: list[tuple[float, float, str, Held]] = []
    for identity, held in view.held.items():
        claim = held.claim
        if held.standing.value != "current" or _of_another(claim, tag):
            continue
        _, match, score = ranked.get(identity, (held, 0.0, 0.0))
        near = len(wanted.intersection(claim_paths(claim, root)))
        if match >= MIN_MATCH or (near and tag in claim.tags) or (near and match > 0):
            rows.append((score + (0.25 if near else 0.0), made_at(claim) or 0.0, identity, held))
    rows.sort(key=lambda r: (-r[0], -r[1], r[2]))
    return tuple(_recollection(held, root, now) for _, _, _, held in rows[:MOST_CLAIMS])


def _of_another(claim: Claim, own: str) -> bool:
    """True for a claim that is tied to another project."""
    tied = [t for t in claim.tags if t.startswith(_PROJECT_TAG)]
    return bool(tied) and own not in tied


def claim_paths(claim: Claim, root: str) -> tuple[str, ...]:
    """The files of the project that a claim rests on, relative to its root."""
    found = []
    for one in claim.evidence:
        if one.kind is EvidenceKind.FILE:
            path = one.at.removeprefix(root.rstrip("/") + "/").removeprefix("./")
            if not path.startswith("/") and ".." not in path.split("/"):
                found.append(path)
    return tuple(dict.fromkeys(found))


def _recollection(held: Held, root: str, now: float) -> Recollection:
    claim = held.claim
    made = made_at(claim)
    age = None if made is None else int(max(0.0, now - made) // DAY)
    paths = claim_paths(claim, root)
    if paths:
        verify = f"read {one_line(paths[0], 120)}"
    elif claim.evidence:
        verify = f"read {one_line(str(claim.evidence[0]), 160)}"
    else:
        verify = f"ask {one_line(claim.source_agent, 60)}" if claim.source_agent else "find it in the files"
    return Recollection(
        claim.id, one_line(claim.text, CLAIM), claim.kind, claim.tier.value, one_line(claim.origin, 60),
        one_line(claim.source_agent, 60), age, age is None or age > STALE_DAYS, verify, paths,
    )  # fmt: skip
