"""What ties two records, as the records support it: each relation states its evidence (design/recall.md 5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from enum import StrEnum

from core.frozen import dataclass
from core.patterns import Pattern
from core.ports import Entry
from core.recall.continuations import continued
from core.recall.needles import is_common
from core.recall.traits import Traits
from core.records.model import WRITTEN, Role

ADJACENT_SECONDS = 36 * 3600.0
"""Two sessions of one project this near in time are adjacent."""
ENOUGH = 1.0
"""Strength from which two records belong together."""
COMMON_SHARE = 0.6
"""A path or term that more than this share of the candidates carries ties nothing: everybody speaks of it. Issues,
commits and addresses name one thing and stay, however many records speak of them."""


class RelationKind(StrEnum):
    """How two records are tied."""

    CONTINUES = "continues"
    STARTED_BY = "started_by"
    NAMES = "names"
    NUMBER = "number"
    TICKET = "ticket"
    COMMIT = "commit"
    URL = "url"
    PATH = "path"
    TERM = "term"
    WORDS = "words"
    NEAR = "near"
    DURING = "during"
    CHECKOUT = "checkout"


_STRENGTH = {
    RelationKind.CONTINUES: 2.0,
    RelationKind.STARTED_BY: 2.0,
    RelationKind.NAMES: 2.0,
    RelationKind.TICKET: 1.0,
    RelationKind.COMMIT: 1.0,
    RelationKind.URL: 1.0,
    RelationKind.NUMBER: 1.0,
    RelationKind.PATH: 0.6,
    RelationKind.TERM: 0.6,
    RelationKind.WORDS: 0.5,
    RelationKind.NEAR: 0.5,
    RelationKind.DURING: 1.0,
    RelationKind.CHECKOUT: 0.4,
}
"""A declared link ties by itself, a shared name of one thing too; nearness and common words only together."""


@dataclass(frozen=True, slots=True)
class Relation:
    """One tie between two records."""

    kind: RelationKind
    evidence: str
    """What both carry, in words."""

    @property
    def strength(self) -> float:
        """How much the tie alone says, 1 or more being enough."""
        return _STRENGTH[self.kind]


def common_names(traits: Sequence[Traits]) -> frozenset[str]:
    """Paths and terms that too many of these records carry to tie any two. Nothing is common among fewer than six."""
    if len(traits) < 6:
        return frozenset()
    counts: Counter[str] = Counter()
    for t in traits:
        counts.update(t.paths | t.terms)
    return frozenset(name for name, count in counts.items() if count > COMMON_SHARE * len(traits))


def relate(a: Traits, b: Traits, common: frozenset[str] = frozenset()) -> tuple[Relation, ...]:
    """Every tie between two records, strongest first."""
    found = list(_declared(a, b))
    checkout = _same_checkout(a, b)
    same_project = bool(checkout) or _same_project(a.entry, b.entry)
    if checkout and a.entry.spine.project != b.entry.spine.project:
        found.append(Relation(RelationKind.CHECKOUT, f"both are {checkout}"))
    if same_project and (sha := _authored_during(a.entry, b.entry)):
        found.append(Relation(RelationKind.DURING, f"commit {sha} was authored during the session"))
    if same_project:
        found += _shared(RelationKind.NUMBER, a.numbers, b.numbers, common, "both speak of #{}")
    found += _shared(RelationKind.TICKET, a.tickets, b.tickets, common, "both speak of {}")
    found += _shared(RelationKind.COMMIT, a.commits, b.commits, common, "both name commit {}")
    found += _shared(RelationKind.URL, a.urls, b.urls, common, "both name {}")
    if same_project:
        found += _shared(RelationKind.PATH, a.paths, b.paths, common, "both speak of {}")
    found += _shared(RelationKind.TERM, a.terms, b.terms, common, "both use the term {}")
    words = sorted(w for w in a.words & b.words if not is_common(w))
    telling = len(words) >= 2 or (words and not words[0].isalpha())
    if telling or (words := sorted(a.dwelt & b.dwelt)):
        found.append(Relation(RelationKind.WORDS, f"both carry your words {', '.join(words[:4])}"))
    if same_project and (gap := _gap(a.entry, b.entry)) is not None and gap <= ADJACENT_SECONDS:
        found.append(Relation(RelationKind.NEAR, "the same project within a day and a half"))
    return tuple(sorted(found, key=lambda r: -r.strength))


def tied(relations: Sequence[Relation]) -> bool:
    """True if the ties together are enough; each kind counts once."""
    return sum({r.kind: r.strength for r in relations}.values()) >= ENOUGH


def _declared(a: Traits, b: Traits) -> list[Relation]:
    """Links that a record itself writes down: forks, continuations, parents, ids named in the text."""
    found = []
    for one, other in ((a, b), (b, a)):
        spine, ids = one.entry.spine, _ids(other.entry)
        if spine.forked_from and spine.forked_from.lower() in ids:
            found.append(Relation(RelationKind.CONTINUES, "one was forked from the other"))
        if (spine.parent_id or one.entry.source.parent_id).lower() in ids:
            found.append(Relation(RelationKind.STARTED_BY, "one was started by the other"))
        if one.sessions & ids:
            found.append(Relation(RelationKind.NAMES, "one names the other's session id"))
    found += [Relation(RelationKind.CONTINUES, e) for e in continued(a.entry, a.links, b.entry, b.links)]
    first, second = ((t.entry.spine.first_uid, t.entry.spine.first_prompt) for t in (a, b))
    if first[0] and first == second:  # an id alone does not do: some runtimes count from one in every session
        found.append(Relation(RelationKind.CONTINUES, "both begin with the same turn"))
    return found


def _ids(entry: Entry) -> frozenset[str]:
    return frozenset(i.lower() for i in (entry.spine.session_id, entry.source.session_id) if i)


def _shared(
    kind: RelationKind, a: frozenset[str], b: frozenset[str], common: frozenset[str], words: str
) -> list[Relation]:
    both = sorted((a & b) - common)
    return [Relation(kind, words.format(", ".join(both[:3])))] if both else []


def _same_checkout(a: Traits, b: Traits) -> str:
    """What the working folders of two records are both checkouts of, in words; `""` if nothing is known."""
    return next((words for one in a.checkouts for other in b.checkouts if (words := one.same(other))), "")


def _authored_during(a: Entry, b: Entry) -> str:
    """The short name of a commit whose author date lies within the other record, a session; `""` where none is one."""
    for commit, session in ((a, b), (b, a)):
        at, first, last = commit.spine.started, session.spine.started, session.spine.ended
        if commit.spine.role is not Role.COMMIT or session.spine.role in WRITTEN or at is None:
            continue
        if first is not None and last is not None and first <= at <= last:
            return commit.spine.session_id[:7]
    return ""


def _same_project(a: Entry, b: Entry) -> bool:
    """One folder, one inside the other (worktrees and packages of one repository), or side by side with one name
    beginning the other's (`app` and `app-fix-login`, as worktrees beside a checkout are called)."""
    one, other = _checkout_of(a.spine.project), _checkout_of(b.spine.project)
    if not one or not other:
        return False
    if one == other or one.startswith(other + "/") or other.startswith(one + "/"):
        return True
    (parent, _, name), (parent2, _, name2) = one.rpartition("/"), other.rpartition("/")
    short, long_ = sorted((name, name2), key=len)
    return parent == parent2 and len(short) > 1 and long_.startswith((short + "-", short + "_", short + "."))


_WORKTREES = Pattern(r"(?:[/._-]|/\.claude/)worktrees?/[^/]+")


def _checkout_of(folder: str) -> str:
    """The folder of the repository where `folder` lies in one that is called after worktrees beside or inside of it
    (`app/.worktrees/fix`, `app-worktrees/fix`); else the folder itself."""
    folder = folder.replace("\\", "/").rstrip("/")
    found = _WORKTREES.search(folder)
    return folder[: found.start()] if found and found.start() else folder


def _gap(a: Entry, b: Entry) -> float | None:
    """Seconds between the end of one record and the beginning of the other, 0 where they overlap."""
    spans = []
    for entry in (a, b):
        first = entry.spine.started if entry.spine.started is not None else entry.spine.ended
        last = entry.spine.ended if entry.spine.ended is not None else first
        if first is None or last is None:
            return None
        spans.append((first, last))
    (a1, a2), (b1, b2) = spans
    return max(0.0, max(a1, b1) - min(a2, b2))
