"""The desk of delegation for its faces: compose, record, render, debrief, list. Composes what exists; owns no state."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from core.delegation.calibration import Calibration, calibrate
from core.delegation.compose import Sources, compose
from core.delegation.conformance import Graded, grade
from core.delegation.debrief import Debriefed, Verdict, assess, debrief, open_for_debrief
from core.delegation.ledger import Ledger
from core.delegation.model import MOST_NODES, MOST_TASK, MOST_TOKENS, Binding, NoPacket, Order, Status
from core.delegation.project import Project, bind, open_bound
from core.delegation.registry import Delegation, Registry, new_identity
from core.delegation.render import Rendered, render
from core.delegation.scope import canonical_all
from core.delegation.teaching import Sink
from core.delegation.touched import Touched, from_diff, from_git, from_list
from core.errors import SurroundingsError, UsageError
from core.memory.claim import new_claim
from core.text import one_line, shown


@dataclass(frozen=True, slots=True)
class Given:
    """What was touched, as a face was given it: the first that is there counts, else git is asked."""

    paths: tuple[str, ...] | None = None
    diff: str | None = None
    session: Callable[[Project, float], Touched] | None = None
    """Project and the packet's time to what a session's tool calls changed."""
    span: str = ""
    """`A..B`: this range of commits; `""`: from the packet's commit to the work tree."""


@dataclass(frozen=True, slots=True)
class Made:
    """A packet as it was recorded, or would be, with its text."""

    delegation: Delegation
    text: Rendered


class DelegationDesk:
    """Delegations of one person, over all projects."""

    def __init__(self, state: Path, now: Callable[[], float]) -> None:
        self.registry = Registry(state)
        self._now = now

    def order(
        self,
        start: str,
        task: str,
        agent: str,
        *,
        scope: Sequence[str] = (),
        seeds: Sequence[str] = (),
        must_not_touch: Sequence[str] = (),
        tokens: int | None = None,
        max_nodes: int | None = None,
        hint: str = "",
    ) -> Order:
        """An order with canonical paths, from the folder `start`. Raises `UsageError` naming what cannot be."""
        if not task.strip():
            raise UsageError("A delegation needs a task.", "Say in a sentence what is to be done.")
        for what, text in (("task", task), ("hint", hint)):
            if len(text) > MOST_TASK:
                raise UsageError(
                    f"The {what} has {len(text):,} characters; {MOST_TASK:,} at most.", "Name the file that has it all."
                )
        checked_name("agent", agent)
        root = bind(start)[0].root
        plain = Order("", "")
        wanted = plain.tokens if tokens is None else tokens
        nodes = plain.max_nodes if max_nodes is None else max_nodes
        if wanted < 1 or nodes < 1:
            raise UsageError("A budget is a number above 0.", f"Up to {MOST_TOKENS:,} tokens and {MOST_NODES} nodes.")
        return Order(
            agent, shown(task.strip()), canonical_all(scope, root, start) if root else (), tuple(s for s in seeds if s.strip()),
            canonical_all(must_not_touch, root, start) if root else (), min(wanted, MOST_TOKENS), min(nodes, MOST_NODES),
            shown(hint.strip()),
        )  # fmt: skip

    def compose(self, order: Order, start: str, sources: Sources) -> Made | NoPacket:
        """A packet that is not recorded: a preview."""
        now = self._now()
        packet = compose(order, start, sources, now, new_identity(now))
        if isinstance(packet, NoPacket):
            return packet
        return Made(Delegation(packet, Status.LIVE, order.tokens), render(packet, order.tokens))

    def record(self, made: Made) -> Made:
        """Record a packet that was composed: from now on it is live."""
        now = self._now()
        self.registry.add(made.delegation.packet, made.delegation.budget, now)
        return made

    def show(self, identity: str) -> Made:
        """A recorded packet with its text. Raises `UsageError`."""
        found = self.registry.find(identity, self._now())
        return Made(found, render(found.packet, found.budget or found.packet.order.tokens))

    def all(self) -> tuple[tuple[Delegation, ...], tuple[str, ...]]:
        """Every delegation, newest first, and records that could not be read."""
        return self.registry.all(self._now())

    def calibration(self) -> Calibration:
        """What the ledger tells."""
        return calibrate(Ledger(self.registry.folder).read())

    def graded(self, identity: str, given: Given, start: str = "") -> tuple[Delegation, Touched, Graded]:
        """How what was touched stands to the packet, without writing anything. Raises as `debrief`."""
        with self._at_work(identity, start) as (found, project):
            touched = _touched(project, found, given, start)
            return found, touched, grade(found.packet, touched.paths)

    def debrief(self, identity: str, verdict: Verdict, given: Given, memory: Sink, start: str = "") -> Debriefed:
        """Grade a delegation, teach memory, and write its row. `start` is a folder of the checkout the work was done in,
        `""` for the packet's own. Raises `UsageError` and `SurroundingsError`."""
        _checked(verdict)
        open_for_debrief(self.registry, identity, self._now(), regrade=verdict.regrade)
        with self._at_work(identity, start) as (found, project):
            touched = _touched(project, found, given, start)
            return debrief(self.registry, found.packet.id, project, verdict, touched, memory, self._now)

    def assessed(self, identity: str, verdict: Verdict, given: Given, start: str = "") -> Debriefed:
        """How a debrief would end, without teaching or writing anything. Raises as `debrief`; one that is expired or was
        debriefed is assessed too."""
        _checked(verdict)
        with self._at_work(identity, start) as (found, project):
            return assess(self.registry, found, project, verdict, _touched(project, found, given, start), self._now())

    @contextmanager
    def _at_work(self, identity: str, start: str) -> Iterator[tuple[Delegation, Project]]:
        found = self.registry.find(identity, self._now())
        project = _project_of(found, start)
        try:
            yield found, project
        finally:
            project.close()


