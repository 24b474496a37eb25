"""Composes a packet out of what exists: the project's files and history, recall, memory and the soul. Writes nothing."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from core.delegation.activation import MIN_CAPTURED, MIN_TOP, Activation, activate
from core.delegation.dependents import dependents_of, together_with
from core.delegation.focus import Focus, Seeds, derived_scope, find_focus, resolve_seeds
from core.delegation.model import (
    LIFE,
    Anchor,
    Fence,
    NoPacket,
    Order,
    Packet,
    Recollection,
    Refusal,
    SoulPart,
    Staleness,
    Trust,
)
from core.delegation.past import Past, project_tag, recollections
from core.delegation.project import Project, open_bound
from core.delegation.proof import proofs
from core.delegation.words import words_of
from core.errors import UsageError
from core.memory.view import View

STATIC = (
    "Dependents are static imports, file by file: what is loaded by name, dispatched, generated or reached from outside "
    "is not seen. Search for the names you change."
)
NON_CLAIMS = (
    "This is a map, not a fence, unless paths are listed under must not touch.",
    "Composing it wrote one record and changed no file of the project.",
    "It does not say what is right: acceptance criteria are the brief's.",
    "It does not say that files it leaves out are safe to ignore.",
    "A past session tells what was said then, not what is so now.",
    "A claim of unknown age is unknown, not fresh.",
    "Claims that are tied to other projects are left out.",
    "How well such packets fit is told in counts until 30 debriefs are clean.",
)


@dataclass(frozen=True, slots=True)
class Sources:
    """What a packet is composed from, beside the project itself. Each is asked once, and only where there is a packet."""

    past: Callable[[str, str], Past]
    """Task and root to past sessions."""
    memory: Callable[[], tuple[View, str]]
    """What memory holds, and why that is only a part (`""`: it is not)."""
    soul: Callable[[str], SoulPart]
    """Root to the state of its handoff document. `SoulPart.stale` holds every stale claim's anchors and text."""


def compose(order: Order, start: str, sources: Sources, now: float, identity: str) -> Packet | NoPacket:
    """A packet for a task in the project that `start` lies in, or the answer why there is none.

    Raises `UsageError` for a blank task. `identity` becomes the packet's id.
    """
    if not order.task.strip():
        raise UsageError("A delegation needs a task.", "Say in a sentence what is to be done.")
    binding, project = open_bound(start)
    if project is None:
        what = binding.limits[0] if binding.limits else "There is no repository."
        return NoPacket(
            Refusal.NO_REPOSITORY, binding, what, "Go into the project, or name it: --project DIR; git init makes one.",
            (("start", start),), gaps=("No file could be looked at.",), non_claims=NON_CLAIMS,
        )  # fmt: skip
    try:
        return _compose(order, project, start, sources, now, identity)
    finally:
        project.close()


def _compose(
    order: Order, project: Project, start: str, sources: Sources, now: float, identity: str
) -> Packet | NoPacket:
    if not project.files:
        return NoPacket(
            Refusal.NOTHING_INDEXED, project.binding, "The project holds no file that could be looked at.",
            "Add its files, then delegate again.", (("files", 0), *(("trouble", t) for t in project.troubles)),
            gaps=project.troubles or ("Nothing is there to be read.",), non_claims=NON_CLAIMS,
        )  # fmt: skip
    seeds = resolve_seeds(project, order.seeds, start)
    if order.seeds and not seeds.places:
        return NoPacket(
            Refusal.SEEDS_UNRESOLVABLE, project.binding, "No seed leads to a file or a symbol of the project.",
            "Check the names: git ls-files lists the files; a symbol is written Class.method or name; a folder goes to --scope.",
            (("seeds_given", len(order.seeds)), ("seeds_unresolved", list(seeds.unresolved))), non_claims=NON_CLAIMS,
        )  # fmt: skip
    activation = activate(project, words_of(order.task))
    past = sources.past(order.task, project.root)
    view, memory_trouble = sources.memory()
    tag = project_tag(project.repository.common_dir)
    claims = recollections(view, order.task, (), project.root, tag, now)
    focus = find_focus(project, order, seeds, activation, past.sessions, claims)
    if _unscopable(order, seeds, activation, focus, claims):
        return _no_scope(project, activation, past)
    paths = tuple(dict.fromkeys(a.path for a in focus.anchors))
    claims = recollections(view, order.task, paths, project.root, tag, now)
    return _packet(
        order, project, seeds, focus, past, claims, sources.soul(project.root), memory_trouble, now, identity
    )


def _unscopable(
    order: Order, seeds: Seeds, activation: Activation, focus: Focus, claims: Sequence[Recollection]
) -> bool:
    if not focus.anchors:
        return not order.scope
    if activation.coherent or order.scope or seeds.places:
        return False
    named = any(w in ("the task names it", "a past session names it") for a in focus.anchors for w in a.why)
    return not named and not any(c.paths for c in claims)


