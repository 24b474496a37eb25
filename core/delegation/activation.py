"""Which files and symbols a task is about: its words in names and bodies, what sessions and memory name, what changed with it.

A word counts by how few files hold it; a word that every second file holds says nothing. The weights are named and
uncalibrated: they order anchors, and are never shown as numbers.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from core.delegation.project import Project
from core.delegation.words import HEAD, Words, alike, parts_of

MIN_TOP = 0.35
"""Uncalibrated: what the best file must hold of the task's words, in words that one file alone holds."""
MIN_CAPTURED = 0.2
"""Uncalibrated: the share of the task's words, by weight, that the project must hold, where no path says one of them. A task
names what is not there yet, so most of its words may be new."""
IN_NAME, IN_BODY = 1.0, 0.55
"""What a word weighs in a path, and in a body."""
NAMED, BY_SESSION, BY_MEMORY, BY_HISTORY = 2.0, 0.35, 0.5, 0.3
"""What being named by the task, a past session, a claim or a shared history adds."""
SIDE = 0.7
"""What is left of a test's or document's weight: the code they are about comes first."""
_BLANKS = bytes(c if (c >= 0x80 or chr(c).isalnum() or c == 0x5F) else 32 for c in range(256))
_PROSE = (".md", ".rst", ".txt", ".adoc", ".html")
MAX_TOKENS = 60_000
"""Words of one file that are counted."""


@dataclass(frozen=True, slots=True)
class Activation:
    """How strongly each file answers a task."""

    scores: Mapping[str, float]
    """By file, only those that answer at all."""
    held: Mapping[str, frozenset[str]]
    """Which terms each of these files holds."""
    in_name: Mapping[str, frozenset[str]]
    weights: Mapping[str, float]
    """How much each term of the task says, 0 to 1."""
    known: frozenset[str]
    """Terms that any file holds."""

    @property
    def weight(self) -> float:
        """How much the task's words say in all."""
        return sum(self.weights.values())

    @property
    def captured(self) -> float:
        """The share of the task's weight that the project holds."""
        return sum(self.weights[t] for t in self.known) / self.weight if self.weight else 0.0

    @property
    def top(self) -> float:
        """What the best file holds of the task's words."""
        return max((sum(self.weights[t] for t in terms) for terms in self.held.values()), default=0.0)

    @property
    def named(self) -> bool:
        """True if a path says a word of the task that few files hold."""
        return any(self.weights[t] >= MIN_TOP for terms in self.in_name.values() for t in terms)

    @property
    def coherent(self) -> bool:
        """False where the words of the task lead nowhere in this project."""
        return self.top >= MIN_TOP and (self.named or self.captured >= MIN_CAPTURED)


@dataclass
class _Counts:
    """What one pass over the files counts."""

    bodies: dict[str, Counter[str]] = field(default_factory=dict)
    names: dict[str, frozenset[str]] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)


def activate(project: Project, words: Words) -> Activation:
    """The files of a project that hold a task's words, in one pass over them."""
    counts = _count(project, words.terms)
    total = len(counts.sizes)
    holding: Counter[str] = Counter()
    for path in counts.sizes:
        holding.update(counts.names[path] | set(counts.bodies[path]))
    weights = {t: _weight(holding[t], total) for t in words.terms}
    scores: dict[str, float] = {}
    held: dict[str, frozenset[str]] = {}
    for path in counts.sizes:
        terms = counts.names[path] | set(counts.bodies[path])
        if not terms:
            continue
        held[path] = frozenset(terms)
        score = sum(weights[t] * IN_NAME for t in counts.names[path])
        # Saturating, and shorter files first at the same count, as BM25 has it.
        room = 0.5 + 0.5 * counts.sizes[path] / 1500
        score += sum(weights[t] * IN_BODY * n / (n + 1.2 * room) for t, n in counts.bodies[path].items())
        scores[path] = score * (SIDE if is_side(path) else 1.0)
    known = frozenset(t for t in words.terms if holding[t])
    return Activation(scores, held, counts.names, weights, known)


def _count(project: Project, terms: Sequence[str]) -> _Counts:
    """Which terms each file holds, in its path and in its body."""
    found = _Counts()
    heads: dict[str, list[str]] = {}
    for term in terms:
        heads.setdefault(term[:HEAD], []).append(term)
    meaning: dict[bytes, tuple[str, ...]] = {}
    for path, body in project.bodies():
        tokens = body.translate(_BLANKS).split()
        found.sizes[path] = len(tokens)
        counted: Counter[str] = Counter()
        for token, times in Counter(tokens[:MAX_TOKENS]).items():
            meant = meaning.get(token)
            if meant is None:
                meant = meaning[token] = _meant(token, heads)
            for term in meant:
                counted[term] += times
        found.bodies[path] = counted
        parts = parts_of(path)
        found.names[path] = frozenset(t for t in terms if any(alike(t, p) for p in parts))
    return found


def _meant(token: bytes, heads: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """The terms that a word of a file is, told by their first letters before they are compared."""
    if len(token) > 200:
        return ()
    parts = parts_of(token.decode("utf-8", "replace"))
    return tuple(dict.fromkeys(t for p in parts for t in heads.get(p[:HEAD], ()) if alike(t, p)))


def _weight(holding: int, total: int) -> float:
    """1 for a word that one file or none holds, falling to nothing where every file holds it."""
    if holding <= 1 or total <= 2:
        return 1.0
    return math.log(total / holding) / math.log(total)


def is_side(path: str) -> bool:
    """True for tests, documents and configuration: what goes with code, and is seldom what a task is about."""
    return is_test(path) or path.endswith(_PROSE) or path.rpartition("/")[2].startswith(".")


def is_test(path: str) -> bool:
    """True for a file that is called like a test, or lies in a folder of tests."""
    *folders, name = path.lower().split("/")
    stem = name.partition(".")[0]
    return (
        any(f in ("test", "tests", "spec", "specs", "__tests__", "testdata") for f in folders)
        or stem.startswith("test_")
        or stem.endswith(("_test", "_tests", "_spec"))
        or ".test." in name
        or ".spec." in name
    )
