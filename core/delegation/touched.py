"""What a worker really touched: told by git, by a diff, by a list, or by the tool calls of a session's transcript."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.delegation.calls import written_by
from core.delegation.diffs import diffed
from core.delegation.model import Packet
from core.delegation.project import Project
from core.errors import SurroundingsError, UsageError
from core.repositories.model import FileChange, RepositoryProblem
from core.text import one_line

if TYPE_CHECKING:
    from core.records.model import Turn

MOST_PATHS = 20_000
"""Paths of one debrief."""
MAX_DIFF = 64 * 1024 * 1024
"""Characters of a diff that is read."""


@dataclass(frozen=True, slots=True)
class Touched:
    """The paths that were touched, each once, sorted."""

    paths: tuple[str, ...]
    source: str
    """`git`, `diff`, `list` or `session`."""
    renamed: tuple[tuple[str, str], ...] = ()
    """Old and new name of each renamed file."""
    deleted: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()
    """Paths outside the project, as written: they are not graded."""
    caveats: tuple[str, ...] = ()


def from_git(project: Project, packet: Packet, span: str = "") -> Touched:
    """What differs between the packet's commit and the work tree, or over `A..B`; deletions and renames included.

    What differed already when the packet was made, and is the same still, is nobody's work. Raises `UsageError` for a span
    git does not know, `SurroundingsError` where git does not answer.
    """
    if span:
        since, sign, until = span.partition("..")
        found = project.repository.changes(since or "HEAD", (until.lstrip(".") or "HEAD") if sign else "")
        if isinstance(found, RepositoryProblem):
            raise UsageError(f"--range {one_line(span, 80)}: {found.what}", found.hint or "Write it as A..B.")
        return _of_changes(found, "git", ())
    found = project.changes_since(packet.binding.head)
    if isinstance(found, RepositoryProblem):
        raise SurroundingsError(
            f"What was touched could not be asked of git: {found.what}", "Give it with --touched, --diff or --session."
        )
    before = dict(packet.baseline)
    fresh = [c for c in found if not (_same(project, before, c.path) and (not c.old_path or c.old_path in before))]
    # A file that was new or changed before and is as it was committed now was touched too.
    listed = {p for c in found for p in (c.path, c.old_path)}
    undone = [FileChange("M", p) for p, seen in packet.baseline if p not in listed and project.digest(p) != seen]
    caveats = () if packet.baseline_known else ("What differed before the delegation is known in part only.",)
    return _of_changes([*fresh, *undone], "git", caveats)


def _same(project: Project, before: dict[str, str], path: str) -> bool:
    return path in before and project.digest(path) == before[path]


def _of_changes(changes: Iterable[FileChange], source: str, caveats: tuple[str, ...]) -> Touched:
    listed = tuple(changes)
    paths = {c.path for c in listed} | {c.old_path for c in listed if c.status == "R" and c.old_path}
    return _made(
        paths, source, tuple((c.old_path, c.path) for c in listed if c.status == "R"),
        tuple(c.path for c in listed if c.status == "D"), (), caveats,
    )  # fmt: skip


def from_list(project_root: str, given: Sequence[str], start: str = "") -> Touched:
    """A list of paths as a person or a worker writes them."""
    inside, outside = _sorted_out(given, project_root, start or project_root)
    return _made(inside, "list", outside=outside)


def from_diff(project_root: str, text: str) -> Touched:
    """The files of a unified or git diff: added, changed, deleted, renamed, copied, binary, and of a changed mode."""
    if len(text) > MAX_DIFF:
        raise UsageError(f"The diff has more than {MAX_DIFF >> 20} MB.", "Give --range or --touched instead.")
    paths: dict[str, None] = {}
    renamed: list[tuple[str, str]] = []
    deleted: list[str] = []
    for old, new in diffed(text):
        for one in (old, new):
            if one:
                paths[one] = None
        if old and new and old != new:
            renamed.append((old, new))
        if old and not new:
            deleted.append(old)
    inside, outside = _sorted_out(paths, project_root, project_root)
    caveats = () if paths or not text.strip() else ("The diff names no file: is it one?",)
    return _made(inside, "diff", tuple(renamed), tuple(deleted), outside, caveats)


def from_turns(project: Project, turns: Iterable[Turn], cwd: str, since: float | None = None) -> Touched:
    """The files that a session's tool calls change (`core.delegation.calls`). Calls from before `since` are passed over.

    What a program that the session ran did besides is not seen, and said.
    """
    gone = frozenset(c.path for c in project.work.changed) if project.work is not None else frozenset()
    base = os.path.realpath(cwd) if cwd and os.path.isdir(cwd) else cwd or project.root

    def known(path: str) -> bool:
        relative = os.path.relpath(os.path.normpath(os.path.join(base, path)), project.root)
        return relative in project.known or relative in gone

    written, shells, helpers = written_by(turns, known, since)
    inside, outside = _sorted_out(written, project.root, base)
    caveats = []
    if shells:
        caveats.append("The session ran shell commands; of those, only plain changes of files are seen.")
    if helpers:
        caveats.append("The session handed work to agents of its own; what those touched stands in their records.")
    return _made(inside, "session", outside=outside, caveats=tuple(caveats))


# -- paths


def _sorted_out(given: Iterable[str], root: str, start: str) -> tuple[list[str], tuple[str, ...]]:
    """Paths relative to the root, and those that lie outside it."""
    real = os.path.realpath(root)
    base = os.path.realpath(start)
    folders: dict[str, str] = {}
    inside: list[str] = []
    outside: list[str] = []
    for written in given:
        clean = written.strip("\r\n")
        if not clean.strip() or "\0" in clean:
            continue
        full = os.path.normpath(os.path.join(base, clean))
        folder, name = os.path.split(full)
        if folder not in folders:
            folders[folder] = os.path.realpath(folder)
        where = os.path.join(folders[folder], name)
        if where.startswith(real.rstrip("/") + "/") and not where.startswith(os.path.join(real, ".git") + "/"):
            inside.append(where[len(real.rstrip("/")) + 1 :] + ("/" if clean.endswith("/") else ""))
        else:
            outside.append(clean)
    return inside, tuple(dict.fromkeys(outside))


def _made(
    paths: Iterable[str],
    source: str,
    renamed: tuple[tuple[str, str], ...] = (),
    deleted: tuple[str, ...] = (),
    outside: tuple[str, ...] = (),
    caveats: tuple[str, ...] = (),
) -> Touched:
    found = tuple(sorted(set(paths)))
    if len(found) > MOST_PATHS:
        raise UsageError(
            f"{len(found):,} paths were touched; {MOST_PATHS:,} can be graded at once.", "Grade a smaller --range."
        )
    return Touched(found, source, renamed, deleted, outside, caveats)