def _checked(verdict: Verdict) -> None:
    checked_name("grader", verdict.grader)
    if verdict.worker:
        checked_name("worker", verdict.worker)


def checked_name(field: str, name: str) -> None:
    """Raise `UsageError` for a name that memory would not take as an author."""
    if not name.strip():
        raise UsageError(f"The {field} is missing.", f"Name who it is: --{field} NAME")
    try:
        new_claim("x", source_agent=name)
    except UsageError as problem:
        raise UsageError(f"The {field} cannot be {one_line(name, 80)!r}.", problem.hint) from problem


def _project_of(found: Delegation, start: str) -> Project:
    """The checkout the work was done in: the packet's own, or another of the same repository."""
    own = found.packet.binding.root
    binding, project = open_bound(start or own)
    if project is None:
        raise SurroundingsError(
            f"The project {shown(own)} cannot be opened: {' '.join(binding.limits)}", "Name the checkout: --project DIR"
        )
    if start and project.root != own:
        _, theirs = open_bound(own)
        same = theirs is None or theirs.repository.common_dir == project.repository.common_dir
        if theirs is not None:
            theirs.close()
        if not same:
            project.close()
            raise UsageError(
                f"The packet is bound to {shown(own)}, and {shown(binding.root)} is another repository.",
                "Name a checkout of the same one.",
            )
    return project


def _touched(project: Project, found: Delegation, given: Given, start: str) -> Touched:
    if given.paths is not None:
        return from_list(project.root, given.paths, start)
    if given.diff is not None:
        return from_diff(project.root, given.diff)
    if given.session is not None:
        return given.session(project, found.packet.created)
    return from_git(project, found.packet, given.span)


def where(start: str) -> Binding:
    """The binding of a folder, from the accessor that every packet uses."""
    binding, repository = bind(start)
    if repository is not None:
        repository.close()
    return binding
