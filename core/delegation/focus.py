"""The anchors of a packet: files and symbols ranked for a task, each with why it is there."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.delegation.activation import (
    BY_HISTORY,
    BY_MEMORY,
    BY_SESSION,
    NAMED,
    Activation,
    is_test,
)
from core.delegation.dependents import together_with
from core.delegation.imports import language_of
from core.delegation.model import Anchor, Order, PastSession, Recollection
from core.delegation.project import Project
from core.delegation.scope import covers, holds, is_folder, is_glob
from core.delegation.words import Words, terms_in, words_of
from core.soul.evidence import Definition
from core.soul.grammars import definitions
from core.soul.symbols import SymbolIndex

MOST_FOCUS = 5
"""Files whose dependents are looked for."""
MASS = 0.6
"""The share of the anchors' weight that the focus covers."""
MOST_FILES = 15
"""Files among the anchors."""
LEAST_SHARE = 0.25
"""An anchor answers at least this share of what the best does."""
MOST_PARSED = 30
"""Best files whose symbols are read."""
SYMBOLS_A_FILE = 2


@dataclass(frozen=True, slots=True)
class Seeds:
    """What the seeds of an order lead to."""

    places: tuple[Anchor, ...]
    unresolved: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Focus:
    """What a task is about."""

    anchors: tuple[Anchor, ...]
    focus: tuple[str, ...]
    """The files that are expected to change, the best first."""


def resolve_seeds(project: Project, seeds: Sequence[str], start: str = "") -> Seeds:
    """The files and symbols that seeds name: a file (with or without a line), from the folder `start` as a scope is, else
    from the root; or a symbol."""
    places: list[Anchor] = []
    unresolved: list[str] = []
    base = os.path.relpath(os.path.realpath(start or project.root), project.root)
    symbols = [s for s in seeds if _path_of(project, s, base) is None]
    index = SymbolIndex(project.root)
    names = {s: s.replace("::", ".").rstrip("()").rpartition(".")[2] for s in symbols}
    looked = index.lookup(names.values(), project.readable) if names else None
    for seed in seeds:
        found = _path_of(project, seed, base)
        if found is not None:
            places.append(Anchor(found[0], found[1], "file", ("a seed",)))
            continue
        defined = looked.by_name.get(names[seed], ()) if looked is not None else ()
        scope = [p for p in seed.replace("::", ".").rstrip("()").split(".")[:-1] if p]
        fit = [d for d in defined if not scope or scope[-1] in d.scopes] or ([] if scope else list(defined))
        places += [_symbol(d, ("a seed",)) for d in fit[:5]]
        if not fit:
            unresolved.append(seed)
    return Seeds(tuple(dict.fromkeys(places)), tuple(unresolved))


def _path_of(project: Project, seed: str, base: str) -> tuple[str, int | None] | None:
    path, sign, line = seed.rpartition(":")
    for candidate, at in (
        (seed, None),
        (path if sign and line.isdigit() else "", int(line) if line.isdigit() else None),
    ):
        clean = candidate.removeprefix("./").removeprefix(project.root.rstrip("/") + "/")
        for name in (os.path.normpath(os.path.join(base, candidate)), clean) if candidate else ():
            if name in project.known:
                return name, at
    return None