def _no_scope(project: Project, activation: Activation, past: Past) -> NoPacket:
    known = sorted(activation.known)
    return NoPacket(
        Refusal.UNSCOPABLE, project.binding, "The task's words lead to no one part of this project.",
        "Name what it is about: --seed FILE or SYMBOL, or --scope PATH; or say the task in the project's own words.",
        (
            ("terms", list(activation.weights)), ("terms_found", known), ("files_looked_at", len(project.readable)),
            ("files_answering", len(activation.scores)), ("past_sessions", len(past.sessions)),
            ("constants", {"min_top": MIN_TOP, "min_captured": MIN_CAPTURED, "calibrated": False}),
        ),
        gaps=tuple(t for t in (*project.troubles, past.trouble) if t), non_claims=NON_CLAIMS,
    )  # fmt: skip


def _packet(
    order: Order,
    project: Project,
    seeds: Seeds,
    focus: Focus,
    past: Past,
    claims: Sequence[Recollection],
    soul: SoulPart,
    memory_trouble: str,
    now: float,
    identity: str,
) -> Packet:
    found = dependents_of(project, focus.focus, order.max_nodes)
    together = together_with(project.commits, focus.focus, project.known)
    fence = Fence(
        order.scope or derived_scope(focus.anchors, order.must_not_touch), not order.scope, order.must_not_touch
    )
    baseline, whole = project.baseline(order.must_not_touch)
    paths = tuple(dict.fromkeys(a.path for a in focus.anchors))
    packet = Packet(
        id=identity, created=now, expires=now + LIFE, order=order, binding=project.binding,
        staleness=_staleness(project, past, focus.anchors), anchors=focus.anchors, sessions=past.sessions,
        memory=tuple(claims), fence=fence, expected_change=focus.focus, dependents=found.rows,
        dependents_truncated=found.truncated, together=together,
        proof=proofs(project, focus.focus or paths), soul=_about(soul, paths), seeds_unresolved=seeds.unresolved,
        gaps=(), non_claims=NON_CLAIMS, baseline=baseline, baseline_known=whole,
    )  # fmt: skip
    return replace(packet, gaps=_gaps(packet, project, past, memory_trouble))


def _staleness(project: Project, past: Past, anchors: Sequence[Anchor]) -> Staleness:
    changed = None if past.indexed_at is None else sum(_mtime(project, p) > past.indexed_at for p in project.files)
    touched = tuple(dict.fromkeys(a.path for a in anchors if a.path in project.changed))
    return Staleness(changed, past.indexed_at, project.binding.head, project.dirty, touched)


def _mtime(project: Project, path: str) -> float:
    try:
        return os.lstat(project.full(path)).st_mtime
    except OSError:
        return float("inf")  # gone since it was listed: it changed


def _about(soul: SoulPart, paths: Sequence[str]) -> SoulPart:
    """The soul's part with only those stale claims that speak of an anchor's file."""
    names = {p for path in paths for p in (path, path.rpartition("/")[2])}
    kept = tuple((text, line) for text, line in soul.stale if any(n in text for n in names))
    return replace(soul, stale=kept[:8])


def _gaps(packet: Packet, project: Project, past: Past, memory_trouble: str) -> tuple[str, ...]:
    """What could not be determined, each as what the worker does about it; the last is always there."""
    found = []
    binding, stale = packet.binding, packet.staleness
    if binding.trust is not Trust.FULL:
        found.append(
            f"The project is read in part only ({' '.join(binding.limits)}) Check what you rely on in the files."
        )
    if not packet.dependents:
        found.append("No static dependent was found: coupling is unknown, not absent. Search for the names you change.")
    elif packet.dependents_truncated:
        found.append("There are more dependents than are listed. Search for the names you change.")
    if packet.seeds_unresolved:
        given = len(packet.order.seeds)
        found.append(
            f"{len(packet.seeds_unresolved)} of {given} seeds lead nowhere: {', '.join(packet.seeds_unresolved)}."
        )
    if not binding.head:
        found.append("There is no commit to compare with: say yourself which files you touch.")
    if stale.dirty is None:
        found.append("Whether files differ from the commit is unknown: look before you change one.")
    elif stale.dirty:
        found.append(
            f"{len(project.changed):,} {'file differs' if len(project.changed) == 1 else 'files differ'} from the commit already: "
            "somebody's work in progress."
        )
    if not packet.baseline_known:
        found.append("Not every file that differs already was remembered: some may be laid to you.")
    if past.trouble:
        found.append(f"{past.trouble} What was said before may be missing.")
    elif not packet.sessions:
        found.append("No past session of this project bears on the task, as far as they are read.")
    if memory_trouble:
        found.append(f"Memory was read in part only: {memory_trouble}")
    if not packet.together:
        found.append("History ties no other file to these: what must change together is unknown.")
    if not packet.proof:
        found.append("No manifest names a command that proves work: ask how it is tested.")
    if not packet.soul.receipt:
        found.append(f"The handoff document was not checked: {packet.soul.why_not or 'there is none'}")
    found += [f"Git did not answer: {t}" for t in project.troubles]
    return (*found, STATIC)