def find_focus(
    project: Project,
    order: Order,
    seeds: Seeds,
    activation: Activation,
    sessions: Sequence[PastSession],
    memory: Sequence[Recollection],
) -> Focus:
    """The anchors of a task and the files in focus."""
    words = words_of(order.task)
    scores: dict[str, float] = dict(activation.scores)
    why: dict[str, list[str]] = {}
    _by_words(activation, why)
    _by_scope(project, order, scores, why)
    _by_names(project, words, scores, why)
    _add(
        scores,
        why,
        _named_in(project, ["\n".join((s.sentence, *s.paths)) for s in sessions]),
        BY_SESSION,
        "a past session names it",
    )
    _add(scores, why, {p: 1.0 for m in memory for p in m.paths if p in project.known}, BY_MEMORY, "a claim rests on it")
    defined = _defined(project, words, scores, why)
    best = _ranked(scores, order)[:MOST_FOCUS]
    _by_history(project, best, scores, why)
    for place in seeds.places:
        scores[place.path] = max(scores.values(), default=0.0) + NAMED
        why.setdefault(place.path, []).insert(0, "a seed")
    ranked = _ranked(scores, order)
    if not ranked:
        return Focus((), ())
    floor = scores[ranked[0]] * LEAST_SHARE
    kept = ([p for p in ranked if scores[p] >= floor] or ranked[:1])[:MOST_FILES]
    parsed = _symbols_of(project, kept[:MOST_PARSED], words, activation)
    anchors: list[Anchor] = []
    for path in kept:
        own = [a for a in seeds.places if a.path == path and a.label != "file"]
        own += [a for a in defined if a.path == path and a not in own] + list(parsed.get(path, ()))
        line = next((a.line for a in seeds.places if a.path == path and a.label == "file"), None)
        anchors.append(Anchor(path, line, _kind(path), tuple(why.get(path, ()))[:4]))
        anchors += _distinct(own)[:SYMBOLS_A_FILE]
    return Focus(tuple(anchors[: order.max_nodes]), _in_focus(kept, scores, order))


def _by_history(project: Project, best: Sequence[str], scores: dict[str, float], why: dict[str, list[str]]) -> None:
    """What changed with one of the best files that answers better itself: all the more, the better that one does."""
    before = dict(scores)
    found: dict[str, tuple[float, str]] = {}
    for source in best:
        for row in together_with(project.commits, [source], project.known) if source in project.known else ():
            share = min(1.0, row.count / max(row.of, 3)) * before[source] / before[best[0]]
            if before.get(row.path, 0.0) < before[source] and share > found.get(row.path, (0.0, ""))[0]:
                found[row.path] = (share, f"changed with {row.source} in {row.count} of {row.of} commits")
    for path, (share, reason) in found.items():
        _add(scores, why, {path: share}, BY_HISTORY, reason)


def _distinct(anchors: Sequence[Anchor]) -> list[Anchor]:
    return list({(a.path, a.line): a for a in reversed(anchors)}.values())[::-1]


def _ranked(scores: Mapping[str, float], order: Order) -> list[str]:
    """Files by weight; those outside a declared scope come after all inside it. What must not be touched may be read."""
    return sorted(
        (p for p in scores if scores[p] > 0),
        key=lambda p: (bool(order.scope) and not holds(order.scope, p), -scores[p], p),
    )


def _in_focus(kept: Sequence[str], scores: Mapping[str, float], order: Order) -> tuple[str, ...]:
    """The best files until their weight covers `MASS` of the anchors', none that must not be touched."""
    able = [p for p in kept if not holds(order.must_not_touch, p) and (not order.scope or holds(order.scope, p))]
    total = sum(scores[p] for p in able)
    found: list[str] = []
    mass = 0.0
    for path in able[:MOST_FOCUS]:
        if found and mass >= MASS * total:
            break
        found.append(path)
        mass += scores[path]
    return tuple(found)


def _add(
    scores: dict[str, float], why: dict[str, list[str]], found: Mapping[str, float], weight: float, reason: str
) -> None:
    top = max(scores.values(), default=1.0) or 1.0
    for path, share in found.items():
        scores[path] = scores.get(path, 0.0) + weight * share * top
        reasons = why.setdefault(path, [])
        if reason not in reasons:
            reasons.append(reason)


def _by_words(activation: Activation, why: dict[str, list[str]]) -> None:
    for path, terms in activation.held.items():
        named = sorted(activation.in_name[path], key=lambda t: (-activation.weights[t], t))
        inside = sorted(terms - activation.in_name[path], key=lambda t: (-activation.weights[t], t))
        reasons = why.setdefault(path, [])
        if named:
            reasons.append(f"its path says {', '.join(named[:4])}")
        if inside:
            reasons.append(f"it holds {', '.join(inside[:4])}")


def _by_scope(project: Project, order: Order, scores: dict[str, float], why: dict[str, list[str]]) -> None:
    """Single files of a declared scope are anchors, whatever their words."""
    top = max(scores.values(), default=1.0) or 1.0
    for entry in order.scope:
        if not is_folder(entry) and not is_glob(entry) and entry in project.known:
            scores[entry] = scores.get(entry, 0.0) + top
            why.setdefault(entry, []).insert(0, "the scope names it")
        elif entry not in project.known:
            inside = [p for p in project.readable if covers(entry, p)]
            for path in inside[:MOST_FILES]:  # a scope that no word of the task reaches is still where the work is
                scores.setdefault(path, 0.01 * top)
                if not why.get(path):
                    why[path] = ["it lies in the scope"]


def _by_names(project: Project, words: Words, scores: dict[str, float], why: dict[str, list[str]]) -> None:
    """Files that the task names: a whole path, or the end of one that only one file has."""
    found = _named_in(project, ["\n".join(words.paths)])
    _add(scores, why, found, NAMED, "the task names it")


def _named_in(project: Project, texts: Sequence[str]) -> dict[str, float]:
    """Files that texts name by their path, or by an end of it that only one file has; a lone common name is none."""
    found: dict[str, float] = {}
    for text in texts:
        for written in words_of(text).paths:
            clean = written.rstrip("/.,:").removeprefix(project.root.lstrip("/") + "/")
            if clean in project.known:
                found[clean] = 1.0
                continue
            ends = [p for p in project.readable if p.endswith("/" + clean)]
            if len(ends) == 1:
                found[ends[0]] = 1.0
    return found


def _defined(project: Project, words: Words, scores: dict[str, float], why: dict[str, list[str]]) -> list[Anchor]:
    """Where names that the task writes as names are defined."""
    names = {n.replace("::", ".").rpartition(".")[2] for n in words.names}
    if not names:
        return []
    found = SymbolIndex(project.root).lookup(names, project.readable)
    anchors = []
    for name, places in found.by_name.items():
        for place in places[:3]:
            _add(scores, why, {place.path: 1.0 / len(places)}, NAMED, f"it defines {name}")
            anchors.append(_symbol(place, ("the task names it",)))
    return anchors


def _symbols_of(
    project: Project, paths: Sequence[str], words: Words, activation: Activation
) -> dict[str, list[Anchor]]:
    """Per file the definitions whose names hold words of the task, those that say most first."""
    found: dict[str, list[Anchor]] = {}
    for path in paths:
        language = language_of(path)
        body = project.data(path) if language is not None and not is_test(path) else None
        if language is None or body is None:
            continue
        rows = []
        for one in definitions(body, path, language):
            held = terms_in(one.name, words.terms) if not one.field else frozenset()
            weight = sum(activation.weights.get(t, 0.0) for t in held)
            if weight > 0:
                rows.append((-weight, one.line, one, sorted(held)))
        rows.sort(key=lambda r: r[:2])
        found[path] = [_symbol(one, (f"its name says {', '.join(held[:4])}",)) for _, _, one, held in rows]
    return found


def _symbol(one: Definition, why: tuple[str, ...]) -> Anchor:
    return Anchor(one.path, one.line, one.qualified, why)


def _kind(path: str) -> str:
    if is_test(path):
        return "test"
    return language_of(path) or (path.rpartition(".")[2] if "." in path.rpartition("/")[2] else "file")


def derived_scope(anchors: Sequence[Anchor], must_not_touch: Sequence[str]) -> tuple[str, ...]:
    """The anchors' files, best first, as the scope where nobody declared one: what is shown and what may be touched agree."""
    return tuple(dict.fromkeys(a.path for a in anchors if not holds(must_not_touch, a.path)))
